//! Rules built by hand and a game played in Rust, for the tests of this folder.
//!
//! The game: place a stone on an empty cell. After every second turn chance throws 1 to 3, which the next player scores. When the board
//! is full who has more wins.

use super::examples::{Oracle, Stage};
use super::snapshot::Piece;
use super::speaker::meant;
use super::{Move, Outcome, Refusal, Snapshot, Speaker, Start, Status, Table, Trouble, Value};
use crate::rules::*;
use crate::source::Span;

pub fn seats(names: &[&str]) -> Vec<Seat> {
    names.iter().map(|name| Seat { name: name.to_string(), facing: NONE }).collect()
}

/// A kind of which every seat may have some, with a symbol each.
pub fn kind(name: &str, symbols: &[&str]) -> Kind {
    let symbols = symbols.iter().copied().chain([""]).map(String::from).collect();
    Kind { name: name.into(), symbols, owner: KindOwner::Any }
}

pub fn var(name: &str, per: PerWhat, ty: Ty) -> Var {
    Var {
        name: name.into(),
        per,
        ty,
        range: (i32::MIN, i32::MAX),
        init: Expr::scalar(0, ty, Span::default()),
        counter: false,
        secret: false,
        lasting: false,
        span: Span::default(),
    }
}

pub fn word_list(words: &[&str]) -> WordList {
    WordList {
        words: words.iter().map(|word| word.to_string()).collect(),
        symbols: words.iter().map(|word| word[..1].to_uppercase()).collect(),
    }
}

/// Two seats, Black and White, with stones on a board.
pub fn rules(board: Board) -> Rules {
    Rules {
        title: "Fill".into(),
        seats: seats(&["Black", "White"]),
        first: 0,
        board,
        kinds: vec![kind("stone", &["B", "W"])],
        vars: vec![var("score", PerWhat::Player, Ty::Int)],
        words: Vec::new(),
        tracks: Vec::new(),
        texts: Vec::new(),
        diagrams: Vec::new(),
        lines: Vec::new(),
        defs: Vec::new(),
        locals: Vec::new(),
        setup: Vec::new(),
        turn: Vec::new(),
        by_outcome: false,
        after: Vec::new(),
        ends: Vec::new(),
        view: None,
        notation: None,
        properties: Vec::new(),
        probes: vec![Expr::scalar(1, Ty::Bool, Span::default()), Expr::scalar(0, Ty::Bool, Span::default())],
        scripts: vec![Vec::new()],
        bounds: crate::rules::Bounds { turns: 100, fuel: 1_000, ..Default::default() },
        uses: Uses::default(),
    }
}

#[derive(Clone)]
pub struct Fill<'r> {
    rules: &'r Rules,
    position: Snapshot,
    throw: bool,
    over: Option<Outcome>,
    /// Leaves out the last move, as a faulty evaluator might.
    pub faulty: bool,
}

impl<'r> Fill<'r> {
    pub fn start(rules: &'r Rules) -> Self {
        Self::from(rules, Snapshot::empty(rules))
    }

    pub fn from(rules: &'r Rules, position: Snapshot) -> Self {
        let mut game = Fill { rules, position, throw: false, over: None, faulty: false };
        game.look();
        game
    }

    fn score(&self, seat: usize) -> i32 {
        match self.position.vars[0][seat] {
            Value::Scalar(score) => score,
            _ => 0,
        }
    }

    fn look(&mut self) {
        if self.position.contents[..self.rules.board.n_cells].iter().all(Option::is_some) {
            let (black, white) = (self.score(0), self.score(1));
            let places = match black.cmp(&white) {
                std::cmp::Ordering::Less => vec![2, 1],
                std::cmp::Ordering::Equal => vec![1, 1],
                std::cmp::Ordering::Greater => vec![1, 2],
            };
            self.over = Some(Outcome { places, by: 1, reason: "board full".into(), ending: Some(0) });
        }
    }
}

impl Table for Fill<'_> {
    fn status(&self) -> Status {
        match &self.over {
            Some(outcome) => Status::Over(outcome.clone()),
            None if self.throw => Status::Chance,
            None => Status::ToMove(self.position.mover),
        }
    }

    fn moves(&mut self) -> Result<Vec<Move>, Trouble> {
        if !matches!(self.status(), Status::ToMove(_)) {
            return Err(Trouble::NotNow);
        }
        let cells = 0..self.rules.board.n_cells;
        let free = cells.filter(|&site| self.position.contents[site].is_none());
        let mut moves: Vec<Move> = free.map(|site| Move(vec![site as i32])).collect();
        if self.faulty {
            moves.pop();
        }
        Ok(moves)
    }

    fn outcomes(&mut self) -> Result<Vec<(Move, u64)>, Trouble> {
        Ok((1..=3).map(|n| (Move(vec![n]), 1)).collect())
    }

    fn draw(&mut self, draw: &mut dyn FnMut(u64) -> u64) -> Result<Move, Trouble> {
        Ok(Move(vec![draw(3) as i32 + 1]))
    }

    fn play(&mut self, chosen: &Move) -> Result<(), Trouble> {
        let &[code] = chosen.0.as_slice() else {
            return Err(Trouble::Illegal);
        };
        if self.throw {
            let seat = self.position.mover as usize;
            self.position.vars[0][seat] = Value::Scalar(self.score(seat) + code);
            self.throw = false;
            return Ok(());
        }
        if !self.moves()?.contains(chosen) {
            return Err(Trouble::Illegal);
        }
        let owner = self.position.mover;
        self.position.contents[code as usize] = Some(Piece { kind: 0, owner });
        self.position.mover = 1 - owner;
        self.position.next = self.position.mover;
        self.position.turns += 1;
        self.throw = self.position.turns % 2 == 0;
        self.look();
        Ok(())
    }

    fn resign(&mut self) -> Result<(), Trouble> {
        let places = if self.position.mover == 0 { vec![2, 1] } else { vec![1, 2] };
        self.over = Some(Outcome { places, by: 1, reason: "resigned".into(), ending: None });
        Ok(())
    }

    fn snapshot(&self) -> Snapshot {
        self.position.clone()
    }

    fn fork(&self) -> Box<dyn Table + '_> {
        Box::new(self.clone())
    }
}

impl Speaker for Fill<'_> {
    fn texts(&mut self) -> Result<Vec<(Move, String)>, Trouble> {
        let all = match self.status() {
            Status::Chance => self.outcomes()?.into_iter().map(|(chosen, _)| chosen).collect(),
            _ => self.moves()?,
        };
        all.into_iter().map(|chosen| Ok((chosen.clone(), self.text_of(&chosen)?))).collect()
    }

    fn texts_of(&mut self, outcomes: &[Move]) -> Result<Vec<String>, Trouble> {
        outcomes.iter().map(|outcome| self.text_of(outcome)).collect()
    }

    fn text_of(&mut self, chosen: &Move) -> Result<String, Trouble> {
        let code = *chosen.0.first().ok_or(Trouble::Illegal)?;
        let site = self.rules.board.sites.get(code as usize);
        Ok(match self.throw {
            true => format!("roll {code}"),
            false => site.ok_or(Trouble::Illegal)?.name.clone(),
        })
    }

    fn find(&mut self, typed: &str) -> Result<Move, Refusal> {
        let texts = self.texts()?;
        if let Some(i) = meant(typed, texts.iter().map(|(_, text)| text.as_str())) {
            return Ok(texts[i].0.clone());
        }
        let mut refusal = Refusal::new(format!("\"{typed}\" is not possible here."));
        refusal.reason = self.rules.board.site(typed).map(|_| "the cell is taken".into());
        Err(refusal)
    }
}

impl Oracle for Fill<'_> {
    fn steps(&self, begun: &[i32]) -> Result<Vec<i32>, Trouble> {
        let all = self.clone().moves()?;
        Ok(if begun.is_empty() { all.iter().map(|chosen| chosen.0[0]).collect() } else { Vec::new() })
    }

    fn looked(&self) -> u64 {
        0
    }

    fn split(&self) -> Box<dyn Oracle + '_> {
        Box::new(self.clone())
    }

    fn probe(&self, expr: &Expr) -> Result<Value, Trouble> {
        expr.as_const().map(Value::Scalar).ok_or(Trouble::NotNow)
    }
}

/// Sets up the game above; the script sets the mover's score to 7.
pub struct FillStage<'r> {
    pub rules: &'r Rules,
    pub faulty: bool,
}

impl Stage for FillStage<'_> {
    fn plain(&self, start: &Start) -> Result<Box<dyn Oracle + '_>, Trouble> {
        let position = start.from.clone().unwrap_or_else(|| Snapshot::empty(self.rules));
        Ok(Box::new(Fill::from(self.rules, position)))
    }

    fn fast(&self, start: &Start) -> Result<Box<dyn Table + '_>, Trouble> {
        let position = start.from.clone().unwrap_or_else(|| Snapshot::empty(self.rules));
        let mut game = Fill::from(self.rules, position);
        game.faulty = self.faulty;
        Ok(Box::new(game))
    }

    fn run_script(&self, position: &mut Snapshot, mover: i32, _: &Block) -> Result<(), Trouble> {
        position.vars[0][mover as usize] = Value::Scalar(7);
        Ok(())
    }
}
