"""A MuJoCo box dropped flat: with a law that treats its four corners alike, it bounces straight up and stays flat.

MuJoCo flies the box, carom bounces it. Laws that take the corners one after the other, and engines whose solvers
do so inside, tip the box over, though nothing in the problem knows left from right.
"""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

import carom.mujoco

DROP = 0.5  # height of the box above the floor [m]
E = 0.5  # restitution [1]
TIME = 1.0  # [s]

SCENE = f"""
<mujoco>
  <option timestep="0.0005"/>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 1" friction="0.6"/>
    <body pos="0 0 {DROP + 0.1}">
      <freejoint/>
      <geom name="box" type="box" size="0.3 0.2 0.1" mass="2" friction="0.6"/>
    </body>
  </worldbody>
</mujoco>"""


@dataclass(frozen=True)
class Flight:
    """What became of the box."""

    rise: float
    """Height above the floor after the first bounce [m]."""
    tilt: float
    """Largest angle between the box and the floor [rad]."""
    drift: float
    """Largest way to the side [m]."""


def drop(law: carom.LawId) -> Flight:
    """Lets the box fall under `law`."""
    model = mujoco.MjModel.from_xml_string(SCENE)
    data = mujoco.MjData(model)
    heights, tilts, drifts = [], [], []
    bounced = False
    while data.time < TIME:
        outcome = carom.mujoco.step(model, data, law, e=E)
        bounced = bounced or bool(outcome.impulse.any())
        if bounced:
            heights.append(float(data.qpos[2]) - 0.1)
        tilts.append(2.0 * float(np.hypot(data.qpos[4], data.qpos[5])))
        drifts.append(float(np.hypot(data.qpos[0], data.qpos[1])))
    return Flight(rise=max(heights), tilt=max(tilts), drift=max(drifts))


def main() -> None:
    print(f"A box falls flat from {DROP} m, e = {E}: it should rise to {E**2 * DROP:.3f} m and stay flat.\n")
    print(f"{'law':<16}{'rise [m]':>10}{'tilt [rad]':>13}{'drift [m]':>12}")
    for law in ("plus", "stiff-limit", "newton", "sequential"):
        flight = drop(law)
        print(f"{law:<16}{flight.rise:>10.4f}{flight.tilt:>13.1e}{flight.drift:>12.1e}")


if __name__ == "__main__":
    main()
