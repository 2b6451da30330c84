//! The flow of slip: `du_t/dp_n = W_tn − mu W_tt s` with `s` the direction of `u_t`.

use carom::Contact;
use core::f64::consts::TAU;

/// Directions between which a ray is looked for.
const FAN: usize = 720;
/// Halvings that leave a ray's angle with no more digits to gain.
const HALVINGS: usize = 60;

/// What rounding leaves of sums that vanish, relative to their terms \[1\].
const ROUNDING: f64 = 1e-12;

/// A direction in which sliding keeps its direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Its angle from the first tangent towards the second \[rad\].
    pub angle: f64,
    /// Growth of the slip per normal impulse; negative where sliding on it comes to rest [1/kg].
    pub growth: f64,
    /// Whether slip in directions near it turns towards it.
    pub attracts: bool,
}

/// Directions from which slip turns towards the same ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Basin {
    /// The rays that bound it, the second after the first \[rad\].
    pub between: [f64; 2],
    /// Whether slip that starts in it comes to rest.
    pub rests: bool,
}

/// The rays of constant sliding of a contact: directions `s` with `W_tn − mu W_tt s` along `s`.
pub fn rays(contact: &Contact<3>) -> Vec<Ray> {
    let across = |angle: f64| rate(contact, angle)[1];
    let mut rays = Vec::new();
    if keeps_every_direction(contact) {
        return rays;
    }
    for k in 0..FAN {
        let (mut low, mut high) = (TAU * k as f64 / FAN as f64, TAU * (k + 1) as f64 / FAN as f64);
        let [start, end] = [across(low), across(high)];
        if start != 0.0 && (start > 0.0) == (end > 0.0) {
            continue;
        }
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if (across(middle) > 0.0) == (start > 0.0) && start != 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        let angle = 0.5 * (low + high);
        rays.push(Ray { angle, growth: rate(contact, angle)[0], attracts: end < 0.0 });
    }
    rays
}

/// Whether slip keeps its direction whatever it is, as that of a ball: then no ray stands out.
pub(crate) fn keeps_every_direction(contact: &Contact<3>) -> bool {
    let (w, mu) = (contact.delassus().rows(), contact.material().mu);
    let size = w[1][0].abs() + w[2][0].abs() + mu * (w[1][1] + w[2][2]);
    let turns = |k: usize| rate(contact, TAU * k as f64 / FAN as f64)[1].abs();
    (0..FAN).map(turns).fold(0.0, f64::max) <= ROUNDING * size
}

/// The basins, parted by the rays that repel. With fewer than two of them the whole plane is one basin.
pub fn basins(contact: &Contact<3>) -> Vec<Basin> {
    let rays = rays(contact);
    let edges: Vec<f64> = rays.iter().filter(|ray| !ray.attracts).map(|ray| ray.angle).collect();
    let inside = |[from, to]: [f64; 2]| {
        let within = |ray: &&Ray| {
            let turned = if ray.angle < from { ray.angle + TAU } else { ray.angle };
            ray.attracts && from < turned && turned < to
        };
        rays.iter().find(within).map(|ray| Basin { between: [from, to], rests: ray.growth < 0.0 })
    };
    match edges[..] {
        [] => Vec::new(),
        [only] => inside([only, only + TAU]).into_iter().collect(),
        _ => {
            let next = |k: usize| edges.get(k + 1).copied().unwrap_or(edges[0] + TAU);
            (0..edges.len()).filter_map(|k| inside([edges[k], next(k)])).collect()
        }
    }
}

/// What sliding in a direction does to the slip per normal impulse: along the direction and across it [1/kg].
fn rate(contact: &Contact<3>, angle: f64) -> [f64; 2] {
    let (w, mu) = (contact.delassus().rows(), contact.material().mu);
    let s = [libm::cos(angle), libm::sin(angle)];
    let slope = |i: usize| w[i + 1][0] - mu * (w[i + 1][1] * s[0] + w[i + 1][2] * s[1]);
    let d = [slope(0), slope(1)];
    [d[0] * s[0] + d[1] * s[1], d[1] * s[0] - d[0] * s[1]]
}

/// Where slip goes from a point at `radius` in a direction, until it is near rest or farther than `rim` [m/s].
///
/// With `dp_n = |u_t| dτ` the flow is `u_t' = W_tn |u_t| − mu W_tt u_t`: smooth but for the origin, which it reaches in
/// infinite τ only. Steps of order 4 are short against the fastest rate.
pub fn streamline(contact: &Contact<3>, angle: f64, radius: f64, rim: f64) -> Vec<[f64; 2]> {
    const STEP: f64 = 0.05;
    const STEPS: usize = 4000;
    const APART: f64 = 0.01;
    const REST: f64 = 0.004;
    let (w, mu) = (contact.delassus().rows(), contact.material().mu);
    let flow = |u: [f64; 2]| {
        let size = libm::hypot(u[0], u[1]);
        [1, 2].map(|i| w[i][0] * size - mu * (w[i][1] * u[0] + w[i][2] * u[1]))
    };
    let fastest = libm::hypot(w[1][0], w[2][0]) + mu * (w[1][1] + w[2][2]);
    let mut at = [radius * libm::cos(angle), radius * libm::sin(angle)];
    let mut line = vec![at];
    if !(fastest > 0.0 && fastest.is_finite()) {
        return line;
    }
    let h = STEP / fastest;
    let ahead = |u: [f64; 2], d: [f64; 2], h: f64| [u[0] + h * d[0], u[1] + h * d[1]];
    for _ in 0..STEPS {
        let a = flow(at);
        let b = flow(ahead(at, a, 0.5 * h));
        let c = flow(ahead(at, b, 0.5 * h));
        let d = flow(ahead(at, c, h));
        at = [0, 1].map(|i| at[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
        let size = libm::hypot(at[0], at[1]);
        let last = line[line.len() - 1];
        let ends = size < REST * rim || size > rim;
        if ends || libm::hypot(at[0] - last[0], at[1] - last[1]) > APART * rim {
            line.push(at);
        }
        if ends {
            break;
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom::{ContactVec, Delassus, Material};

    /// The contact of Baber's Fig. 4, normal first.
    fn baber() -> Contact<3> {
        let w = Delassus::new([[10.0, 1.0, 6.0], [1.0, 20.0, 0.0], [6.0, 0.0, 4.0]]).unwrap();
        let material = Material::new(0.7, 0.5).unwrap();
        Contact::new(w, ContactVec::new([-1.0, 1.0, 0.0]), material).unwrap()
    }

    #[test]
    fn rays_and_basins_of_the_published_example() {
        let rays = rays(&baber());
        let expected = [
            (86.668_939_286_849_68, 3.210154373481168, true),
            (209.081_674_736_514_57, -15.144259382391, false),
            (281.352_223_993_617_26, -8.919728509803, true),
            (322.897_161_983_018_5, -12.746166481287, false),
        ];
        assert_eq!(rays.len(), 4);
        for (ray, (angle, growth, attracts)) in rays.iter().zip(expected) {
            assert!((ray.angle.to_degrees() - angle).abs() < 1e-11, "{ray:?}");
            assert!((ray.growth - growth).abs() < 1e-11 && ray.attracts == attracts, "{ray:?}");
        }
        let basins = basins(&baber());
        assert_eq!(basins.iter().map(|b| b.rests).collect::<Vec<_>>(), [true, false]);
    }

    /// A ball slides straight on in every direction.
    #[test]
    fn a_ball_has_no_rays() {
        let w = Delassus::new([[1.0, 0.0, 0.0], [0.0, 3.5, 0.0], [0.0, 0.0, 3.5]]).unwrap();
        let velocity = ContactVec::new([-1.0, 1.0, 0.3]);
        let ball = Contact::new(w, velocity, Material::new(0.4, 0.5).unwrap()).unwrap();
        assert!(rays(&ball).is_empty() && basins(&ball).is_empty());
    }

    /// Of 16 starts exactly those at 225° to 315° come to rest.
    #[test]
    fn lines_end_where_their_basin_says() {
        let rests: Vec<usize> = (0..16)
            .filter(|k| {
                let line = streamline(&baber(), TAU * *k as f64 / 16.0, 1.0, 1.5);
                line.last().is_some_and(|p| libm::hypot(p[0], p[1]) < 0.01)
            })
            .collect();
        assert_eq!(rests, [10, 11, 12, 13, 14]);
    }
}
