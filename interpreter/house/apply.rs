//! Holds settings against the options that a game declares.
//!
//! In come the options as declared and the settings in the order in which they were given; out goes one value an
//! option, and where it came from, or every setting that does not fit.
//!
//! **`on` and `off`.** An option is a yes-or-no if its default is one, and then takes `on`, `off`, `true` and `false`.
//! In every other option `on` and `off` are two words like any others (`few_draw = both (or attackers, off)`), allowed
//! only where they are listed; `true` and `false` of a YAML file stand for them there.

use super::file::{Setting, SettingValue};
use crate::diagnostics::nearest::nearest;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::source::Span;

/// The setting that every game has: which seat begins. It is no option, so [`apply`] passes over it.
pub const RESERVED: &str = "first";

/// Wrong settings after which no more are reported.
const MOST_FINDINGS: usize = 20;

/// One of the things that an option may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// This number.
    Int(i64),
    /// These numbers, first and last included.
    Range(i64, i64),
    /// This word; also `on` or `off` beside other words.
    Word(String),
    /// `on` or `off`.
    Bool,
    /// Any text.
    Text,
}

/// `option name = default (or value, value…)`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The option.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// Its `///` lines.
    pub docs: Vec<String>,
    /// What it is if nobody sets it.
    pub default: SettingValue,
    /// All it may be, the default included.
    pub allowed: Vec<Allowed>,
}

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The game itself.
    Default,
    /// A house file.
    File {
        /// What the person calls the file.
        name: String,
        /// The value in it.
        span: Span,
    },
    /// `--set NAME=VALUE`
    Set(Span),
}

/// The value of an option at this table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// The value: a yes-or-no, a number, or a word or text, as the option is declared.
    pub value: SettingValue,
    /// Where it came from.
    pub origin: Origin,
}

/// What can be wrong between a setting and a game.
enum ApplyError<'d> {
    Unknown { used: &'d Setting, nearest: Option<&'d Declared>, declared: &'d [Declared] },
    NotAllowed { used: &'d Setting, option: &'d Declared },
}

/// The value of every option, in the order of declaration. Of two settings of one option the later wins, but both
/// must fit.
pub fn apply(declared: &[Declared], settings: &[(Setting, Origin)]) -> Result<Vec<Chosen>, Diagnostics> {
    let default = |option: &Declared| Chosen { value: option.default.clone(), origin: Origin::Default };
    let mut chosen: Vec<Chosen> = declared.iter().map(default).collect();
    let mut errors = Vec::new();
    for (used, origin) in settings.iter().filter(|(used, _)| used.name != RESERVED) {
        if errors.len() == MOST_FINDINGS {
            break;
        }
        let Some(at) = declared.iter().position(|option| option.name == used.name) else {
            let name = nearest(&used.name, declared.iter().map(|option| option.name.as_str()));
            let nearest = declared.iter().find(|option| Some(option.name.as_str()) == name);
            errors.push(ApplyError::Unknown { used, nearest, declared });
            continue;
        };
        match fit(&declared[at], &used.value) {
            Some(value) => chosen[at] = Chosen { value, origin: origin.clone() },
            None => errors.push(ApplyError::NotAllowed { used, option: &declared[at] }),
        }
    }
    if errors.is_empty() {
        return Ok(chosen);
    }
    Err(errors.into_iter().map(Diagnostic::from).collect())
}

/// Is the option a yes-or-no?
pub(super) fn is_yes_or_no(option: &Declared) -> bool {
    matches!(option.default, SettingValue::Bool(_))
}

/// The value as the option has it, if it may have it.
fn fit(option: &Declared, value: &SettingValue) -> Option<SettingValue> {
    if is_yes_or_no(option) {
        return match value {
            SettingValue::Bool(value) => Some(SettingValue::Bool(*value)),
            SettingValue::Word(word) if word == "on" => Some(SettingValue::Bool(true)),
            SettingValue::Word(word) if word == "off" => Some(SettingValue::Bool(false)),
            SettingValue::Word(_) | SettingValue::Int(_) => None,
        };
    }
    // `true` and `false` are `on` and `off` to YAML, unless the game itself has such words.
    let words = |word: &str| match word {
        "true" => vec!["true".to_string(), "on".to_string()],
        "false" => vec!["false".to_string(), "off".to_string()],
        word => vec![word.to_string()],
    };
    let offered = match value {
        SettingValue::Int(number) => {
            let fits = option.allowed.iter().any(|allowed| match allowed {
                Allowed::Int(only) => only == number,
                Allowed::Range(first, last) => (first..=last).contains(&number),
                Allowed::Word(_) | Allowed::Bool | Allowed::Text => false,
            });
            return fits.then(|| value.clone());
        }
        SettingValue::Bool(value) => words(if *value { "true" } else { "false" }),
        SettingValue::Word(word) => words(word),
    };
    let fits = |offered: &String| {
        option.allowed.iter().any(|allowed| match allowed {
            Allowed::Word(word) => word == offered,
            Allowed::Bool => offered == "on" || offered == "off",
            Allowed::Text => matches!(value, SettingValue::Word(_)),
            Allowed::Int(_) | Allowed::Range(..) => false,
        })
    };
    offered.into_iter().find(fits).map(SettingValue::Word)
}

/// All that an option may be, in words: `0 or 1..4`, `both, attackers or off`, `on or off`, `any text`.
pub fn choices(option: &Declared) -> String {
    if is_yes_or_no(option) {
        return "on or off".to_string();
    }
    let mut parts: Vec<String> = Vec::new();
    // A default that lies in a range is listed beside it.
    let ranges = |number: i64| {
        option
            .allowed
            .iter()
            .any(|one| matches!(one, Allowed::Range(first, last) if (*first..=*last).contains(&number)))
    };
    for allowed in &option.allowed {
        let part = match allowed {
            Allowed::Int(number) if ranges(*number) => continue,
            Allowed::Int(number) => number.to_string(),
            Allowed::Range(first, last) => format!("{first}..{last}"),
            Allowed::Word(word) => word.clone(),
            Allowed::Bool => "on or off".to_string(),
            Allowed::Text => "any text".to_string(),
        };
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    match parts.pop() {
        None => option.default.to_string(),
        Some(last) if parts.is_empty() => last,
        Some(last) => format!("{} or {last}", parts.join(", ")),
    }
}

/// A value as it may stand in a message.
fn shown(value: &SettingValue) -> String {
    match value {
        SettingValue::Word(text) if text.contains('\n') || text.chars().count() > 40 => "this text".to_string(),
        SettingValue::Word(word) => format!("\"{word}\""),
        SettingValue::Int(_) => value.to_string(),
        SettingValue::Bool(value) => value.to_string(),
    }
}

impl From<ApplyError<'_>> for Diagnostic {
    fn from(error: ApplyError<'_>) -> Self {
        match error {
            ApplyError::Unknown { used, nearest: Some(near), .. } => {
                let message = format!("There is no option \"{}\". Did you mean \"{}\"?", used.name, near.name);
                Diagnostic::error("unknown-option", used.name_span, message)
                    .also(near.span, format!("\"{}\" is declared here", near.name))
                    .help(format!("write \"{}\"", near.name))
            }
            ApplyError::Unknown { used, nearest: None, declared } => {
                let message = format!("There is no option \"{}\".", used.name);
                let names: Vec<&str> = declared.iter().map(|option| option.name.as_str()).collect();
                Diagnostic::error("unknown-option", used.name_span, message).help(match names.is_empty() {
                    true => "this game has no options".to_string(),
                    false => format!("the options are {}", names.join(", ")),
                })
            }
            ApplyError::NotAllowed { used, option } => not_allowed(used, option),
        }
    }
}

fn not_allowed(used: &Setting, option: &Declared) -> Diagnostic {
    let (name, choices, value) = (&option.name, choices(option), shown(&used.value));
    let numbers = || option.allowed.iter().any(|one| matches!(one, Allowed::Int(_) | Allowed::Range(..)));
    let only_text = option.allowed.iter().all(|one| *one == Allowed::Text);
    let said = match &used.value {
        _ if is_yes_or_no(option) => format!("{value} is neither"),
        _ if only_text => format!("{value} is none"),
        SettingValue::Int(_) if numbers() => format!("{value} is outside"),
        SettingValue::Int(_) | SettingValue::Bool(_) | SettingValue::Word(_) => format!("{value} is not among them"),
    };
    let diag = Diagnostic::error("option-value", used.value_span, format!("\"{name}\" is {choices}; {said}."))
        .also(option.span, format!("\"{name}\" is declared here"));
    let words = option.allowed.iter().filter_map(|allowed| match allowed {
        Allowed::Word(word) => Some(word.as_str()),
        Allowed::Int(_) | Allowed::Range(..) | Allowed::Bool | Allowed::Text => None,
    });
    match &used.value {
        SettingValue::Word(word) if word.parse::<i64>().is_ok() && numbers() => diag.help("write it without quotes"),
        SettingValue::Word(word) => match nearest(word, words) {
            Some(near) => diag.help(format!("did you mean \"{near}\"?")),
            None => diag,
        },
        SettingValue::Int(_) | SettingValue::Bool(_) if only_text => diag.help("put it in quotes"),
        SettingValue::Int(_) | SettingValue::Bool(_) => diag,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::render::{Style, render_all};
    use crate::house::file::{read, read_set};
    use crate::source::Sources;

    const GAME: &str = "option steps = 0 (or 1..4)\noption few_draw = both (or attackers, off)\noption limit = none (or \
                        1..9)\noption swap = on\noption layout = \"x\"\n";

    fn declared(sources: &mut Sources) -> Vec<Declared> {
        let file = sources.add("g.lus", GAME);
        let word = |text: &str| SettingValue::Word(text.to_string());
        let allowed = |text: &str| Allowed::Word(text.to_string());
        let option = |name: &str, default, allowed| {
            let at = GAME.find(name).unwrap();
            let span = Span::new(file, at, at + name.len());
            Declared { name: name.to_string(), span, docs: Vec::new(), default, allowed }
        };
        vec![
            option("steps", SettingValue::Int(0), vec![Allowed::Int(0), Allowed::Range(1, 4)]),
            option("few_draw", word("both"), vec![allowed("both"), allowed("attackers"), allowed("off")]),
            option("limit", word("none"), vec![allowed("none"), Allowed::Range(1, 9)]),
            option("swap", SettingValue::Bool(true), vec![Allowed::Bool]),
            option("layout", word("x"), vec![Allowed::Text]),
        ]
    }

    /// The values, or the messages with what they point at.
    fn values(options: &str, sets: &[&str]) -> String {
        let mut sources = Sources::new();
        let declared = declared(&mut sources);
        let file = sources.add("house.yaml", format!("game: g\noptions: {options}\n"));
        let house = read(file, &sources.get(file).text).unwrap();
        let origin = |setting: &Setting| Origin::File { name: "house.yaml".into(), span: setting.value_span };
        let mut settings: Vec<_> =
            house.settings.into_iter().map(|setting| (setting.clone(), origin(&setting))).collect();
        for set in sets {
            let file = sources.add("--set", *set);
            let setting = read_set(file, set).unwrap();
            let origin = Origin::Set(setting.value_span);
            settings.push((setting, origin));
        }
        match apply(&declared, &settings) {
            Ok(chosen) => chosen.iter().map(|one| one.value.to_string()).collect::<Vec<_>>().join(" "),
            Err(found) => {
                render_all(&found, &sources, Style::default());
                let line = |diag: &Diagnostic| {
                    let help = diag.help.clone().unwrap_or_default();
                    format!("[{}] {} {help}", sources.words(diag.place.span), diag.message)
                };
                found.iter().map(line).collect::<Vec<_>>().join("\n")
            }
        }
    }

    #[test]
    fn later_wins() {
        assert_eq!(values("{}", &[]), "0 both none on x");
        assert_eq!(values("{steps: 3, swap: off, few_draw: off, limit: 9}", &["steps=4"]), "4 off 9 off x");
        assert_eq!(values("{swap: false, few_draw: false, limit: none, layout: a b}", &[]), "0 off none off a b");
        assert_eq!(values("{swap: true, first: Black}", &["layout=\"true\""]), "0 both none on true");
        assert_eq!(values("{}", &["few_draw=off", "few_draw=both"]), "0 both none on x");
    }

    #[test]
    fn what_does_not_fit() {
        let wrong = |options: &str, message: &str| assert_eq!(values(options, &[]), message);
        wrong("{steps: 7}", "[7] \"steps\" is 0 or 1..4; 7 is outside. ");
        wrong("{steps: \"4\"}", "[\"4\"] \"steps\" is 0 or 1..4; \"4\" is not among them. write it without quotes");
        wrong("{few_draw: never}", "[never] \"few_draw\" is both, attackers or off; \"never\" is not among them. ");
        wrong(
            "{few_draw: atackers}",
            "[atackers] \"few_draw\" is both, attackers or off; \"atackers\" is not among them. did you mean \"attackers\"?",
        );
        wrong("{few_draw: on}", "[on] \"few_draw\" is both, attackers or off; \"on\" is not among them. ");
        wrong("{limit: 10}", "[10] \"limit\" is none or 1..9; 10 is outside. ");
        wrong("{swap: yes}", "[yes] \"swap\" is on or off; \"yes\" is neither. ");
        wrong("{swap: 1}", "[1] \"swap\" is on or off; 1 is neither. ");
        wrong("{layout: 5}", "[5] \"layout\" is any text; 5 is none. put it in quotes");
        wrong("{step: 1}", "[step] There is no option \"step\". Did you mean \"steps\"? write \"steps\"");
        wrong("{zzz: 1}", "[zzz] There is no option \"zzz\". the options are steps, few_draw, limit, swap, layout");
        assert_eq!(values("{steps: 9, a: 1}", &["swap=maybe"]).lines().count(), 3);
    }
}
