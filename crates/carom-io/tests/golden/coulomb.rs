//! Newton's and Poisson's laws with Coulomb's friction.

use crate::several::bodies_fault;
use crate::{answered, answers, distance, lines, norm, numbers, problem, report};
use carom::ContactProblem;
use serde_json::Value;

/// Where several velocities fulfil a law, an answer is one of them if its equations hold to this part of the speed.
const NATURAL_MAP: f64 = 1e-9;

/// The largest `|p − Π_K(p − ρ (ξ + μ|ξ_t| n))|/ρ` with `ρ = 1/W_nn`, relative to the largest `|u⁻|`: de Saxcé's form of the
/// law, of which the certificate does not know.
fn natural_map(problem: &ContactProblem, impulse: &[f64]) -> f64 {
    let (before, after) = (problem.velocity(), problem.velocity_after(impulse));
    let mut worst: f64 = 0.0;
    for (k, spec) in problem.contacts().iter().enumerate() {
        let rows = problem.row_range(k);
        let n = rows.start;
        let (mu, stiffness) = (spec.material.mu, problem.delassus_at(n, n));
        let e = spec.material.restitution.at((-before[n]).max(0.0));
        let xi: Vec<f64> = rows
            .clone()
            .map(|i| after[i] + before[i] * if i == n { e } else { spec.material.e_t })
            .collect();
        let p: Vec<f64> = rows.map(|i| stiffness * impulse[i]).collect();
        let mut x: Vec<f64> = p.iter().zip(&xi).map(|(p, xi)| p - xi).collect();
        x[0] -= mu * norm(&xi[1..]);
        let reach = norm(&x[1..]);
        if reach > mu * x[0] {
            let normal = ((x[0] + mu * reach) / (1.0 + mu * mu)).max(0.0);
            x[1..]
                .iter_mut()
                .for_each(|t| *t *= if reach > 0.0 { mu * normal / reach } else { 0.0 });
            x[0] = normal;
        }
        worst = worst.max(distance(&p, &x));
    }
    worst / before.iter().fold(0.0, |m: f64, u| m.max(u.abs()))
}

fn fault(line: &Value, answer: &Value) -> Option<String> {
    let expect = &line["expect"];
    if line["check"] == "error" {
        let told = answer["error"]["kind"] == "no_solution"
            && answer["error"]["message"].as_str().is_some_and(|text| {
                text.contains("self-stress") && text.contains("poisson-coulomb")
            });
        return (!told).then(|| answer.to_string());
    }
    if let Some(error) = answer.get("error") {
        return Some(error.to_string());
    }
    let tolerance = line["tolerance"]["relative"].as_f64()?;
    let problem = problem(&line["problem"]).system.problem().clone();
    let speed = norm(problem.velocity());
    // In a continuum the answer is the limit as well; only where solutions stand apart is it open which is found.
    let apart = expect["modes"].is_array() && line["check"] == "certificate";
    if line["check"] == "certificate" {
        let off = natural_map(&problem, &numbers(&answer["impulse"]));
        if off > NATURAL_MAP {
            return Some(format!("natural map {off:e}"));
        }
    }
    for (name, scale, asked) in [
        ("impulse", 0.0, line["check_impulse"] == true),
        ("contact_velocity", speed, !apart),
        ("velocity", norm(&numbers(&line["problem"]["velocity"])), !apart),
    ] {
        let (got, wanted) = (numbers(&answer[name]), numbers(&expect[name]));
        if asked && !wanted.is_empty() {
            let off = distance(&got, &wanted);
            if off > tolerance * norm(&wanted).max(scale) {
                return Some(format!("{name} {got:?}, expected {wanted:?}"));
            }
        }
    }
    if !apart && let Some(fault) = bodies_fault(line, answer, tolerance) {
        return Some(fault);
    }
    let (got, wanted) = (answer["energy_change"].as_f64()?, expect["energy_change"].as_f64()?);
    let available = answer["certificate"]["energy_available"].as_f64()?;
    if !apart && (got - wanted).abs() > tolerance * available.max(wanted.abs()) {
        return Some(format!("energy change {got}, expected {wanted}"));
    }
    // A gain is shown by the verdict.
    let violates = answer["certificate"]["verdict"]["violates"].to_string();
    let gains = expect["energy_gain"] == true;
    (violates.contains("energy") != gains && !apart)
        .then(|| format!("verdict {}", answer["certificate"]["verdict"]))
}

#[test]
fn laws_with_coulombs_friction() {
    let pairs = answers("coulomb.ndjson");
    assert_eq!(pairs.len(), 25);
    report(pairs.iter().filter_map(|(line, answer)| Some((line, fault(line, answer)?))));
}

/// The certificate tells how well `newton-coulomb` is fulfilled, and where it cannot create energy.
#[test]
fn certificates_tell_the_residual() {
    for (line, answer) in answers("coulomb.ndjson") {
        let (id, coulomb) = (&line["id"], &answer["certificate"]["coulomb"]);
        if answer.get("error").is_some() {
            continue;
        }
        let [normal, tangential] = ["normal_residual", "tangential_residual"]
            .map(|key| coulomb[key].as_f64().expect("a number"));
        let newton = line["law"]["id"] == "newton-coulomb";
        let plastic = line["problem"]["contacts"]
            .as_array()
            .is_some_and(|all| all.iter().all(|contact| contact["e"] == 0.0));
        if newton {
            assert!(normal.max(tangential) <= 1e-10, "{id}: {coulomb}");
        } else if !plastic {
            assert!(normal.max(tangential) > 1e-3, "{id}: {coulomb}");
        }
        let margin = coulomb["dissipation_margin"].as_f64().expect("a number");
        assert!(!newton || margin < 0.0 || line["expect"]["energy_gain"] != true, "{id}");
    }
}

/// The lines of a file that ask one law, asked of another one.
fn instead(file: &str, law: &str, other: &str) -> Vec<(Value, Value)> {
    let mut lines = lines(file);
    lines.retain(|line| line["law"]["id"] == law);
    for line in &mut lines {
        line["law"] = Value::from(other);
        // Whittaker's law does not read it.
        for contact in line["problem"]["contacts"].as_array_mut().into_iter().flatten() {
            contact.as_object_mut().map(|contact| contact.remove("e_t"));
        }
    }
    answered(lines)
}

fn impulse_fault(line: &Value, answer: &Value, tolerance: f64) -> Option<String> {
    let (got, wanted) = (numbers(&answer["impulse"]), numbers(&line["expect"]["impulse"]));
    let same = got.len() == wanted.len() && distance(&got, &wanted) <= tolerance * norm(&wanted);
    (!same).then(|| format!("{answer}, expected {wanted:?}"))
}

/// One contact is `whittaker` and `anitescu-potra`.
#[test]
fn one_contact_is_that_of_the_laws_for_one() {
    for (single, several) in
        [("whittaker", "newton-coulomb"), ("anitescu-potra", "poisson-coulomb")]
    {
        let pairs = instead("single.ndjson", single, several);
        assert_eq!(pairs.len(), 107);
        report(
            pairs
                .iter()
                .filter_map(|(line, answer)| Some((line, impulse_fault(line, answer, 1e-9)?))),
        );
    }
}

/// Without friction they are `newton` and `poisson`.
#[test]
fn without_friction_nothing_is_new() {
    for (smooth, rough) in [("newton", "newton-coulomb"), ("poisson", "poisson-coulomb")] {
        let pairs = instead("multi.ndjson", smooth, rough);
        assert_eq!(pairs.len(), 42);
        let value = |line: &Value| line["check"] == "value" && line["check_impulse"] == true;
        report(
            pairs
                .iter()
                .filter(|(line, _)| value(line))
                .filter_map(|(line, answer)| Some((line, impulse_fault(line, answer, 1e-10)?))),
        );
    }
}
