//! Symptom: `lzb` answered 3e-5 apart for the same chain, depending on the order in which its contacts were listed.
//! Cause: a contact whose velocity had just passed zero, and came back to it within the next step, was taken to be late for
//! its turn, or already back; which of the two was decided by the last digit.
//! Mend: whether it leaves zero or not is read from its acceleration, and a step that reaches beyond its return is halved.

use carom::{ContactSpec, Material};
use carom_testkit::Mechanism;
use carom_testkit::laws::{law, resolve_several};

#[test]
fn the_order_of_contacts_does_not_matter() {
    let contact = ContactSpec::new(1, Material::new(0.0, 0.6903750280101854).unwrap());
    let mass = [
        8256.993957145563,
        0.014404927602933245,
        0.2322745368221665,
        0.6199763809559874,
        0.002438046909435074,
    ];
    let row = |k: usize| {
        let mut row = vec![0.0; mass.len()];
        (row[k], row[k + 1]) = (-1.0, 1.0);
        row
    };
    let rows = (0..4).map(row).collect();
    let chain = Mechanism::new(&mass, vec![-3.0, -3.0, -4.0, -5.0, -7.0], rows, vec![contact; 4]);
    let law = law("lzb");
    let listed = resolve_several(&law, &chain.problem()).velocity;
    for order in [[1, 2, 3, 0], [3, 2, 1, 0], [2, 0, 1, 3]] {
        let other = resolve_several(&law, &chain.reordered(&order).problem()).velocity;
        for (new, &old) in order.iter().enumerate() {
            let off = (listed[old] - other[new]).abs();
            assert!(off < 1e-9, "order {order:?}: {listed:?} {other:?}");
        }
    }
}
