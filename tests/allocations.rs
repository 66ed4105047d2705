//! Random games allocate nothing for a move, once the memory that is kept between games is there: only to say how the game ended.
//!
//! That holds for games in which a whole move is chosen before anything is changed. `cargo bench --bench games` shows it for every game.

use lusory::fast::Engine;
use lusory::fast::switches::{Switch, Switches};
use lusory::library::{Bundled, Embedded, Games};
use lusory::pipeline;

/// Games that choose first and act then.
const CHOOSE_THEN_ACT: [&str; 14] = [
    "amazons",
    "ataxx",
    "breakthrough",
    "brandub",
    "clobber",
    "connect_four",
    "fox_and_hounds",
    "gomoku",
    "hex",
    "hnefatafl",
    "konane",
    "reversi",
    "tablut",
    "tic_tac_toe",
];
/// Random games.
const PLAYED: u64 = 20;
/// To say how a game ended: what its seats are ranked by, their places and the name of the end, kept where the game stands and given to whoever
/// asked.
const FOR_THE_END: u64 = 8;

#[test]
fn a_move_allocates_nothing() {
    let mut wrong = Vec::new();
    for name in CHOOSE_THEN_ACT {
        let source = Bundled.read(name).expect(name);
        let rules = pipeline::load(source, &Bundled, &Embedded).ready(&[]).expect(name).rules;
        let plain = Engine::with(rules.clone(), Switches::ON.without(Switch::Native));
        for (how, engine) in [("without machine code", plain), ("with it", Engine::new(rules).in_a_hurry())] {
            let mut player = engine.player().expect(name);
            let mut play = |game| player.playout(1, game).expect(name).plies;
            let mut plies: u64 = (0..PLAYED).map(&mut play).sum();
            let measured = allocation_counter::measure(|| (0..PLAYED).for_each(|game| plies -= play(game)));
            assert_eq!(plies, 0, "{name}, {how}: other games the second time");
            if measured.count_total > PLAYED * FOR_THE_END {
                wrong.push(format!("{name}, {how}: {} allocations in {PLAYED} games", measured.count_total));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
