"""Impacts of Pinocchio models: ``carom.pinocchio.resolve(model, data, q, v, contacts)`` answers the velocities after.

Pinocchio brings the mass matrix (armature included) and the Jacobians; where the bodies touch, and how, you say with
:class:`Contact`. Loops that must stay closed are given as rows (`bilateral`), for instance those of
``pinocchio.getConstraintsJacobian``. Friction and damping of joints have no part in an impact.

>>> import numpy as np, pinocchio, carom.pinocchio
>>> model = pinocchio.buildSampleModelManipulator()
>>> data = model.createData()
>>> q, v = pinocchio.neutral(model), np.full(model.nv, 0.5)
>>> wall = carom.pinocchio.Contact(frame=model.nframes - 1, normal=(0.0, 1.0, 0.0))
>>> impact = carom.pinocchio.problem(model, data, q, v, [wall], mu=0.3, e=0.5)
>>> impact.jacobian.shape
(3, 6)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

import carom
from carom._engine import Array, Impact, Restitution, Rows, contact_axes, is_friction, is_restitution, one_per_contact
from carom._law_like import LawLike
from carom._refusal import refused, unknown

try:
    import pinocchio
except ImportError as error:
    raise ImportError("carom.pinocchio needs Pinocchio: pip install 'carom[pinocchio]'") from error

__all__ = ["Contact", "Impact", "problem", "resolve"]

# Largest deviation of a normal's length from one that counts as rounding, as in the problem format.
_UNIT = 1e-6


@dataclass(frozen=True)
class Contact:
    """Where two bodies touch: body B carries `frame` (or `joint`), body A carries `other`, or is the world.

    The normal points from A to B: out of the wall, towards the arm that strikes it.
    """

    frame: int | str | None = None
    """Frame of body B, by id or name."""
    normal: ArrayLike = (0.0, 0.0, 1.0)
    """Unit normal in world coordinates, from A to B [1]."""
    other: int | str | None = None
    """Frame of body A, by id or name; the world if absent."""
    point: ArrayLike | None = None
    """Where they touch, in world coordinates; the origin of `frame` if absent [m]."""
    joint: int | str | None = None
    """Body B by its joint, id or name, in place of `frame`; then `point` is needed."""


#: A contact, or its first fields in their order: ``(frame, normal)``, ``(frame, normal, other)``, …
ContactLike = Contact | Sequence[Any]


def resolve(
    model: pinocchio.Model,
    data: pinocchio.Data,
    q: ArrayLike,
    v: ArrayLike,
    contacts: Sequence[ContactLike],
    mu: ArrayLike = 0.0,
    e: Any = 0.0,
    law: LawLike = "plus",
    *,
    bilateral: ArrayLike | None = None,
    e_limit: Restitution | None = None,
    limit_margin: float = 0.0,
    **settings: Any,
) -> carom.Outcome:
    """The impact at `q` with velocity `v` under `law`; ``outcome.velocity`` is the velocity after.

    Arguments are those of :func:`problem`; `settings` go on to :func:`carom.resolve`. Contacts that separate get no
    impulse. `data` is overwritten with the kinematics at `q`.
    """
    impact = problem(
        model, data, q, v, contacts, mu, e, bilateral=bilateral, e_limit=e_limit, limit_margin=limit_margin
    )
    return impact.resolve(law, **settings)


def problem(
    model: pinocchio.Model,
    data: pinocchio.Data,
    q: ArrayLike,
    v: ArrayLike,
    contacts: Sequence[ContactLike],
    mu: ArrayLike = 0.0,
    e: Any = 0.0,
    *,
    bilateral: ArrayLike | None = None,
    e_limit: Restitution | None = None,
    limit_margin: float = 0.0,
) -> Impact:
    """The impact as arrays: contacts in their order, then limits of joints.

    mu, e
        Friction and restitution [1]: one for all, or one per contact; `e` may be a curve. Where ``mu`` is zero a
        contact has its normal row alone.
    bilateral
        Rows (b, nv) whose velocity stays zero.
    e_limit
        Restitution of joint limits [1]; absent, limits take no part. A limit is reached where ``q`` is within
        `limit_margin` of it [m, rad], for joints whose velocity is the rate of their configuration (not for free,
        spherical, planar and unbounded ones).
    """
    q, v = _vector("q", q, model.nq), _vector("v", v, model.nv)
    if model.nv == 0:
        raise refused("model.nv", 0, "the model has no degrees of freedom")
    upper = pinocchio.crba(model, data, q)
    # Pinocchio fills the upper triangle.
    mass = np.triu(upper) + np.triu(upper, 1).T
    pinocchio.computeJointJacobians(model, data, q)

    rows = Rows(model.nv)
    friction = one_per_contact("mu", mu, len(contacts))
    restitution = one_per_contact("e", e, len(contacts))
    for index, contact in enumerate(contacts):
        block = _contact_rows(model, data, index, contact)
        coefficient = friction[index]
        if not is_friction(coefficient):
            raise refused("mu", coefficient, "must be at least 0")
        rows.add(("contact", index), block if coefficient > 0.0 else block[:1], coefficient, restitution[index])
    if e_limit is not None:
        if not is_restitution(e_limit):
            raise refused("e_limit", repr(e_limit), "must be a number or a curve")
        for joint, row in _limit_rows(model, q, limit_margin):
            rows.add(("joint", joint), row, 0.0, e_limit)
    return rows.impact(mass, v.copy(), _bilateral(bilateral, model.nv))


def _contact_rows(model: pinocchio.Model, data: pinocchio.Data, index: int, given: ContactLike) -> Array:
    """Velocity of B's point minus that of A's along normal and tangents."""
    field = f"contacts[{index}]"
    contact = given if isinstance(given, Contact) else _contact(field, given)
    joint, origin = _body(model, data, field, contact)
    point = origin if contact.point is None else _vector(f"{field}.point", contact.point, 3)
    velocity = _point_rows(model, data, joint, point)
    if contact.other is not None:
        other = model.frames[_frame(model, f"{field}.other", contact.other)].parentJoint
        velocity = velocity - _point_rows(model, data, other, point)
    normal = _vector(f"{field}.normal", contact.normal, 3)
    length = float(np.linalg.norm(normal))
    if abs(length - 1.0) > _UNIT:
        raise refused(f"{field}.normal", normal, f"must have length 1, not {length:.6g}")
    rows: Array = contact_axes(normal / length) @ velocity
    return rows


def _contact(field: str, given: Sequence[Any]) -> Contact:
    if isinstance(given, str) or not isinstance(given, Sequence) or not 2 <= len(given) <= 4:
        raise refused(field, repr(given), "must be a Contact, or (frame, normal[, other[, point]])")
    return Contact(*given)


def _body(model: pinocchio.Model, data: pinocchio.Data, field: str, contact: Contact) -> tuple[int, Array]:
    """Joint that carries body B, and the world position of the contact if none is given."""
    if (contact.frame is None) == (contact.joint is None):
        raise refused(field, contact, "needs either frame or joint")
    if contact.frame is not None:
        frame = model.frames[_frame(model, f"{field}.frame", contact.frame)]
        return int(frame.parentJoint), data.oMi[frame.parentJoint].act(frame.placement.translation)
    if contact.point is None:
        raise refused(f"{field}.point", None, "is needed where the body is given by its joint")
    return _joint(model, f"{field}.joint", contact.joint), np.zeros(3)


def _point_rows(model: pinocchio.Model, data: pinocchio.Data, joint: int, point: Array) -> Array:
    """World velocity, (3, nv), of the point of a joint's body that is now at `point`."""
    if joint == 0:
        return np.zeros((3, model.nv))
    there = pinocchio.SE3(np.eye(3), data.oMi[joint].actInv(point))
    aligned = pinocchio.ReferenceFrame.LOCAL_WORLD_ALIGNED
    rows: Array = pinocchio.getFrameJacobian(model, data, joint, there, aligned)[:3]
    return rows


def _limit_rows(model: pinocchio.Model, q: Array, margin: float) -> list[tuple[int, Array]]:
    found = []
    for joint in range(1, model.njoints):
        if model.nqs[joint] != model.nvs[joint]:
            continue
        for offset in range(model.nvs[joint]):
            at_q, at_v = model.idx_qs[joint] + offset, model.idx_vs[joint] + offset
            for sign, room in (
                (1.0, q[at_q] - model.lowerPositionLimit[at_q]),
                (-1.0, model.upperPositionLimit[at_q] - q[at_q]),
            ):
                if room <= margin:
                    row = np.zeros((1, model.nv))
                    row[0, at_v] = sign
                    found.append((joint, row))
    return found


def _frame(model: pinocchio.Model, field: str, frame: int | str) -> int:
    if isinstance(frame, str):
        if not model.existFrame(frame):
            raise unknown(field, "frame", frame, (f.name for f in model.frames))
        return int(model.getFrameId(frame))
    if not isinstance(frame, (int, np.integer)) or not 0 <= frame < model.nframes:
        raise refused(field, repr(frame), f"a frame is a name, or an id from 0 to {model.nframes - 1}")
    return int(frame)


def _joint(model: pinocchio.Model, field: str, joint: Any) -> int:
    if isinstance(joint, str):
        if not model.existJointName(joint):
            raise unknown(field, "joint", joint, model.names)
        return int(model.getJointId(joint))
    if not isinstance(joint, (int, np.integer)) or not 0 <= joint < model.njoints:
        raise refused(field, repr(joint), f"a joint is a name, or an id from 0 to {model.njoints - 1}")
    return int(joint)


def _vector(field: str, given: ArrayLike, size: int) -> Array:
    try:
        vector = np.asarray(given, dtype=float)
    except (TypeError, ValueError) as error:
        raise refused(field, repr(given), f"must be {size} numbers") from error
    if vector.shape != (size,):
        raise refused(field, f"an array of shape {vector.shape}", f"must have shape ({size},)")
    if not np.isfinite(vector).all():
        raise refused(field, vector, "must be finite")
    return vector


def _bilateral(given: ArrayLike | None, dofs: int) -> Array:
    if given is None:
        return np.empty((0, dofs))
    rows = np.asarray(given, dtype=float)
    if rows.ndim != 2 or rows.shape[1] != dofs:
        raise refused("bilateral", f"an array of shape {rows.shape}", f"must have shape (b, {dofs})")
    return rows
