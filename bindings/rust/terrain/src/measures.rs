// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

//! Figures of a terrain, and heights as whole numbers.

use std::mem::{size_of, MaybeUninit};
use std::ptr;

use terrain_sys as sys;

use crate::context::{call, Context};
use crate::error::{check, Error, Result, Status};
use crate::map::Map;

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

/// What the library made, which frees it.
struct Made<T> {
    raw: *mut T,
    destroy: unsafe extern "C" fn(*mut T),
}

impl<T> Drop for Made<T> {
    fn drop(&mut self) {
        // SAFETY: made by the library, and nobody has it any more.
        unsafe { (self.destroy)(self.raw) }
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
        let mut raw = ptr::null_mut();
        // SAFETY: a valid place, then a valid object and a valid map, until the end of this function.
        unsafe {
            check(sys::terrain_statistics_create(ptr::null_mut(), &mut raw), ptr::null())?;
            let _made = Made { raw, destroy: sys::terrain_statistics_destroy };
            call(Some(context), |context| sys::terrain_statistics_add(context, raw, self.raw()))?;
            Ok(Statistics {
                count: sys::terrain_statistics_count(raw),
                nan_count: sys::terrain_statistics_nan_count(raw),
                infinite_count: sys::terrain_statistics_infinite_count(raw),
                minimum: sys::terrain_statistics_minimum(raw),
                maximum: sys::terrain_statistics_maximum(raw),
                sum: sys::terrain_statistics_sum(raw),
                mean: sys::terrain_statistics_mean(raw),
                variance: sys::terrain_statistics_variance(raw),
                standard_deviation: sys::terrain_statistics_standard_deviation(raw),
            })
        }
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
        let mut raw = ptr::null_mut();
        // What the library refuses gets no memory first.
        let mut counts = vec![0; bins.min(1 << 20) as usize];
        // SAFETY: a valid place, then a valid object, a valid map, and bins that outlive the object.
        unsafe {
            check(sys::terrain_statistics_create(ptr::null_mut(), &mut raw), ptr::null())?;
            let _made = Made { raw, destroy: sys::terrain_statistics_destroy };
            check(sys::terrain_statistics_set_histogram(raw, low, high, counts.as_mut_ptr(), bins), ptr::null())
                .map_err(|error| match error.status() {
                    Status::Range => Error::new(
                        Status::Range,
                        &format!("low is {low}, high is {high}, must be low < high, both within 1e30 of 0"),
                    ),
                    status => Error::new(status, &format!("bins is {bins}, must be in [1, 1048576]")),
                })?;
            call(Some(context), |context| sys::terrain_statistics_add(context, raw, self.raw()))?;
        }
        Ok(counts)
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
        let mut raw = ptr::null_mut();
        let mut desc = MaybeUninit::<sys::terrain_score_desc>::uninit();
        // SAFETY: the library initialises the desc; then a valid object and a valid map, until the end of this function.
        unsafe {
            sys::terrain_score_desc_init(desc.as_mut_ptr(), size_of::<sys::terrain_score_desc>());
            let desc = &mut *desc.as_mut_ptr();
            (desc.unit_slope, desc.building_slope) = (options.unit_slope, options.building_slope);
            (desc.unit_size, desc.building_size) = (options.unit_size, options.building_size);
            call(None, |context| sys::terrain_score_create(context, desc, &mut raw))?;
            let _made = Made { raw, destroy: sys::terrain_score_destroy };
            call(Some(context), |context| sys::terrain_score_add(context, raw, self.raw(), ptr::null()))?;
            Ok(Score {
                count: sys::terrain_score_count(raw),
                accessible: sys::terrain_score_accessible(raw),
                flat: sys::terrain_score_flat(raw),
                reachable: sys::terrain_score_reachable(raw),
                buildable: sys::terrain_score_buildable(raw),
                erosion: sys::terrain_score_erosion(raw),
                mean_slope: sys::terrain_score_mean_slope(raw),
                playability: sys::terrain_score_playability(raw),
            })
        }
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

    fn pack<T: Clone + Default>(&self, function: Pack<T>, low: f32, high: f32) -> Result<Vec<T>> {
        let width = self.width() as usize;
        let mut cells = vec![T::default(); width * self.height() as usize];
        // SAFETY: the buffer has a place for every cell.
        call(None, |context| unsafe { function(context, self.raw(), low, high, cells.as_mut_ptr(), width) })?;
        Ok(cells)
    }
}
