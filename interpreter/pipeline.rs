//! The whole journey from text to a game that can be played, one line per stage.
//!
//! | stage | call | takes | gives |
//! |---|---|---|---|
//! | read | `Games::read`, `Library::read` | a name | a text |
//! | parse | `syntax::parse` | a text | a syntax tree |
//! | assemble | `assemble::assemble` | trees, base game first | one game |
//! | house | `house::apply` | declared options, settings | a value an option |
//! | check | `check::check` | game, values | [`Rules`] |
//!
//! Every stage reports all it finds; a later one runs as long as it has something to work on.

use std::sync::Arc;

use crate::assemble::{self, Game};
use crate::check;
use crate::diagnostics::{Diagnostic, Diagnostics, has_errors};
use crate::house::{self, Chosen, Declared, Origin, Setting, SettingValue};
use crate::library::{Games, Library};
use crate::rules::Rules;
use crate::rules::example::ExampleCase;
use crate::source::{FileId, Source, Sources, Span};
use crate::syntax::{self, ast};

/// How many games may extend one another.
pub const MOST_LAYERS: usize = 16;

/// A game read and put together, before any option is set.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Its texts.
    pub sources: Sources,
    /// The game.
    pub game: Game,
    /// The library.
    pub library: assemble::Library,
    /// Its options.
    pub declared: Vec<Declared>,
    /// What was found so far.
    pub found: Diagnostics,
    library_head: bool,
}

/// A game under one set of options, ready to be played.
#[derive(Clone, Debug)]
pub struct Ready {
    /// The rules.
    pub rules: Arc<Rules>,
    /// The value of each option, in the order of [`Loaded::declared`].
    pub chosen: Vec<Chosen>,
    /// Warnings.
    pub found: Diagnostics,
}

/// Reads a game, what it extends, and the library.
pub fn load(game: Source, games: &dyn Games, library: &dyn Library) -> Loaded {
    let mut sources = Sources::new();
    let mut found = Vec::new();
    let mut files: Vec<(FileId, ast::File)> = Vec::new();
    let mut chain: Vec<String> = Vec::new();
    let mut next = Some(game);
    let mut asked: Option<ast::Name> = None;
    while let Some(source) = next.take() {
        let file = sources.add(source.name, source.text);
        let (tree, errors) = syntax::parse(file, &sources.get(file).text);
        found.extend(errors);
        if let (Some(asked), ast::FileHead::Library { title }) = (&asked, &tree.head) {
            found.push(
                Diagnostic::error("cannot-extend", asked.span, format!("\"{}\" is a library, not a game.", asked.text))
                    .also(title.span, "it says so here")
                    .help("A game extends a game; the library is always there."),
            );
        }
        let extends = match &tree.head {
            ast::FileHead::Game { extends, .. } => extends.clone(),
            ast::FileHead::Library { .. } => None,
        };
        files.push((file, tree));
        let Some(base) = extends else { break };
        if chain.contains(&base.text) || chain.len() >= MOST_LAYERS {
            let path = chain.join(" by way of ");
            found.push(
                Diagnostic::error(
                    "extends-itself",
                    base.span,
                    format!("\"{}\" extends itself by way of {path}.", base.text),
                )
                .help("A game can extend only what does not extend it."),
            );
            break;
        }
        chain.push(base.text.clone());
        match games.read(&base.text) {
            Some(source) => next = Some(source),
            None => {
                let message = format!(
                    "\"{0}\" cannot be extended: {0}.lus was not found in this folder or among the games.",
                    base.text
                );
                found.push(
                    Diagnostic::error("cannot-extend", base.span, message)
                        .help("Name a game file beside this one, or a game that \"list\" shows."),
                );
            }
        }
        asked = Some(base);
    }
    let library_head = matches!(files.first(), Some((_, ast::File { head: ast::FileHead::Library { .. }, .. })));
    files.reverse();
    let (game, errors) = assemble::assemble(&files);
    found.extend(errors);
    let (library, errors) = read_library(library, &mut sources);
    found.extend(errors);
    let (declared, errors) = check::declared_options(&game);
    found.extend(errors);
    Loaded { sources, game, library, declared, found, library_head }
}

fn read_library(library: &dyn Library, sources: &mut Sources) -> (assemble::Library, Diagnostics) {
    let mut found = Vec::new();
    let mut files = Vec::new();
    for module in library.modules() {
        if let Some(source) = library.read(&module) {
            let file = sources.add(source.name, source.text);
            let (tree, errors) = syntax::parse(file, &sources.get(file).text);
            found.extend(errors);
            files.push(tree);
        }
    }
    let (library, errors) = assemble::Library::collect(&files);
    found.extend(errors);
    (library, found)
}

impl Loaded {
    /// Is it a library rather than a game?
    pub fn is_library(&self) -> bool {
        self.library_head
    }

    /// The game under these settings, later ones winning, or all that is wrong with it.
    pub fn ready(&self, settings: &[(Setting, Origin)]) -> Result<Ready, Diagnostics> {
        let (checked, chosen) = self.run(settings, None)?;
        match checked.rules {
            Some(rules) => Ok(Ready { rules: Arc::new(rules), chosen, found: checked.found }),
            None => Err(checked.found),
        }
    }

    /// An example with the rules that it asks for.
    pub fn example(
        &self,
        example: &ast::Example,
        settings: &[(Setting, Origin)],
    ) -> Result<(Arc<Rules>, ExampleCase), Diagnostics> {
        let mut all = settings.to_vec();
        let mut found = Vec::new();
        for line in &example.lines {
            if let ast::ExampleKind::With(name, value) = &line.kind {
                match example_setting(value) {
                    Some(setting) => {
                        let setting = Setting {
                            name: name.text.clone(),
                            name_span: name.span,
                            value: setting,
                            value_span: value.span,
                        };
                        all.push((setting, Origin::Set(line.span)));
                    }
                    None => found.push(
                        Diagnostic::error(
                            "option-value",
                            value.span,
                            "An option is a number, a word, on, off or a text.".to_string(),
                        )
                        .help("As in \"with size = 9\"."),
                    ),
                }
            }
        }
        if !found.is_empty() {
            return Err(found);
        }
        let (checked, _) = self.run(&all, Some(example))?;
        match (checked.rules, checked.example) {
            (Some(rules), Some(example)) => Ok((Arc::new(rules), example)),
            _ => Err(checked.found),
        }
    }

    fn run(
        &self,
        settings: &[(Setting, Origin)],
        example: Option<&ast::Example>,
    ) -> Result<(check::Checked, Vec<Chosen>), Diagnostics> {
        let mut found = self.found.clone();
        let first = settings
            .iter()
            .rev()
            .find(|(setting, _)| setting.name == house::RESERVED)
            .map(|(setting, _)| (setting.value.to_string(), setting.value_span));
        let chosen = match house::apply(&self.declared, settings) {
            Ok(chosen) => chosen,
            Err(errors) => {
                found.extend(errors);
                return Err(found);
            }
        };
        let mut checked = check::check(check::Request {
            game: &self.game,
            library: &self.library,
            declared: &self.declared,
            chosen: &chosen,
            first,
            example,
            sources: &self.sources,
        });
        if has_errors(&found) {
            // What could not be read makes words unknown that were meant well; errors of reading come alone unless they concern other items.
            let doubtful = |diag: &Diagnostic| diag.code == "part-missing" || diag.code == "unknown-name";
            checked.found.retain(|diag| !doubtful(diag));
            checked.rules = None;
        }
        found.append(&mut checked.found);
        found.sort_by_key(|diag| diag.place.span);
        found.dedup();
        checked.found = found;
        if checked.rules.is_none() {
            return Err(checked.found);
        }
        Ok((checked, chosen))
    }
}

/// The value that `with name = value` gives.
fn example_setting(e: &ast::Expr) -> Option<SettingValue> {
    Some(match &*e.kind {
        ast::ExprKind::Int(n) => SettingValue::Int(*n),
        ast::ExprKind::Bool(on) => SettingValue::Bool(*on),
        ast::ExprKind::Name(name) => SettingValue::Word(name.text.clone()),
        ast::ExprKind::Text(text) => SettingValue::Word(text.value.clone()),
        _ => return None,
    })
}

/// Settings of a house file for [`Loaded::ready`]; an error if it is for another game.
pub fn house_settings(file: house::HouseFile, source_name: &str) -> Vec<(Setting, Origin)> {
    file.settings
        .into_iter()
        .map(|setting| {
            let span: Span = setting.value_span;
            (setting, Origin::File { name: source_name.to_string(), span })
        })
        .collect()
}
