//! Record batches: what goes in, what comes out, what is refused.

mod support;

use arrow_array::builder::{FixedSizeListBuilder, Float64Builder, ListBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{
    Array, ArrayRef, Float32Array, Float64Array, Int64Array, RecordBatch, StringArray,
};
use arrow_schema::DataType;
use carom::Law;
use carom_batch::{OwnedAnswers, arrow, resolve, unwatched};
use std::sync::Arc;
use support::{Contacts, bits};

/// Lists of one length, null where asked.
fn fixed(values: &[f64], size: usize, null: Option<usize>) -> ArrayRef {
    let mut builder = FixedSizeListBuilder::new(Float64Builder::new(), size as i32);
    for (i, row) in values.chunks(size).enumerate() {
        builder.values().append_slice(row);
        builder.append(Some(i) != null);
    }
    Arc::new(builder.finish())
}

fn lists(values: &[f64], size: usize) -> ArrayRef {
    let mut builder = ListBuilder::new(Float64Builder::new());
    for row in values.chunks(size) {
        builder.values().append_slice(row);
        builder.append(true);
    }
    Arc::new(builder.finish())
}

fn numbers(values: &[f64]) -> ArrayRef {
    Arc::new(Float64Array::from(values.to_vec()))
}

fn batch(contacts: &Contacts<3>, more: Vec<(&str, ArrayRef)>) -> RecordBatch {
    let mut columns = vec![
        ("delassus", fixed(&contacts.delassus, 9, None)),
        ("contact_velocity", fixed(&contacts.velocity, 3, None)),
        ("mu", numbers(&contacts.mu)),
        ("e", fixed(&contacts.e, 1, None)),
        ("e_t", numbers(&contacts.e_t)),
    ];
    for (name, array) in more {
        columns.retain(|(other, _)| *other != name);
        columns.push((name, array));
    }
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(n, a)| (n, a, true)))
        .unwrap()
}

fn without_problem() -> arrow::Options {
    arrow::Options { threads: 2, keep_problem: false, ..arrow::Options::default() }
}

fn answer(batch: &RecordBatch) -> RecordBatch {
    let law = Law::from_id("chatterjee-ruina").unwrap();
    arrow::resolve(batch, &law, &without_problem(), &mut unwatched).unwrap()
}

fn refusal(batch: &RecordBatch) -> String {
    let law = Law::from_id("chatterjee-ruina").unwrap();
    arrow::resolve(batch, &law, &without_problem(), &mut unwatched).unwrap_err().to_string()
}

fn values(batch: &RecordBatch, name: &str) -> Vec<u64> {
    let lists = batch.column_by_name(name).unwrap().as_fixed_size_list();
    bits(lists.values().as_primitive::<Float64Type>().values())
}

#[test]
fn answers_are_those_of_columns_and_other_columns_pass() {
    let contacts = Contacts::<3>::generic(50);
    let ids: ArrayRef = Arc::new(StringArray::from_iter_values((0..50).map(|i| format!("#{i}"))));
    let input = batch(&contacts, vec![("id", ids.clone())]);
    let output = answer(&input);
    let names: Vec<&str> =
        output.schema_ref().fields().iter().map(|field| field.name().as_str()).collect();
    assert_eq!(
        names,
        [
            "id",
            "impulse",
            "contact_velocity",
            "energy_change",
            "energy_available",
            "cone_margin",
            "separation_margin",
            "e_kinematic",
            "verdict",
            "error"
        ]
    );
    assert_eq!(output.column(0), &ids);
    let law = Law::from_id("chatterjee-ruina").unwrap();
    let mut expected = OwnedAnswers::of(contacts.columns().shape(), true);
    resolve(&contacts.columns(), &law, expected.borrow(), 1, &mut unwatched).unwrap();
    assert_eq!(values(&output, "impulse"), bits(&expected.impulse));
    assert_eq!(values(&output, "contact_velocity"), bits(&expected.contact_velocity));
    assert_eq!(output.column_by_name("error").unwrap().null_count(), 50);
    let types: Vec<&DataType> =
        output.schema_ref().fields().iter().map(|field| field.data_type()).collect();
    assert!(matches!(types[1], DataType::FixedSizeList(_, 3)));
    assert!(matches!(types[7], DataType::FixedSizeList(_, 1)));
}

#[test]
fn lists_without_a_fixed_length_and_slices_do_as_well() {
    let contacts = Contacts::<3>::generic(20);
    let fixed = answer(&batch(&contacts, vec![]));
    let free = batch(
        &contacts,
        vec![
            ("delassus", lists(&contacts.delassus, 9)),
            ("contact_velocity", lists(&contacts.velocity, 3)),
        ],
    );
    assert_eq!(values(&answer(&free), "impulse"), values(&fixed, "impulse"));
    for input in [&free, &batch(&contacts, vec![])] {
        let part = answer(&input.slice(5, 10));
        assert_eq!(values(&part, "impulse"), values(&fixed, "impulse")[15..45]);
    }
}

#[test]
fn rows_with_nulls_or_nonsense_have_errors_and_nothing_else() {
    let mut contacts = Contacts::<3>::generic(10);
    contacts.mu[4] = -1.0;
    let mut e_t: Vec<Option<f64>> = vec![Some(0.0); 10];
    e_t[7] = None;
    let input = batch(
        &contacts,
        vec![
            ("delassus", fixed(&contacts.delassus, 9, Some(2))),
            ("e_t", Arc::new(Float64Array::from(e_t))),
        ],
    );
    let output = answer(&input);
    let errors = output.column_by_name("error").unwrap().as_string::<i32>();
    let found: Vec<(usize, &str)> =
        errors.iter().enumerate().filter_map(|(i, e)| Some((i, e?))).collect();
    assert_eq!(found.len(), 3);
    assert_eq!(found[0], (2, "bad_problem: delassus = null: must be given in every row"));
    assert!(found[1].0 == 4 && found[1].1.starts_with("bad_problem: contacts[0].mu = -1"));
    assert_eq!(found[2], (7, "bad_problem: e_t = null: must be given in every row"));
    for field in output.schema_ref().fields().iter().filter(|field| field.name() != "error") {
        let column = output.column_by_name(field.name()).unwrap();
        let nulls: Vec<usize> = (0..10).filter(|i| column.is_null(*i)).collect();
        assert_eq!(nulls, [2, 4, 7], "{}", field.name());
    }
}

#[test]
fn wrong_columns_are_refused_by_name() {
    let contacts = Contacts::<3>::generic(4);
    let words: ArrayRef = Arc::new(StringArray::from(vec!["rough"; 4]));
    let mut uneven = ListBuilder::new(Float64Builder::new());
    for size in [3, 3, 2, 3] {
        uneven.values().append_slice(&vec![-1.0; size]);
        uneven.append(true);
    }
    let uneven: ArrayRef = Arc::new(uneven.finish());
    for (name, array, words) in [
        ("mu", words.clone(), "mu = Utf8"),
        ("verdict", words, "verdict = a column: answers have a column of this name"),
        ("mu", fixed(&[0.1; 8], 2, None), "2 contacts"),
        ("delassus", numbers(&[1.0; 4]), "delassus = a column of numbers"),
        ("delassus", fixed(&[1.0; 32], 8, None), "delassus = 32 numbers"),
        ("contact_velocity", uneven, "contact_velocity[2] = a list of 2"),
        ("mass", fixed(&[1.0; 4], 1, None), "at once"),
    ] {
        let message = refusal(&batch(&contacts, vec![(name, array)]));
        assert!(message.contains(words), "{message}");
    }
    let without_e = batch(&contacts, vec![]);
    let kept: Vec<usize> =
        (0..5).filter(|i| without_e.schema_ref().field(*i).name() != "e").collect();
    assert!(refusal(&without_e.project(&kept).unwrap()).starts_with("e = no such column"));
}

#[test]
fn no_rows_have_the_same_columns() {
    let contacts = Contacts::<3>::generic(4);
    let full = batch(&contacts, vec![]);
    let empty = answer(&full.slice(0, 0));
    assert_eq!(empty.num_rows(), 0);
    assert_eq!(empty.schema(), answer(&full).schema());
}

#[test]
fn whole_and_short_numbers_are_numbers() {
    let contacts = Contacts::<3>::generic(6);
    let short: Vec<f32> = contacts.mu.iter().map(|x| *x as f32).collect();
    let long: Vec<f64> = short.iter().map(|x| f64::from(*x)).collect();
    let input = |mu: ArrayRef, e: ArrayRef| batch(&contacts, vec![("mu", mu), ("e", e)]);
    let wanted = answer(&input(numbers(&long), numbers(&[1.0; 6])));
    let whole: ArrayRef = Arc::new(Int64Array::from(vec![1; 6]));
    let found = answer(&input(Arc::new(Float32Array::from(short)), whole));
    assert_eq!(values(&found, "impulse"), values(&wanted, "impulse"));
}

#[test]
fn the_callers_columns_stay_and_judgements_are_optional() {
    let contacts = Contacts::<3>::generic(4);
    let law = Law::from_id("chatterjee-ruina").unwrap();
    let options = arrow::Options { certify: false, ..arrow::Options::default() };
    let input = batch(&contacts, vec![]);
    let output = arrow::resolve(&input, &law, &options, &mut unwatched).unwrap();
    let names: Vec<&str> =
        output.schema_ref().fields().iter().map(|field| field.name().as_str()).collect();
    assert_eq!(
        names,
        [
            "delassus",
            "contact_velocity_before",
            "mu",
            "e",
            "e_t",
            "impulse",
            "contact_velocity",
            "energy_change",
            "error"
        ]
    );
    for (before, after) in input.columns().iter().zip(output.columns()) {
        assert_eq!(before, after);
    }
    let certified = answer(&input);
    assert_eq!(values(&output, "impulse"), values(&certified, "impulse"));
    let twice = batch(&contacts, vec![("contact_velocity_before", numbers(&[0.0; 4]))]);
    let refused = arrow::resolve(&twice, &law, &options, &mut unwatched).unwrap_err().to_string();
    assert!(refused.starts_with("contact_velocity_before = a column: two columns"), "{refused}");
}
