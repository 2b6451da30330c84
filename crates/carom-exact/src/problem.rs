//! Problem files as rational numbers: a small reader of its own, for problems that carom has accepted.

use crate::number::{Q, dot, exact, near, root};
use num_traits::{One, Signed, Zero};
use serde_json::Value;
use std::collections::HashMap;

/// Gaps above this take part in no impact where the problem says nothing else \[m\].
const PROXIMITY: f64 = 1e-3;

/// A sparse row of a Jacobian.
pub type Row = Vec<(usize, Q)>;

/// One contact.
pub struct Contact {
    /// Its first row, and the row after its last.
    pub rows: std::ops::Range<usize>,
    /// Absent is infinite.
    pub mu: Option<Q>,
    /// Whether it holds both ways.
    pub bilateral: bool,
    /// Whether its gap is small enough.
    pub takes_part: bool,
}

/// What stands behind the contacts.
pub enum System {
    /// A matrix and velocities.
    ContactSpace { delassus: Vec<Vec<Q>>, velocity: Vec<Q> },
    /// Masses.
    Masses(Masses),
}

/// Coordinates with masses, rows that measure them, joints.
pub struct Masses {
    /// Blocks of the mass matrix along its diagonal: where they begin, and their entries.
    pub blocks: Vec<(usize, Vec<Vec<Q>>)>,
    pub velocity: Vec<Q>,
    pub rows: Vec<Row>,
    pub drive: Vec<Q>,
    pub joints: Vec<Row>,
    pub joint_drive: Vec<Q>,
}

/// A problem.
pub struct Problem {
    pub contacts: Vec<Contact>,
    pub system: System,
}

impl Problem {
    /// Reads a problem of any form.
    pub fn read(problem: &Value) -> Result<Self, String> {
        let form = |key: &str| problem.get(key).is_some();
        let (system, rows, default) = if form("delassus") {
            let velocity = numbers(&problem["contact_velocity"])?;
            let rows = velocity.len();
            (
                System::ContactSpace { delassus: symmetric(&problem["delassus"])?, velocity },
                rows,
                None,
            )
        } else if form("chain") {
            let chain = chain(&problem["chain"])?;
            let rows = chain.rows.len();
            (System::Masses(chain), rows, None)
        } else if form("bodies") {
            return Self::of_bodies(problem);
        } else {
            let masses = generalized(problem)?;
            let rows = masses.rows.len();
            (System::Masses(masses), rows, None)
        };
        let listed = match problem.get("contacts") {
            Some(Value::Array(list)) => list.clone(),
            _ => vec![Value::Null; rows],
        };
        Ok(Self { contacts: contacts(&listed, rows, default, problem)?, system })
    }

    fn of_bodies(problem: &Value) -> Result<Self, String> {
        let bodies = Bodies::read(problem)?;
        let list = array(&problem["contacts"])?;
        let dimension = if bodies.planar { 2 } else { 3 };
        let contacts = contacts(list, 0, Some(dimension), problem)?;
        let (mut rows, mut drive) = (Vec::new(), Vec::new());
        for (contact, given) in contacts.iter().zip(list) {
            let point = bodies.vector(&given["point"])?;
            let normal = unit(&bodies.vector(&given["normal"])?);
            let frame = match given.get("tangent") {
                Some(tangent) => {
                    let given = bodies.vector(tangent)?;
                    let across = sub(&given, &scale(&normal, &inner(&normal, &given)));
                    frame_of(&normal, unit(&across))
                }
                None => bodies.tangents(&normal),
            };
            let directions = std::iter::once(normal.clone()).chain(frame);
            for direction in directions.take(contact.rows.len()) {
                let (row, w) = bodies.row(given, Some(&point), &direction)?;
                rows.push(row);
                drive.push(w);
            }
        }
        let (joints, joint_drive) = bodies.joints(problem)?;
        let masses = Masses {
            blocks: bodies.blocks,
            velocity: bodies.velocity,
            rows,
            drive,
            joints,
            joint_drive,
        };
        Ok(Self { contacts, system: System::Masses(masses) })
    }
}

fn array(value: &Value) -> Result<&Vec<Value>, String> {
    value.as_array().ok_or_else(|| format!("{value} should be a list"))
}

fn double(value: &Value) -> Result<f64, String> {
    value.as_f64().ok_or_else(|| format!("{value} should be a number"))
}

fn numbers(value: &Value) -> Result<Vec<Q>, String> {
    array(value)?.iter().map(|x| exact(double(x)?)).collect()
}

/// A matrix whose halves are averaged: the rounded mean is what counts as given.
fn symmetric(value: &Value) -> Result<Vec<Vec<Q>>, String> {
    let rows = array(value)?.iter().map(|row| array(row)?.iter().map(double).collect());
    let rows: Vec<Vec<f64>> = rows.collect::<Result<_, String>>()?;
    let at =
        |i: usize, j: usize| rows.get(i).and_then(|row| row.get(j)).copied().unwrap_or(f64::NAN);
    let mean = |i: usize, j: usize| if i == j { at(i, i) } else { 0.5 * (at(i, j) + at(j, i)) };
    (0..rows.len()).map(|i| (0..rows.len()).map(|j| exact(mean(i, j))).collect()).collect()
}

fn sparse(dense: Vec<Q>) -> Row {
    dense.into_iter().enumerate().filter(|(_, x)| !x.is_zero()).collect()
}

/// Contacts that say how many rows they own, and others that share what is left.
fn contacts(
    list: &[Value],
    total: usize,
    default: Option<usize>,
    problem: &Value,
) -> Result<Vec<Contact>, String> {
    let own = |c: &Value| c.get("rows").and_then(Value::as_u64).map(|rows| rows as usize);
    let taken: usize = list.iter().filter_map(own).sum();
    let sharing = list.iter().filter(|c| own(c).is_none()).count().max(1);
    let share = default.unwrap_or(total.saturating_sub(taken) / sharing);
    let proximity = match problem.get("proximity") {
        Some(Value::String(_)) => f64::INFINITY,
        Some(x) => double(x)?,
        None => PROXIMITY,
    };
    let mut first = 0;
    let mut read = |c: &Value| {
        let rows = first..first + own(c).unwrap_or(share);
        first = rows.end;
        let mu = match c.get("mu") {
            None => Some(Q::zero()),
            Some(Value::String(_)) => None,
            Some(mu) => Some(exact(double(mu)?)?),
        };
        let bilateral = c.get("kind").and_then(Value::as_str) == Some("bilateral");
        let gap = c.get("gap").map_or(Ok(0.0), double)?;
        Ok(Contact { rows, mu, bilateral, takes_part: bilateral || gap <= proximity })
    };
    list.iter().map(&mut read).collect()
}

fn single(masses: Vec<Q>) -> Vec<(usize, Vec<Vec<Q>>)> {
    masses.into_iter().enumerate().map(|(i, m)| (i, vec![vec![m]])).collect()
}

fn chain(chain: &Value) -> Result<Masses, String> {
    let list = |key: &str| chain[key].as_array().map(Vec::len);
    let count = chain.get("count").and_then(Value::as_u64).map(|n| n as usize);
    let count = count.or(list("mass")).or(list("velocity")).ok_or("a chain of unknown length")?;
    let mass = match &chain["mass"] {
        Value::Number(_) => vec![exact(double(&chain["mass"])?)?; count],
        list => numbers(list)?,
    };
    let velocity = match &chain["velocity"] {
        Value::Object(ends) => {
            let at = |key: &str| ends.get(key).map_or(Ok(None), |v| double(v).map(Some));
            let mut all = vec![exact(at("others")?.unwrap_or(0.0))?; count];
            if let Some(v) = at("first")? {
                all[0] = exact(v)?;
            }
            if let Some(v) = at("last")? {
                all[count - 1] = exact(v)?;
            }
            all
        }
        list => numbers(list)?,
    };
    let rows = (1..count).map(|k| vec![(k - 1, -Q::one()), (k, Q::one())]).collect();
    let drive = vec![Q::zero(); count - 1];
    Ok(Masses { blocks: single(mass), velocity, rows, drive, joints: vec![], joint_drive: vec![] })
}

fn generalized(problem: &Value) -> Result<Masses, String> {
    let velocity = numbers(&problem["velocity"])?;
    let blocks = match array(&problem["mass"])?.first() {
        Some(Value::Array(_)) => vec![(0, symmetric(&problem["mass"])?)],
        _ => single(numbers(&problem["mass"])?),
    };
    let given = problem.get("drive").map(numbers).transpose()?;
    let rows: Vec<Row> = match &problem["jacobian"] {
        Value::Array(rows) => {
            rows.iter().map(|row| numbers(row).map(sparse)).collect::<Result<_, _>>()?
        }
        triplets => {
            let index = |key: &str| -> Result<Vec<usize>, String> {
                array(&triplets[key])?.iter().map(|x| Ok(double(x)? as usize)).collect()
            };
            let (row_of, column_of) = (index("rows")?, index("cols")?);
            // The last rows may be empty.
            let owned = problem["contacts"].as_array().into_iter().flatten();
            let owned = owned.filter_map(|c| c["rows"].as_u64()).sum::<u64>() as usize;
            let least = row_of.iter().map(|i| i + 1).max().unwrap_or(0).max(owned);
            let mut rows =
                vec![HashMap::<usize, f64>::new(); given.as_ref().map_or(least, Vec::len)];
            for ((i, j), x) in row_of.iter().zip(&column_of).zip(array(&triplets["values"])?) {
                // Entries at one place add up, as doubles.
                *rows[*i].entry(*j).or_insert(0.0) += double(x)?;
            }
            let read = |row: &HashMap<usize, f64>| -> Result<Row, String> {
                row.iter().map(|(j, x)| Ok((*j, exact(*x)?))).collect()
            };
            rows.iter().map(read).collect::<Result<_, _>>()?
        }
    };
    let joints: Vec<Row> = match problem.get("bilateral") {
        Some(list) => {
            array(list)?.iter().map(|row| numbers(row).map(sparse)).collect::<Result<_, _>>()?
        }
        None => vec![],
    };
    let joint_drive = vec![Q::zero(); joints.len()];
    let drive = given.unwrap_or_else(|| vec![Q::zero(); rows.len()]);
    Ok(Masses { blocks, velocity, rows, drive, joints, joint_drive })
}

type Vector = [Q; 3];

fn inner(a: &Vector, b: &Vector) -> Q {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}
fn cross(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        &a[j] * &b[k] - &a[k] * &b[j]
    })
}
fn sub(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| &a[i] - &b[i])
}
fn scale(a: &Vector, by: &Q) -> Vector {
    std::array::from_fn(|i| &a[i] * by)
}

/// The vector at unit length; the root has 128 bits.
fn unit(a: &Vector) -> Vector {
    let square = inner(a, a);
    if square.is_one() { a.clone() } else { scale(a, &(Q::one() / root(&square))) }
}

fn frame_of(normal: &Vector, tangent: Vector) -> Vec<Vector> {
    let second = cross(normal, &tangent);
    vec![tangent, second]
}

/// Where a body stands, and which of its motions are coordinates.
struct Place {
    position: Vector,
    velocity: Vector,
    spin: Vector,
    /// Directions of the coordinates and where they begin; empty if fixed.
    linear: Vec<(usize, Vector)>,
    angular: Vec<(usize, Vector)>,
}

struct Bodies {
    planar: bool,
    places: HashMap<String, Place>,
    blocks: Vec<(usize, Vec<Vec<Q>>)>,
    velocity: Vec<Q>,
}

impl Bodies {
    fn read(problem: &Value) -> Result<Self, String> {
        let list = array(&problem["bodies"])?;
        let dimension =
            list.iter().find_map(|b| b.get("position").and_then(Value::as_array).map(Vec::len));
        let planar = dimension == Some(2);
        let mut bodies = Self { planar, places: HashMap::new(), blocks: vec![], velocity: vec![] };
        for body in list {
            let place = bodies.place(body)?;
            bodies.places.insert(body["name"].as_str().unwrap_or_default().to_owned(), place);
        }
        Ok(bodies)
    }

    fn vector(&self, value: &Value) -> Result<Vector, String> {
        let mut list = if value.is_null() { vec![] } else { numbers(value)? };
        list.resize(3, Q::zero());
        list.try_into().map_err(|_| format!("{value} should be a vector"))
    }

    fn place(&mut self, body: &Value) -> Result<Place, String> {
        let spin = match &body["angular_velocity"] {
            Value::Array(list) if self.planar => {
                let spin = list.first().map_or(Ok(0.0), double)?;
                [Q::zero(), Q::zero(), exact(spin)?]
            }
            Value::Number(_) => [Q::zero(), Q::zero(), exact(double(&body["angular_velocity"])?)?],
            other => self.vector(other)?,
        };
        let mut place = Place {
            position: self.vector(&body["position"])?,
            velocity: self.vector(&body["velocity"])?,
            spin,
            linear: vec![],
            angular: vec![],
        };
        if body["fixed"].as_bool() == Some(true) {
            return Ok(place);
        }
        let axis = |i: usize| -> Vector {
            std::array::from_fn(|j| if i == j { Q::one() } else { Q::zero() })
        };
        let mass = exact(double(&body["mass"])?)?;
        for i in 0..if self.planar { 2 } else { 3 } {
            place.linear.push((self.velocity.len(), axis(i)));
            self.blocks.push((self.velocity.len(), vec![vec![mass.clone()]]));
            self.velocity.push(place.velocity[i].clone());
        }
        let turn = rotation(&body["orientation"])?;
        let along = |i: usize| -> Vector { std::array::from_fn(|j| turn[j][i].clone()) };
        let add = |bodies: &mut Self, place: &mut Place, direction: Vector| {
            place.angular.push((bodies.velocity.len(), direction.clone()));
            bodies.velocity.push(inner(&direction, &place.spin));
        };
        match &body["inertia"] {
            Value::Number(x) => {
                let moment = exact(x.as_f64().unwrap_or(0.0))?;
                if !moment.is_zero() {
                    self.blocks.push((self.velocity.len(), vec![vec![moment]]));
                    add(self, &mut place, axis(2));
                }
            }
            Value::Array(list) if list.first().is_some_and(Value::is_array) => {
                self.blocks.push((self.velocity.len(), symmetric(&body["inertia"])?));
                (0..3).for_each(|i| add(self, &mut place, along(i)));
            }
            Value::Array(list) => {
                for (i, moment) in list.iter().enumerate() {
                    let moment = exact(double(moment)?)?;
                    if !moment.is_zero() {
                        self.blocks.push((self.velocity.len(), vec![vec![moment]]));
                        add(self, &mut place, along(i));
                    }
                }
            }
            _ => {}
        }
        Ok(place)
    }

    /// In the plane the normal turned by 90°; in space the world axis least aligned, and the third direction.
    fn tangents(&self, normal: &Vector) -> Vec<Vector> {
        if self.planar {
            return vec![[-&normal[1], normal[0].clone(), Q::zero()]];
        }
        let sizes: Vec<f64> = normal.iter().map(|x| near(&x.abs())).collect();
        let axis = (1..3).fold(0, |best, i| if sizes[i] < sizes[best] { i } else { best });
        let mut tangent = scale(normal, &-&normal[axis]);
        tangent[axis] += Q::one();
        frame_of(normal, unit(&tangent))
    }

    /// The row of B's motion against A's along a direction: at a point, or about it where there is none.
    fn row(
        &self,
        pair: &Value,
        point: Option<&Vector>,
        direction: &Vector,
    ) -> Result<(Row, Q), String> {
        let (mut row, mut drive) = (Row::new(), Q::zero());
        for (key, sign) in [("a", -Q::one()), ("b", Q::one())] {
            let name = pair[key].as_str().unwrap_or_default();
            let place = self.places.get(name).ok_or_else(|| format!("no body {name}"))?;
            let (force, moment) = match point {
                Some(point) => (direction.clone(), cross(&sub(point, &place.position), direction)),
                None => (std::array::from_fn(|_| Q::zero()), direction.clone()),
            };
            if place.linear.is_empty() {
                drive += &sign * (inner(&force, &place.velocity) + inner(&moment, &place.spin));
            }
            let parts = place.linear.iter().map(|c| (c, &force));
            for ((at, along), part) in parts.chain(place.angular.iter().map(|c| (c, &moment))) {
                row.push((*at, &sign * inner(part, along)));
            }
        }
        row.retain(|(_, x)| !x.is_zero());
        Ok((row, drive))
    }

    fn joints(&self, problem: &Value) -> Result<(Vec<Row>, Vec<Q>), String> {
        let (mut rows, mut drives) = (Vec::new(), Vec::new());
        for joint in problem.get("joints").and_then(Value::as_array).into_iter().flatten() {
            let point = self.vector(&joint["point"])?;
            let world: Vec<Vector> = (0..if self.planar { 2 } else { 3 })
                .map(|i| std::array::from_fn(|j| if i == j { Q::one() } else { Q::zero() }))
                .collect();
            let upright = [Q::zero(), Q::zero(), Q::one()];
            let turns = if self.planar { vec![upright] } else { world.clone() };
            let across = match joint.get("axis") {
                Some(axis) => self.tangents(&unit(&self.vector(axis)?)),
                None => vec![],
            };
            let (lines, axes) = match joint["type"].as_str() {
                Some("ball") => (world, vec![]),
                Some("hinge") => (world, across),
                Some("slider") => (across, turns),
                _ => (world, turns),
            };
            for (direction, at) in
                lines.iter().map(|d| (d, Some(&point))).chain(axes.iter().map(|d| (d, None)))
            {
                let (row, drive) = self.row(joint, at, direction)?;
                rows.push(row);
                drives.push(drive);
            }
        }
        Ok((rows, drives))
    }
}

/// The rotation of a quaternion of any length: rational, without a root. In the plane nothing turns.
fn rotation(orientation: &Value) -> Result<[[Q; 3]; 3], String> {
    let q = match orientation {
        Value::Array(_) => numbers(orientation)?,
        _ => vec![Q::one(), Q::zero(), Q::zero(), Q::zero()],
    };
    let [w, x, y, z] = <[Q; 4]>::try_from(q).map_err(|_| "a quaternion has four numbers")?;
    let square = &w * &w + &x * &x + &y * &y + &z * &z;
    let two = Q::one() + Q::one();
    let twice = |a: Q| &two * a / &square;
    let one = Q::one;
    Ok([
        [one() - twice(&y * &y + &z * &z), twice(&x * &y - &w * &z), twice(&x * &z + &w * &y)],
        [twice(&x * &y + &w * &z), one() - twice(&x * &x + &z * &z), twice(&y * &z - &w * &x)],
        [twice(&x * &z - &w * &y), twice(&y * &z + &w * &x), one() - twice(&x * &x + &y * &y)],
    ])
}

impl Masses {
    /// `J v + drive` of some rows.
    pub fn measure(rows: &[Row], drive: &[Q], velocity: &[Q]) -> Vec<Q> {
        rows.iter().zip(drive).map(|(row, w)| w + dot(row, velocity)).collect()
    }
}
