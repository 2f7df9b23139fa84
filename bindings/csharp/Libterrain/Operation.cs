// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.InteropServices;

namespace Libterrain
{
    /// <summary>How an endless world computes an operation.</summary>
    public enum Tiling
    {
        /// <summary>Not at all.</summary>
        None = 0,

        /// <summary>Tile by tile.</summary>
        Windows = 1,

        /// <summary>By overlapping regions, each of which is solved whole.</summary>
        Regions = 2,
    }

    /// <summary>
    /// A row of the operation table, which the methods of Operations.cs call. It says what the library knows of an
    /// operation: also where a parameter's field lies, as the library may be newer than this assembly.
    /// </summary>
    public sealed class Operation
    {
        private static readonly Lazy<Operation[]> Rows = new Lazy<Operation[]>(() =>
        {
            Library.Check();
            return Enumerable.Range(0, (int)Native.terrain_operation_count())
                .Select(index => new Operation(Native.terrain_operation_at((uint)index))).ToArray();
        });

        private static readonly Lazy<Dictionary<string, Operation>> Table = new Lazy<Dictionary<string, Operation>>(
            () => Rows.Value.ToDictionary(operation => operation.Name));

        private readonly UIntPtr size;
        private readonly Dictionary<string, Parameter> parameters;

        private Operation(IntPtr row)
        {
            Row = row;
            Name = Text.Of(Native.terrain_operation_name(row));
            size = Native.terrain_operation_params_size(row);
            Ports = Enumerable.Range(0, (int)Native.terrain_operation_port_count(row))
                .Select(index => new Port(Native.terrain_operation_port_at(row, (uint)index))).ToArray();
            Parameters = Enumerable.Range(0, (int)Native.terrain_operation_parameter_count(row))
                .Select(index => new Parameter(Native.terrain_operation_parameter(row, (uint)index), Ports)).ToArray();
            parameters = Parameters.ToDictionary(parameter => parameter.Name);
        }

        internal IntPtr Row { get; }

        /// <summary>All operations. Another release may have others between them.</summary>
        public static IReadOnlyList<Operation> All => Rows.Value;

        /// <summary>The operation of that name, as recipes have it: erode_thermal. null if there is none.</summary>
        public static Operation Find(string name)
        {
            Table.Value.TryGetValue(Check.NotNull(name, nameof(name)), out Operation operation);
            return operation;
        }

        /// <summary>What it is called in recipes: erode_thermal.</summary>
        public string Name { get; }

        /// <summary>How the name begins: erode.</summary>
        public string Verb => Text.Of(Native.terrain_operation_verb(Row));

        /// <summary>What it does, in one line.</summary>
        public string Summary => Text.Of(Native.terrain_operation_summary(Row));

        /// <summary>Where it comes from.</summary>
        public string Reference => Text.Of(Native.terrain_operation_reference(Row));

        /// <summary>How worlds compute it, perhaps with other parameters than the defaults.</summary>
        public Tiling Tiling => Native.terrain_operation_tiling(Row);

        /// <summary>Grows by one with each release that changes the operation's results.</summary>
        public int ResultVersion => (int)Native.terrain_operation_result_version(Row);

        /// <summary>The parameters, in the order of the table.</summary>
        public IReadOnlyList<Parameter> Parameters { get; }

        /// <summary>
        /// The maps that it reads and writes: first those of the call, then those among its parameters.
        /// </summary>
        public IReadOnlyList<Port> Ports { get; }

        /// <inheritdoc/>
        public override string ToString()
        {
            return Name;
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
                : this(Operation.Find(name)
                    ?? throw new NotSupportedException($"the library has no operation '{name}': it is too old"))
            {
            }

            internal Call(Operation operation)
            {
                this.operation = operation;
                Values = scope.Allocate((int)operation.size);
                TerrainException.Check(Native.terrain_operation_params_init(operation.Row, Values, operation.size));
            }

            private bool Lacks(string name, bool isDefault)
            {
                return isDefault && !operation.parameters.ContainsKey(name);
            }

            private Parameter Find(string name)
            {
                return operation.parameters.TryGetValue(name, out Parameter parameter)
                    ? parameter
                    : throw new NotSupportedException($"the library's {operation.Name} has no '{name}': it is too old");
            }

            internal void Set(string name, float value, float usual)
            {
                if (!Lacks(name, value == usual))
                {
                    SetBits(name, BitConverter.DoubleToInt64Bits(value));
                }
            }

            /// <summary>A value as the library has it, which was checked.</summary>
            internal void SetBits(string name, long bits)
            {
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
                        status,
                        FormattableString.Invariant($"{operation.Name}: {name} is {value}, must be in {range}"));
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
                    Native.terrain_operation_apply(c, operation.Row, ports, (uint)maps.Length, Values));
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
                if (Native.terrain_operation_result_window(operation.Row, Values, ref window, out TerrainWindow own)
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
                    Native.terrain_operation_apply_grid(c, operation.Row, ports, columns, rows, Values));
            }

            public void Dispose()
            {
                scope.Dispose();
            }
        }
    }
}
