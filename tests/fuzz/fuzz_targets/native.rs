#![no_main]

#[path = "../targets.rs"]
#[allow(dead_code, reason = "each program uses one of them")]
mod targets;

libfuzzer_sys::fuzz_target!(|text: &str| targets::native(text));
