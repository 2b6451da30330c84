//! What happens where a pattern ends: contacts that open, stick, slip, or go over to other features.

use super::*;

impl Group {
    /// What a pattern needed has ended.
    pub(super) fn change_pattern(
        &mut self,
        model: &Model,
        y: &mut [f64],
        watched: Watched,
        ahead: Option<Vec<f64>>,
        told: &mut Told,
    ) -> Result<(), Failure> {
        match watched {
            Watched::Margin(c) => self.hand_over(model, y, c, told),
            Watched::Begun(c) => {
                self.field.contacts[c].friction = Friction::SlipSpace;
                self.field.contacts[c].armed = true;
                Ok(())
            }
            Watched::Armed(c) => {
                self.field.contacts[c].armed = true;
                Ok(())
            }
            Watched::Singular(_) if self.ends_slow_slips(model, y, told)? => Ok(()),
            Watched::Singular(_) => {
                told.note("near-singular friction: the normal force of a sliding contact grows without bound");
                self.jam(model, y, told)
            }
            Watched::ZeroSlip(c) => {
                let stops = self.field.contacts[c].site.slot;
                self.add_unloaded(model, y);
                let at = self.field.contacts.iter().position(|contact| contact.site.slot == stops);
                self.settle(model, y, ahead, at.as_slice(), told)
            }
            Watched::Lift(_) | Watched::Cone(_) | Watched::Group => {
                self.add_unloaded(model, y);
                self.settle(model, y, ahead, &[], told)
            }
        }
    }

    /// Contacts that touch without pressing may have to press from now on.
    pub(super) fn add_unloaded(&mut self, model: &Model, y: &[f64]) {
        let unseen = self.release_unseen(y);
        let sites = self.touching(model, y);
        self.field.contacts = (sites.iter())
            .filter(|(site, at)| {
                at.u[0].abs() <= unseen
                    || self.field.contacts.iter().any(|contact| contact.site.slot == site.slot)
            })
            .map(|(site, at)| self.lasting_before(site, at))
            .collect();
    }

    /// A contact goes over to neighbouring features of the same shapes.
    pub(super) fn hand_over(
        &mut self,
        model: &Model,
        y: &mut [f64],
        c: usize,
        told: &mut Told,
    ) -> Result<(), Failure> {
        let leaving = self.field.contacts.remove(c);
        let thresholds = self.scales.thresholds();
        let unseen = self.release_unseen(y);
        self.field.layout.kinematics(model, y, &mut self.field.kinematics);
        let bodies = self.field.bodies(model, y);
        let margin = |site: &Site| {
            let Some((feature, pair)) = site.feature() else { return f64::INFINITY };
            feature.margin(&bodies.get(pair.a).pose, &bodies.get(pair.b).pose)
        };
        let mut found: Vec<(f64, Site)> = Vec::new();
        let mut sagging = false;
        for site in leaving.site.neighbours() {
            let lasts = self.field.contacts.iter().any(|contact| contact.site.slot == site.slot);
            if site.slot == leaving.site.slot || lasts {
                continue;
            }
            let Some((feature, _)) = site.feature() else { continue };
            let at = ContactAt::velocity_of(&bodies, &site, y);
            let margin = margin(&site);
            let closed = at.touch.gap.abs() <= 10.0 * thresholds.closed;
            let sags = !closed && at.touch.gap < 0.0 && at.touch.gap >= -feature.sags();
            if margin >= -10.0 * thresholds.margin && (sags || closed && at.u[0].abs() <= unseen) {
                sagging |= sags;
                found.push((margin, site));
            }
        }
        if leaving.site.is_single() && found.len() > 1 {
            let best = found.iter().map(|(margin, _)| *margin).fold(f64::NEG_INFINITY, f64::max);
            found.retain(|(margin, _)| *margin == best);
            found.truncate(1);
        }
        // The points of a cap leave together.
        let leave: Vec<Slot> = (self.field.contacts.iter())
            .filter(|contact| sagging && contact.site.shares_shapes(&leaving.site))
            .filter(|contact| margin(&contact.site) <= thresholds.margin)
            .map(|contact| contact.site.slot)
            .collect();
        let contact = ContactAt::velocity_of(&bodies, &leaving.site, y);
        let told_one = told_contact(model, &leaving.site, &contact, [0.0; 3]);
        self.field.contacts.retain(|contact| !leave.contains(&contact.site.slot));
        for (_, site) in found {
            self.field.contacts.push(Lasting { site, ..leaving.clone() });
        }
        self.field.contacts.sort_by_key(|contact| contact.site.slot);
        if self.settings.features {
            told.events.push(event(y[y.len() - 1], EventKind::Feature, vec![told_one]));
        }
        if sagging {
            self.field.prepare(model, y)?;
            self.close_new_gaps(model, y)?;
            return self.collide(model, y, told);
        }
        self.settle(model, y, None, &[], told)
    }

    /// Slip in space that ends: velocities a moment later, without it.
    pub(super) fn end_slip(
        &mut self,
        model: &Model,
        y: &mut [f64],
        c: usize,
        told: &mut Told,
    ) -> Result<(), Failure> {
        let mut slope = vec![0.0; y.len() + INTEGRALS];
        let slips = self.slips(model);
        self.field.slope(model, y, &mut slope);
        if let Some((_, slip, rate)) = slips.into_iter().find(|(k, ..)| *k == c) {
            let dt = slip / -rate;
            y.iter_mut().zip(&slope).for_each(|(y, s)| *y += dt * s);
            self.works.iter_mut().zip(&slope[y.len()..]).for_each(|(w, s)| *w += dt * s);
        }
        let stops = self.field.contacts[c].site.slot;
        self.add_unloaded(model, y);
        let at = self.field.contacts.iter().position(|contact| contact.site.slot == stops);
        self.settle(model, y, None, at.as_slice(), told)
    }

    /// Slips that have hardly begun are over sooner than forces that grow without bound: whether there were any.
    fn ends_slow_slips(
        &mut self,
        model: &Model,
        y: &mut [f64],
        told: &mut Told,
    ) -> Result<bool, Failure> {
        self.field.prepare(model, y)?;
        let begun = BEGUN * self.scales.speed;
        let slow: Vec<Slot> = (self.field.contacts.iter().zip(&self.field.at))
            .filter(|(contact, at)| {
                contact.friction.slides() && f64::hypot(at.u[1], at.u[2]) < begun
            })
            .map(|(contact, _)| contact.site.slot)
            .collect();
        if slow.is_empty() {
            return Ok(false);
        }
        self.add_unloaded(model, y);
        let stops: Vec<usize> = (self.field.contacts.iter().enumerate())
            .filter(|(_, contact)| slow.contains(&contact.site.slot))
            .map(|(c, _)| c)
            .collect();
        self.settle(model, y, None, &stops, told)?;
        Ok(true)
    }

    /// Velocities jump because friction has no finite force.
    pub(super) fn jam(
        &mut self,
        model: &Model,
        y: &mut [f64],
        told: &mut Told,
    ) -> Result<(), Failure> {
        told.note("sliding friction had no finite force: velocities jumped without a collision");
        let unseen = self.release_unseen(y);
        // What separates takes no part.
        let mut sites: Vec<(Site, ContactAt)> = self.touching(model, y);
        sites.retain(|(_, at)| at.u[0].abs() <= unseen.max(1e-6 * self.scales.speed));
        self.strike(model, y, &sites, Kind::Jam, told)?;
        let after = self.touched_after(model, y, &sites);
        self.field.contacts = (sites.iter().zip(&after))
            .filter(|(_, at)| at.u[0].abs() <= unseen.max(1e-6 * self.scales.speed))
            .map(|((site, at), _)| self.lasting_before(site, at))
            .collect();
        self.settle(model, y, None, &[], told)
    }

    /// Decides the pattern of the contacts that the field has, and takes off velocities that it excludes. `ahead` is the
    /// state a moment later along the pattern that has ended; slip of `stops` is zero.
    pub(super) fn settle(
        &mut self,
        model: &Model,
        y: &mut [f64],
        ahead: Option<Vec<f64>>,
        stops: &[usize],
        told: &mut Told,
    ) -> Result<(), Failure> {
        let time = y[y.len() - 1];
        told.decisions += 1;
        if time - self.decided > 1e-9 * self.scales.time() {
            self.decided = time;
            self.decisions = 0;
        }
        self.decisions += 1;
        if self.decisions > 20 * DECISIONS_AT_ONCE {
            let message = format!("contacts at t = {time} s change without time passing");
            return Err(Failure { kind: FailureKind::TooManyEvents, message });
        }
        if self.decisions > DECISIONS_AT_ONCE {
            told.note("chatter: contacts changed again and again at one time; a millionth of the time scale was passed over");
            let moment = AHEAD * self.scales.time();
            // Longer and longer, where it begins again soon after.
            let soon = time - self.deaf_until <= 8.0 * self.deaf_for;
            if time >= self.deaf_until {
                let longer = if soon { 2.0 * self.deaf_for } else { 0.0 };
                self.deaf_for = longer.clamp(moment, LONGEST_DEAF * moment);
            }
            self.deaf_until = time + self.deaf_for;
        }
        // Also of what opens: it would begin a little deeper each time.
        if !self.field.contacts.is_empty() {
            self.field.prepare(model, y)?;
            self.close_new_gaps(model, y)?;
        }
        let speed = STILL * self.scales.speed;
        let before: Vec<Lasting> = self.field.contacts.clone();
        let mut notes = DecisionNotes::default();
        let mut decision = None;
        if let Some(ahead) = ahead {
            // A moment later slip that is zero here has a size: two points of a body have the same slip.
            self.field.prepare(model, y)?;
            let slips: Vec<bool> =
                self.field.at.iter().map(|at| slides(at, false, 3.0 * speed).is_some()).collect();
            let at_event = |c: usize| {
                let held = matches!(
                    before[c].friction,
                    Friction::Stick | Friction::BeginsHeld | Friction::Begins { .. }
                );
                stops.contains(&c) || held || !slips[c]
            };
            let found =
                self.decider.decide(model, &mut self.field, &ahead, at_event, speed, &mut notes)?;
            decision = Some(found);
        }
        let decision = match decision {
            Some(found) => found,
            None => {
                let stopped = |c: usize| stops.contains(&c);
                self.decider.decide(model, &mut self.field, y, stopped, speed, &mut notes)?
            }
        };
        if notes.indeterminate {
            told.note("indeterminate: a sliding contact separates although pressing would be a solution too");
        }
        if notes.redundant_sliding {
            told.note("redundant contacts slide: accelerations are the limit of contacts that yield equally");
        }
        let fates = match decision {
            Decision::Jams if self.decisions > DECISIONS_AT_ONCE => self.hold(model, y, told)?,
            Decision::Jams => return self.jam(model, y, told),
            Decision::Fates(fates) => fates,
        };
        self.tell_changes(model, y, &before, &fates, told);
        self.field.contacts = (before.into_iter().zip(fates))
            .filter_map(|(contact, fate)| match fate {
                Fate::Opens => None,
                Fate::Keeps(friction) => {
                    let begins = matches!(friction, Friction::Begins { .. });
                    let held = begins && contact.friction == Friction::Stick;
                    let goes_on = contact.friction == friction && contact.armed;
                    let friction = if held { Friction::BeginsHeld } else { friction };
                    let armed = goes_on || !friction.slides();
                    Some(Lasting { site: contact.site, friction, armed })
                }
            })
            .collect();
        self.field.prepare(model, y)?;
        for (contact, at) in self.field.contacts.iter_mut().zip(&self.field.at) {
            contact.armed |= f64::hypot(at.u[1], at.u[2]) > BEGUN * self.scales.speed;
        }
        let stopped = self.field.stop_contacts(y);
        self.book(stopped);
        Ok(())
    }

    /// What is taken off where something happens counts as impacts.
    pub(super) fn book(&mut self, stopped: Stopped) {
        self.impact_work += stopped.energy_change;
        self.works[3] += stopped.drives;
    }

    /// Contacts begin with gaps that only count as closed: what closing them changes counts as impacts too.
    fn close_new_gaps(&mut self, model: &Model, y: &mut [f64]) -> Result<(), Failure> {
        let seen = self.scales.thresholds().grazing;
        if self.field.at.iter().all(|at| at.touch.gap.abs() <= seen) {
            return Ok(());
        }
        let total =
            |group: &mut Self, y: &[f64]| group.energies(model, y).iter().flatten().sum::<f64>();
        let before = total(self, y);
        self.field.close_gaps(model, y);
        self.impact_work += total(self, y) - before;
        self.field.prepare(model, y)
    }

    /// Where jams follow each other at one time: all that slides stops at once.
    fn hold(
        &mut self,
        model: &Model,
        y: &mut [f64],
        told: &mut Told,
    ) -> Result<Vec<Fate>, Failure> {
        told.note("jams did not end under the law: what slid there was stopped");
        let kept = self.field.contacts.clone();
        for contact in &mut self.field.contacts {
            contact.friction = Friction::Stick;
        }
        self.field.prepare(model, y)?;
        let stopped = self.field.stop_contacts(y);
        self.book(stopped);
        self.field.contacts = kept;
        let (speed, mut notes) = (STILL * self.scales.speed, DecisionNotes::default());
        let found = self.decider.decide(model, &mut self.field, y, |_| true, speed, &mut notes)?;
        Ok(match found {
            Decision::Fates(fates) => fates,
            Decision::Jams => {
                let one_row = |at: &ContactAt| at.rows == 1;
                let hold = |at| if one_row(at) { Friction::None } else { Friction::Stick };
                self.field.at.iter().map(|at| Fate::Keeps(hold(at))).collect()
            }
        })
    }

    /// Contacts that separate, stick or slip from now on.
    pub(super) fn tell_changes(
        &mut self,
        model: &Model,
        y: &[f64],
        before: &[Lasting],
        fates: &[Fate],
        told: &mut Told,
    ) {
        let time = y[y.len() - 1];
        let of_event = !self.field.contacts.is_empty() && time > 0.0;
        if !of_event
            || told.events.last().is_some_and(|event| event.time == time && event.verdict.is_some())
        {
            return;
        }
        self.field.layout.kinematics(model, y, &mut self.field.kinematics);
        let bodies = self.field.bodies(model, y);
        let mut changes: [Vec<EventContact>; 3] = Default::default();
        for (contact, fate) in before.iter().zip(fates) {
            let change = match (contact.friction, fate) {
                (_, Fate::Opens) => 0,
                (Friction::Stick, Fate::Keeps(friction)) if friction.slides() => 1,
                (friction, Fate::Keeps(Friction::Stick)) if friction.slides() => 2,
                _ => continue,
            };
            let at = ContactAt::velocity_of(&bodies, &contact.site, y);
            changes[change].push(told_contact(model, &contact.site, &at, [0.0; 3]));
        }
        for (contacts, kind) in
            changes.into_iter().zip([EventKind::Separation, EventKind::Slip, EventKind::Stick])
        {
            if !contacts.is_empty() {
                told.events.push(event(time, kind, contacts));
            }
        }
    }
}
