//! Native code for turns in the usual course: what [`super::quick`] does by reading a program, written down as machine code once a game has
//! been played for a while.
//!
//! For each seat there are three functions: one counts the runs of a turn, by whole sets; one carries out a run that was drawn; one asks the
//! ends. What they do not know they leave to the other evaluator, an expression or the rest of a turn at a time. The random games and
//! counts that come out are the same to the letter.

mod bags;
mod call;
mod counts;
mod drive;
mod emit;
mod games;
mod numbers;
mod piles;
mod rows;
mod scalars;
mod segments;
mod sites;
mod surely;
mod turns;
mod ways;

use super::code::{Op, Program};
use super::switches::Switch;
pub use call::Function;
use call::Module;
use cranelift::codegen::ir::Function as Written;
use cranelift::jit::{JITBuilder, JITModule};
use cranelift::module::{FuncId, Module as _, default_libcall_names};
use cranelift::prelude::*;
use emit::{Arena, Emit};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// What a count gives if the runs have to be counted by the usual way.
pub const ELSE: u64 = u64::MAX;

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

/// Code that plays random games.
pub struct Games {
    play: Function,
    /// Words that it needs for what it counts.
    room: usize,
    // What the function lives on goes last.
    _arena: Arena,
    _module: Module,
}

/// The turn of a seat: one function counts its runs, one carries a run out, one asks the ends.
struct Turn {
    count: Function,
    enact: Function,
    ends: Function,
}

/// Code that counts sequences.
pub struct Turns {
    turns: Vec<Option<Turn>>,
    /// Words that a count needs for what it finds.
    room: usize,
    // What the functions live on goes last.
    _arena: Arena,
    _module: Module,
}

/// Code for the ways from one choice to the next.
pub struct Segments {
    /// By node.
    ways: Vec<Option<Function>>,
    /// What choices offer, by node.
    offers: Vec<Option<Function>>,
    /// What `require most` asks for, by node.
    bests: Vec<Option<Function>>,
    /// Whether a node leads to a choice that offers anything.
    peeks: Vec<Option<Function>>,
    /// What counts the runs that are sure, by choice.
    sure: Vec<Option<Function>>,
    /// Whether an end holds, by seat.
    over: Vec<Option<Function>>,
    // What the functions live on goes last.
    _arena: Arena,
    _module: Module,
}

/// The code of a game, written when it is first wanted.
#[derive(Default)]
pub struct Later {
    /// Is it wanted at once?
    pub eager: bool,
    segments: OnceLock<Option<Segments>>,
    games: OnceLock<Option<Games>>,
    turns: OnceLock<Option<Turns>>,
}

impl Later {
    /// The code for random games, if there is any.
    pub fn games<const W: usize>(&self, p: &Program<W>) -> Option<&Games> {
        self.games.get_or_init(|| Games::of(p)).as_ref()
    }

    /// The code for ways from choice to choice, if there is any.
    pub fn segments<const W: usize>(&self, p: &Program<W>) -> Option<&Segments> {
        self.segments.get_or_init(|| Segments::of(p)).as_ref()
    }

    /// The code for counting, if there is any.
    pub fn turns<const W: usize>(&self, p: &Program<W>) -> Option<&Turns> {
        self.turns.get_or_init(|| Turns::of(p)).as_ref()
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

/// Are the turns of a program such that they can be written down?
fn is_usual<const W: usize>(p: &Program<W>) -> bool {
    let needed = [Switch::Quick, Switch::Stuck, Switch::Keys];
    let usual = may_be_written(p)
        && !p.rules.by_outcome
        && !p.has_by
        && p.layout.piles.is_none()
        && p.rules.bounds.fuel >= LEAST_FUEL;
    usual && needed.into_iter().all(|switch| p.switches.has(switch))
}

/// May machine code be made of a program here?
fn may_be_written<const W: usize>(p: &Program<W>) -> bool {
    p.rules.bounds.machine_code
        && p.switches.has(Switch::Native)
        && W <= MOST_WORDS
        && cfg!(all(target_endian = "little", target_pointer_width = "64"))
}

impl Games {
    /// Of a program; nothing if there is no turn that it can do, or no such machine.
    fn of<const W: usize>(p: &Program<W>) -> Option<Games> {
        if !is_usual(p) {
            return None;
        }
        let mut writer = Writer::new()?;
        let mut arena = Arena::default();
        let mut records = 0;
        let play = writer.function(p, &mut arena, |emit, [state, ..]| {
            let (known, most) = emit.game(state);
            records = most;
            known
        })?;
        let (module, at) = writer.finish()?;
        let room = games::COUNTERS + (records + 1) * (W + 2);
        Some(Games { play: Function::new(at[&play]), room, _arena: arena, _module: module })
    }

    /// Words that a game needs for what it counts.
    pub fn room(&self) -> usize {
        self.room
    }
}

impl Turns {
    /// Of a program; nothing if there is no turn that it can do, or no such machine.
    fn of<const W: usize>(p: &Program<W>) -> Option<Turns> {
        if !is_usual(p) {
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
        let turn = |ids: [FuncId; 3]| {
            let [count, enact, ends] = ids.map(|id| Function::new(at[&id]));
            Turn { count, enact, ends }
        };
        let turns = turns.into_iter().map(|ids| ids.map(turn)).collect();
        Some(Turns { turns, room, _arena: arena, _module: module })
    }

    fn turn(&self, seat: usize) -> Option<&Turn> {
        self.turns.get(seat)?.as_ref()
    }
}

impl Segments {
    /// Of a program; nothing if there is no way that it can do, or no such machine.
    fn of<const W: usize>(p: &Program<W>) -> Option<Segments> {
        if !may_be_written(p) {
            return None;
        }
        let mut writer = Writer::new()?;
        let mut arena = Arena::default();
        let mut ids = Vec::new();
        for start in segments::starts(p).into_iter().take(MOST_STARTS) {
            ids.extend(
                writer.function(p, &mut arena, |emit, [flags, ..]| emit.segment(start, flags)).map(|id| (start, id)),
            );
        }
        let mut choices = Vec::new();
        let is_choice = |&node: &u32| matches!(p.nodes[node as usize].op, Op::Choose(_));
        for node in (0..p.nodes.len() as u32).filter(is_choice).take(MOST_STARTS) {
            choices
                .extend(writer.function(p, &mut arena, |emit, [out, ..]| emit.offer(node, out)).map(|id| (node, id)));
        }
        let mut values = Vec::new();
        let is_best = |&node: &u32| matches!(p.nodes[node as usize].op, Op::Best(..));
        for node in (0..p.nodes.len() as u32).filter(is_best).take(MOST_STARTS) {
            values.extend(writer.function(p, &mut arena, |emit, _| emit.best(node)).map(|id| (node, id)));
        }
        let mut looks = Vec::new();
        for start in segments::peeked(p).into_iter().take(MOST_STARTS) {
            looks.extend(writer.function(p, &mut arena, |emit, _| emit.peek(start)).map(|id| (start, id)));
        }
        let mut counts = Vec::new();
        let sure = (0..).zip(&p.sure).filter_map(|(node, sure)| Some((node, sure.as_ref()?)));
        for (node, sure) in sure.take(MOST_STARTS) {
            let count = writer.function(p, &mut arena, |emit, [out, ..]| {
                let other = emit.f.create_block();
                let fit = emit.count_sure(sure, out, other);
                if fit {
                    emit.give(other, ELSE);
                }
                fit
            });
            counts.extend(count.map(|id| (node, id)));
        }
        let ends = (0..p.layout.n_seats).map(|seat| {
            writer.function(p, &mut arena, |emit, _| {
                let [yes, no] = std::array::from_fn(|_| emit.f.create_block());
                emit.any_end(seat, [yes, no]);
                emit.give(yes, 1);
                emit.give(no, 0);
                true
            })
        });
        let ends: Vec<Option<FuncId>> = ends.collect();
        let (module, at) = writer.finish()?;
        let over = ends.into_iter().map(|id| Some(Function::new(at[&id?]))).collect();
        let by_node = |ids: Vec<(u32, FuncId)>| {
            let mut all = vec![None; p.nodes.len()];
            for (node, id) in ids {
                all[node as usize] = Some(Function::new(at[&id]));
            }
            all
        };
        let [ways, offers, bests, peeks, sure] = [ids, choices, values, looks, counts].map(by_node);
        Some(Segments { ways, offers, bests, peeks, sure, over, _arena: arena, _module: module })
    }

    /// What asks whether an end holds, seen from a seat.
    #[inline]
    pub fn over(&self, seat: usize) -> Option<Function> {
        self.over[seat]
    }

    /// What counts the sure runs from a choice.
    pub fn sure(&self, fork: u32) -> Option<Function> {
        self.sure.get(fork as usize).copied().flatten()
    }

    /// From a node on.
    #[inline]
    fn at(&self, start: u32) -> Option<Function> {
        self.ways[start as usize]
    }
}

/// A function has at most so many instructions, and all of a game's together; what is longer is left to the usual way.
const MOST_EACH: usize = 40_000;
const MOST_ALL: usize = 150_000;

/// Of a program so many places of each sort are looked at.
const MOST_STARTS: usize = 1_000;

/// Writes functions into a module.
struct Writer {
    module: JITModule,
    context: codegen::Context,
    spare: FunctionBuilderContext,
    written: Vec<FuncId>,
    /// Instructions that may still be written.
    left: usize,
}

impl Writer {
    fn new() -> Option<Writer> {
        let mut flags = settings::builder();
        for (name, value) in [
            ("opt_level", "speed"),
            ("is_pic", "false"),
            ("use_colocated_libcalls", "false"),
            ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
        ] {
            flags.set(name, value).ok()?;
        }
        let isa = cranelift::native::builder().ok()?.finish(settings::Flags::new(flags)).ok()?;
        if isa.pointer_type() != types::I64 {
            return None;
        }
        let module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        let context = module.make_context();
        Some(Writer { module, context, spare: FunctionBuilderContext::new(), written: Vec::new(), left: MOST_ALL })
    }

    /// Writes a function of the words of the block, the registers, the position and three numbers; nothing if its body says so.
    fn function<const W: usize>(
        &mut self,
        p: &Program<W>,
        arena: &mut Arena,
        body: impl FnOnce(&mut Emit<'_, '_, W>, [Value; 3]) -> bool,
    ) -> Option<FuncId> {
        if self.left == 0 {
            return None;
        }
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
        let mut emit = Emit {
            p,
            f,
            arena,
            b,
            r,
            core,
            held,
            known,
            convention,
            broken: false,
            asks: false,
            ending: false,
            end: None,
        };
        let whole = body(&mut emit, [x, y, z]) && !emit.is_too_much();
        let Emit { mut f, .. } = emit;
        f.seal_all_blocks();
        let n = f.func.dfg.num_insts();
        let id = if whole && n <= MOST_EACH && n <= self.left {
            self.left -= n;
            f.finalize(self.module.target_config());
            let id = self.module.declare_anonymous_function(&signature).ok();
            id.filter(|&id| self.module.define_function(id, &mut self.context).is_ok())
        } else {
            // What has been written so far is thrown away.
            self.spare = FunctionBuilderContext::new();
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
        let count = self.function(p, arena, |emit, [records, ..]| {
            let begin = emit.f.ins().iadd_imm_s(records, 8);
            let [counted, other] = std::array::from_fn(|_| emit.f.create_block());
            let known = emit.count_turn(start, &mut lots, begin, [counted, other]);
            let [total, end] = std::array::from_fn(|_| emit.f.append_block_param(counted, types::I64));
            emit.f.switch_to_block(counted);
            let bytes = emit.f.ins().isub(end, records);
            emit.store(records, bytes);
            emit.f.ins().return_(&[total]);
            emit.give(other, ELSE);
            known
        })?;
        let enact = self.function(p, arena, |emit, numbers| {
            let end = emit.f.create_block();
            emit.enact_turn(&lots, numbers, end);
            let cut = emit.f.append_block_param(end, types::I64);
            emit.f.switch_to_block(end);
            emit.f.ins().return_(&[cut]);
            true
        })?;
        let ends = self.function(p, arena, |emit, _| {
            let [yes, no] = std::array::from_fn(|_| emit.f.create_block());
            emit.ends(seat, [yes, no]);
            emit.give(yes, 1);
            emit.give(no, 0);
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
