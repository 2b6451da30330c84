//! `carom compliant`: the collision itself, not a law about it.

use super::compare::wrap;
use super::{Exit, Loaded, Refusal, print, print_json};
use crate::cli::{Compliant as Arguments, CompliantModel};
use crate::progress::{self, Display};
use crate::table::{Cell, Table};
use anstyle::Style;
use carom::system::BodyAfter;
use carom::{ContactProblem, ImpactError};
use carom_io::failure::Failure;
use carom_io::format::{CompliantSpec, LawSpec, Problem};
use carom_io::progress::{Monitor, ProgressSink};
use carom_io::resolution::Resolution;
use carom_report::answer::CompliantAnswer;
use carom_report::compliance::{self, CompliantRun, LawBeside};
use carom_report::numbers::{self, column, significant, thousands};
use carom_report::words::{self, DIGITS};
use carom_sim::compliant::{Compliance, Exponent, Moment, RunSettings, Spring};

/// No line is longer [characters].
const WIDTH: usize = 100;
/// What integration leaves open, relative to the size of such numbers, is not shown to people \[1\].
const NOISE: f64 = 1e-9;

pub fn run(args: &Arguments) -> Result<Exit, Refusal> {
    let settings = RunSettings {
        tolerance: checked("--tolerance", args.tolerance)?,
        max_steps: args.max_steps,
        max_time: args.max_time.map(|most| checked("--max-time", most)).transpose()?,
        history: args.history,
    };
    let said = spec(&args.model);
    let loaded = Loaded::open(&args.file)?;
    let compliance = compliance(&loaded.problem, &said)?;
    let _working = progress::working();
    let display = Display::of("following the collision");
    let followed = follow(&loaded.problem, compliance, &settings, args, &display);
    // The bar goes before anything is printed.
    drop(display);
    let (run, laws) = match followed {
        Ok(found) => found,
        Err(failure) => return Err(Refusal { failure, source: Some(loaded.source) }),
    };
    let problem = &loaded.problem;
    if args.json {
        return print_json(&CompliantAnswer { problem, run: &run, laws: &laws });
    }
    print(&screen(problem, &run, &laws))
}

/// The run, and the laws it is to be compared with.
fn follow(
    problem: &Problem,
    compliance: Compliance,
    settings: &RunSettings,
    args: &Arguments,
    display: &Display,
) -> Result<(CompliantRun, Vec<LawBeside>), Failure> {
    // Laws that do not exist are found out before the work.
    let laws = args.law.iter().map(|id| LawSpec::new(id).build()).collect::<Result<Vec<_>, _>>()?;
    let mut monitor = Monitor::new(display);
    let run = CompliantRun::of(&problem.system, compliance, args.frozen, settings, &mut monitor)?;
    let beside = laws.into_iter().map(|law| {
        let id = law.id();
        display.begin(id);
        let resolution = Resolution::of(&problem.system, law, &mut Monitor::new(display));
        let answer = resolution.map(|resolution| {
            let distance = run.distance(&problem.system, &resolution.outcome.impulse);
            (resolution, distance)
        });
        LawBeside { id, answer }
    });
    let beside = beside.collect();
    Ok((run, beside))
}

/// What the options say.
fn spec(model: &CompliantModel) -> CompliantSpec {
    CompliantSpec {
        modulus: model.modulus,
        stiffness: model.stiffness,
        exponent: model.exponent,
        radius: model.radius,
        dissipation: model.dissipation,
        transition_speed: model.transition_speed,
        static_ratio: model.static_ratio,
        viscous: model.viscous,
        gravity: model.gravity.clone(),
    }
}

/// What file and command line say together; the latter is blamed for what only it can be blamed for.
pub fn compliance(problem: &Problem, said: &CompliantSpec) -> Result<Compliance, Refusal> {
    let both = problem.compliant.overridden_by(said);
    compliance::compliance(&both).map_err(|error| match error {
        ImpactError::BadProblem { field, value, reason } => {
            let option = field.replace('_', "-");
            Failure::Usage(format!("--{option}: {value}: {reason}")).into()
        }
        other => other.into(),
    })
}

fn checked(option: &str, value: f64) -> Result<f64, Failure> {
    match value.is_finite() && value > 0.0 {
        true => Ok(value),
        false => Err(Failure::Usage(format!("{option}: {value} must be above 0"))),
    }
}

fn screen(problem: &Problem, run: &CompliantRun, laws: &[LawBeside]) -> String {
    let bold = Style::new().bold();
    let mut lines: Vec<String> =
        problem.title.iter().map(|title| format!("{bold}{title}{bold:#}")).collect();
    lines.extend(wrap("model", &model(problem, run)));
    lines.push(String::new());
    lines.extend(contact_table(problem, run));
    lines.push(String::new());
    lines.extend(energy_lines(run));
    lines.push(time_line(run));
    let after = &run.after;
    if let Some(velocity) = &after.velocity {
        lines.push(format!("v⁺       {} m/s", numbers::ends(velocity, DIGITS)));
    }
    let bodies = after.bodies.as_deref().unwrap_or_default();
    let all = |of: fn(&BodyAfter) -> &[f64]| {
        bodies.iter().flat_map(of).fold(0.0, |m: f64, x| m.max(x.abs()))
    };
    let (fastest, spin) = (all(|body| &body.velocity), all(|body| &body.angular_velocity));
    let clean = |values: &[f64], size: f64| -> Vec<f64> {
        values.iter().map(|x| if x.abs() <= NOISE * size { 0.0 } else { *x }).collect()
    };
    for body in bodies {
        lines.push(format!(
            "body     {}: v⁺ = {} m/s, ω⁺ = {} rad/s",
            body.name,
            numbers::vector(&clean(&body.velocity, fastest), DIGITS),
            numbers::vector(&clean(&body.angular_velocity, spin), DIGITS)
        ));
    }
    let effort = &run.outcome.effort;
    let count = |n: u64| thousands(usize::try_from(n).unwrap_or(usize::MAX));
    lines.push(format!(
        "effort   {} steps, {} of them implicit, {} evaluations",
        count(effort.explicit_steps + effort.implicit_steps),
        count(effort.implicit_steps),
        count(effort.evaluations),
    ));
    for law in laws {
        lines.push(match &law.answer {
            Ok((_, Some(distance))) => format!(
                "law      {}: {} of the velocity before away, in the norm of kinetic energy",
                law.id,
                significant(*distance, 3)
            ),
            Ok((_, None)) => format!("law      {}: there is no energy to compare", law.id),
            Err(error) => format!("law      {}: {error}", law.id),
        });
    }
    if !run.outcome.history.is_empty() {
        lines.push(String::new());
        lines.extend(history_table(problem, &run.outcome.history));
    }
    lines.join("\n") + "\n"
}

/// What contacts are like, in words.
pub fn model(problem: &Problem, run: &CompliantRun) -> String {
    let c = &run.compliance;
    let number = |x: f64| significant(x, 4);
    let unit = match c.exponent() {
        Exponent::Linear => "N/m",
        Exponent::Hertz => "N/m^1.5",
    };
    let mut facts = vec![match c.spring {
        Spring::Hertz { modulus } => format!(
            "Hertz, E = {} Pa, R = {} m: K = {} {unit}",
            number(modulus),
            number(c.radius),
            number(c.stiffness())
        ),
        Spring::Power { .. } => {
            format!("F = K δ^{}, K = {} {unit}", c.exponent().value(), number(c.stiffness()))
        }
    }];
    if c.dissipation > 0.0 {
        facts.push(format!("c = {} s/m", number(c.dissipation)));
    }
    if problem.system.problem().contacts().iter().any(|k| k.material.mu > 0.0) {
        facts.push(format!("friction smoothed below {} m/s", number(run.transition_speed)));
    }
    facts.push(match run.frozen {
        true => "the configuration stays as it is".into(),
        false => "bodies move and turn meanwhile".into(),
    });
    facts.join(", ")
}

/// Every contact on a line, with as many digits as fit; of many, the first and the last ones.
fn contact_table(problem: &Problem, run: &CompliantRun) -> Vec<String> {
    let problem = problem.system.problem();
    let (head, tail) = numbers::shown(problem.len());
    let shown: Vec<usize> = (0..head).chain(tail..problem.len()).collect();
    let mut lines = Vec::new();
    for (digits, gap) in [(5, 2), (4, 2), (4, 1), (3, 1)] {
        let table = contacts(problem, run, &shown, digits);
        lines = table.lines(gap);
        if table.width(gap) <= WIDTH {
            break;
        }
    }
    if head < tail {
        let more = thousands(tail - head);
        lines.insert(head + 1, format!("      …  {more} more contacts; --json has them all"));
    }
    lines.push("         impulses in N·s, velocities in m/s, penetration in m".into());
    lines
}

fn contacts(problem: &ContactProblem, run: &CompliantRun, shown: &[usize], digits: usize) -> Table {
    let most = (0..problem.len()).map(|k| problem.row_range(k).len()).max().unwrap_or(1);
    let axes = words::axes(most);
    let mut heading = vec![Cell::right("contact")];
    heading.extend(axes.iter().map(|a| Cell::right(format!("p_{a}"))));
    heading.extend(axes.iter().map(|a| Cell::right(format!("u_{a}⁺"))));
    heading.extend(["δ max", "closures", "e kinetic", "e energetic"].map(Cell::right));
    let mut table = Table::default();
    table.push(heading);
    let outcome = &run.outcome;
    let size = |values: &[f64]| values.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let speed = size(problem.velocity()).max(size(&outcome.contact_velocity));
    let impulse = size(&outcome.impulse);
    for &k in shown {
        let report = &outcome.contacts[k];
        let mut row = vec![Cell::right(k.to_string())];
        for (values, size) in [(&outcome.impulse, impulse), (&outcome.contact_velocity, speed)] {
            let own = &values[problem.row_range(k)];
            let clean = |x: f64| if x.abs() <= NOISE * size { 0.0 } else { x };
            row.extend(own.iter().map(|x| Cell::right(significant(clean(*x), digits))));
            row.extend((own.len()..most).map(|_| Cell::right("–")));
        }
        let ratio = |e: Option<f64>| Cell::right(e.map_or("–".into(), |e| significant(e, 4)));
        row.push(Cell::right(significant(report.peak_penetration, 4)));
        row.push(Cell::right(report.closures.to_string()));
        row.push(ratio(report.kinetic_restitution()));
        row.push(ratio(report.energetic_restitution()));
        table.push(row);
    }
    table
}

fn energy_lines(run: &CompliantRun) -> Vec<String> {
    let e = &run.outcome.energy;
    let noise = NOISE * e.scale;
    let number = |x: f64| significant(if x.abs() <= noise { 0.0 } else { x }, 5);
    let mut parts = vec![format!(
        "{} J before, {} J after, friction took {} J, dampers {} J",
        number(e.kinetic_start),
        number(e.kinetic_end),
        number(e.friction_loss),
        number(e.damping_loss)
    )];
    if e.weight_work.abs() > noise {
        parts.push(format!("weight gave {} J", number(e.weight_work)));
    }
    if e.supplied.abs() > noise {
        parts.push(format!("prescribed motion gave {} J", number(e.supplied)));
    }
    parts.push(format!("the balance closes to {}", significant(e.relative_residual(), 2)));
    wrap("energy", &parts.join(", "))
}

fn time_line(run: &CompliantRun) -> String {
    let outcome = &run.outcome;
    let touch = match outcome.first_touch {
        0.0 => String::new(),
        time => format!(", after {} s of free motion", significant(time, DIGITS)),
    };
    format!("time     {} s{touch}", significant(outcome.duration, DIGITS))
}

/// Some of the instants of a run, as many as people want to see.
fn history_table(problem: &Problem, history: &[Moment]) -> Vec<String> {
    let problem = problem.system.problem();
    let mut table = Table::default();
    let mut heading = vec![Cell::right("t s")];
    for k in 0..problem.len().min(2) {
        heading.extend(
            ["δ", "u_n", "|u_t|", "F_n", "p_n"].map(|name| Cell::right(format!("{name}[{k}]"))),
        );
    }
    table.push(heading);
    let (head, tail) = numbers::shown(history.len());
    let shown: Vec<&Moment> = (0..head).chain(tail..history.len()).map(|i| &history[i]).collect();
    let mut columns = vec![shown.iter().map(|m| m.time).collect::<Vec<f64>>()];
    for k in 0..problem.len().min(2) {
        let of = |value: fn(&carom_sim::compliant::ContactMoment) -> f64| {
            shown.iter().map(|m| value(&m.contacts[k])).collect::<Vec<f64>>()
        };
        columns.push(of(|c| c.penetration));
        columns.push(of(|c| c.velocity[0]));
        columns.push(of(|c| c.velocity[1].hypot(c.velocity[2])));
        columns.push(of(|c| c.force[0]));
        columns.push(of(|c| c.impulse[0]));
    }
    let columns: Vec<Vec<String>> = columns.iter().map(|values| column(values, 4)).collect();
    for i in 0..shown.len() {
        table.push(columns.iter().map(|column| Cell::right(&column[i])).collect());
    }
    let mut lines = table.lines(2);
    if head < tail {
        let more = thousands(tail - head);
        lines.insert(head + 1, format!("  … {more} more instants; --json has them all"));
    }
    lines
}
