//! The conditions of each block, checked one by one and without the natural map.

use super::*;

/// The largest violation of any condition, as a velocity relative to the fastest `q`.
pub fn violation(case: &Case, p: &[f64]) -> f64 {
    let f = case.freedoms;
    let row = |i: usize| &case.factor[i * f..(i + 1) * f];
    let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let z: Vec<f64> = (0..f).map(|k| (0..p.len()).map(|i| p[i] * row(i)[k]).sum()).collect();
    let xi: Vec<f64> = (0..p.len()).map(|i| case.offset[i] + dot(row(i), &z)).collect();
    let mut worst: f64 = 0.0;
    for (b, block) in case.blocks.iter().enumerate() {
        let rows = case.rows(b);
        let unit = dot(row(rows.start), row(rows.start));
        let (p, xi) = (&p[rows.clone()], &xi[rows]);
        let slip = dot(&xi[1..], &xi[1..]).sqrt();
        let reach = dot(&p[1..], &p[1..]).sqrt();
        // Friction within its disc that does as much work against the slip as the disc allows. The work is measured
        // as a velocity or as an impulse, whichever is the smaller part of its scale.
        let friction = |radius: f64| {
            let outside = unit * (reach - radius);
            let missing = radius * slip + dot(&p[1..], &xi[1..]);
            let off = if missing > 0.0 { (missing * unit).sqrt().min(slip) } else { 0.0 };
            outside.max(off.min(missing / radius.max(f64::MIN_POSITIVE)))
        };
        let complementary = |p: f64, xi: f64| (-unit * p).max(-xi).max((unit * p).min(xi));
        let off = match block.kind {
            Kind::Cone { mu, lower } if mu.is_infinite() => {
                // It sticks, or slides without pressing while it touches.
                let slides = if reach > 0.0 { xi[0].abs().max(friction(reach)) } else { 0.0 };
                complementary(p[0] - lower, xi[0]).max(if p[0] > 0.0 { slip } else { slides })
            }
            Kind::Cone { mu, lower } => {
                let bound = if p.len() > 1 { friction(mu * p[0]) } else { 0.0 };
                complementary(p[0] - lower, xi[0]).max(bound)
            }
            Kind::Disc { normal, mu } => (unit * (p[0] - normal)).abs().max(friction(mu * normal)),
            Kind::Ray { tangent } => {
                let along = p[1..].iter().zip(tangent).map(|(t, d)| unit * (t - d * p[0]).abs());
                along.fold(complementary(p[0], xi[0]), f64::max)
            }
            Kind::Relaxed { mu, .. } => {
                let outside = unit * (reach - mu * p[0]).max(0.0);
                let inside = (mu * slip - xi[0]).max(0.0);
                let works: f64 = p.iter().zip(xi).map(|(p, xi)| p * xi).sum();
                let size = p.iter().map(|p| unit * p.abs()).fold(slip.max(xi[0].abs()), f64::max);
                outside.max(inside).max(unit * works.abs() / size.max(f64::MIN_POSITIVE))
            }
            Kind::Push { impulse } => {
                p.iter().zip(impulse).map(|(p, given)| unit * (p - given).abs()).fold(0.0, f64::max)
            }
        };
        worst = if off.is_nan() { f64::INFINITY } else { worst.max(off) };
    }
    worst / case.speed()
}

/// A solution by hand: W = 1 for a point mass, friction ½, slip 2 and approach 1. It presses with 1, is slowed by ½.
#[test]
fn the_judge_knows_right_from_wrong() {
    let factor = vec![1.0, 0.0, 0.0, 1.0];
    let case = Case { factor, freedoms: 2, offset: vec![-1.0, 2.0], blocks: vec![cone(2, 0.5)] };
    assert_eq!(violation(&case, &[1.0, -0.5]), 0.0);
    for wrong in [[1.0, -0.4], [1.0, 0.5], [1.0, -0.6], [1.1, -0.55], [0.9, -0.45], [0.0, 0.0]] {
        assert!(violation(&case, &wrong) > 0.01, "{wrong:?}");
    }
}
