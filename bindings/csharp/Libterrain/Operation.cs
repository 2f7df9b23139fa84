// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.InteropServices;

namespace Libterrain
{
    /// <summary>
    /// A row of the operation table: what the methods of Operations.cs call. Where a parameter's field lies, and what
    /// it is, the library says, which may be newer than this assembly.
    /// </summary>
    internal sealed class Operation
    {
        private static readonly Lazy<Dictionary<string, Operation>> Table = new Lazy<Dictionary<string, Operation>>(
            () => Enumerable.Range(0, (int)Native.terrain_operation_count())
                .Select(index => new Operation(Native.terrain_operation_at((uint)index)))
                .ToDictionary(operation => operation.name));

        private readonly string name;
        private readonly IntPtr row;
        private readonly UIntPtr size;
        private readonly Dictionary<string, Parameter> parameters;

        private Operation(IntPtr row)
        {
            this.row = row;
            name = Text.Of(Native.terrain_operation_name(row));
            size = Native.terrain_operation_params_size(row);
            parameters = Enumerable.Range(0, (int)Native.terrain_operation_parameter_count(row))
                .Select(index => new Parameter(Native.terrain_operation_parameter(row, (uint)index)))
                .ToDictionary(parameter => parameter.Name);
        }

        private sealed class Parameter
        {
            internal readonly IntPtr Place;
            internal readonly Native.ParameterRow Row;
            internal readonly string Name;

            internal Parameter(IntPtr place)
            {
                Place = place;
                Row = Marshal.PtrToStructure<Native.ParameterRow>(place);
                Name = Text.Of(Row.Name);
            }
        }

        /// <summary>
        /// A call of an operation, to be given its parameters by their names, with the defaults that this assembly
        /// knows: an older library may lack a parameter that has its default.
        /// </summary>
        internal sealed class Call : IDisposable
        {
            private readonly Operation operation;
            private readonly Scope scope = new Scope();

            /// <summary>The params struct.</summary>
            internal IntPtr Values { get; }

            internal Call(string name)
            {
                if (!Table.Value.TryGetValue(name, out operation))
                {
                    throw new NotSupportedException($"the library has no operation '{name}': it is too old");
                }
                Values = scope.Allocate((int)operation.size);
                TerrainException.Check(Native.terrain_operation_params_init(operation.row, Values, operation.size));
            }

            private bool Lacks(string name, bool isDefault)
            {
                return isDefault && !operation.parameters.ContainsKey(name);
            }

            private Parameter Find(string name)
            {
                return operation.parameters.TryGetValue(name, out Parameter parameter)
                    ? parameter
                    : throw new NotSupportedException($"the library's {operation.name} has no '{name}': it is too old");
            }

            internal void Set(string name, float value, float usual)
            {
                if (Lacks(name, value == usual))
                {
                    return;
                }
                long bits = BitConverter.DoubleToInt64Bits(value);
                TerrainException.Check(Native.terrain_parameter_set(Find(name).Place, Values, ref bits));
            }

            /// <summary>A whole number, or the index of an enum's value.</summary>
            internal void Set(string name, long value, long usual)
            {
                if (Lacks(name, value == usual))
                {
                    return;
                }
                Parameter parameter = Find(name);
                TerrainStatus status = Native.terrain_parameter_set(parameter.Place, Values, ref value);
                if (status != TerrainStatus.Success)
                {
                    // It has more bits than the field; the rest of the range the library checks when it is called.
                    string range = FormattableString.Invariant($"[{parameter.Row.Minimum}, {parameter.Row.Maximum}]");
                    throw new TerrainException(
                        status, FormattableString.Invariant($"{operation.name}: {name} is {value}, must be in {range}"));
                }
            }

            internal void Set(string name, ulong value, ulong usual)
            {
                Set(name, (long)value, (long)usual); // the same bits
            }

            internal void Set(string name, bool value, bool usual)
            {
                Set(name, value ? 1L : 0L, usual ? 1L : 0L);
            }

            internal void Set(string name, float[] value)
            {
                if (value != null)
                {
                    Native.ParameterRow row = Find(name).Row;
                    Marshal.WriteIntPtr(Values, (int)row.Offset, scope.Pin(value));
                    Marshal.WriteInt32(Values, (int)row.CountOffset, value.Length);
                }
            }

            internal void Set(string name, Heightmap map)
            {
                if (map != null)
                {
                    Marshal.WriteIntPtr(Values, (int)Find(name).Row.Offset, scope.Use(map.Handle));
                }
            }

            /// <summary>Calls it with the maps that are arguments, in the order of its ports.</summary>
            internal void Run(Context context, params Heightmap[] maps)
            {
                IntPtr ports = scope.Maps(maps);
                Context.Call(context, c =>
                    Native.terrain_operation_apply(c, operation.row, ports, (uint)maps.Length, Values));
            }

            /// <summary>The same, where the second map, the result, may be missing.</summary>
            internal Heightmap RunResult(Context context, Heightmap map, Heightmap result)
            {
                if (result != null)
                {
                    Run(context, map, result);
                    return result;
                }
                TerrainWindow window = map.Window;
                // If there is none, the call is refused with a sentence about it.
                if (Native.terrain_operation_result_window(operation.row, Values, ref window, out TerrainWindow own)
                    == TerrainStatus.Success)
                {
                    window = own;
                }
                return Heightmap.Make(window.Width, window.Height, made =>
                {
                    made.SetOrigin(window.X, window.Y);
                    Run(context, map, made);
                });
            }

            internal void RunGrid(Context context, Heightmap[,] maps)
            {
                uint rows = (uint)maps.GetLength(0), columns = (uint)maps.GetLength(1);
                IntPtr ports = scope.Maps(maps.Cast<Heightmap>());
                Context.Call(context, c =>
                    Native.terrain_operation_apply_grid(c, operation.row, ports, columns, rows, Values));
            }

            public void Dispose()
            {
                scope.Dispose();
            }
        }
    }
}
