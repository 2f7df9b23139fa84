// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

using System;
using System.Runtime.InteropServices;

namespace Libterrain
{
    /// <summary>A rectangle of world cells.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct TerrainWindow : IEquatable<TerrainWindow>
    {
        /// <summary>The column of the first cell; it grows to the east.</summary>
        public long X;

        /// <summary>The row of the first cell; it grows to the south.</summary>
        public long Y;

        /// <summary>Cells of a row.</summary>
        public int Width;

        /// <summary>Rows.</summary>
        public int Height;

        /// <summary>Makes a window.</summary>
        public TerrainWindow(long x, long y, int width, int height)
        {
            X = x;
            Y = y;
            Width = width;
            Height = height;
        }

        /// <inheritdoc/>
        public bool Equals(TerrainWindow other)
        {
            return X == other.X && Y == other.Y && Width == other.Width && Height == other.Height;
        }

        /// <inheritdoc/>
        public override bool Equals(object other)
        {
            return other is TerrainWindow window && Equals(window);
        }

        /// <inheritdoc/>
        public override int GetHashCode()
        {
            return (X, Y, Width, Height).GetHashCode();
        }

        /// <inheritdoc/>
        public override string ToString()
        {
            return FormattableString.Invariant($"{Width}x{Height} at ({X}, {Y})");
        }
    }

    /// <summary>
    /// A heightmap: rows of heights from north to south, with a cell size, and a place in the endless world. It owns
    /// its cells, or is a map of yours. Any number of threads may read one at a time; whoever writes it needs it for
    /// himself.
    /// </summary>
    public sealed partial class Heightmap : IDisposable
    {
        private readonly long stride;

        /// <summary>A map of zeros, that owns its cells.</summary>
        public Heightmap(int width, int height)
            : this(width, height, Handle.Make(
                Native.terrain_heightmap_destroy,
                (Handle context, out IntPtr map) => Native.terrain_heightmap_create(
                    context, Check.Natural(width, nameof(width)), Check.Natural(height, nameof(height)), out map))
                .Weighing((long)sizeof(float) * width * height))
        {
        }

        private Heightmap(int width, int height, Handle handle)
        {
            Width = width;
            Height = height;
            Handle = handle;
            stride = (long)Native.terrain_heightmap_stride(handle);
        }

        internal Handle Handle { get; }

        /// <summary>Whether it was wrapped to be read only, or is a view of such a map: nothing writes it.</summary>
        public bool IsReadOnly => Native.terrain_heightmap_data(Handle) == IntPtr.Zero;

        /// <summary>Cells of a row.</summary>
        public int Width { get; }

        /// <summary>Rows.</summary>
        public int Height { get; }

        /// <summary>The distance of neighbouring cells, in the unit of the heights: from 1e-6 to 1e9.</summary>
        public float CellSize
        {
            get => Native.terrain_heightmap_cell_size(Handle);
            set => TerrainException.Check(
                Native.terrain_heightmap_set_cell_size(Handle, value),
                () => FormattableString.Invariant($"cell_size is {value}, must be in [1e-6, 1e9]"));
        }

        /// <summary>The cells of the world that the map has.</summary>
        public TerrainWindow Window
        {
            get
            {
                Native.terrain_heightmap_origin(Handle, out long x, out long y);
                return new TerrainWindow(x, y, Width, Height);
            }
        }

        /// <summary>
        /// Says where the first cell lies in the world. The whole map must lie within 2^62 cells of the world's origin.
        /// </summary>
        public void SetOrigin(long x, long y)
        {
            TerrainException.Check(
                Native.terrain_heightmap_set_origin(Handle, x, y),
                () => FormattableString.Invariant(
                    $"origin is ({x}, {y}), the map must lie within 2^62 of (0, 0)"));
        }

        /// <summary>
        /// A height. Outside the map it throws; of many cells <see cref="CopyTo(float[])"/> and <see cref="GetRow"/>
        /// are faster.
        /// </summary>
        public float this[int row, int column]
        {
            get
            {
                var cell = new float[1];
                Row(row, column, cell, 1, false);
                return cell[0];
            }
            set => Row(row, column, new[] { value }, 1, true);
        }

        /// <summary>A new map, which is freed if what is to fill it throws.</summary>
        internal static Heightmap Make(int width, int height, Action<Heightmap> fill)
        {
            var map = new Heightmap(width, height);
            try
            {
                fill(map);
                return map;
            }
            catch
            {
                map.Dispose();
                throw;
            }
        }

        // ---- Making one ---------------------------------------------------------------------------------------------

        /// <summary>A map that owns copies of the cells, row by row.</summary>
        public static Heightmap FromArray(float[] cells, int width, int height)
        {
            using (Heightmap array = Wrap(cells, width, height))
            {
                return array.Clone();
            }
        }

        /// <summary>A map that owns copies of the cells: <c>cells[row, column]</c>.</summary>
        public static Heightmap FromArray(float[,] cells)
        {
            using (Heightmap array = Wrap(cells))
            {
                return array.Clone();
            }
        }

        /// <summary>
        /// A map of these cells, without a copy, to be read and written, or, if you say so, read only. Rows are
        /// <paramref name="stride"/> floats apart, 0: the width; what lies between is left alone. The array does not
        /// move until the map is disposed of.
        /// </summary>
        public static Heightmap Wrap(float[] cells, int width, int height, int stride = 0, bool readOnly = false)
        {
            long distance = stride == 0 ? width : stride;
            if (Check.NotNull(cells, nameof(cells)).Length < (height - 1L) * distance + width)
            {
                throw new ArgumentException(
                    FormattableString.Invariant(
                        $"{cells.Length} floats don't hold {width}x{height} cells with rows {distance} apart"),
                    nameof(cells));
            }
            return Wrap(cells, pinned => pinned, width, height, stride, readOnly);
        }

        /// <summary>
        /// A map of these cells, without a copy: <c>cells[row, column]</c>, as Unity's terrains have it.
        /// </summary>
        public static Heightmap Wrap(float[,] cells, bool readOnly = false)
        {
            Check.NotNull(cells, nameof(cells));
            return Wrap(cells, pinned => pinned, cells.GetLength(1), cells.GetLength(0), 0, readOnly);
        }

        /// <summary>
        /// A map of memory of your own, such as a NativeArray's, which must be there, and large enough, until the map
        /// is disposed of, and no view of it is left.
        /// </summary>
        public static Heightmap Wrap(IntPtr cells, int width, int height, int stride = 0, bool readOnly = false)
        {
            return Wrap(null, pinned => cells, width, height, stride, readOnly);
        }

        private static Heightmap Wrap(
            Array pinned, Func<IntPtr, IntPtr> cells, int width, int height, int stride, bool readOnly)
        {
            uint columns = Check.Natural(width, nameof(width)), rows = Check.Natural(height, nameof(height));
            var distance = (UIntPtr)(stride == 0 ? columns : Check.Natural(stride, nameof(stride)));
            var handle = new Handle(Native.terrain_heightmap_destroy, null, pinned);
            return new Heightmap(width, height, handle.MakeWith((Handle context, out IntPtr map) =>
            {
                IntPtr first = cells(pinned == null ? IntPtr.Zero : handle.Pinned);
                return readOnly
                    ? Native.terrain_heightmap_wrap_const(context, first, columns, rows, distance, out map)
                    : Native.terrain_heightmap_wrap(context, first, columns, rows, distance, out map);
            }));
        }

        /// <summary>
        /// The rectangle whose first cell is in this row and column, without a copy: what is written there is written
        /// into this map. It has the map's cell size, and its place in the world.
        /// </summary>
        public Heightmap View(int row, int column, int width, int height)
        {
            uint y = Check.Natural(row, nameof(row)), x = Check.Natural(column, nameof(column));
            uint columns = Check.Natural(width, nameof(width)), rows = Check.Natural(height, nameof(height));
            return new Heightmap(width, height, Handle.Make(
                Native.terrain_heightmap_destroy,
                (Handle context, out IntPtr map) =>
                    Native.terrain_heightmap_view(context, Handle, x, y, columns, rows, out map),
                Handle));
        }

        /// <summary>A map that owns copies of the cells.</summary>
        public Heightmap Clone()
        {
            return new Heightmap(Width, Height, Handle.Make(
                Native.terrain_heightmap_destroy,
                (Handle context, out IntPtr map) => Native.terrain_heightmap_clone(context, Handle, out map))
                .Weighing((long)sizeof(float) * Width * Height));
        }

        /// <summary>Frees the map: at once, or when nothing uses it any more, a view or a call.</summary>
        public void Dispose()
        {
            Handle.Dispose();
        }

        // ---- Cells --------------------------------------------------------------------------------------------------

        /// <summary>Takes over the cells, cell size and origin of a map of equal size.</summary>
        public void CopyFrom(Heightmap source)
        {
            Handle from = Check.NotNull(source, nameof(source)).Handle;
            Context.Call(null, context => Native.terrain_heightmap_copy(context, from, Handle));
        }

        /// <summary>Takes over cells, row by row.</summary>
        public void CopyFrom(float[] cells)
        {
            CopyCells(Wrap(cells, Width, Height));
        }

        /// <summary>Takes over cells: <c>cells[row, column]</c>.</summary>
        public void CopyFrom(float[,] cells)
        {
            CopyCells(Wrap(cells));
        }

        private void CopyCells(Heightmap source)
        {
            using (source)
            {
                TerrainWindow window = Window;
                source.SetOrigin(window.X, window.Y);
                source.CellSize = CellSize;
                CopyFrom(source);
            }
        }

        /// <summary>Writes the cells into an array, row by row.</summary>
        public void CopyTo(float[] cells)
        {
            using (Heightmap array = Wrap(cells, Width, Height))
            {
                array.CopyFrom(this);
            }
        }

        /// <summary>Writes the cells into an array of the map's size: <c>cells[row, column]</c>.</summary>
        public void CopyTo(float[,] cells)
        {
            using (Heightmap array = Wrap(cells))
            {
                array.CopyFrom(this);
            }
        }

        /// <summary>All cells, row by row.</summary>
        public float[] ToArray()
        {
            var cells = new float[(long)Width * Height];
            CopyTo(cells);
            return cells;
        }

        /// <summary>Reads a row, into the beginning of an array.</summary>
        public void GetRow(int row, float[] cells)
        {
            CheckRow(cells);
            Row(row, 0, cells, Width, false);
        }

        /// <summary>Writes a row, from the beginning of an array.</summary>
        public void SetRow(int row, float[] cells)
        {
            CheckRow(cells);
            Row(row, 0, cells, Width, true);
        }

        private void CheckRow(float[] cells)
        {
            if (Check.NotNull(cells, nameof(cells)).Length < Width)
            {
                throw new ArgumentException($"a row has {Width} cells, the array {cells.Length}", nameof(cells));
            }
        }

        /// <summary>Reads or writes cells of a row.</summary>
        private void Row(int row, int column, float[] cells, int count, bool writes)
        {
            if (row < 0 || row >= Height)
            {
                throw new ArgumentOutOfRangeException(nameof(row), row, $"The map has {Height} rows.");
            }
            if (column < 0 || column > Width - count)
            {
                throw new ArgumentOutOfRangeException(nameof(column), column, $"A row has {Width} cells.");
            }
            bool used = false;
            try
            {
                Handle.DangerousAddRef(ref used);
                if (writes && IsReadOnly)
                {
                    throw new TerrainException(TerrainStatus.Argument, "the map is to be read only");
                }
                long first = (long)Native.terrain_heightmap_const_data(Handle);
                var place = (IntPtr)(first + sizeof(float) * (row * stride + column));
                if (writes)
                {
                    Marshal.Copy(cells, 0, place, count);
                }
                else
                {
                    Marshal.Copy(place, cells, 0, count);
                }
            }
            finally
            {
                if (used)
                {
                    Handle.DangerousRelease();
                }
            }
        }

        /// <summary>
        /// The fingerprint of size and cells, the same on every machine; <c>ToString("x16")</c> shows it as the manual
        /// does.
        /// </summary>
        public ulong Hash()
        {
            return Native.terrain_heightmap_hash(Handle);
        }

        /// <inheritdoc/>
        public override string ToString()
        {
            return $"Heightmap({Width}x{Height})";
        }
    }
}
