//! `chain`: masses on a line, each touching the next.

use super::cursor::Cursor;
use super::node::Node;
use super::{System, check_matrix_size, keys};
use carom::ImpactError;
use carom::system::Chain;

pub fn read(root: &Cursor) -> Result<System, ImpactError> {
    let chain = root.require(&keys::CHAIN)?;
    chain.check_keys(&keys::CHAIN_TABLE)?;
    let mass = chain.require(&keys::CHAIN_MASS)?.numbers()?;
    let velocity = chain.require(&keys::CHAIN_VELOCITY)?.numbers()?;
    check_matrix_size("W", mass.len(), mass.len())?;
    let e = chain.require(&keys::CHAIN_E)?;
    let is_common = matches!(e.node, Node::Number(_));
    let restitution = if is_common {
        vec![e.number()?; mass.len().saturating_sub(1)]
    } else {
        e.numbers()?.to_vec()
    };
    Chain::new(mass.to_vec(), velocity.to_vec(), restitution)
        .map(System::Chain)
        .map_err(|error| match error {
            // The file gave one number for all pairs.
            ImpactError::BadProblem { field, value, reason } if is_common && field == "e[0]" => {
                ImpactError::bad_problem("e", value, reason)
            }
            other => other,
        })
        .map_err(|error| error.within(keys::CHAIN.name))
}
