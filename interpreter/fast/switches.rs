//! The optimisations of this evaluator by name. Each can be left out by itself, so that a difference, or a gain, points at one of them.

use std::str::FromStr;

/// An optimisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Switch {
    /// See [`ALL`].
    Fold,
    /// See [`ALL`].
    Table,
    /// See [`ALL`].
    Spell,
    /// See [`ALL`].
    Lift,
    /// See [`ALL`].
    Ray,
    /// See [`ALL`].
    Back,
    /// See [`ALL`].
    Flood,
    /// See [`ALL`].
    Meet,
    /// See [`ALL`].
    Rows,
    /// See [`ALL`].
    Early,
    /// See [`ALL`].
    Gate,
    /// See [`ALL`].
    Sow,
    /// See [`ALL`].
    Keep,
    /// See [`ALL`].
    Tail,
    /// See [`ALL`].
    Count,
    /// See [`ALL`].
    Pair,
    /// See [`ALL`].
    Chain,
    /// See [`ALL`].
    Guess,
    /// See [`ALL`].
    Best,
    /// See [`ALL`].
    Memo,
    /// See [`ALL`].
    Stuck,
    /// See [`ALL`].
    Keys,
    /// See [`ALL`].
    Flat,
    /// See [`ALL`].
    Quick,
    /// See [`ALL`].
    Sure,
    /// See [`ALL`].
    Double,
    /// See [`ALL`].
    Terms,
    /// See [`ALL`].
    Trust,
    /// See [`ALL`].
    Peek,
    /// See [`ALL`].
    Worth,
    /// See [`ALL`].
    Kept,
    /// See [`ALL`].
    Fewer,
    /// See [`ALL`].
    Through,
    /// See [`ALL`].
    Twos,
    /// See [`ALL`].
    Native,
}

/// All of them: the name, and what it does.
pub const ALL: &[(Switch, &str, &str)] = &[
    (Switch::Fold, "fold", "what depends on nothing in the position is worked out once, when the game is loaded"),
    (Switch::Table, "table", "what depends on one site, direction, seat or kind alone is looked up in a table"),
    (Switch::Spell, "spell", "loops over a few directions, kinds or numbers are written out, a copy a member"),
    (Switch::Lift, "lift", "what is asked of each member of a set is worked out for all of them at once"),
    (Switch::Ray, "ray", "a spread in one direction is looked up, and cut where something stands"),
    (Switch::Back, "back", "whether few places are seen along a direction is asked from there, not from everywhere"),
    (Switch::Flood, "flood", "a spread over sites of one kind goes on from all of its edge at once"),
    (Switch::Meet, "meet", "whether a spread comes to certain sites is known when the first of them is met"),
    (Switch::Rows, "rows", "straight rows are found by moving a whole set over itself"),
    (Switch::Early, "early", "what a choice will be required to fulfil is asked before it is made"),
    (Switch::Gate, "gate", "ways on that can lead nowhere are known for all members of a choice at once (needs early)"),
    (Switch::Sow, "sow", "dropping one after the other along a track is done in one go"),
    (Switch::Keep, "keep", "a position is copied only where a run changes it"),
    (Switch::Tail, "tail", "what surely comes to an end is not carried out when runs are counted or listed"),
    (Switch::Count, "count", "the runs from a choice are counted without going through them"),
    (Switch::Pair, "pair", "the same for a site and then where it goes, all sites at once (needs count)"),
    (Switch::Chain, "chain", "the same for a site and jumps from it, all sites and rounds at once (needs count)"),
    (
        Switch::Guess,
        "guess",
        "a random run is drawn from more than there may be, and drawn again if it fails (needs count)",
    ),
    (Switch::Best, "best", "what \"require most\" asks for is found while the runs are listed, not before"),
    (Switch::Memo, "memo", "what follows from a position in the middle of a turn \"by outcome\" is gone through once"),
    (Switch::Stuck, "stuck", "whether the next player is stuck is answered by counting his runs for his turn"),
    (Switch::Keys, "keys", "the number that stands for a position is kept up to date with every change"),
    (Switch::Flat, "flat", "sets at hand are put together step by step, without calling anything"),
    (
        Switch::Quick,
        "quick",
        "a turn of one choice is played from its count, without going through its choices (needs count)",
    ),
    (
        Switch::Sure,
        "sure",
        "runs that a last condition cannot stop are counted without asking it, if only their number is wanted (needs pair, guess)",
    ),
    (Switch::Double, "double", "slides of a whole set are followed 1, 2, 4 … steps at a time"),
    (Switch::Terms, "terms", "sets put together are written as sums of products, all worked out alike (needs flat)"),
    (Switch::Trust, "trust", "what only requirements ask for is left out where they are known to hold (needs quick)"),
    (Switch::Peek, "peek", "whether the next choice offers anything is asked before a position is copied for it"),
    (
        Switch::Worth,
        "worth",
        "branches, and ways out of loops, whose worth to \"require most\" is known are left out if something better is (needs best)",
    ),
    (Switch::Kept, "kept", "a run that was drawn is not carried out again: what became of the position is kept"),
    (
        Switch::Fewer,
        "fewer",
        "how many runs a candidate has at most is counted from the pieces that are there (needs guess)",
    ),
    (
        Switch::Through,
        "through",
        "rows are looked for along the lines through a site, or through those that are new in a set",
    ),
    (Switch::Twos, "twos", "sets that depend on two sites and nothing else are looked up in a table, on small boards"),
    (
        Switch::Native,
        "native",
        "turns, or the ways from one choice to the next, are gone by machine code, once many have been (needs quick, stuck)",
    ),
];

/// Which optimisations are to be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switches(u64);

impl Switches {
    /// All of them.
    pub const ON: Switches = Switches(u64::MAX);
    /// None of them.
    pub const OFF: Switches = Switches(0);

    /// Is this one used?
    #[inline(always)]
    pub fn has(self, switch: Switch) -> bool {
        self.0 >> switch as u32 & 1 == 1
    }

    /// All of these but this one.
    pub fn without(self, switch: Switch) -> Switches {
        Switches(self.0 & !(1 << switch as u32))
    }
}

impl Default for Switches {
    fn default() -> Self {
        Switches::ON
    }
}

impl FromStr for Switches {
    type Err = String;

    /// `fast`, or `no-NAME` for each that is left out, apart by commas; `no-all`.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut switches = Switches::ON;
        for word in text.split(',').map(str::trim).filter(|word| *word != "fast") {
            let named = word.strip_prefix("no-").and_then(|name| ALL.iter().find(|(_, known, _)| *known == name));
            switches = match named {
                Some((switch, ..)) => switches.without(*switch),
                None if word == "no-all" => Switches::OFF,
                None => {
                    let names: Vec<String> = ALL.iter().map(|(_, name, _)| format!("no-{name}")).collect();
                    return Err(format!("there is no \"{word}\"; there is fast, no-all, {}", names.join(", ")));
                }
            };
        }
        Ok(switches)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_stands_for_one() {
        for (i, (switch, name, said)) in ALL.iter().enumerate() {
            assert_eq!(*switch as usize, i, "{name}");
            assert_eq!(format!("no-{name}").parse(), Ok(Switches::ON.without(*switch)));
            assert!(!said.ends_with('.'));
        }
        assert_eq!("no-all".parse(), Ok(Switches::OFF));
        assert_eq!("no-ray, no-lift".parse(), Ok(Switches::ON.without(Switch::Lift).without(Switch::Ray)));
        assert!("lift".parse::<Switches>().is_err());
    }
}
