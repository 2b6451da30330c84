//! Long work: shown on a terminal, stopped by Ctrl-C.

use carom::outcome::Progress;
use carom_io::progress::ProgressSink;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Work that takes less is not worth a bar.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often a bar is redrawn.
const TICK: Duration = Duration::from_millis(100);
/// So long Ctrl-C waits for work to stop by itself, and for a line to be written.
const GRACE: Duration = Duration::from_secs(1);
/// What shells expect of a program that Ctrl-C ended: 128 + SIGINT.
pub const INTERRUPTED_STATUS: u8 = 130;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static WORKING: AtomicBool = AtomicBool::new(false);
/// Held while a line or an answer is written.
static WRITING: Mutex<()> = Mutex::new(());

/// From here on Ctrl-C asks work to stop; what does not hear it, and a stream that waits for its next line, is ended
/// without being asked, but not in the middle of a line.
///
/// Where the operating system refuses, Ctrl-C ends the program as ever.
pub fn catch_interrupts() {
    let refused = ctrlc::set_handler(|| {
        INTERRUPTED.store(true, Ordering::SeqCst);
        let worked = WORKING.load(Ordering::SeqCst);
        if worked && within_grace(|| !WORKING.load(Ordering::SeqCst)) {
            // It stopped by itself, and says so.
            return;
        }
        let mut whole = None;
        within_grace(|| {
            whole = WRITING.try_lock().ok();
            whole.is_some()
        });
        if io::stderr().is_terminal() {
            // Over the bar, if there is one.
            eprint!("\r\u{1b}[2K");
        }
        eprintln!("interrupted");
        std::process::exit(INTERRUPTED_STATUS.into());
    });
    drop(refused);
}

/// Whether the condition came true before patience ended.
fn within_grace(mut condition: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    loop {
        match condition() {
            true => return true,
            false if start.elapsed() >= GRACE => return false,
            false => thread::sleep(GRACE / 50),
        }
    }
}

/// Whether Ctrl-C was pressed.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// Work goes on while this lives.
pub struct Working(());

impl Drop for Working {
    fn drop(&mut self) {
        WORKING.store(false, Ordering::SeqCst);
    }
}

/// Says that work goes on, which looks at [`interrupted`] now and then.
pub fn working() -> Working {
    WORKING.store(true, Ordering::SeqCst);
    Working(())
}

/// Held while something is written, so that Ctrl-C does not cut it off.
pub fn writing() -> MutexGuard<'static, ()> {
    // The mutex guards no data that a panic could have left half done.
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A bar or spinner on standard error while it lives, if that is a terminal and the work takes longer than a second.
pub struct Display {
    bar: ProgressBar,
    done: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Display {
    /// Begins to show work, its name in front.
    pub fn of(name: &str) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        bar.set_prefix(name.to_owned());
        if !io::stderr().is_terminal() {
            return Self { bar, done: None };
        }
        bar.set_style(spinner());
        let (sender, receiver) = channel();
        let shown = bar.clone();
        // The bar appears also if the work never says how far it is.
        let appear = thread::spawn(move || {
            if receiver.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(TICK);
            }
        });
        Self { bar, done: Some((sender, appear)) }
    }

    /// The same, and says how fast it goes. What was done before is no part of the pace.
    pub fn with_pace(name: &str, before: u64, of: u64) -> Self {
        let display = Self::of(name);
        display.bar.set_style(paced());
        display.bar.set_length(of);
        display.bar.set_message("rows");
        display.bar.set_position(before);
        display.bar.reset_eta();
        display
    }

    /// How far it is.
    pub fn advance(&self, done: u64) {
        if self.done.is_some() {
            self.bar.set_position(done);
        }
    }

    /// No bar, whatever happens.
    pub fn none() -> Self {
        Self { bar: ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()), done: None }
    }
}

impl ProgressSink for Display {
    fn begin(&self, name: &str) {
        self.bar.set_prefix(name.to_owned());
        self.bar.reset();
    }

    fn update(&self, progress: Progress) {
        if self.done.is_none() {
            return;
        }
        if self.bar.length() != progress.of {
            match progress.of {
                Some(length) => {
                    self.bar.set_style(bar());
                    self.bar.set_length(length);
                }
                None => {
                    self.bar.set_style(spinner());
                    self.bar.unset_length();
                }
            }
        }
        self.bar.set_message(progress.what);
        self.bar.set_position(progress.done);
    }

    fn interrupted(&self) -> bool {
        interrupted()
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        if let Some((sender, appear)) = self.done.take() {
            drop(sender);
            // It only waits for the sender, and cannot fail.
            let _ = appear.join();
        }
        self.bar.finish_and_clear();
    }
}

fn spinner() -> ProgressStyle {
    style("{spinner} {prefix}  {human_pos} {msg}  {elapsed}")
}

fn bar() -> ProgressStyle {
    style("{spinner} {prefix}  {bar:30} {human_pos} of {human_len} {msg}  {elapsed}, {eta} left")
}

fn paced() -> ProgressStyle {
    style(
        "{spinner} {prefix}  {bar:30} {human_pos} of {human_len} {msg}  {per_sec}  {elapsed}, {eta} left",
    )
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
}
