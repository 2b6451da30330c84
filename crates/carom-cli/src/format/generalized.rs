//! `mass`, `jacobian`, `velocity`, `contacts`: a mechanism as multibody codes know it.

use super::contact::read_contacts;
use super::cursor::{Cursor, Matrix};
use super::node::Node;
use super::{System, check_matrix_size, keys};
use carom::ImpactError;
use carom::system::{Generalized, MassMatrix};

pub fn read(root: &Cursor) -> Result<System, ImpactError> {
    let velocity = root.require(&keys::VELOCITY)?.numbers()?;
    let coordinates = velocity.len();
    let mass = read_mass(&root.require(&keys::MASS)?, coordinates)?;
    let drive = root.get(keys::DRIVE.name).map(|drive| drive.numbers()).transpose()?;

    let jacobian = root.require(&keys::JACOBIAN)?;
    let contacts = root.require(&keys::CONTACTS)?;
    let rows = match drive {
        Some(drive) => drive.len(),
        None => rows_of(&jacobian)?,
    };
    let contacts = read_contacts(&contacts, rows, keys::JACOBIAN.name)?;
    let rows = contacts.iter().map(|contact| contact.rows).sum();
    check_matrix_size("W", rows, rows)?;
    check_matrix_size(keys::JACOBIAN.name, rows, coordinates)?;
    let jacobian = match jacobian.node {
        Node::Table(_) => read_triplets(&jacobian, rows, coordinates)?,
        _ => sized(&jacobian, Some(rows), coordinates)?.entries,
    };

    let mut system = Generalized::new(mass, velocity.to_vec(), jacobian, contacts)?;
    if let Some(bilateral) = root.get(keys::BILATERAL.name) {
        let rows = sized(&bilateral, None, coordinates)?;
        check_matrix_size("B M⁻¹ Bᵀ", rows.rows, rows.rows)?;
        if let Some(groups) = root.get(keys::BILATERAL_GROUPS.name) {
            check_groups(&groups, rows.rows)?;
        }
        system = system.with_bilateral(rows.entries)?;
    } else if let Some(groups) = root.get(keys::BILATERAL_GROUPS.name) {
        return Err(groups.refuse("groups rows of `bilateral`, which is absent"));
    }
    if let Some(drive) = drive {
        system = system.with_drive(drive.to_vec())?;
    }
    Ok(System::Generalized(system))
}

fn read_mass(mass: &Cursor, coordinates: usize) -> Result<MassMatrix, ImpactError> {
    check_matrix_size(keys::MASS.name, coordinates, coordinates)?;
    match mass.node {
        // Also the empty list, whose length is then refused like any other.
        Node::Numbers(_) => {
            let diagonal = mass.numbers_of(coordinates, "one per generalized velocity")?;
            Ok(MassMatrix::Diagonal(diagonal.to_vec()))
        }
        _ => {
            let dense = sized(mass, Some(coordinates), coordinates)?;
            Ok(MassMatrix::Dense(dense.entries))
        }
    }
}

/// A matrix whose columns belong to the generalized velocities.
fn sized(matrix: &Cursor, rows: Option<usize>, columns: usize) -> Result<Matrix, ImpactError> {
    let read = matrix.matrix()?;
    let wanted = rows.unwrap_or(read.rows);
    if read.rows != wanted || (read.columns != columns && read.rows > 0) {
        let size = format!("{} × {}", read.rows, read.columns);
        let reason = format!(
            "it is {size} and must be {wanted} × {columns}: `velocity` has {columns} numbers"
        );
        return Err(matrix.refuse(reason));
    }
    Ok(read)
}

/// How many rows the Jacobian has; triplets tell no more than their last row.
fn rows_of(jacobian: &Cursor) -> Result<usize, ImpactError> {
    if !matches!(jacobian.node, Node::Table(_)) {
        return jacobian.len();
    }
    jacobian.check_keys(&keys::TRIPLETS)?;
    let mut rows = 0;
    jacobian.require(&keys::TRIPLET_ROWS)?.each(|_, row| {
        rows = rows.max(row.count()?.saturating_add(1));
        Ok(())
    })?;
    Ok(rows)
}

fn read_triplets(jacobian: &Cursor, rows: usize, columns: usize) -> Result<Vec<f64>, ImpactError> {
    jacobian.check_keys(&keys::TRIPLETS)?;
    let values = jacobian.require(&keys::TRIPLET_VALUES)?.numbers()?;
    let indices = |key: &'static keys::Key, limit: usize| {
        let list = jacobian.require(key)?;
        list.numbers_of(values.len(), "one per entry of `values`")?;
        let mut indices = Vec::with_capacity(values.len());
        list.each(|_, index| match index.count()? {
            i if i < limit => {
                indices.push(i);
                Ok(())
            }
            _ => Err(index.refuse(format!("must be below {limit}: indices count from 0"))),
        })?;
        Ok::<_, ImpactError>(indices)
    };
    let row_of = indices(&keys::TRIPLET_ROWS, rows)?;
    let column_of = indices(&keys::TRIPLET_COLS, columns)?;
    let mut dense = vec![0.0; rows * columns];
    for ((row, column), value) in row_of.into_iter().zip(column_of).zip(values) {
        dense[row * columns + column] += value;
    }
    Ok(dense)
}

/// Groups tell joints apart for laws that treat them one by one; here they only have to fit.
fn check_groups(groups: &Cursor, rows: usize) -> Result<(), ImpactError> {
    let mut total = 0usize;
    groups.each(|_, group| {
        total = total.saturating_add(group.count()?);
        Ok(())
    })?;
    if total != rows {
        return Err(
            groups.refuse(format!("they own {total} rows together and `bilateral` has {rows}"))
        );
    }
    Ok(())
}
