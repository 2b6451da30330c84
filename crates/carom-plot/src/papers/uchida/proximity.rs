//! Fig. 6: which contacts take part in an impact.

use crate::papers::Drawn;
use crate::{Figure, Panel, PlotError, Stroke, Tone};
use carom::system::{Generalized, MassMatrix};
use carom::{ContactSpec, ImpactError, Law, Material, Tolerances, Unobserved};

/// Width and height of the block \[m\], its mass \[kg\], its moment [kg·m²].
const WIDE: f64 = 0.8;
const HIGH: f64 = 0.4;
const MASS: f64 = 2.0;
const INERTIA: f64 = MASS * (WIDE * WIDE + HIGH * HIGH) / 12.0;
/// The block falls [m/s].
const SPEED: f64 = 1.0;
/// Points closer than this to the ground take part \[m\].
const TOLERANCE: f64 = 1e-3;
/// Angles shown \[rad\], and points of a curve \[1\].
const WIDEST: f64 = 2.5e-3;
const POINTS: i32 = 100;

/// Arms of the two lower corners about the middle, the block turned by an angle \[m\].
fn corners(tilt: f64) -> [[f64; 2]; 2] {
    let (sin, cos) = (libm::sin(tilt), libm::cos(tilt));
    [-0.5, 0.5].map(|side| {
        let [x, y] = [side * WIDE, -0.5 * HIGH];
        [x * cos - y * sin, x * sin + y * cos]
    })
}

/// Velocity upwards [m/s] and spin [rad/s] after the impact; points within the tolerance take part.
fn after(tilt: f64, tolerance: f64) -> Result<[f64; 2], ImpactError> {
    let arms = corners(tilt);
    let lowest = arms[0][1].min(arms[1][1]);
    let spec = |arm: [f64; 2]| -> Result<ContactSpec, ImpactError> {
        Ok(ContactSpec { gap: arm[1] - lowest, ..ContactSpec::new(1, Material::new(0.0, 1.0)?) })
    };
    let contacts = vec![spec(arms[0])?, spec(arms[1])?];
    let jacobian = arms.iter().flat_map(|arm| [1.0, arm[0]]).collect();
    let mass = MassMatrix::Diagonal(vec![MASS, INERTIA]);
    let system = Generalized::new(mass, vec![-SPEED, 0.0], jacobian, contacts)?;
    let system = system.with_proximity(tolerance)?;
    let law = Law::from_id("plus")?;
    let outcome = law.resolve(system.problem(), &Tolerances::default(), &mut Unobserved)?;
    let velocity = system.after(&outcome.impulse)?.velocity;
    Ok([velocity[0], velocity[1]])
}

pub(super) fn fig_6() -> Result<Drawn, PlotError> {
    let mut scene = Panel::new("", "")
        .titled("the block, its tilt φ enlarged")
        .equal()
        .unframed()
        .sized(330.0, 280.0);
    let tilt = 0.12;
    let lowest = corners(tilt)[0][1].min(corners(tilt)[1][1]);
    let (sin, cos) = (libm::sin(tilt), libm::cos(tilt));
    let outline = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]].map(|[a, b]| {
        let [x, y] = [a * WIDE, b * HIGH];
        [x * cos - y * sin, x * sin + y * cos - lowest]
    });
    scene.area("", Tone::Blue, 0.25, outline.to_vec());
    scene.guide("ground", Tone::Ink, Stroke::Bold, vec![[-0.6, 0.0], [0.6, 0.0]]);
    scene.line(
        "proximity tolerance ε",
        Tone::Amber,
        Stroke::Dashed,
        vec![[-0.6, 0.13], [0.6, 0.13]],
    );
    for (name, corner) in ["A", "B"].into_iter().zip(outline) {
        scene.label(name, Tone::Ink, corner);
    }
    scene.arrow("fall", Tone::Red, vec![[0.0, 0.36], [0.0, 0.16]]);
    scene.label("1 m/s", Tone::Red, [0.0, 0.24]);
    let mut panel = Panel::new("φ [rad]", "spin after [rad/s]")
        .titled("what becomes of it")
        .sized(400.0, 280.0);
    panel = panel.within([-WIDEST, WIDEST], [-6.0, 6.0]);
    let threshold = libm::asin(TOLERANCE / WIDE);
    for (name, tolerance, tone, stroke) in [
        ("ε = 1 mm", TOLERANCE, Tone::Blue, Stroke::Solid),
        ("no tolerance", 0.0, Tone::Red, Stroke::Dotted),
    ] {
        let mut line: Vec<[f64; 2]> = Vec::new();
        for k in -POINTS..=POINTS {
            let tilt = WIDEST * f64::from(k) / f64::from(POINTS);
            let spin = after(tilt, tolerance)?[1];
            if line.last().is_some_and(|last| (last[1] - spin).abs() > 1.0) {
                line.push([f64::NAN; 2]);
            }
            line.push([tilt, spin]);
        }
        panel.line(name, tone, stroke, line);
    }
    for side in [-threshold, threshold] {
        panel.guide("", Tone::Muted, Stroke::Dotted, vec![[side, -6.0], [side, 6.0]]);
    }
    let mut figure = Figure::new(
        "Points that nearly touch take part",
        "A block of 2 kg, 0.8 m × 0.4 m, falls at 1 m/s on its lower side, tilted by φ; no friction, e = 1, plus. With the tolerance \
         both corners push and it rebounds straight while 0.8 m · sin |φ| < 1 mm; without, the slightest tilt sends it spinning.",
    )
    .with(scene)
    .with(panel);
    figure.fact("tilt at which the other corner takes no part", threshold, "rad");
    for (name, tilt) in [("flat", 0.0), ("tilted by 1 mrad", 1e-3), ("tilted by 2 mrad", 2e-3)] {
        let [up, spin] = after(tilt, TOLERANCE)?;
        figure.fact(&format!("velocity after, {name}"), up, "m/s");
        figure.fact(&format!("spin after, {name}"), spin, "rad/s");
    }
    Ok(Drawn::Figure(figure))
}
