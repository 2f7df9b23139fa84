// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.InteropServices;

namespace Libterrain
{
    /// <summary>What a parameter's values are; a newer library may have others.</summary>
    public enum ParameterType
    {
        /// <summary>A number.</summary>
        Float = 0,

        /// <summary>A whole number of 32 bits.</summary>
        Int32 = 1,

        /// <summary>A whole number of 32 bits, not negative.</summary>
        UInt32 = 2,

        /// <summary>A whole number of 64 bits.</summary>
        Int64 = 3,

        /// <summary>A whole number of 64 bits, not negative.</summary>
        UInt64 = 4,

        /// <summary>true or false.</summary>
        Bool = 5,

        /// <summary>One of the parameter's choices, by its name.</summary>
        Enum = 6,

        /// <summary>A map that is read.</summary>
        MapIn = 7,

        /// <summary>A map that is written.</summary>
        MapOut = 8,

        /// <summary>Numbers.</summary>
        FloatArray = 9,
    }

    /// <summary>How a parameter changes where a recipe is run at a scale s; the manual has a page about it.</summary>
    public enum Scaling
    {
        /// <summary>Not at all: heights, slopes, shares, choices, maps.</summary>
        Fixed = 1,

        /// <summary>Times s: lengths in cells.</summary>
        Length = 2,

        /// <summary>Times s, at least 1; 0 stays 0.</summary>
        Extent = 3,

        /// <summary>Times s, which must give a whole number within the range.</summary>
        Lattice = 4,

        /// <summary>The spacing of a coarse map.</summary>
        Spacing = 5,

        /// <summary>Times s * s: areas in cells.</summary>
        Area = 6,

        /// <summary>Times s, at least 1: iterations.</summary>
        Steps = 7,

        /// <summary>Divided by s: amounts for each iteration, or for each cell.</summary>
        Rate = 8,

        /// <summary>By a rule of the operation.</summary>
        Own = 9,
    }

    /// <summary>A value of an enum.</summary>
    public struct Choice
    {
        internal Choice(string name, string doc)
        {
            Name = name;
            Doc = doc;
        }

        /// <summary>What recipes and <see cref="Params"/> call it.</summary>
        public string Name { get; }

        /// <summary>What it does.</summary>
        public string Doc { get; }

        /// <inheritdoc/>
        public override string ToString()
        {
            return Name;
        }
    }

    /// <summary>A parameter of an operation, as the table has it.</summary>
    public sealed class Parameter
    {
        internal readonly IntPtr Place;
        internal readonly Native.ParameterRow Row;

        internal Parameter(IntPtr place, IEnumerable<Port> ports)
        {
            Place = place;
            Row = Marshal.PtrToStructure<Native.ParameterRow>(place);
            Name = Text.Of(Row.Name);
            Port = Row.Port == IntPtr.Zero ? null : ports.First(port => port.Offset == Row.Offset);
        }

        /// <summary>What it is called in recipes and by <see cref="Params"/>.</summary>
        public string Name { get; }

        /// <summary>"cells", "height", "slope"; "" if it has none.</summary>
        public string Unit => Text.Of(Row.Unit);

        /// <summary>What it means, in one line.</summary>
        public string Doc => Text.Of(Row.Doc);

        /// <summary>What its values are.</summary>
        public ParameterType Type => (ParameterType)Row.Type;

        /// <summary>
        /// The least value, of an array the least element. It is rounded where no double is so large, which only seeds
        /// are.
        /// </summary>
        public double Minimum => Number(Row.Minimum);

        /// <summary>The greatest value, or element, rounded alike.</summary>
        public double Maximum => Number(Row.Maximum);

        /// <summary>
        /// The default: of an enum the index of the choice, of a bool 0 or 1. Of maps and arrays, which there are none
        /// of by default, 0. <see cref="Params"/> that nothing was set in have it as text.
        /// </summary>
        public double Default => Number(Row.Default);

        /// <summary>The largest count of an array's elements.</summary>
        public int CountMaximum => (int)Row.CountMaximum;

        /// <summary>The values of an enum; none of anything else.</summary>
        public IReadOnlyList<Choice> Choices =>
            Enumerable.Range(0, Type == ParameterType.Enum ? (int)Row.Maximum + 1 : 0)
                .Select(index => new Choice(TextAt(Row.ValueNames, index), TextAt(Row.ValueDocs, index))).ToArray();

        /// <summary>The port of a map; null of anything else.</summary>
        public Port Port { get; }

        /// <summary>Whether it is a seed: another one gives another terrain.</summary>
        public bool IsSeed => Row.Role == 1;

        /// <summary>Whether only powers of two are allowed.</summary>
        public bool IsPowerOfTwo => Row.IsPowerOfTwo != 0;

        /// <summary>How it changes with the scale of a recipe's run.</summary>
        public Scaling Scaling => Native.terrain_parameter_scaling(Place);

        /// <summary>
        /// The name of another parameter that decides whether this one has an effect, as <see cref="Params.HasEffect"/>
        /// tells; null if it always has.
        /// </summary>
        public string When => Text.Of(Row.When);

        /// <summary>
        /// Where a slider for a number may begin and end: a part of the range around the default, or all of a small
        /// one. False for what is no number.
        /// </summary>
        public bool Slider(out double low, out double high)
        {
            return Native.terrain_parameter_slider(Place, out low, out high) == TerrainStatus.Success;
        }

        /// <inheritdoc/>
        public override string ToString()
        {
            return Name;
        }

        private double Number(long bits)
        {
            switch (Type)
            {
                case ParameterType.Float:
                case ParameterType.FloatArray:
                    return BitConverter.Int64BitsToDouble(bits);
                case ParameterType.Int32:
                case ParameterType.Int64:
                    return bits;
                default:
                    return (ulong)bits;
            }
        }

        private static string TextAt(IntPtr texts, int index)
        {
            return Text.Of(Marshal.ReadIntPtr(texts, index * IntPtr.Size));
        }
    }

    /// <summary>What an operation does with the map at a port.</summary>
    public enum PortRole
    {
        /// <summary>It is read.</summary>
        Read = 0,

        /// <summary>Every cell is written, none read.</summary>
        Write = 1,

        /// <summary>It is read, and written in place.</summary>
        Change = 2,
    }

    /// <summary>Which cells the map at a port has.</summary>
    public enum PortLattice
    {
        /// <summary>Those of the call's first map.</summary>
        Call = 0,

        /// <summary>A size of its own, which <see cref="Params.ResultWindow"/> tells.</summary>
        Own = 1,

        /// <summary>Cell (i, j) is the world's point (i, j) times the parameter that Port.Spacing names.</summary>
        Coarse = 2,
    }

    /// <summary>A map that an operation reads or writes.</summary>
    public sealed class Port
    {
        private readonly Native.PortRow row;

        internal Port(IntPtr place)
        {
            row = Marshal.PtrToStructure<Native.PortRow>(place);
            Name = Text.Of(row.Name);
        }

        internal uint Offset => row.Offset;

        /// <summary>The name of the argument, or of the parameter.</summary>
        public string Name { get; }

        /// <summary>Whether the map is read or written.</summary>
        public PortRole Role => row.Role;

        /// <summary>Which cells the map has.</summary>
        public PortLattice Lattice => row.Lattice;

        /// <summary>
        /// The name of the parameter with the distance of a coarse map's cells, a power of two; "" of other maps.
        /// </summary>
        public string Spacing => Text.Of(row.Spacing);

        /// <summary>Whether the map is among the parameters, and not one of the call's.</summary>
        public bool IsParameter => row.Offset != 0;

        /// <summary>Whether there may be none.</summary>
        public bool IsOptional => row.Optional != 0;

        /// <summary>
        /// Whether the map says where the operation applies: 0 keeps a cell, 1 takes the new height.
        /// </summary>
        public bool IsMask => row.Mask != 0;

        /// <summary>Whether the port stands for all maps of a grid.</summary>
        public bool IsGrid => row.Grid != 0;

        /// <inheritdoc/>
        public override string ToString()
        {
            return Name;
        }
    }
}
