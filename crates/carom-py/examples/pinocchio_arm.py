"""A Pinocchio arm strikes a wall: where the tip goes, and what the joints feel, under several laws.

The arm has three links that turn in one plane and a shoulder that turns it about the vertical, so that its tip slides
on the wall in both directions. It swings freely until the tip touches; then one impact, under each law.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

import carom
import carom.pinocchio
from carom.pinocchio import Contact

WALL = 0.75  # the wall stands at x = WALL; its normal points to -x, towards the arm [m]
MU, E = 0.3, 0.6
STEP = 1e-4  # [s]
LINKS = (0.4, 0.35, 0.25)  # [m]
MASSES = (3.0, 2.0, 1.0)  # [kg]
LAWS: tuple[carom.LawId, ...] = ("plus", "stiff-limit", "routh-stronge", "chatterjee-ruina", "newton-coulomb")

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Strike:
    """What a law answers."""

    law: str
    tip: Vector
    """Velocity of the tip after: along the normal and the two tangents [m/s]."""
    impulse: Vector
    """Impulse on the tip: along the normal and the two tangents [N·s]."""
    jolt: Vector
    """Jump of the joints' velocities [rad/s]."""
    energy_change: float
    """[J]"""
    verdict: str


def build() -> tuple[pin.Model, int]:
    """The arm, and the frame of its tip."""
    model = pin.Model()
    parent = model.addJoint(0, pin.JointModelRZ(), pin.SE3.Identity(), "turn")
    offset = 0.0
    for index, (length, mass) in enumerate(zip(LINKS, MASSES, strict=True)):
        place = pin.SE3(np.eye(3), np.array([offset, 0.0, 0.0]))
        parent = model.addJoint(parent, pin.JointModelRY(), place, f"hinge{index}")
        rod = pin.Inertia.FromCylinder(mass, 0.03, length)
        # Pinocchio's cylinder stands along z; the link lies along x.
        along = pin.SE3(pin.utils.rotate("y", np.pi / 2), np.array([length / 2, 0.0, 0.0]))
        model.appendBodyToJoint(parent, rod, along)
        offset = length
    tip = pin.Frame("tip", parent, 0, pin.SE3(np.eye(3), np.array([offset, 0.0, 0.0])), pin.FrameType.OP_FRAME)
    return model, model.addFrame(tip)


def approach(model: pin.Model, tip: int) -> tuple[pin.Data, Vector, Vector]:
    """Swings the arm until its tip reaches the wall; configuration and velocity there."""
    data = model.createData()
    q = np.array([0.0, 0.9, -1.9, 0.3])
    v = np.array([0.6, -1.5, 4.0, 1.0])
    while True:
        pin.framesForwardKinematics(model, data, q)
        if data.oMf[tip].translation[0] >= WALL:
            return data, q, v
        v = v + STEP * pin.aba(model, data, q, v, np.zeros(model.nv))
        q = pin.integrate(model, q, STEP * v)


def strike() -> tuple[Vector, float, list[Strike]]:
    """Velocity of the tip before the impact [m/s], kinetic energy before [J], and what each law makes of it."""
    model, tip = build()
    data, q, v = approach(model, tip)
    contact = Contact(frame=tip, normal=(-1.0, 0.0, 0.0))
    impact = carom.pinocchio.problem(model, data, q, v, [contact], mu=MU, e=E)
    answers = []
    for law in LAWS:
        outcome = carom.pinocchio.resolve(model, data, q, v, [contact], MU, E, law)
        answers.append(
            Strike(
                law=law,
                tip=outcome.contact_velocity,
                impulse=outcome.impulse,
                jolt=outcome.velocity - v,
                energy_change=outcome.energy_change,
                verdict=outcome.certificate.verdict,
            )
        )
    return impact.jacobian @ v, 0.5 * float(v @ impact.mass @ v), answers


def main() -> None:
    before, energy, answers = strike()
    print(
        f"The tip meets the wall with ({', '.join(f'{u:.3f}' for u in before)}) m/s, normal first; mu = {MU}, e = {E}; "
        f"kinetic energy {energy:.3f} J.\n"
    )
    print(f"{'law':<18}{'tip after [m/s]':>24}{'impulse [N·s]':>24}{'change [J]':>12}  verdict")
    for answer in answers:
        tip = " ".join(f"{u:7.3f}" for u in answer.tip)
        impulse = " ".join(f"{p:7.3f}" for p in answer.impulse)
        print(f"{answer.law:<18}{tip:>24}{impulse:>24}{answer.energy_change:>12.3f}  {answer.verdict}")


if __name__ == "__main__":
    main()
