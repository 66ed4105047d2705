//! What was written, one struct or variant per grammar rule, with the rule's syntax as its first doc line.
//!
//! Names are still just words: nothing here knows what they mean. Every node has its place.

use crate::source::Span;

pub use super::phrases::*;

/// A word as it was written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    /// The word.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// `"one line"` or `"""several lines"""`, without the quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// What stands between the quotes, unchanged.
    pub value: String,
    /// Where it stands, quotes included.
    pub span: Span,
}

/// A whole file.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// `game …` or `library …`.
    pub head: FileHead,
    /// The `///` lines before the head and between the head and the first item.
    pub docs: Vec<String>,
    /// The items in the order in which they stand.
    pub items: Vec<Item>,
}

/// The first line of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum FileHead {
    /// `game "Name" [extends other]`
    Game {
        /// Shown to players.
        title: Text,
        /// The game it starts from.
        extends: Option<Name>,
    },
    /// `library "name"`
    Library {
        /// The library's name.
        title: Text,
    },
}

/// One item with the `///` lines above it.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Its `///` lines, without the slashes and one blank.
    pub docs: Vec<String>,
    /// What it is.
    pub kind: ItemKind,
    /// The whole item, without its docs.
    pub span: Span,
}

/// What an item can be.
#[derive(Clone, Debug, PartialEq)]
pub enum ItemKind {
    /// `players White, Black` · `players Red north, …`
    Players(Vec<Player>),
    /// `board square 8 …`
    Board(Board),
    /// `piece king "Kk", pawn "Pp" [for Seat]`
    Piece(Piece),
    /// `option size = 11 (or 2..26)`
    Option(OptionDecl),
    /// `track lap per player loop = …`
    Track(Track),
    /// `remember …` and `counter …`
    Remember(Remember),
    /// `define name(params) = expr`
    Define(Define),
    /// `needs name(params): type`
    Needs(Needs),
    /// `action name(params) {…}`
    Action(Action),
    /// `setup {…}`
    Setup(Block),
    /// `setup """…"""`
    SetupDiagram(Text),
    /// `turn [by outcome] {…}`
    Turn(Turn),
    /// `after turn {…}`
    After(Block),
    /// `end {…}`
    End(Vec<EndLine>),
    /// `view sites`
    View(Expr),
    /// `notation from "-" dest`
    Notation(Vec<NotationPart>),
    /// `property "…" keeps e`
    Property(Property),
    /// `example "…" {…}`
    Example(Example),
}

/// `Red north`
#[derive(Clone, Debug, PartialEq)]
pub struct Player {
    /// The seat.
    pub name: Name,
    /// Where it faces.
    pub facing: Option<Name>,
}

/// `board shape extras…`
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    /// Its shape.
    pub shape: Shape,
    /// `stacked`, `names`, `with`, `plus`.
    pub extras: Vec<BoardExtra>,
}

/// A board's shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// `square n`
    Square(Expr),
    /// `grid columns by rows`
    Grid(Expr, Expr),
    /// `line n`
    Line(Expr),
    /// `hexagon n`
    Hexagon(Expr),
    /// `rhombus n`
    Rhombus(Expr),
    /// `triangle n`
    Triangle(Expr),
    /// `drawing """…"""`
    Drawing(Expr),
    /// `graph {a-b-c, c-d}`
    Graph(Vec<Vec<Name>>),
}

/// What a board has besides its shape.
#[derive(Clone, Debug, PartialEq)]
pub enum BoardExtra {
    /// `stacked`
    Stacked(Span),
    /// `names """…"""`
    Names(Text),
    /// `with edges, crossings`
    With(Vec<Name>),
    /// `plus a0, bar per player`
    Plus(Vec<ExtraSite>),
}

/// `bar [per player]`
#[derive(Clone, Debug, PartialEq)]
pub struct ExtraSite {
    /// The site's name.
    pub name: Name,
    /// One for each seat?
    pub per: Option<Per>,
}

/// `per player`, `per site`, `per kind`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Per {
    /// One for each seat.
    Player,
    /// One for each site.
    Site,
    /// One for each kind of piece.
    Kind,
}

/// `piece king "Kk", pawn "Pp" [for Seat]`
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// The kinds.
    pub kinds: Vec<KindDecl>,
    /// `for Seat` or `for nobody`.
    pub owner: Option<Name>,
}

/// `king "Kk"`
#[derive(Clone, Debug, PartialEq)]
pub struct KindDecl {
    /// The kind.
    pub name: Name,
    /// Its symbols, one a seat.
    pub symbols: Option<Text>,
}

/// `option name = default (or value, value…)`
#[derive(Clone, Debug, PartialEq)]
pub struct OptionDecl {
    /// The option.
    pub name: Name,
    /// Its default: a number, a word (as a name), `on`, `off` or a text.
    pub default: Expr,
    /// What else it may be: numbers, ranges, words.
    pub values: Vec<Expr>,
}

/// `track name [per player | for Seat] [loop] = stretch, stretch…`
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// The track.
    pub name: Name,
    /// One for each seat?
    pub per: Option<Per>,
    /// For this seat alone?
    pub owner: Option<Name>,
    /// Does its end meet its beginning?
    pub closed: bool,
    /// Its parts.
    pub stretches: Vec<Stretch>,
}

/// `sites [going direction]`
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// A site, a straight set or a range.
    pub sites: Expr,
    /// The way it is walked.
    pub going: Option<Expr>,
}

/// `remember [secret] [lasting] name [per …][: type][= expr]`; `counter …`
#[derive(Clone, Debug, PartialEq)]
pub struct Remember {
    /// `counter`: no part of the position when repetitions are counted.
    pub counter: bool,
    /// Seen by its owner alone.
    pub secret: bool,
    /// Begins the next game of a match as it ended the last.
    pub lasting: bool,
    /// Its name.
    pub name: Name,
    /// One for each of what?
    pub per: Option<Per>,
    /// Its type, if said.
    pub ty: Option<TypeExpr>,
    /// Its first value, if said.
    pub init: Option<Expr>,
}

/// A type with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeExpr {
    /// The type.
    pub kind: TypeKind,
    /// Where it stands.
    pub span: Span,
}

/// What a type can be.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    /// `int`, `sites`, …; one word
    Named(Name),
    /// `red or blue`
    Words(Vec<Name>),
    /// `0..99`
    Range(Expr),
    /// `bag of 1..6`
    BagOfRange(Expr),
    /// `bag of kind`
    BagOf(Name),
}

/// `name(param, param…)`
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// What is defined.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Param>,
}

/// `name[: type][= default]`
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// The parameter.
    pub name: Name,
    /// Its type; unsaid, a site.
    pub ty: Option<TypeExpr>,
    /// Its default.
    pub default: Option<Expr>,
}

/// `define head = body`
#[derive(Clone, Debug, PartialEq)]
pub struct Define {
    /// Name and parameters.
    pub head: Head,
    /// What it stands for.
    pub body: Expr,
}

/// `needs head: type`
#[derive(Clone, Debug, PartialEq)]
pub struct Needs {
    /// Name and parameters.
    pub head: Head,
    /// What it must give.
    pub ty: TypeExpr,
}

/// `action head {…}`
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// Name and parameters.
    pub head: Head,
    /// What it does.
    pub body: Block,
}

/// `turn [by outcome] {…}`
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// Runs that end alike are one turn.
    pub by_outcome: bool,
    /// The program.
    pub body: Block,
}

/// A line of `end {…}`
#[derive(Clone, Debug, PartialEq)]
pub enum EndLine {
    /// `[name:] result when condition`
    Ending(Ending),
    /// `base`
    Base(Span),
}

/// `[name:] result when condition` or `result when { name: condition … }`
#[derive(Clone, Debug, PartialEq)]
pub struct Ending {
    /// The `///` lines above it.
    pub docs: Vec<String>,
    /// The reason in records.
    pub name: Option<Name>,
    /// What happens.
    pub result: GameResult,
    /// When; each with its own reason if several.
    pub when: Vec<(Option<Name>, Expr)>,
    /// The whole line.
    pub span: Span,
}

/// What an end line gives.
#[derive(Clone, Debug, PartialEq)]
pub enum GameResult {
    /// `draw`
    Draw,
    /// `unfinished`
    Unfinished,
    /// `rank by e, e`
    Rank(Vec<Expr>),
    /// `P wins [by n]`
    Wins(Expr, Option<Expr>),
    /// `P loses`
    Loses(Expr),
}

/// A part of `notation`
#[derive(Clone, Debug, PartialEq)]
pub enum NotationPart {
    /// The value of a name.
    Name(Name),
    /// A text between two names.
    Text(Text),
}

/// `property "…" keeps e`, `lowers e`, `raises e`, `= condition`
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// What it says.
    pub title: Text,
    /// How the value behaves.
    pub claim: Claim,
    /// The value.
    pub expr: Expr,
}

/// How a property's value behaves from turn to turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The same after every turn.
    Keeps,
    /// Less after every turn.
    Lowers,
    /// More after every turn.
    Raises,
    /// `on` in every position.
    Holds,
}

/// `example "…" {…}`
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// What it shows.
    pub title: Text,
    /// Its lines.
    pub lines: Vec<ExampleLine>,
}

/// A line of an example or of a position file, with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct ExampleLine {
    /// What it says.
    pub kind: ExampleKind,
    /// Where it stands.
    pub span: Span,
}

/// What an example's line can be.
#[derive(Clone, Debug, PartialEq)]
pub enum ExampleKind {
    /// `with option = value`
    With(Name, Expr),
    /// `position """…"""`
    Position(Text),
    /// `White to move`
    ToMove(Name),
    /// `play "m", "m"`; plays one after the other; a chance outcome is played by its text
    Play(Vec<Text>),
    /// `only "m", …`; no text at all: no legal turn
    Only(Vec<Text>),
    /// `legal "m", …`
    Legal(Vec<Text>),
    /// `illegal "m", … [because "…"]`
    Illegal(Vec<Text>, Option<Text>),
    /// `shows """…"""`
    Shows(Text),
    /// `ends "reason"` or `ends reason`
    Ends(Text, Vec<Vec<Name>>),
    /// `expect condition`
    Expect(Expr),
    /// `moves 20, 400`
    Moves(Vec<(u64, Span)>),
    /// `rematch`: the next game of a match begins
    Rematch,
    /// A statement that changes the position: `score = 3`, `White's score = 3`, `place …`, `take …`
    Do(Statement),
}

/// `{ statement… }`
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The statements.
    pub statements: Vec<Statement>,
    /// Brackets included.
    pub span: Span,
}

/// A statement with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// The `///` lines above it.
    pub docs: Vec<String>,
    /// What it does.
    pub kind: StatementKind,
    /// The whole statement.
    pub span: Span,
}

/// What a statement can be.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    /// `let x = e`
    Let(Name, Expr),
    /// `target op e`
    Assign(Target, AssignOp, Expr),
    /// `choose x in S, y in T where c [by P]`
    Choose(Binders, Option<Expr>),
    /// `roll x in S, …`
    Roll(Binders),
    /// `roll n bag in S`
    RollBag(Expr, Name, Expr),
    /// `require c ["reason"]`
    Require(Expr, Option<Text>),
    /// `require most e` (true), `require least e` (false)
    Best(bool, Expr),
    /// `either {…} or {…} otherwise {…}`; the first branch's mode is `Or`
    Either(Vec<(BranchMode, Block)>),
    /// `may {…}`
    May(Block),
    /// `once or more [while possible] {…}`
    OnceOrMore(bool, Block),
    /// `n times {…}`
    Times(Expr, Block),
    /// `up to n times {…}`
    UpTo(Expr, Block),
    /// `while c {…}`
    While(Expr, Block),
    /// `for x in S going d where c {…}`
    For(Binders, Block),
    /// `stop`
    Stop,
    /// `if c {…} else {…}`; `else if` is a block of one statement
    If(Expr, Block, Option<Block>),
    /// `match e { pattern: {…} … }`
    Match(Expr, Vec<Arm<Block>>),
    /// `move A to b [carrying n]`
    Move(Expr, Expr, Option<Expr>),
    /// `take S, …`
    Take(Vec<Expr>),
    /// `place [n] k at S, …`
    Place(Option<Expr>, Expr, Vec<Expr>),
    /// `change S to k`
    Change(Expr, Expr),
    /// `lay text [from s along d, e]`
    Lay(Expr, Option<(Expr, Expr, Expr)>),
    /// `commit`
    Commit,
    /// `note e`
    Note(Expr),
    /// `announce e, …`
    Announce(Vec<Expr>),
    /// `give e`
    Give(Expr),
    /// `base [(args)]`
    Base(Vec<Arg>),
    /// `name [(args)]`: an action
    Call(Name, Vec<Arg>),
    /// What could not be read; its error has been reported.
    Error,
}

/// How a branch of `either` opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BranchMode {
    /// Freely.
    Or,
    /// Only if no complete run goes through the earlier ones.
    Otherwise,
}

/// What is assigned to: `name`, `p's name`, `name at s`
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// Whose it is; unsaid, the mover's.
    pub owner: Option<Expr>,
    /// The name.
    pub name: Name,
    /// The site or set of sites.
    pub at: Option<Expr>,
    /// The whole.
    pub span: Span,
}

/// `=`, `+=`, `-=`, `|=`, `&=`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignOp {
    /// `=`
    Set,
    /// `+=`
    Add,
    /// `-=`
    Sub,
    /// `|=`
    Or,
    /// `&=`
    And,
}

/// `x in S, y in T [where c]`
#[derive(Clone, Debug, PartialEq)]
pub struct Binders {
    /// The names and what they run through.
    pub list: Vec<Binder>,
    /// The condition.
    pub filter: Option<Expr>,
}

/// `x in S [going d]`
#[derive(Clone, Debug, PartialEq)]
pub struct Binder {
    /// The name.
    pub name: Name,
    /// What it runs through.
    pub domain: Expr,
    /// The order of sites.
    pub going: Option<Expr>,
}
