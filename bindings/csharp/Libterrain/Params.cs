// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;

namespace Libterrain
{
    /// <summary>
    /// An operation's parameters, set by name: a call of an operation that is known to nobody but the table. What is
    /// not set has its default. They are for one thread at a time.
    /// </summary>
    public sealed class Params
    {
        /// <summary>What was set: the bits of a value, a float[], a map, or null for none of these two.</summary>
        private readonly Dictionary<string, object> values = new Dictionary<string, object>();

        /// <summary>The defaults.</summary>
        public Params(Operation operation)
        {
            Operation = Check.NotNull(operation, nameof(operation));
        }

        /// <summary>Whose parameters they are.</summary>
        public Operation Operation { get; }

        // ---- Values -------------------------------------------------------------------------------------------------

        /// <summary>
        /// Sets a value as recipes write it: <c>0.6</c>, <c>true</c>, <c>musgrave</c>, <c>3,1,5</c>. After an error the
        /// parameter is what it was.
        /// </summary>
        public void Set(string name, string text)
        {
            Parameter parameter = Find(name);
            Check.NotNull(text, nameof(text));
            if (parameter.Type == ParameterType.FloatArray)
            {
                Set(name, text.Split(',').Select(each => (float)BitConverter.Int64BitsToDouble(Read(parameter, each)))
                    .ToArray());
                return;
            }
            values[name] = Read(parameter, text);
        }

        /// <summary>Sets a number, which is rounded to a float, or a whole number.</summary>
        public void Set(string name, double value)
        {
            Set(name, value, FormattableString.Invariant($"{value:R}"));
        }

        /// <summary>Sets a whole number, or a number.</summary>
        public void Set(string name, long value)
        {
            Set(name, value, FormattableString.Invariant($"{value}"));
        }

        /// <summary>Sets a whole number, a seed for example, or a number.</summary>
        public void Set(string name, ulong value)
        {
            Set(name, value, FormattableString.Invariant($"{value}"));
        }

        private void Set(string name, double value, string text)
        {
            Parameter parameter = Find(name);
            if (parameter.Type != ParameterType.Float)
            {
                Set(name, text);
                return;
            }
            CheckRange(parameter, (float)value, text);
            values[name] = BitConverter.DoubleToInt64Bits((float)value);
        }

        /// <summary>Sets a bool.</summary>
        public void Set(string name, bool value)
        {
            Set(name, value ? "true" : "false");
        }

        /// <summary>Sets an array to copies of the numbers; null: none.</summary>
        public void Set(string name, float[] value)
        {
            Parameter parameter = Find(name);
            if (parameter.Type != ParameterType.FloatArray)
            {
                throw Wrong(parameter, "an array");
            }
            if (value?.Length > parameter.CountMaximum)
            {
                throw Refusal(
                    TerrainStatus.Range,
                    $"{parameter} has {value.Length} numbers, may have {parameter.CountMaximum}");
            }
            foreach (float each in value ?? new float[0])
            {
                CheckRange(parameter, each, FormattableString.Invariant($"{each:R}"));
            }
            values[name] = value?.Clone();
        }

        /// <summary>Sets a map, to be read or written by each call; null: none. Who sets it disposes of it.</summary>
        public void Set(string name, Heightmap map)
        {
            Parameter parameter = Find(name);
            values[name] = parameter.Port != null ? map : throw Wrong(parameter, "a map");
        }

        /// <summary>A value as recipes write it. Maps have none.</summary>
        public string Get(string name)
        {
            Parameter parameter = Find(name);
            if (parameter.Port != null)
            {
                throw Wrong(parameter, "text");
            }
            values.TryGetValue(name, out object value);
            return parameter.Type == ParameterType.FloatArray
                ? string.Join(",", ((float[])value ?? new float[0])
                    .Select(each => Show(parameter, BitConverter.DoubleToInt64Bits(each))))
                : Show(parameter, (long?)value ?? parameter.Row.Default);
        }

        /// <summary>
        /// Whether a parameter has an effect with the others as they are. The library ignores one that has none; a
        /// recipe that sets it is refused.
        /// </summary>
        public bool HasEffect(string name)
        {
            Parameter parameter = Find(name);
            using (Operation.Call call = Make())
            {
                return Native.terrain_operation_parameter_counts(Operation.Row, parameter.Place, call.Values) != 0;
            }
        }

        /// <summary>
        /// The parameters of a recipe's statement: those that are not the default and have an effect, but no maps.
        /// </summary>
        public override string ToString()
        {
            var defaults = new Params(Operation);
            return string.Join(" ", Operation.Parameters
                .Where(each => each.Port == null && Get(each.Name) != defaults.Get(each.Name) && HasEffect(each.Name))
                .Select(each => $"{each.Name}={Get(each.Name)}"));
        }

        private Parameter Find(string name)
        {
            return Operation.Parameters.FirstOrDefault(each => each.Name == Check.NotNull(name, nameof(name)))
                ?? throw Refusal(TerrainStatus.Argument, $"it has no parameter '{name}'");
        }

        private long Read(Parameter parameter, string text)
        {
            long bits = 0;
            byte[] bytes = Libterrain.Text.Bytes(text);
            TerrainStatus status = Native.terrain_parameter_parse(parameter.Place, bytes, ref bits);
            if (status == TerrainStatus.Range)
            {
                throw OutOfRange(parameter, text);
            }
            if (status != TerrainStatus.Success)
            {
                throw Refusal(status, $"{parameter} is '{text}', must be {Kind(parameter)}");
            }
            return bits;
        }

        private void CheckRange(Parameter parameter, float value, string text)
        {
            if (!(value >= (float)parameter.Minimum && value <= (float)parameter.Maximum))
            {
                throw OutOfRange(parameter, text);
            }
        }

        private TerrainException OutOfRange(Parameter parameter, string text)
        {
            string low = Show(parameter, parameter.Row.Minimum), high = Show(parameter, parameter.Row.Maximum);
            return Refusal(TerrainStatus.Range, $"{parameter} is {text}, must be in [{low}, {high}]");
        }

        private static string Kind(Parameter parameter)
        {
            switch (parameter.Type)
            {
                case ParameterType.Float:
                    return "a number";
                case ParameterType.FloatArray:
                    return "numbers with commas between";
                case ParameterType.Bool:
                    return "true or false";
                case ParameterType.Enum:
                    return "one of " + string.Join(", ", parameter.Choices);
                default:
                    return parameter.Port != null ? "a map" : "a whole number";
            }
        }

        private static string Show(Parameter parameter, long bits)
        {
            var text = new byte[Native.ParameterTextSize];
            TerrainException.Check(
                Native.terrain_parameter_format(parameter.Place, ref bits, text, (UIntPtr)(uint)text.Length));
            return Encoding.UTF8.GetString(text, 0, Array.IndexOf(text, (byte)0));
        }

        private TerrainException Wrong(Parameter parameter, string given)
        {
            return Refusal(TerrainStatus.Argument, $"{parameter} is {Kind(parameter)}, not {given}");
        }

        private TerrainException Refusal(TerrainStatus status, string what)
        {
            return new TerrainException(status, $"{Operation}: {what}");
        }

        // ---- Calls --------------------------------------------------------------------------------------------------

        /// <summary>
        /// Calls the operation with the maps of its ports that are no parameters, in their order; of a grid with those
        /// of a row. After an error every map is what it was.
        /// </summary>
        public void Apply(IReadOnlyList<Heightmap> maps, Context context = null)
        {
            Check.NotNull(maps, nameof(maps));
            using (Operation.Call call = Make())
            {
                call.Run(context, maps.ToArray());
            }
        }

        /// <summary>
        /// Calls an operation on a grid with maps that are neighbours: <c>maps[row, column]</c>, from the north.
        /// </summary>
        public void ApplyGrid(Heightmap[,] maps, Context context = null)
        {
            Check.NotNull(maps, nameof(maps));
            using (Operation.Call call = Make())
            {
                call.RunGrid(context, maps);
            }
        }

        /// <summary>
        /// How many cells beyond a cell its result depends on, at most; null: it may be every cell of the map.
        /// </summary>
        public int? Halo()
        {
            using (Operation.Call call = Make())
            {
                CheckCall(Native.terrain_operation_halo(Operation.Row, call.Values, out uint cells));
                return cells == uint.MaxValue ? (int?)null : (int)cells;
            }
        }

        /// <summary>
        /// Which window of the map at a port is needed for that window of the result, to the last bit. Ports are
        /// counted as <see cref="Operation.Ports"/> has them.
        /// </summary>
        public TerrainWindow Window(int port, TerrainWindow result)
        {
            uint index = Check.Natural(port, nameof(port));
            CheckWindow(result, nameof(result));
            using (Operation.Call call = Make())
            {
                CheckCall(Native.terrain_operation_window(
                    Operation.Row, call.Values, index, ref result, out TerrainWindow needed));
                return needed;
            }
        }

        /// <summary>
        /// Which window the result has of a map with that window: the same unless the operation changes sizes.
        /// </summary>
        public TerrainWindow ResultWindow(TerrainWindow map)
        {
            CheckWindow(map, nameof(map));
            using (Operation.Call call = Make())
            {
                CheckCall(Native.terrain_operation_result_window(
                    Operation.Row, call.Values, ref map, out TerrainWindow result));
                return result;
            }
        }

        private static void CheckWindow(TerrainWindow window, string name)
        {
            Check.Natural(window.Width, name);
            Check.Natural(window.Height, name);
        }

        /// <summary>The status of a function without a context, in a sentence.</summary>
        private void CheckCall(TerrainStatus status)
        {
            switch (status)
            {
                case TerrainStatus.Argument:
                    throw Refusal(status, "it reads no map at that port");
                case TerrainStatus.Range:
                    throw Refusal(status, "a value or the window is outside its range");
                case TerrainStatus.Unsupported:
                    throw Refusal(status, "it is global: any cell may depend on every other");
                default:
                    TerrainException.Check(status);
                    break;
            }
        }

        private Operation.Call Make()
        {
            var call = new Operation.Call(Operation);
            try
            {
                foreach (KeyValuePair<string, object> each in values)
                {
                    if (each.Value is float[] array)
                    {
                        call.Set(each.Key, array);
                    }
                    else if (each.Value is Heightmap map)
                    {
                        call.Set(each.Key, map);
                    }
                    else if (each.Value is long bits)
                    {
                        call.SetBits(each.Key, bits);
                    }
                }
                return call;
            }
            catch // a map was disposed of
            {
                call.Dispose();
                throw;
            }
        }
    }
}
