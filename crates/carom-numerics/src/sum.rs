//! Sums of very many terms.

/// Adds a term, keeping what rounding loses of it (Neumaier's way).
pub fn add(sum: &mut f64, lost: &mut f64, term: f64) {
    let total = *sum + term;
    *lost += if sum.abs() >= term.abs() { (*sum - total) + term } else { (term - total) + *sum };
    *sum = total;
}

#[cfg(test)]
mod tests {
    use super::add;

    #[test]
    fn nothing_is_lost_beside_a_large_term() {
        let (mut sum, mut lost) = (0.0, 0.0);
        [1e16, 1.0, 1.0, -1e16].into_iter().for_each(|term| add(&mut sum, &mut lost, term));
        assert_eq!(sum + lost, 2.0);
    }
}
