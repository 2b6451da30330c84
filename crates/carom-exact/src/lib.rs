//! Recomputes what carom certifies, in rational numbers, from the problem file and the printed impulse.
//!
//! It shares no code with carom: it reads problems by itself and knows the few sentences of mechanics that a certificate
//! stands on. Doubles are read as the rational numbers they are. Unit vectors of bodies need roots, which have 128 bits;
//! everything else is exact. The test of a cone compares squares.
//!
//! What counts as zero is the certificate's: a margin within 1e-10 of its scale, made of the contact's own terms. Scales,
//! and which contacts belong together, need no more than doubles.

mod number;
mod problem;

use num_traits::{Signed, Zero};
use number::{Q, dot, exact, near, root, solve, solve_near, sum_products};
use problem::{Contact, Masses, Problem, Row, System};
use serde_json::{Value, json};

/// A margin within this of its scale counts as zero \[1\].
const TOLERANCE: f64 = 1e-10;
/// Approaches below this share of the fastest one in their island count as none \[1\].
const APPROACH: f64 = 1e-12;
/// Doubles tell approaches from none down to this share of the terms of their sum \[1\].
const START: f64 = 8.0 * f64::EPSILON;
/// Contacts coupled less than this, relative to their own compliance, exchange no energy worth the name \[1\].
const COUPLING: f64 = 1e-12;
/// Joint rows of which less is left beside the others are redundant \[1\].
const REDUNDANT: f64 = 1e-9;
/// Squares of what is left of joint rows are equal within this \[1\].
const EQUAL: f64 = 1e-6;
/// Starts that break joints by less, relative to the terms of the row, are left alone \[1\].
const BROKEN: f64 = 1e-9;
/// Contact rows of which joints leave less, relative to their length without joints, are locked \[1\].
const LOCKED: f64 = 64.0 * f64::EPSILON;
/// Beside joints, so many rows or coordinates have their scales from rational numbers.
const MOST_EXACT: usize = 24;
/// Whether more is lost than there is, is found out for so many coupled rows.
const MOST_LOSING: usize = 8;

/// One condition at one place, exactly.
pub struct Finding {
    /// As in certificates: "energy", "separation", "normal_impulse", "cone", "bilateral".
    pub inequality: &'static str,
    /// Contact or first contact of the island.
    pub contact: usize,
    /// Below zero where the condition fails [J, m/s or N·s].
    pub margin: f64,
    /// The size of its terms [as `margin`].
    pub scale: f64,
    /// Whether it fails by more than the tolerance.
    pub fails: bool,
    /// Whether it is so close to the tolerance, or of such a kind, that a certificate may see it either way.
    pub open: bool,
}

/// All that can be said exactly.
pub struct Report {
    /// `½ p·(u⁻ + u⁺)`.
    energy_change: Q,
    /// The change of the kinetic energy, where masses are known.
    kinetic_energy_change: Option<Q>,
    cone_margin: Option<Q>,
    normal_margin: Option<Q>,
    separation_margin: Option<Q>,
    /// Every condition at every place.
    pub findings: Vec<Finding>,
}

/// The text of a problem file as a value: JSON, or else TOML.
pub fn parse(text: &str) -> Result<Value, String> {
    let text = text.trim_start_matches('\u{feff}');
    match serde_json::from_str(text) {
        Ok(value) => Ok(value),
        Err(_) => toml::from_str(text).map_err(|error| error.message().to_owned()),
    }
}

/// Judges an impulse (one number per row [N·s]) on a problem that carom accepts.
pub fn check(problem: &Value, impulse: &[f64]) -> Result<Report, String> {
    let problem = Problem::read(problem)?;
    let p: Vec<Q> = impulse.iter().map(|p| exact(*p)).collect::<Result<_, _>>()?;
    let rows = problem.contacts.last().map_or(0, |c| c.rows.end);
    if p.len() != rows {
        return Err(format!("{} numbers for {rows} rows", p.len()));
    }
    let motion = match &problem.system {
        System::ContactSpace { delassus, velocity } => {
            let after =
                velocity.iter().zip(delassus).map(|(u, row)| u + sum_products(row.iter().zip(&p)));
            let delassus_near = delassus.iter().map(|row| row.iter().map(near).collect()).collect();
            Motion {
                before: velocity.clone(),
                after: after.collect(),
                kinetic: None,
                terms: vec![0.0; velocity.len()],
                w: delassus_near,
            }
        }
        System::Masses(masses) => of_masses(masses, &p)?,
    };
    Ok(judge(&problem, &p, impulse, &motion))
}

struct Motion {
    before: Vec<Q>,
    after: Vec<Q>,
    kinetic: Option<Q>,
    /// The sizes of the terms of `J v + drive`, where `before` is that sum.
    terms: Vec<f64>,
    /// `W`, for scales.
    w: Vec<Vec<f64>>,
}

fn of_masses(masses: &Masses, p: &[Q]) -> Result<Motion, String> {
    let size = masses.velocity.len();
    let kept = independent(masses)?;
    let joints: Vec<&Row> = kept.iter().map(|&k| &masses.joints[k]).collect();
    let drive: Vec<&Q> = kept.iter().map(|&k| &masses.joint_drive[k]).collect();

    let mut momentum = vec![Q::zero(); size];
    for (row, p) in masses.rows.iter().zip(p).filter(|(_, p)| !p.is_zero()) {
        row.iter().for_each(|(c, x)| momentum[*c] += x * p);
    }
    // One solution for the contacts' momentum and one for each joint row.
    let dense = |row: &Row| {
        let mut x = vec![Q::zero(); size];
        row.iter().for_each(|(c, v)| x[*c] = v.clone());
        x
    };
    let sides: Vec<Vec<Q>> =
        std::iter::once(momentum).chain(joints.iter().map(|row| dense(row))).collect();
    let answers = divide(masses, &sides).ok_or("the mass matrix is singular")?;
    let (free, responses) = answers.split_first().ok_or("no coordinates")?;
    let compliance: Vec<Vec<Q>> =
        joints.iter().map(|row| responses.iter().map(|r| dot(row, r)).collect()).collect();
    // The velocities that joints leave of given ones, and the impulses that does it.
    let hold = |v: &[Q], drive: &dyn Fn(usize) -> Q| -> Result<(Vec<Q>, Vec<Q>), String> {
        if joints.is_empty() {
            return Ok((v.to_vec(), vec![]));
        }
        let open: Vec<Q> =
            joints.iter().enumerate().map(|(k, row)| -(dot(row, v) + drive(k))).collect();
        let lambda =
            solve(&compliance, &[open]).ok_or("joint rows depend on each other")?.remove(0);
        let mut held = v.to_vec();
        for (response, l) in responses.iter().zip(&lambda) {
            held.iter_mut().zip(response).for_each(|(v, r)| *v += r * l);
        }
        Ok((held, lambda))
    };
    let broken = masses.joints.iter().zip(&masses.joint_drive).any(|(row, w)| {
        let terms = row.iter().fold(w.abs(), |sum, (c, x)| sum + (x * &masses.velocity[*c]).abs());
        (dot(row, &masses.velocity) + w).abs() > terms * exact(BROKEN).unwrap_or_default()
    });
    let (start, first) = match broken {
        true => hold(&masses.velocity, &|k| drive[k].clone())?,
        false => (masses.velocity.clone(), vec![Q::zero(); joints.len()]),
    };
    let (change, second) = hold(free, &|_| Q::zero())?;
    let after: Vec<Q> = start.iter().zip(&change).map(|(v, dv)| v + dv).collect();

    // M (v⁺ − v⁻) = Jᵀp + Bᵀλ: half the work of both on v⁻ + v⁺.
    let both: Vec<Q> = masses.velocity.iter().zip(&after).map(|(a, b)| a + b).collect();
    let lambda = first.iter().zip(&second).map(|(a, b)| a + b);
    let worked = |impulse: Q, row: &Row| {
        if impulse.is_zero() { Q::zero() } else { impulse * dot(row, &both) }
    };
    let by_contacts = p.iter().zip(&masses.rows).map(|(p, row)| worked(p.clone(), row));
    let by_joints = lambda.zip(&joints).map(|(l, row)| worked(l, row));
    let doubled = by_contacts.chain(by_joints).fold(Q::zero(), |sum, x| sum + x);

    Ok(Motion {
        before: Masses::measure(&masses.rows, &masses.drive, &start),
        after: Masses::measure(&masses.rows, &masses.drive, &after),
        kinetic: Some(doubled / exact(2.0)?),
        terms: masses
            .rows
            .iter()
            .zip(&masses.drive)
            .map(|(row, w)| terms(row, w, &start))
            .collect(),
        w: delassus(masses, &joints, responses, &compliance)?,
    })
}

/// `J M⁻¹ Jᵀ` less what the joints take, rounded at the end: beside joints that hold nearly all of a row, differences of
/// doubles would be rounding alone.
fn delassus(
    masses: &Masses,
    joints: &[&Row],
    responses: &[Vec<Q>],
    compliance: &[Vec<Q>],
) -> Result<Vec<Vec<f64>>, String> {
    if joints.is_empty() || masses.rows.len().max(masses.velocity.len()) > MOST_EXACT {
        return Ok(delassus_near(masses, joints));
    }
    let sides: Vec<Vec<Q>> = masses
        .rows
        .iter()
        .map(|row| {
            let mut x = vec![Q::zero(); masses.velocity.len()];
            row.iter().for_each(|(c, v)| x[*c] = v.clone());
            x
        })
        .collect();
    let free = divide(masses, &sides).ok_or("the mass matrix is singular")?;
    let open: Vec<Vec<Q>> =
        free.iter().map(|v| joints.iter().map(|row| dot(row, v)).collect()).collect();
    let taken = solve(compliance, &open).ok_or("joint rows depend on each other")?;
    let held = |i: usize| {
        let mut v = free[i].clone();
        for (response, l) in responses.iter().zip(&taken[i]) {
            v.iter_mut().zip(response).for_each(|(v, r)| *v -= r * l);
        }
        let left = dot(&masses.rows[i], &v);
        let locked = near(&left) <= LOCKED * LOCKED * near(&dot(&masses.rows[i], &free[i]));
        (!locked).then_some(v)
    };
    let velocities: Vec<Option<Vec<Q>>> = (0..sides.len()).map(held).collect();
    let entry = |i: usize, j: usize| match (&velocities[i], &velocities[j]) {
        (Some(v), Some(_)) => near(&dot(&masses.rows[j], v)),
        _ => 0.0,
    };
    Ok((0..sides.len()).map(|i| (0..sides.len()).map(|j| entry(i, j)).collect()).collect())
}

fn terms(row: &Row, drive: &Q, v: &[Q]) -> f64 {
    row.iter().fold(near(&drive.abs()), |sum, (c, x)| sum + near(&(x * &v[*c]).abs()))
}

/// `M⁻¹ x` of several `x`, block by block.
fn divide(masses: &Masses, sides: &[Vec<Q>]) -> Option<Vec<Vec<Q>>> {
    let mut answers = vec![vec![Q::zero(); masses.velocity.len()]; sides.len()];
    for (first, block) in &masses.blocks {
        if let [row] = &block[..] {
            for (answer, side) in answers.iter_mut().zip(sides) {
                answer[*first] = &side[*first] / &row[0];
            }
            continue;
        }
        let range = *first..first + block.len();
        let parts: Vec<Vec<Q>> = sides.iter().map(|side| side[range.clone()].to_vec()).collect();
        for (answer, part) in answers.iter_mut().zip(solve(block, &parts)?) {
            answer[range.clone()].clone_from_slice(&part);
        }
    }
    Some(answers)
}

fn divide_near(masses: &Masses, side: &[f64]) -> Vec<f64> {
    let mut answer = vec![0.0; side.len()];
    for (first, block) in &masses.blocks {
        let range = *first..first + block.len();
        if let [row] = &block[..] {
            answer[*first] = side[*first] / near(&row[0]);
            continue;
        }
        let block: Vec<Vec<f64>> = block.iter().map(|row| row.iter().map(near).collect()).collect();
        if let Some(part) = solve_near(&block, &[side[range.clone()].to_vec()]) {
            answer[range].copy_from_slice(&part[0]);
        }
    }
    answer
}

fn dense_near(row: &Row, size: usize) -> Vec<f64> {
    let mut x = vec![0.0; size];
    row.iter().for_each(|(c, v)| x[*c] = near(v));
    x
}

fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// `J M⁻¹ Jᵀ` less what the joints take, in doubles.
fn delassus_near(masses: &Masses, joints: &[&Row]) -> Vec<Vec<f64>> {
    let size = masses.velocity.len();
    let rows: Vec<Vec<f64>> = masses.rows.iter().map(|row| dense_near(row, size)).collect();
    let joints: Vec<Vec<f64>> = joints.iter().map(|row| dense_near(row, size)).collect();
    let answers: Vec<Vec<f64>> = joints.iter().map(|row| divide_near(masses, row)).collect();
    let compliance: Vec<Vec<f64>> =
        joints.iter().map(|a| answers.iter().map(|b| inner(a, b)).collect()).collect();
    let change = |row: &Vec<f64>| {
        let mut v = divide_near(masses, row);
        let open: Vec<f64> = joints.iter().map(|b| inner(b, &v)).collect();
        if let Some(lambda) = solve_near(&compliance, &[open]) {
            for (answer, l) in answers.iter().zip(&lambda[0]) {
                v.iter_mut().zip(answer).for_each(|(v, r)| *v -= r * l);
            }
        }
        v
    };
    let changes: Vec<Vec<f64>> = rows.iter().map(change).collect();
    rows.iter().map(|row| changes.iter().map(|v| inner(row, v)).collect()).collect()
}

/// The joint rows that say something new, most of it first.
fn independent(masses: &Masses) -> Result<Vec<usize>, String> {
    let size = masses.velocity.len();
    let length = |y: &[f64]| f64::sqrt(inner(y, &divide_near(masses, y)));
    let rows = masses.joints.iter().enumerate().filter(|(_, row)| !row.is_empty());
    let mut left: Vec<(usize, Vec<f64>)> =
        rows.map(|(k, row)| (k, dense_near(row, size))).collect();
    for (_, y) in &mut left {
        let length = length(y);
        y.iter_mut().for_each(|x| *x /= length);
    }
    let (mut basis, mut kept): (Vec<Vec<f64>>, Vec<usize>) = (vec![], vec![]);
    let remove = |y: &mut Vec<f64>, q: &Vec<f64>| {
        let share = inner(y, &divide_near(masses, q));
        y.iter_mut().zip(q).for_each(|(y, q)| *y -= share * q);
    };
    // The first of equals, which rounding does not tell apart.
    let clearly = |more: f64, less: f64| more * more > less * less * (1.0 + EQUAL);
    let most = |left: &[(usize, Vec<f64>)]| {
        let lengths: Vec<f64> = left.iter().map(|(_, y)| length(y)).collect();
        (0..left.len()).reduce(|a, b| if clearly(lengths[b], lengths[a]) { b } else { a })
    };
    while let Some(most) = most(&left) {
        let (k, mut y) = left.remove(most);
        if length(&y) <= REDUNDANT {
            break;
        }
        basis.iter().for_each(|q| remove(&mut y, q));
        let length = length(&y);
        y.iter_mut().for_each(|x| *x /= length);
        left.iter_mut().for_each(|(_, other)| (0..2).for_each(|_| remove(other, &y)));
        basis.push(y);
        kept.push(k);
    }
    Ok(kept)
}

/// Contacts in groups that exchange energy.
fn groups(problem: &Problem, w: &[Vec<f64>]) -> Vec<Vec<usize>> {
    let n = problem.contacts.len();
    let coupled = |a: &Contact, b: &Contact| {
        let strong = |i: usize, j: usize| w[i][j].abs() > COUPLING * f64::sqrt(w[i][i] * w[j][j]);
        a.rows.clone().any(|i| b.rows.clone().any(|j| strong(i, j)))
    };
    let mut group: Vec<usize> = (0..n).collect();
    for i in 0..n {
        for j in 0..i {
            let (a, b) = (group[i], group[j]);
            if a != b && coupled(&problem.contacts[i], &problem.contacts[j]) {
                group.iter_mut().filter(|g| **g == a.max(b)).for_each(|g| *g = a.min(b));
            }
        }
    }
    (0..n)
        .map(|g| (0..n).filter(|&k| group[k] == g).collect())
        .filter(|g: &Vec<usize>| !g.is_empty())
        .collect()
}

fn finding(inequality: &'static str, contact: usize, margin: f64, scale: f64) -> Finding {
    let (fails, edge) = (margin < -TOLERANCE * scale, margin + TOLERANCE * scale);
    // Scales are doubles, here and there.
    Finding {
        inequality,
        contact,
        margin,
        scale,
        fails,
        open: edge.abs() <= 1e-6 * TOLERANCE * scale,
    }
}

fn judge(problem: &Problem, p: &[Q], impulse: &[f64], motion: &Motion) -> Report {
    let Motion { before, after, w, .. } = motion;
    let near_all = |list: &[Q]| -> Vec<f64> { list.iter().map(near).collect() };
    let (u, v) = (near_all(before), near_all(after));
    let terms = |i: usize| (0..p.len()).map(|j| (w[i][j] * impulse[j]).abs()).sum::<f64>();
    let sizes: Vec<f64> = (0..p.len()).map(|i| u[i].abs() + terms(i)).collect();
    let both: Vec<Q> = before.iter().zip(after).map(|(a, b)| a + b).collect();
    let half = Q::new(1.into(), 2.into());
    let mut report = Report {
        energy_change: sum_products(p.iter().zip(&both)) * &half,
        kinetic_energy_change: motion.kinetic.clone(),
        cone_margin: None,
        normal_margin: None,
        separation_margin: None,
        findings: vec![],
    };
    for group in groups(problem, w) {
        let rows = || group.iter().flat_map(|&k| problem.contacts[k].rows.clone());
        let change = sum_products(rows().map(|i| (&p[i], &both[i]))) * &half;
        let inside: Vec<usize> = rows().collect();
        let outside = |i: usize| {
            (0..p.len())
                .filter(|j| !inside.contains(j))
                .map(move |j| (w[i][j] * impulse[i] * impulse[j]).abs())
        };
        let across: f64 = rows().flat_map(outside).sum();
        let scale: f64 = rows().map(|i| 0.5 * impulse[i].abs() * (u[i].abs() + v[i].abs())).sum();
        let scale = scale + across / TOLERANCE;
        let created = finding("energy", group[0], near(&-&change), scale);
        let mut lost = None;
        if let System::ContactSpace { delassus, .. } = &problem.system {
            lost = overdrawn(delassus, before, &inside)
                .map(|available| available.map(|available| near(&(available + &change))));
        }
        let open = matches!(lost, Some(None));
        let (margin, overdrawn) = match lost {
            Some(Some(left)) if left < created.margin => {
                (left, finding("energy", group[0], left, scale))
            }
            _ => (created.margin, finding("energy", group[0], 0.0, scale)),
        };
        report.findings.push(Finding {
            margin,
            fails: created.fails || overdrawn.fails,
            open: created.open || (open && !created.fails) || (overdrawn.fails && overdrawn.open),
            ..created
        });
        let normals = || group.iter().map(|&k| problem.contacts[k].rows.start);
        let fastest = normals().fold(0.0, |m: f64, i| m.max(u[i].abs()).max(v[i].abs()));
        let unseen = APPROACH * fastest / TOLERANCE;
        for &k in &group {
            let rounded = START * motion.terms[problem.contacts[k].rows.start] / TOLERANCE;
            report.contact(k, &problem.contacts[k], p, after, w, &sizes, unseen.max(rounded));
        }
    }
    report
}

/// The energy that there is, `½ uᵀW⁺u` over some rows; nothing where nothing is lost that is not there, because `u` lies
/// in the range of `W`; nothing inside where that is hard to tell.
fn overdrawn(w: &[Vec<Q>], u: &[Q], rows: &[usize]) -> Option<Option<Q>> {
    let diagonal: Vec<f64> = rows.iter().map(|&i| near(&w[i][i])).filter(|w| *w > 0.0).collect();
    let spread = diagonal.iter().copied().fold(0.0, f64::max)
        / diagonal.iter().copied().fold(f64::INFINITY, f64::min);
    if rows.len() > MOST_LOSING || spread > 1e6 {
        return Some(None);
    }
    if regular(w, rows) {
        return None;
    }
    // Rows that are independent, most of them first, and what the others are made of.
    let mut rest: Vec<Vec<Q>> =
        rows.iter().map(|&i| rows.iter().map(|&j| w[i][j].clone()).collect()).collect();
    let (mut kept, mut hard) = (vec![], false);
    loop {
        let share = |k: usize| near(&rest[k][k]) / near(&w[rows[k]][rows[k]]);
        let open =
            (0..rows.len()).filter(|k| !kept.contains(k) && near(&w[rows[*k]][rows[*k]]) > 0.0);
        let Some(k) = open.max_by(|&a, &b| share(a).total_cmp(&share(b))) else { break };
        let left = share(k);
        hard |= left > 1e-15 && left < 1e-9;
        if left < 1e-12 {
            break;
        }
        kept.push(k);
        let (pivot, column) = (rest[k][k].clone(), rest[k].clone());
        for row in &mut rest {
            let factor = &row[k] / &pivot;
            if !factor.is_zero() {
                row.iter_mut().zip(&column).for_each(|(x, y)| *x -= &factor * y);
            }
        }
    }
    if hard {
        return Some(None);
    }
    if kept.len() == rows.len() {
        return None;
    }
    // Null directions: one of each other row, undone by the kept ones; u less its part along them lies in the range.
    let at = |i: usize, j: usize| w[rows[i]][rows[j]].clone();
    let block: Vec<Vec<Q>> =
        kept.iter().map(|&i| kept.iter().map(|&j| at(i, j)).collect()).collect();
    let others: Vec<usize> = (0..rows.len()).filter(|k| !kept.contains(k)).collect();
    let sides: Vec<Vec<Q>> =
        others.iter().map(|&j| kept.iter().map(|&i| at(i, j)).collect()).collect();
    let null: Vec<Vec<Q>> = solve(&block, &sides)?
        .into_iter()
        .zip(&others)
        .map(|(x, &j)| {
            let mut direction = vec![Q::zero(); rows.len()];
            kept.iter().zip(x).for_each(|(&i, x)| direction[i] = -x);
            direction[j] = exact(1.0).unwrap_or_default();
            direction
        })
        .collect();
    let product = |a: &[Q], b: &[Q]| a.iter().zip(b).fold(Q::zero(), |sum, (a, b)| sum + a * b);
    let own: Vec<Q> = rows.iter().map(|&i| u[i].clone()).collect();
    let gram: Vec<Vec<Q>> =
        null.iter().map(|a| null.iter().map(|b| product(a, b)).collect()).collect();
    let along = solve(&gram, &[null.iter().map(|a| product(a, &own)).collect()])?.remove(0);
    let mut within = own;
    for (direction, share) in null.iter().zip(&along) {
        within.iter_mut().zip(direction).for_each(|(u, d)| *u -= d * share);
    }
    let side: Vec<Q> = kept.iter().map(|&i| within[i].clone()).collect();
    let answer = solve(&block, std::slice::from_ref(&side))?.remove(0);
    Some(Some(product(&side, &answer) * Q::new(1.into(), 2.into())))
}

/// Whether the rows are independent beyond doubt: elimination in doubles leaves a good share of every one.
fn regular(w: &[Vec<Q>], rows: &[usize]) -> bool {
    let mut rest: Vec<Vec<f64>> =
        rows.iter().map(|&i| rows.iter().map(|&j| near(&w[i][j])).collect()).collect();
    let whole: Vec<f64> = (0..rows.len()).map(|k| rest[k][k]).collect();
    for k in 0..rows.len() {
        let pivot = rest[k][k];
        if pivot.is_nan() || pivot <= 1e-6 * whole[k] {
            return false;
        }
        for i in k + 1..rows.len() {
            let factor = rest[i][k] / pivot;
            (k..rows.len()).for_each(|j| rest[i][j] -= factor * rest[k][j]);
        }
    }
    true
}

impl Report {
    #[expect(clippy::too_many_arguments, reason = "one contact of everything")]
    fn contact(
        &mut self,
        k: usize,
        contact: &Contact,
        p: &[Q],
        after: &[Q],
        w: &[Vec<f64>],
        sizes: &[f64],
        unseen: f64,
    ) {
        let first = contact.rows.start;
        if contact.bilateral {
            let each = contact
                .rows
                .clone()
                .map(|i| finding("bilateral", k, -near(&after[i].abs()), sizes[i]));
            self.findings.extend(each);
            return;
        }
        let lower = |least: &mut Option<Q>, x: &Q| {
            if least.as_ref().is_none_or(|least| x < least) {
                *least = Some(x.clone());
            }
        };
        let own = &p[contact.rows.clone()];
        if !contact.takes_part {
            let most =
                own.iter().map(|p| p.abs()).fold(Q::zero(), |a, b| if a < b { b } else { a });
            let (size, margin) = (near(&most), -most);
            lower(&mut self.cone_margin, &margin);
            lower(&mut self.normal_margin, &margin);
            self.findings.push(finding("normal_impulse", k, -size, size));
            self.findings.push(finding("cone", k, -size, size));
            return;
        }
        let reach = if w[first][first] > 0.0 { sizes[first] / w[first][first] } else { 0.0 };
        let normal = &own[0];
        let square = own[1..].iter().fold(Q::zero(), |sum, p| sum + p * p);
        lower(&mut self.normal_margin, normal);
        lower(&mut self.separation_margin, &after[first]);
        let size = near(&normal.abs());
        self.findings.push(finding("normal_impulse", k, near(normal), size.max(reach)));
        self.findings.push(finding("separation", k, near(&after[first]), sizes[first].max(unseen)));
        match &contact.mu {
            Some(mu) if own.len() > 1 => {
                let limit = mu * normal;
                let sum: f64 = own[1..].iter().map(|p| near(&p.abs())).sum();
                let scale = (near(&limit.abs()) + sum).max(reach);
                let margin = &limit - root(&square);
                lower(&mut self.cone_margin, &margin);
                // |p_t| > μ p_n + slack, by squares.
                let bound = &limit + exact(TOLERANCE * scale).unwrap_or_default();
                let fails = bound.is_negative() || square > &bound * &bound;
                self.findings.push(Finding { fails, ..finding("cone", k, near(&margin), scale) });
            }
            _ => {
                lower(&mut self.cone_margin, normal);
                self.findings.push(finding("cone", k, near(normal), size.max(reach)));
            }
        }
    }

    /// Whether every condition holds up to the tolerance.
    pub fn is_permissible(&self) -> bool {
        !self.findings.iter().any(|finding| finding.fails)
    }

    /// Where a certificate, as carom prints it, says something else: numbers farther from the exact ones than its bounds,
    /// conditions that fail here and not there or the other way. Conditions within rounding of their tolerance, or of the
    /// bound of the certificate, may be seen either way.
    pub fn disagreements(&self, certificate: &Value) -> Vec<String> {
        let mut found = Vec::new();
        let number = |value: &Value| match value {
            Value::String(_) => f64::INFINITY,
            other => other.as_f64().unwrap_or(f64::NAN),
        };
        let bound = |key: &str| number(&certificate["rounding"][key]);
        let energy = Some(self.energy_change.clone());
        for (key, exactly, bounded_by) in [
            ("energy_change", &energy, "energy_change"),
            ("cone_margin", &self.cone_margin, "cone_margin"),
            ("normal_margin", &self.normal_margin, "cone_margin"),
            ("separation_margin", &self.separation_margin, "separation_margin"),
        ] {
            let told = number(&certificate[key]);
            let agrees = match (exactly, exact(told), exact(bound(bounded_by))) {
                (None, ..) => told == f64::INFINITY,
                (Some(x), Ok(told), Ok(bound)) => (x - told).abs() <= bound,
                _ => false,
            };
            if !agrees {
                let exactly = exactly.as_ref().map_or(f64::INFINITY, near);
                found.push(format!(
                    "{key} is {told} ± {} and should be {exactly}",
                    bound(bounded_by)
                ));
            }
        }
        let told = certificate["verdict"]["violates"].as_array().cloned().unwrap_or_default();
        for inequality in ["energy", "separation", "normal_impulse", "cone", "bilateral"] {
            let slack = match inequality {
                "energy" => bound("energy_change"),
                "cone" | "normal_impulse" => bound("cone_margin"),
                _ => bound("separation_margin"),
            };
            let own = || self.findings.iter().filter(|f| f.inequality == inequality);
            let open = |f: &&Finding| f.open || (f.margin + TOLERANCE * f.scale).abs() <= slack;
            let surely = own().any(|f| f.fails && !open(&f));
            let perhaps = own().any(|f| f.fails || open(&f));
            let says = told.iter().any(|name| name == inequality);
            if (surely && !says) || (says && !perhaps) {
                let worst =
                    own().min_by(|a, b| (a.margin / a.scale).total_cmp(&(b.margin / b.scale)));
                let (margin, scale) = worst.map_or((0.0, 0.0), |f| (f.margin, f.scale));
                let word = if says { "fails" } else { "holds" };
                found.push(format!(
                    "{inequality} {word} by the certificate; margin {margin:e}, scale {scale:e}"
                ));
            }
        }
        found
    }

    /// The change of the kinetic energy, where masses are known \[J\].
    pub fn kinetic_energy_change(&self) -> Option<f64> {
        self.kinetic_energy_change.as_ref().map(near)
    }

    /// `½ p·(u⁻ + u⁺)`, rounded once \[J\].
    pub fn energy_change(&self) -> f64 {
        near(&self.energy_change)
    }

    /// How far a number is from the exact `energy_change`, rounded once \[J\].
    pub fn error_of_energy(&self, told: f64) -> f64 {
        exact(told).map_or(f64::INFINITY, |told| near(&(told - &self.energy_change).abs()))
    }

    /// The report as JSON.
    pub fn to_json(&self) -> Value {
        let rounded = |x: &Option<Q>| x.as_ref().map_or(json!("inf"), |x| json!(near(x)));
        let violations: Vec<Value> = self
            .findings
            .iter()
            .filter(|f| f.fails)
            .map(|f| json!({ "inequality": f.inequality, "contact": f.contact, "margin": f.margin, "scale": f.scale }))
            .collect();
        json!({
            "energy_change": near(&self.energy_change),
            "kinetic_energy_change": self.kinetic_energy_change.as_ref().map(near),
            "cone_margin": rounded(&self.cone_margin),
            "normal_margin": rounded(&self.normal_margin),
            "separation_margin": rounded(&self.separation_margin),
            "permissible": self.is_permissible(),
            "violations": violations,
        })
    }
}
