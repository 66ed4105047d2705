//! `lusory list`: the games that come with the program.

use serde::Serialize;

use super::args::ListArgs;
use super::console::Console;
use super::failure::Failure;
use crate::library::{Bundled, Games};
use crate::source::FileId;
use crate::syntax::{self, ast};

#[derive(Serialize)]
struct Row {
    name: String,
    title: String,
    about: String,
}

/// Lists them.
pub fn run(args: &ListArgs, console: &Console) -> Result<(), Failure> {
    let rows: Vec<Row> = Bundled.names().into_iter().filter_map(row).collect();
    if args.json {
        return rows.iter().try_for_each(|row| console.json(row));
    }
    let wide = |text: fn(&Row) -> &String| rows.iter().map(|row| text(row).chars().count()).max().unwrap_or(0);
    let (names, titles) = (wide(|row| &row.name), wide(|row| &row.title));
    for Row { name, title, about } in &rows {
        console.data(format!("{name:names$}  {title:titles$}  {about}").trim_end())?;
    }
    Ok(())
}

fn row(name: String) -> Option<Row> {
    let source = Bundled.read(&name)?;
    let (file, _) = syntax::parse(FileId(0), &source.text);
    let ast::FileHead::Game { title, .. } = &file.head else {
        return None;
    };
    let about = file.docs.first().cloned().unwrap_or_default();
    Some(Row { name, title: title.value.clone(), about })
}
