//! The command line's grammar and its help.

mod import;
mod motion;
mod pictures;

pub use import::Import;
pub use motion::Simulate;
use pictures::papers;
pub use pictures::{Figures, Ground, Plot, Shows};

use crate::commands;
use carom_io::plain;
use clap::builder::RangedU64ValueParser;
use clap::error::ErrorKind;
use clap::{Args, Parser, Subcommand, ValueHint};
use clap_complete::Shell;
use std::ffi::OsString;
use std::path::PathBuf;

const ABOUT: &str = "Rigid-body impacts: every law, exact and certified";

const EXIT_CODES: &str = "\
Exit status:
  0  answered (certify: and permissible)
  1  the law has no answer to this problem; in a stream, some lines had errors
  2  the command line or the input is at fault
  3  certify: the impulse violates a physical condition; in a stream, some do
  4  something could not be written (disk full, folder read-only): neither law nor input is at fault
  5  certify: in a stream, some lines had errors and some impulses violate a condition
  130  interrupted (Ctrl-C); what was printed before is whole";

const EXAMPLES: &str = "\
Examples:
  carom compare scenarios/kane-double-pendulum.toml
  carom resolve impact.toml --law routh-stronge
  carom resolve --ndjson < questions.ndjson > answers.ndjson
  carom certify impact.json --impulse 0.4,-0.2
";

/// `carom` and its commands.
#[derive(Debug, Parser)]
#[command(name = "carom", version, about = ABOUT, max_term_width = 100)]
#[command(after_help = format!("{EXAMPLES}\n{EXIT_CODES}"))]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub struct Cli {
    /// With --version: the build, and a checksum of what its laws answer
    #[arg(long)]
    pub verbose: bool,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// Reads the command line; what it asks of the reader alone, as help or an error, is printed, and the exit status
    /// comes back.
    pub fn read(arguments: impl Iterator<Item = OsString>) -> Result<Self, u8> {
        let arguments: Vec<OsString> = arguments.collect();
        let error = match Self::try_parse_from(&arguments) {
            Ok(cli) => return Ok(cli),
            Err(error) => error,
        };
        let verbose = arguments.iter().skip(1).any(|argument| argument == "--verbose");
        if error.kind() == ErrorKind::DisplayVersion && verbose {
            return Err(commands::version() as u8);
        }
        // What others named, as files that a pattern stands for, must not act on a terminal.
        if arguments.iter().any(|argument| argument.to_string_lossy().contains(plain::acts)) {
            eprint!("{}", plain::message(&error.render().to_string()));
        } else {
            // A reader that has closed our output does not hear of it.
            let _ = error.print();
        }
        Err(error.exit_code() as u8)
    }
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the laws: how each reads e, its settings, what it promises
    #[command(after_help = "Examples:\n  carom laws\n  carom laws --json | jq '.[].id'")]
    Laws(Laws),
    /// Resolve an impact with one law
    #[command(after_help = format!("\
Examples:
  carom resolve impact.toml --law routh-stronge
  carom resolve impact.toml --law composite --set sigma=0.25 --json
  carom resolve impact.toml --law routh-poisson --trace
  echo '{{\"delassus\": [[1]], \"contact_velocity\": [-1], \"contacts\": [{{\"e\": 0.5}}]}}' | carom resolve -
  carom resolve --ndjson < questions.ndjson

A stream has one {{\"id\", \"problem\", \"law\"}} per line; other keys are ignored. Lines are answered
in order and at once. One that cannot be answered gets {{\"id\", \"error\": {{\"kind\", \"message\"}}}}.

{EXIT_CODES}"))]
    Resolve(Resolve),
    /// Put every law that applies side by side
    #[command(after_help = format!("\
Examples:
  carom compare scenarios/kane-double-pendulum.toml
  carom compare impact.json --csv > table.csv
  carom compare impact.toml --report impact.html
  carom compare scenarios/brick-on-four-vertices.toml --compliant E=1e10

{EXIT_CODES}"))]
    Compare(Compare),
    /// Show how far the outcome is the law's choice: over all permissible ones, over orders, over stiffnesses
    #[command(after_help = format!("\
Examples:
  carom outcomes scenarios/newtons-cradle.toml
  carom outcomes impact.toml --samples 10000 --seed 7 --csv > cloud.csv

Permissible outcomes are drawn evenly from all that pushing contacts can reach without penetration
and without creating energy. Orders: contacts collide one at a time, the next one drawn from those
that approach. Stiffnesses: the law lzb, contacts stiffer or softer than each other.

{EXIT_CODES}"))]
    Outcomes(Outcomes),
    /// Follow the collision of contacts that yield: springs, dampers and friction in place of restitution
    #[command(allow_negative_numbers = true, after_help = format!("\
Examples:
  carom compliant scenarios/brick-corner.toml
  carom compliant impact.toml --modulus 1e9 --dissipation 0.2 --law routh-stronge
  carom compliant impact.toml --stiffness 1e7 --json --history > run.json

The normal force is K δ^n (1 + 3/2 c δ̇) with n = 1.5, K = 4/3 √R E by default; friction is mu times
the normal force, smoothed below a transition speed. Bodies move and turn meanwhile: a contact is a
sphere of body b on a plane of body a. Restitution is not read. A table `compliant` in the problem
file says the same as the options, which override it.

{EXIT_CODES}"))]
    Compliant(Compliant),
    /// Follow bodies in motion: from event to event, each impact under any law, with its certificate
    #[command(allow_negative_numbers = true, after_help = format!("\
Examples:
  carom simulate scenes/bouncing-ball.toml
  carom simulate scene.toml --law routh-stronge --every 0.01 --csv > samples.csv
  carom simulate scene.toml --at 0.5,1 --json
  carom simulate scene.toml --check
  carom simulate scenes/brick-toss.toml --report motion.html
  carom simulate --ndjson < questions.ndjson

The scene's format is that of `carom schema --scene`. Between events motion is integrated to 1e-8; an
accumulation of infinitely many impacts is ended at its limit. Samples change no bit of the motion.

A stream has one {{\"id\", \"scene\", \"at\": [times]}} per line, and a \"law\" if wanted; other keys are ignored.
Lines are answered in order and at once. A scene that is refused gets {{\"id\", \"error\": {{\"kind\", \"message\"}}}}.

Exit status 1 also says that the motion could not be followed to its end; what there is is printed.

{EXIT_CODES}"))]
    Simulate(Simulate),
    /// Make a scene of a robot's file (URDF, MJCF), and say what of it was not taken over
    #[command(allow_negative_numbers = true, after_help = format!("\
Examples:
  carom import robot.urdf --out scene.toml
  carom import robot.urdf --ground --lift 0.8 --pose knee=0.5,hip=-0.3 --out scene.toml
  carom import humanoid.xml --key squat --duration 5 --out scene.toml
  carom simulate scene.toml --report motion.html

The kind of the file is told by its root element. Links, bodies, inertias, joints with limits and
damping, shapes, friction and filters of collisions are taken over; motors, sensors, tendons and
settings of other solvers are not, and every such thing is listed with its line. Meshes (STL, OBJ)
become convex hulls. What is fixed together is one body. Contacts are rigid.

{EXIT_CODES}"))]
    Import(Import),
    /// Say which physical conditions an impulse fulfils, and by how much
    #[command(after_help = format!("\
Examples:
  carom explain impact.toml --law whittaker
  carom explain impact.toml --impulse 0.4,-0.2

{EXIT_CODES}"))]
    Explain(Explain),
    /// Judge an impulse, whoever computed it
    #[command(after_help = format!("\
Examples:
  carom certify impact.toml --impulse 0.4,-0.2
  carom certify --ndjson < engine.ndjson

A stream has one {{\"id\", \"problem\", \"impulse\"}} per line. An impulse has one number per row,
contact by contact, normal first, in N·s, and acts on body b.

{EXIT_CODES}"))]
    Certify(Certify),
    /// Draw a problem and what laws do with it
    #[command(after_help = format!("\
Examples:
  carom plot scenarios/box-corner.toml --out impulse-space.svg
  carom plot scenarios/corrected-mirtich.toml --kind hodograph --law routh-stronge --out path.png
  carom plot scenarios/kane-double-pendulum.toml --sweep mu=0:1:0.01 --out family.svg
  carom plot scenarios/newtons-cradle.toml --kind chain --out velocities.svg
  carom plot scenes/rocking-block.toml --kind phase -x block.angle -y block.omega --out phase.svg
  carom plot scenes/shaking-table.toml --kind poincare --section every=0.1 --out section.svg

{EXIT_CODES}"))]
    Plot(Plot),
    /// Draw the figures and tables of the papers, with the numbers behind them and a page that shows them all
    #[command(after_help = format!("\
Examples:
  carom figures --out figures
  carom figures --paper plus --out figures --png

Papers: {}.

{EXIT_CODES}", papers()))]
    Figures(Figures),
    /// Ask laws about every point of a design over a problem's numbers, and keep the answers in a Parquet file
    #[command(after_help = format!("\
Examples:
  carom sweep sweeps/box-corner.toml --out results.parquet
  carom sweep sweep.toml --out results.parquet --law routh-stronge --law smith --threads 4

A sweep's file says which problem, which laws and which numbers:

  problem = \"disk.toml\"        # beside this file, or a table [problem] in it
  laws = [\"chatterjee-ruina\", {{ id = \"composite\", sigma = 0.3 }}]
  count = 1000                 # random points for each combination of the grids
  seed = 1
  [design]
  mu = {{ from = 0, to = 1, steps = 11 }}
  e = [0, 0.5, 1]
  \"contact_velocity[1]\" = {{ uniform = [-2, 2] }}    # or log_uniform, or normal = [mean, deviation]
  \"delassus[0][1], delassus[1][0]\" = {{ normal = [0, 0.1] }}

Places are those of `carom plot --sweep`; several with commas between them take the same value.
Each row has its number, its point, the values, the law and the certified answer, or an error.
Memory does not grow with the number of rows. A sweep that was stopped, however it was, goes on where
it was with the same command; its file has the same bytes as if it had not been stopped.

{EXIT_CODES}"))]
    Sweep(Sweep),
    /// Say what a file of answers holds: energy, restitution, verdicts and errors, law by law
    #[command(after_help = format!("\
Examples:
  carom summarize results.parquet
  carom summarize results.parquet --json

Every number is exact, quantiles included. Memory does not grow with the file.

{EXIT_CODES}"))]
    Summarize(Summarize),
    /// Print the JSON Schema of the problem format, or of scenes
    #[command(
        after_help = "Examples:\n  carom schema > carom-problem.schema.json\n  carom schema --scene > carom-scene.schema.json"
    )]
    Schema {
        /// Of scenes, for `carom simulate`
        #[arg(long)]
        scene: bool,
    },
    /// Print a completion script for a shell
    #[command(
        after_help = "Example:\n  carom completions bash > ~/.local/share/bash-completion/completions/carom"
    )]
    Completions {
        /// Which shell
        shell: Shell,
    },
}

/// `carom laws`.
#[derive(Debug, Args)]
pub struct Laws {
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

/// `carom resolve`.
#[derive(Debug, Args)]
pub struct Resolve {
    /// Problem file, JSON or TOML; `-` reads standard input
    #[arg(value_hint = ValueHint::FilePath, required_unless_present = "ndjson", conflicts_with = "ndjson")]
    pub file: Option<PathBuf>,
    /// Which law
    #[command(flatten)]
    pub law: LawChoice,
    /// As JSON
    #[arg(long)]
    pub json: bool,
    /// Show the path of a law: events (with --json also points between them), or collisions, rounds, reflections
    #[arg(long, conflicts_with = "ndjson")]
    pub trace: bool,
    /// Answer one question per line of standard input
    #[arg(long)]
    pub ndjson: bool,
}

/// Which law, on the command line.
#[derive(Clone, Debug, Args)]
pub struct LawChoice {
    /// Id of the law (see `carom laws`); by default the problem's own, else chatterjee-ruina for one contact,
    /// stiff-limit for several with friction, sequential for several without
    #[arg(long, value_name = "ID")]
    pub law: Option<String>,
    /// A setting of the law; the value is JSON or a word
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
}

/// `carom compare`.
#[derive(Debug, Args)]
pub struct Compare {
    /// Problem file, JSON or TOML; `-` reads standard input. With --at, a scene
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// The impact of a scene that comes next after this time, in s
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub at: Option<f64>,
    /// As JSON, with the whole answer of every law
    #[arg(long, conflicts_with = "csv")]
    pub json: bool,
    /// As comma-separated values, one row per law
    #[arg(long)]
    pub csv: bool,
    /// As one HTML page with pictures and certificates, written to this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["csv", "json"])]
    pub report: Option<PathBuf>,
    /// Replace the file whatever it is; by default only what carom wrote
    #[arg(long, requires = "report")]
    pub force: bool,
    /// Also follow the collision of compliant contacts of this modulus, in Pa, and say how far each law is from it
    #[arg(long, value_name = "E=X")]
    pub compliant: Option<String>,
}

/// `carom outcomes`.
#[derive(Debug, Args)]
pub struct Outcomes {
    /// Problem file, JSON or TOML; `-` reads standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// How many permissible outcomes to draw
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = counts())]
    pub samples: u64,
    /// How many random orders of collisions to follow
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = counts())]
    pub orders: u64,
    /// How many draws of stiffnesses to try
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = counts())]
    pub stiffnesses: u64,
    /// Over how many powers of ten stiffnesses spread
    #[arg(long, value_name = "X", default_value_t = 2.0)]
    pub stiffness_decades: f64,
    /// Where chance begins; the same seed gives the same answer
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// As JSON, with every outcome
    #[arg(long, conflicts_with = "csv")]
    pub json: bool,
    /// As comma-separated values, one row per outcome
    #[arg(long)]
    pub csv: bool,
}

/// `carom sweep`.
#[derive(Debug, Args)]
pub struct Sweep {
    /// What to sweep, TOML or JSON
    #[arg(value_hint = ValueHint::FilePath)]
    pub spec: PathBuf,
    /// Where to write the answers, as Parquet
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub out: PathBuf,
    /// Id of a law, as often as wanted, instead of those the file names
    #[arg(long, value_name = "ID")]
    pub law: Vec<String>,
    /// How many threads compute; by default as many as there are cores. The answers are the same
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<u64>::new().range(1..=4096))]
    pub threads: Option<u64>,
    /// Rows that are written together, and at most lost when it is stopped
    #[arg(long, value_name = "ROWS", default_value_t = 65_536, value_parser = RangedU64ValueParser::<u64>::new().range(1..=16_777_216))]
    pub row_group: u64,
    /// Replace the result of another sweep, or whatever else the file is
    #[arg(long)]
    pub force: bool,
}

/// `carom summarize`.
#[derive(Debug, Args)]
pub struct Summarize {
    /// A Parquet file of answers
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

/// `carom compliant`.
#[derive(Debug, Args)]
pub struct Compliant {
    /// Problem file, JSON or TOML; `-` reads standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// What contacts are like
    #[command(flatten)]
    pub model: CompliantModel,
    /// Keep the configuration as it is: only gaps change, as rigid laws assume
    #[arg(long)]
    pub frozen: bool,
    /// Error allowed per step, relative to the size of each quantity
    #[arg(long, value_name = "X", default_value_t = 1e-10)]
    pub tolerance: f64,
    /// Give up after this time, in s; by default a million compressions
    #[arg(long, value_name = "T")]
    pub max_time: Option<f64>,
    /// Give up after so many steps
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub max_steps: u64,
    /// A law to compare with, by its id; may be given several times
    #[arg(long, value_name = "ID")]
    pub law: Vec<String>,
    /// As JSON
    #[arg(long)]
    pub json: bool,
    /// Every step of the motion: penetration, velocity, force and impulse of each contact
    #[arg(long)]
    pub history: bool,
}

/// What compliant contacts are like, on the command line.
#[derive(Clone, Debug, Args)]
pub struct CompliantModel {
    /// Effective plane strain modulus E of spheres after Hertz, in Pa; by default 1e10
    #[arg(long, value_name = "E", conflicts_with = "stiffness")]
    pub modulus: Option<f64>,
    /// Stiffness K of F = K δ^exponent in place of a modulus, in N/m (N/m^1.5)
    #[arg(long, value_name = "K")]
    pub stiffness: Option<f64>,
    /// 1 (linear spring) or 1.5 (Hertz); by default 1.5 with a modulus, 1 with a stiffness
    #[arg(long, value_name = "N")]
    pub exponent: Option<f64>,
    /// Radius of the spheres at the contacts, in m; by default 0.1
    #[arg(long, value_name = "R")]
    pub radius: Option<f64>,
    /// Hunt and Crossley's dissipation c [s/m]; by default 0
    #[arg(long, value_name = "C")]
    pub dissipation: Option<f64>,
    /// Below this speed friction is smoothed [m/s]; by default 1e-6 of the fastest contact
    #[arg(long, value_name = "V")]
    pub transition_speed: Option<f64>,
    /// Static friction relative to mu; by default 1
    #[arg(long, value_name = "X")]
    pub static_ratio: Option<f64>,
    /// Viscous friction [s/m]; by default 0
    #[arg(long, value_name = "X")]
    pub viscous: Option<f64>,
    /// Weight per mass in the world frame [m/s²], as in 0,0,-9.81; by default none
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_delimiter = ',')]
    pub gravity: Option<Vec<f64>>,
}

/// As many as fit into memory.
fn counts() -> RangedU64ValueParser {
    RangedU64ValueParser::new().range(0..=1_000_000)
}

/// `carom explain`.
#[derive(Debug, Args)]
pub struct Explain {
    /// Problem file, JSON or TOML; `-` reads standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// The impulse to explain: one number per row, normal first [N·s]
    #[arg(long, value_name = "P,P,…", allow_hyphen_values = true, conflicts_with_all = ["law", "set"])]
    pub impulse: Option<String>,
    /// The law whose impulse to explain
    #[command(flatten)]
    pub law: LawChoice,
}

/// `carom certify`.
#[derive(Debug, Args)]
pub struct Certify {
    /// Problem file, JSON or TOML; `-` reads standard input
    #[arg(value_hint = ValueHint::FilePath, required_unless_present = "ndjson", conflicts_with = "ndjson")]
    pub file: Option<PathBuf>,
    /// The impulse: one number per row, contact by contact, normal first [N·s]
    #[arg(
        long,
        value_name = "P,P,…",
        allow_hyphen_values = true,
        required_unless_present = "ndjson",
        conflicts_with = "ndjson"
    )]
    pub impulse: Option<String>,
    /// As JSON
    #[arg(long)]
    pub json: bool,
    /// Judge one impulse per line of standard input
    #[arg(long)]
    pub ndjson: bool,
    /// Recompute everything in rational numbers as well, by code of its own, and say where it differs from the certificate
    #[arg(long)]
    pub exact: bool,
}
