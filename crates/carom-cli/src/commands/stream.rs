//! `--ndjson`: one question per line in, one answer per line out, in order, each as soon as it is known.

use super::Exit;
use super::certify::Exact;
use crate::progress::{self, Display};
use carom::{ImpactError, Law};
use carom_io::answer::{FailureAnswer, JudgementAnswer, ResolutionAnswer};
use carom_io::failure::Failure;
use carom_io::format::{Cursor, LawSpec, Node, Problem};
use carom_io::input::{next_line, without_mark, without_position};
use carom_io::plain;
use carom_io::progress::Monitor;
use carom_io::resolution::Resolution;
use carom_scene::answer::MotionAnswer;
use carom_scene::{SceneFile, times};
use carom_sim::motion::{EndReason, MotionObserver, Options, simulate_observed};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;

/// What became of the lines of a stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Lines that have an answer \[1\].
    pub answered: u64,
    /// Lines that have an error instead \[1\].
    pub failed: u64,
    /// Answered lines whose impulse is not permissible \[1\].
    pub violating: u64,
    /// Whether Ctrl-C ended the stream.
    pub interrupted: bool,
}

impl Tally {
    /// How a stream of judgements ends, for scripts; both kinds of trouble are told to people.
    pub fn exit(&self) -> Exit {
        match (self.failed, self.violating) {
            _ if self.interrupted => Exit::Interrupted,
            (0, 0) => Exit::Answered,
            (0, _) => Exit::Violates,
            (_, 0) => Exit::Unanswered,
            (failed, violating) => {
                let (answered, lines) = (self.answered, self.answered + failed);
                eprintln!(
                    "{failed} of {lines} lines had errors; {violating} of the {answered} impulses judged are not permissible"
                );
                Exit::UnansweredAndViolates
            }
        }
    }
}

/// A line. Other keys are the caller's own business.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    problem: Option<&'a RawValue>,
    #[serde(borrow)]
    law: Option<&'a RawValue>,
    #[serde(borrow)]
    impulse: Option<&'a RawValue>,
    #[serde(borrow)]
    scene: Option<&'a RawValue>,
    #[serde(borrow)]
    at: Option<&'a RawValue>,
}

/// Resolves `{"id", "problem", "law"}` line by line. `default_law` serves lines without one.
pub fn resolve(
    input: &mut impl BufRead,
    output: &mut impl Write,
    default_law: Option<&LawSpec>,
) -> io::Result<Tally> {
    // A bar would run through the answers; Ctrl-C ends the stream between two of them.
    let display = Display::none();
    each_line(input, output, |line, output| {
        let problem = read_problem(line)?;
        let law = match line.law {
            Some(raw) => LawSpec::read(&parse(raw.get())?)?,
            None => default_law.or(problem.law.as_ref()).cloned().ok_or_else(|| {
                unparseable(
                    "the line has no `law`, nor has its problem, nor was --law given".into(),
                )
            })?,
        };
        let resolution =
            Resolution::of(&problem.system, law.build()?, &mut Monitor::new(&display))?;
        let answer = ResolutionAnswer {
            id: line.id.or(Some(RawValue::NULL)),
            resolution: &resolution,
            trace: None,
        };
        write_line(output, &answer);
        Ok(resolution.certificate.verdict.is_permissible())
    })
}

/// Certifies `{"id", "problem", "impulse"}` line by line, with `exact` in rational numbers as well.
pub fn certify(
    input: &mut impl BufRead,
    output: &mut impl Write,
    exact: bool,
) -> io::Result<Tally> {
    each_line(input, output, |line, output| {
        let problem = read_problem(line)?;
        let absent =
            || ImpactError::bad_problem("impulse", "(absent)", "required: one number per row");
        let impulse = match parse(line.impulse.ok_or_else(absent)?.get())? {
            Node::Numbers(impulse) => impulse,
            other => {
                let reason = "must be a list of numbers";
                return Err(ImpactError::bad_problem("impulse", other.brief(), reason).into());
            }
        };
        let (certificate, after) = carom::certify(&problem.system, &impulse)?;
        let text = line.problem.filter(|_| exact).map(|problem| problem.get());
        let exact = text.map(|text| Exact::of(text, &impulse, &certificate)).transpose()?;
        let answer = JudgementAnswer {
            id: line.id.or(Some(RawValue::NULL)),
            certificate: &certificate,
            contact_velocity: &problem.system.problem().velocity_after(&impulse),
            after: &after,
            exact: exact.as_ref().map(Exact::to_json),
        };
        write_line(output, &answer);
        let exactly = exact.as_ref().is_none_or(Exact::agrees_and_holds);
        Ok(certificate.verdict.is_permissible() && exactly)
    })
}

/// What is wanted of every motion of a stream.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// In place of the law of scenes, where a line names none.
    pub law: Option<Law>,
    /// Whether samples tell the contacts that last.
    pub contacts: bool,
    /// Whether changes of feature are events.
    pub features: bool,
}

/// Follows `{"id", "scene", "at", "law"}` line by line. A motion that could not be followed to its end counts as
/// violating: it has an answer, but not the one that was asked for.
pub fn simulate(
    input: &mut impl BufRead,
    output: &mut impl Write,
    wanted: &Wanted,
) -> io::Result<Tally> {
    each_line(input, output, |line, output| {
        let absent = || ImpactError::bad_problem("scene", "(absent)", "the line needs a scene");
        let file = SceneFile::read(&parse(line.scene.ok_or_else(absent)?.get())?)?;
        let mut options = Options::default();
        if let Some(at) = line.at {
            let node = parse(at.get())?;
            options.at = times(&Cursor::root(&node, "at"), file.scene.duration)?;
        }
        options.law = match line.law {
            Some(raw) => Some(LawSpec::read(&parse(raw.get())?)?.build()?),
            None => wanted.law,
        };
        options.contacts = wanted.contacts;
        options.features = wanted.features;
        let motion = simulate_observed(&file.scene, &options, &mut UntilInterrupted)?;
        let answer = MotionAnswer {
            id: line.id.or(Some(RawValue::NULL)),
            scene: &file.scene,
            motion: &motion,
            contacts: wanted.contacts,
            check: None,
        };
        write_line(output, &answer);
        Ok(!matches!(motion.end.reason, EndReason::Failed(_)))
    })
}

/// No bar would go with the answers; Ctrl-C ends the motion.
struct UntilInterrupted;

impl MotionObserver for UntilInterrupted {
    fn progress(&mut self, _time: f64) -> ControlFlow<()> {
        match progress::interrupted() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

/// Feeds every line to `answer`, which writes its answer and says whether it is permissible.
fn each_line(
    input: &mut impl BufRead,
    output: &mut impl Write,
    mut answer: impl FnMut(&Line, &mut Vec<u8>) -> Result<bool, Failure>,
) -> io::Result<Tally> {
    let mut tally = Tally::default();
    let mut buffer = Vec::new();
    let mut written = Vec::new();
    let mut begun = false;
    while let Some(bytes) = next_line(input, &mut buffer) {
        // Only what stands in front of the whole stream is such a mark.
        let bytes = bytes.map(|bytes| if begun { bytes } else { without_mark(bytes) });
        begun = true;
        if matches!(bytes, Ok(bytes) if bytes.trim_ascii().is_empty()) {
            continue;
        }
        let working = progress::working();
        written.clear();
        let (id, result) = match bytes.and_then(read_line) {
            Ok(line) => (line.id, answer(&line, &mut written)),
            Err(failure) => (None, Err(failure)),
        };
        if progress::interrupted() && result.is_err() {
            tally.interrupted = true;
            break;
        }
        match &result {
            Ok(permissible) => {
                tally.answered += 1;
                tally.violating += u64::from(!permissible);
            }
            Err(failure) => {
                tally.failed += 1;
                let id = Some(id);
                write_line(&mut written, &FailureAnswer { id, failure });
            }
        }
        {
            let _whole = progress::writing();
            output.write_all(&written)?;
            output.flush()?;
        }
        let unreadable = matches!(result, Err(Failure::Io { .. }));
        // Checked after `working` is dropped: Ctrl-C from then on ends the program at once.
        drop(working);
        tally.interrupted = progress::interrupted();
        if tally.interrupted || unreadable {
            break;
        }
    }
    Ok(tally)
}

fn read_line(bytes: &[u8]) -> Result<Line<'_>, Failure> {
    if bytes.trim_ascii_start().first() != Some(&b'{') {
        return Err(unparseable("the line must be a JSON object".into()));
    }
    serde_json::from_slice(bytes).map_err(|error| {
        let column = error.column();
        unparseable(format!("{} (column {column})", without_position(&error)))
    })
}

fn read_problem(line: &Line) -> Result<Problem, Failure> {
    let absent = || ImpactError::bad_problem("problem", "(absent)", "the line needs a problem");
    let node = parse(line.problem.ok_or_else(absent)?.get())?;
    Ok(Problem::read(&node)?)
}

fn parse(text: &str) -> Result<Node, Failure> {
    serde_json::from_str(text).map_err(|error| unparseable(without_position(&error)))
}

fn unparseable(message: String) -> Failure {
    Failure::Parse { message, span: None }
}

fn write_line(output: &mut Vec<u8>, answer: &impl Serialize) {
    // A map with text keys cannot fail.
    let text = serde_json::to_string(answer);
    debug_assert!(text.is_ok());
    output.extend(plain::json(&text.unwrap_or_default()).bytes());
    output.push(b'\n');
}
