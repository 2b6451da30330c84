//! Impacts that follow each other ever faster, and where they end.
//!
//! What strikes is a word over contacts: one letter for a ball, two in turn for a rocking block. Where the word repeats and
//! its durations shrink by a nearly constant ratio, infinitely many impacts end after a finite time. The rest of them is
//! replaced by one impact without restitution and contact that lasts: as the impulses of both have the same sum and the
//! same first moment in time, the error is of third order in the speed at which that is done (second where it sticks).

use super::contact::Slot;

/// One impact of a history.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bounce {
    pub(crate) time: f64,
    /// What approached, in order.
    pub(crate) word: Vec<Slot>,
    /// The largest speed of approach [m/s].
    pub(crate) approach: f64,
    /// The largest speed of release of what approached [m/s].
    pub(crate) release: f64,
    /// Whether it lost next to nothing.
    pub(crate) elastic: bool,
}

/// Impacts of a group, the latest last.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    bounces: Vec<Bounce>,
}

/// The longest word that is looked for.
const LONGEST: usize = 8;
/// So many impacts, all too small to be seen, are no longer followed one by one.
const CHATTER: usize = 10;
/// Durations shrink at least this fast.
const RATIO: f64 = 0.999;
/// By how much two successive ratios may differ, beside what they leave of one.
const STEADY: f64 = 0.05;

/// The end of infinitely many impacts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Accumulation {
    /// How many impacts of the history belong to it.
    pub(crate) impacts: usize,
    /// Impacts in one cycle.
    pub(crate) cycle: usize,
    pub(crate) ratio: f64,
    /// When they end, and how well that is known \[s\].
    pub(crate) end: f64,
    pub(crate) error: f64,
    /// The speed of the last approach [m/s], and the acceleration that brings contacts back [m/s²].
    pub(crate) approach: f64,
    pub(crate) pull: f64,
}

impl History {
    pub(crate) fn push(&mut self, bounce: Bounce) {
        if self.bounces.len() >= 64 {
            self.bounces.drain(..16);
        }
        self.bounces.push(bounce);
    }

    pub(crate) fn clear(&mut self) {
        self.bounces.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.bounces.len()
    }

    /// Whether the impact that is about to happen is one of many, in no order, that are all too slow for their flights to rise
    /// by more than `height`: the contacts that took part, and the acceleration that brings them back [m/s²].
    pub(crate) fn chatters(
        &self,
        time: f64,
        word: &[Slot],
        approach: f64,
        height: f64,
    ) -> Option<(Vec<Slot>, f64)> {
        let last = &self.bounces[self.bounces.len().checked_sub(CHATTER)?..];
        let mut pull = f64::INFINITY;
        for slot in word {
            let before = last.iter().rev().find(|bounce| bounce.word.contains(slot))?;
            pull = pull.min(2.0 * approach.max(before.release) / (time - before.time));
        }
        let slow = f64::sqrt(2.0 * pull * height);
        let small = last.iter().all(|bounce| bounce.approach <= slow && !bounce.elastic);
        let short = time - last[0].time <= 4.0 * slow / pull * CHATTER as f64;
        if !(approach <= slow && small && short) {
            return None;
        }
        let mut slots: Vec<Slot> =
            last.iter().flat_map(|bounce| bounce.word.iter().copied()).collect();
        slots.extend_from_slice(word);
        slots.sort_unstable();
        slots.dedup();
        Some((slots, pull))
    }

    /// Histories of two groups that meet, in the order of time.
    pub(crate) fn merged(&self, other: &Self) -> Self {
        let mut bounces = self.bounces.clone();
        bounces.extend_from_slice(&other.bounces);
        bounces.sort_by(|a, b| a.time.total_cmp(&b.time));
        let from = bounces.len().saturating_sub(48);
        Self { bounces: bounces.split_off(from) }
    }

    /// Whether the impact that is about to happen, at `time` with this word, continues a shrinking cycle.
    pub(crate) fn accumulation(
        &self,
        time: f64,
        word: &[Slot],
        approach: f64,
    ) -> Option<Accumulation> {
        (1..=LONGEST).find_map(|cycle| self.with_cycle(cycle, time, word, approach))
    }

    fn with_cycle(
        &self,
        cycle: usize,
        time: f64,
        word: &[Slot],
        approach: f64,
    ) -> Option<Accumulation> {
        let n = self.bounces.len();
        if n < 3 * cycle {
            return None;
        }
        // Counted back from the impact that is about to happen.
        let word_at = |back: usize| if back == 0 { word } else { &self.bounces[n - back].word[..] };
        let time_at = |back: usize| if back == 0 { time } else { self.bounces[n - back].time };
        if !(0..=2 * cycle).all(|back| word_at(back) == word_at(back + cycle)) {
            return None;
        }
        let last = &self.bounces[n - cycle..];
        if last.iter().all(|bounce| bounce.elastic) {
            return None;
        }
        let duration = |j: usize| time_at(j * cycle) - time_at((j + 1) * cycle);
        let (now, before, first) = (duration(0), duration(1), duration(2));
        let (ratio, earlier) = (now / before, before / first);
        if !(ratio < RATIO && (ratio - earlier).abs() < STEADY * (1.0 - ratio)) {
            return None;
        }
        let mut impacts = 3 * cycle;
        while impacts < n && word_at(impacts + 1) == word_at(impacts + 1 - cycle) {
            impacts += 1;
        }
        // One contact: the ratio is that of its speeds; several in turn: where the ratios tend to.
        let known = if cycle == 1 {
            let bounce = &self.bounces[n - 1];
            bounce.release / bounce.approach
        } else {
            let more = n >= 4 * cycle
                && (0..=3 * cycle).all(|back| word_at(back) == word_at(back + cycle));
            let oldest = if more { first / duration(3) } else { earlier };
            let (one, two) = (ratio - earlier, earlier - oldest);
            if one != two && (one * one / (one - two)).abs() < one.abs() {
                ratio - one * one / (one - two)
            } else {
                ratio
            }
        };
        let r = if known > 0.0 && known < 1.0 { known } else { ratio };
        let simple = |j: usize| time_at(j * cycle) + duration(j) * r / (1.0 - r);
        let eliminated = |j: usize| (simple(j) - r * r * simple(j + 1)) / (1.0 - r * r);
        let cube = r * r * r;
        let end = (eliminated(0) - cube * eliminated(1)) / (1.0 - cube);
        let error = (end - eliminated(0)).abs();
        let pull = 2.0 * approach / now;
        Some(Accumulation { impacts, cycle, ratio: r, end: end.max(time), error, approach, pull })
    }

    /// The words of the last `cycle` impacts.
    pub(crate) fn words(&self, cycle: usize) -> impl Iterator<Item = &Slot> {
        self.bounces[self.bounces.len() - cycle..].iter().flat_map(|bounce| bounce.word.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letter(k: usize) -> Vec<Slot> {
        vec![Slot::Limit { assembly: 0, limit: k }]
    }

    fn bounce(time: f64, k: usize, approach: f64, release: f64) -> Bounce {
        Bounce { time, word: letter(k), approach, release, elastic: false }
    }

    /// A ball with e = 0.5: durations halve, and the end is the sum of a geometric series.
    #[test]
    fn a_ball_ends_where_the_series_does() {
        let mut history = History::default();
        let (mut time, mut flight, mut speed) = (1.0, 1.0, 4.0);
        for _ in 0..5 {
            history.push(bounce(time, 0, speed, 0.5 * speed));
            time += flight;
            flight *= 0.5;
            speed *= 0.5;
        }
        let found = history.accumulation(time, &letter(0), speed).expect("a cycle of one");
        assert_eq!((found.cycle, found.ratio), (1, 0.5));
        assert!((found.end - 3.0).abs() < 1e-14, "{}", found.end);
        assert!(history.accumulation(time, &letter(1), speed).is_none(), "another contact");
    }

    /// Two corners in turn, durations of a cycle shrink by 0.49.
    #[test]
    fn a_rocking_block_is_a_word_of_two() {
        let mut history = History::default();
        let (mut time, mut flight) = (0.0, 1.0);
        for k in 0..9 {
            history.push(bounce(time, k % 2, flight, 0.0));
            time += flight;
            flight *= 0.7;
        }
        let found = history.accumulation(time, &letter(1), flight).expect("a cycle of two");
        assert_eq!(found.cycle, 2);
        assert!((found.ratio - 0.49).abs() < 1e-12);
        assert!((found.end - 1.0 / 0.3).abs() < 1e-12);
    }

    #[test]
    fn equal_flights_do_not_end() {
        let mut history = History::default();
        (0..9).for_each(|k| history.push(bounce(f64::from(k), 0, 1.0, 1.0)));
        assert!(history.accumulation(9.0, &letter(0), 1.0).is_none());
    }
}
