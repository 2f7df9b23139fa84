// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

//! libblur and fast_image_resize as functions of C. Maps are rows of floats without gaps; everything
//! runs on the calling thread.

use std::cell::RefCell;
use std::slice;

use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::F32;
use fast_image_resize::{FilterType, ResizeAlg, ResizeOptions, Resizer};
use libblur::{
    BlurImage, BlurImageMut, BoxBlurParameters, EdgeMode, EdgeMode2D, FastBlurChannels, GaussianBlurParams,
    IeeeBinaryConvolutionMode, ThreadingPolicy,
};

const EDGES: EdgeMode2D = EdgeMode2D::new(EdgeMode::Clamp);

thread_local! {
    // It keeps its scratch from call to call.
    static RESIZER: RefCell<Resizer> = RefCell::new(Resizer::new());
}

/// # Safety
/// Both maps have width * height floats, and do not overlap.
unsafe fn maps<'a>(
    from: *const f32,
    to: *mut f32,
    width: u32,
    height: u32,
) -> (BlurImage<'a, f32>, BlurImageMut<'a, f32>) {
    let cells = width as usize * height as usize;
    (
        BlurImage::borrow(slice::from_raw_parts(from, cells), width, height, FastBlurChannels::Plane),
        BlurImageMut::borrow(slice::from_raw_parts_mut(to, cells), width, height, FastBlurChannels::Plane),
    )
}

/// As wide as ours and OpenCV's, four sigmas to either side: what libblur chooses by itself ends at two, and takes
/// half the time.
///
/// # Safety
/// As `maps`.
#[no_mangle]
pub unsafe extern "C" fn peer_blur_gaussian(from: *const f32, to: *mut f32, width: u32, height: u32, sigma: f64) {
    let (from, mut to) = maps(from, to, width, height);
    libblur::gaussian_blur_f32(
        &from,
        &mut to,
        GaussianBlurParams::new(2 * (4.0 * sigma) as u32 + 1, sigma),
        EDGES,
        ThreadingPolicy::Single,
        IeeeBinaryConvolutionMode::Normal,
    )
    .expect("gaussian_blur_f32");
}

/// # Safety
/// As `maps`.
#[no_mangle]
pub unsafe extern "C" fn peer_blur_box(from: *const f32, to: *mut f32, width: u32, height: u32, radius: u32) {
    let (from, mut to) = maps(from, to, width, height);
    let side = 2 * radius + 1;
    libblur::box_blur_f32(
        &from,
        &mut to,
        BoxBlurParameters { x_axis_kernel: side, y_axis_kernel: side },
        ThreadingPolicy::Single,
    )
    .expect("box_blur_f32");
}

/// `cubic`: Catmull and Rom's cubic; otherwise the mean of what a new cell covers.
///
/// # Safety
/// The maps have as many floats as their sizes say, and do not overlap.
#[no_mangle]
pub unsafe extern "C" fn peer_resize(
    from: *const f32,
    width: u32,
    height: u32,
    to: *mut f32,
    to_width: u32,
    to_height: u32,
    cubic: bool,
) {
    let pixels = slice::from_raw_parts(from.cast::<F32>(), width as usize * height as usize);
    let to_pixels = slice::from_raw_parts_mut(to.cast::<F32>(), to_width as usize * to_height as usize);
    let image = TypedImageRef::new(width, height, pixels).expect("size");
    let mut resized = TypedImage::from_pixels_slice(to_width, to_height, to_pixels).expect("size");
    let filter = if cubic { FilterType::CatmullRom } else { FilterType::Box };
    let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(filter));
    RESIZER.with_borrow_mut(|resizer| resizer.resize_typed(&image, &mut resized, &options)).expect("resize");
}
