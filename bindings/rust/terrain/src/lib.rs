// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

//! Believable terrain: noise, faults, erosion, rivers, blurs and measures on heightmaps, with the same bits on every
//! machine.
//!
//! ```
//! use terrain::{erode, generate, Map};
//!
//! # fn main() -> terrain::Result<()> {
//! let mut land = generate::Noise { seed: 3, ..Default::default() }.map(512, 512)?;
//! erode::Thermal { talus: 0.6, ..Default::default() }.apply(&mut land)?;
//! println!("{} {:.3}", land.hash(), land.row(50)[100]);
//! # Ok(())
//! # }
//! ```
//!
//! Each operation is a struct of its parameters, made from the library's operation table when this crate is built, in a
//! module of its verb's name: [`generate`], [`erode`], [`blur`], [`shape`], [`combine`], [`analyze`], [`stitch`]. What a
//! [`Map`] wraps is borrowed as long as it; a [`Context`] brings threads, progress and cancelling; a [`Recipe`] is a
//! graph of operations as text, and a [`World`] gives out tiles of its endless terrain on any thread.
//!
//! After an error every map is what it was.
//!
//! With the feature `rayon`, `ContextBuilder::rayon` lets rayon's threads do the work; with `ndarray`, `Map::from_array`
//! and `Map::view` share cells with ndarray's arrays. Neither is on by default.

#![warn(missing_debug_implementations, missing_docs)]

mod context;
mod error;
mod map;
mod measures;
mod mesh;
mod operation;
mod params;
mod recipe;
mod runner;
mod table;

pub use context::{Canceller, Context, ContextBuilder, Isa};
pub use error::{Error, Result, Status};
pub use map::{Hash, Map};
pub use measures::{pack_channels_u8, Forms, Landform, Score, ScoreOptions, ScoreTally, Seams, Statistics, Tally};
pub use mesh::{Axes, Diagonal, Mesh, MeshOptions, Winding};
pub use operation::*;
pub use params::{Params, Value};
pub use recipe::{Plan, Recipe, Run, Statement, TileBytes, World, WorldOptions};
pub use runner::Runner;
pub use table::{Choice, Kind, Lattice, Operation, Parameter, Port, PortRole, Scaling, Tiling};

/// The version that [`Map::from_array`] takes, which need not be that of your own dependency.
#[cfg(feature = "ndarray")]
pub use ndarray;

/// The C interface, for what this crate does not have.
pub use terrain_sys as sys;

/// The version of the results: two libraries of the same number give the same bits for the same calls.
pub fn results_version() -> u32 {
    // SAFETY: always callable.
    unsafe { terrain_sys::terrain_results_version() }
}

/// The manual's page, whose programs are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../rust.md")]
#[derive(Debug)]
pub struct Page;

/// What a registry shows.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[derive(Debug)]
pub struct Readme;
