//! Every constant of the solver. Residuals and speeds are relative to the problem's speed ([`super::problem::Scales`]),
//! compliances to `W`; all are without unit. Larger than given is "looser".

// Residuals: what counts as solved.

/// The residual that is aimed at: a few roundings. Looser, the last digits are lost; tighter, rounds are in vain.
pub const AIM: f64 = 1e-14;

/// The residual that is aimed at by [`super::Choice::Enough`].
pub const ENOUGH: f64 = 1e-12;

/// The residual up to which an answer is one. Tighter, badly conditioned problems have none.
pub const ACCEPTED: f64 = 1e-10;

/// The residual up to which a point is near a solution that was not found.
pub const NEAR: f64 = 1e-8;

/// Below this residual what does not get smaller is rounding.
pub const ROUNDING: f64 = 1e-9;

/// Velocities that differ by more than this are different solutions.
pub const DIFFERENT: f64 = 1e-7;

// Springs behind the blocks.

/// Compliance of the springs: hard enough to be near the solution, soft enough for rounding, which reaches impulses that
/// velocities leave open by ε over this.
pub const SPRING: f64 = 1e-3;

/// The hardest spring.
pub const HARDEST: f64 = 1e-9;

/// The softest spring of the slow attempt, and the factor by which springs harden on it.
pub const SOFTEST: f64 = 10.0;
pub const HARDENING: f64 = 0.3;

// Newton's method.

/// Steps for one compliance.
pub const NEWTON_STEPS: u32 = 30;

/// A step that lowers the equation's residual by less than this part of what Newton's method promises is halved, so
/// often at most.
pub const NEWTON_PROGRESS: f64 = 1e-4;
pub const NEWTON_HALVINGS: u32 = 12;

/// Steps this small beside `z` are rounding.
pub const SETTLED: f64 = 1e-15;

/// After a step this small beside `z` the next would be rounding: each is the square of the one before.
pub const QUADRATIC: f64 = 1e-11;

// Work.

/// A budget allows at least so many steps for each multiplication of one: problems whose steps take more than 67,000
/// get more, 300 steps for 2e7.
pub const LARGE_STEPS: f64 = 1.5e-5;

/// What a single block takes in a sweep beside its row of `L`, in multiplications for each row.
pub const SINGLE_WORK: f64 = 500.0;

// Polishing.

/// Steps for blocks that are slow beside the others.
pub const SLOW_STEPS: u32 = 6;

/// Rounds, and how many of them may be in vain.
pub const ROUNDS: u32 = 40;
pub const VAIN_ROUNDS: u32 = 6;

/// A round that leaves more than this part is slow: springs become harder.
pub const SLOW: f64 = 0.1;

/// A round that raises the residual by more than this factor was wrong: springs become softer.
pub const LOST: f64 = 2.0;

/// The factor by which springs become softer or harder.
pub const SOFTER: f64 = 5.0;

// Slips that only self-stress opposes.

/// A residual between these is such a slip, if polishing leaves it. Looser, points that are near no solution are tried.
pub const SETTLED_SLIPS: f64 = 1e-12;
pub const STALLED: f64 = 1e-4;

/// The first compliance of springs in units of the residual: impulses change by a tenth of what the problem needs.
pub const FIRST_STRESS: f64 = 10.0;

/// Rounds, and how much harder or softer springs become after one that went well or did not.
pub const STRESS_ROUNDS: u32 = 24;
pub const STRESS_HARDER: f64 = 0.3;
pub const STRESS_SOFTER: f64 = 4.0;

/// A round that raises the residual by more than this factor did not go well.
pub const STRAYED: f64 = 3.0;

/// An equation this small beside its parts is solved.
pub const REST: f64 = 1e-10;

// Sweeps over the blocks.

/// The change of velocities at which sweeps leave the rest to polishing.
pub const SWEPT: f64 = 1e-8;

/// `z` is formed anew after this many sweeps, so that its rounding does not add up.
pub const FRESH: u32 = 50;

/// Sweeps that share a load in turn, at most, in units of twice the number above.
pub const TURNS: u32 = 5;

// One block alone.

/// An impulse that has not opened the block at this multiple of the one that stops it will not.
pub const FAR: f64 = 1e12;

/// Pivots below this part of the diagonal are rounding.
pub const SINGULAR: f64 = 1e-14;

// Attempts.

/// How many attempts are made where an answer is wanted quickly or not at all.
pub const QUICK_ATTEMPTS: usize = 3;

/// How many other starts are tried.
pub const STARTS: u32 = 15;

/// The fractional parts of multiples of these are spread evenly over the unit cube (the generalised golden ratio).
pub const SPREAD: [f64; 3] =
    [0.819_172_513_396_164_4, 0.671_043_606_703_789_2, 0.549_700_477_901_970_2];

/// Normal impulses of other starts go up to this many times what stops the problem's speed.
pub const REACH: f64 = 3.0;

/// How many convex problems are solved, one after the other.
pub const RELAXATIONS: u32 = 64;

// The limit of hardening springs.

/// Springs before the first of the sequence, in units of that.
pub const LEADING: [f64; 2] = [100.0, 10.0];

/// How many members of the sequence, each twice as hard as the one before, are extrapolated.
pub const MEMBERS: usize = 5;

/// An extrapolation with a larger residual than this came from springs too soft for the final pattern.
pub const EXTRAPOLATED: f64 = 1e-8;

/// How often it is tried, with springs this much harder each time.
pub const TRIES: u32 = 4;
pub const HARDER: f64 = 0.125;

// The smallest impulse.

/// Velocities count as zero below this, or below this many times the residual they are known to. Tighter, blocks that
/// stick are taken for sliding, and fewer impulses are open; looser, the reverse.
pub const STILL: f64 = 1e-13;
pub const UNSURE: f64 = 8.0;

/// Impulses that are unique but change by more than a million times what velocities change are not called so.
pub const UNCERTAIN: f64 = 1e-12;

/// A direction depends on others if less than this part of its squared length is new: rounding.
pub const DEPENDENT: f64 = 1e-24;

/// A column with less than this part of the largest squared length is rounding.
pub const COLUMN_NOISE: f64 = 1e-27;

/// Steps; more are a failure, not a large problem.
pub const DUAL_STEPS: u32 = 100;

/// The gradient, relative to the impulse, that counts as none as soon as it does not get smaller.
pub const FLAT: f64 = 1e-12;

/// What damps steps, at first, at the least and at the most, beside a curvature of up to 1.
pub const DAMPING: [f64; 3] = [1e-12, 1e-15, 1e3];

/// A step must gain this part of what the slope promises; it is halved so often.
pub const DUAL_PROGRESS: f64 = 1e-4;
pub const DUAL_HALVINGS: u32 = 10;

// All combinations of modes.

/// More combinations than this are not tried: five blocks that touch, slide either way or stick.
pub const MOST_MODES: usize = 1024;

/// What least squares leave: below the first it may be a solution, above the second it is none. Between them rounding of
/// a badly conditioned problem cannot be told from a contradiction.
pub const MODE_NEAR: f64 = 1e-8;
pub const MODE_APART: f64 = 1e-3;

/// The part of a squared length that counts as nothing where ranks are decided.
pub const MODE_RANK: f64 = 1e-13;

/// The smallest squared length of a column beside the largest with which nothing is lost by squaring.
pub const CONDITION: f64 = 1e-6;
