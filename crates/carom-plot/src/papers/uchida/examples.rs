//! The paper's examples: bricks with spheres on their vertices, under PLUS and with compliant contacts.

use carom::catalog::{SettingValue, Settings};
use carom::outcome::{ContactMode, Recorder, StepLimit, StepRecord};
use carom::system::{Bodies, Body, BodyContact, Inertia, Motion, Orientation};
use carom::{
    ContactProblem, ContactSpec, ImpactError, Law, Material, Restitution, Tolerances, Unobserved,
};
use carom_sim::compliant::{
    Compliance, CompliantOutcome, Moment, RunSettings, Spring, Transition, run_bodies,
};

/// Radius of the spheres on the brick \[m\].
const SPHERE: f64 = 0.1;
/// Speed below which compliant friction is smoothed [m/s].
pub(super) const SMOOTHED: f64 = 0.01;
/// Slip below this speed counts as none [m/s].
pub(super) const TRANSITION: f64 = 0.1;
/// Frictions of Example 1 with the restitution that fits the damper \[1\].
pub(super) const FRICTIONS: [(f64, f64); 3] = [(0.125, 0.392), (0.225, 0.387), (0.325, 0.373)];

/// Restitution as Table A1 has it.
pub(super) fn curve(minimum: f64) -> Restitution {
    Restitution::Curve { minimum, capture_speed: 0.01, plastic_speed: 0.1 }
}

/// A brick of 2 kg that does not turn, and the ground.
fn on_ground(
    moments: [f64; 3],
    velocity: [f64; 3],
    position: [f64; 3],
    turn: [f64; 4],
    points: &[[f64; 3]],
    (mu, minimum): (f64, f64),
) -> Result<Bodies, ImpactError> {
    let ground = Body {
        name: "ground".into(),
        motion: Motion::Fixed,
        position: vec![0.0; 3],
        orientation: Orientation::Identity,
        velocity: vec![],
        angular_velocity: vec![],
    };
    let brick = Body {
        name: "brick".into(),
        motion: Motion::Free { mass: 2.0, inertia: Inertia::Principal(moments) },
        position: position.to_vec(),
        orientation: Orientation::Quaternion(turn),
        velocity: velocity.to_vec(),
        angular_velocity: vec![0.0; 3],
    };
    let material =
        Material { restitution: curve(minimum), ..Material::new(mu, 0.0)? }.validated()?;
    let contact = |point: &[f64; 3]| BodyContact {
        a: 0,
        b: 1,
        point: point.to_vec(),
        normal: vec![0.0, 0.0, 1.0],
        tangent: Some(vec![1.0, 0.0, 0.0]),
        spec: ContactSpec::new(3, material),
    };
    Bodies::new(vec![ground, brick], vec![], points.iter().map(contact).collect())
}

/// Example 1: the brick turned by 45° about x and 30° about its own y, on the sphere at its lowest vertex, with this
/// velocity [m/s].
pub(super) fn corner(velocity: [f64; 3], friction: (f64, f64)) -> Result<Bodies, ImpactError> {
    let (a, b) = (std::f64::consts::FRAC_PI_4, std::f64::consts::PI / 6.0);
    let half = |angle: f64| (libm::cos(0.5 * angle), libm::sin(0.5 * angle));
    let ((ca, sa), (cb, sb)) = (half(a), half(b));
    let turn = [ca * cb, sa * cb, ca * sb, sa * sb];
    // The vertex, turned about y, then about x.
    let [x, y, z] = [0.2, -0.3, -0.4];
    let [x, z] = [x * libm::cos(b) + z * libm::sin(b), z * libm::cos(b) - x * libm::sin(b)];
    let [y, z] = [y * libm::cos(a) - z * libm::sin(a), y * libm::sin(a) + z * libm::cos(a)];
    let position = [-x, -y, SPHERE - z];
    on_ground([0.167, 0.133, 0.0867], velocity, position, turn, &[[0.0; 3]], friction)
}

/// Example 1 as the paper has it.
pub(super) fn example_1(friction: (f64, f64)) -> Result<Bodies, ImpactError> {
    corner([-5.0, 0.0, -5.74], friction)
}

/// Example 2: the brick lands flat; contacts 0 and 2 trail, 1 and 3 lead.
pub(super) fn example_2() -> Result<Bodies, ImpactError> {
    let corners = [[-0.4, -0.3, 0.0], [0.4, -0.3, 0.0], [-0.4, 0.3, 0.0], [0.4, 0.3, 0.0]];
    let upright = [1.0, 0.0, 0.0, 0.0];
    let (moments, velocity) = ([0.0867, 0.133, 0.167], [-2.0, 0.0, -8.84]);
    on_ground(moments, velocity, [0.0, 0.0, 0.3], upright, &corners, (0.2, 0.414))
}

/// A contact at the end of an interval.
#[derive(Clone, Copy, Debug)]
pub(super) struct Station {
    /// Counted from 0; even ones compress in the examples with bricks.
    pub(super) round: usize,
    pub(super) mode: ContactMode,
    pub(super) limit: StepLimit,
    /// Which part of what was left of the round the interval covered \[1\].
    pub(super) step: f64,
    /// Velocity before the interval, normal first [m/s].
    pub(super) from: [f64; 3],
    /// Velocity after it [m/s].
    pub(super) velocity: [f64; 3],
    /// Impulse of the interval [N·s].
    pub(super) pushed: [f64; 3],
    /// Impulse so far [N·s].
    pub(super) impulse: [f64; 3],
}

/// What a contact goes through under PLUS as published, with this largest change of direction \[rad\].
pub(super) fn plus(
    problem: &ContactProblem,
    theta: f64,
    contact: usize,
) -> Result<Vec<Station>, ImpactError> {
    let settings = Settings::from([
        ("max_direction_change".to_owned(), SettingValue::Number(theta)),
        ("transition_speed".to_owned(), SettingValue::Number(TRANSITION)),
        ("energy_guard".to_owned(), SettingValue::Switch(false)),
    ]);
    let law = Law::with_settings("plus", &settings)?;
    let mut recorder = Recorder::new(100_000);
    law.resolve(problem, &Tolerances::default(), &mut recorder)?;
    let first = problem.row_range(contact).start;
    let mut from = [0, 1, 2].map(|i| problem.velocity()[first + i]);
    let (mut impulse, mut rounds, mut stations) = ([0.0; 3], 0_usize, Vec::new());
    for step in recorder.steps {
        match step {
            StepRecord::Phases { .. } => rounds += 1,
            StepRecord::Interval { contacts, modes, step, limit, impulse: p, velocity } => {
                let Some(i) = contacts.iter().position(|&k| k == contact) else { continue };
                let pushed = [0, 1, 2].map(|j| p[3 * i + j]);
                let velocity = [0, 1, 2].map(|j| velocity[3 * i + j]);
                impulse = [0, 1, 2].map(|j| impulse[j] + pushed[j]);
                let (round, mode) = (rounds.saturating_sub(1), modes[i]);
                stations.push(Station {
                    round,
                    mode,
                    limit,
                    step,
                    from,
                    velocity,
                    pushed,
                    impulse,
                });
                from = velocity;
            }
            _ => {}
        }
    }
    Ok(stations)
}

/// The compliant collision, step by step.
pub(super) fn compliant(
    bodies: &Bodies,
    modulus: f64,
    dissipation: f64,
) -> Result<CompliantOutcome, ImpactError> {
    let compliance = Compliance {
        spring: Spring::Hertz { modulus },
        radius: SPHERE,
        dissipation,
        transition: Transition::Speed(SMOOTHED),
        ..Compliance::default()
    };
    let settings = RunSettings { history: true, tolerance: 1e-14, ..RunSettings::default() };
    Ok(run_bodies(bodies, &compliance, &settings, &mut Unobserved)?.outcome)
}

/// Where a quantity of a contact that starts below zero passes it, as a point between two moments.
pub(super) fn passes(
    history: &[Moment],
    contact: usize,
    quantity: impl Fn([f64; 3]) -> f64,
) -> Option<[f64; 3]> {
    history.windows(2).find_map(|pair| {
        let [a, b] = [&pair[0].contacts[contact], &pair[1].contacts[contact]];
        let [before, after] = [quantity(a.velocity), quantity(b.velocity)];
        let s = before / (before - after);
        (before < 0.0 && after >= 0.0)
            .then(|| [0, 1, 2].map(|i| a.impulse[i] + s * (b.impulse[i] - a.impulse[i])))
    })
}

/// The speed of slip [m/s].
pub(super) fn slip(velocity: [f64; 3]) -> f64 {
    libm::hypot(velocity[1], velocity[2])
}
