//! A planar impact to draw: its region, its lines, and what laws make of it.

use crate::draw::{Figure, Panel, Shape, Stroke, Tone};
use crate::impulse_space::{ellipse, shown};
use crate::{PlotError, words::short};
use carom::certify::PermissibleRegion;
use carom::region::{FigureLine, FigurePoint};
use carom::{Contact, ContactVec, Delassus, Law, Material, Tolerances, Unobserved};

/// Steps of a law's restitution from 0 to 1.
const STEPS: usize = 40;
/// Steps of the curved part of a region's boundary.
const ARCS: usize = 96;

/// Matrix, velocity and friction of a planar contact, normal first.
#[derive(Clone, Copy)]
pub(super) struct Situation {
    /// `W = M⁻¹` [1/kg].
    pub(super) w: [[f64; 2]; 2],
    /// `u⁻` [m/s].
    pub(super) u: [f64; 2],
    /// Friction \[1\].
    pub(super) mu: f64,
}

/// `M⁻¹` of the generic collision of Figs 1, 3 and 4, `M = [[2, −0.8], [−0.8, 1]]` kg.
pub(super) const GENERIC: [[f64; 2]; 2] = [[1.0 / 1.36, 0.8 / 1.36], [0.8 / 1.36, 2.0 / 1.36]];

impl Situation {
    pub(super) fn contact(&self, e: f64, e_t: f64) -> Result<Contact<2>, PlotError> {
        let material = Material::new(self.mu, e)?.with_e_t(e_t)?;
        Ok(Contact::new(Delassus::new(self.w)?, ContactVec::new(self.u), material)?)
    }

    pub(super) fn region(&self) -> Result<PermissibleRegion<2>, PlotError> {
        Ok(PermissibleRegion::new(&self.contact(0.0, 0.0)?, &Tolerances::default())?)
    }

    /// The impulse of a law, across the tangent and up the normal [N·s].
    pub(super) fn impulse(&self, law: &str, e: f64, e_t: f64) -> Result<[f64; 2], PlotError> {
        let contact = self.contact(e, e_t)?;
        let outcome = Law::from_id(law)?.resolve_contact(
            &contact,
            &Tolerances::default(),
            &mut Unobserved,
        )?;
        Ok(shown(&outcome.impulse))
    }

    /// The impulses of a law for all e from 0 to 1.
    pub(super) fn curve(&self, law: &str, e_t: f64) -> Result<Vec<[f64; 2]>, PlotError> {
        (0..=STEPS).map(|k| self.impulse(law, k as f64 / STEPS as f64, e_t)).collect()
    }

    /// The outline of the impulses that Chatterjee and Ruina's law can give, for e from 0 to 1 and e_t from −1 to 1.
    pub(super) fn accessible(&self) -> Result<Vec<[f64; 2]>, PlotError> {
        let along = |from: [f64; 2], to: [f64; 2]| {
            (0..STEPS).map(move |k| {
                let s = k as f64 / STEPS as f64;
                [0, 1].map(|i| from[i] + s * (to[i] - from[i]))
            })
        };
        let corners = [[0.0, -1.0], [0.0, 1.0], [1.0, 1.0], [1.0, -1.0]];
        (0..4)
            .flat_map(|k| along(corners[k], corners[(k + 1) % 4]))
            .map(|[e, e_t]| self.impulse("chatterjee-ruina", e, e_t))
            .collect()
    }

    pub(super) fn point(&self, point: FigurePoint) -> Result<Option<[f64; 2]>, PlotError> {
        Ok(self.region()?.point(point).map(|p| shown(&p)))
    }

    /// Two points of a line, far apart.
    pub(super) fn line(&self, line: FigureLine) -> Result<Vec<[f64; 2]>, PlotError> {
        const FAR: f64 = 100.0;
        let Some(locus) = self.region()?.locus(line) else { return Ok(Vec::new()) };
        let from = match line {
            FigureLine::FrictionNegative | FigureLine::FrictionPositive => 0.0,
            _ => -FAR,
        };
        let ends = |d: ContactVec<2>| [from, FAR].map(|s| shown(&(locus.point + d * s))).to_vec();
        Ok(locus.direction.map(ends).unwrap_or_default())
    }

    /// A panel with these ranges, as large as asked for, with ellipse, friction lines, lines of maximum compression and of
    /// sticking.
    pub(super) fn panel(
        &self,
        across: [f64; 2],
        up: [f64; 2],
        width: f64,
    ) -> Result<Panel, PlotError> {
        let shape = (up[1] - up[0]) / (across[1] - across[0]);
        let mut panel = Panel::new("tangential impulse p_t [N·s]", "normal impulse p_n [N·s]")
            .equal()
            .within(across, up)
            .sized(width, width * shape);
        let energy = ellipse(&self.contact(0.0, 0.0)?, 1.0);
        panel.line("no energy lost", Tone::Ink, Stroke::Solid, energy);
        for (line, name, tone, stroke) in [
            (FigureLine::FrictionPositive, "friction lines", Tone::Amber, Stroke::Solid),
            (FigureLine::FrictionNegative, "friction lines", Tone::Amber, Stroke::Solid),
            (FigureLine::MaximumCompression, "maximum compression", Tone::Green, Stroke::Solid),
            (FigureLine::Sticking, "sticking", Tone::Purple, Stroke::DashDot),
        ] {
            let points = self.line(line)?;
            if !points.is_empty() {
                panel.line(name, tone, stroke, points);
            }
        }
        Ok(panel)
    }

    /// Shades the permissible region.
    pub(super) fn shade(&self, panel: &mut Panel) -> Result<(), PlotError> {
        let outline = self.region()?.polyline(ARCS)?;
        let outline = outline.iter().map(|p| shown(&p.impulse)).collect();
        panel.area("permissible", Tone::Sky, 0.25, outline);
        Ok(())
    }

    /// Marks a named impulse, and tells the figure its numbers.
    pub(super) fn mark(
        &self,
        panel: &mut Panel,
        figure: &mut Figure,
        point: FigurePoint,
        name: &str,
    ) -> Result<(), PlotError> {
        if let Some(at) = self.point(point)? {
            panel.point(name, Tone::Ink, Shape::Ring, at);
            fact(figure, name, at);
        }
        Ok(())
    }

    /// The numbers of the situation, for captions.
    pub(super) fn words(&self) -> String {
        let [[k, c], [_, t]] = self.w;
        let n = short;
        format!(
            "W = [{}, {}; {}, {}] 1/kg, u = ({}, {}) m/s, mu = {}",
            n(k),
            n(c),
            n(c),
            n(t),
            n(self.u[0]),
            n(self.u[1]),
            n(self.mu)
        )
    }
}

/// Tells the figure the numbers of a point.
pub(super) fn fact(figure: &mut Figure, name: &str, [t, n]: [f64; 2]) {
    figure.fact(&format!("{name} p_n"), n, "N·s");
    figure.fact(&format!("{name} p_t"), t, "N·s");
}
