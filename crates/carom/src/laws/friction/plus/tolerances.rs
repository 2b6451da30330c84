//! Every tolerance and limit of `plus` and `plus-exact`, with what follows from a looser (↑) or tighter (↓) one. All are
//! dimensionless; those of speeds are relative to the largest speed at the start of the impact.

// Which contacts take part in a round.

/// Slower approaches are observed, with the published algorithm. ↑ slow contacts are never compressed; ↓ rounding starts
/// compressions.
pub(crate) const PUBLISHED_OBSERVE: f64 = 1e-10;
/// The same with remedies, and where contacts begin that slowly. ↑ more approaches end without restitution; ↓ noise of
/// resting contacts starts rounds of its own.
pub(crate) const GUARDED_OBSERVE: f64 = 1e-6;
/// With remedies the limit of rounds is this many times `max_rounds`. ↑ longer searches before the fallback; ↓ more fallbacks.
pub(crate) const PATIENCE: u64 = 10;
/// Contacts collide together after this part of `max_rounds`, and this many rounds per contact: a blow that travels through
/// a row and back takes two. ↑ endless bouncing lasts longer; ↓ blows that still travel are merged.
pub(crate) const IN_TURN: u64 = 4;
/// Rounds after which velocities are computed anew from impulses. ↑ rounding of many rounds stays; ↓ more work per impact.
pub(crate) const RECOMPUTE_AFTER_ROUNDS: u64 = 32;
/// Final rounds without restitution. ↑ more work against noise; ↓ slow approaches are left.
pub(crate) const MAX_PLASTIC_ROUNDS: u32 = 32;

// Stick–slip states and impulses of an interval.

/// Impulses outside their cones by this part of the largest are inside. ↑ friction beyond its limit; ↓ rounding causes slip.
pub(crate) const CONE: f64 = 1e-10;
/// Pulls by this part of the largest impulse are none; light bodies feel little. ↑ pulls pass; ↓ rounding drops contacts.
pub(crate) const PULL: f64 = 1e-13;
/// Contacts whose violations agree to this part change state together. ↑ different contacts are released at once; ↓ rounding
/// breaks symmetry.
pub(crate) const ALIKE: f64 = 1e-6;
/// Equations missed by more than this contradict each other. ↑ wrong impulses pass; ↓ redundant contacts are refused.
pub(crate) const CONSISTENT: f64 = 1e-8;
/// Equations may be missed by this many roundings of the impulses. ↑ wrong impulses of light bodies pass; ↓ right ones fail.
pub(crate) const SPEED_ROUNDINGS: f64 = 4.0;
/// Squared length left of a row of `L`, or of an equation of directions, that makes it dependent on the others. ↑ weakly
/// independent contacts count as redundant; ↓ rounding chooses between redundant ones.
pub(crate) const DEPENDENT: f64 = 1e-12;
/// The same for rows of the matrix, which is singular where sliding friction jams. ↑ near jams lose equations; ↓ impulses
/// grow without bound.
pub(crate) const SINGULAR: f64 = 1e-22;
/// Rows of the matrix of which this part is new need no pivoting. ↑ slower; ↓ less accurate.
pub(crate) const REGULAR: f64 = 1e-6;
/// The part of the budget that intervals as published may use before remedies are tried. ↑ slow failures; ↓ remedies where
/// none is needed.
pub(crate) const PUBLISHED_BUDGET: f64 = 0.4;
/// The part that one attempt at the limit of ever shorter intervals may use as a remedy, and that all may as the law's own
/// way. ↑ slow failures; ↓ intervals in place of the limit.
pub(crate) const LIMIT_BUDGET: [f64; 2] = [0.08, 0.7];
/// What may be spent when rounds of one step each have been tried, the last way that has restitution.
pub(crate) const WHOLE_BUDGET: f64 = 1.25;
/// Contacts whose equations the budget is meant for; it grows with the cube of their number. ↑ more fallbacks for large
/// islands; ↓ slower.
pub(crate) const BUDGET_CONTACTS: f64 = 10.0;
/// All solutions of an impact, in multiples of `max_intervals`. ↑ chatter is followed for longer; ↓ long impacts fail.
pub(crate) const MAX_WORK: u64 = 2;

/// Stands for infinite friction where a contact cannot roll. ↑ rounding of normal impulses counts; ↓ friction is finite.
pub(crate) const LARGE_FRICTION: f64 = 1e12;

// Directions of impending slip.

/// Slip across its direction that ends Newton's method. ↑ friction misses its direction; ↓ steps without gain.
pub(crate) const ACROSS: f64 = 1e-12;
/// The same where rounding allows no less. ↑ wrong directions pass; ↓ directions of light bodies are refused.
pub(crate) const ACROSS_TOLERATED: f64 = 1e-9;
/// Steps of Newton's method from one start. ↑ slow failures; ↓ roots are missed.
pub(crate) const MAX_NEWTON_STEPS: u32 = 40;
/// The most that a step turns a direction \[rad\]. ↑ steps overshoot; ↓ more steps.
pub(crate) const MAX_TURN: f64 = 0.7;
/// Shorter shares of Newton's step are given up. ↑ roots are missed; ↓ slow failures.
pub(crate) const MIN_NEWTON_SHARE: f64 = 1e-3;
/// Angles at which a sole direction is tried. ↑ slower; ↓ pairs of close roots are missed.
pub(crate) const SCAN_ANGLES: usize = 96;
/// A change of sign with values this many times those at its ends is a pole. ↑ poles are searched; ↓ steep roots are missed.
pub(crate) const POLE: f64 = 4.0;
/// More directions at once are sought only near a first guess. ↑ the search takes very long for stacks at rest; ↓ roots are
/// missed.
pub(crate) const SEARCHED_DIRECTIONS: usize = 3;
/// Starts where several directions are sought. ↑ slow failures; ↓ roots are missed.
pub(crate) const MAX_STARTS: usize = 12;

// Remedies.

/// A contact jams if its normal response is below this part of that without friction. ↑ contacts that would stop are carried
/// on; ↓ near jams take huge impulses.
pub(crate) const JAM_RESPONSE: f64 = 1e-9;
/// Intervals of an impact solved as implicit Coulomb problems. ↑ chatter is followed for longer; ↓ more fallbacks.
pub(crate) const MAX_COULOMB: u32 = 300;
/// Sums of energies are off by this many roundings of their terms. ↑ gains pass; ↓ rounding counts as a gain.
pub(crate) const ENERGY_ROUNDINGS: f64 = 256.0;
/// Attempts of the guard at the share of an expansion. ↑ slower; ↓ more restitution is lost.
pub(crate) const GUARD_ATTEMPTS: u32 = 40;
/// How precisely that share is found. ↑ more restitution is lost; ↓ more attempts.
pub(crate) const GUARD_PRECISION: f64 = 1e-9;
/// Approaches that a stop may leave: best, good, good enough. ↑ approaches stay; ↓ friction is given up for exactness.
pub(crate) const STOP_QUALITY: [f64; 3] = [1e-12, 1e-7, 1e-6];
/// Steps in which everything is stopped. ↑ slower; ↓ approaches stay where masses are far apart.
pub(crate) const MAX_STOP_STEPS: u32 = 4;
/// Up to so many contacts a stop with friction is sought by all means: of approaches too slow to count, and where every
/// attempt has failed. ↑ slow failures; ↓ friction is given up earlier.
pub(crate) const SEARCHED_CONTACTS: [usize; 2] = [8, 4];
/// Approaches that a stop without friction may leave where redundant contacts contradict each other, tried in turn. ↑ fewer
/// failures; ↓ smaller approaches stay.
pub(crate) const APPROACH_LEFT: [f64; 6] = [0.0, 1e-14, 1e-13, 1e-12, 1e-10, 1e-8];
/// A fallback that leaves a faster approach is an error. ↑ penetration passes; ↓ answers for light bodies are refused.
pub(crate) const FALLBACK_APPROACH: f64 = 1e-6;
/// That approach is known up to this many roundings of its terms. ↑ penetration passes; ↓ rounding is refused.
pub(crate) const APPROACH_ROUNDINGS: f64 = 16.0;

// Short intervals, where the limit has no answer.

/// How far slip turns in one of them \[rad\]. ↑ coarser; ↓ more of them.
pub(crate) const SHORT_TURN: f64 = 0.05;
/// Slip below this part of the largest speed counts as none. ↑ coarser; ↓ more of them where slip stops.
pub(crate) const SHORT_TRANSITION: f64 = 1e-3;
/// None is a smaller part of its round. ↑ coarser; ↓ more of them.
pub(crate) const SHORT_STEP: f64 = 1e-4;
/// How many of them a round may have. ↑ slow failures; ↓ more fallbacks.
pub(crate) const MAX_SHORT_INTERVALS: u32 = 10_000;

// The limit of ever shorter intervals: integration.

/// Error of one step in velocities, and in impulses relative to what stops the largest speed. ↑ less accurate; ↓ rounding
/// shrinks steps.
pub(crate) const STEP_ERROR: f64 = 1e-14;
/// Error of one step in slip, relative to the slip left. ↑ steps jump across a stop; ↓ more steps.
pub(crate) const SLIP_STEP_ERROR: f64 = 0.01;
/// The first step of a round. ↑ rejected steps; ↓ more steps.
pub(crate) const FIRST_STEP: f64 = 0.1;
/// Steps below this mean that the flow is not smooth. ↑ sharp turns fail; ↓ slow failures.
pub(crate) const MIN_STEP: f64 = 1e-13;
/// Slip below this slows the clock. ↑ more steps; ↓ steps jump across a stop.
pub(crate) const SLOW_SLIP: f64 = 0.05;
/// Directions that turn by less stay as they are: roundings of the terms that cancel. ↑ curved paths become straight; ↓
/// straight ones are integrated.
pub(crate) const STRAIGHT: f64 = 1e-15;

// The limit: events and stick–slip states.

/// An event is met when its margin is below this. ↑ late by as much; ↓ never met.
pub(crate) const EVENT_MET: f64 = 1e-13;
/// Steps that meet an event found inside a longer step. ↑ none gained; ↓ bisection instead.
pub(crate) const MAX_EVENT_STEPS: u32 = 3;
/// Events of a round: always, and per contact. ↑ chatter is followed for longer; ↓ long rounds fail.
pub(crate) const MAX_EVENTS: [u32; 2] = [64, 16];
/// Slip below this has stopped. ↑ directions at a stop are less exact; ↓ stops are missed.
pub(crate) const STOPPED_SLIP: f64 = 1e-12;
/// Slip below this is none where a new state begins: more than integration leaves of a stop. ↑ slow slip sticks; ↓ stopped
/// slip slides on.
pub(crate) const RESTING_SLIP: f64 = 1e-11;
/// The same where contacts of a body stop and start in turn ever faster. ↑ slip ends early; ↓ cascades fail.
pub(crate) const CASCADE_SLIP: f64 = 1e-7;
/// Slip below this that does not stop, as geometry or other contacts keep it up, is taken for none. Its direction relaxes
/// ever faster than steps can follow. ↑ such slip is lost; ↓ rounds of thousands of steps.
pub(crate) const CREEPING_SLIP: f64 = 1e-4;
/// Slip up to this many times the slowest that creeps does so with it. ↑ such slip is lost; ↓ one contact after the other.
pub(crate) const CREEP_MARGIN: f64 = 4.0;
/// Slip creeps if in so many steps it falls by less than this part, and so many more would follow. ↑ ↑ ↓ fewer searches end
/// early; ↓ ↓ ↑ slip that would stop is taken for none.
pub(crate) const CREEP: (u32, f64, f64) = (64, 0.7, 4000.0);
/// Impending slip keeps the direction of its acceleration up to this slip. ↑ less accurate; ↓ directions are noise.
pub(crate) const IMPENDING_SLIP: f64 = 1e-7;
/// Conditions on impulses are violated by this part of the largest: ten times `CONE`, so that the same states are never found
/// again. ↑ late events; ↓ endless events.
pub(crate) const VIOLATED: f64 = 1e-9;
/// Conditions on rates are weighted by this against those on the state. ↑ more steps per event; ↓ late events.
pub(crate) const RATE_WEIGHT: f64 = 1e-3;
/// Approach of a dropped contact that takes it in again. ↑ penetration; ↓ rounding takes it in.
pub(crate) const DROPPED_APPROACH: f64 = 2e-8;
/// Faster than this no contact grazes. ↑ contacts that part jam; ↓ rounding parts them.
pub(crate) const GRAZING: f64 = 1e-14;
/// Approach at the end of a round that is rounding. ↑ penetration; ↓ events without cause.
pub(crate) const APPROACH_NOISE: f64 = 1e-11;
/// Impulses and slips below this part of the largest are none in a solution of the implicit Coulomb problem. ↑ slip is
/// overlooked; ↓ residuals count as slip.
pub(crate) const COULOMB_ZERO: f64 = 1e-8;
/// Normal impulses this many times the usual ones are a jam. ↑ shorter steps before it; ↓ strong impulses count as jams.
pub(crate) const JAM_BEGINS: f64 = 1e6;
/// A jam ends where the response is this part of that without friction. ↑ longer jams; ↓ jams begin again.
pub(crate) const JAM_ENDS: f64 = 1e-4;
