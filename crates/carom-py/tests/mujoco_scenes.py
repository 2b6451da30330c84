"""Scenes for the tests of ``carom.mujoco``: each has a name, a model, and states in which things touch."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np

HUMANOID = Path(__file__).parents[1] / "examples" / "humanoid.xml"

BOXES = """
<mujoco><option cone="{cone}" jacobian="{jacobian}"/><worldbody>
  <geom name="floor" type="plane" size="5 5 1"/>
  <body pos="0 0 .1"><freejoint/><geom name="low" type="box" size=".12 .1 .1" mass="2"/></body>
  <body pos=".05 0 .29"><freejoint/><geom name="high" type="box" size=".1 .1 .1" condim="4" mass="1"/></body>
  <body pos="-.28 0 .08"><freejoint/><geom name="ball" size=".1" condim="1" priority="1" mass=".5"/></body>
  <body pos=".3 .02 .07"><freejoint/><geom name="can" type="cylinder" size=".1 .09" condim="6" mass=".7"/></body>
</worldbody></mujoco>"""

CRADLE = """
<mujoco><option cone="{cone}" jacobian="{jacobian}"/>
<default><geom size=".055" mass="1" condim="1"/></default>
<worldbody>
  <body pos="0 0 1"><joint axis="0 -1 0"/><geom name="b0" pos="0 0 -1"/></body>
  <body pos=".1 0 1"><joint axis="0 -1 0"/><geom name="b1" pos="0 0 -1" margin="1e-6"/></body>
  <body pos=".2 0 1"><joint axis="0 -1 0"/><geom name="b2" pos="0 0 -1"/></body>
  <body pos=".3 0 1"><joint axis="0 -1 0"/><geom name="b3" pos="0 0 -1" margin="1e-6"/></body>
  <body pos=".4 0 1"><joint axis="0 -1 0"/><geom name="b4" pos="0 0 -1"/></body>
</worldbody></mujoco>"""

# Every kind of limit, all reached at the pose of the key frame.
LIMITS = """
<mujoco><compiler angle="radian"/><option cone="{cone}" jacobian="{jacobian}"/>
<default><geom size=".05 .2" type="capsule" mass="1" contype="0" conaffinity="0"/></default>
<worldbody>
  <body><joint name="hinge" axis="0 1 0" range="-.5 .5"/><geom pos=".2 0 0"/>
    <body pos=".4 0 0"><joint name="slide" type="slide" axis="1 0 0" range="-.1 .1"/><geom pos=".2 0 0"/>
      <body pos=".4 0 0"><joint name="ball" type="ball" range="0 .4"/><geom pos=".2 .05 0"/>
        <site name="tip" pos=".4 0 0"/></body></body></body>
  <body pos="0 1 0"><joint name="free_hinge" axis="0 0 1"/><geom pos=".3 0 0"/><site name="end" pos=".4 0 0"/></body>
  <site name="anchor" pos="0 0 1"/>
</worldbody>
<tendon>
  <spatial name="rope" range="0 .5" limited="true"><site site="anchor"/><site site="end"/></spatial>
  <fixed name="sum" range="-.2 .2" limited="true"><joint joint="hinge" coef="1"/><joint joint="slide" coef="2"/></fixed>
</tendon>
<keyframe><key qpos=".5 -.1 .9689 .2474 0 0 .3"/></keyframe>
</mujoco>"""

# Every kind of equality, and a box that a weld and a connect hold twice: redundant rows. The rods that lean on the
# floor slip: with friction such rods jam.
EQUALITIES = """
<mujoco><compiler angle="radian"/><option cone="{cone}" jacobian="{jacobian}"/>
<default><default class="rod">
  <geom type="capsule" size=".03" fromto="0 0 0 .3 0 -.28" mass="1" condim="1" priority="1"/>
</default></default>
<worldbody>
  <geom name="floor" type="plane" size="5 5 1"/>
  <body name="a" pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/></body>
  <body name="b" pos=".21 0 .1"><freejoint/><geom type="box" size=".1 .1 .1" mass="2"/></body>
  <body name="c" pos="0 .5 .1"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/></body>
  <body name="d" pos=".3 .5 .1"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/></body>
  <body name="p" pos="1 0 .3"><joint name="jp" axis="0 1 0"/><geom class="rod"/></body>
  <body name="q" pos="1 .5 .3"><joint name="jq" axis="0 1 0"/><geom class="rod"/></body>
  <body name="r" pos="1 1 .3"><joint name="jr" axis="0 1 0"/><geom class="rod"/></body>
</worldbody>
<tendon>
  <fixed name="tq"><joint joint="jq" coef="1"/></fixed>
  <fixed name="tr"><joint joint="jr" coef="1"/></fixed>
</tendon>
<equality>
  <weld body1="a" body2="b"/> <connect body1="a" body2="b" anchor=".1 0 0"/>
  <connect body1="c" body2="d" anchor=".15 0 0"/>
  <joint joint1="jp" joint2="jq" polycoef="0 1 .5 0 0"/> <tendon tendon1="tq" tendon2="tr"/>
</equality>
</mujoco>"""

SCENES = {"boxes": BOXES, "cradle": CRADLE, "limits": LIMITS, "equalities": EQUALITIES}


def load(name: str, cone: str = "elliptic", jacobian: str = "dense") -> tuple[mujoco.MjModel, mujoco.MjData]:
    """A scene in its start pose, things touching, at rest."""
    if name == "humanoid":
        spec = mujoco.MjSpec.from_file(str(HUMANOID))
        spec.option.cone = getattr(mujoco.mjtCone, f"mjCONE_{cone.upper()}")
        spec.option.jacobian = getattr(mujoco.mjtJacobian, f"mjJAC_{jacobian.upper()}")
        model = spec.compile()
    else:
        model = mujoco.MjModel.from_xml_string(SCENES[name].format(cone=cone, jacobian=jacobian))
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    return model, data


def disturb(model: mujoco.MjModel, data: mujoco.MjData, rng: np.random.Generator, size: float = 0.02) -> None:
    """Moves every degree of freedom by about `size` and gives it a velocity of about one."""
    mujoco.mj_integratePos(model, data.qpos, rng.normal(scale=size, size=model.nv), 1.0)
    if model.nv == 26:
        # The humanoid lies down: head first, sideways, on its back, as it comes.
        data.qpos[2] = rng.uniform(0.1, 0.6)
        turn = rng.normal(size=4)
        data.qpos[3:7] = turn / np.linalg.norm(turn)
        data.qpos[7:] += rng.normal(scale=0.5, size=model.nq - 7)
    data.qvel[:] = rng.normal(size=model.nv)
    mujoco.mj_forward(model, data)
