// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

use std::fmt;
use std::marker::PhantomData;
use std::ptr::{self, NonNull};

use terrain_sys as sys;

use crate::context::Context;
use crate::error::{check, Error, Result, Status};

/// A heightmap: rows of heights from north to south, with a cell size, and a place in the endless world. It owns its
/// cells, or borrows the host's, without a copy, at any distance of rows.
///
/// It is `Send` and `Sync`: the library's maps have no thread, and what changes one takes it by `&mut`.
pub struct Map<'a> {
    raw: NonNull<sys::terrain_heightmap>,
    constant: bool,
    cells: PhantomData<&'a mut f32>,
}

// SAFETY: see context.h's and heightmap.h's Thread-safety; memory is malloc's.
unsafe impl Send for Map<'_> {}
unsafe impl Sync for Map<'_> {}

/// What [`Map::hash`] gives; shown as 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hash(pub u64);

impl fmt::Display for Hash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:016x}", self.0)
    }
}

impl Map<'static> {
    /// A map of zeros, that owns its cells.
    pub fn new(width: u32, height: u32) -> Result<Self> {
        // SAFETY: the context is null or valid, and the place is valid.
        let raw = create(|context, out| unsafe { sys::terrain_heightmap_create(context, width, height, out) })?;
        Ok(Self::of(raw, false))
    }
}

impl<'a> Map<'a> {
    fn of(raw: *mut sys::terrain_heightmap, constant: bool) -> Self {
        Self { raw: NonNull::new(raw).expect("a map after success"), constant, cells: PhantomData }
    }

    /// A map of these cells; rows are `stride` floats apart, at least `width`. What lies between is left alone.
    pub fn wrap(cells: &'a mut [f32], width: u32, height: u32, stride: usize) -> Result<Self> {
        check_length(cells.len(), width, height, stride)?;
        // SAFETY: the cells are there as long as 'a, and nobody else's.
        unsafe { Self::wrap_raw(cells.as_mut_ptr(), width, height, stride, false) }
    }

    /// The same, to be read alone: as the target of any operation it is refused.
    pub fn wrap_const(cells: &'a [f32], width: u32, height: u32, stride: usize) -> Result<Self> {
        check_length(cells.len(), width, height, stride)?;
        // SAFETY: the cells are there as long as 'a, and are not written.
        unsafe { Self::wrap_raw(cells.as_ptr() as *mut f32, width, height, stride, true) }
    }

    /// # Safety
    /// Rows of cells lie there as long as 'a; they are nobody else's, or nobody writes them if `constant`.
    unsafe fn wrap_raw(data: *mut f32, width: u32, height: u32, stride: usize, constant: bool) -> Result<Self> {
        let raw = create(|context, out| match constant {
            true => sys::terrain_heightmap_wrap_const(context, data, width, height, stride, out),
            false => sys::terrain_heightmap_wrap(context, data, width, height, stride, out),
        })?;
        Ok(Self::of(raw, constant))
    }

    /// A map that owns copies of the cells.
    pub fn try_clone(&self) -> Result<Map<'static>> {
        // SAFETY: a valid map and a valid place.
        let raw = create(|context, out| unsafe { sys::terrain_heightmap_clone(context, self.raw(), out) })?;
        Ok(Map::of(raw, false))
    }

    pub(crate) fn raw(&self) -> *mut sys::terrain_heightmap {
        self.raw.as_ptr()
    }

    /// The library's map, for functions of [`sys`](crate::sys) that read it. It is there as long as this one.
    pub fn as_ptr(&self) -> *const sys::terrain_heightmap {
        self.raw.as_ptr()
    }

    /// The library's map, for functions of [`sys`](crate::sys) that write it.
    ///
    /// ```
    /// # fn main() -> terrain::Result<()> {
    /// let mut map = terrain::Map::new(8, 5)?;
    /// // SAFETY: a valid map that is nobody else's.
    /// unsafe { terrain::sys::terrain_heightmap_set_origin(map.as_mut_ptr(), 3, -4) };
    /// assert_eq!(map.origin(), (3, -4));
    /// # Ok(())
    /// # }
    /// ```
    pub fn as_mut_ptr(&mut self) -> *mut sys::terrain_heightmap {
        self.raw.as_ptr()
    }

    /// Cells of a row.
    pub fn width(&self) -> u32 {
        // SAFETY: a valid map, here and below.
        unsafe { sys::terrain_heightmap_width(self.raw()) }
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        unsafe { sys::terrain_heightmap_height(self.raw()) }
    }

    /// The distance of rows, in floats.
    pub fn stride(&self) -> usize {
        unsafe { sys::terrain_heightmap_stride(self.raw()) }
    }

    /// The distance of neighbouring cells, in the unit of the heights.
    pub fn cell_size(&self) -> f32 {
        unsafe { sys::terrain_heightmap_cell_size(self.raw()) }
    }

    /// From 1e-6 to 1e9.
    pub fn set_cell_size(&mut self, cell_size: f32) -> Result<()> {
        // SAFETY: a valid map that is nobody else's.
        unsafe { check(sys::terrain_heightmap_set_cell_size(self.as_mut_ptr(), cell_size), ptr::null()) }
            .map_err(|error| Error::new(error.status(), &format!("cell_size is {cell_size}, must be in [1e-6, 1e9]")))
    }

    /// The world's coordinates (x, y) of the first cell.
    pub fn origin(&self) -> (i64, i64) {
        let (mut x, mut y) = (0, 0);
        unsafe { sys::terrain_heightmap_origin(self.raw(), &mut x, &mut y) };
        (x, y)
    }

    /// The whole map must lie within 2^62 cells of the world's origin.
    pub fn set_origin(&mut self, x: i64, y: i64) -> Result<()> {
        // SAFETY: a valid map that is nobody else's.
        unsafe { check(sys::terrain_heightmap_set_origin(self.as_mut_ptr(), x, y), ptr::null()) }.map_err(|error| {
            Error::new(error.status(), &format!("origin is ({x}, {y}), the map must lie within 2^62 of (0, 0)"))
        })
    }

    /// A row of heights. Panics if there is none of that number.
    pub fn row(&self, y: u32) -> &[f32] {
        assert!(y < self.height(), "row {y} of {}", self.height());
        // SAFETY: the row's cells lie there, and are borrowed with the map.
        unsafe {
            let first = sys::terrain_heightmap_const_data(self.raw()).add(y as usize * self.stride());
            std::slice::from_raw_parts(first, self.width() as usize)
        }
    }

    /// A row to write. Panics if there is none of that number, or if the map wraps cells to be read alone.
    pub fn row_mut(&mut self, y: u32) -> &mut [f32] {
        assert!(y < self.height(), "row {y} of {}", self.height());
        assert!(!self.constant, "the map's cells are to be read alone");
        // SAFETY: as above, and nobody else has the map.
        unsafe {
            let first = sys::terrain_heightmap_data(self.as_mut_ptr()).add(y as usize * self.stride());
            std::slice::from_raw_parts_mut(first, self.width() as usize)
        }
    }

    /// All rows, from the north.
    pub fn rows(&self) -> impl Iterator<Item = &[f32]> + '_ {
        (0..self.height()).map(move |y| self.row(y))
    }

    /// The fingerprint of size and cells, the same on every machine.
    pub fn hash(&self) -> Hash {
        Hash(unsafe { sys::terrain_heightmap_hash(self.raw()) })
    }
}

impl Drop for Map<'_> {
    fn drop(&mut self) {
        // SAFETY: made by the library, and nobody's from here on.
        unsafe { sys::terrain_heightmap_destroy(self.raw()) }
    }
}

impl fmt::Debug for Map<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Map({}x{}, {})", self.width(), self.height(), self.hash())
    }
}

/// What the call makes without a context; if it fails, it is made with one, which knows why.
fn create(
    call: impl Fn(*mut sys::terrain_context, *mut *mut sys::terrain_heightmap) -> sys::terrain_status,
) -> Result<*mut sys::terrain_heightmap> {
    let mut out = ptr::null_mut();
    if call(ptr::null_mut(), &mut out) != sys::TERRAIN_SUCCESS {
        let mut context = Context::new()?;
        // SAFETY: a valid context of our own.
        unsafe { check(call(context.raw(), &mut out), context.raw())? };
    }
    Ok(out)
}

/// Whether a slice holds all rows; the library checks the rest.
fn check_length(length: usize, width: u32, height: u32, stride: usize) -> Result<()> {
    let needed = (height as usize)
        .checked_sub(1)
        .and_then(|rows| rows.checked_mul(stride))
        .and_then(|before| before.checked_add(width as usize));
    match needed {
        None => Err(Error::new(Status::Argument, "a map without rows, or one that is too large")),
        Some(needed) if needed > length => Err(Error::new(
            Status::Argument,
            &format!("{length} floats don't hold {width}x{height} cells with rows {stride} apart: {needed} do"),
        )),
        Some(_) => Ok(()),
    }
}

#[cfg(feature = "ndarray")]
mod views {
    use super::*;
    use ndarray::{ArrayView2, ArrayViewMut2, ShapeBuilder};

    /// Width, height and distance of rows of an array whose cells of a row lie side by side.
    fn layout(shape: (usize, usize), strides: &[isize]) -> Result<(u32, u32, usize)> {
        let (height, width) = shape;
        let side_by_side = strides[1] == 1 || width == 1;
        let stride = if height == 1 { width } else { usize::try_from(strides[0]).unwrap_or(0) };
        match (u32::try_from(width), u32::try_from(height)) {
            (Ok(columns), Ok(rows)) if side_by_side && stride >= width => Ok((columns, rows, stride)),
            _ => Err(Error::new(
                Status::Argument,
                &format!(
                    "an array of {height}x{width} with strides {strides:?} is not made of rows: standard layout is"
                ),
            )),
        }
    }

    impl<'a> Map<'a> {
        /// The array's cells, without a copy. Its rows may be any distance apart.
        pub fn from_array(mut array: ArrayViewMut2<'a, f32>) -> Result<Self> {
            let (width, height, stride) = layout(array.dim(), array.strides())?;
            // SAFETY: the view has these cells for itself, as long as 'a.
            unsafe { Self::wrap_raw(array.as_mut_ptr(), width, height, stride, false) }
        }

        /// The array's cells, to be read alone.
        pub fn from_array_const(array: ArrayView2<'a, f32>) -> Result<Self> {
            let (width, height, stride) = layout(array.dim(), array.strides())?;
            // SAFETY: the view has these cells as long as 'a, and they are not written.
            unsafe { Self::wrap_raw(array.as_ptr() as *mut f32, width, height, stride, true) }
        }

        /// The map's cells as an array, (rows, columns).
        pub fn view(&self) -> ArrayView2<'_, f32> {
            let shape = (self.height() as usize, self.width() as usize);
            // SAFETY: the cells lie there, and are borrowed with the map.
            unsafe {
                let data = sys::terrain_heightmap_const_data(self.raw());
                ArrayView2::from_shape_ptr(shape.strides((self.stride(), 1)), data)
            }
        }

        /// The map's cells as an array to write. Panics if the map wraps cells to be read alone.
        pub fn view_mut(&mut self) -> ArrayViewMut2<'_, f32> {
            assert!(!self.constant, "the map's cells are to be read alone");
            let shape = (self.height() as usize, self.width() as usize);
            // SAFETY: as above, and nobody else has the map.
            unsafe {
                let data = sys::terrain_heightmap_data(self.as_mut_ptr());
                ArrayViewMut2::from_shape_ptr(shape.strides((self.stride(), 1)), data)
            }
        }
    }
}
