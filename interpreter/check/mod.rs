//! Decides what every word of a game means and whether it makes sense; what passes here can be played.
//!
//! In goes an assembled [`Game`], the library, and a value for every option; out come [`Rules`] or every error of the game at once.
//! Options are constants here: what they rule out is still read and checked, but left out of the result.
//!
//! | file | what it does |
//! |---|---|
//! | `declare.rs`, `boards.rs`, `options.rs` | seats, board, kinds, options |
//! | `remembered.rs`, `tracks.rs` | things remembered and written types, tracks |
//! | `names.rs` | what a single word means, and what it might have meant |
//! | `exprs.rs`, `matching.rs`, `newcomers.rs` | expressions: conditions, whose it is, `match`, and what a later file adds to its cases |
//! | `sets.rs`, `bags.rs` | the operators, which mean different things on different types; listed sets |
//! | `builders.rs` | names that run through something |
//! | `coerce.rs` | one thing where another is wanted |
//! | `defs.rs`, `needs.rs`, `ready.rs` | definitions with their parameters, what the library needs, words that every game has |
//! | `actions.rs`, `stmts.rs`, `acts.rs` | actions and statements |
//! | `programs.rs`, `rolls.rs`, `diagrams.rs` | the programs as a whole, rolls that lead to nothing, diagrams that are laid |
//! | `ends.rs`, `example.rs` | ends and properties, examples |
//! | `limits.rs` | how much is too much |
//! | `constant.rs` | what can be worked out now is |
//! | `errors/` | the sentences |

mod actions;
mod acts;
mod bags;
mod boards;
mod builders;
mod coerce;
mod constant;
mod declare;
mod defs;
mod diagrams;
mod ends;
mod errors;
mod example;
mod exprs;
pub mod limits;
mod matching;
mod names;
mod needs;
mod newcomers;
mod options;
mod programs;
mod ready;
mod remembered;
mod rolls;
mod sets;
mod stmts;
#[cfg(test)]
mod tests;
mod tracks;

use std::collections::{BTreeMap, BTreeSet};

use crate::assemble::{Game, Library};
use crate::diagnostics::{Diagnostics, has_errors};
use crate::house::{Chosen, Declared};
use crate::rules::example::ExampleCase;
use crate::rules::{Bounds, Expr, ExprKind, Local, LocalId, Rules, Stmt, Ty};
use crate::source::{FileId, Sources, Span};
use crate::syntax::ast;

pub use declare::unknown_first;
pub use errors::more_errors;
pub use options::declared_options;

/// What is to be checked.
pub struct Request<'a> {
    /// The game.
    pub game: &'a Game,
    /// The library.
    pub library: &'a Library,
    /// Its options, from [`declared_options`].
    pub declared: &'a [Declared],
    /// A value for each.
    pub chosen: &'a [Chosen],
    /// The seat that begins, if the table says so.
    pub first: Option<(String, Span)>,
    /// An example whose lines are to be made ready too.
    pub example: Option<&'a ast::Example>,
    /// What it may cost to play it.
    pub bounds: Bounds,
    /// The texts, to quote from.
    pub sources: &'a Sources,
}

/// What came out.
pub struct Checked {
    /// The rules, if there was no error.
    pub rules: Option<Rules>,
    /// The example, if one was asked for.
    pub example: Option<ExampleCase>,
    /// Everything found.
    pub found: Diagnostics,
}

/// Checks a game under one set of options.
pub fn check(request: Request<'_>) -> Checked {
    let mut checker = Checker::new(&request);
    checker.rules.bounds = request.bounds;
    checker.declare();
    checker.definitions();
    checker.programs();
    checker.uncalled_actions();
    checker.state_size();
    let example = request.example.map(|example| checker.example(example));
    if request.example.is_none() && !has_errors(&checker.found) {
        checker.read_by_examples();
    }
    // What is wrong may be what uses them.
    if request.example.is_none() && !has_errors(&checker.found) {
        checker.unused();
    }
    let found = checker.all_found();
    let rules = (!has_errors(&found)).then_some(checker.rules);
    Checked { rules, example, found }
}

/// Where a word is looked up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Scope {
    /// The game, then the library.
    Game,
    /// The library alone (with what it needs from the game).
    Library,
}

/// What a local name stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Bound {
    /// A local.
    Local(LocalId, Ty),
    /// A parameter of type `counts`: this variable.
    Table(u16),
    /// A parameter of type `int` or `text` whose argument is known.
    Known(i32, Ty),
}

/// One block's names, newest last.
type Names = Vec<(String, Bound)>;

/// What may stand here.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    setup: bool,
    /// A line of an example.
    script: bool,
    after: bool,
    end: bool,
    /// The first value of something remembered.
    first: bool,
    /// An action that nobody calls: it may be meant for any place.
    anywhere: bool,
    loops: u32,
    /// In a part that the options rule out: it is checked, but what depends on the board's size is not held against it.
    dead: u32,
}

/// A definition made for one set of tables.
struct Made {
    id: u32,
    params: Vec<Ty>,
    ty: Ty,
    /// How deep it goes, the definitions it uses included.
    height: u32,
    /// How many parts it has when written out, and at how many things it looks at most.
    written: u64,
    /// See `written`.
    looks: u64,
    /// Was there an error in it, or in something it uses?
    broken: bool,
    /// Does it ask for rows whose length is not known?
    rows_unknown: bool,
}

/// Which definition: where it is looked up, its name, which layer of it, the tables and the known numbers (by parameter) it was given.
type DefKey = (Scope, String, usize, Vec<u16>, Vec<(usize, i32)>);

struct Checker<'a> {
    game: &'a Game,
    library: &'a Library,
    declared: &'a [Declared],
    chosen: &'a [Chosen],
    sources: &'a Sources,
    first: Option<(String, Span)>,
    rules: Rules,
    found: Diagnostics,
    /// Index in `rules.words` of each option's words, if it has any.
    option_words: Vec<Option<u16>>,
    scope: Scope,
    place: Place,
    names: Vec<Names>,
    /// Names that only some branches bound, where the branching stands, and the words that say so.
    half_known: Vec<(String, Span, String)>,
    /// Names that a branch before this one bound in its outermost block: the same name gets the same local.
    reuse: Option<(usize, Names)>,
    made: BTreeMap<DefKey, Made>,
    making: Vec<DefKey>,
    /// Definitions are being read for their own sake, with nothing known of their arguments.
    generic: bool,
    /// Parts of what is being read, definitions written out, and things at which it looks at most.
    written: u64,
    looks: u64,
    acting: Vec<(Scope, String, usize)>,
    /// Statements that have to run before the one being read, if it may have any.
    before: Option<Vec<Stmt>>,
    /// Where the words being worked out were used, from the outside in.
    callers: Vec<Span>,
    library_files: BTreeSet<FileId>,
    index: defs::Index<'a>,
    /// Lists of words by where they are written.
    written_lists: BTreeMap<Span, u16>,
    text_codes: BTreeMap<String, usize>,
    /// Where texts are written first.
    text_places: BTreeMap<usize, Span>,
    /// Texts that names of one place may hold.
    local_texts: BTreeMap<LocalId, Vec<(usize, Span)>>,
    /// Lengths of rows that have been asked for, and where they are in the rules.
    row_lists: BTreeMap<i32, usize>,
    /// How deep the reading is, how deep it has been, and how much has been read.
    level: u32,
    deepest: u32,
    n_read: usize,
    n_statements: usize,
    too_large: bool,
    too_deep: bool,
    /// Has there been an error since this was last looked at?
    broken: bool,
    /// Is there no board, or none that can be built? Then nothing is said of sites.
    no_board: bool,
    /// Have rows been asked for whose length is not known?
    rows_unknown: bool,
    /// Errors that were too many to be told.
    untold: usize,
    /// Definitions that replace one of another sort.
    misfits: BTreeSet<String>,
    /// What the library needs: has it been looked at, and is it there?
    needs_met: BTreeMap<String, bool>,
    called_actions: BTreeSet<String>,
    /// Tracks by name: walk for each seat.
    tracks: Vec<(String, Vec<u32>)>,
    /// Extra sites one a seat: name and site of each seat.
    seat_sites: Vec<(String, Vec<i32>)>,
    used_options: Vec<bool>,
    read_vars: Vec<bool>,
    /// What `base` means in the program being read: the rest of its layers.
    base_turns: Vec<&'a ast::Block>,
    /// The word of the program being read, and where its layers stand, the one that counts first.
    program: Option<(&'static str, Vec<Span>)>,
    /// Is a definition only read to be held against the one that replaces it?
    comparing: bool,
    /// The name and layer of the definition being read, for `base`.
    base_def: Option<(String, usize)>,
    base_action: Option<(String, usize)>,
    give: Option<(LocalId, Ty)>,
    /// Names that begin as `nowhere`, which are sites unless somebody says otherwise.
    begun_as_nothing: BTreeSet<LocalId>,
    /// Has the list `{a, b}` that was read last a site off the board?
    listed_nowhere: bool,
}

impl<'a> Checker<'a> {
    fn new(request: &Request<'a>) -> Self {
        Checker {
            game: request.game,
            library: request.library,
            declared: request.declared,
            chosen: request.chosen,
            sources: request.sources,
            first: request.first.clone(),
            rules: declare::blank_rules(&request.game.title),
            found: Vec::new(),
            option_words: Vec::new(),
            scope: Scope::Game,
            place: Place::default(),
            names: Vec::new(),
            half_known: Vec::new(),
            reuse: None,
            made: BTreeMap::new(),
            making: Vec::new(),
            generic: false,
            written: 0,
            looks: 0,
            acting: Vec::new(),
            before: None,
            callers: Vec::new(),
            library_files: request.library.files(),
            index: defs::Index::new(request.game, request.library),
            written_lists: BTreeMap::new(),
            text_codes: BTreeMap::new(),
            text_places: BTreeMap::new(),
            local_texts: BTreeMap::new(),
            row_lists: BTreeMap::new(),
            level: 0,
            deepest: 0,
            n_read: 0,
            n_statements: 0,
            too_large: false,
            too_deep: false,
            broken: false,
            no_board: false,
            rows_unknown: false,
            untold: 0,
            misfits: BTreeSet::new(),
            needs_met: BTreeMap::new(),
            called_actions: BTreeSet::new(),
            tracks: Vec::new(),
            seat_sites: Vec::new(),
            used_options: vec![false; request.declared.len()],
            read_vars: Vec::new(),
            base_turns: Vec::new(),
            program: None,
            comparing: false,
            base_def: None,
            base_action: None,
            give: None,
            begun_as_nothing: BTreeSet::new(),
            listed_nowhere: false,
        }
    }

    /// A fresh local.
    fn local(&mut self, name: &str, ty: Ty) -> LocalId {
        self.rules.locals.push(Local { name: name.to_string(), ty });
        LocalId((self.rules.locals.len() - 1) as u32)
    }

    /// Binds a name in the innermost block.
    fn bind(&mut self, name: &ast::Name, ty: Ty) -> LocalId {
        let again = match &self.reuse {
            Some((depth, names)) if *depth == self.names.len() => {
                names.iter().rev().find(|(old, _)| *old == name.text).map(|(_, bound)| *bound)
            }
            _ => None,
        };
        let id = match again {
            Some(Bound::Local(id, old)) if old == ty => id,
            _ => self.local(&name.text, ty),
        };
        self.warn_taken(name);
        self.bind_as(&name.text, Bound::Local(id, ty));
        id
    }

    fn bind_as(&mut self, name: &str, bound: Bound) {
        if self.names.is_empty() {
            self.names.push(Vec::new());
        }
        if let Some(block) = self.names.last_mut() {
            block.push((name.to_string(), bound));
        }
    }

    /// Reads something in a block of its own.
    fn block<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> (T, Names) {
        self.names.push(Vec::new());
        let value = read(self);
        (value, self.names.pop().unwrap_or_default())
    }

    /// Reads something that sees no names but its own, in another place.
    fn apart<T>(&mut self, scope: Scope, place: Place, read: impl FnOnce(&mut Self) -> T) -> T {
        let names = std::mem::take(&mut self.names);
        let reuse = self.reuse.take();
        let half = std::mem::take(&mut self.half_known);
        let (old_scope, old_place) = (self.scope, self.place);
        self.scope = scope;
        self.place = place;
        let value = read(self);
        self.names = names;
        self.reuse = reuse;
        self.half_known = half;
        self.scope = old_scope;
        self.place = old_place;
        value
    }

    /// Reads a part that the options rule out (or not).
    fn ruled_out<T>(&mut self, out: bool, read: impl FnOnce(&mut Self) -> T) -> T {
        self.place.dead += u32::from(out);
        let value = read(self);
        self.place.dead -= u32::from(out);
        value
    }

    /// Reads a part that does not always run, so that no action can be called inside an expression.
    fn conditional<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.before.take();
        let value = read(self);
        self.before = before;
        value
    }

    fn two_seats(&self) -> bool {
        self.rules.seats.len() == 2
    }

    /// What the author wrote there, on one line and not too long.
    fn words_of(&self, span: Span) -> String {
        let words = self.sources.words(span).split_whitespace().collect::<Vec<_>>().join(" ");
        match words.char_indices().nth(errors::LONGEST_QUOTE) {
            Some((at, _)) => format!("{} …", &words[..at]),
            None => words,
        }
    }
}

fn mk(kind: ExprKind, ty: Ty, span: Span) -> Expr {
    Expr { kind, ty, span }
}

fn unknown(span: Span) -> Expr {
    mk(ExprKind::Const(0), Ty::Unknown, span)
}
