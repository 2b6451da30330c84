//! By how much the inequalities hold, and the same in words.

use super::{Inequality, PermissibleRegion};
use crate::contact::ContactVec;
use std::fmt;

/// How far one inequality is from equality.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margin {
    /// Positive where the inequality holds, negative where it fails [J, m/s or N·s].
    pub value: f64,
    /// The size of the terms that were compared [as `value`].
    pub scale: f64,
    /// A bound on the rounding error of `value` [as `value`].
    pub rounding: f64,
}

impl Margin {
    /// `value / scale`; zero where both vanish \[1\].
    pub fn relative(&self) -> f64 {
        if self.scale > 0.0 && self.scale.is_finite() {
            self.value / self.scale
        } else {
            self.value.signum() * f64::from(self.value != 0.0)
        }
    }
}

/// The margins of one impulse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margins {
    /// `−½ p·(u⁻ + u⁺)` \[J\].
    pub energy: Margin,
    /// `u_n⁺` [m/s].
    pub separation: Margin,
    /// `p_n` [N·s].
    pub normal_impulse: Margin,
    /// `μ p_n − |p_t|`; with `μ = ∞` or one row, `p_n` [N·s].
    pub cone: Margin,
}

impl Margins {
    const HOPELESS: Self = {
        let margin = Margin { value: f64::NEG_INFINITY, scale: f64::INFINITY, rounding: 0.0 };
        Self { energy: margin, separation: margin, normal_impulse: margin, cone: margin }
    };

    /// The margins with the inequalities they belong to, in a fixed order.
    pub const fn each(&self) -> [(Inequality, Margin); 4] {
        [
            (Inequality::Energy, self.energy),
            (Inequality::Separation, self.separation),
            (Inequality::NormalImpulse, self.normal_impulse),
            (Inequality::Cone, self.cone),
        ]
    }
}

/// Whether an inequality holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// With room to spare.
    Holds,
    /// With equality, to within the tolerance of verdicts.
    Equality,
    /// It does not.
    Violated,
}

/// What there is to say about one inequality.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finding {
    /// Which one.
    pub inequality: Inequality,
    /// By how much.
    pub margin: Margin,
    /// The judgement.
    pub standing: Standing,
}

/// Which inequalities an impulse violates, and by how much. Its `Display` says so in plain words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Explanation {
    /// One finding per inequality: energy, separation, normal impulse, cone.
    pub findings: [Finding; 4],
    /// The friction coefficient that the cone was drawn with \[1\].
    pub mu: f64,
}

impl Explanation {
    /// The violated inequalities.
    pub fn violated(&self) -> impl Iterator<Item = &Finding> {
        self.with_standing(Standing::Violated)
    }

    /// The inequalities met with equality.
    pub fn touching(&self) -> impl Iterator<Item = &Finding> {
        self.with_standing(Standing::Equality)
    }

    /// Whether no inequality is violated.
    pub fn is_permissible(&self) -> bool {
        self.violated().next().is_none()
    }

    fn with_standing(&self, standing: Standing) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |f| f.standing == standing)
    }
}

impl<const D: usize> PermissibleRegion<D> {
    /// By how much each inequality holds for an impulse [N·s]. For one that is not finite all fail, infinitely.
    pub fn margins(&self, impulse: &ContactVec<D>) -> Margins {
        if !impulse.is_finite() {
            return Margins::HOPELESS;
        }
        let s = &self.scaled;
        let p = s.shrink(impulse);
        let after = s.after(&p);
        // The terms of the sums are no larger than these.
        let terms: [f64; D] = std::array::from_fn(|i| {
            s.u[i].abs() + (0..D).map(|j| (s.w[i][j] * p[j]).abs()).sum::<f64>()
        });
        // What the impulse exchanges: the scale of the certificate.
        let exchanged: f64 = (0..D).map(|i| p[i].abs() * (s.u[i].abs() + after[i].abs())).sum();
        let summed: f64 = (0..D).map(|i| p[i].abs() * (s.u[i].abs() + terms[i])).sum();
        let velocity_scale = terms[0];
        // The impulse that would make the normal velocity of that size.
        let reach = if s.w[0][0] > 0.0 { velocity_scale / s.w[0][0] } else { 0.0 };
        let mu = self.contact.material().mu;
        let conical = D > 1 && mu.is_finite();
        let (normal, tangential) = (p.normal(), p.tangent_norm());
        let (cone, cone_scale) = if conical {
            (mu * normal - tangential, reach.max(mu * normal.abs() + tangential))
        } else {
            (normal, reach.max(normal.abs()))
        };
        // Rounding of a result, and of a sum of D products in twice the precision.
        let summing = (D as f64 + 2.0) * f64::EPSILON;
        let margin = |value: f64, scale: f64, terms: f64, unit: f64| Margin {
            value: value * unit,
            scale: scale * unit,
            rounding: f64::EPSILON * (value.abs() + summing * terms) * unit,
        };
        let energy_unit = s.velocity_unit * s.impulse_unit;
        let impulse_margin = |value, scale: f64| Margin {
            value: value * s.impulse_unit,
            scale: scale * s.impulse_unit,
            rounding: 4.0 * f64::EPSILON * cone_scale * s.impulse_unit,
        };
        Margins {
            energy: margin(-s.energy(&p), 0.5 * exchanged, summed, energy_unit),
            separation: margin(after.normal(), velocity_scale, velocity_scale, s.velocity_unit),
            normal_impulse: impulse_margin(normal, reach.max(normal.abs())),
            cone: impulse_margin(cone, cone_scale),
        }
    }

    /// Whether an impulse is permissible, to within the tolerance of verdicts.
    pub fn contains(&self, impulse: &ContactVec<D>) -> bool {
        self.explain(impulse).is_permissible()
    }

    /// Which inequalities an impulse violates [N·s].
    pub fn explain(&self, impulse: &ContactVec<D>) -> Explanation {
        let tolerance = self.tolerances.verdict;
        let findings = self.margins(impulse).each().map(|(inequality, margin)| {
            let standing =
                if margin.value < -tolerance * margin.scale || margin.value == f64::NEG_INFINITY {
                    Standing::Violated
                } else if margin.value <= tolerance * margin.scale {
                    Standing::Equality
                } else {
                    Standing::Holds
                };
            Finding { inequality, margin, standing }
        });
        Explanation { findings, mu: self.contact.material().mu }
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_permissible() {
            f.write_str("permissible")?;
            for (i, finding) in self.touching().enumerate() {
                f.write_str(if i == 0 { "; " } else { ", " })?;
                f.write_str(match finding.inequality {
                    Inequality::Energy => "no energy is lost",
                    Inequality::Separation => "the bodies do not separate",
                    Inequality::NormalImpulse => "the bodies do not push",
                    Inequality::Cone => "friction is at its limit",
                    Inequality::Bilateral => "the joint holds",
                })?;
            }
            return Ok(());
        }
        f.write_str("not permissible: ")?;
        for (i, finding) in self.violated().enumerate() {
            let excess = -finding.margin.value;
            if i > 0 {
                f.write_str("; ")?;
            }
            match finding.inequality {
                Inequality::Energy => write!(f, "creates {excess:.6} J of energy")?,
                Inequality::Separation => {
                    write!(f, "the bodies still approach at {excess:.6} m/s")?
                }
                Inequality::NormalImpulse => write!(f, "the bodies pull with {excess:.6} N·s")?,
                Inequality::Cone if self.mu.is_finite() => write!(
                    f,
                    "friction exceeds mu = {} times the normal impulse by {excess:.6} N·s",
                    self.mu
                )?,
                Inequality::Cone => write!(f, "the normal impulse lacks {excess:.6} N·s")?,
                Inequality::Bilateral => write!(f, "the joint opens at {excess:.6} m/s")?,
            }
            let percent = -100.0 * finding.margin.relative();
            write!(f, " ({percent:.3} % of the size of its terms)")?;
        }
        Ok(())
    }
}
