"""A law of your own beside all others: Newton's restitution, then as much friction as the cone allows.

Run it with `python crates/carom-py/examples/own_law.py`.
"""

from __future__ import annotations

import carom
import numpy as np
import numpy.typing as npt


def clipped_newton(problem: carom.Problem) -> npt.NDArray[np.float64]:
    """One contact: rebound with e, friction towards sticking, clipped to the cone."""
    w, u = problem.delassus, problem.contact_velocity
    if len(problem) > 1:
        raise carom.NoAnswer("one contact at a time")
    normal = -(1.0 + problem.e[0]) * u[0] / w[0, 0]
    # What friction must do so that the contact sticks, the normal impulse being given.
    tangents = -np.linalg.solve(w[1:, 1:], u[1:] + w[1:, 0] * normal)
    size = float(np.linalg.norm(tangents))
    if size > problem.mu[0] * normal:
        tangents *= problem.mu[0] * normal / size
    return np.array([normal, *tangents])


def main() -> None:
    # A rod that strikes the floor obliquely: normal and tangential motion are coupled.
    rod = carom.Problem(
        {
            "delassus": [[4.0, 3.0], [3.0, 5.0]],
            "contact_velocity": [-1.0, -0.8],
            "contacts": [{"mu": 0.5, "e": 0.8}],
        }
    )
    table = carom.compare(rod, extra={"clipped-newton": clipped_newton})
    print(table)


if __name__ == "__main__":
    main()
