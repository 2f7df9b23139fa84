// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

using System;

namespace Libterrain
{
    /// <summary>What a vertex's three numbers are.</summary>
    public enum MeshAxes
    {
        /// <summary>East, up, south: right-handed, as Godot, glTF and OpenGL.</summary>
        YUp = 0,

        /// <summary>East, north, up: right-handed, as maps and Blender.</summary>
        ZUp = 1,

        /// <summary>East, up, north: left-handed, as Unity.</summary>
        YUpLeft = 2,

        /// <summary>East, south, up: left-handed, as Unreal.</summary>
        ZUpLeft = 3,
    }

    /// <summary>In which order a triangle's corners come, seen from above.</summary>
    public enum MeshWinding
    {
        /// <summary>The front of glTF and OpenGL.</summary>
        Anticlockwise = 0,

        /// <summary>The front of Unity, Godot and Direct3D.</summary>
        Clockwise = 1,
    }

    /// <summary>Along which diagonal a square is cut.</summary>
    public enum MeshDiagonal
    {
        /// <summary>From its north-eastern to its south-western corner, all of them.</summary>
        Fixed = 0,

        /// <summary>Along that whose ends differ less in height.</summary>
        Flatter = 1,
    }

    /// <summary>How a mesh is made.</summary>
    public sealed class MeshOptions
    {
        /// <summary>
        /// The cells that become vertices, as the world counts them; of width 0: all of the map. A ring of one cell
        /// around it makes normals equal those of the neighbouring tiles.
        /// </summary>
        public TerrainWindow Window { get; set; }

        /// <summary>What the numbers are.</summary>
        public MeshAxes Axes { get; set; }

        /// <summary>Which way triangles face.</summary>
        public MeshWinding Winding { get; set; }

        /// <summary>How squares are cut.</summary>
        public MeshDiagonal Diagonal { get; set; }

        internal static Native.MeshDesc Desc(MeshOptions options)
        {
            TerrainException.Check(
                Native.terrain_mesh_desc_init(out Native.MeshDesc desc, Native.SizeOf<Native.MeshDesc>()));
            if (options != null)
            {
                Check.Natural(options.Window.Width, "Window.Width");
                Check.Natural(options.Window.Height, "Window.Height");
                desc.Window = options.Window;
                desc.Axes = options.Axes;
                desc.Winding = options.Winding;
                desc.Diagonal = options.Diagonal;
            }
            return desc;
        }
    }

    /// <summary>A vertex for each cell, row by row, and two triangles for each square of four.</summary>
    public sealed class TerrainMesh
    {
        internal TerrainMesh(int vertices, int indices)
        {
            Positions = new float[3L * vertices];
            Normals = new float[3L * vertices];
            Indices = new int[indices];
        }

        /// <summary>Three for each vertex. They begin at the window's first cell, not at the world's origin.</summary>
        public float[] Positions { get; }

        /// <summary>Three for each vertex: unit vectors at right angles to the surface.</summary>
        public float[] Normals { get; }

        /// <summary>Three for each triangle.</summary>
        public int[] Indices { get; }
    }

    public sealed partial class Heightmap
    {
        private delegate TerrainStatus WriteVertices(
            Handle context, Handle map, ref Native.MeshDesc desc, IntPtr buffer, UIntPtr stride);

        /// <summary>The surface for a renderer.</summary>
        public TerrainMesh ToMesh(MeshOptions options = null, Context context = null)
        {
            MeshSize(out int vertices, out int indices, options);
            var mesh = new TerrainMesh(vertices, indices);
            MeshPositions(mesh.Positions, 0, 3, options, context);
            MeshNormals(mesh.Normals, 0, 3, options, context);
            MeshIndices(mesh.Indices, options, context);
            return mesh;
        }

        /// <summary>The numbers of vertices and of indices that a mesh has, for buffers of your own.</summary>
        public void MeshSize(out int vertices, out int indices, MeshOptions options = null)
        {
            MeshSize(MeshOptions.Desc(options), out vertices, out indices);
        }

        private void MeshSize(Native.MeshDesc desc, out int vertices, out int indices)
        {
            uint vertexCount = 0, indexCount = 0;
            Context.Call(null, c => Native.terrain_mesh_size(c, Handle, ref desc, out vertexCount, out indexCount));
            vertices = checked((int)vertexCount);
            indices = checked((int)indexCount);
        }

        /// <summary>
        /// Writes the vertices' positions: the first at an offset in the buffer, the others each
        /// <paramref name="stride"/> floats on, at least 3. What lies between is left alone. The buffer may end with
        /// the last vertex's three.
        /// </summary>
        public void MeshPositions(
            float[] buffer, int offset = 0, int stride = 3, MeshOptions options = null, Context context = null)
        {
            Vertices(Native.terrain_mesh_positions, buffer, offset, stride, options, context);
        }

        /// <summary>Writes the vertices' normals, as <see cref="MeshPositions"/> writes positions.</summary>
        public void MeshNormals(
            float[] buffer, int offset = 0, int stride = 3, MeshOptions options = null, Context context = null)
        {
            Vertices(Native.terrain_mesh_normals, buffer, offset, stride, options, context);
        }

        /// <summary>Writes the indices of the triangles at the buffer's beginning.</summary>
        public void MeshIndices(int[] buffer, MeshOptions options = null, Context context = null)
        {
            Native.MeshDesc desc = MeshOptions.Desc(options);
            MeshSize(desc, out int _, out int indices);
            CheckBuffer(buffer, indices);
            Context.Call(context, c => Native.terrain_mesh_indices(c, Handle, ref desc, buffer));
        }

        private void Vertices(
            WriteVertices write, float[] buffer, int offset, int stride, MeshOptions options, Context context)
        {
            Native.MeshDesc desc = MeshOptions.Desc(options);
            long first = Check.Natural(offset, nameof(offset)), distance = Check.Natural(stride, nameof(stride));
            MeshSize(desc, out int vertices, out int _);
            CheckBuffer(buffer, first + (vertices - 1) * distance + 3);
            using (var scope = new Scope())
            {
                var place = (IntPtr)((long)scope.Pin(buffer) + sizeof(float) * first);
                Context.Call(context, c => write(c, Handle, ref desc, place, (UIntPtr)(ulong)distance));
            }
        }

        private static void CheckBuffer(Array buffer, long needed)
        {
            if (Check.NotNull(buffer, nameof(buffer)).LongLength < needed)
            {
                throw new ArgumentException(
                    $"the buffer has {buffer.Length} numbers, must have {needed}", nameof(buffer));
            }
        }
    }
}
