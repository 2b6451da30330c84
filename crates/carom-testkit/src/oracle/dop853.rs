//! Routh's law by Dormand and Prince's Runge–Kutta method of order 8(5,3) in slip time: what a careful user of a
//! library integrator would write. The laws of one contact integrate by series: only the method is carom's own, and
//! `carom-ode` has the tests of its order.
//!
//! Events are found by repeating the step with another width, which is as accurate as the step itself.

use super::{Path, Split, Stop};
use carom_ode::Dop853;

const MOST_STEPS: u64 = 1_000_000;

/// `[u_n, u_x, u_y, p_n, p_x, p_y, w]`.
type State = [f64; 7];

/// The answer with this relative tolerance per step, for a contact with finite friction and a positive definite
/// matrix. `cost` counts evaluations of the right-hand side.
pub fn routh(split: &Split, stop: Stop, tolerance: f64) -> Path {
    split.in_own_units(|split| integrate(split, stop, tolerance))
}

fn integrate(split: &Split, stop: Stop, tolerance: f64) -> Path {
    let mut run = Run::new(split, stop, tolerance);
    if split.un > 0.0 {
        return run.path();
    }
    while run.sliding() {
        assert!(run.cost < 12 * MOST_STEPS, "no end after {MOST_STEPS} steps: {split:?}");
        if run.advance() {
            return run.path();
        }
    }
    run.finish_from_rest();
    run.path()
}

struct Run<'a> {
    split: &'a Split,
    stop: Stop,
    tolerance: f64,
    speed: f64,
    state: State,
    slope: State,
    method: Dop853,
    step: f64,
    /// Where the current phase began: `[p_n, w]`.
    since: [f64; 2],
    compression: [f64; 2],
    restitution: [f64; 2],
    compressions: u32,
    compressing: bool,
    cost: u64,
}

impl<'a> Run<'a> {
    fn new(split: &'a Split, stop: Stop, tolerance: f64) -> Self {
        let Split { un, ut, c, t, mu, .. } = *split;
        let state = [un, ut[0], ut[1], 0.0, 0.0, 0.0, 0.0];
        let rate = c[0].hypot(c[1]) + mu * (t[0] + t[2]);
        let mut run = Self {
            split,
            stop,
            tolerance,
            speed: ut[0].hypot(ut[1]).max(un.abs()),
            state,
            slope: [0.0; 7],
            method: Dop853::default(),
            step: tolerance.powf(0.125) / rate,
            since: [0.0; 2],
            compression: [0.0; 2],
            restitution: [0.0; 2],
            compressions: 0,
            compressing: false,
            cost: 0,
        };
        run.method.resize(7);
        run.go_to(state);
        if run.in_compression() {
            run.compressions = 1;
            run.compressing = true;
        }
        run
    }

    /// Approaching, or grazing and driven into the surface by friction.
    fn in_compression(&self) -> bool {
        self.state[0] < 0.0 || (self.state[0] == 0.0 && self.slope[0] < 0.0)
    }

    fn sliding(&self) -> bool {
        self.state[1].hypot(self.state[2]) > 1e-2 * self.tolerance * self.speed
    }

    fn go_to(&mut self, state: State) {
        self.state = state;
        self.slope = self.right_hand_side(&state);
        self.method.start.copy_from_slice(&state);
        self.method.begin(|_, out| out.copy_from_slice(&self.slope));
    }

    fn right_hand_side(&mut self, y: &[f64]) -> State {
        self.cost += 1;
        slope(self.split, y)
    }

    /// The state after `h` and the error of the step relative to the tolerance.
    fn step(&mut self, h: f64) -> (State, f64) {
        let (split, mut calls) = (self.split, 0);
        self.method.step(h, |y, out| {
            calls += 1;
            out.copy_from_slice(&slope(split, y));
        });
        self.cost += calls;
        let y: State = std::array::from_fn(|i| self.method.end[i]);
        // Each kind of quantity is measured by its own size: velocities, impulses, work.
        let mut scale = [0.0; 7];
        for kind in [0..3, 3..6, 6..7] {
            let larger = |m: f64, i: usize| m.max(self.state[i].abs()).max(y[i].abs());
            let size = kind.clone().fold(f64::MIN_POSITIVE, larger);
            scale[kind].fill(self.tolerance * size);
        }
        (y, self.method.error(&scale))
    }

    /// One accepted step, cut at the first turn of `u_n`, change of phase or end; true at the end.
    fn advance(&mut self) -> bool {
        let (mut h, mut y) = loop {
            let h = self.step;
            let (y, error) = self.step(h);
            let factor =
                if error == 0.0 { 6.0 } else { (0.9 * error.powf(-0.125)).clamp(0.333, 6.0) };
            self.step = h * factor;
            if error <= 1.0 {
                break (h, y);
            }
        };
        let rising = self.slope[0] >= 0.0;
        let rate = |run: &mut Self, y: &State| run.right_hand_side(y)[0];
        if (rate(self, &y) >= 0.0) != rising {
            let sign = if rising { -1.0 } else { 1.0 };
            (h, y) = self.landing(h, y, |run, y| sign * rate(run, y));
        }
        if self.compressing && y[0] >= 0.0 {
            (_, y) = self.landing(h, y, |_, y| y[0]);
            self.compression[0] += y[3] - self.since[0];
            self.compression[1] += y[6] - self.since[1];
            return self.begin_phase(y, false);
        }
        if !self.compressing {
            let (end_h, end_y) = if y[0] < 0.0 { self.landing(h, y, |_, y| -y[0]) } else { (h, y) };
            if self.excess(&end_y) >= 0.0 {
                let (_, stopped) = self.landing(end_h, end_y, |run, y| run.excess(y));
                self.restitution[0] += stopped[3] - self.since[0];
                self.restitution[1] += stopped[6] - self.since[1];
                self.state = stopped;
                return true;
            }
            if y[0] < 0.0 {
                self.restitution[0] += end_y[3] - self.since[0];
                self.restitution[1] += end_y[6] - self.since[1];
                self.compressions += 1;
                return self.begin_phase(end_y, true);
            }
            y = end_y;
        }
        self.go_to(y);
        false
    }

    /// Starts the next phase at `y`; true if the impact ends there.
    fn begin_phase(&mut self, y: State, compressing: bool) -> bool {
        self.go_to(y);
        self.compressing = compressing;
        self.since = [y[3], y[6]];
        !compressing && self.excess(&y) >= 0.0
    }

    fn excess(&self, y: &State) -> f64 {
        let e = self.split.e;
        match self.stop {
            Stop::Poisson => self.restitution[0] + y[3] - self.since[0] - e * self.compression[0],
            Stop::Stronge => {
                self.restitution[1] + y[6] - self.since[1] + e * e * self.compression[1]
            }
            Stop::Newton => y[0] + e * self.split.un,
        }
    }

    /// The width of the step and the state at which `f` reaches zero, `f` being negative at its start and not at
    /// its end `y`: the Illinois variant of regula falsi.
    fn landing(&mut self, h: f64, y: State, f: impl Fn(&mut Self, &State) -> f64) -> (f64, State) {
        let start = self.state;
        let (mut low, mut high, mut best) = (0.0, h, y);
        let (mut f_low, mut f_high) = (f(self, &start), f(self, &y));
        let mut last_side = 0;
        while f_high > 0.0 && high - low > f64::EPSILON * h {
            let middle = (high - f_high * (high - low) / (f_high - f_low)).clamp(low, high);
            if middle == low || middle == high {
                break;
            }
            let (state, _) = self.step(middle);
            let value = f(self, &state);
            if value < 0.0 {
                (low, f_low) = (middle, value);
                if last_side == -1 {
                    f_high *= 0.5;
                }
                last_side = -1;
            } else {
                (high, f_high, best) = (middle, value, state);
                if last_side == 1 {
                    f_low *= 0.5;
                }
                last_side = 1;
            }
        }
        (high, best)
    }

    fn finish_from_rest(&mut self) {
        let Split { k, c, t, mu, un: un0, e, .. } = *self.split;
        let direction = |r: f64| {
            let (a, b, d) = (r + mu * t[0], mu * t[1], r + mu * t[2]);
            let determinant = a * d - b * b;
            [(d * c[0] - b * c[1]) / determinant, (a * c[1] - b * c[0]) / determinant]
        };
        let size = |s: [f64; 2]| s[0].hypot(s[1]);
        let mut s = direction(0.0);
        if size(s) > 1.0 {
            // Newton's method on 1/|s(r)|, concave and increasing, converges from below.
            let mut r = 0.0;
            for _ in 0..60 {
                let step = 1e-7 * size(c);
                let (here, ahead) = (1.0 / size(direction(r)), 1.0 / size(direction(r + step)));
                r += (1.0 - here) * step / (ahead - here);
            }
            s = direction(r);
        }
        let friction = s.map(|x| -mu * x);
        let q = k + c[0] * friction[0] + c[1] * friction[1];
        let mut un = self.state[0];
        let mut more = 0.0;
        let phase = [self.state[3] - self.since[0], self.state[6] - self.since[1]];
        let account = if self.compressing { &mut self.compression } else { &mut self.restitution };
        account[0] += phase[0];
        account[1] += phase[1];
        if un < 0.0 {
            self.compression[0] -= un / q;
            self.compression[1] -= 0.5 * un * un / q;
            self.compressions += u32::from(!self.compressing);
            more -= un / q;
            un = 0.0;
        }
        let last = match self.stop {
            Stop::Poisson => e * self.compression[0] - self.restitution[0],
            Stop::Stronge => {
                let work = (-e * e * self.compression[1] - self.restitution[1]).max(0.0);
                ((un * un + 2.0 * q * work).sqrt() - un) / q
            }
            Stop::Newton => (-e * un0 - un) / q,
        }
        .max(0.0);
        self.restitution[0] += last;
        self.restitution[1] += (un + 0.5 * q * last) * last;
        more += last;
        self.state[3] += more;
        self.state[4] += friction[0] * more;
        self.state[5] += friction[1] * more;
    }

    fn path(&self) -> Path {
        Path {
            impulse: [self.state[3], self.state[4], self.state[5]],
            compressions: self.compressions,
            compression_work: self.compression[1],
            restitution_work: self.restitution[1],
            cost: self.cost,
        }
    }
}

/// Slopes in slip time.
fn slope(split: &Split, y: &[f64]) -> State {
    let Split { k, c, t, mu, .. } = *split;
    let (un, x, y) = (y[0], y[1], y[2]);
    let r = x.hypot(y);
    [
        k * r - mu * (c[0] * x + c[1] * y),
        c[0] * r - mu * (t[0] * x + t[1] * y),
        c[1] * r - mu * (t[1] * x + t[2] * y),
        r,
        -mu * x,
        -mu * y,
        r * un,
    ]
}
