"""Impulse space and motions with Matplotlib: ``pip install carom[plot]``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from carom._carom import Problem, region
from carom._errors import InputError, NoAnswer
from carom._law_like import LawLike
from carom._refusal import refused

if TYPE_CHECKING:
    from carom._motion import Motion


def impulse_space(
    problem: Problem | Mapping[str, Any],
    laws: Iterable[LawLike] = (),
    *,
    ax: Any = None,
    refinement: int = 16,
) -> Any:
    """Draws the permissible region of one contact, and the impulses of laws in it; gives back the axes.

    In the plane tangential impulse stands to the right and normal impulse up; in space the region is a surface, and `ax`
    must be three-dimensional. Laws that do not answer are left out.

    >>> import carom.plotting
    >>> disk = {"delassus": [[1, 0], [0, 3]], "contact_velocity": [-1, 2], "contacts": [{"mu": 0.5, "e": 0.5}]}
    >>> ax = carom.plotting.impulse_space(disk, ["routh-poisson", "smith"])
    >>> ax.get_xlabel()
    'tangential impulse [N·s]'
    """
    import matplotlib.pyplot as plt

    posed = problem if isinstance(problem, Problem) else Problem(problem)
    rows = sum(posed.rows)
    corners, faces = region(posed).mesh(refinement)
    spatial = rows == 3
    if ax is None:
        _, ax = plt.subplots(subplot_kw={"projection": "3d"} if spatial else {})
    if spatial:
        if not hasattr(ax, "plot_trisurf"):
            raise InputError("ax: a contact of three rows needs three-dimensional axes")
        normal, t1, t2 = corners.T
        ax.plot_trisurf(t1, t2, normal, triangles=faces, alpha=0.3, color="tab:blue")
        ax.set(xlabel="t1 impulse [N·s]", ylabel="t2 impulse [N·s]", zlabel="normal impulse [N·s]")
    else:
        normal, tangential = corners.T
        ax.fill(tangential, normal, alpha=0.3, color="tab:blue", label="permissible")
        ax.set(xlabel="tangential impulse [N·s]", ylabel="normal impulse [N·s]")
    for law in laws:
        try:
            outcome = posed.resolve(law)
        except NoAnswer:
            continue
        normal, *tangents = outcome.impulse
        ax.plot(*([x] for x in (*tangents, normal)), "o", label=outcome.law["id"])
    ax.legend()
    return ax


def motion(of: Motion, kind: str = "paths", *, ax: Any = None, **options: Any) -> Any:
    """Draws a motion; gives back the axes.

    ``"paths"`` shows where centres of mass go, ``"strip"`` outlines of bodies in the plane at `count` times, ``"energy"``
    energies and works over time, ``"phase"`` two numbers of bodies, as in ``x="ball.y", y="ball.vy"``. `bodies` chooses
    whose paths or outlines are shown.

    >>> import carom.plotting
    >>> motion = carom.simulate({
    ...     "bodies": [{"name": "ball", "mass": 1, "position": [0, 0], "velocity": [2, 3]}], "duration": 0.5})
    >>> carom.plotting.motion(motion, "energy").get_ylabel()
    'energy [J]'
    """
    from carom import _motion_plot

    if kind not in _motion_plot.KINDS:
        raise refused("kind", repr(kind), f"must be {' or '.join(repr(known) for known in _motion_plot.KINDS)}")
    return _motion_plot.KINDS[kind](of, ax, **options)
