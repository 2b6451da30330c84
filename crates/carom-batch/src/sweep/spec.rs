//! What a sweep's file says.
//!
//! ```toml
//! problem = "disk.toml"            # beside this file, or a table [problem] in it
//! laws = ["chatterjee-ruina", { id = "composite", sigma = 0.3 }]
//! count = 1000                     # random points for each combination of the grids
//! seed = 1
//!
//! [design]
//! mu = { from = 0, to = 1, steps = 11 }
//! e = [0, 0.5, 1]
//! "contact_velocity[1]" = { uniform = [-2, 2] }
//! "delassus[0][1], delassus[1][0]" = { normal = [0, 0.1] }
//! ```

use super::design::Design;
use carom::catalog::nearest;
use carom::{ImpactError, Law};
use carom_io::failure::Failure;
use carom_io::format::{LawSpec, Node};
use carom_io::input::Source;
use std::path::{Path, PathBuf};

/// What is swept.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The problem whose numbers change.
    pub problem: Node,
    /// The laws.
    pub laws: Vec<SweptLaw>,
    /// Which numbers change.
    pub design: Design,
    /// The text it was read from, for the file's metadata.
    pub text: String,
    /// The text of the problem, if it stands in a file of its own.
    pub problem_text: Option<String>,
    /// The files it was read from.
    pub inputs: Vec<PathBuf>,
}

/// A law of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct SweptLaw {
    /// Its name in the column `law`: the id, and the settings that were given.
    pub name: String,
    /// The law itself.
    pub law: Law,
}

const KEYS: [&str; 5] = ["problem", "laws", "design", "count", "seed"];
/// Whole numbers up to this are exact in files \[1\].
const LARGEST: f64 = 9_007_199_254_740_992.0;

impl Spec {
    /// Reads a sweep's file; `laws` take the place of its own, if there are any.
    pub fn open(path: &Path, laws: &[String]) -> Result<Self, Failure> {
        Self::read(Source::open(path)?, path, laws)
    }

    /// The same, of a file that was read already.
    pub fn read(source: Source, path: &Path, laws: &[String]) -> Result<Self, Failure> {
        let node = source.parse()?;
        let Node::Table(entries) = &node else {
            return Err(Failure::Usage(format!("{}: must be a table", source.name)));
        };
        for (key, _) in entries {
            if !KEYS.contains(&key.as_str()) {
                let near = nearest(key, KEYS);
                let hint = near.map_or_else(
                    || format!("the keys are {}", KEYS.join(", ")),
                    |near| format!("did you mean `{near}`?"),
                );
                return Err(Failure::Usage(format!(
                    "{}: unknown key `{key}`; {hint}",
                    source.name
                )));
            }
        }
        let (problem, problem_text, file) = problem(path, &node)?;
        let laws = match laws {
            [] => read_laws(&node, &problem)?,
            given => {
                given.iter().map(|id| SweptLaw::new(&LawSpec::new(id))).collect::<Result<_, _>>()?
            }
        };
        let design = read_design(&node)?;
        let inputs = std::iter::once(path.to_owned()).chain(file).collect();
        Ok(Self { problem, laws, design, text: source.text, problem_text, inputs })
    }
}

impl SweptLaw {
    /// The law of a spec.
    pub fn new(spec: &LawSpec) -> Result<Self, ImpactError> {
        let law = spec.build()?;
        let settings: Vec<String> = spec
            .settings
            .iter()
            .map(|(name, value)| {
                let value = carom_io::answer::SettingAnswer(value);
                format!("{name}={}", serde_json::to_string(&value).unwrap_or_default())
            })
            .collect();
        let name = match settings[..] {
            [] => spec.id.clone(),
            _ => format!("{}({})", spec.id, settings.join(", ")),
        };
        Ok(Self { name, law })
    }
}

/// The problem, and its text and file where it has one of its own.
type Found = (Node, Option<String>, Option<PathBuf>);

fn problem(path: &Path, node: &Node) -> Result<Found, Failure> {
    match node.get("problem") {
        Some(Node::Text(name)) => {
            let file = path.parent().unwrap_or(Path::new("")).join(name);
            let source = Source::open(&file)?;
            Ok((source.parse()?, Some(source.text), Some(file)))
        }
        Some(table @ Node::Table(_)) => Ok((table.clone(), None, None)),
        Some(other) => {
            Err(refuse("problem", other, "must be the path of a problem file, or a problem"))
        }
        None => Err(Failure::Usage(
            "problem: required: the path of a problem file, or a problem".into(),
        )),
    }
}

fn read_laws(node: &Node, problem: &Node) -> Result<Vec<SweptLaw>, Failure> {
    let specs: Vec<LawSpec> = match (node.get("laws"), problem.get("law")) {
        (Some(Node::List(laws)), _) => laws.iter().map(LawSpec::read).collect::<Result<_, _>>()?,
        (Some(other), _) => {
            return Err(refuse(
                "laws",
                other,
                "must be a list of laws, each an id or a table with one",
            ));
        }
        (None, Some(own)) => vec![LawSpec::read(own)?],
        (None, None) => {
            let message = "laws: required: a list of ids, as in laws = [\"chatterjee-ruina\"]";
            return Err(Failure::Usage(message.into()));
        }
    };
    let laws: Vec<SweptLaw> = specs.iter().map(SweptLaw::new).collect::<Result<_, _>>()?;
    for (i, law) in laws.iter().enumerate() {
        if laws[..i].iter().any(|other| other.name == law.name) {
            return Err(Failure::Usage(format!("laws: {} comes twice", law.name)));
        }
    }
    Ok(laws)
}

fn read_design(node: &Node) -> Result<Design, Failure> {
    let table = node.get("design").ok_or_else(|| {
        Failure::Usage("design: required: which numbers take which values".into())
    })?;
    let seed = whole(node, "seed", 0.0)?.unwrap_or(0);
    Design::read(table, whole(node, "count", 1.0)?, seed)
}

fn whole(node: &Node, key: &str, least: f64) -> Result<Option<u64>, Failure> {
    match node.get(key) {
        None => Ok(None),
        Some(Node::Number(x)) if x.fract() == 0.0 && (least..=LARGEST).contains(x) => {
            Ok(Some(*x as u64))
        }
        Some(other) => {
            Err(refuse(key, other, &format!("must be a whole number from {least} to {LARGEST}")))
        }
    }
}

fn refuse(key: &str, node: &Node, reason: &str) -> Failure {
    Failure::Usage(format!("{key} = {}: {reason}", node.brief()))
}
