//! The parser that pest makes of `grammar.pest`.
#![allow(missing_docs, reason = "the rules are described in the grammar")]

/// Knows the rules of `grammar.pest`.
#[derive(pest_derive::Parser)]
#[grammar = "interpreter/syntax/grammar.pest"]
pub struct Grammar;
