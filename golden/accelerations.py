"""Accelerations of random trees of bodies with loops, by Pinocchio: writes accelerations.ndjson.

    pip install numpy==2.* pin==4.1.0
    python accelerations.py > accelerations.ndjson

Pinocchio gives the mass matrix, the velocity terms, Jacobians and accelerations of bodies. Joints that close loops are rows
B v' + beta = 0 of accelerations, formed here from these; the least-norm forces that keep them are

    v' = a - M^-1 B^T (B M^-1 B^T)^+ (B a + beta),    a = M^-1 (tau - nonlinear terms).

All frames of joints are parallel to the world's at the state that is asked for, so that all joint coordinates are zero there.
"""

import json

import numpy as np
import pinocchio as pin

SEED = 20260
RANK = 1e-9


def unit(rng, planar=False):
    if planar:
        return np.array([0.0, 0.0, 1.0])
    v = rng.normal(size=3)
    return v / np.linalg.norm(v)


def rounded(x, digits=4):
    return np.round(x, digits)


def across(axis):
    k = int(np.argmin(np.abs(axis)))
    t = np.cross(axis, np.eye(3)[k])
    t /= np.linalg.norm(t)
    return t, np.cross(axis, t)


def body(rng, name, planar, place):
    mass = rounded(0.5 + 2.0 * rng.random())
    half = 0.1 + 0.3 * rng.random(3)
    inertia = rounded(mass / 3.0 * (half @ half - half**2), 5)
    if planar:
        angle = rounded(rng.uniform(-3, 3))
        q = np.array([np.cos(angle / 2), 0.0, 0.0, np.sin(angle / 2)])
        place = np.array([place[0], place[1], 0.0])
    else:
        q = rng.normal(size=4)
        q /= np.linalg.norm(q)
        angle = None
    return {"name": name, "mass": mass, "inertia": inertia, "position": rounded(place), "q": q, "angle": angle}


def rotation(q):
    return pin.Quaternion(q[0], q[1], q[2], q[3]).toRotationMatrix()


def tree(rng, planar, parallel):
    """Bodies, joints that make trees, joints that close loops; -1 is the ground."""
    count = int(rng.integers(3, 8))
    bodies, joints = [], []
    common = unit(rng, planar)
    for k in range(count):
        bodies.append(body(rng, f"b{k}", planar, rng.uniform(-1, 1, 3)))
        root = k == 0
        parent = -1 if root else int(rng.integers(-1 if rng.random() < 0.1 else 0, k))
        if root and rng.random() < 0.4 and not parallel:
            continue
        kinds = ["hinge", "slider"] if planar else ["hinge", "hinge", "slider", "ball", "ball"]
        kind = "hinge" if parallel else kinds[int(rng.integers(len(kinds)))]
        axis = common if parallel or kind == "hinge" and planar else unit(rng)
        if planar and kind == "slider":
            axis = np.array([axis[0], axis[1], 0.0])
            axis /= np.linalg.norm(axis)
        near = bodies[k]["position"] if parent < 0 else 0.5 * (bodies[k]["position"] + bodies[parent]["position"])
        point = rounded(near + rng.uniform(-0.3, 0.3, 3))
        if planar:
            point[2] = 0.0
        joints.append({"type": kind, "a": parent, "b": k, "point": point, "axis": axis, "tree": True})
    loops = []
    wanted = int(rng.integers(1, 3))
    for _ in range(20):
        if len(loops) == wanted:
            break
        a, b = int(rng.integers(-1, count)), int(rng.integers(0, count))
        pairs = [{j["a"], j["b"]} for j in joints + loops]
        if a == b or {a, b} in pairs:
            continue
        kind = "hinge" if parallel or planar else ["ball", "ball", "hinge", "slider", "weld"][int(rng.integers(5))]
        axis = common if parallel or planar else unit(rng)
        point = rounded(bodies[b]["position"] + rng.uniform(-0.5, 0.5, 3))
        if planar:
            point[2] = 0.0
        loops.append({"type": kind, "a": a, "b": b, "point": point, "axis": axis, "tree": False})
    return bodies, joints, loops


def build(bodies, joints, planar, gravity):
    """A model whose joint frames are parallel to the world's, and the joint of each body. Pinocchio wants subtrees in one
    piece."""
    model = pin.Model()
    model.gravity.linear = gravity
    at, place = {-1: 0}, {-1: np.zeros(3)}
    hung = {j["b"]: j for j in joints}

    def subtree(k):
        return [k] + [d for j in joints if j["a"] == k for d in subtree(j["b"])]

    roots = [k for k in range(len(bodies)) if k not in hung or hung[k]["a"] < 0]
    for k in [d for root in roots for d in subtree(root)]:
        b, joint = bodies[k], hung.get(k)
        if joint is None:
            parent, where = -1, b["position"]
            kind = pin.JointModelPlanar() if planar else pin.JointModelFreeFlyer()
        else:
            parent, where, axis = joint["a"], joint["point"], joint["axis"]
            if joint["type"] == "ball":
                kind = pin.JointModelSpherical()
            elif joint["type"] == "hinge":
                kind = pin.JointModelRevoluteUnaligned(axis)
            else:
                kind = pin.JointModelPrismaticUnaligned(axis)
        shift = pin.SE3(np.eye(3), where - place[parent])
        at[k] = model.addJoint(at[parent], kind, shift, b["name"])
        place[k] = where
        turn = rotation(b["q"])
        inertia = turn @ np.diag(b["inertia"]) @ turn.T
        model.appendBodyToJoint(at[k], pin.Inertia(float(b["mass"]), b["position"] - where, inertia), pin.SE3.Identity())
    return model, at


class State:
    """Velocity, Jacobian and acceleration (with v' = 0) of points of bodies, in the world."""

    def __init__(self, model, at, q, v):
        self.model, self.at, self.data = model, at, model.createData()
        pin.forwardKinematics(model, self.data, q, v, np.zeros(model.nv))
        pin.computeJointJacobians(model, self.data, q)

    def of(self, k, point):
        """J, velocity and acceleration of a point of a body: linear, then angular."""
        if k < 0:
            return np.zeros((6, self.model.nv)), np.zeros(6), np.zeros(6)
        j, around = self.at[k], pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        rho = point - self.data.oMi[j].translation
        jac = pin.getJointJacobian(self.model, self.data, j, around).copy()
        vel = pin.getVelocity(self.model, self.data, j, around).vector.copy()
        acc = pin.getClassicalAcceleration(self.model, self.data, j, around).vector.copy()
        w, alpha = vel[3:].copy(), acc[3:].copy()
        jac[:3] += np.cross(jac[3:].T, rho).T
        vel[:3] += np.cross(w, rho)
        acc[:3] += np.cross(alpha, rho) + np.cross(w, np.cross(w, rho))
        return jac, vel, acc


def rows(state, loop, planar):
    """B and beta of a joint that closes a loop."""
    ja, va, aa = state.of(loop["a"], loop["point"])
    jb, vb, ab = state.of(loop["b"], loop["point"])
    j, v, a = jb - ja, vb - va, ab - aa
    w = va[3:]
    kind, (t1, t2) = loop["type"], across(loop["axis"])
    out, beta = [], []
    if kind == "slider":
        for t in (t1, t2):
            out.append(t @ j[:3])
            beta.append(t @ a[:3] + 2.0 * np.cross(w, t) @ v[:3])
    else:
        for t in np.eye(3)[: 2 if planar else 3]:
            out.append(t @ j[:3])
            beta.append(t @ a[:3])
    if kind == "hinge" and not planar:
        for t in (t1, t2):
            out.append(t @ j[3:])
            beta.append(t @ a[3:] + np.cross(w, t) @ v[3:])
    if kind in ("slider", "weld"):
        for t in np.eye(3):
            out.append(t @ j[3:])
            beta.append(t @ a[3:])
    return np.array(out), np.array(beta)


def cycles(count, joints):
    """How many joints close loops, whichever are taken for the trees: the ground is a body too."""
    root = list(range(count + 1))

    def find(k):
        while root[k] != k:
            k = root[k]
        return k

    closing = 0
    for joint in joints:
        a, b = find(joint["a"] + 1), find(joint["b"] + 1)
        closing += a == b
        root[a] = b
    return closing


def pseudo(m):
    return np.linalg.pinv(m, rcond=RANK, hermitian=True)


def scene(rng, number):
    planar = number % 5 == 4
    parallel = number % 5 == 3
    gravity = rounded(np.array([0.0, -9.81, 0.0]) if planar else 9.81 * unit(rng))
    bodies, joints, loops = tree(rng, planar, parallel)
    model, at = build(bodies, joints, planar, gravity)
    q = pin.neutral(model)
    closing = cycles(len(bodies), joints + loops)
    if closing == 0:
        return None
    # Velocities that keep the loops closed.
    still = State(model, at, q, np.zeros(model.nv))
    b = np.vstack([rows(still, loop, planar)[0] for loop in loops])
    sizes = np.linalg.svd(b, compute_uv=False)
    rank = int(np.sum(sizes > RANK * sizes[0]))
    # Nothing between dependent and independent, and something left that moves.
    if np.any((sizes < 0.03 * sizes[0]) & (sizes > RANK * sizes[0])) or model.nv - rank < 1:
        return None
    v = rng.uniform(-2, 2, model.nv)
    v -= np.linalg.pinv(b, rcond=RANK) @ (b @ v)
    state = State(model, at, q, v)
    b, beta = (np.concatenate(x) for x in zip(*[rows(state, loop, planar) for loop in loops]))
    tau = np.zeros(model.nv)
    forces = []
    for k in range(len(bodies)):
        if rng.random() < 0.5:
            continue
        force, torque = rounded(rng.uniform(-5, 5, 3)), rounded(rng.uniform(-1, 1, 3))
        if planar:
            force[2], torque[:2] = 0.0, 0.0
        jac, _, _ = state.of(k, bodies[k]["position"])
        tau += jac.T @ np.concatenate([force, torque])
        forces.append({"body": k, "force": force.tolist(), "torque": torque.tolist()})
    for joint in joints:
        joint["torque"], joint["damping"] = 0.0, 0.0
        if joint["type"] in ("hinge", "slider"):
            joint["torque"], joint["damping"] = rounded(rng.uniform(-1, 1)), rounded(rng.random())
            ja, va, _ = state.of(joint["a"], joint["point"])
            jb, vb, _ = state.of(joint["b"], joint["point"])
            part = slice(3, 6) if joint["type"] == "hinge" else slice(0, 3)
            row, rate = joint["axis"] @ (jb - ja)[part], joint["axis"] @ (vb - va)[part]
            tau += row * (joint["torque"] - joint["damping"] * rate)
    data = model.createData()
    mass = pin.crba(model, data, q)
    mass = np.triu(mass) + np.triu(mass, 1).T
    free = np.linalg.solve(mass, tau - pin.nonLinearEffects(model, data, q, v))
    inverse_b = np.linalg.solve(mass, b.T)
    acceleration = free - inverse_b @ (pseudo(b @ inverse_b) @ (b @ free + beta))
    left = np.abs(b @ acceleration + beta).max()
    assert left < 1e-9 * (1 + np.abs(acceleration).max()), left
    told = []
    for k, one in enumerate(bodies):
        jac, vel, acc = state.of(k, one["position"])
        acc = acc + jac @ acceleration
        told.append(
            {
                "mass": float(one["mass"]),
                "inertia": one["inertia"].tolist(),
                "position": one["position"].tolist(),
                "orientation": one["q"].tolist() if one["angle"] is None else float(one["angle"]),
                "velocity": vel[:3].tolist(),
                "angular_velocity": vel[3:].tolist(),
                "acceleration": acc[:3].tolist(),
                "angular_acceleration": acc[3:].tolist(),
            }
        )
    written = []
    for joint in joints + loops:
        entry = {"type": joint["type"], "a": joint["a"], "b": joint["b"], "point": joint["point"].tolist()}
        if joint["type"] in ("hinge", "slider"):
            entry["axis"] = joint["axis"].tolist()
            entry |= {k: float(joint[k]) for k in ("torque", "damping") if joint.get(k)}
        written.append(entry)
    return {
        "dimension": 2 if planar else 3,
        "gravity": gravity.tolist(),
        "loops": closing,
        "rows": len(beta),
        "rank": rank,
        "bodies": told,
        "joints": written,
        "forces": forces,
    }


def main():
    rng = np.random.default_rng(SEED)
    written = 0
    while written < 50:
        line = scene(rng, written)
        if line is not None:
            print(json.dumps({"id": f"tree-{written}", **line}, separators=(",", ":")))
            written += 1


main()
