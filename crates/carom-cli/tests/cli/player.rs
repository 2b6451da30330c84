//! The page that plays a motion, as a browser sees it.

use crate::report::opened_at;
use crate::support::{TemporaryFolder, carom};
use serde_json::Value;
use std::path::PathBuf;

/// Writes the page of a scene.
fn player(folder: &TemporaryFolder, scene: &str, options: &[&str]) -> (PathBuf, String) {
    let path = folder.path().join(format!("{scene}.html"));
    let file = format!("scenes/{scene}.toml");
    let out = path.display().to_string();
    let run = carom(&[&["simulate", &file, "--report", &out][..], options].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let page = std::fs::read_to_string(&path).expect("the page");
    (path, page)
}

fn data(page: &str) -> Value {
    let (data, _) = page
        .split_once("<script type=\"application/json\" id=\"motion\">")
        .and_then(|(_, rest)| rest.split_once("</script>"))
        .expect("the data");
    serde_json::from_str(data).expect("JSON")
}

/// The text of the element with this id.
fn text<'a>(document: &'a str, id: &str) -> &'a str {
    let (_, rest) = document.split_once(&format!("id=\"{id}\"")).expect("the element");
    let (_, rest) = rest.split_once('>').expect("its text");
    rest.split('<').next().expect("its end")
}

/// The time that the clock shows \[s\].
fn clock(document: &str) -> f64 {
    let text = text(document, "clock");
    let number = text.strip_prefix("t = ").and_then(|rest| rest.strip_suffix(" s"));
    number.and_then(|x| x.parse().ok()).unwrap_or_else(|| panic!("`{text}`"))
}

#[test]
fn it_plays_without_complaint() {
    let folder = TemporaryFolder::new("player-browser");
    // In the plane and in space, with joints that close a loop and without.
    for scene in ["bouncing-ball", "brick-toss", "slider-crank", "galperin-pi"] {
        let (path, page) = player(&folder, scene, &[]);
        let end = data(&page)["end"]["t"].as_f64().expect("a time");
        let profile = folder.path().join("profile");
        let mut times = Vec::new();
        for place in ["t=0", "play", "t=end", "event=0"] {
            let (mut document, mut said) = opened_at(&path, place, &profile);
            // The browser's time may be over before it draws a second picture.
            for _ in 0..9 {
                if place != "play" || clock(&document) > 0.0 {
                    break;
                }
                (document, said) = opened_at(&path, place, &profile);
            }
            assert!(!said.contains("CONSOLE"), "{scene}: {said}");
            assert!(document.contains("data-ready=\"true\""), "{scene}: it did not start");
            times.push(clock(&document));
            if place == "event=0" && data(&page)["details"][0].is_string() {
                assert!(document.contains("What the laws say"), "{scene}: no other laws");
                assert!(document.contains("momentum residual"), "{scene}: no certificate");
            }
        }
        assert_eq!(times[0], 0.0, "{scene}");
        assert!(times[1] > 0.0, "{scene}: it does not play");
        assert!((times[2] - end).abs() < 1e-3 * end, "{scene}: {} is not the end", times[2]);
    }
}

#[test]
fn it_needs_nothing_else() {
    let folder = TemporaryFolder::new("player-alone");
    let (_, page) = player(&folder, "brick-toss", &[]);
    let foreign: Vec<&str> = page
        .split("http")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap_or(""))
        .filter(|rest| !rest.starts_with("://www.w3.org/2000/svg") && *rest != "-equiv=")
        .collect();
    assert!(foreign.is_empty(), "{foreign:?}");
    assert!(!page.contains("<link") && !page.contains(" src="));
    assert!(page.contains("default-src 'none'"));
    for word in ["fetch(", "XMLHttpRequest", "import(", "WebSocket", "sendBeacon"] {
        assert!(!page.contains(word), "{word}");
    }
}

/// Numbers of eight or four bytes from base 64.
fn numbers(text: &Value, bytes: usize) -> Vec<f64> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let text = text.as_str().expect("text").trim_end_matches('=');
    let mut bits: Vec<u8> = Vec::new();
    let (mut held, mut count) = (0_u32, 0);
    for c in text.bytes() {
        held = held << 6 | u32::from(digit(c));
        count += 6;
        if count >= 8 {
            count -= 8;
            bits.push((held >> count & 255) as u8);
        }
    }
    match bytes {
        8 => bits.chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect(),
        _ => bits
            .chunks_exact(4)
            .map(|b| f64::from(f32::from_le_bytes(b.try_into().unwrap())))
            .collect(),
    }
}

#[test]
fn its_numbers_are_those_of_the_motion() {
    let folder = TemporaryFolder::new("player-data");
    let (_, page) = player(&folder, "bouncing-ball", &[]);
    let data = data(&page);
    let times = numbers(&data["samples"]["t"], 8);
    assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
    let poses = numbers(&data["samples"]["pose"], 4);
    let works = numbers(&data["samples"]["works"], 8);
    assert_eq!(poses.len(), 3 * times.len());
    assert_eq!(works.len(), 5 * times.len());
    // The same motion, asked for in another way at some of the same times.
    let chosen = [times[0], times[times.len() / 3], times[times.len() - 1]];
    let at = chosen.map(|t| t.to_string()).join(",");
    let answer = carom(&["simulate", "scenes/bouncing-ball.toml", "--json", "--at", &at]).json();
    for (k, t) in chosen.iter().enumerate() {
        let place = times.iter().position(|other| other == t).expect("the time");
        let y = answer["samples"][k]["bodies"]["ball"]["position"][1].as_f64().expect("a number");
        assert!((poses[3 * place + 1] - y).abs() < 1e-6, "t = {t}: {y}");
    }
    let events = answer["events"].as_array().expect("events");
    assert_eq!(data["events"].as_array().map(Vec::len), Some(events.len()));
    let lost = answer["ledger"]["impacts"].as_f64().expect("a number");
    assert!((works[works.len() - 5] - lost).abs() < 1e-9 * lost.abs());
    // The impacts that change energy most are explained, and none of them twice.
    let mut explained: Vec<u64> = data["events"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|e| e["detail"].as_u64())
        .collect();
    let count = explained.len();
    explained.sort_unstable();
    explained.dedup();
    assert_eq!((explained.len(), count), (24, 24));
}

#[test]
fn impacts_with_friction_have_a_picture_of_what_is_permissible() {
    let folder = TemporaryFolder::new("player-region");
    let (_, page) = player(&folder, "brick-toss", &[]);
    let details = data(&page)["details"].as_array().cloned().expect("a list");
    let drawn = details.iter().filter_map(Value::as_str).filter(|text| text.contains("<svg"));
    assert!(drawn.count() > 0, "no impact has one");
}

#[test]
fn another_law_is_that_of_the_page() {
    let folder = TemporaryFolder::new("player-law");
    let (_, page) = player(&folder, "bouncing-ball", &["--law", "newton", "--force"]);
    assert!(page.contains("carom simulate scenes/bouncing-ball.toml --law newton --report"));
    let first = data(&page)["details"][0].as_str().expect("a detail").to_owned();
    let (_, shown) = first.split_once("<summary><code>").expect("a certificate");
    assert!(shown.starts_with("newton<"), "{}", &shown[..40]);
}

#[test]
fn what_is_there_is_not_replaced() {
    let folder = TemporaryFolder::new("player-there");
    let path = folder.path().join("mine.html");
    std::fs::write(&path, "mine").expect("a file");
    let out = path.display().to_string();
    let run = carom(&["simulate", "scenes/bouncing-ball.toml", "--report", &out]);
    assert_eq!(run.code, 2, "{}", run.stdout);
    assert!(run.stderr.contains("--force"), "{}", run.stderr);
    assert_eq!(std::fs::read_to_string(&path).expect("a file"), "mine");
}

#[test]
fn several_laws_play_side_by_side() {
    let folder = TemporaryFolder::new("player-several");
    let laws = ["--law", "chatterjee-ruina", "--law", "routh-poisson"];
    let (path, page) = player(&folder, "superball", &laws);
    assert_eq!(page.matches("<iframe").count(), 2);
    assert!(page.contains("Parts from the first at"));
    let (_, said) = opened_at(&path, "", &folder.path().join("profile"));
    assert!(!said.contains("CONSOLE"), "{said}");
}
