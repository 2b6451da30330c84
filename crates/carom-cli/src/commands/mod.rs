//! One module per command.

mod certify;
mod compare;
mod compliant;
mod explain;
mod figures;
#[cfg(feature = "import")]
mod import;
mod laws;
mod outcomes;
pub mod plot;
mod resolve;
mod simulate;
pub mod stream;
#[cfg(feature = "sweep")]
mod summarize;
#[cfg(feature = "sweep")]
mod sweep;
mod trace;

use crate::cli::{Cli, Command, LawChoice};
use crate::{colour, diagnostic, progress};
use carom::ImpactError;
use carom_io::answer::FailureAnswer;
use carom_io::build;
use carom_io::failure::Failure;
use carom_io::fingerprint;
use carom_io::format::{LawSpec, Problem, schema};
use carom_io::input::Source;
use carom_io::plain;
use carom_io::progress::Monitor;
use carom_io::resolution::Resolution;
use clap::CommandFactory;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// How a command ended, for scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Everything was answered.
    Answered = 0,
    /// A law has no answer, or some lines of a stream had errors.
    Unanswered = 1,
    /// The command line or the input is at fault.
    BadInput = 2,
    /// The impulse is not permissible.
    Violates = 3,
    /// Something could not be written, and neither input nor command line is at fault.
    Unwritten = 4,
    /// Some lines of a stream had errors, and some impulses are not permissible.
    UnansweredAndViolates = 5,
    /// Ctrl-C.
    Interrupted = progress::INTERRUPTED_STATUS as isize,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// A failure with the file it is about.
#[derive(Debug)]
pub struct Refusal {
    failure: Failure,
    source: Option<Box<Source>>,
}

impl<F: Into<Failure>> From<F> for Refusal {
    fn from(failure: F) -> Self {
        Self { failure: failure.into(), source: None }
    }
}

/// Runs a command; Ctrl-C stops it between two lines. What goes wrong is told on standard error, and to programs also on standard output.
pub fn run(cli: Cli) -> Exit {
    progress::catch_interrupts();
    let json = match &cli.command {
        Command::Resolve(args) => args.json,
        Command::Compare(args) => args.json,
        Command::Outcomes(args) => args.json,
        Command::Compliant(args) => args.json,
        Command::Simulate(args) => args.json,
        Command::Import(args) => args.json,
        Command::Certify(args) => args.json,
        Command::Summarize(args) => args.json,
        _ => false,
    };
    let result = match cli.command {
        Command::Laws(args) => laws::run(&args),
        Command::Resolve(args) => resolve::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Outcomes(args) => outcomes::run(&args),
        Command::Compliant(args) => compliant::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Certify(args) => certify::run(&args),
        Command::Plot(args) => plot::run(&args),
        Command::Figures(args) => figures::run(&args),
        #[cfg(feature = "import")]
        Command::Import(args) => import::run(&args),
        #[cfg(not(feature = "import"))]
        Command::Import(_) => Err(left_out("`carom import`").into()),
        #[cfg(feature = "sweep")]
        Command::Sweep(args) => sweep::run(&args),
        #[cfg(feature = "sweep")]
        Command::Summarize(args) => summarize::run(&args),
        #[cfg(not(feature = "sweep"))]
        Command::Sweep(_) => Err(left_out("`carom sweep`").into()),
        #[cfg(not(feature = "sweep"))]
        Command::Summarize(_) => Err(left_out("`carom summarize`").into()),
        Command::Schema { scene: false } => print(&schema::text()),
        Command::Schema { scene: true } => print(&carom_scene::schema::text()),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "carom", &mut script);
            print(&String::from_utf8_lossy(&script))
        }
    };
    match result {
        Ok(Exit::Interrupted) => {
            eprintln!("interrupted");
            Exit::Interrupted
        }
        Ok(exit) => exit,
        // The reader of our output has closed it.
        Err(Refusal { failure: Failure::Write { error, .. }, .. })
            if error.kind() == io::ErrorKind::BrokenPipe =>
        {
            Exit::Answered
        }
        Err(Refusal { failure, source }) => {
            if json {
                let answer = FailureAnswer { id: None, failure: &failure };
                // A reader that left does not hear of the error either: standard error does.
                let _ = print_json(&answer);
            }
            if progress::interrupted() {
                eprintln!("{}", plain::message(&failure.to_string()));
                return Exit::Interrupted;
            }
            anstream::eprint!("{}", diagnostic::report(&failure, source.as_deref()));
            match (failure.is_the_laws(), failure.is_the_machines()) {
                (true, _) => Exit::Unanswered,
                (_, true) => Exit::Unwritten,
                _ => Exit::BadInput,
            }
        }
    }
}

/// `carom --version --verbose`: the build, and whether its laws answer as they should.
pub fn version() -> Exit {
    let answers = fingerprint::answers();
    let expected = fingerprint::EXPECTED;
    let verdict = match answers.value() == expected {
        true => "as on every machine".to_owned(),
        false => format!("which should be {expected:016x}"),
    };
    let text = format!(
        "carom {}\nbuild    {}\nanswers  {}, {verdict}\n",
        env!("CARGO_PKG_VERSION"),
        build::identity(),
        answers.digits(),
    );
    match print(&text) {
        Ok(_) if answers.value() == expected => Exit::Answered,
        Ok(_) => Exit::Unanswered,
        Err(_) => Exit::Unwritten,
    }
}

/// What this build cannot do, and how to get one that can.
#[cfg(not(all(feature = "png", feature = "sweep")))]
pub(crate) fn left_out(what: &str) -> Failure {
    Failure::Usage(format!(
        "{what} is not in this build: get it with `cargo install --path crates/carom-cli --features full`, or run \
         `cargo run --release --features full -- …`"
    ))
}

/// Writes text, its colours removed unless a terminal shows them. Nothing else in it acts on a terminal.
fn print(text: &str) -> Result<Exit, Refusal> {
    let text = colour::nothing_else(text);
    let _whole = progress::writing();
    let mut output = anstream::stdout().lock();
    output.write_all(text.as_bytes()).map_err(Failure::from)?;
    output.flush().map_err(Failure::from)?;
    Ok(Exit::Answered)
}

fn print_json(answer: &impl serde::Serialize) -> Result<Exit, Refusal> {
    let text = serde_json::to_string_pretty(answer)
        .map_err(|error| Failure::Write { name: "standard output".into(), error: error.into() })?;
    print(&(plain::json(&text) + "\n"))
}

/// A file and the problem in it.
struct Loaded {
    source: Box<Source>,
    problem: Problem,
}

impl Loaded {
    fn open(path: &Path) -> Result<Self, Refusal> {
        let source = Box::new(Source::open(path)?);
        match source.problem() {
            Ok(problem) => Ok(Self { source, problem }),
            Err(failure) => Err(Refusal { failure, source: Some(source) }),
        }
    }

    /// The law asked for, else the problem's own.
    fn law(&self, choice: &LawChoice) -> Result<LawSpec, ImpactError> {
        let mut law = match &choice.law {
            Some(id) => LawSpec::new(id),
            None => self.problem.law_or_default(),
        };
        for assignment in &choice.set {
            law.set(assignment)?;
        }
        Ok(law)
    }

    /// A law that fails, shown in the file unless what is wrong was said on the command line.
    fn refuse(self, failure: impl Into<Failure>, choice: &LawChoice) -> Refusal {
        let failure = failure.into();
        let about_law = matches!(
            failure,
            Failure::Impact(ImpactError::UnknownLaw { .. } | ImpactError::BadSetting { .. })
        );
        let said_elsewhere = choice.law.is_some() || !choice.set.is_empty();
        Refusal { failure, source: (!(about_law && said_elsewhere)).then_some(self.source) }
    }

    /// The answer of the law that was chosen.
    fn resolve(
        self,
        choice: &LawChoice,
        observer: &mut Monitor,
    ) -> Result<(Problem, Resolution), Refusal> {
        let resolution = self
            .law(choice)
            .and_then(|law| law.build())
            .and_then(|law| Resolution::of(&self.problem.system, law, observer));
        match resolution {
            Ok(resolution) => Ok((self.problem, resolution)),
            Err(error) => Err(self.refuse(error, choice)),
        }
    }
}

/// Reads `1,2,3`, `[1, 2, 3]` or `1 2 3`.
fn parse_impulse(text: &str) -> Result<Vec<f64>, Failure> {
    text.trim_matches(|c: char| c.is_whitespace() || "[]()".contains(c))
        .split(|c: char| c == ',' || c.is_whitespace())
        .filter(|item| !item.is_empty())
        .map(|item| {
            item.parse::<f64>().ok().filter(|x| x.is_finite()).ok_or_else(|| {
                Failure::Usage(format!("--impulse: `{item}` must be a finite number"))
            })
        })
        .collect()
}
