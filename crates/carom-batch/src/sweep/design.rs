//! Which numbers take which values.
//!
//! A point of a design has a number. Grids are read off its digits, random values off a stream of its own: no point needs
//! those before it.

use carom_io::failure::Failure;
use carom_io::format::{Node, Place};

/// The values that one number takes.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// One after another, against those of every other grid.
    Grid(Grid),
    /// Anything between two bounds, equally likely.
    Uniform(f64, f64),
    /// Anything between two positive bounds, its logarithm equally likely.
    LogUniform(f64, f64),
    /// By the normal distribution: mean and standard deviation.
    Normal(f64, f64),
}

/// Values that are tried one after another.
#[derive(Clone, Debug, PartialEq)]
pub enum Grid {
    /// As they were written.
    Listed(Vec<f64>),
    /// Evenly from one end to the other, computed when they are wanted.
    Even {
        /// The first.
        from: f64,
        /// The last.
        to: f64,
        /// How many \[1\].
        steps: u64,
    },
}

impl Grid {
    fn len(&self) -> u64 {
        match self {
            Self::Listed(values) => values.len() as u64,
            Self::Even { steps, .. } => *steps,
        }
    }

    fn at(&self, k: u64) -> f64 {
        match *self {
            Self::Listed(ref values) => values[k as usize],
            // Exactly where it was said to end.
            Self::Even { to, steps, .. } if k > 0 && k + 1 == steps => to,
            Self::Even { from, to, steps } => {
                from + (to - from) * (k as f64 / (steps - 1).max(1) as f64)
            }
        }
    }
}

/// A number of the problem, or several that are always equal, and its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// As the spec names it, and the column of its values.
    pub name: String,
    places: Vec<Place>,
    values: Values,
    /// Tells its random numbers from those of other parameters.
    stream: u64,
}

/// Everything that is swept.
#[derive(Clone, Debug, PartialEq)]
pub struct Design {
    /// The numbers, in the order of their names.
    pub parameters: Vec<Parameter>,
    /// Points for each combination of the grids' values; 1 where nothing is random \[1\].
    pub count: u64,
    /// Which random numbers.
    pub seed: u64,
}

impl Parameter {
    /// Reads `name = [values]`, `{ from, to, steps }`, `{ uniform }`, `{ log_uniform }` or `{ normal }`. Several places,
    /// with commas between them, take the same value.
    pub fn read(name: &str, node: &Node) -> Result<Self, Failure> {
        let places: Vec<Place> = name
            .split(',')
            .map(Place::parse)
            .collect::<Result<_, _>>()
            .map_err(|error| at(name, error))?;
        let stream = name
            .bytes()
            .fold(FNV_OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME));
        Ok(Self { name: name.to_owned(), places, values: Values::read(name, node)?, stream })
    }

    /// Whether its values are drawn.
    pub fn is_random(&self) -> bool {
        !matches!(self.values, Values::Grid(_))
    }

    /// Puts a value into a problem.
    pub fn put(&self, problem: &mut Node, value: f64) -> Result<(), Failure> {
        self.places
            .iter()
            .try_for_each(|place| place.put(problem, value))
            .map_err(|error| at(&self.name, error))
    }
}

/// FNV-1a: tells names apart, the same on every machine.
const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;

/// No grid of one number has more values \[1\].
const LONGEST_GRID: f64 = 1e9;

/// What a number's values may be written as.
const FORMS: &str = "give a list of values, { from, to, steps }, { uniform = [low, high] }, \
                     { log_uniform = [low, high] } or { normal = [mean, deviation] }";

impl Values {
    fn read(name: &str, node: &Node) -> Result<Self, Failure> {
        let refuse = |what: String| Failure::Usage(format!("design: {name} = {what}"));
        match node {
            Node::Numbers(values) if values.is_empty() => Err(refuse("[]: no value at all".into())),
            Node::Numbers(values) if values.iter().any(|x| x.is_nan()) => {
                Err(refuse("NaN: must be a number".into()))
            }
            Node::Numbers(values) => Ok(Self::Grid(Grid::Listed(values.clone()))),
            Node::Table(entries) => match &entries[..] {
                [(kind, bounds)] => Self::drawn(kind, bounds),
                _ => Self::even(node, entries),
            }
            .map_err(refuse),
            other => Err(refuse(format!("{}: {FORMS}", other.brief()))),
        }
    }

    /// Reads `{ uniform = [low, high] }` and its kind; says what is wrong with it.
    fn drawn(kind: &str, bounds: &Node) -> Result<Self, String> {
        type Distribution = (fn(f64, f64) -> Values, fn(f64, f64) -> bool, &'static str);
        let (values, sound, rule): Distribution = match kind {
            "uniform" => (Self::Uniform, |low, high| low <= high, "the lower bound comes first"),
            "log_uniform" => (
                Self::LogUniform,
                |low, high| 0.0 < low && low <= high,
                "both bounds must be positive, the lower one first",
            ),
            "normal" => {
                (Self::Normal, |_, deviation| deviation >= 0.0, "the deviation must be at least 0")
            }
            other => return Err(format!("a table with `{other}`: {FORMS}")),
        };
        match bounds {
            Node::Numbers(pair) if pair.len() == 2 && pair.iter().all(|x| x.is_finite()) => {
                let (a, b) = (pair[0], pair[1]);
                match sound(a, b) {
                    true => Ok(values(a, b)),
                    false => Err(format!("{{ {kind} = [{a}, {b}] }}: {rule}")),
                }
            }
            other => Err(format!("{{ {kind} = {} }}: must be two finite numbers", other.brief())),
        }
    }

    /// Reads `{ from, to, steps }`; says what is wrong with it.
    fn even(node: &Node, entries: &[(String, Node)]) -> Result<Self, String> {
        let known = |key: &str| ["from", "to", "steps"].contains(&key);
        if let Some((stray, _)) = entries.iter().find(|(key, _)| !known(key)) {
            return Err(format!("a table with `{stray}`: {FORMS}"));
        }
        let number = |key: &str| match node.get(key) {
            Some(Node::Number(x)) if x.is_finite() => Ok(*x),
            Some(other) => Err(format!("{{ {key} = {} }}: must be a finite number", other.brief())),
            None => Err(format!("a table without `{key}`: {FORMS}")),
        };
        let (from, to, steps) = (number("from")?, number("to")?, number("steps")?);
        match (1.0..=LONGEST_GRID).contains(&steps) && steps.fract() == 0.0 {
            true => Ok(Self::Grid(Grid::Even { from, to, steps: steps as u64 })),
            false => Err(format!(
                "{{ steps = {steps} }}: must be a whole number of values, from 1 to {LONGEST_GRID}"
            )),
        }
    }
}

fn at(name: &str, failure: Failure) -> Failure {
    Failure::Usage(format!("design: {name}: {failure}"))
}

impl Design {
    /// Reads a table of numbers and their values. `count` is given where something is random, and nowhere else.
    pub fn read(design: &Node, count: Option<u64>, seed: u64) -> Result<Self, Failure> {
        let Node::Table(entries) = design else {
            let reason = "must be a table of numbers and their values";
            return Err(Failure::Usage(format!("design = {}: {reason}", design.brief())));
        };
        let mut parameters = (entries.iter())
            .map(|(name, values)| Parameter::read(name, values))
            .collect::<Result<Vec<_>, _>>()?;
        parameters.sort_by(|a, b| a.name.cmp(&b.name));
        if parameters.is_empty() {
            return Err(Failure::Usage("design: no number at all".into()));
        }
        let random = parameters.iter().find(|parameter| parameter.is_random());
        let count = match (count, random) {
            (Some(count), Some(_)) => count,
            (None, None) => 1,
            (None, Some(random)) => {
                let message =
                    format!("count: required: how many random values `{}` takes", random.name);
                return Err(Failure::Usage(message));
            }
            (Some(count), None) => {
                let message = format!("count = {count}: nothing in the design is random");
                return Err(Failure::Usage(message));
            }
        };
        Ok(Self { parameters, count, seed })
    }

    /// How many points there are; nothing if more than can be counted.
    pub fn points(&self) -> Option<u64> {
        self.parameters.iter().try_fold(self.count, |points, parameter| match &parameter.values {
            Values::Grid(values) => points.checked_mul(values.len()),
            _ => Some(points),
        })
    }

    /// The values at a point, one per parameter.
    pub fn values(&self, point: u64, values: &mut Vec<f64>) {
        values.clear();
        let mut digits = point / self.count;
        for parameter in &self.parameters {
            let mut random = Stream::new(self.seed, point, parameter.stream);
            values.push(match &parameter.values {
                Values::Grid(grid) => {
                    let value = grid.at(digits % grid.len());
                    digits /= grid.len();
                    value
                }
                Values::Uniform(low, high) => random.between(*low, *high),
                Values::LogUniform(low, high) => {
                    let logarithm = random.between(libm::log(*low), libm::log(*high));
                    libm::exp(logarithm).clamp(*low, *high)
                }
                Values::Normal(mean, deviation) => mean + deviation * random.normal(),
            });
        }
    }
}

/// Random numbers of one parameter at one point: SplitMix64 of Steele, Lea and Flood, begun at a mixture of the seed,
/// the point and the parameter.
struct Stream(u64);

impl Stream {
    fn new(seed: u64, point: u64, parameter: u64) -> Self {
        let mut state = Self(seed);
        state.0 = state.bits() ^ point;
        state.0 = state.bits() ^ parameter;
        state
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// In `[0, 1)`.
    fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (0.5 * f64::EPSILON)
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        // Halves, so that bounds of any size leave no infinity in between.
        let u = self.unit();
        (low * (1.0 - u) + high * u).clamp(low, high)
    }

    /// Of mean 0 and deviation 1, by Box and Muller.
    fn normal(&mut self) -> f64 {
        let radius = f64::sqrt(-2.0 * libm::log(1.0 - self.unit()));
        radius * libm::cos(std::f64::consts::TAU * self.unit())
    }
}
