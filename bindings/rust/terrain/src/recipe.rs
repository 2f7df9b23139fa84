// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

use std::ffi::{CStr, CString};
use std::fmt;
use std::mem::{size_of, MaybeUninit};
use std::os::raw::c_char;
use std::ptr;
use std::str::FromStr;
use std::sync::Arc;

use terrain_sys as sys;

use crate::context::{call, Context};
use crate::error::{check, Error, Result, Status};
use crate::map::Map;
use crate::params::Params;
use crate::table::Operation;

struct RawRecipe {
    raw: *mut sys::terrain_recipe,
    text: String,
}

// SAFETY: a recipe never changes once it is made; memory is malloc's.
unsafe impl Send for RawRecipe {}
unsafe impl Sync for RawRecipe {}

impl RawRecipe {
    fn format(&self) -> Result<String> {
        let format = |text: &mut [u8]| {
            let (mut needed, pointer) = (0, if text.is_empty() { ptr::null_mut() } else { text.as_mut_ptr().cast() });
            // SAFETY: a valid recipe, as much room as it says, and a valid place.
            let result = call(None, |context| unsafe {
                sys::terrain_recipe_format(context, self.raw, pointer, text.len(), &mut needed)
            });
            (result, needed)
        };
        let (refused, size) = format(&mut []);
        if size == 0 {
            refused?;
        }
        let mut text = vec![0; size];
        format(&mut text).0?;
        text.pop(); // the 0 at its end
        Ok(String::from_utf8(text).expect("recipes are ASCII"))
    }
}

impl Drop for RawRecipe {
    fn drop(&mut self) {
        // SAFETY: nobody has it any more.
        unsafe { sys::terrain_recipe_destroy(self.raw) }
    }
}

/// A graph of operations over named maps, as text. Any number of threads may run it; clones are the same recipe. It is
/// shown as it was read, comments and all; [`formatted`](Self::formatted) gives a text without.
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
    /// A map for each of the recipe's inputs, at the scale that [`Recipe::map_scale`] tells.
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

/// # Safety
/// The name is the library's, and there as long as 'a.
unsafe fn name_of<'a>(name: *const c_char) -> &'a str {
    CStr::from_ptr(name).to_str().expect("names are ASCII")
}

/// The name as C has it, or null.
fn pointer_to(name: &Option<CString>) -> *const c_char {
    name.as_ref().map_or(ptr::null(), |name| name.as_ptr())
}

/// Calls a function with a run as C has it, whose outputs are those of these names, or null for the result.
fn with_desc<T>(
    run: &Run<'_>,
    inputs: &[(&str, *const sys::terrain_heightmap)],
    outputs: &[*const c_char],
    function: impl FnOnce(&mut sys::terrain_recipe_run_desc) -> Result<T>,
) -> Result<T> {
    let texts = inputs.iter().map(|(name, _)| text_of(name)).collect::<Result<Vec<_>>>()?;
    let names: Vec<*const c_char> = texts.iter().map(|text| text.as_ptr()).collect();
    let maps: Vec<_> = inputs.iter().map(|&(_, map)| map).collect();
    let mut desc = MaybeUninit::<sys::terrain_recipe_run_desc>::uninit();
    // SAFETY: the library initialises the desc.
    let desc = unsafe {
        sys::terrain_recipe_run_desc_init(desc.as_mut_ptr(), size_of::<sys::terrain_recipe_run_desc>());
        &mut *desc.as_mut_ptr()
    };
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
    desc.output_names = outputs.as_ptr();
    desc.output_count = outputs.len() as u32;
    function(desc)
}

/// The inputs of a run as with_desc takes them.
fn inputs_of<'a>(run: &Run<'a>) -> Vec<(&'a str, *const sys::terrain_heightmap)> {
    run.inputs.iter().map(|(name, map)| (*name, map.as_ptr())).collect()
}

impl Recipe {
    /// Reads a recipe.
    pub fn parse(text: &str) -> Result<Self> {
        let mut out = ptr::null_mut();
        // SAFETY: the text is as long as it says.
        call(None, |context| unsafe {
            sys::terrain_recipe_parse(context, text.as_ptr().cast(), text.len(), &mut out)
        })?;
        Ok(Self(Arc::new(RawRecipe { raw: out, text: text.into() })))
    }

    /// Takes over a recipe that was made by calls of [`sys`](crate::sys), or of C. Its text is what
    /// [`formatted`](Self::formatted) gives, or empty where that fails.
    ///
    /// ```
    /// use std::{mem, ptr};
    /// use terrain::{sys, Recipe};
    ///
    /// # fn main() -> terrain::Result<()> {
    /// let mut raw = ptr::null_mut();
    /// let mut statement = mem::MaybeUninit::<sys::terrain_recipe_statement>::uninit();
    /// // SAFETY: valid places; names that end with 0; and the recipe is nobody else's.
    /// let recipe = unsafe {
    ///     sys::terrain_recipe_create(ptr::null_mut(), &mut raw);
    ///     sys::terrain_recipe_statement_init(statement.as_mut_ptr(), mem::size_of_val(&statement));
    ///     let mut statement = statement.assume_init();
    ///     statement.name = "land\0".as_ptr().cast();
    ///     statement.operation = sys::terrain_operation_find("generate_noise\0".as_ptr().cast());
    ///     assert_eq!(sys::terrain_recipe_add(ptr::null_mut(), raw, &statement), sys::TERRAIN_SUCCESS);
    ///     Recipe::from_raw(raw)
    /// };
    /// assert_eq!(recipe.to_string(), "land = generate_noise\n");
    /// assert_eq!(recipe.run(&terrain::Run { width: 64, height: 64, ..Default::default() })?.width(), 64);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Safety
    /// It is a valid recipe, which nobody else changes or destroys. Its allocator, if it has one, is for any thread, and
    /// there until the last clone is gone.
    pub unsafe fn from_raw(raw: *mut sys::terrain_recipe) -> Self {
        let mut recipe = RawRecipe { raw, text: String::new() };
        recipe.text = recipe.format().unwrap_or_default();
        Self(Arc::new(recipe))
    }

    /// The library's recipe, for functions of [`sys`](crate::sys). It is there as long as this one or a clone of it, and
    /// is not to be changed or destroyed.
    pub fn as_ptr(&self) -> *const sys::terrain_recipe {
        self.0.raw
    }

    /// The name of the result.
    pub fn result(&self) -> Option<&str> {
        // SAFETY: the name is the recipe's.
        unsafe {
            let name = sys::terrain_recipe_result(self.0.raw);
            (!name.is_null()).then(|| name_of(name))
        }
    }

    /// The text of a recipe with the same maps and results, in which all that need not be said is left out: comments,
    /// and parameters that are the default or have no effect.
    ///
    /// ```
    /// # fn main() -> terrain::Result<()> {
    /// let recipe: terrain::Recipe = "land = generate_noise octaves=4 seed=25 # rough\n".parse()?;
    /// assert_eq!(recipe.to_string(), "land = generate_noise octaves=4 seed=25 # rough\n");
    /// assert_eq!(recipe.formatted()?, "land = generate_noise seed=25 octaves=4\n");
    /// # Ok(())
    /// # }
    /// ```
    pub fn formatted(&self) -> Result<String> {
        self.0.format()
    }

    /// The version of the results that it was made for, if its text says so: the N of `results N`.
    pub fn results_version(&self) -> Option<u32> {
        // SAFETY: a valid recipe.
        Some(unsafe { sys::terrain_recipe_results_version(self.0.raw) }).filter(|&version| version != 0)
    }

    /// The names of the maps from outside.
    pub fn inputs(&self) -> impl ExactSizeIterator<Item = &str> + '_ {
        // SAFETY: the names are the recipe's, and there are so many.
        unsafe {
            let count = sys::terrain_recipe_input_count(self.0.raw);
            (0..count).map(move |index| name_of(sys::terrain_recipe_input_at(self.0.raw, index)))
        }
    }

    /// The names of all maps, the inputs among them.
    pub fn maps(&self) -> impl ExactSizeIterator<Item = &str> + '_ {
        // SAFETY: the names are the recipe's, and there are so many.
        unsafe {
            let count = sys::terrain_recipe_map_count(self.0.raw);
            (0..count).map(move |index| name_of(sys::terrain_recipe_map_at(self.0.raw, index)))
        }
    }

    /// The statements, in their order.
    ///
    /// ```
    /// # fn main() -> terrain::Result<()> {
    /// let recipe = terrain::Recipe::parse("land = generate_noise\nhills = erode_thermal land talus=0.6 mask=land\n")?;
    /// let hills = recipe.statements().last().unwrap();
    /// assert_eq!((hills.operation().name(), hills.line()), ("erode_thermal", 2));
    /// assert!(hills.names().eq(["hills"]) && hills.inputs().eq(["land"]) && hills.maps().eq([("mask", "land")]));
    /// assert_eq!(hills.params().get("talus")?, terrain::Value::Float(0.6));
    /// # Ok(())
    /// # }
    /// ```
    pub fn statements(&self) -> impl ExactSizeIterator<Item = Statement<'_>> + '_ {
        // SAFETY: the statements are the recipe's, and there are so many.
        unsafe {
            let count = sys::terrain_recipe_statement_count(self.0.raw);
            (0..count).map(move |index| Statement(&*sys::terrain_recipe_statement_at(self.0.raw, index)))
        }
    }

    /// An error, which names the statement, if the map can't be had for any window of an endless world. None: the
    /// recipe's result.
    ///
    /// ```
    /// # fn main() -> terrain::Result<()> {
    /// let recipe = terrain::Recipe::parse("land = generate_noise\nbasins = analyze_basins land\n")?;
    /// assert!(recipe.maps().eq(["land", "basins"]) && recipe.inputs().next().is_none());
    /// recipe.check_world(Some("land"))?;
    /// assert_eq!(recipe.check_world(None).unwrap_err().status(), terrain::Status::Unsupported);
    /// # Ok(())
    /// # }
    /// ```
    pub fn check_world(&self, map: Option<&str>) -> Result<()> {
        let name = map.map(text_of).transpose()?;
        // SAFETY: a valid recipe, and a text of C.
        call(None, |context| unsafe { sys::terrain_recipe_check_world(context, self.0.raw, pointer_to(&name)) })
    }

    /// The scale that the map has in a run of a scale, at which an input must be given: the run's, but for coarse maps,
    /// whose spacing takes all that it can. None: the recipe's result.
    ///
    /// ```
    /// # fn main() -> terrain::Result<()> {
    /// let text = "input coast\nland = generate_drainage control=coast map_spacing=2048\n";
    /// let recipe = terrain::Recipe::parse(text)?;
    /// assert_eq!(recipe.map_scale(Some("coast"), 0.25)?, 1.0);
    /// assert_eq!(recipe.map_scale(None, 0.25)?, 0.25);
    /// # Ok(())
    /// # }
    /// ```
    pub fn map_scale(&self, map: Option<&str>, scale: f64) -> Result<f64> {
        let name = map.map(text_of).transpose()?;
        let mut own = 0.0;
        // SAFETY: a valid recipe, a text of C, and a place for the result.
        call(None, |context| unsafe {
            sys::terrain_recipe_map_scale(context, self.0.raw, pointer_to(&name), scale, &mut own)
        })?;
        Ok(own)
    }

    /// Checks and plans a run of the maps named `outputs`, or, if there are none, of the map that `run` names. In a
    /// world inputs may be missing, to be asked for their windows.
    ///
    /// ```
    /// # fn main() -> terrain::Result<()> {
    /// let recipe = terrain::Recipe::parse("land = generate_noise\nhills = erode_thermal land\n")?;
    /// let run = terrain::Run { width: 256, height: 256, ..Default::default() };
    /// let plan = recipe.plan(&run, &["land", "hills"])?;
    /// assert!(plan.bytes() > 256 * 256 * 4 && plan.cells() >= 2 * 256 * 256);
    /// let maps = plan.run(&[])?;
    /// assert_eq!(maps[1].hash(), recipe.run(&run)?.hash());
    /// # Ok(())
    /// # }
    /// ```
    pub fn plan(&self, run: &Run<'_>, outputs: &[&str]) -> Result<Plan> {
        let one = [run.output.map(text_of).transpose()?];
        let several = outputs.iter().map(|name| text_of(name).map(Some)).collect::<Result<Vec<_>>>()?;
        let texts = if outputs.is_empty() { &one[..] } else { &several[..] };
        let names: Vec<*const c_char> = texts.iter().map(pointer_to).collect();
        let mut inputs = inputs_of(run);
        if run.world {
            let missing = self.inputs().filter(|name| run.inputs.iter().all(|(given, _)| given != name));
            inputs.extend(missing.map(|name| (name, ptr::null())));
        }
        with_desc(run, &inputs, &names, |desc| {
            let mut raw = ptr::null_mut();
            // SAFETY: a valid recipe, which outlives the plan, and a valid desc.
            call(None, |context| unsafe { sys::terrain_recipe_plan_create(context, self.0.raw, desc, &mut raw) })?;
            let inputs = inputs.iter().map(|&(name, _)| name.to_owned()).collect();
            let mut plan = Plan { raw, inputs, sizes: Vec::with_capacity(names.len()), recipe: self.clone() };
            for &name in &names {
                let (_, _, width, height) = plan.window_of(name)?;
                plan.sizes.push((width, height));
            }
            Ok(plan)
        })
    }

    /// Computes a map.
    pub fn run(&self, run: &Run<'_>) -> Result<Map<'static>> {
        self.run_on(&mut Context::new()?, run)
    }

    /// The same, with a context's threads, progress and cancelling.
    pub fn run_on(&self, context: &mut Context<'_>, run: &Run<'_>) -> Result<Map<'static>> {
        let name = run.output.map(text_of).transpose()?;
        Ok(self.run_names(context, run, &[pointer_to(&name)])?.remove(0))
    }

    /// Computes several maps at once, and what they have in common once; not the one that `run` names.
    ///
    /// ```
    /// # fn main() -> terrain::Result<()> {
    /// let recipe = terrain::Recipe::parse("land = generate_drainage discharge=flow\n")?;
    /// let run = terrain::Run { width: 64, height: 64, ..Default::default() };
    /// let maps = recipe.run_outputs(&run, &["land", "flow"])?;
    /// assert!(maps[1].row(0).iter().all(|&cells| cells >= 1.0));
    /// # Ok(())
    /// # }
    /// ```
    pub fn run_outputs(&self, run: &Run<'_>, outputs: &[&str]) -> Result<Vec<Map<'static>>> {
        self.run_outputs_on(&mut Context::new()?, run, outputs)
    }

    /// The same, with a context's threads, progress and cancelling.
    pub fn run_outputs_on(
        &self,
        context: &mut Context<'_>,
        run: &Run<'_>,
        outputs: &[&str],
    ) -> Result<Vec<Map<'static>>> {
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
        with_desc(run, &inputs_of(run), outputs, |desc| {
            let mut results = Vec::with_capacity(outputs.len());
            for &name in outputs {
                let mut window = sys::terrain_window::default();
                // SAFETY: a valid recipe, desc and place.
                call(Some(&mut *context), |context| unsafe {
                    sys::terrain_recipe_output_window(context, self.0.raw, desc, name, &mut window)
                })?;
                results.push(Map::new(window.width, window.height)?);
            }
            let maps: Vec<_> = results.iter_mut().map(Map::as_mut_ptr).collect();
            desc.outputs = maps.as_ptr();
            // SAFETY: a valid recipe and desc, and as many maps as it names.
            call(Some(context), |context| unsafe { sys::terrain_recipe_run(context, self.0.raw, desc) })?;
            Ok(results)
        })
    }
}

impl FromStr for Recipe {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::parse(text)
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0.text)
    }
}

impl fmt::Debug for Recipe {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Recipe({})", self.result().unwrap_or(""))
    }
}

/// A statement of a recipe: an operation, its maps by their names, and its parameters.
#[derive(Clone, Copy)]
pub struct Statement<'a>(&'a sys::terrain_recipe_statement);

// SAFETY: a statement never changes.
unsafe impl Send for Statement<'_> {}
unsafe impl Sync for Statement<'_> {}

impl<'a> Statement<'a> {
    /// # Safety
    /// As many names of the recipe's lie there.
    unsafe fn list(names: *const *const c_char, count: u32) -> impl Iterator<Item = &'a str> {
        (0..count as usize).map(move |index| name_of(*names.add(index)))
    }

    /// What is called.
    pub fn operation(self) -> Operation {
        // SAFETY: one of the table.
        unsafe { Operation::of(self.0.operation) }
    }

    /// The maps that it makes or replaces: one, but as many as inputs on a grid. Those that parameters make are among
    /// [`maps`](Self::maps).
    pub fn names(self) -> impl Iterator<Item = &'a str> {
        let grid = self.operation().ports().any(|port| port.is_grid());
        // SAFETY: the names are the recipe's; of a grid there are as many as inputs.
        let (all, one) = unsafe {
            let names = if self.0.names.is_null() { self.0.inputs } else { self.0.names };
            (Self::list(names, if grid { self.0.input_count } else { 0 }), (!grid).then(|| name_of(self.0.name)))
        };
        all.chain(one)
    }

    /// The maps that the operation reads or changes: none of a generator, all maps of a grid, row by row.
    pub fn inputs(self) -> impl Iterator<Item = &'a str> {
        // SAFETY: the names are the recipe's, and there are so many.
        unsafe { Self::list(self.0.inputs, self.0.input_count) }
    }

    /// The parameters that are maps, each with the name of the map that it reads or makes.
    pub fn maps(self) -> impl Iterator<Item = (&'a str, &'a str)> {
        // SAFETY: the names are the recipe's, and there are so many of both.
        unsafe {
            let (parameters, count) = (Self::list(self.0.map_parameters, self.0.map_count), self.0.map_count);
            parameters.zip(Self::list(self.0.maps, count))
        }
    }

    /// A copy of the parameters, which has no maps.
    pub fn params<'b>(self) -> Params<'b> {
        // SAFETY: the operation's params, of which a recipe has all fields.
        unsafe { Params::copy_of(self.operation(), self.0.params) }
    }

    /// The line of the text, from 1.
    pub fn line(self) -> u32 {
        self.0.line
    }

    /// Maps in a row of a grid; 0: all of them.
    pub fn columns(self) -> u32 {
        self.0.columns
    }
}

impl fmt::Debug for Statement<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Statement({} of line {})", self.operation(), self.line())
    }
}

/// What [`Recipe::plan`] gives: a run that is checked and planned, to be asked what it will take, and run, once or often.
/// It never changes: any number of threads may run it.
pub struct Plan {
    raw: *mut sys::terrain_recipe_plan,
    inputs: Vec<String>,
    sizes: Vec<(u32, u32)>, // of the outputs
    recipe: Recipe,         // outlives the plan
}

// SAFETY: a plan never changes once it is made; memory is malloc's.
unsafe impl Send for Plan {}
unsafe impl Sync for Plan {}

impl Plan {
    /// The most bytes that a run holds at a time, beside the maps that it is given and gives.
    pub fn bytes(&self) -> u64 {
        // SAFETY: a valid plan, here and below.
        unsafe { sys::terrain_recipe_plan_bytes(self.raw) }
    }

    /// The cells that all statements compute together.
    pub fn cells(&self) -> u64 {
        unsafe { sys::terrain_recipe_plan_cells(self.raw, u32::MAX) }
    }

    /// The window of an output, or, in a world, the one that an input must cover: x and y of the first cell, width and
    /// height, which are 0 if the input is not needed.
    pub fn window(&self, map: &str) -> Result<(i64, i64, u32, u32)> {
        self.window_of(text_of(map)?.as_ptr())
            .map_err(|error| Error::new(error.status(), &format!("'{map}' is no output or input of the plan")))
    }

    /// The inputs that a run needs, each with the window that it must have, or, in a world, cover.
    ///
    /// ```
    /// # fn main() -> terrain::Result<()> {
    /// let recipe = terrain::Recipe::parse("input land\ninput mask\nhills = erode_thermal land iterations=3\n")?;
    /// let plan = recipe.plan(&terrain::Run { width: 64, height: 64, world: true, ..Default::default() }, &[])?;
    /// let mut maps = Vec::new();
    /// for (name, (x, y, width, height)) in plan.inputs() {
    ///     let mut map = terrain::Map::new(width, height)?; // 70x70, and none for mask
    ///     map.set_origin(x, y)?;
    ///     maps.push((name, map));
    /// }
    /// let inputs: Vec<_> = maps.iter().map(|(name, map)| (*name, map)).collect();
    /// let hills = plan.run(&inputs)?.remove(0);
    /// # assert_eq!((inputs.len(), inputs[0].1.width(), hills.width()), (1, 70, 64));
    /// # Ok(())
    /// # }
    /// ```
    pub fn inputs(&self) -> impl Iterator<Item = (&str, (i64, i64, u32, u32))> + '_ {
        let windows = self.inputs.iter().filter_map(move |name| Some((name.as_str(), self.window(name).ok()?)));
        windows.filter(|(_, (_, _, width, _))| *width > 0)
    }

    fn window_of(&self, name: *const c_char) -> Result<(i64, i64, u32, u32)> {
        let mut window = sys::terrain_window::default();
        // SAFETY: a text of C or null, and a valid place; no context has a message.
        unsafe { check(sys::terrain_recipe_plan_window(self.raw, name, &mut window), ptr::null())? };
        Ok((window.x, window.y, window.width, window.height))
    }

    /// Computes the outputs. The inputs have the sizes and origins that were planned, or, in a world, cover their windows;
    /// one of the recipe's that is not needed may be left out or given.
    pub fn run(&self, inputs: &[(&str, &Map<'_>)]) -> Result<Vec<Map<'static>>> {
        self.run_on(&mut Context::new()?, inputs)
    }

    /// The same, with a context's threads, progress and cancelling.
    pub fn run_on(&self, context: &mut Context<'_>, inputs: &[(&str, &Map<'_>)]) -> Result<Vec<Map<'static>>> {
        if let Some((name, _)) = inputs.iter().find(|(name, _)| self.recipe.inputs().all(|input| input != *name)) {
            return Err(Error::new(Status::Argument, &format!("'{name}' is no input of the plan")));
        }
        let given =
            |name: &String| inputs.iter().find(|(given, _)| given == name).map_or(ptr::null(), |(_, map)| map.as_ptr());
        let read: Vec<_> = self.inputs.iter().map(given).collect();
        let mut results =
            self.sizes.iter().map(|&(width, height)| Map::new(width, height)).collect::<Result<Vec<_>>>()?;
        let written: Vec<_> = results.iter_mut().map(Map::as_mut_ptr).collect();
        // SAFETY: a valid plan, and as many maps as it has; the library refuses an input that is missing and needed.
        call(Some(context), |context| unsafe {
            sys::terrain_recipe_plan_run(context, self.raw, read.as_ptr(), written.as_ptr())
        })?;
        Ok(results)
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Plan({} cells, {} bytes)", self.cells(), self.bytes())
    }
}

impl Drop for Plan {
    fn drop(&mut self) {
        // SAFETY: nobody has it any more.
        unsafe { sys::terrain_recipe_plan_destroy(self.raw) }
    }
}

/// What a tile takes: [`World::tile_bytes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TileBytes {
    /// For what stays in the cache: a [`cache_bytes`](WorldOptions::cache_bytes) that [`World::prepare`] takes.
    pub kept: u64,
    /// In all, but for the tile's own maps: a [`memory_limit`](WorldOptions::memory_limit) that allows it.
    pub needed: u64,
}

/// An endless terrain, given out in tiles on any thread, in any order: they fit to the last bit. What several tiles need
/// is kept between them.
pub struct World {
    raw: *mut sys::terrain_world,
    outputs: Vec<String>,            // that tiles show; none: they are not known
    _recipe: Option<Recipe>,         // outlives the world
    _inputs: Vec<Arc<Map<'static>>>, // they too, and nobody writes what is shared
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
    /// Several maps that tiles show, in place of `map`: heights, say, and masks that go with them. What they have in
    /// common is computed once by [`World::tile_outputs`].
    pub outputs: &'a [&'a str],
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
    /// A map for each of the recipe's inputs that is needed; its origin says where it lies. The world shares it, without
    /// a copy, so it stays as it is. There are tiles only where it covers all that they read of it: others are an error,
    /// [`Status::Range`], which says what is needed. What is kept between tiles reads farther than a run of the window.
    ///
    /// A world at another scale wants another map, at the scale that [`Recipe::map_scale`] tells:
    /// [`shape::Resample`](crate::shape::Resample) makes it. Nothing notices a map at the wrong scale.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use terrain::{Map, Recipe, World, WorldOptions};
    ///
    /// # fn main() -> terrain::Result<()> {
    /// let recipe = Recipe::parse("input hill\nworn = erode_thermal hill iterations=3\n")?;
    /// let mut hill = Map::new(70, 70)?; // painted by hand
    /// hill.set_origin(-3, -3)?;
    /// let options = WorldOptions { inputs: &[("hill", Arc::new(hill))], ..Default::default() };
    /// let world = World::with(&recipe, &options)?;
    /// assert_eq!(world.tile(0, 0, 64, 64)?.width(), 64);
    /// assert_eq!(world.tile(1, 0, 64, 64).unwrap_err().status(), terrain::Status::Range);
    /// # Ok(())
    /// # }
    /// ```
    pub inputs: &'a [(&'a str, Arc<Map<'static>>)],
}

impl Default for WorldOptions<'_> {
    fn default() -> Self {
        Self {
            map: None,
            outputs: &[],
            seed: 0,
            cell_size: 1.0,
            scale: 1.0,
            cache_bytes: 64 << 20,
            memory_limit: 0,
            inputs: &[],
        }
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
        if options.map.is_some() && !options.outputs.is_empty() {
            return Err(Error::new(Status::Argument, "a world has a map or outputs, not both"));
        }
        let name = options.map.map(text_of).transpose()?;
        let texts = options.inputs.iter().map(|(name, _)| text_of(name)).collect::<Result<Vec<_>>>()?;
        let names: Vec<*const c_char> = texts.iter().map(|text| text.as_ptr()).collect();
        let maps: Vec<_> = options.inputs.iter().map(|(_, map)| map.as_ptr()).collect();
        let output_texts = options.outputs.iter().map(|name| text_of(name)).collect::<Result<Vec<_>>>()?;
        let output_names: Vec<*const c_char> = output_texts.iter().map(|text| text.as_ptr()).collect();
        let mut out = ptr::null_mut();
        let mut desc = MaybeUninit::<sys::terrain_world_desc>::uninit();
        // SAFETY: the library initialises the desc; the recipe and the inputs outlive the world, which does not keep
        // our names.
        call(None, |context| unsafe {
            sys::terrain_world_desc_init(desc.as_mut_ptr(), size_of::<sys::terrain_world_desc>());
            let desc = &mut *desc.as_mut_ptr();
            desc.recipe = recipe.0.raw;
            desc.name = pointer_to(&name);
            desc.seed = options.seed;
            desc.cell_size = options.cell_size;
            desc.scale = options.scale;
            desc.cache_bytes = options.cache_bytes;
            desc.memory_limit = options.memory_limit;
            desc.input_names = names.as_ptr();
            desc.inputs = maps.as_ptr();
            desc.input_count = maps.len() as u32;
            desc.output_names = output_names.as_ptr();
            desc.output_count = output_names.len() as u32;
            sys::terrain_world_create(context, desc, &mut out)
        })?;
        let one = options.map.or_else(|| recipe.result()).filter(|_| options.outputs.is_empty());
        let outputs = options.outputs.iter().copied().chain(one).map(str::to_owned).collect();
        let inputs = options.inputs.iter().map(|(_, map)| map.clone()).collect();
        Ok(Self { raw: out, outputs, _recipe: Some(recipe.clone()), _inputs: inputs })
    }

    /// Takes over a world that was made by calls of [`sys`](crate::sys), or of C: one with an observer, for example.
    ///
    /// # Safety
    /// It is a valid world, which nobody else destroys. What its desc pointed to, the recipe and the inputs among it, is
    /// there until this is dropped, stays as it is, and is for any thread.
    pub unsafe fn from_raw(raw: *mut sys::terrain_world) -> Self {
        Self { raw, outputs: Vec::new(), _recipe: None, _inputs: Vec::new() }
    }

    /// The library's world, for functions of [`sys`](crate::sys), on any thread. It is there as long as this one, and is
    /// not to be destroyed.
    pub fn as_ptr(&self) -> *mut sys::terrain_world {
        self.raw
    }

    /// The window whose first cell is (x, y); of several outputs the first one.
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

    /// That window of all outputs, in their order, and what they have in common computed once. The outputs of a world
    /// from [`from_raw`](Self::from_raw) are not known: it has [`tile_outputs_on`](Self::tile_outputs_on) alone.
    ///
    /// ```
    /// # fn main() -> terrain::Result<()> {
    /// let recipe = terrain::Recipe::parse("land = generate_drainage discharge=flow\n")?;
    /// let options = terrain::WorldOptions { outputs: &["land", "flow"], ..Default::default() };
    /// let maps = terrain::World::with(&recipe, &options)?.tile_outputs(-64, 0, 64, 64)?;
    /// assert!(maps[1].row(0).iter().all(|&cells| cells >= 1.0));
    /// # Ok(())
    /// # }
    /// ```
    pub fn tile_outputs(&self, x: i64, y: i64, width: u32, height: u32) -> Result<Vec<Map<'static>>> {
        if self.outputs.is_empty() {
            return Err(Error::new(Status::Argument, "the outputs of a world that was taken over are not known"));
        }
        let mut results = self.outputs.iter().map(|_| Map::new(width, height)).collect::<Result<Vec<_>>>()?;
        let mut maps: Vec<_> = results.iter_mut().map(Some).collect();
        self.tile_outputs_on(&mut Context::new()?, x, y, &mut maps)?;
        Ok(results)
    }

    /// Writes a map for each output, and its origin and cell size, with a context of this thread's. Maps have one size.
    /// Nothing is computed that only outputs need for which there is None, or which are beyond the slice's end.
    ///
    /// ```
    /// # fn main() -> terrain::Result<()> {
    /// let recipe = terrain::Recipe::parse("land = generate_noise\nslope = analyze_slope land\n")?;
    /// let options = terrain::WorldOptions { outputs: &["land", "slope"], ..Default::default() };
    /// let world = terrain::World::with(&recipe, &options)?;
    /// let mut slope = terrain::Map::new(64, 64)?;
    /// world.tile_outputs_on(&mut terrain::Context::new()?, -64, 0, &mut [None, Some(&mut slope)])?;
    /// assert_eq!(slope.hash(), world.tile_outputs(-64, 0, 64, 64)?[1].hash());
    /// # Ok(())
    /// # }
    /// ```
    pub fn tile_outputs_on(
        &self,
        context: &mut Context<'_>,
        x: i64,
        y: i64,
        maps: &mut [Option<&mut Map<'_>>],
    ) -> Result<()> {
        let maps: Vec<_> =
            maps.iter_mut().map(|map| map.as_mut().map_or(ptr::null_mut(), |map| map.as_mut_ptr())).collect();
        // SAFETY: a valid world, for any thread, and as many maps or nulls as it says.
        call(Some(context), |context| unsafe {
            sys::terrain_world_tile_maps(context, self.raw, x, y, maps.as_ptr(), maps.len() as u32)
        })
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

    /// What a tile takes at most, before anything is computed: with all outputs, and nothing kept yet.
    pub fn tile_bytes(&self, x: i64, y: i64, width: u32, height: u32) -> Result<TileBytes> {
        self.tile_bytes_on(&mut Context::new()?, x, y, width, height)
    }

    /// The same with a context, whose threads count.
    pub fn tile_bytes_on(
        &self,
        context: &mut Context<'_>,
        x: i64,
        y: i64,
        width: u32,
        height: u32,
    ) -> Result<TileBytes> {
        let window = sys::terrain_window { x, y, width, height };
        let mut bytes = TileBytes { kept: 0, needed: 0 };
        // SAFETY: a valid world, for any thread.
        call(Some(context), |context| unsafe {
            sys::terrain_world_tile_bytes(context, self.raw, &window, &mut bytes.kept, &mut bytes.needed)
        })?;
        Ok(bytes)
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
        let outputs: String = self.outputs.iter().map(|name| format!("{name}, ")).collect();
        write!(formatter, "World({outputs}{} bytes kept)", self.cache_size())
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // SAFETY: nobody has it any more.
        unsafe { sys::terrain_world_destroy(self.raw) }
    }
}
