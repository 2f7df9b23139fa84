// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

//! The operations, as build.rs writes them from the table.

use std::convert::TryFrom;
use std::ffi::{CStr, CString};
use std::mem::{align_of, size_of};
use std::ptr;

use terrain_sys as sys;

use crate::context::{call, Context};
use crate::error::{check, Error, Result, Status};
use crate::map::Map;

/// A params struct as bytes, at an address that suits its fields.
struct Params {
    operation: *const sys::terrain_operation,
    words: Vec<u64>,
}

impl Params {
    fn new(name: &str) -> Self {
        let name = CString::new(name).expect("a name without 0");
        // SAFETY: a name, and as much room as the library says.
        unsafe {
            let operation = sys::terrain_operation_find(name.as_ptr());
            let size = sys::terrain_operation_params_size(operation);
            let mut words = vec![0_u64; (size + 7) / 8];
            let status = sys::terrain_operation_params_init(operation, words.as_mut_ptr().cast(), size);
            assert_eq!(status, sys::TERRAIN_SUCCESS, "the library is not the one that this crate was built for");
            Self { operation, words }
        }
    }

    /// The status of a function without a context, in a sentence.
    fn check(&self, status: sys::terrain_status) -> Result<()> {
        // SAFETY: no context has a message; the name is the table's.
        let name = unsafe { CStr::from_ptr(sys::terrain_operation_name(self.operation)) }.to_string_lossy();
        unsafe { check(status, ptr::null()) }.map_err(|error| {
            let text = match error.status() {
                Status::Argument => "it reads no map at that port",
                Status::Range => "a value is outside its range",
                Status::Unsupported => "it is global: any cell may depend on every other",
                _ => return error,
            };
            Error::new(error.status(), &format!("{name}: {text}"))
        })
    }

    /// The table's row of a parameter. Where its field lies depends on the machine, and only the library knows.
    fn parameter(&self, index: u32) -> &'static sys::terrain_parameter {
        // SAFETY: rows of the table are there as long as the library.
        unsafe { sys::terrain_operation_parameter(self.operation, index).as_ref() }.expect("a parameter of the table")
    }

    /// Writes a parameter's field.
    fn put<T: Copy>(&mut self, index: u32, value: T) {
        self.put_at(self.parameter(index).offset as usize, value);
    }

    /// Writes an array's fields. The library refuses more elements than it takes.
    fn put_array(&mut self, index: u32, values: &[f32]) {
        let parameter = self.parameter(index);
        self.put_at(parameter.offset as usize, values.as_ptr());
        self.put_at(parameter.count_offset as usize, u32::try_from(values.len()).unwrap_or(u32::MAX));
    }

    fn put_at<T: Copy>(&mut self, offset: usize, value: T) {
        assert!(offset + size_of::<T>() <= self.words.len() * 8 && offset % align_of::<T>() == 0);
        // SAFETY: within the words, and aligned.
        unsafe { self.words.as_mut_ptr().cast::<u8>().add(offset).cast::<T>().write(value) }
    }
}

fn apply(context: Option<&mut Context<'_>>, params: &Params, ports: &[*mut sys::terrain_heightmap]) -> Result<()> {
    // SAFETY: maps and params are borrowed by the caller; the library checks that none overlap.
    call(context, |context| unsafe {
        let words = params.words.as_ptr().cast();
        sys::terrain_operation_apply(context, params.operation, ports.as_ptr(), ports.len() as u32, words)
    })
}

fn apply_grid(
    context: Option<&mut Context<'_>>,
    params: &Params,
    maps: &mut [&mut Map<'_>],
    columns: usize,
) -> Result<()> {
    if columns == 0 || maps.len() % columns != 0 || u32::try_from(maps.len()).is_err() {
        return Err(Error::new(Status::Argument, &format!("{} maps are no rows of {columns}", maps.len())));
    }
    let rows = (maps.len() / columns) as u32;
    let ports: Vec<_> = maps.iter_mut().map(|map| map.as_mut_ptr()).collect();
    // SAFETY: as above.
    call(context, |context| unsafe {
        let words = params.words.as_ptr().cast();
        sys::terrain_operation_apply_grid(context, params.operation, ports.as_ptr(), columns as u32, rows, words)
    })
}

fn halo(params: &Params) -> Result<Option<u32>> {
    let mut cells = 0;
    // SAFETY: valid params and a valid place.
    params.check(unsafe { sys::terrain_operation_halo(params.operation, params.words.as_ptr().cast(), &mut cells) })?;
    Ok(Some(cells).filter(|&cells| cells != u32::MAX))
}

fn window(params: &Params, port: u32, (x, y, width, height): (i64, i64, u32, u32)) -> Result<(i64, i64, u32, u32)> {
    let result = sys::terrain_window { x, y, width, height };
    let mut needed = result;
    // SAFETY: valid params and windows.
    params.check(unsafe {
        let words = params.words.as_ptr().cast();
        sys::terrain_operation_window(params.operation, words, port, &result, &mut needed)
    })?;
    Ok((needed.x, needed.y, needed.width, needed.height))
}

/// A map of the size and the place that the result has.
fn result_map(params: &Params, map: &Map<'_>) -> Result<Map<'static>> {
    let (x, y) = map.origin();
    let window = sys::terrain_window { x, y, width: map.width(), height: map.height() };
    let mut own = window;
    // If there is none, the call is refused with a sentence about it.
    // SAFETY: valid params and windows.
    let status = unsafe {
        sys::terrain_operation_result_window(params.operation, params.words.as_ptr().cast(), &window, &mut own)
    };
    let own = if status == sys::TERRAIN_SUCCESS { own } else { window };
    let mut result = Map::new(own.width, own.height)?;
    result.set_origin(own.x, own.y)?;
    Ok(result)
}

include!(concat!(env!("OUT_DIR"), "/operations.rs"));
