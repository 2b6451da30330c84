//! `carom outcomes`: the honest answer to a question that mechanics alone leaves open.

use super::{Exit, Loaded, Refusal, print, print_json};
use crate::cli::Outcomes as Arguments;
use crate::colour::{BAD, GOOD};
use crate::progress::{self, Display};
use crate::table::{Cell, Table};
use anstyle::Style;
use carom::ContactProblem;
use carom::system::After;
use carom_io::failure::Failure;
use carom_report::answer::OutcomesAnswer;
use carom_report::comparison::Entry;
use carom_report::numbers::{column, significant};
use carom_report::outcomes::{Family, Outcomes, Quantiles, Request};
use carom_report::words;

/// No line is longer [characters].
const WIDTH: usize = 100;
/// No more quantities than this are shown to people \[1\].
const MOST_QUANTITIES: usize = 8;
/// Wider stiffnesses leave the range in which springs can be compared \[1\].
const MOST_DECADES: f64 = 20.0;

pub fn run(args: &Arguments) -> Result<Exit, Refusal> {
    let decades = args.stiffness_decades;
    if !(0.0..=MOST_DECADES).contains(&decades) {
        let text = format!("--stiffness-decades: {decades} must lie between 0 and {MOST_DECADES}");
        return Err(Failure::Usage(text).into());
    }
    let request = Request {
        samples: args.samples,
        orders: args.orders,
        stiffnesses: args.stiffnesses,
        decades,
        seed: args.seed,
    };
    let loaded = Loaded::open(&args.file)?;
    let _working = progress::working();
    let outcomes = {
        let display = Display::of("outcomes");
        Outcomes::of(&loaded.problem, &request, &display)
    };
    let outcomes = match outcomes {
        Ok(Some(outcomes)) => outcomes,
        Ok(None) => return Ok(Exit::Interrupted),
        Err(error) => {
            return Err(Refusal { failure: error.into(), source: Some(loaded.source) });
        }
    };
    let problem = loaded.problem.system.problem();
    if args.json {
        let problem = &loaded.problem;
        print_json(&OutcomesAnswer { problem, request: &request, outcomes: &outcomes })
    } else if args.csv {
        print(&csv(problem, &outcomes))
    } else {
        print(&screen(loaded.problem.title.as_deref(), problem, &outcomes))
    }
}

fn screen(title: Option<&str>, problem: &ContactProblem, outcomes: &Outcomes) -> String {
    let bold = Style::new().bold();
    let mut lines: Vec<String> = title.map(|t| format!("{bold}{t}{bold:#}")).into_iter().collect();
    lines.push(facts(problem, outcomes));
    lines.push(String::new());
    lines.extend(outcomes.families.iter().flat_map(introduced));
    lines.push(String::new());
    let spreads = Spreads::of(problem, outcomes);
    lines.extend(spreads.table().lines(2));
    if spreads.hidden > 0 {
        let more = match spreads.hidden {
            1 => "one more velocity".into(),
            n => format!("{n} more velocities"),
        };
        lines.push(format!("… and {more}: --json and --csv have them all"));
    }
    if !outcomes.laws.answers.is_empty() {
        lines.push(String::new());
        lines.extend(spreads.law_table(outcomes));
    }
    lines.join("\n") + "\n"
}

/// The problem and its permissible set in one line.
fn facts(problem: &ContactProblem, outcomes: &Outcomes) -> String {
    let mut facts = vec![match problem.len() {
        1 => "1 contact".to_owned(),
        n => format!("{n} contacts"),
    }];
    facts.extend(outcomes.energy_available.map(|e| format!("E0 {} J", significant(e, 5))));
    if let Some(set) = outcomes.set {
        facts.extend(
            set.diameter.map(|d| format!("outcomes differ by up to {} |v⁻|", significant(d, 3))),
        );
        if problem.len() > 1 {
            facts.push(match set.stieltjes {
                true => "no push opens another contact".into(),
                false => "pushes open other contacts".into(),
            });
        }
    }
    facts.join(" · ")
}

/// What a family is, how many there are, or why there are none.
fn introduced(family: &Family) -> Vec<String> {
    let dim = Style::new().dimmed();
    let text = match &family.drawn {
        Err(error) => format!("skipped: {error}"),
        Ok(drawn) => {
            let unfinished = match drawn.unfinished {
                0 => String::new(),
                n => format!("; {n} came to no end"),
            };
            format!("{} {}{unfinished}", drawn.samples.len(), family.about)
        }
    };
    const INDENT: usize = 12;
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.len() - 1;
        if !lines[last].is_empty()
            && INDENT + lines[last].chars().count() + word.chars().count() >= WIDTH
        {
            lines.push(word.to_owned());
            continue;
        }
        if !lines[last].is_empty() {
            lines[last].push(' ');
        }
        lines[last].push_str(word);
    }
    let ids = std::iter::once(family.id).chain(std::iter::repeat(""));
    ids.zip(&lines).map(|(id, line)| format!("{dim}{id:<INDENT$}{dim:#}{line}")).collect()
}

/// The name of a column as people say it.
fn short(name: &str) -> String {
    match name.strip_prefix("contact_velocity_") {
        Some(row) => format!("u_{row}⁺"),
        None if name == "energy_ratio" => "E⁺/E0".into(),
        None => match name.rsplit_once("angular_velocity[") {
            Some((body, axis)) => format!("{body}ω[{axis}"),
            None => match name.rsplit_once("velocity[") {
                Some((body, axis)) => format!("{body}v[{axis}"),
                None => name.to_owned(),
            },
        },
    }
}

/// One quantity of one source.
struct Line {
    from: &'static str,
    values: Option<Quantiles>,
    /// Too few to tell more than the ends.
    ends_only: bool,
}

/// The quantities worth showing, each from every source.
struct Spreads {
    quantities: Vec<(String, Vec<Line>)>,
    /// Which of all quantities they are.
    shown: Vec<usize>,
    /// What every law says of them.
    laws: Vec<Vec<f64>>,
    /// How many are not shown.
    hidden: usize,
}

impl Spreads {
    fn of(problem: &ContactProblem, outcomes: &Outcomes) -> Self {
        let quantities = |entry: &Entry| {
            let r = &entry.resolution;
            let (velocity, energy) = (&r.outcome.velocity, r.certificate.energy_change);
            outcomes.quantities(problem, velocity, energy, &r.after)
        };
        let named: Vec<Vec<(String, f64)>> = outcomes.laws.answers.iter().map(quantities).collect();
        let mut names: Vec<String> =
            named.first().into_iter().flatten().map(|(name, _)| name.clone()).collect();
        let laws: Vec<Vec<f64>> =
            named.into_iter().map(|law| law.into_iter().map(|(_, x)| x).collect()).collect();
        let mut sources: Vec<(&'static str, Vec<Quantiles>, bool)> = Vec::new();
        for family in &outcomes.families {
            let Ok(drawn) = &family.drawn else { continue };
            let spread = outcomes.spread(problem, &drawn.samples);
            if names.is_empty() {
                names = spread.iter().map(|(name, _)| name.clone()).collect();
            }
            sources.push((family.id, spread.into_iter().map(|(_, q)| q).collect(), false));
        }
        let of_laws = (0..names.len()).filter_map(|i| {
            let permissible = outcomes.laws.answers.iter().zip(&laws);
            let permissible = permissible.filter(|(entry, _)| entry.is_permissible());
            Quantiles::of(permissible.map(|(_, values)| values[i]).collect())
        });
        sources.push(("laws", of_laws.collect(), true));
        // What is the same whatever happens, as the rest of a wall, is no news.
        let varies = |i: &usize| {
            let ends = sources.iter().filter_map(|(_, spread, _)| spread.get(*i));
            let low = ends.clone().fold(f64::INFINITY, |m, q| m.min(q.min));
            ends.fold(f64::NEG_INFINITY, |m, q| m.max(q.max)) > low
        };
        let mut shown: Vec<usize> = (0..names.len()).filter(varies).collect();
        let hidden = shown.len().saturating_sub(MOST_QUANTITIES);
        shown.truncate(MOST_QUANTITIES);
        let lines =
            |i: usize| {
                let line = |(from, spread, ends_only): &(&'static str, Vec<Quantiles>, bool)| {
                    Line { from, values: spread.get(i).copied(), ends_only: *ends_only }
                };
                (short(&names[i]), sources.iter().map(line).collect())
            };
        Self { quantities: shown.iter().map(|&i| lines(i)).collect(), shown, laws, hidden }
    }

    fn table(&self) -> Table {
        const DIGITS: usize = 4;
        let bold = Style::new().bold();
        let mut table = Table::default();
        if self.quantities.is_empty() {
            table.push(vec![Cell::left("Whatever the law, the outcome is the same.")]);
            return table;
        }
        let mut heading = vec![Cell::left("quantity"), Cell::left("over")];
        heading.extend(["min", "5 %", "50 %", "95 %", "max"].map(Cell::right));
        table.push(heading.into_iter().map(|cell| cell.styled(bold)).collect());
        for (name, lines) in &self.quantities {
            let mut name = Some(name.as_str());
            for line in lines {
                let Some(q) = line.values else { continue };
                let inner = |x: f64| match line.ends_only {
                    true => "–".into(),
                    false => significant(x, DIGITS),
                };
                let mut cells = vec![Cell::left(name.take().unwrap_or("")), Cell::left(line.from)];
                let end = |x: f64| significant(x, DIGITS);
                let texts = [end(q.min), inner(q.low), inner(q.median), inner(q.high), end(q.max)];
                cells.extend(texts.map(Cell::right));
                table.push(cells);
            }
        }
        table
    }

    /// One row per law, as many quantities as fit.
    fn law_table(&self, outcomes: &Outcomes) -> Vec<String> {
        for count in (0..=self.shown.len()).rev() {
            let table = self.law_columns(outcomes, count);
            if table.width(2) <= WIDTH {
                return table.lines(2);
            }
        }
        Vec::new()
    }

    fn law_columns(&self, outcomes: &Outcomes, count: usize) -> Table {
        const DIGITS: usize = 4;
        let bold = Style::new().bold();
        let mut table = Table::default();
        let mut heading = vec![Cell::left("law")];
        heading.extend(self.quantities[..count].iter().map(|(name, _)| Cell::right(name)));
        heading.push(Cell::left(""));
        table.push(heading.into_iter().map(|cell| cell.styled(bold)).collect());
        let columns: Vec<Vec<String>> = self.shown[..count]
            .iter()
            .map(|&i| column(&self.laws.iter().map(|law| law[i]).collect::<Vec<_>>(), DIGITS))
            .collect();
        for (k, entry) in outcomes.laws.answers.iter().enumerate() {
            let mut cells = vec![Cell::left(entry.resolution.law.id())];
            cells.extend(columns.iter().map(|texts| Cell::right(&texts[k])));
            cells.push(match entry.is_permissible() {
                true => Cell::left("✓").styled(GOOD),
                false => Cell::left("✗ violates").styled(BAD),
            });
            table.push(cells);
        }
        table
    }
}

/// Every outcome, one row each; those of the laws last.
fn csv(problem: &ContactProblem, outcomes: &Outcomes) -> String {
    let names = words::row_names(problem);
    let mut header = vec!["family".to_owned(), "item".into()];
    header.extend(names.iter().map(|n| format!("impulse_{n}")));
    header.extend(names.iter().map(|n| format!("contact_velocity_{n}")));
    header.extend(["energy_change", "energy_ratio"].map(String::from));
    let drawn = || {
        let families = outcomes.families.iter();
        families.filter_map(|f| Some((f.id, &f.drawn.as_ref().ok()?.samples)))
    };
    let first = drawn().find_map(|(_, samples)| samples.first()).map(|sample| &sample.after);
    let first = first.or(outcomes.laws.answers.first().map(|entry| &entry.resolution.after));
    let behind = first.map(After::columns).unwrap_or_default();
    header.extend(behind.into_iter().map(|(name, _)| name));
    let mut text = header.join(",") + "\n";
    let mut push = |family: &str,
                    item: &str,
                    impulse: &[f64],
                    velocity: &[f64],
                    energy: f64,
                    after: &After| {
        let mut fields = vec![family.to_owned(), item.to_owned()];
        fields.extend(impulse.iter().chain(velocity).map(f64::to_string));
        fields.push(energy.to_string());
        fields.push(outcomes.energy_ratio(energy).map_or_else(String::new, |r| r.to_string()));
        fields.extend(after.columns().iter().map(|(_, x)| x.to_string()));
        text.push_str(&(fields.join(",") + "\n"));
    };
    for (id, samples) in drawn() {
        for (k, s) in samples.iter().enumerate() {
            push(id, &k.to_string(), &s.impulse, &s.velocity, s.energy_change, &s.after);
        }
    }
    for entry in &outcomes.laws.answers {
        let r = &entry.resolution;
        let (p, u) = (&r.outcome.impulse, &r.outcome.velocity);
        push("law", r.law.id(), p, u, r.certificate.energy_change, &r.after);
    }
    text
}
