//! The commands that draw.

use carom_io::format::keys::numbers_of_contacts;
use carom_plot::Theme;
use carom_plot::papers::PAPERS;
use carom_report::motion::pictures as motion;
use carom_report::plot::Kind;
use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;

/// `carom plot`.
#[derive(Debug, Args)]
pub struct Plot {
    /// Problem or scene file, JSON or TOML; `-` reads standard input. A file that `carom simulate --out` wrote stands for
    /// the scene in it
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// What to draw; by default impulse-space of a problem, strip of a scene
    #[arg(long, value_enum)]
    pub kind: Option<PlotKind>,
    /// Id of a law to show, as often as wanted; by default every law for so many contacts that has an answer. Of a
    /// scene: the law of its impacts
    #[arg(long, value_name = "ID")]
    pub law: Vec<String>,
    /// A setting of the law that is shown, if it is one; the value is JSON or a word
    #[arg(long, value_name = "NAME=VALUE", allow_hyphen_values = true, requires = "law")]
    pub set: Vec<String>,
    /// Id of a law of which to show every impulse that it can give, as often as wanted
    #[arg(long, value_name = "ID")]
    pub accessible: Vec<String>,
    /// A number of the problem that takes value after value
    #[arg(
        long,
        help = sweep_help(),
        value_name = "NAME=A:B:STEP",
        allow_hyphen_values = true,
        conflicts_with = "accessible"
    )]
    pub sweep: Option<String>,
    /// What stands across, of phase and poincare: t, BODY.x, BODY.vx, BODY.angle, energy.total, …
    #[arg(short = 'x', value_name = "QUANTITY")]
    pub x: Option<String>,
    /// What stands up
    #[arg(short = 'y', value_name = "QUANTITY")]
    pub y: Option<String>,
    /// Where poincare looks: impact, every=SECONDS, or QUANTITY=VALUE passed from below
    #[arg(long, value_name = "SECTION")]
    pub section: Option<String>,
    /// How many pictures a strip has
    #[arg(long, value_name = "N")]
    pub pictures: Option<usize>,
    /// Where to write it: a name ending in .svg, .png or .csv; by default SVG on standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub out: Option<PathBuf>,
    /// Replace the file whatever it is; by default only what carom wrote, which a CSV does not tell
    #[arg(long, requires = "out")]
    pub force: bool,
    /// The numbers on standard output instead
    #[arg(long, conflicts_with = "out")]
    pub csv: bool,
    /// The ground it is drawn for; `auto` follows the reader's preference
    #[arg(long, value_enum, default_value_t = Ground::Auto)]
    pub theme: Ground,
}

fn sweep_help() -> String {
    let numbers: Vec<&str> = numbers_of_contacts().collect();
    let (last, others) = numbers.split_last().unwrap_or((&"", &[]));
    format!(
        "A number of the problem that takes values from:to:step: {} or {last} of all contacts, or any other by its place, \
         as in `velocity[1]` or `bodies[0].mass`",
        others.join(", ")
    )
}

/// `carom figures`.
#[derive(Debug, Args)]
pub struct Figures {
    /// Only those of one paper: its key in docs/references.bib, or its short name
    #[arg(long, value_name = "KEY")]
    pub paper: Option<String>,
    /// The folder to write into; it is made if it is not there
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub out: PathBuf,
    /// Replace files whatever they are; by default only those that carom wrote, and CSV only if nothing changes
    #[arg(long)]
    pub force: bool,
    /// Pixels, too
    #[arg(long)]
    pub png: bool,
    /// The ground they are drawn for; `auto` follows the reader's preference
    #[arg(long, value_enum, default_value_t = Ground::Auto)]
    pub theme: Ground,
}

/// Short names of the papers.
pub(super) fn papers() -> String {
    PAPERS.iter().map(|paper| paper.short).collect::<Vec<_>>().join(", ")
}

/// What `carom plot` draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PlotKind {
    /// One contact: the permissible region, its lines, the impulse of each law
    ImpulseSpace,
    /// One contact: the path of the tangential velocity
    Hodograph,
    /// One contact: normal velocity and work against normal impulse
    Phases,
    /// What contacts do in the rounds of `plus`, and how impulses add up
    Rounds,
    /// Velocities after the impact against restitution, or what --sweep names
    Chain,
    /// The spread of what may happen, and where laws stand in it
    Outcomes,
    /// Force, penetration and impulse of contacts that yield, against time
    Compliant,
    /// Of a scene: its bodies at several times
    Strip,
    /// Of a scene: its energies, and what was done to them
    Energy,
    /// Of a scene: one quantity against another
    Phase,
    /// Of a scene: which bodies touch when, and its events
    Timeline,
    /// Of a scene: two quantities each time the motion passes a section
    Poincare,
}

/// What a kind of picture shows.
pub enum Shows {
    /// A problem.
    Problem(Kind),
    /// A motion.
    Motion(motion::Kind),
}

impl From<PlotKind> for Shows {
    fn from(kind: PlotKind) -> Self {
        match kind {
            PlotKind::ImpulseSpace => Self::Problem(Kind::ImpulseSpace),
            PlotKind::Hodograph => Self::Problem(Kind::Hodograph),
            PlotKind::Phases => Self::Problem(Kind::Phases),
            PlotKind::Rounds => Self::Problem(Kind::Rounds),
            PlotKind::Chain => Self::Problem(Kind::Chain),
            PlotKind::Outcomes => Self::Problem(Kind::Outcomes),
            PlotKind::Compliant => Self::Problem(Kind::Compliant),
            PlotKind::Strip => Self::Motion(motion::Kind::Strip),
            PlotKind::Energy => Self::Motion(motion::Kind::Energy),
            PlotKind::Phase => Self::Motion(motion::Kind::Phase),
            PlotKind::Timeline => Self::Motion(motion::Kind::Timeline),
            PlotKind::Poincare => Self::Motion(motion::Kind::Poincare),
        }
    }
}

/// The ground a figure is drawn for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Ground {
    /// The reader's preference
    Auto,
    /// White
    Light,
    /// Near black
    Dark,
}

impl From<Ground> for Theme {
    fn from(ground: Ground) -> Self {
        match ground {
            Ground::Auto => Self::Adaptive,
            Ground::Light => Self::Light,
            Ground::Dark => Self::Dark,
        }
    }
}
