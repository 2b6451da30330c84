//! Which bodies of a scene collide, and with which friction: as few rules as say it.

use crate::Options;
use crate::fault::{Fault, Result};
use crate::robot::{Robot, Surface};
use carom::Material;
use carom_sim::motion::{BodyKind, Pair, Scene};

/// A body of the scene with shapes of one surface.
#[derive(Clone, Debug)]
pub struct Carrier {
    /// Of the scene.
    pub body: usize,
    /// The robot's body that it belongs to; none is fixed.
    pub head: Option<usize>,
    surface: Surface,
    /// The robot's body that excludes name, `Some(None)` is the world.
    of: Option<Option<usize>>,
    /// The shape that pairs name.
    id: Option<usize>,
    /// A floor that the robot's file does not have.
    ground: bool,
}

impl Carrier {
    pub fn new(
        body: usize,
        head: Option<usize>,
        surface: Surface,
        of: Option<Option<usize>>,
        id: Option<usize>,
    ) -> Self {
        Self { body, head, surface, of, id, ground: false }
    }

    /// A floor that collides with everything that collides at all.
    pub fn ground(body: usize, mu: f64) -> Self {
        let surface = Surface { contype: -1, conaffinity: -1, ..Surface::plain(mu) };
        Self { ground: true, ..Self::new(body, None, surface, None, None) }
    }

    /// Whether a shape collides as the shapes here.
    pub fn takes(&self, surface: &Surface, of: Option<Option<usize>>, id: Option<usize>) -> bool {
        self.surface == *surface && self.of == of && self.id == id
    }
}

/// The friction of each pair of carriers that collides.
pub struct Collisions {
    bodies: Vec<usize>,
    fixed: Vec<bool>,
    mu: Vec<Option<f64>>,
    e: f64,
}

impl Collisions {
    /// `parents` has what each body of the robot hangs on by joints: none of a free one, `Some(None)` the world.
    pub fn of(
        robot: &Robot,
        carriers: &[Carrier],
        parents: &[Option<Option<usize>>],
        options: &Options,
    ) -> Self {
        let count = carriers.len();
        let mut mu = vec![None; count * count];
        for i in 0..count {
            for j in 0..i {
                let found = friction(robot, &carriers[i], &carriers[j], parents, options);
                (mu[i * count + j], mu[j * count + i]) = (found, found);
            }
        }
        Self {
            bodies: carriers.iter().map(|carrier| carrier.body).collect(),
            fixed: carriers.iter().map(|carrier| carrier.head.is_none()).collect(),
            mu,
            e: options.e,
        }
    }

    /// The bodies that a body of the scene collides with.
    pub fn partners(&self, body: usize) -> impl Iterator<Item = usize> + '_ {
        let count = self.bodies.len();
        let mine = (0..count).filter(move |i| self.bodies[*i] == body);
        mine.flat_map(move |i| {
            let row = (0..count).filter(move |j| self.mu[i * count + j].is_some());
            row.map(|j| self.bodies[j])
        })
    }

    /// Two bodies of the scene do not collide.
    pub fn leave_out(&mut self, a: usize, b: usize) {
        let count = self.bodies.len();
        for i in 0..count {
            for j in 0..count {
                if self.bodies[i] == a && self.bodies[j] == b {
                    (self.mu[i * count + j], self.mu[j * count + i]) = (None, None);
                }
            }
        }
    }

    /// Rules for a scene.
    pub fn pairs(&self, scene: &Scene) -> Result<Vec<Pair>> {
        let count = self.bodies.len();
        let joined = |i: usize, j: usize| {
            let (a, b) = (self.bodies[i], self.bodies[j]);
            scene
                .joints
                .iter()
                .any(|joint| (joint.a == a && joint.b == b) || (joint.a == b && joint.b == a))
        };
        // Pairs that rules for any body reach.
        let mut open = vec![false; count * count];
        for i in 0..count {
            for j in 0..i {
                let reached = !((self.fixed[i] && self.fixed[j]) || joined(i, j));
                (open[i * count + j], open[j * count + i]) = (reached, reached);
            }
        }
        let mut named = vec![false; count * count];
        for i in 0..count {
            for j in 0..i {
                named[i * count + j] = self.mu[i * count + j].is_some();
            }
        }
        let mut rules: Vec<(Option<usize>, Option<usize>, f64)> = Vec::new();
        let mut reached =
            (0..count).flat_map(|i| (0..i).map(move |j| i * count + j)).filter(|at| open[*at]);
        let first = reached.next().and_then(|at| self.mu[at]);
        if let Some(mu) = first
            && reached.all(|at| self.mu[at] == Some(mu))
        {
            rules.push((None, None, mu));
            for i in 0..count {
                for j in 0..i {
                    named[i * count + j] &= !open[i * count + j];
                }
            }
        } else {
            for i in 0..count {
                let mut row =
                    (0..count).map(|j| i * count + j).filter(|at| open[*at]).map(|at| self.mu[at]);
                let Some(Some(mu)) = row.next() else { continue };
                let mut more = 0;
                if row.all(|other| {
                    more += 1;
                    other == Some(mu)
                }) && more > 0
                {
                    rules.push((Some(self.bodies[i]), None, mu));
                    for j in 0..count {
                        if open[i * count + j] {
                            named[i.max(j) * count + i.min(j)] = false;
                        }
                    }
                }
            }
        }
        for i in 0..count {
            for j in 0..i {
                if let (true, Some(mu)) = (named[i * count + j], self.mu[i * count + j]) {
                    let (a, b) = (self.bodies[i], self.bodies[j]);
                    rules.push((Some(a.min(b)), Some(a.max(b)), mu));
                }
            }
        }
        let is_moving = |body: usize| matches!(scene.bodies[body].kind, BodyKind::Moving { .. });
        rules
            .into_iter()
            .filter(|(a, b, _)| {
                // Two fixed bodies never collide.
                let [a, b] = [a, b].map(|body| body.is_none_or(is_moving));
                a || b
            })
            .map(|(a, b, mu)| {
                let material = Material::new(mu, self.e);
                let material = material.map_err(|error| Fault::of_call(error.to_string()))?;
                Ok(Pair { a, b, material })
            })
            .collect()
    }
}

/// The friction of two carriers; none if they do not collide.
fn friction(
    robot: &Robot,
    a: &Carrier,
    b: &Carrier,
    parents: &[Option<Option<usize>>],
    options: &Options,
) -> Option<f64> {
    if a.head == b.head {
        return None;
    }
    if let (Some(x), Some(y)) = (a.id, b.id)
        && let Some(pair) = robot.pairs.iter().rev().find(|p| p.ids == [x, y] || p.ids == [y, x])
    {
        return Some(pair.mu);
    }
    if let (Some(x), Some(y)) = (a.of, b.of)
        && robot.excludes.iter().any(|pair| *pair == [x, y] || *pair == [y, x])
    {
        return None;
    }
    if !a.surface.meets(&b.surface) {
        return None;
    }
    if !options.self_collision && a.head.is_some() && b.head.is_some() {
        return None;
    }
    let hangs_on = |child: &Carrier, parent: &Carrier| {
        let on = child.head.and_then(|head| parents[head]);
        let world = robot.world_is_no_neighbour || parent.ground;
        match on {
            Some(None) => parent.head.is_none() && !world,
            Some(on) => on == parent.head,
            None => false,
        }
    };
    if hangs_on(a, b) || hangs_on(b, a) {
        return None;
    }
    Some(a.surface.friction(&b.surface))
}
