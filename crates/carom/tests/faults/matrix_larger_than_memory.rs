//! Symptom: `lzb`, and `stiff-limit` without friction, were ended by the system on 20,000 contacts of one body: they asked for
//! gigabytes.
//! Cause: the path keeps the entries of `W` of all rows that take part; where all rows are coupled, that is all of `W`, of
//! which only the factors are kept elsewhere.
//! Mend: the entries are counted before they are kept, and too many are an error.

use carom::system::{Generalized, MassMatrix};
use carom::{ContactSpec, ImpactError, Law, Material};

#[test]
fn a_matrix_that_does_not_fit_is_an_error() {
    const CONTACTS: usize = 20_000;
    let contacts =
        vec![ContactSpec::new(1, Material::new(0.0, 0.5).expect("a material")); CONTACTS];
    let system = Generalized::new(
        MassMatrix::Diagonal(vec![1.0]),
        vec![-1.0],
        vec![1.0; CONTACTS],
        contacts,
    )
    .expect("a problem");
    for id in ["lzb", "stiff-limit"] {
        let law = Law::from_id(id).expect("a law");
        let refused = carom::resolve(&system, &law).map(|_| ());
        assert!(matches!(refused, Err(ImpactError::Limit(_))), "{id}: {refused:?}");
    }
}
