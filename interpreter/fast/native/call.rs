//! The border between compiled programs and machine code: the only unsafe code there is.
//!
//! Machine code gets the position as pointers to its words and calls back with the place of an expression that it leaves to the usual
//! evaluator. What it may reach is fixed when it is written: words of the block and the registers at numbers that the layout gives, tables
//! whose indexes are held within their length, and expressions in an arena that lives as long as the code. What it gains is measured in
//! `interpreter/README.md`.
#![allow(unsafe_code, reason = "machine code can only be called, and call back, through pointers")]

use crate::fast::bits::Set;
use crate::fast::code::*;
use crate::fast::core::Core;
use crate::play::Asks;
use crate::rules::stmt::TableOp;
use cranelift::jit::JITModule;
use std::ffi::c_void;

/// The code of a game, freed when it is dropped.
pub struct Module(Option<JITModule>);

// SAFETY: after its functions are finished nothing of a module is used but, once, by `drop`, which has it alone; the code itself is only read.
unsafe impl Send for Module {}
// SAFETY: as above; a shared module offers nothing that could change it.
unsafe impl Sync for Module {}

impl Module {
    /// Of finished functions.
    pub fn new(module: JITModule) -> Module {
        Module(Some(module))
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        if let Some(module) = self.0.take() {
            // SAFETY: functions are held only beside their module (`Games`, `Turns`, `Segments`), so none is running or can be called any more.
            unsafe { module.free_memory() }
        }
    }
}

/// A finished function. It takes the words of the block and of the registers, the position, and up to three numbers.
#[derive(Clone, Copy, Debug)]
pub struct Function(*const u8);

// SAFETY: a pointer to code, which is only read.
unsafe impl Send for Function {}
// SAFETY: as above.
unsafe impl Sync for Function {}

type Entry = extern "C" fn(*mut u64, *mut u64, *mut c_void, u64, u64, u64) -> u64;

impl Function {
    /// At an address that a module gave.
    pub fn new(at: *const u8) -> Function {
        Function(at)
    }

    /// Calls it.
    #[inline]
    pub fn call<const W: usize>(self, core: &mut Core<'_, W>, x: [u64; 3]) -> u64 {
        let (b, r) = (core.b.as_mut_ptr(), core.r.as_mut_ptr());
        // SAFETY: the function was written for a program of this width with this signature (its holder is made from one program and used with
        // positions of it alone), and its module lives as long as what it was reached through. The words stay where they are for as long as
        // the position lives: nothing that is called back makes these vectors longer or puts others in their place.
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(self.0) };
        entry(b, r, std::ptr::from_mut(core).cast(), x[0], x[1], x[2])
    }

    /// Calls it with words that it writes to.
    #[inline]
    pub fn call_with<const W: usize>(self, core: &mut Core<'_, W>, words: &mut [u64]) -> u64 {
        self.call(core, [words.as_mut_ptr() as u64, 0, 0])
    }
}

/// What machine code hands over: the position, and something that it is asked about.
fn given<'a, T, const W: usize>(core: *mut c_void, about: *const c_void) -> (&'a mut Core<'a, W>, &'a T) {
    // SAFETY: `core` is what `Function::call` was given, which lends it for the length of the call, and machine code does not touch the position
    // while it waits; `about` is the place of a `T` that the arena of this code keeps.
    unsafe { (&mut *core.cast::<Core<'a, W>>(), &*about.cast::<T>()) }
}

/// Works out a set.
pub extern "C" fn sites<const W: usize>(core: *mut c_void, about: *const c_void, out: *mut u64) {
    let (core, set) = given::<Sites<W>, W>(core, about);
    let set = core.sites(set);
    // SAFETY: machine code gives the address of a place on its stack that is `W` words long.
    unsafe { out.cast::<[u64; W]>().write(set.0) }
}

/// A variable becomes a set.
pub extern "C" fn set_sites<const W: usize>(core: *mut c_void, about: *const c_void, set: *const u64) {
    let (core, &var) = given::<u32, W>(core, about);
    // SAFETY: machine code gives the address of a place on its stack that is `W` words long.
    let set = Set(unsafe { set.cast::<[u64; W]>().read() });
    let p = core.p;
    core.set_sites(&p.layout.vars[var as usize], 0, set);
}

/// Works out a number.
pub extern "C" fn int<const W: usize>(core: *mut c_void, about: *const c_void) -> i32 {
    let (core, x) = given::<Int<W>, W>(core, about);
    core.int(x)
}

/// A number below another, drawn with equal chances; what follows may look at as much as a run may.
pub extern "C" fn draw<const W: usize>(core: *mut c_void, about: *const c_void, below: u64) -> u64 {
    let (core, ()) = given::<(), W>(core, about);
    core.run.looks = 0;
    core.dice.as_mut().map_or(0, |dice| dice.below(below))
}

/// Remembers the position.
pub extern "C" fn remember<const W: usize>(core: *mut c_void, about: *const c_void) {
    let (core, ()) = given::<(), W>(core, about);
    core.asks = Asks::After;
    core.remember();
    core.asks = Asks::Turn;
}

/// Does what happens after the turn of a seat, the seat being what it is about; says whether something went wrong.
pub extern "C" fn after<const W: usize>(core: *mut c_void, about: *const c_void) -> i32 {
    let (core, seat) = given::<usize, W>(core, about);
    core.asks = Asks::After;
    let done = core.run_through(core.p.after[*seat]);
    core.asks = Asks::Turn;
    match done {
        Ok(()) => 0,
        Err(trouble) => {
            core.trouble = Some(trouble);
            1
        }
    }
}

/// Works out something of an end, as it is if the next player has a turn; whether he has is known afterwards.
fn at_end<T, const W: usize>(core: &mut Core<'_, W>, of: impl FnOnce(&mut Core<'_, W>) -> T) -> T {
    (core.asks, core.stuck) = (Asks::End, Some(false));
    let found = of(core);
    (core.asks, core.stuck) = (Asks::Turn, None);
    found
}

/// Works out a condition of an end.
pub extern "C" fn end_cond<const W: usize>(core: *mut c_void, about: *const c_void) -> i32 {
    let (core, c) = given::<Cond<W>, W>(core, about);
    i32::from(at_end(core, |core| core.cond(c)))
}

/// Works out a number of an end.
pub extern "C" fn end_int<const W: usize>(core: *mut c_void, about: *const c_void) -> i32 {
    let (core, x) = given::<Int<W>, W>(core, about);
    at_end(core, |core| core.int(x))
}

/// Works out a mask of an end.
pub extern "C" fn end_mask<const W: usize>(core: *mut c_void, about: *const c_void) -> u64 {
    let (core, x) = given::<Mask<W>, W>(core, about);
    at_end(core, |core| core.mask(x))
}

/// Works out a set of an end.
pub extern "C" fn end_sites<const W: usize>(core: *mut c_void, about: *const c_void, out: *mut u64) {
    let (core, set) = given::<Sites<W>, W>(core, about);
    let set = at_end(core, |core| core.sites(set));
    // SAFETY: as in `sites`.
    unsafe { out.cast::<[u64; W]>().write(set.0) }
}

/// Says whether something went wrong, and lets the next turn have all looks again.
pub extern "C" fn went_wrong<const W: usize>(core: *mut c_void, about: *const c_void) -> i32 {
    let (core, ()) = given::<(), W>(core, about);
    core.run.looks = 0;
    i32::from(core.trouble.is_some())
}

/// Works out a condition.
pub extern "C" fn cond<const W: usize>(core: *mut c_void, about: *const c_void) -> i32 {
    let (core, c) = given::<Cond<W>, W>(core, about);
    i32::from(core.cond(c))
}

/// Works out a mask.
pub extern "C" fn mask<const W: usize>(core: *mut c_void, about: *const c_void) -> u64 {
    let (core, x) = given::<Mask<W>, W>(core, about);
    core.mask(x)
}

/// Drops one after the other along a walk; says whether it could be done at once.
pub extern "C" fn sow<const W: usize>(core: *mut c_void, about: *const c_void) -> i32 {
    let (core, sow) = given::<Sow<W>, W>(core, about);
    i32::from(core.sow(sow))
}

/// Carries out a node that goes on at the next.
pub extern "C" fn act<const W: usize>(core: *mut c_void, about: *const c_void) {
    let (core, op) = given::<Op<W>, W>(core, about);
    core.act(op);
}

/// Gives the name of a loop its next member; says whether there was one.
pub extern "C" fn next_member<const W: usize>(core: *mut c_void, about: *const c_void) -> i32 {
    let (core, each) = given::<ForLoop<W>, W>(core, about);
    i32::from(core.next_member(each))
}

/// Gives an entry of a variable a value: variable, index.
pub extern "C" fn set_scalar<const W: usize>(core: *mut c_void, about: *const c_void, index: i32, code: i32) {
    let (core, var) = given::<u32, W>(core, about);
    let place = &core.p.layout.vars[*var as usize];
    core.set_scalar(place, index, code);
}

/// Gives an entry of a variable a bag: index, and the bag's words.
pub extern "C" fn set_bag<const W: usize>(core: *mut c_void, about: *const c_void, index: i32, low: u64, high: u64) {
    let (core, var) = given::<u32, W>(core, about);
    let place = &core.p.layout.vars[*var as usize];
    core.set_bag(place, index, u128::from(low) | u128::from(high) << 64);
}

/// Changes a table's entry at a site: variable and operation, site, value.
pub extern "C" fn change_number<const W: usize>(core: *mut c_void, about: *const c_void, site: i32, value: i32) {
    let (core, (var, op)) = given::<(u32, TableOp), W>(core, about);
    if (0..core.p.layout.n_sites as i32).contains(&site) {
        core.change_number(*var, *op, site, value);
    }
}
