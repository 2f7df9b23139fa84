// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

//! An operation's parameters by name.

use std::convert::TryFrom;
use std::ffi::{c_void, CString};
use std::fmt;
use std::marker::PhantomData;
use std::mem::{align_of, size_of};
use std::ptr;

use terrain_sys as sys;

use crate::context::Context;
use crate::error::{check, Error, Result, Status};
use crate::map::Map;
use crate::operation;
use crate::table::{Kind, Operation, Parameter, PortRole};

/// A parameter's value. It is shown as recipes write it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// Of [`Kind::Float`].
    Float(f32),
    /// Of [`Kind::Integer`], whatever its size and sign.
    Integer(i128),
    /// Of [`Kind::Bool`].
    Bool(bool),
    /// Of [`Kind::Floats`].
    Floats(Vec<f32>),
    /// The name of an enum's value. For [`Params::set`] it may be any value as recipes write it: `0.6`, `true`, `3,1,5`.
    Text(String),
}

macro_rules! value_from {
    ($($from:ty, $value:ident => $made:expr;)*) => {$(
        impl From<$from> for Value {
            fn from($value: $from) -> Self {
                $made
            }
        }
    )*};
}

value_from! {
    f32, value => Self::Float(value);
    f64, value => Self::Float(value as f32);
    i32, value => Self::Integer(value.into());
    u32, value => Self::Integer(value.into());
    i64, value => Self::Integer(value.into());
    u64, value => Self::Integer(value.into());
    i128, value => Self::Integer(value);
    bool, value => Self::Bool(value);
    &[f32], value => Self::Floats(value.into());
    Vec<f32>, value => Self::Floats(value);
    &str, value => Self::Text(value.into());
    String, value => Self::Text(value);
}

impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Float(value) => write!(formatter, "{value}"),
            Self::Integer(value) => write!(formatter, "{value}"),
            Self::Bool(value) => write!(formatter, "{value}"),
            Self::Text(value) => formatter.write_str(value),
            Self::Floats(values) => {
                let texts: Vec<_> = values.iter().map(f32::to_string).collect();
                formatter.write_str(&texts.join(","))
            }
        }
    }
}

/// An operation's parameters, set by name: a call of an operation that is known to nobody but the table. They are shown
/// as in a recipe's statement: those that are not the default and have an effect, but no maps.
///
/// ```
/// # fn main() -> terrain::Result<()> {
/// let mut land = terrain::generate::Noise::default().map(64, 64)?;
/// let mut params = "erode_thermal".parse::<terrain::Operation>()?.params();
/// params.set("talus", 0.3)?;
/// params.set("mode", "musgrave")?;
/// assert_eq!(params.to_string(), "talus=0.3 mode=musgrave");
/// params.apply(&[], &mut [&mut land])?;
///
/// let error = params.set("talus", -1).unwrap_err();
/// assert_eq!(error.to_string(), "erode_thermal: talus is -1, must be in [0, 100]");
/// # Ok(())
/// # }
/// ```
pub struct Params<'a> {
    operation: Operation,
    /// The params struct, at an address that suits its fields.
    words: Vec<u64>,
    /// What the fields of arrays point to, by their offsets.
    arrays: Vec<(u32, Vec<f32>)>,
    given: PhantomData<&'a mut f32>,
}

impl<'a> Params<'a> {
    pub(crate) fn new(operation: Operation) -> Self {
        // SAFETY: as much room as the library says.
        unsafe {
            let size = sys::terrain_operation_params_size(operation.raw());
            let mut words = vec![0_u64; (size + 7) / 8];
            let status = sys::terrain_operation_params_init(operation.raw(), words.as_mut_ptr().cast(), size);
            assert_eq!(status, sys::TERRAIN_SUCCESS, "the library is not the one that this crate was built for");
            Self { operation, words, arrays: Vec::new(), given: PhantomData }
        }
    }

    /// A copy of params that have no maps, and of their arrays.
    ///
    /// # Safety
    /// They are the operation's, and whole.
    pub(crate) unsafe fn copy_of(operation: Operation, params: *const c_void) -> Self {
        let mut copy = Self::new(operation);
        let (from, words) = (params.cast::<u8>(), &mut copy.words);
        ptr::copy_nonoverlapping(from, words.as_mut_ptr().cast(), words.len() * 8);
        for parameter in operation.parameters().filter(|each| matches!(each.kind(), Kind::Floats { .. })) {
            let (offset, count_offset) = (parameter.raw().offset as usize, parameter.raw().count_offset as usize);
            let count = from.add(count_offset).cast::<u32>().read_unaligned() as usize;
            if count > 0 {
                let values = from.add(offset).cast::<*const f32>().read_unaligned();
                copy.keep_array(parameter, std::slice::from_raw_parts(values, count));
            }
        }
        copy
    }

    pub(crate) fn as_ptr(&self) -> *const c_void {
        self.words.as_ptr().cast()
    }

    /// Whose parameters they are.
    pub fn operation(&self) -> Operation {
        self.operation
    }

    fn error(&self, status: Status, text: &str) -> Error {
        Error::new(status, &format!("{}: {text}", self.operation))
    }

    fn parameter(&self, name: &str) -> Result<Parameter> {
        self.operation
            .parameter(name)
            .ok_or_else(|| self.error(Status::Argument, &format!("it has no parameter '{name}'")))
    }

    /// Sets a parameter that is no map. A number outside its range is refused; after an error nothing is changed.
    pub fn set(&mut self, name: &str, value: impl Into<Value>) -> Result<()> {
        let parameter = self.parameter(name)?;
        let value = value.into();
        let wrong = |what: &str| {
            let shown = if matches!(value, Value::Text(_)) { format!("'{value}'") } else { value.to_string() };
            self.error(Status::Argument, &format!("{parameter} is {shown}, must be {what}"))
        };
        let raw = match (parameter.kind(), &value) {
            (Kind::MapIn, _) => return Err(wrong("a map, by set_map")),
            (Kind::MapOut, _) => return Err(wrong("a map, by set_output")),
            (Kind::Floats { .. }, Value::Floats(values)) => return self.set_array(parameter, values),
            (Kind::Floats { .. }, Value::Text(text)) => {
                let read = |word: &str| match self.read(parameter, word) {
                    // SAFETY: the element of an array of numbers.
                    Ok(element) => Ok(unsafe { element.f } as f32),
                    Err(Status::Range) => Err(self.out_of_range(parameter, &word)),
                    Err(_) => Err(wrong("numbers with commas between")),
                };
                let values = text.split(',').map(read).collect::<Result<Vec<_>>>()?;
                return self.set_array(parameter, &values);
            }
            (_, Value::Text(text)) => self.read(parameter, text).map_err(|status| match parameter.kind() {
                _ if status == Status::Range => self.out_of_range(parameter, &value),
                Kind::Enum { .. } => {
                    let names: Vec<_> = parameter.choices().map(|choice| choice.name).collect();
                    wrong(&format!("one of {}", names.join(", ")))
                }
                Kind::Bool { .. } => wrong("true or false"),
                Kind::Integer { .. } => wrong("a whole number"),
                _ => wrong("a number"),
            })?,
            (Kind::Float { low, high, .. }, Value::Float(_) | Value::Integer(_)) => {
                let number = match value {
                    Value::Integer(number) => number as f32,
                    Value::Float(number) => number,
                    _ => unreachable!(),
                };
                if !(low..=high).contains(&number) {
                    return Err(self.out_of_range(parameter, &value));
                }
                sys::terrain_value { f: number.into() }
            }
            (Kind::Integer { low, high, .. }, &Value::Integer(number)) => {
                if !(low..=high).contains(&number) {
                    return Err(self.out_of_range(parameter, &value));
                }
                // The range is one of 64 bits, and either sign has these bits.
                sys::terrain_value { u: number as u64 }
            }
            (Kind::Bool { .. }, &Value::Bool(yes)) => sys::terrain_value { u: yes.into() },
            (Kind::Float { .. }, _) => return Err(wrong("a number")),
            (Kind::Integer { .. }, _) => return Err(wrong("a whole number")),
            (Kind::Bool { .. }, _) => return Err(wrong("true or false")),
            (Kind::Enum { .. }, _) => return Err(wrong("a name")),
            (Kind::Floats { .. }, _) => return Err(wrong("numbers")),
        };
        // SAFETY: params and parameter of one operation, and a value of the parameter's type.
        let status = unsafe { sys::terrain_parameter_set(parameter.raw(), self.words.as_mut_ptr().cast(), &raw) };
        self.check(status)
    }

    fn out_of_range(&self, parameter: Parameter, value: &dyn fmt::Display) -> Error {
        let range = match parameter.kind() {
            Kind::Float { low, high, .. } | Kind::Floats { low, high, .. } => format!("[{low}, {high}]"),
            Kind::Integer { low, high, .. } => format!("[{low}, {high}]"),
            _ => "its range".into(),
        };
        self.error(Status::Range, &format!("{parameter} is {value}, must be in {range}"))
    }

    /// Reads a value, or an array's element, as recipes do.
    fn read(&self, parameter: Parameter, text: &str) -> std::result::Result<sys::terrain_value, Status> {
        let text = CString::new(text).map_err(|_| Status::Argument)?;
        let mut value = sys::terrain_value { u: 0 };
        // SAFETY: a text of C and a valid place; no context has a message.
        unsafe {
            let status = sys::terrain_parameter_parse(parameter.raw(), text.as_ptr(), &mut value);
            check(status, ptr::null()).map(|()| value).map_err(|error| error.status())
        }
    }

    fn set_array(&mut self, parameter: Parameter, values: &[f32]) -> Result<()> {
        if let Kind::Floats { low, high, longest } = parameter.kind() {
            if values.len() > longest as usize {
                let text = format!("{parameter} has {} numbers, may have {longest}", values.len());
                return Err(self.error(Status::Range, &text));
            }
            if let Some(value) = values.iter().find(|value| !(low..=high).contains(*value)) {
                return Err(self.out_of_range(parameter, value));
            }
        }
        self.keep_array(parameter, values);
        Ok(())
    }

    fn keep_array(&mut self, parameter: Parameter, values: &[f32]) {
        let offset = parameter.raw().offset;
        self.arrays.retain(|(other, _)| *other != offset);
        self.arrays.push((offset, values.to_vec()));
        let kept = self.arrays.last().map_or(ptr::null(), |(_, kept)| kept.as_ptr());
        self.put_array(parameter, kept, values.len());
    }

    /// A parameter's value; of an enum its name. Maps have none.
    pub fn get(&self, name: &str) -> Result<Value> {
        let parameter = self.parameter(name)?;
        let kind = parameter.kind();
        if let Kind::Floats { .. } = kind {
            let array = self.arrays.iter().find(|(offset, _)| *offset == parameter.raw().offset);
            return Ok(Value::Floats(array.map_or_else(Vec::new, |(_, values)| values.clone())));
        }
        let mut raw = sys::terrain_value { u: 0 };
        // SAFETY: params and parameter of one operation, and a valid place; the kind says which value it has.
        unsafe {
            let status = sys::terrain_parameter_get(parameter.raw(), self.as_ptr(), &mut raw);
            check(status, ptr::null()).map_err(|error| self.error(error.status(), &format!("{parameter} is a map")))?;
            Ok(match kind {
                Kind::Float { .. } => Value::Float(raw.f as f32),
                Kind::Integer { low, .. } if low < 0 => Value::Integer(raw.i.into()),
                Kind::Integer { .. } => Value::Integer(raw.u.into()),
                Kind::Bool { .. } => Value::Bool(raw.u != 0),
                _ => Value::Text(parameter.choices().nth(raw.u as usize).map_or("", |choice| choice.name).into()),
            })
        }
    }

    /// A map that is read. It is borrowed as long as the parameters are used:
    ///
    /// ```compile_fail,E0597
    /// let mut params = terrain::Operation::find("erode_thermal").unwrap().params();
    /// {
    ///     let mask = terrain::Map::new(64, 64).unwrap();
    ///     params.set_map("mask", &mask).unwrap();
    /// }
    /// params.halo().unwrap();
    /// ```
    pub fn set_map(&mut self, name: &str, map: &'a Map<'_>) -> Result<()> {
        let parameter = self.parameter(name)?;
        if parameter.kind() != Kind::MapIn {
            return Err(self.error(Status::Argument, &format!("{parameter} is no map that is read")));
        }
        self.put(parameter, map.raw());
        Ok(())
    }

    /// A map that is written, borrowed as long as the parameters are used.
    pub fn set_output(&mut self, name: &str, map: &'a mut Map<'_>) -> Result<()> {
        let parameter = self.parameter(name)?;
        if parameter.kind() != Kind::MapOut {
            return Err(self.error(Status::Argument, &format!("{parameter} is no map that is written")));
        }
        self.put(parameter, map.raw());
        Ok(())
    }

    /// Whether a parameter has an effect with the others as they are. The library ignores one that has none; a recipe
    /// that sets it is refused.
    pub fn has_effect(&self, name: &str) -> Result<bool> {
        let parameter = self.parameter(name)?;
        // SAFETY: params and parameter of one operation.
        unsafe {
            let raw = (self.operation.raw(), parameter.raw());
            Ok(sys::terrain_operation_parameter_counts(raw.0, raw.1, self.as_ptr()) != 0)
        }
    }

    /// Calls the operation with the maps of its ports that are no parameters: `inputs` are those that it reads,
    /// `outputs` those that it writes or changes, each in the order of the ports; of a grid `outputs` are the maps of a
    /// row. After an error every map is what it was.
    pub fn apply(&mut self, inputs: &[&Map<'_>], outputs: &mut [&mut Map<'_>]) -> Result<()> {
        self.apply_with(&mut Context::new()?, inputs, outputs)
    }

    /// The same, with a context's threads, progress and cancelling.
    pub fn apply_with(
        &mut self,
        context: &mut Context<'_>,
        inputs: &[&Map<'_>],
        outputs: &mut [&mut Map<'_>],
    ) -> Result<()> {
        let ports: Vec<_> = self.operation.ports().filter(|port| !port.is_parameter()).collect();
        if ports.iter().any(|port| port.is_grid()) && inputs.is_empty() {
            let columns = outputs.len();
            return self.apply_grid_with(context, outputs, columns);
        }
        let read = ports.iter().filter(|port| port.role() == PortRole::Read).count();
        if (inputs.len(), outputs.len()) != (read, ports.len() - read) {
            let text = format!(
                "it reads {read} and writes {} of the maps, not {} and {}",
                ports.len() - read,
                inputs.len(),
                outputs.len()
            );
            return Err(self.error(Status::Argument, &text));
        }
        let (mut inputs, mut outputs) = (inputs.iter(), outputs.iter_mut());
        let next = |role| match role {
            PortRole::Read => inputs.next().map(|map| map.raw()),
            _ => outputs.next().map(|map| map.as_mut_ptr()),
        };
        let maps: Vec<_> = ports.iter().map(|port| port.role()).filter_map(next).collect();
        operation::apply(Some(context), self, &maps)
    }

    /// Calls an operation on a grid with maps that are neighbours, row by row from the north.
    pub fn apply_grid(&mut self, maps: &mut [&mut Map<'_>], columns: usize) -> Result<()> {
        self.apply_grid_with(&mut Context::new()?, maps, columns)
    }

    /// The same, with a context's threads, progress and cancelling.
    pub fn apply_grid_with(
        &mut self,
        context: &mut Context<'_>,
        maps: &mut [&mut Map<'_>],
        columns: usize,
    ) -> Result<()> {
        operation::apply_grid(Some(context), self, maps, columns)
    }

    /// How many cells beyond a cell its result depends on, at most; None: it may be every cell of the map.
    pub fn halo(&self) -> Result<Option<u32>> {
        let mut cells = 0;
        // SAFETY: valid params and a valid place.
        self.check(unsafe { sys::terrain_operation_halo(self.operation.raw(), self.as_ptr(), &mut cells) })?;
        Ok(Some(cells).filter(|&cells| cells != u32::MAX))
    }

    /// Which window of the map at a port is needed for that window of the result, to the last bit: x and y of the first
    /// cell, width and height. Ports are counted as [`Operation::ports`] has them.
    pub fn window(&self, port: u32, result: (i64, i64, u32, u32)) -> Result<(i64, i64, u32, u32)> {
        let (x, y, width, height) = result;
        let result = sys::terrain_window { x, y, width, height };
        let mut needed = result;
        // SAFETY: valid params and windows.
        self.check(unsafe {
            sys::terrain_operation_window(self.operation.raw(), self.as_ptr(), port, &result, &mut needed)
        })?;
        Ok((needed.x, needed.y, needed.width, needed.height))
    }

    /// Which window the result has of a map with that window, which is the same unless the operation changes sizes.
    pub fn result_window(&self, map: (i64, i64, u32, u32)) -> Result<(i64, i64, u32, u32)> {
        let (x, y, width, height) = map;
        let window = sys::terrain_window { x, y, width, height };
        let mut own = window;
        // SAFETY: valid params and windows.
        self.check(unsafe {
            sys::terrain_operation_result_window(self.operation.raw(), self.as_ptr(), &window, &mut own)
        })?;
        Ok((own.x, own.y, own.width, own.height))
    }

    /// The status of a function without a context, in a sentence.
    fn check(&self, status: sys::terrain_status) -> Result<()> {
        // SAFETY: no context has a message.
        unsafe { check(status, ptr::null()) }.map_err(|error| {
            let text = match error.status() {
                Status::Argument => "it reads no map at that port",
                Status::Range => "a value is outside its range",
                Status::Unsupported => "it is global: any cell may depend on every other",
                _ => return error,
            };
            self.error(error.status(), text)
        })
    }

    /// The parameter of that number in the table. Where its field lies depends on the machine: the library knows.
    pub(crate) fn parameter_at(&self, index: usize) -> Parameter {
        self.operation.parameters().nth(index).expect("a parameter of the table")
    }

    /// Writes a parameter's field.
    pub(crate) fn put<T: Copy>(&mut self, parameter: Parameter, value: T) {
        self.put_at(parameter.raw().offset, value);
    }

    /// Writes an array's fields. The library refuses more elements than it takes.
    pub(crate) fn put_array(&mut self, parameter: Parameter, values: *const f32, count: usize) {
        self.put_at(parameter.raw().offset, values);
        self.put_at(parameter.raw().count_offset, u32::try_from(count).unwrap_or(u32::MAX));
    }

    fn put_at<T: Copy>(&mut self, offset: u32, value: T) {
        let offset = offset as usize;
        assert!(offset + size_of::<T>() <= self.words.len() * 8 && offset % align_of::<T>() == 0);
        // SAFETY: within the words, and aligned.
        unsafe { self.words.as_mut_ptr().cast::<u8>().add(offset).cast::<T>().write(value) }
    }
}

impl fmt::Display for Params<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let defaults = Params::new(self.operation);
        let mut blank = "";
        for parameter in self.operation.parameters() {
            let name = parameter.name();
            match (self.get(name), defaults.get(name)) {
                (Ok(value), Ok(default)) if value != default && self.has_effect(name) == Ok(true) => {
                    write!(formatter, "{blank}{name}={value}")?;
                    blank = " ";
                }
                _ => {}
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Params<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Params({} {self})", self.operation)
    }
}
