"""Motions from Python: what dense output costs, what forces of one's own cost, and ensembles on one core and on two.

Times are of the wall and of all processors together: where others use the machine, too, the latter says what threads cost.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import carom
import carom.ensembles

SCENES = Path(__file__).parents[3] / "scenes"
# The fastest of so many rounds counts.
ROUNDS = 5


def seconds(work: Callable[[], object]) -> tuple[float, float]:
    """Of the wall and of the processors: the fastest of each."""
    walls, works = [], []
    for _ in range(ROUNDS):
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        walls.append(time.perf_counter() - wall)
        works.append(time.process_time() - cpu)
    return min(walls), min(works)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    for name in ("bouncing-ball", "brick-toss", "newtons-cradle", "slider-crank"):
        scene = carom.Scene.load(SCENES / f"{name}.toml")
        plain = seconds(lambda: carom.simulate(scene, at=[0.0], dense=False))
        kept = carom.simulate(scene, at=[0.0])
        dense = seconds(lambda: carom.simulate(scene, at=[0.0]))
        forced = seconds(lambda: carom.simulate(scene, at=[0.0], dense=False, forces=lambda t, state: None))
        asked = seconds(lambda: kept.at(0.5 * kept.duration))
        print(
            f"{name:16} {1e3 * plain[0]:8.2f} ms, dense {1e3 * dense[0]:8.2f} ms and {kept.dense_bytes / 1024:6.0f} KiB, "
            f"at(t) {1e6 * asked[0]:5.0f} µs, forces of Python {1e3 * forced[0]:8.1f} ms"
        )
    scene = carom.Scene.load(SCENES / "brick-toss.toml")
    place = "bodies[1].angular_velocity[0]"
    one, two = (
        seconds(lambda: carom.ensembles.simulate(scene, {place: {"about": 0.1}}, count=count, threads=threads))
        for threads in (1, 2)
    )
    print(
        f"{count} brick tosses: one thread {one[0]:.3f} s, two {two[0]:.3f} s, {one[0] / two[0]:.2f} times as fast; "
        f"processors {one[1]:.3f} s and {two[1]:.3f} s"
    )


if __name__ == "__main__":
    main()
