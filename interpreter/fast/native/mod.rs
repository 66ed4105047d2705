//! Native code for turns in the usual course: what [`super::quick`] does by reading a program, written down as machine code once a game has
//! been played for a while.
//!
//! For each seat there are three functions: one counts the runs of a turn, by whole sets; one carries out a run that was drawn; one asks the
//! ends. What they do not know they leave to the other evaluator, an expression or the rest of a turn at a time. The random games and
//! counts that come out are the same to the letter.

mod call;
mod counts;
mod drive;
mod emit;
mod scalars;
mod sites;
mod turns;

use super::code::{Op, Program};
use super::switches::Switch;
use call::{Function, Module};
use cranelift::codegen::ir::Function as Written;
use cranelift::jit::{JITBuilder, JITModule};
use cranelift::module::{FuncId, Module as _, default_libcall_names};
use cranelift::prelude::*;
use emit::{Arena, Emit};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A turn with fewer rounds of loops than this to spend is left to the usual way, which counts them.
const LEAST_FUEL: u32 = 4_096;

/// Sets of more words than this are left to the usual way.
const MOST_WORDS: usize = 6;

/// Runs that are counted together: the choice, and by which stream or line of its plan.
#[derive(Debug, Default)]
pub struct Lots {
    lots: Vec<(u32, u32)>,
    /// Records that one count may make.
    records: usize,
}

impl Lots {
    fn number(&mut self, fork: u32, by: u32) -> u32 {
        let known = self.lots.iter().position(|lot| *lot == (fork, by));
        known.unwrap_or_else(|| {
            self.lots.push((fork, by));
            self.lots.len() - 1
        }) as u32
    }
}

/// The turn of a seat.
struct Turn {
    count: Function,
    enact: Function,
    ends: Function,
}

/// The code of a game that is written when it is first wanted.
#[derive(Default)]
pub struct Later(OnceLock<Option<Code>>);

impl Later {
    /// The code, if there is any.
    pub fn code<const W: usize>(&self, p: &Program<W>) -> Option<&Code> {
        self.0.get_or_init(|| Code::of(p)).as_ref()
    }
}

impl Clone for Later {
    /// Code belongs to one program; a copy of that has its own.
    fn clone(&self) -> Later {
        Later::default()
    }
}

impl std::fmt::Debug for Later {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Later")
    }
}

/// The code of a game.
pub struct Code {
    turns: Vec<Option<Turn>>,
    /// Words that a count needs for what it finds.
    room: usize,
    // What the functions live on goes last.
    _arena: Arena,
    _module: Module,
}

impl Code {
    /// Of a program; nothing if there is no turn that it can do, or no such machine.
    pub fn of<const W: usize>(p: &Program<W>) -> Option<Code> {
        let usual = !p.rules.by_outcome && !p.has_by && p.layout.piles.is_none() && p.rules.bounds.fuel >= LEAST_FUEL;
        let wanted = p.switches.has(Switch::Native) && p.switches.has(Switch::Quick) && p.switches.has(Switch::Stuck);
        if !usual || !wanted || W > MOST_WORDS || cfg!(target_endian = "big") {
            return None;
        }
        let mut writer = Writer::new()?;
        let mut arena = Arena::default();
        let mut turns = Vec::new();
        let mut room = 0;
        for seat in 0..p.layout.n_seats {
            turns.push(writer.turn(p, seat, &mut arena, &mut room));
        }
        if turns.iter().all(Option::is_none) {
            return None;
        }
        let (module, at) = writer.finish()?;
        let function = |id: FuncId| Function::new(at[&id]);
        let turn = |ids: [FuncId; 3]| {
            let [count, enact, ends] = ids.map(function);
            Turn { count, enact, ends }
        };
        let turns = turns.into_iter().map(|ids| ids.map(turn)).collect();
        Some(Code { turns, room, _arena: arena, _module: module })
    }

    /// Words that a count needs for what it finds.
    pub fn room(&self) -> usize {
        self.room
    }

    fn turn(&self, seat: usize) -> Option<&Turn> {
        self.turns.get(seat)?.as_ref()
    }
}

/// Writes functions into a module.
struct Writer {
    module: JITModule,
    context: codegen::Context,
    spare: FunctionBuilderContext,
    written: Vec<FuncId>,
}

impl Writer {
    fn new() -> Option<Writer> {
        let mut flags = settings::builder();
        for (name, value) in [("opt_level", "speed"), ("is_pic", "false"), ("use_colocated_libcalls", "false")] {
            flags.set(name, value).ok()?;
        }
        let isa = cranelift::native::builder().ok()?.finish(settings::Flags::new(flags)).ok()?;
        if isa.pointer_type() != types::I64 {
            return None;
        }
        let module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        let context = module.make_context();
        Some(Writer { module, context, spare: FunctionBuilderContext::new(), written: Vec::new() })
    }

    /// Writes a function of the words of the block, the registers, the position and three numbers; nothing if its body says so.
    fn function<const W: usize>(
        &mut self,
        p: &Program<W>,
        arena: &mut Arena,
        body: impl FnOnce(&mut Emit<'_, '_, W>, [Value; 3]) -> bool,
    ) -> Option<FuncId> {
        let mut signature = self.module.make_signature();
        signature.params = vec![AbiParam::new(types::I64); 6];
        signature.returns = vec![AbiParam::new(types::I64)];
        let convention = signature.call_conv;
        self.context.func = Written::with_name_signature(Default::default(), signature.clone());
        let mut f = FunctionBuilder::new(&mut self.context.func, &mut self.spare);
        let entry = f.create_block();
        f.append_block_params_for_function_params(entry);
        f.switch_to_block(entry);
        let &[b, r, core, x, y, z] = f.block_params(entry) else {
            return None;
        };
        let (held, known) = (BTreeMap::new(), BTreeMap::new());
        let mut emit = Emit { p, f, arena, b, r, core, held, known, convention, broken: false };
        let whole = body(&mut emit, [x, y, z]) && !emit.broken;
        let Emit { mut f, .. } = emit;
        f.seal_all_blocks();
        f.finalize(self.module.target_config());
        let id = if whole {
            let id = self.module.declare_anonymous_function(&signature).ok();
            id.filter(|&id| self.module.define_function(id, &mut self.context).is_ok())
        } else {
            None
        };
        self.module.clear_context(&mut self.context);
        self.written.extend(id);
        id
    }

    /// The functions of a seat's turn.
    fn turn<const W: usize>(
        &mut self,
        p: &Program<W>,
        seat: usize,
        arena: &mut Arena,
        room: &mut usize,
    ) -> Option<[FuncId; 3]> {
        let start = p.turn[seat];
        let node = &p.nodes[start as usize];
        if node.early || node.notes || matches!(node.op, Op::End) {
            return None;
        }
        let mut lots = Lots::default();
        let count = self.function(p, arena, |emit, [records, ..]| emit.count_turn(start, &mut lots, records))?;
        let enact = self.function(p, arena, |emit, numbers| {
            emit.enact_turn(&lots, numbers);
            true
        })?;
        let ends = self.function(p, arena, |emit, _| {
            emit.ends(seat);
            true
        })?;
        *room = (*room).max(1 + (lots.records + 1) * (W + 2));
        Some([count, enact, ends])
    }

    /// The code, and where each function is.
    fn finish(mut self) -> Option<(Module, BTreeMap<FuncId, *const u8>)> {
        self.module.finalize_definitions().ok()?;
        let at = self.written.iter().map(|&id| (id, self.module.get_finalized_function(id))).collect();
        Some((Module::new(self.module), at))
    }
}
