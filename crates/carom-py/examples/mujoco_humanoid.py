"""A MuJoCo humanoid falls: at each step `plus` resolves all contacts, with friction, and all stops of joints at once.

MuJoCo integrates the motion between impacts. Every impact is certified: none of them creates energy.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np

import carom.mujoco

LAW: carom.LawId = "plus"
TIME = 1.2  # [s]
# Restitution falls from 1 at rest to its minimum at the plastic speed; below the capture speed nothing bounces [m/s].
E = {"minimum": 0.1, "capture_speed": 0.05, "plastic_speed": 0.5}
SHOWN = 10


@dataclass(frozen=True)
class Strike:
    """One impact of the fall."""

    time: float
    """When [s]."""
    what: str
    """The geom or joint with the largest impulse."""
    contacts: int
    """Contacts and stops that took part."""
    impulse: float
    """Largest normal impulse [N·s, N·m·s]."""
    energy: float
    """Kinetic energy before [J]."""
    energy_change: float
    """Its change [J]."""
    verdict: str
    """What the certificate says."""


@dataclass(frozen=True)
class Fall:
    """The fall from start to end."""

    strikes: tuple[Strike, ...]
    height: float
    """Height of the pelvis at the end [m]."""
    deepest: float
    """Deepest penetration at the end of a flight [m]."""


def load() -> tuple[mujoco.MjModel, mujoco.MjData]:
    """The humanoid, standing, with a push in the back."""
    model = mujoco.MjModel.from_xml_path(str(Path(__file__).parent / "humanoid.xml"))
    data = mujoco.MjData(model)
    data.qvel[0] = 0.8
    data.qvel[4] = 1.0
    return model, data


def fall(law: carom.LawId = LAW) -> Fall:
    """Lets the humanoid fall under `law`."""
    model, data = load()
    strikes: list[Strike] = []
    deepest = 0.0
    while data.time < TIME:
        # What `carom.mujoco.step` does, by hand, to have the impact for the table.
        start = data.qpos.copy()
        carom.mujoco.free_step(model, data)
        impact = carom.mujoco.problem(model, data, e=E)
        outcome = impact.resolve(law)
        normal = np.array([outcome.impulse[at.start] for at in impact.slices()])
        if normal.any():
            before = 0.5 * float(data.qvel @ impact.mass @ data.qvel)
            after = 0.5 * float(outcome.velocity @ impact.mass @ outcome.velocity)
            hardest = int(np.argmax(normal))
            strikes.append(
                Strike(
                    time=data.time,
                    what=name(model, data, impact.sources[hardest]),
                    contacts=int(np.count_nonzero(normal)),
                    impulse=float(normal[hardest]),
                    energy=before,
                    energy_change=after - before,
                    verdict=outcome.certificate.verdict,
                )
            )
        if data.ncon:
            deepest = max(deepest, -float(data.contact.dist.min()))
        data.qvel[:] = outcome.velocity
        if normal.any():
            data.qpos[:] = start
            mujoco.mj_integratePos(model, data.qpos, data.qvel, model.opt.timestep)
    return Fall(tuple(strikes), height=float(data.qpos[2]), deepest=deepest)


def name(model: mujoco.MjModel, data: mujoco.MjData, source: tuple[str, int]) -> str:
    """What a contact of carom's is called in the model."""
    kind, index = source
    if kind == "contact":
        return str(model.geom(data.contact[index].geom[1]).name)
    return str(model.joint(index).name)


def main() -> None:
    result = fall()
    print(f"A humanoid falls for {TIME} s under {LAW}. Its {SHOWN} hardest impacts of {len(result.strikes)}:\n")
    print(f"{'t [s]':>7}  {'what':<22}{'contacts':>8}{'p [N·s]':>10}{'E [J]':>9}{'change [J]':>12}  verdict")
    hardest = sorted(result.strikes, key=lambda strike: strike.energy_change)[:SHOWN]
    for strike in sorted(hardest, key=lambda strike: strike.time):
        print(
            f"{strike.time:>7.3f}  {strike.what:<22}{strike.contacts:>8}{strike.impulse:>10.2f}{strike.energy:>9.1f}"
            f"{strike.energy_change:>12.2f}  {strike.verdict}"
        )
    largest = max(strike.energy_change for strike in result.strikes)
    print(
        f"\nlargest change of energy {largest:.1e} J; pelvis at {result.height:.2f} m; "
        f"deepest penetration {1e3 * result.deepest:.1f} mm"
    )


if __name__ == "__main__":
    main()
