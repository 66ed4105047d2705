//! Random games allocate nothing for a move, once the memory that is kept between games is there: only to say how the game ended.
//!
//! That holds for games in which a whole move is chosen before anything is changed. `cargo bench --bench games` shows it for every game.

use lusory::evaluators::Evaluators;
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
        let evaluators = Evaluators::new(rules);
        let mut play = evaluators.playouts(1);
        let mut plies = 0;
        for game in 0..PLAYED {
            plies += play(game).expect(name).plies;
        }
        let measured = allocation_counter::measure(|| {
            for game in 0..PLAYED {
                let again = play(game).expect(name).plies;
                plies -= again;
            }
        });
        assert_eq!(plies, 0, "{name}: other games the second time");
        let allowed = PLAYED * FOR_THE_END;
        if measured.count_total > allowed {
            wrong.push(format!("{name}: {} allocations in {PLAYED} games", measured.count_total));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
