//! Files below a folder.

use crate::fault::Fault;
use std::fs;
use std::path::Path;

/// Every file below a folder, as paths from it with `/`, sorted.
pub fn files(folder: &Path) -> Result<Vec<String>, Fault> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_path_buf()];
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(&next).map_err(|error| Fault::at(&next, &error))? {
            let path = entry.map_err(|error| Fault::at(&next, &error))?.path();
            match path.is_dir() {
                true => waiting.push(path),
                false => {
                    let name = path.strip_prefix(folder).unwrap_or(&path);
                    found.push(name.to_string_lossy().replace('\\', "/"));
                }
            }
        }
    }
    found.sort();
    Ok(found)
}
