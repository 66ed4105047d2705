//! Every bundled house file, and the one that `lusory house` writes, fits the schema of its game; what a game refuses, its schema refuses too.

use lusory::house::{self, Declared, SettingValue};
use lusory::library::{Bundled, Embedded, Games, HOUSE_FILES};
use lusory::pipeline::{self, Loaded};
use lusory::source::FileId;
use serde_json::{Value, json};

/// The part of JSON Schema that our schemas use.
fn fits(schema: &Value, value: &Value) -> bool {
    let every = |key: &str, holds: &dyn Fn(&Value) -> bool| schema.get(key).is_none_or(holds);
    let sort = |name: &Value| match name.as_str() {
        Some("object") => value.is_object(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64(),
        Some("null") => value.is_null(),
        _ => false,
    };
    let known: Vec<&String> = schema["properties"].as_object().map_or(Vec::new(), |known| known.keys().collect());
    let members = || value.as_object().into_iter().flatten();
    every("type", &|sorts| sorts.as_array().map_or_else(|| sort(sorts), |sorts| sorts.iter().any(sort)))
        && every("const", &|only| only == value)
        && every("enum", &|list| list.as_array().is_some_and(|list| list.contains(value)))
        && every("minimum", &|least| value.as_i64() >= least.as_i64())
        && every("maximum", &|most| value.as_i64() <= most.as_i64())
        && every("anyOf", &|ways| ways.as_array().is_some_and(|ways| ways.iter().any(|way| fits(way, value))))
        && every("required", &|names| {
            names.as_array().into_iter().flatten().all(|name| value.get(name.as_str().unwrap_or("")).is_some())
        })
        && every("additionalProperties", &|_| members().all(|(name, _)| known.contains(&name)))
        && every("properties", &|parts| {
            members().all(|(name, part)| parts.get(name).is_none_or(|schema| fits(schema, part)))
        })
}

fn load(game: &str) -> Loaded {
    let source = Bundled.read(game).unwrap_or_else(|| panic!("there is no {game}"));
    pipeline::load(source, &Bundled, &Embedded)
}

fn schema(game: &str, loaded: &Loaded) -> Value {
    let players = loaded.game.players.iter().flat_map(|(players, _)| players);
    let seats: Vec<String> = players.map(|player| player.name.text.clone()).collect();
    house::schema(game, &loaded.game.title, &loaded.game.docs, &seats, &loaded.declared)
}

fn json_of(value: &SettingValue) -> Value {
    match value {
        SettingValue::Int(number) => json!(number),
        SettingValue::Bool(yes) => json!(yes),
        SettingValue::Word(word) => json!(word),
    }
}

/// A house file as JSON.
fn document(text: &str) -> Value {
    let house = house::read(FileId(0), text).unwrap_or_else(|found| panic!("{found:?}"));
    let options: serde_json::Map<String, Value> =
        house.settings.iter().map(|setting| (setting.name.clone(), json_of(&setting.value))).collect();
    let mut document = json!({ "game": house.game.0, "options": options });
    if let Some(title) = house.title {
        document["title"] = title.into();
    }
    document
}

#[test]
fn bundled_house_files_fit() {
    for (game, _, path, text) in HOUSE_FILES {
        let schema = schema(game, &load(game));
        let document = document(text);
        assert!(fits(&schema, &document), "{path} does not fit:\n{schema:#}\n{document:#}");
    }
}

#[test]
fn the_file_with_every_option_fits() {
    for game in Bundled.names() {
        let loaded = load(&game);
        let schema = schema(&game, &loaded);
        let mut document = document(&house::describe(&game, &loaded.declared));
        assert!(fits(&schema, &document), "{game}:\n{schema:#}\n{document:#}");
        document["options"]["first"] = schema["properties"]["options"]["properties"]["first"]["default"].clone();
        assert!(fits(&schema, &document), "{game}: first");
    }
}

#[test]
fn game_and_schema_agree_on_what_is_wrong() {
    let values = [
        SettingValue::Int(-1),
        SettingValue::Int(0),
        SettingValue::Int(1),
        SettingValue::Int(7),
        SettingValue::Int(1_000_000),
        SettingValue::Bool(true),
        SettingValue::Bool(false),
        SettingValue::Word("on".to_string()),
        SettingValue::Word("none".to_string()),
        SettingValue::Word("no such word".to_string()),
    ];
    for game in Bundled.names() {
        let loaded = load(&game);
        let schema = schema(&game, &loaded);
        for Declared { name, .. } in &loaded.declared {
            for value in &values {
                let setting = house::Setting {
                    name: name.clone(),
                    name_span: lusory::source::Span::default(),
                    value: value.clone(),
                    value_span: lusory::source::Span::default(),
                };
                let accepted = house::apply(&loaded.declared, &[(setting, house::Origin::Default)]).is_ok();
                let mut options = serde_json::Map::new();
                options.insert(name.clone(), json_of(value));
                let said = fits(&schema, &json!({ "game": game, "options": options }));
                assert_eq!(said, accepted, "{game}: {name}: {value:?}");
            }
        }
        assert!(!fits(&schema, &json!({ "game": game, "options": { "no such option": 1 } })));
        assert!(!fits(&schema, &json!({ "options": {} })));
        assert!(!fits(&schema, &json!({ "game": "another" })));
    }
}
