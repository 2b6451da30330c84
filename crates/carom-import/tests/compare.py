"""Mass matrices of imported robots against Pinocchio (URDF) and MuJoCo (MJCF), in random poses.

    cargo build --release -p carom-import --example mass_matrix
    python compare.py [--poses N] ROBOT...         # the largest difference of each, relative to the largest entry
    python compare.py --golden ROBOT... > golden.json   # what these two say, for the tests

Needs numpy and, for the files at hand, pin and mujoco. Seeds are fixed.
"""

import json
import pathlib
import subprocess
import sys

import numpy as np

ROOT = pathlib.Path(__file__).parents[3]
CAROM = ROOT / "target/release/examples/mass_matrix"


def carom(path, pose):
    """What carom says, or its error."""
    words = [str(CAROM), str(path)] + [f"{joint}={x!r}" for joint, x in pose.items()]
    run = subprocess.run(words, capture_output=True, text=True)
    return (json.loads(run.stdout), None) if run.returncode == 0 else (None, run.stderr.strip())


def cross(c):
    return np.array([[0, -c[2], c[1]], [c[2], 0, -c[0]], [-c[1], c[0], 0]])


def limited(low, high, random):
    low, high = max(low, -3.0), min(high, 3.0)
    return float(random.uniform(low, high) if high > low else low)


class Pinocchio:
    """A URDF file with a free base, at the origin."""

    def __init__(self, path):
        import pinocchio as pin

        self.pin, self.version = pin, f"Pinocchio {pin.__version__}"
        self.model = pin.buildModelFromUrdf(str(path), pin.JointModelFreeFlyer())

    def pose(self, random):
        model, pin = self.model, self.pin
        self.q, pose = pin.neutral(model), {}
        self.plane = {}
        for j in range(2, model.njoints):
            name, joint = model.names[j], model.joints[j]
            q = self.q[joint.idx_q : joint.idx_q + joint.nq]
            if joint.nv == 1 and joint.nq == 1:
                low, high = (x[joint.idx_q] for x in (model.lowerPositionLimit, model.upperPositionLimit))
                pose[name] = q[0] = limited(low, high, random)
            elif joint.nv == 1:
                pose[name] = angle = float(random.uniform(-3, 3))
                q[:] = np.cos(angle), np.sin(angle)
            elif joint.shortname() == "JointModelPlanar":
                x, y, angle = (float(x) for x in random.uniform(-1, 1, 3))
                pose |= {f"{name}/x": x, f"{name}/y": y, f"{name}/angle": angle}
                q[:] = x, y, np.cos(angle), np.sin(angle)
                self.plane[j] = angle
            self.q[joint.idx_q : joint.idx_q + joint.nq] = q
        return {name: float(x) for name, x in pose.items()}

    def mass(self):
        upper = np.triu(self.pin.crba(self.model, self.model.createData(), self.q))
        return upper + np.triu(upper, 1).T

    def rows(self):
        """carom's velocities of Pinocchio's: the name of each, and its row."""
        model = self.model
        center = model.inertias[1].lever
        unit = np.eye(model.nv)
        free = unit[:6].copy()
        free[:3, 3:6] = -cross(center)
        for k in range(6):
            yield f"free {k}", free[k]
        for j in range(2, model.njoints):
            name, at = model.names[j], model.joints[j].idx_v
            if j in self.plane:
                c, s = np.cos(self.plane[j]), np.sin(self.plane[j])
                yield f"{name}/x 0", c * unit[at] - s * unit[at + 1]
                yield f"{name}/y 0", s * unit[at] + c * unit[at + 1]
                yield f"{name}/angle 0", unit[at + 2]
            elif model.joints[j].nv == 1:
                yield f"{name} 0", unit[at]


class MuJoCo:
    """An MJCF file."""

    def __init__(self, path):
        import mujoco

        self.mujoco, self.version = mujoco, f"MuJoCo {mujoco.__version__}"
        self.model = mujoco.MjModel.from_xml_path(str(path))
        self.data = mujoco.MjData(self.model)

    def name(self, joint):
        return self.mujoco.mj_id2name(self.model, self.mujoco.mjtObj.mjOBJ_JOINT, joint)

    def pose(self, random):
        model, pose = self.model, {}
        q = model.qpos0.copy()
        for j in range(model.njnt):
            at = model.jnt_qposadr[j]
            if model.jnt_type[j] < 2:
                continue
            low, high = model.jnt_range[j] if model.jnt_limited[j] else (-2, 2)
            if self.name(j) is None:
                q[at] = np.clip(q[at], low, high) if model.jnt_limited[j] else q[at]
            else:
                q[at] = pose[self.name(j)] = limited(low, high, random)
        self.data.qpos[:] = q
        self.mujoco.mj_forward(model, self.data)
        return pose

    def mass(self):
        count = self.model.nv
        mass = np.zeros((count, count))
        for k, unit in enumerate(np.eye(count)):
            row = np.zeros(count)
            self.mujoco.mj_mulM(self.model, self.data, row, unit)
            mass[:, k] = row
        return mass

    def rows(self):
        model, data = self.model, self.data
        unit = np.eye(model.nv)
        for j in range(model.njnt):
            body, at, kind = model.jnt_bodyid[j], model.jnt_dofadr[j], model.jnt_type[j]
            turn = data.xmat[body].reshape(3, 3)
            if kind == 0:
                fixed = [b for b in range(model.nbody) if model.body_weldid[b] == body]
                mass = model.body_mass[fixed]
                center = mass @ data.xipos[fixed] / mass.sum() - data.xpos[body]
                free = unit[at : at + 6].copy()
                free[:3] -= cross(center) @ turn @ unit[at + 3 : at + 6]
                free[3:] = turn @ unit[at + 3 : at + 6]
                for k in range(6):
                    yield f"free {k}", free[k]
            elif kind == 1:
                parent = data.xmat[model.body_weldid[model.body_parentid[body]]].reshape(3, 3)
                ball = parent.T @ turn @ unit[at : at + 3]
                for k in range(3):
                    yield f"{self.name(j)} {k}", ball[k]
            else:
                # One without a name is called by its body.
                name = self.name(j) or self.mujoco.mj_id2name(model, self.mujoco.mjtObj.mjOBJ_BODY, body)
                yield f"{name} 0", unit[at]


def key(answer, velocity):
    """As the other program's `rows` call it."""
    if velocity["kind"] is None:
        return f"free {velocity['component']}"
    name = velocity["joint"] or answer["bodies"][velocity["body"]]["name"]
    return f"{name} {velocity['component']}"


def other(path):
    return Pinocchio(path) if path.suffix == ".urdf" else MuJoCo(path)


def compare(path, poses, random):
    """The largest difference, and the number of velocities; or the error."""
    robot, worst, count = other(path), 0.0, 0
    for _ in range(poses):
        pose = robot.pose(random)
        answer, error = carom(path, pose)
        if error:
            return None, error
        rows = dict(robot.rows())
        keys = [key(answer, velocity) for velocity in answer["velocities"]]
        if not keys:
            continue
        turn = np.array([rows[k] for k in keys])
        mine = turn.T @ np.array(answer["rows"]) @ turn
        # What does not move in carom moves nothing here.
        moved = np.abs(turn).max(axis=0) > 0
        mine, its = (m[np.ix_(moved, moved)] for m in (mine, robot.mass()))
        worst, count = max(worst, np.abs(mine - its).max() / np.abs(its).max()), moved.sum()
    return (worst, count), None


def golden(path, poses, random):
    """Mass matrices in carom's velocities, from the other program alone."""
    robot, cases = other(path), []
    for _ in range(poses):
        pose = robot.pose(random)
        rows = dict(robot.rows())
        inverse = np.linalg.inv(np.array(list(rows.values())))
        mass = inverse.T @ robot.mass() @ inverse
        cases.append({"pose": pose, "mass": np.triu(mass).tolist()})
    return {"robot": path.name, "by": robot.version, "velocities": list(rows), "cases": cases}


def main(words):
    poses = int(words[words.index("--poses") + 1]) if "--poses" in words else 3
    paths = [pathlib.Path(word) for word in words if word.endswith((".urdf", ".xml"))]
    if "--golden" in words:
        random = np.random.default_rng(1)
        print(json.dumps([golden(path, poses, random) for path in paths]))
        return
    for path in paths:
        try:
            done, error = compare(path, poses, np.random.default_rng(1))
        except Exception as failure:  # noqa: BLE001: what others refuse is told, and the next is tried
            print(f"{path.name}: not compared: {str(failure).splitlines()[0][:120]}")
            continue
        print(f"{path.name}: refused: {error}" if error else f"{path.name}: {done[1]} velocities, {done[0]:.1e}")


main(sys.argv[1:])
