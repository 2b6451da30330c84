"""Scenes that several tests follow."""

from __future__ import annotations

from typing import Any

FLOOR: dict[str, Any] = {"name": "floor", "fixed": True, "shapes": [{"type": "half-plane", "normal": [0, 1], "offset": 0}]}
BALL: dict[str, Any] = {
    "name": "ball",
    "mass": 2.0,
    "inertia": 0.01,
    "position": [0.0, 1.1],
    "shapes": [{"type": "disk", "radius": 0.1}],
}
SPACE_BALL: dict[str, Any] = {
    "name": "ball",
    "mass": 2.0,
    "inertia": [0.008] * 3,
    "position": [0.0, 0.0, 1.1],
    "velocity": [1.0, 0.5, 0.0],
    "angular_velocity": [3.0, 0.0, 5.0],
    "shapes": [{"type": "sphere", "radius": 0.1}],
}
SPACE_FLOOR: dict[str, Any] = {"name": "floor", "fixed": True, "shapes": [{"type": "half-space", "normal": [0, 0, 1], "offset": 0}]}


def bouncing(**changes: Any) -> dict[str, Any]:
    """A ball falls from a metre onto a floor, in the plane."""
    pair = {"a": "*", "b": "*", "e": 0.5, "mu": 0.3}
    return {"title": "A ball", "bodies": [FLOOR, BALL], "pairs": [pair], "duration": 2.0, **changes}


def thrown(**changes: Any) -> dict[str, Any]:
    """A ball is thrown onto a floor, in space, turning."""
    pair = {"a": "*", "b": "*", "e": 0.5, "mu": 0.3}
    scene = {"bodies": [SPACE_FLOOR, SPACE_BALL], "pairs": [pair], "gravity": [0, 0, -9.81], "duration": 1.0}
    return {**scene, **changes}


def flying(**changes: Any) -> dict[str, Any]:
    """A body that nothing touches, in the plane, without gravity."""
    body = {"name": "ball", "mass": 2.0, "inertia": 0.5, "position": [1.0, 0.0], "velocity": [0.0, 3.0]}
    return {"bodies": [body], "gravity": [0, 0], "duration": 2.0, **changes}


# A hundred balls in a box without losses: minutes of work.
def endless() -> dict[str, Any]:
    """Balls that never come to rest, for hours."""
    walls = [{"type": "half-plane", "normal": n, "offset": -1.0} for n in ([1, 0], [-1, 0], [0, 1], [0, -1])]
    balls = [
        {
            "name": f"ball {k}",
            "mass": 1.0,
            "inertia": 0.001,
            "position": [-0.8 + 0.2 * (k % 8), -0.8 + 0.2 * (k // 8)],
            "velocity": [0.3 + 0.1 * k, 1.7 - 0.05 * k],
            "shapes": [{"type": "disk", "radius": 0.05}],
        }
        for k in range(40)
    ]
    return {
        "bodies": [{"name": "box", "fixed": True, "shapes": walls}, *balls],
        "pairs": [{"a": "*", "b": "*", "e": 1}],
        "gravity": [0, 0],
        "duration": 3600.0,
        "max_events": 1_000_000_000,
    }
