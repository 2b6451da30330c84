//! What is expected of a motion, and by how much an answer misses it. Works on answers as `carom simulate` writes them.

use serde_json::Value;

/// Where an answer differs from what is expected, in words; empty if it does not.
pub fn misses(question: &Value, answer: &Value) -> Vec<String> {
    let mut checker = Checker { tolerance: &question["tolerance"], answer, found: Vec::new() };
    checker.expectation(&question["expect"]);
    checker.found
}

struct Checker<'a> {
    tolerance: &'a Value,
    answer: &'a Value,
    found: Vec<String>,
}

impl Checker<'_> {
    /// One set of expectations. Those that this does not know are misses: none is passed over.
    fn expectation(&mut self, expect: &Value) {
        let Some(expect) = expect.as_object() else {
            return self.miss("the expectation is no table");
        };
        if expect.is_empty() {
            self.miss("nothing is expected");
        }
        let refused = self.answer.get("error").is_some();
        if refused && !expect.contains_key("error") && !expect.contains_key("any") {
            let error = self.answer["error"].to_string();
            return self.miss(format!("refused: {error}"));
        }
        for (key, value) in expect {
            match key.as_str() {
                "samples" => self.samples(value),
                "event_times" => self.event_times(value),
                "counts" => self.counts(value),
                "ledger" => self.ledger(value),
                "end" => self.end(value),
                "energy_end" => self.energy_end(value),
                "error" => self.error(value),
                "any" => self.any(value),
                other => self.miss(format!("the expectation `{other}` is unknown")),
            }
        }
    }

    fn miss(&mut self, words: impl Into<String>) {
        self.found.push(words.into());
    }

    fn tolerance(&self, name: &str) -> Option<f64> {
        self.tolerance[name].as_f64()
    }

    /// Of an energy or work \[J\].
    fn energy_tolerance(&self, expected: f64) -> f64 {
        self.tolerance("energy").unwrap_or(1e-7 * (1.0 + expected.abs()))
    }

    fn number(&mut self, what: &str, got: &Value, expected: f64, tolerance: Option<f64>) {
        let Some(tolerance) = tolerance else {
            return self.miss(format!("{what}: there is no tolerance"));
        };
        match got.as_f64() {
            None => self.miss(format!("{what}: {got} is no number, {expected} is expected")),
            // Not the other way round: what is no number is a miss.
            Some(x) if (x - expected).abs() <= tolerance => {}
            Some(x) => {
                let off = (x - expected).abs();
                self.miss(format!(
                    "{what}: {x}, expected {expected}: off by {off:.1e}, {tolerance:.0e} allowed"
                ));
            }
        }
    }

    /// A number, or a list of as many.
    fn numbers(&mut self, what: &str, got: &Value, expected: &Value, tolerance: Option<f64>) {
        match expected.as_array() {
            None => match expected.as_f64() {
                Some(x) => self.number(what, got, x, tolerance),
                None => self.miss(format!("{what}: the expectation {expected} is no number")),
            },
            Some(list) => match got.as_array() {
                Some(items) if items.len() == list.len() => {
                    for (i, (x, wanted)) in items.iter().zip(list).enumerate() {
                        self.numbers(&format!("{what}[{i}]"), x, wanted, tolerance);
                    }
                }
                _ => self.miss(format!("{what}: {got} has not {} numbers", list.len())),
            },
        }
    }

    fn samples(&mut self, expected: &Value) {
        let expected = expected.as_array().cloned().unwrap_or_default();
        let got = self.answer["samples"].as_array().cloned().unwrap_or_default();
        for sample in &expected {
            let t = sample["t"].as_f64();
            let Some(found) = got.iter().find(|s| s["t"].as_f64() == t) else {
                self.miss(format!("no sample at {} s", sample["t"]));
                continue;
            };
            for (name, state) in sample["bodies"].as_object().into_iter().flatten() {
                let body = &found["bodies"][name];
                for (quantity, value) in state.as_object().into_iter().flatten() {
                    let what = format!("{name} at {} s, {quantity}", sample["t"]);
                    self.state(&what, quantity, &body[quantity], value);
                }
            }
        }
    }

    fn state(&mut self, what: &str, quantity: &str, got: &Value, expected: &Value) {
        let position = self.tolerance("position");
        let velocity = self.tolerance("velocity");
        match quantity {
            "position" => self.numbers(what, got, expected, position),
            "velocity" | "angular_velocity" => self.numbers(what, got, expected, velocity),
            "orientation" => {
                // A quaternion and its negative are one orientation: the nearer one counts.
                let sign = match (got.as_array(), expected.as_array()) {
                    (Some(a), Some(b)) => {
                        let pairs =
                            a.iter().zip(b).filter_map(|(x, y)| Some(x.as_f64()? * y.as_f64()?));
                        if pairs.sum::<f64>() < 0.0 { -1.0 } else { 1.0 }
                    }
                    _ => 1.0,
                };
                let turned = match (sign < 0.0, got.as_array()) {
                    (true, Some(items)) => items.iter().map(|x| x.as_f64().map(|x| -x)).collect(),
                    _ => got.clone(),
                };
                self.numbers(what, &turned, expected, position);
            }
            other => self.miss(format!("{what}: the quantity `{other}` is unknown")),
        }
    }

    /// Times of the events of these kinds, in the order of time. `"a|b"` names either.
    fn times_of(&self, kinds: &str) -> Vec<f64> {
        let events = self.answer["events"].as_array();
        let of_kind = |event: &&Value| kinds.split('|').any(|kind| event["kind"] == kind);
        events
            .into_iter()
            .flatten()
            .filter(of_kind)
            .filter_map(|event| event["t"].as_f64())
            .collect()
    }

    fn event_times(&mut self, expected: &Value) {
        for entry in expected.as_array().into_iter().flatten() {
            let (Some(kinds), Some(n), Some(t)) =
                (entry[0].as_str(), entry[1].as_u64(), entry[2].as_f64())
            else {
                self.miss(format!("the expectation {entry} is no event time"));
                continue;
            };
            let times = self.times_of(kinds);
            match (n as usize).checked_sub(1).and_then(|i| times.get(i)) {
                None => self.miss(format!("{kinds} {n}: there are only {}", times.len())),
                Some(time) => {
                    let tolerance = self.tolerance("time");
                    self.number(&format!("{kinds} {n}"), &(*time).into(), t, tolerance);
                }
            }
        }
    }

    fn counts(&mut self, expected: &Value) {
        for (kinds, wanted) in expected.as_object().into_iter().flatten() {
            let times = self.times_of(kinds);
            // How many in all, or up to a time.
            let (wanted, until) = match wanted.as_array() {
                None => (wanted.as_u64(), f64::INFINITY),
                Some(_) => (wanted[0].as_u64(), wanted[1].as_f64().unwrap_or(f64::NAN)),
            };
            let count = times.iter().filter(|t| **t <= until).count() as u64;
            if wanted != Some(count) {
                let wanted = wanted.map_or("?".into(), |n| n.to_string());
                self.miss(format!("{count} events {kinds}, expected {wanted}"));
            }
        }
    }

    fn ledger(&mut self, expected: &Value) {
        for (name, value) in expected.as_object().into_iter().flatten() {
            let Some(wanted) = value.as_f64() else {
                self.miss(format!("the expectation {name}: {value} is no number"));
                continue;
            };
            let got = self.answer["ledger"][name].clone();
            self.number(
                &format!("ledger, {name}"),
                &got,
                wanted,
                Some(self.energy_tolerance(wanted)),
            );
        }
    }

    fn energy_end(&mut self, expected: &Value) {
        let Some(wanted) = expected.as_f64() else {
            return self.miss("the expected energy is no number");
        };
        let got = self.answer["ledger"]["end"].clone();
        self.number("energy at the end", &got, wanted, Some(self.energy_tolerance(wanted)));
    }

    fn end(&mut self, expected: &Value) {
        let end = self.answer["end"].clone();
        for (name, value) in expected.as_object().into_iter().flatten() {
            match (name.as_str(), value.as_f64()) {
                ("t", Some(t)) => {
                    let tolerance = self.tolerance("time");
                    self.number("time of the end", &end["t"], t, tolerance);
                }
                ("reason", _) if *value == end["reason"] => {}
                ("reason", _) => {
                    let message = end.get("message").map_or(String::new(), |m| format!(" ({m})"));
                    self.miss(format!("ended by {}{message}, expected {value}", end["reason"]));
                }
                _ => self.miss(format!("the expectation {name}: {value} is unknown")),
            }
        }
    }

    fn error(&mut self, expected: &Value) {
        let kind = &self.answer["error"]["kind"];
        if kind != expected {
            self.miss(format!("the error is {kind}, expected {expected}"));
        }
    }

    /// One of several: the first that holds. Of those that miss, the one that misses least often is told.
    fn any(&mut self, expected: &Value) {
        let all = expected.as_array().cloned().unwrap_or_default();
        let misses = all.iter().map(|one| {
            let mut checker =
                Checker { tolerance: self.tolerance, answer: self.answer, found: Vec::new() };
            checker.expectation(one);
            checker.found
        });
        match misses.min_by_key(Vec::len) {
            None => self.miss("none of no expectations can hold"),
            Some(found) if found.is_empty() => {}
            Some(found) => {
                let best = found.join("; ");
                self.miss(format!("none of {} holds; the nearest: {best}", all.len()));
            }
        }
    }
}

/// The checker, on motions made by hand: what is right passes, and whatever is wrong is found.
#[cfg(test)]
mod tests {
    use super::misses;
    use serde_json::{Value, json};

    const NOTHING: [&str; 0] = [];

    fn question() -> Value {
        json!({
            "tolerance": { "position": 1e-9, "velocity": 1e-8, "time": 1e-9, "energy": 1e-8 },
            "expect": {
                "samples": [{ "t": 0.5, "bodies": {
                    "ball": { "position": [1.0, 2.0], "velocity": [0.0, -1.0], "orientation": 7.0 },
                    "top": { "orientation": [0.6, 0.0, 0.8, 0.0], "angular_velocity": [0.0, 0.0, 3.0] },
                } }],
                "event_times": [["impact", 2, 0.3], ["impact|limit", 3, 0.4], ["stick|rest", 1, 0.45]],
                "counts": { "impact": 2, "limit": [1, 0.42], "separation": 0 },
                "ledger": { "impacts": -1.5 },
                "energy_end": 2.0,
                "end": { "reason": "rest", "t": 0.45 },
            },
        })
    }

    fn answer() -> Value {
        json!({
            "samples": [
                { "t": 0.0, "bodies": {} },
                { "t": 0.5, "bodies": {
                    "ball": { "position": [1.0 + 5e-10, 2.0], "velocity": [0.0, -1.0 - 5e-9],
                        "orientation": 7.0, "angular_velocity": 9.0 },
                    "top": { "orientation": [-0.6, 0.0, -0.8, 0.0], "angular_velocity": [0.0, 0.0, 3.0] },
                } },
            ],
            "events": [
                { "t": 0.1, "kind": "impact" }, { "t": 0.3, "kind": "impact" },
                { "t": 0.4, "kind": "limit" }, { "t": 0.43, "kind": "limit" }, { "t": 0.45, "kind": "rest" },
            ],
            "ledger": { "impacts": -1.5, "end": 2.0 },
            "end": { "reason": "rest", "t": 0.45 },
        })
    }

    #[test]
    fn what_is_right_passes() {
        assert_eq!(misses(&question(), &answer()), NOTHING);
    }

    /// Every number and word that something is expected of, changed one at a time.
    #[test]
    fn whatever_is_wrong_is_found() {
        for (pointer, value) in [
            ("/samples/1/t", json!(0.51)),
            ("/samples/1/bodies/ball/position/0", json!(1.0 + 1.1e-9)),
            ("/samples/1/bodies/ball/position/1", Value::Null),
            ("/samples/1/bodies/ball/position", json!([1.0, 2.0, 0.0])),
            ("/samples/1/bodies/ball/velocity/1", json!(1.0)),
            ("/samples/1/bodies/ball/orientation", json!(7.0 - std::f64::consts::TAU)),
            ("/samples/1/bodies/ball", json!({})),
            ("/samples/1/bodies/top/orientation/2", json!(0.8)),
            ("/samples/1/bodies/top/angular_velocity/2", json!(-3.0)),
            ("/samples", json!([])),
            ("/events/1/t", json!(0.3 + 1e-8)),
            ("/events/1/kind", json!("limit")),
            ("/events/2/t", json!(0.41)),
            ("/events/2/kind", json!("slip")),
            ("/events/3/t", json!(0.42)),
            ("/events/3/kind", json!("separation")),
            ("/events/3/kind", json!("impact")),
            ("/events/4/t", json!(0.46)),
            ("/events", json!([])),
            ("/ledger/impacts", json!(1.5)),
            ("/ledger/end", json!(2.0 + 2e-8)),
            ("/ledger", json!({})),
            ("/end/t", json!(0.44)),
            ("/end/reason", json!("duration")),
        ] {
            let mut wrong = answer();
            *wrong.pointer_mut(pointer).expect("a place") = value.clone();
            let found = misses(&question(), &wrong);
            assert!(!found.is_empty(), "{pointer} = {value} passes");
        }
        assert!(!misses(&question(), &json!({ "error": { "kind": "bad_problem" } })).is_empty());
    }

    #[test]
    fn misses_say_by_how_much() {
        let mut wrong = answer();
        wrong["end"]["t"] = json!(0.4501);
        let found = misses(&question(), &wrong);
        assert_eq!(found, ["time of the end: 0.4501, expected 0.45: off by 1.0e-4, 1e-9 allowed"]);
    }

    #[test]
    fn refusals_are_expected_by_their_kind() {
        let question = json!({ "tolerance": {}, "expect": { "error": "bad_problem" } });
        let refused = |kind: &str| json!({ "error": { "kind": kind, "message": "…" } });
        assert_eq!(misses(&question, &refused("bad_problem")), NOTHING);
        assert_eq!(misses(&question, &refused("unknown_law")).len(), 1);
        assert_eq!(misses(&question, &answer()).len(), 1);
    }

    #[test]
    fn one_of_several_is_enough() {
        let mut question = question();
        question["expect"] = json!({ "any": [
            { "counts": { "impact": 7 } }, { "counts": { "impact": 2 } }, { "error": "impact" } ] });
        assert_eq!(misses(&question, &answer()), NOTHING);
        assert_eq!(misses(&question, &json!({ "error": { "kind": "impact" } })), NOTHING);
        let mut other = answer();
        other["events"][0]["kind"] = json!("slip");
        assert_eq!(misses(&question, &other).len(), 1);
    }

    #[test]
    fn expectations_that_nobody_checks_are_misses() {
        for expect in [json!({}), json!({ "sample": [] }), json!({ "end": { "time": 1.0 } })] {
            let question = json!({ "tolerance": { "time": 1.0 }, "expect": expect });
            assert!(!misses(&question, &answer()).is_empty(), "{expect}");
        }
        // Without a tolerance nothing is near enough, but energies have one.
        let question = json!({ "tolerance": {}, "expect": { "end": { "t": 0.45 } } });
        assert_eq!(misses(&question, &answer()).len(), 1);
        let question = json!({ "tolerance": {}, "expect": { "energy_end": 2.0 + 2e-7 } });
        assert_eq!(misses(&question, &answer()), NOTHING);
    }
}
