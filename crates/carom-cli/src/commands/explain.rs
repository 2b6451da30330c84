//! `carom explain`: which physical conditions an impulse fulfils, and by how much.

use super::{Exit, Loaded, Refusal, parse_impulse, print};
use crate::cli::Explain;
use crate::resolution::judge;
use crate::table::{Cell, Table, significant, vector};
use crate::words::{self, BAD, DIGITS, GOOD};
use anstyle::Style;
use carom::certify::Inequality;
use carom::{Certificate, ContactProblem, Verdict};

pub fn run(args: &Explain) -> Result<Exit, Refusal> {
    let loaded = Loaded::open(&args.file)?;
    let (problem, origin, impulse, certificate) = match &args.impulse {
        Some(impulse) => {
            let impulse = parse_impulse(impulse)?;
            let (certificate, _) = judge(&loaded.problem.system, &impulse)?;
            (loaded.problem, "given".to_owned(), impulse, certificate)
        }
        None => {
            let (problem, r) = loaded.resolve(&args.law, None)?;
            let origin = words::law_with_settings(&r.law);
            (problem, origin, r.outcome.impulse, r.certificate)
        }
    };
    let problem = problem.system.problem();
    let bold = Style::new().bold();
    let mut lines = vec![
        format!(
            "{bold}p  = {} N·s{bold:#}, {origin}",
            vector(&impulse, DIGITS)
        ),
        format!("u⁻ = {} m/s", vector(problem.velocity(), DIGITS)),
        format!(
            "u⁺ = {} m/s",
            vector(&problem.velocity_after(&impulse), DIGITS)
        ),
        String::new(),
    ];
    lines.extend(conditions(&certificate, problem).lines(2));
    lines.push(String::new());
    lines.push(format!("verdict  {}", words::verdict(&certificate)));
    print(&(lines.join("\n") + "\n"))
}

/// The conditions, each with its formula, its margin and whether it holds.
fn conditions(c: &Certificate, problem: &ContactProblem) -> Table {
    let mut table = Table::default();
    let bilateral = problem
        .contacts()
        .iter()
        .any(|k| k.kind == carom::ContactKind::Bilateral);
    for (inequality, words, formula, margin, unit) in [
        (
            Inequality::Energy,
            "no energy is created",
            "−½ p·(u⁻ + u⁺) ≥ 0",
            -c.energy_change,
            "J",
        ),
        (
            Inequality::Separation,
            "the bodies separate",
            "u_n⁺ ≥ 0",
            c.separation_margin,
            "m/s",
        ),
        (
            Inequality::NormalImpulse,
            "the bodies push",
            "p_n ≥ 0",
            c.normal_margin,
            "N·s",
        ),
        (
            Inequality::Cone,
            "friction stays in its cone",
            "mu p_n − |p_t| ≥ 0",
            c.cone_margin,
            "N·s",
        ),
        (
            Inequality::Bilateral,
            "joints hold",
            "−|u⁺| = 0",
            -c.bilateral_residual,
            "m/s",
        ),
    ] {
        if inequality == Inequality::Bilateral && !bilateral {
            continue;
        }
        let violated =
            matches!(&c.verdict, Verdict::Violates(which) if which.contains(&inequality));
        let mark = match violated {
            true => Cell::left("violated").styled(BAD),
            false => Cell::left("holds").styled(GOOD),
        };
        table.push(vec![
            Cell::left(words),
            Cell::left(formula),
            Cell::right(significant(margin, DIGITS)),
            Cell::left(unit),
            mark,
        ]);
    }
    table
}
