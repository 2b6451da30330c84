"""Newton's cradle in MuJoCo: as many balls leave as have struck, if the law lets the shock travel through the row.

Five pendulums hang side by side, one or two are lifted and let go. Laws that solve all contacts at once let every ball
swing away; laws that go by rounds or by one collision after the other do what the toy is known for. Under Hertz
contacts (`lzb`) a little stays behind, as in the toy itself.
"""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray

import carom.mujoco

BALLS = 5
LIFT = 0.3  # angle at which the balls are let go [rad]
# From the lift to the other side and back takes a period; the strike is a quarter in, the summit another quarter.
PERIOD = 2.0 * np.pi / np.sqrt(9.81)
# Balls within this distance touch [m]: time steps end a little before and after contact, never at it.
MARGIN = 1e-5

SCENE = f"""
<mujoco>
  <compiler angle="radian"/>
  <option timestep="0.0005" integrator="RK4"/>
  <default><geom type="sphere" size="0.05" mass="0.5" condim="1" margin="{MARGIN}"/></default>
  <worldbody>
    {
    "".join(f'<body pos="{0.1 * ball} 0 1"><joint axis="0 -1 0"/><geom pos="0 0 -1"/></body>' for ball in range(BALLS))
}
  </worldbody>
</mujoco>"""


def swing(law: carom.LawId, lifted: int = 1) -> NDArray[np.float64]:
    """Angle [rad] of each ball at the summit that follows the first strike, when `lifted` balls are let go."""
    model = mujoco.MjModel.from_xml_string(SCENE)
    data = mujoco.MjData(model)
    data.qpos[:lifted] = -LIFT
    highest = np.zeros(BALLS)
    while data.time < 0.5 * PERIOD:
        carom.mujoco.step(model, data, law, e=1.0)
        highest = np.maximum(highest, data.qpos)
    return highest


def main() -> None:
    print(f"{BALLS} balls, e = 1, let go at {LIFT} rad. Highest angle of each on the other side [rad]:\n")
    print(f"{'lifted':<8}{'law':<14}" + "".join(f"{f'ball {ball + 1}':>9}" for ball in range(BALLS)))
    for lifted in (1, 2):
        for law in ("plus", "sequential", "lzb", "newton"):
            angles = swing(law, lifted)
            print(f"{lifted:<8}{law:<14}" + "".join(f"{angle:>9.4f}" for angle in angles))


if __name__ == "__main__":
    main()
