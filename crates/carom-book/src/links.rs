//! Links inside the finished book: every file and every anchor that is linked to exists.

use crate::fault::Fault;
use crate::sources;
use crate::stage::read;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Follows every link of every page that stays inside the book; how many there are.
pub fn check(html: &Path) -> Result<usize, Fault> {
    let files: BTreeSet<String> = sources::files(html)?.into_iter().collect();
    let mut anchors = BTreeMap::new();
    let mut pages = BTreeMap::new();
    for name in files.iter().filter(|name| name.ends_with(".html")) {
        let text = read(&html.join(name))?;
        let ids: BTreeSet<String> = values(&text, "id").map(unescaped).collect();
        anchors.insert(name.clone(), ids);
        pages.insert(name.clone(), text);
    }
    let mut count = 0;
    let mut dead = Vec::new();
    // A page that is shown for any wrong address has addresses relative to none.
    for (page, text) in pages.iter().filter(|(name, _)| *name != "404.html") {
        for link in values(text, "href").chain(values(text, "src")).map(unescaped) {
            if link.contains(':') || link.starts_with("//") {
                continue;
            }
            count += 1;
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let file = file.split('?').next().unwrap_or("");
            let target = if file.is_empty() { page.clone() } else { resolved(page, file) };
            let found = files.contains(&target)
                && (anchor.is_empty()
                    || anchors.get(&target).is_none_or(|ids| ids.contains(anchor)));
            if !found {
                dead.push(format!("{page}: {link}"));
            }
        }
    }
    match dead.is_empty() {
        true => Ok(count),
        false => Err(Fault::new(format!("links that lead nowhere:\n{}", dead.join("\n")))),
    }
}

/// The values of an attribute in a page.
fn values<'a>(text: &'a str, attribute: &str) -> impl Iterator<Item = &'a str> {
    let opening = format!(" {attribute}=\"");
    let mut rest = text;
    std::iter::from_fn(move || {
        let begin = rest.find(&opening)? + opening.len();
        let (value, behind) = rest[begin..].split_once('"')?;
        rest = behind;
        Some(value)
    })
}

/// What a reference inside a page means from the root of the book.
fn resolved(page: &str, link: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    parts.join("/")
}

fn unescaped(value: &str) -> String {
    value.replace("&amp;", "&").replace("&#x27;", "'").replace("%20", " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_values_and_resolves_them() {
        let text = r#"<a href="../x.html#y"><img src="z.svg" id="k">"#;
        assert_eq!(values(text, "href").collect::<Vec<_>>(), ["../x.html#y"]);
        assert_eq!(values(text, "id").collect::<Vec<_>>(), ["k"]);
        assert_eq!(resolved("laws/a.html", "../x.html"), "x.html");
        assert_eq!(resolved("laws/a.html", "b.svg"), "laws/b.svg");
    }
}
