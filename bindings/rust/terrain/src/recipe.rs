// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

use std::ffi::{CStr, CString};
use std::fmt;
use std::mem::{size_of, MaybeUninit};
use std::os::raw::c_char;
use std::ptr;
use std::sync::Arc;

use terrain_sys as sys;

use crate::context::{call, Context};
use crate::error::{Error, Result, Status};
use crate::map::Map;

struct RawRecipe(*mut sys::terrain_recipe);

// SAFETY: a recipe never changes once it is made; memory is malloc's.
unsafe impl Send for RawRecipe {}
unsafe impl Sync for RawRecipe {}

impl Drop for RawRecipe {
    fn drop(&mut self) {
        // SAFETY: nobody has it any more.
        unsafe { sys::terrain_recipe_destroy(self.0) }
    }
}

/// A graph of operations over named maps, as text. Any number of threads may run it; clones are the same recipe.
///
/// ```
/// # fn main() -> terrain::Result<()> {
/// let recipe = terrain::Recipe::parse("land = generate_noise seed=25\nhills = erode_thermal land talus=0.6\n")?;
/// let hills = recipe.run(&terrain::Run { width: 256, height: 256, ..Default::default() })?;
/// assert_eq!(hills.width(), 256);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Recipe(Arc<RawRecipe>);

/// How a recipe is run.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// Cells of a row; default 512.
    pub width: u32,
    /// Rows; default 512.
    pub height: u32,
    /// World coordinates of the first cell.
    pub origin: (i64, i64),
    /// The world's seed; 0 leaves the recipe's own as they are.
    pub seed: u64,
    /// Of generated maps; default 1.
    pub cell_size: f32,
    /// A cell stands for 1/scale cells of the recipe: 0.25 shows the same land in a sixteenth of the cells; default 1.
    pub scale: f64,
    /// A window of the endless world, which has no edge, and not a bounded map.
    pub world: bool,
    /// Bytes that the run may take beside its maps; 0: any.
    pub memory_limit: u64,
    /// The map to compute; None: the recipe's result.
    pub output: Option<&'a str>,
    /// A map for each of the recipe's inputs.
    pub inputs: &'a [(&'a str, &'a Map<'a>)],
}

impl Default for Run<'_> {
    fn default() -> Self {
        Self {
            width: 512,
            height: 512,
            origin: (0, 0),
            seed: 0,
            cell_size: 1.0,
            scale: 1.0,
            world: false,
            memory_limit: 0,
            output: None,
            inputs: &[],
        }
    }
}

fn text_of(name: &str) -> Result<CString> {
    CString::new(name).map_err(|_| Error::new(Status::Argument, &format!("{name:?} is no name: it has a 0")))
}

impl Recipe {
    /// Reads a recipe.
    pub fn parse(text: &str) -> Result<Self> {
        let mut out = ptr::null_mut();
        // SAFETY: the text is as long as it says.
        call(None, |context| unsafe {
            sys::terrain_recipe_parse(context, text.as_ptr().cast(), text.len(), &mut out)
        })?;
        Ok(Self(Arc::new(RawRecipe(out))))
    }

    /// The name of the result.
    pub fn result(&self) -> Option<&str> {
        // SAFETY: the name is the recipe's.
        unsafe {
            let name = sys::terrain_recipe_result(self.0 .0);
            (!name.is_null()).then(|| CStr::from_ptr(name).to_str().expect("names are ASCII"))
        }
    }

    /// Computes a map.
    pub fn run(&self, run: &Run<'_>) -> Result<Map<'static>> {
        self.run_on(&mut Context::new()?, run)
    }

    /// The same, with a context's threads, progress and cancelling.
    pub fn run_on(&self, context: &mut Context<'_>, run: &Run<'_>) -> Result<Map<'static>> {
        let name = run.output.map(text_of).transpose()?;
        let name = name.as_ref().map_or(ptr::null(), |name| name.as_ptr());
        Ok(self.run_names(context, run, &[name])?.remove(0))
    }

    /// Computes several maps at once, and what they have in common once; not the one that `run` names.
    ///
    /// ```
    /// # fn main() -> terrain::Result<()> {
    /// let recipe = terrain::Recipe::parse("land = generate_drainage discharge=flow\n")?;
    /// let run = terrain::Run { width: 64, height: 64, ..Default::default() };
    /// let maps = recipe.run_outputs(&mut terrain::Context::new()?, &run, &["land", "flow"])?;
    /// assert!(maps[1].row(0).iter().all(|&cells| cells >= 1.0));
    /// # Ok(())
    /// # }
    /// ```
    pub fn run_outputs(&self, context: &mut Context<'_>, run: &Run<'_>, outputs: &[&str]) -> Result<Vec<Map<'static>>> {
        let texts = outputs.iter().map(|name| text_of(name)).collect::<Result<Vec<_>>>()?;
        let names: Vec<*const c_char> = texts.iter().map(|text| text.as_ptr()).collect();
        self.run_names(context, run, &names)
    }

    /// The names are texts of C, or null for the result.
    fn run_names(
        &self,
        context: &mut Context<'_>,
        run: &Run<'_>,
        outputs: &[*const c_char],
    ) -> Result<Vec<Map<'static>>> {
        let texts = run.inputs.iter().map(|(name, _)| text_of(name)).collect::<Result<Vec<_>>>()?;
        let names: Vec<*const c_char> = texts.iter().map(|text| text.as_ptr()).collect();
        let maps: Vec<_> = run.inputs.iter().map(|(_, map)| map.raw() as *const _).collect();
        let mut desc = MaybeUninit::<sys::terrain_recipe_run_desc>::uninit();
        // SAFETY: the library initialises the desc; what it points to lives until the end of this function.
        unsafe {
            sys::terrain_recipe_run_desc_init(desc.as_mut_ptr(), size_of::<sys::terrain_recipe_run_desc>());
            let desc = &mut *desc.as_mut_ptr();
            desc.flags |= if run.world { sys::TERRAIN_RECIPE_WORLD } else { 0 };
            desc.seed = run.seed;
            (desc.x, desc.y) = run.origin;
            (desc.width, desc.height) = (run.width, run.height);
            desc.cell_size = run.cell_size;
            desc.scale = run.scale;
            desc.memory_limit = run.memory_limit;
            desc.input_names = names.as_ptr();
            desc.inputs = maps.as_ptr();
            desc.input_count = maps.len() as u32;
            let mut results = Vec::with_capacity(outputs.len());
            for &name in outputs {
                let mut window = sys::terrain_window::default();
                call(Some(&mut *context), |context| {
                    sys::terrain_recipe_output_window(context, self.0 .0, desc, name, &mut window)
                })?;
                results.push(Map::new(window.width, window.height)?);
            }
            let maps: Vec<_> = results.iter_mut().map(Map::as_mut_ptr).collect();
            desc.output_names = outputs.as_ptr();
            desc.outputs = maps.as_ptr();
            desc.output_count = outputs.len() as u32;
            call(Some(context), |context| sys::terrain_recipe_run(context, self.0 .0, desc))?;
            Ok(results)
        }
    }
}

impl fmt::Debug for Recipe {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Recipe({})", self.result().unwrap_or(""))
    }
}

/// An endless terrain, given out in tiles on any thread, in any order: they fit to the last bit. What several tiles need
/// is kept between them.
pub struct World {
    raw: *mut sys::terrain_world,
    map: String,     // that tiles show
    _recipe: Recipe, // outlives the world
}

/// How a world is made.
///
/// ```
/// # fn main() -> terrain::Result<()> {
/// let recipe = terrain::Recipe::parse("land = generate_noise period=128 octaves=2\n")?;
/// let options = terrain::WorldOptions { scale: 1.0 / 16.0, ..Default::default() };
/// let from_afar = terrain::World::with(&recipe, &options)?.tile(0, 0, 64, 64)?;
/// assert_eq!(from_afar.cell_size(), 16.0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct WorldOptions<'a> {
    /// The map that tiles show; None: the recipe's result.
    pub map: Option<&'a str>,
    /// 0 leaves the recipe's own seeds as they are.
    pub seed: u64,
    /// Of generated maps; default 1.
    pub cell_size: f32,
    /// A cell stands for 1/scale cells of the recipe; default 1.
    pub scale: f64,
    /// Bytes that are kept between tiles, which decides about time, never about results; default 64 MiB.
    pub cache_bytes: u64,
    /// Bytes that a tile may take while it is computed; 0: any.
    pub memory_limit: u64,
}

impl Default for WorldOptions<'_> {
    fn default() -> Self {
        Self { map: None, seed: 0, cell_size: 1.0, scale: 1.0, cache_bytes: 64 << 20, memory_limit: 0 }
    }
}

// SAFETY: tiles may be asked for on any number of threads at once; memory is malloc's.
unsafe impl Send for World {}
unsafe impl Sync for World {}

impl World {
    /// A world of the recipe's result.
    pub fn new(recipe: &Recipe, seed: u64) -> Result<Self> {
        Self::with(recipe, &WorldOptions { seed, ..Default::default() })
    }

    /// A world with all that can be said of it.
    pub fn with(recipe: &Recipe, options: &WorldOptions<'_>) -> Result<Self> {
        let name = options.map.map(text_of).transpose()?;
        let mut out = ptr::null_mut();
        let mut desc = MaybeUninit::<sys::terrain_world_desc>::uninit();
        // SAFETY: the library initialises the desc; the recipe outlives the world.
        call(None, |context| unsafe {
            sys::terrain_world_desc_init(desc.as_mut_ptr(), size_of::<sys::terrain_world_desc>());
            let desc = &mut *desc.as_mut_ptr();
            desc.recipe = recipe.0 .0;
            desc.name = name.as_ref().map_or(ptr::null(), |name| name.as_ptr());
            desc.seed = options.seed;
            desc.cell_size = options.cell_size;
            desc.scale = options.scale;
            desc.cache_bytes = options.cache_bytes;
            desc.memory_limit = options.memory_limit;
            sys::terrain_world_create(context, desc, &mut out)
        })?;
        let map = options.map.or_else(|| recipe.result()).unwrap_or("").into();
        Ok(Self { raw: out, map, _recipe: recipe.clone() })
    }

    /// The window whose first cell is (x, y).
    pub fn tile(&self, x: i64, y: i64, width: u32, height: u32) -> Result<Map<'static>> {
        let mut map = Map::new(width, height)?;
        self.tile_on(&mut Context::new()?, x, y, &mut map)?;
        Ok(map)
    }

    /// Writes the map, and its origin and cell size, with a context of this thread's.
    pub fn tile_on(&self, context: &mut Context<'_>, x: i64, y: i64, map: &mut Map<'_>) -> Result<()> {
        // SAFETY: a valid world, for any thread.
        call(Some(context), |context| unsafe { sys::terrain_world_tile(context, self.raw, x, y, map.as_mut_ptr()) })
    }

    /// Computes what tiles of that window will read from the cache, so that none of them takes long. An
    /// error where it would keep more than the cache may.
    pub fn prepare(&self, x: i64, y: i64, width: u32, height: u32) -> Result<()> {
        self.prepare_on(&mut Context::new()?, x, y, width, height)
    }

    /// The same, with a context's threads, progress and cancelling.
    pub fn prepare_on(&self, context: &mut Context<'_>, x: i64, y: i64, width: u32, height: u32) -> Result<()> {
        let window = sys::terrain_window { x, y, width, height };
        // SAFETY: a valid world, for any thread.
        call(Some(context), |context| unsafe { sys::terrain_world_prepare(context, self.raw, &window) })
    }

    /// Bytes that are kept now.
    pub fn cache_size(&self) -> u64 {
        // SAFETY: a valid world, for any thread.
        unsafe { sys::terrain_world_cache_size(self.raw) }
    }

    /// Frees what is kept.
    pub fn trim(&self) {
        // SAFETY: a valid world, for any thread.
        unsafe { sys::terrain_world_trim(self.raw) }
    }
}

impl fmt::Debug for World {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "World({}, {} bytes kept)", self.map, self.cache_size())
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // SAFETY: nobody has it any more.
        unsafe { sys::terrain_world_destroy(self.raw) }
    }
}
