//! The rest of infinitely many impacts, and of impacts in no order: contact that lasts in their place.

use super::*;

/// The contacts that approach, their slots, and the fastest of them [m/s].
type Approaching<'a> = (Vec<&'a (Site, ContactAt)>, Vec<Slot>, f64);

impl Group {
    fn approaching<'a>(&self, sites: &'a [(Site, ContactAt)]) -> Approaching<'a> {
        let still = STILL * self.scales.speed;
        let struck: Vec<&(Site, ContactAt)> =
            sites.iter().filter(|(_, at)| at.u[0] < -still).collect();
        let word = struck.iter().map(|(site, _)| site.slot).collect();
        let approach = struck.iter().map(|(_, at)| -at.u[0]).fold(0.0, f64::max);
        (struck, word, approach)
    }

    /// Whether the rest of infinitely many impacts was replaced by contact that lasts.
    pub(super) fn capture(
        &mut self,
        model: &Model,
        y: &mut [f64],
        sites: &[(Site, ContactAt)],
        told: &mut Told,
    ) -> Result<bool, Failure> {
        let time = y[self.field.unknowns() - 1];
        let (struck, word, approach) = self.approaching(sites);
        let Some(found) = self.history.accumulation(time, &word, approach) else {
            return Ok(false);
        };
        if approach > self.capture_speed(&found) || self.tail.is_some() {
            return Ok(false);
        }
        let mut before = Box::new(self.clone());
        before.located = Some(Located { theta: 0.0, end: time, happening: Happening::Closes });
        let unknowns = self.field.unknowns();
        before.ode.start[..unknowns].copy_from_slice(y);
        before.begin_keeping(model);
        let start = y.to_vec();
        let mut quiet = Told::default();
        let energy = self.impact_work;
        let captured = self.replace_tail(model, y, sites, &found, &mut quiet)?;
        if !captured {
            y.copy_from_slice(&start);
            *self = *before;
            self.located = None;
            self.capture_below = 0.25 * approach;
            return Ok(false);
        }
        let contacts =
            struck.iter().map(|(site, at)| told_contact(model, site, at, [0.0; 3])).collect();
        let kind = EventKind::Accumulation {
            impacts: found.impacts as u64,
            ratio: found.ratio,
            captured_at: time,
            error: found.error,
        };
        let mut told_event = event(found.end, kind, contacts);
        told_event.energy_change = self.impact_work - energy;
        told.impacts += quiet.impacts;
        told.decisions += quiet.decisions;
        self.history.clear();
        self.capture_below = f64::INFINITY;
        self.tail = Some(Tail { end: found.end, event: told_event, before, approach });
        Ok(true)
    }

    /// Whether impacts that follow each other in no order, too small for their flights to be seen, were replaced by contact
    /// that lasts.
    pub(super) fn calm(
        &mut self,
        model: &Model,
        y: &mut [f64],
        sites: &[(Site, ContactAt)],
        told: &mut Told,
    ) -> Result<bool, Failure> {
        let time = y[self.field.unknowns() - 1];
        let (struck, word, approach) = self.approaching(sites);
        let height = CAPTURE * self.settings.state * self.scales.length;
        if self.tail.is_some() {
            return Ok(false);
        }
        let Some((slots, pull)) = self.history.chatters(time, &word, approach, height) else {
            return Ok(false);
        };
        let present: Vec<Slot> =
            sites.iter().map(|(site, _)| site.slot).filter(|slot| slots.contains(slot)).collect();
        let energy = self.impact_work;
        if !self.stop_cycle(model, y, sites, &present, approach)? {
            return Ok(false);
        }
        let contacts =
            struck.iter().map(|(site, at)| told_contact(model, site, at, [0.0; 3])).collect();
        let kind = EventKind::Accumulation {
            impacts: self.history.len() as u64,
            ratio: 0.0,
            captured_at: time,
            error: approach / pull,
        };
        let mut told_event = event(time, kind, contacts);
        told_event.energy_change = self.impact_work - energy;
        told.events.push(told_event);
        told.note("impacts in no order became too small to be followed: lasting contact stands for the rest of them");
        self.history.clear();
        let unseen = self.release_unseen(y).max(1e-6 * approach);
        let after = self.touched_after(model, y, sites);
        self.field.contacts = (sites.iter().zip(&after))
            .filter(|(_, at)| at.u[0].abs() <= unseen)
            .map(|((site, at), _)| self.lasting_before(site, at))
            .collect();
        self.settle(model, y, None, &[], told)?;
        Ok(true)
    }

    /// Slopes at the start, the located step kept.
    pub(super) fn begin_keeping(&mut self, model: &Model) {
        let located = self.located.take();
        self.begin(model);
        self.located = located;
    }

    /// The speed of approach below which the rest of an accumulation may be replaced.
    pub(super) fn capture_speed(&self, found: &Accumulation) -> f64 {
        let length = CAPTURE * self.settings.state * self.scales.length;
        let pull = found.pull;
        // Slip: third order; where it sticks second; and samples inside the tail are off by ε²/(8 b).
        let slides = libm::cbrt(CAPTURE * length * pull * pull);
        let r = found.ratio.min(0.999);
        let sticks = f64::sqrt(CAPTURE * length * pull) * f64::sqrt(1.0 - r * r) / r;
        let sampled = f64::sqrt(8.0 * pull * length);
        slides.min(sticks).min(sampled).min(self.capture_below)
    }

    /// One plastic impact and contact that lasts; false if it does not last.
    pub(super) fn replace_tail(
        &mut self,
        model: &Model,
        y: &mut [f64],
        sites: &[(Site, ContactAt)],
        found: &Accumulation,
        told: &mut Told,
    ) -> Result<bool, Failure> {
        let struck: Vec<Slot> = if found.cycle == 1 {
            let still = STILL * self.scales.speed;
            sites.iter().filter(|(_, at)| at.u[0] < -still).map(|(site, _)| site.slot).collect()
        } else {
            self.history.words(found.cycle).copied().collect()
        };
        if found.cycle == 1 {
            if self.strike(model, y, sites, Kind::Plastic, told).is_err() {
                return Ok(false);
            }
        } else if !self.stop_cycle(model, y, sites, &struck, found.approach)? {
            return Ok(false);
        }
        let unseen = self.release_unseen(y).max(1e-6 * found.approach);
        let after = self.touched_after(model, y, sites);
        let captured = |site: &Site| struck.contains(&site.slot);
        self.field.contacts = (sites.iter().zip(&after))
            .filter(|((site, _), at)| captured(site) || at.u[0].abs() <= unseen)
            .map(|((site, at), _)| self.lasting_before(site, at))
            .collect();
        if self.settle(model, y, None, &[], told).is_err() {
            return Ok(false);
        }
        let lasts = |group: &Self| {
            struck
                .iter()
                .all(|slot| group.field.contacts.iter().any(|contact| contact.site.slot == *slot))
        };
        if !lasts(self)
            || !told
                .events
                .iter()
                .all(|event| matches!(event.kind, EventKind::Impact { .. } | EventKind::Limit))
        {
            return Ok(false);
        }
        // Contact must press up to the end, and a little longer.
        if self.field.evaluate(model, y).is_err() {
            return Ok(false);
        }
        let dt = 2.0 * (found.end - y[y.len() - 1]);
        let mut slope = vec![0.0; y.len() + INTEGRALS];
        self.field.slope(model, y, &mut slope);
        let later: Vec<f64> = y.iter().zip(&slope).map(|(y, s)| y + dt * s).collect();
        if self.field.evaluate(model, &later).is_err() {
            return Ok(false);
        }
        Ok(self.field.forces.iter().all(|force| force[0] >= 0.0))
    }

    /// Stops the normals of all contacts that strike in turn, and the tangents of those whose slip is not much faster than
    /// `slow`: impulses may pull, as they stand for the mean of the rest.
    pub(super) fn stop_cycle(
        &mut self,
        model: &Model,
        y: &mut [f64],
        sites: &[(Site, ContactAt)],
        struck: &[Slot],
        slow: f64,
    ) -> Result<bool, Failure> {
        let kept = std::mem::take(&mut self.field.contacts);
        let mut cycle: Vec<Lasting> = Vec::new();
        for (site, at) in sites {
            let part = struck.contains(&site.slot)
                || kept.iter().any(|contact| contact.site.slot == site.slot);
            if part {
                let slip = f64::hypot(at.u[1], at.u[2]);
                let friction = if at.rows == 1 {
                    Friction::None
                } else if slip > 10.0 * slow && site.material.mu.is_finite() {
                    Friction::SlipSpace
                } else {
                    Friction::Stick
                };
                cycle.push(Lasting { site: site.clone(), friction, armed: true });
            }
        }
        if !struck.iter().all(|slot| cycle.iter().any(|contact| contact.site.slot == *slot)) {
            self.field.contacts = kept;
            return Ok(false);
        }
        self.field.contacts = cycle;
        let before = self.kinetic(model, y)?;
        let start = y.to_vec();
        self.field.stop_impacts(y);
        let mut after = self.kinetic(model, y)?;
        if after > before {
            // Friction of impulses that pull.
            y.copy_from_slice(&start);
            self.field.prepare(model, y)?;
            self.field.stop_contacts(y);
            after = self.kinetic(model, y)?;
        }
        self.impact_work += after - before;
        Ok(true)
    }

    /// Kinetic energy, with the contacts prepared.
    pub(super) fn kinetic(&mut self, model: &Model, y: &[f64]) -> Result<f64, Failure> {
        self.field.prepare(model, y)?;
        Ok(self.energies(model, y).iter().map(|energy| energy[0]).sum())
    }
}
