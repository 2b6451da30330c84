//! The corrected-Mirtich integration as its paper prints it: Euler's method in the normal impulse, Stronge's stop.
//!
//! Steps 2–7 of the paper's section 4, with three departures where the printed text does not end or ends wrongly:
//! step 3(c) also asks for `u_n ≥ 0` (as printed it ends after one step when `e = 0`), "approximately zero" in step
//! 3(a) is what one step can change (smaller, the loop chatters about the origin), and the diverging ray of step 6 is
//! bracketed instead of taken from the quartic.

use super::{Path, Split};

/// The answer with steps of `delta` in the normal impulse [N·s].
pub fn routh_stronge(split: &Split, delta: f64) -> Path {
    let Split { k, c, t, un: un0, ut: ut0, mu, e } = *split;
    let (mut un, mut ut, mut steps) = (un0, ut0, 0);
    let (mut compression, mut restitution) = (0.0, 0.0);
    // The paper's Euler step is the only place where the impulse grows; it keeps u and recovers p at the end.
    let mut p = [0.0; 3];
    let standstill = delta * (c[0].hypot(c[1]) + mu * (t[0] + t[2]));
    let (mut compressions, mut compressing) = (0, false);
    loop {
        let speed = ut[0].hypot(ut[1]);
        if speed <= standstill {
            break;
        }
        if un < 0.0 {
            compression += un * delta;
            compressions += u32::from(!compressing);
        } else {
            restitution += un * delta;
        }
        compressing = un < 0.0;
        let (fx, fy) = (-mu * ut[0] / speed, -mu * ut[1] / speed);
        un += delta * (k + c[0] * fx + c[1] * fy);
        ut[0] += delta * (c[0] + t[0] * fx + t[1] * fy);
        ut[1] += delta * (c[1] + t[1] * fx + t[2] * fy);
        p[0] += delta;
        p[1] += delta * fx;
        p[2] += delta * fy;
        steps += 1;
        if un >= 0.0 && restitution >= -e * e * compression {
            return path(p, compressions, compression, restitution, steps);
        }
    }
    // Steps 4–6: stuck, or off along the diverging ray; either way u_n grows by q per unit of normal impulse.
    let slope = impulse_ratio_at_rest(split);
    let q = k + c[0] * slope[0] + c[1] * slope[1];
    let mut more = 0.0;
    if un < 0.0 {
        compressions += u32::from(!compressing);
        compression -= un * un / (2.0 * q);
        more -= un / q;
        un = 0.0;
    }
    let stored = (-e * e * compression - restitution).max(0.0);
    let after = (2.0 * q * stored + un * un).sqrt();
    more += (after - un) / q;
    let p = [p[0] + more, p[1] + slope[0] * more, p[2] + slope[1] * more];
    path(p, compressions, compression, restitution + stored, steps)
}

fn path(
    impulse: [f64; 3],
    compressions: u32,
    compression: f64,
    restitution: f64,
    cost: u64,
) -> Path {
    Path {
        impulse,
        compressions,
        compression_work: compression,
        restitution_work: restitution,
        cost,
    }
}

/// `p_t/p_n` from `u_t = 0`: `−T⁻¹c` if friction can hold the contact, else along the diverging ray.
fn impulse_ratio_at_rest(split: &Split) -> [f64; 2] {
    let Split { c, t, mu, .. } = *split;
    let direction = |r: f64| {
        let (a, b, d) = (r + mu * t[0], mu * t[1], r + mu * t[2]);
        let determinant = a * d - b * b;
        [(d * c[0] - b * c[1]) / determinant, (a * c[1] - b * c[0]) / determinant]
    };
    let size = |s: [f64; 2]| s[0].hypot(s[1]);
    let mut s = direction(0.0);
    if size(s) > 1.0 {
        let (mut low, mut high) = (0.0, c[0].hypot(c[1]));
        while low < 0.5 * (low + high) && 0.5 * (low + high) < high {
            let middle = 0.5 * (low + high);
            if size(direction(middle)) > 1.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        s = direction(high);
    }
    s.map(|x| -mu * x)
}
