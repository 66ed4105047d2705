//! The plain evaluator as something to talk to and to ask: what `play` wants of it.

use super::game::Slow;
use super::why::Refusal;
use crate::play::examples::Oracle;
use crate::play::{self, Move, Speaker, Status, Table, Trouble, Value};
use crate::rules::Expr;

impl From<Refusal> for play::Refusal {
    fn from(refusal: Refusal) -> Self {
        play::Refusal { message: refusal.message, span: refusal.span, reason: refusal.reason }
    }
}

impl Speaker for Slow<'_> {
    fn texts(&mut self) -> Result<Vec<(Move, String)>, Trouble> {
        match self.status() {
            Status::Over(_) => Ok(Vec::new()),
            Status::ToMove(_) => Slow::texts(self),
            Status::Chance => {
                let mut texts = Vec::new();
                for (chosen, _) in self.outcomes()? {
                    let text = Slow::text_of(self, &chosen)?;
                    texts.push((chosen, text));
                }
                Ok(texts)
            }
        }
    }

    fn text_of(&mut self, chosen: &Move) -> Result<String, Trouble> {
        Slow::text_of(self, chosen)
    }

    fn find(&mut self, typed: &str) -> Result<Move, play::Refusal> {
        Slow::find(self, typed).map_err(play::Refusal::from)
    }
}

impl Oracle for Slow<'_> {
    fn probe(&self, expr: &Expr) -> Result<Value, Trouble> {
        Slow::probe(self, expr)
    }
}
