//! Puts a game together from its file, the files it extends and the library: which item counts, and what it replaced.
//!
//! In go syntax trees, base game first. Out comes one [`Game`]. Names are not looked at here, except to see which item replaces which.

use std::collections::BTreeMap;

use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::source::{FileId, Sources, Span};
use crate::syntax::ast::{self, ItemKind};

/// A game whose items have found their places.
#[derive(Clone, Debug)]
pub struct Game {
    /// The name.
    pub title: String,
    /// Where the name stands.
    pub title_span: Span,
    /// What its author says of it.
    pub docs: Vec<String>,
    /// The file of the game itself, not of what it extends.
    pub file: FileId,
    /// The files it is made of, the one that extends nothing first.
    pub files: Vec<FileId>,
    /// `players`
    pub players: Option<(Vec<ast::Player>, Span)>,
    /// `board`
    pub board: Option<(ast::Board, Span)>,
    /// The kinds, each with `for Seat`.
    pub kinds: Vec<(ast::KindDecl, Option<ast::Name>)>,
    /// `option`
    pub options: Vec<Documented<ast::OptionDecl>>,
    /// `track`
    pub tracks: Vec<Documented<ast::Track>>,
    /// `remember`, `counter`
    pub remembers: Vec<Documented<ast::Remember>>,
    /// `define`
    pub defines: Vec<Layered<ast::Define>>,
    /// `action`
    pub actions: Vec<Layered<ast::Action>>,
    /// `setup`, a diagram being a block of one `lay`
    pub setup: Option<Layered<ast::Block>>,
    /// `turn`
    pub turn: Option<Layered<ast::Turn>>,
    /// `after turn`
    pub after: Option<Layered<ast::Block>>,
    /// `end`, with `base` replaced by what it stands for
    pub ends: Option<Vec<ast::Ending>>,
    /// `view`
    pub view: Option<ast::Expr>,
    /// `notation`
    pub notation: Option<Vec<ast::NotationPart>>,
    /// `property`
    pub properties: Vec<ast::Property>,
    /// `example`, with the file it stands in
    pub examples: Vec<ast::Example>,
    /// Words that a file of it defines twice, which has been told.
    pub twice: Vec<String>,
}

/// An item and what its author says of it.
#[derive(Clone, Debug)]
pub struct Documented<T> {
    /// The item.
    pub item: T,
    /// Its `///` lines.
    pub docs: Vec<String>,
    /// Where it stands.
    pub span: Span,
}

/// An item and what it replaced, the nearest first.
#[derive(Clone, Debug)]
pub struct Layered<T> {
    /// The item that counts, then what `base` means in it, and so on.
    pub layers: Vec<T>,
    /// Its `///` lines.
    pub docs: Vec<String>,
    /// Where it stands.
    pub span: Span,
}

/// All definitions and actions of the library.
#[derive(Clone, Debug, Default)]
pub struct Library {
    /// `define`
    pub defines: Vec<Documented<ast::Define>>,
    /// `action`
    pub actions: Vec<Documented<ast::Action>>,
    /// `needs`
    pub needs: Vec<Documented<ast::Needs>>,
}

impl Library {
    /// The files that its items stand in.
    pub fn files(&self) -> std::collections::BTreeSet<FileId> {
        let defines = self.defines.iter().map(|define| define.span.file);
        let actions = self.actions.iter().map(|action| action.span.file);
        defines.chain(actions).chain(self.needs.iter().map(|needs| needs.span.file)).collect()
    }

    /// Collects the items of library files; other items are errors.
    pub fn collect(files: &[ast::File]) -> (Library, Diagnostics) {
        let mut library = Library::default();
        let mut found = Vec::new();
        for item in files.iter().flat_map(|file| &file.items) {
            let (docs, span) = (item.docs.clone(), item.span);
            match &item.kind {
                ItemKind::Define(define) => {
                    library.defines.push(Documented { item: define.clone(), docs, span });
                }
                ItemKind::Action(action) => {
                    library.actions.push(Documented { item: action.clone(), docs, span });
                }
                ItemKind::Needs(needs) => library.needs.push(Documented { item: needs.clone(), docs, span }),
                ItemKind::Example(_) | ItemKind::Property(_) => {}
                _ => found.push(
                    Diagnostic::error(
                        "library-item",
                        span,
                        "A library holds only \"define\", \"action\" and \"needs\".",
                    )
                    .help("Put this into the game's file."),
                ),
            }
        }
        (library, found)
    }
}

/// Puts the files of a game together; `files` begins with the one that extends nothing. Out comes what is wrong with that, too.
pub fn assemble(files: &[(FileId, ast::File)], sources: &Sources) -> (Game, Diagnostics) {
    let mut game = Game::empty();
    let mut found = Vec::new();
    for (file, tree) in files {
        let (title, title_span) = match &tree.head {
            ast::FileHead::Game { title, .. } | ast::FileHead::Library { title } => (title.value.clone(), title.span),
        };
        game.title = title;
        game.title_span = title_span;
        game.file = *file;
        game.files.push(*file);
        if !tree.docs.is_empty() {
            game.docs = tree.docs.clone();
        }
        Layer { game: &mut game, found: &mut found, first: Seen::default(), sources }.add(tree);
    }
    (game, found)
}

impl Game {
    /// Does it say nothing at all?
    pub fn is_empty(&self) -> bool {
        self.players.is_none()
            && self.board.is_none()
            && self.turn.is_none()
            && self.ends.is_none()
            && self.kinds.is_empty()
    }

    fn empty() -> Game {
        Game {
            title: String::new(),
            title_span: Span::default(),
            docs: Vec::new(),
            file: FileId::default(),
            files: Vec::new(),
            players: None,
            board: None,
            kinds: Vec::new(),
            options: Vec::new(),
            tracks: Vec::new(),
            remembers: Vec::new(),
            defines: Vec::new(),
            actions: Vec::new(),
            setup: None,
            turn: None,
            after: None,
            ends: None,
            view: None,
            notation: None,
            properties: Vec::new(),
            examples: Vec::new(),
            twice: Vec::new(),
        }
    }
}

/// One file being laid over what is there.
struct Layer<'a> {
    game: &'a mut Game,
    found: &'a mut Diagnostics,
    first: Seen,
    sources: &'a Sources,
}

/// The word with which an item begins.
fn beginning(span: Span, word: &str) -> Span {
    Span { end: span.end.min(span.start + word.len() as u32), ..span }
}

/// What this file has said already: sort and name of each item, and where.
#[derive(Default)]
struct Seen(BTreeMap<String, Span>);

impl Layer<'_> {
    /// Notes an item of this file; false (and an error) if the file has said it before.
    fn once(&mut self, sort: &str, name: Option<&ast::Name>, span: Span) -> bool {
        let key = name.map_or_else(|| sort.to_string(), |name| format!("{sort} {}", name.text));
        let place = name.map_or_else(|| beginning(span, sort), |name| name.span);
        let Some(before) = self.first.0.get(&key) else {
            self.first.0.insert(key, place);
            return true;
        };
        let diag = match name {
            Some(name) => {
                self.game.twice.push(name.text.clone());
                let (line, _) = self.sources.line_column(*before);
                let message = format!("\"{}\" is defined twice, here and in line {line}.", name.text);
                Diagnostic::error("defined-twice", place, message).help("Give one of them another name.")
            }
            None => Diagnostic::error("two-parts", place, format!("There are two \"{sort}\" parts; join them."))
                .help(format!("Keep one \"{sort}\".")),
        };
        self.found.push(diag.also(*before, "the other one"));
        false
    }

    fn add(mut self, file: &ast::File) {
        for item in &file.items {
            self.item(item);
        }
    }

    fn item(&mut self, item: &ast::Item) {
        let span = item.span;
        let docs = item.docs.clone();
        match &item.kind {
            ItemKind::Players(players) => {
                if self.once("players", None, span) {
                    self.game.players = Some((players.clone(), span));
                }
            }
            ItemKind::Board(board) => {
                if self.once("board", None, span) {
                    self.game.board = Some((board.clone(), span));
                }
            }
            ItemKind::Piece(piece) => {
                for kind in &piece.kinds {
                    if !self.once("word", Some(&kind.name), span) {
                        continue;
                    }
                    let entry = (kind.clone(), piece.owner.clone());
                    match self.game.kinds.iter_mut().find(|(old, _)| old.name.text == kind.name.text) {
                        Some(old) => *old = entry,
                        None => self.game.kinds.push(entry),
                    }
                }
            }
            ItemKind::Option(option) => {
                if self.once("word", Some(&option.name), span) {
                    let mut entry = Documented { item: option.clone(), docs, span };
                    match self.game.options.iter_mut().find(|old| old.item.name.text == option.name.text) {
                        Some(old) => {
                            if let Some(diag) = other_sort_of_option(&old.item, &entry.item) {
                                self.found.push(diag);
                                return;
                            }
                            if entry.item.values.is_empty() {
                                // Only a new default: it may still be all that it was. Any text is none in particular.
                                entry.item.values = old.item.values.clone();
                                if !matches!(&*old.item.default.kind, ast::ExprKind::Text(_)) {
                                    entry.item.values.push(old.item.default.clone());
                                }
                            }
                            if entry.docs.is_empty() {
                                entry.docs = old.docs.clone();
                            }
                            *old = entry;
                        }
                        None => self.game.options.push(entry),
                    }
                }
            }
            ItemKind::Track(track) => {
                let key = track.owner.as_ref().map_or_else(String::new, |owner| format!(" for {}", owner.text));
                if self.once(&format!("track{key}"), Some(&track.name), span) {
                    let same = |old: &Documented<ast::Track>| {
                        old.item.name.text == track.name.text
                            && old.item.owner.as_ref().map(|o| &o.text) == track.owner.as_ref().map(|o| &o.text)
                    };
                    let entry = Documented { item: track.clone(), docs, span };
                    match self.game.tracks.iter_mut().find(|old| same(old)) {
                        Some(old) => *old = entry,
                        None => self.game.tracks.push(entry),
                    }
                }
            }
            ItemKind::Remember(remember) => {
                if self.once("word", Some(&remember.name), span) {
                    let entry = Documented { item: remember.clone(), docs, span };
                    match self.game.remembers.iter_mut().find(|old| old.item.name.text == remember.name.text) {
                        Some(old) => *old = entry,
                        None => self.game.remembers.push(entry),
                    }
                }
            }
            ItemKind::Define(define) => {
                if self.once("word", Some(&define.head.name), span) {
                    let name = &define.head.name.text;
                    let old = self.game.defines.iter().position(|old| old.layers[0].head.name.text == *name);
                    self.game.defines.layer(old, define.clone(), docs, span);
                }
            }
            ItemKind::Action(action) => {
                if self.once("word", Some(&action.head.name), span) {
                    let name = &action.head.name.text;
                    let old = self.game.actions.iter().position(|old| old.layers[0].head.name.text == *name);
                    self.game.actions.layer(old, action.clone(), docs, span);
                }
            }
            ItemKind::Needs(needs) => self.found.push(
                Diagnostic::error("needs-in-game", span, "\"needs\" belongs to a library.")
                    .help(format!("Define \"{}\" here.", needs.head.name.text)),
            ),
            ItemKind::Setup(block) => {
                if self.once("setup", None, span) {
                    layer_over(&mut self.game.setup, block.clone(), docs, span);
                }
            }
            ItemKind::SetupDiagram(text) => {
                if self.once("setup", None, span) {
                    let lay = ast::Expr { kind: Box::new(ast::ExprKind::Text(text.clone())), span: text.span };
                    let statement =
                        ast::Statement { docs: Vec::new(), kind: ast::StatementKind::Lay(lay, None), span: text.span };
                    let block = ast::Block { statements: vec![statement], span };
                    layer_over(&mut self.game.setup, block, docs, span);
                }
            }
            ItemKind::Turn(turn) => {
                if self.once("turn", None, span) {
                    layer_over(&mut self.game.turn, turn.clone(), docs, span);
                }
            }
            ItemKind::After(block) => {
                if self.once("after turn", None, span) {
                    layer_over(&mut self.game.after, block.clone(), docs, span);
                }
            }
            ItemKind::End(lines) => {
                if self.once("end", None, span) {
                    let base = self.game.ends.take();
                    let mut ends = Vec::new();
                    for line in lines {
                        match line {
                            ast::EndLine::Ending(ending) => ends.push(ending.clone()),
                            ast::EndLine::Base(at) => match &base {
                                Some(base) => ends.extend(base.iter().cloned()),
                                None => self.found.push(no_base(*at)),
                            },
                        }
                    }
                    self.game.ends = Some(ends);
                }
            }
            ItemKind::View(expr) => {
                if self.once("view", None, span) {
                    self.game.view = Some(expr.clone());
                }
            }
            ItemKind::Notation(parts) => {
                if self.once("notation", None, span) {
                    self.game.notation = Some(parts.clone());
                }
            }
            ItemKind::Property(property) => {
                let same = |other: &&ast::Property| other.title.value == property.title.value;
                match self.game.properties.iter().find(same) {
                    Some(other) if other.title.span.file == property.title.span.file => self.found.push(
                        Diagnostic::error(
                            "defined-twice",
                            property.title.span,
                            format!("There are two properties \"{}\".", property.title.value),
                        )
                        .also(other.title.span, "the other one")
                        .help("Give one of them another name."),
                    ),
                    // A later game says anew what it has from an earlier one.
                    _ => {
                        self.game.properties.retain(|other| !same(&other));
                        self.game.properties.push(property.clone());
                    }
                }
            }
            ItemKind::Example(example) => self.game.examples.push(example.clone()),
        }
    }
}

/// The error if an option replaces one of another sort.
fn other_sort_of_option(old: &ast::OptionDecl, new: &ast::OptionDecl) -> Option<Diagnostic> {
    let sort = |option: &ast::OptionDecl| {
        let mut all = option.values.iter().chain([&option.default]);
        let numbers = all.clone().any(|e| matches!(&*e.kind, ast::ExprKind::Int(_) | ast::ExprKind::Range(..)));
        match &*option.default.kind {
            ast::ExprKind::Error => None,
            _ if all.any(|e| matches!(&*e.kind, ast::ExprKind::Error)) => None,
            _ if numbers => Some("numbers"),
            ast::ExprKind::Bool(_) if option.values.is_empty() => Some("on or off"),
            ast::ExprKind::Text(_) => Some("a text"),
            _ => Some("words"),
        }
    };
    let (was, is) = (sort(old)?, sort(new)?);
    // A word beside numbers means "no limit", and the new default alone may be any of the old values.
    let old_words = old.values.iter().chain([&old.default]).any(|e| matches!((&*e.kind, &*new.default.kind), (ast::ExprKind::Name(a), ast::ExprKind::Name(b)) if a.text == b.text));
    let fits = was == is || new.values.is_empty() && (old_words || was == "words" && is == "on or off");
    (!fits).then(|| {
        let message = format!("\"{}\" replaces {was} by {is}.", new.name.text);
        Diagnostic::error("replaced-type", new.name.span, message)
            .also(old.name.span, "this is replaced")
            .help("Give it a default of the same sort, or another name.")
    })
}

/// The error for a `base` that stands for nothing.
pub fn no_base(span: Span) -> Diagnostic {
    Diagnostic::error("no-base", span, "\"base\" is what was replaced, but this replaces nothing.")
        .help("Take \"base\" out, or let the game extend another.")
}

fn layer_over<T>(slot: &mut Option<Layered<T>>, item: T, docs: Vec<String>, span: Span) {
    let mut layers = vec![item];
    if let Some(old) = slot.take() {
        layers.extend(old.layers);
    }
    *slot = Some(Layered { layers, docs, span });
}

trait LayerList<T> {
    fn layer(&mut self, old: Option<usize>, item: T, docs: Vec<String>, span: Span);
}

impl<T> LayerList<T> for Vec<Layered<T>> {
    fn layer(&mut self, old: Option<usize>, item: T, docs: Vec<String>, span: Span) {
        match old {
            Some(i) => {
                let old = &mut self[i];
                old.layers.insert(0, item);
                old.docs = docs;
                old.span = span;
            }
            None => self.push(Layered { layers: vec![item], docs, span }),
        }
    }
}
