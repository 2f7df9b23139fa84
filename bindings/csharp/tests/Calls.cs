// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text.RegularExpressions;
using System.Threading.Tasks;

namespace Libterrain.Tests
{
    /// <summary>Guards against cells that come or go wrong between arrays and maps.</summary>
    public static class HeightmapTests
    {
        public static void Arrays()
        {
            float[] cells = { 0, 1, 2, 3, 4, 5 };
            using (Heightmap land = Heightmap.FromArray(cells, 3, 2))
            {
                cells[0] = 9;
                Expect.Equal(0f, land[0, 0]);
                Expect.Equal(5f, land[1, 2]);
                land[1, 0] = 7;
                Expect.True(land.ToArray().SequenceEqual(new float[] { 0, 1, 2, 7, 4, 5 }), "the cells are an array's");
                var square = new float[2, 3];
                land.CopyTo(square);
                Expect.Equal(7f, square[1, 0]);
                square[0, 2] = -1;
                land.SetOrigin(5, 6);
                land.CellSize = 2;
                land.CopyFrom(square);
                Expect.Equal(-1f, land[0, 2]);
                Expect.Equal(new TerrainWindow(5, 6, 3, 2), land.Window);
                Expect.Equal(2f, land.CellSize);
                var row = new float[4];
                land.GetRow(1, row);
                Expect.True(row.SequenceEqual(new float[] { 7, 4, 5, 0 }), "a row is read");
                row[1] = 8;
                land.SetRow(1, row);
                Expect.Equal(8f, land[1, 1]);
                land.CopyFrom(cells);
                using (Heightmap copy = land.Clone())
                using (Heightmap same = Heightmap.FromArray(new float[,] { { 9, 1, 2 }, { 3, 4, 5 } }))
                {
                    Expect.Equal(same.Hash(), copy.Hash());
                    Expect.Equal(new TerrainWindow(5, 6, 3, 2), copy.Window);
                }
            }
        }

        public static void Wraps()
        {
            var cells = new float[100];
            using (Heightmap land = Heightmap.Wrap(cells, 8, 9, 11))
            using (Heightmap plain = new Heightmap(8, 9))
            {
                Generate.Noise(land, seed: 3);
                Generate.Noise(plain, seed: 3);
                Expect.Equal(plain.Hash(), land.Hash());
                Expect.Equal(plain[8, 7], cells[8 * 11 + 7]);
                Expect.True(cells[8] == 0 && cells[99] == 0, "what lies between rows is left alone");
            }
            var square = new float[9, 8];
            using (Heightmap land = Heightmap.Wrap(square))
            {
                Generate.Noise(land, seed: 3);
                Expect.Equal(cells[8 * 11 + 7], square[8, 7]);
            }
            IntPtr memory = Marshal.AllocHGlobal(4 * 8 * 9);
            using (Heightmap land = Heightmap.Wrap(memory, 8, 9))
            {
                Generate.Noise(land, seed: 3);
                Expect.Equal(square[8, 7], land[8, 7]);
            }
            Marshal.FreeHGlobal(memory);
        }

        public static void ReadOnly()
        {
            float[] cells = Generate.Noise(new Heightmap(8, 9), seed: 3).ToArray(), before = (float[])cells.Clone();
            var square = new float[9, 8];
            GCHandle pin = GCHandle.Alloc(cells, GCHandleType.Pinned);
            Heightmap row = Heightmap.Wrap(cells, 8, 9, readOnly: true), part = row.View(1, 2, 3, 4);
            foreach (Heightmap land in new[]
            {
                row, part, Heightmap.Wrap(square, readOnly: true),
                Heightmap.Wrap(pin.AddrOfPinnedObject(), 8, 9, readOnly: true),
            })
            {
                Expect.True(land.IsReadOnly, "it is to be read only");
                ushort[] heights = land.PackU16(0, 1);
                foreach (Action write in new Action[]
                {
                    () => land[0, 0] = 1, () => land.SetRow(0, new float[land.Width]),
                    () => land.CopyFrom(land.ToArray()), () => land.UnpackU16(heights, 0, 1),
                    () => Generate.Noise(land), () => Erode.Thermal(land), () => Analyze.Slope(land.Clone(), land),
                    () => Analyze.Normals(land, normalZ: land),
                    () => new World(Recipe.Parse("a = generate_noise")).Tile(land, 0, 0),
                })
                {
                    Expect.Refused(TerrainStatus.Argument, "", write);
                }
            }
            Expect.True(cells.SequenceEqual(before), "nothing was written");
            Expect.True(square.Cast<float>().All(height => height == 0), "nothing was written");
            cells[2 * 8 + 4] = 77; // row 1, column 2 of the view
            Expect.Equal(77f, part[1, 2]);
            using (Heightmap land = Heightmap.Wrap(cells, 8, 9))
            {
                Expect.Equal(land.Hash(), row.Clone().Hash());
                Expect.True(!land.IsReadOnly && !row.Clone().IsReadOnly, "copies may be written");
            }
            pin.Free();
        }

        public static void Views()
        {
            Heightmap land = Generate.Noise(new Heightmap(40, 30), seed: 3);
            Heightmap view = land.View(row: 10, column: 5, width: 20, height: 15), part = view.View(1, 2, 3, 4);
            Expect.Equal(new TerrainWindow(7, 11, 3, 4), part.Window);
            float height = land[11, 7];
            part[0, 0] = height + 1;
            Expect.Equal(height + 1, land[11, 7]);
            land.Dispose();
            Expect.Equal(height + 1, part[0, 0]); // the cells are there as long as views of them
            view.Dispose();
            part.Dispose();
            Expect.Throws<ObjectDisposedException>(() => part.Hash());
        }

        public static void Figures()
        {
            using (Heightmap land = Generate.Noise(new Heightmap(64, 64), seed: 3))
            {
                land[5, 7] = float.NaN;
                Statistics figures = land.Measure();
                Expect.Equal(64L * 64 - 1, figures.Count);
                Expect.Equal(1L, figures.NanCount);
                Expect.True(Math.Abs(figures.Mean - figures.Sum / figures.Count) < 1e-9, "the mean is the sum's");
                Expect.Equal(figures.Count, land.Histogram(figures.Minimum, figures.Maximum, 7).Sum());
                ushort[] heights = land.PackU16(figures.Minimum, figures.Maximum);
                Expect.Equal(ushort.MaxValue, heights.Max());
                Expect.Equal((byte)255, land.PackU8(figures.Minimum, figures.Maximum).Max());
                Channels(land, figures);
                Hillshades(land);
                land.UnpackU16(heights, 0, 1);
                Expect.Equal(1f, land.Measure().Maximum);
                land.UnpackU8(new byte[64 * 64], 3, 4);
                Expect.Equal(3f, land[63, 63]);
                Expect.Equal(1.0, land.Score(unitSize: 3).Playability);
                Expect.Equal(64L * 64, land.Score().Buildable);
            }
            using (Heightmap noise = Generate.Noise(new Heightmap(200, 200), period: 60))
            {
                Landform land = noise.Landform();
                double all = land.Flat + land.Peak + land.Ridge + land.Shoulder + land.Spur + land.Slope + land.Hollow
                    + land.Footslope + land.Valley + land.Pit;
                Expect.True(land.Undrained > 0.3, "noise has bowls");
                Expect.True(Math.Abs(all - 1) < 1e-9, "its forms are all of it");
                Expect.True(land.FormsDistance > 0 && land.FormsDistance <= 1, "the last figure is one");
            }
        }

        private static void Hillshades(Heightmap land)
        {
            using (var context = new Context(threads: 2))
            using (Heightmap usual = Analyze.Hillshade(land), other = Analyze.Hillshade(land, null, 120, 20, 3))
            {
                Expect.True(usual.PackU8(0, 1).SequenceEqual(land.PackHillshadeU8()), "the defaults are the table's");
                Expect.True(
                    other.PackU8(0, 1).SequenceEqual(land.PackHillshadeU8(120, 20, 3, context)), "it is a hillshade");
            }
            using (Heightmap level = new Heightmap(2, 3))
            {
                byte[] shades = Enumerable.Repeat((byte)128, 6).ToArray(); // of the sine of 30 degrees
                Expect.True(shades.SequenceEqual(level.PackHillshadeU8(altitude: 30)), "level ground is half lit");
            }
            Expect.Refused(TerrainStatus.Range, "altitude is 91, must be in [0, 90]",
                () => land.PackHillshadeU8(altitude: 91));
        }

        private static void Channels(Heightmap land, Statistics figures)
        {
            var maps = new[] { land, null, land };
            float[] lows = { figures.Minimum, 0, 0 }, highs = { figures.Maximum, 1, 1 };
            byte[] alone = land.PackU8(figures.Minimum, figures.Maximum), mask = land.PackU8(0, 1);
            byte[] sevens = Enumerable.Repeat((byte)7, 3 * 64 * 64).ToArray();
            byte[] cells = Heightmap.PackChannelsU8(maps, lows, highs, sevens);
            Expect.True(
                cells.SequenceEqual(alone.Zip(mask, (a, b) => new[] { a, (byte)7, b }).SelectMany(cell => cell)),
                "channels are what their maps are alone");
            Expect.True(Heightmap.PackChannelsU8(new[] { land }).SequenceEqual(mask), "a channel alone is a mask");
            Expect.Throws<ArgumentException>(() => Heightmap.PackChannelsU8(new Heightmap[2]));
            Expect.Throws<ArgumentException>(() => Heightmap.PackChannelsU8(maps, lows, new float[2]));
            Expect.Throws<ArgumentException>(() => Heightmap.PackChannelsU8(maps, lows, highs, new byte[64 * 64]));
            Expect.Throws<TerrainException>(() => Heightmap.PackChannelsU8(maps, lows, lows));
            Expect.Throws<TerrainException>(() => Heightmap.PackChannelsU8(new[] { land, land, land, land, land }));
        }

        public static void Meshes()
        {
            using (Heightmap tile = new Heightmap(67, 66))
            {
                tile.SetOrigin(-1, -1);
                Generate.Noise(tile, seed: 3);
                var options = new MeshOptions { Window = new TerrainWindow(0, 0, 65, 64), Axes = MeshAxes.YUpLeft };
                TerrainMesh mesh = tile.ToMesh(options);
                Expect.Equal(3 * 65 * 64, mesh.Positions.Length);
                Expect.Equal(6 * 64 * 63, mesh.Indices.Length);
                Expect.Equal(tile[1, 1], mesh.Positions[1]);
                Expect.Equal(-1f, mesh.Positions[3 * 65 + 2]); // the second row lies to the south
                Expect.Equal(65, mesh.Indices[1]);
                options.Winding = MeshWinding.Clockwise;
                Expect.Equal(1, tile.ToMesh(options).Indices[1]);
                tile.MeshSize(out int vertices, out int indices, options);
                var buffer = new float[8 * vertices - 2];
                tile.MeshPositions(buffer, 0, 8, options);
                tile.MeshNormals(buffer, 3, 8, options);
                Expect.True(mesh.Positions.Skip(3).Take(3).Concat(mesh.Normals.Skip(3).Take(3))
                    .SequenceEqual(buffer.Skip(8).Take(6)), "vertices lie side by side");
                Expect.Equal(0f, buffer[6]);
                Expect.Throws<ArgumentException>(() => tile.MeshNormals(new float[8 * vertices - 3], 3, 8, options));
                Expect.Throws<ArgumentException>(() => tile.MeshIndices(new int[indices - 1], options));
            }
        }
    }

    /// <summary>Guards against figures of several maps that are not those of one large map.</summary>
    public static class TallyTests
    {
        private static Heightmap Land()
        {
            var land = new Heightmap(200, 150);
            land.SetOrigin(-70, 1000);
            Generate.Noise(land, seed: 3, period: 60);
            Erode.Thermal(land, iterations: 3);
            land[70, 5] = float.NaN;
            land[71, 5] = float.NegativeInfinity;
            return land;
        }

        public static void Statistics()
        {
            using (Heightmap land = Land())
            using (Tally west = new Tally(-20, 20, 9), east = new Tally(-20, 20, 9), plain = new Tally())
            using (var context = new Context(threads: 2))
            {
                Parallel.Invoke(
                    () => west.Add(land.View(0, 0, 77, 150)),
                    () =>
                    {
                        east.Add(land.View(100, 77, 123, 50), context);
                        east.Add(land.View(0, 77, 123, 100), context);
                    });
                west.Merge(east);
                Statistics whole = land.Measure();
                Expect.Equal(2L, whole.NanCount + whole.InfiniteCount);
                Expect.Equal(whole, west.Statistics);
                long[] bins = west.Histogram;
                Expect.True(bins.SequenceEqual(land.Histogram(-20, 20, 9)), "parts are counted together");
                Expect.True(bins.Sum() > 0, "there is something to count");
                Expect.True(plain.Histogram == null, "this one has no parts");

                plain.Merge(new Tally());
                Expect.Equal(0L, plain.Statistics.Count);
                Expect.True(double.IsNaN(plain.Statistics.Mean), "nothing has no mean");
                Expect.Refused(TerrainStatus.Argument, "histograms", () => west.Merge(plain));
                Expect.Refused(TerrainStatus.Argument, "histograms", () => west.Merge(new Tally(-20, 20, 8)));
                Expect.Refused(TerrainStatus.Argument, "with itself", () => west.Merge(west));
                Expect.Equal(whole, west.Statistics);
                west.Reset();
                Expect.Equal(0L, west.Statistics.Count + west.Histogram.Sum());
                Expect.True(bins.Sum() > 0, "what was given is a copy");
                west.Add(land);
                Expect.Equal(whole, west.Statistics);
            }
        }

        public static void Scores()
        {
            using (Heightmap land = Land())
            using (ScoreTally north = new ScoreTally(1.6f, 1f, 1, 5), south = new ScoreTally(1.6f, 1f, 1, 5))
            {
                Score whole = land.Score(1.6f, 1f, 1, 5);
                Expect.True(whole.Reachable > whole.Buildable && whole.Buildable > 100, "there is ground to build on");
                Parallel.Invoke(
                    () => north.Add(land.View(0, 0, 105, 85), new TerrainWindow(-70, 1000, 100, 80)),
                    () => south.Add(land.View(75, 0, 200, 75), new TerrainWindow(-70, 1080, 200, 70)));
                Expect.Refused(TerrainStatus.Range, "", () => north.Add(land, new TerrainWindow(0, 0, 10, 10)));
                Expect.Refused(TerrainStatus.Argument, "", () => north.Add(land));
                north.Merge(south);
                Expect.True(!whole.Equals(north.Score), "a part is missing");
                north.Add(land.View(0, 95, 105, 85), new TerrainWindow(30, 1000, 100, 80));
                Expect.Equal(whole, north.Score);
                Expect.Refused(TerrainStatus.Argument, "windows overlap", () => north.Merge(south));
                Expect.Refused(TerrainStatus.Argument, "parameters", () => north.Merge(new ScoreTally()));
                Expect.Refused(TerrainStatus.Argument, "with itself", () => north.Merge(north));
                Expect.Equal(whole, north.Score);
                Expect.Throws<ArgumentOutOfRangeException>(() => north.Add(land, new TerrainWindow(0, 0, -1, 1)));
            }
            Expect.Refused(TerrainStatus.Range, "unit_size", () => new ScoreTally(unitSize: 65));
            float[] slopes = { 0, 0.125f, 0.25f, 0.375f, 0.875f, 1.375f, 1.875f, 2.375f };
            Score known = Heightmap.Wrap(slopes, 8, 1).Score(buildingSize: 1); // as tests/score has it
            Expect.Equal(8L, known.Accessible);
            Expect.Equal(3L, known.Flat);
        }

        public static void InUse()
        {
            using (Heightmap land = Land())
            using (Tally tally = new Tally(), other = new Tally())
            using (var score = new ScoreTally())
            using (var context = new Context())
            {
                int refused = 0;
                Action<TerrainStatus, Action> refuse = (status, use) =>
                {
                    Expect.Refused(status, "in use", use);
                    refused++;
                };
                context.Progress = share =>
                {
                    refuse(TerrainStatus.Busy, () => score.Add(land));
                    refuse(TerrainStatus.Busy, () => Task.Run(() => score.Score).GetAwaiter().GetResult());
                    refuse(TerrainStatus.Busy, () => new ScoreTally().Merge(score));
                };
                score.Add(land, context: context);
                Expect.True(refused > 3, "progress was reported");
                context.Progress = share =>
                {
                    refused = 0;
                    refuse(TerrainStatus.Busy, () => tally.Add(land));
                    refuse(TerrainStatus.Busy, () => other.Merge(tally));
                    refuse(TerrainStatus.Busy, tally.Reset);
                    refuse(TerrainStatus.Busy, () => tally.Histogram?.ToString());
                };
                tally.Add(land, context);
                Expect.Equal(4, refused);
                other.Merge(tally); // it was free again
                Expect.Equal(land.Measure(), other.Statistics);
                tally.Dispose();
                score.Dispose();
                Expect.Throws<ObjectDisposedException>(() => tally.Add(land));
                Expect.Throws<ObjectDisposedException>(() => tally.Histogram?.ToString());
                Expect.Throws<ObjectDisposedException>(() => other.Merge(tally));
                Expect.Throws<ObjectDisposedException>(() => score.Score.ToString());
                Expect.Throws<ArgumentNullException>(() => other.Add(null));
                Expect.Throws<ArgumentNullException>(() => other.Merge(null));
            }
        }

        /// <summary>The figures that tests/stitch and the manual's page of stitch_edges have.</summary>
        public static void Neighbours()
        {
            var maps = new Heightmap[1, 2];
            for (int i = 0; i < 2; i++)
            {
                int map = i;
                float[] cells = Enumerable.Range(0, 200)
                    .Select(k => map == 0 ? k % 20 : 22 + 1.5f * (k % 20)).ToArray();
                maps[0, i] = Heightmap.FromArray(cells, 20, 10);
            }
            Seams seams = Seams.Measure(maps);
            Expect.Equal(10L, seams.Cells);
            Expect.Equal(3.0, seams.WorstStep);
            Expect.Equal(0.5, seams.WorstKink);
            Expect.Equal(3.0, seams.SeamCurvature);
            Expect.Equal(0.0, seams.InsideCurvature);
            Expect.Equal(double.PositiveInfinity, seams.Ratio);
            Expect.Equal(20L, Seams.Measure(maps, 2).Cells);
            Expect.Refused(TerrainStatus.Range, "overlap", () => Seams.Measure(maps, 0));
            Expect.Refused(TerrainStatus.Argument, "", () => Seams.Measure(new Heightmap[2, 1]));
            Expect.Throws<ArgumentNullException>(() => Seams.Measure(null));
            Expect.Throws<ArgumentOutOfRangeException>(() => Seams.Measure(maps, -1));

            var tiles = new Heightmap[2, 2];
            for (int i = 0; i < 4; i++)
            {
                tiles[i / 2, i % 2] = new Heightmap(129, 129);
                tiles[i / 2, i % 2].SetOrigin(i % 2 * 128, i / 2 * 128);
                Erode.Flatten(Generate.Noise(tiles[i / 2, i % 2]));
            }
            string page = File.ReadAllText(Path.Combine(Program.Sources, "docs/operations/stitch_edges.md"));
            Func<string, string> line = when =>
            {
                seams = Seams.Measure(tiles);
                return FormattableString.Invariant(
                    $"{when}: worst step {seams.WorstStep:F3}, worst kink {seams.WorstKink:F3}\n");
            };
            string printed = line("alone");
            Stitch.Edges(tiles);
            printed += line("stitched");
            Expect.True(page.Contains(printed), $"the page has {printed}");
        }
    }

    /// <summary>Guards against recipes, plans and worlds that compute something else.</summary>
    public static class RecipeTests
    {
        public static void Readme()
        {
            string hash = Regex.Match(File.ReadAllText(Path.Combine(Program.Sources, "README.md")),
                "hash of the result, which is `([0-9a-f]{16})`").Groups[1].Value;
            string text = File.ReadAllText(Path.Combine(Program.Sources, "recipes/main.terrain"));
            using (Recipe recipe = Recipe.Parse(text))
            using (Heightmap land = recipe.Run())
            {
                Expect.Equal(hash, land.Hash().ToString("x16"));
            }
        }

        public static void Parts()
        {
            const string Statements = "input hill\nland = generate_noise seed=25\nland = combine_blend land hill\n";
            string text = "# ä\n" + Statements;
            using (Recipe recipe = Recipe.Parse(text))
            {
                Expect.Equal(text, recipe.ToString());
                Expect.Equal(Statements, recipe.Format());
                Expect.Equal("land", recipe.Result);
                Expect.Equal("hill", recipe.Inputs.Single());
                Expect.Equal("hill land", string.Join(" ", recipe.Maps));
                Expect.Equal(0, recipe.ResultsVersion);
                recipe.CheckWorld("land");
                Expect.Equal(0.25, recipe.MapScale(null, 0.25));
            }
            Expect.Refused(TerrainStatus.Syntax, "line 2, column 1", () => Recipe.Parse("a = generate_noise\n?"));
            using (Recipe recipe = Recipe.Parse("land = generate_noise\nbasins = analyze_basins land"))
            {
                Expect.Refused(TerrainStatus.Unsupported, "basins", () => recipe.CheckWorld());
            }
        }

        public static void Runs()
        {
            using (Recipe recipe = Recipe.Parse("land = generate_drainage discharge=flow\n"))
            {
                var options = new RunOptions { Width = 64, Height = 48, Seed = 5, X = 100 };
                Heightmap[] maps = recipe.RunOutputs(options, new[] { "land", "flow" });
                Expect.Equal(new TerrainWindow(100, 0, 64, 48), maps[0].Window);
                Expect.True(maps[1].Measure().Minimum >= 1, "each cell drains itself");
                Expect.Equal(maps[0].Hash(), recipe.Run(options).Hash());
                Expect.Equal(maps[1].Hash(), recipe.Run(options, "flow").Hash());
                Expect.Equal(4f, recipe.Run(new RunOptions { Width = 9, Height = 9, Scale = 0.25 }).CellSize);
                Expect.Refused(TerrainStatus.Argument, "nothing", () => recipe.Run(options, "nothing"));
                options.MemoryLimit = 1000;
                Expect.Refused(TerrainStatus.Memory, "1000", () => recipe.Run(options));
            }
        }

        public static void NamesOfNull()
        {
            using (Recipe recipe = Recipe.Parse("land = generate_noise\nsmall = shape_resample land step=4\n"))
            {
                var options = new RunOptions { Width = 64, Height = 64 };
                Heightmap[] maps = recipe.RunOutputs(options, new[] { "land", null });
                Expect.Equal(64, maps[0].Width);
                Expect.Equal(recipe.Run(options).Hash(), maps[1].Hash());
                Expect.Throws<ArgumentException>(() => recipe.RunOutputs(options, new string[0]));
            }
        }

        public static void Plans()
        {
            using (Recipe recipe = Recipe.Parse("input land\ninput mask\nhills = erode_thermal land iterations=3\n"))
            {
                Plan plan = recipe.Plan(new RunOptions { Width = 64, Height = 64, World = true });
                recipe.Dispose(); // the plan has it still
                Expect.True(plan.Cells >= 64 * 64 && plan.Bytes > 0, "the plan tells what it takes");
                KeyValuePair<string, TerrainWindow> needed = plan.Inputs.Single();
                Expect.Equal("land", needed.Key);
                Expect.Equal(new TerrainWindow(-3, -3, 70, 70), needed.Value);
                using (var land = new Heightmap(70, 70))
                {
                    land.SetOrigin(-3, -3);
                    Generate.Noise(land, seed: 3);
                    var inputs = new Dictionary<string, Heightmap> { ["land"] = land };
                    Expect.Equal(plan.Run(inputs)[0].Hash(), plan.Run(inputs)[0].Hash());
                    inputs.Add("nothing", land);
                    Expect.Throws<ArgumentException>(() => plan.Run(inputs));
                    Expect.Refused(TerrainStatus.Argument, "land", () => plan.Run());
                }
                Expect.Refused(TerrainStatus.Argument, "nothing", () => plan.Window("nothing"));
                plan.Dispose();
                Expect.Throws<ObjectDisposedException>(() => plan.Run());
            }
        }

        public static void Tiles()
        {
            using (Recipe recipe = Recipe.Parse("land = generate_noise\nworn = erode_thermal land iterations=100\n"))
            using (var world = new World(recipe, seed: 42))
            using (Heightmap whole = recipe.Run(
                new RunOptions { X = -100, Y = 50, Width = 128, Height = 128, World = true, Seed = 42 }))
            {
                recipe.Dispose(); // the world has it still
                world.Prepare(new TerrainWindow(-100, 50, 64, 64));
                for (int i = 0; i < 4; i++)
                {
                    int row = 64 * (i / 2), column = 64 * (i % 2);
                    using (Heightmap tile = world.Tile(-100 + column, 50 + row, 64, 64))
                    using (Heightmap part = whole.View(row, column, 64, 64))
                    {
                        Expect.Equal(part.Window, tile.Window);
                        Expect.Equal(part.Hash(), tile.Hash());
                    }
                }
                Expect.True(world.CacheSize > 0, "what tiles share is kept");
                world.Trim();
                Expect.Equal(0L, world.CacheSize);
            }
        }

        public static void Worlds()
        {
            using (Recipe recipe = Recipe.Parse("land = generate_noise\nworn = erode_thermal land iterations=100\n"))
            {
                var options = new WorldOptions { Map = "land", Scale = 0.5, CellSize = 3, Seed = 7 };
                using (var world = new World(recipe, options))
                using (Heightmap tile = world.Tile(0, 0, 8, 8))
                {
                    Expect.Equal(6f, tile.CellSize);
                    Expect.Equal(tile.Hash(), recipe.Run(
                        new RunOptions { Width = 8, Height = 8, Scale = 0.5, CellSize = 3, Seed = 7 }, "land").Hash());
                }
                long kept, needed;
                var window = new TerrainWindow(-100, 50, 64, 64);
                using (var world = new World(recipe))
                {
                    world.TileBytes(window, out kept, out needed);
                    Expect.True(0 < kept && kept < needed, "a tile takes memory");
                    Expect.Refused(TerrainStatus.Range, "", () =>
                        world.TileBytes(new TerrainWindow(1L << 62, 0, 64, 64), out _, out _));
                }
                using (var world = new World(recipe, new WorldOptions { CacheBytes = kept, MemoryLimit = needed }))
                using (Heightmap tile = world.Tile(-100, 50, 64, 64))
                {
                    Expect.True(world.CacheSize <= kept, "no more is kept");
                    world.Prepare(window);
                }
                using (var world = new World(recipe, new WorldOptions { CacheBytes = kept - 1 }))
                {
                    Expect.Refused(TerrainStatus.Memory, "", () => world.Prepare(window));
                }
                using (var world = new World(recipe, new WorldOptions { CacheBytes = 1000 }))
                {
                    Expect.Refused(TerrainStatus.Memory, "", () => world.Prepare(new TerrainWindow(0, 0, 64, 64)));
                }
                using (var world = new World(recipe, new WorldOptions { MemoryLimit = 1000 }))
                {
                    Expect.Refused(TerrainStatus.Memory, "", () => world.Tile(0, 0, 64, 64));
                }
                options.Map = "nothing";
                Expect.Refused(TerrainStatus.Argument, "nothing", () => new World(recipe, options));
            }
        }

        public static void Outputs()
        {
            const string text =
                "a = generate_noise seed=3\nb = erode_thermal a iterations=70\nd = generate_noise\nc = blur_box b\n";
            string[] names = { null, "d", "b" };
            var run = new RunOptions { X = -100, Y = 50, Width = 64, Height = 48, World = true, Seed = 8 };
            using (Recipe recipe = Recipe.Parse(text))
            using (var world = new World(recipe, new WorldOptions { Seed = 8, Outputs = names }))
            using (Heightmap one = new Heightmap(64, 48), other = new Heightmap(64, 48), small = new Heightmap(64, 47))
            {
                Heightmap[] whole = recipe.RunOutputs(run, names), tiles = world.TileOutputs(-100, 50, 64, 48);
                ulong[] hashes = whole.Select(map => map.Hash()).ToArray();
                Expect.True(hashes.SequenceEqual(tiles.Select(map => map.Hash())), "tiles are windows of a run");
                Expect.Equal(new TerrainWindow(-100, 50, 64, 48), tiles[2].Window);
                Expect.Equal(hashes[0], world.Tile(-100, 50, 64, 48).Hash());

                Expect.True(world.CacheSize > 0, "what tiles share is kept");
                world.Trim();
                world.TileOutputs(new[] { null, one }, -100, 50);
                Expect.Equal(hashes[1], one.Hash());
                Expect.Equal(0L, world.CacheSize); // nothing was eroded
                using (var context = new Context(threads: 2))
                {
                    world.TileOutputs(new[] { other, null, one }, -100, 50, context);
                }
                Expect.Equal(hashes[0], other.Hash());
                Expect.Equal(hashes[2], one.Hash());

                Expect.Refused(TerrainStatus.Argument, "count is 4, the world shows 3 maps",
                    () => world.TileOutputs(new[] { one, null, null, null }, 0, 0));
                Expect.Refused(TerrainStatus.Argument, "maps[1] is 64x47",
                    () => world.TileOutputs(new[] { one, small }, 0, 0));
                Expect.Refused(TerrainStatus.Alias, "maps[1]", () => world.TileOutputs(new[] { one, one }, 0, 0));
                Expect.Refused(TerrainStatus.Argument, "all maps", () => world.TileOutputs(new Heightmap[3], 0, 0));
                Expect.Refused(TerrainStatus.Argument, "all maps", () => world.TileOutputs(new Heightmap[0], 0, 0));
                Expect.Throws<ArgumentNullException>(() => world.TileOutputs(null, 0, 0));
                Expect.Throws<ArgumentOutOfRangeException>(() => world.TileOutputs(0, 0, 64, -1));
                small.Dispose();
                Expect.Throws<ObjectDisposedException>(() => world.TileOutputs(new[] { one, small }, 0, 0));
                Expect.Equal(hashes[2], one.Hash());

                Expect.Equal(hashes[1], new World(recipe, new WorldOptions { Seed = 8, Map = "d" })
                    .TileOutputs(-100, 50, 64, 48).Single().Hash());
                Expect.Throws<ArgumentException>(
                    () => new World(recipe, new WorldOptions { Map = "a", Outputs = names }));
                Expect.Throws<ArgumentException>(() => new World(recipe, new WorldOptions { Outputs = new string[0] }));
                Expect.Refused(TerrainStatus.Argument, "nothing",
                    () => new World(recipe, new WorldOptions { Outputs = new[] { "a", "nothing" } }));
            }
        }

        public static void Inputs()
        {
            using (Recipe recipe = Recipe.Parse("input hill\nworn = erode_thermal hill iterations=3\n"))
            using (Heightmap hill = Generate.Noise(new Heightmap(70, 70), seed: 3))
            {
                hill.SetOrigin(-3, -3);
                using (var world = new World(recipe, new WorldOptions { Inputs = { ["hill"] = hill } }))
                {
                    ulong hash = world.Tile(0, 0, 64, 64).Hash();
                    hill.CopyFrom(new float[70 * 70]); // the world has a copy
                    hill.Dispose();
                    Expect.Equal(hash, world.Tile(0, 0, 64, 64).Hash());
                    Expect.Refused(TerrainStatus.Range, "hill", () => world.Tile(1, 0, 64, 64));
                }
            }
        }
    }
}
