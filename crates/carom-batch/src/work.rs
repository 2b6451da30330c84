//! Rows to threads.
//!
//! Rows are handed out in chunks that do not depend on the number of threads, and no row knows of another: what comes out
//! has the same bits however many threads there are.

use crate::answers::Answers;
use crate::columns::{Columns, Shape};
use crate::{row, single};
use carom::outcome::{Observer, Progress};
use carom::{ImpactError, Law};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;
use thiserror::Error;

/// Rows of one contact that are handed out together: some tens of microseconds of work at least \[1\].
const LIGHT_CHUNK: usize = 4096;
/// Rows that take microseconds or more, as those of several contacts do, that are handed out together \[1\].
const HEAVY_CHUNK: usize = 16;
/// Large chunks are whole blocks of this many rows, which is how the library's own batch computes them \[1\].
const BLOCK: usize = 64;
/// A batch falls to so many chunks at least, so that threads end at about the same time \[1\].
const CHUNKS: usize = 64;
/// So long the caller's thread waits for the others between two looks at whether to stop.
const PATIENCE: Duration = Duration::from_millis(5);

/// Why a row has no answer.
#[derive(Clone, Debug, PartialEq)]
pub struct RowError {
    /// Which row.
    pub row: usize,
    /// Why.
    pub error: ImpactError,
}

impl RowError {
    /// The error as columns show it: its kind and what it says.
    pub fn text(&self) -> String {
        format!("{}: {}", self.error.kind(), self.error)
    }
}

/// Why a whole batch has no answers.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum BatchError {
    /// The columns do not fit together.
    #[error(transparent)]
    Columns(#[from] ImpactError),
    /// It was stopped.
    #[error("interrupted after {done} of {of} impacts")]
    Interrupted {
        /// Rows that were done by then.
        done: usize,
        /// Rows in all.
        of: usize,
    },
}

/// For a batch without progress.
pub fn unwatched(_done: usize) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Resolves every row under one law. Rows without an answer are NaN, and come back with their errors, in order.
///
/// `threads` of 0 means as many as the machine has cores, and one for a batch that is done before others would start. `poll` is asked every few milliseconds, on the caller's thread,
/// with the number of rows done; `Break` stops the batch.
pub fn resolve(
    columns: &Columns,
    law: &Law,
    answers: Answers,
    threads: usize,
    poll: &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> Result<Vec<RowError>, BatchError> {
    let in_contact_space = columns.shape().coordinates.is_none();
    let chunk = |first: usize,
                 mut answers: Answers,
                 failures: &mut Vec<RowError>,
                 watch: &mut dyn Observer| {
        let rows = first..first + answers.count(columns.shape());
        match (law.single(), in_contact_space, &columns.shape().contacts[..]) {
            (Some(_), true, [_]) => {
                single::resolve(columns, law, rows, answers, failures, watch);
            }
            _ => {
                for (i, row) in rows.enumerate() {
                    let target = (i, columns.shape());
                    let result = columns
                        .system(row)
                        .and_then(|system| row::resolve(&system, law, target, &mut answers, watch));
                    if let Err(error) = result {
                        answers.clear(i, columns.shape());
                        failures.push(RowError { row, error });
                    }
                }
            }
        }
    };
    let light = law.single().is_some() && in_contact_space && answers.certificate.is_none();
    let most = if light { LIGHT_CHUNK } else { HEAVY_CHUNK };
    distribute(columns.shape(), most, answers, threads, poll, &chunk)
}

/// What is done with one chunk: its first row, the columns of its answers, where failures go, the progress.
pub(crate) type Chunk<'f> =
    dyn Fn(usize, Answers, &mut Vec<RowError>, &mut dyn Observer) + Sync + 'f;

/// Hands chunks of at most so many rows out to threads until none are left.
pub(crate) fn distribute(
    shape: &Shape,
    most: usize,
    answers: Answers,
    threads: usize,
    poll: &mut dyn FnMut(usize) -> ControlFlow<()>,
    chunk: &Chunk,
) -> Result<Vec<RowError>, BatchError> {
    answers.check(shape)?;
    let size = match shape.count.div_ceil(CHUNKS).max(1) {
        size if most >= BLOCK => size.next_multiple_of(BLOCK),
        size => size,
    }
    .min(most);
    let threads = match threads {
        // To start a thread costs as much as a chunk of the largest size: what is smaller is done here.
        0 if shape.count <= most => 1,
        0 => thread::available_parallelism().map_or(1, usize::from).min(shape.count.div_ceil(most)),
        threads => threads,
    };
    let threads = threads.min(shape.count.div_ceil(size)).max(1);
    let work = Work {
        shape,
        size,
        rest: Mutex::new((0, answers)),
        done: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        chunk,
    };
    let mut failures = thread::scope(|scope| {
        // Each helper holds a sender: when the last one goes, the caller hears of it at once.
        let (sender, all_gone) = channel::<()>();
        let helpers: Vec<_> = (1..threads)
            // A machine that refuses more threads gets by with those it has.
            .map_while(|_| {
                let (builder, here, work) = (thread::Builder::new(), sender.clone(), &work);
                let take_part = move || {
                    let _here = here;
                    work.take_part(&mut Helper(work))
                };
                builder.spawn_scoped(scope, take_part).ok()
            })
            .collect();
        drop(sender);
        let mut caller = Caller { work: &work, poll };
        let mut failures = work.take_part(&mut caller);
        while all_gone.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            caller.look();
        }
        for helper in helpers {
            match helper.join() {
                Ok(more) => failures.extend(more),
                // The panic goes on where it would have been seen without threads.
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        failures
    });
    if work.stop.load(Ordering::Relaxed) {
        let done = work.done.load(Ordering::Relaxed);
        return Err(BatchError::Interrupted { done, of: shape.count });
    }
    failures.sort_by_key(|failure| failure.row);
    Ok(failures)
}

/// What all threads share.
struct Work<'a> {
    shape: &'a Shape,
    size: usize,
    /// The first row that no thread has taken yet, and the columns from there on.
    rest: Mutex<(usize, Answers<'a>)>,
    done: AtomicUsize,
    stop: AtomicBool,
    chunk: &'a Chunk<'a>,
}

impl<'a> Work<'a> {
    fn take_part(&self, watch: &mut dyn Observer) -> Vec<RowError> {
        let mut failures = Vec::new();
        while let Some((first, answers)) = self.next() {
            let count = answers.count(self.shape);
            (self.chunk)(first, answers, &mut failures, watch);
            let done = self.done.fetch_add(count, Ordering::Relaxed) + count;
            let progress =
                Progress { what: "impacts", done: done as u64, of: Some(self.shape.count as u64) };
            if watch.progress(progress).is_break() {
                break;
            }
        }
        failures
    }

    fn next(&self) -> Option<(usize, Answers<'a>)> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        // No panic can leave it half changed.
        let mut rest = self.rest.lock().unwrap_or_else(PoisonError::into_inner);
        let (first, answers) = &mut *rest;
        let count = self.size.min(self.shape.count - *first);
        let start = *first;
        *first += count;
        (count > 0).then(|| (start, answers.take(count, self.shape)))
    }
}

/// The observer in a thread of our own: stops when the caller's thread says so.
struct Helper<'a>(&'a Work<'a>);

impl Observer for Helper<'_> {
    fn progress(&mut self, _progress: Progress) -> ControlFlow<()> {
        match self.0.stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

/// The observer in the caller's thread: polls the caller, and stops the others.
struct Caller<'a> {
    work: &'a Work<'a>,
    poll: &'a mut dyn FnMut(usize) -> ControlFlow<()>,
}

impl Caller<'_> {
    fn look(&mut self) {
        if (self.poll)(self.work.done.load(Ordering::Relaxed)).is_break() {
            self.work.stop.store(true, Ordering::Relaxed);
        }
    }
}

impl Observer for Caller<'_> {
    fn progress(&mut self, _progress: Progress) -> ControlFlow<()> {
        self.look();
        match self.work.stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mechanism, OwnedAnswers, Parameter};
    use std::collections::HashSet;

    /// The threads that take part in a batch of so many rows, each chunk of which takes a millisecond.
    fn threads(rows: usize, most: usize, wanted: usize) -> HashSet<thread::ThreadId> {
        let (delassus, contact_velocity) = (&vec![1.0; rows][..], &vec![-1.0; rows][..]);
        let mechanism = Mechanism::ContactSpace { delassus, contact_velocity };
        let parameters = [0.0, 0.5, 0.0].map(Parameter::Common);
        let columns = Columns::new(rows, vec![1], mechanism, parameters).unwrap();
        let mut answers = OwnedAnswers::of(columns.shape(), false);
        let seen = Mutex::new(HashSet::new());
        let chunk = |_: usize, _: Answers, _: &mut Vec<RowError>, _: &mut dyn Observer| {
            seen.lock().unwrap().insert(thread::current().id());
            thread::sleep(Duration::from_millis(1));
        };
        let poll = &mut unwatched;
        distribute(columns.shape(), most, answers.borrow(), wanted, poll, &chunk).unwrap();
        seen.into_inner().unwrap()
    }

    #[test]
    fn small_batches_stay_on_the_callers_thread() {
        let own = HashSet::from([thread::current().id()]);
        assert_eq!(threads(961, LIGHT_CHUNK, 0), own);
        assert_eq!(threads(LIGHT_CHUNK, LIGHT_CHUNK, 0), own);
        assert_eq!(threads(HEAVY_CHUNK, HEAVY_CHUNK, 0), own);
    }

    #[test]
    fn as_many_threads_take_part_as_are_wanted() {
        assert_eq!(threads(961, LIGHT_CHUNK, 2).len(), 2);
        let cores = thread::available_parallelism().map_or(1, usize::from);
        assert_eq!(threads(64 * LIGHT_CHUNK, LIGHT_CHUNK, 0).len(), cores.min(64));
    }
}
