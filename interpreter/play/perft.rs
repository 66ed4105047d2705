//! Counts move sequences: all of a depth, or how many begin with each first move.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Move, Status, Table, Trouble};

/// Makes the table from which is counted, once a thread.
pub type MakeTable<'a> = dyn Fn() -> Result<Box<dyn Table + 'a>, Trouble> + Sync + 'a;

/// What can happen first: the moves, or what chance may bring; nothing if the game is over.
pub fn first_moves(table: &mut dyn Table) -> Result<Vec<Move>, Trouble> {
    match table.status() {
        Status::Over(_) => Ok(Vec::new()),
        Status::ToMove(_) => table.moves(),
        Status::Chance => Ok(table.outcomes()?.into_iter().map(|(chosen, _)| chosen).collect()),
    }
}

/// The number of sequences of `depth` that begin with each first move, in the order of the moves; nothing for depth 0.
pub fn divide(table: &mut dyn Table, depth: u32) -> Result<Vec<(Move, u64)>, Trouble> {
    let mut counts = Vec::new();
    if depth == 0 {
        return Ok(counts);
    }
    for first in first_moves(table)? {
        let mut fork = table.fork();
        fork.play(&first)?;
        counts.push((first, fork.perft(depth - 1)?));
    }
    Ok(counts)
}

/// The same as [`divide`] on several threads. The work is cut after two moves, so that few first moves keep all threads busy.
pub fn divide_on(make: &MakeTable<'_>, depth: u32, threads: usize) -> Result<Vec<(Move, u64)>, Trouble> {
    let mut root = make()?;
    if threads <= 1 || depth < 3 {
        return divide(root.as_mut(), depth);
    }
    let firsts = first_moves(root.as_mut())?;
    let mut tasks = Vec::new();
    for (i, first) in firsts.iter().enumerate() {
        let mut fork = root.fork();
        fork.play(first)?;
        tasks.extend(first_moves(fork.as_mut())?.into_iter().map(|second| (i, second)));
    }
    let next = AtomicUsize::new(0);
    let counts = Mutex::new(vec![Ok(0u64); tasks.len()]);
    let count = |root: &dyn Table, task: usize| {
        let (first, second) = &tasks[task];
        let mut fork = root.fork();
        fork.play(&firsts[*first])?;
        fork.play(second)?;
        fork.perft(depth - 2)
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.min(tasks.len()) {
            scope.spawn(|| {
                let root = make();
                loop {
                    let task = next.fetch_add(1, Ordering::Relaxed);
                    if task >= tasks.len() {
                        break;
                    }
                    let result = match &root {
                        Ok(root) => count(root.as_ref(), task),
                        Err(trouble) => Err(trouble.clone()),
                    };
                    let mut counts = counts.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    counts[task] = result;
                }
            });
        }
    });
    let mut divided: Vec<(Move, u64)> = firsts.iter().map(|first| (first.clone(), 0)).collect();
    let counts = counts.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    for ((first, _), count) in tasks.iter().zip(counts) {
        divided[*first].1 += count?;
    }
    Ok(divided)
}

/// The sum of a divided count.
pub fn total(divided: &[(Move, u64)]) -> u64 {
    divided.iter().map(|(_, count)| count).sum()
}
