//! Which pictures show a problem.

use crate::comparison::{Comparison, Entry};
use crate::format::Problem;
use crate::resolution::Resolution;
use carom::Recorder;
use carom_plot::{Answer, Figure};

/// Every picture that this problem and what laws say to it can have.
pub fn of(problem: &Problem, comparison: &Comparison) -> Vec<Figure> {
    let contacts = problem.system.problem();
    let answers: Vec<Answer> = comparison.answers.iter().map(of_entry).collect();
    [
        carom_plot::impulse_space(contacts, &answers, &[]),
        carom_plot::hodograph(contacts, &answers),
        carom_plot::phases(&answers),
    ]
    .into_iter()
    // A kind that does not show problems of this class is no fault here.
    .filter_map(Result::ok)
    .collect()
}

fn of_entry(entry: &Entry) -> Answer {
    answer(&entry.resolution, entry.recorder.clone())
}

/// An answer as pictures take it.
fn answer(resolution: &Resolution, path: Recorder) -> Answer {
    Answer {
        law: resolution.law.id().to_owned(),
        impulse: resolution.outcome.impulse.clone(),
        path,
        permissible: resolution.certificate.verdict.is_permissible(),
    }
}
