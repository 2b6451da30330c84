"""States of the bodies of a scene, at one time or at many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from carom._refusal import unknown

Floats = npt.NDArray[np.float64]

#: The kinds of work that a ledger tells.
WORKS = ("impacts", "friction", "damping", "forces", "drives")


class ByName(Mapping[str, Floats]):
    """One quantity of each body, by its name: a view of the array of all bodies."""

    def __init__(self, names: Sequence[str], values: Floats, axis: int) -> None:
        self._names, self._values, self._axis = names, values, axis

    def __getitem__(self, name: str) -> Floats:
        if name not in self._names:
            raise unknown("body", "body", name, self._names)
        index: Any = (slice(None),) * self._axis + (self._names.index(name),)
        view: Floats = self._values[index]
        return view

    def __iter__(self) -> Any:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return repr(dict(self))


@dataclass(frozen=True)
class Energy:
    """Energy at each time: of the bodies, and what was done on them since t = 0."""

    kinetic: Floats
    """[J]"""
    potential: Floats
    """Of gravity [J]."""
    elastic: Floats
    """Of springs [J]."""
    impacts: Floats
    """Work of impulses on the relative motion since t = 0 [J]."""
    friction: Floats
    """Work of sliding friction [J]."""
    damping: Floats
    """Work of dampers [J]."""
    forces: Floats
    """Work of forces and torques that are given, those of your own included [J]."""
    drives: Floats
    """Work of prescribed motion and conveyors [J]."""

    @property
    def total(self) -> Floats:
        """Kinetic, potential and elastic [J]."""
        total: Floats = self.kinetic + self.potential + self.elastic
        return total


@dataclass(frozen=True)
class States:
    """Where bodies are and how they move, at one time or at many.

    Arrays have the shape of `t` first, then one entry per body, in the order of `bodies`: vectors of two numbers in the
    plane and three in space. Orientations are angles in the plane, which count turns, and quaternions ``[w, x, y, z]`` in
    space, from the body's frame to the world's; angular velocities are numbers or vectors, in the world's frame.
    """

    bodies: tuple[str, ...]
    """Names."""
    t: Floats
    """[s]"""
    positions: Floats
    """Of centres of mass [m]."""
    orientations: Floats
    """[rad or 1]"""
    velocities: Floats
    """[m/s]"""
    angular_velocities: Floats
    """[rad/s]"""

    @property
    def position(self) -> ByName:
        """Positions by the name of a body [m]."""
        return self._by_name(self.positions)

    @property
    def orientation(self) -> ByName:
        """Orientations by the name of a body [rad or 1]."""
        return self._by_name(self.orientations)

    @property
    def velocity(self) -> ByName:
        """Velocities by the name of a body [m/s]."""
        return self._by_name(self.velocities)

    @property
    def angular_velocity(self) -> ByName:
        """Angular velocities by the name of a body [rad/s]."""
        return self._by_name(self.angular_velocities)

    @property
    def planar(self) -> bool:
        """Whether vectors have two numbers."""
        return bool(self.positions.shape[-1] == 2)

    def _by_name(self, values: Floats) -> ByName:
        return ByName(self.bodies, values, np.ndim(self.t))

    def __len__(self) -> int:
        return int(np.size(self.t))


@dataclass(frozen=True)
class Moment(States):
    """States with their energies, as :meth:`Motion.at` gives them."""

    energy: Energy
    """At those times."""


def of_arrays(bodies: tuple[str, ...], arrays: dict[str, Floats], scalar: bool = False) -> Moment:
    """What the compiled half says of states; a scalar time takes the first axis away."""

    def taken(name: str) -> Floats:
        array = arrays[name]
        if scalar:
            array = array[0]
        if isinstance(array, np.ndarray):
            array.flags.writeable = False
        return array

    states = ("t", "positions", "orientations", "velocities", "angular_velocities")
    energies = ("kinetic", "potential", "elastic", *WORKS)
    return Moment(
        bodies,
        **{name: taken(name) for name in states},
        energy=Energy(**{name: taken(name) for name in energies}),
    )
