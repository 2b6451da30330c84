//! ġ = n·u and g̈ = ṅ·u + n·u̇ against differences of the gap alone.

use super::*;

/// Centre and two rotations about fixed axes by polynomials in time, one after the other.
struct Course {
    centre: [V3; 3],
    axes: [V3; 2],
    angles: [[f64; 2]; 2],
    start: Place,
}

fn about(axis: &V3, angle: f64) -> crate::motion::vector::M3 {
    let (s, c) = libm::sincos(0.5 * angle);
    rotation([c, s * axis.x, s * axis.y, s * axis.z])
}

impl Course {
    fn random(rng: &mut Rng, size: f64, flat: bool) -> Self {
        let unit = |v: V3| v / f64::sqrt(v.dot(&v));
        let start = Place::random(rng, size, flat);
        let mut centre = [start.centre, vector(rng, 1.0), vector(rng, 1.0)];
        let mut axes = [0, 1].map(|_| unit(vector(rng, 1.0)));
        if flat {
            centre[1].z = 0.0;
            centre[2].z = 0.0;
            axes = [V3::z(), V3::z()];
        }
        let angles = [0, 1].map(|_| [0, 1].map(|_| rng.uniform(-1.0, 1.0)));
        Self { centre, axes, angles, start }
    }

    fn pose(&self, t: f64) -> Pose {
        let angle = |i: usize| self.angles[i][0] * t + 0.5 * self.angles[i][1] * t * t;
        let turn = about(&self.axes[0], angle(0)) * about(&self.axes[1], angle(1));
        Pose {
            centre: self.centre[0] + self.centre[1] * t + self.centre[2] * (0.5 * t * t),
            rotation: turn * rotation(self.start.quaternion),
        }
    }

    /// At t = 0: velocities, and accelerations of centre and rotation.
    fn twist(&self) -> (Twist, V3, V3) {
        let [a, b] = &self.axes;
        let spin = a * self.angles[0][0] + b * self.angles[1][0];
        let turn = a * self.angles[0][1]
            + b * self.angles[1][1]
            + (a * self.angles[0][0]).cross(&(b * self.angles[1][0]));
        (Twist { velocity: self.centre[1], spin }, self.centre[2], turn)
    }
}

fn distance(v: V3) -> f64 {
    f64::sqrt(v.dot(&v))
}

/// A feature at t = 0, as contacts see it.
struct Instant {
    touch: Touch,
    rates: TouchRates,
    /// The velocity of B's material at the point less A's [m/s].
    u: V3,
    /// g̈ [m/s²].
    second: f64,
}

impl Instant {
    fn new(feature: &Feature, courses: &[Course; 2]) -> Self {
        let [a, b] = [courses[0].pose(0.0), courses[1].pose(0.0)];
        let twists = [courses[0].twist(), courses[1].twist()];
        let touch = feature.touch(&a, &b);
        let rates = feature.rates(&touch, [&a, &b], [&twists[0].0, &twists[1].0]);
        let of = |i: usize| {
            let (twist, acceleration, turn) = &twists[i];
            let rho = touch.point - [a, b][i].centre;
            let change = twist.spin.cross(&(rates.point - twist.velocity));
            (twist.at(&rho), acceleration + turn.cross(&rho) + change)
        };
        let u = of(1).0 - of(0).0;
        let second = rates.normal.dot(&u) + touch.normal.dot(&(of(1).1 - of(0).1));
        Self { touch, rates, u, second }
    }
}

const STEP: f64 = 1.0 / 1024.0;

/// Sixth-order differences of seven values.
fn first(v: &[V3; 7]) -> V3 {
    ((v[4] - v[2]) * 45.0 - (v[5] - v[1]) * 9.0 + (v[6] - v[0])) / (60.0 * STEP)
}

fn second(g: &[f64; 7]) -> f64 {
    let sum = 2.0 * (g[0] + g[6]) - 27.0 * (g[1] + g[5]) + 270.0 * (g[2] + g[4]) - 490.0 * g[3];
    sum / (180.0 * STEP * STEP)
}

/// The largest errors of ṅ, ẋ, ġ, g̈ of one feature; none where it is left out: where lines or rims turn more than four times
/// as fast as the bodies, where what a normal is divided by is shorter than 0.25 m, or where the sign of a normal of edges
/// changes within the differences.
fn errors(feature: &Feature, courses: &[Course; 2]) -> Option<[f64; 4]> {
    let poses = |t: f64| [courses[0].pose(t), courses[1].pose(t)];
    let touches: [Touch; 7] = std::array::from_fn(|i| {
        let [a, b] = poses((i as f64 - 3.0) * STEP);
        feature.touch(&a, &b)
    });
    let [a, b] = poses(0.0);
    let touch = touches[3];
    let away = match &feature.kind {
        Kind::PlaneSphere(_) | Kind::CapPoint(_) | Kind::RimPlane(_) | Kind::LineLine(_) => 1.0,
        Kind::SphereSphere(k) => touch.gap + k.radii[0] + k.radii[1],
        Kind::LineSphere(k) => touch.gap + k.line.radius + k.radius,
        Kind::RimSphere(k) => {
            let [p, q] = feature.ordered(&a, &b);
            let axis = p.rotation * k.rim.axis;
            let d = q.point(&k.centre) - p.point(&k.rim.centre);
            (touch.gap + k.radius).min(region::length(&region::across(&d, &axis)))
        }
    };
    let flips = touches.iter().any(|other| other.normal.dot(&touch.normal) < 0.5);
    if feature.turning(&a, &b) > 4.0 || away < 0.25 || flips {
        return None;
    }
    let now = Instant::new(feature, courses);
    let gaps = touches.map(|t| t.gap);
    let gap_rate = first(&gaps.map(|g| V3::new(g, 0.0, 0.0))).x;
    let gap_second = second(&gaps);
    Some([
        distance(now.rates.normal - first(&touches.map(|t| t.normal))),
        distance(now.rates.point - first(&touches.map(|t| t.point))),
        (touch.normal.dot(&now.u) - gap_rate).abs(),
        (now.second - gap_second).abs(),
    ])
}

fn kind(feature: &Feature) -> &'static str {
    match feature.kind {
        Kind::PlaneSphere(_) => "plane–sphere",
        Kind::SphereSphere(_) => "sphere–sphere",
        Kind::LineSphere(_) => "line–sphere",
        Kind::LineLine(_) => "line–line",
        Kind::RimPlane(_) => "rim–plane",
        Kind::CapPoint(_) => "cap point–plane",
        Kind::RimSphere(_) => "rim–sphere",
    }
}

/// Random motions of pairs that have every kind, both ways; one feature of each kind per pair.
fn check(pairs: &[[&str; 2]], make: fn(&mut Rng, &str) -> Shape, flat: bool, kinds: usize) {
    let mut worst = std::collections::BTreeMap::<&str, ([f64; 4], usize, usize)>::new();
    for seed in 0..200 {
        let mut rng = Rng::for_item(0x9e0, seed);
        for names in pairs {
            for names in [*names, [names[1], names[0]]] {
                let shapes = names.map(|name| make(&mut rng, name));
                let pair = ShapePair::new(&shapes[0], &shapes[1], flat).unwrap();
                let mut courses = [0, 1].map(|_| Course::random(&mut rng, 1.0, flat));
                courses[1].centre[0].x += 4.0;
                let start = rng.index(pair.features.len() as u64) as usize;
                let mut seen = Vec::new();
                for i in 0..pair.features.len() {
                    let feature = &pair.features[(start + i) % pair.features.len()];
                    let kind = kind(feature);
                    if seen.contains(&kind) {
                        continue;
                    }
                    seen.push(kind);
                    let (worst, kept, left) = worst.entry(kind).or_insert(([0.0; 4], 0, 0));
                    match errors(feature, &courses) {
                        None => *left += 1,
                        Some(errors) => {
                            *kept += 1;
                            for (worst, error) in worst.iter_mut().zip(errors) {
                                assert!(error.is_finite());
                                *worst = worst.max(error);
                            }
                        }
                    }
                }
            }
        }
    }
    assert_eq!(worst.len(), kinds, "kinds that appeared");
    for (kind, (errors, kept, left)) in worst {
        println!(
            "{kind}: ṅ {:.1e}, ẋ {:.1e}, ġ {:.1e}, g̈ {:.1e}, kept {kept}, left out {left}",
            errors[0], errors[1], errors[2], errors[3]
        );
        // The differences have errors of their own: 4e-16·6/h² ≈ 3e-9 of rounding in g̈, and h⁶ times a seventh derivative,
        // which grows with the seventh power of the factor four above.
        assert!(errors[0] < 1e-8 && errors[1] < 1e-8 && errors[2] < 1e-9, "{kind}: {errors:?}");
        assert!(errors[3] < 1e-7, "{kind}: {errors:?}");
        assert!(kept >= 200 && left * 10 <= kept, "{kind}: {left} of {} left out", kept + left);
    }
}

#[test]
fn rates_are_those_of_the_gap_in_space() {
    check(
        &[
            ["half-space", "sphere"],
            ["half-space", "box"],
            ["half-space", "cylinder"],
            ["sphere", "sphere"],
            ["sphere", "capsule"],
            ["sphere", "cylinder"],
            ["capsule", "capsule"],
            ["capsule", "box"],
            ["box", "box"],
            ["box", "convex"],
            ["points", "cylinder"],
        ],
        spatial,
        false,
        7,
    );
}

#[test]
fn rates_are_those_of_the_gap_in_the_plane() {
    check(
        &[
            ["half-space", "polygon"],
            ["sphere", "polygon"],
            ["capsule", "polygon"],
            ["capsule", "capsule"],
            ["polygon", "polygon"],
        ],
        planar,
        true,
        3,
    );
}

/// What the search for roots takes for granted: with τ the factor of turning and ω the sum of both angular velocities,
/// |ṅ| ≤ τ ω + u_t/r and |g̈| ≤ Σ (a + τ (α + ω²) ρ) + 2 τ ω |u| + u_t²/r with ρ the reach and the gap, where the features are valid and apart by
/// less than 0.5 m. Half-spaces do not turn.
#[test]
fn bounds_hold_the_rates() {
    let mut worst = std::collections::BTreeMap::<&str, (f64, u32)>::new();
    for seed in 0..1000 {
        for names in [
            ["half-space", "sphere"],
            ["half-space", "box"],
            ["half-space", "cylinder"],
            ["sphere", "sphere"],
            ["sphere", "capsule"],
            ["sphere", "cylinder"],
            ["capsule", "capsule"],
            ["capsule", "box"],
            ["box", "sphere"],
            ["box", "box"],
        ] {
            let mut rng = Rng::for_item(0xb0, seed);
            let shapes = names.map(|name| spatial(&mut rng, name));
            let pair = ShapePair::new(&shapes[0], &shapes[1], false).unwrap();
            let mut courses = [0, 1].map(|_| Course::random(&mut rng, 0.9, false));
            if names[0] == "half-space" {
                courses[0].angles = [[0.0; 2]; 2];
            }
            let [a, b] = [courses[0].pose(0.0), courses[1].pose(0.0)];
            for feature in &pair.features {
                let gap = feature.touch(&a, &b).gap;
                if !(0.0..0.5).contains(&gap) || feature.margin(&a, &b) < 0.0 {
                    continue;
                }
                let Instant { touch, rates, u, second } = Instant::new(feature, &courses);
                let turning = feature.turning(&a, &b);
                let radius = feature.curvature_radius();
                let slide = distance(u - touch.normal * touch.normal.dot(&u));
                let spins = [0, 1].map(|i| distance(courses[i].twist().0.spin));
                let bound = turning * (spins[0] + spins[1]) + slide / radius;
                assert!(distance(rates.normal) <= bound * (1.0 + 1e-12), "{feature:?}");
                let mut k =
                    2.0 * turning * (spins[0] + spins[1]) * distance(u) + slide * slide / radius;
                for i in 0..2 {
                    let (_, acceleration, turn) = courses[i].twist();
                    let rho = feature.reach()[i] + gap;
                    k += distance(acceleration)
                        + turning * (distance(turn) + spins[i] * spins[i]) * rho;
                }
                let (worst, count) = worst.entry(kind(feature)).or_insert((0.0, 0));
                *worst = worst.max(second.abs() / k);
                *count += 1;
            }
        }
    }
    for (kind, (ratio, count)) in worst {
        println!("{kind}: at most {ratio:.2} of the bound in {count} places");
        assert!(
            ratio <= 1.0 && (count >= 100 || kind == "cap point–plane"),
            "{kind}: {ratio}, {count}"
        );
    }
}

/// Where two shapes thrown at each other begin to overlap, a valid feature has gap zero and closes.
#[test]
fn first_contacts_are_those_of_features() {
    for names in [["box", "box"], ["convex", "box"], ["capsule", "box"], ["sphere", "convex"]] {
        let (mut struck, mut opening) = (0, 0);
        for seed in 0..500 {
            let mut rng = Rng::for_item(0xf1, seed);
            let shapes = names.map(|name| spatial(&mut rng, name));
            let pair = ShapePair::new(&shapes[0], &shapes[1], false).unwrap();
            let mut courses = [0, 1].map(|_| Course::random(&mut rng, 0.3, false));
            courses[1].centre[0].x += 3.0;
            courses[1].centre[1].x -= 3.0;
            let poses = |t: f64| [courses[0].pose(t), courses[1].pose(t)];
            let overlap = |t: f64| {
                let [a, b] = poses(t);
                pair.overlap(&a, &b)
            };
            let Some(after) = (0..150).map(|i| 0.01 * f64::from(i)).find(|&t| overlap(t) > 0.0)
            else {
                continue;
            };
            let (mut low, mut high) = (after - 0.01, after);
            while high - low > 1e-15 {
                let middle = 0.5 * (low + high);
                if middle <= low || middle >= high {
                    break;
                }
                if overlap(middle) > 0.0 { high = middle } else { low = middle }
            }
            struck += 1;
            let [a, b] = poses(high);
            let valid = pair.features.iter().filter(|f| f.margin(&a, &b) >= -1e-9);
            let touching = valid.filter(|f| f.touch(&a, &b).gap.abs() < 1e-9).count();
            assert!(touching >= 1, "{names:?} {seed}: no feature touches at {high}");
            let [before_a, before_b] = poses(high - 1e-6);
            let closes = pair.features.iter().any(|f| {
                f.margin(&a, &b) >= -1e-9
                    && f.touch(&a, &b).gap.abs() < 1e-9
                    && f.touch(&before_a, &before_b).gap > 0.0
            });
            opening += u32::from(!closes);
        }
        println!("{names:?}: {struck} of 500 struck, {opening} without a gap that closed");
        assert!(struck >= 150 && opening == 0, "{names:?}: {struck}, {opening}");
    }
}
