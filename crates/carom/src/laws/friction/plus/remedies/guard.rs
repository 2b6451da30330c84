//! The energy guard: an expansion that would create energy is cut back.

use super::super::active::ActiveContacts;
use super::super::algorithm::{Impact, Round, RoundMethod};
use super::super::failure::Failure;
use super::super::record::Record;
use super::super::tolerances::{GUARD_ATTEMPTS, GUARD_PRECISION};

impl Impact {
    /// One round, its expansion cut back if it would create energy. Only what is kept is shown.
    pub(crate) fn guarded_round(
        &self,
        groups: &mut [ActiveContacts],
        method: &mut RoundMethod,
        record: &mut Record,
    ) -> Result<Round, Failure> {
        let traces = std::mem::replace(&mut record.traces, false);
        let mut share = 1.0;
        let mut round = self.round(groups, share, method, record)?;
        if round.energy.has_grown() {
            record.effort.remedies.energy_guard += 1;
            let whole = round.energy.gained;
            let mut gained = |share: f64, record: &mut Record| {
                self.round(groups, share, method, record).map(|round| round.energy.gained)
            };
            share = 0.0;
            let none = gained(share, record)?;
            if none <= 0.0 {
                share = largest_without_gain(none, whole, |share| gained(share, record))?;
            }
            round = self.round(groups, share, method, record)?;
            if round.energy.has_grown() {
                return Err(Failure::Gain { energy: round.energy.gained });
            }
        }
        record.traces = traces;
        if traces {
            let spent = record.spent;
            round = self.round(groups, share, method, record)?;
            record.spent = spent;
        }
        Ok(round)
    }
}

/// The largest share of an expansion that creates no energy: none gains `none ≤ 0`, all of it gains `all > 0` \[J\]. By
/// regula falsi, of which the end that stays is made to count half (the Illinois rule).
fn largest_without_gain(
    none: f64,
    all: f64,
    mut gain: impl FnMut(f64) -> Result<f64, Failure>,
) -> Result<f64, Failure> {
    let (mut low, mut low_gain) = (0.0, none);
    let (mut high, mut high_gain) = (1.0, all);
    for _ in 0..GUARD_ATTEMPTS {
        if high - low <= GUARD_PRECISION {
            break;
        }
        let place = low - low_gain * (high - low) / (high_gain - low_gain);
        // Never at an end, where nothing would be learnt.
        let edge = 0.25 * GUARD_PRECISION;
        let share = place.clamp(low + edge, high - edge);
        let gained = gain(share)?;
        if gained > 0.0 {
            (high, high_gain) = (share, gained);
            low_gain *= 0.5;
        } else {
            (low, low_gain) = (share, gained);
            high_gain *= 0.5;
        }
    }
    Ok(low)
}

#[cfg(test)]
mod tests {
    use super::super::super::algorithm::tests::{record, rules, run};
    use super::super::super::algorithm::{End, RoundRules};
    use super::super::super::contact_space::ContactSpace;
    use super::largest_without_gain;

    #[test]
    fn the_largest_share_is_found_from_below() {
        let share = largest_without_gain(-0.25, 0.75, |s| Ok(s * s - 0.25)).unwrap();
        assert!((0.5 - 1e-9..=0.5).contains(&share), "{share}");
    }

    /// W = [[1, −0.9], [−0.9, 1]], u = (−1, −1), e = (1, 0): compression takes 10 N·s each and 10 J, expansion of the first
    /// would return ½·10² = 50 J. With the guard it returns 10 J.
    #[test]
    fn unequal_restitution_creates_no_energy() {
        let l = [[1.0, 0.0], [-0.9, f64::sqrt(0.19)]];
        let space = ContactSpace::normals(&l, &[-1.0, -1.0], &[1.0, 0.0]);
        for (guard, gained) in [(false, 40.0), (true, 0.0)] {
            let rules = RoundRules { guard, ..rules(2) };
            let (impact, end, acted) = record(false, |record| {
                let (impact, end) = run(&space, &rules, record);
                (impact, end, record.effort.remedies.energy_guard)
            });
            assert_eq!((end, acted), (Ok(End::Cut), u32::from(guard)));
            assert!((impact.energy.gained - gained).abs() < 1e-6, "{:?}", impact.energy);
        }
    }
}
