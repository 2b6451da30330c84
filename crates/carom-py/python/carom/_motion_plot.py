"""Motions with Matplotlib."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from carom._refusal import refused
from carom._states import WORKS, Floats, Moment, States

if TYPE_CHECKING:
    from carom._motion import Motion

# Numbers of a body that may stand on an axis, with their units.
_PLANE = {"x": "m", "y": "m", "angle": "rad", "vx": "m/s", "vy": "m/s", "omega": "rad/s"}
_SPACE = {
    **{name: "m" for name in ("x", "y", "z")},
    **{name: "1" for name in ("qw", "qx", "qy", "qz")},
    **{name: "m/s" for name in ("vx", "vy", "vz")},
    **{name: "rad/s" for name in ("wx", "wy", "wz")},
}


# Times of curves, those of events not counted.
_TIMES = 800


def paths(of: Motion, ax: Any, bodies: Sequence[str] | None = None) -> Any:
    """Where centres of mass go: those of the bodies named, or of all that move."""
    shown, ax = _moving(of, bodies), _axes(ax, spatial=not of.scene.planar)
    at = _curve(of)
    for name in shown:
        x = at.position[name]
        line = ax.plot(*x.T, label=name)[0]
        ax.plot(*([number] for number in x[-1]), "o", color=line.get_color(), markersize=4)
    ax.set(xlabel="x [m]", ylabel="y [m]")
    if of.scene.planar:
        ax.set_aspect("equal", adjustable="datalim")
    else:
        ax.set(zlabel="z [m]")
    ax.legend()
    return ax


def strip(of: Motion, ax: Any, bodies: Sequence[str] | None = None, count: int = 12) -> Any:
    """Outlines of bodies at `count` times, the later the darker: scenes in the plane only."""
    from matplotlib.patches import Circle, Polygon

    if not of.scene.planar:
        raise refused("kind", "'strip'", "outlines are drawn of scenes in the plane; 'paths' draws those in space")
    shown, ax = _moving(of, bodies), _axes(ax, spatial=False)
    states = _evenly(of, count)
    shapes = {body["name"]: body.get("shapes", []) for body in of.scene.to_dict()["bodies"]}
    for number, name in enumerate(of.bodies):
        colour = f"C{shown.index(name) % 10}" if name in shown else "0.5"
        for k in range(len(states.t) if name in shown else 1):
            alpha = 0.15 + 0.85 * k / max(len(states.t) - 1, 1) if name in shown else 1.0
            style: dict[str, Any] = {"fill": False, "edgecolor": colour, "alpha": alpha}
            at, angle = states.positions[k, number], states.orientations[k, number]
            for shape in shapes[name]:
                for outline in _outlines(shape, at, angle):
                    round_one = isinstance(outline, tuple)
                    ax.add_patch(Circle(outline[0], outline[1], **style) if round_one else Polygon(outline, **style))
            if name in shown and not shapes[name]:
                ax.plot(*at, ".", color=colour, alpha=alpha)
    for number, name in enumerate(shown):
        ax.plot([], [], color=f"C{number % 10}", label=name)
    ax.set(xlabel="x [m]", ylabel="y [m]")
    ax.autoscale_view()
    ax.set_aspect("equal", adjustable="datalim")
    _grounds(of, states.positions[0], shapes, ax)
    ax.legend()
    return ax


def energy(of: Motion, ax: Any) -> Any:
    """Energies, and the works that were done, over time."""
    ax, at = _axes(ax, spatial=False), _curve(of)
    for name in ("kinetic", "potential", "elastic", "total"):
        values = getattr(at.energy, name)
        if name in ("kinetic", "total") or values.any():
            ax.plot(at.t, values, label=name)
    for name in WORKS:
        values = getattr(at.energy, name)
        if values.any():
            ax.plot(at.t, values, "--", label=f"work of {name}")
    ax.set(xlabel="t [s]", ylabel="energy [J]")
    ax.legend()
    return ax


def phase(of: Motion, ax: Any, x: str | None = None, y: str | None = None) -> Any:
    """Any number of a body over another, or over ``"t"``: as in ``x="ball.y", y="ball.vy"``."""
    first, upwards = _moving(of, None)[0], "y" if of.scene.planar else "z"
    names, at = (x or f"{first}.{upwards}", y or f"{first}.v{upwards}"), _curve(of)
    (across, across_label), (up, up_label) = (_quantity(at, name) for name in names)
    ax = _axes(ax, spatial=False)
    ax.plot(across, up)
    ax.set(xlabel=across_label, ylabel=up_label)
    return ax


KINDS: dict[str, Callable[..., Any]] = {"paths": paths, "strip": strip, "energy": energy, "phase": phase}


def _axes(ax: Any, spatial: bool) -> Any:
    import matplotlib.pyplot as plt

    if ax is None:
        _, ax = plt.subplots(subplot_kw={"projection": "3d"} if spatial else {})
    elif spatial and not hasattr(ax, "plot_trisurf"):
        raise refused("ax", type(ax).__name__, "a scene in space needs three-dimensional axes")
    return ax


def _moving(of: Motion, bodies: Sequence[str] | None) -> list[str]:
    if bodies is None:
        return of.scene.moving or list(of.bodies)
    for name in bodies:
        of.position[name]
    return list(bodies)


def _last(of: Motion) -> float:
    """The end of what there is to see."""
    return of.duration if of.end["reason"] == "duration" else float(of.end["t"])


def _curve(of: Motion) -> Moment:
    """States near enough for a curve, and each event just before it and at it; samples where nothing else was kept."""
    if of.dense_bytes == 0:
        return of.samples
    last = _last(of)
    events = np.array([min(event["t"], last) for event in of.event_list[:_TIMES]])
    times = np.concatenate([np.linspace(0.0, last, _TIMES), events, np.nextafter(events, 0.0).clip(0.0)])
    return of.at(np.unique(times))


def _evenly(of: Motion, count: int) -> States:
    """So many states, the same time apart; samples where nothing else was kept."""
    if of.dense_bytes:
        return of.at(np.linspace(0.0, _last(of), max(count, 1)))
    picks = np.unique(np.linspace(0, len(of.t) - 1, min(count, len(of.t))).round().astype(int))
    arrays = (of.t, of.positions, of.orientations, of.velocities, of.angular_velocities)
    return States(of.bodies, *(array[picks] for array in arrays))


def _quantity(of: Moment, name: str) -> tuple[Floats, str]:
    if name == "t":
        return of.t, "t [s]"
    body, _, number = name.rpartition(".")
    units = _PLANE if of.planar else _SPACE
    if number not in units or body not in of.bodies:
        raise refused("quantity", repr(name), f"must be 't', or a body and one of {', '.join(units)}, as in 'ball.vx'")
    states = of.position[body], of.orientation[body], of.velocity[body], of.angular_velocity[body]
    table = np.concatenate([part.reshape(len(of.t), -1) for part in states], axis=1)
    return table[:, list(units).index(number)], f"{name} [{units[number]}]"


def _outlines(shape: dict[str, Any], at: Floats, angle: float) -> list[Any]:
    """What a shape looks like: circles as (centre, radius), others as corners."""
    c, s = np.cos(angle), np.sin(angle)

    def placed(points: Any) -> Floats:
        moved: Floats = np.atleast_2d(np.asarray(points, dtype=float)) @ np.array([[c, s], [-s, c]]) + at
        return moved

    kind = shape["type"]
    if kind == "disk":
        return [(placed(shape.get("center", [0, 0]))[0], shape["radius"])]
    if kind in ("polygon", "points"):
        return [placed(shape["points"])]
    if kind == "capsule":
        ends = placed([shape["from"], shape["to"]])
        along = ends[1] - ends[0]
        turn = np.arctan2(along[1], along[0])
        arc = np.linspace(-np.pi / 2, np.pi / 2, 16)
        circle = [np.column_stack([np.cos(arc + turn + side), np.sin(arc + turn + side)]) for side in (np.pi, 0.0)]
        return [np.concatenate([end + shape["radius"] * part for end, part in zip(ends, circle, strict=True)])]
    return []


def _grounds(of: Motion, at: Floats, shapes: dict[str, Any], ax: Any) -> None:
    """Half-planes, as lines through the picture."""
    middle = np.array([np.mean(ax.get_xlim()), np.mean(ax.get_ylim())])
    for number, name in enumerate(of.bodies):
        for shape in shapes[name]:
            if shape["type"] != "half-plane":
                continue
            normal = np.asarray(shape["normal"], dtype=float)
            normal /= np.linalg.norm(normal)
            along = np.array([-normal[1], normal[0]])
            point = at[number] + shape["offset"] * normal
            # As near to the picture as the line comes, so that it does not change its limits.
            point += along * float(along @ (middle - point))
            ax.axline(point, point + 1e-3 * along, color="0.5")
