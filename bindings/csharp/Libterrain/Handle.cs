// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text;
using System.Threading;

namespace Libterrain
{
    /// <summary>
    /// An object of the library's. It is freed when nobody uses it any more: when it was disposed of, or nobody has it,
    /// and no call is using it, and what needs it is gone. So objects may be disposed of, or finalised, in any order.
    /// </summary>
    internal sealed class Handle : SafeHandle
    {
        internal delegate TerrainStatus Maker(Handle context, out IntPtr made);

        private readonly Action<IntPtr> destroy;
        private readonly List<Handle> kept = new List<Handle>();
        private GCHandle pin;
        private long weight;
        private int busy;

        /// <summary>The handles and the array, of which either may be null, stay until this one is freed.</summary>
        internal Handle(Action<IntPtr> destroy, IEnumerable<Handle> needed = null, Array pinned = null)
            : base(IntPtr.Zero, true)
        {
            this.destroy = destroy;
            foreach (Handle each in needed ?? new Handle[0])
            {
                bool added = false;
                each.DangerousAddRef(ref added);
                kept.Add(each);
            }
            if (pinned != null)
            {
                pin = GCHandle.Alloc(pinned, GCHandleType.Pinned);
            }
        }

        /// <summary>Never: what it needs is given back even where no object was made.</summary>
        public override bool IsInvalid => false;

        /// <summary>The pinned array's first element.</summary>
        internal IntPtr Pinned => pin.AddrOfPinnedObject();

        /// <summary>What a call of the library makes.</summary>
        internal static Handle Make(Action<IntPtr> destroy, Maker maker, params Handle[] needed)
        {
            return new Handle(destroy, needed).MakeWith(maker);
        }

        internal Handle MakeWith(Maker maker, Context context = null)
        {
            try
            {
                Context.Call(context, c =>
                {
                    TerrainStatus status = maker(c, out IntPtr made);
                    Set(made);
                    return status;
                });
                return this;
            }
            catch
            {
                Dispose();
                throw;
            }
        }

        /// <summary>Takes over what was made.</summary>
        internal void Set(IntPtr made)
        {
            SetHandle(made);
        }

        /// <summary>Tells the collector how much memory the object takes, to look for forgotten ones in time.</summary>
        internal Handle Weighing(long bytes)
        {
            weight = bytes;
            GC.AddMemoryPressure(bytes);
            return this;
        }

        /// <summary>
        /// Takes the object for a caller alone, until what it gives is disposed of. Throws where it is in use, by this
        /// thread or by another one, and where it was disposed of.
        /// </summary>
        internal Use Alone(string what)
        {
            bool added = false;
            DangerousAddRef(ref added);
            if (Interlocked.Exchange(ref busy, 1) != 0)
            {
                DangerousRelease();
                throw new TerrainException(TerrainStatus.Busy, $"the {what} is in use");
            }
            return new Use(this);
        }

        /// <summary>What one caller does with the object.</summary>
        internal struct Use : IDisposable
        {
            private readonly Handle used;

            internal Use(Handle used)
            {
                this.used = used;
            }

            public void Dispose()
            {
                Volatile.Write(ref used.busy, 0);
                used.DangerousRelease();
            }
        }

        protected override bool ReleaseHandle()
        {
            if (handle != IntPtr.Zero)
            {
                destroy(handle);
            }
            if (weight > 0)
            {
                GC.RemoveMemoryPressure(weight);
            }
            foreach (Handle each in kept)
            {
                each.DangerousRelease();
            }
            if (pin.IsAllocated)
            {
                pin.Free();
            }
            return true;
        }
    }

    /// <summary>
    /// What a call needs while it runs: memory, texts, arrays that don't move, maps that are not freed.
    /// </summary>
    internal sealed class Scope : IDisposable
    {
        private readonly List<IntPtr> blocks = new List<IntPtr>();
        private readonly List<GCHandle> pins = new List<GCHandle>();
        private readonly List<Handle> handles = new List<Handle>();

        internal IntPtr Allocate(int bytes)
        {
            IntPtr block = Marshal.AllocHGlobal(bytes);
            blocks.Add(block);
            return block;
        }

        internal IntPtr Pin(Array array)
        {
            pins.Add(GCHandle.Alloc(array, GCHandleType.Pinned));
            return pins[pins.Count - 1].AddrOfPinnedObject();
        }

        /// <summary>A text as C has it; null is NULL.</summary>
        internal IntPtr Text(string text)
        {
            return text == null ? IntPtr.Zero : Pin(Libterrain.Text.Bytes(text));
        }

        internal IntPtr Texts(IEnumerable<string> texts)
        {
            return Pointers(texts, Text);
        }

        /// <summary>null is NULL.</summary>
        internal IntPtr Use(Handle handle)
        {
            if (handle == null)
            {
                return IntPtr.Zero;
            }
            bool added = false;
            handle.DangerousAddRef(ref added);
            handles.Add(handle);
            return handle.DangerousGetHandle();
        }

        internal IntPtr Maps(IEnumerable<Heightmap> maps)
        {
            return Pointers(maps, map => Use(map?.Handle));
        }

        private IntPtr Pointers<T>(IEnumerable<T> all, Func<T, IntPtr> pointer)
        {
            var pointers = new List<IntPtr>();
            foreach (T each in all)
            {
                pointers.Add(pointer(each));
            }
            return Pin(pointers.ToArray());
        }

        public void Dispose()
        {
            blocks.ForEach(Marshal.FreeHGlobal);
            pins.ForEach(pin => pin.Free());
            handles.ForEach(handle => handle.DangerousRelease());
        }
    }

    /// <summary>Texts of C.</summary>
    internal static class Text
    {
        internal static string Of(IntPtr text)
        {
            if (text == IntPtr.Zero)
            {
                return null;
            }
            int length = 0;
            while (Marshal.ReadByte(text, length) != 0)
            {
                length++;
            }
            var bytes = new byte[length];
            Marshal.Copy(text, bytes, 0, length);
            return Encoding.UTF8.GetString(bytes);
        }

        /// <summary>With a 0 at the end, and none before.</summary>
        internal static byte[] Bytes(string text)
        {
            if (text.IndexOf('\0') >= 0)
            {
                throw new ArgumentException("A text must not have a character 0.");
            }
            return Encoding.UTF8.GetBytes(text + "\0");
        }
    }

    /// <summary>Checks of arguments that the library can't make.</summary>
    internal static class Check
    {
        internal static uint Natural(int value, string name)
        {
            return (uint)Natural((long)value, name);
        }

        internal static ulong Natural(long value, string name)
        {
            return value >= 0
                ? (ulong)value
                : throw new ArgumentOutOfRangeException(name, value, "It must not be negative.");
        }

        internal static T NotNull<T>(T value, string name) where T : class
        {
            return value ?? throw new ArgumentNullException(name);
        }

        internal static Handle NotItself(Handle from, Handle into, string what)
        {
            return from != into
                ? from
                : throw new TerrainException(TerrainStatus.Argument, $"a {what} can't be merged with itself");
        }
    }
}
