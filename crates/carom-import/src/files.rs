//! The files that a robot is made of, each read once.

use crate::fault::{At, Fault, ImportError, Place, Result};
use crate::mesh::{self, Mesh};
use crate::xml::{self, Element, Text};
use crate::{Options, frames::Vector};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

#[derive(Debug, Default)]
pub struct Files {
    pub texts: Vec<Text>,
    meshes: BTreeMap<PathBuf, Rc<Mesh>>,
}

impl Files {
    /// Reads a file as XML; `call` makes the error of one that cannot be read.
    pub fn xml(&mut self, path: &Path, call: impl Fn(String) -> Fault) -> Result<Element> {
        let bytes = xml::bytes_of(path).map_err(&call)?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            call(format!("{} is not UTF-8 text (byte {at})", path.display()))
        })?;
        self.parse(path, text)
    }

    /// Takes a text as XML.
    pub fn parse(&mut self, path: &Path, text: String) -> Result<Element> {
        let text = text.strip_prefix('\u{feff}').map_or_else(|| text.clone(), str::to_owned);
        let file = self.texts.len();
        self.texts.push(Text::new(path.display().to_string(), path.to_owned(), text));
        xml::parse(&self.texts[file], file)
    }

    /// The folder of the first file.
    pub fn folder(&self) -> &Path {
        self.texts.first().and_then(|text| text.path.parent()).unwrap_or(Path::new(""))
    }

    pub fn mesh(&mut self, path: &Path) -> std::result::Result<Rc<Mesh>, String> {
        if let Some(known) = self.meshes.get(path) {
            return Ok(known.clone());
        }
        let bytes = xml::bytes_of(path)?;
        let read =
            mesh::read(path, &bytes).map_err(|what| format!("{}: {what}", path.display()))?;
        let read = Rc::new(read);
        self.meshes.insert(path.to_owned(), read.clone());
        Ok(read)
    }

    /// What a URDF's file name stands for: `package://NAME/…` is looked for in the folders given, and then upwards.
    pub fn robot_path(&self, name: &str, options: &Options) -> PathBuf {
        let Some(rest) = name.strip_prefix("package://") else {
            return self.folder().join(name.strip_prefix("file://").unwrap_or(name));
        };
        let (package, inside) = rest.split_once('/').unwrap_or((rest, ""));
        if let Some((_, folder)) = options.packages.iter().find(|(known, _)| known == package) {
            return folder.join(inside);
        }
        let folder = self.folder();
        let folder = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        let mut found = folder.join(inside);
        for above in folder.ancestors() {
            let is_it = above.file_name().is_some_and(|name| name == package);
            let tried = [is_it.then(|| above.join(inside)), Some(above.join(package).join(inside))];
            if let Some(there) = tried.into_iter().flatten().find(|path| path.is_file()) {
                return there;
            }
            if is_it {
                found = above.join(inside);
            }
        }
        found
    }

    /// An error with the text that it is about.
    pub fn error(&self, fault: Fault) -> ImportError {
        let at = |place: Place| {
            let text = self.texts.get(place.file)?;
            Some(At {
                file: text.name.clone(),
                text: text.text.clone(),
                line: place.line,
                column: place.column,
                span: place.span.0..place.span.1,
            })
        };
        ImportError { at: fault.place.and_then(at), element: fault.element, message: fault.message }
    }

    pub fn name(&self, file: usize) -> String {
        self.texts.get(file).map_or_else(String::new, |text| text.name.clone())
    }
}

/// The corners of a mesh's hull, and what is to be said of it.
pub fn hulled(
    mesh: &Mesh,
    options: &Options,
) -> std::result::Result<(Vec<Vector>, Option<String>), String> {
    let count = mesh.points.len();
    let hull = mesh::hull(mesh, options.hull_points)?;
    let corners = hull.points.len();
    let mut said = Vec::new();
    if !hull.convex {
        said.push("the mesh is not convex or not closed: its convex hull is taken".to_owned());
    }
    // Rounding of files is some 1e-7.
    let size = hull.points.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
    if hull.short > 1e-6 * size {
        said.push(format!(
            "of {count} points of the mesh {corners} are taken, and others stand out by {:.2e} m at most",
            hull.short
        ));
    }
    Ok((hull.points, (!said.is_empty()).then(|| said.join("; "))))
}
