//! House files and settings on the command line, in the order in which they were given; clap's own derive would lose the order.

use clap::{ArgAction, ArgMatches, Args, FromArgMatches};

/// One house file or setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layer {
    /// `--house FILE`
    House(String),
    /// `--set NAME=VALUE`
    Set(String),
}

/// `--house` and `--set` in the order in which they were given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layers(pub Vec<Layer>);

impl Layers {
    /// What was given with these words, in its order.
    fn of(matches: &ArgMatches, houses: &[&str], sets: &[&str]) -> Layers {
        let houses = houses.iter().map(|id| (id, Layer::House as fn(String) -> Layer));
        let sets = sets.iter().map(|id| (id, Layer::Set as fn(String) -> Layer));
        let mut placed: Vec<(usize, Layer)> = Vec::new();
        for (id, layer) in houses.chain(sets) {
            let values = matches.get_many::<String>(id).into_iter().flatten();
            let places = matches.indices_of(id).into_iter().flatten();
            placed.extend(places.zip(values.cloned().map(layer)));
        }
        placed.sort_by_key(|(place, _)| *place);
        Layers(placed.into_iter().map(|(_, layer)| layer).collect())
    }
}

impl FromArgMatches for Layers {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Layers::of(matches, &["house"], &["set"]))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Layers::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Layers {
    fn augment_args(command: clap::Command) -> clap::Command {
        let house = clap::Arg::new("house")
            .long("house")
            .value_name("FILE")
            .action(ArgAction::Append)
            .help("A house file, or the name of one that comes with the game; later ones win");
        let set = clap::Arg::new("set")
            .long("set")
            .value_name("NAME=VALUE")
            .action(ArgAction::Append)
            .help("Sets one option; of files and settings the later wins");
        command.arg(house).arg(set)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Layers::augment_args(command)
    }
}

/// The house rules of both sides of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sides {
    /// Files and settings for A, in the order in which they were given.
    pub a: Layers,
    /// The same for B.
    pub b: Layers,
}

impl FromArgMatches for Sides {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let a = Layers::of(matches, &["house", "house-a"], &["set", "set-a"]);
        let b = Layers::of(matches, &["house", "house-b"], &["set", "set-b"]);
        Ok(Sides { a, b })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Sides::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Sides {
    fn augment_args(command: clap::Command) -> clap::Command {
        let arg = |id: &'static str, value, help| {
            clap::Arg::new(id).long(id).value_name(value).action(ArgAction::Append).help(help)
        };
        command
            .arg(arg("house", "FILE", "A house file for both; later ones win"))
            .arg(arg("set", "NAME=VALUE", "Sets one option of both; of files and settings the later wins"))
            .arg(arg("house-a", "FILE", "A house file for A alone"))
            .arg(arg("set-a", "NAME=VALUE", "Sets one option of A alone"))
            .arg(arg("house-b", "FILE", "A house file for B alone"))
            .arg(arg("set-b", "NAME=VALUE", "Sets one option of B alone"))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Sides::augment_args(command)
    }
}
