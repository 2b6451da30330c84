"""Many motions of one scene: perturbed copies, or a grid over its numbers.

A design says which numbers of the scene take which values, as those of ``carom sweep`` do: ``"bodies[1].velocity[0]"`` is a
place in the scene; ``"e"`` and ``"mu"`` alone stand for all pairs; several places with commas between them take the same
value. Values are a list or an array, ``{"from", "to", "steps"}``, ``{"uniform": [low, high]}``, ``{"log_uniform": [low,
high]}``, ``{"normal": [mean, deviation]}``, or ``{"about": deviation}``, which is normal about the number that the scene has.
Lists are tried against each other; of random numbers there are `count` for each combination.

The work is done without the interpreter's lock, on as many threads as wanted: what comes out has the same bits for any
number of them.

>>> import carom.ensembles
>>> ball = {"name": "ball", "mass": 1, "inertia": 0.005, "position": [0, 1.1],
...         "shapes": [{"type": "disk", "radius": 0.1}]}
>>> floor = {"name": "floor", "fixed": True, "shapes": [{"type": "half-plane", "normal": [0, 1], "offset": 0}]}
>>> scene = {"bodies": [floor, ball], "pairs": [{"a": "*", "b": "*", "e": 0.5}], "duration": 2}
>>> ended = carom.ensembles.simulate(scene, {"e": [0, 0.5, 0.9]})
>>> ended.end_reason.tolist(), ended.end_time.round(6).tolist()
(['rest', 'rest', 'duration'], [0.451524, 1.354571, 2.0])
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from carom import _carom
from carom._carom import Scene
from carom._law_like import LawLike
from carom._motion import SceneLike, scene_of
from carom._progress import Progress, shown
from carom._refusal import refused
from carom._states import ByName, Floats

if TYPE_CHECKING:
    import pandas

__all__ = ["Ended", "simulate"]

Design = Mapping[str, Any]
"""Which numbers take which values; see :mod:`carom.ensembles`."""

_Ints = npt.NDArray[np.int64]
_PLANE = ("x", "y", "angle", "vx", "vy", "omega")
_SPACE = ("x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz")


@dataclass(frozen=True)
class Ended:
    """What became of N motions. Rows that are no scene are NaN, and say why in ``error``."""

    scene: Scene
    """The scene before anything was changed in it."""
    parameters: dict[str, Floats]
    """The numbers that were changed, (N,) each."""
    states: Floats
    """Each body at the end, (N, bodies, 6) in the plane and (N, bodies, 13) in space: position [m], orientation [rad or 1],
    velocity [m/s], angular velocity [rad/s].
    """
    impacts: _Ints
    """How many there were, those within accumulations too."""
    events: _Ints
    """How many there were."""
    steps: _Ints
    """How many were taken."""
    energy: dict[str, Floats]
    """``kinetic``, ``potential`` and ``elastic`` at the end, ``start`` in all, the works ``impacts``, ``friction``,
    ``damping``, ``forces`` and ``drives``, and the ``residual`` of the ledger, (N,) each [J].
    """
    end_time: Floats
    """[s]"""
    end_reason: npt.NDArray[np.object_]
    """"duration", "rest", or the kind of trouble; None where there was no scene."""
    error: npt.NDArray[np.object_]
    """Why a row has no motion, or none to its end; None where all is well."""

    @property
    def position(self) -> Mapping[str, Floats]:
        """Positions at the end by the name of a body, (N, 2 or 3) each [m]."""
        return self._part(slice(0, self._d))

    @property
    def orientation(self) -> Mapping[str, Floats]:
        """Orientations at the end by the name of a body, (N,) or (N, 4) each [rad or 1]."""
        return self._part(2 if self._d == 2 else slice(3, 7))

    @property
    def velocity(self) -> Mapping[str, Floats]:
        """Velocities at the end by the name of a body, (N, 2 or 3) each [m/s]."""
        return self._part(slice(3, 5) if self._d == 2 else slice(7, 10))

    @property
    def angular_velocity(self) -> Mapping[str, Floats]:
        """Angular velocities at the end by the name of a body, (N,) or (N, 3) each [rad/s]."""
        return self._part(5 if self._d == 2 else slice(10, 13))

    @property
    def answered(self) -> npt.NDArray[np.bool_]:
        """Which motions were followed to their end."""
        return np.array([error is None for error in self.error], dtype=np.bool_)

    @property
    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """All of it as columns of length N: the parameters, ``body.x`` and the like, counts, energies, ends, errors."""
        names = _PLANE if self._d == 2 else _SPACE
        columns: dict[str, npt.NDArray[Any]] = dict(self.parameters)
        for k, body in enumerate(self.scene.bodies):
            for i, name in enumerate(names):
                columns[f"{body}.{name}"] = self.states[:, k, i]
        columns |= {"impacts": self.impacts, "events": self.events, "steps": self.steps}
        columns |= {f"energy.{name}": values for name, values in self.energy.items()}
        columns |= {"end_time": self.end_time, "end_reason": self.end_reason, "error": self.error}
        return columns

    def to_pandas(self) -> pandas.DataFrame:
        """The columns as a DataFrame."""
        import pandas

        return pandas.DataFrame(self.columns)

    def to_arrow(self) -> Any:
        """The columns as a ``pyarrow.Table``."""
        import pyarrow

        texts = ("end_reason", "error")
        arrays = {
            name: pyarrow.array(values, pyarrow.string()) if name in texts else pyarrow.array(values)
            for name, values in self.columns.items()
        }
        return pyarrow.table(arrays)

    def __len__(self) -> int:
        return len(self.end_time)

    def __repr__(self) -> str:
        ends = ", ".join(f"{int((self.end_reason == word).sum())} {word}" for word in dict.fromkeys(self.end_reason))
        return f"<Ended: {len(self)} motions of {len(self.scene.bodies)} bodies; {ends}>"

    @property
    def _d(self) -> int:
        return 2 if self.scene.planar else 3

    def _part(self, places: int | slice) -> ByName:
        return ByName(self.scene.bodies, self.states[:, :, places], 1)


def simulate(
    scene: SceneLike,
    design: Design,
    *,
    count: int | None = None,
    seed: int = 0,
    law: LawLike | None = None,
    duration: float | None = None,
    threads: int | None = None,
    progress: Progress = False,
    **settings: Any,
) -> Ended:
    """Follows every point of `design` to its end.

    Parameters
    ----------
    scene : Scene, path, text or mapping
        As for :func:`carom.simulate`.
    design : mapping
        Which numbers take which values; see :mod:`carom.ensembles`.
    count : int
        How many random points there are for each combination of lists; wanted where something is random, and only there.
    seed : int
        Which random numbers. A point has the same ones whatever the others are.
    law : str, Law or dict
        In place of the scene's law; further settings as keywords.
    duration : float
        In place of the scene's [s].
    threads : int
        By default as many as there are cores.
    progress : bool or function
        Show how many motions are done, as for :func:`carom.batch.resolve`.

    Raises
    ------
    BadProblem, InputError
        The scene is none, or does not have the numbers of the design. What is wrong with a point's own numbers stands in
        ``error``.
    """
    read = scene_of(scene)
    with shown(progress, _total(design, count), "motions") as show:
        answer = _carom._ensemble(read, spelled(read, design), count, seed, law, settings, duration, threads, None, show)
    return ended(read, answer)


def ended(scene: Scene, answer: dict[str, Any]) -> Ended:
    """What the compiled half says, with its names."""
    n, values, counts = len(answer["end_times"]), answer["values"], answer["counts"]
    return Ended(
        scene,
        {name: values[:, k] for k, name in enumerate(answer["parameters"])},
        answer["states"].reshape(n, len(scene.bodies), 6 if scene.planar else 13),
        counts[:, 0],
        counts[:, 1],
        counts[:, 2],
        {name: answer["energies"][:, k] for k, name in enumerate(answer["energy_names"])},
        answer["end_times"],
        _objects(answer["end_reasons"]),
        _objects(answer["errors"]),
    )


def spelled(scene: Scene, design: Design) -> dict[str, Any]:
    """The design as the compiled half reads it: ``{"about": deviation}`` becomes normal about the scene's number."""
    if not isinstance(design, Mapping):
        raise refused("design", type(design).__name__, "must be a mapping of numbers and their values")
    document = None
    out: dict[str, Any] = {}
    for name, values in design.items():
        if isinstance(values, Mapping) and set(values) == {"about"}:
            document = scene.to_dict() if document is None else document
            # Of several places that take the same value, the first.
            values = {"normal": [_number(document, name.split(",")[0].strip()), values["about"]]}
        out[name] = values
    return out


def _number(document: Any, name: str) -> float:
    """The number at a place of the scene."""
    place = document
    for step in re.findall(r"[^.\[\]]+", name):
        try:
            place = place[int(step)] if isinstance(place, list) else place[step]
        except (KeyError, IndexError, TypeError, ValueError):
            place = None
    if not isinstance(place, (int, float)) or isinstance(place, bool):
        raise refused(f"design.{name}", "{'about': …}", "the scene has no number there that values could be about")
    return float(place)


def _objects(values: Sequence[str | None]) -> npt.NDArray[np.object_]:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _total(design: Design, count: int | None) -> int:
    """How many motions there are, as far as that is to be seen before the design is read."""
    total = count or 1
    for values in design.values() if isinstance(design, Mapping) else ():
        if isinstance(values, Mapping):
            steps = values.get("steps", 1)
            total *= steps if isinstance(steps, int) else 1
        elif hasattr(values, "__len__"):
            total *= len(values)
    return total
