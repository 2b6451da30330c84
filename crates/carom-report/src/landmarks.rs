//! The points of the permissible region that help to read an answer.

use carom::certify::PermissibleRegion;
use carom::certify::{Certificate, Inequality};
use carom::region::{FigureLine, Standing};
use carom::{ContactKind, ContactProblem, ContactVec, Tolerances, Verdict};

/// What is worth knowing about the region of one contact.
#[derive(Clone, Debug, PartialEq)]
pub struct Landmarks {
    /// `P_I`, plastic and without friction; absent where the bodies cannot yield [N·s].
    pub frictionless: Option<Vec<f64>>,
    /// `P_II`, plastic and sticking; absent where nothing can stop the contact [N·s].
    pub sticking: Option<Vec<f64>>,
    /// The slope `|p_t|/p_n` of the line of sticking: a contact that has stopped stays stuck if `mu` is at least
    /// this; absent without tangents \[1\].
    pub staying_mu: Option<f64>,
    /// The largest restitution that a permissible impulse shows; absent unless the bodies approach \[1\].
    pub largest_e: Option<f64>,
}

impl Landmarks {
    /// The landmarks of a problem with one contact that only pushes; others have no such picture.
    pub fn of(problem: &ContactProblem) -> Option<Self> {
        on_region(problem, Self::of_contact::<1>, Self::of_contact::<2>, Self::of_contact::<3>)
    }

    fn of_contact<const D: usize>(problem: &ContactProblem) -> Option<Self> {
        let region = region::<D>(problem)?;
        let components = |p: ContactVec<D>| p.as_slice().to_vec();
        let line_of_sticking = region.locus(FigureLine::Sticking).and_then(|line| line.direction);
        Some(Self {
            frictionless: region.frictionless_impulse().map(components),
            sticking: region.sticking_impulse().map(components),
            staying_mu: line_of_sticking.map(|d| d.tangent_norm() / d.normal().abs()),
            largest_e: region.largest_restitution().map(|largest| largest.e),
        })
    }

    /// The friction with which `P_II` lies in the cone: from there on sliding stops before compression ends; absent
    /// if no friction is enough, because the bodies would have to pull \[1\].
    pub fn stopping_mu(&self) -> Option<f64> {
        let (normal, tangents) = self.sticking.as_ref()?.split_first()?;
        let tangential = tangents.iter().fold(0.0, |h: f64, p| h.hypot(*p));
        (!tangents.is_empty() && *normal > 0.0).then(|| tangential / normal)
    }
}

/// One condition and how it stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finding {
    /// Which condition.
    pub inequality: Inequality,
    /// Positive where it holds, negative where it fails [J, m/s or N·s].
    pub margin: f64,
    /// Whether it holds.
    pub standing: Standing,
}

/// How every condition stands for an impulse [N·s]. For several contacts the worst of them counts.
pub fn findings(problem: &ContactProblem, impulse: &[f64], c: &Certificate) -> Vec<Finding> {
    let explained = on_region(
        problem,
        |p| explain::<1>(p, impulse),
        |p| explain::<2>(p, impulse),
        |p| explain::<3>(p, impulse),
    );
    explained.unwrap_or_else(|| certified(problem, c))
}

fn explain<const D: usize>(problem: &ContactProblem, impulse: &[f64]) -> Option<Vec<Finding>> {
    let impulse = ContactVec::<D>::from_slice(impulse)?;
    let explanation = region::<D>(problem)?.explain(&impulse);
    let finding = |f: &carom::region::Finding| Finding {
        inequality: f.inequality,
        margin: f.margin.value,
        standing: f.standing,
    };
    Some(explanation.findings.iter().map(finding).collect())
}

/// What a certificate says without a region: it does not tell equality from room to spare.
fn certified(problem: &ContactProblem, c: &Certificate) -> Vec<Finding> {
    let kind = |kind| problem.contacts().iter().any(|contact| contact.kind == kind);
    let (pushes, holds) = (kind(ContactKind::Unilateral), kind(ContactKind::Bilateral));
    [
        (Inequality::Energy, -c.energy_change, true),
        (Inequality::Separation, c.separation_margin, pushes),
        (Inequality::NormalImpulse, c.normal_margin, pushes),
        (Inequality::Cone, c.cone_margin, pushes),
        (Inequality::Bilateral, -c.bilateral_residual, holds),
    ]
    .into_iter()
    .filter(|(.., applies)| *applies)
    .map(|(inequality, margin, _)| Finding {
        inequality,
        margin,
        standing: match &c.verdict {
            Verdict::Violates(which) if which.contains(&inequality) => Standing::Violated,
            _ => Standing::Holds,
        },
    })
    .collect()
}

fn region<const D: usize>(problem: &ContactProblem) -> Option<PermissibleRegion<D>> {
    let contact = problem.contact::<D>(0).ok()?;
    PermissibleRegion::new(&contact, &Tolerances::default()).ok()
}

/// Calls the function for the dimension of the only contact, if there is one and it only pushes.
fn on_region<R>(
    problem: &ContactProblem,
    one: impl FnOnce(&ContactProblem) -> Option<R>,
    two: impl FnOnce(&ContactProblem) -> Option<R>,
    three: impl FnOnce(&ContactProblem) -> Option<R>,
) -> Option<R> {
    match (problem.contacts(), problem.rows()) {
        ([contact], _) if contact.kind == ContactKind::Bilateral => None,
        ([_], 1) => one(problem),
        ([_], 2) => two(problem),
        ([_], 3) => three(problem),
        _ => None,
    }
}
