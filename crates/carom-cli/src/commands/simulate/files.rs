//! Files of a motion: tables of samples and of events, and an animation. Each carries its scene.

use carom_io::failure::Failure;
use carom_io::output::Target;
use carom_report::motion::glb;
use carom_scene::SceneFile;
use carom_scene::events::EventTable;
use carom_scene::origin::{self, Origin};
use carom_scene::samples::SampleTable;
use carom_sim::motion::Motion;
use std::path::Path;

/// What a file is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Apache Parquet.
    Parquet,
    /// Comma-separated values, the first line the origin.
    Csv,
    /// Binary glTF.
    Animation,
}

impl Form {
    /// By the ending of a name.
    pub fn of_samples(path: &Path) -> Result<Self, Failure> {
        Self::of(path).ok_or_else(|| unknown("--out", path, ".parquet, .csv or .glb"))?.built()
    }

    /// The same for a table of events.
    pub fn of_events(path: &Path) -> Result<Self, Failure> {
        let refuse = || unknown("--events", path, ".parquet or .csv");
        Self::of(path).filter(|form| *form != Self::Animation).ok_or_else(refuse)?.built()
    }

    fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "parquet" => Some(Self::Parquet),
            "csv" => Some(Self::Csv),
            "glb" => Some(Self::Animation),
            _ => None,
        }
    }

    /// Refuses what this build leaves out.
    fn built(self) -> Result<Self, Failure> {
        #[cfg(not(feature = "sweep"))]
        if self == Self::Parquet {
            return Err(super::super::left_out("a Parquet file"));
        }
        Ok(self)
    }
}

fn unknown(option: &str, path: &Path, endings: &str) -> Failure {
    Failure::Usage(format!("{option} {}: the name must end in {endings}", path.display()))
}

/// A motion and what it came of.
#[derive(Clone)]
pub struct Kept<'a> {
    /// What the scene's file says.
    pub file: &'a SceneFile,
    /// What became of it.
    pub motion: &'a Motion,
    /// As [`Origin::text`] writes it.
    pub origin: String,
}

impl Kept<'_> {
    /// One row per time and body, or the animation.
    pub fn write_samples(&self, form: Form, target: Target) -> Result<(), Failure> {
        let table = || SampleTable::of(&self.file.scene, self.motion);
        match form {
            Form::Csv => target.write(self.csv(&table().csv())),
            Form::Parquet => self.write_parquet(target, &table()),
            Form::Animation => {
                let title = self.file.title.as_deref().unwrap_or("A motion");
                target.write(glb(&self.file.scene, self.motion, title, &self.origin)?)
            }
        }
    }

    /// One row per event and contact.
    pub fn write_events(&self, form: Form, target: Target) -> Result<(), Failure> {
        let table = EventTable::of(&self.file.scene, self.motion);
        match form {
            Form::Parquet => self.write_parquet_events(target, &table),
            _ => target.write(self.csv(&table.csv())),
        }
    }

    fn csv(&self, rows: &str) -> String {
        format!("{}{}\n{rows}", origin::CSV, self.origin)
    }

    #[cfg(feature = "sweep")]
    fn write_parquet(&self, target: Target, table: &SampleTable) -> Result<(), Failure> {
        use carom_batch::table::{Column, write};
        let mut columns =
            vec![("t", Column::Numbers(&table.times)), ("body", Column::Texts(&table.bodies))];
        columns.extend(table.numbers.iter().map(|(name, column)| (*name, Column::Numbers(column))));
        write(target, &columns, &[(origin::KEY, self.origin.clone())])
    }

    #[cfg(feature = "sweep")]
    fn write_parquet_events(&self, target: Target, table: &EventTable) -> Result<(), Failure> {
        use carom_batch::table::{Column, write};
        let mut columns =
            vec![("event", Column::Numbers(&table.events)), ("t", Column::Numbers(&table.times))];
        columns.extend(table.texts.iter().map(|(name, column)| (*name, Column::SomeTexts(column))));
        columns.extend(
            table.numbers.iter().map(|(name, column)| (*name, Column::SomeNumbers(column))),
        );
        write(target, &columns, &[(origin::KEY, self.origin.clone())])
    }

    #[cfg(not(feature = "sweep"))]
    fn write_parquet(&self, _target: Target, _table: &SampleTable) -> Result<(), Failure> {
        Err(super::super::left_out("a Parquet file"))
    }

    #[cfg(not(feature = "sweep"))]
    fn write_parquet_events(&self, _target: Target, _table: &EventTable) -> Result<(), Failure> {
        Err(super::super::left_out("a Parquet file"))
    }
}

/// Whether a file, by the ending of its name, is one that `--out` writes.
pub fn is_file_of_motion(path: &Path) -> bool {
    Form::of(path).is_some()
}

/// The origin in a file that carom wrote, if it is one.
pub fn origin(path: &Path) -> Result<Option<Origin>, Failure> {
    match path.extension().and_then(|end| end.to_str()) {
        Some("csv" | "glb") => origin::in_file(path),
        Some("parquet") => in_parquet(path),
        _ => Ok(None),
    }
}

#[cfg(feature = "sweep")]
fn in_parquet(path: &Path) -> Result<Option<Origin>, Failure> {
    let name = path.display().to_string();
    match carom_batch::table::metadata(path, origin::KEY)? {
        Some(text) => Origin::read(&name, &text).map(Some),
        None => Err(Failure::Parse {
            message: format!("{name}: carom wrote nothing about a scene into it"),
            span: None,
        }),
    }
}

#[cfg(not(feature = "sweep"))]
fn in_parquet(_path: &Path) -> Result<Option<Origin>, Failure> {
    Err(super::super::left_out("reading a Parquet file"))
}
