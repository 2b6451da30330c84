"""Scenes followed in time."""

from __future__ import annotations

import html
import json
import os
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from carom import _carom, _html
from carom._carom import Scene
from carom._forces import Adapter, Forces
from carom._law_like import LawLike
from carom._progress import Progress, shown, shown_after
from carom._refusal import refused
from carom._states import Energy, Floats, Moment, States, of_arrays

if TYPE_CHECKING:
    import pandas

SceneLike = Scene | str | os.PathLike[str] | Mapping[str, Any]
"""A scene: a :class:`carom.Scene`, a path, text in JSON or TOML, or a mapping as files have it."""

Event = dict[str, Any]
"""Something that happened: ``t`` [s], ``kind``, ``contacts``, ``energy_change`` [J], and what else there is to say."""

# A motion that takes longer is not followed again only because a notebook shows it [s].
_PATIENCE = 3.0
# Height of the player in a notebook [px].
_HEIGHT = 900


def scene_of(scene: SceneLike) -> Scene:
    """Reads whatever stands for a scene.

    Text is told from a path by a line break or a brace at its beginning.
    """
    if isinstance(scene, Scene):
        return scene
    if isinstance(scene, str) and ("\n" in scene or scene.lstrip().startswith("{")):
        return Scene.parse(scene)
    if isinstance(scene, (str, os.PathLike)):
        return Scene.load(scene)
    if isinstance(scene, Mapping):
        return Scene(scene)
    raise refused("scene", type(scene).__name__, "must be a Scene, a path, text in JSON or TOML, or a mapping")


class Motion:
    """A motion that was followed, as :func:`carom.simulate` gives it.

    Arrays have one entry per time first, then one per body. They are closed to writing. Motions can be pickled; functions
    of forces stay behind.
    """

    scene: Scene
    """What was followed."""
    law: dict[str, Any] | None
    """The law of all impacts with its settings; None where each impact had the default law for its contacts."""
    duration: float
    """How long it was to be followed [s]."""
    ledger: dict[str, float]
    """Where energy went: ``start`` and ``end``, works by kind, and the ``residual`` that nothing accounts for [J]."""
    end: dict[str, Any]
    """When (``t`` [s]) and why (``reason``) it ended: "duration", "rest", or the kind of trouble, with its ``message``."""
    effort: dict[str, int]
    """The work done: ``steps``, ``slopes``, ``impacts``, ``decisions``, ``merges``."""
    notes: list[str]
    """What a reader should know."""
    check: dict[str, Any] | None
    """How far a run with ten times the tolerances is apart, where asked for."""
    event_list: list[Event]
    """What happened, in the order of time, whether pandas is installed or not."""
    contacts: list[list[dict[str, Any]]] | None
    """The contacts that last at each time with their forces, where asked for."""

    def __init__(self, scene: Scene, answer: dict[str, Any], asked: dict[str, Any], seconds: float) -> None:
        said = answer["answer"]
        self.scene, self.law, self.duration = scene, answer["law"], answer["duration"]
        self.ledger, self.end, self.effort, self.notes = (said[key] for key in ("ledger", "end", "effort", "notes"))
        self.check = said.get("check")
        self.event_list = said["events"]
        self.contacts = [sample["contacts"] for sample in said["samples"]] if said["samples"] else None
        self._states = of_arrays(tuple(scene.bodies), answer)
        self._dense = answer["dense"]
        # What the page that plays it wants to follow it again.
        self._asked, self._forced, self._seconds = asked, asked["forces"] is not None, seconds

    @property
    def samples(self) -> Moment:
        """All samples with their energies."""
        return self._states

    @property
    def bodies(self) -> tuple[str, ...]:
        """Names, in the order of arrays."""
        return self._states.bodies

    @property
    def t(self) -> Floats:
        """The times of samples, (T,) [s]."""
        return self._states.t

    @property
    def positions(self) -> Floats:
        """Of centres of mass, (T, bodies, 2 or 3) [m]."""
        return self._states.positions

    @property
    def orientations(self) -> Floats:
        """Angles in the plane, (T, bodies) [rad]; quaternions ``[w, x, y, z]`` in space, (T, bodies, 4) [1]."""
        return self._states.orientations

    @property
    def velocities(self) -> Floats:
        """Of centres of mass, (T, bodies, 2 or 3) [m/s]."""
        return self._states.velocities

    @property
    def angular_velocities(self) -> Floats:
        """(T, bodies) in the plane, (T, bodies, 3) in the world's frame in space [rad/s]."""
        return self._states.angular_velocities

    @property
    def position(self) -> Mapping[str, Floats]:
        """Positions by the name of a body, (T, 2 or 3) each [m]."""
        return self._states.position

    @property
    def orientation(self) -> Mapping[str, Floats]:
        """Orientations by the name of a body, (T,) or (T, 4) each [rad or 1]."""
        return self._states.orientation

    @property
    def velocity(self) -> Mapping[str, Floats]:
        """Velocities by the name of a body, (T, 2 or 3) each [m/s]."""
        return self._states.velocity

    @property
    def angular_velocity(self) -> Mapping[str, Floats]:
        """Angular velocities by the name of a body, (T,) or (T, 3) each [rad/s]."""
        return self._states.angular_velocity

    @property
    def energy(self) -> Energy:
        """Energies and works at each time, (T,) each [J]."""
        return self._states.energy

    @property
    def events(self) -> pandas.DataFrame | list[Event]:
        """What happened, in the order of time: a DataFrame where pandas is installed, otherwise :attr:`event_list`.

        The frame has one row per event: ``t``, ``kind``, ``a``, ``b`` and ``joint`` of the first contact, how many
        ``contacts`` there were, the ``impulse`` along their normals together [N·s], ``energy_change`` [J], ``verdict``.
        """
        try:
            import pandas
        except ImportError:
            return self.event_list
        return pandas.DataFrame([_row(event) for event in self.event_list], columns=_COLUMNS)

    def at(self, t: npt.ArrayLike) -> Moment:
        """The motion at any times, (…,) [s]: the same bits as samples asked for beforehand.

        A number gives states without an axis of time. Wants ``dense=True``, the default of :func:`carom.simulate`.

        >>> import carom
        >>> motion = carom.simulate({
        ...     "bodies": [{"name": "ball", "mass": 1, "position": [0, 0], "velocity": [2, 0]}],
        ...     "gravity": [0, 0], "duration": 3})
        >>> motion.at(1.5).position["ball"].tolist()
        [3.0, 0.0]
        >>> motion.at([1, 2]).positions.shape
        (2, 1, 2)
        """
        if self._dense is None:
            raise refused("t", t, "this motion was followed with dense=False, which keeps samples alone")
        times = np.asarray(t, dtype=np.float64)
        if times.ndim > 1:
            raise refused("t", f"an array of shape {times.shape}", "must be a number or a list of numbers")
        last = self.end["t"]
        if self.end["reason"] not in ("duration", "rest") and (times > last).any():
            raise refused("t", times.max(), f"the motion ended at {last} s: {self.end['reason']}")
        arrays = self._dense.at(self.scene, self.duration, np.atleast_1d(times))
        return of_arrays(self.bodies, arrays, scalar=times.ndim == 0)

    @property
    def dense_bytes(self) -> int:
        """What :meth:`at` costs in memory [bytes]."""
        return 0 if self._dense is None else cast(int, self._dense.bytes())

    def plot(self, kind: str = "paths", *, ax: Any = None, **options: Any) -> Any:
        """Draws it with Matplotlib; gives back the axes. See :func:`carom.plotting.motion`."""
        from carom import plotting

        return plotting.motion(self, kind, ax=ax, **options)

    def player(self) -> str:
        """The page that plays it, as ``carom simulate --report`` writes it: one HTML text that needs nothing else.

        The motion is followed again for it, with the samples and contacts that the page wants.
        """
        if self._forced and self._asked["forces"] is None:
            raise refused("forces", "(not there)", "this motion came out of a pickle, without the function of its forces")
        text = None
        name = self.scene.title or "scene"
        changed = self.duration != self.scene.duration
        if changed or self._forced or not self.scene.has_text:
            document = {**self.scene.to_dict(), "duration": self.duration}
            text = json.dumps(document, indent=1, ensure_ascii=False)
        return _carom._motion_page(self.scene, text, f"{_file_name(name)}.json", self.duration, **self._asked)

    def _repr_html_(self) -> str:
        if self._seconds > _PATIENCE or (self._forced and self._asked["forces"] is None):
            return _html.motion(self)
        page = html.escape(self.player(), quote=True)
        return (
            f'<div><iframe srcdoc="{page}" sandbox="allow-scripts" title="motion" '
            f'style="width:100%;height:{_HEIGHT}px;border:0"></iframe></div>'
        )

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        title = f" {self.scene.title!r}" if self.scene.title else ""
        events = len(self.event_list)
        return f"<Motion{title}: {len(self.bodies)} bodies, {events} events, {self.end['reason']} at {self.end['t']:.6g} s>"

    def __getstate__(self) -> dict[str, Any]:
        # A function of forces may be anything, and most cannot be pickled.
        return {**self.__dict__, "_asked": {**self._asked, "forces": None}}


def simulate(
    scene: SceneLike,
    *,
    at: npt.ArrayLike | None = None,
    every: float | None = None,
    law: LawLike | None = None,
    duration: float | None = None,
    check: bool = False,
    contacts: bool = False,
    features: bool = False,
    dense: bool = True,
    forces: Forces | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> Motion:
    """Follows a scene in time: from event to event, each impact under any law.

    Parameters
    ----------
    scene : Scene, path, text or mapping
        As scene files say it, in TOML or JSON; text is told from a path by a line break or a brace at its beginning.
    at, every : array or float
        The times of samples, or the time between them [s]; without either 201 times from 0 to the end. They change no bit
        of the motion.
    law : str, Law or dict
        In place of the scene's law; further settings as keywords.
    duration : float
        In place of the scene's [s].
    check : bool
        Follow it once more with ten times the tolerances, and say in ``check`` how far the two are apart.
    contacts : bool
        Tell at each sample the contacts that last, with their forces.
    features : bool
        Tell changes of feature, as from an edge to a face, as events.
    dense : bool
        Keep all steps, for :meth:`Motion.at`: about 64 bytes for each position and velocity in each step, and up to a
        quarter more work.
    forces : function
        Forces of your own, a function of time [s] and :class:`carom.States`. It is called at every stage of the
        integrator, forwards and backwards in time: it must depend on nothing else, and as smoothly as accuracy is wanted.
        It gives a dict of bodies with a force, or a pair of force and torque, at the centre of mass and in the world's
        frame [N, N·m]; or one row per body, force then torque; or None. All bodies then have one clock.
    progress : bool or function
        Show how much of the time is done. By default, after a second, where standard error is a terminal or in a notebook.

    A motion that could not be followed to its end is answered as far as it goes; ``end`` says why.

    Examples
    --------
    A ball falls from a metre and comes to rest:

    >>> import carom
    >>> ball = {"name": "ball", "mass": 1, "inertia": 0.005, "position": [0, 1.1],
    ...         "shapes": [{"type": "disk", "radius": 0.1}]}
    >>> floor = {"name": "floor", "fixed": True, "shapes": [{"type": "half-plane", "normal": [0, 1], "offset": 0}]}
    >>> scene = {"bodies": [floor, ball], "pairs": [{"a": "*", "b": "*", "e": 0.5}], "duration": 2}
    >>> motion = carom.simulate(scene, every=0.5)
    >>> motion.position["ball"][:, 1].round(6)
    array([1.1     , 0.195835, 0.161256, 0.1     , 0.1     ])
    >>> motion.end["reason"], round(motion.end["t"], 6)
    ('rest', 1.354571)

    The same with drag:

    >>> drag = carom.simulate(scene, every=0.5, forces=lambda t, state: {"ball": -0.4 * state.velocity["ball"]})
    >>> drag.ledger["forces"] < 0
    True
    """
    read = scene_of(scene)
    adapter = None if forces is None else Adapter(forces, read)
    whole = read.duration if duration is None else duration
    unit, pieces = ("ms", 1e3) if whole >= 1.0 else ("µs", 1e6)
    total = max(int(whole * pieces), 1) if np.isfinite(whole) else 1
    begin = time.monotonic()
    bar = shown_after(total, f"{unit} of motion") if progress is None else shown(progress, total, f"{unit} of motion")
    with bar as show:
        answer = _carom._simulate(
            read, at, every, law, settings, duration, check, contacts, features, dense, adapter, show, pieces
        )
    asked = {"law": law, "settings": settings, "features": features, "forces": adapter}
    return Motion(read, answer, asked, time.monotonic() - begin)


_COLUMNS = ["t", "kind", "a", "b", "joint", "contacts", "impulse", "energy_change", "verdict"]


def _row(event: Event) -> dict[str, Any]:
    """An event as a row of a table."""
    contacts = event["contacts"]
    first = contacts[0] if contacts else {}
    verdict = event.get("verdict")
    return {
        "t": event["t"],
        "kind": event["kind"],
        "a": first.get("a"),
        "b": first.get("b"),
        "joint": first.get("joint"),
        "contacts": len(contacts),
        "impulse": sum(_normal(contact) for contact in contacts),
        "energy_change": event["energy_change"],
        "verdict": "violates" if isinstance(verdict, dict) else verdict,
    }


def _normal(contact: dict[str, Any]) -> float:
    """An impulse along its normal; at the limit of a joint it is one number."""
    impulse = contact["impulse"]
    return abs(impulse) if isinstance(impulse, (int, float)) else float(np.dot(contact["normal"], impulse))


def _file_name(title: str) -> str:
    words = "".join(letter if letter.isalnum() else " " for letter in title).split()
    return "-".join(words).lower()[:40] or "scene"


__all__ = ["Energy", "Event", "Forces", "Moment", "Motion", "Scene", "SceneLike", "States", "simulate"]
