// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

//! Guards against contexts whose threads, progress or cancelling don't go together, against runners that do harm, and
//! against panics that are lost or go through C.

use std::panic::{catch_unwind, panic_any, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{mpsc, Arc, Mutex};
use std::thread;

use terrain::{blur, erode, generate, sys, Context, ContextBuilder, Isa, Map, Recipe, Runner, Status, World};

type Task<'a> = &'a (dyn Fn(u32) + Sync);

/// A runner that a test makes of a function.
struct By<F>(F);

impl<F: Fn(u32, Task<'_>)> Runner for By<F> {
    fn run(&self, count: u32, task: Task<'_>) {
        (self.0)(count, task);
    }
}

fn noise(width: u32, height: u32) -> Map<'static> {
    generate::Noise { seed: 3, period: 60.0, ..Default::default() }.map(width, height).unwrap()
}

/// Passes that may stop half way.
fn worn(context: &mut Context<'_>, map: &mut Map<'_>) -> terrain::Result<()> {
    erode::Hydraulic { iterations: 7, ..Default::default() }.apply_with(context, map)
}

/// One pass, which writes the map itself.
fn raised(context: &mut Context<'_>, map: &mut Map<'_>) -> terrain::Result<()> {
    generate::Noise { seed: 4, ..Default::default() }.apply_with(context, map)
}

fn backwards(count: u32, task: Task<'_>) {
    thread::scope(|scope| {
        for index in (1..count).rev() {
            scope.spawn(move || task(index));
        }
    });
    task(0);
}

/// Twice each, and numbers that there are not.
fn too_often(count: u32, task: Task<'_>) {
    thread::scope(|scope| {
        scope.spawn(|| (0..2 * count).for_each(task));
        (0..count).rev().for_each(task);
    });
    task(u32::MAX);
}

/// A thread that does what it is sent, until the sender is gone.
fn worker() -> mpsc::Sender<Box<dyn FnOnce() + Send>> {
    let (sender, jobs) = mpsc::channel::<Box<dyn FnOnce() + Send>>();
    thread::spawn(move || jobs.into_iter().for_each(|job| job()));
    sender
}

#[test]
fn whatever_runs_the_tasks() {
    let (mut expected, reports) = (noise(300, 200), AtomicUsize::new(0));
    let mut plain = Context::new().unwrap();
    worn(&mut plain, &mut expected).unwrap();
    let check = |what: &str, builder: ContextBuilder<'_>| {
        let mut map = noise(300, 200);
        let report = |_| reports.fetch_add(1, Ordering::Relaxed) < usize::MAX;
        let mut context = builder.progress(report).build().unwrap();
        assert!(context.isa() <= plain.isa());
        worn(&mut context, &mut map).unwrap();
        assert_eq!((map.hash(), reports.swap(0, Ordering::Relaxed) > 1), (expected.hash(), true), "{what}");
    };
    let sender = worker();
    let runs = AtomicU32::new(0);
    let counting = By(|count: u32, task: Task<'_>| {
        runs.fetch_add(1, Ordering::Relaxed);
        (0..count).for_each(task);
    });
    check("nothing", Context::builder());
    check("threads", Context::builder().threads(3));
    check("backwards", Context::builder().runner(By(backwards)));
    check("too often", Context::builder().runner(By(too_often)));
    check("borrowed", Context::builder().runner(&counting));
    check("shared", Context::builder().runner(Arc::new(By(backwards))));
    check("chosen later", Context::builder().runner(Box::new(By(backwards)) as Box<dyn Runner + Send>));
    check("spawner", Context::builder().spawner(2, move |job| sender.send(job).unwrap()));
    #[cfg(feature = "rayon")]
    check("rayon", Context::builder().rayon());
    let before = runs.load(Ordering::Relaxed);
    check("the last one counts", Context::builder().runner(&counting).threads(2).max_isa(Isa::Baseline));
    assert!(before > 1 && runs.load(Ordering::Relaxed) == before);
    check("partial results", Context::builder().partial_results(true).threads(2));
    assert_eq!(Context::builder().max_isa(Isa::Baseline).build().unwrap().isa(), Isa::Baseline);
    assert_eq!(Context::builder().threads(0).build().unwrap_err().status(), Status::Range);
}

#[test]
fn runners_that_fail() {
    let land = noise(300, 200);
    let mut whole = land.try_clone().unwrap();
    raised(&mut Context::new().unwrap(), &mut whole).unwrap();

    // Tasks that are left out: an error where passes may stop, and done here where they may not.
    for left in [1, 1000] {
        let lazy = By(move |count: u32, task: Task<'_>| (0..count.saturating_sub(left)).for_each(task));
        let mut context = Context::builder().runner(lazy).build().unwrap();
        let mut map = land.try_clone().unwrap();
        let error = worn(&mut context, &mut map).unwrap_err();
        assert_eq!(
            (error.status(), error.to_string().as_str()),
            (Status::Runner, "erode_hydraulic: the runner did not run every task")
        );
        assert_eq!(map.hash(), land.hash());
        raised(&mut context, &mut map).unwrap();
        assert_eq!(map.hash(), whole.hash());
    }

    // Panics half way, and the context is as good as before.
    let calls = AtomicU32::new(0);
    let panics = By(|count: u32, task: Task<'_>| {
        (0..count / 2).for_each(task);
        assert!(calls.fetch_add(1, Ordering::Relaxed) > 1, "no threads");
        (0..count).for_each(task);
    });
    let mut context = Context::builder().runner(&panics).build().unwrap();
    let mut map = land.try_clone().unwrap();
    let panic = catch_unwind(AssertUnwindSafe(|| worn(&mut context, &mut map))).unwrap_err();
    assert_eq!((panic.downcast_ref::<&str>(), map.hash()), (Some(&"no threads"), land.hash()));
    let panic = catch_unwind(AssertUnwindSafe(|| raised(&mut context, &mut map))).unwrap_err();
    assert_eq!((panic.downcast_ref::<&str>(), map.hash()), (Some(&"no threads"), whole.hash()));
    worn(&mut context, &mut map).unwrap();
}

/// The second panic of a call is not dropped within C: to drop this one would panic again.
#[test]
fn panics_that_panic() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("in the library");
        }
    }
    let mut context = Context::builder()
        .runner(By(|_: u32, _: Task<'_>| panic!("first")))
        .progress(|_| panic_any(Bomb))
        .build()
        .unwrap();
    let mut map = noise(300, 200);
    let panic = catch_unwind(AssertUnwindSafe(|| raised(&mut context, &mut map))).unwrap_err();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"first"));
}

/// Jobs that nobody takes up, that are taken up late or at once, and a spawner that panics.
#[test]
fn spawners() {
    let mut expected = noise(300, 200);
    worn(&mut Context::new().unwrap(), &mut expected).unwrap();
    let check = |builder: ContextBuilder<'_>| {
        let mut map = noise(300, 200);
        worn(&mut builder.build().unwrap(), &mut map).unwrap();
        assert_eq!(map.hash(), expected.hash());
    };
    check(Context::builder().spawner(4, drop));
    check(Context::builder().spawner(0, drop));
    check(Context::builder().spawner(u32::MAX, |job| job()));
    let late = Mutex::new(Vec::new());
    check(Context::builder().spawner(3, |job| late.lock().unwrap().push(job)));
    let late = late.into_inner().unwrap();
    assert!(late.len() >= 6);
    late.into_iter().for_each(|job| job());

    let sender = worker();
    let given = AtomicU32::new(0);
    let spawn = move |job| {
        assert!(given.fetch_add(1, Ordering::Relaxed) != 1, "enough");
        sender.send(job).unwrap();
    };
    let mut context = Context::builder().spawner(5, spawn).build().unwrap();
    let mut map = noise(300, 200);
    let panic = catch_unwind(AssertUnwindSafe(|| worn(&mut context, &mut map))).unwrap_err();
    assert_eq!((panic.downcast_ref::<&str>(), map.hash()), (Some(&"enough"), noise(300, 200).hash()));
}

/// A runner that asks the world in the middle of its tile is refused, and neither waits for ever nor breaks the tile.
#[test]
fn tiles_within_tiles() {
    let recipe = Recipe::parse("a = generate_noise seed=3\nb = erode_thermal a iterations=70\n").unwrap();
    let (world, busy) = (World::new(&recipe, 1).unwrap(), AtomicBool::new(false));
    let asks = By(|count: u32, task: Task<'_>| {
        busy.fetch_or(
            world.tile(0, 0, 64, 64).map_or_else(|e| e.status() == Status::Busy, |_| false),
            Ordering::Relaxed,
        );
        (0..count).for_each(task);
    });
    let mut map = Map::new(64, 64).unwrap();
    world.tile_on(&mut Context::builder().runner(asks).build().unwrap(), 0, 0, &mut map).unwrap();
    assert_eq!(
        (map.hash(), busy.into_inner()),
        (World::new(&recipe, 1).unwrap().tile(0, 0, 64, 64).unwrap().hash(), true)
    );
}

#[test]
fn progress_cancel_and_panic() {
    let land = noise(300, 300);
    let mut map = land.try_clone().unwrap();
    let seen = AtomicU32::new(0);
    let slow = || erode::Thermal { iterations: 3000, ..Default::default() };

    let report = |share| seen.fetch_add(1, Ordering::Relaxed) < 3 || share > 2.0;
    let mut context = Context::builder().threads(2).progress(report).build().unwrap();
    assert_eq!(slow().apply_with(&mut context, &mut map).unwrap_err().status(), Status::Cancelled);
    assert_eq!((map.hash(), seen.load(Ordering::Relaxed)), (land.hash(), 4));

    let panicked = AtomicBool::new(false);
    let report = |_| {
        assert!(panicked.swap(true, Ordering::Relaxed), "enough");
        true
    };
    let mut context = Context::builder().progress(report).build().unwrap();
    let panic = catch_unwind(AssertUnwindSafe(|| slow().apply_with(&mut context, &mut map))).unwrap_err();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"enough"));
    assert_eq!(map.hash(), land.hash());
    assert_eq!(blur::Box::default().apply_with(&mut context, &mut map.try_clone().unwrap()), Ok(()));

    let mut context = Context::new().unwrap();
    let canceller = context.canceller().unwrap();
    thread::scope(|scope| {
        scope.spawn(move || canceller.cancel());
        assert_eq!(slow().apply_with(&mut context, &mut map).unwrap_err().status(), Status::Cancelled);
    });
    assert_eq!(map.hash(), land.hash());
}

/// A cancel of one job must not reach the next, however late it comes.
#[test]
fn cancellers_belong_to_jobs() {
    let (mut context, mut map) = (Context::new().unwrap(), noise(64, 64));
    let mut status = |context: &mut Context<'_>| raised(context, &mut map).map_err(|error| error.status());
    let first = context.canceller().unwrap();
    assert_eq!(status(&mut context), Ok(()));
    first.cancel();
    first.clone().cancel();
    assert_eq!(status(&mut context), Err(Status::Cancelled));
    assert_eq!(status(&mut context), Err(Status::Cancelled)); // all of the job's calls
    let second = context.canceller().unwrap();
    first.cancel();
    assert_eq!(status(&mut context), Ok(()));
    let third = context.canceller().unwrap();
    second.cancel();
    assert_eq!(status(&mut context), Ok(()));
    third.cancel();
    drop(context);
    third.cancel();

    let (mut context, (sender, late)) = (Context::new().unwrap(), mpsc::channel::<terrain::Canceller>());
    thread::scope(|scope| {
        scope.spawn(move || late.into_iter().for_each(|canceller| canceller.cancel()));
        for _ in 0..2000 {
            sender.send(context.canceller().unwrap()).unwrap();
            let _ = status(&mut context);
            let _next = context.canceller().unwrap();
            assert_eq!(status(&mut context), Ok(()));
        }
        drop(sender);
    });
}

/// What the builder does not have: an allocator.
#[test]
fn descs_as_c_has_them() {
    use std::alloc::{alloc, dealloc, Layout};
    use std::ffi::c_void;
    static USED: AtomicUsize = AtomicUsize::new(0);
    unsafe extern "C" fn allocate(_: *mut c_void, size: usize, alignment: usize) -> *mut c_void {
        USED.fetch_add(size, Ordering::Relaxed);
        alloc(Layout::from_size_align(size, alignment).unwrap()).cast()
    }
    unsafe extern "C" fn free(_: *mut c_void, pointer: *mut c_void, size: usize) {
        USED.fetch_sub(size, Ordering::Relaxed);
        dealloc(pointer.cast(), Layout::from_size_align(size, 64).unwrap());
    }
    let allocator = sys::terrain_allocator { user: std::ptr::null_mut(), allocate: Some(allocate), free: Some(free) };
    // SAFETY: functions for any thread, which use nothing else.
    let builder = unsafe { Context::builder().desc(|desc| desc.allocator = allocator) };
    let mut context = builder.threads(2).build().unwrap();
    let canceller = context.canceller().unwrap();
    worn(&mut context, &mut noise(300, 200)).unwrap();
    assert!(USED.load(Ordering::Relaxed) > 4 * 300 * 200);
    canceller.cancel();
    let _next = context.canceller().unwrap(); // the library's context is another one
    worn(&mut context, &mut noise(300, 200)).unwrap();
    drop((context, canceller, _next));
    assert_eq!(USED.load(Ordering::Relaxed), 0);
    // SAFETY: refused.
    let wrong = unsafe { Context::builder().desc(|desc| desc.flags |= 1 << 7) };
    assert_eq!(wrong.build().unwrap_err().status(), Status::Argument);
}

/// A context of C's that is destroyed twice or never, loses what C gave it, or begins a job that is cancelled already.
#[test]
fn contexts_of_c() {
    use std::ffi::c_void;
    use std::mem::{size_of, MaybeUninit};
    static BLOCKS: AtomicUsize = AtomicUsize::new(0);
    unsafe extern "C" fn allocate(_: *mut c_void, size: usize, alignment: usize) -> *mut c_void {
        BLOCKS.fetch_add(1, Ordering::Relaxed);
        std::alloc::alloc(std::alloc::Layout::from_size_align(size, alignment).unwrap()).cast()
    }
    unsafe extern "C" fn free(_: *mut c_void, pointer: *mut c_void, size: usize) {
        BLOCKS.fetch_sub(1, Ordering::Relaxed);
        std::alloc::dealloc(pointer.cast(), std::alloc::Layout::from_size_align(size, 64).unwrap());
    }
    let (mut raw, mut expected) = (std::ptr::null_mut::<sys::terrain_context>(), noise(300, 200));
    // SAFETY: valid places, and functions for any thread.
    unsafe {
        let mut desc = MaybeUninit::uninit();
        sys::terrain_context_desc_init(desc.as_mut_ptr(), size_of::<sys::terrain_context_desc>());
        let mut desc = desc.assume_init();
        desc.allocator = sys::terrain_allocator { user: raw.cast(), allocate: Some(allocate), free: Some(free) };
        assert_eq!(sys::terrain_context_create(&desc, &mut raw), sys::TERRAIN_SUCCESS);
    }
    worn(&mut Context::new().unwrap(), &mut expected).unwrap();
    let check = |context: &mut Context<'_>| {
        let mut map = noise(300, 200);
        worn(context, &mut map).map(|()| assert_eq!(map.hash(), expected.hash())).map_err(|error| error.status())
    };
    for _ in 0..3 {
        // SAFETY: nobody else uses it meanwhile.
        let mut context = unsafe { Context::from_raw(raw) };
        assert_eq!((context.as_ptr(), check(&mut context)), (raw as *const _, Ok(())));
        assert!(BLOCKS.load(Ordering::Relaxed) > 1);
        assert_eq!(context.into_raw(), raw);
    }
    // SAFETY: taken over for good.
    let mut context = unsafe { Context::from_raw(raw) };
    let (first, second) = (context.canceller().unwrap(), context.canceller().unwrap());
    first.cancel();
    assert_eq!(check(&mut context), Ok(()));
    second.cancel();
    assert_eq!(check(&mut context), Err(Status::Cancelled));
    assert_eq!(context.canceller().unwrap_err().status(), Status::Unsupported);
    drop((context, first));
    assert!(BLOCKS.load(Ordering::Relaxed) > 0);
    second.cancel();
    drop(second);
    assert_eq!(BLOCKS.load(Ordering::Relaxed), 0);

    // What Rust gave it goes on to work.
    static REPORTS: AtomicUsize = AtomicUsize::new(0);
    let report = |_: f64| REPORTS.fetch_add(1, Ordering::Relaxed) < usize::MAX;
    let raw = Context::builder().threads(2).progress(report).build().unwrap().into_raw();
    // SAFETY: nobody else uses it.
    assert_eq!(check(&mut unsafe { Context::from_raw(raw) }), Ok(()));
    assert!(REPORTS.load(Ordering::Relaxed) > 1);
}

#[cfg(feature = "rayon")]
#[test]
fn rayon() {
    let mut context = Context::rayon().unwrap();
    let (mut here, mut there) = (noise(500, 400), noise(500, 400));
    erode::Hydraulic::default().apply(&mut here).unwrap();
    erode::Hydraulic::default().apply_with(&mut context, &mut there).unwrap();
    assert_eq!(here.hash(), there.hash());
}

/// A thread of rayon's that waits for a tile's tasks must not ask for another tile of the world meanwhile. The tiles are
/// in the pool's own queue, where a thread that waits would look next.
#[cfg(feature = "rayon")]
#[test]
fn rayon_within_rayon() {
    let recipe = Recipe::parse("a = generate_noise seed=3\nb = erode_thermal a iterations=100\n").unwrap();
    let world = World::new(&recipe, 1).unwrap();
    let tile = |i: i64| {
        let mut map = Map::new(200, 200).unwrap();
        world.tile_on(&mut Context::rayon().unwrap(), 200 * i, 0, &mut map).unwrap();
    };
    let (pool, tile) = (::rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap(), &tile);
    pool.in_place_scope(|scope| (0..32).for_each(|i| scope.spawn(move |_| tile(i))));
}

/// Progress that takes up other work of its thread's, a task among it, must not be called within itself.
#[cfg(feature = "rayon")]
#[test]
fn progress_within_progress() {
    let runner = By(|count: u32, task: Task<'_>| {
        ::rayon::scope(|scope| (0..count).for_each(|index| scope.spawn(move |_| task(index))));
    });
    let (mut inside, mut reports) = (false, 0);
    let report = |_| {
        assert!(!std::mem::replace(&mut inside, true));
        ::rayon::yield_now();
        inside = false;
        reports += 1;
        true
    };
    let mut context = Context::builder().runner(runner).progress(report).build().unwrap();
    let mut map = Map::new(2400, 2200).unwrap();
    let slow = generate::Noise { octaves: 16, period: 65536.0, warp_amplitude: 10.0, ..Default::default() };
    let pool = ::rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| slow.apply_with(&mut context, &mut map)).unwrap();
    drop(context);
    assert!(reports > 2);
}
