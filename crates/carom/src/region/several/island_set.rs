//! One island of the problem, in units in which its numbers are near one.

use crate::contact::{ContactProblem, Material, power_of_two_near};
use crate::island::normal::NormalProblem;
use crate::island::{Context, simultaneous};
use crate::numerics::active_set::{Lcp, LcpSolution, Row};
use crate::numerics::factor::Factor;
use crate::numerics::least_norm::{least_norm, least_norm_equality};
use crate::outcome::Unobserved;
use crate::{ImpactError, Tolerances};
use nalgebra::{DMatrix, DVector};

/// The set of one island. Velocities are in `velocity_unit`, impulses in `impulse_unit`.
pub(crate) struct IslandSet {
    /// The island's rows in the problem.
    rows: Vec<usize>,
    /// Which contact of the problem each normal row belongs to.
    pub(crate) contacts: Vec<usize>,
    /// What the contacts' surfaces are.
    pub(crate) materials: Vec<Material>,
    /// `W` of the normal rows \[1\].
    pub(crate) w: DMatrix<f64>,
    /// Its factor, `W = BᵀB`: column `i` is the velocity that contact `i` causes \[1\].
    pub(crate) b: DMatrix<f64>,
    /// The same in the solvers' units.
    pub(crate) factor: Factor,
    /// `u⁻` of the normal rows \[1\].
    pub(crate) u: Vec<f64>,
    /// `v⁻`, of which the contacts see `u⁻ = Bᵀv⁻` \[1\].
    pub(crate) start: DVector<f64>,
    /// The impulse of maximum dissipation \[1\].
    pub(crate) plastic: Vec<f64>,
    /// [m/s].
    pub(crate) velocity_unit: f64,
    /// [N·s].
    impulse_unit: f64,
    /// How bilateral rows answer normal impulses: `held + response p`, in the problem's units.
    held: Vec<f64>,
    response: DMatrix<f64>,
}

impl IslandSet {
    pub(crate) fn of(
        problem: &ContactProblem,
        contacts: &[usize],
        tolerances: &Tolerances,
    ) -> Result<Self, ImpactError> {
        let island = problem.restricted_to(contacts);
        let mut context = Context { law: "max-dissipation", tolerances, observer: &mut Unobserved };
        let plastic = simultaneous::plastic(&island, &mut context)?.impulse;
        let normal = NormalProblem::new(&island, tolerances)?;
        let n = normal.len();
        let all: Vec<usize> = (0..n).collect();
        let mut w = normal.w.dense_block(&all);
        let compliance_unit = power_of_two_near(w.amax());
        let velocity_unit = power_of_two_near(normal.scale);
        w /= compliance_unit;
        let u: Vec<f64> = normal.u.iter().map(|u| u / velocity_unit).collect();
        let factor = Factor::new(&w, tolerances.rank);
        let b = DMatrix::from_fn(factor.rank(), n, |k, i| factor.column(i)[k] * factor.scale(i));
        let z = least_norm_equality(&w, &factor, &u, tolerances.class).map_err(|row| {
            ImpactError::bad_problem(
                format!("contacts[{}]", contacts[normal.contact(row)]),
                format!("at {} m/s", normal.u[row]),
                "redundant with others and has a velocity that no motion has",
            )
        })?;
        let impulse_unit = velocity_unit / compliance_unit;
        let start = &b * DVector::from_vec(z);
        let of_normals = |impulse: &[f64]| -> Vec<f64> {
            let first = |k: usize| impulse[island.row_range(k).start];
            normal.contacts().map(first).map(|p| p / impulse_unit).collect()
        };
        let plastic = of_normals(&plastic);
        // The way from normal impulses to those of all rows is affine.
        let held = normal.impulse(vec![0.0; n]);
        let mut response = DMatrix::zeros(island.rows(), n);
        for i in 0..n {
            let mut unit = vec![0.0; n];
            unit[i] = 1.0;
            let answer = normal.impulse(unit);
            for (row, (a, h)) in answer.iter().zip(&held).enumerate() {
                response[(row, i)] = a - h;
            }
        }
        Ok(Self {
            rows: contacts.iter().flat_map(|&k| problem.row_range(k)).collect(),
            contacts: normal.contacts().map(|k| contacts[k]).collect(),
            materials: (0..n).map(|i| *normal.material(i)).collect(),
            w,
            b,
            factor,
            u,
            start,
            plastic,
            velocity_unit,
            impulse_unit,
            held,
            response,
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.u.len()
    }

    /// Writes the impulses of all the island's rows, in the problem's units.
    pub(crate) fn write(&self, p: &[f64], impulse: &mut [f64]) {
        for (k, &row) in self.rows.iter().enumerate() {
            let answered: f64 = p.iter().enumerate().map(|(i, p)| self.response[(k, i)] * p).sum();
            impulse[row] = self.held[k] + answered * self.impulse_unit;
        }
    }

    /// `u⁻ + W p`.
    pub(crate) fn after(&self, p: &[f64]) -> Vec<f64> {
        (0..self.len())
            .map(|i| self.u[i] + (0..self.len()).map(|j| self.w[(i, j)] * p[j]).sum::<f64>())
            .collect()
    }

    /// `½ p·(u⁻ + u⁺)`.
    pub(crate) fn energy_change(&self, p: &[f64]) -> f64 {
        let after = self.after(p);
        (0..self.len()).map(|i| 0.5 * p[i] * (self.u[i] + after[i])).sum()
    }

    /// `½ |v⁻|²`.
    pub(crate) fn energy_before(&self) -> f64 {
        0.5 * self.start.norm_squared()
    }

    /// \[J\].
    pub(crate) fn energy_unit(&self) -> f64 {
        self.velocity_unit * self.impulse_unit
    }

    /// [√kg·m/s].
    pub(crate) fn kinetic_unit(&self) -> f64 {
        f64::sqrt(self.velocity_unit) * f64::sqrt(self.impulse_unit)
    }

    /// The impulse `r d`, the direction given for all contacts of the problem, `r` in its units.
    pub(crate) fn along(&self, direction: &[f64], r: f64) -> Vec<f64> {
        self.contacts.iter().map(|&k| direction[k] * (r / self.impulse_unit)).collect()
    }

    /// From which `r` to which the ray is permissible, in the problem's units.
    pub(crate) fn ray(&self, direction: &[f64]) -> Option<[f64; 2]> {
        let d: Vec<f64> = self.contacts.iter().map(|&k| direction[k]).collect();
        // What is left of a sum whose terms cancel.
        let rounding = 8.0 * f64::EPSILON;
        let (mut low, mut high): (f64, f64) = (0.0, f64::INFINITY);
        let (mut square, mut largest) = (0.0, 0.0);
        for i in 0..self.len() {
            let terms = || (0..self.len()).map(|j| self.w[(i, j)] * d[j]);
            let (rate, size) = (terms().sum::<f64>(), terms().map(f64::abs).sum::<f64>());
            square += d[i] * rate;
            largest += d[i] * size;
            if rate > rounding * size {
                low = low.max(-self.u[i] / rate);
            } else if rate < -rounding * size {
                high = high.min(-self.u[i] / rate);
            } else if self.u[i] < 0.0 {
                return None;
            }
        }
        let work: f64 = self.u.iter().zip(&d).map(|(u, d)| u * d).sum();
        if square > rounding * largest {
            high = high.min(-2.0 * work / square);
        }
        (low <= high).then_some([low * self.impulse_unit, high * self.impulse_unit])
    }

    /// Of all pushes that do the same as `p`, the smallest.
    pub(crate) fn smallest(&self, p: Vec<f64>) -> Vec<f64> {
        let n = self.len();
        let lcp = Lcp {
            matrix: &self.w,
            factor: &self.factor,
            rows: &vec![Row::Unilateral; n],
            offset: &[],
            exact: None,
        };
        let solution = LcpSolution {
            z: p,
            w: Vec::new(),
            support: (0..n).collect(),
            iterations: 0,
            residual: 0.0,
            unique: false,
        };
        least_norm(&lcp, &solution).unwrap_or(solution.z)
    }

    /// Whether nothing approaches: then the set is the velocity before.
    pub(crate) fn is_still(&self) -> bool {
        self.plastic.iter().all(|p| *p == 0.0)
    }

    pub(crate) fn is_stieltjes(&self, rounding: f64) -> bool {
        let n = self.len();
        (0..n).all(|i| {
            (0..i).all(|j| self.w[(i, j)] <= rounding * self.factor.scale(i) * self.factor.scale(j))
        })
    }
}
