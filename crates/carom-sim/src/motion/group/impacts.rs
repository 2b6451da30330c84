//! What happens where a gap closes: impacts at one time, and which contacts last after them.

use super::*;

impl Group {
    /// All contacts that are closed here or last, as they are at `y`.
    pub(super) fn touching(&mut self, model: &Model, y: &[f64]) -> Vec<(Site, ContactAt)> {
        self.field.layout.kinematics(model, y, &mut self.field.kinematics);
        let bodies = self.field.bodies(model, y);
        let thresholds = self.scales.thresholds();
        let mut sites: Vec<(Site, ContactAt)> = (self.field.contacts.iter())
            .map(|contact| {
                (contact.site.clone(), ContactAt::velocity_of(&bodies, &contact.site, y))
            })
            .collect();
        let lasting = sites.len();
        for pair in &self.pairs {
            let (a, b) = (bodies.get(pair.a), bodies.get(pair.b));
            for shape in 0..pair.shapes.len() {
                if pair.shapes[shape].distance_bound(&a.pose, &b.pose) > thresholds.closed {
                    continue;
                }
                let before = sites.len();
                // The rim of a cap that is nearly flat, where none of the points that stand for it touches.
                let mut flat: Option<Site> = None;
                let mut nearest: Option<(f64, Site)> = None;
                for (f, feature) in pair.shapes[shape].features.iter().enumerate() {
                    let site = Site::of_feature(pair, shape, f);
                    let known = sites[..lasting]
                        .iter()
                        .any(|(known, _)| known.slot == site.slot || known.excludes(&site));
                    if known || !thresholds.is_closed(feature.touch(&a.pose, &b.pose).gap) {
                        continue;
                    }
                    let margin = feature.margin(&a.pose, &b.pose);
                    if margin < -thresholds.margin {
                        if margin >= -thresholds.margin - feature.sags() {
                            flat = Some(site);
                        }
                        continue;
                    }
                    if !pair.shapes[shape].single {
                        let at = ContactAt::velocity_of(&bodies, &site, y);
                        sites.push((site, at));
                    } else if nearest.as_ref().is_none_or(|(best, _)| margin > *best) {
                        nearest = Some((margin, site));
                    }
                }
                if let Some((_, site)) = nearest {
                    let at = ContactAt::velocity_of(&bodies, &site, y);
                    sites.push((site, at));
                }
                if let Some(site) = flat.filter(|_| sites.len() == before) {
                    let at = ContactAt::velocity_of(&bodies, &site, y);
                    sites.push((site, at));
                }
            }
        }
        for site in &self.limits {
            let known = self.field.contacts.iter().any(|contact| contact.site.slot == site.slot);
            if !known && thresholds.is_closed(gap_and_rate(&bodies, site, y).0) {
                sites.push((site.clone(), ContactAt::velocity_of(&bodies, site, y)));
            }
        }
        sites.sort_by_key(|(site, _)| site.slot);
        sites
    }

    /// Speeds of release that gaps cannot show.
    pub(super) fn release_unseen(&self, y: &[f64]) -> f64 {
        let nq = self.field.layout.positions();
        let size = carom_numerics::largest(&y[..nq]).max(self.scales.length);
        let unseen = f64::sqrt(8.0 * f64::EPSILON * size * self.scales.acceleration());
        unseen.max(STILL * self.scales.speed)
    }

    /// Impacts at one time, until nothing approaches, and then which contacts last.
    pub(super) fn collide(
        &mut self,
        model: &Model,
        y: &mut [f64],
        told: &mut Told,
    ) -> Result<(), Failure> {
        let time = y[self.field.unknowns() - 1];
        let still = STILL * self.scales.speed;
        let mut count = 0;
        let sites = loop {
            let sites = self.touching(model, y);
            if !sites.iter().any(|(_, at)| at.u[0] < -still) {
                break sites;
            }
            count += 1;
            if count > IMPACTS_AT_ONCE + 10 * sites.len() {
                let message = format!("impacts at t = {time} s do not end under this law");
                return Err(Failure { kind: FailureKind::ImpactSequence, message });
            }
            if count == 1
                && (self.capture(model, y, &sites, told)? || self.calm(model, y, &sites, told)?)
            {
                return Ok(());
            }
            self.strike(model, y, &sites, Kind::Collision, told)?;
        };
        let unseen = self.release_unseen(y);
        let slow = |at: &ContactAt| at.u[0].abs() <= unseen;
        // What approaches too slowly for an impact would close its gap again at once.
        if sites.iter().any(|(_, at)| at.u[0] < 0.0) {
            let kept = std::mem::take(&mut self.field.contacts);
            let closing = sites.iter().filter(|(_, at)| at.u[0] < 0.0);
            self.field.contacts = closing
                .map(|(site, _)| Lasting {
                    site: site.clone(),
                    friction: Friction::None,
                    armed: true,
                })
                .collect();
            self.field.prepare(model, y)?;
            let stopped = self.field.stop_contacts(y);
            self.book(stopped);
            self.field.contacts = kept;
        }
        self.field.contacts = (sites.iter().filter(|(_, at)| slow(at)))
            .map(|(site, at)| self.lasting_before(site, at))
            .collect();
        self.settle(model, y, None, &[], told)
    }

    /// A contact with the friction it had, or what its slip says.
    pub(super) fn lasting_before(&self, site: &Site, _at: &ContactAt) -> Lasting {
        let known = self.field.contacts.iter().find(|contact| contact.site.slot == site.slot);
        let new = || Lasting { site: site.clone(), friction: Friction::None, armed: true };
        known.cloned().unwrap_or_else(new)
    }

    /// One impact.
    pub(super) fn strike(
        &mut self,
        model: &Model,
        y: &mut [f64],
        sites: &[(Site, ContactAt)],
        kind: Kind,
        told: &mut Told,
    ) -> Result<(), Failure> {
        let time = y[self.field.unknowns() - 1];
        let still = STILL * self.scales.speed;
        let approaching: Vec<usize> =
            (0..sites.len()).filter(|&c| sites[c].1.u[0] < -still).collect();
        let bodies = self.field.bodies(model, y);
        if let Some(sought) = &mut told.sought
            && kind == Kind::Collision
            && let Some(found) = sought.hear(model, &bodies, sites, y, self.scales.speed)
        {
            return Err(found);
        }
        let mut after = y.to_vec();
        let jump = resolve_impact(model, &bodies, sites, &mut after, kind, self.scales.speed)?;
        y.copy_from_slice(&after);
        told.impacts += 1;
        self.works[3] += jump.drives;
        self.impact_work += jump.energy_change;
        if matches!(&jump.verdict, carom::Verdict::Violates(failed) if failed.contains(&carom::certify::Inequality::Energy))
        {
            told.note(&format!("{} gained energy in an impact; its verdict says so", jump.law));
        }
        if jump.instead {
            told.note(&format!(
                "the default law had no answer to an impact; {} answered it",
                jump.law
            ));
        }
        let limits_only =
            approaching.iter().all(|&c| matches!(sites[c].0.slot, Slot::Limit { .. }));
        let kind_told = match kind {
            Kind::Jam => EventKind::Impact { collision: false },
            _ if limits_only && !approaching.is_empty() => EventKind::Limit,
            _ => EventKind::Impact { collision: true },
        };
        let contacts = (sites.iter().zip(&jump.impulses))
            .filter(|(_, impulse)| **impulse != [0.0; 3])
            .map(|((site, at), impulse)| told_contact(model, site, at, *impulse))
            .collect();
        let mut told_event = event(time, kind_told, contacts);
        told_event.energy_change = jump.energy_change;
        told_event.verdict = Some(jump.verdict);
        told.events.push(told_event);
        if kind == Kind::Collision {
            let after = self.touched_after(model, y, sites);
            let release = approaching.iter().map(|&c| after[c].u[0]).fold(0.0, f64::max);
            let approach = approaching.iter().map(|&c| -sites[c].1.u[0]).fold(0.0, f64::max);
            // Friction may take what restitution gives back.
            let turned: f64 =
                approaching.iter().map(|&c| jump.impulses[c][0] * -sites[c].1.u[0]).sum();
            let elastic = -jump.energy_change < LOSSLESS * turned
                && approaching
                    .iter()
                    .all(|&c| sites[c].0.material.restitution.at(approach) >= 1.0 - LOSSLESS);
            let word = approaching.iter().map(|&c| sites[c].0.slot).collect();
            self.history.push(Bounce { time, word, approach, release, elastic });
        }
        Ok(())
    }

    pub(super) fn touched_after(
        &mut self,
        model: &Model,
        y: &[f64],
        sites: &[(Site, ContactAt)],
    ) -> Vec<ContactAt> {
        self.field.layout.kinematics(model, y, &mut self.field.kinematics);
        let bodies = self.field.bodies(model, y);
        sites.iter().map(|(site, _)| ContactAt::velocity_of(&bodies, site, y)).collect()
    }
}
