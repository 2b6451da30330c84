//! Several contacts: what people see, and that nothing breaks when there are many.

use crate::support::{TemporaryFile, carom, carom_with_input};
use carom_io::format::{Node, Problem};
use carom_report::comparison::{COMPLIANT_LIMIT, Comparison, Entry};
use serde_json::{Value, json};

fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().expect("a list");
    list.iter().map(|x| x.as_f64().expect("a number")).collect()
}

/// A flat slab that falls on a grid of n × n supports.
fn slab(n: usize) -> String {
    let contacts: Vec<Value> = (0..n * n)
        .map(|k| {
            let at = |i: usize| i as f64 / (n - 1) as f64 - 0.5;
            json!({"a": "floor", "b": "slab", "point": [at(k % n), at(k / n), 0.0],
                "normal": [0, 0, 1], "rows": 1, "e": 0.5})
        })
        .collect();
    json!({"bodies": [{"name": "floor", "fixed": true}, {"name": "slab", "mass": 2,
            "inertia": [0.2, 0.2, 0.4], "position": [0, 0, 0.1], "velocity": [0, 0, -1]}],
        "contacts": contacts})
    .to_string()
}

#[test]
fn a_table_of_many_contacts_shows_both_ends() {
    let lines = |n: usize| {
        let run = carom_with_input(&["resolve", "-", "--law", "newton"], slab(n).as_bytes());
        assert_eq!(run.code, 0, "{}", run.stderr);
        for line in run.stdout.lines() {
            assert!(line.chars().count() <= 100, "{line}");
        }
        run.stdout
    };
    let text = lines(2);
    assert!(!text.contains("more contacts"), "{text}");
    let text = lines(10);
    assert!(text.contains("80 more contacts; --json has them all"), "{text}");
    assert!(text.contains("\n     99  "), "{text}");
    assert!(text.lines().count() < 45, "{text}");
}

#[test]
fn a_hundred_contacts_compare_on_one_screen() {
    let run = carom_with_input(&["compare", "-"], slab(10).as_bytes());
    assert_eq!(run.code, 0, "{}", run.stderr);
    // One body moves: its velocities say it all.
    assert!(run.stdout.contains("100 contacts") && run.stdout.contains("slab.z"), "{}", run.stdout);
    for line in run.stdout.lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
    let single = carom::catalog::all().filter(|row| !row.takes_several()).count();
    let collapsed = format!("{single} laws take one contact only");
    assert!(run.stdout.contains(&collapsed), "{}", run.stdout);
    // Programs get all of it.
    let answer = carom_with_input(&["compare", "-", "--json"], slab(10).as_bytes()).json();
    let absent = answer["without_answer"].as_array().expect("a list");
    assert!(absent.len() >= single);
    let rows = carom_with_input(&["compare", "-", "--csv"], slab(10).as_bytes()).stdout;
    let widths: Vec<usize> = rows.lines().map(|row| row.split(',').count()).collect();
    // Law, reading of e, two vectors, e seen, four judgements, the distance to the compliant limit, six velocities of each
    // body.
    assert!(widths.iter().all(|w| *w == 2 + 3 * 100 + 4 + 1 + 12), "{widths:?}");
}

/// Sixteen balls and thirty-one contacts: neither velocities nor contacts fit, sums do.
#[test]
fn many_bodies_are_compared_by_sums() {
    let run = carom(&["compare", "scenarios/pool-break.toml"]);
    assert!(run.stdout.contains("31 contacts") && run.stdout.contains("Σ p_n"), "{}", run.stdout);
    // Five velocities and the distance to the compliant limit are too much for a line: contacts are fewer.
    let run = carom(&["compare", "scenarios/newtons-cradle.toml"]);
    assert!(run.stdout.contains("u_n[3]⁺") && run.stdout.contains("to stiff"), "{}", run.stdout);
}

#[test]
fn the_default_law_depends_on_the_number_of_contacts() {
    let law = |masses: &str| {
        let chain =
            format!(r#"{{"chain": {{"mass": {masses}, "velocity": {{"first": 1}}, "e": 1}}}}"#);
        let run = carom_with_input(&["resolve", "-", "--json"], chain.as_bytes());
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.json()["law"]["id"].clone()
    };
    assert_eq!(law("[1, 1]"), "chatterjee-ruina");
    assert_eq!(law("[1, 1, 1]"), "sequential");
    let run = carom(&["resolve", "scenarios/brick-on-four-vertices.toml", "--json"]);
    assert_eq!(run.json()["law"]["id"], "stiff-limit");
}

#[test]
fn a_chain_may_be_generated() {
    let written =
        r#"{"chain": {"mass": [2, 2, 2, 2], "velocity": [3, 1, 1, -1], "e": [0.5, 0.5, 0.5]}}"#;
    let generated = r#"{"chain": {"count": 4, "mass": 2, "e": 0.5,
        "velocity": {"first": 3, "others": 1, "last": -1}}}"#;
    let answer = |chain: &str| {
        carom_with_input(&["resolve", "-", "--law", "newton", "--json"], chain.as_bytes()).json()
    };
    assert_eq!(answer(written), answer(generated));
    assert_eq!(answer(written)["velocity"].as_array().map(Vec::len), Some(4));
}

/// A wave takes a round for each ball: the law's own limit grows with the chain. A law that needs the whole matrix says
/// that there is too much of it.
#[test]
fn long_chains_are_answered_or_refused_in_words() {
    let chain = r#"{"chain": {"count": 20000, "mass": 1.0, "velocity": {"first": 1.0}, "e": 1.0}}"#;
    let ask =
        |law: &str| carom_with_input(&["resolve", "-", "--json", "--law", law], chain.as_bytes());
    let run = ask("plus");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let velocity = numbers(&run.json()["velocity"]);
    assert!((velocity[19_999] - 1.0).abs() < 1e-9 && velocity[0].abs() < 1e-9);
    let run = ask("newton-equality");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("19999 coupled rows"), "{}", run.stderr);
}

/// Triplets are the same Jacobian, and joints in groups the same joints.
#[test]
fn sparse_and_full_jacobians_agree() {
    let contacts = r#""contacts": [{"e": 0.5}, {"e": 0.5}]"#;
    let full = format!(
        r#"{{"mass": [1, 2, 4], "velocity": [1, 0, -1], "jacobian": [[-1, 1, 0], [0, -1, 1]],
        "bilateral": [[0, 1, 1], [0, 2, 2]], "bilateral_groups": [1, 1], {contacts}}}"#
    );
    let sparse = format!(
        r#"{{"mass": [1, 2, 4], "velocity": [1, 0, -1],
        "jacobian": {{"rows": [1, 0, 1, 0], "cols": [1, 1, 2, 0], "values": [-1, 1, 1, -1]}},
        "bilateral": [[0, 1, 1], [0, 2, 2]], {contacts}}}"#
    );
    let answer = |problem: &str| {
        let run =
            carom_with_input(&["resolve", "-", "--law", "newton", "--json"], problem.as_bytes());
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.json()
    };
    assert_eq!(answer(&full), answer(&sparse));
    // Redundant rows: the joint takes hold of a start that breaks it, and does not open.
    let v = numbers(&answer(&full)["velocity"]);
    assert!((v[1] + v[2]).abs() < 1e-14, "{v:?}");
}

/// A law that makes steps lists them; one that jumps says so.
#[test]
fn a_trace_lists_steps() {
    let file = "scenarios/four-body-chain.toml";
    let run = carom(&["resolve", file, "--law", "newton", "--trace", "--json"]);
    assert_eq!(run.json()["trace"], json!({"steps": [], "left_out": 0}));
    let run = carom(&["resolve", file, "--law", "newton", "--trace"]);
    assert!(run.stdout.contains("it has no path"), "{}", run.stdout);
    // Table 2 of Mosterman, contacts counted from 0.
    let trace = ["resolve", file, "--law", "mosterman", "--trace"];
    let text = carom(&trace).stdout;
    for round in ["fresh 0 · ahead 1", "unfinished 1 · ahead 2", "unfinished 2 · ahead 1"] {
        assert!(text.contains(round), "{text}");
    }
    let steps = &carom(&[&trace[..], &["--json"]].concat()).json()["trace"]["steps"];
    assert_eq!(steps[1], json!({"step": "round", "fresh": [], "unfinished": [1], "ahead": [2]}));
    assert_eq!(steps.as_array().map(Vec::len), Some(4));
    let cradle = "scenarios/newtons-cradle.toml";
    let run = carom(&["resolve", cradle, "--law", "generalized-reflections", "--trace", "--json"]);
    assert_eq!(run.json()["trace"]["steps"][3], json!({"step": "reflection", "contacts": [3]}));
}

#[test]
fn one_contact_is_no_special_case() {
    // Laws for several contacts take one, and say the same as Newton's.
    let file = TemporaryFile::new(
        "one.json",
        r#"{"chain": {"mass": [1, 3], "velocity": [2, 0], "e": 0.5}}"#,
    );
    let velocity = |law: &str| {
        numbers(&carom(&["resolve", file.path(), "--law", law, "--json"]).json()["velocity"])
    };
    for law in ["newton", "poisson", "moreau", "newton-equality"] {
        for (x, y) in velocity(law).iter().zip(velocity("frictionless")) {
            assert!((x - y).abs() <= 4.0 * f64::EPSILON, "{law}");
        }
    }
    let run = carom(&["compare", file.path()]);
    assert!(
        run.stdout.contains("alike    newton-equality, newton, poisson, moreau"),
        "{}",
        run.stdout
    );
}

#[test]
fn a_trace_of_rounds_tells_what_every_contact_does() {
    let file = "scenarios/brick-on-four-vertices.toml";
    let text = carom(&["resolve", file, "--law", "plus", "--trace"]).stdout;
    assert!(text.contains("effort   rounds 2 · intervals 3"), "{text}");
    let line = |words: &[&str]| {
        let found = text.lines().any(|line| words.iter().all(|word| line.contains(word)));
        assert!(found, "no line with {words:?} in\n{text}");
    };
    line(&["is compressed, slides", "(5.083, 1.0166, 0)", "(0, -0.232, 0)", "the round ends"]);
    line(&["expands, slides", "0.31696", "slip is closest to none"]);
    line(&["expands, rolls", "(4.0431, 0, 0)"]);
    // Without friction there is nothing to say of it.
    let file = "scenarios/row-of-five-balls.toml";
    let text = carom(&["resolve", file, "--law", "plus", "--trace"]).stdout;
    assert!(text.contains("is compressed  (1)") && !text.contains("slides"), "{text}");
    let file = "scenarios/brick-corner.toml";
    let long = ["resolve", file, "--law", "plus", "--set", "max_direction_change=0.01", "--trace"];
    let text = carom(&long).stdout;
    assert!(text.contains("slip has turned enough") && text.contains("more steps"), "{text}");
    let answer = carom(&[&long[..], &["--json"]].concat()).json();
    let steps = answer["trace"]["steps"].as_array().expect("a list");
    assert_eq!(steps.len(), 118, "two rounds and 116 intervals");
    let first = &steps[1];
    assert_eq!(first["modes"], json!(["sliding"]));
    assert_eq!(first["limit"], "direction change");
    assert_eq!(first["contact_velocity"].as_array().map(Vec::len), Some(3));
}

/// Five balls at e = 1: `newton` leaves (−0.6, 0.4, 0.4, 0.4, 0.4) where `sequential` leaves (0, 0, 0, 0, 1), so
/// `½ Σ m Δv² = 0.6`, of `½ (1 − 1/5) = 0.4` J that the contacts could take away.
#[test]
fn answers_are_measured_by_another_law() {
    let text = r#"{"chain": {"mass": [1, 1, 1, 1, 1], "velocity": [1, 0, 0, 0, 0], "e": 1}}"#;
    let node = serde_json::from_str::<Node>(text).expect("JSON");
    let problem = Problem::read(&node).expect("a problem");
    let comparison = Comparison::of(&problem);
    let contacts = problem.system.problem();
    for entry in &comparison.answers {
        let impulse = &entry.resolution.outcome.impulse;
        let distance =
            comparison.distance_to("sequential", contacts, impulse).expect("it has an answer");
        assert_eq!(comparison.distance_to("smith", contacts, impulse), None);
        match entry.resolution.law.id() {
            "sequential" => assert_eq!(distance, 0.0),
            "newton" => assert!((distance - 1.5_f64.sqrt()).abs() < 1e-12, "{distance}"),
            _ => assert!(distance.is_finite()),
        }
    }
    // The column stands there as soon as there is the law to measure by.
    let is_limit = |entry: &Entry| entry.resolution.law.id() == COMPLIANT_LIMIT;
    let answered = comparison.answers.iter().any(is_limit);
    let screen = carom_with_input(&["compare", "-"], text.as_bytes()).stdout;
    assert_eq!(screen.contains("to stiff"), answered, "{screen}");
    let json = carom_with_input(&["compare", "-", "--json"], text.as_bytes()).json();
    assert_eq!(json["distance"].is_object(), answered);
}
