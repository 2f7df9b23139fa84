// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.InteropServices;

namespace Libterrain
{
    /// <summary>
    /// Figures of the finite heights: sums are exact, and rounded once. What there is no height for is NaN.
    /// </summary>
    public struct Statistics
    {
        /// <summary>Finite heights.</summary>
        public long Count;

        /// <summary>Cells of NaN.</summary>
        public long NanCount;

        /// <summary>Cells of plus or minus infinity.</summary>
        public long InfiniteCount;

        /// <summary>The lowest height.</summary>
        public float Minimum;

        /// <summary>The highest height.</summary>
        public float Maximum;

        /// <summary>All heights together.</summary>
        public double Sum;

        /// <summary>The mean height.</summary>
        public double Mean;

        /// <summary>The mean of the squared differences from the mean.</summary>
        public double Variance;

        /// <summary>The variance's root.</summary>
        public double StandardDeviation;
    }

    /// <summary>Ground to play on, after Olsen: numbers of cells, and three figures made of them.</summary>
    public struct Score
    {
        /// <summary>Cells with a finite slope.</summary>
        public long Count;

        /// <summary>Cells that units can climb.</summary>
        public long Accessible;

        /// <summary>Cells flat enough to build on.</summary>
        public long Flat;

        /// <summary>The largest connected set of cells that units have room on.</summary>
        public long Reachable;

        /// <summary>Reachable cells that buildings have room on.</summary>
        public long Buildable;

        /// <summary>The deviation of slopes divided by their mean: it rises as flats and cliffs part.</summary>
        public double Erosion;

        /// <summary>Rise over run.</summary>
        public double MeanSlope;

        /// <summary>The shares of reachable and of buildable cells, multiplied: 0 to 1.</summary>
        public double Playability;
    }

    /// <summary>
    /// What tells land from noise; what a map is too small for is NaN. <c>terrain/landform.h</c> defines the figures.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Landform
    {
#pragma warning disable 169 // the library's
        private readonly uint structSize;
        private readonly uint flags;
#pragma warning restore 169

        /// <summary>Share of cells whose water crosses a closed bowl; real land 0 to 0.002.</summary>
        public double Undrained;

        /// <summary>Share of cells that drain through the largest river; real land 0.28 to 0.83.</summary>
        public double Trunk;

        /// <summary>The exponent by which slope falls with catchment area; real land 0.21 to 0.60.</summary>
        public double Concavity;

        /// <summary>The exponent of rivers' lengths against catchment area; real land 0.44 to 0.56.</summary>
        public double Hack;

        /// <summary>Of the curvature: crests sharper than hollows make it negative; real land -0.22 to 0.05.</summary>
        public double Skewness;

        /// <summary>How far axes and diagonals are favoured, 1: not at all; real land 0.95 to 1.05.</summary>
        public double Axis;

        /// <summary>Share of flats. The shares of the ten landforms, geomorphons, follow one another.</summary>
        public double Flat;

        /// <summary>Share of peaks.</summary>
        public double Peak;

        /// <summary>Share of ridges.</summary>
        public double Ridge;

        /// <summary>Share of shoulders.</summary>
        public double Shoulder;

        /// <summary>Share of spurs.</summary>
        public double Spur;

        /// <summary>Share of slopes.</summary>
        public double Slope;

        /// <summary>Share of hollows.</summary>
        public double Hollow;

        /// <summary>Share of footslopes.</summary>
        public double Footslope;

        /// <summary>Share of valleys.</summary>
        public double Valley;

        /// <summary>Share of pits.</summary>
        public double Pit;

        /// <summary>How far these shares are from real land's, 0 to 1; real land 0 to 0.19.</summary>
        public double FormsDistance;
    }

    /// <summary>How well the maps of a grid fit together: what <see cref="Stitch"/> mends.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Seams
    {
#pragma warning disable 169 // the library's
        private readonly uint structSize;
        private readonly uint flags;
#pragma warning restore 169

        /// <summary>Shared cells that were compared.</summary>
        public long Cells;

        /// <summary>The greatest difference between two heights of one shared cell.</summary>
        public double WorstStep;

        /// <summary>
        /// The greatest difference between the slopes on the two sides of a line where a map ends, in height per cell.
        /// </summary>
        public double WorstKink;

        /// <summary>The mean curvature across those lines.</summary>
        public double SeamCurvature;

        /// <summary>The mean curvature inside the maps.</summary>
        public double InsideCurvature;

        /// <summary>The first by the second: 1 where seams look as all else, more where they show.</summary>
        public double Ratio;

        /// <summary>
        /// Measures maps that are neighbours: <c>maps[row, column]</c>, of equal size, which share
        /// <paramref name="overlap"/> lines of cells, 1 for stitched edges.
        /// </summary>
        public static Seams Measure(Heightmap[,] maps, int overlap = 1, Context context = null)
        {
            uint rows = (uint)Check.NotNull(maps, nameof(maps)).GetLength(0), columns = (uint)maps.GetLength(1);
            uint lines = Check.Natural(overlap, nameof(overlap));
            TerrainException.Check(Native.terrain_seams_init(out Seams seams, Native.SizeOf<Seams>()));
            using (var scope = new Scope())
            {
                IntPtr all = scope.Maps(maps.Cast<Heightmap>());
                Context.Call(context, c => Native.terrain_seams_measure(c, all, columns, rows, lines, ref seams));
            }
            return seams;
        }
    }

    public sealed partial class Heightmap
    {
        /// <summary>Statistics of the heights.</summary>
        public Statistics Measure(Context context = null)
        {
            using (var tally = new Tally())
            {
                tally.Add(this, context);
                return tally.Statistics;
            }
        }

        /// <summary>
        /// How many finite heights lie in each of <paramref name="bins"/> equal parts of low to high, which itself
        /// belongs to the last part. Heights outside belong to none. 1 to 2^20 parts; -1e30 &lt;= low &lt; high &lt;=
        /// 1e30.
        /// </summary>
        public long[] Histogram(float low, float high, int bins, Context context = null)
        {
            using (var tally = new Tally(low, high, bins))
            {
                tally.Add(this, context);
                return tally.Histogram;
            }
        }

        /// <summary>How much of the land units can reach and build on.</summary>
        /// <param name="unitSlope">The steepest slope that units climb, rise over run.</param>
        /// <param name="buildingSlope">The steepest slope of ground to build on, at most the other.</param>
        /// <param name="unitSize">In cells, 1 to 64.</param>
        /// <param name="buildingSize">In cells, at least the other, up to 64.</param>
        /// <param name="context">Threads and cancelling.</param>
        public Score Score(
            float unitSlope = 0.5f,
            float buildingSlope = 0.125f,
            int unitSize = 1,
            int buildingSize = 9,
            Context context = null)
        {
            using (var tally = new ScoreTally(unitSlope, buildingSlope, unitSize, buildingSize))
            {
                tally.Add(this, context: context);
                return tally.Score;
            }
        }

        /// <summary>How the land drains, and which landforms it is made of.</summary>
        public Landform Landform(Context context = null)
        {
            TerrainException.Check(Native.terrain_landform_init(out Landform land, Native.SizeOf<Landform>()));
            Context.Call(context, c => Native.terrain_landform_measure(c, Handle, ref land));
            return land;
        }

        /// <summary>
        /// The heights row by row as bytes: <paramref name="low"/> becomes 0 and <paramref name="high"/> 255, what lies
        /// beyond is clamped, NaN becomes 0.
        /// </summary>
        public byte[] PackU8(float low, float high, Context context = null)
        {
            var cells = new byte[(long)Width * Height];
            Context.Call(context, c => Native.terrain_heightmap_pack_u8(c, Handle, low, high, cells, Distance));
            return cells;
        }

        /// <summary>The same with 65535 for high: what engines take as 16-bit heightmaps.</summary>
        public ushort[] PackU16(float low, float high, Context context = null)
        {
            var cells = new ushort[(long)Width * Height];
            Context.Call(context, c => Native.terrain_heightmap_pack_u16(c, Handle, low, high, cells, Distance));
            return cells;
        }

        /// <summary>
        /// One to four maps as the channels of one buffer, cell by cell: splat maps, normals, masks side by side. Each
        /// channel is what <see cref="PackU8"/> makes of its map; where that is null, the bytes are left as they are.
        /// </summary>
        /// <param name="maps">Maps of one size.</param>
        /// <param name="lows">The heights that become 0: one for each map. Without them, 0.</param>
        /// <param name="highs">The heights that become 255. Without them, 1.</param>
        /// <param name="cells">The buffer; without one, a new one.</param>
        /// <param name="context">Threads.</param>
        public static byte[] PackChannelsU8(
            IReadOnlyList<Heightmap> maps,
            float[] lows = null,
            float[] highs = null,
            byte[] cells = null,
            Context context = null)
        {
            int count = Check.NotNull(maps, nameof(maps)).Count;
            Heightmap first = maps.FirstOrDefault(map => map != null)
                ?? throw new ArgumentException("It has no map.", nameof(maps));
            long length = (long)first.Width * first.Height * count;
            CheckLength(lows, count, nameof(lows));
            CheckLength(highs, count, nameof(highs));
            CheckLength(cells, length, nameof(cells));
            cells = cells ?? new byte[length];
            using (var scope = new Scope())
            {
                IntPtr all = scope.Maps(maps);
                Context.Call(context, c => Native.terrain_heightmap_pack_channels_u8(
                    c, all, lows, highs, (uint)count, cells, (UIntPtr)((ulong)first.Width * (ulong)count)));
            }
            return cells;
        }

        private static void CheckLength(Array array, long length, string name)
        {
            if (array != null && array.LongLength != length)
            {
                throw new ArgumentException($"It has {array.LongLength} elements, must have {length}.", name);
            }
        }

        /// <summary>
        /// The shaded relief row by row as bytes: what <see cref="PackU8"/> makes of the shades of
        /// <see cref="Analyze.Hillshade"/>, 0 to 1, in one pass.
        /// </summary>
        /// <param name="azimuth">Where the light comes from: 0 north, 90 east.</param>
        /// <param name="altitude">How high the light stands above the horizon, in degrees.</param>
        /// <param name="exaggeration">Multiplies all slopes.</param>
        /// <param name="context">Threads.</param>
        public byte[] PackHillshadeU8(
            float azimuth = 315, float altitude = 45, float exaggeration = 1, Context context = null)
        {
            var cells = new byte[(long)Width * Height];
            using (var call = new Operation.Call("analyze_hillshade"))
            {
                call.Set("azimuth", azimuth, 315);
                call.Set("altitude", altitude, 45);
                call.Set("exaggeration", exaggeration, 1);
                Context.Call(context, c =>
                    Native.terrain_heightmap_pack_hillshade_u8(c, Handle, call.Values, cells, Distance));
            }
            return cells;
        }

        /// <summary>Writes all cells from bytes row by row: 0 becomes low, and 255 high.</summary>
        public void UnpackU8(byte[] cells, float low, float high, Context context = null)
        {
            CheckCount(cells);
            Context.Call(context, c => Native.terrain_heightmap_unpack_u8(c, cells, Distance, low, high, Handle));
        }

        /// <summary>The same with 65535 for high: what engines give as 16-bit heightmaps.</summary>
        public void UnpackU16(ushort[] cells, float low, float high, Context context = null)
        {
            CheckCount(cells);
            Context.Call(context, c => Native.terrain_heightmap_unpack_u16(c, cells, Distance, low, high, Handle));
        }

        /// <summary>Of rows that lie side by side.</summary>
        private UIntPtr Distance => (UIntPtr)(uint)Width;

        private void CheckCount(Array cells)
        {
            if (Check.NotNull(cells, nameof(cells)).LongLength != (long)Width * Height)
            {
                throw new ArgumentException(
                    $"a map of {Width}x{Height} has {(long)Width * Height} cells, not {cells.Length}", nameof(cells));
            }
        }
    }
}
