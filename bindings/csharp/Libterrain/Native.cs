// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

using System;
using System.Runtime.InteropServices;

#pragma warning disable 169, 649 // fields that the library writes, or nobody

namespace Libterrain
{
    /// <summary>
    /// The C interface, as far as it is needed. The headers say what each function does; operations are called through
    /// the table, so that none is named here. Of size_t there is UIntPtr, of arrays their pointer.
    /// </summary>
    internal static class Native
    {
#if (UNITY_IOS || UNITY_TVOS || UNITY_WEBGL) && !UNITY_EDITOR
        private const string Library = "__Internal";
#else
        private const string Library = "terrain";
#endif
        private const CallingConvention C = CallingConvention.Cdecl;

        [UnmanagedFunctionPointer(C)]
        internal delegate int Report(IntPtr user, double fraction);

        [UnmanagedFunctionPointer(C)]
        internal delegate int RunTasks(IntPtr user, uint count, IntPtr task, IntPtr job);

        [UnmanagedFunctionPointer(C)]
        internal delegate void RunTask(IntPtr job, uint index);

        internal const uint PartialResults = 1;
        internal const uint World = 1;
        internal const int ParameterTextSize = 64;

        [StructLayout(LayoutKind.Sequential)]
        internal struct Callback
        {
            internal IntPtr User;
            internal IntPtr Function;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct Allocator
        {
            internal IntPtr User;
            internal IntPtr Allocate;
            internal IntPtr Free;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct ContextDesc
        {
            internal uint StructSize;
            internal uint Flags;
            internal uint MaxIsa;
            internal uint Reserved;
            internal Allocator Allocator;
            internal Callback Runner;
            internal Callback Progress;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct RunDesc
        {
            internal uint StructSize;
            internal uint Flags;
            internal ulong Seed;
            internal long X;
            internal long Y;
            internal ulong MemoryLimit;
            internal IntPtr InputNames;
            internal IntPtr Inputs;
            internal IntPtr OutputNames;
            internal IntPtr Outputs;
            internal Callback Observer;
            internal uint Width;
            internal uint Height;
            internal uint InputCount;
            internal uint OutputCount;
            internal float CellSize;
            internal uint Reserved;
            internal double Scale;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct WorldDesc
        {
            internal uint StructSize;
            internal uint Flags;
            internal ulong Seed;
            internal ulong CacheBytes;
            internal ulong MemoryLimit;
            internal IntPtr Recipe;
            internal IntPtr Name;
            internal Allocator Allocator;
            internal Callback Observer;
            internal float CellSize;
            internal uint InputCount;
            internal double Scale;
            internal IntPtr InputNames;
            internal IntPtr Inputs;
            internal IntPtr OutputNames;
            internal uint OutputCount;
            internal uint ReservedEnd;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct MeshDesc
        {
            internal uint StructSize;
            internal uint Flags;
            internal TerrainWindow Window;
            internal MeshAxes Axes;
            internal MeshWinding Winding;
            internal MeshDiagonal Diagonal;
            internal uint Reserved;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct ScoreDesc
        {
            internal uint StructSize;
            internal uint Flags;
            internal float UnitSlope;
            internal float BuildingSlope;
            internal uint UnitSize;
            internal uint BuildingSize;
        }

        /// <summary>
        /// A parameter of the table. The range and the default are whole numbers, or bits of doubles.
        /// </summary>
        [StructLayout(LayoutKind.Sequential)]
        internal struct ParameterRow
        {
            internal IntPtr Name;
            internal IntPtr Unit;
            internal IntPtr Doc;
            internal uint Type;
            internal uint Offset;
            internal uint CountOffset;
            internal uint CountMaximum;
            internal long Minimum;
            internal long Maximum;
            internal long Default;
            internal IntPtr ValueNames;
            internal IntPtr ValueDocs;
            internal IntPtr Port;
            internal uint Role;
            internal uint Scaling;
            internal IntPtr When;
            internal ulong WhenValues;
            internal uint IsPowerOfTwo;
        }

        /// <summary>A port of the table.</summary>
        [StructLayout(LayoutKind.Sequential)]
        internal struct PortRow
        {
            internal IntPtr Name;
            internal IntPtr Spacing;
            internal PortRole Role;
            internal PortLattice Lattice;
            internal uint Offset;
            internal uint SpacingOffset;
            internal uint Optional;
            internal uint Mask;
            internal uint Grid;
        }

        // ---- Versions and statuses ----------------------------------------------------------------------------------

        [DllImport(Library, CallingConvention = C)]
        internal static extern uint terrain_version();
        [DllImport(Library, CallingConvention = C)]
        internal static extern uint terrain_results_version();
        [DllImport(Library, CallingConvention = C)]
        internal static extern IntPtr terrain_status_name(TerrainStatus status);

        // ---- Contexts -----------------------------------------------------------------------------------------------

        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_context_desc_init(out ContextDesc desc, UIntPtr size);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_context_create(ref ContextDesc desc, out IntPtr context);
        [DllImport(Library, CallingConvention = C)]
        internal static extern void terrain_context_destroy(IntPtr context);
        [DllImport(Library, CallingConvention = C)]
        internal static extern void terrain_context_trim(Handle context);
        [DllImport(Library, CallingConvention = C)]
        internal static extern IntPtr terrain_context_message(Handle context);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Isa terrain_context_isa(Handle context);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_pool_create(uint threads, out IntPtr pool);
        [DllImport(Library, CallingConvention = C)]
        internal static extern void terrain_pool_runner(Handle pool, out Callback runner);
        [DllImport(Library, CallingConvention = C)]
        internal static extern void terrain_pool_destroy(IntPtr pool);

        // ---- Heightmaps ---------------------------------------------------------------------------------------------

        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_heightmap_create(
            Handle context, uint width, uint height, out IntPtr map);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_heightmap_wrap(
            Handle context, IntPtr data, uint width, uint height, UIntPtr stride, out IntPtr map);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_heightmap_wrap_const(
            Handle context, IntPtr data, uint width, uint height, UIntPtr stride, out IntPtr map);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_heightmap_view(
            Handle context, Handle map, uint x, uint y, uint width, uint height, out IntPtr view);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_heightmap_clone(Handle context, Handle source, out IntPtr map);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_heightmap_copy(Handle context, Handle source, Handle target);
        [DllImport(Library, CallingConvention = C)]
        internal static extern void terrain_heightmap_destroy(IntPtr map);
        [DllImport(Library, CallingConvention = C)]
        internal static extern IntPtr terrain_heightmap_data(Handle map);
        [DllImport(Library, CallingConvention = C)]
        internal static extern IntPtr terrain_heightmap_const_data(Handle map);
        [DllImport(Library, CallingConvention = C)]
        internal static extern UIntPtr terrain_heightmap_stride(Handle map);
        [DllImport(Library, CallingConvention = C)]
        internal static extern float terrain_heightmap_cell_size(Handle map);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_heightmap_set_cell_size(Handle map, float cellSize);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_heightmap_set_origin(Handle map, long x, long y);
        [DllImport(Library, CallingConvention = C)]
        internal static extern void terrain_heightmap_origin(Handle map, out long x, out long y);
        [DllImport(Library, CallingConvention = C)]
        internal static extern ulong terrain_heightmap_hash(Handle map);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_heightmap_pack_u8(
            Handle context, Handle map, float low, float high, [Out] byte[] buffer, UIntPtr stride);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_heightmap_pack_u16(
            Handle context, Handle map, float low, float high, [Out] ushort[] buffer, UIntPtr stride);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_heightmap_pack_channels_u8(
            Handle context, IntPtr maps, float[] lows, float[] highs, uint count, [In, Out] byte[] buffer,
            UIntPtr stride);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_heightmap_pack_hillshade_u8(
            Handle context, Handle map, IntPtr parameters, [Out] byte[] buffer, UIntPtr stride);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_heightmap_unpack_u8(
            Handle context, byte[] buffer, UIntPtr stride, float low, float high, Handle map);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_heightmap_unpack_u16(
            Handle context, ushort[] buffer, UIntPtr stride, float low, float high, Handle map);

        // ---- Operations ---------------------------------------------------------------------------------------------

        [DllImport(Library, CallingConvention = C)]
        internal static extern uint terrain_operation_count();
        [DllImport(Library, CallingConvention = C)]
        internal static extern IntPtr terrain_operation_at(uint index);
        [DllImport(Library, CallingConvention = C)]
        internal static extern IntPtr terrain_operation_name(IntPtr operation);
        [DllImport(Library, CallingConvention = C)]
        internal static extern IntPtr terrain_operation_verb(IntPtr operation);
        [DllImport(Library, CallingConvention = C)]
        internal static extern IntPtr terrain_operation_summary(IntPtr operation);
        [DllImport(Library, CallingConvention = C)]
        internal static extern IntPtr terrain_operation_reference(IntPtr operation);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Tiling terrain_operation_tiling(IntPtr operation);
        [DllImport(Library, CallingConvention = C)]
        internal static extern uint terrain_operation_result_version(IntPtr operation);
        [DllImport(Library, CallingConvention = C)]
        internal static extern uint terrain_operation_port_count(IntPtr operation);
        [DllImport(Library, CallingConvention = C)]
        internal static extern IntPtr terrain_operation_port_at(IntPtr operation, uint index);
        [DllImport(Library, CallingConvention = C)]
        internal static extern UIntPtr terrain_operation_params_size(IntPtr operation);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_operation_params_init(
            IntPtr operation, IntPtr parameters, UIntPtr size);
        [DllImport(Library, CallingConvention = C)]
        internal static extern uint terrain_operation_parameter_count(IntPtr operation);
        [DllImport(Library, CallingConvention = C)]
        internal static extern IntPtr terrain_operation_parameter(IntPtr operation, uint index);
        [DllImport(Library, CallingConvention = C)]
        internal static extern uint terrain_operation_parameter_counts(
            IntPtr operation, IntPtr parameter, IntPtr parameters);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_parameter_set(IntPtr parameter, IntPtr parameters, ref long value);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_parameter_format(
            IntPtr parameter, ref long value, [Out] byte[] text, UIntPtr size);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_parameter_parse(IntPtr parameter, byte[] text, ref long value);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_parameter_slider(
            IntPtr parameter, out double low, out double high);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Scaling terrain_parameter_scaling(IntPtr parameter);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_operation_apply(
            Handle context, IntPtr operation, IntPtr ports, uint count, IntPtr parameters);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_operation_apply_grid(
            Handle context, IntPtr operation, IntPtr maps, uint columns, uint rows, IntPtr parameters);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_operation_halo(
            IntPtr operation, IntPtr parameters, out uint cells);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_operation_window(
            IntPtr operation, IntPtr parameters, uint port, ref TerrainWindow result, out TerrainWindow needed);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_operation_result_window(
            IntPtr operation, IntPtr parameters, ref TerrainWindow given, out TerrainWindow result);

        // ---- Recipes, plans, worlds ---------------------------------------------------------------------------------

        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_recipe_parse(
            Handle context, byte[] text, UIntPtr size, out IntPtr recipe);
        [DllImport(Library, CallingConvention = C)]
        internal static extern void terrain_recipe_destroy(IntPtr recipe);
        [DllImport(Library, CallingConvention = C)]
        internal static extern IntPtr terrain_recipe_result(Handle recipe);
        [DllImport(Library, CallingConvention = C)]
        internal static extern uint terrain_recipe_results_version(Handle recipe);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_recipe_format(
            Handle context, Handle recipe, [Out] byte[] text, UIntPtr size, out UIntPtr needed);
        [DllImport(Library, CallingConvention = C)]
        internal static extern uint terrain_recipe_input_count(Handle recipe);
        [DllImport(Library, CallingConvention = C)]
        internal static extern IntPtr terrain_recipe_input_at(Handle recipe, uint index);
        [DllImport(Library, CallingConvention = C)]
        internal static extern uint terrain_recipe_map_count(Handle recipe);
        [DllImport(Library, CallingConvention = C)]
        internal static extern IntPtr terrain_recipe_map_at(Handle recipe, uint index);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_recipe_check_world(Handle context, Handle recipe, IntPtr name);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_recipe_map_scale(
            Handle context, Handle recipe, IntPtr name, double scale, out double own);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_recipe_run_desc_init(out RunDesc desc, UIntPtr size);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_recipe_plan_create(
            Handle context, Handle recipe, ref RunDesc desc, out IntPtr plan);
        [DllImport(Library, CallingConvention = C)]
        internal static extern void terrain_recipe_plan_destroy(IntPtr plan);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_recipe_plan_window(
            Handle plan, IntPtr name, out TerrainWindow window);
        [DllImport(Library, CallingConvention = C)]
        internal static extern ulong terrain_recipe_plan_cells(Handle plan, uint statement);
        [DllImport(Library, CallingConvention = C)]
        internal static extern ulong terrain_recipe_plan_bytes(Handle plan);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_recipe_plan_run(
            Handle context, Handle plan, IntPtr inputs, IntPtr outputs);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_world_desc_init(out WorldDesc desc, UIntPtr size);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_world_create(Handle context, ref WorldDesc desc, out IntPtr world);
        [DllImport(Library, CallingConvention = C)]
        internal static extern void terrain_world_destroy(IntPtr world);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_world_tile(
            Handle context, Handle world, long x, long y, Handle map);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_world_tile_maps(
            Handle context, Handle world, long x, long y, IntPtr maps, uint count);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_world_prepare(
            Handle context, Handle world, ref TerrainWindow window);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_world_tile_bytes(
            Handle context, Handle world, ref TerrainWindow window, out ulong kept, out ulong needed);
        [DllImport(Library, CallingConvention = C)]
        internal static extern void terrain_world_trim(Handle world);
        [DllImport(Library, CallingConvention = C)]
        internal static extern ulong terrain_world_cache_size(Handle world);

        // ---- Meshes and figures -------------------------------------------------------------------------------------

        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_mesh_desc_init(out MeshDesc desc, UIntPtr size);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_mesh_size(
            Handle context, Handle map, ref MeshDesc desc, out uint vertices, out uint indices);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_mesh_positions(
            Handle context, Handle map, ref MeshDesc desc, IntPtr buffer, UIntPtr stride);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_mesh_normals(
            Handle context, Handle map, ref MeshDesc desc, IntPtr buffer, UIntPtr stride);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_mesh_indices(
            Handle context, Handle map, ref MeshDesc desc, [Out] int[] buffer);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_statistics_create(Handle context, out IntPtr statistics);
        [DllImport(Library, CallingConvention = C)]
        internal static extern void terrain_statistics_destroy(IntPtr statistics);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_statistics_set_histogram(
            Handle statistics, float low, float high, IntPtr bins, uint count);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_statistics_add(Handle context, Handle statistics, Handle map);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_statistics_merge(Handle into, Handle from);
        [DllImport(Library, CallingConvention = C)]
        internal static extern void terrain_statistics_reset(Handle statistics);
        [DllImport(Library, CallingConvention = C)]
        internal static extern long terrain_statistics_count(Handle statistics);
        [DllImport(Library, CallingConvention = C)]
        internal static extern long terrain_statistics_nan_count(Handle statistics);
        [DllImport(Library, CallingConvention = C)]
        internal static extern long terrain_statistics_infinite_count(Handle statistics);
        [DllImport(Library, CallingConvention = C)]
        internal static extern float terrain_statistics_minimum(Handle statistics);
        [DllImport(Library, CallingConvention = C)]
        internal static extern float terrain_statistics_maximum(Handle statistics);
        [DllImport(Library, CallingConvention = C)]
        internal static extern double terrain_statistics_sum(Handle statistics);
        [DllImport(Library, CallingConvention = C)]
        internal static extern double terrain_statistics_mean(Handle statistics);
        [DllImport(Library, CallingConvention = C)]
        internal static extern double terrain_statistics_variance(Handle statistics);
        [DllImport(Library, CallingConvention = C)]
        internal static extern double terrain_statistics_standard_deviation(Handle statistics);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_score_desc_init(out ScoreDesc desc, UIntPtr size);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_score_create(Handle context, ref ScoreDesc desc, out IntPtr score);
        [DllImport(Library, CallingConvention = C)]
        internal static extern void terrain_score_destroy(IntPtr score);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_score_add(
            Handle context, Handle score, Handle map, ref TerrainWindow window);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_score_merge(Handle into, Handle from);
        [DllImport(Library, CallingConvention = C)]
        internal static extern long terrain_score_count(Handle score);
        [DllImport(Library, CallingConvention = C)]
        internal static extern long terrain_score_accessible(Handle score);
        [DllImport(Library, CallingConvention = C)]
        internal static extern long terrain_score_flat(Handle score);
        [DllImport(Library, CallingConvention = C)]
        internal static extern long terrain_score_reachable(Handle score);
        [DllImport(Library, CallingConvention = C)]
        internal static extern long terrain_score_buildable(Handle score);
        [DllImport(Library, CallingConvention = C)]
        internal static extern double terrain_score_erosion(Handle score);
        [DllImport(Library, CallingConvention = C)]
        internal static extern double terrain_score_mean_slope(Handle score);
        [DllImport(Library, CallingConvention = C)]
        internal static extern double terrain_score_playability(Handle score);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_seams_init(out Seams seams, UIntPtr size);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_seams_measure(
            Handle context, IntPtr maps, uint columns, uint rows, uint overlap, ref Seams seams);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_landform_init(out Landform land, UIntPtr size);
        [DllImport(Library, CallingConvention = C)]
        internal static extern TerrainStatus terrain_landform_measure(Handle context, Handle map, ref Landform land);

        /// <summary>The size of a struct that the library fills in.</summary>
        internal static UIntPtr SizeOf<T>()
        {
            return (UIntPtr)(uint)Marshal.SizeOf(typeof(T));
        }
    }
}
