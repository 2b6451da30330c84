//! Contacts that `W` does not couple never influence each other.

use super::{ContactProblem, Operator};

/// Contacts coupled to each other, directly or through others, and to no others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Island {
    /// Indices of the contacts, ascending.
    pub contacts: Vec<usize>,
}

impl ContactProblem {
    /// The islands of the problem, ordered by their first contact.
    pub fn islands(&self) -> Vec<Island> {
        self.separate_islands()
            .unwrap_or_else(|| vec![Island { contacts: (0..self.len()).collect() }])
    }

    /// The islands if there are several.
    pub(crate) fn separate_islands(&self) -> Option<Vec<Island>> {
        // Chains and most others are listed such that each contact is coupled to one before it.
        let joins = |k: usize| {
            let first = self.row_range(k).start;
            self.row_range(k).any(|row| self.delassus().is_coupled_below(row, first))
        };
        if (1..self.len()).all(joins) {
            return None;
        }
        let mut owner = vec![0; self.rows()];
        for k in 0..self.len() {
            owner[self.row_range(k)].fill(k as u32);
        }
        let groups = connected(self.delassus(), &owner, self.len());
        let islands = groups.into_iter().map(|contacts| Island { contacts });
        Some(islands.collect()).filter(|islands: &Vec<Island>| islands.len() > 1)
    }
}

/// The connected groups of `count` owners of rows of `W`, each ascending, ordered by their first member.
pub(crate) fn connected(w: &Operator, owner: &[u32], count: usize) -> Vec<Vec<usize>> {
    connected_by(owner, count, |take| w.for_couplings(take))
}

/// The connected groups of `count` owners of rows, each ascending, ordered by their first member. `couplings` hands over
/// pairs of rows.
pub(crate) fn connected_by(
    owner: &[u32],
    count: usize,
    couplings: impl FnOnce(&mut dyn FnMut(usize, usize)),
) -> Vec<Vec<usize>> {
    // Union–find; every root is the smallest index of its set.
    let mut root: Vec<usize> = (0..count).collect();
    fn find(root: &mut [usize], mut k: usize) -> usize {
        while root[k] != k {
            root[k] = root[root[k]];
            k = root[k];
        }
        k
    }
    couplings(&mut |i, j| {
        let [x, y] = [i, j].map(|row| find(&mut root, owner[row] as usize));
        root[x.max(y)] = x.min(y);
    });
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut group_of = vec![usize::MAX; count];
    for k in 0..count {
        let r = find(&mut root, k);
        if r == k {
            group_of[k] = groups.len();
            groups.push(Vec::new());
        }
        groups[group_of[r]].push(k);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ContactSpec, ImpactError, Material};

    #[test]
    fn the_first_and_the_last_of_three_contacts_are_coupled() -> Result<(), ImpactError> {
        let w = [2.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 2.0];
        let contact = ContactSpec::new(1, Material::new(0.0, 0.5)?);
        let problem = ContactProblem::new(&w, &[-1.0; 3], &[contact; 3])?;
        let islands: Vec<_> = problem.islands().into_iter().map(|i| i.contacts).collect();
        assert_eq!(islands, [vec![0, 2], vec![1]]);
        assert!(problem.restricted_to(&[0, 2]).separate_islands().is_none());
        Ok(())
    }
}
