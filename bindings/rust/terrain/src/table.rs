// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

//! The operation table, for editors and others who know no operation by name.

use std::ffi::{CStr, CString};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::os::raw::c_char;
use std::ptr;
use std::str::FromStr;

use terrain_sys as sys;

use crate::error::{Error, Status};
use crate::params::Params;

/// # Safety
/// A text of the table, which is there as long as the library.
unsafe fn text(pointer: *const c_char) -> &'static str {
    CStr::from_ptr(pointer).to_str().expect("the table is UTF-8")
}

/// An operation as a row of the table: what it is called, takes and writes. Each is a struct of this crate, too:
/// [`erode::Thermal`](crate::erode::Thermal) is `erode_thermal`.
///
/// ```
/// use terrain::{Kind, Operation};
///
/// for operation in Operation::all() {
///     println!("{operation}: {}", operation.summary());
///     for parameter in operation.parameters() {
///         match parameter.kind() {
///             Kind::Float { low, high, default } => println!("  {parameter}: {low} to {high}, {default}"),
///             Kind::Enum { default } => {
///                 let names: Vec<_> = parameter.choices().map(|choice| choice.name).collect();
///                 println!("  {parameter}: one of {}; {default}", names.join(", "));
///             }
///             other => println!("  {parameter}: {other:?}"),
///         }
///     }
/// }
/// ```
#[derive(Clone, Copy)]
pub struct Operation(&'static sys::terrain_operation);

// SAFETY: the table never changes, and is there as long as the library.
unsafe impl Send for Operation {}
unsafe impl Sync for Operation {}

impl Operation {
    /// All operations. Another release may have others between them.
    pub fn all() -> impl Iterator<Item = Self> {
        // SAFETY: rows of the table are there as long as the library; so it is below.
        let at = |index| unsafe { sys::terrain_operation_at(index).as_ref() };
        (0..unsafe { sys::terrain_operation_count() }).filter_map(at).map(Self)
    }

    /// The operation of that name, as recipes have it: `erode_thermal`. [`str::parse`] gives an error instead of None.
    pub fn find(name: &str) -> Option<Self> {
        let name = CString::new(name).ok()?;
        unsafe { sys::terrain_operation_find(name.as_ptr()).as_ref() }.map(Self)
    }

    /// # Safety
    /// It is one of the table.
    pub(crate) unsafe fn of(raw: *const sys::terrain_operation) -> Self {
        Self(&*raw)
    }

    pub(crate) fn raw(self) -> *const sys::terrain_operation {
        self.0
    }

    /// What it is called in recipes: `erode_thermal`.
    pub fn name(self) -> &'static str {
        unsafe { text(sys::terrain_operation_name(self.0)) }
    }

    /// How the name begins: `erode`.
    pub fn verb(self) -> &'static str {
        unsafe { text(sys::terrain_operation_verb(self.0)) }
    }

    /// What it does, in one line.
    pub fn summary(self) -> &'static str {
        unsafe { text(sys::terrain_operation_summary(self.0)) }
    }

    /// Where it comes from.
    pub fn reference(self) -> &'static str {
        unsafe { text(sys::terrain_operation_reference(self.0)) }
    }

    /// How worlds compute it, perhaps with other parameters than the defaults.
    pub fn tiling(self) -> Tiling {
        match unsafe { sys::terrain_operation_tiling(self.0) } {
            0 => Tiling::None,
            1 => Tiling::Windows,
            _ => Tiling::Regions,
        }
    }

    /// Grows by one with each release that changes the operation's results.
    pub fn result_version(self) -> u32 {
        unsafe { sys::terrain_operation_result_version(self.0) }
    }

    /// The parameters, in the order of the table.
    pub fn parameters(self) -> impl ExactSizeIterator<Item = Parameter> {
        let count = unsafe { sys::terrain_operation_parameter_count(self.0) };
        (0..count as usize).map(move |index| {
            let raw = unsafe { sys::terrain_operation_parameter(self.0, index as u32).as_ref() };
            Parameter { operation: self, raw: raw.expect("a parameter below the count") }
        })
    }

    /// The parameter of that name.
    pub fn parameter(self, name: &str) -> Option<Parameter> {
        let name = CString::new(name).ok()?;
        let raw = unsafe { sys::terrain_operation_parameter_find(self.0, name.as_ptr()).as_ref() }?;
        Some(Parameter { operation: self, raw })
    }

    /// The maps that it reads and writes: first those of the call, then those among its parameters.
    pub fn ports(self) -> impl ExactSizeIterator<Item = Port> {
        let count = unsafe { sys::terrain_operation_port_count(self.0) };
        (0..count as usize).map(move |index| {
            let raw = unsafe { sys::terrain_operation_port_at(self.0, index as u32).as_ref() };
            Port(raw.expect("a port below the count"))
        })
    }

    /// The parameters' defaults, to be changed by name.
    pub fn params<'a>(self) -> Params<'a> {
        Params::new(self)
    }
}

impl PartialEq for Operation {
    fn eq(&self, other: &Self) -> bool {
        ptr::eq(self.0, other.0)
    }
}

impl Eq for Operation {}

impl Hash for Operation {
    fn hash<H: Hasher>(&self, state: &mut H) {
        ptr::hash(self.0, state);
    }
}

impl FromStr for Operation {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::find(name).ok_or_else(|| Error::new(Status::Argument, &format!("there is no operation '{name}'")))
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl fmt::Debug for Operation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Operation({})", self.name())
    }
}

/// What a parameter is, with its range, which includes both ends, and its default.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum Kind {
    /// A number.
    Float { low: f32, high: f32, default: f32 },
    /// A whole number.
    Integer { low: i128, high: i128, default: i128 },
    /// Yes or no.
    Bool { default: bool },
    /// One of [`Parameter::choices`], by its name.
    Enum { default: &'static str },
    /// Up to `longest` numbers; none by default.
    Floats { low: f32, high: f32, longest: u32 },
    /// A map that is read; none by default.
    MapIn,
    /// A map that is written; none by default.
    MapOut,
}

/// A value of an enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Choice {
    /// What recipes and [`Params`] call it.
    pub name: &'static str,
    /// What it does.
    pub doc: &'static str,
}

/// How a parameter changes where a recipe is run at a scale s: see the manual's page about scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scaling {
    /// Not at all: heights, slopes, shares, choices, maps.
    Fixed,
    /// Times s: lengths in cells.
    Length,
    /// Times s, at least 1; 0 stays 0.
    Extent,
    /// Times s, which must give a whole number within the range.
    Lattice,
    /// The spacing of a coarse map.
    Spacing,
    /// Times s * s: areas in cells.
    Area,
    /// Times s, at least 1: iterations.
    Steps,
    /// Divided by s: amounts for each iteration, or for each cell.
    Rate,
    /// By a rule of the operation.
    Own,
}

/// A parameter of an operation.
#[derive(Clone, Copy)]
pub struct Parameter {
    operation: Operation,
    raw: &'static sys::terrain_parameter,
}

// SAFETY: the table never changes, and is there as long as the library.
unsafe impl Send for Parameter {}
unsafe impl Sync for Parameter {}

impl Parameter {
    pub(crate) fn raw(self) -> &'static sys::terrain_parameter {
        self.raw
    }

    /// Whose parameter it is.
    pub fn operation(self) -> Operation {
        self.operation
    }

    /// What it is called in recipes and by [`Params::set`].
    pub fn name(self) -> &'static str {
        // SAFETY: rows of the table are there as long as the library, and their types say which values they have; so it
        // is below.
        unsafe { text(self.raw.name) }
    }

    /// "cells", "height", "slope"; "" if it has none.
    pub fn unit(self) -> &'static str {
        unsafe { text(self.raw.unit) }
    }

    /// What it means, in one line.
    pub fn doc(self) -> &'static str {
        unsafe { text(self.raw.doc) }
    }

    /// What it is, and its range and default.
    pub fn kind(self) -> Kind {
        let (low, high, default) = (self.raw.minimum, self.raw.maximum, self.raw.default_value);
        unsafe {
            match self.raw.type_ {
                0 => Kind::Float { low: low.f as f32, high: high.f as f32, default: default.f as f32 },
                1 | 3 => Kind::Integer { low: low.i.into(), high: high.i.into(), default: default.i.into() },
                2 | 4 => Kind::Integer { low: low.u.into(), high: high.u.into(), default: default.u.into() },
                5 => Kind::Bool { default: default.u != 0 },
                6 => Kind::Enum { default: text(*self.raw.value_names.add(default.u as usize)) },
                7 => Kind::MapIn,
                8 => Kind::MapOut,
                9 => Kind::Floats { low: low.f as f32, high: high.f as f32, longest: self.raw.count_maximum },
                other => unreachable!("a parameter's type is {other}"),
            }
        }
    }

    /// The values of an enum; none of anything else.
    pub fn choices(self) -> impl ExactSizeIterator<Item = Choice> {
        let count = unsafe {
            match self.kind() {
                Kind::Enum { .. } => self.raw.maximum.u as usize + 1,
                _ => 0,
            }
        };
        (0..count).map(move |index| unsafe {
            Choice { name: text(*self.raw.value_names.add(index)), doc: text(*self.raw.value_docs.add(index)) }
        })
    }

    /// Where a slider for a number may begin and end: a part of the range around the default, or all of a small one.
    /// None for what is no number.
    pub fn slider(self) -> Option<(f64, f64)> {
        let (mut low, mut high) = (0.0, 0.0);
        let status = unsafe { sys::terrain_parameter_slider(self.raw, &mut low, &mut high) };
        (status == sys::TERRAIN_SUCCESS).then_some((low, high))
    }

    /// Whether only powers of two are allowed.
    pub fn is_power_of_two(self) -> bool {
        self.raw.power_of_two != 0
    }

    /// The map's port, of [`Kind::MapIn`] and [`Kind::MapOut`].
    pub fn port(self) -> Option<Port> {
        unsafe { self.raw.port.as_ref() }.map(Port)
    }

    /// Whether it is a seed: another one gives another terrain.
    pub fn is_seed(self) -> bool {
        self.raw.role == 1
    }

    /// How it changes with the scale of a recipe's run.
    pub fn scaling(self) -> Scaling {
        match unsafe { sys::terrain_parameter_scaling(self.raw) } {
            1 => Scaling::Fixed,
            2 => Scaling::Length,
            3 => Scaling::Extent,
            4 => Scaling::Lattice,
            5 => Scaling::Spacing,
            6 => Scaling::Area,
            7 => Scaling::Steps,
            8 => Scaling::Rate,
            _ => Scaling::Own,
        }
    }

    /// Another parameter, which decides whether this one has an effect: [`Params::has_effect`] tells.
    pub fn when(self) -> Option<&'static str> {
        (!self.raw.when.is_null()).then(|| unsafe { text(self.raw.when) })
    }
}

impl PartialEq for Parameter {
    fn eq(&self, other: &Self) -> bool {
        ptr::eq(self.raw, other.raw)
    }
}

impl Eq for Parameter {}

impl Hash for Parameter {
    fn hash<H: Hasher>(&self, state: &mut H) {
        ptr::hash(self.raw, state);
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl fmt::Debug for Parameter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Parameter({} of {})", self.name(), self.operation)
    }
}

/// How an endless world computes an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Tiling {
    /// Not at all.
    None,
    /// Tile by tile.
    Windows,
    /// By overlapping regions, each of which is solved whole.
    Regions,
}

/// What an operation does with the map at a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PortRole {
    /// It is read.
    Read,
    /// Every cell is written, none read.
    Write,
    /// It is read, and written in place.
    Change,
}

/// Which cells the map at a port has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Lattice {
    /// Those of the call's first map.
    Call,
    /// A size of its own: see [`Params::result_window`].
    Own,
    /// Cell (i, j) is the world's point (i, j) times the value of a parameter, whose name this is.
    Coarse {
        /// The parameter with the distance of the map's cells, a power of two.
        spacing: &'static str,
    },
}

/// A map that an operation reads or writes.
#[derive(Clone, Copy)]
pub struct Port(&'static sys::terrain_port);

// SAFETY: the table never changes, and is there as long as the library.
unsafe impl Send for Port {}
unsafe impl Sync for Port {}

impl Port {
    /// The name of the argument, or of the parameter.
    pub fn name(self) -> &'static str {
        // SAFETY: rows of the table are there as long as the library; so it is below.
        unsafe { text(self.0.name) }
    }

    /// Whether the map is read or written.
    pub fn role(self) -> PortRole {
        match self.0.role {
            0 => PortRole::Read,
            1 => PortRole::Write,
            _ => PortRole::Change,
        }
    }

    /// Which cells the map has.
    pub fn lattice(self) -> Lattice {
        match self.0.lattice {
            0 => Lattice::Call,
            1 => Lattice::Own,
            _ => Lattice::Coarse { spacing: unsafe { text(self.0.spacing) } },
        }
    }

    /// Whether the map is among the parameters, and not one of the call's.
    pub fn is_parameter(self) -> bool {
        self.0.offset != 0
    }

    /// Whether there may be none.
    pub fn is_optional(self) -> bool {
        self.0.optional != 0
    }

    /// Whether the map says where the operation applies: 0 keeps a cell, 1 takes the new height.
    pub fn is_mask(self) -> bool {
        self.0.mask != 0
    }

    /// Whether the port stands for all maps of a grid.
    pub fn is_grid(self) -> bool {
        self.0.grid != 0
    }
}

impl fmt::Display for Port {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl fmt::Debug for Port {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Port({}, {:?})", self.name(), self.role())
    }
}
