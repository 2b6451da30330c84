//! A scene made ready: assemblies, fixed bodies, and which shapes may touch.

use super::applied::Applied;
use super::assembly::{Assembly, prescribed};
use super::geometry::{KnownShape, ShapePair, bounding_radius};
use super::report::BodyState;
use super::scene::{BodyKind, Dimension, Mode, Prescribed, Scene, Shape, Turn};
use super::vector::{Pose, Twist, V3, normalised, planar_rotation, rotation};
use carom::{ImpactError, Law, Material};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Where a body of the scene is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Fixed,
    Moving { assembly: usize, body: usize },
}

/// A fixed body's motion.
#[derive(Clone, Copy, Debug)]
struct Ground {
    pose: Pose,
    turn: Turn,
    motion: Prescribed,
}

/// Two bodies that may touch.
#[derive(Clone, Debug)]
pub(crate) struct PairModel {
    pub(crate) a: usize,
    pub(crate) b: usize,
    pub(crate) material: Material,
    pub(crate) shapes: Vec<ShapePair>,
}

/// Features of pairs of bodies that have been asked for; none where they do not collide.
type KnownPairs = BTreeMap<(usize, usize), Option<Rc<PairModel>>>;

/// What does not change while a scene is followed.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) planar: bool,
    pub(crate) gravity: f64,
    pub(crate) law: Option<Law>,
    /// Forces of the caller's own.
    pub(crate) applied: Option<Applied>,
    pub(crate) assemblies: Vec<Assembly>,
    pub(crate) place: Vec<Place>,
    /// The largest distance of a body's shapes from its centre; zero without shapes \[m\].
    pub(crate) radius: Vec<f64>,
    pub(crate) surface_velocity: Vec<V3>,
    /// The largest extent of each assembly's bodies \[m\].
    pub(crate) length: Vec<f64>,
    ground: Vec<Option<Ground>>,
    shapes: Vec<Vec<Shape>>,
    rules: Vec<super::scene::Pair>,
    joined: Vec<(usize, usize)>,
    pairs: RefCell<KnownPairs>,
}

/// The vector of three numbers.
pub(crate) fn vector(x: [f64; 3]) -> V3 {
    V3::new(x[0], x[1], x[2])
}

impl Model {
    pub(crate) fn new(scene: &Scene, law: Option<Law>) -> Result<Self, ImpactError> {
        Self::with(scene, law, Assembly::all)
    }

    /// With assemblies of the caller's making.
    pub(crate) fn with(
        scene: &Scene,
        law: Option<Law>,
        assemblies: impl FnOnce(&Scene) -> Result<Vec<Assembly>, ImpactError>,
    ) -> Result<Self, ImpactError> {
        check(scene)?;
        let assemblies = assemblies(scene)?;
        let mut place = vec![Place::Fixed; scene.bodies.len()];
        for (assembly, bodies) in assemblies.iter().enumerate() {
            for (body, &scene_body) in bodies.bodies().iter().enumerate() {
                place[scene_body] = Place::Moving { assembly, body };
            }
        }
        let radius: Vec<f64> = (scene.bodies.iter())
            .map(|body| body.shapes.iter().map(bounding_radius).fold(0.0, f64::max))
            .collect();
        let ground = (scene.bodies.iter())
            .map(|body| match body.kind {
                BodyKind::Moving { .. } => None,
                BodyKind::Fixed { motion } => {
                    let (turn, rotation) = match body.orientation {
                        Turn::Angle(angle) => (body.orientation, planar_rotation(angle)),
                        Turn::Quaternion(q) => {
                            let q = normalised(q);
                            (Turn::Quaternion(q), rotation(q))
                        }
                    };
                    let pose = Pose { centre: vector(body.position), rotation };
                    Some(Ground { pose, turn, motion })
                }
            })
            .collect();
        let length = assemblies.iter().map(|bodies| extent(scene, bodies, &radius)).collect();
        let model = Self {
            planar: scene.dimension == Dimension::Plane,
            gravity: f64::sqrt(vector(scene.gravity).norm_squared()),
            law: law.or(scene.law),
            applied: None,
            assemblies,
            place,
            radius,
            surface_velocity: scene.bodies.iter().map(|b| vector(b.surface_velocity)).collect(),
            length,
            ground,
            shapes: scene.bodies.iter().map(|body| body.shapes.clone()).collect(),
            rules: scene.pairs.clone(),
            joined: scene.joints.iter().map(|j| (j.a.min(j.b), j.a.max(j.b))).collect(),
            pairs: RefCell::default(),
        };
        model.check_shapes(scene)?;
        Ok(model)
    }

    /// Pose, velocity and acceleration of a fixed body.
    pub(crate) fn ground(&self, body: usize, t: f64) -> (Pose, Twist, V3) {
        let Some(Ground { mut pose, motion, .. }) = self.ground[body] else {
            return (
                Pose { centre: V3::zeros(), rotation: planar_rotation(0.0) },
                Twist::REST,
                V3::zeros(),
            );
        };
        let [offset, velocity, acceleration] = prescribed(&motion, t);
        pose.centre += offset;
        (pose, Twist { velocity, ..Twist::REST }, acceleration)
    }

    /// What is told of a fixed body at a time. Of one that moves: nothing yet.
    pub(crate) fn fixed_state(&self, body: usize, t: f64) -> BodyState {
        let (pose, twist, _) = self.ground(body, t);
        let turn = self.ground[body].map_or(Turn::Angle(0.0), |ground| ground.turn);
        BodyState {
            position: pose.centre.into(),
            orientation: turn,
            velocity: twist.velocity.into(),
            angular_velocity: [0.0; 3],
        }
    }

    /// Whether a body has any velocity that forces can change.
    pub(crate) fn gives_way(&self, body: usize) -> bool {
        match self.place[body] {
            Place::Fixed => false,
            Place::Moving { assembly, .. } => self.assemblies[assembly].velocities() > 0,
        }
    }

    /// Whether a fixed body or its surface moves.
    pub(crate) fn drives(&self, body: usize) -> bool {
        let moves = match &self.ground[body] {
            None => false,
            Some(ground) => match ground.motion {
                Prescribed::None => false,
                Prescribed::Uniform { velocity } => velocity != [0.0; 3],
                Prescribed::Sine { amplitude, .. } => amplitude != [0.0; 3],
            },
        };
        moves || self.surface_velocity[body] != V3::zeros()
    }

    /// The surfaces of two bodies, if they collide: the last rule that fits.
    pub(crate) fn material(&self, a: usize, b: usize) -> Option<Material> {
        if a == b || (self.place[a] == Place::Fixed && self.place[b] == Place::Fixed) {
            return None;
        }
        let joined = self.joined.contains(&(a.min(b), a.max(b)));
        let fits = |x: Option<usize>, body: usize| x.is_none_or(|x| x == body);
        let rule = self.rules.iter().rev().find(|rule| {
            let either =
                (fits(rule.a, a) && fits(rule.b, b)) || (fits(rule.a, b) && fits(rule.b, a));
            // Neighbours at a joint overlap there: only a rule that names both makes them collide.
            either && (!joined || (rule.a.is_some() && rule.b.is_some()))
        });
        rule.map(|rule| rule.material)
    }

    /// The features of two bodies, if they collide and both have shapes.
    pub(crate) fn pair(&self, one: usize, other: usize) -> Option<Rc<PairModel>> {
        let (a, b) = (one.min(other), one.max(other));
        if let Some(known) = self.pairs.borrow().get(&(a, b)) {
            return known.clone();
        }
        let pair = self.material(a, b).and_then(|material| {
            let shapes: Vec<ShapePair> = (self.shapes[a].iter())
                .flat_map(|x| self.shapes[b].iter().map(move |y| (x, y)))
                // What is not supported was refused before the run.
                .filter_map(|(x, y)| ShapePair::new(x, y, self.planar).ok())
                .filter(|shapes| !shapes.features.is_empty())
                .collect();
            (!shapes.is_empty()).then(|| Rc::new(PairModel { a, b, material, shapes }))
        });
        self.pairs.borrow_mut().insert((a, b), pair.clone());
        pair
    }

    /// Refuses pairs of shapes that carom cannot follow, each pair of kinds once.
    fn check_shapes(&self, scene: &Scene) -> Result<(), ImpactError> {
        let mut known: Vec<[std::mem::Discriminant<Shape>; 2]> = Vec::new();
        // Each shape is read once: the hull of a convex takes time.
        let read: Vec<Vec<Result<KnownShape, String>>> = (scene.bodies.iter())
            .map(|body| {
                body.shapes.iter().map(|shape| KnownShape::new(shape, self.planar)).collect()
            })
            .collect();
        for (a, one) in scene.bodies.iter().enumerate() {
            for (b, other) in scene.bodies.iter().enumerate().skip(a + 1) {
                for (x, first) in one.shapes.iter().zip(&read[a]) {
                    for (y, second) in other.shapes.iter().zip(&read[b]) {
                        let kinds = [std::mem::discriminant(x), std::mem::discriminant(y)];
                        // Rules are asked last: there are many bodies and few kinds of shapes.
                        if known.contains(&kinds) || self.material(a, b).is_none() {
                            continue;
                        }
                        let fits = match (first, second) {
                            (Ok(first), Ok(second)) => first.fits(second),
                            (Err(reason), _) | (_, Err(reason)) => Err(reason.clone()),
                        };
                        fits.map_err(|reason| {
                            let pair = format!("{} and {}", one.name, other.name);
                            ImpactError::bad_problem(
                                "pairs",
                                pair,
                                format!("unsupported-pair: {reason}"),
                            )
                        })?;
                        if !matches!(x, Shape::Convex { .. }) && !matches!(y, Shape::Convex { .. })
                        {
                            known.push(kinds);
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// The largest extent of an assembly's bodies, by shapes, joints and inertia \[m\].
fn extent(scene: &Scene, assembly: &Assembly, radius: &[f64]) -> f64 {
    let mut most: f64 = 0.0;
    for &body in assembly.bodies() {
        let centre = vector(scene.bodies[body].position);
        most = most.max(2.0 * radius[body]);
        for joint in scene.joints.iter().filter(|joint| joint.a == body || joint.b == body) {
            most = most.max(2.0 * (vector(joint.point) - centre).norm());
        }
        if let BodyKind::Moving { mass, inertia } = scene.bodies[body].kind {
            let trace = inertia[0][0] + inertia[1][1] + inertia[2][2];
            most = most.max(f64::sqrt(trace / mass));
        }
    }
    if most > 0.0 && most.is_finite() { most } else { 1.0 }
}

/// More bodies that move are refused: from event to event each is looked at beside all others, in steps of one length a
/// large heap is one dense problem.
const MOST_FOLLOWED: usize = 2_000;
const MOST_STEPPED: usize = 10_000;
/// Numbers of a scene larger than this, and masses and inertias below its reciprocal, leave no room for products of them.
const LARGEST: f64 = 1e60;

/// Refuses numbers that no scene can have. What mechanics refuses is refused where it is computed.
fn check(scene: &Scene) -> Result<(), ImpactError> {
    let too_large = |x: &f64| x.is_nan() || x.abs() > LARGEST;
    let finite = |field: String, values: &[f64]| match values.iter().copied().find(too_large) {
        Some(x) if x.is_finite() => {
            let reason = format!("must be between -{LARGEST:e} and {LARGEST:e}");
            Err(ImpactError::bad_problem(field, format!("{x:e}"), reason))
        }
        Some(x) => Err(ImpactError::bad_problem(field, x, "must be a finite number")),
        None => Ok(()),
    };
    let moves = |body: &&super::scene::SceneBody| matches!(body.kind, BodyKind::Moving { .. });
    let moving = scene.bodies.iter().filter(moves).count();
    let (most, instead) = match scene.mode {
        Mode::Events => (MOST_FOLLOWED, "are followed from event to event: try `mode` = stepping"),
        Mode::Stepping { .. } => (MOST_STEPPED, "are stepped in time"),
    };
    if moving > most {
        let reason = format!("{moving} of them move, and at most {most} {instead}");
        return Err(ImpactError::bad_problem(
            "bodies",
            format!("{} bodies", scene.bodies.len()),
            reason,
        ));
    }
    finite("gravity".into(), &scene.gravity)?;
    if !(scene.duration.is_finite() && scene.duration >= 0.0) {
        let reason = "must be a number of seconds, zero or more";
        return Err(ImpactError::bad_problem("duration", scene.duration, reason));
    }
    for (name, value) in
        [("accuracy.state", scene.accuracy.state), ("accuracy.time", scene.accuracy.time)]
    {
        if !(value.is_finite() && (1e-14..=1e-2).contains(&value)) {
            return Err(ImpactError::bad_problem(name, value, "must lie between 1e-14 and 1e-2"));
        }
    }
    for (i, body) in scene.bodies.iter().enumerate() {
        let field = |name: &str| format!("bodies[{i}].{name}");
        finite(field("position"), &body.position)?;
        finite(field("velocity"), &body.velocity)?;
        finite(field("angular_velocity"), &body.angular_velocity)?;
        finite(field("surface_velocity"), &body.surface_velocity)?;
        match body.orientation {
            Turn::Angle(angle) => finite(field("orientation"), &[angle])?,
            Turn::Quaternion(q) => {
                finite(field("orientation"), &q)?;
                if q.iter().all(|x| *x == 0.0) {
                    return Err(ImpactError::bad_problem(
                        field("orientation"),
                        "[0, 0, 0, 0]",
                        "a quaternion has a length",
                    ));
                }
            }
        }
        if let BodyKind::Fixed { motion } = body.kind {
            match motion {
                Prescribed::None => {}
                Prescribed::Uniform { velocity } => finite(field("motion.velocity"), &velocity)?,
                Prescribed::Sine { amplitude, frequency, phase } => {
                    finite(field("motion.sine.amplitude"), &amplitude)?;
                    finite(field("motion.sine.frequency"), &[frequency])?;
                    finite(field("motion.sine.phase"), &[phase])?;
                }
            }
        }
        if let BodyKind::Moving { mass, inertia } = body.kind {
            // What is not positive is refused where mechanics is.
            let out = |x: f64| x.is_finite() && x > 0.0 && !(1.0 / LARGEST..=LARGEST).contains(&x);
            let [x, y, z] = [inertia[0][0], inertia[1][1], inertia[2][2]];
            let values = [("mass", mass), ("inertia", x), ("inertia", y), ("inertia", z)];
            if let Some((name, value)) = values.into_iter().find(|(_, x)| out(*x)) {
                let reason = format!("must be between {:e} and {LARGEST:e}", 1.0 / LARGEST);
                return Err(ImpactError::bad_problem(field(name), format!("{value:e}"), reason));
            }
            for (k, shape) in body.shapes.iter().enumerate() {
                if matches!(shape, Shape::HalfSpace { .. }) {
                    return Err(ImpactError::bad_problem(
                        field(&format!("shapes[{k}].type")),
                        "half-space",
                        "only fixed bodies are half-spaces or half-planes",
                    ));
                }
            }
        }
    }
    for (i, pair) in scene.pairs.iter().enumerate() {
        pair.material.validated().map_err(|error| error.within(&format!("pairs[{i}]")))?;
    }
    Ok(())
}
