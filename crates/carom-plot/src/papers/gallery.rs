//! A page that shows figures and tables, paper by paper, with captions, errata and links to their numbers.

use super::{Drawn, PAPERS, Paper, Plate};
use crate::Figure;
use crate::draw::{escape, html};
use std::fmt::Write;

/// A figure or table that was drawn.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Which it is.
    pub plate: &'static Plate,
    /// What was drawn.
    pub drawn: Drawn,
}

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1b1b1b;--ground:#fff;--soft:#666;--line:#ddd;--note:#fff6e5;--edge:#c98a00}\
@media(prefers-color-scheme:dark){:root{--ink:#ececec;--ground:#16181c;--soft:#a5a5a5;--line:#3a3d43;--note:#2d2616;--edge:#f0b73a}}\
body{font:16px/1.5 'Inter','Helvetica Neue',Arial,'DejaVu Sans',sans-serif;color:var(--ink);background:var(--ground);\
max-width:62rem;margin:0 auto;padding:1.5rem}\
a{color:inherit}h1{font-size:1.7rem;line-height:1.25}h2{font-size:1.25rem;margin-top:3rem;border-top:1px solid var(--line);padding-top:1.2rem}\
h3{font-size:1rem;margin:0 0 .6rem}nav ul{padding-left:1.2rem}nav li{margin:.2rem 0}\
figure{margin:2.2rem 0;break-inside:avoid}.crop{overflow:hidden;margin:0 auto}.crop img{display:block;width:100%}\
figcaption{margin-top:.6rem}.erratum{background:var(--note);border-left:.25rem solid var(--edge);padding:.5rem .8rem}\
.files{color:var(--soft);font-size:.9rem}.scroll{overflow-x:auto}\
table{border-collapse:collapse;font-size:.95rem}th,td{padding:.25rem .7rem;border-bottom:1px solid var(--line);text-align:left}\
.number{text-align:right;font-variant-numeric:tabular-nums}\
@media print{body{max-width:none;padding:0;font-size:10.5pt}nav{display:none}h2{break-before:page}h2:first-of-type{break-before:auto}}";

/// The page, in HTML; its links lead to the files of the figures beside it. `pixels` says that there are PNGs, too.
pub fn gallery(shown: &[Shown], pixels: bool) -> String {
    let mut page =
        String::from("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">");
    page.push_str("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">");
    page.push_str("<title>Figures of impacts, drawn by carom</title>");
    let _ = write!(
        page,
        "<style>{STYLE}</style></head>\n<body><h1>Figures of impacts, drawn by carom</h1>"
    );
    page.push_str(
        "<p>Figures and tables of the papers that carom builds on. Every curve and every number is carom's own answer to \
         the paper's problem; where a paper is in error, a note says so.</p>\n<nav><ul>",
    );
    let papers = || PAPERS.iter().filter(|paper| of(shown, paper).next().is_some());
    for paper in papers() {
        let _ = write!(page, "<li><a href=\"#{}\">{}</a>: ", paper.key, escape(paper.citation));
        let links: Vec<String> = of(shown, paper)
            .map(|s| format!("<a href=\"#{}\">{}</a>", s.plate.stem(), s.plate.name()))
            .collect();
        let _ = write!(page, "{}</li>", links.join(", "));
    }
    page.push_str("</ul></nav>\n");
    for paper in papers() {
        let _ = writeln!(page, "<h2 id=\"{}\">{}</h2>", paper.key, escape(paper.citation));
        for item in of(shown, paper) {
            entry(&mut page, item, pixels);
        }
    }
    page.push_str("</body></html>\n");
    page
}

fn of<'a>(shown: &'a [Shown], paper: &'static Paper) -> impl Iterator<Item = &'a Shown> {
    shown.iter().filter(|item| item.plate.paper == paper.key)
}

fn entry(page: &mut String, Shown { plate, drawn }: &Shown, pixels: bool) {
    let stem = plate.stem();
    let (title, caption) = match drawn {
        Drawn::Figure(figure) => (&figure.title, &figure.caption),
        Drawn::Table(sheet) => (&sheet.title, &sheet.caption),
    };
    let title = html(title);
    let _ = write!(page, "<figure id=\"{stem}\"><h3>{}: {title}</h3>", plate.name());
    let files = match drawn {
        Drawn::Figure(figure) => {
            picture(page, figure, &stem);
            let png =
                if pixels { format!(" · <a href=\"{stem}.png\">PNG</a>") } else { String::new() };
            format!(
                "<a href=\"{stem}.svg\">SVG</a>{png} · <a href=\"{stem}.csv\">curves</a> · <a href=\"{stem}-facts.csv\">numbers</a>"
            )
        }
        Drawn::Table(sheet) => {
            let _ = write!(page, "<div class=\"scroll\">{}</div>", sheet.html());
            format!("<a href=\"{stem}.csv\">CSV</a>")
        }
    };
    let _ = write!(page, "<figcaption><p>{}</p>", html(caption));
    if !plate.erratum.is_empty() {
        let erratum = html(plate.erratum);
        let _ = write!(page, "<p class=\"erratum\"><strong>Erratum.</strong> {erratum}</p>");
    }
    let _ = writeln!(page, "<p class=\"files\">{files}</p></figcaption></figure>");
}

/// How far a title reaches into the space below it, and a caption into that above it \[px\].
const TITLE_REACH: f64 = 6.0;
const CAPTION_REACH: f64 = 10.0;

/// The picture without its own title and caption, which stand on the page as text.
fn picture(page: &mut String, figure: &Figure, stem: &str) {
    let [wide, whole] = figure.layout().size;
    let untold = Figure { caption: String::new(), ..figure.clone() };
    let [_, told] = untold.layout().size;
    let [_, bare] = Figure { title: String::new(), ..untold }.layout().size;
    let above = if told > bare { told - bare + TITLE_REACH } else { 0.0 };
    let below = if whole > told { CAPTION_REACH } else { 0.0 };
    let _ = write!(
        page,
        "<div class=\"crop\" style=\"max-width:{wide:.0}px;aspect-ratio:{wide:.0}/{:.0}\"><img src=\"{stem}.svg\" alt=\"{}\" style=\"margin-top:{:.3}%\"></div>",
        told - above - below,
        escape(&figure.title),
        -100.0 * above / wide
    );
}
