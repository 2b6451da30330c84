"""Forces of one's own, from what a function says to six numbers per body."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from carom._carom import Scene
from carom._refusal import refused, unknown
from carom._states import Floats, States

#: A function of time [s] and states; see :func:`carom.simulate`.
Forces = Callable[[float, States], Any]


class Adapter:
    """Asks the function, and refuses what is no force. It is called at every stage of the integrator."""

    def __init__(self, forces: Forces, scene: Scene) -> None:
        if not callable(forces):
            raise refused("forces", type(forces).__name__, "must be a function of (t, state)")
        self._forces = forces
        self._bodies = tuple(scene.bodies)
        self._moving = set(scene.moving)
        self._planar = scene.planar
        # Where force and torque of a row of numbers go among the six.
        self._places = [0, 1, 5] if scene.planar else [0, 1, 2, 3, 4, 5]

    def __call__(self, t: float, *arrays: Floats) -> Floats:
        answer = self._forces(t, States(self._bodies, np.asarray(t), *arrays))
        loads = np.zeros((len(self._bodies), 6))
        if isinstance(answer, Mapping):
            for name, load in answer.items():
                if name not in self._bodies:
                    raise unknown("forces", "body", name, self._bodies)
                if name not in self._moving:
                    raise refused(f"forces.{name}", "(given)", "this body is fixed: no force moves it")
                loads[self._bodies.index(name)] = self._load(f"forces.{name}", load)
        elif answer is not None:
            wanted = (len(self._bodies), len(self._places))
            rows = _numbers("forces", answer)
            if rows.shape != wanted:
                reason = f"must be {wanted}: one row per body, force and then torque; or a dict of bodies; or None"
                raise refused("forces", f"an array of shape {rows.shape}", reason)
            loads[:, self._places] = rows
        if not np.isfinite(loads).all():
            k = int(np.flatnonzero(~np.isfinite(loads).all(axis=1))[0])
            value = loads[k, self._places].tolist()
            raise refused(f"forces.{self._bodies[k]}", value, f"must be finite numbers (at t = {t} s)")
        return loads

    def _load(self, field: str, load: Any) -> Floats:
        """A force, a force followed by a torque, or a pair of both."""
        size = 2 if self._planar else 3
        if isinstance(load, (tuple, list)) and len(load) == 2 and np.ndim(load[0]) == 1:
            force, torque = _numbers(field, load[0]), np.atleast_1d(_numbers(field, load[1]))
            fits = (force.size, torque.size) == (size, len(self._places) - size) and torque.ndim == 1
            flat = np.concatenate([force, torque]) if fits else np.empty(0)
        else:
            flat = _numbers(field, load)
        six = np.zeros(6)
        if flat.shape == (size,):
            six[:size] = flat
        elif flat.shape == (len(self._places),):
            six[self._places] = flat
        else:
            torque_words = "a number" if self._planar else "3 numbers"
            reason = f"must be a force of {size} numbers, or a pair of it and a torque, {torque_words}"
            raise refused(field, load, reason)
        return six


def _numbers(field: str, value: Any) -> Floats:
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise refused(field, value, f"must be numbers: {error}") from error
    return array
