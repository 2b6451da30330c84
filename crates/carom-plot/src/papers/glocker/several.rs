//! Figs. 8, 10 and 11: two contacts. What mechanics allows is a set; a law picks a point of it.

use super::plane::{Plane, along, circle, cut_cone, dot, length, square, tangent_cone};
use crate::papers::Drawn;
use crate::papers::chains::collide;
use crate::{Figure, Panel, PlotError, Shape, Stroke, Tone};
use carom::catalog::{SettingValue, Settings};
use carom::system::{Generalized, MassMatrix};
use carom::{ContactSpec, ImpactError, Law, Material, Tolerances, Unobserved};

/// Three equal balls, the first arriving [kg, m/s].
const BALLS: [f64; 3] = [1.0; 3];
const BEFORE: [f64; 3] = [1.0, 0.0, 0.0];

/// A rod of 1 kg on two supports, turning about the first and striking the second: (v, ω) and what impulses do.
pub(super) struct RockingRod {
    pub(super) plane: Plane,
    pub(super) before: [f64; 2],
    arm: f64,
}

/// Moment of a slender rod of 1 kg and 2 m about its centre [kg·m²].
const INERTIA: f64 = 1.0 / 3.0;

impl RockingRod {
    /// Supports this far from the middle \[m\]; the end that falls arrives at 2 m/s.
    pub(super) fn new(arm: f64) -> Self {
        // v − a ω = 0 at the first support, v + a ω = −2 at the second.
        Self { plane: Plane::of_rod(1.0, INERTIA, arm), before: [-1.0, -1.0 / arm], arm }
    }

    /// Velocities after Moreau's impact (v, ω), with the impulses of both supports [N·s] and their normal velocities
    /// before and after [m/s].
    pub(super) fn after(&self, e: f64) -> Result<Rebound, ImpactError> {
        let spec = ContactSpec::new(1, Material::new(0.0, e)?);
        let jacobian = vec![1.0, -self.arm, 1.0, self.arm];
        let mass = MassMatrix::Diagonal(vec![1.0, INERTIA]);
        let system = Generalized::new(mass, self.before.to_vec(), jacobian, vec![spec; 2])?;
        let settings = Settings::from([("restitution".to_owned(), SettingValue::Number(e))]);
        let law = Law::with_settings("moreau", &settings)?;
        let problem = system.problem();
        let outcome = law.resolve(problem, &Tolerances::default(), &mut Unobserved)?;
        Ok(Rebound {
            velocity: system.after(&outcome.impulse)?.velocity,
            impulse: outcome.impulse,
            gap_rates: [problem.velocity().to_vec(), outcome.velocity],
        })
    }
}

/// How a rod leaves.
pub(super) struct Rebound {
    pub(super) velocity: Vec<f64>,
    pub(super) impulse: Vec<f64>,
    pub(super) gap_rates: [Vec<f64>; 2],
}

/// Compatible velocities, velocities that impulses reach, and what has both without more energy than before.
fn sets(panel: &mut Panel, plane: &Plane, before: [f64; 2], reach: f64) {
    let page = square(4.0 * reach);
    let cone = tangent_cone(&page, plane.normals);
    panel.area("T, compatible", Tone::Blue, 0.25, cone);
    panel.area(
        "u^− − T^⊥, reached by pushes",
        Tone::Amber,
        0.14,
        cut_cone(&page, before, plane.normals),
    );
    let disc = circle(length(before));
    let allowed = cut_cone(&tangent_cone(&disc, plane.normals), before, plane.normals);
    panel.area("S, all that is possible", Tone::Green, 0.4, allowed);
    panel.line("energy before", Tone::Muted, Stroke::Dotted, disc);
}

fn cradle_panel(reach: f64) -> Panel {
    Panel::new("difference of the gaps [√J]", "both gaps open [√J]")
        .equal()
        .within([-reach, reach], [-reach, reach])
        .sized(430.0, 430.0)
}

pub(super) fn fig_8() -> Result<Drawn, PlotError> {
    let plane = Plane::of_chain(BALLS);
    let before = plane.place(&BEFORE);
    let mut panel = cradle_panel(1.15);
    sets(&mut panel, &plane, before, 1.15);
    let mut figure = Figure::new(
        "Two contacts: the possible outcomes",
        "Three balls of 1 kg, v = 1, 0, 0 m/s before, seen from their centre of mass, in the plane in which a squared length is \
         twice the kinetic energy. After the impact the velocity lies in S. Only maximum dissipation (ε = 0) leaves no choice; circles are \
         levels of dissipation for ε = 1/4, 1/2, 3/4.",
    );
    let least = plane.place(&collide("max-dissipation", &BALLS, &BEFORE, &[0.0; 2])?);
    let excess = dot(before, before) - dot(least, least);
    for e in [0.25, 0.5, 0.75] {
        let radius = f64::sqrt(dot(least, least) + e * e * excess);
        panel.line("levels of dissipation", Tone::Muted, Stroke::Thin, circle(radius));
        figure.fact(&format!("T, ε = {e}"), 0.5 * radius * radius, "J");
        let moreau = plane.place(&collide("moreau", &BALLS, &BEFORE, &[e; 2])?);
        figure.fact(&format!("T by Moreau's law, ε = {e}"), 0.5 * dot(moreau, moreau), "J");
    }
    panel.point("u^−", Tone::Ink, Shape::Disc, before);
    panel.point("ε = 0", Tone::Ink, Shape::Square, least);
    figure.fact("T⁻ about the centre of mass", 0.5 * dot(before, before), "J");
    figure.fact("T after maximum dissipation", 0.5 * dot(least, least), "J");
    let [a, b] = plane.normals;
    figure.fact("angle of T", 180.0 - libm::acos(dot(a, b)).to_degrees(), "°");
    figure.fact("angle of the cone of pushes", libm::acos(dot(a, b)).to_degrees(), "°");
    Ok(Drawn::Figure(figure.with(panel)))
}

pub(super) fn fig_10() -> Result<Drawn, PlotError> {
    let rod = RockingRod::new(0.5);
    let (plane, before) = (&rod.plane, rod.plane.place(&rod.before));
    let reach = 1.9;
    let mut panel =
        Panel::new("√I ω [√J]", "√m v [√J]").equal().within([-reach, reach], [-reach, reach]);
    panel = panel.sized(430.0, 430.0);
    let page = square(4.0 * reach);
    panel.area("T, compatible", Tone::Blue, 0.15, tangent_cone(&page, plane.normals));
    let away = plane.normals.map(|n| n.map(|x| -x));
    panel.area("T^⊥, pushes reversed", Tone::Amber, 0.2, cut_cone(&page, [0.0; 2], away));
    let tangential = plane.place(&rod.after(0.0)?.velocity);
    let normal = along(before, -1.0, tangential);
    let bounced = plane.place(&rod.after(0.5)?.velocity);
    let reflected = plane.place(&rod.after(1.0)?.velocity);
    panel.line("equal kinetic energy", Tone::Muted, Stroke::Dotted, circle(length(before)));
    panel.line("u^+ for ε from 0 to 1", Tone::Green, Stroke::Bold, vec![tangential, reflected]);
    panel.guide("decomposition", Tone::Muted, Stroke::Dashed, vec![tangential, before, normal]);
    for (name, label, to) in [
        ("u before", "u^−", before),
        ("tangential part", "v", tangential),
        ("normal part", "v^⊥", normal),
    ] {
        panel.arrow(name, Tone::Ink, vec![[0.0; 2], to]);
        panel.label(label, Tone::Ink, to);
    }
    panel.point("ε = 1/2", Tone::Green, Shape::Square, bounced);
    panel.point("ε = 1", Tone::Green, Shape::Square, reflected);
    let mut figure = Figure::new(
        "One coefficient for all contacts",
        "A rod of 1 kg, I = 1/3 kg·m², on supports 0.5 m to both sides of its middle turns about the first and strikes the \
         second at 2 m/s. Its velocity splits into v in T and v^⊥ in T^⊥, orthogonal to each other; the impact keeps v and \
         turns v^⊥ into −ε v^⊥. At ε = 0 the rod rocks on: the first support opens.",
    );
    figure.fact("v·v⊥", dot(tangential, normal), "J");
    figure.fact("velocity after, ε = 0", rod.after(0.0)?.velocity[0], "m/s");
    figure.fact("spin after, ε = 0", rod.after(0.0)?.velocity[1], "rad/s");
    figure.fact("impulse of support 2, ε = 0", rod.after(0.0)?.impulse[1], "N·s");
    figure.fact("T⁻", 0.5 * dot(before, before), "J");
    figure.fact("T⁺, ε = 1", 0.5 * dot(reflected, reflected), "J");
    let expected = along(tangential, -0.5, normal);
    figure.fact("distance from v − v⊥/2, ε = 1/2", length(along(bounced, -1.0, expected)), "√J");
    Ok(Drawn::Figure(figure.with(panel)))
}

pub(super) fn fig_11() -> Result<Drawn, PlotError> {
    let plane = Plane::of_chain(BALLS);
    let before = plane.place(&BEFORE);
    let mut cradle = cradle_panel(1.15).titled("Newton's cradle").sized(340.0, 340.0);
    sets(&mut cradle, &plane, before, 1.15);
    let observed = plane.place(&collide("sequential", &BALLS, &BEFORE, &[1.0; 2])?);
    let common = plane.place(&collide("moreau", &BALLS, &BEFORE, &[1.0; 2])?);
    let least = plane.place(&collide("moreau", &BALLS, &BEFORE, &[0.0; 2])?);
    cradle.line("one ε for all", Tone::Red, Stroke::Bold, vec![least, common]);
    cradle.point("u^−", Tone::Ink, Shape::Disc, before);
    cradle.point("a", Tone::Ink, Shape::Triangle, observed);
    cradle.point("b", Tone::Red, Shape::Square, common);
    let slender = RockingRod::new(1.0);
    let start = slender.plane.place(&slender.before);
    let mut rod = Panel::new("√I ω [√J]", "√m v [√J]").equal().titled("a slender rod on its ends");
    rod = rod.within([-1.4, 1.4], [-1.4, 1.4]).sized(340.0, 340.0);
    sets(&mut rod, &slender.plane, start, 1.4);
    let rest = slender.after(0.0)?.velocity;
    rod.line(
        "one ε for all",
        Tone::Red,
        Stroke::Bold,
        vec![slender.plane.place(&rest), slender.plane.place(&slender.after(1.0)?.velocity)],
    );
    rod.point("u^−", Tone::Ink, Shape::Disc, start);
    rod.point("c", Tone::Red, Shape::Square, slender.plane.place(&rest));
    let mut figure = Figure::new(
        "What one coefficient cannot reach",
        "Left: three balls of 1 kg, v = 1, 0, 0 m/s. (a) the last ball alone leaves, as seen in experiments and as contacts say that \
         collide in turn; (b) one coefficient ε = 1 for all contacts throws the first back; both keep the energy. Right: a \
         slender rod (1 kg, 2 m, I = 1/3 kg·m²) turns about one end, the other strikes at 2 m/s: (c) maximum dissipation leaves \
         it at rest.",
    )
    .with(cradle)
    .with(rod);
    let five = [1.0, 0.0, 0.0, 0.0, 0.0];
    for (point, law) in [("a", "sequential"), ("b", "moreau")] {
        for (balls, before) in [("3 balls", &BEFORE[..]), ("5 balls", &five[..])] {
            let n = before.len();
            let after = collide(law, &vec![1.0; n], before, &vec![1.0; n - 1])?;
            figure.fact(&format!("first ball, {point}, {balls}"), after[0], "m/s");
            figure.fact(&format!("last ball, {point}, {balls}"), after[n - 1], "m/s");
        }
    }
    figure.fact("T at a over T at b", dot(observed, observed) / dot(common, common), "1");
    figure.fact("velocity of the rod, c", rest[0], "m/s");
    figure.fact("spin of the rod, c", rest[1], "rad/s");
    Ok(Drawn::Figure(figure))
}
