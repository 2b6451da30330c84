//! Contacts that `W` does not couple never influence each other.

use super::ContactProblem;

/// Contacts coupled to each other, directly or through others, and to no one else.
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

    /// The islands if there are several; nothing if the problem is one.
    pub(crate) fn separate_islands(&self) -> Option<Vec<Island>> {
        // Chains and most others are listed such that each contact is coupled to one before it.
        let joins = |k: usize| {
            let first = self.row_range(k).start;
            self.row_range(k).any(|row| self.delassus().is_coupled_below(row, first))
        };
        if (1..self.len()).all(joins) {
            return None;
        }
        let islands = self.connected();
        (islands.len() > 1).then_some(islands)
    }

    fn connected(&self) -> Vec<Island> {
        // Union–find; every root is the smallest index of its set, so the order comes out by itself.
        let mut root: Vec<usize> = (0..self.len()).collect();
        fn find(root: &mut [usize], mut k: usize) -> usize {
            while root[k] != k {
                root[k] = root[root[k]];
                k = root[k];
            }
            k
        }
        let mut owner = vec![0; self.rows()];
        for k in 0..self.len() {
            owner[self.row_range(k)].fill(k);
        }
        self.delassus().for_couplings(|i, j| {
            let (x, y) = (find(&mut root, owner[i]), find(&mut root, owner[j]));
            root[x.max(y)] = x.min(y);
        });
        let mut islands: Vec<Island> = Vec::new();
        let mut island_of = vec![usize::MAX; self.len()];
        for k in 0..self.len() {
            let r = find(&mut root, k);
            if r == k {
                island_of[k] = islands.len();
                islands.push(Island { contacts: Vec::new() });
            }
            islands[island_of[r]].contacts.push(k);
        }
        islands
    }
}
