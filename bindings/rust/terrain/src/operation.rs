// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

//! The operations, as build.rs writes them from the table.

use std::convert::TryFrom;
use std::fmt;
use std::str::FromStr;

use terrain_sys as sys;

use crate::context::{call, Context};
use crate::error::{Error, Result, Status};
use crate::map::Map;
use crate::params::Params;
use crate::table::Operation;

fn params_of<'a>(name: &str) -> Params<'a> {
    Params::new(Operation::find(name).expect("an operation of the table"))
}

/// Finds an enum's value by its name.
fn value_named<T: Copy + fmt::Display>(values: &[T], field: &str, name: &str) -> Result<T> {
    let names = values.iter().map(T::to_string);
    let found = names.clone().position(|value| value == name);
    found.map(|index| values[index]).ok_or_else(|| {
        let names = names.collect::<Vec<_>>().join(", ");
        Error::new(Status::Argument, &format!("{field} is '{name}', must be one of {names}"))
    })
}

pub(crate) fn apply(
    context: Option<&mut Context<'_>>,
    params: &Params<'_>,
    ports: &[*mut sys::terrain_heightmap],
) -> Result<()> {
    // SAFETY: maps and params are borrowed by the caller; the library checks that none overlap.
    call(context, |context| unsafe {
        let operation = params.operation().raw();
        sys::terrain_operation_apply(context, operation, ports.as_ptr(), ports.len() as u32, params.as_ptr())
    })
}

/// The rows of a grid of so many maps.
pub(crate) fn rows_of(count: usize, columns: usize) -> Result<u32> {
    match count.checked_rem(columns) {
        Some(0) if u32::try_from(count).is_ok() => Ok((count / columns) as u32),
        _ => Err(Error::new(Status::Argument, &format!("{count} maps are no rows of {columns}"))),
    }
}

pub(crate) fn apply_grid(
    context: Option<&mut Context<'_>>,
    params: &Params<'_>,
    maps: &mut [&mut Map<'_>],
    columns: usize,
) -> Result<()> {
    let rows = rows_of(maps.len(), columns)?;
    let ports: Vec<_> = maps.iter_mut().map(|map| map.as_mut_ptr()).collect();
    // SAFETY: as above.
    call(context, |context| unsafe {
        let operation = params.operation().raw();
        sys::terrain_operation_apply_grid(context, operation, ports.as_ptr(), columns as u32, rows, params.as_ptr())
    })
}

/// A map of the size and the place that the result has.
fn result_map(params: &Params<'_>, map: &Map<'_>) -> Result<Map<'static>> {
    let (x, y) = map.origin();
    let window = (x, y, map.width(), map.height());
    // If there is none, the call is refused with a sentence about it.
    let (x, y, width, height) = params.result_window(window).unwrap_or(window);
    let mut result = Map::new(width, height)?;
    result.set_origin(x, y)?;
    Ok(result)
}

include!(concat!(env!("OUT_DIR"), "/operations.rs"));
