// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

//! Figures of a terrain, and heights as whole numbers.

use std::fmt;
use std::mem::{size_of, MaybeUninit};
use std::ptr;

use terrain_sys as sys;

use crate::analyze::Hillshade;
use crate::context::{call, Context};
use crate::error::{check, Error, Result, Status};
use crate::map::Map;
use crate::operation::rows_of;

/// What [`Map::measure`] gives, of the finite heights: sums are exact, and rounded once. What there is no height for is
/// NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Statistics {
    /// Finite heights.
    pub count: u64,
    /// Cells of NaN.
    pub nan_count: u64,
    /// Cells of plus or minus infinity.
    pub infinite_count: u64,
    /// The lowest height.
    pub minimum: f32,
    /// The highest height.
    pub maximum: f32,
    /// All heights together.
    pub sum: f64,
    /// The mean height.
    pub mean: f64,
    /// The mean of the squared differences from the mean.
    pub variance: f64,
    /// The variance's root.
    pub standard_deviation: f64,
}

/// What [`Map::score`] takes for accessible and flat. Slopes are rise over run, sizes in cells, 1 to 64.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoreOptions {
    /// The steepest slope that units climb; default 0.5.
    pub unit_slope: f32,
    /// The steepest slope of ground to build on, at most `unit_slope`; default 0.125.
    pub building_slope: f32,
    /// Default 1.
    pub unit_size: u32,
    /// At least `unit_size`; default 9.
    pub building_size: u32,
}

impl Default for ScoreOptions {
    fn default() -> Self {
        Self { unit_slope: 0.5, building_slope: 0.125, unit_size: 1, building_size: 9 }
    }
}

/// Ground to play on, after Olsen: numbers of cells, and three figures made of them.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Score {
    /// Cells with a finite slope.
    pub count: u64,
    /// Cells that units can climb.
    pub accessible: u64,
    /// Cells flat enough to build on.
    pub flat: u64,
    /// The largest connected set of cells that units have room on.
    pub reachable: u64,
    /// Reachable cells that buildings have room on.
    pub buildable: u64,
    /// The deviation of slopes divided by their mean: it rises as flats and cliffs part.
    pub erosion: f64,
    /// Rise over run.
    pub mean_slope: f64,
    /// The shares of reachable and of buildable cells, multiplied: 0 to 1.
    pub playability: f64,
}

/// What tells land from noise; what a map is too small for is NaN. `terrain/landform.h` defines the figures.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Landform {
    /// Share of cells whose water crosses a closed bowl; real land 0 to 0.002.
    pub undrained: f64,
    /// Share of cells that drain through the largest river; real land 0.28 to 0.83.
    pub trunk: f64,
    /// The exponent by which slope falls with catchment area; real land 0.21 to 0.60.
    pub concavity: f64,
    /// The exponent of rivers' lengths against catchment area; real land 0.44 to 0.56.
    pub hack: f64,
    /// Of the curvature: crests sharper than hollows make it negative; real land -0.22 to 0.05.
    pub skewness: f64,
    /// How far axes and diagonals are favoured, 1: not at all; real land 0.95 to 1.05.
    pub axis: f64,
    /// The share of each landform.
    pub forms: Forms,
    /// How far these shares are from real land's, 0 to 1; real land 0 to 0.19.
    pub forms_distance: f64,
}

/// Shares of the ten landforms: geomorphons.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Forms {
    pub flat: f64,
    pub peak: f64,
    pub ridge: f64,
    pub shoulder: f64,
    pub spur: f64,
    pub slope: f64,
    pub hollow: f64,
    pub footslope: f64,
    pub valley: f64,
    pub pit: f64,
}

/// Statistics of several maps together, the same to the last bit in whatever order they are added or merged.
///
/// ```
/// # fn main() -> terrain::Result<()> {
/// let land = terrain::generate::Noise::default().map(64, 64)?;
/// let (mut west, mut east) = (terrain::Tally::new()?, terrain::Tally::new()?);
/// west.add(&land.part(0, 0, 30, 64)?)?;
/// east.add(&land.part(30, 0, 34, 64)?)?;
/// west.merge(&east)?;
/// assert_eq!(west.statistics(), land.measure()?);
/// # Ok(())
/// # }
/// ```
pub struct Tally {
    raw: *mut sys::terrain_statistics,
    bins: Vec<u64>, // where the library counts
}

// SAFETY: one thread at a time; memory is malloc's.
unsafe impl Send for Tally {}

impl Tally {
    /// Of no cell yet.
    pub fn new() -> Result<Self> {
        let mut raw = ptr::null_mut();
        // SAFETY: a valid place.
        unsafe { check(sys::terrain_statistics_create(ptr::null_mut(), &mut raw), ptr::null())? };
        Ok(Self { raw, bins: Vec::new() })
    }

    /// The same, which also counts the heights in `bins` equal parts of `low` to `high`, as [`Map::histogram`] does.
    pub fn with_histogram(low: f32, high: f32, bins: u32) -> Result<Self> {
        let mut tally = Self::new()?;
        // What the library refuses gets no memory first.
        tally.bins = vec![0; bins.min(1 << 20) as usize];
        // SAFETY: a valid object, and bins that outlive it: a vector that moves leaves them where they are.
        let status =
            unsafe { sys::terrain_statistics_set_histogram(tally.raw, low, high, tally.bins.as_mut_ptr(), bins) };
        // SAFETY: no context has a message.
        unsafe { check(status, ptr::null()) }.map_err(|error| match error.status() {
            Status::Range => Error::new(
                Status::Range,
                &format!("low is {low}, high is {high}, must be low < high, both within 1e30 of 0"),
            ),
            status => Error::new(status, &format!("bins is {bins}, must be in [1, 1048576]")),
        })?;
        Ok(tally)
    }

    /// Adds all cells of a map. After an error the tally is what it was.
    pub fn add(&mut self, map: &Map<'_>) -> Result<()> {
        self.add_on(&mut Context::new()?, map)
    }

    /// The same, with a context's threads, progress and cancelling.
    pub fn add_on(&mut self, context: &mut Context<'_>, map: &Map<'_>) -> Result<()> {
        // SAFETY: a valid object and a valid map.
        call(Some(context), |context| unsafe { sys::terrain_statistics_add(context, self.raw, map.as_ptr()) })
    }

    /// Adds what another tally has, which must have the same histogram, or none as this one.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        // SAFETY: valid objects, which are two.
        unsafe { check(sys::terrain_statistics_merge(self.raw, other.raw), ptr::null()) }
            .map_err(|error| Error::new(error.status(), "the histograms of the two tallies differ"))
    }

    /// Forgets all cells.
    pub fn reset(&mut self) {
        // SAFETY: a valid object.
        unsafe { sys::terrain_statistics_reset(self.raw) }
    }

    /// The figures of all cells.
    pub fn statistics(&self) -> Statistics {
        let raw = self.raw;
        // SAFETY: a valid object.
        unsafe {
            Statistics {
                count: sys::terrain_statistics_count(raw),
                nan_count: sys::terrain_statistics_nan_count(raw),
                infinite_count: sys::terrain_statistics_infinite_count(raw),
                minimum: sys::terrain_statistics_minimum(raw),
                maximum: sys::terrain_statistics_maximum(raw),
                sum: sys::terrain_statistics_sum(raw),
                mean: sys::terrain_statistics_mean(raw),
                variance: sys::terrain_statistics_variance(raw),
                standard_deviation: sys::terrain_statistics_standard_deviation(raw),
            }
        }
    }

    /// The numbers of heights in the histogram's parts; empty without one.
    pub fn histogram(&self) -> &[u64] {
        &self.bins
    }
}

impl fmt::Debug for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Tally({:?}, {} bins)", self.statistics(), self.bins.len())
    }
}

impl Drop for Tally {
    fn drop(&mut self) {
        // SAFETY: made by the library, and nobody has it any more.
        unsafe { sys::terrain_statistics_destroy(self.raw) }
    }
}

/// The score of a terrain that is added in tiles, in any order: that of the whole, to the last bit, if each tile has a
/// ring of `building_size` cells around its window wherever the terrain goes on.
///
/// ```
/// # fn main() -> terrain::Result<()> {
/// let options = terrain::ScoreOptions::default();
/// let land = terrain::generate::Noise::default().map(64, 64)?;
/// let mut tally = terrain::ScoreTally::new(&options)?;
/// tally.add(&land.part(0, 0, 39, 64)?, Some((0, 0, 30, 64)))?;
/// tally.add(&land.part(21, 0, 43, 64)?, Some((30, 0, 34, 64)))?;
/// assert_eq!(tally.score(), land.score(&options)?);
/// # Ok(())
/// # }
/// ```
pub struct ScoreTally(*mut sys::terrain_score);

// SAFETY: one thread at a time; memory is malloc's.
unsafe impl Send for ScoreTally {}

impl ScoreTally {
    /// Of no cell yet.
    pub fn new(options: &ScoreOptions) -> Result<Self> {
        let mut raw = ptr::null_mut();
        let mut desc = MaybeUninit::<sys::terrain_score_desc>::uninit();
        // SAFETY: the library initialises the desc; a valid place.
        unsafe {
            sys::terrain_score_desc_init(desc.as_mut_ptr(), size_of::<sys::terrain_score_desc>());
            let desc = &mut *desc.as_mut_ptr();
            (desc.unit_slope, desc.building_slope) = (options.unit_slope, options.building_slope);
            (desc.unit_size, desc.building_size) = (options.unit_size, options.building_size);
            call(None, |context| sys::terrain_score_create(context, desc, &mut raw))?;
        }
        Ok(Self(raw))
    }

    /// Adds the cells of a window, as the world counts them: x and y of the first cell, width and height; None: the
    /// whole map. After an error the tally is what it was.
    pub fn add(&mut self, map: &Map<'_>, window: Option<(i64, i64, u32, u32)>) -> Result<()> {
        self.add_on(&mut Context::new()?, map, window)
    }

    /// The same, with a context's threads, progress and cancelling.
    pub fn add_on(
        &mut self,
        context: &mut Context<'_>,
        map: &Map<'_>,
        window: Option<(i64, i64, u32, u32)>,
    ) -> Result<()> {
        let window = window.map(|(x, y, width, height)| sys::terrain_window { x, y, width, height });
        let window = window.as_ref().map_or(ptr::null(), |window| window as *const _);
        // SAFETY: a valid object, a valid map, and a window or null.
        call(Some(context), |context| unsafe { sys::terrain_score_add(context, self.0, map.as_ptr(), window) })
    }

    /// Adds the cells of another tally of the same options, whose windows are none of this one's.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        // SAFETY: valid objects, which are two.
        unsafe { check(sys::terrain_score_merge(self.0, other.0), ptr::null()) }.map_err(|error| match error.status() {
            Status::Argument => Error::new(Status::Argument, "the tallies' options differ, or their windows overlap"),
            _ => error,
        })
    }

    /// The score of all cells.
    pub fn score(&self) -> Score {
        let raw = self.0;
        // SAFETY: a valid object.
        unsafe {
            Score {
                count: sys::terrain_score_count(raw),
                accessible: sys::terrain_score_accessible(raw),
                flat: sys::terrain_score_flat(raw),
                reachable: sys::terrain_score_reachable(raw),
                buildable: sys::terrain_score_buildable(raw),
                erosion: sys::terrain_score_erosion(raw),
                mean_slope: sys::terrain_score_mean_slope(raw),
                playability: sys::terrain_score_playability(raw),
            }
        }
    }
}

impl fmt::Debug for ScoreTally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ScoreTally({:?})", self.score())
    }
}

impl Drop for ScoreTally {
    fn drop(&mut self) {
        // SAFETY: made by the library, and nobody has it any more.
        unsafe { sys::terrain_score_destroy(self.0) }
    }
}

/// How well the maps of a grid fit together: what [`stitch`](crate::stitch) mends.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Seams {
    /// Shared cells that were compared.
    pub cells: u64,
    /// The greatest difference between two heights of one shared cell.
    pub worst_step: f64,
    /// The greatest difference between the slopes on the two sides of a line where a map ends, in height per cell.
    pub worst_kink: f64,
    /// The mean curvature across those lines.
    pub seam_curvature: f64,
    /// The mean curvature inside the maps.
    pub inside_curvature: f64,
    /// The first by the second: 1 where seams look as all else, more where they show.
    pub ratio: f64,
}

impl Seams {
    /// Measures maps that are neighbours, row by row from the north, and share `overlap` lines of cells: 1 for stitched
    /// edges.
    ///
    /// ```
    /// # fn main() -> terrain::Result<()> {
    /// let land = terrain::generate::Noise::default().map(65, 64)?;
    /// let (west, east) = (land.part(0, 0, 33, 64)?, land.part(32, 0, 33, 64)?);
    /// let seams = terrain::Seams::measure(&[&west, &east], 2, 1)?;
    /// assert_eq!((seams.cells, seams.worst_step), (64, 0.0));
    /// # Ok(())
    /// # }
    /// ```
    pub fn measure(maps: &[&Map<'_>], columns: usize, overlap: u32) -> Result<Self> {
        let rows = rows_of(maps.len(), columns)?;
        let maps: Vec<_> = maps.iter().map(|map| map.as_ptr()).collect();
        let mut seams = MaybeUninit::<sys::terrain_seams>::uninit();
        // SAFETY: the library initialises the struct; as many valid maps as it is told.
        let seams = unsafe {
            sys::terrain_seams_init(seams.as_mut_ptr(), size_of::<sys::terrain_seams>());
            call(None, |context| {
                sys::terrain_seams_measure(context, maps.as_ptr(), columns as u32, rows, overlap, seams.as_mut_ptr())
            })?;
            seams.assume_init()
        };
        Ok(Self {
            cells: seams.cells,
            worst_step: seams.worst_step,
            worst_kink: seams.worst_kink,
            seam_curvature: seams.seam_curvature,
            inside_curvature: seams.inside_curvature,
            ratio: seams.ratio,
        })
    }
}

/// Packs heights into a buffer of so many whole numbers a row.
type Pack<T> = unsafe extern "C" fn(
    *mut sys::terrain_context,
    *const sys::terrain_heightmap,
    f32,
    f32,
    *mut T,
    usize,
) -> sys::terrain_status;

/// Writes one to four maps into the channels of a buffer, cell by cell: splat maps, normals, masks side by side. Each
/// channel is a map with the heights that become 0 and 255, as [`Map::pack_u8`] takes them; bytes of a channel that is
/// `None` are left as they are. `cells` has as many bytes as the maps have cells, times the channels.
///
/// ```
/// # fn main() -> terrain::Result<()> {
/// let rock = terrain::Map::wrap_const(&[0.0, 0.5, 1.0], 3, 1, 3)?;
/// let land = terrain::Map::wrap_const(&[-10.0, 0.0, 90.0], 3, 1, 3)?;
/// let mut cells = [7; 9];
/// terrain::pack_channels_u8(&[Some((&rock, 0.0, 1.0)), None, Some((&land, -10.0, 90.0))], &mut cells)?;
/// assert_eq!(cells, [0, 7, 0, 128, 7, 26, 255, 7, 255]);
/// # Ok(())
/// # }
/// ```
pub fn pack_channels_u8(channels: &[Option<(&Map<'_>, f32, f32)>], cells: &mut [u8]) -> Result<()> {
    let first = channels.iter().flatten().next();
    let (width, height) = first.map_or((0, 0), |(map, ..)| (map.width() as usize, map.height() as usize));
    let wanted = channels.len() * width * height;
    if cells.len() != wanted {
        let text = format!("{} channels of {width}x{height} have {wanted} bytes, not {}", channels.len(), cells.len());
        return Err(Error::new(Status::Argument, &text));
    }
    let maps: Vec<*const _> =
        channels.iter().map(|each| each.map_or(ptr::null(), |(map, ..)| map.raw() as *const _)).collect();
    let lows: Vec<f32> = channels.iter().map(|each| each.map_or(0.0, |(_, low, _)| low)).collect();
    let highs: Vec<f32> = channels.iter().map(|each| each.map_or(1.0, |(.., high)| high)).collect();
    let count = u32::try_from(channels.len()).unwrap_or(u32::MAX);
    // SAFETY: the arrays have `count` elements, and the buffer has a byte for each channel of every cell.
    call(None, |context| unsafe {
        sys::terrain_heightmap_pack_channels_u8(
            context,
            maps.as_ptr(),
            lows.as_ptr(),
            highs.as_ptr(),
            count,
            cells.as_mut_ptr(),
            channels.len() * width,
        )
    })
}

/// Unpacks a buffer of so many whole numbers a row.
type Unpack<T> = unsafe extern "C" fn(
    *mut sys::terrain_context,
    *const T,
    usize,
    f32,
    f32,
    *mut sys::terrain_heightmap,
) -> sys::terrain_status;

impl Map<'_> {
    /// Statistics of the heights.
    ///
    /// ```
    /// # fn main() -> terrain::Result<()> {
    /// let mut land = terrain::generate::Noise::default().map(64, 64)?;
    /// land.row_mut(5)[7] = f32::NAN;
    /// let figures = land.measure()?;
    /// assert_eq!((figures.count, figures.nan_count), (64 * 64 - 1, 1));
    /// let heights = land.pack_u16(figures.minimum, figures.maximum)?;
    /// assert_eq!(heights.iter().max(), Some(&65535));
    /// # Ok(())
    /// # }
    /// ```
    pub fn measure(&self) -> Result<Statistics> {
        self.measure_on(&mut Context::new()?)
    }

    /// The same, with a context's threads, progress and cancelling.
    pub fn measure_on(&self, context: &mut Context<'_>) -> Result<Statistics> {
        let mut tally = Tally::new()?;
        tally.add_on(context, self)?;
        Ok(tally.statistics())
    }

    /// How many finite heights lie in each of `bins` equal parts of `low` to `high`, which itself belongs to the last
    /// part. Heights outside belong to none. At most 2^20 bins; -1e30 <= low < high <= 1e30.
    ///
    /// ```
    /// # fn main() -> terrain::Result<()> {
    /// let land = terrain::Map::wrap_const(&[0.0, 0.1, 0.6, 1.0], 4, 1, 4)?;
    /// assert_eq!(land.histogram(0.0, 1.0, 2)?, [2, 2]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn histogram(&self, low: f32, high: f32, bins: u32) -> Result<Vec<u64>> {
        self.histogram_on(&mut Context::new()?, low, high, bins)
    }

    /// The same, with a context's threads, progress and cancelling.
    pub fn histogram_on(&self, context: &mut Context<'_>, low: f32, high: f32, bins: u32) -> Result<Vec<u64>> {
        let mut tally = Tally::with_histogram(low, high, bins)?;
        tally.add_on(context, self)?;
        Ok(std::mem::take(&mut tally.bins))
    }

    /// How much of the land units can reach and build on.
    ///
    /// ```
    /// # fn main() -> terrain::Result<()> {
    /// let plain = terrain::Map::new(64, 64)?;
    /// let score = plain.score(&terrain::ScoreOptions { unit_size: 3, ..Default::default() })?;
    /// assert_eq!((score.buildable, score.playability), (64 * 64, 1.0));
    /// # Ok(())
    /// # }
    /// ```
    pub fn score(&self, options: &ScoreOptions) -> Result<Score> {
        self.score_on(&mut Context::new()?, options)
    }

    /// The same, with a context's threads, progress and cancelling.
    pub fn score_on(&self, context: &mut Context<'_>, options: &ScoreOptions) -> Result<Score> {
        let mut tally = ScoreTally::new(options)?;
        tally.add_on(context, self, None)?;
        Ok(tally.score())
    }

    /// How the land drains, and which landforms it is made of.
    ///
    /// ```
    /// # fn main() -> terrain::Result<()> {
    /// let noise = terrain::generate::Noise { period: 60.0, ..Default::default() }.map(200, 200)?;
    /// assert!(noise.landform()?.undrained > 0.3); // noise has bowls, hardly any land has
    /// # Ok(())
    /// # }
    /// ```
    pub fn landform(&self) -> Result<Landform> {
        self.landform_on(&mut Context::new()?)
    }

    /// The same, with a context's progress and cancelling.
    pub fn landform_on(&self, context: &mut Context<'_>) -> Result<Landform> {
        let mut land = MaybeUninit::<sys::terrain_landform>::uninit();
        // SAFETY: the library initialises the struct, whose place is valid.
        let land = unsafe {
            sys::terrain_landform_init(land.as_mut_ptr(), size_of::<sys::terrain_landform>());
            call(Some(context), |context| sys::terrain_landform_measure(context, self.raw(), land.as_mut_ptr()))?;
            land.assume_init()
        };
        let [flat, peak, ridge, shoulder, spur, slope, hollow, footslope, valley, pit] = land.forms;
        Ok(Landform {
            undrained: land.undrained,
            trunk: land.trunk,
            concavity: land.concavity,
            hack: land.hack,
            skewness: land.skewness,
            axis: land.axis,
            forms: Forms { flat, peak, ridge, shoulder, spur, slope, hollow, footslope, valley, pit },
            forms_distance: land.forms_distance,
        })
    }

    /// The heights row by row as bytes: `low` becomes 0 and `high` 255, what lies beyond is clamped, NaN becomes 0.
    pub fn pack_u8(&self, low: f32, high: f32) -> Result<Vec<u8>> {
        self.pack(sys::terrain_heightmap_pack_u8, low, high)
    }

    /// The same with 65535 for `high`: what engines take as 16-bit heightmaps.
    pub fn pack_u16(&self, low: f32, high: f32) -> Result<Vec<u16>> {
        self.pack(sys::terrain_heightmap_pack_u16, low, high)
    }

    /// A shaded relief row by row, 0 to 255: what [`analyze::Hillshade`](Hillshade) makes, packed, in one pass.
    ///
    /// ```
    /// # fn main() -> terrain::Result<()> {
    /// let land = terrain::generate::Noise::default().map(64, 64)?;
    /// let shade = terrain::analyze::Hillshade { azimuth: 270.0, ..Default::default() };
    /// assert_eq!(land.pack_hillshade_u8(&shade)?, shade.of(&land)?.pack_u8(0.0, 1.0)?);
    /// # Ok(())
    /// # }
    /// ```
    pub fn pack_hillshade_u8(&self, shade: &Hillshade) -> Result<Vec<u8>> {
        let params = shade.params();
        let (raw, width) = (params.as_ptr().cast(), self.width() as usize);
        let mut cells = vec![0; width * self.height() as usize];
        // SAFETY: the params of that operation, and a place for every cell.
        call(None, |context| unsafe {
            sys::terrain_heightmap_pack_hillshade_u8(context, self.raw(), raw, cells.as_mut_ptr(), width)
        })?;
        Ok(cells)
    }

    /// Writes all cells from bytes row by row: 0 becomes `low`, and 255 `high`.
    ///
    /// ```
    /// # fn main() -> terrain::Result<()> {
    /// let mut land = terrain::Map::new(3, 1)?;
    /// land.unpack_u8(&[0, 51, 255], 0.0, 10.0)?;
    /// assert_eq!(land.row(0), [0.0, 2.0, 10.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn unpack_u8(&mut self, cells: &[u8], low: f32, high: f32) -> Result<()> {
        self.unpack(sys::terrain_heightmap_unpack_u8, cells, low, high)
    }

    /// The same with 65535 for `high`: what engines give as 16-bit heightmaps.
    pub fn unpack_u16(&mut self, cells: &[u16], low: f32, high: f32) -> Result<()> {
        self.unpack(sys::terrain_heightmap_unpack_u16, cells, low, high)
    }

    fn unpack<T>(&mut self, function: Unpack<T>, cells: &[T], low: f32, high: f32) -> Result<()> {
        let (width, height) = (self.width() as usize, self.height() as usize);
        if cells.len() != width * height {
            let text = format!("a map of {width}x{height} has {} cells, not {}", width * height, cells.len());
            return Err(Error::new(Status::Argument, &text));
        }
        // SAFETY: there is a number for every cell.
        call(None, |context| unsafe { function(context, cells.as_ptr(), width, low, high, self.as_mut_ptr()) })
    }

    fn pack<T: Clone + Default>(&self, function: Pack<T>, low: f32, high: f32) -> Result<Vec<T>> {
        let width = self.width() as usize;
        let mut cells = vec![T::default(); width * self.height() as usize];
        // SAFETY: the buffer has a place for every cell.
        call(None, |context| unsafe { function(context, self.raw(), low, high, cells.as_mut_ptr(), width) })?;
        Ok(cells)
    }
}
