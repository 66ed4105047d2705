//! Everything that is tried of one game: its examples, its properties and the laws, as the game is and under house rules.
//!
//! Examples speak of the game as it is and set their own options; properties and laws are tried under every set of house rules as well.

use super::coverage::Coverage;
use super::games::{Effort, try_laws};
use super::laws::{Law, Laws};
use super::symmetry::Symmetry;
use super::{broken, example_watched, own_examples};
use crate::diagnostics::{Diagnostic, Diagnostics, has_errors};
use crate::evaluators::Evaluators;
use crate::fast::switches::Switches;
use crate::house::{Origin, Setting};
use crate::pipeline::{Loaded, Ready};
use crate::play::Start;
use crate::reference::watch::Watch;
use crate::sight;
use crate::source::{FileId, Span};

/// One game as it is tried.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// What the house rules are called; none: the game as it is.
    pub house: Option<String>,
    /// The house rules.
    pub settings: Vec<(Setting, Origin)>,
}

/// What was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// An example.
    Example,
    /// A property.
    Property,
    /// One of the laws.
    Law,
}

impl Sort {
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Sort::Example => "example",
            Sort::Property => "property",
            Sort::Law => "law",
        }
    }
}

/// How a trial went.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// What was tried.
    pub sort: Sort,
    /// Its name.
    pub name: String,
    /// Under which house rules.
    pub house: Option<String>,
    /// What does not hold; nothing: it holds.
    pub found: Diagnostics,
    /// A game that shows it, to be saved.
    pub record: Option<String>,
}

/// What is tried, and how much.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Random games of the game as it is.
    pub usual: Effort,
    /// Random games under each set of house rules.
    pub house: Effort,
    /// Are the laws to be tried, or the properties alone?
    pub laws: bool,
    /// How the board may be turned, in words.
    pub turned: Option<String>,
    /// What the fast evaluator does to be quick.
    pub switches: Switches,
}

/// Runs the examples of a file.
pub fn examples(loaded: &Loaded, switches: Switches, coverage: &mut Coverage) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    for example in own_examples(loaded) {
        let watch = Watch::default();
        let (rules, found) = match example_watched(loaded, example, switches, Some(&watch)) {
            Ok(rules) => (Some(rules), Vec::new()),
            Err((rules, found)) => (rules, found),
        };
        if let Some(rules) = rules {
            coverage.add(&loaded.sources, &rules, &watch.seen());
        }
        let name = example.title.value.clone();
        verdicts.push(Verdict { sort: Sort::Example, name, house: None, found, record: None });
    }
    verdicts
}

/// Tries the properties of a file, and the laws if it is asked for, under one set of house rules; or says why that cannot be played.
pub fn table(
    loaded: &Loaded,
    table: &Table,
    plan: &Plan,
    options: Vec<(String, String)>,
    coverage: &mut Coverage,
) -> Result<Vec<Verdict>, Diagnostics> {
    let ready: Ready = loaded.ready(&table.settings)?;
    if has_errors(&ready.found) {
        return Err(ready.found);
    }
    let effort = if table.house.is_none() && table.settings.is_empty() { plan.usual } else { plan.house };
    let evaluators = Evaluators::with(ready.rules.clone(), plan.switches);
    let rules = evaluators.rules();
    let title = loaded.game.title_span;
    let refuse = |message: String| vec![Diagnostic::error("law", title, message)];
    let first = evaluators.oracle(&Start::beginning());
    let first = first.map_err(|trouble| vec![super::cannot_begin("law", title, &trouble, rules)])?.snapshot();
    let symmetry = match &plan.turned {
        Some(said) => Some(Symmetry::read(rules, said).map_err(|said| refuse(format!("--turned: {said}.")))?),
        None => None,
    };
    // What a game has from the one it extends must hold in it too; a file of examples says only what it adds.
    let own = |span: Span| plan.laws || span.file == FileId(0);
    let properties: Vec<_> = rules.properties.iter().filter(|property| own(property.span)).cloned().collect();
    let laws = Laws {
        evaluators: &evaluators,
        loaded: Some(loaded),
        settings: &table.settings,
        symmetry,
        options,
        properties: &properties,
        first,
    };
    let watch = Watch::default();
    let mut verdicts = Vec::new();
    let mut hidden = None;
    let mut judge = |sort: Sort, list: &[Law], name: String, span| {
        let tried = try_laws(&laws, list, effort, Some(&watch));
        let mut verdict = Verdict { sort, name, house: table.house.clone(), found: Vec::new(), record: None };
        if let Err(shrunk) = tried {
            verdict.name = laws.title(shrunk.broken.law).to_string();
            verdict.found = vec![broken(&laws, &shrunk, span)];
            verdict.record = Some(shrunk.record);
        }
        verdicts.push(verdict);
    };
    if plan.laws {
        let turned = laws.symmetry.as_ref().map(|_| Law::Turned);
        let list: Vec<Law> = Law::LIGHT.iter().chain(Law::HEAVY).copied().chain(turned).collect();
        judge(Sort::Law, &list, "the laws of all games".to_string(), title);
    }
    if let Some(place) = sight::hides(rules).filter(|place| own(*place)) {
        let found = sight::offers(&evaluators, place, effort).err().unwrap_or_default();
        let name = "what is offered says nothing of what is hidden".to_string();
        let house = table.house.clone();
        hidden = Some(Verdict { sort: Sort::Property, name, house, found, record: None });
    }
    for (i, property) in properties.iter().enumerate() {
        judge(Sort::Property, &[Law::Property(i)], property.title.clone(), property.span);
    }
    verdicts.extend(hidden);
    coverage.add(&loaded.sources, rules, &watch.seen());
    Ok(verdicts)
}
