// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

use std::ffi::CStr;
use std::fmt;

use terrain_sys as sys;

/// Why the library refused or could not do something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Status {
    /// Maps of unequal size, a map of const memory as target, a name that there isn't.
    Argument,
    /// A value outside its range.
    Range,
    /// A map that is written shares memory with another one of the call.
    Alias,
    /// No memory, or more than a limit.
    Memory,
    /// The context or the world is in use further up in this thread's calls.
    Busy,
    /// A progress callback or a [`Canceller`](crate::Canceller) ended the call.
    Cancelled,
    /// The runner did not run every task.
    Runner,
    /// A global operation in an endless world, for example.
    Unsupported,
    /// The library was built in a way that changes its results.
    Build,
    /// A recipe's text is wrong; the message has line, column and what was expected.
    Syntax,
    /// The operating system refused something.
    System,
    /// A status of a newer library.
    Other(i32),
}

impl Status {
    fn of(status: sys::terrain_status) -> Self {
        match status {
            -1 => Self::Argument,
            -2 => Self::Range,
            -3 => Self::Alias,
            -4 => Self::Memory,
            -5 => Self::Busy,
            -6 => Self::Cancelled,
            -7 => Self::Runner,
            -8 => Self::Unsupported,
            -9 => Self::Build,
            -10 => Self::Syntax,
            -11 => Self::System,
            other => Self::Other(other),
        }
    }
}

/// A status, and the library's sentence about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    status: Status,
    message: String,
}

impl Error {
    pub(crate) fn new(status: Status, message: &str) -> Self {
        Self { status, message: message.into() }
    }

    /// What kind of error it is.
    pub fn status(&self) -> Status {
        self.status
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// What the library's calls return.
pub type Result<T> = std::result::Result<T, Error>;

/// The context may be null: then there is no sentence but the status' name.
///
/// # Safety
/// The context is null or valid, and nobody else is using it.
pub(crate) unsafe fn check(status: sys::terrain_status, context: *const sys::terrain_context) -> Result<()> {
    if status == sys::TERRAIN_SUCCESS {
        return Ok(());
    }
    let message = CStr::from_ptr(sys::terrain_context_message(context));
    let text = if message.to_bytes().is_empty() { CStr::from_ptr(sys::terrain_status_name(status)) } else { message };
    Err(Error { status: Status::of(status), message: text.to_string_lossy().into_owned() })
}
