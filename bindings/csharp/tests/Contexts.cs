// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;

namespace Libterrain.Tests
{
    /// <summary>Guards against callbacks that are lost, come too late, or take the process with them.</summary>
    public static class ContextTests
    {
        private static readonly ulong Noise = Generate.Noise(new Heightmap(300, 300), seed: 3).Hash();

        public static void Threads()
        {
            using (var land = new Heightmap(300, 300))
            using (var context = new Context(threads: 4))
            {
                Generate.Noise(land, seed: 3, context: context);
                Expect.Equal(Noise, land.Hash());
                context.Trim();
            }
            using (var context = new Context(maxIsa: Isa.Baseline))
            {
                Expect.Equal(Isa.Baseline, context.Isa);
            }
            Expect.Refused(TerrainStatus.Range, "threads is 0", () => new Context(threads: 0));
            Expect.Refused(TerrainStatus.Range, "maxIsa is 7", () => new Context(maxIsa: (Isa)7));
            Expect.Throws<ArgumentOutOfRangeException>(() => new Context(threads: -1));
            Expect.Throws<ArgumentNullException>(() => new Context(null));
        }

        public static void Runners()
        {
            var late = new List<Action<int>>();
            Runner[] runners =
            {
                (count, task) => Parallel.For(0, count, task),
                (count, task) => Enumerable.Range(-2, count + 70).Reverse().ToList().ForEach(task), // some there aren't
                (count, task) =>
                {
                    var threads = Enumerable.Range(0, count).Select(i => new Thread(() => task(i))).ToList();
                    threads.ForEach(thread => thread.Start());
                    threads.ForEach(thread => thread.Join());
                    late.Add(task);
                },
            };
            foreach (Runner runner in runners)
            {
                using (var land = new Heightmap(300, 300))
                using (var context = new Context(runner))
                {
                    Generate.Noise(land, seed: 3, context: context);
                    Expect.Equal(Noise, land.Hash());
                    GC.Collect();
                    Erode.Thermal(land, context: context);
                    GC.KeepAlive(runner);
                }
            }
            Expect.Throws<InvalidOperationException>(() => late[0](0));
        }

        public static void RunnersThatFail()
        {
            using (var land = new Heightmap(300, 300))
            using (var context = new Context((count, task) => throw new FormatException("mine")))
            {
                Exception thrown = Expect.Throws<FormatException>(() => Erode.Thermal(land, context: context));
                Expect.Equal("mine", thrown.Message);
            }
            Context gone = null;
            using (var land = new Heightmap(300, 300))
            using (gone = new Context((count, task) => gone.Dispose()))
            {
                Expect.Refused(TerrainStatus.Runner, "every task", () => Erode.Thermal(land, context: gone));
            }
        }

        /// <summary>A call must not end while its tasks are running, even if the runner does.</summary>
        public static void RunnersThatDoNotWait()
        {
            Runner runner = (count, task) =>
            {
                for (int i = 0; i < count; i++)
                {
                    int index = i;
                    ThreadPool.QueueUserWorkItem(_ => { try { task(index); } catch (InvalidOperationException) { } });
                }
                Thread.Yield();
            };
            using (var context = new Context(runner))
            {
                for (int i = 0; i < 300; i++)
                {
                    using (var land = new Heightmap(200, 200))
                    {
                        try
                        {
                            Erode.Thermal(land, context: context);
                        }
                        catch (TerrainException exception)
                        {
                            Expect.Equal(TerrainStatus.Runner, exception.Status);
                        }
                    }
                }
            }
        }

        public static void Progress()
        {
            using (Heightmap land = Generate.Noise(new Heightmap(200, 200)))
            using (var context = new Context(threads: 2))
            {
                var shares = new List<float>();
                int thread = Thread.CurrentThread.ManagedThreadId;
                context.Progress = share =>
                {
                    Expect.Equal(thread, Thread.CurrentThread.ManagedThreadId);
                    shares.Add(share);
                    GC.Collect();
                };
                Erode.Thermal(land, iterations: 300, context: context);
                Expect.True(shares.Count > 2 && shares.SequenceEqual(shares.OrderBy(share => share)), "progress rises");
                Expect.Equal(1f, shares.Last());

                ulong before = land.Hash();
                context.Progress = share => throw new FormatException("mine");
                Exception thrown = Expect.Throws<FormatException>(() => Erode.Thermal(land, context: context));
                Expect.True(thrown.StackTrace.Contains("Progress"), "the exception tells where it was thrown");
                Expect.Equal(before, land.Hash());

                context.Progress = share => throw (share == 1 ? new FormatException("late") : new Exception("early"));
                Expect.Throws<FormatException>(() => Shape.Clamp(land, high: 0, context: context));
                Expect.Equal(0f, land.Measure().Maximum); // it came too late, and comes out all the same

                context.Progress = share => Erode.Thermal(land, context: context);
                Expect.Refused(TerrainStatus.Busy, "", () => Erode.Thermal(land, context: context));
                context.Progress = share => context.Dispose();
                Erode.Thermal(land, context: context);
                Expect.Throws<ObjectDisposedException>(() => Erode.Thermal(land, context: context));
            }
        }

        /// <summary>A call within another's callback, with a context of its own: each has its own callbacks.</summary>
        public static void Nested()
        {
            using (Heightmap land = Generate.Noise(new Heightmap(100, 100)), other = new Heightmap(100, 100))
            using (Context outer = new Context(), inner = new Context())
            {
                int outside = 0, inside = 0;
                inner.Progress = share => inside++;
                outer.Progress = share =>
                {
                    Generate.Noise(other, context: inner);
                    Generate.Noise(other);
                    outside++;
                };
                Erode.Thermal(land, iterations: 300, context: outer);
                Expect.True(outside > 2 && inside >= outside, "both were called");
            }
        }

        public static void Cancelling()
        {
            using (Heightmap land = Generate.Noise(new Heightmap(200, 200)))
            using (var context = new Context(threads: 2))
            using (var source = new CancellationTokenSource())
            {
                ulong before = land.Hash();
                context.CancellationToken = source.Token;
                context.Progress = share => source.Cancel();
                var exception = Expect.Throws<OperationCanceledException>(() => Erode.Thermal(land, context: context));
                Expect.Equal(source.Token, exception.CancellationToken);
                context.Progress = null;
                Expect.Throws<OperationCanceledException>(() => Shape.Clamp(land, high: 0, context: context));
                Expect.Equal(before, land.Hash());
                context.CancellationToken = CancellationToken.None;
                Erode.Thermal(land, iterations: 2, context: context);
            }
        }

        public static void CancellingFromAnotherThread()
        {
            using (Heightmap land = Generate.Noise(new Heightmap(200, 200)))
            using (var context = new Context(threads: 2))
            using (var source = new CancellationTokenSource(20))
            {
                context.CancellationToken = source.Token;
                Expect.Throws<OperationCanceledException>(
                    () => Erode.Thermal(land, iterations: 100000, context: context));
            }
        }

        public static void OneContextForTwoThreads()
        {
            using (Heightmap land = Generate.Noise(new Heightmap(200, 200)), other = new Heightmap(8, 8))
            using (var context = new Context())
            {
                Exception thrown = null;
                context.Progress = share =>
                {
                    Action use = () => Generate.Noise(other, context: context);
                    var thread = new Thread(() => thrown = Expect.Throws<TerrainException>(use));
                    thread.Start();
                    thread.Join();
                };
                Erode.Thermal(land, iterations: 3, context: context);
                Expect.Equal(TerrainStatus.Busy, ((TerrainException)thrown).Status);
            }
        }

        public static void TilesOnThreads()
        {
            using (Recipe recipe = Recipe.Parse("land = generate_drainage\n"))
            using (World world = new World(recipe, seed: 42), other = new World(recipe, seed: 42))
            {
                var hashes = new ulong[16];
                Parallel.For(0, 16, i => hashes[i] = world.Tile(64 * (i % 4), 64 * (i / 4), 64, 64).Hash());
                for (int i = 0; i < 16; i++)
                {
                    Expect.Equal(other.Tile(64 * (i % 4), 64 * (i / 4), 64, 64).Hash(), hashes[i]);
                }
            }
        }
    }

    /// <summary>Guards against versions that are not those of C's header.</summary>
    public static class LibraryTests
    {
        public static void Versions()
        {
            string header = File.ReadAllText(Path.Combine(Program.Sources, "include/terrain/base.h"));
            string[] parts = Regex.Matches(header, @"TERRAIN_VERSION_\w+ (\d+)").Cast<Match>()
                .Select(match => match.Groups[1].Value).ToArray();
            Expect.Equal(3, parts.Length);
            Expect.Equal(new Version(string.Join(".", parts)), Library.Version);
            string recipe = $"results {Library.ResultsVersion}\nland = generate_noise\n";
            Expect.Equal(Library.ResultsVersion, Recipe.Parse(recipe).ResultsVersion);
            Expect.Refused(TerrainStatus.Syntax, "results",
                () => Recipe.Parse(recipe.Replace("results ", "results 1"))); // another one is refused
        }
    }

    /// <summary>Guards against bad input that is not refused by an exception which tells what is wrong.</summary>
    public static class BadInputTests
    {
        public static void Values()
        {
            using (var land = new Heightmap(8, 8))
            {
                Expect.Refused(
                    TerrainStatus.Range, "talus is -1, must be in [0, 100]", () => Erode.Thermal(land, talus: -1));
                Expect.Refused(TerrainStatus.Range, "talus is nan", () => Erode.Thermal(land, talus: float.NaN));
                Expect.Refused(
                    TerrainStatus.Range, "iterations is -1, must be in", () => Erode.Thermal(land, iterations: -1));
                Expect.Refused(TerrainStatus.Range, "mode is 99", () => Erode.Thermal(land, mode: (ThermalMode)99));
                Expect.Refused(TerrainStatus.Range, "mode is -1", () => Erode.Thermal(land, mode: (ThermalMode)(-1)));
                Expect.Refused(TerrainStatus.Range, "levels", () => Shape.Terrace(land, levels: new float[65]));
                Shape.Terrace(land, levels: new float[0]);
                Generate.Noise(land, seed: ulong.MaxValue);
                Expect.Throws<ArgumentException>(() => Recipe.Parse("a = generate_noise").Run(null, "a\0"));
                Expect.Throws<ArgumentNullException>(() => Recipe.Parse(null));
                Expect.Throws<ArgumentNullException>(() => new World(null));
                Expect.Refused(TerrainStatus.Syntax, "", () => Recipe.Parse("\0"));
                Expect.Refused(TerrainStatus.Syntax, "", () => Recipe.Parse(""));
                Recipe recipe = Recipe.Parse("a = generate_noise");
                Expect.Throws<ArgumentOutOfRangeException>(() => recipe.Run(new RunOptions { Width = -1 }));
                Expect.Refused(TerrainStatus.Range, "", () => recipe.Run(new RunOptions { Width = 0 }));
            }
        }

        /// <summary>Some cultures have a minus of their own.</summary>
        public static void Cultures()
        {
            CultureInfo before = Thread.CurrentThread.CurrentCulture;
            var culture = (CultureInfo)CultureInfo.InvariantCulture.Clone();
            culture.NumberFormat.NegativeSign = "\u2212";
            culture.NumberFormat.NumberDecimalSeparator = ",";
            Thread.CurrentThread.CurrentCulture = culture;
            try
            {
                using (var land = new Heightmap(8, 8))
                {
                    Expect.Equal("3x4 at (-5, -6)", new TerrainWindow(-5, -6, 3, 4).ToString());
                    Expect.Refused(TerrainStatus.Range, "origin is (-9223", () => land.SetOrigin(long.MinValue, 0));
                    Expect.Refused(
                        TerrainStatus.Range, "iterations is -1, ", () => Erode.Thermal(land, iterations: -1));
                    Expect.Refused(TerrainStatus.Range, "bins is -3", () => land.Histogram(0, 1, -3));
                    Expect.Refused(TerrainStatus.Range, "low is 0.5", () => land.Histogram(0.5f, -0.5f, 3));
                    Expect.Refused(TerrainStatus.Range, "cell_size is -0.5", () => land.CellSize = -0.5f);
                }
            }
            finally
            {
                Thread.CurrentThread.CurrentCulture = before;
            }
        }

        /// <summary>A call as if the operation's row in the table had no such parameter.</summary>
        private static void Without(string operation, string parameter, Action call)
        {
            const BindingFlags hidden = BindingFlags.Static | BindingFlags.Instance | BindingFlags.NonPublic;
            Type type = typeof(Heightmap).Assembly.GetType("Libterrain.Operation");
            object lazy = type.GetField("Table", hidden).GetValue(null);
            var table = (System.Collections.IDictionary)lazy.GetType().GetProperty("Value").GetValue(lazy);
            var parameters = (System.Collections.IDictionary)type.GetField("parameters", hidden)
                .GetValue(table[operation]);
            object row = parameters[parameter];
            parameters.Remove(parameter);
            try
            {
                call();
            }
            finally
            {
                parameters[parameter] = row;
            }
        }

        private static void Lacks(string operation, string parameter, Action usual, Action other)
        {
            Without(operation, parameter, usual);
            Without(operation, parameter, () => Expect.True(
                Expect.Throws<NotSupportedException>(other).Message.EndsWith($"'{parameter}': it is too old"),
                "it says what the library lacks"));
            other();
        }

        public static void OlderLibrary()
        {
            using (var land = new Heightmap(8, 8))
            {
                Lacks("erode_thermal", "talus", () => Erode.Thermal(land), () => Erode.Thermal(land, talus: 0.7f));
                Lacks("erode_thermal", "iterations", () => Erode.Thermal(land, iterations: 50),
                    () => Erode.Thermal(land, iterations: 51));
                Lacks("erode_thermal", "mode", () => Erode.Thermal(land),
                    () => Erode.Thermal(land, mode: ThermalMode.Musgrave));
                Lacks("erode_thermal", "mask", () => Erode.Thermal(land),
                    () => Erode.Thermal(land, mask: land.Clone()));
                Lacks("generate_noise", "seed", () => Generate.Noise(land), () => Generate.Noise(land, seed: 1));
                Lacks("shape_clamp", "high", () => Shape.Clamp(land), () => Shape.Clamp(land, high: 1));
                Lacks("shape_remap", "clamp", () => Shape.Remap(land), () => Shape.Remap(land, clamp: true));
                Lacks("shape_terrace", "levels", () => Shape.Terrace(land),
                    () => Shape.Terrace(land, levels: new float[] { 0, 1 }));
            }
        }

        public static void Sizes()
        {
            Expect.Throws<ArgumentOutOfRangeException>(() => new Heightmap(-1, 4));
            Expect.Refused(TerrainStatus.Argument, "", () => new Heightmap(0, 4));
            Expect.Refused(TerrainStatus.Memory, "", () => new Heightmap(int.MaxValue, int.MaxValue));
            Expect.Throws<ArgumentNullException>(() => Heightmap.Wrap((float[])null, 1, 1));
            Expect.Throws<ArgumentNullException>(() => Heightmap.FromArray(null));
            Expect.Throws<ArgumentException>(() => Heightmap.Wrap(new float[11], 4, 3));
            Expect.Throws<ArgumentException>(() => Heightmap.Wrap(new float[12], 4, 3, 5));
            const int Most = int.MaxValue;
            Expect.Throws<ArgumentException>(() => Heightmap.Wrap(new float[12], Most, Most, Most));
            Expect.Refused(TerrainStatus.Argument, "", () => Heightmap.Wrap(new float[12], 4, 3, 3));
            Expect.Refused(TerrainStatus.Argument, "", () => Heightmap.Wrap(IntPtr.Zero, 4, 3));
            Expect.Refused(TerrainStatus.Argument, "", () => Heightmap.Wrap(new float[0, 3]));
            foreach (int side in new[] { int.MinValue, -1, 0, int.MaxValue })
            {
                Expect.Throws<Exception>(() => Heightmap.Wrap(new float[12], side, 3));
                Expect.Throws<Exception>(() => Heightmap.Wrap(new float[12], 4, side));
            }
            using (var land = new Heightmap(8, 5))
            {
                Expect.Throws<ArgumentException>(() => land.CopyTo(new float[39]));
                Expect.Refused(TerrainStatus.Argument, "", () => land.CopyTo(new float[8, 5]));
                Expect.Throws<ArgumentException>(() => land.GetRow(0, new float[7]));
                Expect.Throws<ArgumentException>(() => land.UnpackU8(new byte[41], 0, 1));
                foreach (int[] place in new[] { new[] { -1, 0 }, new[] { 5, 0 }, new[] { 0, -1 }, new[] { 0, 8 } })
                {
                    Expect.Throws<ArgumentOutOfRangeException>(() => land[place[0], place[1]] = 1);
                    Expect.Throws<ArgumentOutOfRangeException>(() => land[place[0], place[1]].ToString());
                }
                Expect.Throws<ArgumentOutOfRangeException>(() => land.View(-1, 0, 1, 1));
                Expect.Refused(TerrainStatus.Range, "", () => land.View(0, 1, 8, 5));
                Expect.Refused(TerrainStatus.Range, "cell_size is 0", () => land.CellSize = 0);
                Expect.Refused(TerrainStatus.Range, "origin is", () => land.SetOrigin(long.MaxValue, 0));
                Expect.Refused(TerrainStatus.Range, "bins", () => land.Histogram(0, 1, -1));
                Expect.Refused(TerrainStatus.Range, "low is 1", () => land.Histogram(1, 0, 5));
                Expect.Refused(TerrainStatus.Range, "", () => land.ToMesh(new MeshOptions { Axes = (MeshAxes)(-1) }));
                var beyond = new MeshOptions { Window = new TerrainWindow(1, 0, 8, 5) };
                Expect.Refused(TerrainStatus.Range, "", () => land.ToMesh(beyond));
                Expect.Throws<ArgumentOutOfRangeException>(() => land.MeshPositions(new float[200], -1));
                Expect.Refused(TerrainStatus.Argument, "", () => land.MeshPositions(new float[200], 0, 2));
            }
        }

        public static void Maps()
        {
            using (Heightmap land = new Heightmap(8, 8), small = new Heightmap(7, 8), gone = new Heightmap(8, 8))
            {
                Recipe recipe = Recipe.Parse("input a\nb = blur_box a");
                gone.Dispose();
                gone.Dispose();
                Expect.Throws<ArgumentNullException>(() => Erode.Thermal(null));
                Expect.Throws<ArgumentNullException>(() => Combine.Blend(land, null));
                Expect.Throws<ArgumentNullException>(() => Stitch.Edges(null));
                Expect.Throws<ArgumentNullException>(() => land.CopyFrom((Heightmap)null));
                Expect.Throws<ArgumentNullException>(() => land.CopyTo((float[])null));
                Expect.Refused(TerrainStatus.Argument, "", () => Stitch.Edges(new Heightmap[1, 2]));
                Expect.Refused(TerrainStatus.Argument, "", () => Stitch.Edges(new Heightmap[0, 0]));
                Expect.Refused(TerrainStatus.Argument, "", () => Erode.Thermal(land, mask: small));
                Expect.Refused(TerrainStatus.Alias, "", () => Erode.Thermal(land, debrisOut: land));
                Expect.Refused(TerrainStatus.Alias, "", () => Stitch.Edges(new[,] { { land, land } }));
                foreach (Action use in new Action[]
                {
                    () => Erode.Thermal(gone), () => Erode.Thermal(land, mask: gone), () => Analyze.Slope(gone),
                    () => Analyze.Slope(land, gone), () => Stitch.Edges(new[,] { { land, gone } }),
                    () => land.CopyFrom(gone), () => gone.ToArray(), () => gone.View(0, 0, 1, 1), () => gone.Clone(),
                    () => gone.Measure(),
                    () => gone.ToMesh(), () => gone.Hash(), () => gone.CellSize = 2, () => gone.Window.ToString(),
                    () => gone[0, 0] = 1, () => gone.PackU8(0, 1),
                    () => new World(recipe, new WorldOptions { Inputs = { ["a"] = gone } }),
                    () => recipe.Run(new RunOptions { Inputs = { ["a"] = gone } }),
                })
                {
                    Expect.Throws<ObjectDisposedException>(use);
                }
            }
        }
    }

    /// <summary>Guards against objects that are freed too early, too late, or in the wrong order.</summary>
    public static class DisposalTests
    {
        public static void Forgotten()
        {
            for (int i = 0; i < 20; i++)
            {
                Forget();
                GC.Collect();
                GC.WaitForPendingFinalizers();
            }
        }

        private static void Forget()
        {
            var context = new Context(threads: 2);
            Heightmap land = Heightmap.Wrap(new float[64 * 64], 64, 64), view = land.View(1, 1, 8, 8).View(0, 0, 4, 4);
            Generate.Noise(land, context: context);
            Recipe recipe = Recipe.Parse("input a\nb = blur_box a");
            Plan plan = recipe.Plan(new RunOptions { World = true });
            var world = new World(recipe, new WorldOptions { Inputs = { ["a"] = land } });
            using (Heightmap tile = world.Tile(8, 8, 8, 8))
            {
                Expect.True(plan.Bytes >= 0 && tile.Width + view.Width == 12, "all were used");
            }
        }

        /// <summary>Disposed of by another thread while a call is running.</summary>
        public static void Meanwhile()
        {
            for (int i = 0; i < 20; i++)
            {
                var context = new Context(threads: 2);
                Heightmap land = Generate.Noise(new Heightmap(100, 100));
                Heightmap mask = Generate.Noise(new Heightmap(100, 100));
                using (var begun = new ManualResetEventSlim())
                {
                    context.Progress = share => begun.Set();
                    Task call = Task.Run(() => Erode.Thermal(land, iterations: 30, mask: mask, context: context));
                    begun.Wait();
                    mask.Dispose();
                    land.Dispose();
                    context.Dispose();
                    call.Wait();
                }
            }
        }

        public static void MemoryIsFreed()
        {
            for (int i = 0; i < 2000; i++)
            {
                using (var land = new Heightmap(2048, 2048)) // 32 GiB, if none were
                using (Heightmap view = land.View(2047, 2047, 1, 1))
                {
                    view[0, 0] = 1;
                }
            }
        }
    }
}
