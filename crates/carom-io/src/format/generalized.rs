//! `mass`, `jacobian`, `velocity`, `contacts`: a mechanism as multibody codes know it.

use super::contact::read_contacts;
use super::cursor::{Cursor, Matrix};
use super::node::Node;
use super::{AnySystem, check_matrix_size, keys};
use carom::ImpactError;
use carom::system::{Generalized, MassMatrix};

pub fn read(root: &Cursor) -> Result<AnySystem, ImpactError> {
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
    let bilateral = root.get(keys::BILATERAL.name);
    if bilateral.is_some() || matches!(mass, MassMatrix::Dense(_)) {
        // Joints and a full mass matrix fill the contacts' rows.
        check_matrix_size("J M⁻¹", rows, coordinates)?;
    }
    let v = velocity.to_vec();
    let mut system = match jacobian.node {
        Node::Table(_) => {
            let entries = read_triplets(&jacobian, rows, coordinates)?;
            Generalized::from_triplets(mass, v, &entries, contacts)?
        }
        _ => {
            let entries = sized(&jacobian, Some(rows), coordinates)?.entries;
            Generalized::new(mass, v, entries, contacts)?
        }
    };
    let groups = root.get(keys::BILATERAL_GROUPS.name);
    match (bilateral, groups) {
        (Some(bilateral), groups) => {
            let rows = sized(&bilateral, None, coordinates)?;
            check_matrix_size("B M⁻¹ Bᵀ", rows.rows, rows.rows)?;
            system = system.with_bilateral(rows.entries)?;
            if let Some(groups) = groups {
                system = system.with_bilateral_groups(&groups.counts()?)?;
            }
        }
        (None, Some(groups)) => {
            return Err(groups.refuse("groups rows of `bilateral`, which is absent"));
        }
        (None, None) => {}
    }
    if let Some(drive) = drive {
        system = system.with_drive(drive.to_vec())?;
    }
    Ok(AnySystem::Generalized(system))
}

fn read_mass(mass: &Cursor, coordinates: usize) -> Result<MassMatrix, ImpactError> {
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
        return jacobian.length();
    }
    jacobian.check_keys(&keys::TRIPLETS)?;
    let mut rows = 0;
    jacobian.require(&keys::TRIPLET_ROWS)?.each(|_, row| {
        rows = rows.max(row.count()?.saturating_add(1));
        Ok(())
    })?;
    Ok(rows)
}

/// The entries of a sparse Jacobian: row, column, value.
fn read_triplets(
    jacobian: &Cursor,
    rows: usize,
    columns: usize,
) -> Result<Vec<(usize, usize, f64)>, ImpactError> {
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
    let places = row_of.into_iter().zip(column_of);
    Ok(places.zip(values).map(|((row, column), value)| (row, column, *value)).collect())
}
