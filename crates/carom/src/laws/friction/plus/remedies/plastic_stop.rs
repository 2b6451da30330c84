//! Approaches that are stopped without restitution: observed ones in the end, contacts that collide in turn without end, and
//! all that is left where every attempt fails.

use super::super::active::ActiveContacts;
use super::super::algorithm::{Energy, Impact, RoundRules};
use super::super::contact_space::{Components, ContactSpace};
use super::super::record::Record;
use super::super::tolerances::{MAX_STOP_STEPS, SEARCHED_CONTACTS, STOP_QUALITY};
use super::coulomb::Coulomb;

/// The state of an impact after everything was stopped at once.
#[derive(Clone)]
struct Stopped {
    velocity: Vec<f64>,
    impulse: Vec<f64>,
    energy: Energy,
    /// The fastest approach that rounding does not explain, relative to the largest speed at the start \[1\].
    approach: f64,
}

impl Impact {
    /// Makes all contacts that have collided in turn for very long active together; what they owe is forgiven.
    pub(crate) fn join_after_many_rounds(
        &mut self,
        rules: &RoundRules,
        active: &mut Vec<usize>,
        record: &mut Record,
    ) {
        let rounds = record.effort.rounds;
        if rounds == 0 || !rounds.is_multiple_of(rules.together_after) {
            return;
        }
        self.forgive();
        let first = rounds - rules.together_after;
        let joins = |k: &usize| {
            let own = &self.contacts[*k];
            own.proximal && (self.approaches(*k, rules.observe) || own.last_push > first)
        };
        active.clear();
        active.extend((0..self.contacts.len()).filter(joins));
        record.effort.remedies.together += 1;
    }

    fn forgive(&mut self) {
        self.contacts.iter_mut().for_each(|own| own.owed = 0.0);
    }

    /// Makes observed contacts active that still approach, for a round without restitution. False where there are none, or
    /// where all were stopped at once, which is cheap in small islands.
    pub(crate) fn select_observed(
        &mut self,
        space: &ContactSpace,
        rules: &RoundRules,
        active: &mut Vec<usize>,
        coulomb: &mut Coulomb,
        record: &mut Record,
    ) -> bool {
        if rules.stop_observed {
            let slow = |k: &usize| self.contacts[*k].proximal && self.approaches(*k, rules.zero);
            active.extend((0..self.contacts.len()).filter(slow));
        }
        if active.is_empty() {
            return false;
        }
        record.effort.remedies.observe += 1;
        space.is_sparse() || !self.stop(space, coulomb, SEARCHED_CONTACTS[0])
    }

    /// Stops whatever still approaches, all at once; says whether that is a physical answer. Friction of more than a few
    /// contacts is sought no longer than is quick.
    pub(crate) fn stop(&mut self, space: &ContactSpace, coulomb: &mut Coulomb, few: usize) -> bool {
        self.forgive();
        let with_friction = self.stopped(space, |active| coulomb.stop(active, few));
        if with_friction.as_ref().is_some_and(|stopped| stopped.approach <= STOP_QUALITY[0]) {
            return self.take(with_friction);
        }
        let frictionless = self.stopped(space, Coulomb::stop_frictionless);
        let quality = |stopped: &Option<Stopped>| {
            let good = |approach: f64| STOP_QUALITY.iter().position(|slow| approach <= *slow);
            let found = stopped.as_ref().and_then(|stopped| good(stopped.approach));
            found.unwrap_or(STOP_QUALITY.len())
        };
        let better = quality(&frictionless) < quality(&with_friction);
        let best = if better { frictionless } else { with_friction };
        self.take(best.filter(|stopped| stopped.approach <= STOP_QUALITY[2]))
    }

    /// The same from the start of the impact.
    pub(crate) fn stop_from_start(
        &mut self,
        space: &ContactSpace,
        coulomb: &mut Coulomb,
        rules: &RoundRules,
    ) -> bool {
        self.begin(space, rules.proximity);
        self.stop(space, coulomb, SEARCHED_CONTACTS[1])
    }

    fn take(&mut self, stopped: Option<Stopped>) -> bool {
        let Some(stopped) = stopped else { return false };
        (self.velocity, self.impulse) = (stopped.velocity, stopped.impulse);
        self.energy = stopped.energy;
        true
    }

    /// The state after steps that stop everything, if they create no energy; no contact owes anything.
    fn stopped(
        &self,
        space: &ContactSpace,
        mut step: impl FnMut(&mut ActiveContacts) -> Option<f64>,
    ) -> Option<Stopped> {
        let near: Vec<usize> = (0..space.len()).filter(|&k| self.contacts[k].proximal).collect();
        let mut groups = Vec::new();
        let count = space.split(&near, &mut groups, &mut Components::default());
        let groups = &mut groups[..count];
        let mut stopped = Stopped {
            velocity: self.velocity.clone(),
            impulse: self.impulse.clone(),
            energy: self.energy,
            approach: f64::INFINITY,
        };
        space.velocity_after(&stopped.impulse, &mut stopped.velocity);
        // Where masses are far apart the solver leaves some of the last digits, which another step takes.
        for _ in 0..MAX_STOP_STEPS {
            if stopped.approach <= STOP_QUALITY[0] {
                break;
            }
            let mut reached = stopped.clone();
            for active in groups.iter_mut() {
                self.begin_round(active, 0.0, &stopped.velocity);
                if step(active).is_none() {
                    let usable = stopped.approach < f64::INFINITY && stopped.energy.has_not_grown();
                    return usable.then_some(stopped);
                }
                active.advance(1.0);
                reached.energy.gained += active.energy.gained;
                reached.energy.turnover += active.energy.turnover;
                for (contact, p) in active.contacts.iter().zip(active.impulse.chunks_exact(3)) {
                    let sums = &mut reached.impulse[3 * contact.index..][..3];
                    sums.iter_mut().zip(p).for_each(|(sum, p)| *sum += p);
                }
                space.apply(active, &mut reached.velocity, &mut Vec::new());
            }
            space.velocity_after(&reached.impulse, &mut reached.velocity);
            reached.approach = groups.iter().fold(0.0, |most: f64, active| {
                let of = |values: &[f64]| -> Vec<f64> {
                    let rows = active.contacts.iter().map(|contact| 3 * contact.index);
                    rows.flat_map(|row| values[row..row + 3].to_vec()).collect()
                };
                let (velocity, impulse) = (of(&reached.velocity), of(&reached.impulse));
                let normals = velocity.iter().zip(active.roundings(&impulse)).step_by(3);
                normals.fold(most, |most, (u, rounding)| most.max((-u - rounding) / self.speed))
            });
            stopped = reached;
        }
        stopped.energy.has_not_grown().then_some(stopped)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::algorithm::tests::{record, rules, run};
    use super::super::super::algorithm::{End, Impact, RoundRules};
    use super::super::super::contact_space::ContactSpace;
    use super::super::coulomb::Coulomb;

    /// Two contacts beside each other, the second too slow to be compressed.
    #[test]
    fn observed_approaches_are_stopped_in_the_end() {
        let l = [[1.0, 0.0], [0.0, 1.0]];
        let space = ContactSpace::normals(&l, &[-1.0, -1e-7], &[0.5, 0.5]);
        for (stop_observed, left) in [(false, -1e-7), (true, 0.0)] {
            let rules = RoundRules { observe: 1e-6, stop_observed, ..rules(10) };
            record(false, |record| {
                let (impact, end) = run(&space, &rules, record);
                assert_eq!(end, Ok(End::Over));
                let off = [impact.velocity[0] - 0.5, impact.velocity[3] - left];
                assert!(off.iter().all(|u| u.abs() < 1e-15), "{off:?}");
                assert_eq!(record.effort.remedies.observe, u32::from(stop_observed));
            });
        }
    }

    /// After one round both contacts of a pair are stopped together, without restitution.
    #[test]
    fn contacts_that_collide_in_turn_are_joined() {
        let l = [[1.0, 0.0], [-0.9, f64::sqrt(0.19)]];
        let space = ContactSpace::normals(&l, &[-1.0, 0.0], &[1.0, 1.0]);
        let rules = RoundRules { together_after: 1, ..rules(2) };
        record(false, |record| {
            let (impact, end) = run(&space, &rules, record);
            assert_eq!((end, record.effort.remedies.together), (Ok(End::Cut), 2));
            assert!(impact.velocity.iter().all(|u| u.abs() < 1e-12), "{:?}", impact.velocity);
        });
    }

    #[test]
    fn a_stop_leaves_no_approach_and_no_debt() {
        let space = ContactSpace::normals(&[[2.0]], &[-3.0], &[1.0]);
        let mut impact = Impact::default();
        impact.begin(&space, f64::INFINITY);
        impact.contacts[0].owed = 1.0;
        assert!(impact.stop(&space, &mut Coulomb::default(), 1));
        let off = [impact.velocity[0], impact.impulse[0] - 0.75, impact.energy.gained + 1.125];
        assert!(off.iter().all(|x| x.abs() < 1e-14), "{off:?}");
        assert_eq!(impact.contacts[0].owed, 0.0);
    }
}
