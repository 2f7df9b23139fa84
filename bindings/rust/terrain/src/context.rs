// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

use std::any::Any;
use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::ptr;
use std::sync::Arc;

use terrain_sys as sys;

use crate::error::{check, Error, Result, Status};

/// What owns the library's context; cancellers may outlive the [`Context`].
struct Inner {
    raw: *mut sys::terrain_context,
    pool: *mut sys::terrain_pool,
}

// SAFETY: a context may be used by one thread at a time, which `&mut Context` sees to; cancelling is for any thread;
// and memory is malloc's, so that it may be freed on any.
unsafe impl Send for Inner {}
unsafe impl Sync for Inner {}

impl Drop for Inner {
    fn drop(&mut self) {
        // SAFETY: nobody has it any more.
        unsafe {
            sys::terrain_context_destroy(self.raw);
            sys::terrain_pool_destroy(self.pool);
        }
    }
}

type Report<'a> = Box<dyn FnMut(f64) -> bool + Send + 'a>;

/// What callbacks get: at a place of its own, which the library knows.
struct Callbacks<'a> {
    report: Option<Report<'a>>,
    panic: Option<Box<dyn Any + Send>>,
}

/// One worker's toolbox: threads, progress, cancelling, and scratch memory that is used again. It may move between
/// threads (`Send`), but is for one at a time.
pub struct Context<'a> {
    inner: Arc<Inner>,
    callbacks: *mut Callbacks<'a>,
    life: PhantomData<Report<'a>>,
}

// SAFETY: the callback is Send, and its place is this context's alone.
unsafe impl Send for Context<'_> {}

/// Ends the call that is using a context, from any thread.
#[derive(Clone)]
pub struct Canceller(Arc<Inner>);

impl fmt::Debug for Canceller {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Canceller")
    }
}

impl Canceller {
    /// Cancels the call that is using the context, or the next one if there is none.
    pub fn cancel(&self) {
        // SAFETY: may be called at any time on a context that is there.
        unsafe { sys::terrain_context_cancel(self.0.raw) }
    }
}

impl<'a> Context<'a> {
    /// The calling thread alone.
    pub fn new() -> Result<Self> {
        Self::make(ptr::null_mut(), None, None)
    }

    /// Threads of the library's own, the calling one among them: 1 to 256. The results don't depend on it.
    pub fn with_threads(threads: u32) -> Result<Self> {
        Self::make(pool(threads)?, None, None)
    }

    /// Calls a function between the passes of long calls, with the share that is done. `false` cancels the call; a panic
    /// ends it too, and goes on from it.
    pub fn with_progress(threads: u32, report: impl FnMut(f64) -> bool + Send + 'a) -> Result<Self> {
        Self::make(pool(threads)?, None, Some(Box::new(report)))
    }

    /// rayon's threads do the work, those of the pool that the calling thread belongs to or the global one. While a call
    /// waits for them, its thread takes up no other job of rayon's: so tiles of one [`World`](crate::World) may be asked for
    /// from a parallel iterator.
    #[cfg(feature = "rayon")]
    pub fn rayon() -> Result<Self> {
        let runner = sys::terrain_runner { user: ptr::null_mut(), run: Some(on_rayon::run) };
        Self::make(ptr::null_mut(), Some(runner), None)
    }

    fn make(
        pool: *mut sys::terrain_pool,
        runner: Option<sys::terrain_runner>,
        report: Option<Report<'a>>,
    ) -> Result<Self> {
        let reports = report.is_some();
        let callbacks = Box::into_raw(Box::new(Callbacks { report, panic: None }));
        let mut inner = Inner { raw: ptr::null_mut(), pool };
        let mut desc = MaybeUninit::<sys::terrain_context_desc>::uninit();
        // SAFETY: the desc is initialised by the library; what it points to outlives the context.
        let status = unsafe {
            sys::terrain_context_desc_init(desc.as_mut_ptr(), std::mem::size_of::<sys::terrain_context_desc>());
            let desc = &mut *desc.as_mut_ptr();
            sys::terrain_pool_runner(pool, &mut desc.runner);
            if let Some(runner) = runner {
                desc.runner = runner;
            }
            if reports {
                desc.progress = sys::terrain_progress { user: callbacks.cast(), report: Some(report_progress) };
            }
            sys::terrain_context_create(desc, &mut inner.raw)
        };
        // The context owns its parts from here on, also if it could not be made.
        let context = Self { inner: Arc::new(inner), callbacks, life: PhantomData };
        // SAFETY: no context has a message.
        unsafe { check(status, ptr::null())? };
        Ok(context)
    }

    /// For other threads, and for handlers of signals.
    pub fn canceller(&self) -> Canceller {
        Canceller(Arc::clone(&self.inner))
    }

    /// Gives scratch memory back.
    pub fn trim(&mut self) {
        // SAFETY: a valid context that no call is using.
        unsafe { sys::terrain_context_trim(self.inner.raw) }
    }

    pub(crate) fn raw(&mut self) -> *mut sys::terrain_context {
        self.inner.raw
    }

    /// After each call: what the progress callback has thrown goes on.
    pub(crate) fn resume(&mut self) {
        // SAFETY: the callbacks are this context's, and no call is using it.
        let panic = unsafe { (*self.callbacks).panic.take() };
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

impl Drop for Context<'_> {
    fn drop(&mut self) {
        // A canceller may keep the library's context, but nobody calls with it any more.
        // SAFETY: made by Box::into_raw.
        unsafe { drop(Box::from_raw(self.callbacks)) }
    }
}

fn pool(threads: u32) -> Result<*mut sys::terrain_pool> {
    let mut out = ptr::null_mut();
    if threads != 1 {
        // SAFETY: a valid place.
        unsafe { check(sys::terrain_pool_create(threads, &mut out), ptr::null()) }.map_err(|error| {
            match error.status() {
                Status::Range => Error::new(Status::Range, &format!("threads is {threads}, must be in [1, 256]")),
                _ => error,
            }
        })?;
    }
    Ok(out)
}

/// Runs a call with a context or without.
pub(crate) fn call(
    context: Option<&mut Context<'_>>,
    function: impl FnOnce(*mut sys::terrain_context) -> sys::terrain_status,
) -> Result<()> {
    match context {
        // SAFETY: the context is this call's.
        Some(context) => {
            let status = function(context.raw());
            context.resume();
            unsafe { check(status, context.raw()) }
        }
        // One of its own, for its message.
        None => {
            let mut context = Context::new()?;
            let status = function(context.raw());
            unsafe { check(status, context.raw()) }
        }
    }
}

unsafe extern "C" fn report_progress(user: *mut c_void, fraction: f64) -> i32 {
    let callbacks = &mut *user.cast::<Callbacks<'_>>();
    let report = callbacks.report.as_mut();
    match catch_unwind(AssertUnwindSafe(|| report.map_or(true, |report| report(fraction)))) {
        Ok(goes_on) => i32::from(!goes_on),
        Err(panic) => {
            callbacks.panic.get_or_insert(panic);
            1
        }
    }
}

#[cfg(feature = "rayon")]
mod on_rayon {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Condvar, Mutex};

    /// One run of tasks. A thread that comes to it after its end finds no task left.
    struct Run {
        task: sys::terrain_task,
        job: *mut c_void,
        count: usize,
        next: AtomicUsize,
        done: Mutex<usize>,
        all_done: Condvar,
    }

    // SAFETY: the library's tasks may run on any thread, and the job is there until all are done.
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
                // SAFETY: each index once, and the run waits for it.
                unsafe { (self.task)(self.job, index as u32) };
                ran += 1;
            }
            let mut done = self.done.lock().unwrap();
            *done += ran;
            if *done == self.count {
                self.all_done.notify_all();
            }
        }
    }

    /// Tasks are spawned, not joined: a thread that waits in a join of rayon's takes up other jobs, and one that asks for a
    /// tile of the world whose tile it is computing would be refused.
    pub(super) unsafe extern "C" fn run(
        _user: *mut c_void,
        count: u32,
        task: sys::terrain_task,
        job: *mut c_void,
    ) -> i32 {
        let count = count as usize;
        let run = Arc::new(Run {
            task,
            job,
            count,
            next: AtomicUsize::new(0),
            done: Mutex::new(0),
            all_done: Condvar::new(),
        });
        // It panics where rayon can't start threads: the calling thread then does all.
        let _ = catch_unwind(|| {
            for _ in 1..count.min(rayon::current_num_threads()) {
                let run = Arc::clone(&run);
                rayon::spawn(move || run.work());
            }
        });
        run.work();
        let mut done = run.done.lock().unwrap();
        while *done < count {
            done = run.all_done.wait(done).unwrap();
        }
        0
    }
}
