//! The two evaluators agree: on whose turn it is, on the moves and their order, on positions and results.

use crate::fast::Engine;
use crate::library::{Bundled, Embedded, Games};
use crate::pipeline;
use crate::play::{Chance, Status, Table};
use crate::reference::Slow;
use crate::rules::Rules;
use crate::source::Source;
use std::sync::Arc;

/// A bundled game with its standard options.
fn bundled(name: &str) -> Arc<Rules> {
    let source = Bundled.read(name).unwrap();
    let mut loaded = pipeline::load(source, &Bundled, &Embedded);
    // The plain evaluator lists all that chance may bring to some boards.
    loaded.bounds = crate::rules::Bounds::trusted();
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
        if matches!(fast.status(), Status::ToMove(_)) {
            let drawn = fast.random_move(&mut chance).unwrap();
            assert!(list.contains(&drawn), "{drawn:?}, {}", at());
        }
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
    for name in games() {
        let rules = bundled(&name);
        for seed in 0..2 {
            agree(&name, &rules, seed, plies());
        }
    }
}

/// Steps of walks with few places, with more than a mask holds, and with places that are passed twice, one of which is left by the way.
#[test]
fn both_evaluators_agree_on_long_walks() {
    let walks = ["p1..p20", "p1..p60, p40..p43", "p1..p70", "p1..p70, p9..p1", "p5..p1, p7..p70"];
    for walk in walks {
        let text = format!(
            "game \"Walk\"\nplayers White, Black\nboard line 70\npiece man \"WB\"\ntrack path = {walk}\n\
             setup {{ place White's man at p1, p3, p9   place Black's man at p2, p5, p41 }}\n\
             turn {{\n  choose from in path where from in mine\n  choose n in 1..4\n  let dest = from + n otherwise p70\n\
             require dest not in mine or dest is p70   {}\n}}\nend {{ mover wins when p70 in mine   draw when stuck }}\n",
            "if dest in theirs { take dest }   move from to dest"
        );
        let loaded = pipeline::load(Source { name: "walk.lus".into(), text }, &Bundled, &Embedded);
        let ready = loaded.ready(&[]).unwrap_or_else(|found| panic!("{walk}: {found:#?}"));
        for seed in 0..4 {
            agree(walk, &ready.rules, seed, 60);
        }
    }
}

/// The bundled games, or the one that is asked for.
fn games() -> Vec<String> {
    let only = std::env::var("LUSORY_GAME").ok();
    Bundled.names().into_iter().filter(|name| only.as_ref().is_none_or(|only| only == name)).collect()
}

/// In some positions of games whose moves are drawn in different ways, each move comes up about equally often.
#[test]
fn random_moves_are_uniform() {
    let places = games().into_iter().flat_map(|name| [(name.clone(), 4), (name, 20)]);
    for (name, plies) in places {
        let rules = bundled(&name);
        let engine = Engine::new(rules);
        let mut game = engine.start().unwrap();
        let mut chance = Chance::new(3);
        for _ in 0..plies {
            if let Status::ToMove(_) = game.status() {
                let drawn = game.random_move(&mut chance).unwrap();
                game.play(&drawn).unwrap();
            }
        }
        let Ok(list) = game.moves() else { continue };
        if list.len() > 200 {
            // Enough is drawn of the others.
            continue;
        }
        let each = 200;
        let mut found = vec![0i32; list.len()];
        for _ in 0..each * list.len() {
            let drawn = game.random_move(&mut chance).unwrap();
            found[list.iter().position(|one| *one == drawn).unwrap()] += 1;
        }
        assert!(found.iter().all(|n| (110..300).contains(n)), "{name}: {found:?}");
    }
}

/// Games whose moves are drawn from more than there are: some fail late, others go on in unequal numbers of ways, and a branch may be
/// closed because of them.
const DRAWN: &[&str] = &[
    "choose spot in empty   place mark at spot   require count(mine + orthogonal & empty) > 2",
    "choose spot in empty   place mark at spot   choose more in spot + any & empty   place mark at more   require no edge(north) & mine",
    "either { choose spot in empty   place mark at spot   choose n in 1..9 where n <= 1 + count(spot + any)   if n > 4 { take spot } }
     or { note \"pass\" }",
    "either { choose spot in edge(south)   place mark at spot   require spot not in edge(east) } otherwise { note \"pass\" }",
    "either { choose spot in edge(south)   place mark at spot   require spot not in board } otherwise { note \"pass\" }",
];

/// The sum of the squares of what is off, each over what was to be expected: with so many kinds of moves it is rarely far above their number.
#[test]
fn moves_that_are_drawn_and_tried_are_uniform() {
    for turn in DRAWN {
        let text = format!(
            "game \"Drawn\" players Cross, Nought board square 3 piece mark \"XO\"
             turn {{ {turn} }} end {{ draw when no empty  opponent loses when stuck }}"
        );
        let source = crate::source::Source { name: "drawn".into(), text };
        let loaded = pipeline::load(source, &Bundled, &Embedded);
        let rules = match loaded.ready(&[]) {
            Ok(ready) => ready.rules,
            Err(found) => panic!("{turn}: {found:#?}"),
        };
        let engine = Engine::new(rules);
        let mut game = engine.start().unwrap();
        let mut chance = Chance::new(7);
        let list = game.moves().unwrap();
        let each = 400;
        let mut found = vec![0i64; list.len()];
        for _ in 0..each * list.len() {
            let drawn = game.random_move(&mut chance).unwrap();
            found[list.iter().position(|one| *one == drawn).unwrap()] += 1;
        }
        let off: i64 = found.iter().map(|n| (n - each as i64) * (n - each as i64)).sum();
        let free = list.len() as i64 - 1;
        // Less than once in a thousand times by chance, for any number of kinds of moves.
        assert!(off <= each as i64 * (free * 3 / 2 + 22), "{turn}: {found:?}");
    }
}

#[test]
fn random_games_do_not_depend_on_which_are_played_together() {
    for name in Bundled.names().iter().rev().take(2) {
        let engine = Engine::new(bundled(name));
        let all = engine.playouts(6, 9, 0).unwrap();
        let some = engine.playouts(3, 9, 2).unwrap();
        assert_eq!(all[2..5], some[..]);
    }
}
