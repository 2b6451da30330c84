//! `delassus`, `contact_velocity`, `contacts`: an impact as the laws see it.

use super::contact::read_contacts;
use super::cursor::Cursor;
use super::{AnySystem, check_matrix_size, keys};
use carom::{ContactProblem, ImpactError};

pub fn read(root: &Cursor) -> Result<AnySystem, ImpactError> {
    let delassus = root.require(&keys::DELASSUS)?;
    let velocity = root.require(&keys::CONTACT_VELOCITY)?.numbers()?;
    let rows = velocity.len();
    let contacts =
        read_contacts(&root.require(&keys::CONTACTS)?, rows, keys::CONTACT_VELOCITY.name)?;
    check_matrix_size(keys::DELASSUS.name, rows, rows)?;
    let w = delassus.matrix()?;
    if (w.rows, w.columns) != (rows, rows) {
        let size = format!("a {} × {} matrix", w.rows, w.columns);
        let reason = format!("must be {rows} × {rows}, as contact_velocity has {rows} numbers");
        return Err(ImpactError::bad_problem(keys::DELASSUS.name, size, reason));
    }
    let problem = ContactProblem::new(&w.entries, velocity, &contacts)?;
    Ok(AnySystem::ContactSpace(problem))
}
