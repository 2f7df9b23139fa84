// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

using System;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using System.Threading;

namespace Libterrain
{
    /// <summary>Sets of instructions that there are kernels for. All give the same bits.</summary>
    public enum Isa
    {
        /// <summary>What the compiler assumes of its target: SSE2, NEON, and so on.</summary>
        Baseline = 0,

        /// <summary>AVX2.</summary>
        Avx2 = 1,

        /// <summary>AVX-512: F, BW, DQ and VL.</summary>
        Avx512 = 2,

        /// <summary>The best one that the processor has.</summary>
        Best = 0x7FFFFFFF,
    }

    /// <summary>
    /// Threads of your own, a parallel for: calls <paramref name="task"/> with each number below
    /// <paramref name="count"/>, which is at most 64, in any order and on any threads, and returns when all are done. A
    /// task never throws, and waits for no other. A runner must not ask a world for a tile, nor wait for a thread that
    /// does.
    /// </summary>
    public delegate void Runner(int count, Action<int> task);

    /// <summary>
    /// One worker's toolbox: threads, progress, cancelling, and scratch memory that is used again. It is for one thread
    /// at a time. Calls without a context run on the calling thread, and keep nothing.
    /// </summary>
    public sealed class Context : IDisposable
    {
        private static readonly Native.Report Report = OnReport;
        private static readonly Native.RunTasks RunTasks = OnRunTasks;

        /// <summary>The innermost call that this thread is in. Callbacks come on the thread of the call.</summary>
        [ThreadStatic]
        private static Frame current;

        /// <summary>The context of this thread's calls without one.</summary>
        [ThreadStatic]
        private static Context own;

        private readonly Handle handle;
        private readonly Runner runner;

        /// <summary>
        /// A context with so many threads of the library's own, 1 to 256, the calling one among them. The results don't
        /// depend on it, nor on the instruction set.
        /// </summary>
        /// <param name="threads">How many threads work on a call.</param>
        /// <param name="maxIsa">The best instruction set that calls may use: for measuring and testing.</param>
        /// <param name="partialResults">
        /// Whether a cancelled call may leave its map half written, which saves a copy of maps too large to hold twice.
        /// </param>
        public Context(int threads = 1, Isa maxIsa = Isa.Best, bool partialResults = false)
            : this(null, threads, maxIsa, partialResults)
        {
        }

        /// <summary>
        /// A context whose work threads of your own do: <c>(count, task) => Parallel.For(0, count, task)</c>.
        /// </summary>
        /// <param name="runner">The parallel for.</param>
        /// <param name="maxIsa">The best instruction set that calls may use: for measuring and testing.</param>
        /// <param name="partialResults">Whether a cancelled call may leave its map half written.</param>
        public Context(Runner runner, Isa maxIsa = Isa.Best, bool partialResults = false)
            : this(Check.NotNull(runner, nameof(runner)), 1, maxIsa, partialResults)
        {
        }

        private Context(Runner runner, int threads, Isa maxIsa, bool partialResults)
        {
            Library.Check(); // each call has a context
            this.runner = runner;
            TerrainException.Check(
                Native.terrain_context_desc_init(out Native.ContextDesc desc, Native.SizeOf<Native.ContextDesc>()));
            desc.MaxIsa = (uint)maxIsa;
            desc.Flags |= partialResults ? Native.PartialResults : 0;
            desc.Progress.Function = Marshal.GetFunctionPointerForDelegate(Report);
            Handle pool = null;
            if (runner != null)
            {
                desc.Runner.Function = Marshal.GetFunctionPointerForDelegate(RunTasks);
            }
            else if (threads != 1)
            {
                pool = new Handle(Native.terrain_pool_destroy);
                uint count = Check.Natural(threads, nameof(threads));
                TerrainStatus status = Native.terrain_pool_create(count, out IntPtr made);
                pool.Set(made);
                TerrainException.Check(
                    status, () => status == TerrainStatus.Range ? $"threads is {threads}, must be in [1, 256]" : null);
                Native.terrain_pool_runner(pool, out desc.Runner);
            }
            using (pool) // the context keeps it
            {
                handle = new Handle(Native.terrain_context_destroy, pool == null ? null : new[] { pool });
            }
            TerrainStatus created = Native.terrain_context_create(ref desc, out IntPtr context);
            handle.Set(context);
            TerrainException.Check(
                created, () => created == TerrainStatus.Range ? $"maxIsa is {maxIsa}, must be a value of Isa" : null);
        }

        /// <summary>
        /// Called on the calling thread, between the passes of long calls and the parts of long passes, with the share
        /// that is done, at last 1. What it throws ends the call and comes out of it; at 1 the maps may be written. It
        /// must not use the context, nor ask a world for a tile. For an IProgress, its Report.
        /// </summary>
        public Action<float> Progress { get; set; }

        /// <summary>
        /// Cancels the calls that begin while it is set: they throw an OperationCanceledException. A call that has
        /// nearly ended may still succeed.
        /// </summary>
        public CancellationToken CancellationToken { get; set; }

        /// <summary>The set of instructions that calls use.</summary>
        public Isa Isa => Native.terrain_context_isa(handle);

        /// <summary>Gives scratch memory back.</summary>
        public void Trim()
        {
            Native.terrain_context_trim(handle);
        }

        /// <summary>Frees the context. A call that is using it ends first.</summary>
        public void Dispose()
        {
            handle.Dispose();
        }

        /// <summary>Makes a call of the library with a context, or with one of the thread's own.</summary>
        internal static void Call(Context context, Func<Handle, TerrainStatus> function)
        {
            if (context != null)
            {
                context.Call(function);
                return;
            }
            own = own ?? new Context();
            try
            {
                own.Call(function);
            }
            finally
            {
                own.Trim();
            }
        }

        private void Call(Func<Handle, TerrainStatus> function)
        {
            var frame = new Frame { Outer = current, Context = this, Progress = Progress, Token = CancellationToken };
            frame.Token.ThrowIfCancellationRequested();
            using (handle.Alone("context")) // else the message might be another call's
            {
                current = frame;
                try
                {
                    TerrainStatus status = function(handle);
                    frame.Thrown?.Throw();
                    if (status == TerrainStatus.Cancelled)
                    {
                        throw new OperationCanceledException(frame.Token);
                    }
                    if (status != TerrainStatus.Success)
                    {
                        TerrainException.Check(status, () => Text.Of(Native.terrain_context_message(handle)));
                    }
                }
                catch (EntryPointNotFoundException exception)
                {
                    throw new NotSupportedException($"the library is too old: {exception.Message}", exception);
                }
                finally
                {
                    current = frame.Outer;
                }
            }
        }

        [MonoPInvokeCallback(typeof(Native.Report))]
        private static int OnReport(IntPtr user, double share)
        {
            Frame frame = current;
            if (frame.Token.IsCancellationRequested)
            {
                return 1;
            }
            return frame.Progress == null ? 0 : frame.Try(() => frame.Progress((float)share));
        }

        [MonoPInvokeCallback(typeof(Native.RunTasks))]
        private static int OnRunTasks(IntPtr user, uint count, IntPtr task, IntPtr job)
        {
            Frame frame = current;
            var tasks = new Tasks(task, job);
            int outcome = frame.Try(() => frame.Context.runner((int)count, tasks.Run));
            tasks.End();
            return outcome;
        }

        /// <summary>A call that is running.</summary>
        private sealed class Frame
        {
            internal Frame Outer;
            internal Context Context;
            internal Action<float> Progress;
            internal CancellationToken Token;
            internal ExceptionDispatchInfo Thrown;

            /// <summary>
            /// Keeps what a callback throws, to be thrown when the call has ended. 0 if it throws nothing.
            /// </summary>
            internal int Try(Action callback)
            {
                try
                {
                    callback();
                    return 0;
                }
                catch (Exception exception)
                {
                    Thrown = Thrown ?? ExceptionDispatchInfo.Capture(exception);
                    return 1;
                }
            }
        }

        /// <summary>The tasks of a pass, which nobody runs after its end, whatever the runner does.</summary>
        private sealed class Tasks
        {
            private readonly Native.RunTask task;
            private readonly IntPtr job;
            private int running;
            private bool ended;

            internal Tasks(IntPtr task, IntPtr job)
            {
                this.task = Marshal.GetDelegateForFunctionPointer<Native.RunTask>(task);
                this.job = job;
            }

            internal void Run(int index)
            {
                lock (this)
                {
                    if (ended)
                    {
                        throw new InvalidOperationException("The runner has returned: its tasks are gone.");
                    }
                    running++;
                }
                task(job, (uint)index); // a number that is none of the pass's does nothing
                lock (this)
                {
                    running--;
                    Monitor.PulseAll(this);
                }
            }

            internal void End()
            {
                lock (this)
                {
                    ended = true;
                    while (running > 0)
                    {
                        Monitor.Wait(this);
                    }
                }
            }
        }
    }

    /// <summary>
    /// Marks what the library calls: compilers ahead of time, as Unity's IL2CPP, know it by its name.
    /// </summary>
    [AttributeUsage(AttributeTargets.Method)]
    internal sealed class MonoPInvokeCallbackAttribute : Attribute
    {
        internal MonoPInvokeCallbackAttribute(Type type)
        {
            Type = type;
        }

        internal Type Type { get; }
    }
}
