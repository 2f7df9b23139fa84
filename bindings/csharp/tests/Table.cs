// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;

namespace Libterrain.Tests
{
    /// <summary>Guards against a table that says something else of an operation than the manual's pages.</summary>
    public static class TableTests
    {
        private static readonly string[] Types =
        {
            "number", "integer", "integer", "integer", "integer", "yes or no", "choice", "map, read", "map, written",
            "numbers",
        };

        private static string Number(double value)
        {
            if (value == 18446744073709551615)
            {
                return "2⁶⁴ − 1";
            }
            if (Math.Abs(value) == 4611686018427387904)
            {
                return value < 0 ? "−2⁶²" : "2⁶²";
            }
            if (value == uint.MaxValue)
            {
                return "2³² − 1";
            }
            // The shortest that is the whole number, or the float.
            string text = new[] { "G7", "G8", "G9" }
                .Select(format => value.ToString(format, CultureInfo.InvariantCulture))
                .First(each => float.Parse(each, CultureInfo.InvariantCulture) == (float)value);
            text = value == Math.Floor(value) ? value.ToString("R", CultureInfo.InvariantCulture) : text;
            return text.ToLowerInvariant().Replace("-", "−").Replace("infinity", "∞");
        }

        private static string Default(Parameter parameter)
        {
            switch (parameter.Type)
            {
                case ParameterType.Bool:
                    return parameter.Default == 1 ? "yes" : "no";
                case ParameterType.Enum:
                    return $"`{parameter.Choices[(int)parameter.Default].Name}`";
                case ParameterType.MapIn:
                case ParameterType.MapOut:
                case ParameterType.FloatArray:
                    return "none";
                default:
                    return Number(parameter.Default);
            }
        }

        private static string Limits(Parameter parameter)
        {
            if (parameter.Type == ParameterType.Enum)
            {
                return string.Join("; ", parameter.Choices.Select(choice => $"`{choice}`: {choice.Doc}"));
            }
            if (parameter.Type == ParameterType.Bool || parameter.Port != null)
            {
                return "";
            }
            bool array = parameter.Type == ParameterType.FloatArray;
            return $"{Number(parameter.Minimum)} to {Number(parameter.Maximum)}"
                + (array ? $", at most {parameter.CountMaximum} numbers" : "");
        }

        /// <summary>The beginning of a parameter's row in the page of its operation.</summary>
        private static string Row(Parameter parameter)
        {
            string[] cells =
            {
                $"`{parameter}`", Types[(int)parameter.Type], parameter.Unit, Default(parameter), Limits(parameter),
                parameter.Doc + (parameter.When == null ? " |" : $" Counts only where `{parameter.When}` is"),
            };
            return "| " + string.Join(" | ", cells.Take(5).Select(cell => cell.Replace("|", "\\|"))) + " | " + cells[5];
        }

        private static string Locality(Operation operation)
        {
            int? halo = new Params(operation).Halo();
            switch (operation.Tiling)
            {
                case Tiling.Windows:
                    return halo == 0 ? "pointwise." : halo != null ? $"local, {halo} cells." : "global.";
                case Tiling.Regions:
                    return halo == null ? "global; in a world by [regions](../tiles.md#regions)." : "it is local";
                default:
                    return halo == null ? "global; never in a world." : $"local, {halo} cells; never in a world.";
            }
        }

        public static void Pages()
        {
            string list = File.ReadAllText(Path.Combine(Program.Sources, "docs/README.md"));
            foreach (Operation operation in Operation.All)
            {
                string[] page = File.ReadAllLines(Path.Combine(Program.Sources, $"docs/operations/{operation}.md"));
                string[] rows = page.Where(line => line.StartsWith("| `")).Take(operation.Parameters.Count).ToArray();
                Expect.Equal(operation.Parameters.Count, rows.Length);
                for (int i = 0; i < rows.Length; i++)
                {
                    string row = Row(operation.Parameters[i]);
                    Expect.True(rows[i].StartsWith(row), $"\n{rows[i]}\nbegins with\n{row}");
                }
                string locality = page.First(line => line.StartsWith("[Locality]"));
                Expect.True(locality.EndsWith(Locality(operation)), $"{operation}: {locality}");
                Expect.True(list.Contains($" | {operation.Summary} | "), operation.Summary);
                Expect.True(operation.Name.StartsWith(operation.Verb + "_"), operation.Name);
                Expect.True(operation.ResultVersion > 0, $"{operation} has a version");
                Expect.True(ReferenceEquals(operation, Operation.Find(operation.Name)), "it is found by its name");
            }
            Expect.True(Operation.Find("erode_thermal").Reference.Contains("Musgrave"), "it is after Musgrave");
            Expect.True(Operation.Find("erode_nothing") == null, "there is none of this name");
            Expect.Throws<ArgumentNullException>(() => Operation.Find(null));
        }

        public static void Parameters()
        {
            int sliders = 0;
            foreach (Parameter parameter in Operation.All.SelectMany(operation => operation.Parameters))
            {
                bool isNumber = parameter.Type < ParameterType.Bool;
                Expect.Equal(isNumber, parameter.Slider(out double low, out double high));
                if (isNumber)
                {
                    Expect.True(
                        parameter.Minimum <= low && low < high && high <= parameter.Maximum, $"{low} to {high}");
                    sliders += high < parameter.Maximum ? 1 : 0;
                }
                Expect.Equal(parameter.Name.EndsWith("seed"), parameter.IsSeed);
                Expect.Equal(parameter.Doc.Contains("power of two"), parameter.IsPowerOfTwo);
            }
            Expect.True(sliders > 100, "some sliders are narrower than the range");
            string page = File.ReadAllText(Path.Combine(Program.Sources, "docs/scale.md"));
            foreach (Operation operation in Operation.All)
            {
                string[] laws = operation.Parameters.Where(parameter => parameter.Scaling != Scaling.Fixed)
                    .Select(parameter => $"`{parameter}` {parameter.Scaling.ToString().ToLowerInvariant()}").ToArray();
                string row = $"| [`{operation}`](operations/{operation}.md) | {string.Join(", ", laws)} |";
                Expect.Equal(laws.Length > 0, page.Contains(row));
            }
        }

        public static void Ports()
        {
            foreach (Operation operation in Operation.All)
            {
                Port[] parameters = operation.Ports.Where(port => port.IsParameter).ToArray();
                IEnumerable<Port> maps = operation.Parameters.Select(each => each.Port).Where(port => port != null);
                Expect.True(parameters.SequenceEqual(maps), $"parameters of {operation} have their ports");
                foreach (Parameter parameter in operation.Parameters.Where(each => each.Port != null))
                {
                    Expect.Equal(parameter.Name, parameter.Port.Name);
                    Expect.Equal(parameter.Type == ParameterType.MapIn, parameter.Port.Role == PortRole.Read);
                    Expect.Equal(parameter.Name == "mask", parameter.Port.IsMask);
                }
                foreach (Port port in operation.Ports)
                {
                    Expect.Equal(port.Lattice == PortLattice.Coarse, port.Spacing.Length > 0);
                    Expect.Equal(operation.Verb == "stitch", port.IsGrid);
                    Expect.True(!port.IsOptional || port.IsParameter, "maps of the call are given");
                }
            }
            Func<string, string> describe = name => string.Join(", ", Operation.Find(name).Ports.Take(2)
                .Select(port => $"{port} {port.Role} {port.Lattice}"));
            Expect.Equal("map Write Call", describe("generate_noise"));
            Expect.Equal("map Read Call, result Write Own", describe("shape_resample"));
            Expect.Equal("map Change Call, other Read Call", describe("combine_blend"));
        }
    }

    /// <summary>Guards against calls by name that do something else than calls of the methods.</summary>
    public static class ParamsTests
    {
        private static Params Of(string operation)
        {
            return new Params(Operation.Find(operation));
        }

        public static void Values()
        {
            Params thermal = Of("erode_thermal");
            Expect.Equal("", thermal.ToString());
            Expect.Equal("0.6", thermal.Get("talus"));
            Expect.Equal("flux", thermal.Get("mode"));
            thermal.Set("talus", 0.3f);
            thermal.Set("mode", "musgrave");
            thermal.Set("iterations", 7);
            Expect.Equal("iterations=7 talus=0.3 mode=musgrave", thermal.ToString());
            thermal.Set("quantum", 1e-5);
            Expect.True(!thermal.HasEffect("quantum") && thermal.HasEffect("talus"), "no quantum in this mode");
            thermal.Set("mode", "quantum");
            Expect.Equal("iterations=7 talus=0.3 mode=quantum quantum=0.00001", thermal.ToString());
            thermal.Set("iterations", 50.0);
            Expect.Equal("talus=0.3 mode=quantum quantum=0.00001", thermal.ToString());

            Params noise = Of("generate_noise");
            noise.Set("seed", ulong.MaxValue);
            Expect.Equal("18446744073709551615", noise.Get("seed"));
            noise.Set("seed", 3u);
            Expect.Equal("seed=3", noise.ToString());
            Params remap = Of("shape_remap");
            remap.Set("clamp", true);
            Expect.Equal("clamp=true", remap.ToString());
            Params terrace = Of("shape_terrace");
            float[] levels = { 1, 2.5f, 30 };
            terrace.Set("levels", levels);
            levels[0] = 2;
            Expect.Equal("1,2.5,30", terrace.Get("levels"));
            terrace.Set("levels", "-3,0.125");
            Expect.Equal("levels=-3,0.125", terrace.ToString());
            terrace.Set("levels", (float[])null);
            Expect.Equal("", terrace.ToString() + terrace.Get("levels"));
        }

        public static void BadValues()
        {
            Params thermal = Of("erode_thermal");
            thermal.Set("talus", 2);
            foreach (KeyValuePair<string, Action> wrong in new Dictionary<string, Action>
            {
                ["erode_thermal: talus is -1, must be in [0, 100]"] = () => thermal.Set("talus", -1),
                ["talus is 1E+30, must be in [0, 100]"] = () => thermal.Set("talus", 1e30),
                ["talus is NaN, must be in [0, 100]"] = () => thermal.Set("talus", double.NaN),
                ["levels has 65 numbers, may have 64"] = () => Of("shape_terrace").Set("levels", new float[65]),
                ["levels is NaN, must be in [-1000000, 1000000]"] =
                    () => Of("shape_terrace").Set("levels", new[] { 1, float.NaN }),
                ["talus is 101, must be in [0, 100]"] = () => thermal.Set("talus", "101"),
                ["iterations is 18446744073709551615, must be in [0, 100000]"] =
                    () => thermal.Set("iterations", ulong.MaxValue),
            })
            {
                Expect.Refused(TerrainStatus.Range, wrong.Key, wrong.Value);
            }
            foreach (KeyValuePair<string, Action> wrong in new Dictionary<string, Action>
            {
                ["erode_thermal: it has no parameter 'x'"] = () => thermal.Set("x", 1),
                ["it has no parameter 'y'"] = () => thermal.Get("y"),
                ["it has no parameter 'z'"] = () => thermal.HasEffect("z"),
                ["talus is 'steep', must be a number"] = () => thermal.Set("talus", "steep"),
                ["iterations is '1.5', must be a whole number"] = () => thermal.Set("iterations", 1.5),
                ["mode is '1', must be one of flux, musgrave, quantum, layers"] = () => thermal.Set("mode", 1),
                ["clamp is '2', must be true or false"] = () => Of("shape_remap").Set("clamp", 2),
                ["mask is '1', must be a map"] = () => thermal.Set("mask", 1),
                ["mask is a map, not an array"] = () => thermal.Set("mask", new float[1]),
                ["mask is a map, not text"] = () => thermal.Get("mask"),
                ["talus is a number, not a map"] = () => thermal.Set("talus", new Heightmap(2, 2)),
                ["levels is 'x', must be numbers with commas between"] = () => Of("shape_terrace").Set("levels", "1,x"),
            })
            {
                Expect.Refused(TerrainStatus.Argument, wrong.Key, wrong.Value);
            }
            Expect.Equal("talus=2", thermal.ToString());
            Expect.Throws<ArgumentNullException>(() => new Params(null));
            Expect.Throws<ArgumentNullException>(() => thermal.Set(null, 1));
            Expect.Throws<ArgumentNullException>(() => thermal.Set("mode", (string)null));
            Expect.Throws<ArgumentException>(() => thermal.Set("mode", "flux\0"));
        }

        /// <summary>All operations of one map that need no other one.</summary>
        public static void Defaults()
        {
            int called = 0;
            foreach (Operation operation in Operation.All.Where(operation => operation.Verb == "generate"))
            {
                using (Heightmap byName = new Heightmap(40, 30), byMethod = new Heightmap(40, 30))
                {
                    new Params(operation).Apply(new[] { byName });
                    string method = string.Concat(operation.Name.Split('_').Skip(1)
                        .Select(word => char.ToUpperInvariant(word[0]) + word.Substring(1)));
                    var info = typeof(Generate).GetMethod(method);
                    info.Invoke(null, info.GetParameters()
                        .Select(each => each.ParameterType == typeof(Heightmap) && each.Position == 0
                            ? byMethod
                            : each.DefaultValue).ToArray());
                    Expect.Equal(byMethod.Hash(), byName.Hash());
                    called++;
                }
            }
            Expect.True(called == 9, "all generators are called");
        }

        public static void Calls()
        {
            using (var context = new Context(threads: 2))
            using (var land = Generate.Noise(new Heightmap(64, 48), seed: 3))
            using (Heightmap usual = land.Clone(), other = land.Clone(), mask = new Heightmap(64, 48))
            {
                Shape.Clamp(mask, low: 0.5f);
                Params thermal = Of("erode_thermal");
                thermal.Set("talus", 0.1f);
                thermal.Set("mask", mask);
                Expect.Equal("talus=0.1", thermal.ToString());
                thermal.Apply(new[] { other }, context);
                Erode.Thermal(usual, talus: 0.1f, mask: mask);
                Expect.Equal(usual.Hash(), other.Hash());
                Expect.True(land.Hash() != other.Hash(), "it does something");

                Params terrace = Of("shape_terrace");
                terrace.Set("levels", new float[] { -10, 0, 10 });
                terrace.Apply(new[] { other });
                Shape.Terrace(usual, levels: new float[] { -10, 0, 10 });
                Expect.Equal(usual.Hash(), other.Hash());

                Params flow = Of("analyze_slope");
                flow.Apply(new[] { land, other });
                Expect.Equal(Analyze.Slope(land).Hash(), other.Hash());

                Expect.Refused(TerrainStatus.Argument, "", () => thermal.Apply(new Heightmap[0]));
                Expect.Refused(TerrainStatus.Argument, "", () => thermal.Apply(new Heightmap[] { null }));
                Expect.Throws<ArgumentNullException>(() => thermal.Apply(null));
                mask.Dispose();
                Expect.Throws<ObjectDisposedException>(() => thermal.Apply(new[] { other }));
                thermal.Set("mask", (Heightmap)null);
                other.CopyFrom(land);
                thermal.Apply(new[] { other });
                usual.CopyFrom(land);
                Erode.Thermal(usual, talus: 0.1f);
                Expect.Equal(usual.Hash(), other.Hash());

                Heightmap[,] maps = { { land.Clone(), usual } }, alike = { { land.Clone(), usual.Clone() } };
                Params edges = Of("stitch_edges");
                edges.Set("width", 5);
                edges.ApplyGrid(maps, context);
                Stitch.Edges(alike, width: 5);
                Expect.True(maps.Cast<Heightmap>().Select(map => map.Hash())
                    .SequenceEqual(alike.Cast<Heightmap>().Select(map => map.Hash())), "grids are alike");
                Expect.Refused(TerrainStatus.Argument, "", () => Of("erode_thermal").ApplyGrid(maps));
                Expect.Throws<ArgumentNullException>(() => edges.ApplyGrid(null));
            }
        }

        public static void Windows()
        {
            var window = new TerrainWindow(10, -20, 30, 40);
            Params thermal = Of("erode_thermal");
            thermal.Set("iterations", 7);
            Expect.Equal((int?)7, thermal.Halo());
            Expect.Equal(new TerrainWindow(3, -27, 44, 54), thermal.Window(0, window));
            Expect.Equal(window, thermal.ResultWindow(window));
            Params coarse = Of("shape_resample");
            coarse.Set("step", 2);
            Expect.Equal(new TerrainWindow(5, -10, 15, 20), coarse.ResultWindow(window));
            Expect.True(Of("analyze_flow").Halo() == null, "water comes from anywhere");
            Expect.Refused(
                TerrainStatus.Unsupported, "analyze_flow: it is global", () => Of("analyze_flow").Window(0, window));
            Expect.Refused(TerrainStatus.Argument, "at that port", () => thermal.Window(9, window));
            Expect.Throws<ArgumentOutOfRangeException>(() => thermal.Window(-1, window));
            Expect.Throws<ArgumentOutOfRangeException>(() => thermal.Window(0, new TerrainWindow(0, 0, -1, 1)));
            Expect.Throws<ArgumentOutOfRangeException>(() => thermal.ResultWindow(new TerrainWindow(0, 0, 1, -1)));
        }
    }
}
