//! Meshes: STL, ASCII and binary, and OBJ; and their convex hulls, with few enough corners to be followed.

use crate::frames::{Vector, cross, dot, length, scaled, sub};
use carom_sim::motion::ConvexHull;
use std::path::Path;

/// Corners of triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// \[m\]
    pub points: Vec<Vector>,
    pub triangles: Vec<[usize; 3]>,
}

/// More corners of triangles than this are refused.
const MOST_POINTS: usize = 4_000_000;

/// Reads a mesh by what its name ends with. An error names what is wrong, not the file.
pub fn read(path: &Path, bytes: &[u8]) -> Result<Mesh, String> {
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    let mesh = match ending.to_ascii_lowercase().as_str() {
        "stl" => stl(bytes),
        "obj" => obj(bytes),
        other => Err(format!("files `.{other}` are not read; STL and OBJ are")),
    }?;
    if mesh.points.iter().flatten().any(|x| !x.is_finite()) {
        return Err("has a point that is not finite".into());
    }
    if mesh.points.is_empty() {
        return Err("has no points".into());
    }
    Ok(mesh)
}

/// Whether a mesh of such a name can be read.
pub fn can_read(path: &Path) -> bool {
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    ["stl", "obj"].iter().any(|known| ending.eq_ignore_ascii_case(known))
}

fn too_many(count: usize) -> String {
    format!("has {count} corners of triangles, more than {MOST_POINTS}: give a mesh with fewer")
}

fn stl(bytes: &[u8]) -> Result<Mesh, String> {
    const HEAD: usize = 84;
    const FACET: usize = 50;
    let count = match bytes.get(80..HEAD) {
        Some(&[a, b, c, d]) => u32::from_le_bytes([a, b, c, d]) as usize,
        _ => 0,
    };
    let binary = bytes.len() >= HEAD && bytes.len() - HEAD >= count.saturating_mul(FACET);
    if bytes.starts_with(b"solid") && !(binary && bytes.len() - HEAD == count * FACET) {
        return stl_text(bytes);
    }
    if bytes.len() < HEAD {
        return Err("is too short for STL".into());
    }
    if !binary {
        return Err(format!("is cut short: it says that it has {count} triangles"));
    }
    if 3 * count > MOST_POINTS {
        return Err(too_many(3 * count));
    }
    let mut mesh = Mesh::default();
    mesh.points.reserve(3 * count);
    for facet in bytes[HEAD..].chunks_exact(FACET).take(count) {
        let number = |i: usize| {
            let at = 12 + 4 * i;
            f64::from(f32::from_le_bytes([facet[at], facet[at + 1], facet[at + 2], facet[at + 3]]))
        };
        let first = mesh.points.len();
        mesh.points.extend((0..3).map(|k| [number(3 * k), number(3 * k + 1), number(3 * k + 2)]));
        mesh.triangles.push([first, first + 1, first + 2]);
    }
    Ok(mesh)
}

fn stl_text(bytes: &[u8]) -> Result<Mesh, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "is neither text nor binary STL")?;
    let mut mesh = Mesh::default();
    for (line, words) in text.lines().enumerate().map(|(i, line)| (i + 1, line.trim_start())) {
        let Some(rest) = words.strip_prefix("vertex") else { continue };
        mesh.points
            .push(three(rest).ok_or_else(|| format!("line {line}: a vertex has 3 numbers"))?);
        if mesh.points.len() > MOST_POINTS {
            return Err(too_many(mesh.points.len()));
        }
    }
    mesh.triangles = (0..mesh.points.len() / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    Ok(mesh)
}

fn three(words: &str) -> Option<Vector> {
    let mut numbers = words.split_ascii_whitespace().map(|word| word.parse::<f64>().ok());
    Some([numbers.next()??, numbers.next()??, numbers.next()??])
}

fn obj(bytes: &[u8]) -> Result<Mesh, String> {
    let text = String::from_utf8_lossy(bytes);
    let mut mesh = Mesh::default();
    for (line, words) in text.lines().enumerate().map(|(i, line)| (i + 1, line.trim_start())) {
        let wrong = |what: &str| format!("line {line}: {what}");
        if let Some(rest) = words.strip_prefix("v ").or(words.strip_prefix("v\t")) {
            mesh.points.push(three(rest).ok_or_else(|| wrong("a point has 3 numbers"))?);
            if mesh.points.len() > MOST_POINTS {
                return Err(too_many(mesh.points.len()));
            }
        } else if let Some(rest) = words.strip_prefix("f ").or(words.strip_prefix("f\t")) {
            let count = mesh.points.len();
            let corners = rest
                .split_ascii_whitespace()
                .map(|word| {
                    let index: i64 = word.split('/').next()?.parse().ok()?;
                    // From 1, or back from the last.
                    let at = if index < 0 { count as i64 + index } else { index - 1 };
                    usize::try_from(at).ok().filter(|at| *at < count)
                })
                .collect::<Option<Vec<usize>>>()
                .ok_or_else(|| wrong("a face names a point that is not there"))?;
            for pair in corners.get(1..).unwrap_or_default().windows(2) {
                mesh.triangles.push([corners[0], pair[0], pair[1]]);
            }
            if 3 * mesh.triangles.len() > 2 * MOST_POINTS {
                return Err(too_many(3 * mesh.triangles.len()));
            }
        }
    }
    Ok(mesh)
}

/// A convex hull, and how it differs from its mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Hulled {
    pub points: Vec<Vector>,
    /// How far the farthest point of the mesh is outside \[m\].
    pub short: f64,
    /// Whether the mesh is closed and encloses as much as its hull.
    pub convex: bool,
}

/// The hull of a mesh with at most so many corners: those farthest along as many directions.
pub fn hull(mesh: &Mesh, most: usize) -> Result<Hulled, String> {
    let mut points = corners(&mesh.points, most);
    let found = ConvexHull::of(&points).or_else(|_| {
        points = rounded(&points);
        ConvexHull::of(&points)
    })?;
    let (normals, offsets): (Vec<Vector>, Vec<f64>) = (found.faces.iter())
        .filter_map(|face| {
            let at = |k: usize| found.corners[face[k]];
            let mut normal = [0.0; 3];
            for k in 1..face.len() - 1 {
                let part = cross(sub(at(k), at(0)), sub(at(k + 1), at(0)));
                normal = crate::frames::add(normal, part);
            }
            let normal = crate::frames::unit(normal)?;
            Some((normal, dot(normal, at(0))))
        })
        .unzip();
    let short = (farthest(&mesh.points, &normals).iter().zip(offsets))
        .map(|((far, _), offset)| far - offset)
        .fold(0.0, f64::max);
    let enclosed = volume(&mesh.points, mesh.triangles.iter().copied());
    let fans = found
        .faces
        .iter()
        .flat_map(|face| (1..face.len() - 1).map(move |k| [face[0], face[k], face[k + 1]]));
    let whole = volume(&found.corners, fans);
    let convex = (enclosed.abs() - whole).abs() <= 1e-3 * whole;
    Ok(Hulled { points: found.corners, short, convex })
}

/// As many corners of a hull as can be told, and how far others stand out \[m\].
pub fn corners_of_hull(mesh: &Mesh) -> (Vec<Vector>, f64) {
    match hull(mesh, crate::HULL_POINTS[1]) {
        Ok(hulled) => (hulled.points, hulled.short),
        Err(_) => (mesh.points.clone(), 0.0),
    }
}

/// The same points on a grid of a millionth of their extent: where they lay nearly in common planes, they do so no more.
pub fn rounded(points: &[Vector]) -> Vec<Vector> {
    let step = 1e-6 * extent(points);
    points.iter().map(|point| point.map(|x| libm::round(x / step) * step)).collect()
}

/// Of triangles that close, with the sign of their sense.
fn volume(points: &[Vector], triangles: impl Iterator<Item = [usize; 3]>) -> f64 {
    let Some(&origin) = points.first() else { return 0.0 };
    triangles
        .map(|t| {
            let [a, b, c] = t.map(|i| sub(points[i], origin));
            dot(a, cross(b, c)) / 6.0
        })
        .sum()
}

fn extent(points: &[Vector]) -> f64 {
    (0..3)
        .map(|i| {
            let low = points.iter().map(|p| p[i]).fold(f64::INFINITY, f64::min);
            let high = points.iter().map(|p| p[i]).fold(f64::NEG_INFINITY, f64::max);
            high - low
        })
        .fold(0.0, f64::max)
}

/// The points themselves where they are few, else those farthest along `most` directions; each once.
fn corners(points: &[Vector], most: usize) -> Vec<Vector> {
    // Each corner of a small mesh stands in some six triangles.
    if points.len() <= 16 * most {
        let once = unique(points.to_vec());
        if once.len() <= most {
            return once;
        }
    }
    let all = directions(most);
    let best = farthest(points, &all);
    unique(best.into_iter().map(|(_, i)| points[i]).collect())
}

/// How far points go along each direction, and the first that goes so far.
fn farthest(points: &[Vector], directions: &[Vector]) -> Vec<(f64, usize)> {
    // In pieces that stay in the cache, coordinate by coordinate, several maxima beside each other: the work of a mesh.
    const PIECE: usize = 512;
    const LANES: usize = 4;
    let mut best = vec![(f64::NEG_INFINITY, 0usize); directions.len()];
    let mut axes = [[0.0; PIECE]; 3];
    for (piece, all) in points.chunks(PIECE).enumerate() {
        for (i, axis) in axes.iter_mut().enumerate() {
            all.iter().zip(axis.iter_mut()).for_each(|(p, x)| *x = p[i]);
            // The rest of the last piece counts as its last point.
            axis[all.len()..].fill(all[all.len() - 1][i]);
        }
        let [xs, ys, zs] = &axes;
        for (d, best) in directions.iter().zip(&mut best) {
            let mut lanes = [f64::NEG_INFINITY; LANES];
            for i in (0..PIECE).step_by(LANES) {
                for (k, lane) in lanes.iter_mut().enumerate() {
                    let far = d[0] * xs[i + k] + d[1] * ys[i + k] + d[2] * zs[i + k];
                    *lane = if far > *lane { far } else { *lane };
                }
            }
            let most = lanes.into_iter().fold(f64::NEG_INFINITY, f64::max);
            if most > best.0 {
                let at = |i: &usize| d[0] * xs[*i] + d[1] * ys[*i] + d[2] * zs[*i] == most;
                let first = (0..all.len()).find(at).unwrap_or(all.len() - 1);
                *best = (most, piece * PIECE + first);
            }
        }
    }
    best
}

fn unique(mut points: Vec<Vector>) -> Vec<Vector> {
    let order = |a: &Vector, b: &Vector| {
        a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])).then(a[2].total_cmp(&b[2]))
    };
    // Minus zero is zero.
    points.iter_mut().for_each(|p| *p = p.map(|x| x + 0.0));
    points.sort_by(order);
    points.dedup();
    points
}

/// The axes, the corners of a cube, and points spread evenly over the sphere.
fn directions(count: usize) -> Vec<Vector> {
    let mut all: Vec<Vector> = Vec::with_capacity(count);
    for i in 0..3 {
        for sign in [1.0, -1.0] {
            all.push(std::array::from_fn(|k| if k == i { sign } else { 0.0 }));
        }
    }
    for k in 0..8 {
        all.push(std::array::from_fn(|i| if k >> i & 1 == 1 { 1.0 } else { -1.0 }));
    }
    let rest = count.saturating_sub(all.len());
    // The golden angle [rad].
    const GOLDEN: f64 = 2.399_963_229_728_653;
    for k in 0..rest {
        let z = 1.0 - (2.0 * k as f64 + 1.0) / rest as f64;
        let r = libm::sqrt(1.0 - z * z);
        let angle = GOLDEN * k as f64;
        all.push([r * libm::cos(angle), r * libm::sin(angle), z]);
    }
    for direction in &mut all {
        *direction = scaled(*direction, 1.0 / length(*direction));
    }
    all.truncate(count.max(8));
    all
}

/// Points of an ellipsoid about the origin, spread evenly on a ball that is stretched; the hull is inside of it.
pub fn ellipsoid(radii: Vector, count: usize) -> Vec<Vector> {
    let stretched = |d: Vector| [d[0] * radii[0], d[1] * radii[1], d[2] * radii[2]];
    directions(count).into_iter().map(stretched).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TETRAHEDRON: &str = "solid t
 facet normal 0 0 -1\n outer loop\n vertex 0 0 0\n vertex 0 1 0\n vertex 1 0 0\n endloop\n endfacet
 facet normal 0 -1 0\n outer loop\n vertex 0 0 0\n vertex 1 0 0\n vertex 0 0 1\n endloop\n endfacet
 facet normal -1 0 0\n outer loop\n vertex 0 0 0\n vertex 0 0 1\n vertex 0 1 0\n endloop\n endfacet
 facet normal 1 1 1\n outer loop\n vertex 1 0 0\n vertex 0 1 0\n vertex 0 0 1\n endloop\n endfacet
endsolid t";

    fn binary(mesh: &Mesh) -> Vec<u8> {
        // Some programs begin binary files with the word of text files.
        let mut bytes = b"solid but binary".to_vec();
        bytes.resize(80, b' ');
        bytes.extend((mesh.triangles.len() as u32).to_le_bytes());
        for triangle in &mesh.triangles {
            bytes.extend([0; 12]);
            for corner in triangle {
                mesh.points[*corner].iter().for_each(|x| bytes.extend((*x as f32).to_le_bytes()));
            }
            bytes.extend([0; 2]);
        }
        bytes
    }

    #[test]
    fn text_and_binary_say_the_same() {
        let text = read(Path::new("t.stl"), TETRAHEDRON.as_bytes()).expect("a mesh");
        assert_eq!((text.points.len(), text.triangles.len()), (12, 4));
        let again = read(Path::new("t.STL"), &binary(&text)).expect("a mesh");
        assert_eq!(text, again);
        let obj =
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1/1 2/2/2 4//4\nf -4 -1 -2\nf 2 3 4\n";
        let obj = read(Path::new("t.obj"), obj.as_bytes()).expect("a mesh");
        let [a, b] = [&text, &obj].map(|mesh| hull(mesh, 32).expect("a hull"));
        assert_eq!(a, b);
        assert!(a.convex && a.short == 0.0 && a.points.len() == 4, "{a:?}");
        let enclosed = volume(&obj.points, obj.triangles.iter().copied());
        assert!((enclosed - 1.0 / 6.0).abs() < 1e-15, "{enclosed}");
    }

    #[test]
    fn bad_files_are_refused() {
        let whole = binary(&read(Path::new("t.stl"), TETRAHEDRON.as_bytes()).expect("a mesh"));
        let mut unsaid = whole.clone();
        unsaid[..5].copy_from_slice(b"xxxxx");
        for (name, bytes, word) in [
            ("t.stl", &unsaid[..100], "cut short"),
            ("t.stl", b"", "too short"),
            ("t.stl", b"solid\nvertex 1 2 x", "line 2"),
            ("t.obj", b"v 1 2 3\nf 1 2 3", "line 2"),
            ("t.obj", b"v 1 2 inf", "not finite"),
            ("t.dae", b"", "`.dae`"),
        ] {
            let error = read(Path::new(name), bytes).expect_err("a bad mesh");
            assert!(error.contains(word), "{name}: {error}");
        }
    }

    /// A ball of 20,000 points keeps 32 of them, and says how far the others stand out.
    #[test]
    fn large_meshes_keep_their_farthest_points() {
        let mesh = Mesh { points: directions(20_000), triangles: Vec::new() };
        let hulled = hull(&mesh, 32).expect("a hull");
        assert!((20..=32).contains(&hulled.points.len()), "{}", hulled.points.len());
        assert!(hulled.short > 0.02 && hulled.short < 0.3, "{}", hulled.short);
        assert!(!hulled.convex);
    }
}
