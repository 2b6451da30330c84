//! Every constant of the law, in one table.
//!
//! All are dimensionless: speeds are relative to the largest before the impact, indentations to a contact's depth, times to the
//! time in which a contact of mean stiffness stops at unit speed. Those with two values switch something on at the first and off
//! at the second. What each does if it is larger or smaller stands with it; where the answer itself depends on it, that is said
//! first. `accuracy` is a setting, not a constant.

// ---- The impact as a whole.

/// The share of `accuracy` that one step may use. Larger: fewer steps, and errors of some tens of them add up to more than was
/// asked for. Smaller: more steps for digits nobody wants.
pub(crate) const STEP_SHARE: f64 = 0.1;
/// Islands without friction and with more contacts are given to `lzb`. Larger: the cost of a step, which grows with the square
/// of contacts, rules. Smaller: small islands lose series.
pub(crate) const LARGEST_FRICTIONLESS: usize = 64;
/// A coefficient of restitution below this is zero. Larger: velocities are off by as much. Smaller: expansion is faster by `1/e`
/// and its steps fall below rounding.
pub(crate) const NO_RESTITUTION: f64 = 1e-10;
/// Velocities and indentations within this are zero. Larger: slow approaches are forgotten. Smaller: rounding makes events.
pub(crate) const ZERO: f64 = 1e-13;
/// The first step, along straight lines, in own depths. Larger: it neglects its power `η + 1` of the velocities. Smaller: forces
/// are lost in rounding.
pub(crate) const LAUNCH: f64 = 1e-4;
/// The step after it, in the time of the hardest contact. Larger: it may be rejected. Smaller: steps are wasted.
pub(crate) const FIRST_STEP: f64 = 0.1;
/// The first step of a contact that closes and is not followed by its root, in the time it needs for its depth. Larger: it is
/// rejected. Smaller: more steps per closure.
pub(crate) const FIRST_CLOSING_STEP: f64 = 1e-2;
/// Contacts pressed for so many times the slowest of their own times are wedged. Larger: wedged problems take longer to refuse.
/// Smaller: slow impacts are refused.
pub(crate) const WEDGED: f64 = 1e5;
/// Steps allowed, for all and for each contact. Larger: hopeless impacts take longer. Smaller: long ones are cut off.
pub(crate) const MAX_STEPS: [u64; 2] = [50_000, 5_000];
/// Events allowed, likewise.
pub(crate) const MAX_EVENTS: [u64; 2] = [5_000, 500];
/// Both are divided by this where there is another way: without friction, or with friction smoothed throughout.
pub(crate) const SOONER: u64 = 10;
/// An impact out of steps or events ends if nothing approaches faster. Larger: more are cut off with an error of this size.
/// Smaller: more are refused.
pub(crate) const TAIL: f64 = 1e-7;
/// Events of each contact, and of [`RATTLING`] more, as a part of the budget, after which an impact ends if nothing approaches
/// faster than the second: contacts that rattle do so ever more slowly, and without end. Larger speeds: errors of as much.
pub(crate) const TAILS: [(f64, f64); 2] = [(0.016, 1e-7), (0.032, 1e-5)];
/// Contacts that every impact counts for in addition, so that few may rattle longer.
pub(crate) const RATTLING: f64 = 2.0;
/// Steps between reports of progress.
pub(crate) const REPORT_EVERY: u64 = 1 << 12;
/// Parts of a step that a trace shows. Larger: longer traces. Smaller: coarser curves.
pub(crate) const TRACE_POINTS: u32 = 8;

/// A step costs as much of the budget as one of so many contacts at the most, and less with the square of fewer.
pub(crate) const BUDGET_CONTACTS: f64 = 12.0;

// ---- Coarse steps, when the budget is spent.

/// The part of the shortest time in which something changes that a step takes. Larger: larger errors, of its square.
pub(crate) const COARSE_STEP: f64 = 0.2;
/// How many of them, and as many again without restitution. Larger: slow ends take longer. Smaller: less rebound.
pub(crate) const COARSE_STEPS: u32 = 250;
/// Contacts that give back less only stop, and steps follow a release no faster than that with this coefficient. Smaller: more
/// steps.
pub(crate) const COARSE_RESTITUTION: f64 = 0.1;
/// Sweeps over the friction of all contacts. Larger: less creep.
pub(crate) const COARSE_SWEEPS: u32 = 4;
/// What approaches more slowly, or is given less speed by its spring, is stopped. Larger: errors of as much.
pub(crate) const COARSE_TAIL: f64 = 1e-4;

// ---- Length and error of steps.

/// A step is repeated with this part of its length if it passed a stop or an event twice. Larger: more repetitions. Smaller:
/// shorter steps.
pub(crate) const RETRY_SHARE: f64 = 0.3;
/// It is not repeated below this length. Larger: events in quick succession are taken in one. Smaller: no progress.
pub(crate) const SHORTEST_RETRY: f64 = 1e-13;
/// A step that an event will end before this part of its length is short, and expanded to [`LOW_ORDER`]. Larger: more steps are
/// made twice. Smaller: high orders are computed in vain.
pub(crate) const SHORT_STEP: f64 = 0.15;
/// Indentations need not be more exact than this, however small slip is. Larger: forces are off. Smaller: rounding is chased.
pub(crate) const LEAST_DEPTH_TOLERANCE: f64 = 1e-14;
/// After a step cut short by an event, the next is guessed no shorter than this part of the guess before. Larger: rejections.
/// Smaller: short steps after every event.
pub(crate) const GUESS_SHRINKAGE: f64 = 0.3;
/// The first implicit step. Larger: the direction of slip that has hardly begun is lost. Smaller: steps are wasted.
pub(crate) const FIRST_IMPLICIT_STEP: f64 = 2e-3;
/// Steps that shrink below this fail, and friction is smoothed. Larger: stiff slip fails. Smaller: rounding of time.
pub(crate) const LEAST_STEP: f64 = 1e-17;
/// The error allowed, relative to the smallest slip. Larger: its direction is lost. Smaller: more steps near stops.
pub(crate) const SLIP_SHARE: f64 = 0.1;
/// The least error ever asked for. Larger: slip at its onset takes a wrong direction, by 1e-4 of velocities. Smaller: rounding.
pub(crate) const LEAST_TOLERANCE: f64 = 1e-18;
/// Implicit steps are held to this part of the error: their estimates are that much too good. Larger: larger errors. Smaller:
/// more steps.
pub(crate) const IMPLICIT_SHARE: f64 = 0.4;
/// Slip is stiff, and followed by the implicit method, if its direction follows the forces so many times faster than time passes,
/// and than its size changes; until it does not the second pair. Larger: many explicit steps. Smaller: implicit ones where
/// series would do.
pub(crate) const STIFF_RATIO: [[f64; 2]; 2] = [[3e4, 100.0], [1e4, 30.0]];
/// A contact that presses by less than this part of the largest force has no friction that matters: steps do not follow the
/// direction of its slip. Larger: errors of as much. Smaller: contacts that hardly press yet, and hardly move, hold steps up.
pub(crate) const LEAST_FORCE: f64 = 1e-10;
/// Slip creeps if its direction follows the forces so many times faster than time passes.
pub(crate) const CREEP_RATIO: f64 = 100.0;
/// Steps with creeping slip, as parts of the budget, after which further ones are less exact, and still less. Larger: contacts
/// at rest that creep take longer. Smaller: errors of [`HASTE_TOLERANCE`].
pub(crate) const CREEPING: [f64; 2] = [0.5, 0.64];
/// By how much each time.
pub(crate) const HASTE_TOLERANCE: f64 = 100.0;
/// And what becomes of [`STIFF_RATIO`]: the implicit method is the faster one where less is asked of it.
pub(crate) const HASTE_RATIO: f64 = 0.1;
/// Slip below the first ends an implicit step before the second part of the time it has left. Larger: more steps. Smaller: steps
/// over a stop, which are repeated.
pub(crate) const SLOW_SLIP: [f64; 2] = [0.01, 0.9];

// ---- Taylor series.

/// The order of series. Larger: longer steps that cost its square.
pub(crate) const ORDER: usize = 18;
/// That of short steps.
pub(crate) const LOW_ORDER: usize = 10;
/// The share of the error allowed that the last terms may have. Larger: what follows them counts. Smaller: shorter steps.
pub(crate) const SERIES_SHARE: f64 = 0.02;
/// How many last terms are looked at: where a Hertzian contact closes, only every fifth is not zero. Smaller: zeros are believed.
pub(crate) const LAST_TERMS: usize = 5;
/// Terms are expected to fall like this from order to order. Larger: longer steps, larger errors.
pub(crate) const TERM_FALL: f64 = 0.25;
/// Forces come from series where time passes at least at this part of its usual pace, else from the state. Larger: more
/// evaluations. Smaller: quotients of small numbers.
pub(crate) const LEAST_PACE: f64 = 1e-2;
/// Velocities come from `W` itself up to so many blocks of contacts with so many coordinates each, else by way of the
/// coordinates. Speed alone depends on it.
pub(crate) const DIRECT_RESPONSE: [usize; 2] = [8, 4];
/// Sticking contacts that need more than this part of their friction at the start or in the middle of a step by series are looked
/// at in more places. Larger: slip that begins and ends within a step is missed. Smaller: more evaluations.
pub(crate) const PROBE_UTILIZATION: f64 = 0.8;

// ---- The clock.

/// A contact is followed by its root if it is faster than this part of the fastest. Larger: more steps shrink towards closures.
/// Smaller: contacts that hover at zero stop the clock.
pub(crate) const ROOT_SPEED: [f64; 2] = [0.1, 0.05];
/// Another contact must be nearer to zero by this factor to be followed instead. Larger: the clock changes at every step.
pub(crate) const CLOCK_HYSTERESIS: f64 = 0.5;
/// The time for which a contact that just closed is said to be pressed, so that it has a root. Larger: its indentation is off.
pub(crate) const FIRST_ROOT_TIME: f64 = 1e-20;
/// Slip slows the clock if it could end within this time. Larger: more steps. Smaller: poles of slip shorten steps.
pub(crate) const SLIP_HORIZON: [f64; 2] = [0.5, 1.0];
/// The part of its remaining time that one unit of the clock is for slip that ends. Speed alone depends on it.
pub(crate) const SLIP_CLOCK: f64 = 0.25;

// ---- Events.

/// An event is met when its margin is below this. Larger: it is applied too early by as much. Smaller: rounding is located.
pub(crate) const EVENT_MARGIN: f64 = 1e-13;
/// Roots of indentations no further apart close together: the indentation is the square. Larger: events are merged.
pub(crate) const SAME_ROOT: f64 = 1e-7;
/// Friction needed beyond its bound by this part begins slip. Larger: slip begins late by as much. Smaller: what begins to slide
/// is decided by rounding.
pub(crate) const SLIP_EXCESS: f64 = 1e-6;
/// The same relative to the largest force, for contacts that hardly press.
pub(crate) const SLIP_EXCESS_FLOOR: f64 = 1e-8;
/// How often an earlier event is looked for where one was found. Smaller: a later event may be applied first.
pub(crate) const EARLIER_ROUNDS: u32 = 8;
/// A step is looked into if a cubic through its ends comes nearer to an event than this part of the margin at its nearer end.
/// Larger: more evaluations. Smaller: events that come and go within a step are missed.
pub(crate) const SUSPECT_MARGIN: f64 = 0.3;
/// How often the lowest margin within a step is improved. Smaller: shallow events are missed.
pub(crate) const SUSPECT_ROUNDS: u32 = 6;
/// And until it moves by less of the step.
pub(crate) const SUSPECT_SETTLED: f64 = 1e-4;
/// An implicit step that misses its event by less of its length is extended straight, not made again. Larger: errors of its
/// square. Smaller: more steps.
pub(crate) const NUDGE: f64 = 1e-7;
/// The distance of points from which the speed towards an event is taken, in steps. Larger: curvature. Smaller: rounding.
pub(crate) const SECANT_SPACING: f64 = 1e-3;
/// How often an implicit step to an event is repeated. Smaller: events are missed by the error of continuous output.
pub(crate) const REPEATS: u32 = 4;

// ---- Contacts without restitution.

/// A contact has turned if it is slower than this, and is set to zero. Larger: velocities are off by as much. Smaller: it turns
/// twice.
pub(crate) const TURN_SPEED: f64 = 1e-11;
/// Contacts without restitution that are slower jump with the first. Larger: jumps in succession are merged. Smaller: rounding
/// orders them.
pub(crate) const JUMP_TOGETHER: f64 = 1e-11;
/// After so many jumps of one contact, each is at least [`LEAST_DROP`] of its indentation, and twice that after as many more.
/// Larger: more events. Smaller: velocities off by 1e-5 in more impacts.
pub(crate) const MANY_JUMPS: u32 = 1_000;
/// Larger: larger errors. Smaller: more events.
pub(crate) const LEAST_DROP: f64 = 5e-4;
/// Steps of the fast motion of several contacts that jump together. Smaller: they stop before it ends.
pub(crate) const JUMP_STEPS: u32 = 1_000;
/// The error of one of them, in depths, and the first. Larger: indentations after jumps are off.
pub(crate) const JUMP_ERROR: f64 = 1e-13;
/// Larger: it is rejected. Smaller: steps are wasted.
pub(crate) const FIRST_JUMP_STEP: f64 = 1e-3;
/// Halvings by which the indentation after a jump is found: more than digits.
pub(crate) const JUMP_HALVINGS: u32 = 80;

// ---- Slip that ends.

/// Slip below this that ends goes straight to zero. Larger: its turn is neglected. Smaller: many steps near every stop.
pub(crate) const STOPPED_SLIP: f64 = 1e-9;
/// The same for slip that is straight already: up to this slip, time and sine of its turn. Larger: errors of its square.
pub(crate) const STRAIGHT_SLIP: f64 = 1e-6;
/// Slip below this part of that with which it began is rounding: other contacts hold the body. Larger: true slip is stopped.
/// Smaller: rounding slides.
pub(crate) const LOST_SLIP: f64 = 1e-4;
/// Contacts slower than this that stop within this time stop with the first. Larger: stops are merged. Smaller: the contacts of
/// a pivoting body stop one by one, each with a collapse of steps.
pub(crate) const STOP_TOGETHER: f64 = 1e-7;
/// Slip that may be left of them, and what part of what it was: bodies given with few digits do not stop quite together.
pub(crate) const STOP_REMAINDER: [f64; 2] = [3e-8, 0.05];
/// A stop takes no longer. Larger: other motion is taken as straight. Smaller: slow slip is stopped where it is.
pub(crate) const LONGEST_STOP: f64 = 1e-5;
/// Slips that end within so many times the time of the first may end together, and wait for each other. Larger: more wait.
pub(crate) const GROUP_STOP: f64 = 10.0;
/// Slip that would last longer is not said to be straight. Larger: it strays and steps are repeated.
pub(crate) const STRAIGHT_HORIZON: f64 = 1.0;
/// The step over the logarithm of slip that turns to its end, and how many. Larger: errors of its fourth power.
pub(crate) const LOG_SLIP_STEP: f64 = 0.5;
/// Smaller: more slip than rounding is left.
pub(crate) const LOG_SLIP_STEPS: u32 = 36;
/// Slip that would turn by less, times what is left of it, goes straight to its end. Larger: errors of as much.
pub(crate) const STRAIGHT_END: f64 = 1e-8;
/// Slip that turns faster while it falls by a factor of e is not followed so. Larger: those steps are too long.
pub(crate) const FASTEST_TURN: f64 = 0.3;

// ---- Stick and slip.

/// Slip below this is none where a contact begins to press. Larger: slow slip is stopped. Smaller: rounding slides.
pub(crate) const STILL_CLOSING: f64 = 1e-10;
/// The same for one whose body others hold, and which was not asked.
pub(crate) const STILL_HELD: f64 = 1e-9;
/// The same after smoothed friction, under which what holds creeps by about [`SMOOTHING`].
pub(crate) const STILL_SMOOTHED: f64 = 3e-8;
/// Friction must be below its bound by this part to hold without a solve. Larger: more solves. Smaller: rounding decides.
pub(crate) const DISC_INTERIOR: f64 = 1e-12;
/// Friction within this part of its bound is at it. Larger: sticking contacts are taken to slide.
pub(crate) const AT_BOUND: f64 = 1e-8;
/// A contact at its bound slides off if it accelerates by more than this part of free motion. Larger: slip begins late, or
/// sticks for ever. Smaller: contacts stop and start without end.
pub(crate) const ONSET_ROUNDING: f64 = 1e-12;
/// Or by more than this times the residual of the solve.
pub(crate) const ONSET_RESIDUALS: f64 = 10.0;
/// The same for a contact below its bound, to which the solve then has not come.
pub(crate) const ONSET_BELOW_BOUND: f64 = 1e-9;
/// The part of its own response, squared, that others leave a contact which they hold. Larger: contacts of nearly rigid
/// arrangements are held. Smaller: rounding moves them.
pub(crate) const HELD_MOTION: f64 = DEPENDENT_ROW;
/// What is slower than this times a limit is certainly below it.
pub(crate) const CERTAINLY_BELOW: f64 = 0.1;
/// The slip with which a contact starts. Larger: an error of its 4/5th power. Smaller: its direction has no digits.
pub(crate) const ONSET_SLIP: f64 = 1e-12;
/// Contacts that stick redundantly slide where they would accelerate by this part of free motion; the place is met before the
/// second. Larger: slip begins late. Smaller: the solve's own error begins it.
pub(crate) const SHARED_ONSET: [f64; 2] = [1e-7, 3e-6];
/// The part of the second at which that place is aimed. Larger: it is missed more often. Smaller: slip begins early.
pub(crate) const SHARED_ONSET_AIM: f64 = 0.3;
/// How often it is improved. Smaller: slip begins late.
pub(crate) const SHARED_ONSET_ROUNDS: u32 = 60;
/// The squared length of a row, relative to its own, that depends on others: what contacts can hold in the direction that is left is
/// the root of this part of their friction, and that is neglected. Larger: larger errors. Smaller: contacts of bodies at rest, which
/// lie a little skew, creep by the part of their motion that they cannot hold, and stop and start without end.
pub(crate) const DEPENDENT_ROW: f64 = 1e-6;
/// The same of rows that depend on others but for rounding: no error comes of it.
pub(crate) const ROUNDED_ROW: f64 = 1e-11;
/// Slip below this stops with others, once contacts have stuck that nearly depend on each other: their bodies move a little in the
/// directions they do not hold. Larger: slow slip is stopped. Smaller: contacts at rest creep and stop one by one.
pub(crate) const WEAK_SLIP: f64 = 1e-6;
/// The same where slip is taken away at once. Larger: a little slip is forgotten, not stopped. Smaller: contacts that nearly depend
/// on each other are stopped by impulses which their friction does not have.
pub(crate) const STOPPED_ROW: f64 = 1e-4;
/// Contacts that share a load count for at least this part of the strongest. Smaller: badly conditioned shares.
pub(crate) const LEAST_SHARE: f64 = 1e-3;
/// What stands for infinite friction where a number is needed. Larger: badly conditioned shares.
pub(crate) const LARGE_MU: f64 = 1e3;

// ---- The smoothed program for contacts at rest.

/// Corners of friction begin this blunt, relative to free motion.
pub(crate) const DISC_BLUNT: f64 = 0.1;
/// And end this sharp: what is not clear then is given to the general solver. Smaller: rounding.
pub(crate) const DISC_SHARP: f64 = 1e-14;
/// They sharpen by this factor. Larger: more rounds. Smaller: Newton's method may not follow.
pub(crate) const DISC_SHARPENING: f64 = 0.003;
/// Below this it is looked at which contacts slide. Larger: wrong classes. Smaller: rounds wasted.
pub(crate) const DISC_CLASSIFY: f64 = 1e-5;
/// Newton's steps at each sharpness. Smaller: more problems for the general solver.
pub(crate) const NEWTON_STEPS: u32 = 40;
/// Halvings of one of them.
pub(crate) const NEWTON_HALVINGS: u32 = 30;
/// A step of this part of the smoothing is the last. Larger: less exact. Smaller: one more step each.
pub(crate) const NEWTON_SMALL: f64 = 0.1;
/// One of this part of free motion is rounding.
pub(crate) const NEWTON_ROUNDING: f64 = 1e-15;
/// A contact holds if it moves by less than this times the smoothing: friction is then within its bound by a tenth. Larger:
/// contacts at their bound hold.
pub(crate) const HOLDS_BELOW: f64 = 2.0;
/// It slides if it moves by more, whose inverse is the error of its direction. Smaller: larger errors.
pub(crate) const SLIDES_ABOVE: f64 = 1e6;
/// Contacts that hold may need more friction than they have by this part of it, and of the largest force: less than begins slip.
/// Larger: what is said to hold slides at once. Smaller: more rounds.
pub(crate) const BORNE: [f64; 2] = [1e-7, 1e-9];
/// Where the motion that contacts hold is faster than they are by more than the inverse, rows nearly depend on each other.
pub(crate) const WEAK_MOTION: f64 = 1e-3;
/// So many of Newton's steps take the time of one step of the integration.
pub(crate) const PROGRAM_STEPS: u64 = 10;
/// Corners are sharper by this than contacts move that go on as they did.
pub(crate) const RESTART_SHARPNESS: f64 = 0.3;

// ---- Smoothed friction.

/// A contact that stops more often within a time chatters. Larger: more events before friction is smoothed. Smaller: friction is
/// smoothed without need.
pub(crate) const CHATTER: (u32, f64) = (10, 1e-3);
/// The slip at which friction is smoothed for a stretch. Larger: errors of its 4/5th power. Smaller: more steps.
pub(crate) const SMOOTHING: f64 = 1e-9;
/// The same where it is smoothed from start to end.
pub(crate) const SMOOTHING_THROUGHOUT: f64 = 1e-8;
/// The time of the first such stretch; each further one is twice as long. Larger: more of the impact is smoothed.
pub(crate) const SMOOTHED_STRETCH: f64 = 1e-3;
/// The first step with smoothed friction and the first after it. Larger: it is rejected. Smaller: steps are wasted.
pub(crate) const FIRST_SMOOTHED_STEP: f64 = 1e-7;

// ---- The answer.

/// Directions tried to prove that nothing is wedged. Larger: nearly wedged bodies are told from wedged ones, slowly.
pub(crate) const WEDGE_ROUNDS: u32 = 50_000;
/// A bound below this part of the response to one force proves nothing. Smaller: rounding proves.
pub(crate) const WEDGE_ROUNDING: f64 = 64.0 * f64::EPSILON;
/// Friction impulses beyond their bound by this part are shared anew. Larger: answers leave their cones. Smaller: rounding is
/// shared.
pub(crate) const CONE_ROUNDING: f64 = 1e-12;
/// How often what still approaches is stopped: further rounds take away nothing that rounding does not put back.
pub(crate) const SETTLE_ROUNDS: usize = 4;
