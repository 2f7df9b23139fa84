// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Reflection;

namespace Libterrain.Tests
{
    /// <summary>
    /// Guards against methods that call something else than C does: all golden hashes, from C#, by the methods of
    /// Operations.cs and their own defaults.
    /// </summary>
    public static class GoldenTests
    {
        public static void EveryLine()
        {
            EveryLine(null);
        }

        public static void EveryLineOnThreads()
        {
            using (var context = new Context(threads: 3))
            {
                EveryLine(context);
            }
        }

        private static void EveryLine(Context context)
        {
            string path = Path.Combine(Program.Sources, "tests/golden/hashes.txt");
            string[] lines = File.ReadAllLines(path).Where(line => line.Trim() != "" && line[0] != '#').ToArray();
            Expect.True(lines.Length > 200, "the file has all lines");
            foreach (string line in lines)
            {
                string found = new Line(line, context).Run().ToString("x16");
                Expect.True(line.EndsWith(found), $"{line} is not {found}");
            }
        }
    }

    /// <summary>A line of the file: a call, with the maps that tests/support makes.</summary>
    internal sealed class Line
    {
        private static readonly string[] Layout =
            File.ReadAllLines(Path.Combine(Program.Sources, "tests/abi/layout.txt"));

        private readonly MethodInfo method;
        private readonly Dictionary<string, string> words = new Dictionary<string, string>();
        private readonly string text;
        private readonly string operation;
        private readonly Context context;
        private readonly long x;
        private readonly long y;
        private readonly int width;
        private readonly int height;

        internal Line(string line, Context context)
        {
            this.context = context;
            string[] all = line.Split(new[] { ' ' }, StringSplitOptions.RemoveEmptyEntries);
            operation = all[0];
            IEnumerable<string> given = all.Skip(1).Take(all.Length - 3);
            text = string.Join(" ", given.Where(word => word[0] != '@' && !word.EndsWith("=yes")));
            string[] name = operation.Split(new[] { '_' }, 2), size = all[all.Length - 2].Split('x');
            method = typeof(Heightmap).Assembly.GetType("Libterrain." + Pascal(name[0])).GetMethod(Pascal(name[1]));
            foreach (string word in given)
            {
                string[] parts = word.Split('=');
                words.Add(parts[0], parts.Length > 1 ? parts[1] : "");
            }
            width = int.Parse(size[0]);
            height = int.Parse(size[1]);
            if (words.TryGetValue("@origin", out string origin))
            {
                x = long.Parse(origin.Split(',')[0]);
                y = long.Parse(origin.Split(',')[1]);
            }
            if (IsGrid)
            {
                int least = words.TryGetValue("overlap", out string overlap) ? int.Parse(overlap) : 4;
                least = least < 4 || least > 256 ? 4 : least;
                x -= x > 0 ? Math.Max(width, least) - width : 0;
                y -= y > 0 ? Math.Max(height, least) - height : 0;
                width = Math.Max(width, least);
                height = Math.Max(height, least);
            }
        }

        private bool IsGrid => method.GetParameters()[0].ParameterType == typeof(Heightmap[,]);

        private static string Pascal(string name)
        {
            return string.Concat(name.Split('_').Select(word => char.ToUpperInvariant(word[0]) + word.Substring(1)));
        }

        private static string Camel(string name)
        {
            return char.ToLowerInvariant(name[0]) + Pascal(name).Substring(1);
        }

        internal ulong Run()
        {
            ParameterInfo[] parameters = method.GetParameters();
            object[] given = parameters.Select(parameter => parameter.DefaultValue).ToArray();
            given[given.Length - 1] = context;
            var written = new List<Heightmap>();
            if (IsGrid)
            {
                var maps = new[,] { { First(1), First(101) }, { First(102), First(103) } };
                given[0] = maps;
                written.AddRange(maps.Cast<Heightmap>());
            }
            else
            {
                given[0] = First(1);
                if (method.ReturnType == typeof(void) || method.DeclaringType == typeof(Generate))
                {
                    written.Add((Heightmap)given[0]);
                }
                if (method.DeclaringType == typeof(Combine))
                {
                    given[1] = First(101);
                }
            }
            foreach (var word in words.Where(each => each.Key[0] != '@'))
            {
                int index = Array.FindIndex(parameters, parameter => parameter.Name == Camel(word.Key));
                Expect.True(index >= 0, $"{operation} has {word.Key}");
                Type type = parameters[index].ParameterType;
                given[index] = type == typeof(Heightmap) ? Attached(word.Key, written) : Value(type, word.Value);
            }
            object result = method.Invoke(null, given);
            if (result != null && method.DeclaringType != typeof(Generate))
            {
                written.Insert(0, (Heightmap)result);
            }
            return written.Select(map => map.Hash())
                .Aggregate((all, each) => unchecked(all * 0x9E3779B97F4A7C15 ^ each));
        }

        private static object Value(Type type, string value)
        {
            if (type.IsEnum)
            {
                return Enum.Parse(type, Pascal(value));
            }
            if (type == typeof(bool))
            {
                return value == "1";
            }
            if (type == typeof(float[]))
            {
                return value.Split(',').Select(each => (float)Value(typeof(float), each)).ToArray();
            }
            return Convert.ChangeType(value.Replace("inf", "Infinity"), type, CultureInfo.InvariantCulture);
        }

        /// <summary>A map of a parameter; what is written is remembered.</summary>
        private Heightmap Attached(string name, List<Heightmap> written)
        {
            string[] field = Layout.First(line => line.StartsWith($"{operation}.{name} ")).Split(' ');
            if (field[1] == "map_out")
            {
                var map = new Heightmap(width, height);
                written.Add(map);
                return map;
            }
            bool coarse = name != "mask" && method.GetParameters().Any(parameter => parameter.Name == "mapSpacing");
            TerrainWindow window = coarse ? CoarseWindow(name) : new TerrainWindow(x, y, width, height);
            Func<ulong, long, long, float> cell = Maps.Share;
            return Maps.Fill(window, 201 + ulong.Parse(field[2]), name == "constraints" ? Maps.Point : cell);
        }

        /// <summary>Which cells of a coarse map the call needs: a recipe of that statement knows.</summary>
        private TerrainWindow CoarseWindow(string name)
        {
            string land = method.DeclaringType == typeof(Generate) ? "" : "land";
            string statement = $"input land\ninput coarse\nresult = {operation} {land} {name}=coarse {text}\n";
            var run = new RunOptions { X = x, Y = y, Width = width, Height = height, World = true };
            using (Recipe recipe = Recipe.Parse(statement))
            using (Plan plan = recipe.Plan(run))
            {
                return plan.Inputs["coarse"];
            }
        }

        private Heightmap First(ulong seed)
        {
            Heightmap map = Maps.Fill(new TerrainWindow(x, y, width, height), seed, Maps.Height);
            if (words.ContainsKey("@special") && seed == 1)
            {
                Maps.Sprinkle(map, 1, 40);
            }
            if (words.TryGetValue("@cell_size", out string size))
            {
                map.CellSize = float.Parse(size, CultureInfo.InvariantCulture);
            }
            return map;
        }
    }

    /// <summary>The maps of tests/support/maps.c: each cell is a function of its place.</summary>
    internal static class Maps
    {
        private static readonly float[] Special =
        {
            float.NaN, float.PositiveInfinity, float.NegativeInfinity, 3.0e38f, -3.0e38f, 1.0e-42f, -0.0f, 16777217.0f,
        };

        /// <summary>SplitMix64.</summary>
        private static ulong Bits(ulong state)
        {
            ulong z = unchecked(state + 0x9E3779B97F4A7C15);
            z = unchecked((z ^ z >> 30) * 0xBF58476D1CE4E5B9);
            z = unchecked((z ^ z >> 27) * 0x94D049BB133111EB);
            return z ^ z >> 31;
        }

        private static ulong HashCell(ulong seed, long x, long y)
        {
            ulong state = Bits(seed ^ unchecked((ulong)x * 0xD6E8FEB86659FD93));
            return Bits(state ^ unchecked((ulong)y * 0xA0761D6478BD642F));
        }

        internal static float Height(ulong seed, long x, long y)
        {
            ulong parts = (HashCell(seed + 1, x >> 4, y >> 4) >> 48) + (HashCell(seed + 2, x >> 2, y >> 2) >> 50)
                + (HashCell(seed, x, y) >> 52);
            return parts / 2048f - 21f;
        }

        internal static float Share(ulong seed, long x, long y)
        {
            uint bits = (uint)(HashCell(seed, x, y) >> 48);
            return bits >> 14 == 0 ? 0f : bits >> 14 == 1 ? 1f : (bits & 0x3FFF) / 16384f;
        }

        internal static float Point(ulong seed, long x, long y)
        {
            return HashCell(seed + 3, x, y) % 16 == 0 ? Height(seed, x, y) : float.NaN;
        }

        internal static Heightmap Fill(TerrainWindow window, ulong seed, Func<ulong, long, long, float> cell)
        {
            var cells = new float[window.Height, window.Width];
            for (int row = 0; row < window.Height; row++)
            {
                for (int column = 0; column < window.Width; column++)
                {
                    cells[row, column] = cell(seed, window.X + column, window.Y + row);
                }
            }
            Heightmap map = Heightmap.FromArray(cells);
            map.SetOrigin(window.X, window.Y);
            return map;
        }

        internal static void Sprinkle(Heightmap map, ulong seed, uint rarity)
        {
            for (int row = 0; row < map.Height; row++)
            {
                for (int column = 0; column < map.Width; column++)
                {
                    ulong bits = HashCell(seed ^ 0x5EED, map.Window.X + column, map.Window.Y + row);
                    if ((bits >> 8) % rarity == 0)
                    {
                        map[row, column] = Special[bits % 8];
                    }
                }
            }
        }
    }
}
