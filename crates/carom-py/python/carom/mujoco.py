"""Impacts of MuJoCo models: ``carom.mujoco.resolve(model, data)`` answers the velocities after the impact.

Taken over from MuJoCo: the mass matrix (armature included), contacts with their normals and sliding friction, surface
velocities, limits of joints and tendons, equality constraints. Not taken over: torsional and rolling friction, because
no law has rows for spin (``condim`` 4 and 6 count as 3); friction loss, damping and adhesion, because forces that stay
finite have no part in an impact; the softness of MuJoCo's constraints (``solref``, ``solimp``). MuJoCo has no
coefficient of restitution: it is an argument here.

>>> import mujoco, carom.mujoco
>>> model = mujoco.MjModel.from_xml_string('''
... <mujoco><worldbody>
...   <geom name="floor" type="plane" size="1 1 1"/>
...   <body pos="0 0 .1"><freejoint/><geom name="ball" size=".1" mass="1"/></body>
... </worldbody></mujoco>''')
>>> data = mujoco.MjData(model)
>>> data.qvel[2] = -2.0
>>> outcome = carom.mujoco.resolve(model, data, e={("ball", "floor"): 0.5})
>>> round(float(outcome.velocity[2]), 12)
1.0
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

import carom
from carom._engine import Array, Impact, Rows, is_friction, is_restitution
from carom._law_like import LawLike
from carom._refusal import refused

try:
    import mujoco
except ImportError as error:
    raise ImportError("carom.mujoco needs MuJoCo 4: pip install 'carom[mujoco]'") from error
if int(mujoco.__version__.partition(".")[0]) < 4:
    # Contacts have surface velocities since then.
    raise ImportError(f"carom.mujoco needs MuJoCo 4, this is {mujoco.__version__}: pip install 'carom[mujoco]'")

from carom._mujoco_limits import limit_rows
from carom._mujoco_tables import ByContact, ByLimit, by_contact, by_limit

__all__ = ["Impact", "free_step", "hybrid_step", "problem", "repair", "resolve", "step"]

# Values of mjContact.exclude that can take part: those MuJoCo constrains, and those in its gap, because MuJoCo counts
# a distance that equals the margin, bodies that just touch, as in the gap.
_INCLUDED, _IN_GAP = 0, 1
_NO_CONSTRAINTS = int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
# Arguments of `problem`, all others are those of the law.
_OF_PROBLEM = ("mu", "e", "e_limit", "limits", "max_distance", "forward")
# Rounds in which bodies are moved apart, and the part of the depth at which they are apart.
_ROUNDS, _CLOSE = 5, 1e-6


def resolve(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    law: LawLike = "plus",
    *,
    mu: ByContact | None = None,
    e: ByContact = 0.0,
    e_limit: ByLimit = 0.0,
    limits: bool = True,
    max_distance: float | None = None,
    forward: bool = True,
    write: bool = False,
    **settings: Any,
) -> carom.Outcome:
    """The impact at ``data.qpos`` with ``data.qvel`` under `law`; ``outcome.velocity`` is the new ``qvel``.

    `write` puts it into ``data.qvel`` as well. The other named arguments are those of :func:`problem`; `settings` go on
    to :func:`carom.resolve`. Contacts that separate get no impulse; a model without contacts keeps its velocity.
    """
    impact = problem(
        model, data, mu=mu, e=e, e_limit=e_limit, limits=limits, max_distance=max_distance, forward=forward
    )
    outcome = impact.resolve(law, **settings)
    if write:
        data.qvel[:] = outcome.velocity
    return outcome


def problem(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    *,
    mu: ByContact | None = None,
    e: ByContact = 0.0,
    e_limit: ByLimit = 0.0,
    limits: bool = True,
    max_distance: float | None = None,
    forward: bool = True,
) -> Impact:
    """The impact as arrays: contacts in the order of ``data.contact``, then limits of joints, then of tendons.

    mu
        Friction [1]. By default MuJoCo's own sliding friction (never below MuJoCo's smallest, 1e-5); one that differs
        between the two tangents is refused, since no law here has an elliptic cone. A contact of ``condim`` 1, or with
        ``mu`` zero, has its normal row alone.
    e
        Restitution [1]: a number, a curve, a table such as ``{("ball", "floor"): 0.8, "default": 0.2}`` (names or ids
        of geoms, in either order; without ``"default"`` the rest has 0), or a function of the ``mujoco.MjContact``.
    e_limit
        Restitution of limits [1]: a number, a curve, or a table by name of joint or tendon.
    limits
        Whether limits of joints and tendons take part.
    max_distance
        Contacts and limits farther away than this are left out [m, rad]. MuJoCo's margins hold as well: nothing takes
        part that MuJoCo would not constrain, except what is exactly at its margin, which MuJoCo leaves out.
    forward
        Whether ``mj_fwdPosition`` is called first, so that contacts and matrices belong to ``data.qpos``: after
        ``mj_step`` they are those of the step before. Switch it off for contacts that you have edited.
    """
    if model.nv == 0:
        raise refused("model.nv", 0, "the model has no degrees of freedom")
    if model.opt.disableflags & _NO_CONSTRAINTS:
        reason = (
            "constraints are switched off, so that MuJoCo finds no contacts; switch them off with `free_step` alone"
        )
        raise refused("model.opt.disableflags", model.opt.disableflags, reason)
    if forward:
        mujoco.mj_fwdPosition(model, data)
    friction = by_contact(model, "mu", mu, is_friction, default=None)
    restitution = by_contact(model, "e", e, is_restitution, default=0.0)
    reach = np.inf if max_distance is None else float(max_distance)
    if np.isnan(reach):
        raise refused("max_distance", max_distance, "must be a number")

    rows = Rows(model.nv)
    # Columns of all contacts at once: reading one contact after the other costs more than resolving them.
    found = data.contact
    near = found.dist <= np.minimum(found.includemargin, reach)
    for index in np.flatnonzero(near & np.isin(found.exclude, (_INCLUDED, _IN_GAP))).tolist():
        given = friction(found, index)
        coefficient = _own_friction(found, index) if given is None else float(given)
        kept = 3 if found.dim[index] > 1 and coefficient > 0.0 else 1
        rows.add(
            ("contact", index),
            _contact_rows(model, data, index)[:kept],
            coefficient if kept == 3 else 0.0,
            restitution(found, index),
            np.array([0.0, *found.surfacevel[index, :2]])[:kept],
            float(found.dist[index]),
        )
    if limits:
        at_limit = by_limit(model, e_limit)
        for source, row, room in limit_rows(model, data, reach):
            rows.add(source, row, 0.0, at_limit(source), gap=room)

    equalities = np.flatnonzero(data.efc_type == int(mujoco.mjtConstraint.mjCNSTR_EQUALITY))
    return rows.impact(_mass(model, data), data.qvel.copy(), _constraint_rows(model, data, equalities))


def step(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    law: LawLike = "plus",
    *,
    repair: float | None = None,
    **arguments: Any,
) -> carom.Outcome:
    """One time step: MuJoCo flies (:func:`free_step`), carom resolves what then touches; arguments as for :func:`resolve`.

    Where there was an impulse, the way of this step is gone with the velocity after it, so that bodies at rest do not sink
    by what gravity adds to their velocity in each step. Otherwise the pose is that of MuJoCo's integrator.

    `repair` is the depth that bodies may penetrate [m, rad]: what is deeper is moved apart afterwards, as the function
    :func:`repair` does it. By default poses are left alone.

    If anything fails, the law for instance, the state is the one before the step.
    """
    with _all_or_nothing(model, data):
        start = data.qpos.copy()
        free_step(model, data)
        outcome = resolve(model, data, law, **{**arguments, "write": True})
        if outcome.impulse.any() or outcome.bilateral_impulse.any():
            data.qpos[:] = start
            mujoco.mj_integratePos(model, data.qpos, data.qvel, model.opt.timestep)
        if repair is not None:
            _move_apart(model, data, repair, limits=arguments.get("limits", True))
    return outcome


def hybrid_step(
    model: mujoco.MjModel, data: mujoco.MjData, law: LawLike = "plus", *, speed: float, **arguments: Any
) -> carom.Outcome | None:
    """One ``mj_step`` of MuJoCo with its own contacts, after an impact of carom if one approaches faster than `speed`.

    Impacts have restitution, and MuJoCo carries what lasts: bodies at rest, sliding, rolling. `speed` [m/s, rad/s] should
    be well above what gravity adds in a step. `arguments` are those of :func:`resolve`; contacts that close more slowly
    take part in the impact as well. The answer is the impact's outcome, or None if there was none.

    An impact does not happen twice as long as a step is shorter than 2 e times the time constant ``solref[0]``: MuJoCo's
    contacts do not push what leaves faster than their springs would send it away.

    If anything fails, the law for instance, the state is the one before the step.
    """
    if not speed > 0.0:
        raise refused("speed", speed, "must be above 0")
    of_problem = {name: arguments.pop(name) for name in _OF_PROBLEM if name in arguments}
    outcome = None
    with _all_or_nothing(model, data):
        impact = problem(model, data, **of_problem)
        if (impact.approach() > speed).any():
            outcome = impact.resolve(law, **arguments)
            data.qvel[:] = outcome.velocity
        mujoco.mj_step(model, data)
    return outcome


def repair(model: mujoco.MjModel, data: mujoco.MjData, depth: float = 0.0, *, limits: bool = True) -> float:
    """Moves bodies apart that penetrate deeper than `depth`, and joints back into their limits [m, rad].

    Of all ways to do so it is the one of least kinetic energy, were it gone in one second: heavy bodies stay, light ones
    move. Velocities are left alone, and equality constraints hold. Contacts turn as bodies do, so that a few rounds are made.
    The answer is the deepest penetration that is left [m, rad]. Contacts within MuJoCo's margins are all that is seen: what
    has passed through a body comes out at the other side.
    """
    with _all_or_nothing(model, data):
        return _move_apart(model, data, depth, limits)


def _move_apart(model: mujoco.MjModel, data: mujoco.MjData, depth: float, limits: bool) -> float:
    if not 0.0 <= depth < np.inf:
        raise refused("repair", depth, "must be a depth, at least 0")
    left = 0.0
    for turn in range(_ROUNDS + 1):
        impact = problem(model, data, mu=0.0, limits=limits)
        left = max(0.0, -float(impact.gap.min(initial=0.0)))
        if turn == _ROUNDS or left <= depth + _CLOSE * max(depth, left):
            break
        # The distances to move are those that bodies at rest come together in a second, stopped without rebound.
        rest = replace(impact, velocity=np.zeros(model.nv), drive=impact.gap + depth)
        mujoco.mj_integratePos(model, data.qpos, rest.resolve("newton").velocity, 1.0)
    return left


@contextmanager
def _all_or_nothing(model: mujoco.MjModel, data: mujoco.MjData) -> Iterator[None]:
    """Whatever is raised, Ctrl-C included, the state is then the one before."""
    everything = int(mujoco.mjtState.mjSTATE_INTEGRATION)
    before = np.empty(mujoco.mj_stateSize(model, everything))
    mujoco.mj_getState(model, data, before, everything)
    try:
        yield
    except BaseException:
        mujoco.mj_setState(model, data, before, everything)
        raise


def free_step(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """One ``mj_step`` without MuJoCo's constraints: the flight between impacts, whose contacts :func:`resolve` handles.

    Otherwise MuJoCo's soft contacts would push as well, over several steps, and the impact would happen twice. Equality
    constraints are off too, and hold by the rows that :func:`resolve` has of them; so is friction loss, without a
    replacement.
    """
    before = model.opt.disableflags
    model.opt.disableflags = before | _NO_CONSTRAINTS
    try:
        mujoco.mj_step(model, data)
    finally:
        model.opt.disableflags = before


def _mass(model: mujoco.MjModel, data: mujoco.MjData) -> Array:
    mass = np.empty((model.nv, model.nv))
    mujoco.mj_fullM(model, data, mass)
    return mass


def _contact_rows(model: mujoco.MjModel, data: mujoco.MjData, index: int) -> Array:
    """Velocity of geom 2's point minus that of geom 1's, in the contact's frame (normal, tangent, tangent)."""
    geoms, point = data.contact.geom[index], data.contact.pos[index]
    if geoms.min() < 0:
        reason = "a flex touches; impacts of flexible bodies are not supported"
        raise refused(f"data.contact[{index}].geom", geoms, reason)
    point_a, point_b = np.empty((3, model.nv)), np.empty((3, model.nv))
    body_a, body_b = model.geom_bodyid[geoms]
    mujoco.mj_jac(model, data, point_a, None, point, body_a)
    mujoco.mj_jac(model, data, point_b, None, point, body_b)
    rows: Array = data.contact.frame[index].reshape(3, 3) @ (point_b - point_a)
    return rows


def _constraint_rows(model: mujoco.MjModel, data: mujoco.MjData, rows: Any) -> Array:
    """Rows of MuJoCo's own constraint Jacobian, from its dense or its sparse form."""
    if not mujoco.mj_isSparse(model):
        dense: Array = data.efc_J.reshape(-1, model.nv)[rows]
        return dense
    full = np.zeros((len(rows), model.nv))
    for line, row in zip(full, rows, strict=True):
        start = data.efc_J_rowadr[row]
        entries = slice(start, start + data.efc_J_rownnz[row])
        line[data.efc_J_colind[entries]] = data.efc_J[entries]
    return full


def _own_friction(contacts: Any, index: int) -> float:
    first, second = contacts.friction[index, :2]
    if contacts.dim[index] > 1 and first != second:
        reason = "differs between the tangents, and no law has an elliptic cone; give `mu`, a number or a table"
        raise refused(f"data.contact[{index}].friction", f"({first}, {second})", reason)
    return float(first)
