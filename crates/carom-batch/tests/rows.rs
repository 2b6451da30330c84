//! A row of a batch is what the same impact is alone: to the last bit, whatever the number of threads.

mod support;

use carom::{Law, Tolerances};
use carom_batch::{Answers, BatchError, Columns, Judgement, Mechanism, OwnedAnswers, Parameter};
use carom_batch::{RowError, Vectors, resolve, unwatched};
use carom_testkit::generate::generic_set;
use std::ops::ControlFlow;
use support::{Components, Contacts, Mechanisms, bits, same_bits, transposed};

fn run(
    columns: &Columns,
    law: &str,
    certify: bool,
    threads: usize,
) -> (OwnedAnswers, Vec<RowError>) {
    let law = Law::from_id(law).unwrap();
    let mut answers = OwnedAnswers::of(columns.shape(), certify);
    let errors = resolve(columns, &law, answers.borrow(), threads, &mut unwatched).unwrap();
    (answers, errors)
}

/// Every row against the same problem on its own.
fn assert_as_alone(columns: &Columns, law: &str) -> usize {
    let (answers, errors) = run(columns, law, false, 2);
    let (certified, certified_errors) = run(columns, law, true, 2);
    assert_eq!(errors.len(), certified_errors.len(), "{law}");
    let rows = columns.shape().rows;
    let mut errors = errors.into_iter().peekable();
    let mut answered = 0;
    for i in 0..columns.shape().count {
        let alone = columns.system(i).and_then(|system| {
            let law = Law::from_id(law)?;
            let watch = &mut carom::outcome::Unobserved;
            let outcome = law.resolve(system.problem(), &Tolerances::NOMINAL, watch)?;
            let (certificate, after) = carom::certify(&system, &outcome.impulse)?;
            Ok((outcome, certificate, after))
        });
        let of_row = |column: &[f64]| bits(&column[i * rows..][..rows]);
        match alone {
            Ok((outcome, certificate, after)) => {
                for answers in [&answers, &certified] {
                    assert_eq!(of_row(&answers.impulse), bits(&outcome.impulse), "{law}, row {i}");
                    let velocity = of_row(&answers.contact_velocity);
                    assert_eq!(velocity, bits(&outcome.velocity), "{law}, row {i}");
                    if let Some(f) = columns.shape().coordinates {
                        let velocity = bits(&answers.velocity[i * f..][..f]);
                        assert_eq!(Some(velocity), after.velocity.as_deref().map(bits));
                    }
                }
                let judged = certified.certificate.as_ref().unwrap();
                assert_eq!(certified.energy_change[i], certificate.energy_change);
                assert_eq!(judged.verdict[i], Judgement::from(&certificate.verdict));
                assert_eq!(judged.separation_margin[i], certificate.separation_margin);
                answered += 1;
            }
            Err(error) => {
                let found = errors.next().unwrap();
                assert_eq!((found.row, &found.error), (i, &error), "{law}");
                assert!(answers.impulse[i * rows..][..rows].iter().all(|p| p.is_nan()));
            }
        }
    }
    assert_eq!(errors.next(), None);
    answered
}

#[test]
fn one_contact_of_every_kind_under_every_law() {
    // A law that wants settings is none without them.
    for row in
        carom::catalog::all().filter(|row| !row.takes_several() && Law::from_id(row.id).is_ok())
    {
        let answered = assert_as_alone(&Contacts::<3>::arbitrary(700).columns(), row.id)
            + assert_as_alone(&Contacts::<2>::arbitrary(150).columns(), row.id)
            + assert_as_alone(&Contacts::<1>::arbitrary(40).columns(), row.id);
        // Brach's ratios may stand with the contact, and say so in every row where they do not.
        assert!(answered > 100 || row.id == "brach", "{}: {answered}", row.id);
    }
}

/// A sick row in the middle of a block, of each kind that the block's own checks could miss.
#[test]
fn rows_that_fail_leave_the_others_alone() {
    let mut contacts = Contacts::<3>::generic(300);
    let nan = 17;
    contacts.velocity[3 * nan + 1] = f64::NAN;
    let lopsided = 130;
    contacts.delassus[9 * lopsided + 3] += 1.0;
    let indefinite = 131;
    contacts.delassus[9 * indefinite + 8] = -1.0;
    let rough = 200;
    contacts.mu[rough] = -0.5;
    let bouncy = 299;
    contacts.e[bouncy] = 1001.0;
    let columns = contacts.columns();
    for law in ["chatterjee-ruina", "routh-stronge", "plus"] {
        let (answers, errors) = run(&columns, law, false, 1);
        let failed: Vec<usize> = errors.iter().map(|error| error.row).collect();
        assert_eq!(failed, [nan, lopsided, indefinite, rough, bouncy], "{law}");
        let texts: Vec<String> = errors.iter().map(RowError::text).collect();
        assert!(texts[0].starts_with("bad_problem: contact_velocity[1] = NaN"), "{}", texts[0]);
        assert!(texts[1].contains("delassus[1][0]"), "{}", texts[1]);
        assert!(texts[3].contains("contacts[0].mu = -0.5"), "{}", texts[3]);
        let numbers = answers.impulse.chunks(3).enumerate();
        for (i, p) in numbers.filter(|(i, _)| !failed.contains(i)) {
            assert!(p.iter().all(|p| p.is_finite()), "{law}, row {i}");
        }
        assert_as_alone(&columns, law);
    }
}

/// A matrix whose halves differ in the last bit is still symmetric, and takes the mean of both.
#[test]
fn nearly_symmetric_matrices_are_as_alone() {
    let mut contacts = Contacts::<3>::generic(200);
    for w in contacts.delassus.chunks_mut(9).step_by(3) {
        w[3] = w[3].next_up();
        w[7] = w[7].next_down();
    }
    assert_eq!(assert_as_alone(&contacts.columns(), "chatterjee-ruina"), 200);
}

#[test]
fn several_contacts_and_generalized_coordinates_are_as_alone() {
    let mechanisms = Mechanisms::landing(40, 4);
    for law in ["plus", "newton-coulomb", "sequential", "chatterjee-ruina"] {
        let answered = assert_as_alone(&mechanisms.columns(), law);
        // The last one is for one contact, and says so in every row.
        assert_eq!(answered > 0, law != "chatterjee-ruina", "{law}: {answered}");
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let contacts = Contacts::<3>::arbitrary(9000);
    let mechanisms = Mechanisms::landing(150, 2);
    for (columns, law) in [
        (contacts.columns(), "chatterjee-ruina"),
        (contacts.columns(), "routh-stronge"),
        (mechanisms.columns(), "plus"),
    ] {
        for certify in [false, true] {
            let (one, errors) = run(&columns, law, certify, 1);
            for threads in [2, 3, 7, 0] {
                let (many, other_errors) = run(&columns, law, certify, threads);
                assert!(same_bits(&one, &many), "{law} on {threads} threads");
                assert_eq!(errors, other_errors);
            }
        }
    }
}

/// One component after another, in and out, or only one of the two: the same bits and the same errors.
#[test]
fn components_are_answered_as_rows_are() {
    for (law, certify, n) in [
        ("chatterjee-ruina", false, 9001),
        ("routh-stronge", false, 701),
        ("smith", true, 301),
        ("plus", false, 301),
    ] {
        let mut contacts = Contacts::<3>::arbitrary(n);
        contacts.velocity[3 * 17 + 1] = f64::NAN;
        contacts.delassus[9 * 130 + 3] += 1.0;
        contacts.delassus[9 * 131 + 7] = contacts.delassus[9 * 131 + 7].next_up();
        contacts.mu[n - 1] = -0.5;
        let components = Components::of(&contacts);
        let (rows, errors) = run(&contacts.columns(), law, certify, 1);
        let failed: Vec<usize> = errors.iter().map(|error| error.row).collect();
        assert!([17, 130, n - 1].iter().all(|row| failed.contains(row)), "{law}: {failed:?}");
        let (read, read_errors) = run(&components.columns(), law, certify, 2);
        assert!(same_bits(&rows, &read) && errors == read_errors, "{law}");
        let wanted = [&rows.impulse, &rows.contact_velocity].map(|x| bits(&transposed(x, 3)));
        let id = Law::from_id(law).unwrap();
        for columns in [components.columns(), contacts.columns()] {
            for threads in [1, 2, 3] {
                let mut own = OwnedAnswers::of(columns.shape(), certify);
                let mut vectors = [vec![9.0; 3 * n], vec![9.0; 3 * n]];
                let [impulse, contact_velocity] = vectors.each_mut().map(|vector| {
                    let (normal, tangential) = vector.split_at_mut(n);
                    let (first, second) = tangential.split_at_mut(n);
                    Vectors::Components([normal, first, second])
                });
                let answers = Answers { impulse, contact_velocity, ..own.borrow() };
                let found = resolve(&columns, &id, answers, threads, &mut unwatched).unwrap();
                assert_eq!(found, errors, "{law} on {threads} threads");
                assert!(vectors.map(|x| bits(&x)) == wanted, "{law} on {threads} threads");
                own.impulse.clone_from(&rows.impulse);
                own.contact_velocity.clone_from(&rows.contact_velocity);
                assert!(same_bits(&rows, &own), "{law} on {threads} threads");
            }
        }
    }
}

#[test]
fn components_that_do_not_fit_are_refused_by_name() {
    let contacts = Contacts::<3>::generic(4);
    let four = &contacts.mu[..];
    let e = [Parameter::Common(0.5); 3];
    let space = |w, u| Mechanism::Components {
        delassus: [four, w, four, four, four, four, four, four, four],
        contact_velocity: [four, four, u],
    };
    let refuse =
        |rows: Vec<usize>, mechanism| Columns::new(4, rows, mechanism, e).unwrap_err().to_string();
    assert!(refuse(vec![3], space(&four[1..], four)).starts_with("delassus = 3 numbers"));
    assert!(refuse(vec![3], space(four, &four[1..])).starts_with("contact_velocity = 3 numbers"));
    assert!(refuse(vec![2, 1], space(four, four)).starts_with("rows = [2, 1]"));
    let columns = Columns::new(4, vec![3], space(four, four), e).unwrap();
    let law = Law::from_id("chatterjee-ruina").unwrap();
    let mut room = [0.0; 12];
    let (four, eight) = room.split_at_mut(4);
    let (three, five) = eight.split_at_mut(3);
    let answers =
        Answers { impulse: Vectors::Components([four, three, five]), ..Answers::default() };
    let error = resolve(&columns, &law, answers, 1, &mut unwatched).unwrap_err().to_string();
    assert!(error.starts_with("impulse = 3 numbers"), "{error}");
}

#[test]
fn a_batch_can_be_stopped() {
    let contacts = Contacts::<3>::generic(50_000);
    let law = Law::from_id("routh-stronge").unwrap();
    for threads in [1, 2] {
        let mut answers = OwnedAnswers::of(contacts.columns().shape(), false);
        let mut stop = |done: usize| match done > 10_000 {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let error = resolve(&contacts.columns(), &law, answers.borrow(), threads, &mut stop);
        let Err(BatchError::Interrupted { done, of: 50_000 }) = error else {
            panic!("{error:?}");
        };
        assert!((10_000..40_000).contains(&done), "{done}");
    }
}

#[test]
fn no_rows_are_no_trouble() {
    let none = Mechanism::ContactSpace { delassus: &[], contact_velocity: &[] };
    let e = [Parameter::Common(0.0), Parameter::Common(0.5), Parameter::PerImpact(&[])];
    let columns = Columns::new(0, vec![3], none, e).unwrap();
    let (answers, errors) = run(&columns, "chatterjee-ruina", true, 4);
    assert!(answers.impulse.is_empty() && errors.is_empty());
}

#[test]
fn columns_that_do_not_fit_are_refused_by_name() {
    let set = generic_set(1, 4);
    let contacts = Contacts::from_set(&set);
    let space = |delassus, contact_velocity| Mechanism::ContactSpace { delassus, contact_velocity };
    let e = Parameter::Common(0.5);
    let refuse = |count: usize, rows: Vec<usize>, mechanism, parameters| {
        Columns::new(count, rows, mechanism, parameters).unwrap_err().to_string()
    };
    let whole = space(&contacts.delassus, &contacts.velocity);
    for (message, field) in [
        (
            refuse(4, vec![3], space(&contacts.delassus[1..], &contacts.velocity), [e; 3]),
            "delassus",
        ),
        (refuse(4, vec![2], whole, [e; 3]), "contact_velocity"),
        (refuse(4, vec![], whole, [e; 3]), "rows"),
        (refuse(4, vec![4], whole, [e; 3]), "rows[0]"),
        (refuse(4, vec![3], whole, [e, Parameter::PerImpact(&[0.5]), e]), "e"),
        (refuse(4, vec![3], whole, [Parameter::PerContact(&[0.5; 8]), e, e]), "mu"),
        (refuse(usize::MAX, vec![3], whole, [e; 3]), "contact_velocity"),
    ] {
        assert!(message.starts_with(&format!("{field} = ")), "{message}");
    }
}
