// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

use std::fmt;
use std::marker::PhantomData;
use std::mem;
use std::ops::{Index, IndexMut};
use std::ptr::{self, NonNull};
use std::str::FromStr;

use terrain_sys as sys;

use crate::context::{call, Context};
use crate::error::{check, Error, Result, Status};

/// A heightmap: rows of heights from north to south, with a cell size, and a place in the endless world. It owns its
/// cells, or borrows the host's, without a copy, at any distance of rows.
///
/// It is `Send` and `Sync`: the library's maps have no thread, and what changes one takes it by `&mut`.
///
/// `map[(row, column)]` is a height. Of many cells [`rows`](Self::rows), [`row_mut`](Self::row_mut) and
/// [`as_slice`](Self::as_slice) are faster. It panics outside the map, and where a cell is written that is to be read
/// alone.
///
/// ```
/// # fn main() -> terrain::Result<()> {
/// let mut land = terrain::Map::from_vec(vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0], 3, 2)?;
/// assert_eq!(land[(1, 0)], 3.0);
/// land[(1, 2)] = 7.0;
/// assert_eq!(land.into_vec(), [0.0, 1.0, 2.0, 3.0, 4.0, 7.0]);
/// # Ok(())
/// # }
/// ```
pub struct Map<'a> {
    raw: NonNull<sys::terrain_heightmap>,
    // What the library says of the map, which stays: asked for each cell it would take long.
    data: *mut f32,
    width: u32,
    height: u32,
    stride: usize,
    constant: bool,
    /// The cells, if they are a vector's.
    owned: Vec<f32>,
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

/// Reads what is shown: 16 hexadecimal digits.
impl FromStr for Hash {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let digits = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let hash = u64::from_str_radix(text, 16).ok().filter(|_| digits);
        hash.map(Self)
            .ok_or_else(|| Error::new(Status::Argument, &format!("'{text}' is no hash: 16 hexadecimal digits are")))
    }
}

impl Map<'static> {
    /// A map of zeros, that owns its cells.
    pub fn new(width: u32, height: u32) -> Result<Self> {
        // SAFETY: the context is null or valid, and the place is valid.
        let raw = create(|context, out| unsafe { sys::terrain_heightmap_create(context, width, height, out) })?;
        Ok(Self::of(raw, false))
    }

    /// A map of a vector's cells, row by row, which it keeps without a copy.
    pub fn from_vec(mut cells: Vec<f32>, width: u32, height: u32) -> Result<Self> {
        let needed = u64::from(width) * u64::from(height);
        if cells.len() as u64 != needed {
            let text = format!("a map of {width}x{height} has {needed} cells, not {}", cells.len());
            return Err(Error::new(Status::Argument, &text));
        }
        // SAFETY: the map has the cells as long as it is there; a vector that moves leaves them where they are.
        let mut map = unsafe { Self::wrap_raw(cells.as_mut_ptr(), width, height, width as usize, false)? };
        map.owned = cells;
        Ok(map)
    }
}

impl<'a> Map<'a> {
    fn of(raw: *mut sys::terrain_heightmap, constant: bool) -> Self {
        // SAFETY: a valid map.
        unsafe {
            Self {
                raw: NonNull::new(raw).expect("a map after success"),
                data: sys::terrain_heightmap_const_data(raw) as *mut f32,
                width: sys::terrain_heightmap_width(raw),
                height: sys::terrain_heightmap_height(raw),
                stride: sys::terrain_heightmap_stride(raw),
                constant,
                owned: Vec::new(),
                cells: PhantomData,
            }
        }
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
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The distance of rows, in floats.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// The distance of neighbouring cells, in the unit of the heights.
    pub fn cell_size(&self) -> f32 {
        // SAFETY: a valid map, here and below.
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
    #[track_caller]
    pub fn row(&self, y: u32) -> &[f32] {
        assert!(y < self.height, "row {y} of {}", self.height);
        // SAFETY: the row's cells lie there, and are borrowed with the map.
        unsafe { std::slice::from_raw_parts(self.data.add(y as usize * self.stride), self.width as usize) }
    }

    /// A row to write. Panics if there is none of that number, or if the map wraps cells to be read alone.
    #[track_caller]
    pub fn row_mut(&mut self, y: u32) -> &mut [f32] {
        assert!(y < self.height, "row {y} of {}", self.height);
        assert!(!self.constant, "the map's cells are to be read alone");
        // SAFETY: as above, and nobody else has the map.
        unsafe { std::slice::from_raw_parts_mut(self.data.add(y as usize * self.stride), self.width as usize) }
    }

    /// All cells row by row, if nothing lies between the rows.
    pub fn as_slice(&self) -> Option<&[f32]> {
        let count = self.width as usize * self.height as usize;
        // SAFETY: as many cells lie there side by side, and are borrowed with the map.
        (self.stride == self.width as usize).then(|| unsafe { std::slice::from_raw_parts(self.data, count) })
    }

    /// The same, to write; None also if the map wraps cells to be read alone.
    pub fn as_mut_slice(&mut self) -> Option<&mut [f32]> {
        let count = self.width as usize * self.height as usize;
        let whole = self.stride == self.width as usize && !self.constant;
        // SAFETY: as above, and nobody else has the map.
        whole.then(|| unsafe { std::slice::from_raw_parts_mut(self.data, count) })
    }

    /// The cells row by row: without a copy those of [`from_vec`](Map::from_vec), copies of any others.
    pub fn into_vec(mut self) -> Vec<f32> {
        if self.owned.is_empty() {
            return self.rows().flatten().copied().collect();
        }
        mem::take(&mut self.owned)
    }

    /// The rectangle whose first cell is (x, y) of this map, to be read, without a copy. It has the map's cell size,
    /// and its place in the world.
    ///
    /// ```
    /// # fn main() -> terrain::Result<()> {
    /// let mut land = terrain::Map::new(8, 6)?;
    /// land.part_mut(4, 3, 2, 2)?.row_mut(0)[1] = 5.0;
    /// assert_eq!(land[(3, 5)], 5.0);
    /// assert_eq!(land.part(5, 3, 3, 3)?.origin(), (5, 3));
    /// # Ok(())
    /// # }
    /// ```
    pub fn part(&self, x: u32, y: u32, width: u32, height: u32) -> Result<Map<'_>> {
        let view = Map::of(self.view_raw(x, y, width, height)?, true);
        // SAFETY: the cells are borrowed with this map, and not written. The library would let its own view be written.
        let mut part = unsafe { Map::wrap_raw(view.data, width, height, view.stride, true)? };
        part.set_cell_size(view.cell_size())?;
        part.set_origin(view.origin().0, view.origin().1)?;
        Ok(part)
    }

    /// The same, to be written: what is written there is written into this map.
    pub fn part_mut(&mut self, x: u32, y: u32, width: u32, height: u32) -> Result<Map<'_>> {
        Ok(Map::of(self.view_raw(x, y, width, height)?, self.constant))
    }

    fn view_raw(&self, x: u32, y: u32, width: u32, height: u32) -> Result<*mut sys::terrain_heightmap> {
        // SAFETY: a valid map and a valid place.
        create(|context, out| unsafe { sys::terrain_heightmap_view(context, self.raw(), x, y, width, height, out) })
    }

    /// Takes over the cells, cell size and origin of a map of equal size.
    pub fn copy_from(&mut self, source: &Map<'_>) -> Result<()> {
        // SAFETY: valid maps.
        call(None, |context| unsafe { sys::terrain_heightmap_copy(context, source.raw(), self.raw()) })
    }

    #[track_caller]
    fn offset(&self, (row, column): (u32, u32)) -> usize {
        assert!(
            row < self.height && column < self.width,
            "row {row}, column {column} of a map of {} rows, {} columns",
            self.height,
            self.width
        );
        row as usize * self.stride + column as usize
    }

    /// All rows, from the north.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f32]> + DoubleEndedIterator + '_ {
        (0..self.height()).map(move |y| self.row(y))
    }

    /// The fingerprint of size and cells, the same on every machine.
    pub fn hash(&self) -> Hash {
        Hash(unsafe { sys::terrain_heightmap_hash(self.raw()) })
    }
}

/// By row and column.
impl Index<(u32, u32)> for Map<'_> {
    type Output = f32;

    #[track_caller]
    fn index(&self, place: (u32, u32)) -> &f32 {
        // SAFETY: a cell of the map, which is borrowed with it.
        unsafe { &*self.data.add(self.offset(place)) }
    }
}

impl IndexMut<(u32, u32)> for Map<'_> {
    #[track_caller]
    fn index_mut(&mut self, place: (u32, u32)) -> &mut f32 {
        assert!(!self.constant, "the map's cells are to be read alone");
        // SAFETY: as above, and nobody else has the map.
        unsafe { &mut *self.data.add(self.offset(place)) }
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
        unsafe { check(call(context.as_mut_ptr(), &mut out), context.as_mut_ptr())? };
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
            unsafe { ArrayView2::from_shape_ptr(shape.strides((self.stride(), 1)), self.data as *const f32) }
        }

        /// The map's cells as an array to write. Panics if the map wraps cells to be read alone.
        pub fn view_mut(&mut self) -> ArrayViewMut2<'_, f32> {
            assert!(!self.constant, "the map's cells are to be read alone");
            let shape = (self.height() as usize, self.width() as usize);
            // SAFETY: as above, and nobody else has the map.
            unsafe { ArrayViewMut2::from_shape_ptr(shape.strides((self.stride(), 1)), self.data) }
        }
    }
}
