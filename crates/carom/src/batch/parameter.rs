//! Friction and restitution of the impacts of a batch.

use super::{BLOCK, Block};

/// A number of each impact.
#[derive(Clone, Copy, Debug)]
pub enum Parameter<'a> {
    /// The same for all \[1\].
    Common(f64),
    /// One by one \[1\].
    Each(&'a [f64]),
}

impl Parameter<'_> {
    pub(crate) fn at(&self, i: usize) -> f64 {
        match self {
            Self::Common(x) => *x,
            Self::Each(x) => x[i],
        }
    }

    /// How many there are, if not one for all.
    pub(crate) fn len(&self) -> Option<usize> {
        match self {
            Self::Common(_) => None,
            Self::Each(x) => Some(x.len()),
        }
    }
}

/// `mu`, `e`, `e_t`, block by block.
pub(crate) struct Materials<'a> {
    parameters: [Parameter<'a>; 3],
    /// Common numbers, as often as a block has them; zero where each impact has its own.
    common: [Block; 3],
}

impl<'a> Materials<'a> {
    pub(crate) fn new(parameters: [Parameter<'a>; 3]) -> Self {
        let common = parameters.map(|parameter| match parameter {
            Parameter::Common(x) => [x; BLOCK],
            Parameter::Each(_) => [0.0; BLOCK],
        });
        Self { parameters, common }
    }

    /// None if the block is short.
    pub(crate) fn block(&self, first: usize) -> Option<[&Block; 3]> {
        let block = |k: usize| match self.parameters[k] {
            Parameter::Common(_) => Some(&self.common[k]),
            Parameter::Each(x) => x[first..].first_chunk(),
        };
        Some([block(0)?, block(1)?, block(2)?])
    }
}
