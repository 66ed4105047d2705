//! What is said of a code is true: the wrong file earns it, the mended one does not and has no other mistake.

use lusory::diagnostics::{Diagnostics, Severity};
use lusory::explain::{Entry, Shown, all};
use lusory::house;
use lusory::library::{Bundled, Embedded, Games};
use lusory::pipeline;
use lusory::source::{Source, Sources};

/// What is found in a file of an entry.
fn found(entry: &Entry, text: &str) -> Diagnostics {
    match entry.shown {
        Shown::House => house_file(text, entry.whole_game()),
        Shown::Setting => setting(text),
        _ => {
            let source = Source { name: "small.lus".into(), text: text.into() };
            pipeline::load(source, &Bundled, &Embedded).findings(&[])
        }
    }
}

/// What is found in a house file of this game, or of one that comes along.
fn house_file(text: &str, game: Option<String>) -> Diagnostics {
    let mut sources = Sources::new();
    let file = sources.add("house.yaml", text);
    let house = match house::read(file, text) {
        Ok(house) => house,
        Err(found) => return found,
    };
    let small = game.map(|text| Source { name: "small.lus".into(), text });
    if small.is_some() && house.game.0 != "small" {
        return vec![pipeline::other_game(&house, "small")];
    }
    let Some(game) = small.or_else(|| Bundled.read(&house.game.0)) else {
        return vec![pipeline::unknown_game(&house, &Bundled.names())];
    };
    let loaded = pipeline::load(game, &Bundled, &Embedded);
    loaded.house_findings(&pipeline::house_settings(house, "house.yaml"))
}

/// What is found in a setting of Konane, as it stands on the command line.
fn setting(text: &str) -> Diagnostics {
    let (Some(said), Some(game)) = (text.trim_end().strip_prefix("--set "), Bundled.read("konane")) else {
        return Vec::new();
    };
    let mut loaded = pipeline::load(game, &Bundled, &Embedded);
    let file = loaded.sources.add("--set", said);
    match house::read_set(file, said) {
        Ok(setting) => {
            let origin = house::Origin::Set(setting.value_span);
            loaded.house_findings(&[(setting, origin)])
        }
        Err(found) => found,
    }
}

#[test]
fn wrong_files_are_wrong_and_mended_ones_are_not() {
    let mut wrong = Vec::new();
    for entry in all().iter().filter(|entry| entry.shown != Shown::Nowhere) {
        let bad = found(entry, &entry.whole(&entry.wrong()));
        let severity = if entry.warning { Severity::Warning } else { Severity::Error };
        if !bad.iter().any(|diag| diag.code == entry.code && diag.severity == severity) {
            let codes: Vec<&str> = bad.iter().map(|diag| diag.code).collect();
            wrong.push(format!("{}: the wrong file earns {codes:?}", entry.code));
        }
        let good = found(entry, &entry.whole(&entry.mended()));
        for diag in good {
            wrong.push(format!("{}: the mended file earns {}: {}", entry.code, diag.code, diag.message));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn codes_are_in_order_and_told_once() {
    let codes: Vec<&str> = all().iter().map(|entry| entry.code).collect();
    let mut sorted = codes.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(codes, sorted);
    for entry in all() {
        assert!(entry.rule.ends_with('.'), "{} has no rule", entry.code);
        assert!(entry.shown == Shown::Nowhere || entry.wrong() != entry.mended(), "{} mends nothing", entry.code);
    }
}

#[test]
fn every_limit_has_a_code_that_is_explained() {
    for limit in lusory::limits::table() {
        // Reaching the last turn is how a game can end, and no mistake.
        let explained = limit.code == "turn limit" || all().iter().any(|entry| entry.code == limit.code);
        assert!(explained, "nothing is said of {}", limit.code);
        assert!(limit.usual <= limit.most, "{}", limit.name);
    }
}
