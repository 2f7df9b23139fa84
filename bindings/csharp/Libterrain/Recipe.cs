// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;

namespace Libterrain
{
    /// <summary>How a recipe is run.</summary>
    public sealed class RunOptions
    {
        /// <summary>Cells of a row.</summary>
        public int Width { get; set; } = 512;

        /// <summary>Rows.</summary>
        public int Height { get; set; } = 512;

        /// <summary>The world's column of the first cell.</summary>
        public long X { get; set; }

        /// <summary>The world's row of the first cell.</summary>
        public long Y { get; set; }

        /// <summary>The world's seed; 0 leaves the recipe's own as they are.</summary>
        public ulong Seed { get; set; }

        /// <summary>Of generated maps.</summary>
        public float CellSize { get; set; } = 1;

        /// <summary>
        /// A cell stands for 1/scale cells of the recipe: 0.25 shows the same land in a sixteenth of the cells.
        /// </summary>
        public double Scale { get; set; } = 1;

        /// <summary>A window of the endless world, which has no edge, and not a bounded map.</summary>
        public bool World { get; set; }

        /// <summary>Bytes that the run may take beside its maps; 0: any.</summary>
        public long MemoryLimit { get; set; }

        /// <summary>
        /// A map for each of the recipe's inputs, at the scale that <see cref="Recipe.MapScale"/> tells.
        /// </summary>
        public IDictionary<string, Heightmap> Inputs { get; set; } = new Dictionary<string, Heightmap>();
    }

    /// <summary>A graph of operations over named maps, as text. Any number of threads may use it.</summary>
    public sealed class Recipe : IDisposable
    {
        private readonly string text;

        private Recipe(string text)
        {
            this.text = Check.NotNull(text, nameof(text));
            byte[] bytes = Encoding.UTF8.GetBytes(text + "\0");
            Handle = Handle.Make(Native.terrain_recipe_destroy, (Handle context, out IntPtr recipe) =>
                Native.terrain_recipe_parse(context, bytes, (UIntPtr)(uint)(bytes.Length - 1), out recipe));
            Result = Text.Of(Native.terrain_recipe_result(Handle));
            Inputs = Names(Native.terrain_recipe_input_count(Handle), Native.terrain_recipe_input_at);
            Maps = Names(Native.terrain_recipe_map_count(Handle), Native.terrain_recipe_map_at);
        }

        internal Handle Handle { get; }

        /// <summary>The name of the result; null if there is none.</summary>
        public string Result { get; }

        /// <summary>The names of the maps from outside.</summary>
        public IReadOnlyList<string> Inputs { get; }

        /// <summary>The names of all maps, the inputs among them.</summary>
        public IReadOnlyList<string> Maps { get; }

        /// <summary>
        /// The N of <c>results N</c>, the version of the results that it was made for; 0 if its text has none.
        /// </summary>
        public int ResultsVersion => (int)Native.terrain_recipe_results_version(Handle);

        /// <summary>Reads a recipe. Throws, with line and column, if the text is wrong.</summary>
        public static Recipe Parse(string text)
        {
            return new Recipe(text);
        }

        private string[] Names(uint count, Func<Handle, uint, IntPtr> at)
        {
            return Enumerable.Range(0, (int)count).Select(index => Text.Of(at(Handle, (uint)index))).ToArray();
        }

        /// <summary>
        /// The text of a recipe with the same maps and results, without comments and needless parameters.
        /// </summary>
        public string Format()
        {
            var size = UIntPtr.Zero;
            try
            {
                Context.Call(null, c => Native.terrain_recipe_format(c, Handle, null, UIntPtr.Zero, out size));
            }
            catch (TerrainException) when (size != UIntPtr.Zero) // it only tells the size
            {
            }
            var bytes = new byte[(int)size];
            Context.Call(null, c => Native.terrain_recipe_format(c, Handle, bytes, size, out size));
            return Encoding.UTF8.GetString(bytes, 0, bytes.Length - 1);
        }

        /// <summary>
        /// Throws, and names the statement, if the map can't be had for any window of an endless world. null: the
        /// result.
        /// </summary>
        public void CheckWorld(string map = null)
        {
            using (var scope = new Scope())
            {
                IntPtr name = scope.Text(map);
                Context.Call(null, c => Native.terrain_recipe_check_world(c, Handle, name));
            }
        }

        /// <summary>
        /// The scale that a map has in a run of a scale, at which an input must be given: the run's, but for coarse
        /// maps, whose spacing takes all that it can.
        /// </summary>
        public double MapScale(string map, double scale)
        {
            using (var scope = new Scope())
            {
                IntPtr name = scope.Text(map);
                double own = 0;
                Context.Call(null, c => Native.terrain_recipe_map_scale(c, Handle, name, scale, out own));
                return own;
            }
        }

        /// <summary>Computes a map, the recipe's result or another one.</summary>
        public Heightmap Run(RunOptions options = null, string output = null, Context context = null)
        {
            return RunOutputs(options, new[] { output }, context)[0];
        }

        /// <summary>
        /// Computes several maps at once, and what they have in common once. A name of null is the result's.
        /// </summary>
        public Heightmap[] RunOutputs(RunOptions options, IEnumerable<string> outputs, Context context = null)
        {
            using (Plan plan = Plan(options, outputs, context))
            {
                return plan.Run(options?.Inputs, context);
            }
        }

        /// <summary>
        /// Checks and plans a run of these maps, or of the result. In a world inputs may be missing, to be asked for
        /// their windows. A plan holds for contexts with threads if it was made with one.
        /// </summary>
        public Plan Plan(RunOptions options = null, IEnumerable<string> outputs = null, Context context = null)
        {
            string[] names = (outputs ?? new string[] { null }).Select(name => name ?? Result).ToArray();
            if (names.Length == 0) // which is the result to the library, though there is no room for its map
            {
                throw new ArgumentException("It names no map.", nameof(outputs));
            }
            return new Plan(this, options ?? new RunOptions(), names, context);
        }

        /// <summary>Frees the recipe when no plan and no world needs it any more.</summary>
        public void Dispose()
        {
            Handle.Dispose();
        }

        /// <summary>The text that was read.</summary>
        public override string ToString()
        {
            return text;
        }
    }

    /// <summary>
    /// A run that is checked and planned, to be asked what it will take, and run, once or often, on any number of
    /// threads.
    /// </summary>
    public sealed class Plan : IDisposable
    {
        private readonly Handle handle;
        private readonly IReadOnlyList<string> declared;
        private readonly string[] inputs;
        private readonly TerrainWindow[] windows; // of the outputs

        internal Plan(Recipe recipe, RunOptions options, string[] outputs, Context context)
        {
            var given = new Dictionary<string, Heightmap>(options.Inputs ?? new Dictionary<string, Heightmap>());
            foreach (string missing in recipe.Inputs.Where(name => options.World && !given.ContainsKey(name)))
            {
                given.Add(missing, null);
            }
            declared = recipe.Inputs;
            inputs = given.Keys.ToArray();
            TerrainException.Check(
                Native.terrain_recipe_run_desc_init(out Native.RunDesc desc, Native.SizeOf<Native.RunDesc>()));
            using (var scope = new Scope())
            {
                desc.Flags |= options.World ? Native.World : 0;
                desc.Seed = options.Seed;
                desc.X = options.X;
                desc.Y = options.Y;
                desc.Width = Check.Natural(options.Width, nameof(options.Width));
                desc.Height = Check.Natural(options.Height, nameof(options.Height));
                desc.CellSize = options.CellSize;
                desc.Scale = options.Scale;
                desc.MemoryLimit = Check.Natural(options.MemoryLimit, nameof(options.MemoryLimit));
                desc.InputNames = scope.Texts(inputs);
                desc.Inputs = scope.Maps(given.Values);
                desc.InputCount = (uint)inputs.Length;
                desc.OutputNames = scope.Texts(outputs);
                desc.OutputCount = (uint)outputs.Length;
                handle = new Handle(Native.terrain_recipe_plan_destroy, new[] { recipe.Handle }).MakeWith(
                    (Handle c, out IntPtr plan) =>
                        Native.terrain_recipe_plan_create(c, recipe.Handle, ref desc, out plan),
                    context);
            }
            windows = outputs.Select(Window).ToArray();
        }

        /// <summary>The most bytes that a run holds at a time, beside the maps that it is given and gives.</summary>
        public long Bytes => (long)Native.terrain_recipe_plan_bytes(handle);

        /// <summary>The cells that all statements compute together.</summary>
        public long Cells => (long)Native.terrain_recipe_plan_cells(handle, uint.MaxValue);

        /// <summary>
        /// The inputs that a run needs, each with the window that it must have, or, in a world, cover.
        /// </summary>
        public IReadOnlyDictionary<string, TerrainWindow> Inputs =>
            inputs.ToDictionary(name => name, Window).Where(each => each.Value.Width > 0)
                .ToDictionary(each => each.Key, each => each.Value);

        /// <summary>The window of an output; null: the first.</summary>
        public TerrainWindow Window(string output)
        {
            using (var scope = new Scope())
            {
                TerrainStatus status = Native.terrain_recipe_plan_window(
                    handle, scope.Text(output), out TerrainWindow window);
                TerrainException.Check(status, () => $"'{output}' is no output or input of the plan");
                return window;
            }
        }

        /// <summary>
        /// Computes the outputs. Inputs have the sizes and origins that were planned, or, in a world, cover their
        /// windows; one that is not needed may be left out.
        /// </summary>
        public Heightmap[] Run(IDictionary<string, Heightmap> inputs = null, Context context = null)
        {
            inputs = inputs ?? new Dictionary<string, Heightmap>();
            string unknown = inputs.Keys.FirstOrDefault(name => !declared.Contains(name));
            if (unknown != null)
            {
                throw new ArgumentException($"'{unknown}' is no input of the plan", nameof(inputs));
            }
            var results = new List<Heightmap>();
            try
            {
                using (var scope = new Scope())
                {
                    results.AddRange(windows.Select(window => new Heightmap(window.Width, window.Height)));
                    IntPtr read = scope.Maps(
                        this.inputs.Select(name => inputs.TryGetValue(name, out Heightmap map) ? map : null));
                    IntPtr written = scope.Maps(results);
                    Context.Call(context, c => Native.terrain_recipe_plan_run(c, handle, read, written));
                }
                return results.ToArray();
            }
            catch
            {
                results.ForEach(map => map.Dispose());
                throw;
            }
        }

        /// <summary>Frees the plan.</summary>
        public void Dispose()
        {
            handle.Dispose();
        }
    }
}
