//! Every impulse that mechanics allow, whatever the law.

use crate::arrays::{Argument, check_size};
use crate::errors::{OrRaise, refusal};
use crate::html;
use crate::problem::{Problem, problem};
use crate::value::matrix;
use carom::certify::{PermissibleRegion, PermissibleSet, SetMargins};
use carom::region::{BoundaryPoint, Explanation, Margins};
use carom::{ContactVec, ImpactError, Tolerances};
use carom_io::format::MATRIX_LIMIT;
use numpy::{PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// All impulses that mechanics, energy and Coulomb allow for a problem, whatever the law.
///
/// Of one contact it is the permissible region in impulse space. Of several it is the permissible set of frictionless
/// impacts: it can be asked and drawn from, and has no mesh.
#[pyclass(frozen, module = "carom")]
pub struct Region {
    problem: Py<Problem>,
    one: Option<OneContact>,
}

/// Corners, and which of them make each face.
type Mesh<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<i64>>);

/// The region of one contact, by its rows.
enum OneContact {
    Normal(PermissibleRegion<1>),
    Planar(PermissibleRegion<2>),
    Spatial(PermissibleRegion<3>),
}

/// Does the same with the region of one contact, however many rows it has.
macro_rules! with_region {
    ($one:expr, $region:ident => $body:expr) => {
        match $one {
            OneContact::Normal($region) => $body,
            OneContact::Planar($region) => $body,
            OneContact::Spatial($region) => $body,
        }
    };
}

/// The region of a problem (a :class:`Problem`, or what makes one).
///
/// Examples
/// --------
/// >>> import carom
/// >>> disk = {"delassus": [[1, 0], [0, 3]], "contact_velocity": [-1, 2], "contacts": [{"mu": 0.5, "e": 0.5}]}
/// >>> region = carom.region(disk)
/// >>> region.contains([1.5, -0.5])
/// True
/// >>> region.sample(1000).shape
/// (1000, 2)
#[pyfunction]
#[pyo3(signature = (problem, /))]
pub fn region(problem: &Bound<PyAny>) -> PyResult<Region> {
    let py = problem.py();
    let problem = self::problem(problem)?;
    let contacts = problem.get().contacts();
    let tolerances = Tolerances::default();
    let of_one = || {
        Ok::<_, ImpactError>(match contacts.rows() {
            1 => OneContact::Normal(PermissibleRegion::new(&contacts.contact(0)?, &tolerances)?),
            2 => OneContact::Planar(PermissibleRegion::new(&contacts.contact(0)?, &tolerances)?),
            _ => OneContact::Spatial(PermissibleRegion::new(&contacts.contact(0)?, &tolerances)?),
        })
    };
    let one = match contacts.len() {
        1 => Some(of_one().or_raise(py)?),
        _ => {
            // What is refused is refused now, not at the first question.
            PermissibleSet::of(contacts, &tolerances).map(drop).or_raise(py)?;
            None
        }
    };
    Ok(Region { one, problem: problem.unbind() })
}

impl Region {
    fn impulse(&self, impulse: &Bound<PyAny>) -> PyResult<Vec<f64>> {
        let argument = Argument::new("impulse", impulse);
        let values = argument.list()?;
        let rows = self.problem.get().contacts().rows();
        match values.len() == rows {
            true => Ok(values),
            false => {
                let reason = format!("must be ({rows},): one number per row");
                Err(argument.refuse_shape(&[values.len()], &reason))
            }
        }
    }

    fn margins_of_several(&self, impulse: &[f64]) -> Result<SetMargins, ImpactError> {
        PermissibleSet::of(self.problem.get().contacts(), &Tolerances::default())?.contains(impulse)
    }
}

fn vector<const D: usize>(impulse: &[f64]) -> ContactVec<D> {
    ContactVec::new(std::array::from_fn(|i| impulse.get(i).copied().unwrap_or(0.0)))
}

fn explained<const D: usize>(region: &PermissibleRegion<D>, impulse: &[f64]) -> Explanation {
    region.explain(&vector(impulse))
}

fn margins_of<const D: usize>(region: &PermissibleRegion<D>, impulse: &[f64]) -> Margins {
    region.margins(&vector(impulse))
}

fn drawn<const D: usize>(
    region: &PermissibleRegion<D>,
    n: usize,
    uniform: &mut impl FnMut() -> f64,
) -> Result<Vec<f64>, ImpactError> {
    let sampler = region.sampler()?;
    let mut entries = Vec::with_capacity(n * D);
    for _ in 0..n {
        entries.extend(sampler.draw(uniform)?.components());
    }
    Ok(entries)
}

#[pymethods]
impl Region {
    /// Whether an impulse belongs to it, to within the tolerance of verdicts.
    fn contains(&self, impulse: &Bound<PyAny>) -> PyResult<bool> {
        let p = self.impulse(impulse)?;
        match &self.one {
            Some(one) => Ok(with_region!(one, region => explained(region, &p).is_permissible())),
            None => self.margins_of_several(&p).map(|m| m.inside).or_raise(impulse.py()),
        }
    }

    /// The same in words: which conditions fail, and by how much.
    fn explain(&self, impulse: &Bound<PyAny>) -> PyResult<String> {
        let p = self.impulse(impulse)?;
        match &self.one {
            Some(one) => Ok(with_region!(one, region => explained(region, &p).to_string())),
            None => {
                let certificate = self.problem.get().judged(impulse.py(), &p)?;
                let violated = match certificate.verdict {
                    carom::Verdict::Violates(which) => which,
                    _ => return Ok("permissible".to_owned()),
                };
                let words: Vec<&str> =
                    violated.iter().map(|inequality| inequality.name()).collect();
                Ok(format!("not permissible: {}", words.join(", ")))
            }
        }
    }

    /// By how much each condition holds, negative where it fails: "energy" [J], "separation" [m/s], "normal_impulse"
    /// [N·s] and, of one contact, "cone" [N·s].
    fn margins<'py>(&self, impulse: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let py = impulse.py();
        let p = self.impulse(impulse)?;
        let margins = PyDict::new(py);
        match &self.one {
            Some(one) => {
                let found = with_region!(one, region => margins_of(region, &p));
                for (inequality, margin) in found.each() {
                    margins.set_item(inequality.name(), margin.value)?;
                }
            }
            None => {
                let found = self.margins_of_several(&p).or_raise(py)?;
                margins.set_item("energy", found.energy_margin)?;
                margins.set_item("separation", found.separation_margin)?;
                margins.set_item("normal_impulse", found.impulse_margin)?;
            }
        }
        Ok(margins)
    }

    /// Impulses drawn evenly, (n, R); the same for the same seed.
    #[pyo3(signature = (n, seed=0))]
    fn sample<'py>(
        &self,
        py: Python<'py>,
        n: usize,
        seed: u64,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let contacts = self.problem.get().contacts();
        let rows = contacts.rows();
        check_size(py, "sample", &[n, rows])?;
        let entries = match &self.one {
            Some(one) => {
                let mut uniform = Uniform::new(py, seed)?;
                let entries = with_region!(one, region => drawn(region, n, &mut || uniform.next()));
                uniform.failed.map_or(Ok(()), Err)?;
                entries.or_raise(py)?
            }
            None => {
                let sampled = py.detach(|| {
                    PermissibleSet::of(contacts, &Tolerances::default())?.sample(n, seed)
                });
                sampled.or_raise(py)?.into_iter().flat_map(|outcome| outcome.impulse).collect()
            }
        };
        matrix(py, n, rows, entries)
    }

    /// The boundary of one contact's region: corners (n, R), and the indices of corners that make each face (m, R):
    /// triangles in space, edges in the plane. `refinement` is how finely curved parts are divided.
    #[pyo3(signature = (refinement=16))]
    fn mesh<'py>(&self, py: Python<'py>, refinement: usize) -> PyResult<Mesh<'py>> {
        let refuse = |reason: &str| {
            let error =
                ImpactError::bad_problem("contacts", self.problem.get().contacts().len(), reason);
            refusal(py, &error)
        };
        check_size(py, "mesh", &[refinement, 6 * refinement.min(MATRIX_LIMIT), 3])?;
        match &self.one {
            None => Err(refuse("only the region of one contact has a mesh")),
            Some(OneContact::Normal(_)) => {
                Err(refuse("the region of one row is a segment on the normal: it has no mesh"))
            }
            Some(OneContact::Planar(region)) => {
                let corners = py.detach(|| region.polyline(4 * refinement)).or_raise(py)?;
                let n = corners.len() as i64;
                let edges = (0..n).flat_map(|i| [i, (i + 1) % n]).collect();
                faces(py, &corners, edges)
            }
            Some(OneContact::Spatial(region)) => {
                let mesh = py.detach(|| region.mesh(refinement)).or_raise(py)?;
                let triangles = mesh.triangles.iter().flatten().map(|i| *i as i64).collect();
                faces(py, &mesh.vertices, triangles)
            }
        }
    }

    fn __contains__(&self, impulse: &Bound<PyAny>) -> PyResult<bool> {
        self.contains(impulse)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Py<Problem>,))> {
        let restore = py.import("carom._carom")?.getattr("region")?;
        Ok((restore, (self.problem.clone_ref(py),)))
    }

    /// The problem it is of.
    #[getter]
    fn problem(&self, py: Python) -> Py<Problem> {
        self.problem.clone_ref(py)
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        html::of("region", slf)
    }

    fn __repr__(&self) -> String {
        format!("<Region of {} contacts>", self.problem.get().contacts().len())
    }
}

fn faces<'py, const D: usize>(
    py: Python<'py>,
    corners: &[BoundaryPoint<D>],
    indices: Vec<i64>,
) -> PyResult<Mesh<'py>> {
    let entries = corners.iter().flat_map(|corner| corner.impulse.components()).collect();
    let count = indices.len() / D;
    let indices = numpy::PyArray1::from_vec(py, indices).reshape([count, D])?;
    Ok((matrix(py, corners.len(), D, entries)?, indices))
}

/// NumPy's random numbers, many at a time.
struct Uniform<'py> {
    generator: Bound<'py, PyAny>,
    left: Vec<f64>,
    failed: Option<PyErr>,
}

impl<'py> Uniform<'py> {
    const MANY: usize = 4096;

    fn new(py: Python<'py>, seed: u64) -> PyResult<Self> {
        let generator = py.import("numpy.random")?.call_method1("default_rng", (seed,))?;
        Ok(Self { generator, left: Vec::new(), failed: None })
    }

    fn next(&mut self) -> f64 {
        if self.left.is_empty()
            && let Err(error) = self.refill()
        {
            self.failed = Some(error);
            self.left = vec![0.5; Self::MANY];
        }
        self.left.pop().unwrap_or(0.5)
    }

    fn refill(&mut self) -> PyResult<()> {
        let numbers = self.generator.call_method1("random", (Self::MANY,))?;
        let numbers: PyReadonlyArray1<f64> = numbers.extract()?;
        self.left = numbers.as_array().iter().rev().copied().collect();
        Ok(())
    }
}
