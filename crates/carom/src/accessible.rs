//! Accessible sets: the impulses that a law can give on one contact, over all values of its parameters.
//!
//! A law's parameters are `e`, if its row says that it reads it, `e_t`, and those of its settings that are numbers
//! of a known range. Each is swept on a uniform grid; `μ` is the contact's. Parameters without effect leave no
//! trace, because equal impulses are listed once.

use crate::contact::{Contact, ContactVec, Material, Restitution};
use crate::laws::info::{LawInfo, ReadsE};
use crate::laws::law::Law;
use crate::laws::single::{ContactLaw, SingleLaw};
use crate::outcome::Unobserved;
use crate::region::{PermissibleRegion, SphericalParameters};
use crate::settings::{SettingValue, Settings};
use crate::{ImpactError, Tolerances};
use core::f64::consts::{FRAC_PI_2, PI};
use std::collections::BTreeSet;

/// One impulse of an accessible set, with the parameters that lead to it.
#[derive(Clone, Debug, PartialEq)]
pub struct AccessiblePoint<const D: usize> {
    /// The impulse [N·s].
    pub impulse: ContactVec<D>,
    /// The law with its settings.
    pub law: Law,
    /// The material: `e`, `e_t` and Brach's ratios stand there.
    pub material: Material,
    /// Whether the impulse is permissible.
    pub permissible: bool,
}

/// The most parameter combinations that one set may need.
const LIMIT: usize = 1_000_000;

/// Refuses more combinations than [`LIMIT`] before they are made.
fn check_count(row: &'static LawInfo, counts: &[usize]) -> Result<(), ImpactError> {
    let count = counts.iter().fold(1, |product: usize, n| product.saturating_mul(*n));
    if count <= LIMIT {
        return Ok(());
    }
    let id = row.id;
    Err(ImpactError::Limit(format!(
        "the accessible set of law `{id}` needs more than {LIMIT} impacts at this resolution"
    )))
}

/// The impulses that the law with this id can give on `contact`, each parameter taking `resolution` values (at least
/// two) over its range. Combinations for which the law has no answer are left out; if it has none at all, the first
/// error is returned.
pub fn accessible_set<const D: usize>(
    id: &str,
    contact: &Contact<D>,
    resolution: usize,
    tolerances: &Tolerances,
) -> Result<Vec<AccessiblePoint<D>>, ImpactError> {
    let row = SingleLaw::find(id)?;
    let region = PermissibleRegion::new(contact, tolerances)?;
    let grid = Grid { steps: resolution.max(2) };
    let laws = laws(row, &region, grid)?;
    let materials = materials(row, &region, grid)?;
    check_count(row, &[laws.len(), materials.len()])?;
    let mut points = Vec::new();
    let mut seen = BTreeSet::new();
    let mut failure = None;
    for law in laws {
        for material in &materials {
            let swept = Contact::new(*contact.delassus(), *contact.velocity(), *material)?;
            match law.resolve(&swept, tolerances, &mut Unobserved) {
                Ok(outcome) => {
                    let impulse = outcome.impulse;
                    // Adding zero turns −0 into 0.
                    if seen.insert(impulse.components().map(|x| (x + 0.0).to_bits())) {
                        points.push(AccessiblePoint {
                            impulse,
                            law: law.into(),
                            material: *material,
                            permissible: region.contains(&impulse),
                        });
                    }
                }
                Err(error) => failure = failure.or(Some(error)),
            }
        }
    }
    match failure {
        Some(error) if points.is_empty() => Err(error),
        _ => Ok(points),
    }
}

#[derive(Clone, Copy)]
struct Grid {
    steps: usize,
}

impl Grid {
    fn between(self, low: f64, high: f64) -> impl Iterator<Item = f64> {
        let last = (self.steps - 1) as f64;
        (0..self.steps).map(move |i| low + (high - low) * (i as f64 / last))
    }
}

/// The law with every combination of its own settings.
fn laws<const D: usize>(
    row: &'static LawInfo,
    region: &PermissibleRegion<D>,
    grid: Grid,
) -> Result<Vec<SingleLaw>, ImpactError> {
    let mut combinations = vec![Settings::new()];
    for setting in row.settings() {
        let number = SettingValue::Number;
        let dimensions = if setting.name == "impulse" { D } else { 1 };
        check_count(row, &[&[combinations.len()], &[grid.steps; 3][..dimensions]].concat())?;
        let values: Vec<SettingValue> = match setting.name {
            "sigma" | "nu" | "rho" => grid.between(0.0, 1.0).map(number).collect(),
            "psi1" if D == 3 => grid.between(0.0, PI).map(number).collect(),
            "psi1" => grid.between(-PI, PI).map(number).collect(),
            "psi2" if D == 3 => grid.between(-PI, PI).map(number).collect(),
            "impulse" => permissible_impulses(region, grid),
            _ => continue,
        };
        combinations = combinations
            .into_iter()
            .flat_map(|given| {
                values.iter().map(move |value| {
                    let mut given = given.clone();
                    given.insert(setting.name.into(), value.clone());
                    given
                })
            })
            .collect();
    }
    combinations.iter().map(|settings| SingleLaw::build(row, settings)).collect()
}

/// Impulses throughout the region, as settings.
fn permissible_impulses<const D: usize>(
    region: &PermissibleRegion<D>,
    grid: Grid,
) -> Vec<SettingValue> {
    let polar = if D == 3 { 0.0 } else { -PI };
    let azimuths: Vec<f64> = match D {
        3 => grid.between(-PI, PI).collect(),
        _ => vec![0.0],
    };
    grid.between(0.0, 1.0)
        .flat_map(|rho| grid.between(polar, PI).map(move |psi1| (rho, psi1)))
        .flat_map(|(rho, psi1)| azimuths.iter().map(move |&psi2| [psi1, psi2, rho]))
        .filter_map(|[psi1, psi2, rho]| region.impulse_at(&SphericalParameters { psi1, psi2, rho }))
        .map(|p| {
            SettingValue::List(p.as_slice().iter().map(|x| SettingValue::Number(*x)).collect())
        })
        .collect()
}

/// The contact's material with every combination of the parameters that the law reads from it.
fn materials<const D: usize>(
    row: &'static LawInfo,
    region: &PermissibleRegion<D>,
    grid: Grid,
) -> Result<Vec<Material>, ImpactError> {
    let given = *region.contact().material();
    if row.reads_e == ReadsE::Ignored {
        return Ok(vec![given]);
    }
    // Laws that take more than 1 are swept as far as the region reaches.
    let reached = region.largest_restitution().map_or(1.0, |best| best.e);
    let largest_e = row.max_e.min(reached.max(1.0));
    check_count(row, &[grid.steps; 2])?;
    let ratios: Vec<Option<[f64; 2]>> = if row.settings().iter().any(|s| s.name == "ratios") {
        impulse_ratios::<D>(given.mu, grid).map(Some).collect()
    } else {
        vec![given.impulse_ratio]
    };
    check_count(row, &[grid.steps, grid.steps, ratios.len()])?;
    let mut materials = Vec::new();
    for e in grid.between(0.0, largest_e) {
        for e_t in grid.between(-1.0, 1.0) {
            for &impulse_ratio in &ratios {
                let material =
                    Material { restitution: Restitution::Constant(e), e_t, impulse_ratio, ..given };
                materials.push(material.validated()?);
            }
        }
    }
    Ok(materials)
}

/// Ratios `p_t/p_n` throughout the disk of radius μ; for `μ = ∞` as far as a grid of angles reaches.
fn impulse_ratios<const D: usize>(mu: f64, grid: Grid) -> impl Iterator<Item = [f64; 2]> {
    let steps = grid.steps as f64;
    let radius = move |fraction: f64| {
        if mu.is_finite() {
            mu * fraction
        } else {
            libm::tan(FRAC_PI_2 * fraction * (1.0 - 1.0 / steps))
        }
    };
    let angles: Vec<f64> = match D {
        1 => vec![],
        2 => vec![0.0, PI],
        _ => grid.between(-PI, PI).collect(),
    };
    let flat = (D == 1).then_some([0.0, 0.0]);
    let disk = grid.between(0.0, 1.0).flat_map(move |fraction| {
        let directions = angles.clone();
        directions.into_iter().map(move |angle| match D {
            2 => [radius(fraction).copysign(FRAC_PI_2 - angle), 0.0],
            _ => [libm::cos(angle), libm::sin(angle)].map(|x| x * radius(fraction)),
        })
    });
    flat.into_iter().chain(disk)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Delassus;

    fn disk() -> Contact<2> {
        let w = Delassus::new([[1.0, 0.0], [0.0, 3.0]]).unwrap();
        let material = Material::new(0.5, 0.3).unwrap();
        Contact::new(w, ContactVec::new([-1.0, 2.0]), material).unwrap()
    }

    /// Without friction the set is the segment from P_I = (1, 0) to 2P_I = (2, 0), once, whatever e_t.
    #[test]
    fn a_law_without_friction_reaches_a_segment() {
        let set = accessible_set("frictionless", &disk(), 5, &Tolerances::default()).unwrap();
        let reached: Vec<_> = set.iter().map(|p| p.impulse.components()).collect();
        assert_eq!(reached, [1.0, 1.25, 1.5, 1.75, 2.0].map(|n| [n, 0.0]));
        assert!(set.iter().all(|p| p.permissible));
    }

    /// e_t has an effect in Chatterjee and Ruina's law: its set is two-dimensional.
    #[test]
    fn a_law_with_two_parameters_reaches_an_area() {
        let set = accessible_set("chatterjee-ruina", &disk(), 9, &Tolerances::default()).unwrap();
        assert!(set.len() > 18);
        assert!(set.iter().all(|p| p.permissible));
    }

    #[test]
    fn the_full_parameterisations_reach_the_same_points() {
        let tolerances = Tolerances::default();
        let spherical = accessible_set("permissible-spherical", &disk(), 9, &tolerances).unwrap();
        let projected = accessible_set("permissible-projected", &disk(), 9, &tolerances).unwrap();
        let impulses = |set: &[AccessiblePoint<2>]| {
            let mut all: Vec<_> = set.iter().map(|p| p.impulse.components()).collect();
            all.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
            all
        };
        assert_eq!(impulses(&spherical), impulses(&projected));
        assert!(spherical.iter().all(|p| p.permissible));
    }

    /// Every law of the catalogue has a set, and what its row claims holds on it.
    #[test]
    fn every_law_has_a_set() {
        let tolerances = Tolerances::default();
        for row in SingleLaw::all() {
            let set = accessible_set(row.id, &disk(), 5, &tolerances).unwrap();
            let physical = row.claims.energy && row.claims.separation && row.claims.cone;
            assert!(set.len() >= 3, "{}: {}", row.id, set.len());
            assert!(!physical || set.iter().all(|p| p.permissible), "{}", row.id);
        }
    }

    #[test]
    fn too_much_is_refused_and_an_unknown_law_named() {
        let tolerances = Tolerances::default();
        let error = accessible_set("permissible-spherical", &disk(), 100_000, &tolerances);
        assert_eq!(error.unwrap_err().kind(), "limit");
        let error = accessible_set("nonsense", &disk(), 3, &tolerances);
        assert_eq!(error.unwrap_err().kind(), "unknown_law");
    }

    #[test]
    fn ratios_cover_the_disk() {
        let planar: Vec<_> = impulse_ratios::<2>(0.5, Grid { steps: 3 }).collect();
        assert!(planar.contains(&[0.5, 0.0]) && planar.contains(&[-0.25, 0.0]));
        assert!(
            impulse_ratios::<3>(f64::INFINITY, Grid { steps: 5 }).flatten().all(f64::is_finite)
        );
        assert_eq!(impulse_ratios::<1>(0.5, Grid { steps: 3 }).count(), 1);
    }
}
