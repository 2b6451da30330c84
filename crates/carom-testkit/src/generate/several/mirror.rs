//! Systems that are their own mirror image.

use super::{dot, integer, restitute, spec};
use crate::{Mechanism, Rng};

/// A system and the mirror that leaves it as it is.
#[derive(Clone, Debug)]
pub struct Mirrored {
    /// The system.
    pub mechanism: Mechanism,
    /// `image[k]` is the contact that contact `k` becomes in the mirror.
    pub image: Vec<usize>,
    /// The coefficient for laws that have one for the whole impact \[1\].
    pub restitution: f64,
}

/// A random symmetric system. Its coordinates are a left half, the mirrored right half, and a middle; every contact has
/// an image, or is its own. What the middle does is even (the same in the mirror) or odd (turned round, and at rest
/// here).
pub fn mirrored(rng: &mut Rng) -> Mirrored {
    let (half, middle) = (1 + rng.index(3) as usize, rng.index(3) as usize);
    let odd: Vec<bool> = (0..middle).map(|_| rng.chance(0.5)).collect();
    let f = 2 * half + middle;
    // Powers of two: W is then symmetric to the last bit, and so is its image.
    let masses: Vec<f64> =
        (0..half + middle).map(|_| libm::exp2(rng.index(4) as f64 - 1.0)).collect();
    let masses = [&masses[..half], &masses[..half], &masses[half..]].concat();
    let mut velocity = vec![0.0; f];
    for i in 0..half {
        velocity[i] = integer(rng, 3);
        velocity[half + i] = velocity[i];
    }
    for (i, odd) in odd.iter().enumerate() {
        velocity[2 * half + i] = if *odd { 0.0 } else { integer(rng, 3) };
    }
    let mirror = |row: &[f64]| -> Vec<f64> {
        let turned = odd.iter().zip(&row[2 * half..]).map(|(odd, x)| if *odd { -x } else { *x });
        row[half..2 * half].iter().chain(&row[..half]).copied().chain(turned).collect()
    };
    let (mut jacobian, mut image) = (Vec::new(), Vec::new());
    for _ in 0..1 + rng.index(3) {
        let mut row: Vec<f64> = (0..f).map(|_| integer(rng, 2)).collect();
        row[0] += f64::from(u8::from(row.iter().all(|x| *x == 0.0)));
        let mut other = mirror(&row);
        let own = rng.chance(0.2);
        if own {
            // The sum of a row and its image is its own image.
            row.iter_mut().zip(&other).for_each(|(x, y)| *x += y);
            other.clone_from(&row);
            if row.iter().all(|x| *x == 0.0) {
                continue;
            }
        }
        if dot(&row, &velocity) > 0.0 {
            row.iter_mut().for_each(|x| *x = -*x);
            other.iter_mut().for_each(|x| *x = -*x);
        }
        let k = jacobian.len();
        jacobian.push(row);
        image.push(if own { k } else { k + 1 });
        if !own {
            jacobian.push(other);
            image.push(k);
        }
    }
    if jacobian.is_empty() {
        return mirrored(rng);
    }
    let mut contacts: Vec<_> = jacobian.iter().map(|_| spec(rng, 1)).collect();
    let restitution = restitute(rng, &mut contacts);
    for k in 0..image.len() {
        contacts[k.max(image[k])].material = contacts[k.min(image[k])].material;
    }
    let mechanism = Mechanism::new(&masses, velocity, jacobian, contacts);
    Mirrored { mechanism, image, restitution }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_image_is_the_system() {
        for i in 0..500 {
            let Mirrored { mechanism, image, .. } = mirrored(&mut Rng::for_item(4, i));
            let problem = mechanism.problem();
            for (k, &image_k) in image.iter().enumerate() {
                assert_eq!(image[image_k], k);
                assert_eq!(problem.velocity()[k], problem.velocity()[image_k]);
                for (l, &image_l) in image.iter().enumerate() {
                    assert_eq!(problem.delassus_at(k, l), problem.delassus_at(image_k, image_l));
                }
            }
        }
    }
}
