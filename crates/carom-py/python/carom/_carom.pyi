"""Types of the compiled half of carom. A test writes and compares the documentation, which is the compiled one."""

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, final

import numpy as np
import numpy.typing as npt

from carom._law_ids import LawId

__version__: str

_Array = npt.NDArray[np.float64]
_LawLike = LawId | Law | Mapping[str, Any]
_ProblemLike = Problem | Mapping[str, Any]
_Curve = Mapping[str, float]
_Restitution = npt.ArrayLike | _Curve | Sequence[float | _Curve]
_Rows = int | Sequence[int] | npt.NDArray[np.integer[Any]]

@final
class Certificate:
    """The judgement on an impulse: is it physical, and by how much? From problem and impulse alone; no law judges itself."""
    @property
    def verdict(self) -> Literal["permissible", "boundary", "violates"]:
        """"permissible", "boundary" (some condition holds with equality) or "violates"."""
    @property
    def permissible(self) -> bool:
        """Whether every condition holds."""
    @property
    def violations(self) -> list[str]:
        """The conditions that fail: "energy", "separation", "normal_impulse", "cone", "bilateral"."""
    @property
    def failures(self) -> list[dict[str, Any]]:
        """What fails and where: {"inequality", "contact" or "island", "margin", "scale"} each; contacts and islands by their
        index.
        """
    @property
    def contacts(self) -> dict[str, list[float]]:
        """By how much each unilateral contact holds, in lists: "cone_margin" and "normal_margin" [N·s], "separation_margin"
        [m/s].
        """
    @property
    def islands(self) -> list[dict[str, Any]]:
        """Contacts that exchange no energy with others: {"contacts", "energy_change", "energy_available"} of each island,
        contacts by their index [J].
        """
    @property
    def notes(self) -> list[str]:
        """What is odd about the problem, or about judging it."""
    @property
    def energy_change(self) -> float:
        """Work on the relative motion; above zero, energy was created [J]."""
    @property
    def energy_available(self) -> float | None:
        """All that the contacts could take away; None where too many rows are coupled [J]."""
    @property
    def cone_margin(self) -> float:
        """The smallest mu p_n − |p_t| over the contacts [N·s]."""
    @property
    def normal_margin(self) -> float:
        """The smallest p_n over the contacts [N·s]."""
    @property
    def separation_margin(self) -> float:
        """The smallest normal velocity after the impact [m/s]."""
    @property
    def momentum_residual(self) -> float:
        """The error of momentum balance, relative to the terms balanced [1]."""
    @property
    def bilateral_residual(self) -> float:
        """How fast the worst bilateral row still moves [m/s]."""
    @property
    def e_kinematic(self) -> list[float | None]:
        """−u_n⁺/u_n⁻ per contact; None where the contact did not approach [1]."""
    @property
    def normal_work(self) -> float | None:
        """Work of the normal impulse, where the path is known [J]."""
    @property
    def tangential_work(self) -> float | None:
        """Work of friction, where the path is known [J]."""
    @property
    def e_kinetic(self) -> float | None:
        """Poisson's coefficient, where the path is known [1]."""
    @property
    def e_energetic(self) -> float | None:
        """Stronge's coefficient, where the path is known [1]."""
    def to_dict(self) -> dict[str, Any]:
        """Everything, as the command line writes it in JSON, and the notes."""
    def __bool__(self) -> bool: ...
    def _repr_html_(self) -> str: ...

@final
class Outcome:
    """A law's certified answer to one impact. Attributes are computed when they are asked for, the certificate among them;
    arrays are new ones each time, and closed to writing.
    """
    @property
    def velocity(self) -> _Array:
        """Generalized velocities after the impact, one per coordinate [m/s or rad/s]."""
    @property
    def impulse(self) -> _Array:
        """Impulses at the contacts, contact by contact, normal first [N·s]."""
    @property
    def contact_velocity(self) -> _Array:
        """Contact velocities after the impact, contact by contact, normal first [m/s]."""
    @property
    def bilateral_impulse(self) -> _Array:
        """Impulses of the bilateral rows (joints); empty where there are none [N·s]."""
    @property
    def bodies(self) -> dict[str, dict[str, _Array]]:
        """Velocities of bodies by name: {"velocity": array, "angular_velocity": array}; empty if the problem has none."""
    @property
    def energy_change(self) -> float:
        """Work on the relative motion of the contacts, at most zero in a physical impact [J]."""
    @property
    def energy(self) -> float:
        """The same as `energy_change` [J]."""
    @property
    def kinetic_energy_change(self) -> float | None:
        """Change of kinetic energy; None where masses are unknown [J]."""
    @property
    def certificate(self) -> Certificate:
        """The judgement on this impulse."""
    @property
    def trace(self) -> dict[str, Any] | None:
        """How the law came to its answer, if `trace=True` asked for it: {"events", "samples"} or {"steps", "left_out"}."""
    @property
    def law(self) -> dict[str, Any]:
        """The law with every setting, as a problem file would name it."""
    @property
    def effort(self) -> dict[str, Any]:
        """The work that the law did."""
    @property
    def notes(self) -> list[str]:
        """What the reader should know besides."""
    def to_dict(self) -> dict[str, Any]:
        """The answer as the command line writes it in JSON: plain lists, infinity as "inf"."""
    def _repr_html_(self) -> str: ...

@final
class Problem:
    """An impact in any form of the problem format: contact space, generalized coordinates, bodies, or a chain.

    Values are those of problem files; NumPy arrays may stand for lists, and SciPy's sparse matrices for a Jacobian.
    A problem does not change: its arrays are closed to writing. ``to_dict()`` gives the values to make another one of.

    Examples
    --------
    Newton's cradle, one ball coming in:

    >>> import carom
    >>> cradle = carom.Problem({"chain": {"mass": [1, 1, 1], "velocity": [1, 0, 0], "e": 1}})
    >>> print(cradle.resolve("sequential").velocity)
    [0. 0. 1.]
    """
    def __new__(cls, problem: Mapping[str, Any], /) -> Problem: ...
    @staticmethod
    def from_arrays(
        mass: npt.ArrayLike,
        # Any: SciPy's sparse matrices too, which have no types of their own.
        jacobian: npt.ArrayLike | Any,
        velocity: npt.ArrayLike,
        *,
        mu: npt.ArrayLike = 0.0,
        e: _Restitution,
        e_t: npt.ArrayLike = 0.0,
        rows: _Rows | None = None,
        bilateral: npt.ArrayLike | None = None,
        drive: npt.ArrayLike | None = None,
        stiffness: npt.ArrayLike | None = None,
        gap: npt.ArrayLike = 0.0,
        proximity: float = 1e-3,
        separating: Literal["observe", "refuse"] = "observe",
        law: _LawLike | None = None,
        title: str | None = None,
    ) -> Problem:
        """A mechanism in generalized coordinates as a problem; arguments as for :func:`resolve`. `law` is the one it names.
        Contacts whose `gap`, a number or one per contact [m], is larger than `proximity` take no part; by default that is a
        millimetre.

        >>> import carom
        >>> wall = carom.Problem.from_arrays([2.0], [[1.0]], [-3.0], e=0.5)
        >>> print(wall.resolve().velocity)
        [1.5]
        """
    def resolve(self, law: _LawLike | None = None, *, trace: bool = False, **settings: Any) -> Outcome:
        """Asks a law: by id, as a dict with ``id`` and settings, or the one that the problem names, or else the default
        of :func:`resolve`. Further settings as keywords.
        """
    def certify(self, impulse: npt.ArrayLike) -> Certificate:
        """Judges an impulse, whoever computed it (one number per row, contact by contact, normal first [N·s])."""
    def to_dict(self) -> dict[str, Any]:
        """The problem as plain dicts and lists, as a file would have it."""
    @property
    def title(self) -> str | None:
        """One line that names it, or None."""
    @property
    def description(self) -> str | None:
        """What it shows, or None."""
    @property
    def law(self) -> str | dict[str, Any] | None:
        """The law it names, or None."""
    @property
    def delassus(self) -> _Array:
        """The Delassus matrix W = J M⁻¹ Jᵀ, joints folded in, (R, R) [1/kg]."""
    @property
    def contact_velocity(self) -> _Array:
        """Contact velocities before the impact, contact by contact, normal first [m/s]."""
    @property
    def mu(self) -> _Array:
        """Friction of each contact [1]."""
    @property
    def e(self) -> _Array:
        """Restitution of each contact; a curve is read at the contact's approach speed [1]."""
    @property
    def e_t(self) -> _Array:
        """Tangential restitution of each contact [1]."""
    @property
    def rows(self) -> list[int]:
        """How many rows each contact owns: 1, 2 or 3."""
    def __len__(self) -> int: ...
    def _repr_html_(self) -> str: ...

@final
class Law:
    """One law of the catalogue, by its id. Functions take it where they take an id.

    Examples
    --------
    >>> import carom
    >>> carom.Law("plus").year
    2015
    """
    def __new__(cls, id: LawId, /) -> Law: ...
    @property
    def id(self) -> LawId:
        """Its id, which functions and files take."""
    @property
    def name(self) -> str:
        """Its name in prose."""
    @property
    def year(self) -> int:
        """The year of the publication it follows."""
    @property
    def summary(self) -> str:
        """What it does, in one sentence."""
    @property
    def references(self) -> list[str]:
        """Keys into carom's bibliography."""
    @property
    def reads_e(self) -> str:
        """How it reads e: "kinematic", "kinetic", "energetic", …"""
    @property
    def max_e(self) -> float:
        """The largest e it accepts [1]."""
    @property
    def several_contacts(self) -> bool:
        """Whether it takes more than one contact."""
    @property
    def settings(self) -> dict[str, dict[str, str]]:
        """Its settings: name → {"default", "range", "meaning"}."""
    @property
    def claims(self) -> dict[str, bool]:
        """What it promises on every valid input: name → bool."""

@final
class Region:
    """All impulses that mechanics, energy and Coulomb allow for a problem, whatever the law.

    Of one contact it is the permissible region in impulse space. Of several it is the permissible set of frictionless
    impacts: it can be asked and drawn from, and has no mesh.
    """
    def contains(self, impulse: npt.ArrayLike) -> bool:
        """Whether an impulse belongs to it, to within the tolerance of verdicts."""
    def explain(self, impulse: npt.ArrayLike) -> str:
        """The same in words: which conditions fail, and by how much."""
    def margins(self, impulse: npt.ArrayLike) -> dict[str, float]:
        """By how much each condition holds, negative where it fails: "energy" [J], "separation" [m/s], "normal_impulse"
        [N·s] and, of one contact, "cone" [N·s].
        """
    def sample(self, n: int, seed: int = 0) -> _Array:
        """Impulses drawn evenly, (n, R); the same for the same seed."""
    def mesh(self, refinement: int = 16) -> tuple[_Array, npt.NDArray[np.int64]]:
        """The boundary of one contact's region: corners (n, R), and the indices of corners that make each face (m, R):
        triangles in space, edges in the plane. `refinement` is how finely curved parts are divided.
        """
    @property
    def problem(self) -> Problem:
        """The problem it is of."""
    def __contains__(self, impulse: npt.ArrayLike) -> bool: ...
    def _repr_html_(self) -> str: ...

@final
class Scene:
    """A scene: bodies, joints, what acts on them and what they are made of, at t = 0.

    Values are those of scene files; NumPy arrays may stand for lists. A scene does not change: ``to_dict()`` gives the values
    to make another one of.

    Examples
    --------
    >>> import carom
    >>> ball = {"name": "ball", "mass": 1, "inertia": 0.005, "position": [0, 1.1],
    ...         "shapes": [{"type": "disk", "radius": 0.1}]}
    >>> floor = {"name": "floor", "fixed": True, "shapes": [{"type": "half-plane", "normal": [0, 1], "offset": 0}]}
    >>> scene = carom.Scene({"bodies": [floor, ball], "pairs": [{"a": "*", "b": "*", "e": 0.5}], "duration": 2})
    >>> scene.bodies, scene.planar
    (['floor', 'ball'], True)
    """
    def __new__(cls, scene: Mapping[str, Any], /) -> Scene: ...
    @staticmethod
    def load(path: str | PathLike[str], /) -> Scene:
        """Reads a scene file, JSON or TOML. Errors name the line."""
    @staticmethod
    def parse(text: str, /, name: str = "scene") -> Scene:
        """Reads a scene from text, JSON or TOML. `name` is what errors call it."""
    def to_dict(self) -> dict[str, Any]:
        """The scene as plain dicts and lists, as a file would have it."""
    @property
    def title(self) -> str | None:
        """One line that names it, or None."""
    @property
    def description(self) -> str | None:
        """What it shows, or None."""
    @property
    def law(self) -> str | dict[str, Any] | None:
        """The law it names, or None."""
    @property
    def has_text(self) -> bool:
        """Whether it was read from a file or text, and not made of values."""
    @property
    def bodies(self) -> list[str]:
        """The names of its bodies, in their order."""
    @property
    def moving(self) -> list[str]:
        """The names of those that move by their inertia."""
    @property
    def planar(self) -> bool:
        """Whether it is in the plane."""
    @property
    def duration(self) -> float:
        """How long it is followed [s]."""
    @property
    def stepping(self) -> bool:
        """Whether it is followed in steps of time, and not from event to event."""

@final
class Figure:
    """A picture as SVG; notebooks show it by themselves."""
    @property
    def svg(self) -> str:
        """The picture as SVG."""
    @property
    def csv(self) -> str:
        """The numbers in it, as comma-separated ``panel,series,x,y``."""
    @property
    def title(self) -> str:
        """Its title."""
    @property
    def caption(self) -> str:
        """What is seen."""
    @property
    def facts(self) -> dict[str, float]:
        """Numbers worth a name, by name."""
    def save(self, path: str | PathLike[str]) -> None:
        """Writes the picture; the ending of the name says how: ``.svg``, or ``.csv`` for its numbers."""
    def _repr_svg_(self) -> str: ...

def resolve(
    mass: npt.ArrayLike,
    # Any: SciPy's sparse matrices too, which have no types of their own.
    jacobian: npt.ArrayLike | Any,
    velocity: npt.ArrayLike,
    *,
    mu: npt.ArrayLike = 0.0,
    e: _Restitution,
    e_t: npt.ArrayLike = 0.0,
    law: _LawLike | None = None,
    rows: _Rows | None = None,
    bilateral: npt.ArrayLike | None = None,
    drive: npt.ArrayLike | None = None,
    stiffness: npt.ArrayLike | None = None,
    separating: Literal["observe", "refuse"] = "observe",
    trace: bool = False,
    **settings: Any,
) -> Outcome:
    """Resolves an impact of a mechanism in generalized coordinates: M, J, v in, certified velocities and impulses out.

    Parameters
    ----------
    mass : (f, f) array, or (f,) for a diagonal mass matrix
    jacobian : (R, f) array or SciPy sparse matrix
        Row by row, contact by contact, the normal first: contact velocities are ``u = J v``, and ``u_n < 0`` approaches.
    velocity : (f,) array
    mu, e, e_t : number, or (k,) array, one per contact
        Friction, restitution and tangential restitution. ``e`` may be a dict with ``minimum``, ``capture_speed`` and
        ``plastic_speed``, or a list of dicts.
    law : str, Law or dict
        A law's id (see :func:`laws`), a :class:`Law`, or a dict with ``id`` and settings; further settings as keywords. Default:
        "chatterjee-ruina" for one contact, "stiff-limit" for several with friction, "sequential" for several without.
    rows : int or (k,) ints
        Rows of each contact: 1 (normal only), 2 (planar) or 3. May be left out where it follows from the others: R // k if
        `mu`, `e`, `e_t` or `stiffness` is an array of k; one contact if `law` takes no more; otherwise contacts of equal size,
        not of 1 if `mu` or `e_t` is not zero, if that leaves one size only. If it leaves two, `rows` is asked for.
    bilateral : (b, f) array
        Rows of joints, whose velocities stay zero.
    drive : (R,) array
        Prescribed motion: ``u = J v + drive``.
    stiffness : number or (k,) array
        Of contacts relative to each other; few laws read it.
    separating : "observe" or "refuse"
        What to do with contacts that separate already.
    trace : bool
        Keep how the law came to its answer, for ``Outcome.trace``.

    Examples
    --------
    A ball of 2 kg falls on the floor at 3 m/s; the coordinates are those of its centre:

    >>> import numpy as np, carom
    >>> J = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    >>> out = carom.resolve([2.0, 2.0, 2.0], J, [1.0, 0.0, -3.0], mu=0.1, e=0.5)
    >>> print(out.velocity.round(6))
    [0.55 0.   1.5 ]
    >>> out.certificate.permissible
    True
    """
def resolve_contact(
    delassus: npt.ArrayLike,
    contact_velocity: npt.ArrayLike,
    *,
    mu: npt.ArrayLike = 0.0,
    e: _Restitution,
    e_t: npt.ArrayLike = 0.0,
    law: _LawLike | None = None,
    rows: _Rows | None = None,
    stiffness: npt.ArrayLike | None = None,
    separating: Literal["observe", "refuse"] = "observe",
    trace: bool = False,
    **settings: Any,
) -> Outcome:
    """Resolves an impact in contact space: Delassus matrix and contact velocities in, certified impulses out.

    Parameters
    ----------
    delassus : (R, R) array
        ``W = J M⁻¹ Jᵀ``, contact by contact, the normal first [1/kg].
    contact_velocity : (R,) array
        Before the impact; ``u_n < 0`` approaches [m/s].
    mu, e, e_t, law, rows, stiffness, separating, trace :
        As for :func:`resolve`.

    Examples
    --------
    A disk skids onto the floor:

    >>> import carom
    >>> out = carom.resolve_contact([[1.0, 0.0], [0.0, 3.0]], [-1.0, 2.0], mu=0.25, e=0.5)
    >>> print(out.impulse.round(6), out.contact_velocity.round(6))
    [ 1.5   -0.375] [0.5   0.875]
    """
def _rust_seconds(
    mass: Sequence[float],
    jacobian: Sequence[float],
    velocity: Sequence[float],
    mu: float,
    e: float,
    law: LawId,
    calls: int,
) -> tuple[float, float]: ...
def _batch_resolve(
    arrays: dict[str, Any],
    law: _LawLike,
    settings: Mapping[str, Any] | None,
    threads: int | None,
    certify: bool,
    out: dict[str, Any] | None = None,
    progress: Callable[[int], object] | None = None,
) -> dict[str, Any]: ...
def _batch_impulses(
    arrays: dict[str, Any],
    law: _LawLike,
    settings: Mapping[str, Any] | None,
    threads: int | None,
    out: Any | None = None,
    progress: Callable[[int], object] | None = None,
) -> _Array: ...
def _batch_resolve_arrow(
    batch: Any,
    law: _LawLike,
    settings: Mapping[str, Any] | None,
    threads: int | None,
    rows: int | Sequence[int] | None,
    certify: bool = True,
    keep_problem: bool = True,
    progress: Callable[[int], object] | None = None,
) -> Any: ...
def _batch_slices_seconds(slices: Sequence[_Array], law: LawId, impulses_alone: bool) -> float: ...
def _batch_rows_seconds(delassus: _Array, velocity: _Array, material: Sequence[_Array], law: LawId) -> float: ...
def load(path: str | PathLike[str], /) -> Problem:
    """Reads a problem file, JSON or TOML.

    Examples
    --------
    >>> import carom
    >>> problem = carom.load("scenarios/cradle.json")  # doctest: +SKIP
    """
def certify(problem: _ProblemLike, impulse: npt.ArrayLike) -> Certificate:
    """Judges an impulse of any engine on a problem (a :class:`Problem`, or what makes one).

    Examples
    --------
    >>> import carom
    >>> wall = {"delassus": [[1.0]], "contact_velocity": [-1.0], "contacts": [{"e": 0.5}]}
    >>> carom.certify(wall, [3.0]).violations
    ['energy']
    """
def laws() -> list[Law]:
    """Every law there is, those for one contact first.

    Examples
    --------
    >>> import carom
    >>> [law.id for law in carom.laws() if law.several_contacts and law.claims["energy"]][:3]
    ['newton', 'poisson', 'moreau']
    """
def region(problem: _ProblemLike, /) -> Region:
    """The region of a problem (a :class:`Problem`, or what makes one).

    Examples
    --------
    >>> import carom
    >>> disk = {"delassus": [[1, 0], [0, 3]], "contact_velocity": [-1, 2], "contacts": [{"mu": 0.5, "e": 0.5}]}
    >>> region = carom.region(disk)
    >>> region.contains([1.5, -0.5])
    True
    >>> region.sample(1000).shape
    (1000, 2)
    """
def plot(
    problem: _ProblemLike,
    kind: Literal[
        "impulse-space", "hodograph", "phases", "rounds", "chain", "outcomes", "compliant"
    ] = "impulse-space",
    *,
    law: _LawLike | Sequence[_LawLike] | None = None,
    sweep: str | None = None,
    accessible: Sequence[LawId] = (),
    theme: Literal["adaptive", "light", "dark"] = "adaptive",
    **settings: Any,
) -> Figure:
    """Draws a problem and what laws do with it.

    Parameters
    ----------
    problem : Problem, or what makes one
    kind : str
        Of one contact "impulse-space", "hodograph" or "phases"; of several "rounds", "chain", "outcomes"; of compliant
        contacts "compliant".
    law : str, dict, or list of them
        Which laws are shown; default: every law that answers.
    sweep : str
        A number of the problem that takes value after value, as in ``"mu=0:1:0.1"``.
    accessible : list of str
        Laws of which every impulse is shown that they can give.
    theme : "adaptive", "light" or "dark"

    Examples
    --------
    >>> import carom
    >>> disk = {"delassus": [[1, 0], [0, 3]], "contact_velocity": [-1, 2], "contacts": [{"mu": 0.5, "e": 0.5}]}
    >>> carom.plot(disk).svg.startswith("<svg")
    True
    """
def compare_rows(
    problem: _ProblemLike,
    laws: Sequence[_LawLike] | None = None,
    extra: Mapping[str, Callable[[Problem], npt.ArrayLike]] | None = None,
    progress: Callable[[str], object] | None = None,
) -> tuple[list[dict[str, float | str | None]], dict[str, str]]:
    """Rows of numbers, one per law that answers, and why the others do not: law → message."""
@final
class _Dense:
    def at(self, scene: Scene, duration: float, t: npt.ArrayLike) -> dict[str, _Array]: ...
    def bytes(self) -> int: ...

def _simulate(
    scene: Scene,
    at: npt.ArrayLike | None,
    every: float | None,
    law: _LawLike | None,
    settings: Mapping[str, Any] | None,
    duration: float | None,
    check: bool,
    contacts: bool,
    features: bool,
    dense: bool,
    forces: Callable[..., _Array] | None,
    progress: Callable[[int], object] | None,
    pieces: float,
) -> dict[str, Any]: ...
def _motion_page(
    scene: Scene,
    text: str | None,
    name: str,
    duration: float,
    law: _LawLike | None,
    settings: Mapping[str, Any] | None,
    features: bool,
    forces: Callable[..., _Array] | None,
) -> str: ...
def _ensemble(
    scene: Scene,
    design: Mapping[str, Any],
    count: int | None,
    seed: int,
    law: _LawLike | None,
    settings: Mapping[str, Any] | None,
    duration: float | None,
    threads: int | None,
    points: tuple[int, int] | None,
    progress: Callable[[int], object] | None,
) -> dict[str, Any]: ...
def _dense(numbers: npt.ArrayLike) -> _Dense: ...
def _scene(scene: Mapping[str, Any], name: str | None) -> Scene: ...
def _main(arguments: Sequence[str]) -> int: ...
def _build() -> str: ...
def _outcome(answer: dict[str, Any]) -> Outcome: ...
def _certificate(answer: dict[str, Any]) -> Certificate: ...
