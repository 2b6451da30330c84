"""Grading somebody else's impulses: projected Gauss–Seidel, as many engines do it, on a box that lands on its face.

The solver stops after a fixed number of sweeps; the certificate says what that leaves.
Run it with `python crates/carom-py/examples/certify_solver.py`.
"""

from __future__ import annotations

import carom
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
MU, E = 0.5, 0.0


def box_on_its_face() -> tuple[Array, Array, Array]:
    """A box of 1 kg, 1 m wide, that lands on four corners, turning: mass, Jacobian, velocity."""
    inertia = 1.0 / 6.0
    mass = np.array([1.0, 1.0, 1.0, inertia, inertia, inertia])
    corners = [np.array([x, y, -0.5]) for x in (-0.5, 0.5) for y in (-0.5, 0.5)]
    rows = [np.concatenate([axis, np.cross(c, axis)]) for c in corners for axis in np.eye(3)[[2, 0, 1]]]
    return mass, np.array(rows), np.array([0.4, 0.1, -2.0, 0.5, 1.0, 0.2])


def gauss_seidel(w: Array, u: Array, sweeps: int) -> Array:
    """Newton's restitution with Coulomb friction, contact by contact, so many times."""
    p = np.zeros_like(u)
    wanted = np.where(np.arange(len(u)) % 3 == 0, -E * np.minimum(u, 0.0), 0.0)
    for _ in range(sweeps):
        for n in range(0, len(u), 3):
            p[n] = max(0.0, p[n] - (u + w @ p - wanted)[n] / w[n, n])
            for t in (n + 1, n + 2):
                p[t] -= (u + w @ p)[t] / w[t, t]
            slip = float(np.hypot(p[n + 1], p[n + 2]))
            if slip > MU * p[n]:
                p[n + 1 : n + 3] *= MU * p[n] / slip
    return p


def main() -> None:
    mass, jacobian, velocity = box_on_its_face()
    contacts = [{"mu": MU, "e": E}] * 4
    problem = carom.Problem({"mass": mass, "jacobian": jacobian, "velocity": velocity, "contacts": contacts})
    for sweeps in (1, 3, 10, 100):
        impulse = gauss_seidel(problem.delassus, problem.contact_velocity, sweeps)
        judged = problem.certify(impulse)
        why = ", ".join(judged.violations) or "nothing"
        margin = judged.separation_margin
        print(f"{sweeps:>4} sweeps: {judged.verdict:<11} separation margin {margin:+.2e} m/s, violates {why}")
    out = carom.resolve(mass, jacobian, velocity, mu=MU, e=E, rows=3, law="newton-coulomb")
    print(f"   exactly: {out.certificate.verdict:<11} separation margin {out.certificate.separation_margin:+.2e} m/s")


if __name__ == "__main__":
    main()
