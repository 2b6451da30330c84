//! Chatterjee and Ruina's law on a batch, against copying the batch's own arrays.

use crate::{measure, table};
use carom::Tolerances;
use carom::batch::{Answers, Batch, Parameter, resolve};
use carom_testkit::generate::generic_set;
use carom_testkit::laws::law;
use std::hint::black_box;

const SEED: u64 = 3;

/// Twelve arrays in, three out: the second size needs 2.4 GB with its copies.
pub fn lines() {
    line(10_000, 501);
    line(10_000_000, 7);
}

fn line(impacts: usize, rounds: usize) {
    let input = arrays(impacts);
    let mut output = vec![vec![0.0; impacts]; 3];
    let mut copy = vec![vec![0.0; impacts]; input.len() + output.len()];
    let law = law("chatterjee-ruina");
    let [resolving, copying] = measure::in_turns(
        rounds,
        &mut (&input, &mut output, &mut copy),
        |(input, output, _)| {
            let view: [&[f64]; 12] = std::array::from_fn(|k| input[k].as_slice());
            let [nn, n1, n2, t11, t12, t22, un, u1, u2, mu, e, e_t] = view;
            let [mu, e, e_t] = [mu, e, e_t].map(Parameter::Each);
            let delassus = [nn, n1, n2, t11, t12, t22];
            let batch = Batch { delassus, lower: None, velocity: [un, u1, u2], mu, e, e_t };
            let [pn, p1, p2] = &mut output[..] else { unreachable!("three arrays were made") };
            let mut answers = Answers { impulse: [pn, p1, p2], ..Answers::default() };
            let failed = |i, error| panic!("impact {i}: {error}");
            resolve(&law, black_box(&batch), &Tolerances::NOMINAL, &mut answers, failed)
                .expect("slices of one length");
        },
        |(input, output, copy)| {
            for (source, target) in input.iter().chain(output.iter()).zip(copy.iter_mut()) {
                target.copy_from_slice(black_box(source));
            }
        },
    );
    let name = format!("chatterjee-ruina batch, N = {impacts:.0e}", impacts = impacts as f64);
    table::line(&format!("{name}, per impact"), resolving / impacts as f64, "ns");
    let name = format!("{name}, rate over that of copying");
    table::at_least(&name, copying / resolving, "1", 1.0 / 3.0);
}

/// The generic set as structure of arrays; a large batch repeats it.
fn arrays(impacts: usize) -> Vec<Vec<f64>> {
    let set = generic_set(SEED, 10_000.min(impacts));
    let mut arrays: Vec<_> = (0..12).map(|_| Vec::with_capacity(impacts)).collect();
    for contact in set.iter().cycle().take(impacts) {
        let w = contact.delassus();
        let [un, u1, u2] = contact.velocity().components();
        let material = contact.material();
        let row = [
            w.at(0, 0),
            w.at(0, 1),
            w.at(0, 2),
            w.at(1, 1),
            w.at(1, 2),
            w.at(2, 2),
            un,
            u1,
            u2,
            material.mu,
            contact.e(),
            material.e_t,
        ];
        for (array, number) in arrays.iter_mut().zip(row) {
            array.push(number);
        }
    }
    arrays
}
