//! Diagrams that a game lays.

use super::{Checker, errors};
use crate::house::Origin;
use crate::play::signs::{DiagramError, Signs};
use crate::rules::{Diagram, Expr, ExprKind, LocalId, Ty};
use crate::source::Span;

/// Wrong signs or rows of one diagram that are told.
const MOST_WRONG_SIGNS: usize = 10;

impl Checker<'_> {
    /// Remembers which texts a name may hold, should it be laid.
    pub(super) fn note_texts(&mut self, id: LocalId, value: &Expr) {
        if value.ty == Ty::Text {
            let mut texts = Vec::new();
            if self.texts_in(value, &mut texts, &[], 0) {
                self.local_texts.insert(id, texts);
            }
        }
    }

    /// Reads every text that an expression can give as a diagram.
    pub(super) fn diagrams_of(&mut self, e: &Expr, corner: bool) {
        let mut texts = Vec::new();
        if e.ty != Ty::Unknown && !self.texts_in(e, &mut texts, &[], 0) && !self.place.anywhere {
            self.say(errors::diagram_unknown(e.span));
        }
        texts.sort_unstable();
        texts.dedup();
        for (code, span) in texts {
            self.diagram(code, corner, span);
        }
    }

    fn diagram(&mut self, code: usize, corner: bool, span: Span) {
        let text = self.rules.texts[code].clone();
        let signs = Signs::of(&self.rules);
        let lengths = if corner { Vec::new() } else { self.rules.board.row_lengths() };
        let fits = !corner && self.place.dead == 0 && !self.no_board;
        let (place, whole) = self.written_text(code, span);
        // What is no sign is reported and read as an empty site, so that the next one is found too.
        let mut patched = text.clone();
        let mut diagram = Diagram::default();
        for _ in 0..MOST_WRONG_SIGNS {
            let wrong = match signs.read(&patched, &lengths) {
                Ok(grid) => {
                    if fits {
                        for wrong in grid.misfits(&lengths).iter().take(MOST_WRONG_SIGNS) {
                            self.say_of_diagram(wrong, &text, (place, whole));
                        }
                    }
                    diagram = grid.diagram();
                    break;
                }
                Err(wrong) => wrong,
            };
            self.say_of_diagram(&wrong, &text, (place, whole));
            match (&wrong, patched.get(wrong.range())) {
                (DiagramError::Unknown { .. }, Some(sign)) if sign.len() == 1 => {
                    patched.replace_range(wrong.range(), ".");
                }
                _ => break,
            }
        }
        self.rules.diagrams[code] = Some(diagram);
    }

    fn say_of_diagram(&mut self, wrong: &DiagramError, text: &str, (place, whole): (Span, Span)) {
        let diag = errors::diagram(wrong, self.part_of_text(text, &wrong.range(), place));
        self.say(if whole == place { diag } else { diag.also(whole, "it is laid here") });
    }

    /// Where a text was written, and where it is laid: a text of a house file is laid where the game says the option's name.
    fn written_text(&self, code: usize, span: Span) -> (Span, Span) {
        let set = self.chosen.iter().zip(self.declared).find_map(|(chosen, option)| {
            let is_it = option.name == self.sources.words(span)
                && matches!(&chosen.value, crate::house::SettingValue::Word(text) if *text == self.rules.texts[code]);
            match &chosen.origin {
                Origin::File { span, .. } | Origin::Set(span) if is_it => Some(*span),
                Origin::Default if is_it => Some(option.span),
                _ => None,
            }
        });
        let written =
            self.text_places.get(&code).filter(|_| !self.sources.words(span).contains(&self.rules.texts[code]));
        (set.or(written.copied()).unwrap_or(span), span)
    }

    /// The place of a part of a text, if the text stands in the file as it is.
    pub(super) fn part_of_text(&self, text: &str, range: &std::ops::Range<usize>, span: Span) -> Span {
        let written = self.sources.words(span);
        if let (Some(at), true) = (written.find(text), !text.is_empty() && range.end > range.start) {
            let start = span.start as usize + at;
            return Span::new(span.file, start + range.start, start + range.end);
        }
        self.part_of_lines(text, range, span).unwrap_or(span)
    }

    /// The same for a text whose lines stand in the file one below the other, each farther to the right.
    fn part_of_lines(&self, text: &str, range: &std::ops::Range<usize>, span: Span) -> Option<Span> {
        let whole = &self.sources.opt_get(span.file)?.text;
        let mut at = span.start as usize;
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let words = line.trim();
            let found = at + whole.get(at..)?.find(words)?;
            if range.start < start + line.len() {
                let column = range.start.checked_sub(start + line.find(words)?)?;
                return Some(Span::new(span.file, found + column, found + column + (range.end - range.start)));
            }
            at = found + words.len();
            start += line.len();
        }
        None
    }

    /// The texts that an expression can give, given those that some names are known to hold; false if not all are known.
    fn texts_in(&self, e: &Expr, out: &mut Vec<(usize, Span)>, known: &[LocalId], depth: u32) -> bool {
        if depth > 64 {
            return false;
        }
        let mut of = |e: &Expr, known: &[LocalId]| self.texts_in(e, out, known, depth + 1);
        match &e.kind {
            ExprKind::Const(code) if e.ty == Ty::Text => {
                out.push((*code as usize, e.span));
                true
            }
            ExprKind::If(_, a, b) => of(a, known) & of(b, known),
            ExprKind::Match(_, arms, last) => {
                let all = arms.iter().fold(true, |all, (_, arm)| of(arm, known) & all);
                of(last, known) & all
            }
            ExprKind::Let(id, value, body) if value.ty == Ty::Text => {
                let value_known = of(value, known);
                let known: Vec<LocalId> = known.iter().copied().chain([*id]).collect();
                of(body, &known) & value_known
            }
            ExprKind::Let(_, _, body) | ExprKind::From(_, body) => of(body, known),
            ExprKind::Call(def, args) => {
                let texts = args.iter().filter(|arg| arg.ty == Ty::Text);
                let all = texts.fold(true, |all, arg| of(arg, known) & all);
                match self.rules.defs.get(*def as usize) {
                    Some(def) => of(&def.body, &def.params) & all,
                    None => false,
                }
            }
            ExprKind::Local(id) if known.contains(id) => true,
            ExprKind::Local(id) => match self.local_texts.get(id) {
                Some(texts) => {
                    out.extend(texts.iter().copied());
                    true
                }
                None => false,
            },
            _ => false,
        }
    }
}
