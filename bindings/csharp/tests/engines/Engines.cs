// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// What the manual's examples use of Unity and of Godot, to compile them where neither is. Nothing here is run.

namespace UnityEngine
{
    public struct Vector3
    {
        public float x;

        public float z;

        public Vector3(float x, float y, float z)
        {
            this.x = x;
            this.z = z;
        }
    }

    public class MonoBehaviour
    {
        public Transform transform => null;

        public T GetComponent<T>()
        {
            return default(T);
        }
    }

    public class Transform
    {
        public Vector3 localPosition { get; set; }
    }

    public class Terrain
    {
        public TerrainData terrainData { get; set; }
    }

    public class TerrainData
    {
        public int heightmapResolution { get; set; }

        public Vector3 size { get; set; }

        public void SetHeights(int xBase, int yBase, float[,] heights)
        {
        }
    }

    public enum MeshTopology
    {
        Triangles,
    }

    public class Mesh
    {
        public Rendering.IndexFormat indexFormat { get; set; }

        public void SetVertexBufferParams(int vertexCount, params Rendering.VertexAttributeDescriptor[] attributes)
        {
        }

        public void SetVertexBufferData<T>(T[] data, int dataStart, int meshBufferStart, int count) where T : struct
        {
        }

        public void SetIndices(int[] indices, MeshTopology topology, int submesh)
        {
        }
    }

    public class MeshFilter
    {
        public Mesh mesh { get; set; }
    }
}

namespace UnityEngine.Rendering
{
    public enum IndexFormat
    {
        UInt32,
    }

    public enum VertexAttribute
    {
        Position,
        Normal,
    }

    public struct VertexAttributeDescriptor
    {
        public VertexAttributeDescriptor(VertexAttribute attribute)
        {
        }
    }
}

namespace Godot
{
    public class Node
    {
        public virtual void _Ready()
        {
        }

        public void AddChild(Node node)
        {
        }

        public T GetNode<T>(string path)
        {
            return default(T);
        }
    }

    public class StaticBody3D : Node
    {
    }

    public class CollisionShape3D : Node
    {
        public Shape3D Shape { get; set; }
    }

    public class Shape3D
    {
    }

    public class HeightMapShape3D : Shape3D
    {
        public int MapWidth { get; set; }

        public int MapDepth { get; set; }

        public float[] MapData { get; set; }
    }

    public class MeshInstance3D : Node
    {
        public Material MaterialOverride { get; set; }
    }

    public class Material
    {
    }

    public class ShaderMaterial : Material
    {
        public void SetShaderParameter(string name, Texture value)
        {
        }
    }

    public class Texture
    {
    }

    public class ImageTexture : Texture
    {
        public static ImageTexture CreateFromImage(Image image)
        {
            return null;
        }
    }

    public class Image
    {
        public enum Format
        {
            Rf,
        }

        public static Image CreateFromData(int width, int height, bool useMipmaps, Format format, byte[] data)
        {
            return null;
        }
    }
}
