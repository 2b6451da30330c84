//! Tables 2 and 3: which contacts take part in each step of the rule with pre-collisions.

use crate::papers::Drawn;
use crate::papers::chains::followed;
use crate::{Field, PlotError, Sheet};
use carom::outcome::StepRecord;

pub(super) fn table_2() -> Result<Drawn, PlotError> {
    let caption = "Sets of contacts in each step, four bodies of 1 kg, v = 1, 0, 0, 0 m/s before, ε = 1, 1/2, 1. N1: contacts \
                   that collide anew; N2: contacts that finish a pre-collision; P: pre-collisions. Contacts count from 1.";
    sets("Collision sets", caption, [1.0; 4], [1.0, 0.5, 1.0])
}

pub(super) fn table_3() -> Result<Drawn, PlotError> {
    let caption = "Sets of contacts in each step, four bodies of 1, 0.1, 1, 1 kg, v = 1, 0, 0, 0 m/s before, ε = 1, 3/5, 1. N1: \
                   contacts that collide anew; N2: contacts that finish a pre-collision; P: pre-collisions. Contacts count \
                   from 1.";
    sets("Collision sets with a light second body", caption, [1.0, 0.1, 1.0, 1.0], [1.0, 0.6, 1.0])
}

fn sets(title: &str, caption: &str, mass: [f64; 4], e: [f64; 3]) -> Result<Drawn, PlotError> {
    let (after, steps) = followed("mosterman", &mass, &[1.0, 0.0, 0.0, 0.0], &e)?;
    let ends: Vec<String> = after.iter().map(|v| format!("{v:.7}").replace('-', "−")).collect();
    let caption = format!("{caption} Velocities after: {} m/s.", ends.join(", "));
    let mut sheet = Sheet::new(title, &caption, &["k", "N1", "N2", "P"]);
    for (k, step) in steps.iter().enumerate() {
        let StepRecord::Round { fresh, unfinished, ahead } = step else { continue };
        let lists = [fresh, unfinished, ahead].map(|contacts| Field::Word(braces(contacts)));
        sheet.row([Field::Number((k + 1) as f64)].into_iter().chain(lists).collect());
    }
    Ok(Drawn::Table(sheet))
}

fn braces(contacts: &[usize]) -> String {
    let contacts: Vec<String> = contacts.iter().map(|k| (k + 1).to_string()).collect();
    format!("{{{}}}", contacts.join(","))
}
