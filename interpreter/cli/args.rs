//! What can be said on the command line.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::layers::{Layers, Sides};

use crate::fast::switches::Switches;
use crate::rules::Bounds;

/// Plays board games whose rules are written in files.
#[derive(Debug, Parser)]
#[command(name = "lusory", version, about, max_term_width = 100)]
pub struct Cli {
    /// What is to be done.
    #[command(subcommand)]
    pub task: Task,
}

/// What is to be done.
#[derive(Debug, Subcommand)]
pub enum Task {
    /// Lists the games that come with the program
    List(ListArgs),
    /// Shows what a game is: players, board, pieces, options, ends
    Show(ShowArgs),
    /// Plays a game or a series, against chance or with others at one keyboard
    Play(PlayArgs),
    /// Plays a saved game again and shows how it stands
    Replay(ReplayArgs),
    /// Lists the legal moves of a position
    Moves(MovesArgs),
    /// Says which rule forbids a move, or which end has come
    Why(WhyArgs),
    /// Counts the sequences of moves, depth by depth
    Perft(PerftArgs),
    /// Plays many random games and reports how they end
    Sim(SimArgs),
    /// Says how two games differ, or one game under two sets of house rules
    Diff(DiffArgs),
    /// Measures how quick a game is
    Bench(BenchArgs),
    /// Looks for mistakes in game, library and house files
    Check(CheckArgs),
    /// Says what the code of a finding means, with an example; lists codes and limits
    Explain(ExplainArgs),
    /// Runs the examples of games, tries their properties and the laws of all games
    Test(TestArgs),
    /// Lays out rule files in the usual way
    Fmt(FmtArgs),
    /// Writes a house file with every option of a game
    House(HouseArgs),
    /// Writes a JSON Schema for the house files of a game
    Schema(HouseArgs),
}

/// Which game, under which house rules.
#[derive(Debug, Args)]
pub struct GameArgs {
    /// A game that comes with the program ("list" shows them), or the path of a .lus file
    #[arg(value_name = "GAME")]
    pub game: String,
    /// The house rules.
    #[command(flatten)]
    pub rules: RuleArgs,
}

/// House rules.
#[derive(Debug, Args)]
pub struct RuleArgs {
    /// Files and settings in the order in which they were given.
    #[command(flatten)]
    pub layers: Layers,
    /// Who begins
    #[arg(long, value_name = "SEAT")]
    pub first: Option<String>,
    /// How much it may cost.
    #[command(flatten)]
    pub cost: CostArgs,
    /// A folder whose library modules are taken before those of the program
    #[arg(long, value_name = "DIR")]
    pub library: Option<PathBuf>,
}

/// How much a game may cost.
#[derive(Clone, Copy, Debug, Args)]
pub struct CostArgs {
    /// How much a game may cost ("lusory explain limits")
    #[arg(long, value_enum, default_value = "untrusted")]
    pub limits: Limits,
}

impl CostArgs {
    /// That in numbers.
    pub fn bounds(self) -> Bounds {
        match self.limits {
            Limits::Untrusted => Bounds::usual(),
            Limits::Trusted => Bounds::trusted(),
        }
    }
}

/// From where a game is looked at.
#[derive(Debug, Args)]
pub struct FromArgs {
    /// Moves that have been played, apart by blanks, or by commas or semicolons if there are any; one move may have blanks in it
    #[arg(long, value_name = "MOVES")]
    pub after: Option<String>,
    /// A file with a position: the lines of an example
    #[arg(long, value_name = "FILE")]
    pub position: Option<PathBuf>,
}

/// `list`
#[derive(Debug, Args)]
pub struct ListArgs {
    /// For other programs: one JSON object a line
    #[arg(long)]
    pub json: bool,
}

/// `show`
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The game.
    #[command(flatten)]
    pub game: GameArgs,
    /// For other programs: one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `play`
#[derive(Debug, Args)]
pub struct PlayArgs {
    /// The game.
    #[command(flatten)]
    pub game: GameArgs,
    /// Who plays a seat: NAME=human or NAME=random (unsaid: you play the first seat, chance the others)
    #[arg(long, value_name = "NAME=WHO")]
    pub seat: Vec<String>,
    /// Where chance comes from; the same number gives the same game
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// A file with a position to begin from: the lines of an example
    #[arg(long, value_name = "FILE", conflicts_with = "games")]
    pub position: Option<PathBuf>,
    /// Plays a series of so many games, up to 1000, and keeps the score
    #[arg(long, value_name = "N")]
    pub games: Option<u32>,
    /// Who begins the next game of a series (unsaid: the next seat; the same with --exchange, or if the game says itself what changes)
    #[arg(long, value_enum, value_name = "WHO", requires = "games")]
    pub begins: Option<Begins>,
    /// Everybody moves on to the next seat after every game of a series
    #[arg(long, requires = "games")]
    pub exchange: bool,
    /// Every game of a series begins as if none had been before
    #[arg(long, requires = "games")]
    pub fresh: bool,
}

/// Who begins the next game of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Begins {
    /// The seat that began the last one
    Same,
    /// The seat after that
    Next,
    /// Who has lost; if nobody has, the seat after the one that began
    Loser,
}

/// `replay`
#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// A file that "save" wrote
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The game, if not the one that the file names
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// House rules besides those of the file.
    #[command(flatten)]
    pub rules: RuleArgs,
    /// Show the board after every move
    #[arg(long)]
    pub steps: bool,
    /// For other programs: one JSON object
    #[arg(long, conflicts_with = "steps")]
    pub json: bool,
}

/// `moves`
#[derive(Debug, Args)]
pub struct MovesArgs {
    /// The game.
    #[command(flatten)]
    pub game: GameArgs,
    /// The position.
    #[command(flatten)]
    pub from: FromArgs,
    /// For other programs: one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `why`
#[derive(Debug, Args)]
pub struct WhyArgs {
    /// The game.
    #[command(flatten)]
    pub game: GameArgs,
    /// A move as the game writes it, or "over"
    #[arg(value_name = "MOVE")]
    pub typed: String,
    /// The position.
    #[command(flatten)]
    pub from: FromArgs,
}

/// Which evaluator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The fast one, with these optimisations.
    Fast(Switches),
    /// The slow and obvious one.
    Reference,
}

impl FromStr for Engine {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "reference" => Ok(Engine::Reference),
            text => text.parse().map(Engine::Fast),
        }
    }
}

/// `perft`
#[derive(Debug, Args)]
pub struct PerftArgs {
    /// The game.
    #[command(flatten)]
    pub game: GameArgs,
    /// The position.
    #[command(flatten)]
    pub from: FromArgs,
    /// How many moves and throws long, up to 64
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub depth: u32,
    /// How many sequences begin with each move, for the last depth alone
    #[arg(long)]
    pub divide: bool,
    /// Which evaluator counts: fast, reference, or what the fast one leaves out, as in "no-lift,no-ray" ("lusory explain engine")
    #[arg(long, value_name = "WHICH", default_value = "fast")]
    pub engine: Engine,
    /// On how many threads, 1 to 256
    #[arg(long, value_name = "T", default_value_t = 1)]
    pub threads: usize,
    /// For other programs: one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `sim`
#[derive(Debug, Args)]
pub struct SimArgs {
    /// The game.
    #[command(flatten)]
    pub game: GameArgs,
    /// How many games, up to 1000000000
    #[arg(short = 'n', long = "games", value_name = "N")]
    pub games: u64,
    /// Where chance comes from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// On how many threads, 1 to 256; the numbers do not depend on it
    #[arg(long, value_name = "T", default_value_t = 1)]
    pub threads: usize,
    /// What the evaluator leaves out, as in "no-guess" ("lusory explain engine"); other games may be drawn
    #[arg(long, value_name = "WHICH", default_value = "fast")]
    pub engine: Switches,
    /// For other programs: one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `diff`
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// A: a game that comes with the program, or the path of a .lus file
    #[arg(value_name = "A")]
    pub a: String,
    /// B, likewise (unsaid: the same game)
    #[arg(value_name = "B")]
    pub b: Option<String>,
    /// The house rules.
    #[command(flatten)]
    pub sides: Sides,
    /// How many random games of each are played; 0: none
    #[arg(short = 'n', long = "games", value_name = "N", default_value_t = 1000)]
    pub games: u64,
    /// How many moves from the start all positions are compared, if --positions allows
    #[arg(long, value_name = "N", default_value_t = 12)]
    pub depth: usize,
    /// How many positions are compared from the start on, and as many again in random games; many moves count as more
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub positions: usize,
    /// Where chance comes from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// On how many threads games are played, 1 to 256; the numbers do not depend on it
    #[arg(long, value_name = "T", default_value_t = 1)]
    pub threads: usize,
    /// How much they may cost.
    #[command(flatten)]
    pub cost: CostArgs,
    /// A folder whose library modules are taken before those of the program
    #[arg(long, value_name = "DIR")]
    pub library: Option<PathBuf>,
    /// Writes the moves of A that lead to a difference into this file; "lusory replay" plays them
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// For other programs: one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `bench`
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// The game.
    #[command(flatten)]
    pub game: GameArgs,
    /// Where chance comes from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// For how many milliseconds each figure is measured, about
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    pub time: u64,
    /// What the evaluator leaves out, as in "no-lift,no-ray" ("lusory explain engine")
    #[arg(long, value_name = "WHICH", default_value = "fast")]
    pub engine: Switches,
    /// Only lists the compiled programs, a line a node, for people who work on the engine
    #[arg(long, conflicts_with = "json")]
    pub listing: bool,
    /// For other programs: one JSON object
    #[arg(long)]
    pub json: bool,
}

/// How findings are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// The sentence and the line it is about
    Human,
    /// One line each
    Short,
    /// One JSON array of all findings
    Json,
    /// One JSON object a line
    Jsonl,
    /// SARIF 2.1.0
    Sarif,
    /// JUnit's XML, a case for each file
    Junit,
    /// Annotations of a GitHub workflow
    Github,
}

/// `explain`
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// A code, as it stands in the square brackets of a finding, or "limits" or "engine" (unsaid: lists all codes)
    #[arg(value_name = "CODE")]
    pub code: Option<String>,
}

/// How much a game may cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Limits {
    /// As much as a program should spend on a file that nobody vouches for
    #[default]
    Untrusted,
    /// As much as it can
    Trusted,
}

/// `check`
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// .lus and .yaml files, or games that come with the program
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
    /// House files and settings that are laid over each game
    #[command(flatten)]
    pub layers: Layers,
    /// How findings are written
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
    /// How much they may cost.
    #[command(flatten)]
    pub cost: CostArgs,
    /// A folder whose library modules are taken before those of the program
    #[arg(long, value_name = "DIR")]
    pub library: Option<PathBuf>,
}

/// `test`
#[derive(Debug, Args)]
pub struct TestArgs {
    /// Games or .lus files; unsaid: every game that comes with the program
    #[arg(value_name = "GAME|FILE")]
    pub names: Vec<String>,
    /// Also the files called deep.lus, which take long
    #[arg(long)]
    pub deep: bool,
    /// House rules under which properties and laws are tried.
    #[command(flatten)]
    pub layers: Layers,
    /// Also under every house file of the game (as it is for those that come with the program, unless --house or --set is given)
    #[arg(long)]
    pub every_house: bool,
    /// Random games in which properties and laws are tried; under house files a quarter of them
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub games: u64,
    /// Where chance comes from when properties and laws are tried
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// On how many threads games are tried, 1 to 256; what is said does not depend on it [default: as many as run at once here]
    #[arg(long, value_name = "T")]
    pub threads: Option<usize>,
    /// Names the lines of the rules that have never had their say
    #[arg(long)]
    pub coverage: bool,
    /// Shows every line of the rules, with + or - before it
    #[arg(long, conflicts_with = "json")]
    pub lines: bool,
    /// Writes the games in which something does not hold into this folder; "lusory replay" plays them
    #[arg(long, value_name = "DIR")]
    pub save: Option<PathBuf>,
    /// What the fast evaluator leaves out, as in "no-lift,no-ray" ("lusory explain engine")
    #[arg(long, value_name = "WHICH", default_value = "fast")]
    pub engine: Switches,
    /// The game looks the same when the board is turned: quarter turns, seats moved on, extra sites, as in "2 1 a0>h9 h9>a0"
    #[arg(long, value_name = "HOW", allow_hyphen_values = true)]
    pub turned: Option<String>,
    /// How much they may cost.
    #[command(flatten)]
    pub cost: CostArgs,
    /// A folder whose library modules are taken before those of the program
    #[arg(long, value_name = "DIR")]
    pub library: Option<PathBuf>,
    /// For other programs: one JSON object for each example, property and set of laws, and one for the lines of a game
    #[arg(long)]
    pub json: bool,
}

/// `fmt`
#[derive(Debug, Args)]
pub struct FmtArgs {
    /// .lus files
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Change nothing; name the files that are laid out otherwise
    #[arg(long)]
    pub check: bool,
}

/// `house`, `schema`
#[derive(Debug, Args)]
pub struct HouseArgs {
    /// A game that comes with the program, or the path of a .lus file
    #[arg(value_name = "GAME")]
    pub game: String,
    /// A folder whose library modules are taken before those of the program
    #[arg(long, value_name = "DIR")]
    pub library: Option<PathBuf>,
}
