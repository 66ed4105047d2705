//! The two evaluators agree: on whose turn it is, on the moves and their order, on positions and results.

use crate::fast::Engine;
use crate::library::{Bundled, Embedded, Games};
use crate::pipeline;
use crate::play::{Chance, Status, Table};
use crate::reference::Slow;
use crate::rules::Rules;
use std::sync::Arc;

/// A bundled game with its standard options.
fn bundled(name: &str) -> Arc<Rules> {
    let source = Bundled.read(name).unwrap();
    let loaded = pipeline::load(source, &Bundled, &Embedded);
    match loaded.ready(&[]) {
        Ok(ready) => ready.rules,
        Err(found) => panic!("{name}: {found:#?}"),
    }
}

/// Plays a random game with both, comparing everything.
fn agree(name: &str, rules: &Arc<Rules>, seed: u64, plies: u32) {
    let engine = Engine::new(rules.clone());
    let mut fast = engine.start().unwrap();
    let mut slow = Slow::start(rules).unwrap();
    let mut chance = Chance::new(seed);
    let mut line = Vec::new();
    for _ in 0..plies {
        let at = || format!("{name}, seed {seed}, after {line:?}");
        assert_eq!(fast.snapshot(), slow.snapshot(), "{}", at());
        assert_eq!(fast.status(), slow.status(), "{}", at());
        let (kept, fresh) = fast.keys();
        assert_eq!(kept, fresh, "{}", at());
        let list = match fast.status() {
            Status::Over(_) => return,
            Status::ToMove(_) => {
                let list = fast.moves().unwrap();
                assert_eq!(list, slow.moves().unwrap(), "{}", at());
                assert_eq!(fast.count().unwrap(), list.len() as u64, "{}", at());
                let mut sorted = list.clone();
                let mut drawable = fast.drawable().unwrap();
                sorted.sort();
                drawable.sort();
                assert_eq!(sorted, drawable, "{}", at());
                list
            }
            Status::Chance => {
                let list = fast.outcomes().unwrap();
                assert_eq!(list, slow.outcomes().unwrap(), "{}", at());
                list.into_iter().map(|(chosen, _)| chosen).collect()
            }
        };
        let chosen = list[chance.below(list.len() as u64) as usize].clone();
        assert_eq!(fast.play(&chosen), slow.play(&chosen), "{}", at());
        line.push(chosen);
    }
}

/// The number of plies that the slow evaluator can be asked to play of each game.
fn plies() -> u32 {
    std::env::var("LUSORY_PLIES").ok().and_then(|n| n.parse().ok()).unwrap_or(12)
}

#[test]
fn both_evaluators_agree_on_every_bundled_game() {
    let only = std::env::var("LUSORY_GAME").ok();
    for name in Bundled.names() {
        if only.as_ref().is_some_and(|only| *only != name) {
            continue;
        }
        let rules = bundled(&name);
        for seed in 0..2 {
            agree(&name, &rules, seed, plies());
        }
    }
}
