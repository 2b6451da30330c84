//! Numbers that a motion has at each time, by their names.

use crate::PlotError;
use carom_sim::motion::{Dimension, Sample, Scene, Turn};

/// One number of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quantity {
    /// The time \[s\].
    Time,
    /// Of a body.
    Body(usize, BodyNumber),
    /// An energy \[J\].
    Energy(EnergyNumber),
}

/// A number of a body's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyNumber {
    /// A coordinate of the centre of mass \[m\].
    Position(usize),
    /// Of its velocity [m/s].
    Velocity(usize),
    /// The length of its velocity [m/s].
    Speed,
    /// In the plane, not wrapped \[rad\].
    Angle,
    /// Of the quaternion \[1\].
    Orientation(usize),
    /// In the world's frame [rad/s].
    AngularVelocity(usize),
}

/// An energy of all bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnergyNumber {
    /// Of motion.
    Kinetic,
    /// Of gravity.
    Potential,
    /// Of springs.
    Elastic,
    /// All three.
    Total,
}

const PLANE: [(&str, BodyNumber); 7] = [
    ("x", BodyNumber::Position(0)),
    ("y", BodyNumber::Position(1)),
    ("angle", BodyNumber::Angle),
    ("vx", BodyNumber::Velocity(0)),
    ("vy", BodyNumber::Velocity(1)),
    ("omega", BodyNumber::AngularVelocity(2)),
    ("speed", BodyNumber::Speed),
];
const SPACE: [(&str, BodyNumber); 14] = [
    ("x", BodyNumber::Position(0)),
    ("y", BodyNumber::Position(1)),
    ("z", BodyNumber::Position(2)),
    ("qw", BodyNumber::Orientation(0)),
    ("qx", BodyNumber::Orientation(1)),
    ("qy", BodyNumber::Orientation(2)),
    ("qz", BodyNumber::Orientation(3)),
    ("vx", BodyNumber::Velocity(0)),
    ("vy", BodyNumber::Velocity(1)),
    ("vz", BodyNumber::Velocity(2)),
    ("wx", BodyNumber::AngularVelocity(0)),
    ("wy", BodyNumber::AngularVelocity(1)),
    ("wz", BodyNumber::AngularVelocity(2)),
    ("speed", BodyNumber::Speed),
];
const ENERGIES: [(&str, EnergyNumber); 4] = [
    ("kinetic", EnergyNumber::Kinetic),
    ("potential", EnergyNumber::Potential),
    ("elastic", EnergyNumber::Elastic),
    ("total", EnergyNumber::Total),
];

fn of_bodies(dimension: Dimension) -> &'static [(&'static str, BodyNumber)] {
    match dimension {
        Dimension::Plane => &PLANE,
        Dimension::Space => &SPACE,
    }
}

impl Quantity {
    /// Reads `t`, `BODY.x`, `energy.total` and the like. A body that is called as an energy wins.
    pub fn parse(text: &str, scene: &Scene) -> Result<Self, PlotError> {
        if text == "t" {
            return Ok(Self::Time);
        }
        let numbers = of_bodies(scene.dimension);
        let refuse = |reason: String| PlotError::new("motion", reason);
        let Some((owner, name)) = text.rsplit_once('.') else {
            return Err(refuse(format!(
                "`{text}` is no quantity: write t, BODY.{} or energy.total",
                numbers[0].0
            )));
        };
        let names = |list: &[&str]| list.join(", ");
        if let Some(body) = scene.bodies.iter().position(|body| body.name == owner) {
            return match numbers.iter().find(|(known, _)| *known == name) {
                Some((_, number)) => Ok(Self::Body(body, *number)),
                None => {
                    let known: Vec<&str> = numbers.iter().map(|(name, _)| *name).collect();
                    Err(refuse(format!("a body has no `{name}`; it has {}", names(&known))))
                }
            };
        }
        if owner == "energy" {
            return match ENERGIES.iter().find(|(known, _)| *known == name) {
                Some((_, energy)) => Ok(Self::Energy(*energy)),
                None => {
                    let known: Vec<&str> = ENERGIES.iter().map(|(name, _)| *name).collect();
                    Err(refuse(format!("there is no energy `{name}`; there are {}", names(&known))))
                }
            };
        }
        let known: Vec<&str> = scene.bodies.iter().map(|body| body.name.as_str()).collect();
        Err(refuse(format!("there is no body `{owner}`; there are {}", names(&known))))
    }

    /// Its value at a sample, in its unit.
    pub fn of(self, sample: &Sample) -> f64 {
        match self {
            Self::Time => sample.time,
            Self::Energy(energy) => match energy {
                EnergyNumber::Kinetic => sample.kinetic,
                EnergyNumber::Potential => sample.potential,
                EnergyNumber::Elastic => sample.elastic,
                EnergyNumber::Total => sample.kinetic + sample.potential + sample.elastic,
            },
            Self::Body(body, number) => {
                let state = &sample.bodies[body];
                match (number, &state.orientation) {
                    (BodyNumber::Position(i), _) => state.position[i],
                    (BodyNumber::Velocity(i), _) => state.velocity[i],
                    (BodyNumber::Speed, _) => f64::sqrt(state.velocity.iter().map(|v| v * v).sum()),
                    (BodyNumber::AngularVelocity(i), _) => state.angular_velocity[i],
                    (BodyNumber::Angle, Turn::Angle(angle)) => *angle,
                    (BodyNumber::Orientation(i), Turn::Quaternion(q)) => q[i],
                    // Scenes in the plane have angles, others quaternions.
                    (BodyNumber::Angle | BodyNumber::Orientation(_), _) => f64::NAN,
                }
            }
        }
    }

    /// Its name on an axis, with its unit.
    pub fn title(self, scene: &Scene) -> String {
        match self {
            Self::Time => "t [s]".to_owned(),
            Self::Energy(energy) => {
                let name = ENERGIES.iter().find(|(_, known)| *known == energy);
                format!("{} energy [J]", name.map_or("", |(name, _)| name))
            }
            Self::Body(body, number) => {
                let known = of_bodies(scene.dimension).iter().find(|(_, known)| *known == number);
                let unit = match number {
                    BodyNumber::Position(_) => "m",
                    BodyNumber::Velocity(_) | BodyNumber::Speed => "m/s",
                    BodyNumber::Angle => "rad",
                    BodyNumber::Orientation(_) => "1",
                    BodyNumber::AngularVelocity(_) => "rad/s",
                };
                format!(
                    "{} {} [{unit}]",
                    scene.bodies[body].name,
                    known.map_or("", |(name, _)| name)
                )
            }
        }
    }
}
