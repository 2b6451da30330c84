//! Whether forces within the friction cones may hold each other, so that an impact need not end.

use super::model::Model;
use super::rows::{add, dot, length};
use super::tolerances as tol;

/// False if it is proven that no forces within the cones hold each other, so that the impact ends.
///
/// Frank and Wolfe's method for the least `½ |Bᵀ f|²` over forces of a given sum. Its gap bounds the least from below. Whether
/// that is zero depends neither on the units of coordinates nor on those of the contacts, which are chosen so that masses of
/// all sizes count alike.
pub(crate) fn possible(model: &Model) -> bool {
    let stride = model.stride;
    let scaled = |row: &[f64]| -> Vec<f64> {
        let mut row: Vec<f64> = row.iter().zip(&model.scale).map(|(b, scale)| b * scale).collect();
        row.resize(stride, 0.0);
        row
    };
    // The normal and the two tangents of each contact, and its friction.
    let mut contacts = Vec::with_capacity(model.len());
    for (k, spring) in model.springs.iter().enumerate() {
        let normal = scaled(model.normal(k));
        let size = f64::sqrt(dot(&normal, &normal));
        if size == 0.0 {
            return true;
        }
        let mu = spring.frictional.map_or(0.0, |g| model.frictional[g].mu.min(tol::LARGE_MU));
        let tangent = |c: usize| match spring.frictional {
            Some(g) => scaled(model.tangent(g, c)),
            None => vec![0.0; stride],
        };
        let unit = |row: Vec<f64>| -> Vec<f64> { row.into_iter().map(|b| b / size).collect() };
        contacts.push((mu, [normal, tangent(0), tangent(1)].map(unit)));
    }
    let (mut motion, mut pushed) = (vec![0.0; stride], vec![0.0; stride]);
    for round in 0..tol::WEDGE_ROUNDS {
        // The force of unit size that works most against the motion.
        let mut best = (f64::INFINITY, 0, [0.0; 2]);
        for (k, (mu, [normal, first, second])) in contacts.iter().enumerate() {
            let slip = [dot(first, &motion), dot(second, &motion)];
            let size = length(slip);
            let work = dot(normal, &motion) - mu * size;
            if work < best.0 {
                let along = if size > 0.0 { slip.map(|v| -mu * v / size) } else { [0.0; 2] };
                best = (work, k, along);
            }
        }
        let (work, k, [a, b]) = best;
        let (_, [normal, first, second]) = &contacts[k];
        pushed.copy_from_slice(normal);
        add(&mut pushed, a, first);
        add(&mut pushed, b, second);
        if round == 0 {
            motion.copy_from_slice(&pushed);
            continue;
        }
        let (own, other) = (dot(&motion, &motion), dot(&pushed, &pushed));
        if work - 0.5 * own > tol::WEDGE_ROUNDING * other {
            return false;
        }
        let curvature = own - 2.0 * work + other;
        let step = if curvature > 0.0 { ((own - work) / curvature).clamp(0.0, 1.0) } else { 1.0 };
        motion.iter_mut().zip(&pushed).for_each(|(m, p)| *m += step * (p - *m));
    }
    true
}

#[cfg(test)]
mod tests {
    use super::super::StiffLimit;
    use super::super::island::Island;
    use super::*;
    use crate::Tolerances;
    use crate::contact::{ContactSpec, Material};
    use crate::system::{Generalized, MassMatrix};

    /// A particle in a groove whose walls stand 60° from the floor: its cones meet from a friction of tan 30° = 0.577 on.
    #[test]
    fn a_groove_holds_what_is_rough_enough() {
        let (sine, cosine) = (f64::sqrt(0.75), 0.5);
        let jacobian = vec![sine, cosine, cosine, -sine, -sine, cosine, cosine, sine];
        let held = |mu: f64| {
            let contact = ContactSpec::new(2, Material::new(mu, 0.5).expect("a material"));
            let system = Generalized::new(
                MassMatrix::Diagonal(vec![1.0, 1.0]),
                vec![0.0, -1.0],
                jacobian.clone(),
                vec![contact; 2],
            )
            .expect("a system");
            let island = Island::new(system.problem(), &Tolerances::NOMINAL).expect("an island");
            possible(&Model::new(&StiffLimit::default(), &island))
        };
        assert_eq!([0.0, 0.3, 0.57, 0.58, 1.0].map(held), [false, false, false, true, true]);
    }
}
