//! The solid in projection: faces shaded by their slope, edges where two conditions meet.

use super::{NAMES, cross, dot, minus};
use crate::draw::{Panel, Stroke, Tone};
use carom::certify::Inequality;
use carom::region::BoundaryMesh;
use std::collections::BTreeMap;

/// Steps of shading.
const SHADES: usize = 12;
/// How dark a face is where the light does not reach \[1\].
const DARKEST: f64 = 0.85;
/// How dark it is in full light \[1\].
const LIGHTEST: f64 = 0.3;

/// Free space around the solid, across and up, as a share of it \[1\].
const ROOM: [f64; 2] = [0.18, 0.08];

/// Where the reader looks from.
pub(super) struct View {
    /// Right, up and towards the reader, normal first.
    axes: [[f64; 3]; 3],
}

impl View {
    /// Seen from the side of a solid that leans towards `centre`, and from above.
    pub(super) fn towards(centre: [f64; 3]) -> Self {
        const ASIDE: f64 = 1.5;
        const ABOVE: f64 = 0.45;
        let lean = if centre[1] == 0.0 && centre[2] == 0.0 {
            0.0
        } else {
            libm::atan2(centre[2], centre[1])
        };
        // The direction to the reader, about the normal.
        let turn = lean - ASIDE;
        let (c, s) = (libm::cos(turn), libm::sin(turn));
        let (rise, level) = (libm::sin(ABOVE), libm::cos(ABOVE));
        Self { axes: [[0.0, -s, c], [level, -rise * c, -rise * s], [rise, level * c, level * s]] }
    }

    /// Right, up and towards the reader.
    fn of(&self, p: [f64; 3]) -> [f64; 3] {
        self.axes.map(|axis| dot(axis, p))
    }

    /// Where a point is on the page.
    pub(super) fn flat(&self, p: [f64; 3]) -> [f64; 2] {
        let [x, y, _] = self.of(p);
        [x, y]
    }
}

fn tone(face: Inequality) -> Tone {
    match face {
        Inequality::Energy => Tone::Blue,
        Inequality::Cone => Tone::Amber,
        _ => Tone::Green,
    }
}

/// The solid, its edges and the axes.
pub(super) fn panel(mesh: &BoundaryMesh, view: &View) -> Panel {
    let mut panel = Panel::new("", "").equal().unframed().sized(400.0, 360.0);
    let faces = [
        ("no energy lost", Inequality::Energy),
        ("friction cone", Inequality::Cone),
        ("maximum compression", Inequality::Separation),
    ];
    for (name, face) in faces {
        panel.area(name, tone(face), 0.5, Vec::new());
    }
    axes(&mut panel, mesh, view);
    let corners: Vec<[f64; 3]> =
        mesh.vertices.iter().map(|v| view.of(v.impulse.padded())).collect();
    // The solid is convex: what faces the reader hides nothing else that does.
    let mut shades: BTreeMap<(usize, usize), Vec<[f64; 2]>> = BTreeMap::new();
    let mut edges: BTreeMap<[usize; 2], Vec<Option<usize>>> = BTreeMap::new();
    let which_of = |triangle: &[usize; 3]| {
        let face = face_of(mesh, triangle);
        faces.iter().position(|(_, f)| *f == face).unwrap_or(0)
    };
    let normals = corner_normals(mesh, &corners, which_of);
    for triangle in &mesh.triangles {
        let which = which_of(triangle);
        let light = light(triangle.map(|i| corners[i]), triangle.map(|i| normals[&(which, i)]));
        for k in 0..3 {
            let mut ends = [triangle[k], triangle[(k + 1) % 3]];
            ends.sort_unstable();
            edges.entry(ends).or_default().push(light.map(|_| which));
        }
        if let Some(light) = light {
            let shade = ((1.0 - light) * (SHADES - 1) as f64 + 0.5) as usize;
            let outline = shades.entry((which, shade)).or_default();
            outline.extend(triangle.map(|i| [corners[i][0], corners[i][1]]));
            outline.push([f64::NAN; 2]);
        }
    }
    // First every face in its lightest shade, so that no ground shines through between shades.
    for (k, (_, face)) in faces.iter().enumerate() {
        let all = shades.iter().filter(|(key, _)| key.0 == k).flat_map(|(_, o)| o).copied();
        panel.area("", tone(*face), LIGHTEST, all.collect());
    }
    for ((which, shade), outline) in shades {
        let share = shade as f64 / (SHADES - 1) as f64;
        let wanted = LIGHTEST + (DARKEST - LIGHTEST) * share;
        // Two layers of opacity a and b hide 1 − (1 − a)(1 − b).
        let more = 1.0 - (1.0 - wanted) / (1.0 - LIGHTEST);
        if more > 0.0 {
            panel.area("", tone(faces[which].1), more, outline);
        }
    }
    let mut lines = Vec::new();
    for ([a, b], sides) in edges {
        if sides.len() == 2 && sides[0] != sides[1] {
            lines.extend([a, b].map(|i| [corners[i][0], corners[i][1]]));
            lines.push([f64::NAN; 2]);
        }
    }
    panel.guide("", Tone::Ink, Stroke::Thin, lines);
    let points: Vec<[f64; 2]> = panel.series.iter().flat_map(|s| &s.points).copied().collect();
    let [across, up] = [0, 1].map(|i| {
        let finite = || points.iter().map(|p| p[i]).filter(|x| x.is_finite());
        let low = finite().fold(f64::INFINITY, f64::min);
        let high = finite().fold(f64::NEG_INFINITY, f64::max);
        // Room for the words at the ends of the axes.
        let margin = ROOM[i] * (high - low);
        [low - margin, high + margin]
    });
    panel.within(across, up)
}

/// The slope of each face at each of its corners: the mean of the triangles around it. The view turns right-handed
/// (normal, t1, t2) into right-handed (right, up, towards the reader).
fn corner_normals(
    mesh: &BoundaryMesh,
    corners: &[[f64; 3]],
    which_of: impl Fn(&[usize; 3]) -> usize,
) -> BTreeMap<(usize, usize), [f64; 3]> {
    let mut sums: BTreeMap<(usize, usize), [f64; 3]> = BTreeMap::new();
    for triangle in &mesh.triangles {
        let normal = normal(triangle.map(|i| corners[i]));
        for i in triangle {
            let sum = sums.entry((which_of(triangle), *i)).or_default();
            *sum = [0, 1, 2].map(|k| sum[k] + normal[k]);
        }
    }
    sums
}

/// Across a triangle, as long as twice its area.
fn normal([a, b, c]: [[f64; 3]; 3]) -> [f64; 3] {
    cross(minus(b, a), minus(c, a))
}

/// How much light a triangle gets, from behind the reader's left shoulder, by the slopes at its corners; nothing if it
/// faces away \[1\].
fn light(corners: [[f64; 3]; 3], slopes: [[f64; 3]; 3]) -> Option<f64> {
    const LIGHT: [f64; 3] = [-0.45, 0.6, 0.66];
    let lit = |n: [f64; 3]| {
        let size = f64::sqrt(dot(n, n));
        if size > 0.0 { (dot(LIGHT, n) / size).clamp(0.0, 1.0) } else { 0.0 }
    };
    let mean = slopes.into_iter().map(lit).sum::<f64>() / 3.0;
    (normal(corners)[2] > 0.0).then_some(mean)
}

/// The inequality that all three corners of a triangle share.
fn face_of(mesh: &BoundaryMesh, triangle: &[usize; 3]) -> Inequality {
    let holds = |face: Inequality| {
        triangle.iter().all(|i| {
            let v = &mesh.vertices[*i];
            v.active == face || v.also == Some(face)
        })
    };
    [Inequality::Cone, Inequality::Separation]
        .into_iter()
        .find(|face| holds(*face))
        .unwrap_or(Inequality::Energy)
}

/// Arrows from the origin along the axes, each as long as a round number that its label tells.
fn axes(panel: &mut Panel, mesh: &BoundaryMesh, view: &View) {
    let far = |i: usize| {
        mesh.vertices.iter().map(|v| v.impulse.components()[i].abs()).fold(0.0, f64::max)
    };
    let sides = round_below(0.7 * far(0).min(far(1).max(far(2)).max(0.4 * far(0))));
    for (i, name) in NAMES.iter().enumerate() {
        let length = if i == 0 { round_above(1.08 * far(0)) } else { sides };
        let mut end = [0.0; 3];
        end[i] = length;
        let end = view.flat(end);
        panel.arrow("", Tone::Muted, vec![[0.0, 0.0], end]);
        let (axis, unit) = name.split_once(" [").unwrap_or((name, "N·s]"));
        let unit = unit.trim_end_matches(']');
        panel.label(&format!("{axis} = {length} {unit}"), Tone::Muted, end);
    }
}

/// Numbers that look round, between 1 and 10.
const ROUND: [f64; 9] = [1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0];

/// The largest round number that is not above another.
fn round_below(x: f64) -> f64 {
    let power = libm::floor(libm::log10(x));
    let size = libm::pow(10.0, power);
    let digit = ROUND.into_iter().rev().find(|d| d * size <= x).unwrap_or(1.0);
    times_power(digit, power).unwrap_or(x)
}

/// The smallest number of two digits that is not below another.
fn round_above(x: f64) -> f64 {
    let power = libm::floor(libm::log10(x)) - 1.0;
    times_power(libm::ceil(x / libm::pow(10.0, power)), power).unwrap_or(x)
}

/// Powers of ten below one are not exact; what is printed of them is.
fn times_power(digit: f64, power: f64) -> Option<f64> {
    format!("{digit}e{power}").parse().ok().filter(|x: &f64| x.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_view_keeps_lengths_and_hands() {
        let view = View::towards([1.0, -0.3, 0.8]);
        let [x, y, z] = view.axes;
        for (a, b, expected) in [(x, x, 1.0), (y, y, 1.0), (z, z, 1.0), (x, y, 0.0), (y, z, 0.0)] {
            assert!((dot(a, b) - expected).abs() < 1e-14);
        }
        assert!((dot(cross(x, y), z) - 1.0).abs() < 1e-14);
        assert!(view.flat([1.0, 0.0, 0.0])[1] > 0.5, "the normal points up");
    }

    #[test]
    fn round_numbers_are_near() {
        assert_eq!([190.0, 0.7, 3.0, 1e-7].map(round_below), [150.0, 0.6, 3.0, 1e-7]);
        assert_eq!([191.0, 0.709, 3.11, 99.5].map(round_above), [200.0, 0.71, 3.2, 100.0]);
    }
}
