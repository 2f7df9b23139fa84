// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

//! The C interface of libterrain: what the crate [`terrain`](https://docs.rs/terrain) is made of. The headers say
//! what each function does. Operations are called through the table, so that none is named here.

#![allow(non_camel_case_types, missing_docs)]

use std::ffi::c_void;
use std::os::raw::c_char;

macro_rules! opaque {
    ($($name:ident)*) => {$(
        #[repr(C)]
        pub struct $name {
            _private: [u8; 0],
            _not_send: std::marker::PhantomData<(*mut u8, std::marker::PhantomPinned)>,
        }
    )*};
}

opaque! {
    terrain_analyze_hillshade_params terrain_context terrain_heightmap terrain_operation terrain_pool terrain_recipe
    terrain_recipe_plan terrain_score terrain_statistics terrain_world
}

pub type terrain_status = i32;
pub const TERRAIN_SUCCESS: terrain_status = 0;
pub const TERRAIN_ERROR_CANCELLED: terrain_status = -6;
pub const TERRAIN_CONTEXT_PARTIAL_RESULTS: u32 = 1;
pub const TERRAIN_RECIPE_WORLD: u32 = 1;

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct terrain_window {
    pub x: i64,
    pub y: i64,
    pub width: u32,
    pub height: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct terrain_allocator {
    pub user: *mut c_void,
    pub allocate: Option<unsafe extern "C" fn(*mut c_void, usize, usize) -> *mut c_void>,
    pub free: Option<unsafe extern "C" fn(*mut c_void, *mut c_void, usize)>,
}

pub type terrain_task = unsafe extern "C" fn(*mut c_void, u32);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct terrain_runner {
    pub user: *mut c_void,
    pub run: Option<unsafe extern "C" fn(*mut c_void, u32, terrain_task, *mut c_void) -> i32>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct terrain_progress {
    pub user: *mut c_void,
    pub report: Option<unsafe extern "C" fn(*mut c_void, f64) -> i32>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct terrain_context_desc {
    pub struct_size: u32,
    pub flags: u32,
    pub max_isa: u32,
    pub reserved: u32,
    pub allocator: terrain_allocator,
    pub runner: terrain_runner,
    pub progress: terrain_progress,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct terrain_recipe_observer {
    pub user: *mut c_void,
    pub computed: Option<unsafe extern "C" fn(*mut c_void, u32, *const terrain_window)>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct terrain_recipe_statement {
    pub struct_size: u32,
    pub flags: u32,
    pub name: *const c_char,
    pub operation: *const terrain_operation,
    pub inputs: *const *const c_char,
    pub map_parameters: *const *const c_char,
    pub maps: *const *const c_char,
    pub params: *const c_void,
    pub names: *const *const c_char,
    pub input_count: u32,
    pub map_count: u32,
    pub line: u32,
    pub columns: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct terrain_recipe_run_desc {
    pub struct_size: u32,
    pub flags: u32,
    pub seed: u64,
    pub x: i64,
    pub y: i64,
    pub memory_limit: u64,
    pub input_names: *const *const c_char,
    pub inputs: *const *const terrain_heightmap,
    pub output_names: *const *const c_char,
    pub outputs: *const *mut terrain_heightmap,
    pub observer: terrain_recipe_observer,
    pub width: u32,
    pub height: u32,
    pub input_count: u32,
    pub output_count: u32,
    pub cell_size: f32,
    pub reserved: u32,
    pub scale: f64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct terrain_world_desc {
    pub struct_size: u32,
    pub flags: u32,
    pub seed: u64,
    pub cache_bytes: u64,
    pub memory_limit: u64,
    pub recipe: *const terrain_recipe,
    pub name: *const c_char,
    pub allocator: terrain_allocator,
    pub observer: terrain_recipe_observer,
    pub cell_size: f32,
    pub input_count: u32,
    pub scale: f64,
    pub input_names: *const *const c_char,
    pub inputs: *const *const terrain_heightmap,
    pub output_names: *const *const c_char,
    pub output_count: u32,
    pub reserved_end: u32,
}

pub type terrain_mesh_axes = u32;
pub type terrain_mesh_winding = u32;
pub type terrain_mesh_diagonal = u32;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct terrain_mesh_desc {
    pub struct_size: u32,
    pub flags: u32,
    pub window: terrain_window,
    pub axes: terrain_mesh_axes,
    pub winding: terrain_mesh_winding,
    pub diagonal: terrain_mesh_diagonal,
    pub reserved: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct terrain_score_desc {
    pub struct_size: u32,
    pub flags: u32,
    pub unit_slope: f32,
    pub building_slope: f32,
    pub unit_size: u32,
    pub building_size: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct terrain_landform {
    pub struct_size: u32,
    pub flags: u32,
    pub undrained: f64,
    pub trunk: f64,
    pub concavity: f64,
    pub hack: f64,
    pub skewness: f64,
    pub axis: f64,
    pub forms: [f64; 10],
    pub forms_distance: f64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct terrain_seams {
    pub struct_size: u32,
    pub flags: u32,
    pub cells: u64,
    pub worst_step: f64,
    pub worst_kink: f64,
    pub seam_curvature: f64,
    pub inside_curvature: f64,
    pub ratio: f64,
}

pub type terrain_signature = u32;
pub type terrain_port_role = u32;
pub type terrain_port_lattice = u32;
pub type terrain_tiling = u32;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct terrain_port {
    pub name: *const c_char,
    pub spacing: *const c_char,
    pub role: terrain_port_role,
    pub lattice: terrain_port_lattice,
    pub offset: u32,
    pub spacing_offset: u32,
    pub optional: u32,
    pub mask: u32,
    pub grid: u32,
    pub reserved: u32,
}

pub type terrain_type = u32;
pub type terrain_parameter_role = u32;
pub type terrain_scaling = u32;

#[repr(C)]
#[derive(Clone, Copy)]
pub union terrain_value {
    pub f: f64,
    pub i: i64,
    pub u: u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct terrain_parameter {
    pub name: *const c_char,
    pub unit: *const c_char,
    pub doc: *const c_char,
    pub type_: terrain_type,
    pub offset: u32,
    pub count_offset: u32,
    pub count_maximum: u32,
    pub minimum: terrain_value,
    pub maximum: terrain_value,
    pub default_value: terrain_value,
    pub value_names: *const *const c_char,
    pub value_docs: *const *const c_char,
    pub port: *const terrain_port,
    pub role: terrain_parameter_role,
    pub scaling: terrain_scaling,
    pub when: *const c_char,
    pub when_values: u64,
    pub power_of_two: u32,
    pub reserved: u32,
}

extern "C" {
    pub fn terrain_status_name(status: terrain_status) -> *const c_char;
    pub fn terrain_version() -> u32;
    pub fn terrain_results_version() -> u32;

    pub fn terrain_heightmap_create(
        context: *mut terrain_context,
        width: u32,
        height: u32,
        out: *mut *mut terrain_heightmap,
    ) -> terrain_status;
    pub fn terrain_heightmap_wrap(
        context: *mut terrain_context,
        data: *mut f32,
        width: u32,
        height: u32,
        stride: usize,
        out: *mut *mut terrain_heightmap,
    ) -> terrain_status;
    pub fn terrain_heightmap_wrap_const(
        context: *mut terrain_context,
        data: *const f32,
        width: u32,
        height: u32,
        stride: usize,
        out: *mut *mut terrain_heightmap,
    ) -> terrain_status;
    pub fn terrain_heightmap_view(
        context: *mut terrain_context,
        map: *mut terrain_heightmap,
        x: u32,
        y: u32,
        width: u32,
        height: u32,
        out: *mut *mut terrain_heightmap,
    ) -> terrain_status;
    pub fn terrain_heightmap_clone(
        context: *mut terrain_context,
        source: *const terrain_heightmap,
        out: *mut *mut terrain_heightmap,
    ) -> terrain_status;
    pub fn terrain_heightmap_copy(
        context: *mut terrain_context,
        source: *const terrain_heightmap,
        target: *mut terrain_heightmap,
    ) -> terrain_status;
    pub fn terrain_heightmap_destroy(map: *mut terrain_heightmap);
    pub fn terrain_heightmap_data(map: *mut terrain_heightmap) -> *mut f32;
    pub fn terrain_heightmap_const_data(map: *const terrain_heightmap) -> *const f32;
    pub fn terrain_heightmap_width(map: *const terrain_heightmap) -> u32;
    pub fn terrain_heightmap_height(map: *const terrain_heightmap) -> u32;
    pub fn terrain_heightmap_stride(map: *const terrain_heightmap) -> usize;
    pub fn terrain_heightmap_cell_size(map: *const terrain_heightmap) -> f32;
    pub fn terrain_heightmap_set_cell_size(map: *mut terrain_heightmap, cell_size: f32) -> terrain_status;
    pub fn terrain_heightmap_set_origin(map: *mut terrain_heightmap, x: i64, y: i64) -> terrain_status;
    pub fn terrain_heightmap_origin(map: *const terrain_heightmap, x: *mut i64, y: *mut i64);
    pub fn terrain_heightmap_hash(map: *const terrain_heightmap) -> u64;

    pub fn terrain_context_desc_init(desc: *mut terrain_context_desc, size: usize) -> terrain_status;
    pub fn terrain_context_create(desc: *const terrain_context_desc, out: *mut *mut terrain_context) -> terrain_status;
    pub fn terrain_context_destroy(context: *mut terrain_context);
    pub fn terrain_context_trim(context: *mut terrain_context);
    pub fn terrain_context_cancel(context: *mut terrain_context);
    pub fn terrain_context_message(context: *const terrain_context) -> *const c_char;
    pub fn terrain_context_isa(context: *const terrain_context) -> u32;
    pub fn terrain_pool_create(threads: u32, out: *mut *mut terrain_pool) -> terrain_status;
    pub fn terrain_pool_runner(pool: *mut terrain_pool, out: *mut terrain_runner);
    pub fn terrain_pool_destroy(pool: *mut terrain_pool);

    pub fn terrain_operation_count() -> u32;
    pub fn terrain_operation_at(index: u32) -> *const terrain_operation;
    pub fn terrain_operation_find(name: *const c_char) -> *const terrain_operation;
    pub fn terrain_operation_name(operation: *const terrain_operation) -> *const c_char;
    pub fn terrain_operation_verb(operation: *const terrain_operation) -> *const c_char;
    pub fn terrain_operation_summary(operation: *const terrain_operation) -> *const c_char;
    pub fn terrain_operation_reference(operation: *const terrain_operation) -> *const c_char;
    pub fn terrain_operation_signature(operation: *const terrain_operation) -> terrain_signature;
    pub fn terrain_operation_result_version(operation: *const terrain_operation) -> u32;
    pub fn terrain_operation_params_size(operation: *const terrain_operation) -> usize;
    pub fn terrain_operation_params_init(
        operation: *const terrain_operation,
        params: *mut c_void,
        size: usize,
    ) -> terrain_status;
    pub fn terrain_operation_parameter_count(operation: *const terrain_operation) -> u32;
    pub fn terrain_operation_parameter(operation: *const terrain_operation, index: u32) -> *const terrain_parameter;
    pub fn terrain_operation_parameter_find(
        operation: *const terrain_operation,
        name: *const c_char,
    ) -> *const terrain_parameter;
    pub fn terrain_operation_parameter_counts(
        operation: *const terrain_operation,
        parameter: *const terrain_parameter,
        params: *const c_void,
    ) -> u32;
    pub fn terrain_operation_port_count(operation: *const terrain_operation) -> u32;
    pub fn terrain_operation_port_at(operation: *const terrain_operation, index: u32) -> *const terrain_port;
    pub fn terrain_parameter_scaling(parameter: *const terrain_parameter) -> terrain_scaling;
    pub fn terrain_parameter_format(
        parameter: *const terrain_parameter,
        value: *const terrain_value,
        text: *mut c_char,
        size: usize,
    ) -> terrain_status;
    pub fn terrain_parameter_parse(
        parameter: *const terrain_parameter,
        text: *const c_char,
        value: *mut terrain_value,
    ) -> terrain_status;
    pub fn terrain_parameter_get(
        parameter: *const terrain_parameter,
        params: *const c_void,
        value: *mut terrain_value,
    ) -> terrain_status;
    pub fn terrain_parameter_set(
        parameter: *const terrain_parameter,
        params: *mut c_void,
        value: *const terrain_value,
    ) -> terrain_status;
    pub fn terrain_parameter_slider(
        parameter: *const terrain_parameter,
        low: *mut f64,
        high: *mut f64,
    ) -> terrain_status;
    pub fn terrain_operation_apply(
        context: *mut terrain_context,
        operation: *const terrain_operation,
        ports: *const *mut terrain_heightmap,
        port_count: u32,
        params: *const c_void,
    ) -> terrain_status;
    pub fn terrain_operation_apply_grid(
        context: *mut terrain_context,
        operation: *const terrain_operation,
        maps: *const *mut terrain_heightmap,
        columns: u32,
        rows: u32,
        params: *const c_void,
    ) -> terrain_status;
    pub fn terrain_operation_halo(
        operation: *const terrain_operation,
        params: *const c_void,
        cells: *mut u32,
    ) -> terrain_status;
    pub fn terrain_operation_window(
        operation: *const terrain_operation,
        params: *const c_void,
        port: u32,
        out: *const terrain_window,
        input: *mut terrain_window,
    ) -> terrain_status;
    pub fn terrain_operation_tiling(operation: *const terrain_operation) -> terrain_tiling;
    pub fn terrain_operation_result_window(
        operation: *const terrain_operation,
        params: *const c_void,
        input: *const terrain_window,
        out: *mut terrain_window,
    ) -> terrain_status;

    pub fn terrain_recipe_parse(
        context: *mut terrain_context,
        text: *const c_char,
        size: usize,
        out: *mut *mut terrain_recipe,
    ) -> terrain_status;
    pub fn terrain_recipe_create(context: *mut terrain_context, out: *mut *mut terrain_recipe) -> terrain_status;
    pub fn terrain_recipe_destroy(recipe: *mut terrain_recipe);
    pub fn terrain_recipe_statement_init(statement: *mut terrain_recipe_statement, size: usize) -> terrain_status;
    pub fn terrain_recipe_add_input(
        context: *mut terrain_context,
        recipe: *mut terrain_recipe,
        name: *const c_char,
    ) -> terrain_status;
    pub fn terrain_recipe_add(
        context: *mut terrain_context,
        recipe: *mut terrain_recipe,
        statement: *const terrain_recipe_statement,
    ) -> terrain_status;
    pub fn terrain_recipe_result(recipe: *const terrain_recipe) -> *const c_char;
    pub fn terrain_recipe_results_version(recipe: *const terrain_recipe) -> u32;
    pub fn terrain_recipe_format(
        context: *mut terrain_context,
        recipe: *const terrain_recipe,
        text: *mut c_char,
        size: usize,
        needed: *mut usize,
    ) -> terrain_status;
    pub fn terrain_recipe_statement_count(recipe: *const terrain_recipe) -> u32;
    pub fn terrain_recipe_statement_at(recipe: *const terrain_recipe, index: u32) -> *const terrain_recipe_statement;
    pub fn terrain_recipe_input_count(recipe: *const terrain_recipe) -> u32;
    pub fn terrain_recipe_input_at(recipe: *const terrain_recipe, index: u32) -> *const c_char;
    pub fn terrain_recipe_map_count(recipe: *const terrain_recipe) -> u32;
    pub fn terrain_recipe_map_at(recipe: *const terrain_recipe, index: u32) -> *const c_char;
    pub fn terrain_recipe_check_world(
        context: *mut terrain_context,
        recipe: *const terrain_recipe,
        name: *const c_char,
    ) -> terrain_status;
    pub fn terrain_recipe_map_scale(
        context: *mut terrain_context,
        recipe: *const terrain_recipe,
        name: *const c_char,
        scale: f64,
        out: *mut f64,
    ) -> terrain_status;
    pub fn terrain_recipe_run_desc_init(desc: *mut terrain_recipe_run_desc, size: usize) -> terrain_status;
    pub fn terrain_recipe_output_window(
        context: *mut terrain_context,
        recipe: *const terrain_recipe,
        desc: *const terrain_recipe_run_desc,
        name: *const c_char,
        out: *mut terrain_window,
    ) -> terrain_status;
    pub fn terrain_recipe_run(
        context: *mut terrain_context,
        recipe: *const terrain_recipe,
        desc: *const terrain_recipe_run_desc,
    ) -> terrain_status;

    pub fn terrain_recipe_plan_create(
        context: *mut terrain_context,
        recipe: *const terrain_recipe,
        desc: *const terrain_recipe_run_desc,
        out: *mut *mut terrain_recipe_plan,
    ) -> terrain_status;
    pub fn terrain_recipe_plan_destroy(plan: *mut terrain_recipe_plan);
    pub fn terrain_recipe_plan_window(
        plan: *const terrain_recipe_plan,
        name: *const c_char,
        out: *mut terrain_window,
    ) -> terrain_status;
    pub fn terrain_recipe_plan_cells(plan: *const terrain_recipe_plan, statement: u32) -> u64;
    pub fn terrain_recipe_plan_bytes(plan: *const terrain_recipe_plan) -> u64;
    pub fn terrain_recipe_plan_run(
        context: *mut terrain_context,
        plan: *const terrain_recipe_plan,
        inputs: *const *const terrain_heightmap,
        outputs: *const *mut terrain_heightmap,
    ) -> terrain_status;

    pub fn terrain_world_desc_init(desc: *mut terrain_world_desc, size: usize) -> terrain_status;
    pub fn terrain_world_create(
        context: *mut terrain_context,
        desc: *const terrain_world_desc,
        out: *mut *mut terrain_world,
    ) -> terrain_status;
    pub fn terrain_world_destroy(world: *mut terrain_world);
    pub fn terrain_world_tile(
        context: *mut terrain_context,
        world: *mut terrain_world,
        x: i64,
        y: i64,
        map: *mut terrain_heightmap,
    ) -> terrain_status;
    pub fn terrain_world_tile_maps(
        context: *mut terrain_context,
        world: *mut terrain_world,
        x: i64,
        y: i64,
        maps: *const *mut terrain_heightmap,
        count: u32,
    ) -> terrain_status;
    pub fn terrain_world_prepare(
        context: *mut terrain_context,
        world: *mut terrain_world,
        window: *const terrain_window,
    ) -> terrain_status;
    pub fn terrain_world_tile_bytes(
        context: *mut terrain_context,
        world: *mut terrain_world,
        window: *const terrain_window,
        kept: *mut u64,
        needed: *mut u64,
    ) -> terrain_status;
    pub fn terrain_world_trim(world: *mut terrain_world);
    pub fn terrain_world_cache_size(world: *mut terrain_world) -> u64;

    pub fn terrain_mesh_desc_init(desc: *mut terrain_mesh_desc, size: usize) -> terrain_status;
    pub fn terrain_mesh_size(
        context: *mut terrain_context,
        map: *const terrain_heightmap,
        desc: *const terrain_mesh_desc,
        vertices: *mut u32,
        indices: *mut u32,
    ) -> terrain_status;
    pub fn terrain_mesh_positions(
        context: *mut terrain_context,
        map: *const terrain_heightmap,
        desc: *const terrain_mesh_desc,
        buffer: *mut f32,
        stride: usize,
    ) -> terrain_status;
    pub fn terrain_mesh_normals(
        context: *mut terrain_context,
        map: *const terrain_heightmap,
        desc: *const terrain_mesh_desc,
        buffer: *mut f32,
        stride: usize,
    ) -> terrain_status;
    pub fn terrain_mesh_indices(
        context: *mut terrain_context,
        map: *const terrain_heightmap,
        desc: *const terrain_mesh_desc,
        buffer: *mut u32,
    ) -> terrain_status;

    pub fn terrain_statistics_create(
        context: *mut terrain_context,
        out: *mut *mut terrain_statistics,
    ) -> terrain_status;
    pub fn terrain_statistics_destroy(statistics: *mut terrain_statistics);
    pub fn terrain_statistics_set_histogram(
        statistics: *mut terrain_statistics,
        low: f32,
        high: f32,
        bins: *mut u64,
        count: u32,
    ) -> terrain_status;
    pub fn terrain_statistics_add(
        context: *mut terrain_context,
        statistics: *mut terrain_statistics,
        map: *const terrain_heightmap,
    ) -> terrain_status;
    pub fn terrain_statistics_reset(statistics: *mut terrain_statistics);
    pub fn terrain_statistics_merge(into: *mut terrain_statistics, from: *const terrain_statistics) -> terrain_status;
    pub fn terrain_statistics_count(statistics: *const terrain_statistics) -> u64;
    pub fn terrain_statistics_nan_count(statistics: *const terrain_statistics) -> u64;
    pub fn terrain_statistics_infinite_count(statistics: *const terrain_statistics) -> u64;
    pub fn terrain_statistics_minimum(statistics: *const terrain_statistics) -> f32;
    pub fn terrain_statistics_maximum(statistics: *const terrain_statistics) -> f32;
    pub fn terrain_statistics_sum(statistics: *const terrain_statistics) -> f64;
    pub fn terrain_statistics_mean(statistics: *const terrain_statistics) -> f64;
    pub fn terrain_statistics_variance(statistics: *const terrain_statistics) -> f64;
    pub fn terrain_statistics_standard_deviation(statistics: *const terrain_statistics) -> f64;

    pub fn terrain_score_desc_init(desc: *mut terrain_score_desc, size: usize) -> terrain_status;
    pub fn terrain_score_create(
        context: *mut terrain_context,
        desc: *const terrain_score_desc,
        out: *mut *mut terrain_score,
    ) -> terrain_status;
    pub fn terrain_score_destroy(score: *mut terrain_score);
    pub fn terrain_score_add(
        context: *mut terrain_context,
        score: *mut terrain_score,
        map: *const terrain_heightmap,
        window: *const terrain_window,
    ) -> terrain_status;
    pub fn terrain_score_merge(into: *mut terrain_score, from: *const terrain_score) -> terrain_status;
    pub fn terrain_score_count(score: *const terrain_score) -> u64;
    pub fn terrain_score_accessible(score: *const terrain_score) -> u64;
    pub fn terrain_score_flat(score: *const terrain_score) -> u64;
    pub fn terrain_score_reachable(score: *const terrain_score) -> u64;
    pub fn terrain_score_buildable(score: *const terrain_score) -> u64;
    pub fn terrain_score_erosion(score: *const terrain_score) -> f64;
    pub fn terrain_score_mean_slope(score: *const terrain_score) -> f64;
    pub fn terrain_score_playability(score: *const terrain_score) -> f64;

    pub fn terrain_landform_init(land: *mut terrain_landform, size: usize) -> terrain_status;
    pub fn terrain_landform_measure(
        context: *mut terrain_context,
        map: *const terrain_heightmap,
        land: *mut terrain_landform,
    ) -> terrain_status;

    pub fn terrain_heightmap_pack_u8(
        context: *mut terrain_context,
        map: *const terrain_heightmap,
        low: f32,
        high: f32,
        buffer: *mut u8,
        stride: usize,
    ) -> terrain_status;
    pub fn terrain_heightmap_pack_u16(
        context: *mut terrain_context,
        map: *const terrain_heightmap,
        low: f32,
        high: f32,
        buffer: *mut u16,
        stride: usize,
    ) -> terrain_status;
    pub fn terrain_heightmap_pack_channels_u8(
        context: *mut terrain_context,
        maps: *const *const terrain_heightmap,
        lows: *const f32,
        highs: *const f32,
        count: u32,
        buffer: *mut u8,
        stride: usize,
    ) -> terrain_status;
    pub fn terrain_heightmap_pack_hillshade_u8(
        context: *mut terrain_context,
        map: *const terrain_heightmap,
        params: *const terrain_analyze_hillshade_params,
        buffer: *mut u8,
        stride: usize,
    ) -> terrain_status;
    pub fn terrain_heightmap_unpack_u8(
        context: *mut terrain_context,
        buffer: *const u8,
        stride: usize,
        low: f32,
        high: f32,
        map: *mut terrain_heightmap,
    ) -> terrain_status;
    pub fn terrain_heightmap_unpack_u16(
        context: *mut terrain_context,
        buffer: *const u16,
        stride: usize,
        low: f32,
        high: f32,
        map: *mut terrain_heightmap,
    ) -> terrain_status;

    pub fn terrain_seams_init(seams: *mut terrain_seams, size: usize) -> terrain_status;
    pub fn terrain_seams_measure(
        context: *mut terrain_context,
        maps: *const *const terrain_heightmap,
        columns: u32,
        rows: u32,
        overlap: u32,
        seams: *mut terrain_seams,
    ) -> terrain_status;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::{size_of, MaybeUninit};
    use std::ptr::addr_of;

    extern "C" {
        static terrain_sys_layout: [usize; 48];
    }

    macro_rules! offset {
        ($type:ty, $field:ident) => {{
            let place = MaybeUninit::<$type>::uninit();
            let base = place.as_ptr();
            // SAFETY: only addresses are taken.
            unsafe { addr_of!((*base).$field) as usize - base as usize }
        }};
    }

    /// Guards against declarations that differ from the headers.
    #[test]
    fn layout() {
        let here = [
            size_of::<terrain_window>(),
            offset!(terrain_window, width),
            size_of::<terrain_allocator>(),
            offset!(terrain_allocator, free),
            size_of::<terrain_runner>(),
            offset!(terrain_runner, run),
            size_of::<terrain_progress>(),
            offset!(terrain_progress, report),
            size_of::<terrain_context_desc>(),
            offset!(terrain_context_desc, max_isa),
            offset!(terrain_context_desc, runner),
            offset!(terrain_context_desc, progress),
            size_of::<terrain_recipe_observer>(),
            offset!(terrain_recipe_observer, computed),
            size_of::<terrain_recipe_run_desc>(),
            offset!(terrain_recipe_run_desc, seed),
            offset!(terrain_recipe_run_desc, memory_limit),
            offset!(terrain_recipe_run_desc, inputs),
            offset!(terrain_recipe_run_desc, outputs),
            offset!(terrain_recipe_run_desc, observer),
            offset!(terrain_recipe_run_desc, width),
            offset!(terrain_recipe_run_desc, cell_size),
            size_of::<terrain_world_desc>(),
            offset!(terrain_world_desc, cache_bytes),
            offset!(terrain_world_desc, recipe),
            offset!(terrain_world_desc, name),
            offset!(terrain_world_desc, observer),
            offset!(terrain_world_desc, cell_size),
            offset!(terrain_world_desc, input_count),
            offset!(terrain_world_desc, inputs),
            offset!(terrain_world_desc, output_names),
            offset!(terrain_world_desc, output_count),
            size_of::<terrain_mesh_desc>(),
            offset!(terrain_mesh_desc, window),
            offset!(terrain_mesh_desc, diagonal),
            size_of::<terrain_parameter>(),
            offset!(terrain_parameter, count_offset),
            offset!(terrain_parameter, minimum),
            size_of::<terrain_score_desc>(),
            offset!(terrain_score_desc, building_size),
            size_of::<terrain_landform>(),
            offset!(terrain_landform, forms_distance),
            size_of::<terrain_port>(),
            offset!(terrain_port, grid),
            size_of::<terrain_seams>(),
            offset!(terrain_seams, ratio),
            size_of::<terrain_recipe_statement>(),
            offset!(terrain_recipe_statement, columns),
        ];
        // SAFETY: a constant of c/layout.c.
        assert_eq!(here, unsafe { terrain_sys_layout });
    }
}
