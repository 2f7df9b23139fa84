// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

use std::mem;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};

/// Threads of your own: a *parallel for*, by which a [`Context`](crate::Context) has its work done. The results are the
/// same, bit for bit, with any runner.
///
/// Where threads take jobs and nobody waits for them, [`spawner`](crate::ContextBuilder::spawner) needs no runner.
///
/// ```
/// use terrain::{generate, Context, Map, Runner};
///
/// struct Scope;
///
/// impl Runner for Scope {
///     fn run(&self, count: u32, task: &(dyn Fn(u32) + Sync)) {
///         std::thread::scope(|scope| {
///             for index in 1..count {
///                 scope.spawn(move || task(index));
///             }
///             task(0);
///         });
///     }
/// }
///
/// # fn main() -> terrain::Result<()> {
/// let mut context = Context::builder().runner(Scope).build()?;
/// let mut land = Map::new(256, 256)?;
/// generate::Noise::default().apply_with(&mut context, &mut land)?;
/// assert_eq!(land.hash(), generate::Noise::default().map(256, 256)?.hash());
/// # Ok(())
/// # }
/// ```
pub trait Runner {
    /// Calls `task` with each number below `count`, which is at most 64, in any order and on any threads, the calling one
    /// among them. It returns when all are done; a task never panics, and waits for no other.
    ///
    /// A number that is called again, or is none of them, does nothing. Where one is left out, the call of the library
    /// fails with [`Status::Runner`](crate::Status::Runner). A panic ends the call with the same status, and goes on from
    /// it. But where tasks write into the map itself the calling thread does what is left, and the call succeeds.
    ///
    /// It must not ask a world for a tile, nor wait for a thread that does. So where a wait takes up other jobs, as those
    /// of rayon's and Bevy's scopes do, none of these may ask for tiles: else they fail with
    /// [`Status::Busy`](crate::Status::Busy), or, of several worlds, may wait for each other for ever.
    fn run(&self, count: u32, task: &(dyn Fn(u32) + Sync));
}

impl<R: Runner + ?Sized> Runner for &R {
    fn run(&self, count: u32, task: &(dyn Fn(u32) + Sync)) {
        (**self).run(count, task);
    }
}

impl<R: Runner + ?Sized> Runner for Box<R> {
    fn run(&self, count: u32, task: &(dyn Fn(u32) + Sync)) {
        (**self).run(count, task);
    }
}

impl<R: Runner + ?Sized> Runner for Arc<R> {
    fn run(&self, count: u32, task: &(dyn Fn(u32) + Sync)) {
        (**self).run(count, task);
    }
}

/// What a spawner starts.
pub(crate) type Job = Box<dyn FnOnce() + Send>;

/// See [`ContextBuilder::spawner`](crate::ContextBuilder::spawner).
pub(crate) struct Spawner<F> {
    pub(crate) threads: u32,
    pub(crate) spawn: F,
}

impl<F: Fn(Job)> Runner for Spawner<F> {
    fn run(&self, count: u32, task: &(dyn Fn(u32) + Sync)) {
        share(count, self.threads as usize, task, &self.spawn);
    }
}

/// rayon's threads. Their work is spawned, not joined: a thread that waits in a join of rayon's takes up other jobs, and
/// one that asks for a tile of the world whose tile it is computing would be refused.
#[cfg(feature = "rayon")]
pub(crate) struct Rayon;

#[cfg(feature = "rayon")]
impl Runner for Rayon {
    fn run(&self, count: u32, task: &(dyn Fn(u32) + Sync)) {
        // It panics where it can't start threads: the calling thread then does all.
        let threads = catch_unwind(rayon::current_num_threads).unwrap_or(1);
        share(count, threads, task, &rayon::spawn);
    }
}

/// One run of tasks. A thread that comes to it after its end finds no task left.
struct Run {
    task: *const (dyn Fn(u32) + Sync),
    count: usize,
    next: AtomicUsize,
    done: Mutex<usize>,
    all_done: Condvar,
}

// SAFETY: the task may be called on any thread, and is there until all are done.
unsafe impl Send for Run {}
unsafe impl Sync for Run {}

impl Run {
    /// Runs tasks until none is left.
    fn work(&self) {
        let mut ran = 0;
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            if index >= self.count {
                break;
            }
            // SAFETY: the task is there until each index is counted as done, which this one is not yet.
            unsafe { (*self.task)(index as u32) };
            ran += 1;
        }
        let mut done = self.done.lock().unwrap();
        *done += ran;
        if *done == self.count {
            self.all_done.notify_all();
        }
    }
}

/// Runs tasks, which never panic, on the calling thread and on as many others as take up what is spawned in time.
fn share(count: u32, threads: usize, task: &(dyn Fn(u32) + Sync), spawn: &dyn Fn(Job)) {
    let count = count as usize;
    // SAFETY: the lifetime alone differs, and this function returns when nobody calls the task any more.
    let task: &'static (dyn Fn(u32) + Sync) = unsafe { mem::transmute(task) };
    let run = Arc::new(Run { task, count, next: AtomicUsize::new(0), done: Mutex::new(0), all_done: Condvar::new() });
    let spawned = catch_unwind(AssertUnwindSafe(|| {
        for _ in 1..count.min(threads) {
            let run = Arc::clone(&run);
            spawn(Box::new(move || run.work()));
        }
    }));
    run.work();
    let mut done = run.done.lock().unwrap();
    while *done < count {
        done = run.all_done.wait(done).unwrap();
    }
    drop(done);
    if let Err(panic) = spawned {
        resume_unwind(panic);
    }
}
