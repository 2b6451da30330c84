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
    Grid(Vec<f64>),
    /// Anything between two bounds, equally likely.
    Uniform(f64, f64),
    /// Anything between two positive bounds, its logarithm equally likely.
    LogUniform(f64, f64),
    /// By the normal distribution: mean and standard deviation.
    Normal(f64, f64),
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

impl Values {
    fn read(name: &str, node: &Node) -> Result<Self, Failure> {
        let refuse = |what: String| Failure::Usage(format!("design: {name} = {what}"));
        let forms = "give a list of values, { from, to, steps }, { uniform = [low, high] }, \
                     { log_uniform = [low, high] } or { normal = [mean, deviation] }";
        match node {
            Node::Numbers(values) if values.is_empty() => Err(refuse("[]: no value at all".into())),
            Node::Numbers(values) => match values.iter().find(|x| x.is_nan()) {
                Some(_) => Err(refuse("NaN: must be a number".into())),
                None => Ok(Self::Grid(values.clone())),
            },
            Node::Table(entries) => {
                let keys: Vec<&str> = entries.iter().map(|(key, _)| key.as_str()).collect();
                let number = |key: &str| match node.get(key) {
                    Some(Node::Number(x)) if x.is_finite() => Ok(*x),
                    Some(other) => Err(refuse(format!(
                        "{{ {key} = {} }}: must be a finite number",
                        other.brief()
                    ))),
                    None => Err(refuse(format!("a table without `{key}`: {forms}"))),
                };
                let pair = |key: &str| match node.get(key) {
                    Some(Node::Numbers(pair))
                        if pair.len() == 2 && pair.iter().all(|x| x.is_finite()) =>
                    {
                        Ok((pair[0], pair[1]))
                    }
                    other => {
                        let value = other.map_or_else(|| "nothing".into(), Node::brief);
                        Err(refuse(format!("{{ {key} = {value} }}: must be two finite numbers")))
                    }
                };
                match keys[..] {
                    ["uniform"] => pair("uniform").and_then(|(low, high)| match low <= high {
                        true => Ok(Self::Uniform(low, high)),
                        false => Err(refuse(format!("{{ uniform = [{low}, {high}] }}: the lower bound comes first"))),
                    }),
                    ["log_uniform"] => pair("log_uniform").and_then(|(low, high)| match 0.0 < low && low <= high {
                        true => Ok(Self::LogUniform(low, high)),
                        false => Err(refuse(format!(
                            "{{ log_uniform = [{low}, {high}] }}: both bounds must be positive, the lower one first"
                        ))),
                    }),
                    ["normal"] => pair("normal").and_then(|(mean, deviation)| match deviation >= 0.0 {
                        true => Ok(Self::Normal(mean, deviation)),
                        false => Err(refuse(format!(
                            "{{ normal = [{mean}, {deviation}] }}: the deviation must be at least 0"
                        ))),
                    }),
                    _ => {
                        if let Some(stray) = keys.iter().find(|key| !["from", "to", "steps"].contains(key)) {
                            return Err(refuse(format!("a table with `{stray}`: {forms}")));
                        }
                        let (from, to, steps) = (number("from")?, number("to")?, number("steps")?);
                        if !(1.0..=LONGEST_GRID).contains(&steps) || steps.fract() != 0.0 {
                            return Err(refuse(format!("{{ steps = {steps} }}: must be a whole number of values, at least 1")));
                        }
                        let steps = steps as u64;
                        let last = (steps - 1).max(1) as f64;
                        let value = |k: u64| match k + 1 == steps && k > 0 {
                            // Exactly where it was said to end.
                            true => to,
                            false => from + (to - from) * (k as f64 / last),
                        };
                        Ok(Self::Grid((0..steps).map(value).collect()))
                    }
                }
            }
            other => Err(refuse(format!("{}: {forms}", other.brief()))),
        }
    }
}

fn at(name: &str, failure: Failure) -> Failure {
    Failure::Usage(format!("design: {name}: {failure}"))
}

impl Design {
    /// How many points there are; nothing if more than can be counted.
    pub fn points(&self) -> Option<u64> {
        self.parameters.iter().try_fold(self.count, |points, parameter| match &parameter.values {
            Values::Grid(values) => points.checked_mul(values.len() as u64),
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
                    let value = grid[(digits % grid.len() as u64) as usize];
                    digits /= grid.len() as u64;
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
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.unit()));
        radius * libm::cos(std::f64::consts::TAU * self.unit())
    }
}
