"""What the adapters of engines share: an impact as arrays, and how it is handed to :func:`carom.resolve`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

import carom
from carom._law_like import LawLike
from carom._refusal import refused

Array = NDArray[np.float64]

#: A coefficient of restitution: a number [1], or a curve over the speed of approach as :func:`carom.resolve` takes it.
Restitution = float | Mapping[str, float]

_CURVE_KEYS = frozenset({"minimum", "capture_speed", "plastic_speed"})


@dataclass(frozen=True)
class Impact:
    """An engine's state at an impact, in the arrays of :func:`carom.resolve`: normal rows first, contact by contact."""

    mass: Array
    """Mass matrix, (f, f), symmetric [kg, kg·m, kg·m²]."""
    jacobian: Array
    """Rows of all contacts, (R, f); ``jacobian @ velocity + drive`` is velocity of B minus velocity of A [1, m]."""
    velocity: Array
    """Generalized velocity before the impact, (f,) [m/s, rad/s]."""
    rows: NDArray[np.intp]
    """Rows of each contact, (k,): 3 with friction, 1 without and at a limit."""
    mu: Array
    """Coefficient of friction of each contact, (k,) [1]."""
    e: tuple[Restitution, ...]
    """Restitution of each contact, k numbers or curves [1]."""
    bilateral: Array
    """Rows that keep their velocity zero, (b, f); b may be 0."""
    drive: Array
    """Prescribed part of the relative velocity, (R,) [m/s]."""
    sources: tuple[tuple[str, int], ...]
    """What each contact is in the engine: ``("contact", index)``, ``("joint", id)`` or ``("tendon", id)``."""
    gap: Array
    """Distance at each contact, (k,), negative where bodies penetrate or a limit is passed; 0 if unknown [m, rad]."""

    def __len__(self) -> int:
        """Number of contacts, limits among them."""
        return len(self.sources)

    def slices(self) -> list[slice]:
        """Which entries of ``outcome.impulse`` and ``outcome.contact_velocity`` belong to each contact."""
        ends = np.cumsum(self.rows)
        return [slice(int(end - n), int(end)) for end, n in zip(ends, self.rows, strict=True)]

    def approach(self) -> Array:
        """How fast each contact closes, (k,), negative where it opens [m/s, rad/s]."""
        normals = [at.start for at in self.slices()]
        closing: Array = -(self.jacobian @ self.velocity + self.drive)[normals]
        return closing

    def resolve(self, law: LawLike = "plus", **settings: Any) -> carom.Outcome:
        """What :func:`carom.resolve` answers to these arrays. Without contacts the impulse is a single zero."""
        contacts = self if self.sources else self._with_idle_contact()
        numbers = not any(isinstance(e, Mapping) for e in contacts.e)
        return carom.resolve(
            contacts.mass,
            contacts.jacobian,
            contacts.velocity,
            mu=contacts.mu,
            e=np.array(contacts.e, dtype=float) if numbers else list(contacts.e),
            law=law,
            rows=contacts.rows,
            bilateral=contacts.bilateral if len(contacts.bilateral) else None,
            drive=contacts.drive if contacts.drive.any() else None,
            **settings,
        )

    def _with_idle_contact(self) -> Impact:
        """The same with a contact that no motion opens or closes: laws want one, and none gives this one an impulse."""
        row = np.zeros((1, len(self.velocity)))
        return replace(self, jacobian=row, rows=np.array([1]), mu=np.zeros(1), e=(0.0,), drive=np.zeros(1), gap=np.zeros(1))


@dataclass
class Rows:
    """Contacts as they are found, one after the other; :meth:`impact` stacks them."""

    dofs: int

    def __post_init__(self) -> None:
        self._jacobian: list[Array] = []
        self._drive: list[Array] = []
        self._mu: list[float] = []
        self._e: list[Restitution] = []
        self._sources: list[tuple[str, int]] = []
        self._gap: list[float] = []

    def add(
        self,
        source: tuple[str, int],
        rows: Array,
        mu: float,
        e: Restitution,
        drive: Array | None = None,
        gap: float = 0.0,
    ) -> None:
        """Appends a contact: `rows` (1 to 3, f), normal first, and what `Impact` says of it."""
        self._jacobian.append(rows)
        self._drive.append(np.zeros(len(rows)) if drive is None else drive)
        self._mu.append(mu)
        self._e.append(e)
        self._sources.append(source)
        self._gap.append(gap)

    def impact(self, mass: Array, velocity: Array, bilateral: Array) -> Impact:
        """All contacts so far as arrays."""
        return Impact(
            mass=mass,
            jacobian=np.concatenate([np.empty((0, self.dofs)), *self._jacobian]),
            velocity=velocity,
            rows=np.array([len(block) for block in self._jacobian], dtype=np.intp),
            mu=np.array(self._mu, dtype=float),
            e=tuple(self._e),
            bilateral=bilateral,
            drive=np.concatenate([np.empty(0), *self._drive]),
            sources=tuple(self._sources),
            gap=np.array(self._gap, dtype=float),
        )


def is_restitution(value: object) -> bool:
    """Whether `value` is one coefficient of restitution, and not a table of them."""
    if isinstance(value, Mapping):
        return bool(value) and all(key in _CURVE_KEYS for key in value)
    return is_number(value)


def is_number(value: object) -> bool:
    """Whether `value` is one real number, of Python or of NumPy; truth values are none."""
    kind = np.asarray(value)
    return kind.ndim == 0 and kind.dtype.kind in "iuf"


def is_friction(value: object) -> bool:
    """Whether `value` is a coefficient of friction."""
    return is_number(value) and bool(value >= 0.0)  # type: ignore[operator]


def contact_axes(normal: Array) -> Array:
    """Rows n, t1, t2 of carom's contact frame: t1 towards the world axis least along the unit normal, t2 = n × t1."""
    axis = np.zeros(3)
    axis[int(np.argmin(np.abs(normal)))] = 1.0
    tangent = axis - (axis @ normal) * normal
    tangent /= np.linalg.norm(tangent)
    return np.stack([normal, tangent, np.cross(normal, tangent)])


def one_per_contact(argument: str, values: Any, count: int) -> Sequence[Any]:
    """`values` for each of `count` contacts: one for all, or as many as there are contacts."""
    if is_restitution(values):
        return [values] * count
    listed = list(values) if np.ndim(values) == 1 else None
    if listed is None or len(listed) != count:
        shown = repr(values) if np.ndim(values) == 0 else f"an array of shape {np.shape(values)}"
        raise refused(argument, shown, f"must be one number, or one for each of {count} contacts")
    return listed
