//! `chain`: masses on a line, each touching the next.

use super::AnySystem;
use super::cursor::Cursor;
use super::keys::{self, Key};
use super::node::Node;
use carom::ImpactError;
use carom::system::Chain;

/// No chain may be longer \[1\]: written with `count`, a few bytes could ask for more memory than there is.
pub const CHAIN_LIMIT: usize = 1 << 22;

pub fn read(root: &Cursor) -> Result<AnySystem, ImpactError> {
    let chain = root.require(&keys::CHAIN)?;
    chain.check_keys(&keys::CHAIN_TABLE)?;
    let mass = chain.require(&keys::CHAIN_MASS)?;
    let velocity = chain.require(&keys::CHAIN_VELOCITY)?;
    let e = chain.require(&keys::CHAIN_E)?;
    let count = length(&chain, &mass, &velocity)?;
    let masses = one_or_each(&mass, count)?;
    if masses.len() != count {
        let reason = format!("must have {count} numbers, as `count` says");
        return Err(mass.refuse(reason));
    }
    let velocities = match velocity.node {
        Node::Table(_) => generated(&velocity, count)?,
        _ => velocity.numbers()?.to_vec(),
    };
    let restitution = one_or_each(&e, count.saturating_sub(1))?;
    Chain::new(masses, velocities, restitution)
        .map(AnySystem::Chain)
        .map_err(|error| match error {
            // The file gave one number for all of them.
            ImpactError::BadProblem { field, value, reason } => {
                let field = match field.as_str() {
                    "e[0]" if is_number(&e) => "e".to_owned(),
                    "mass[0]" if is_number(&mass) => "mass".to_owned(),
                    _ => field,
                };
                ImpactError::BadProblem { field, value, reason }
            }
            other => other,
        })
        .map_err(|error| error.within(keys::CHAIN.name))
}

/// How many masses there are: said, or seen from a list.
fn length(chain: &Cursor, mass: &Cursor, velocity: &Cursor) -> Result<usize, ImpactError> {
    let (count, teller) = match (chain.get(keys::CHAIN_COUNT.name), mass.node, velocity.node) {
        (Some(count), ..) => (count.count()?, keys::CHAIN_COUNT.name),
        (None, Node::Numbers(list), _) => (list.len(), keys::CHAIN_MASS.name),
        (None, _, Node::Numbers(list)) => (list.len(), keys::CHAIN_VELOCITY.name),
        // A list that is not all numbers: reading it says which entry is at fault.
        (None, Node::List(_), _) => (mass.numbers()?.len(), keys::CHAIN_MASS.name),
        (None, ..) => {
            let reason = "required where neither `mass` nor `velocity` is a list";
            return Err(chain.missing(keys::CHAIN_COUNT.name, reason));
        }
    };
    if count > CHAIN_LIMIT {
        let what = format!("{teller} makes a chain of {count}; it may have {CHAIN_LIMIT} masses");
        return Err(ImpactError::Limit(what));
    }
    Ok(count)
}

fn is_number(value: &Cursor) -> bool {
    matches!(value.node, Node::Number(_))
}

/// The numbers of a list, or one number so many times.
fn one_or_each(value: &Cursor, count: usize) -> Result<Vec<f64>, ImpactError> {
    match is_number(value) {
        true => Ok(vec![value.number()?; count]),
        false => value.numbers().map(<[f64]>::to_vec),
    }
}

/// Velocities by their first, their last, and all others.
fn generated(velocity: &Cursor, count: usize) -> Result<Vec<f64>, ImpactError> {
    velocity.check_keys(&keys::CHAIN_VELOCITIES)?;
    let number = |key: &'static Key| velocity.get(key.name).map(|v| v.number()).transpose();
    let mut velocities = vec![number(&keys::OTHERS)?.unwrap_or(0.0); count];
    if let (Some(v), Some(first)) = (number(&keys::FIRST)?, velocities.first_mut()) {
        *first = v;
    }
    if let (Some(v), Some(last)) = (number(&keys::LAST)?, velocities.last_mut()) {
        *last = v;
    }
    Ok(velocities)
}
