//! One step: its length, and the first event inside it.

use super::*;

impl Group {
    /// The step from where it stands to the first event, no later than `until`.
    pub(crate) fn locate(&mut self, model: &Model, until: f64) {
        if self.located.is_some() || self.rests {
            return;
        }
        let t = self.time();
        self.rescale(model);
        let until = self.tail.as_ref().map_or(until, |tail| until.min(tail.end));
        // What is passed over ends with a step.
        let until = if t < self.deaf_until { until.min(self.deaf_until) } else { until };
        if let Some(contact) = self.ends_straight(model) {
            self.located =
                Some(Located { theta: 0.0, end: t, happening: Happening::SlipEnds(contact) });
            return;
        }
        let failed = |group: &mut Self, kind: FailureKind, message: &str| {
            let failure = group.field.failure.take();
            let y = group.state().to_vec();
            let steepest = match group.field.evaluate(model, &y) {
                Ok(()) => group.field.steepest(),
                Err(failure) if failure.kind == FailureKind::NoPattern => {
                    group.field.contacts.iter().position(|contact| contact.friction.slides())
                }
                Err(_) => None,
            };
            if let Some(contact) = steepest {
                // Forces grow without bound: the impulse of the little time that is left stands for them.
                let happening = Happening::Pattern(Watched::Singular(contact));
                group.located = Some(Located { theta: 0.0, end: t, happening });
                return;
            }
            let failure = failure.unwrap_or(Failure { kind, message: message.into() });
            group.located =
                Some(Located { theta: 0.0, end: t, happening: Happening::Fails(failure) });
        };
        let least = 1e-14 * self.scales.time().max(f64::MIN_POSITIVE);
        let longest = self.longest_step(model);
        let mut h = self.h.min(longest).min(until - t).max(f64::MIN_POSITIVE);
        let cut = h < self.h;
        let next = loop {
            if t + h == t && until > t {
                return failed(self, FailureKind::Step, "steps are too short to be told apart");
            }
            let field = &mut self.field;
            self.ode.step(h, |y, out| field.slope(model, y, out));
            let error = self.ode.error(&self.error_scale[..self.ode.start.len()]);
            if self.field.failure.is_some() && h <= least.max(1e-9 * self.scales.time()) {
                return failed(self, FailureKind::Step, "");
            }
            self.field.failure = None;
            match self.control.judge(h, error) {
                Verdict::Accept(next) => break next,
                Verdict::Reject(shorter) => h = shorter,
                Verdict::Stuck => {
                    return failed(
                        self,
                        FailureKind::Step,
                        "something is not smooth: no step is short enough",
                    );
                }
            }
            if h < least {
                return failed(
                    self,
                    FailureKind::Step,
                    "something is not smooth: no step is short enough",
                );
            }
        };
        self.steps += 1;
        self.length = h;
        self.prepared = false;
        // A step that was cut short by the end of the run or of slip says little about the next.
        self.h = if cut { self.h.max(next) } else { next };
        let end = if t + h >= until || (until - t - h).abs() < 1e-12 * until.abs() {
            until
        } else {
            t + h
        };
        let (mut theta, mut happening) = (1.0, Happening::Nothing);
        if let Some((at, what)) = self.pattern_event(model) {
            (theta, happening) = (at, Happening::Pattern(what));
        }
        if let Some(at) = self.first_gap(model, theta) {
            (theta, happening) = (at, Happening::Closes);
        }
        let end = if matches!(happening, Happening::Nothing) { end } else { t + theta * h };
        self.located = Some(Located { theta, end, happening });
    }

    /// Limits of a step that the error does not see: slip in space that comes to an end.
    pub(super) fn longest_step(&mut self, model: &Model) -> f64 {
        let mut longest = f64::INFINITY;
        if self.field.contacts.iter().any(|contact| contact.friction == Friction::SlipSpace) {
            let slips = self.slips(model);
            for &(_, slip, rate) in &slips {
                if rate < 0.0 {
                    longest = longest.min(SHARE_OF_SLIP * slip / -rate);
                }
            }
            self.memory.slips = slips;
        }
        longest
    }

    /// The contact, if any, whose slip ends within a straight step.
    pub(super) fn ends_straight(&mut self, model: &Model) -> Option<usize> {
        if !self.field.contacts.iter().any(|contact| contact.friction == Friction::SlipSpace) {
            return None;
        }
        let ending = ENDING * self.scales.speed;
        let slips = self.slips(model);
        // Slip that hardly slows down may turn before it ends: a straight step would pass over what happens until then.
        let longest = STRAIGHT * self.scales.time();
        let found = (slips.iter())
            .find(|(_, slip, rate)| *slip < ending && *rate < 0.0 && *slip <= longest * -rate)
            .map(|(c, ..)| *c);
        self.memory.slips = slips;
        found
    }

    /// Slip and its rate along itself, of contacts that slide in space.
    pub(super) fn slips(&mut self, model: &Model) -> Vec<(usize, f64, f64)> {
        let mut slips = std::mem::take(&mut self.memory.slips);
        slips.clear();
        let Self { field, ode, .. } = self;
        let unknowns = field.unknowns();
        if field.evaluate(model, &ode.start[..unknowns]).is_err() {
            return slips;
        }
        let field = &*field;
        let sliding = (field.contacts.iter().enumerate())
            .filter(|(_, contact)| contact.friction == Friction::SlipSpace)
            .map(|(c, _)| {
                let at = &field.at[c];
                let size = f64::hypot(at.u[1], at.u[2]);
                let acceleration = field.contact_acceleration(c);
                let rate = (at.u[1] * acceleration[1] + at.u[2] * acceleration[2]) / size;
                (c, size, rate)
            });
        slips.extend(sliding);
        slips
    }

    /// The first event of the pattern in the step.
    pub(super) fn pattern_event(&mut self, model: &Model) -> Option<(f64, Watched)> {
        if self.field.contacts.is_empty() || self.time() < self.deaf_until {
            return None;
        }
        self.prepare(model);
        let Self { field, ode, decider, scales, length, memory, .. } = self;
        let memory = &mut memory.watch;
        Watch { model, field, ode, decider, memory, scales: *scales, h: *length }.first()
    }

    /// The first part of the step, before `end`, at which a gap closes.
    pub(super) fn first_gap(&mut self, model: &Model, end: f64) -> Option<f64> {
        if self.pairs.is_empty() && self.limits.is_empty() {
            return None;
        }
        self.view.clear();
        let mut thresholds = self.scales.thresholds();
        if self.time() < self.deaf_until {
            // What comes back again and again at one time may close a little deeper.
            thresholds.speed = thresholds.speed.max(self.release_unseen(self.state()));
        }
        let h = self.length;
        let mut near = std::mem::take(&mut self.memory.near);
        {
            let Self { field, ode, view, pairs, clearance, movers, scales, .. } = self;
            let layout = &field.layout;
            let mut search = Search { model, layout, ode, view, h, thresholds };
            clearance.find(&mut search, pairs, movers, CLEAR * scales.length, &mut near);
        }
        if near.is_empty() && self.limits.is_empty() {
            self.memory.near = near;
            return None;
        }
        self.prepare(model);
        let Self { field, ode, view, pairs, limits, .. } = self;
        let contacts = &field.contacts;
        let lasts = |site: &Site| {
            contacts
                .iter()
                .any(|contact| contact.site.slot == site.slot || contact.site.excludes(site))
        };
        let mut search = Search { model, layout: &field.layout, ode, view, h, thresholds };
        let mut first: Option<f64> = None;
        for &p in &near {
            let before = first.unwrap_or(end);
            if let Some((theta, _)) = search.pair(&pairs[p], lasts, before)
                && first.is_none_or(|known| theta < known)
            {
                first = Some(theta);
            }
        }
        for site in limits.iter().filter(|site| !lasts(site)) {
            if let Some(theta) = search.limit(site, first.unwrap_or(end))
                && first.is_none_or(|known| theta < known)
            {
                first = Some(theta);
            }
        }
        self.memory.near = near;
        first
    }

    /// Shortens the located step to end at `time` with nothing happening there.
    pub(crate) fn truncate(&mut self, model: &Model, time: f64) {
        if self.rests || self.located.is_none() {
            return;
        }
        self.prepare(model);
        let theta = ((time - self.time()) / self.length).clamp(0.0, 1.0);
        self.located = Some(Located { theta, end: time, happening: Happening::Nothing });
    }
}

impl Clearance {
    /// The pairs that may come to touch in this step. Far pairs cost nothing until bodies have gone the way between them.
    fn find(
        &mut self,
        search: &mut Search,
        pairs: &[Rc<PairModel>],
        movers: &[usize],
        small: f64,
        near: &mut Vec<usize>,
    ) {
        near.clear();
        let path = movers.iter().map(|&body| search.path(body)).fold(0.0, f64::max);
        self.spent += 2.0 * path;
        if self.spent < self.least && self.left.len() == pairs.len() {
            return;
        }
        self.left.resize(pairs.len(), 0.0);
        self.least = f64::INFINITY;
        for (p, (pair, left)) in pairs.iter().zip(&mut self.left).enumerate() {
            *left -= self.spent;
            if left.is_nan() || *left <= 0.0 {
                *left = search.clearance(pair) - small;
                if left.is_nan() || *left <= 0.0 {
                    near.push(p);
                }
            }
            self.least = self.least.min(*left);
        }
        self.spent = 0.0;
    }
}
