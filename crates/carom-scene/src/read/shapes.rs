//! What can touch.

use super::bodies::unit_quaternion;
use super::{Space, positive};
use crate::keys;
use carom::ImpactError;
use carom_io::format::keys::{Key, KeyTable};
use carom_io::format::{Cursor, Node};
use carom_sim::motion::Shape;

/// Where a kind of shape belongs.
#[derive(Clone, Copy, PartialEq)]
enum Where {
    Plane,
    Space,
    Both,
}

/// Each kind: where it belongs, and what it is called in the other dimension.
const PLACES: [(&str, Where, Option<&str>); 10] = [
    ("sphere", Where::Space, Some("disk")),
    ("capsule", Where::Both, None),
    ("box", Where::Space, Some("polygon")),
    ("cylinder", Where::Space, None),
    ("convex", Where::Space, Some("polygon")),
    ("points", Where::Both, None),
    ("half-space", Where::Space, Some("half-plane")),
    ("disk", Where::Plane, Some("sphere")),
    ("polygon", Where::Plane, Some("convex")),
    ("half-plane", Where::Plane, Some("half-space")),
];

/// Reads a shape.
pub fn read(shape: &Cursor, space: &Space, fixed: bool) -> Result<Shape, ImpactError> {
    if !matches!(shape.node, Node::Table(_)) {
        return Err(shape.refuse("must be a table with the shape's `type` and sizes"));
    }
    let kind = shape.require(&keys::SHAPE_TYPE)?;
    let choices: Vec<(&str, (&str, &KeyTable))> =
        keys::SHAPE_KINDS.iter().map(|(name, table)| (*name, (*name, *table))).collect();
    let (name, table) = kind.choice(&choices)?;
    check_place(&kind, name, space)?;
    shape.check_keys(table)?;
    let center = |key: &'static Key| space.vector_or_zero(shape, key);
    Ok(match name {
        "sphere" | "disk" => Shape::Sphere {
            radius: positive(&shape.require(&keys::RADIUS)?)?,
            center: center(&keys::CENTER)?,
        },
        "capsule" => Shape::Capsule {
            radius: positive(&shape.require(&keys::CAPSULE_RADIUS)?)?,
            from: space.vector(&shape.require(&keys::FROM)?)?,
            to: space.vector(&shape.require(&keys::TO)?)?,
        },
        "box" => read_box(shape, space)?,
        "cylinder" => Shape::Cylinder {
            radius: positive(&shape.require(&keys::CYLINDER_RADIUS)?)?,
            half_height: positive(&shape.require(&keys::HALF_HEIGHT)?)?,
            axis: space.direction(&shape.require(&keys::CYLINDER_AXIS)?)?,
            center: center(&keys::CYLINDER_CENTER)?,
        },
        "convex" => Shape::Convex { points: read_points(shape, space, 4)? },
        "polygon" => Shape::Polygon { points: read_polygon(shape, space)? },
        "points" => Shape::Points { points: read_points(shape, space, 1)? },
        _ if !fixed => {
            return Err(kind.refuse(format!("a {name} has no end: only a fixed body can have one")));
        }
        _ => Shape::HalfSpace {
            normal: space.direction(&shape.require(&keys::NORMAL)?)?,
            offset: shape.require(&keys::OFFSET)?.number()?,
        },
    })
}

fn check_place(kind: &Cursor, name: &str, space: &Space) -> Result<(), ImpactError> {
    let (here, there) = match space.is_plane() {
        true => (Where::Plane, "the scene is planar"),
        false => (Where::Space, "the scene is in space"),
    };
    match PLACES.iter().find(|(place, ..)| *place == name) {
        Some((_, place, other)) if *place != Where::Both && *place != here => {
            let hint = other.map_or_else(String::new, |o| format!("; did you mean \"{o}\"?"));
            let position = "positions have";
            let count = if space.is_plane() { 2 } else { 3 };
            Err(kind.refuse(format!("{there}, because {position} {count} numbers{hint}")))
        }
        _ => Ok(()),
    }
}

fn read_box(shape: &Cursor, space: &Space) -> Result<Shape, ImpactError> {
    let half = shape.require(&keys::HALF)?;
    half.each(|_, side| positive(&side).map(drop))?;
    let orientation = match shape.get(keys::BOX_ORIENTATION.name) {
        None => [1.0, 0.0, 0.0, 0.0],
        Some(turn) => match *turn.numbers()? {
            [w, x, y, z] => unit_quaternion(&turn, [w, x, y, z])?,
            _ => return Err(turn.refuse("must be a quaternion [w, x, y, z]")),
        },
    };
    Ok(Shape::Box {
        half: space.vector(&half)?,
        center: space.vector_or_zero(shape, &keys::BOX_CENTER)?,
        orientation,
    })
}

fn read_points(shape: &Cursor, space: &Space, least: usize) -> Result<Vec<[f64; 3]>, ImpactError> {
    let list = shape.require(&keys::POINTS)?;
    let count = list.length()?;
    if count < least {
        return Err(list.refuse_length(count, format!("must have {least} points or more")));
    }
    super::each(&list, |point| match point.node {
        Node::Numbers(_) | Node::List(_) => space.vector(point),
        _ => Err(point.refuse("must be a point: a list of numbers")),
    })
}

/// The corners of a convex polygon, counter-clockwise; files may go round either way.
fn read_polygon(shape: &Cursor, space: &Space) -> Result<Vec<[f64; 3]>, ImpactError> {
    let mut points = read_points(shape, space, 3)?;
    let list = shape.require(&keys::POINTS)?;
    let n = points.len();
    let corner = |i: usize| -> f64 {
        let [[ax, ay, _], [bx, by, _], [cx, cy, _]] = [i, i + 1, i + 2].map(|k| points[k % n]);
        (bx - ax) * (cy - by) - (by - ay) * (cx - bx)
    };
    let sense = corner(0);
    for i in 0..n {
        let turn = corner(i);
        if turn == 0.0 || (turn > 0.0) != (sense > 0.0) {
            let reason = "the polygon is not convex here, or three corners lie on a line";
            return Err(refuse_point(&list, (i + 1) % n, reason));
        }
    }
    if !winds_once(&points) {
        return Err(list.refuse("the corners go round more than once"));
    }
    if sense < 0.0 {
        points.reverse();
    }
    Ok(points)
}

/// Whether a closed line that always turns the same way turns by one full turn: its sides then change once from
/// going right to going left.
fn winds_once(points: &[[f64; 3]]) -> bool {
    let n = points.len();
    let right = |i: usize| {
        let ([ax, ay, _], [bx, by, _]) = (points[i % n], points[(i + 1) % n]);
        (bx - ax, by - ay) > (0.0, 0.0)
    };
    (0..n).filter(|i| right(*i) && !right(i + 1)).count() <= 1
}

fn refuse_point(list: &Cursor, index: usize, reason: &str) -> ImpactError {
    let mut error = list.refuse(reason);
    // Visiting is the only way to an entry.
    let visited = list.each(|i, point| if i == index { Err(point.refuse(reason)) } else { Ok(()) });
    if let Err(at_point) = visited {
        error = at_point;
    }
    error
}
