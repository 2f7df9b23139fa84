// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

using System;
using System.Collections.Generic;
using System.Linq;

namespace Libterrain
{
    /// <summary>How a world is made.</summary>
    public sealed class WorldOptions
    {
        /// <summary>The map that tiles show; null: the recipe's result.</summary>
        public string Map { get; set; }

        /// <summary>
        /// Several maps that tiles show, in place of <see cref="Map"/>: heights, say, and masks that go with them. What
        /// they have in common is computed once by <see cref="World.TileOutputs(long, long, int, int, Context)"/>. A
        /// name of null is the result's.
        /// </summary>
        public IEnumerable<string> Outputs { get; set; }

        /// <summary>0 leaves the recipe's own seeds as they are.</summary>
        public ulong Seed { get; set; }

        /// <summary>Of generated maps.</summary>
        public float CellSize { get; set; } = 1;

        /// <summary>A cell stands for 1/scale cells of the recipe.</summary>
        public double Scale { get; set; } = 1;

        /// <summary>Bytes that are kept between tiles, which decides about time, never about results.</summary>
        public long CacheBytes { get; set; } = 64 << 20;

        /// <summary>Bytes that a tile may take while it is computed; 0: any.</summary>
        public long MemoryLimit { get; set; }

        /// <summary>
        /// A map for each of the recipe's inputs that is needed, at the scale that <see cref="Recipe.MapScale"/> tells;
        /// its origin says where it lies. The world has copies, so that all its tiles are of the same land.
        /// </summary>
        public IDictionary<string, Heightmap> Inputs { get; set; } = new Dictionary<string, Heightmap>();
    }

    /// <summary>
    /// An endless terrain, given out in tiles on any number of threads, in any order: they fit to the last bit. What
    /// several tiles need is kept between them.
    /// </summary>
    public sealed class World : IDisposable
    {
        private readonly Handle handle;
        private readonly int outputCount;

        /// <summary>A world of the recipe's result.</summary>
        public World(Recipe recipe, ulong seed = 0) : this(recipe, new WorldOptions { Seed = seed })
        {
        }

        /// <summary>A world with all that can be said of it.</summary>
        public World(Recipe recipe, WorldOptions options)
        {
            Handle from = Check.NotNull(recipe, nameof(recipe)).Handle;
            Check.NotNull(options, nameof(options));
            string[] outputs = options.Outputs?.ToArray();
            CheckOutputs(outputs, options.Map);
            outputCount = outputs?.Length ?? 1;
            var given = options.Inputs ?? new Dictionary<string, Heightmap>();
            var inputs = given.Select(each => Check.NotNull(each.Value, each.Key).Clone()).ToList();
            try
            {
                handle = Make(from, options, outputs, given.Keys, inputs);
            }
            finally
            {
                inputs.ForEach(map => map.Dispose()); // the world's own from here on
            }
        }

        private static void CheckOutputs(string[] outputs, string map)
        {
            if (outputs == null)
            {
                return;
            }
            if (outputs.Length == 0) // which is the result to the library
            {
                throw new ArgumentException("It names no map.", nameof(WorldOptions.Outputs));
            }
            if (map != null)
            {
                throw new ArgumentException("A world has a map or outputs, not both.", nameof(WorldOptions.Outputs));
            }
            try
            {
                using (var none = new Handle(Native.terrain_world_destroy))
                {
                    Context.Call(null, c => Native.terrain_world_tile_maps(c, none, 0, 0, IntPtr.Zero, 0));
                }
            }
            catch (TerrainException) // it is refused, but there; an older library's worlds show one map
            {
            }
        }

        private static Handle Make(
            Handle recipe, WorldOptions options, string[] outputs, IEnumerable<string> names, List<Heightmap> inputs)
        {
            TerrainException.Check(
                Native.terrain_world_desc_init(out Native.WorldDesc desc, Native.SizeOf<Native.WorldDesc>()));
            using (var scope = new Scope())
            {
                desc.Recipe = scope.Use(recipe);
                desc.Name = scope.Text(options.Map);
                desc.Seed = options.Seed;
                desc.CellSize = options.CellSize;
                desc.Scale = options.Scale;
                desc.CacheBytes = Check.Natural(options.CacheBytes, nameof(options.CacheBytes));
                desc.MemoryLimit = Check.Natural(options.MemoryLimit, nameof(options.MemoryLimit));
                desc.InputNames = scope.Texts(names);
                desc.Inputs = scope.Maps(inputs);
                desc.InputCount = (uint)inputs.Count;
                if (outputs != null)
                {
                    desc.OutputNames = scope.Texts(outputs);
                    desc.OutputCount = (uint)outputs.Length;
                }
                return Handle.Make(
                    Native.terrain_world_destroy,
                    (Handle context, out IntPtr world) => Native.terrain_world_create(context, ref desc, out world),
                    inputs.Select(map => map.Handle).Concat(new[] { recipe }).ToArray());
            }
        }

        /// <summary>Bytes that are kept now.</summary>
        public long CacheSize => (long)Native.terrain_world_cache_size(handle);

        /// <summary>The window whose first cell is (x, y); of several outputs the first one.</summary>
        public Heightmap Tile(long x, long y, int width, int height, Context context = null)
        {
            return Heightmap.Make(width, height, map => Tile(map, x, y, context));
        }

        /// <summary>
        /// Writes a map, and its origin and cell size: the window of its size whose first cell is (x, y).
        /// </summary>
        public void Tile(Heightmap map, long x, long y, Context context = null)
        {
            Handle target = Check.NotNull(map, nameof(map)).Handle;
            Context.Call(context, c => Native.terrain_world_tile(c, handle, x, y, target));
        }

        /// <summary>
        /// That window of all outputs, in their order, and what they have in common computed once.
        /// </summary>
        public Heightmap[] TileOutputs(long x, long y, int width, int height, Context context = null)
        {
            var results = new List<Heightmap>();
            try
            {
                results.AddRange(Enumerable.Range(0, outputCount).Select(index => new Heightmap(width, height)));
                TileOutputs(results, x, y, context);
                return results.ToArray();
            }
            catch
            {
                results.ForEach(map => map.Dispose());
                throw;
            }
        }

        /// <summary>
        /// Writes a map for each output, and its origin and cell size. Maps have one size. Nothing is computed that
        /// only outputs need for which there is null, or no map any more.
        /// </summary>
        public void TileOutputs(IEnumerable<Heightmap> maps, long x, long y, Context context = null)
        {
            Heightmap[] targets = Check.NotNull(maps, nameof(maps)).ToArray();
            using (var scope = new Scope())
            {
                IntPtr written = scope.Maps(targets);
                Context.Call(
                    context, c => Native.terrain_world_tile_maps(c, handle, x, y, written, (uint)targets.Length));
            }
        }

        /// <summary>
        /// Computes what tiles of that window will read from the cache, so that none of them takes long. It throws
        /// where it would keep more than the cache may.
        /// </summary>
        public void Prepare(TerrainWindow window, Context context = null)
        {
            Check.Natural(window.Width, nameof(window.Width));
            Check.Natural(window.Height, nameof(window.Height));
            Context.Call(context, c => Native.terrain_world_prepare(c, handle, ref window));
        }

        /// <summary>
        /// What a tile takes at most, before anything is computed: with all outputs, and nothing kept yet.
        /// <c>kept</c> bytes for what stays in the cache are a CacheBytes for which <see cref="Prepare"/> takes the
        /// window, <c>needed</c>, in all but for the tile's own maps, a MemoryLimit that allows it.
        /// </summary>
        public void TileBytes(TerrainWindow window, out long kept, out long needed, Context context = null)
        {
            Check.Natural(window.Width, nameof(window.Width));
            Check.Natural(window.Height, nameof(window.Height));
            ulong blocks = 0, all = 0;
            Context.Call(
                context, c => Native.terrain_world_tile_bytes(c, handle, ref window, out blocks, out all));
            kept = (long)blocks;
            needed = (long)all;
        }

        /// <summary>Frees what is kept.</summary>
        public void Trim()
        {
            Native.terrain_world_trim(handle);
        }

        /// <summary>Frees the world when no call is using it any more.</summary>
        public void Dispose()
        {
            handle.Dispose();
        }
    }
}
