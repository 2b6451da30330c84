//! Columns against the library's own slices, turn by turn in one run: `cargo bench -p carom-batch`, with another number of
//! impacts behind `--`.

use carom::batch::{self, Answers, Batch, resolve as resolve_slices};
use carom::{Contact, Law, Tolerances};
use carom_batch::{Columns, Mechanism, OwnedAnswers, Parameter, resolve, unwatched};
use carom_testkit::generate::generic_set;
use std::hint::black_box;
use std::time::Instant;

const IMPACTS: usize = 1_000_000;
/// Impacts of all rounds together, so that few are tried more often \[1\].
const TOTAL: usize = 5_000_000;
/// Different impacts, repeated: enough to keep branches from being learnt.
const DIFFERENT: usize = 10_000;

fn main() {
    let impacts = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(IMPACTS);
    let rounds = TOTAL.div_ceil(impacts);
    let set = generic_set(3, DIFFERENT);
    let slices = Slices::of(&set, impacts);
    let rows = Rows::of(&set, impacts);
    // Memory is asked for once: how fast a system hands it out is another question.
    let mut out: [Vec<f64>; 7] = std::array::from_fn(|_| vec![1.0; impacts]);
    let mut plain = rows.room(false);
    let mut certified = rows.room(true);
    println!("{impacts} impacts of one contact in space, ns per impact, best of some rounds");
    for id in ["chatterjee-ruina", "routh-stronge"] {
        let mut times = [f64::INFINITY; 4];
        // What takes microseconds wants fewer rounds.
        let rounds = if id == "chatterjee-ruina" { rounds } else { rounds.div_ceil(10) };
        for round in 0..rounds {
            let times_of_round = [
                slices.time(id, &mut out),
                rows.time(id, &mut plain, 1),
                rows.time(id, &mut plain, 2),
                if round == 0 { rows.time(id, &mut certified, 2) } else { f64::INFINITY },
            ];
            times.iter_mut().zip(times_of_round).for_each(|(best, time)| *best = best.min(time));
        }
        let [slices, one, two, certified] = times.map(|t| t / impacts as f64);
        println!(
            "{id:18} slices {slices:8.1}  columns {one:8.1} ({:.2} of the slices' rate)  2 threads {two:8.1} ({:.2} ×)  certified on 2 {certified:8.1}",
            slices / one,
            one / two
        );
    }
}

fn time(work: impl FnOnce()) -> f64 {
    let begin = Instant::now();
    work();
    begin.elapsed().as_secs_f64() * 1e9
}

/// One slice per quantity.
struct Slices(Vec<Vec<f64>>);

impl Slices {
    fn of(set: &[Contact<3>], impacts: usize) -> Self {
        let mut slices: Vec<_> = (0..12).map(|_| Vec::with_capacity(impacts)).collect();
        for contact in set.iter().cycle().take(impacts) {
            let w = contact.delassus();
            let upper = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)].map(|(i, j)| w.at(i, j));
            let material = [contact.material().mu, contact.e(), contact.material().e_t];
            let numbers = upper.into_iter().chain(contact.velocity().components()).chain(material);
            slices.iter_mut().zip(numbers).for_each(|(slice, x)| slice.push(x));
        }
        Self(slices)
    }

    fn time(&self, id: &str, out: &mut [Vec<f64>; 7]) -> f64 {
        let law = Law::from_id(id).expect("it is in the catalogue");
        let view: [&[f64]; 12] = std::array::from_fn(|k| self.0[k].as_slice());
        let [nn, n1, n2, t11, t12, t22, un, u1, u2, mu, e, e_t] = view;
        let [mu, e, e_t] = [mu, e, e_t].map(batch::Parameter::Each);
        let delassus = [nn, n1, n2, t11, t12, t22];
        let batch = Batch { delassus, lower: None, velocity: [un, u1, u2], mu, e, e_t };
        let failed = |i, error| panic!("impact {i}: {error}");
        time(|| {
            let [pn, p1, p2, vn, v1, v2, energy_change] = out.each_mut().map(Vec::as_mut_slice);
            let mut answers =
                Answers { impulse: [pn, p1, p2], velocity: [vn, v1, v2], energy_change };
            resolve_slices(&law, black_box(&batch), &Tolerances::NOMINAL, &mut answers, failed)
                .expect("slices of one length");
        })
    }
}

/// One impact after another.
struct Rows {
    delassus: Vec<f64>,
    velocity: Vec<f64>,
    material: [Vec<f64>; 3],
}

impl Rows {
    fn of(set: &[Contact<3>], impacts: usize) -> Self {
        let all = || set.iter().cycle().take(impacts);
        Self {
            delassus: all().flat_map(|c| c.delassus().rows().into_iter().flatten()).collect(),
            velocity: all().flat_map(|c| c.velocity().components()).collect(),
            material: [
                all().map(|c| c.material().mu).collect(),
                all().map(Contact::e).collect(),
                all().map(|c| c.material().e_t).collect(),
            ],
        }
    }

    fn columns(&self) -> Columns<'_> {
        let mechanism =
            Mechanism::ContactSpace { delassus: &self.delassus, contact_velocity: &self.velocity };
        let parameters = self.material.each_ref().map(|x| Parameter::PerImpact(x));
        Columns::new(self.material[0].len(), vec![3], mechanism, parameters).expect("they fit")
    }

    fn room(&self, certify: bool) -> OwnedAnswers {
        let mut answers = OwnedAnswers::of(self.columns().shape(), certify);
        // Written to once, so that it is there.
        for column in
            [&mut answers.impulse, &mut answers.contact_velocity, &mut answers.energy_change]
        {
            column.fill(1.0);
        }
        answers
    }

    fn time(&self, id: &str, answers: &mut OwnedAnswers, threads: usize) -> f64 {
        let law = Law::from_id(id).expect("it is in the catalogue");
        let columns = self.columns();
        time(|| {
            let errors =
                resolve(black_box(&columns), &law, answers.borrow(), threads, &mut unwatched);
            assert!(errors.expect("nobody stops it").is_empty());
        })
    }
}
