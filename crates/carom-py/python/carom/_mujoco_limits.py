"""Limits of MuJoCo's joints and tendons as rows: the rate at which what is left of their range grows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mujoco
import numpy as np

from carom._engine import Array


def limit_rows(
    model: mujoco.MjModel, data: mujoco.MjData, reach: float
) -> Iterator[tuple[tuple[str, int], Array, float]]:
    """Limits within their margin and within `reach` [m, rad]: what they limit, a row (1, nv), and the room left.

    MuJoCo has rows for them too, but not for a joint that stands exactly at its limit.
    """
    if model.opt.disableflags & int(mujoco.mjtDisableBit.mjDSBL_LIMIT):
        return
    for joint in np.flatnonzero(model.jnt_limited):
        for room, row in _joint_rows(model, data, int(joint)):
            if room <= min(reach, model.jnt_margin[joint]):
                yield ("joint", int(joint)), row, room
    for tendon in np.flatnonzero(model.tendon_limited):
        row = _tendon_row(model, data, int(tendon))
        for room, side in _sides(data.ten_length[tendon], model.tendon_range[tendon], row):
            if room <= min(reach, model.tendon_margin[tendon]):
                yield ("tendon", int(tendon)), side, room


def _joint_rows(model: mujoco.MjModel, data: mujoco.MjData, joint: int) -> list[tuple[float, Array]]:
    row = np.zeros((1, model.nv))
    position, dof = model.jnt_qposadr[joint], model.jnt_dofadr[joint]
    if model.jnt_type[joint] != mujoco.mjtJoint.mjJNT_BALL:
        row[0, dof] = 1.0
        return _sides(data.qpos[position], model.jnt_range[joint], row)
    # A ball joint limits the angle of its rotation, whose rate is the angular velocity along the axis.
    rotation = np.empty(3)
    unit = data.qpos[position : position + 4].copy()
    mujoco.mju_normalize4(unit)
    mujoco.mju_quat2Vel(rotation, unit, 1.0)
    angle = mujoco.mju_normalize3(rotation)
    row[0, dof : dof + 3] = -rotation
    return [(float(model.jnt_range[joint].max() - angle), row)]


def _tendon_row(model: mujoco.MjModel, data: mujoco.MjData, tendon: int) -> Array:
    row = np.zeros((1, model.nv))
    start = model.ten_J_rowadr[tendon]
    entries = slice(start, start + model.ten_J_rownnz[tendon])
    row[0, model.ten_J_colind[entries]] = data.ten_J[entries]
    return row


def _sides(value: Any, limits: Array, row: Array) -> list[tuple[float, Array]]:
    """Room left to the lower and to the upper limit of a value whose rate is `row`."""
    return [(float(value - limits[0]), row), (float(limits[1] - value), -row)]
