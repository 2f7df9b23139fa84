// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

using System;

namespace Libterrain
{
    /// <summary>
    /// Statistics of several maps together, the same to the last bit in whatever order they are added or merged. It is
    /// for one thread at a time: give each thread its own, and merge them.
    /// </summary>
    public sealed class Tally : IDisposable
    {
        private readonly Handle handle;
        private readonly long[] bins; // where the library counts

        /// <summary>Of no cell yet.</summary>
        public Tally() : this(null)
        {
        }

        /// <summary>
        /// The same, which also counts the heights in equal parts of low to high, as <see cref="Heightmap.Histogram"/>.
        /// </summary>
        public Tally(float low, float high, int bins) : this(Bins(bins))
        {
            TerrainStatus status =
                Native.terrain_statistics_set_histogram(handle, low, high, handle.Pinned, (uint)bins);
            if (status != TerrainStatus.Success)
            {
                handle.Dispose();
                throw new TerrainException(status, FormattableString.Invariant(
                    $"low is {low}, high is {high}, must be low < high, both within 1e30 of 0"));
            }
        }

        private Tally(long[] bins)
        {
            this.bins = bins;
            handle = new Handle(Native.terrain_statistics_destroy, null, bins)
                .MakeWith(Native.terrain_statistics_create);
        }

        private static long[] Bins(int bins)
        {
            return bins >= 1 && bins <= 1 << 20
                ? new long[bins]
                : throw new TerrainException(
                    TerrainStatus.Range, FormattableString.Invariant($"bins is {bins}, must be in [1, 1048576]"));
        }

        /// <summary>The figures of all cells.</summary>
        public Statistics Statistics
        {
            get
            {
                using (handle.Alone("tally"))
                {
                    return new Statistics
                    {
                        Count = Native.terrain_statistics_count(handle),
                        NanCount = Native.terrain_statistics_nan_count(handle),
                        InfiniteCount = Native.terrain_statistics_infinite_count(handle),
                        Minimum = Native.terrain_statistics_minimum(handle),
                        Maximum = Native.terrain_statistics_maximum(handle),
                        Sum = Native.terrain_statistics_sum(handle),
                        Mean = Native.terrain_statistics_mean(handle),
                        Variance = Native.terrain_statistics_variance(handle),
                        StandardDeviation = Native.terrain_statistics_standard_deviation(handle),
                    };
                }
            }
        }

        /// <summary>The numbers of heights in the parts of low to high: a copy; null if it counts none.</summary>
        public long[] Histogram
        {
            get
            {
                using (handle.Alone("tally"))
                {
                    return (long[])bins?.Clone();
                }
            }
        }

        /// <summary>Adds all cells of a map. After an error the tally is what it was.</summary>
        public void Add(Heightmap map, Context context = null)
        {
            Handle added = Check.NotNull(map, nameof(map)).Handle;
            using (handle.Alone("tally"))
            {
                Context.Call(context, c => Native.terrain_statistics_add(c, handle, added));
            }
        }

        /// <summary>
        /// Adds what another tally has, which counts in the same parts of the same range, or in none as this one.
        /// </summary>
        public void Merge(Tally other)
        {
            Handle from = Check.NotItself(Check.NotNull(other, nameof(other)).handle, handle, "tally");
            using (handle.Alone("tally"))
            using (from.Alone("tally"))
            {
                TerrainException.Check(
                    Native.terrain_statistics_merge(handle, from), () => "the histograms of the two tallies differ");
            }
        }

        /// <summary>Forgets all cells.</summary>
        public void Reset()
        {
            using (handle.Alone("tally"))
            {
                Native.terrain_statistics_reset(handle);
            }
        }

        /// <summary>Frees the tally.</summary>
        public void Dispose()
        {
            handle.Dispose();
        }
    }

    /// <summary>
    /// The score of a terrain that is added in tiles, in any order: that of the whole, to the last bit, if each tile
    /// has a ring of buildingSize cells around its window wherever the terrain goes on, and all have one cell size. It
    /// is for one thread at a time: give each thread its own, and merge them.
    /// </summary>
    public sealed class ScoreTally : IDisposable
    {
        private readonly Handle handle;

        /// <summary>Of no cell yet, with the parameters of <see cref="Heightmap.Score"/>.</summary>
        public ScoreTally(
            float unitSlope = 0.5f, float buildingSlope = 0.125f, int unitSize = 1, int buildingSize = 9)
        {
            TerrainException.Check(
                Native.terrain_score_desc_init(out Native.ScoreDesc desc, Native.SizeOf<Native.ScoreDesc>()));
            desc.UnitSlope = unitSlope;
            desc.BuildingSlope = buildingSlope;
            desc.UnitSize = Check.Natural(unitSize, nameof(unitSize));
            desc.BuildingSize = Check.Natural(buildingSize, nameof(buildingSize));
            handle = Handle.Make(
                Native.terrain_score_destroy,
                (Handle c, out IntPtr made) => Native.terrain_score_create(c, ref desc, out made));
        }

        /// <summary>The score of all cells.</summary>
        public Score Score
        {
            get
            {
                using (handle.Alone("tally"))
                {
                    return new Score
                    {
                        Count = Native.terrain_score_count(handle),
                        Accessible = Native.terrain_score_accessible(handle),
                        Flat = Native.terrain_score_flat(handle),
                        Reachable = Native.terrain_score_reachable(handle),
                        Buildable = Native.terrain_score_buildable(handle),
                        Erosion = Native.terrain_score_erosion(handle),
                        MeanSlope = Native.terrain_score_mean_slope(handle),
                        Playability = Native.terrain_score_playability(handle),
                    };
                }
            }
        }

        /// <summary>
        /// Adds the cells of a window, as the world counts them, which no other window has; null: the whole map. Cells
        /// around it are read, as far as the map has them. After an error the tally is what it was.
        /// </summary>
        public void Add(Heightmap map, TerrainWindow? window = null, Context context = null)
        {
            Handle added = Check.NotNull(map, nameof(map)).Handle;
            TerrainWindow counted = window ?? map.Window;
            Check.Natural(counted.Width, nameof(counted.Width));
            Check.Natural(counted.Height, nameof(counted.Height));
            using (handle.Alone("tally"))
            {
                Context.Call(context, c => Native.terrain_score_add(c, handle, added, ref counted));
            }
        }

        /// <summary>
        /// Adds the cells of another tally of the same parameters, whose windows are none of this one's.
        /// </summary>
        public void Merge(ScoreTally other)
        {
            Handle from = Check.NotItself(Check.NotNull(other, nameof(other)).handle, handle, "tally");
            using (handle.Alone("tally"))
            using (from.Alone("tally"))
            {
                TerrainStatus status = Native.terrain_score_merge(handle, from);
                TerrainException.Check(status, () => status == TerrainStatus.Argument
                    ? "the parameters of the two tallies differ, or their windows overlap"
                    : null);
            }
        }

        /// <summary>Frees the tally.</summary>
        public void Dispose()
        {
            handle.Dispose();
        }
    }
}
