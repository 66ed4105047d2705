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
use crate::diagnostics::nearest::nearest;
use crate::diagnostics::{Diagnostic, Diagnostics, Severity, has_errors};
use crate::house::{self, Chosen, Declared, Origin, Setting, SettingValue};
use crate::kept;
use crate::library::{Games, Library};
use crate::lint;
use crate::rules::example::ExampleCase;
use crate::rules::{Bounds, Rules};
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
    pub library: Arc<assemble::Library>,
    /// Its options.
    pub declared: Vec<Declared>,
    /// What was found so far.
    pub found: Diagnostics,
    /// What it may cost to play it.
    pub bounds: Bounds,
    library_head: bool,
    /// Are all its texts those that the program carries, wherever they were read?
    is_carried: bool,
    /// What could not be read, so that it may be missing elsewhere.
    unread: Unread,
}

/// What a game's texts say that could not be read.
#[derive(Clone, Debug, Default)]
struct Unread {
    /// Places where reading failed.
    places: Vec<Span>,
    /// Is a game missing that this one extends?
    base: bool,
    /// The game's own files.
    files: Vec<FileId>,
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
    let mut chain: Vec<String> = vec![stem(&game.name)];
    let mut next = Some(game);
    let mut asked: Option<ast::Name> = None;
    let mut unread = Unread::default();
    while let Some(source) = next.take() {
        let file = sources.add(source.name, source.text);
        let (tree, errors) = syntax::parse(file, &sources.get(file).text);
        unread.files.push(file);
        unread.places.extend(errors.iter().map(|diag| diag.place.span));
        found.extend(errors);
        if let (Some(asked), ast::FileHead::Library { title }) = (&asked, &tree.head) {
            unread.base = true;
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
        if let Some(start) = chain.iter().position(|name| *name == base.text) {
            unread.base = true;
            found.push(extends_itself(&base, &chain[start..]));
            break;
        }
        if chain.len() >= MOST_LAYERS {
            unread.base = true;
            let message = format!(
                "This is game {} of those that extend one another; {MOST_LAYERS} are allowed.",
                chain.len() + 1
            );
            found.push(
                Diagnostic::error("extends-too-many", base.span, message)
                    .help("Let a game of this chain extend one nearer to its end."),
            );
            break;
        }
        chain.push(base.text.clone());
        match games.read(&base.text) {
            Some(source) => next = Some(source),
            None => {
                unread.base = true;
                found.push(cannot_extend(&base, &crate::library::Bundled.names()));
            }
        }
        asked = Some(base);
    }
    let library_head = matches!(files.first(), Some((_, ast::File { head: ast::FileHead::Library { .. }, .. })));
    files.reverse();
    let (game, errors) = assemble::assemble(&files, &sources);
    found.extend(errors);
    let (library, errors) = read_library(library, &mut sources);
    found.extend(errors);
    let (declared, errors) = check::declared_options(&game);
    found.extend(errors);
    let is_carried = sources.all().iter().all(|source| crate::library::is_carried(&source.text));
    Loaded { sources, game, library, declared, found, bounds: Bounds::usual(), library_head, is_carried, unread }
}

/// The name by which others extend a file: `chess` of `rulesets/chess/chess.lus`.
fn stem(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.strip_suffix(".lus").unwrap_or(file).to_string()
}

fn extends_itself(base: &ast::Name, chain: &[String]) -> Diagnostic {
    let others: Vec<&str> = chain.iter().skip(1).map(String::as_str).collect();
    let way = if others.is_empty() { String::new() } else { format!(" by way of {}", others.join(" and ")) };
    Diagnostic::error("extends-itself", base.span, format!("\"{}\" extends itself{way}.", base.text))
        .help("A game can extend only what does not extend it.")
}

fn cannot_extend(base: &ast::Name, names: &[String]) -> Diagnostic {
    let near = nearest(&base.text, names.iter().map(String::as_str));
    let meant = near.map_or(String::new(), |near| format!(" Did you mean \"{near}\"?"));
    let message = format!(
        "\"{0}\" cannot be extended: {0}.lus was not found in this folder or among the games.{meant}",
        base.text
    );
    let diag = Diagnostic::error("cannot-extend", base.span, message);
    match near {
        Some(near) => diag.help(format!("Write \"{near}\".")),
        None => diag.help("Name a game file beside this one, or a game that comes with the program."),
    }
}

fn read_library(library: &dyn Library, sources: &mut Sources) -> (Arc<assemble::Library>, Diagnostics) {
    let texts: Vec<Source> = library.modules().iter().filter_map(|module| library.read(module)).collect();
    let numbers: Vec<FileId> =
        texts.iter().map(|source| sources.add(source.name.as_str(), source.text.as_str())).collect();
    let first = numbers.first().copied().unwrap_or_default();
    if let Some(library) = kept::find(first, &texts) {
        return (library, Vec::new());
    }
    let mut found = Vec::new();
    let mut files = Vec::new();
    for (file, source) in numbers.into_iter().zip(&texts) {
        let (tree, errors) = syntax::parse(file, &source.text);
        found.extend(errors);
        files.push(tree);
    }
    let (library, errors) = assemble::Library::collect(&files);
    found.extend(errors);
    let library = Arc::new(library);
    if found.is_empty() {
        kept::keep(first, texts, &library);
    }
    (library, found)
}

impl Loaded {
    /// The game's own files, its own first, then what it extends.
    pub fn files(&self) -> &[FileId] {
        &self.unread.files
    }

    /// Is it a library rather than a game?
    pub fn is_library(&self) -> bool {
        self.library_head
    }

    /// All that is wrong with the game under these settings, its own examples included; each thing once.
    pub fn findings(&self, settings: &[(Setting, Origin)]) -> Diagnostics {
        let (mut found, rules) = match self.ready(settings) {
            Ok(ready) => (ready.found, ready.rules),
            Err(found) => return found,
        };
        let mut wrong = Vec::new();
        for (settings, examples) in self.own_examples(settings, &mut wrong) {
            wrong.extend(self.run(&settings, &examples).err().into_iter().flatten());
        }
        for diag in wrong {
            if !found.iter().any(|other| same(other, &diag)) {
                found.push(diag);
            }
        }
        // What is wrong may be what uses them.
        if !has_errors(&found) {
            let told =
                |diag: &Diagnostic| found.iter().any(|other| other.code == diag.code && other.place == diag.place);
            let more: Diagnostics = lint::of_game(self, &rules).into_iter().filter(|diag| !told(diag)).collect();
            found.extend(more);
        }
        found.sort_by_key(|diag| diag.place.span);
        not_too_many(found)
    }

    /// All that is wrong with these settings, what they do to a game that is fine without them included.
    pub fn house_findings(&self, settings: &[(Setting, Origin)]) -> Diagnostics {
        let ready = match self.ready(settings) {
            Ok(ready) => ready,
            Err(found) => return found,
        };
        let mut found = lint::of_house(self, settings, &ready.rules);
        found.sort_by_key(|diag| diag.place.span);
        not_too_many(found)
    }

    /// The game under these settings, later ones winning, or all that is wrong with it.
    pub fn ready(&self, settings: &[(Setting, Origin)]) -> Result<Ready, Diagnostics> {
        let (checked, chosen) = self.run(settings, &[])?;
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
        let all = with(example, settings)?;
        let (mut checked, _) = self.run(&all, &[example])?;
        match (checked.rules, checked.examples.pop()) {
            (Some(rules), Some(example)) => Ok((Arc::new(rules), example)),
            _ => Err(checked.found),
        }
    }

    /// The game's own examples, those together that are played at the same table; what is wrong with their tables.
    fn own_examples(&self, settings: &[(Setting, Origin)], wrong: &mut Diagnostics) -> Vec<Table<'_>> {
        let mut tables: Vec<(Option<Values>, Table<'_>)> = Vec::new();
        for example in self.game.examples.iter().filter(|example| example.title.span.file == self.game.file) {
            let all = match with(example, settings) {
                Ok(all) => all,
                Err(found) => {
                    wrong.extend(found);
                    continue;
                }
            };
            // What does not fit is told of each.
            let chosen = house::apply(&self.declared, &all).ok();
            let values = chosen.map(|chosen| {
                let first = first_of(&all).map(|(seat, _)| seat);
                (chosen.into_iter().map(|one| one.value).collect(), first)
            });
            match tables.iter_mut().find(|table| values.is_some() && table.0 == values) {
                Some((_, (_, examples))) => examples.push(example),
                None => tables.push((values, (all, vec![example]))),
            }
        }
        tables.into_iter().map(|(_, table)| table).collect()
    }

    fn run(
        &self,
        settings: &[(Setting, Origin)],
        examples: &[&ast::Example],
    ) -> Result<(check::Checked, Vec<Chosen>), Diagnostics> {
        let mut found = self.found.clone();
        let first = first_of(settings);
        if self.library_head {
            found.push(library_as_game(self.game.title_span));
            return Err(found);
        }
        let chosen = match house::apply(&self.declared, settings) {
            Ok(chosen) => chosen,
            Err(errors) => {
                found.extend(errors);
                found.extend(first.and_then(|(seat, span)| check::unknown_first(&self.game, &seat, span)));
                return Err(not_too_many(found));
            }
        };
        let mut checked = check::check(check::Request {
            game: &self.game,
            library: &self.library,
            declared: &self.declared,
            chosen: &chosen,
            first,
            examples,
            bounds: Bounds { machine_code: self.bounds.machine_code || self.is_carried, ..self.bounds },
            sources: &self.sources,
        });
        if has_errors(&found) {
            // The checker knows better what is to be done about conditions joined like sets.
            let sets_of_conditions: Vec<Span> =
                checked.found.iter().filter(|diag| diag.code == "set-operator").map(|diag| diag.place.span).collect();
            let within = |inner: Span| sets_of_conditions.iter().any(|outer| outer.holds(inner));
            found.retain(|diag| diag.code != "brackets-needed" || !within(diag.place.span));
            // A word of the language that was taken for a name stands for nothing, and that has been told.
            let reserved: Vec<&str> = found
                .iter()
                .filter(|diag| diag.code == "reserved-word")
                .map(|diag| self.sources.words(diag.place.span))
                .collect();
            let named = |diag: &Diagnostic| reserved.contains(&self.sources.words(diag.place.span));
            checked.found.retain(|diag| !self.is_doubtful(diag) && !named(diag));
            checked.rules = None;
        }
        for diag in checked.found.drain(..) {
            if !found.iter().any(|other| same(other, &diag)) {
                found.push(diag);
            }
        }
        found.sort_by_key(|diag| diag.place.span);
        checked.found = not_too_many(found);
        if checked.rules.is_none() {
            return Err(checked.found);
        }
        Ok((checked, chosen))
    }
}

/// Findings that are told of one game; then one more says that there are more.
pub const MOST_FINDINGS: usize = 100;

/// The first so many, errors before warnings where there is no room for all.
fn not_too_many(mut found: Diagnostics) -> Diagnostics {
    let counts = |diag: &Diagnostic| diag.code == "more-errors" || diag.code == "too-many-errors";
    let n = found.iter().filter(|diag| !counts(diag)).count();
    if n <= MOST_FINDINGS {
        return found;
    }
    let mut room = MOST_FINDINGS;
    let mut keep = vec![false; found.len()];
    for severity in [Severity::Error, Severity::Warning] {
        for (diag, keep) in found.iter().zip(&mut keep) {
            if room > 0 && !counts(diag) && diag.severity == severity {
                *keep = true;
                room -= 1;
            }
        }
    }
    let before: usize = found.iter().filter(|diag| counts(diag)).filter_map(|diag| first_number(&diag.message)).sum();
    let last = found.iter().zip(&keep).filter(|(_, keep)| **keep).map(|(diag, _)| diag.place.span).next_back();
    let mut keep = keep.into_iter();
    let wrong = has_errors(&found);
    found.retain(|_| keep.next().unwrap_or(false));
    let (n, last) = (n - MOST_FINDINGS + before, last.unwrap_or_default());
    found.push(if wrong { check::more_errors(n, last) } else { check::more_warnings(n, last) });
    found
}

fn first_number(text: &str) -> Option<usize> {
    text.split(' ').find_map(|word| word.parse().ok())
}

impl Loaded {
    /// Might it be wrong only because something else could not be read? Then that is told alone.
    fn is_doubtful(&self, diag: &Diagnostic) -> bool {
        if self.unread.base {
            return diag.code != "taken" && diag.code != "defined-twice";
        }
        let span = diag.place.span;
        let touches = |place: &Span| {
            place.file == span.file && (*place == span || place.start == span.end || place.end == span.start)
        };
        if self.unread.places.iter().any(touches) {
            return true;
        }
        let words = self.sources.words(diag.place.span);
        match diag.code {
            // Whatever could not be read may use it.
            "board-size" | "board-too-large" => {
                let inside = |place: Span| diag.place.span.holds(place);
                self.found.iter().any(|found| found.code == "number-too-large" && inside(found.place.span))
            }
            "option-unused" | "never-read" | "hides-library-word" | "roll-without-choice" | "never-reached" => true,
            "part-missing" => {
                let part = diag.message.trim_start_matches('"').split('"').next().unwrap_or("");
                let meant = format!("Did you mean \"{part}\"?");
                let misspelt = |diag: &Diagnostic| diag.help.as_ref() == Some(&meant);
                self.game.is_empty() || self.is_begun(part) || self.found.iter().any(misspelt)
            }
            "unknown-name" | "half-known" | "notation-name" | "no-such-end" | "no-bag" | "no-seat" | "no-action"
            | "cannot-assign" | "library-needs" | "not-among" | "diagram" => {
                let words = if diag.code == "diagram" { diag.message.split('"').nth(1).unwrap_or("") } else { words };
                self.is_begun(words) || self.is_unread(words)
            }
            _ => false,
        }
    }

    /// Is this word given a meaning near a place where reading failed, so that the meaning may be lost?
    fn is_unread(&self, word: &str) -> bool {
        !word.is_empty()
            && self.unread.places.iter().any(|place| {
                let text = &self.sources.get(place.file).text;
                let start = floor(text, (place.start as usize).saturating_sub(NEAR));
                let end = floor(text, (place.end as usize).saturating_add(NEAR));
                let near: Vec<&str> = words_of(text.get(start..end).unwrap_or("")).collect();
                near.iter().enumerate().any(|(i, near_word)| {
                    let before =
                        i.checked_sub(1).and_then(|i| near.get(i)).is_some_and(|before| NAMING.contains(before));
                    *near_word == word && (before || near.get(i + 1) == Some(&"in"))
                })
            })
    }

    /// Does an item of the game's own files begin with this word, or is it about this word?
    fn is_begun(&self, word: &str) -> bool {
        !word.is_empty()
            && self.unread.files.iter().any(|file| {
                self.sources.get(*file).text.lines().any(|line| {
                    let mut words = words_of(line);
                    let first = words.next().unwrap_or("");
                    first == word || HEADS.contains(&first) && words.any(|other| other == word)
                })
            })
    }
}

/// How many bytes before and behind a place where reading failed may not have been read either.
const NEAR: usize = 300;

/// Words that begin an item which declares others.
const HEADS: &[&str] = &[
    "players", "piece", "option", "remember", "counter", "track", "define", "action", "board", "needs", "plus",
    "secret", "lasting",
];

/// Words behind which a name is given a meaning.
const NAMING: &[&str] = &["let", "choose", "roll", "for", "spread", "some", "no"];

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn same(a: &Diagnostic, b: &Diagnostic) -> bool {
    a.place.span == b.place.span && a.message == b.message
}

/// Settings, and examples that are played under them.
type Table<'a> = (Vec<(Setting, Origin)>, Vec<&'a ast::Example>);

/// The value of each option, and the seat that begins.
type Values = (Vec<SettingValue>, Option<String>);

/// The seat that begins, if that is set.
fn first_of(settings: &[(Setting, Origin)]) -> Option<(String, Span)> {
    let first = settings.iter().rev().find(|(setting, _)| setting.name == house::RESERVED);
    first.map(|(setting, _)| (setting.value.to_string(), setting.value_span))
}

/// These settings and those that an example asks for.
fn with(example: &ast::Example, settings: &[(Setting, Origin)]) -> Result<Vec<(Setting, Origin)>, Diagnostics> {
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
    Ok(all)
}

fn library_as_game(span: Span) -> Diagnostic {
    Diagnostic::error("library-as-game", span, "This is a file of the library; it cannot be played.")
        .help("Begin a game with: game \"Name\"")
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

/// The error for a house file whose game is not known.
pub fn unknown_game(house: &house::HouseFile, known: &[String]) -> Diagnostic {
    let (name, span) = &house.game;
    let near = nearest(name, known.iter().map(String::as_str));
    let meant = near.map_or(String::new(), |near| format!(" Did you mean \"{near}\"?"));
    let message = format!("There is no game \"{name}\" here, nor does it come with the program.{meant}");
    let diag = Diagnostic::error("house-unknown-game", *span, message);
    match near {
        Some(near) => diag.help(format!("game: {near}")),
        None => diag.help("Name a game file beside this one, or a game that comes with the program."),
    }
}

/// The error for a house file that is not for the game of this name.
pub fn other_game(house: &house::HouseFile, stem: &str) -> Diagnostic {
    let (name, span) = &house.game;
    let message = format!("This house file is for \"{name}\", not for \"{stem}\".");
    Diagnostic::error("house-other-game", *span, message)
}

/// Settings of a house file for [`Loaded::ready`]. Whether it is for this game is not looked at.
pub fn house_settings(file: house::HouseFile, source_name: &str) -> Vec<(Setting, Origin)> {
    file.settings
        .into_iter()
        .map(|setting| {
            let span: Span = setting.value_span;
            (setting, Origin::File { name: source_name.to_string(), span })
        })
        .collect()
}
