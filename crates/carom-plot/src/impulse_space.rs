//! Impulse space: the permissible region, the lines that bound it, and where laws end.
//!
//! [ChatterjeeRuina1998] Figs 1–3 for planar contacts; in space the region is a solid, shown in projection and cut by
//! three planes.

mod planar;
mod solid;

pub(crate) use planar::{ellipse, shown};
pub(crate) use solid::Solid;

use crate::draw::Figure;
use crate::{Answer, Family, PlotError};
use carom::{Contact, ContactProblem};

/// The region of one contact with the impulses of laws. In the plane the laws named in `accessible` show all impulses
/// that they can give.
pub fn impulse_space(
    problem: &ContactProblem,
    answers: &[Answer],
    accessible: &[&str],
) -> Result<Figure, PlotError> {
    match one_contact(problem)? {
        One::Planar(contact) => planar::with_answers(&contact, answers, accessible),
        One::Spatial(_) if !accessible.is_empty() => Err(PlotError::new(
            "impulse-space",
            format!("the impulses that `{}` can give are drawn in the plane only", accessible[0]),
        )),
        One::Spatial(contact) => solid::with_answers(&contact, answers),
    }
}

/// The region of one contact with the track of each law's impulse while a parameter changes.
pub fn impulse_space_family(
    problem: &ContactProblem,
    family: &Family,
) -> Result<Figure, PlotError> {
    match one_contact(problem)? {
        One::Planar(contact) => planar::with_tracks(&contact, family),
        One::Spatial(contact) => solid::with_tracks(&contact, family),
    }
}

enum One {
    Planar(Contact<2>),
    Spatial(Contact<3>),
}

fn one_contact(problem: &ContactProblem) -> Result<One, PlotError> {
    if problem.len() != 1 {
        return Err(PlotError::new(
            "impulse-space",
            format!("it is drawn for one contact, this problem has {}", problem.len()),
        ));
    }
    match problem.rows() {
        2 => Ok(One::Planar(problem.contact::<2>(0)?)),
        3 => Ok(One::Spatial(problem.contact::<3>(0)?)),
        rows => Err(PlotError::new(
            "impulse-space",
            format!("it is drawn for contacts of 2 or 3 rows, this one has {rows}"),
        )),
    }
}
