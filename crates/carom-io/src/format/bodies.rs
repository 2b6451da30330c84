//! `bodies`, `joints`, `contacts`: rigid bodies in the world frame.

use super::contact::read_contact;
use super::cursor::Cursor;
use super::node::Node;
use super::{AnySystem, Names, check_matrix_size, keys};
use crate::plain;
use carom::ImpactError;
use carom::system::{Bodies, Body, BodyContact, Inertia, Joint, JointKind, Motion, Orientation};

pub fn read(root: &Cursor) -> Result<AnySystem, ImpactError> {
    let mut bodies: Vec<Body> = Vec::new();
    let mut names = Names::default();
    root.require(&keys::BODIES)?.each(|i, cursor| {
        let body = read_body(&cursor)?;
        names.insert(&cursor.require(&keys::NAME)?, i)?;
        bodies.push(body);
        Ok(())
    })?;
    // Absent only if every body is fixed and none has a position; the library says so.
    let dimension =
        bodies.iter().map(|body| body.position.len()).find(|length| *length > 0).unwrap_or(3);

    let contact_list = root.require(&keys::BODY_CONTACTS)?;
    let mut joints = Vec::new();
    if let Some(list) = root.get(keys::JOINTS.name) {
        // A weld in space has six rows, and no joint more.
        let rows = 6 * list.length()?;
        check_matrix_size("B M⁻¹ Bᵀ", rows, rows)?;
        // Joints fill the contacts' rows, and a body has at most six coordinates.
        check_matrix_size("J M⁻¹ Bᵀ", 3 * contact_list.length()?, 6 * bodies.len())?;
        list.each(|_, joint| {
            joints.push(read_joint(&joint, &names)?);
            Ok(())
        })?;
    }
    let mut contacts = Vec::with_capacity(contact_list.length()?);
    contact_list.each(|_, contact| {
        contacts.push(read_body_contact(&contact, &names, dimension)?);
        Ok(())
    })?;
    // Bodies were told apart; from here on names are only shown.
    let names = bodies.iter().map(|body| plain::name(&body.name).into_owned()).collect();
    Ok(AnySystem::Bodies { system: Bodies::new(bodies, joints, contacts)?, names })
}

fn read_body(body: &Cursor) -> Result<Body, ImpactError> {
    body.check_keys(&keys::BODY)?;
    let fixed = body.get(keys::FIXED.name).map_or(Ok(false), |fixed| fixed.switch())?;
    let mass = body.get(keys::BODY_MASS.name);
    let inertia = body.get(keys::INERTIA.name);
    let motion = match (fixed, mass) {
        (true, None) => match inertia {
            None => Motion::Fixed,
            Some(inertia) => return Err(inertia.refuse("a fixed body has no inertia")),
        },
        (true, Some(mass)) => return Err(mass.refuse("a fixed body has no mass")),
        (false, Some(mass)) => Motion::Free {
            mass: mass.number()?,
            inertia: inertia.map_or(Ok(Inertia::Point), |inertia| read_inertia(&inertia))?,
        },
        (false, None) => {
            let reason = "required, unless the body is an obstacle: then say `fixed` = true";
            return Err(body.missing(keys::BODY_MASS.name, reason));
        }
    };
    let vector = |key: &'static keys::Key| {
        body.get(key.name).map_or(Ok(Vec::new()), |values| values.numbers().map(<[f64]>::to_vec))
    };
    if !fixed {
        body.require(&keys::POSITION)?;
    }
    Ok(Body {
        name: body.require(&keys::NAME)?.text()?.to_owned(),
        motion,
        position: vector(&keys::POSITION)?,
        orientation: body
            .get(keys::ORIENTATION.name)
            .map_or(Ok(Orientation::Identity), |o| read_orientation(&o))?,
        velocity: vector(&keys::BODY_VELOCITY)?,
        angular_velocity: body.get(keys::ANGULAR_VELOCITY.name).map_or(Ok(Vec::new()), |spin| {
            match spin.node {
                Node::Number(_) => Ok(vec![spin.number()?]),
                _ => spin.numbers().map(<[f64]>::to_vec),
            }
        })?,
    })
}

/// A number, three principal moments, or a tensor.
pub fn read_inertia(inertia: &Cursor) -> Result<Inertia, ImpactError> {
    let expected = "must be a number in the plane; in space 3 moments, or 3 rows of 3 numbers";
    match inertia.node {
        Node::Number(_) => inertia.number().map(Inertia::Planar),
        Node::Numbers(_) => <[f64; 3]>::try_from(inertia.numbers()?)
            .map(Inertia::Principal)
            .map_err(|_| inertia.refuse(expected)),
        Node::List(_) => {
            let tensor = inertia.matrix()?;
            match (tensor.rows, tensor.columns, &tensor.entries[..]) {
                (3, 3, &[a, b, c, d, e, f, g, h, i]) => {
                    Ok(Inertia::Tensor([[a, b, c], [d, e, f], [g, h, i]]))
                }
                _ => Err(inertia.refuse(expected)),
            }
        }
        _ => Err(inertia.refuse(expected)),
    }
}

/// An angle or a quaternion.
pub fn read_orientation(orientation: &Cursor) -> Result<Orientation, ImpactError> {
    match orientation.node {
        Node::Number(_) => orientation.number().map(Orientation::Angle),
        _ => <[f64; 4]>::try_from(orientation.numbers()?).map(Orientation::Quaternion).map_err(
            |_| orientation.refuse("must be an angle in the plane, or a quaternion [w, x, y, z]"),
        ),
    }
}

fn read_joint(joint: &Cursor, names: &Names) -> Result<Joint, ImpactError> {
    joint.check_keys(&keys::JOINT)?;
    let kinds = [
        ("ball", JointKind::Ball),
        ("hinge", JointKind::Hinge),
        ("slider", JointKind::Slider),
        ("weld", JointKind::Weld),
    ];
    Ok(Joint {
        kind: joint.require(&keys::JOINT_TYPE)?.choice(&kinds)?,
        a: names.index(&joint.require(&keys::JOINT_A)?)?,
        b: names.index(&joint.require(&keys::JOINT_B)?)?,
        point: joint.require(&keys::JOINT_POINT)?.numbers()?.to_vec(),
        axis: joint
            .get(keys::AXIS.name)
            .map(|axis| axis.numbers().map(<[f64]>::to_vec))
            .transpose()?,
    })
}

fn read_body_contact(
    contact: &Cursor,
    names: &Names,
    dimension: usize,
) -> Result<BodyContact, ImpactError> {
    let spec = read_contact(contact, &keys::BODY_CONTACT)?.with_rows(dimension);
    Ok(BodyContact {
        a: names.index(&contact.require(&keys::CONTACT_A)?)?,
        b: names.index(&contact.require(&keys::CONTACT_B)?)?,
        point: contact.require(&keys::POINT)?.numbers()?.to_vec(),
        normal: contact.require(&keys::NORMAL)?.numbers()?.to_vec(),
        tangent: contact
            .get(keys::TANGENT.name)
            .map(|tangent| tangent.numbers().map(<[f64]>::to_vec))
            .transpose()?,
        spec,
    })
}
