//! The contacts of a problem, whatever its form.

use super::cursor::Cursor;
use super::keys::{self, KeyTable, Reader};
use super::node::Node;
use carom::{ContactSpec, ImpactError, Material, Restitution};

/// Reads every contact. Those that do not say how many `rows` they own share what is left of `total` equally.
pub fn read_contacts(
    contacts: &Cursor,
    total: usize,
    sized_by: &str,
) -> Result<Vec<ContactSpec>, ImpactError> {
    let mut specs = Vec::with_capacity(contacts.length()?);
    let mut unsized_contacts = Vec::new();
    let mut taken = 0;
    contacts.each(|i, contact| {
        let spec = read_contact(&contact, &keys::CONTACT)?;
        match spec.rows {
            Some(rows) => taken += rows,
            None => unsized_contacts.push(i),
        }
        specs.push(spec);
        Ok(())
    })?;
    let share = match unsized_contacts.len() {
        0 => 0,
        sharing => {
            let left = total.saturating_sub(taken);
            if left % sharing != 0 || !(1..=3).contains(&(left / sharing)) {
                let reason = format!(
                    "cannot share the {left} rows of {sized_by} equally, 1 to 3 each: give every contact its `rows`"
                );
                let value = format!("{sharing} contacts without `rows`");
                return Err(ImpactError::bad_problem("contacts", value, reason));
            }
            left / sharing
        }
    };
    Ok(specs.into_iter().map(|spec| spec.with_rows(share)).collect())
}

/// A contact that may not yet know how many rows it owns.
pub struct UnsizedContact {
    /// What the file says.
    pub rows: Option<usize>,
    spec: ContactSpec,
}

impl UnsizedContact {
    /// The contact with this many rows, if it did not say itself.
    pub fn with_rows(self, default: usize) -> ContactSpec {
        ContactSpec { rows: self.rows.unwrap_or(default), ..self.spec }
    }
}

/// Reads one contact, its keys checked against `table`.
pub fn read_contact(contact: &Cursor, table: &KeyTable) -> Result<UnsizedContact, ImpactError> {
    contact.check_keys(table)?;
    let rows = match contact.get(keys::ROWS.name) {
        None => None,
        Some(rows) => match rows.count() {
            Ok(n @ 1..=3) => Some(n),
            _ => return Err(rows.refuse("must be 1, 2 or 3")),
        },
    };
    let mut spec = ContactSpec::new(1, Material::default());
    for key in keys::of_contacts() {
        let Some(value) = wanted(contact, key)? else { continue };
        match key.reader {
            Some(Reader::Material(read)) => read(&value, &mut spec.material)?,
            Some(Reader::Contact(read)) => read(&value, &mut spec)?,
            None => {}
        }
    }
    Ok(UnsizedContact { rows, spec })
}

/// Reads what surfaces are like, its numbers in range. Keys are not checked: others may stand beside.
pub fn read_material(table: &Cursor) -> Result<Material, ImpactError> {
    let mut material = Material::default();
    for key in keys::MATERIAL_KEYS {
        let Some(value) = wanted(table, key)? else { continue };
        if let Some(Reader::Material(read)) = key.reader {
            read(&value, &mut material)?;
        }
    }
    material.validated().map_err(|error| error.within(&table.path()))
}

/// What stands under a key, which may be absent only if nothing requires it.
fn wanted<'a>(
    table: &'a Cursor<'a>,
    key: &'static keys::Key,
) -> Result<Option<Cursor<'a>>, ImpactError> {
    match table.get(key.name) {
        None if !key.required => Ok(None),
        _ => table.require(key).map(Some),
    }
}

/// A number, or the table of a curve.
pub fn read_restitution(e: &Cursor) -> Result<Restitution, ImpactError> {
    match e.node {
        Node::Table(_) => {
            e.check_keys(&keys::CURVE)?;
            Ok(Restitution::Curve {
                minimum: e.require(&keys::MINIMUM)?.number()?,
                capture_speed: e.require(&keys::CAPTURE_SPEED)?.number()?,
                plastic_speed: e.require(&keys::PLASTIC_SPEED)?.number()?,
            })
        }
        Node::Number(_) => e.number().map(Restitution::Constant),
        _ => Err(e.refuse("must be a number or a table {minimum, capture_speed, plastic_speed}")),
    }
}

/// A number, or one per tangent.
pub fn read_impulse_ratio(ratio: &Cursor) -> Result<[f64; 2], ImpactError> {
    match ratio.node {
        Node::Number(_) => Ok([ratio.number()?, 0.0]),
        _ => match ratio.numbers()? {
            [t] => Ok([*t, 0.0]),
            [t1, t2] => Ok([*t1, *t2]),
            _ => Err(ratio.refuse("must be one number, or one per tangent")),
        },
    }
}
