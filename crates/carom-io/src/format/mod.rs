//! Problem files: from text to a system behind contacts.
//!
//! One module per form a problem may take; `keys` lists every key of them all.

mod bodies;
mod chain;
mod compliant;
mod contact;
mod contact_space;
mod cursor;
mod generalized;
pub mod keys;
mod law;
mod locate;
mod names;
mod node;
mod place;
pub mod schema;
mod system;

pub use bodies::{read_inertia, read_orientation};
pub use compliant::CompliantSpec;
pub use contact::read_material;
pub use cursor::{Cursor, Matrix};
pub use law::LawSpec;
pub use locate::{Language, locate};
pub use names::Names;
pub use node::Node;
pub use place::Place;
pub use system::AnySystem;

use crate::plain;
use carom::contact::Separating;
use carom::{ImpactError, Law};
use keys::KeyTable;

/// No full matrix of a problem may have more entries than this \[1\]: 128 MiB of numbers. A few bytes of a file could
/// ask for more memory than there is. `W` and sparse Jacobians are not stored in full where they are large.
pub const MATRIX_LIMIT: usize = 1 << 24;

/// What a problem file says.
#[derive(Debug)]
pub struct Problem {
    /// One line that names it.
    pub title: Option<String>,
    /// What it shows.
    pub description: Option<String>,
    /// The law it asks for.
    pub law: Option<LawSpec>,
    /// What it says about compliant contacts.
    pub compliant: CompliantSpec,
    /// The contacts and what is behind them.
    pub system: AnySystem,
}

impl Problem {
    /// Reads a problem of any form.
    pub fn read(node: &Node) -> Result<Self, ImpactError> {
        let root = Cursor::root(node, "problem");
        let form = form_of(&root)?;
        root.check_keys(form.table)?;
        let text = |key: &'static keys::Key| {
            root.get(key.name).map(|text| text.text().map(str::to_owned)).transpose()
        };
        let choices = [("observe", Separating::Observe), ("refuse", Separating::Refuse)];
        let separating = root
            .get(keys::SEPARATING.name)
            .map_or(Ok(Separating::default()), |s| s.choice(&choices))?;
        let mut system = (form.read)(&root)?.with_separating(separating)?;
        if let Some(proximity) = root.get(keys::PROXIMITY.name) {
            system = system.with_proximity(proximity.number_or_infinity()?)?;
        }
        Ok(Self {
            // Both are shown, and nothing else is done with them.
            title: text(&keys::TITLE)?.map(|title| plain::name(&title).into_owned()),
            description: text(&keys::DESCRIPTION)?.map(|text| plain::message(&text).into_owned()),
            law: node.get(keys::LAW.name).map(LawSpec::read).transpose()?,
            compliant: match root.get(keys::COMPLIANT.name) {
                Some(table) => CompliantSpec::read(&table)?,
                None => CompliantSpec::default(),
            },
            system,
        })
    }

    /// The law it names, or that for problems that name none.
    pub fn law_or_default(&self) -> LawSpec {
        let default = || LawSpec::new(Law::default_for(self.system.problem()).id());
        self.law.clone().unwrap_or_else(default)
    }

    /// The law with this id, with the problem's settings if it is the one that the problem names.
    pub fn law_with_id(&self, id: &str) -> LawSpec {
        let named = self.law.as_ref().filter(|law| law.id == id);
        named.cloned().unwrap_or_else(|| LawSpec::new(id))
    }
}

struct Form {
    /// The keys that make a problem one of this form.
    marks: &'static [&'static str],
    table: &'static KeyTable,
    read: fn(&Cursor) -> Result<AnySystem, ImpactError>,
}

static FORMS: [Form; 4] = [
    Form {
        marks: &["delassus", "contact_velocity"],
        table: &keys::CONTACT_SPACE,
        read: contact_space::read,
    },
    Form { marks: &["mass", "jacobian"], table: &keys::GENERALIZED, read: generalized::read },
    Form { marks: &["bodies"], table: &keys::BODIES_PROBLEM, read: bodies::read },
    Form { marks: &["chain"], table: &keys::CHAIN_PROBLEM, read: chain::read },
];

fn form_of(root: &Cursor) -> Result<&'static Form, ImpactError> {
    let Node::Table(entries) = root.node else {
        return Err(root.refuse("a problem must be a table"));
    };
    let has = |form: &&Form| form.marks.iter().any(|mark| root.get(mark).is_some());
    let mut present = FORMS.iter().filter(has);
    match (present.next(), present.next()) {
        (Some(form), None) => Ok(form),
        (Some(one), Some(other)) => {
            let reason = format!(
                "this would be {} and {} at once; leave the keys of one of them out",
                one.table.what, other.table.what
            );
            Err(root.refuse(reason))
        }
        (None, _) => {
            // Nothing tells the form: most likely the key that would is misspelt.
            let marks = || FORMS.iter().flat_map(|form| form.marks.iter().copied());
            for (key, _) in entries {
                if let Some(near) = carom::catalog::nearest(key, marks()) {
                    let stray = root.get(key).unwrap_or(*root);
                    return Err(stray.refuse(format!("unknown key; did you mean `{near}`?")));
                }
            }
            let wanted: Vec<String> = FORMS.iter().map(|f| format!("`{}`", f.marks[0])).collect();
            Err(root.refuse(format!("nothing says what impacts: give {}", wanted.join(" or "))))
        }
    }
}

/// Refuses a matrix that no problem of sensible size has, before memory is asked for.
fn check_matrix_size(what: &str, rows: usize, columns: usize) -> Result<(), ImpactError> {
    match rows.checked_mul(columns) {
        Some(entries) if entries <= MATRIX_LIMIT => Ok(()),
        _ => Err(ImpactError::Limit(format!(
            "{what} would be {rows} × {columns}; a matrix may have {MATRIX_LIMIT} entries"
        ))),
    }
}
