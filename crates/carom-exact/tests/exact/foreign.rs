//! Impulses that were once called permissible and are not.

use super::judge;
use serde_json::{Value, json};

/// What fails, by certificate and by rational numbers alike.
fn violations(problem: &str, impulse: &[f64]) -> Vec<Value> {
    let problem: Value = serde_json::from_str(problem).unwrap();
    let judged = judge(&problem, impulse).unwrap();
    assert_eq!(judged.disagreements, [""; 0], "{}", judged.certificate);
    assert!(!judged.exact.is_permissible());
    judged.certificate["verdict"]["violates"].as_array().cloned().unwrap_or_default()
}

const APART: &str = r#"{"delassus":[[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]],"contact_velocity":[-1,0,-1,9],"contacts":[{"mu":1e12,"e":0.5,"rows":2},{"mu":0.5,"e":0.5,"rows":2}]}"#;

/// The cone of contact 0 reaches to 1.5e12, which is no scale for contact 1, 16 times outside its own.
#[test]
fn another_contacts_friction_excuses_nothing() {
    assert_eq!(violations(APART, &[1.5, 0.0, 1.0, -8.0]), ["cone"]);
}

#[test]
fn another_contacts_friction_excuses_no_pull() {
    let problem = APART.replace("[-1,0,-1,9]", "[-1,0,1,9]");
    assert_eq!(violations(&problem, &[1.5, 0.0, -0.9, 0.0]), ["normal_impulse", "cone"]);
}

#[test]
fn another_contacts_speed_excuses_no_approach() {
    let problem =
        r#"{"delassus":[[1,0],[0,1]],"contact_velocity":[-1,-1e10],"contacts":[{"e":1},{"e":1}]}"#;
    assert_eq!(violations(problem, &[0.0, 2e10]), ["separation"]);
    // Nor where the two are coupled, but so weakly that it does not matter.
    let problem = problem.replace("[[1,0],[0,1]]", "[[1,1e-20],[1e-20,1]]");
    assert_eq!(violations(&problem, &[0.0, 2e10]), ["separation"]);
}

#[test]
fn another_balls_loss_excuses_no_gain() {
    let problem = r#"{"mass":[1,1],"jacobian":[[1,0],[0,1]],"velocity":[-1,-1],"contacts":[{"e":1},{"e":1}]}"#;
    assert_eq!(violations(problem, &[1.0, 2.4]), ["energy"]);
    // Nor where rounding of a row couples them.
    let problem = problem.replace("[0,1]", "[1e-17,1]");
    assert_eq!(violations(&problem, &[1.0, 2.4]), ["energy"]);
}

/// Masses over ten decades: W, rounded, is off by more than what the light ones have. The impulse is that of `moreau`
/// before it was judged by masses.
#[test]
fn the_rounding_of_w_excuses_no_gain() {
    let problem = r#"{"chain":{"mass":[300,160000,3.236729559316095,2.6594150587361028e-05,1,16000],"velocity":[-200,-2,0,-5000,0,-4000],"e":[0,0,0.9441766255028229,0,0.9441766255028229]}}"#;
    let impulse = [
        158_393.137_912_661_3,
        116_314_733.357_998_7,
        116_317_089.623_082_12,
        116_317_089.450_407_15,
        116_315_596.481_999_13,
    ];
    assert_eq!(violations(problem, &impulse), ["energy"]);
    let judged = judge(&serde_json::from_str(problem).unwrap(), &impulse).unwrap();
    // 1,256.75 J of 1.16e11.
    assert!((judged.exact.energy_change() - 1256.75).abs() < 0.01);
    assert_eq!(judged.certificate["energy_change"], json!(judged.exact.energy_change()));
}

/// Beside 1e-28 kg a kilogram counts as locked in W; by masses, friction throws the body off.
#[test]
fn a_row_that_w_forgot_excuses_no_gain() {
    let problem = r#"{"mass":[1e-28,1,1],"velocity":[0,0,-1],"bilateral":[[1,0,0]],"jacobian":[[0,0,1],[1,0,1],[0,0,0]],"contacts":[{"e":0,"mu":100,"rows":3}]}"#;
    assert_eq!(violations(problem, &[1.0, 100.0, 0.0]), ["energy"]);
    let judged = judge(&serde_json::from_str(problem).unwrap(), &[1.0, 100.0, 0.0]).unwrap();
    assert_eq!(judged.certificate["energy_change"], json!(4999.5));
    assert!(judged.notes.iter().any(|note| note.contains("too far apart")), "{:?}", judged.notes);
}

/// Friction along a row that nothing moves would take 3.75 J, and half a joule is there.
#[test]
fn more_cannot_be_lost_than_there_is() {
    let problem = r#"{"delassus":[[1,0],[0,0]],"contact_velocity":[-1,5],"contacts":[{"e":0.5,"mu":0.5,"rows":2}]}"#;
    assert_eq!(violations(problem, &[1.5, -0.75]), ["energy"]);
    // A conveyor gives what friction takes.
    let driven = json!({
        "mass": [1], "jacobian": [[1], [0]], "velocity": [-1], "drive": [0, 5],
        "contacts": [{ "e": 0.5, "mu": 0.5, "rows": 2 }],
    });
    let judged = judge(&driven, &[1.5, -0.75]).unwrap();
    assert_eq!(judged.disagreements, [""; 0]);
    assert!(judged.exact.is_permissible());
}

/// A start that violates its hinge is said to: `u⁻` is −4.29 and not −3 because the hinge holds first.
#[test]
fn a_broken_hinge_is_noted() {
    let problem = r#"{"bodies":[{"name":"g","fixed":true},{"name":"rod","mass":1,"inertia":0.1,"position":[0.5,0],"velocity":[5,-3],"angular_velocity":0}],"joints":[{"type":"hinge","a":"g","b":"rod","point":[0,0]}],"contacts":[{"a":"g","b":"rod","point":[1,0],"normal":[0,1],"e":0.5,"mu":0.3}]}"#;
    let judged = judge(&serde_json::from_str(problem).unwrap(), &[2.25, 0.0]).unwrap();
    assert_eq!(judged.disagreements, [""; 0]);
    assert!(judged.notes.iter().any(|note| note.contains("breaks a joint")), "{:?}", judged.notes);
    // A start that keeps the hinge has nothing to say.
    let kept = problem
        .replace("[5,-3]", "[0,-3]")
        .replace("\"angular_velocity\":0", "\"angular_velocity\":-6");
    let judged = judge(&serde_json::from_str(&kept).unwrap(), &[2.25, 0.0]).unwrap();
    assert_eq!(judged.notes, [""; 0]);
}

/// Free flight past a surface that is not there yet is no violation; a push through the air is.
#[test]
fn contacts_that_take_no_part() {
    let problem = json!({
        "mass": [1], "jacobian": [[1]], "velocity": [-1], "contacts": [{ "e": 0.5, "gap": 0.1 }],
    });
    let flight = judge(&problem, &[0.0]).unwrap();
    assert_eq!(flight.disagreements, [""; 0]);
    assert!(flight.exact.is_permissible());
    assert_eq!(violations(&problem.to_string(), &[1.5]), ["normal_impulse", "cone"]);
}
