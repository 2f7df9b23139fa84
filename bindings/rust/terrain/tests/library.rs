// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

//! Guards against a binding that calls something else than C does, crashes on bad input, or loses panics.

use std::collections::HashSet;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use terrain::{
    analyze, blur, combine, erode, generate, shape, stitch, Axes, Context, Diagonal, Hash, Kind, Lattice, Map,
    MeshOptions, Operation, PortRole, Recipe, Run, Scaling, ScoreOptions, ScoreTally, Seams, Status, Tally, Tiling,
    Value, World, WorldOptions,
};

fn noise(width: u32, height: u32) -> Map<'static> {
    generate::Noise { seed: 3, period: 60.0, ..Default::default() }.map(width, height).unwrap()
}

/// The repository's root.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

#[test]
fn readme() {
    let text = std::fs::read_to_string(root().join("README.md")).unwrap();
    let start = text.find("last the hash of the result, which is `").unwrap() + 39;
    let recipe = Recipe::parse(&std::fs::read_to_string(root().join("recipes/main.terrain")).unwrap()).unwrap();
    assert_eq!(recipe.run(&Run::default()).unwrap().hash().to_string(), text[start..start + 16]);
    let mut context = Context::with_threads(3).unwrap();
    assert_eq!(recipe.run_on(&mut context, &Run::default()).unwrap().hash().to_string(), text[start..start + 16]);
}

/// Each call as a recipe makes it.
#[test]
fn operations_are_those_of_recipes() {
    let recipe = |text: &str| {
        let recipe = Recipe::parse(&format!("a = generate_noise seed=3 period=60\n{text}")).unwrap();
        recipe.run(&Run { width: 130, height: 97, ..Default::default() }).unwrap().hash()
    };
    let land = noise(130, 97);
    assert_eq!(land.hash(), recipe(""));

    let mut map = land.try_clone().unwrap();
    erode::Thermal { talus: 0.3, iterations: 9, mode: erode::ThermalMode::Musgrave, ..Default::default() }
        .apply(&mut map)
        .unwrap();
    assert_eq!(map.hash(), recipe("b = erode_thermal a talus=0.3 iterations=9 mode=musgrave\n"));

    let mut eroded = Map::new(130, 97).unwrap();
    let mut map = land.try_clone().unwrap();
    erode::Hydraulic { iterations: 7, mask: Some(&land), eroded: Some(&mut eroded), ..Default::default() }
        .apply(&mut map)
        .unwrap();
    assert_eq!(map.hash(), recipe("b = erode_hydraulic a iterations=7 mask=a\n"));
    assert_eq!(eroded.hash(), recipe("b = erode_hydraulic a iterations=7 mask=a eroded=c\nd = shape_clamp c\n"));

    let mut map = land.try_clone().unwrap();
    shape::Terrace { levels: &[-10.0, 3.0, 15.0], ..Default::default() }.apply(&mut map).unwrap();
    assert_eq!(map.hash(), recipe("b = shape_terrace a levels=-10,3,15\n"));

    let mut map = land.try_clone().unwrap();
    combine::Blend { mode: combine::BlendMode::Maximum, ..Default::default() }.apply(&mut map, &eroded).unwrap();
    assert_eq!(map.row(5)[7], land.row(5)[7].max(eroded.row(5)[7]));

    assert_eq!(analyze::Slope::default().of(&land).unwrap().hash(), recipe("b = analyze_slope a\n"));
    let half = shape::Resample { step: 2.0, ..Default::default() }.of(&land).unwrap();
    assert_eq!((half.width(), half.height(), half.hash()), (65, 49, recipe("b = shape_resample a step=2\n")));
}

#[test]
fn grids() {
    let (mut west, mut east) = (noise(64, 64), generate::Noise::default().map(64, 64).unwrap());
    stitch::Edges { width: 8, ..Default::default() }.apply(&mut [&mut west, &mut east], 2).unwrap();
    assert!((west.row(9)[63] - east.row(9)[0]).abs() < 1e-4);
    let error = stitch::Edges::default().apply(&mut [&mut west, &mut east], 3).unwrap_err();
    assert_eq!(error.status(), Status::Argument);
}

#[test]
fn wrapped_cells() {
    let mut cells = vec![7.0; 20 * 12];
    {
        let mut map = Map::wrap(&mut cells[3..], 10, 12, 20).unwrap();
        map.set_origin(-5, 1 << 40).unwrap();
        generate::Noise { seed: 3, period: 60.0, ..Default::default() }.apply(&mut map).unwrap();
    }
    let mut whole = Map::new(30, 30).unwrap();
    whole.set_origin(-10, (1 << 40) - 10).unwrap();
    generate::Noise { seed: 3, period: 60.0, ..Default::default() }.apply(&mut whole).unwrap();
    for y in 0..12 {
        assert_eq!(cells[20 * y + 3..20 * y + 13], whole.row(10 + y as u32)[5..15]);
        assert!(cells[20 * y..20 * y + 3].iter().all(|&cell| cell == 7.0));
    }
}

#[test]
fn bad_input() {
    let land = noise(40, 30);
    let mut map = land.try_clone().unwrap();
    let error = erode::Thermal { talus: -1.0, ..Default::default() }.apply(&mut map).unwrap_err();
    assert_eq!(
        (error.status(), error.to_string().as_str()),
        (Status::Range, "erode_thermal: talus is -1, must be in [0, 100]")
    );
    let small = noise(40, 29);
    let error = combine::Blend::default().apply(&mut map, &small).unwrap_err();
    assert!(error.to_string().contains("sizes must be equal"));
    assert_eq!(Map::new(0, 5).unwrap_err().status(), Status::Argument);
    assert!(Map::new(0, 5).unwrap_err().to_string().contains("width is 0"));
    let mut small = Map::new(1, 1).unwrap();
    assert!(small.set_cell_size(0.0).unwrap_err().to_string().contains("must be in [1e-6, 1e9]"));
    assert!(small.set_origin(i64::MAX, 0).unwrap_err().to_string().contains("within 2^62"));
    assert!(Map::wrap(&mut [0.0; 10], 5, 3, 5).unwrap_err().to_string().contains("15 do"));
    assert_eq!(Map::wrap(&mut [0.0; 10], 5, 2, 4).unwrap_err().status(), Status::Argument);
    assert_eq!(Map::wrap(&mut [], 0, 0, 0).unwrap_err().status(), Status::Argument);
    assert_eq!(Map::wrap(&mut [0.0], 1, u32::MAX, usize::MAX).unwrap_err().status(), Status::Argument);
    let cells = [0.0; 12];
    let mut read_only = Map::wrap_const(&cells, 4, 3, 4).unwrap();
    assert_eq!(blur::Gaussian::default().apply(&mut read_only).unwrap_err().status(), Status::Argument);
    assert!(catch_unwind(AssertUnwindSafe(|| read_only.row_mut(0)[0] = 1.0)).is_err());
    assert_eq!(map.set_cell_size(f32::NAN).unwrap_err().status(), Status::Range);
    assert_eq!(map.set_origin(i64::MAX, 0).unwrap_err().status(), Status::Range);
    assert_eq!(map.hash(), land.hash());

    let error = Recipe::parse("a = generate_nois").unwrap_err();
    assert!(error.status() == Status::Syntax && error.to_string().contains("did you mean 'generate_noise'"));
    let recipe = Recipe::parse("input a\nb = shape_fill a\n").unwrap();
    assert_eq!(recipe.run(&Run::default()).unwrap_err().status(), Status::Argument);
    assert_eq!(recipe.run(&Run { output: Some("\0"), ..Default::default() }).unwrap_err().status(), Status::Argument);
    let run = Run { width: 40, height: 30, inputs: &[("a", &land)], ..Default::default() };
    assert_eq!(recipe.run(&run).unwrap().hash(), {
        shape::Fill::default().apply(&mut map).unwrap();
        map.hash()
    });
    let basins = Recipe::parse("a = generate_noise\nb = analyze_basins a\n").unwrap();
    assert_eq!(World::new(&basins, 0).err().unwrap().status(), Status::Unsupported);
    let error = Context::with_threads(257).err().unwrap();
    assert_eq!((error.status(), error.to_string().as_str()), (Status::Range, "threads is 257, must be in [1, 256]"));
}

#[test]
fn scale() {
    let recipe = Recipe::parse("a = generate_noise period=80 octaves=3\nb = blur_gaussian a\n").unwrap();
    let mut expected = Map::new(40, 30).unwrap();
    expected.set_origin(7, -2).unwrap();
    generate::Noise { period: 20.0, octaves: 3, ..Default::default() }.apply(&mut expected).unwrap();
    let run = Run {
        width: 40,
        height: 30,
        origin: (7, -2),
        scale: 0.25,
        cell_size: 3.0,
        output: Some("a"),
        ..Default::default()
    };
    let preview = recipe.run(&run).unwrap();
    assert_eq!((preview.hash(), preview.cell_size()), (expected.hash(), 12.0));
    let options = WorldOptions { scale: 0.25, map: Some("a"), ..Default::default() };
    assert_eq!(World::with(&recipe, &options).unwrap().tile(7, -2, 40, 30).unwrap().hash(), expected.hash());
    assert_eq!(recipe.run(&Run { scale: 0.0, ..run }).unwrap_err().status(), Status::Range);
    for wrong in [
        WorldOptions { scale: f64::NAN, ..options },
        WorldOptions { cell_size: 0.0, ..options },
        WorldOptions { map: Some("c"), ..options },
    ] {
        assert!(World::with(&recipe, &wrong).is_err());
    }
    let tight = WorldOptions { memory_limit: 1000, map: None, ..options };
    assert_eq!(World::with(&recipe, &tight).unwrap().tile(0, 0, 512, 512).unwrap_err().status(), Status::Memory);
}

#[test]
fn world_from_many_threads() {
    let recipe = Recipe::parse("a = generate_noise seed=3\nb = erode_thermal a iterations=70\n").unwrap();
    let world = World::new(&recipe, 8).unwrap();
    let run = Run { width: 256, height: 128, origin: (-100, 50), seed: 8, world: true, ..Default::default() };
    let whole = recipe.run(&run).unwrap();
    thread::scope(|scope| {
        for column in 0..4 {
            let (world, whole) = (&world, &whole);
            scope.spawn(move || {
                let tile = world.tile(-100 + 64 * column, 50, 64, 128).unwrap();
                for y in 0..128 {
                    let first = 64 * column as usize;
                    assert_eq!(tile.row(y), &whole.row(y)[first..first + 64]);
                }
            });
        }
    });
    assert!(world.cache_size() > 0);
    world.trim();
    assert_eq!(world.cache_size(), 0);
    world.prepare(-100, 50, 256, 128).unwrap();
    let kept = world.cache_size();
    assert!(kept > 0);
    world.tile(-100, 50, 256, 128).unwrap();
    assert_eq!(world.cache_size(), kept);
    assert!(world.prepare(0, 0, 0, 1).is_err());

    let bytes = world.tile_bytes(-100, 50, 256, 128).unwrap();
    assert!(kept <= bytes.kept && bytes.kept < bytes.needed);
    let options = WorldOptions { seed: 8, cache_bytes: bytes.kept, memory_limit: bytes.needed, ..Default::default() };
    let exact = World::with(&recipe, &options).unwrap();
    exact.prepare(-100, 50, 256, 128).unwrap();
    exact.tile(-100, 50, 256, 128).unwrap();
    let tight = World::with(&recipe, &WorldOptions { cache_bytes: bytes.kept - 1, ..options }).unwrap();
    assert_eq!(tight.prepare(-100, 50, 256, 128).unwrap_err().status(), Status::Memory);
    assert_eq!(world.tile_bytes(0, 0, 0, 1).unwrap_err().status(), Status::Range);
}

/// Maps that a world reads: freed or written before their time, or read where there are none.
#[test]
fn world_with_inputs() {
    let text = "input hill\ninput rough\nnoise = generate_noise seed=3\nsum = combine_blend hill noise mode=add\n\
        worn = erode_thermal sum iterations=40 mask=rough\n";
    let recipe = Recipe::parse(text).unwrap();
    let mut hill = noise(400, 300);
    hill.set_origin(-150, 0).unwrap();
    let mut rough = Map::from_vec((0..400 * 300).map(|i| (i % 7) as f32 / 7.0).collect(), 400, 300).unwrap();
    rough.set_origin(-150, 0).unwrap();
    let window = Run { width: 256, height: 128, origin: (-100, 50), seed: 8, world: true, ..Default::default() };
    let whole = recipe.run(&Run { inputs: &[("hill", &hill), ("rough", &rough)], ..window }).unwrap();

    let (mut hill, rough) = (Arc::new(hill), Arc::new(rough));
    let inputs = [("rough", rough), ("hill", hill.clone())];
    let options = WorldOptions { seed: 8, inputs: &inputs, ..Default::default() };
    let world = World::with(&recipe, &options).unwrap();
    let plain = World::with(&recipe, &WorldOptions { cache_bytes: 0, ..options }).unwrap();
    drop(recipe);
    drop(inputs);
    assert!(Arc::get_mut(&mut hill).is_none());
    thread::scope(|scope| {
        for column in 0..4 {
            let (world, plain, whole) = (&world, &plain, &whole);
            scope.spawn(move || {
                for world in [world, plain] {
                    let tile = world.tile(-100 + 64 * column, 50, 64, 128).unwrap();
                    assert_eq!(tile.hash(), whole.part(64 * column as u32, 0, 64, 128).unwrap().hash());
                }
            });
        }
    });
    for beyond in [world.tile(300, 50, 64, 64).map(drop), world.prepare(300, 50, 64, 64)] {
        let error = beyond.unwrap_err();
        assert!(error.status() == Status::Range && error.to_string().contains("covers x -150 to 249"), "{error}");
    }
    drop(world);
    assert!(Arc::get_mut(&mut hill).is_none()); // the other world has it
    drop(plain);
    Arc::get_mut(&mut hill).unwrap().row_mut(0)[0] = 1.0;
}

#[test]
fn inputs_that_a_world_refuses() {
    let recipe = Recipe::parse("input hill\ninput other\nworn = erode_thermal hill\n").unwrap();
    let map = Arc::new(noise(40, 30));
    let told = |names: &[&'static str]| {
        let inputs: Vec<_> = names.iter().map(|&name| (name, map.clone())).collect();
        World::with(&recipe, &WorldOptions { inputs: &inputs, ..Default::default() }).map(drop)
    };
    for (names, message) in [
        (&[][..], "input 'hill' is missing"),
        (&["other"], "input 'hill' is missing"),
        (&["hill", "hill"], "input 'hill' is given twice"),
        (&["hill", "worn"], "'worn' is not an input"),
        (&["hill", "a\0"], "is no name"),
    ] {
        let error = told(names).unwrap_err();
        assert!(error.status() == Status::Argument && error.to_string().contains(message), "{error}");
    }
    assert_eq!(Arc::strong_count(&map), 1);
    told(&["hill"]).unwrap(); // the other one is not needed
    told(&["hill", "other"]).unwrap();
}

#[test]
fn what_may_go_to_other_threads() {
    fn send<T: Send>() {}
    fn sync<T: Sync>() {}
    send::<Map<'_>>();
    sync::<Map<'_>>();
    send::<Context<'_>>();
    send::<terrain::Canceller>();
    sync::<terrain::Canceller>();
    send::<Recipe>();
    sync::<Recipe>();
    send::<terrain::Plan>();
    sync::<terrain::Plan>();
    send::<World>();
    sync::<World>();
    send::<Tally>();
    send::<ScoreTally>();
    send::<terrain::Params<'_>>();
    send::<Operation>();
    sync::<terrain::Parameter>();
    sync::<terrain::Port>();
}

#[cfg(feature = "ndarray")]
#[test]
fn ndarray_views() {
    use terrain::ndarray::{s, Array2};
    let mut room = Array2::<f32>::zeros((40, 60));
    let mut map = Map::from_array(room.slice_mut(s![5..35, 10..50])).unwrap();
    generate::Noise { seed: 3, period: 60.0, ..Default::default() }.apply(&mut map).unwrap();
    let plain = noise(40, 30);
    assert_eq!((map.hash(), map.stride()), (plain.hash(), 60));
    drop(map);
    assert_eq!(room.slice(s![5..35, 10..50]), plain.view());
    assert!(Map::from_array(room.slice_mut(s![..;-1, ..])).is_err());
    assert!(Map::from_array(room.view_mut().reversed_axes()).is_err());
    assert!(Map::from_array_const(room.slice(s![.., ..;2])).is_err());
    let mut owned = noise(7, 5);
    owned.view_mut().fill(2.0);
    assert!(owned.rows().flatten().all(|&cell| cell == 2.0));
    assert_eq!((owned.rows().len(), owned.rows().next_back()), (owned.height() as usize, owned.rows().last()));
}

#[test]
fn meshes_of_neighbouring_tiles_meet() {
    let world = World::new(&Recipe::parse("a = generate_noise seed=3 period=20\n").unwrap(), 5).unwrap();
    let mesh_of = |x| {
        let tile = world.tile(x - 1, 4, 11, 11).unwrap();
        let window = Some((x, 5, 9, 9));
        tile.mesh(&MeshOptions { window, diagonal: Diagonal::Flatter, ..Default::default() }).unwrap()
    };
    let (west, east) = (mesh_of(0), mesh_of(8));
    assert_eq!((west.positions.len(), west.normals.len(), west.indices.len()), (81, 81, 6 * 64));
    for row in 0..9 {
        let (last, first) = (9 * row + 8, 9 * row);
        assert_eq!(west.positions[last][1], east.positions[first][1]);
        assert_eq!(west.normals[last], east.normals[first]);
        assert!(west.normals[last][1] > 0.0);
    }
    assert!(west.indices.iter().all(|&index| index < 81));
    let map = noise(4, 4);
    let up = map.mesh(&MeshOptions { axes: Axes::ZUp, ..Default::default() }).unwrap();
    assert_eq!(up.positions[7], [3.0, -1.0, map.row(1)[3]]);
    let error = map.mesh(&MeshOptions { window: Some((0, 0, 5, 4)), ..Default::default() }).unwrap_err();
    assert_eq!(error.status(), Status::Range);
    assert_eq!(noise(1, 3).mesh(&MeshOptions::default()).unwrap().indices.len(), 0);
}

/// Buffers that are too short, and cells between vertices that are written.
#[test]
fn meshes_into_buffers() {
    let (map, options, context) = (noise(9, 7), MeshOptions::default(), &mut Context::with_threads(2).unwrap());
    let mut mesh = noise(20, 20).mesh(&options).unwrap();
    let (room, expected) = (mesh.positions.as_ptr(), map.mesh(&options).unwrap());
    map.mesh_into(context, &options, &mut mesh).unwrap();
    assert_eq!((&mesh, mesh.positions.as_ptr()), (&expected, room));
    assert_eq!(format!("{mesh:?}"), "Mesh(63 vertices, 96 triangles)");
    noise(1, 3).mesh_into(context, &options, &mut mesh).unwrap();
    assert_eq!((mesh.normals.len(), mesh.indices.len()), (3, 0));

    assert_eq!(map.mesh_size(&options), Ok((63, 288)));
    let mut buffer = vec![7.0; 7 * 62 + 6];
    map.mesh_positions(context, &options, &mut buffer, 7).unwrap();
    map.mesh_normals(context, &options, &mut buffer[3..], 7).unwrap();
    for (index, vertex) in buffer.chunks(7).enumerate() {
        assert_eq!(vertex[..6], [expected.positions[index], expected.normals[index]].concat());
        assert!(vertex[6..].iter().all(|&between| between == 7.0));
    }
    let mut indices = vec![u32::MAX; 290];
    map.mesh_indices(context, &options, &mut indices).unwrap();
    assert_eq!((&indices[..288], &indices[288..]), (&expected.indices[..], &[u32::MAX; 2][..]));

    let before = buffer.clone();
    let error = map.mesh_normals(context, &options, &mut buffer[4..], 7).unwrap_err();
    assert_eq!(
        (error.status(), error.to_string().as_str()),
        (Status::Argument, "the buffer has 436 numbers, must have 437")
    );
    for (length, stride) in [(440, 8), (440, usize::MAX), (440, usize::MAX / 31), (440, 2), (440, 0), (0, 3)] {
        let error = map.mesh_positions(context, &options, &mut buffer[..length], stride).unwrap_err();
        assert_eq!(error.status(), Status::Argument, "{length} {stride}");
    }
    assert_eq!(map.mesh_indices(context, &options, &mut indices[..287]).unwrap_err().status(), Status::Argument);
    let beyond = MeshOptions { window: Some((0, 0, 10, 7)), ..options };
    assert_eq!(map.mesh_positions(context, &beyond, &mut buffer, 7).unwrap_err().status(), Status::Range);
    assert_eq!(buffer, before);
}

/// What the C interface has made lives on in this one, and the other way round.
#[test]
fn recipes_and_worlds_of_c() {
    use std::mem::{size_of, MaybeUninit};
    use std::ptr::null_mut;
    use terrain::sys;
    let text = "land = generate_noise seed=3 # rough\nworn = erode_thermal land\n";
    let recipe = Recipe::parse(text).unwrap();
    let (mut raw, mut desc) = (null_mut(), MaybeUninit::uninit());
    // SAFETY: a recipe that outlives the world, which is nobody else's.
    let world = unsafe {
        sys::terrain_world_desc_init(desc.as_mut_ptr(), size_of::<sys::terrain_world_desc>());
        let mut desc = desc.assume_init();
        (desc.recipe, desc.seed) = (recipe.as_ptr(), 8);
        assert_eq!(sys::terrain_world_create(null_mut(), &desc, &mut raw), sys::TERRAIN_SUCCESS);
        World::from_raw(raw)
    };
    assert_eq!((world.as_ptr(), format!("{world:?}").as_str()), (raw, "World(0 bytes kept)"));
    assert_eq!(world.tile_outputs(5, 6, 50, 40).unwrap_err().status(), Status::Argument);
    let tile = World::new(&recipe, 8).unwrap().tile(5, 6, 50, 40).unwrap();
    assert_eq!(world.tile(5, 6, 50, 40).unwrap().hash(), tile.hash());
    let mut map = Map::new(50, 40).unwrap();
    // SAFETY: a valid world, context and map.
    let status = unsafe {
        let context = &mut Context::new().unwrap();
        sys::terrain_world_tile(context.as_mut_ptr(), world.as_ptr(), 5, 6, map.as_mut_ptr())
    };
    assert_eq!((status, map.hash()), (sys::TERRAIN_SUCCESS, tile.hash()));

    let mut raw = null_mut();
    // SAFETY: a valid text and place, and a recipe that is nobody else's.
    let taken = unsafe {
        sys::terrain_recipe_parse(null_mut(), text.as_ptr().cast(), text.len(), &mut raw);
        Recipe::from_raw(raw)
    };
    assert_eq!((taken.as_ptr(), taken.to_string()), (raw as *const _, recipe.formatted().unwrap()));
    // SAFETY: as above.
    let empty = unsafe {
        sys::terrain_recipe_create(null_mut(), &mut raw);
        Recipe::from_raw(raw)
    };
    assert_eq!((empty.result(), empty.to_string().as_str(), empty.maps().len()), (None, "", 0));
    assert!(empty.run(&Run::default()).is_err() && World::new(&empty, 0).is_err());
}

#[test]
fn halos_and_windows() {
    let thermal = erode::Thermal { iterations: 7, ..Default::default() };
    assert_eq!((thermal.halo(), shape::Clamp::default().halo()), (Ok(Some(7)), Ok(Some(0))));
    assert_eq!(shape::Fill::default().halo(), Ok(None));
    let tiling = |name| Operation::find(name).unwrap().tiling();
    assert_eq!((tiling("shape_clamp"), tiling("shape_fill")), (Tiling::Windows, Tiling::Regions));
    assert_eq!(tiling("stitch_edges"), Tiling::None);
    assert_eq!(thermal.window(0, (100, 50, 30, 20)), Ok((93, 43, 44, 34)));
    let told = |result: terrain::Result<_>| result.map(drop).unwrap_err().to_string();
    assert_eq!(told(thermal.window(9, (0, 0, 5, 5))), "erode_thermal: it reads no map at that port");
    assert_eq!(
        told(generate::Noise::default().window(0, (0, 0, 5, 5))),
        "generate_noise: it reads no map at that port"
    );
    assert!(told(shape::Fill::default().window(0, (0, 0, 5, 5))).contains("shape_fill: it is global"));
    let error = erode::Thermal { talus: -1.0, ..Default::default() }.halo().unwrap_err();
    assert_eq!(
        (error.status(), error.to_string().as_str()),
        (Status::Range, "erode_thermal: a value is outside its range")
    );
}

#[test]
fn plans() {
    let text = "input land\nhills = generate_noise seed=25\nsum = combine_blend land hills\nworn = erode_thermal sum\n";
    let recipe = Recipe::parse(text).unwrap();
    assert!(recipe.inputs().eq(["land"]));
    assert!(recipe.maps().eq(["land", "hills", "sum", "worn"]));
    recipe.check_world(None).unwrap();
    let error = recipe.check_world(Some("wor")).unwrap_err();
    assert!(error.status() == Status::Argument && error.to_string().contains("did you mean 'worn'"), "{error}");

    let land = noise(40, 30);
    let run = Run { width: 40, height: 30, inputs: &[("land", &land)], ..Default::default() };
    let plan = recipe.plan(&run, &["worn", "hills"]).unwrap();
    assert!(plan.bytes() > 4 * 40 * 30 && plan.cells() >= 3 * 40 * 30);
    assert_eq!(plan.window("hills").unwrap(), (0, 0, 40, 30));
    assert_eq!(plan.window("nothing").unwrap_err().to_string(), "'nothing' is no output or input of the plan");
    let expected =
        [recipe.run(&run).unwrap().hash(), recipe.run(&Run { output: Some("hills"), ..run }).unwrap().hash()];
    let maps = plan.run(run.inputs).unwrap();
    assert_eq!([maps[0].hash(), maps[1].hash()], expected);
    assert_eq!(recipe.plan(&run, &[]).unwrap().run(run.inputs).unwrap()[0].hash(), expected[0]);
    let hills = recipe.plan(&Run { output: Some("hills"), ..run }, &[]).unwrap();
    assert_eq!(hills.run(run.inputs).unwrap()[0].hash(), expected[1]);

    assert!(plan.run(&[]).unwrap_err().to_string().contains("input 'land'"));
    assert_eq!(plan.run(&[("lamd", &land)]).unwrap_err().to_string(), "'lamd' is no input of the plan");
    assert_eq!(plan.run(&[("land", &noise(41, 30))]).unwrap_err().status(), Status::Range);
    assert_eq!(recipe.plan(&run, &["wron"]).unwrap_err().status(), Status::Argument);
    assert_eq!(recipe.plan(&Run { inputs: &[], ..run }, &[]).unwrap_err().status(), Status::Argument);
    assert_eq!(recipe.plan(&Run { memory_limit: 1000, ..run }, &[]).unwrap_err().status(), Status::Memory);
    assert!(recipe.run_outputs(&run, &[]).is_err());
    drop(recipe); // the plan holds what it needs
    assert_eq!(plan.run(run.inputs).unwrap()[1].hash(), expected[1]);
}

/// In a world an input may be asked for its window first, and given then.
#[test]
fn plan_of_a_world() {
    let recipe = Recipe::parse("input land\nworn = erode_thermal land iterations=3\n").unwrap();
    let run = Run { width: 40, height: 30, origin: (7, -5), world: true, ..Default::default() };
    let plan = recipe.plan(&run, &[]).unwrap();
    let (x, y, width, height) = plan.window("land").unwrap();
    assert_eq!((x, y, width, height), (4, -8, 46, 36));
    let mut land = noise(width, height);
    land.set_origin(x, y).unwrap();
    let worn = plan.run(&[("land", &land)]).unwrap().remove(0);
    assert_eq!(worn.hash(), recipe.run(&Run { inputs: &[("land", &land)], ..run }).unwrap().hash());
    assert_eq!(worn.origin(), (7, -5));
    let recipe = Recipe::parse("input a\ninput b\nc = shape_clamp a\n").unwrap();
    let plan = recipe.plan(&Run { width: 9, height: 8, world: true, ..Default::default() }, &[]).unwrap();
    assert_eq!(plan.window("b").unwrap(), (0, 0, 0, 0));
    assert_eq!(plan.run(&[("a", &noise(9, 8))]).unwrap()[0].width(), 9);
    assert_eq!(plan.run(&[]).unwrap_err().status(), Status::Argument);
}

#[test]
fn figures() {
    let mut cells: Vec<f32> = (0..40 * 40).map(|i| (i / 40 - 19).max(0) as f32).collect();
    // Half a plane, half a slope of 1: units reach the plane alone, but for the row where the slope begins.
    let half = Map::wrap_const(&cells, 40, 40, 40).unwrap();
    let score = half.score(&ScoreOptions::default()).unwrap();
    assert_eq!(
        [score.count, score.accessible, score.flat, score.reachable, score.buildable],
        [1600, 760, 760, 760, 760]
    );
    assert_eq!((score.mean_slope, score.playability), (0.525, (760.0_f64 / 1600.0).powi(2)));
    let units = ScoreOptions { unit_slope: 1.0, unit_size: 2, ..Default::default() };
    assert_eq!(half.score(&units).unwrap().reachable, 1600);
    let wrong = ScoreOptions { building_slope: 2.0, ..units };
    let error = half.score(&wrong).unwrap_err();
    assert!(error.status() == Status::Range && error.to_string().contains("building_slope"), "{error}");

    assert_eq!(half.pack_u8(0.0, 20.0).unwrap(), cells.iter().map(|h| (h * 12.75 + 0.5) as u8).collect::<Vec<_>>());
    assert_eq!(half.pack_u16(20.0, 0.0).unwrap()[..41], [65535; 41]);
    assert_eq!(half.pack_u16(1.0, 1.0).unwrap_err().status(), Status::Range);
    drop(half);

    (cells[0], cells[1]) = (f32::NAN, f32::INFINITY);
    let figures = Map::wrap_const(&cells, 40, 40, 40).unwrap().measure().unwrap();
    assert_eq!((figures.count, figures.nan_count, figures.infinite_count), (1598, 1, 1));
    assert_eq!((figures.minimum, figures.maximum, figures.sum), (0.0, 20.0, 8400.0));
    assert_eq!(figures.mean, 8400.0 / 1598.0);
    assert_eq!(figures.standard_deviation, figures.variance.sqrt());
    assert!(Map::wrap_const(&cells[..2], 2, 1, 2).unwrap().measure().unwrap().mean.is_nan());

    let map = Map::wrap_const(&cells, 40, 40, 40).unwrap();
    let all = map.histogram(0.0, 20.0, 5).unwrap();
    assert_eq!(all.iter().sum::<u64>(), figures.count);
    assert_eq!(map.histogram(30.0, 31.0, 3).unwrap(), [0, 0, 0]);
    for (low, high, bins, status, word) in [
        (1.0, 1.0, 3, Status::Range, "low"),
        (f32::NAN, 1.0, 3, Status::Range, "low"),
        (0.0, 1.0, 0, Status::Argument, "bins"),
        (0.0, 1.0, u32::MAX, Status::Argument, "bins"),
    ] {
        let error = map.histogram(low, high, bins).unwrap_err();
        assert!(error.status() == status && error.to_string().contains(word), "{error}");
    }

    let land = noise(200, 200);
    let mut last = 0.0;
    let figures = land
        .landform_on(
            &mut Context::builder()
                .progress(|share| {
                    last = share;
                    true
                })
                .build()
                .unwrap(),
        )
        .unwrap();
    assert_eq!(last, 1.0);
    assert!(figures.undrained > 0.3 && figures.forms_distance > 0.0 && figures.forms_distance < 1.0);
    let f = figures.forms;
    let all = f.flat + f.peak + f.ridge + f.shoulder + f.spur + f.slope + f.hollow + f.footslope + f.valley + f.pit;
    assert!((all - 1.0).abs() < 1e-9 && f.slope > f.flat);
    assert!(noise(3, 3).landform().unwrap().hack.is_nan());
}

#[test]
fn several_outputs() {
    let recipe = Recipe::parse("a = generate_noise seed=3\nb = shape_clamp a low=0\nc = blur_box b\n").unwrap();
    let run = Run { width: 50, height: 40, ..Default::default() };
    let mut context = Context::new().unwrap();
    let maps = recipe.run_outputs_on(&mut context, &run, &["c", "a"]).unwrap();
    let alone = |name| recipe.run(&Run { output: Some(name), ..run }).unwrap().hash();
    assert_eq!([maps[0].hash(), maps[1].hash()], [alone("c"), alone("a")]);
    let error = recipe.run_outputs(&run, &["c", "none"]).unwrap_err();
    assert!(error.to_string().contains("makes no map 'none'"), "{error}");
}

/// Guards against outputs of a world that are mixed up, differ from those computed alone, or are not refused.
#[test]
fn several_outputs_of_a_world() {
    let text = "a = generate_noise seed=3\nb = erode_thermal a iterations=70\nd = generate_noise\nc = blur_box b\n";
    let recipe = Recipe::parse(text).unwrap();
    let mut context = Context::new().unwrap();
    let run = Run { width: 64, height: 48, origin: (-100, 50), seed: 8, world: true, ..Default::default() };
    let names = ["c", "d", "b"];
    let whole = recipe.run_outputs_on(&mut context, &run, &names).unwrap();
    let options = WorldOptions { seed: 8, outputs: &names, ..Default::default() };
    let world = World::with(&recipe, &options).unwrap();
    assert!(format!("{world:?}").starts_with("World(c, d, b, 0 bytes"), "{world:?}");
    let tiles = world.tile_outputs(-100, 50, 64, 48).unwrap();
    assert_eq!(tiles.len(), 3);
    for (tile, whole) in tiles.iter().zip(&whole) {
        assert_eq!((tile.hash(), tile.origin()), (whole.hash(), (-100, 50)));
    }
    assert_eq!(world.tile(-100, 50, 64, 48).unwrap().hash(), whole[0].hash());

    let (mut one, mut other) = (Map::new(64, 48).unwrap(), Map::new(64, 48).unwrap());
    let before = world.cache_size();
    world.trim();
    world.tile_outputs_on(&mut context, -100, 50, &mut [None, Some(&mut one)]).unwrap();
    assert_eq!((one.hash(), before > 0, world.cache_size()), (whole[1].hash(), true, 0)); // nothing eroded
    world.tile_outputs_on(&mut context, -100, 50, &mut [Some(&mut other), None, Some(&mut one)]).unwrap();
    assert_eq!([other.hash(), one.hash()], [whole[0].hash(), whole[2].hash()]);

    let mut small = Map::new(64, 47).unwrap();
    for (maps, message) in [
        (&mut [Some(&mut one), None, None, None][..], "count is 4, the world shows 3 maps"),
        (&mut [None, None], "all maps are NULL"),
        (&mut [], "all maps are NULL"),
        (&mut [Some(&mut other), Some(&mut small)], "maps[1] is 64x47, must be 64x48"),
    ] {
        let error = world.tile_outputs_on(&mut context, 0, 0, maps).unwrap_err();
        assert!(error.status() == Status::Argument && error.to_string().contains(message), "{error}");
    }
    assert_eq!([other.hash(), one.hash()], [whole[0].hash(), whole[2].hash()]);

    let alone = World::with(&recipe, &WorldOptions { outputs: &[], map: Some("d"), ..options }).unwrap();
    assert_eq!(alone.tile_outputs(-100, 50, 64, 48).unwrap().remove(0).hash(), whole[1].hash());
    for (wrong, message) in [
        (WorldOptions { map: Some("a"), ..options }, "a world has a map or outputs"),
        (WorldOptions { outputs: &["a", "none"], ..options }, "'none'"),
        (WorldOptions { outputs: &["a", "b\0"], ..options }, "is no name"),
    ] {
        let error = World::with(&recipe, &wrong).unwrap_err();
        assert!(error.status() == Status::Argument && error.to_string().contains(message), "{error}");
    }
}

/// Guards against a table that lacks what an editor asks, and values that are not read as they are shown.
#[test]
fn table() {
    assert_eq!(Operation::find("erode_thermal").map(Operation::verb), Some("erode"));
    assert!(Operation::find("erode_therma").is_none() && Operation::find("a\0").is_none());
    assert_eq!("erode".parse::<Operation>().unwrap_err().to_string(), "there is no operation 'erode'");
    let names: Vec<_> = Operation::all().map(Operation::name).collect();
    assert!(names.len() > 40 && names.contains(&erode::Thermal::NAME) && names.contains(&stitch::Edges::NAME));
    for operation in Operation::all() {
        assert!(operation.name().starts_with(operation.verb()) && !operation.summary().is_empty());
        assert!(operation.result_version() > 0 && operation.name().parse() == Ok(operation));
        assert!(operation.ports().any(|port| port.role() != PortRole::Read));
        let mut params = operation.params();
        assert_eq!(params.to_string(), "");
        for parameter in operation.parameters() {
            assert_eq!(operation.parameter(parameter.name()), Some(parameter));
            assert!(!parameter.doc().is_empty());
            let default = match parameter.kind() {
                Kind::Float { low, high, default } => {
                    let (from, to) = parameter.slider().unwrap();
                    assert!(low <= default && default <= high && from < to, "{parameter:?}");
                    Value::Float(default)
                }
                Kind::Integer { low, high, default } => {
                    assert!(low <= default && default <= high);
                    Value::Integer(default)
                }
                Kind::Bool { default } => Value::Bool(default),
                Kind::Enum { default } => {
                    assert!(parameter.choices().any(|choice| choice.name == default && !choice.doc.is_empty()));
                    Value::Text(default.into())
                }
                Kind::Floats { longest, .. } => {
                    assert!(longest > 0);
                    continue;
                }
                _ => {
                    let port = parameter.port().unwrap();
                    assert!(port.is_parameter() && port.name() == parameter.name());
                    continue;
                }
            };
            assert_eq!(params.get(parameter.name()), Ok(default.clone()), "{parameter:?}");
            params.set(parameter.name(), default.to_string()).unwrap();
            assert_eq!(params.get(parameter.name()), Ok(default), "{parameter:?}");
        }
    }

    let thermal = Operation::find("erode_thermal").unwrap();
    let talus = thermal.parameter("talus").unwrap();
    assert_eq!((talus.unit(), talus.scaling(), talus.is_seed()), ("slope", Scaling::Fixed, false));
    assert_eq!(talus.slider().map(|(low, _)| low), Some(0.0));
    let iterations = thermal.parameter("iterations").unwrap();
    assert!(matches!(iterations.kind(), Kind::Integer { low: 0, .. }));
    assert_eq!(iterations.scaling(), Scaling::Own);
    let mode = thermal.parameter("mode").unwrap();
    assert!(mode.choices().map(|choice| choice.name).eq(erode::ThermalMode::ALL.iter().map(|mode| mode.name())));
    let spacing = Operation::find("generate_diamond_square").unwrap().parameter("spacing").unwrap();
    assert!(spacing.is_power_of_two() && !iterations.is_power_of_two());
    assert!(mode.slider().is_none() && talus.choices().next().is_none());
    let mask = thermal.parameter("mask").unwrap().port().unwrap();
    assert!(mask.is_mask() && mask.is_optional() && mask.role() == PortRole::Read && mask.lattice() == Lattice::Call);
    let both: HashSet<_> = thermal.parameters().chain([talus, mode]).collect();
    assert!(both.len() == thermal.parameters().len() && both.contains(&mode));
    let noise = Operation::find("generate_noise").unwrap();
    assert!(noise.parameter("seed").unwrap().is_seed() && noise.parameter("sede").is_none());
    let control = Operation::find("generate_drainage").unwrap().parameter("control").unwrap().port().unwrap();
    assert!(matches!(control.lattice(), Lattice::Coarse { spacing } if spacing.contains("spacing")));
}

/// Guards against parameters by name that are not those of the structs.
#[test]
fn parameters_by_name() {
    let land = noise(130, 97);
    let hash_of = |params: &mut terrain::Params<'_>, inputs: &[&Map<'_>]| {
        let mut map = land.try_clone().unwrap();
        params.apply(inputs, &mut [&mut map]).unwrap();
        map.hash()
    };
    let named = |name: &str| Operation::find(name).unwrap().params();

    let mut params = named("erode_thermal");
    params.set("talus", 0.3).unwrap();
    params.set("iterations", 9).unwrap();
    params.set("mode", erode::ThermalMode::Musgrave.name()).unwrap();
    params.set_map("mask", &land).unwrap();
    let mut map = land.try_clone().unwrap();
    erode::Thermal {
        talus: 0.3,
        iterations: 9,
        mode: erode::ThermalMode::Musgrave,
        mask: Some(&land),
        ..Default::default()
    }
    .apply(&mut map)
    .unwrap();
    assert_eq!(hash_of(&mut params, &[]), map.hash());
    assert_eq!(params.halo(), Ok(Some(18)));
    assert_eq!(params.window(0, (0, 0, 10, 10)), Ok((-18, -18, 46, 46)));

    let mut eroded = Map::new(130, 97).unwrap();
    let mut params = named("erode_hydraulic");
    params.set("iterations", 7_u32).unwrap();
    params.set_output("eroded", &mut eroded).unwrap();
    let hash = hash_of(&mut params, &[]);
    let mut map = land.try_clone().unwrap();
    let mut expected = Map::new(130, 97).unwrap();
    erode::Hydraulic { iterations: 7, eroded: Some(&mut expected), ..Default::default() }.apply(&mut map).unwrap();
    assert_eq!((hash, eroded.hash()), (map.hash(), expected.hash()));

    let mut params = named("shape_terrace");
    let levels = vec![-10.0, 3.0, 15.0];
    params.set("levels", "1").unwrap();
    params.set("levels", "-10,3,15").unwrap();
    assert_eq!(params.get("levels"), Ok(Value::Floats(levels.clone())));
    assert!(params.to_string().contains("levels=-10,3,15"), "{params}");
    let mut map = land.try_clone().unwrap();
    shape::Terrace { levels: &levels, ..Default::default() }.apply(&mut map).unwrap();
    assert_eq!(hash_of(&mut params, &[]), map.hash());
    params.set("levels", Vec::new()).unwrap();
    assert_eq!(params.to_string(), "");

    let mut map = land.try_clone().unwrap();
    combine::Blend::default().apply(&mut map, &expected).unwrap();
    assert_eq!(hash_of(&mut named("combine_blend"), &[&expected]), map.hash());
    let mut slope = Map::new(130, 97).unwrap();
    named("analyze_slope").apply(&[&land], &mut [&mut slope]).unwrap();
    assert_eq!(slope.hash(), analyze::Slope::default().of(&land).unwrap().hash());
    let mut params = named("shape_resample");
    params.set("step", 2).unwrap();
    assert_eq!(params.result_window((0, 0, 130, 97)), Ok((0, 0, 65, 49)));

    let (mut west, mut east) = (noise(64, 64), generate::Noise::default().map(64, 64).unwrap());
    let (mut left, mut right) = (west.try_clone().unwrap(), east.try_clone().unwrap());
    stitch::Edges { width: 8, ..Default::default() }.apply(&mut [&mut west, &mut east], 2).unwrap();
    let mut params = named("stitch_edges");
    params.set("width", 8).unwrap();
    params.apply_grid(&mut [&mut left, &mut right], 2).unwrap();
    assert_eq!((left.hash(), right.hash()), (west.hash(), east.hash()));
    params.apply(&[], &mut [&mut left, &mut right]).unwrap();

    // Every type's whole range, and what has no effect.
    let mut params = named("generate_noise");
    params.set("seed", u64::MAX).unwrap();
    assert_eq!(params.get("seed"), Ok(Value::Integer(u64::MAX.into())));
    assert_eq!(params.to_string(), format!("seed={}", u64::MAX));
    let idle = |each: &terrain::Parameter| each.operation().params().has_effect(each.name()) == Ok(false);
    let mut found = 0;
    for parameter in Operation::all().flat_map(Operation::parameters).filter(idle) {
        assert!(parameter.operation().parameter(parameter.when().unwrap()).is_some());
        if let Kind::Float { low, high, default } = parameter.kind() {
            let mut params = parameter.operation().params();
            params.set(parameter.name(), if default == high { low } else { high }).unwrap();
            assert_eq!(params.to_string(), "", "{parameter:?}");
            found += 1;
        }
    }
    assert!(found > 2);
}

#[test]
fn wrong_parameters_by_name() {
    let mut params = Operation::find("erode_thermal").unwrap().params();
    let mut land = noise(20, 20);
    let (before, mut said) = (land.hash(), Vec::new());
    for (name, value) in [
        ("tallus", Value::Float(1.0)),
        ("talus", Value::Float(-1.0)),
        ("talus", Value::Float(f32::NAN)),
        ("talus", "101".into()),
        ("talus", "steep".into()),
        ("talus", Value::Bool(true)),
        ("iterations", Value::Float(1.5)),
        ("iterations", Value::Integer(-1)),
        ("mode", "musgrav".into()),
        ("mode", Value::Integer(1)),
        ("mask", "land".into()),
    ] {
        let error = params.set(name, value).unwrap_err();
        assert!(matches!(error.status(), Status::Argument | Status::Range));
        said.push(error.to_string());
    }
    let modes = erode::ThermalMode::ALL.iter().map(|mode| mode.name()).collect::<Vec<_>>().join(", ");
    assert_eq!(said[0], "erode_thermal: it has no parameter 'tallus'");
    assert_eq!(said[1], "erode_thermal: talus is -1, must be in [0, 100]");
    assert_eq!(said[2], "erode_thermal: talus is NaN, must be in [0, 100]");
    assert_eq!(said[3], "erode_thermal: talus is 101, must be in [0, 100]");
    assert_eq!(said[4], "erode_thermal: talus is 'steep', must be a number");
    assert_eq!(said[5], "erode_thermal: talus is true, must be a number");
    assert_eq!(said[6], "erode_thermal: iterations is 1.5, must be a whole number");
    assert!(said[7].starts_with("erode_thermal: iterations is -1, must be in [0, "));
    assert_eq!(said[8], format!("erode_thermal: mode is 'musgrav', must be one of {modes}"));
    assert_eq!(said[9], "erode_thermal: mode is 1, must be a name");
    assert_eq!(said[10], "erode_thermal: mask is 'land', must be a map, by set_map");
    assert_eq!(params.to_string(), "");
    let mask = noise(20, 20);
    assert!(params.get("mask").is_err() && params.set_map("talus", &mask).is_err());
    assert_eq!("musgrave".parse(), Ok(erode::ThermalMode::Musgrave));
    assert_eq!(
        "musgrav".parse::<erode::ThermalMode>().unwrap_err().to_string(),
        said[8].replace("erode_thermal: ", "")
    );

    let error = params.apply(&[], &mut []).unwrap_err();
    assert_eq!(error.to_string(), "erode_thermal: it reads 0 and writes 1 of the maps, not 0 and 0");
    let error = params.apply(&[&noise(20, 20)], &mut [&mut land]).unwrap_err();
    assert_eq!(error.status(), Status::Argument);
    assert_eq!(params.apply_grid(&mut [&mut land], 1).unwrap_err().status(), Status::Argument);
    assert_eq!(land.hash(), before);
    let mut terrace = Operation::find("shape_terrace").unwrap().params();
    assert!(terrace.set("levels", "1,,2").unwrap_err().to_string().contains("numbers with commas"));
    assert_eq!(terrace.set("levels", vec![f32::NAN]).unwrap_err().status(), Status::Range);
    assert_eq!(terrace.set("levels", vec![0.0; 1 << 20]).unwrap_err().status(), Status::Range);
    assert_eq!(terrace.get("levels"), Ok(Value::Floats(Vec::new())));
}

/// What a call of this panics with.
fn panic_of(call: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(call)).unwrap_err();
    let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap()
}

#[test]
fn cells_by_row_and_column() {
    let mut cells = vec![7.0; 20 * 3];
    let mut map = Map::wrap(&mut cells, 10, 3, 20).unwrap();
    map[(2, 9)] = 5.0;
    map[(1, 0)] += 1.0;
    assert_eq!((map[(2, 9)], map[(1, 0)], map.row(1)[0], map[(0, 0)]), (5.0, 8.0, 8.0, 7.0));
    assert!(map.as_slice().is_none() && map.as_mut_slice().is_none());
    assert_eq!(panic_of(|| assert!(map[(3, 0)] > 0.0)), "row 3, column 0 of a map of 3 rows, 10 columns");
    assert_eq!(panic_of(|| map[(0, 10)] = 1.0), "row 0, column 10 of a map of 3 rows, 10 columns");
    assert_eq!(map.into_vec().len(), 30);
    assert_eq!((cells[20], cells[49], cells[10]), (8.0, 5.0, 7.0));

    let constant = [1.0, 2.0];
    let mut map = Map::wrap_const(&constant, 2, 1, 2).unwrap();
    assert_eq!((map[(0, 1)], map.as_slice()), (2.0, Some(&constant[..])));
    assert!(map.as_mut_slice().is_none());
    assert!(panic_of(|| map[(0, 0)] = 1.0).contains("to be read alone"));
    assert!(catch_unwind(AssertUnwindSafe(|| map.part_mut(0, 0, 1, 1).unwrap()[(0, 0)] = 1.0)).is_err());
}

#[test]
fn maps_of_vectors() {
    let cells: Vec<f32> = (0..12).map(|cell| cell as f32).collect();
    let first = cells.as_ptr();
    let map = Map::from_vec(cells, 4, 3).unwrap();
    let mut moved = Box::new(map);
    assert_eq!((moved[(2, 1)], moved.stride(), moved.as_slice().unwrap().as_ptr()), (9.0, 4, first));
    shape::Clamp { high: 5.0, ..Default::default() }.apply(&mut moved).unwrap();
    let cells = moved.into_vec();
    assert_eq!((cells.as_ptr(), cells[5], cells[11]), (first, 5.0, 5.0));
    drop(Map::from_vec(cells, 4, 3).unwrap());
    let land = noise(40, 30);
    let hash = land.hash();
    assert_eq!(Map::from_vec(land.into_vec(), 40, 30).unwrap().hash(), hash);
    let error = Map::from_vec(vec![0.0; 13], 4, 3).unwrap_err();
    assert_eq!((error.status(), error.to_string().as_str()), (Status::Argument, "a map of 4x3 has 12 cells, not 13"));
    assert_eq!(Map::from_vec(Vec::new(), 0, 3).unwrap_err().status(), Status::Argument);
    assert_eq!(Map::from_vec(Vec::new(), u32::MAX, u32::MAX).unwrap_err().status(), Status::Argument);
}

#[test]
fn parts_of_maps() {
    let mut land = noise(40, 30);
    land.set_origin(100, -7).unwrap();
    land.set_cell_size(3.0).unwrap();
    let part = land.part(5, 6, 30, 20).unwrap();
    assert_eq!((part.origin(), part.cell_size(), part.stride()), ((105, -1), 3.0, 40));
    assert_eq!(part[(3, 4)], land[(9, 9)]);
    let mut copy = Map::new(30, 20).unwrap();
    copy.copy_from(&part).unwrap();
    assert_eq!((copy.hash(), copy.origin(), copy.cell_size()), (part.hash(), (105, -1), 3.0));
    assert!(copy.copy_from(&land).is_err());
    // The map may be read elsewhere: no operation writes a part of it.
    let mut part = part;
    assert_eq!(blur::Gaussian::default().apply(&mut part).unwrap_err().status(), Status::Argument);
    drop(part);
    assert_eq!(land.part(5, 6, 36, 20).unwrap_err().status(), Status::Range);
    let before = land.try_clone().unwrap();
    shape::Clamp { low: 0.0, ..Default::default() }.apply(&mut land.part_mut(0, 0, 20, 30).unwrap()).unwrap();
    for y in 0..30 {
        assert!(land.row(y)[..20].iter().all(|&cell| cell >= 0.0));
        assert_eq!(land.row(y)[20..], before.row(y)[20..]);
    }
}

#[test]
fn texts() {
    let text = "# hills\nresults 2\nland = generate_noise seed=3 period=256\n";
    let recipe: Recipe = text.parse().unwrap();
    assert_eq!((recipe.to_string().as_str(), recipe.results_version()), (text, Some(terrain::results_version())));
    assert_eq!(recipe.formatted().unwrap().parse::<Recipe>().unwrap().results_version(), Some(2));
    assert_eq!("a = generate_noise".parse::<Recipe>().unwrap().results_version(), None);
    assert_eq!("a = b".parse::<Recipe>().unwrap_err().status(), Status::Syntax);
    let hash = noise(9, 9).hash();
    assert_eq!(hash.to_string().parse(), Ok(hash));
    assert_eq!("00000000000000aF".parse(), Ok(Hash(0xAF)));
    for wrong in ["", "af", "+0000000000000af", "00000000000000ag", "00000000000000afa"] {
        assert!(wrong.parse::<Hash>().is_err());
    }
}

/// Guards against statements that are not the text's: a copy of their parameters outlives the recipe.
#[test]
fn statements() {
    let text =
        "input a\ninput b\nc = shape_terrace a levels=-10,3,15 sharpness=4\n\nc = erode_hydraulic c mask=b eroded=d\n\
        a b = stitch_edges a b\ne f = stitch_edges a b width=9\n";
    let recipe: Recipe = text.parse().unwrap();
    let all: Vec<_> = recipe.statements().collect();
    assert!(all.iter().map(|each| each.line()).eq([3, 5, 6, 7]));
    assert_eq!((recipe.statements().len(), recipe.inputs().len(), recipe.maps().len()), (4, 2, 6));
    assert!(all[0].names().eq(["c"]) && all[0].inputs().eq(["a"]) && all[0].maps().next().is_none());
    assert!(all[1].maps().eq([("mask", "b"), ("eroded", "d")]), "{:?}", all[1].maps().collect::<Vec<_>>());
    assert!(all[2].names().eq(["a", "b"]) && all[2].inputs().eq(["a", "b"]));
    assert!(all[3].names().eq(["e", "f"]) && all[3].inputs().eq(["a", "b"]));
    assert_eq!((all[3].operation().name(), all[3].params().to_string().as_str()), ("stitch_edges", "width=9"));
    let mut terrace = all[0].params();
    drop(recipe);
    assert_eq!(terrace.to_string(), "levels=-10,3,15 sharpness=4");
    let (mut here, mut there) = (noise(40, 30), noise(40, 30));
    terrace.apply(&[], &mut [&mut here]).unwrap();
    shape::Terrace { levels: &[-10.0, 3.0, 15.0], sharpness: 4.0, ..Default::default() }.apply(&mut there).unwrap();
    assert_eq!(here.hash(), there.hash());
}

/// One set of maps does for any plan of a recipe, whatever it needs of them.
#[test]
fn plans_and_inputs_that_are_not_needed() {
    let recipe = Recipe::parse("input a\ninput b\nc = shape_clamp a high=1\nd = blur_box b\n").unwrap();
    let (a, b) = (noise(9, 8), noise(30, 30));
    for world in [false, true] {
        let run = Run { width: 9, height: 8, world, inputs: &[("a", &a)], ..Default::default() };
        let plan = recipe.plan(&run, &["c"]).unwrap();
        assert!(plan.inputs().eq([("a", (0, 0, 9, 8))]));
        let alone = plan.run(&[("a", &a)]).unwrap().remove(0).hash();
        assert_eq!(plan.run(&[("b", &b), ("a", &a)]).unwrap().remove(0).hash(), alone);
        assert_eq!(plan.run(&[("a", &a), ("e", &b)]).unwrap_err().to_string(), "'e' is no input of the plan");
        assert_eq!(plan.run(&[("b", &b)]).unwrap_err().status(), Status::Argument);
    }
    let given = Run { width: 9, height: 8, inputs: &[("a", &a), ("b", &b)], ..Default::default() };
    assert!(recipe.plan(&given, &["c"]).unwrap().inputs().eq([("a", (0, 0, 9, 8))]));
}

#[test]
fn tallies() {
    let mut land = noise(90, 70);
    land[(5, 6)] = f32::NAN;
    let mut parts: Vec<_> = (0..3)
        .map(|third| {
            let mut tally = Tally::with_histogram(-40.0, 40.0, 16).unwrap();
            tally.add(&land.part(30 * third, 0, 30, 70).unwrap()).unwrap();
            tally
        })
        .collect();
    let mut all = parts.pop().unwrap();
    for part in &parts {
        all.merge(part).unwrap();
    }
    assert_eq!((all.statistics(), all.statistics().nan_count), (land.measure().unwrap(), 1));
    assert_eq!(all.histogram(), land.histogram(-40.0, 40.0, 16).unwrap());
    let mut other = Tally::new().unwrap();
    assert_eq!(all.merge(&other).unwrap_err().to_string(), "the histograms of the two tallies differ");
    assert!(other.histogram().is_empty());
    let cancelled = &mut Context::builder().progress(|_| false).build().unwrap();
    let _ = other.add_on(cancelled, &land);
    all.reset();
    assert!(all.statistics().count == 0 && all.histogram().iter().all(|&bin| bin == 0));

    let options = ScoreOptions { unit_size: 2, building_size: 5, unit_slope: 2.0, building_slope: 1.0 };
    let land = noise(90, 70);
    let (mut west, mut east) = (ScoreTally::new(&options).unwrap(), ScoreTally::new(&options).unwrap());
    west.add(&land.part(0, 0, 55, 70).unwrap(), Some((0, 0, 50, 70))).unwrap();
    east.add(&land.part(45, 0, 45, 70).unwrap(), Some((50, 0, 40, 70))).unwrap();
    west.merge(&east).unwrap();
    assert_eq!(west.score(), land.score(&options).unwrap());
    assert!(west.merge(&east).unwrap_err().to_string().contains("overlap"));
    assert_eq!(west.add(&land, Some((80, 0, 20, 20))).unwrap_err().status(), Status::Range);
    assert_eq!(west.add(&land, None).unwrap_err().status(), Status::Argument);
    assert_eq!(west.score(), land.score(&options).unwrap());
}

#[test]
fn seams_of_neighbours() {
    let (mut west, mut east) = (noise(64, 64), generate::Noise::default().map(64, 64).unwrap());
    let before = Seams::measure(&[&west, &east], 2, 1).unwrap();
    stitch::Edges { width: 8, ..Default::default() }.apply(&mut [&mut west, &mut east], 2).unwrap();
    let after = Seams::measure(&[&west, &east], 2, 1).unwrap();
    assert!(before.worst_step > 1.0 && after.worst_step == 0.0 && after.ratio < before.ratio);
    assert_eq!(Seams::measure(&[&west, &east], 3, 1).unwrap_err().status(), Status::Argument);
    assert_eq!(Seams::measure(&[], 0, 1).unwrap_err().status(), Status::Argument);
    assert_eq!(Seams::measure(&[], 1, 1).unwrap_err().status(), Status::Argument);
    assert_eq!(Seams::measure(&[&west, &east], 2, 0).unwrap_err().status(), Status::Range);
}

#[test]
fn whole_numbers_and_back() {
    let numbers: Vec<u16> = (0..40 * 30).map(|cell| cell * 54).collect();
    let mut map = Map::new(40, 30).unwrap();
    map.unpack_u16(&numbers, -100.0, 900.0).unwrap();
    assert_eq!((map[(0, 0)], map.pack_u16(-100.0, 900.0).unwrap()), (-100.0, numbers));
    let error = map.unpack_u8(&[0; 1201], 0.0, 1.0).unwrap_err();
    assert_eq!(error.to_string(), "a map of 40x30 has 1200 cells, not 1201");
    assert_eq!(map.unpack_u8(&[0; 1200], 1.0, 1.0).unwrap_err().status(), Status::Range);
    let cells = [0.0; 4];
    let mut constant = Map::wrap_const(&cells, 2, 2, 2).unwrap();
    assert_eq!(constant.unpack_u8(&[0; 4], 0.0, 1.0).unwrap_err().status(), Status::Argument);
    let shade = analyze::Hillshade { altitude: 20.0, ..Default::default() };
    assert_eq!(map.pack_hillshade_u8(&shade).unwrap(), shade.of(&map).unwrap().pack_u8(0.0, 1.0).unwrap());
    let wrong = analyze::Hillshade { altitude: -20.0, ..Default::default() };
    assert_eq!(map.pack_hillshade_u8(&wrong).unwrap_err().status(), Status::Range);
}
