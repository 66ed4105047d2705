//! Other values of a game's options, to see whether what was found holds under them too.

use std::collections::BTreeSet;

use crate::house::{Allowed, Declared, Origin, Setting, SettingValue};

/// Values of one option that are tried beside its default.
const MOST_VALUES: usize = 6;
/// Combinations that are tried of options on which something depends.
const MOST_COMBINATIONS: usize = 64;

/// Settings, as a house file would make them.
pub type Settings = Vec<(Setting, Origin)>;

/// A few values of an option, its default not among them; none if they cannot be listed.
fn values(option: &Declared) -> Option<Vec<SettingValue>> {
    let mut values: Vec<SettingValue> = Vec::new();
    for allowed in &option.allowed {
        match allowed {
            Allowed::Int(n) => values.push(SettingValue::Int(*n)),
            Allowed::Range(lo, hi) => values.extend([SettingValue::Int(*lo), SettingValue::Int(*hi)]),
            Allowed::Word(word) => values.push(SettingValue::Word(word.clone())),
            Allowed::Bool => values.extend([SettingValue::Bool(true), SettingValue::Bool(false)]),
            Allowed::Text => return None,
        }
    }
    values.retain(|value| *value != option.default);
    values.dedup();
    values.truncate(MOST_VALUES);
    Some(values)
}

/// One option given a value.
pub fn setting(option: &Declared, value: SettingValue) -> (Setting, Origin) {
    let setting = Setting { name: option.name.clone(), name_span: option.span, value, value_span: option.span };
    (setting, Origin::Set(option.span))
}

/// Tables that differ from the usual one in one option each.
pub fn single(declared: &[Declared]) -> Vec<Settings> {
    let of = |option: &Declared| {
        let values = values(option).unwrap_or_default().into_iter();
        values.map(|value| vec![setting(option, value)]).collect::<Vec<_>>()
    };
    declared.iter().flat_map(of).collect()
}

/// All tables that differ in these options only; none if there are too many, or an option may be any text.
pub fn combined(declared: &[Declared], names: &BTreeSet<&str>) -> Option<Vec<Settings>> {
    let mut tables: Vec<Settings> = vec![Vec::new()];
    for option in declared.iter().filter(|option| names.contains(option.name.as_str())) {
        let values = values(option)?;
        if tables.len() * (values.len() + 1) > MOST_COMBINATIONS {
            return None;
        }
        let mut more = Vec::new();
        for table in &tables {
            for value in &values {
                let mut table = table.clone();
                table.push(setting(option, value.clone()));
                more.push(table);
            }
        }
        tables.extend(more);
    }
    Some(tables.into_iter().filter(|table| table.len() > 1).collect())
}
