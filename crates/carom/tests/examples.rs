//! Every example runs, and its assertions hold.

#[path = "../examples/batch.rs"]
mod batch;
#[path = "../examples/bodies_and_joints.rs"]
mod bodies_and_joints;
#[path = "../examples/compare_laws.rs"]
mod compare_laws;
#[path = "../examples/foreign_impulse.rs"]
mod foreign_impulse;
#[path = "../examples/one_impact.rs"]
mod one_impact;
#[path = "../examples/outcomes.rs"]
mod outcomes;
#[path = "../examples/own_law.rs"]
mod own_law;
#[path = "../examples/permissible_region.rs"]
mod permissible_region;
#[path = "../examples/several_contacts.rs"]
mod several_contacts;
#[path = "../examples/trace.rs"]
mod trace;

#[test]
fn the_folder_has_no_other_examples() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    let count = std::fs::read_dir(folder).map_or(0, Iterator::count);
    assert_eq!(count, 10, "every example has a test below");
}

#[test]
fn one_impact_runs() {
    one_impact::main().unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn compare_laws_runs() {
    compare_laws::main().unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn own_law_runs() {
    own_law::main().unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn foreign_impulse_runs() {
    foreign_impulse::main().unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn several_contacts_runs() {
    several_contacts::main().unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn bodies_and_joints_runs() {
    bodies_and_joints::main().unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn permissible_region_runs() {
    permissible_region::main().unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn batch_runs() {
    batch::main().unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn trace_runs() {
    trace::main().unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn outcomes_runs() {
    outcomes::main().unwrap_or_else(|error| panic!("{error}"));
}
