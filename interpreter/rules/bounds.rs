//! What a game may cost in play. All bounds, these and others, stand in one table: [`crate::limits`].

/// What a game may cost in play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Moves or outcomes that are listed in one position, and members that a range of numbers may have.
    pub moves: usize,
    /// Ways that are tried in one position to find out what can be played, those that lead to nothing included.
    pub ways: u64,
    /// Rounds of loops in one move.
    pub fuel: u32,
    /// Things that are looked at, all in all, to find out what can be played in one position.
    pub looks: u64,
    /// Moves and throws in one turn.
    pub steps: u32,
    /// Turns of a game.
    pub turns: u32,
    /// Bytes of a position.
    pub state: usize,
    /// May machine code be made of the rules? Only of files that somebody vouches for; what they mean is the same.
    pub machine_code: bool,
}

impl Bounds {
    /// For files that nobody vouches for.
    pub const fn usual() -> Bounds {
        Bounds {
            moves: 100_000,
            ways: 300_000,
            fuel: 100_000,
            looks: 100_000_000,
            steps: 1_000,
            turns: 10_000,
            state: 64 * 1024,
            machine_code: false,
        }
    }

    /// The most that can be allowed.
    pub const fn trusted() -> Bounds {
        Bounds {
            moves: 1_000_000,
            ways: 20_000_000,
            fuel: 1_000_000,
            looks: 2_000_000_000,
            steps: 10_000,
            turns: 10_000,
            state: 1024 * 1024,
            machine_code: true,
        }
    }
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds::usual()
    }
}
