//! The texts that the program carries: the standard library, the games, their house files.
//!
//! `UPDATE=1 cargo test --test tidy` writes this file from the folders.

/// Name, path and text.
macro_rules! text {
    ($name:literal, $path:literal) => {
        ($name, $path, include_str!(concat!("../", $path)))
    };
}

/// Game, name, path and text.
#[allow(unused_macros, reason = "there may be no house files")]
macro_rules! house {
    ($game:literal, $name:literal, $path:literal) => {
        ($game, $name, $path, include_str!(concat!("../", $path)))
    };
}

/// The standard library: name, path, text.
#[rustfmt::skip]
pub const STDLIB: &[(&str, &str, &str)] = &[
    text!("attack", "stdlib/attack.lus"),
    text!("board", "stdlib/board.lus"),
    text!("captures", "stdlib/captures.lus"),
    text!("lines", "stdlib/lines.lus"),
    text!("moves", "stdlib/moves.lus"),
    text!("sowing", "stdlib/sowing.lus"),
    text!("turns", "stdlib/turns.lus"),
];

/// The games: name, path, text.
#[rustfmt::skip]
pub const GAMES: &[(&str, &str, &str)] = &[
    text!("amazons", "rulesets/amazons/amazons.lus"),
    text!("antichess", "rulesets/antichess/antichess.lus"),
    text!("ataxx", "rulesets/ataxx/ataxx.lus"),
    text!("backgammon", "rulesets/backgammon/backgammon.lus"),
    text!("brandub", "rulesets/brandub/brandub.lus"),
    text!("brazilian_draughts", "rulesets/brazilian_draughts/brazilian_draughts.lus"),
    text!("breakthrough", "rulesets/breakthrough/breakthrough.lus"),
    text!("chaturaji", "rulesets/chaturaji/chaturaji.lus"),
    text!("chess", "rulesets/chess/chess.lus"),
    text!("clobber", "rulesets/clobber/clobber.lus"),
    text!("connect_four", "rulesets/connect_four/connect_four.lus"),
    text!("english_draughts", "rulesets/english_draughts/english_draughts.lus"),
    text!("go", "rulesets/go/go.lus"),
    text!("gomoku", "rulesets/gomoku/gomoku.lus"),
    text!("havannah", "rulesets/havannah/havannah.lus"),
    text!("hex", "rulesets/hex/hex.lus"),
    text!("hnefatafl", "rulesets/hnefatafl/hnefatafl.lus"),
    text!("international_draughts", "rulesets/international_draughts/international_draughts.lus"),
    text!("kalah", "rulesets/kalah/kalah.lus"),
    text!("katarenga", "rulesets/katarenga/katarenga.lus"),
    text!("katro", "rulesets/katro/katro.lus"),
    text!("konane", "rulesets/konane/konane.lus"),
    text!("lines_of_action", "rulesets/lines_of_action/lines_of_action.lus"),
    text!("nine_mens_morris", "rulesets/nine_mens_morris/nine_mens_morris.lus"),
    text!("oware", "rulesets/oware/oware.lus"),
    text!("phantom_tic_tac_toe", "rulesets/phantom_tic_tac_toe/phantom_tic_tac_toe.lus"),
    text!("quoridor", "rulesets/quoridor/quoridor.lus"),
    text!("reversi", "rulesets/reversi/reversi.lus"),
    text!("six_mens_morris", "rulesets/six_mens_morris/six_mens_morris.lus"),
    text!("stone_paper_scissors", "rulesets/stone_paper_scissors/stone_paper_scissors.lus"),
    text!("tablut", "rulesets/tablut/tablut.lus"),
    text!("tak", "rulesets/tak/tak.lus"),
    text!("three_mens_morris", "rulesets/three_mens_morris/three_mens_morris.lus"),
    text!("tic_tac_toe", "rulesets/tic_tac_toe/tic_tac_toe.lus"),
    text!("twelve_mens_morris", "rulesets/twelve_mens_morris/twelve_mens_morris.lus"),
    text!("y", "rulesets/y/y.lus"),
    text!("yavalath", "rulesets/yavalath/yavalath.lus"),
];

/// The house files of the games: game, name, path, text.
#[rustfmt::skip]
pub const HOUSE_FILES: &[(&str, &str, &str, &str)] = &[
    house!("chaturaji", "everything", "rulesets/chaturaji/house/everything.yaml"),
    house!("chaturaji", "free_promotion", "rulesets/chaturaji/house/free_promotion.yaml"),
    house!("chaturaji", "last_king_at_once", "rulesets/chaturaji/house/last_king_at_once.yaml"),
    house!("chaturaji", "long_dice", "rulesets/chaturaji/house/long_dice.yaml"),
    house!("chaturaji", "must_use", "rulesets/chaturaji/house/must_use.yaml"),
    house!("chaturaji", "no_round_limit", "rulesets/chaturaji/house/no_round_limit.yaml"),
    house!("chaturaji", "no_triumph", "rulesets/chaturaji/house/no_triumph.yaml"),
    house!("chaturaji", "own_promotion", "rulesets/chaturaji/house/own_promotion.yaml"),
    house!("chaturaji", "resigning_is_last", "rulesets/chaturaji/house/resigning_is_last.yaml"),
    house!("chaturaji", "rounds_10", "rulesets/chaturaji/house/rounds_10.yaml"),
    house!("chaturaji", "rounds_20", "rulesets/chaturaji/house/rounds_20.yaml"),
    house!("chaturaji", "rounds_40", "rulesets/chaturaji/house/rounds_40.yaml"),
    house!("chaturaji", "rounds_60", "rulesets/chaturaji/house/rounds_60.yaml"),
    house!("chaturaji", "thrones", "rulesets/chaturaji/house/thrones.yaml"),
    house!("havannah", "eight", "rulesets/havannah/house/eight.yaml"),
    house!("hex", "no_swap", "rulesets/hex/house/no_swap.yaml"),
    house!("hex", "thirteen", "rulesets/hex/house/thirteen.yaml"),
    house!("hnefatafl", "hard_king", "rulesets/hnefatafl/house/hard_king.yaml"),
    house!("hnefatafl", "no_return", "rulesets/hnefatafl/house/no_return.yaml"),
    house!("hnefatafl", "one_step_king", "rulesets/hnefatafl/house/one_step_king.yaml"),
    house!("hnefatafl", "repetition_favours_attackers", "rulesets/hnefatafl/house/repetition_favours_attackers.yaml"),
    house!("hnefatafl", "short_king", "rulesets/hnefatafl/house/short_king.yaml"),
    house!("hnefatafl", "strict_few", "rulesets/hnefatafl/house/strict_few.yaml"),
    house!("hnefatafl", "strong_near_the_throne", "rulesets/hnefatafl/house/strong_near_the_throne.yaml"),
    house!("hnefatafl", "two_stones", "rulesets/hnefatafl/house/two_stones.yaml"),
    house!("hnefatafl", "weaponless_king", "rulesets/hnefatafl/house/weaponless_king.yaml"),
    house!("katarenga", "balanced", "rulesets/katarenga/house/balanced.yaml"),
    house!("katarenga", "first_faces", "rulesets/katarenga/house/first_faces.yaml"),
    house!("katarenga", "new_board", "rulesets/katarenga/house/new_board.yaml"),
    house!("katarenga", "no_line", "rulesets/katarenga/house/no_line.yaml"),
    house!("katarenga", "no_shuffling", "rulesets/katarenga/house/no_shuffling.yaml"),
    house!("katarenga", "peaceful_start", "rulesets/katarenga/house/peaceful_start.yaml"),
    house!("katarenga", "swap_colours", "rulesets/katarenga/house/swap_colours.yaml"),
    house!("katarenga", "threefold", "rulesets/katarenga/house/threefold.yaml"),
    house!("katarenga", "two_lines", "rulesets/katarenga/house/two_lines.yaml"),
    house!("katro", "empty_captures", "rulesets/katro/house/empty_captures.yaml"),
    house!("katro", "endless_draws", "rulesets/katro/house/endless_draws.yaml"),
    house!("katro", "endless_is_illegal", "rulesets/katro/house/endless_is_illegal.yaml"),
    house!("katro", "endless_loses", "rulesets/katro/house/endless_loses.yaml"),
    house!("katro", "four_stones", "rulesets/katro/house/four_stones.yaml"),
    house!("katro", "hole_by_hole", "rulesets/katro/house/hole_by_hole.yaml"),
    house!("katro", "narrow", "rulesets/katro/house/narrow.yaml"),
    house!("katro", "no_repetition", "rulesets/katro/house/no_repetition.yaml"),
    house!("katro", "short_laps", "rulesets/katro/house/short_laps.yaml"),
    house!("katro", "skip_the_start", "rulesets/katro/house/skip_the_start.yaml"),
    house!("katro", "wide", "rulesets/katro/house/wide.yaml"),
    house!("konane", "10x10", "rulesets/konane/house/10x10.yaml"),
    house!("konane", "12x12", "rulesets/konane/house/12x12.yaml"),
    house!("konane", "13x20", "rulesets/konane/house/13x20.yaml"),
    house!("konane", "14x14", "rulesets/konane/house/14x14.yaml"),
    house!("konane", "14x17", "rulesets/konane/house/14x17.yaml"),
    house!("konane", "6x6", "rulesets/konane/house/6x6.yaml"),
    house!("konane", "8x8", "rulesets/konane/house/8x8.yaml"),
    house!("konane", "9x13", "rulesets/konane/house/9x13.yaml"),
    house!("nine_mens_morris", "lasker", "rulesets/nine_mens_morris/house/lasker.yaml"),
    house!("nine_mens_morris", "no_flying", "rulesets/nine_mens_morris/house/no_flying.yaml"),
    house!("quoridor", "seven", "rulesets/quoridor/house/seven.yaml"),
    house!("stone_paper_scissors", "best_of_five", "rulesets/stone_paper_scissors/house/best_of_five.yaml"),
    house!("tak", "six", "rulesets/tak/house/six.yaml"),
    house!("three_mens_morris", "anywhere", "rulesets/three_mens_morris/house/anywhere.yaml"),
    house!("y", "swap", "rulesets/y/house/swap.yaml"),
    house!("yavalath", "no_swap", "rulesets/yavalath/house/no_swap.yaml"),
];
