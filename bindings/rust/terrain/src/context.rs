// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

use std::any::Any;
use std::ffi::c_void;
use std::fmt;
use std::mem::{self, size_of, MaybeUninit};
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::Arc;

use terrain_sys as sys;

use crate::error::{check, Error, Result, Status};
use crate::runner::{Runner, Spawner};

/// The library's context; cancellers may outlive the [`Context`].
struct Raw {
    pointer: *mut sys::terrain_context,
    given_up: AtomicBool,
}

// SAFETY: a context may be used by one thread at a time, which `&mut Context` sees to; cancelling is for any thread;
// and memory is malloc's, so that it may be freed on any.
unsafe impl Send for Raw {}
unsafe impl Sync for Raw {}

impl Raw {
    fn new(desc: &sys::terrain_context_desc) -> Result<Self> {
        let mut raw = ptr::null_mut();
        // SAFETY: a valid place; what the desc points to outlives the context; no context has a message.
        unsafe { check(sys::terrain_context_create(desc, &mut raw), ptr::null())? };
        Ok(Self::of(raw))
    }

    fn of(pointer: *mut sys::terrain_context) -> Self {
        Self { pointer, given_up: AtomicBool::new(false) }
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        if !*self.given_up.get_mut() {
            // SAFETY: nobody has it any more.
            unsafe { sys::terrain_context_destroy(self.pointer) }
        }
    }
}

/// The library's own threads, or null.
struct Pool(*mut sys::terrain_pool);

impl Pool {
    fn new(threads: u32) -> Result<Self> {
        let mut raw = ptr::null_mut();
        if threads != 1 {
            // SAFETY: a valid place.
            unsafe { check(sys::terrain_pool_create(threads, &mut raw), ptr::null()) }.map_err(|error| match error
                .status()
            {
                Status::Range => Error::new(Status::Range, &format!("threads is {threads}, must be in [1, 256]")),
                _ => error,
            })?;
        }
        Ok(Self(raw))
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        // SAFETY: no call is using it.
        unsafe { sys::terrain_pool_destroy(self.0) }
    }
}

type Report<'a> = Box<dyn FnMut(f64) -> bool + Send + 'a>;

/// What the library's callbacks get.
struct Callbacks<'a> {
    report: Option<Report<'a>>,
    runner: Option<Box<dyn Runner + Send + 'a>>,
    panic: Option<Box<dyn Any + Send>>,
}

/// They lie at a place of their own, which the library knows.
struct Place<'a>(*mut Callbacks<'a>);

impl<'a> Place<'a> {
    fn of(callbacks: Callbacks<'a>) -> Self {
        Self(Box::into_raw(Box::new(callbacks)))
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        // A canceller may keep the library's context, but nobody calls with it any more.
        // SAFETY: made by Box::into_raw.
        unsafe { drop(Box::from_raw(self.0)) }
    }
}

/// How [`Context::builder`] makes a context: what is not said is as [`Context::new`] has it. Of `threads`, `rayon`,
/// `runner` and `spawner` the last one counts.
#[must_use]
pub struct ContextBuilder<'a> {
    desc: sys::terrain_context_desc,
    threads: u32,
    runner: Option<Box<dyn Runner + Send + 'a>>,
    report: Option<Report<'a>>,
}

impl<'a> ContextBuilder<'a> {
    /// Threads of the library's own, the calling one among them: 1 to 256. The results don't depend on it.
    pub fn threads(self, threads: u32) -> Self {
        Self { threads, runner: None, ..self }
    }

    /// rayon's threads do the work, those of the pool that the calling thread belongs to or the global one. While a call
    /// waits for them, its thread takes up no other job of rayon's: so tiles of one [`World`](crate::World) may be asked for
    /// from a parallel iterator.
    #[cfg(feature = "rayon")]
    pub fn rayon(self) -> Self {
        self.runner(crate::runner::Rayon)
    }

    /// Threads of your own do the work. A runner that is used elsewhere, too, may be borrowed, or shared as an `Arc`.
    pub fn runner(self, runner: impl Runner + Send + 'a) -> Self {
        Self { threads: 1, runner: Some(Box::new(runner)), ..self }
    }

    /// Threads of your own do the work, which take up jobs that nobody waits for: those of a job system, of Bevy's task
    /// pools, of an executor. For each pass of a call, `spawn` gets up to `threads - 1` jobs, and the calling thread works
    /// as well. It waits for what others have begun alone: jobs that are taken up late find nothing left, and may as well
    /// be dropped. While it waits, it takes up no other job: so the jobs of one system may ask a [`World`](crate::World)
    /// for tiles, each with such a context.
    ///
    /// ```
    /// use std::sync::mpsc;
    /// use terrain::{generate, Context, Map};
    ///
    /// # fn main() -> terrain::Result<()> {
    /// let (sender, jobs) = mpsc::channel::<Box<dyn FnOnce() + Send>>();
    /// std::thread::spawn(move || jobs.into_iter().for_each(|job| job()));
    ///
    /// let mut context = Context::builder().spawner(2, move |job| sender.send(job).unwrap()).build()?;
    /// let mut land = Map::new(256, 256)?;
    /// generate::Noise::default().apply_with(&mut context, &mut land)?;
    /// # assert_eq!(land.hash(), generate::Noise::default().map(256, 256)?.hash());
    /// # Ok(())
    /// # }
    /// ```
    pub fn spawner(self, threads: u32, spawn: impl Fn(Box<dyn FnOnce() + Send>) + Send + 'a) -> Self {
        self.runner(Spawner { threads, spawn })
    }

    /// A function that is called on the calling thread between the passes of long calls, and between that thread's tasks
    /// of a long pass, with the share that is done, and with 1 when a call has succeeded. `false` cancels the call; a
    /// panic ends it too, and goes on from it.
    ///
    /// It must not ask a world for a tile. A [`Canceller`] cancels without a function, from anywhere.
    pub fn progress(self, report: impl FnMut(f64) -> bool + Send + 'a) -> Self {
        Self { report: Some(Box::new(report)), ..self }
    }

    /// The best instruction set that calls may use. All give the same bits: this is for measuring and testing.
    pub fn max_isa(mut self, isa: Isa) -> Self {
        self.desc.max_isa = isa as u32;
        self
    }

    /// Whether a cancelled call may leave its map half written, for maps too large to hold twice in memory: operations
    /// whose last pass takes long then keep no second copy. (Those with a mask still do.)
    pub fn partial_results(mut self, allowed: bool) -> Self {
        self.desc.flags &= !sys::TERRAIN_CONTEXT_PARTIAL_RESULTS;
        self.desc.flags |= if allowed { sys::TERRAIN_CONTEXT_PARTIAL_RESULTS } else { 0 };
        self
    }

    /// The desc as C has it, to set what this builder does not, such as the allocator. The builder's own threads, runner
    /// and progress are put in later, if there are any.
    ///
    /// # Safety
    /// The functions do what context.h says, and never unwind. What the desc points to is there until the context is
    /// gone, and all its cancellers; memory may be freed on any thread that drops one of these.
    pub unsafe fn desc(mut self, change: impl FnOnce(&mut sys::terrain_context_desc)) -> Self {
        change(&mut self.desc);
        self
    }

    /// Makes the context. Fails if a number is out of its range, threads can't be started, or there is no memory.
    pub fn build(self) -> Result<Context<'a>> {
        let pool = Pool::new(self.threads)?;
        let mut desc = self.desc;
        let (reports, runs) = (self.report.is_some(), self.runner.is_some());
        let callbacks = Place::of(Callbacks { report: self.report, runner: self.runner, panic: None });
        if reports {
            desc.progress = sys::terrain_progress { user: callbacks.0.cast(), report: Some(report_progress) };
        }
        if runs {
            desc.runner = sys::terrain_runner { user: callbacks.0.cast(), run: Some(run_tasks) };
        } else if !pool.0.is_null() {
            // SAFETY: a valid pool and a valid place.
            unsafe { sys::terrain_pool_runner(pool.0, &mut desc.runner) };
        }
        Ok(Context { raw: Arc::new(Raw::new(&desc)?), job: None, desc: Some(desc), callbacks, pool })
    }
}

impl fmt::Debug for ContextBuilder<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ContextBuilder")
    }
}

/// Sets of instructions that there are kernels for, the better ones later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Isa {
    /// What the compiler assumes of its target: SSE2, NEON, and so on.
    Baseline = 0,
    /// AVX2.
    Avx2 = 1,
    /// AVX-512: F, BW, DQ and VL.
    Avx512 = 2,
}

/// One worker's toolbox: threads, progress, cancelling, and scratch memory that is used again. It may move between
/// threads (`Send`), but is for one at a time.
///
/// ```
/// use terrain::{erode, generate, Context};
///
/// # fn main() -> terrain::Result<()> {
/// let mut bar = String::new();
/// let progress = |share: f64| {
///     bar = "#".repeat((20.0 * share) as usize);
///     true // go on
/// };
/// let mut context = Context::builder().threads(2).progress(progress).build()?;
/// let mut land = generate::Noise::default().map(256, 256)?;
/// erode::Thermal::default().apply_with(&mut context, &mut land)?;
/// # drop(context);
/// # assert_eq!(bar.len(), 20);
/// # Ok(())
/// # }
/// ```
pub struct Context<'a> {
    raw: Arc<Raw>,
    /// What the canceller belongs to that was asked for last.
    job: Option<Arc<Job>>,
    /// None: it was made by C.
    desc: Option<sys::terrain_context_desc>,
    callbacks: Place<'a>,
    pool: Pool,
}

// SAFETY: the callbacks are Send, and their place is this context's alone; so is the pool. Whoever put pointers into the
// desc has said that they are for any thread.
unsafe impl Send for Context<'_> {}

/// What a [`Canceller`] belongs to.
struct Job {
    state: AtomicU8,
    raw: Arc<Raw>,
}

impl Job {
    const OPEN: u8 = 0;
    const CANCELLED: u8 = 1;
    const ENDED: u8 = 2;

    /// Whether it was open.
    fn set(&self, state: u8) -> bool {
        self.state.compare_exchange(Self::OPEN, state, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    fn is_cancelled(&self) -> bool {
        self.state.load(Ordering::Relaxed) == Self::CANCELLED
    }
}

/// Cancels a job of a context, from any thread: [`Context::canceller`] gives it.
#[derive(Clone)]
pub struct Canceller(Arc<Job>);

impl fmt::Debug for Canceller {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Canceller")
    }
}

impl Canceller {
    /// Cancels the job: the call that is using the context, or else the next one, and all that follow, until the context
    /// is asked for another canceller. If that was done, nothing happens.
    ///
    /// A call that has nearly ended may still succeed. Handlers of signals may call this.
    pub fn cancel(&self) {
        if self.0.set(Job::CANCELLED) {
            // SAFETY: may be called at any time on a context that is there.
            unsafe { sys::terrain_context_cancel(self.0.raw.pointer) }
        }
    }
}

impl<'a> Context<'a> {
    /// The calling thread alone.
    pub fn new() -> Result<Self> {
        Self::builder().build()
    }

    /// Short for `Context::builder().threads(threads).build()`.
    pub fn with_threads(threads: u32) -> Result<Self> {
        Self::builder().threads(threads).build()
    }

    /// Short for `Context::builder().rayon().build()`.
    #[cfg(feature = "rayon")]
    pub fn rayon() -> Result<Self> {
        Self::builder().rayon().build()
    }

    /// A context with threads, progress and so on.
    pub fn builder() -> ContextBuilder<'a> {
        let mut desc = MaybeUninit::uninit();
        // SAFETY: the library initialises the desc.
        let desc = unsafe {
            sys::terrain_context_desc_init(desc.as_mut_ptr(), size_of::<sys::terrain_context_desc>());
            desc.assume_init()
        };
        ContextBuilder { desc, threads: 1, runner: None, report: None }
    }

    /// Begins a job, and gives what cancels it: the calls that use the context from here on, until this is called again.
    /// A cancel that comes late, for a job that is done, does nothing to the next one.
    ///
    /// ```
    /// use terrain::{generate, Context, Map, Status};
    ///
    /// # fn main() -> terrain::Result<()> {
    /// let (mut context, mut map) = (Context::new()?, Map::new(64, 64)?);
    /// let (first, noise) = (context.canceller()?, generate::Noise::default());
    /// std::thread::scope(|scope| scope.spawn(|| first.cancel()).join().unwrap());
    /// assert_eq!(noise.apply_with(&mut context, &mut map).unwrap_err().status(), Status::Cancelled);
    ///
    /// let second = context.canceller()?;
    /// first.cancel();
    /// noise.apply_with(&mut context, &mut map)?;
    /// # drop(second);
    /// # Ok(())
    /// # }
    /// ```
    pub fn canceller(&mut self) -> Result<Canceller> {
        if let Some(job) = &self.job {
            // The library's context may hear of a cancel at any time from now on: it is left behind.
            if !job.set(Job::ENDED) {
                let desc = self.desc.as_ref().ok_or_else(|| {
                    Error::new(
                        Status::Unsupported,
                        "a context that was made by C, and is cancelled, has no other canceller",
                    )
                })?;
                self.raw = Arc::new(Raw::new(desc)?);
            }
        }
        let job = Arc::new(Job { state: AtomicU8::new(Job::OPEN), raw: Arc::clone(&self.raw) });
        self.job = Some(Arc::clone(&job));
        Ok(Canceller(job))
    }

    /// Takes over a context that was made by calls of [`sys`](crate::sys), or of C, with its threads, its progress and its
    /// allocator: it is destroyed when this is dropped, and all its cancellers. To use one that stays C's, take it over,
    /// and give it up by [`into_raw`](Self::into_raw) before C goes on.
    ///
    /// [`canceller`](Self::canceller) fails after the one before has cancelled: another context is needed for that, and
    /// what C has made this one of is not known.
    ///
    /// ```
    /// use terrain::{generate, sys, Context, Map};
    ///
    /// /// For C: makes the map's heights, with C's context.
    /// #[no_mangle]
    /// pub unsafe extern "C" fn hills(raw: *mut sys::terrain_context, heights: *mut f32) -> sys::terrain_status {
    ///     let mut context = Context::from_raw(raw);
    ///     let mut map = Map::wrap(std::slice::from_raw_parts_mut(heights, 64 * 64), 64, 64, 64).unwrap();
    ///     let made = generate::Noise::default().apply_with(&mut context, &mut map);
    ///     context.into_raw(); // C's again
    ///     made.map_or(-1, |()| sys::TERRAIN_SUCCESS)
    /// }
    ///
    /// # fn main() -> terrain::Result<()> {
    /// # let mut heights = vec![0.0; 64 * 64];
    /// # let raw = Context::with_threads(2)?.into_raw();
    /// # assert_eq!(unsafe { hills(raw, heights.as_mut_ptr()) }, sys::TERRAIN_SUCCESS);
    /// # unsafe { sys::terrain_context_destroy(raw) };
    /// # assert_eq!(heights, generate::Noise::default().map(64, 64)?.into_vec());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Safety
    /// It is a valid context, which nobody else uses or destroys before this is dropped or given up. What its desc pointed
    /// to is there as long as 'a and as its cancellers, and is for any thread.
    pub unsafe fn from_raw(raw: *mut sys::terrain_context) -> Self {
        let callbacks = Place::of(Callbacks { report: None, runner: None, panic: None });
        Self { raw: Arc::new(Raw::of(raw)), job: None, desc: None, callbacks, pool: Pool(ptr::null_mut()) }
    }

    /// The set of instructions that calls use: the best one that the processor has, and
    /// [`max_isa`](ContextBuilder::max_isa) and the environment variable `TERRAIN_ISA` allow.
    pub fn isa(&self) -> Isa {
        // SAFETY: a valid context, whose set never changes.
        match unsafe { sys::terrain_context_isa(self.raw.pointer) } {
            0 => Isa::Baseline,
            1 => Isa::Avx2,
            _ => Isa::Avx512,
        }
    }

    /// Gives scratch memory back.
    pub fn trim(&mut self) {
        // SAFETY: a valid context that no call is using.
        unsafe { sys::terrain_context_trim(self.raw.pointer) }
    }

    /// The library's context, for functions of [`sys`](crate::sys) that ask it something.
    pub fn as_ptr(&self) -> *const sys::terrain_context {
        self.raw.pointer
    }

    /// The library's context, for functions of [`sys`](crate::sys) that use it; not to be destroyed. Ask for it anew
    /// after [`canceller`](Self::canceller). A panic in a callback ends such a call, and goes on from the next call of
    /// this crate.
    ///
    /// ```
    /// use terrain::{sys, Context, Map};
    ///
    /// # fn main() -> terrain::Result<()> {
    /// let (mut context, map) = (Context::with_threads(2)?, Map::new(8, 5)?);
    /// let mut copy = std::ptr::null_mut();
    /// // SAFETY: a valid context, a valid map, and a valid place.
    /// unsafe {
    ///     assert_eq!(sys::terrain_heightmap_clone(context.as_mut_ptr(), map.as_ptr(), &mut copy), sys::TERRAIN_SUCCESS);
    ///     sys::terrain_heightmap_destroy(copy);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn as_mut_ptr(&mut self) -> *mut sys::terrain_context {
        self.raw.pointer
    }

    /// Gives up the library's context: it is for `terrain_context_destroy`, or for [`from_raw`](Self::from_raw), when all its
    /// cancellers are gone. Threads, a runner or a function of progress that Rust has given it stay for ever.
    pub fn into_raw(self) -> *mut sys::terrain_context
    where
        'a: 'static,
    {
        let pointer = self.raw.pointer;
        self.raw.given_up.store(true, Ordering::Relaxed);
        // SAFETY: the callbacks are this context's, and no call is using it.
        let called = unsafe { (*self.callbacks.0).report.is_some() || (*self.callbacks.0).runner.is_some() };
        if called || !self.pool.0.is_null() {
            mem::forget(self);
        }
        pointer
    }

    /// Before each call: all calls of a cancelled job are cancelled.
    fn begin(&mut self) -> *mut sys::terrain_context {
        if self.job.as_ref().map_or(false, |job| job.is_cancelled()) {
            // SAFETY: a valid context.
            unsafe { sys::terrain_context_cancel(self.raw.pointer) }
        }
        self.raw.pointer
    }

    /// After each call: what a callback has thrown goes on.
    fn resume(&mut self) {
        // SAFETY: the callbacks are this context's, and no call is using it.
        let panic = unsafe { (*self.callbacks.0).panic.take() };
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
    }
}

impl fmt::Debug for Context<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Context")
    }
}

/// Runs a call with a context or without.
pub(crate) fn call(
    context: Option<&mut Context<'_>>,
    function: impl FnOnce(*mut sys::terrain_context) -> sys::terrain_status,
) -> Result<()> {
    match context {
        // SAFETY: the context is this call's.
        Some(context) => {
            let status = function(context.begin());
            context.resume();
            unsafe { check(status, context.as_ptr()) }
        }
        // One of its own, for its message.
        None => call(Some(&mut Context::new()?), function),
    }
}

/// What the library is told of a callback.
///
/// # Safety
/// They are a context's callbacks, of which nobody has the panic.
unsafe fn outcome_of(callbacks: *mut Callbacks<'_>, called: std::thread::Result<bool>) -> i32 {
    match called {
        Ok(goes_on) => i32::from(!goes_on),
        Err(panic) if (*callbacks).panic.is_none() => {
            (*callbacks).panic = Some(panic);
            1
        }
        // To drop it might panic.
        Err(panic) => {
            mem::forget(panic);
            1
        }
    }
}

unsafe extern "C" fn report_progress(user: *mut c_void, fraction: f64) -> i32 {
    let callbacks = user.cast::<Callbacks<'_>>();
    // The library reports between tasks, too. A function that takes up other work of its thread's may so come to a task,
    // and to a report within its own, which is left out.
    let mut report = match (*callbacks).report.take() {
        Some(report) => report,
        None => return 0,
    };
    let called = catch_unwind(AssertUnwindSafe(|| report(fraction)));
    (*callbacks).report = Some(report);
    outcome_of(callbacks, called)
}

/// The tasks of a pass.
struct Tasks {
    task: sys::terrain_task,
    job: *mut c_void,
}

// SAFETY: tasks may be called on any thread.
unsafe impl Sync for Tasks {}

impl Tasks {
    fn call(&self, index: u32) {
        // SAFETY: nobody has the tasks when the pass is over. The library runs each once, and does nothing at other numbers.
        unsafe { (self.task)(self.job, index) }
    }
}

unsafe extern "C" fn run_tasks(user: *mut c_void, count: u32, task: sys::terrain_task, job: *mut c_void) -> i32 {
    let callbacks = user.cast::<Callbacks<'_>>();
    let (runner, tasks) = (&(*callbacks).runner, Tasks { task, job });
    let called = catch_unwind(AssertUnwindSafe(|| {
        if let Some(runner) = runner {
            runner.run(count, &|index| tasks.call(index));
        }
        true
    }));
    outcome_of(callbacks, called)
}
