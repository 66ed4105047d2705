//! Describes a game's house files to other programs: a JSON Schema, so that editors complete and check them.
//!
//! Out goes a value in draft 2020-12 of JSON Schema. It says yes to what `file.rs` and `apply.rs` accept, except that a number may be written
//! with a sign or blanks in ways of YAML's own.

use serde_json::{Map, Value, json};

use super::apply::{Allowed, Declared, RESERVED, is_yes_or_no};
use super::file::SettingValue;

/// The schema of the house files of `game`.
pub fn schema(game: &str, title: &str, docs: &[String], seats: &[String], declared: &[Declared]) -> Value {
    let mut options: Map<String, Value> = declared.iter().map(|one| (one.name.clone(), option(one))).collect();
    let first = json!({ "description": "Which seat begins.", "enum": seats, "default": seats.first() });
    options.insert(RESERVED.to_string(), first);
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("House rules for {title}"),
        "description": docs.join(" "),
        "type": "object",
        "required": ["game"],
        "additionalProperties": false,
        "properties": {
            "game": { "description": "The game that the rules are for.", "const": game },
            "title": { "description": "What the table calls its rules.", "type": "string" },
            "options": {
                "description": "What the table has agreed on; all else is as the game says.",
                "type": ["object", "null"],
                "additionalProperties": false,
                "properties": options,
            },
        },
    })
}

fn option(declared: &Declared) -> Value {
    let mut about = Map::new();
    if !declared.docs.is_empty() {
        about.insert("description".to_string(), declared.docs.join(" ").into());
    }
    about.insert("default".to_string(), value(&declared.default));
    let mut ways = ways(declared);
    match ways.pop() {
        Some(Value::Object(only)) if ways.is_empty() => about.extend(only),
        last => {
            ways.extend(last);
            about.insert("anyOf".to_string(), ways.into());
        }
    }
    Value::Object(about)
}

/// What the option may be: words and single numbers together, each range, any text.
fn ways(declared: &Declared) -> Vec<Value> {
    if is_yes_or_no(declared) {
        return vec![json!({ "enum": [true, false, "on", "off"] })];
    }
    let mut single: Vec<Value> = Vec::new();
    let mut ways = Vec::new();
    for allowed in &declared.allowed {
        match allowed {
            Allowed::Int(only) if declared.allowed.iter().any(|other| holds(other, *only)) => {}
            Allowed::Int(only) => single.push((*only).into()),
            Allowed::Range(first, last) => {
                ways.push(json!({ "type": "integer", "minimum": first, "maximum": last }));
            }
            Allowed::Word(word) => {
                single.push(word.as_str().into());
                // So YAML may have read these words.
                match word.as_str() {
                    "on" | "true" => single.push(true.into()),
                    "off" | "false" => single.push(false.into()),
                    _ => {}
                }
            }
            Allowed::Bool => single.extend([true.into(), false.into(), "on".into(), "off".into()]),
            Allowed::Text => ways.push(json!({ "type": "string" })),
        }
    }
    if !single.is_empty() {
        let mut distinct: Vec<Value> = Vec::new();
        for one in single {
            if !distinct.contains(&one) {
                distinct.push(one);
            }
        }
        ways.insert(0, json!({ "enum": distinct }));
    }
    ways
}

fn holds(range: &Allowed, number: i64) -> bool {
    matches!(range, Allowed::Range(first, last) if (*first..=*last).contains(&number))
}

fn value(value: &SettingValue) -> Value {
    match value {
        SettingValue::Int(number) => (*number).into(),
        SettingValue::Bool(yes) => (*yes).into(),
        SettingValue::Word(word) => word.as_str().into(),
    }
}
