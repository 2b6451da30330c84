//! Which joints make trees, and which close loops.

use super::checks::{Joint, Start};

/// Which joints make trees, and which close loops.
pub(super) struct Forest {
    /// Moving bodies in the order they were reached.
    pub(super) order: Vec<usize>,
    /// The joint that a body was reached by.
    pub(super) by: Vec<Option<usize>>,
    pub(super) loops: Vec<usize>,
}

/// Trees, breadth first from the fixed bodies, joints in the order of the scene. If a joint with limits, armature, spring,
/// damper or torque closes a loop so, joints are chosen that leave it in a tree: limits and armatures before the others, where not all can be.
pub(super) fn forest(bodies: &[Start], joints: &[Joint], cut: &[usize]) -> Forest {
    let uncut = |joint: &usize| !cut.contains(joint);
    let found = breadth_first(bodies, joints, uncut);
    let rank = |joint: &usize| {
        let joint = &joints[*joint];
        if joint.limits[0].is_finite() || joint.limits[1].is_finite() || joint.armature != 0.0 {
            0
        } else if joint.actuator.acts() {
            1
        } else {
            2
        }
    };
    if found.loops.iter().filter(|joint| uncut(joint)).all(|joint| rank(joint) == 2) {
        return found;
    }
    let mut wanted: Vec<usize> = (0..joints.len()).filter(uncut).collect();
    wanted.sort_by_key(|joint| (rank(joint), found.loops.contains(joint)));
    // Fixed bodies are one.
    let ground = bodies.len();
    let mut group: Vec<usize> = (0..=ground).collect();
    let place = |body: usize| if bodies[body].moving.is_some() { body } else { ground };
    let mut kept = vec![false; joints.len()];
    for joint in wanted {
        let [a, b] = joints[joint].bodies.map(place);
        kept[joint] = join(&mut group, a, b);
    }
    breadth_first(bodies, joints, |joint| kept[*joint])
}

fn breadth_first(bodies: &[Start], joints: &[Joint], in_trees: impl Fn(&usize) -> bool) -> Forest {
    let mut forest = Forest { order: Vec::new(), by: vec![None; bodies.len()], loops: Vec::new() };
    let mut reached: Vec<bool> = bodies.iter().map(|body| body.moving.is_none()).collect();
    let mut used = vec![false; joints.len()];
    let mut queue: Vec<usize> = (0..bodies.len()).filter(|body| reached[*body]).collect();
    let mut next = 0;
    loop {
        while let Some(&parent) = queue.get(next) {
            next += 1;
            for (index, joint) in joints.iter().enumerate().filter(|(index, _)| in_trees(index)) {
                let [a, b] = joint.bodies;
                let child = match parent {
                    _ if parent == a => b,
                    _ if parent == b => a,
                    _ => continue,
                };
                if !reached[child] {
                    (reached[child], used[index]) = (true, true);
                    forest.by[child] = Some(index);
                    forest.order.push(child);
                    queue.push(child);
                }
            }
        }
        let Some(root) = reached.iter().position(|reached| !reached) else { break };
        reached[root] = true;
        forest.order.push(root);
        queue.push(root);
    }
    forest.loops = (0..joints.len()).filter(|joint| !used[*joint]).collect();
    forest
}

pub(super) fn find(group: &mut [usize], mut of: usize) -> usize {
    while group[of] != of {
        group[of] = group[group[of]];
        of = group[of];
    }
    of
}

/// Joins two groups under the lower number; whether they were apart.
pub(super) fn join(group: &mut [usize], a: usize, b: usize) -> bool {
    let (a, b) = (find(group, a), find(group, b));
    group[a.max(b)] = a.min(b);
    a != b
}
