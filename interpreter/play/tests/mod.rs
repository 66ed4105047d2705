//! Tests of this folder on games built by hand.

mod diagrams;
mod games;
