//! One impact: what a law of the catalogue is told, and what it answers.

use super::contact::{Bodies, ContactAt, Layout, Site};
use super::model::{Model, Place};
use super::report::{Failure, FailureKind};
use carom::certify::Verdict;
use carom::system::{After, Generalized, MassMatrix};
use carom::{Answer, ContactSpec, ImpactError, Law, Material, Unjudged, Unobserved, resolve};

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    /// The scene's law.
    Collision,
    /// The scene's law, where no body approaches but friction has no finite force.
    Jam,
    /// No restitution, at contacts that approach: the rest of infinitely many impacts.
    Plastic,
}

/// What came out.
#[derive(Clone, Debug)]
pub(crate) struct Jump {
    /// Impulses of the contacts that were handed over, along their axes [N·s].
    pub(crate) impulses: Vec<[f64; 3]>,
    /// Work of the impulses on the relative motion \[J\].
    pub(crate) energy_change: f64,
    /// Work of prescribed motion \[J\].
    pub(crate) drives: f64,
    pub(crate) verdict: Verdict,
    pub(crate) law: &'static str,
    /// Whether another law had no answer.
    pub(crate) instead: bool,
}

/// Speeds at which friction that has no finite force is put to a law, beside the speed of the motion \[1\].
const JAM_SPEEDS: [f64; 2] = [1e-12, 1e-9];

/// What answers, in turn, where the default law has no answer and none was named.
const INSTEAD: [&str; 2] = ["poisson-coulomb", "newton-coulomb"];

/// Resolves an impact of these contacts and changes velocities in `y`. Contacts and assemblies that none of those that
/// approach can reach keep all their bits.
pub(crate) fn resolve_impact(
    model: &Model,
    bodies: &Bodies,
    sites: &[(Site, ContactAt)],
    y: &mut [f64],
    kind: Kind,
    speed: f64,
) -> Result<Jump, Failure> {
    let involved = involved(model, bodies.layout, sites, kind, speed);
    let chosen: Vec<usize> = (0..sites.len()).filter(|&c| involved.contacts[c]).collect();
    let mut error = None;
    let attempts: &[f64] = if kind == Kind::Jam { &JAM_SPEEDS } else { &[0.0] };
    for (round, approach) in attempts.iter().enumerate() {
        let approach = approach * speed;
        let mechanism = mechanism(model, bodies, sites, &involved, &chosen, y, kind, approach)
            .map_err(|error| failure(&error, None))?;
        let mut laws = vec![law(model, &mechanism, kind)];
        if model.law.is_none() && kind == Kind::Collision {
            laws.extend(INSTEAD.iter().flat_map(|id| Law::from_id(id)));
        }
        if kind == Kind::Jam && round + 1 == JAM_SPEEDS.len() {
            laws.extend(["stiff-limit", "newton-coulomb"].iter().flat_map(|id| Law::from_id(id)));
        }
        for law in laws {
            match resolve(&mechanism, &law) {
                Ok(answer) => {
                    if kind == Kind::Jam && !pushes(&mechanism, &answer, approach) {
                        continue;
                    }
                    // What stands in must not gain energy.
                    if error.is_some() && matches!(answer.certificate.verdict, Verdict::Violates(_))
                    {
                        continue;
                    }
                    let instead = error.is_some() && kind == Kind::Collision;
                    let jump = apply(sites, &involved, &chosen, bodies, y, &answer, law.id());
                    return Ok(Jump { instead, ..jump });
                }
                Err(refused) => {
                    // The first one says most.
                    error.get_or_insert_with(|| failure(&refused, Some(law.id())));
                }
            }
        }
    }
    Err(error.unwrap_or_else(|| Failure {
        kind: FailureKind::Impact,
        message: "friction has no finite force here, and the law answers with no impulse; try stiff-limit".into(),
    }))
}

/// The impact that [`resolve_impact`] would put to the scene's law, and which of the sites are its contacts.
pub(crate) fn describe(
    model: &Model,
    bodies: &Bodies,
    sites: &[(Site, ContactAt)],
    y: &[f64],
    speed: f64,
) -> Result<(Generalized, Vec<usize>), ImpactError> {
    let involved = involved(model, bodies.layout, sites, Kind::Collision, speed);
    let chosen: Vec<usize> = (0..sites.len()).filter(|&c| involved.contacts[c]).collect();
    let mechanism = mechanism(model, bodies, sites, &involved, &chosen, y, Kind::Collision, 0.0)?;
    Ok((mechanism, chosen))
}

/// All of these contacts at once, each with the material that its site has: what a step in time asks. Changes velocities
/// in `y`; the impulses are along the contacts' axes. A verdict costs as much again as the answer.
pub(crate) fn resolve_together(
    model: &Model,
    bodies: &Bodies,
    sites: &[(Site, ContactAt)],
    y: &mut [f64],
    law: &Law,
    judged: bool,
) -> Result<(Vec<[f64; 3]>, Option<Verdict>), Failure> {
    let layout = bodies.layout;
    let involved = Involved {
        contacts: vec![true; sites.len()],
        first: (0..layout.assemblies.len()).map(|k| Some(layout.v_of(k).start)).collect(),
        velocities: layout.velocities(),
    };
    let chosen: Vec<usize> = (0..sites.len()).collect();
    let mechanism = mechanism(model, bodies, sites, &involved, &chosen, y, Kind::Collision, 0.0)
        .map_err(|error| failure(&error, None))?;
    let refused = |error: ImpactError| failure(&error, Some(law.id()));
    let answer = Unjudged::of(&mechanism, law, &mut Unobserved).map_err(refused)?;
    let set = Set { involved: &involved, chosen: &chosen };
    let (impulses, _) =
        change_velocities(sites, set, bodies, y, &answer.outcome.impulse, &answer.after);
    let verdict = match judged {
        true => Some(answer.judged(&mechanism).map_err(refused)?.certificate.verdict),
        false => None,
    };
    Ok((impulses, verdict))
}

fn failure(error: &ImpactError, law: Option<&str>) -> Failure {
    let message = match law {
        Some(law) => format!("{law}: {error}"),
        None => error.to_string(),
    };
    Failure { kind: FailureKind::Impact, message }
}

fn law(model: &Model, mechanism: &Generalized, kind: Kind) -> Law {
    let plastic = || Law::from_id("newton-coulomb").ok();
    let named = if kind == Kind::Plastic { plastic() } else { model.law };
    named.unwrap_or_else(|| Law::default_for(mechanism.problem()))
}

/// Whether impulses do more than stop the approach that was put to the law. Friction without bound may do so alone.
fn pushes(mechanism: &Generalized, answer: &Answer, approach: f64) -> bool {
    let problem = mechanism.problem();
    let p = &answer.outcome.impulse;
    (0..problem.len()).flat_map(|k| problem.row_range(k)).any(|row| {
        let change: f64 =
            p.iter().enumerate().map(|(other, p)| problem.delassus_at(row, other) * p).sum();
        change.abs() > 10.0 * approach
    })
}

/// Which contacts and assemblies an impact reaches.
struct Involved {
    contacts: Vec<bool>,
    /// Of the group's assemblies, where their velocities stand among those of the impact.
    first: Vec<Option<usize>>,
    velocities: usize,
}

/// The assemblies of the group that a contact joins.
pub(crate) fn ends(model: &Model, layout: &Layout, site: &Site) -> [Option<usize>; 2] {
    match (site.bodies(), site.slot) {
        (Some(pair), _) => pair.map(|body| match model.place[body] {
            Place::Moving { assembly, .. } => layout.find(assembly),
            Place::Fixed => None,
        }),
        (None, super::contact::Slot::Limit { assembly, .. }) => [layout.find(assembly), None],
        (None, super::contact::Slot::Feature { .. }) => [None, None],
    }
}

fn involved(
    model: &Model,
    layout: &Layout,
    sites: &[(Site, ContactAt)],
    kind: Kind,
    speed: f64,
) -> Involved {
    let count = layout.assemblies.len();
    let mut reached = vec![false; count];
    let mut contacts = vec![false; sites.len()];
    for (c, (_, at)) in sites.iter().enumerate() {
        contacts[c] = kind == Kind::Jam || at.u[0] < -1e-9 * speed;
    }
    loop {
        let mut grown = false;
        for (c, (site, _)) in sites.iter().enumerate() {
            let ends = ends(model, layout, site);
            let touched = ends.iter().flatten().any(|&k| reached[k]);
            if contacts[c] || touched {
                grown |= !contacts[c];
                contacts[c] = true;
                for k in ends.into_iter().flatten() {
                    grown |= !reached[k];
                    reached[k] = true;
                }
            }
        }
        if !grown {
            break;
        }
    }
    let mut velocities = 0;
    let mut first = vec![None; count];
    for (k, first) in first.iter_mut().enumerate().filter(|(k, _)| reached[*k]) {
        *first = Some(velocities);
        velocities += layout.v_of(k).len();
    }
    Involved { contacts, first, velocities }
}

/// Mass, rows and materials of what is involved.
#[allow(clippy::too_many_arguments, reason = "one call, each a different thing")]
fn mechanism(
    model: &Model,
    bodies: &Bodies,
    sites: &[(Site, ContactAt)],
    involved: &Involved,
    chosen: &[usize],
    y: &[f64],
    kind: Kind,
    approach: f64,
) -> Result<Generalized, ImpactError> {
    let (layout, n) = (bodies.layout, involved.velocities);
    let nq = layout.positions();
    let mut mass = vec![0.0; n * n];
    let mut velocity = vec![0.0; n];
    let mut loops: Vec<f64> = Vec::new();
    let mut groups: Vec<usize> = Vec::new();
    let mut driven = false;
    for (k, first) in involved.first.iter().enumerate() {
        let Some(first) = *first else { continue };
        let assembly = &model.assemblies[layout.assemblies[k]];
        driven |= assembly.is_driven();
        let size = layout.v_of(k).len();
        if size == 0 {
            // Welds alone hold it to what is fixed.
            continue;
        }
        let matrices = assembly.matrices(&y[layout.q_of(k)], bodies.t, &bodies.kinematics[k]);
        for (i, row) in matrices.mass.chunks_exact(size).enumerate() {
            mass[(first + i) * n + first..][..size].copy_from_slice(row);
        }
        velocity[first..first + size].copy_from_slice(&y[nq..][layout.v_of(k)]);
        for row in matrices.loops.chunks_exact(size) {
            let from = loops.len();
            loops.resize(from + n, 0.0);
            loops[from + first..from + first + size].copy_from_slice(row);
        }
        groups.extend_from_slice(&matrices.groups);
    }
    let (mut jacobian, mut drive, mut specs) = (Vec::new(), Vec::new(), Vec::new());
    let mut rows = vec![0.0; 3 * layout.velocities()];
    for &c in chosen {
        let (site, at) = &sites[c];
        at.rows(bodies, site, y, &mut rows);
        for (i, row) in rows.chunks_exact(layout.velocities()).enumerate().take(at.rows) {
            let from = jacobian.len();
            jacobian.resize(from + n, 0.0);
            for (k, first) in involved.first.iter().enumerate() {
                if let Some(first) = *first {
                    let range = layout.v_of(k);
                    jacobian[from + first..][..range.len()].copy_from_slice(&row[range]);
                }
            }
            let known: f64 = carom_numerics::dot(&jacobian[from..], &velocity);
            let mut given = if driven { at.u[i] - known } else { at.w[i] };
            if kind == Kind::Jam && i == 0 {
                given = -approach - known;
            }
            drive.push(given);
        }
        let material = match kind {
            Kind::Plastic if at.u[0] < 0.0 => {
                let restitution = carom::Restitution::Constant(0.0);
                Material { restitution, e_t: 0.0, ..site.material }
            }
            _ => site.material,
        };
        specs.push(ContactSpec::new(at.rows, material));
    }
    if driven && !loops.is_empty() {
        // Loops that hang on moving bodies: laws see contact velocities only, and these are then all prescribed.
        for (c, given) in drive.iter_mut().enumerate() {
            *given += carom_numerics::dot(&jacobian[c * n..(c + 1) * n], &velocity);
        }
        velocity.fill(0.0);
    }
    make_dependent(&mut loops, n);
    let diagonal = (0..n).all(|i| (0..n).all(|j| i == j || mass[i * n + j] == 0.0));
    let mass = if diagonal {
        MassMatrix::Diagonal((0..n).map(|i| mass[i * n + i]).collect())
    } else {
        MassMatrix::Dense(mass)
    };
    let mut mechanism = Generalized::new(mass, velocity, jacobian, specs)?;
    if !loops.is_empty() {
        mechanism = mechanism.with_bilateral(loops)?.with_bilateral_groups(&groups)?;
    }
    if drive.iter().any(|w| *w != 0.0) {
        mechanism = mechanism.with_drive(drive)?;
    }
    Ok(mechanism)
}

/// What remains of a loop's row beside the others, relative to the longest, below which it depends on them: loops close to
/// rounding only, and a law would take what is left for a row of its own \[1\].
const DEPENDENT: f64 = 1e-9;

/// Takes off rows what keeps them from depending on others exactly.
fn make_dependent(rows: &mut [f64], n: usize) {
    if n == 0 {
        return;
    }
    let length = |row: &[f64]| f64::sqrt(carom_numerics::dot(row, row));
    let mut left = rows.to_vec();
    let longest = rows.chunks_exact(n).map(length).fold(f64::MIN_POSITIVE, f64::max);
    let mut taken = vec![false; rows.len() / n];
    loop {
        let mut best = (DEPENDENT, None);
        for (k, row) in left.chunks_exact(n).enumerate().filter(|(k, _)| !taken[*k]) {
            let relative = length(row) / longest;
            if relative > best.0 {
                best = (relative, Some(k));
            }
        }
        let Some(k) = best.1 else { break };
        taken[k] = true;
        let mut axis = left[k * n..(k + 1) * n].to_vec();
        let size = length(&axis);
        axis.iter_mut().for_each(|x| *x /= size);
        for (_, row) in left.chunks_exact_mut(n).enumerate().filter(|(k, _)| !taken[*k]) {
            // Twice is enough.
            for _ in 0..2 {
                let part = carom_numerics::dot(&axis, row);
                row.iter_mut().zip(&axis).for_each(|(x, a)| *x -= part * a);
            }
        }
    }
    for (k, row) in rows.chunks_exact_mut(n).enumerate().filter(|(k, _)| !taken[*k]) {
        row.iter_mut().zip(&left[k * n..]).for_each(|(x, rest)| *x -= rest);
    }
}

/// Changes velocities, and sums up.
fn apply(
    sites: &[(Site, ContactAt)],
    involved: &Involved,
    chosen: &[usize],
    bodies: &Bodies,
    y: &mut [f64],
    answer: &Answer,
    law: &'static str,
) -> Jump {
    let set = Set { involved, chosen };
    let (impulses, drives) =
        change_velocities(sites, set, bodies, y, &answer.outcome.impulse, &answer.after);
    Jump {
        impulses,
        energy_change: answer.certificate.energy_change,
        drives,
        verdict: answer.certificate.verdict.clone(),
        law,
        instead: false,
    }
}

/// What an impact reaches, and the contacts that were handed over.
#[derive(Clone, Copy)]
struct Set<'a> {
    involved: &'a Involved,
    chosen: &'a [usize],
}

/// The impulses by contacts, and the work of drives \[J\].
fn change_velocities(
    sites: &[(Site, ContactAt)],
    Set { involved, chosen }: Set,
    bodies: &Bodies,
    y: &mut [f64],
    impulse: &[f64],
    after: &After,
) -> (Vec<[f64; 3]>, f64) {
    let layout = bodies.layout;
    let nq = layout.positions();
    let mut impulses = vec![[0.0; 3]; sites.len()];
    let mut drives = 0.0;
    let mut row = 0;
    for &c in chosen {
        let at = &sites[c].1;
        let taken = &impulse[row..row + at.rows];
        impulses[c][..at.rows].copy_from_slice(taken);
        drives -= taken.iter().zip(&at.w).map(|(p, w)| p * w).sum::<f64>();
        row += at.rows;
    }
    // With everything prescribed, the law's system starts at rest: what it changes is what counts.
    let after = after.velocity.as_deref().unwrap_or_default();
    let start_at_rest = driven_loops(bodies, involved);
    for (k, first) in involved.first.iter().enumerate() {
        let Some(first) = *first else { continue };
        let range = layout.v_of(k);
        for (v, new) in y[nq..][range.clone()].iter_mut().zip(&after[first..first + range.len()]) {
            *v = if start_at_rest { *v + new } else { *new };
        }
    }
    (impulses, drives)
}

fn driven_loops(bodies: &Bodies, involved: &Involved) -> bool {
    let assemblies = bodies.layout.assemblies.iter().zip(&involved.first);
    let mut of_impact = assemblies.filter(|(_, first)| first.is_some());
    let (mut driven, mut loops) = (false, false);
    of_impact.by_ref().for_each(|(&assembly, _)| {
        driven |= bodies.model.assemblies[assembly].is_driven();
        loops |= bodies.model.assemblies[assembly].has_loops();
    });
    driven && loops
}
