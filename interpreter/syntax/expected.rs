//! What the grammar wanted, in a player's words.

use pest::error::{Error, ErrorVariant};

use super::cut::Chunk;
use super::grammar::Rule;
use super::scan::{Scan, TokenKind, shown};
use super::words;
use crate::diagnostics::Diagnostic;
use crate::diagnostics::nearest::nearest;
use crate::source::{FileId, Span};

/// The place where the grammar stopped.
pub struct Slip<'s> {
    /// The file's tokens.
    pub scan: &'s Scan,
    /// The file.
    pub file: FileId,
    /// The item.
    pub chunk: &'s Chunk,
    /// The rule by which it was read.
    pub rule: Rule,
    /// The token that does not fit, or one past the item.
    pub token: usize,
    /// The first token of the statement, line or item.
    pub begins: usize,
    /// Is it in a statement or line?
    pub in_unit: bool,
}

/// What could have stood at a place.
struct Wanted {
    value: bool,
    operator: bool,
    name: bool,
    statements: bool,
    /// All others, as they are shown.
    others: Vec<String>,
}

impl Slip<'_> {
    fn word(&self, token: usize) -> &str {
        if (self.chunk.first..self.chunk.past).contains(&token) { self.scan.word(&self.scan.tokens[token]) } else { "" }
    }

    fn is_name(&self, token: usize) -> bool {
        let word = self.word(token);
        !word.is_empty() && self.scan.tokens[token].kind == TokenKind::Word && !words::is_reserved(word)
    }

    /// The token that does not fit; at the end of an item, the last one.
    fn span(&self) -> Span {
        if self.token < self.chunk.past {
            let token = &self.scan.tokens[self.token];
            return Span::new(self.file, token.start, token.end);
        }
        let last = &self.scan.tokens[self.chunk.past - 1];
        Span::new(self.file, last.start, last.end)
    }

    /// `before "x"`, or `at the end`
    fn place(&self) -> String {
        match self.word(self.token) {
            "" => format!("behind {}", quoted(self.word(self.chunk.past - 1))),
            word => format!("before {}", quoted(word)),
        }
    }

    fn form(&self) -> Option<String> {
        let word = self.word(self.begins);
        let form = words::FORMS.iter().find(|(first, _)| *first == word).map(|(_, form)| *form)?;
        Some(format!("It is written: {form}"))
    }
}

/// A word in quotes; a text has its own.
fn quoted(word: &str) -> String {
    if word.starts_with('"') { shown(word) } else { format!("\"{}\"", shown(word)) }
}

/// The message for a place where the grammar stopped.
pub fn slip(slip: &Slip<'_>, error: &Error<Rule>) -> Diagnostic {
    let (span, word) = (slip.span(), slip.word(slip.token));
    let wanted = wanted(error);
    if let Some(diag) = misused_word(slip, &wanted, span, word) {
        return diag;
    }
    let place = slip.place();
    if wanted.others == ["\"times\""] && !wanted.name {
        let number = slip.word(slip.begins);
        let diag = Diagnostic::error("syntax", span, format!("\"times\" is missing {place}."));
        return diag.help(format!("A number begins nothing else: {} times {{ … }}", shown(number)));
    }
    let message = if wanted.statements && !wanted.value {
        match word {
            "" => format!("Something is missing {place}."),
            "or" | "otherwise" | "else" => format!("\"{word}\" has nothing to go on with here."),
            _ => format!("{} begins nothing that may stand here.", quoted(word)),
        }
    } else if wanted.value {
        format!("A value is missing {place}.")
    } else if wanted.name && wanted.others.is_empty() {
        format!("A name is missing {place}.")
    } else if !wanted.others.is_empty() && wanted.others.len() <= 4 {
        let mut others = wanted.others.clone();
        if wanted.name {
            others.push("a name".into());
        }
        format!("{} is missing {place}.", capital(&listed(&others)))
    } else if word.is_empty() {
        format!("Something is missing {place}.")
    } else {
        format!("{} does not fit here.", quoted(word))
    };
    let diag = Diagnostic::error("syntax", span, message);
    match slip.form() {
        Some(form) => diag.help(form),
        None => diag,
    }
}

/// Words that stand where they cannot, for a reason that can be guessed.
fn misused_word(slip: &Slip<'_>, wanted: &Wanted, span: Span, word: &str) -> Option<Diagnostic> {
    if word == "=" && wanted.operator {
        let message = "\"=\" gives a value to a name; it does not compare.";
        return Some(Diagnostic::error("equals", span, message).help("To compare, say \"is\"."));
    }
    if word == "if" && slip.word(slip.chunk.first) == "end" {
        let message = "\"if\" is not used here: say \"when\".";
        return Some(Diagnostic::error("foreign-word", span, message).help("For example: mover wins when no theirs"));
    }
    if let Some(diag) = whose(slip, span, word) {
        return Some(diag);
    }
    let token = slip.scan.tokens.get(slip.token).filter(|_| slip.token < slip.chunk.past)?;
    let names_something = matches!(
        slip.word(slip.token.wrapping_sub(1)),
        "let"
            | "define"
            | "action"
            | "remember"
            | "counter"
            | "option"
            | "track"
            | "piece"
            | "players"
            | "needs"
            | "choose"
            | "roll"
            | "for"
            | "spread"
            | ","
            | "("
            | "secret"
            | "lasting"
            | "some"
            | "no"
            | "extends"
            | "plus"
    );
    let followed = matches!(slip.word(slip.token + 1), "=" | "in" | "(" | "," | ":" | "per" | "from" | ")" | "" | "\"");
    if words::is_reserved(word) && wanted.name && names_something && (followed || !token.leads) {
        let message = format!("\"{word}\" is taken: it is a word of the language. Choose another name.");
        return Some(Diagnostic::error("reserved-word", span, message).help(format!("For example \"my_{word}\".")));
    }
    if words::is_reserved(word)
        && wanted.value
        && !token.leads
        && !words::ACTING.contains(&word)
        && slip.token > slip.begins
    {
        let message = format!("\"{word}\" is a word of the language and stands for no value.");
        return Some(Diagnostic::error("reserved-word", span, message).help("A value is missing here."));
    }
    let given = matches!(slip.word(slip.token + 1), "=" | "+=" | "-=" | "|=" | "&=");
    if words::is_reserved(word) && given && token.leads {
        let message = format!("\"{word}\" is taken: it is a word of the language. Choose another name.");
        return Some(Diagnostic::error("reserved-word", span, message).help(format!("For example \"my_{word}\".")));
    }
    if matches!(slip.rule, Rule::item_alone | Rule::head_alone)
        && !slip.in_unit
        && (token.leads || slip.token == slip.chunk.first)
    {
        let at_item = slip.is_name(slip.token) || slip.token == slip.chunk.first;
        if at_item && !wanted.value {
            return Some(unknown_item(span, word));
        }
    }
    if slip.in_unit { unknown_statement(slip, wanted) } else { misspelt_item(slip) }
}

/// `home of next`, and a statement that begins with whose thing it changes: `(owner at s)'s score += 1`.
fn whose(slip: &Slip<'_>, span: Span, word: &str) -> Option<Diagnostic> {
    let before = slip.token.checked_sub(1)?;
    if word == "of" && slip.is_name(before) && slip.is_name(slip.token + 1) {
        let (thing, owner) = (shown(slip.word(before)), shown(slip.word(slip.token + 1)));
        let message = format!("\"{thing} of {owner}\": say whose it is with 's.");
        return Some(Diagnostic::error("whose", span, message).help(format!("Write \"{owner}'s {thing}\".")));
    }
    let assigns = matches!(word, "=" | "+=" | "-=" | "|=" | "&=");
    let owned =
        slip.token >= 3 && slip.is_name(before) && slip.word(before - 1) == "'s" && slip.word(before - 2) == ")";
    if assigns && owned {
        let thing = shown(slip.word(before));
        let message = "A statement does not begin with a bracket.";
        return Some(Diagnostic::error("whose", span, message).help(format!(
            "Give the player a name before: \"let player = …\", and in the next line \"player's {thing} {word} …\"."
        )));
    }
    None
}

/// `baord square 8` behind an item that goes on with names.
fn misspelt_item(slip: &Slip<'_>) -> Option<Diagnostic> {
    let before = slip.token.checked_sub(1).filter(|before| slip.is_name(*before) && slip.scan.tokens[*before].leads)?;
    let word = slip.word(before);
    nearest(word, words::ITEMS.iter().copied()).filter(|_| !words::ITEMS.contains(&word))?;
    let start = &slip.scan.tokens[before];
    Some(unknown_item(Span::new(slip.file, start.start, start.end), word))
}

/// `chose x in S`: the first word is read as an action, and then nothing fits.
fn unknown_statement(slip: &Slip<'_>, wanted: &Wanted) -> Option<Diagnostic> {
    let first = slip.word(slip.begins);
    let in_example = slip.rule == Rule::lines_alone || slip.word(slip.chunk.first) == "example";
    let list = if in_example { words::EXAMPLE_LINES } else { words::STATEMENTS };
    let known = || list.iter().copied();
    // Names of players begin lines of examples.
    if first.starts_with(|sign: char| sign.is_ascii_uppercase()) {
        return None;
    }
    if !slip.is_name(slip.begins) || slip.begins == slip.token || wanted.value || known().any(|known| known == first) {
        return None;
    }
    let meant = nearest(first, known())?;
    let start = &slip.scan.tokens[slip.begins];
    let span = Span::new(slip.file, start.start, start.end);
    let message = format!("There is no statement \"{}\".", shown(first));
    Some(Diagnostic::error("unknown-statement", span, message).help(format!("Did you mean \"{meant}\"?")))
}

/// A word that begins no item.
pub fn unknown_item(span: Span, word: &str) -> Diagnostic {
    let form = words::FORMS.iter().find(|(first, _)| *first == word);
    if let (true, Some((_, form))) = (words::ITEMS.contains(&word), form) {
        let diag = Diagnostic::error("unknown-item", span, format!("\"{word}\" does not go on like this."));
        return diag.help(format!("It is written: {form}"));
    }
    let diag =
        Diagnostic::error("unknown-item", span, format!("\"{}\" begins nothing that a file may hold.", shown(word)));
    match nearest(word, words::ITEMS.iter().copied()) {
        Some(meant) => diag.help(format!("Did you mean \"{meant}\"?")),
        None => diag.help(
            "A file holds players, board, piece, option, remember, define, action, setup, turn, end and the like.",
        ),
    }
}

/// The words among the operators.
const OPERATORS: &[Rule] = &[
    Rule::kw_and,
    Rule::kw_or,
    Rule::kw_is,
    Rule::kw_not,
    Rule::kw_in,
    Rule::kw_within,
    Rule::kw_otherwise,
    Rule::kw_at,
    Rule::kw_on,
];

fn wanted(error: &Error<Rule>) -> Wanted {
    let mut wanted = Wanted { value: false, operator: false, name: false, statements: false, others: Vec::new() };
    let ErrorVariant::ParsingError { positives, .. } = &error.variant else { return wanted };
    let has = |rule: Rule| positives.contains(&rule);
    wanted.value = [
        Rule::expr,
        Rule::plain,
        Rule::choice,
        Rule::set,
        Rule::span,
        Rule::sum,
        Rule::postfix,
        Rule::braces,
        Rule::paren,
    ]
    .into_iter()
    .any(has);
    wanted.statements =
        [Rule::statement, Rule::ending, Rule::example_line, Rule::let_, Rule::word_statement].into_iter().any(has);
    wanted.operator =
        [Rule::infix, Rule::choice_infix, Rule::set_infix, Rule::span_infix, Rule::sum_infix].into_iter().any(has);
    wanted.name = has(Rule::ident)
        || [Rule::binders, Rule::binder, Rule::heading, Rule::player, Rule::kind, Rule::stored].into_iter().any(has);
    // Behind a value an operator may always stand; it is not what is missing.
    let always = |rule: &Rule| wanted.operator && OPERATORS.contains(rule);
    let mut others: Vec<String> =
        positives.iter().filter(|rule| !always(rule)).filter_map(|rule| shown_rule(*rule)).collect();
    others.sort();
    others.dedup();
    wanted.others = others;
    wanted
}

/// How a rule is called in a message; nothing if it can stand nearly anywhere.
fn shown_rule(rule: Rule) -> Option<String> {
    let sign = match rule {
        Rule::text | Rule::texts => return Some("a text in quotes".into()),
        Rule::int => return Some("a number".into()),
        Rule::block => "{",
        Rule::sign_begin => "{",
        Rule::sign_end => "}",
        Rule::sign_close => ")",
        Rule::sign_colon => ":",
        Rule::sign_is => "=",
        Rule::or_ => "or",
        Rule::otherwise => "otherwise",
        Rule::type_ | Rule::bag | Rule::words => return Some("a type".into()),
        Rule::shape => return Some("a shape (square 8, grid 6 by 2, hexagon 5, …)".into()),
        Rule::pattern | Rule::arm_expr | Rule::arm_block => return Some("a case".into()),
        _ => {
            let name = format!("{rule:?}");
            return name.strip_prefix("kw_").map(|word| format!("\"{word}\""));
        }
    };
    Some(format!("\"{sign}\""))
}

fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

fn capital(words: &str) -> String {
    let mut signs = words.chars();
    signs.next().map_or(String::new(), |first| first.to_uppercase().chain(signs).collect())
}
