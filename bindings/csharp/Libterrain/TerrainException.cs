// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

using System;

namespace Libterrain
{
    /// <summary>Why the library refused or could not do something.</summary>
    public enum TerrainStatus
    {
        /// <summary>It has done it.</summary>
        Success = 0,

        /// <summary>Maps of unequal size, a name that there isn't.</summary>
        Argument = -1,

        /// <summary>A value outside its range.</summary>
        Range = -2,

        /// <summary>A map that is written shares memory with another one of the call.</summary>
        Alias = -3,

        /// <summary>No memory, or more than a limit.</summary>
        Memory = -4,

        /// <summary>
        /// The context or the world is in use, by another thread or further up in this thread's calls.
        /// </summary>
        Busy = -5,

        /// <summary>Cancelled. Calls throw an OperationCanceledException instead.</summary>
        Cancelled = -6,

        /// <summary>The runner did not run every task.</summary>
        Runner = -7,

        /// <summary>A global operation in an endless world, for example.</summary>
        Unsupported = -8,

        /// <summary>The library was built in a way that changes its results.</summary>
        Build = -9,

        /// <summary>A recipe's text is wrong; the message has line, column and what was expected.</summary>
        Syntax = -10,

        /// <summary>The operating system refused something.</summary>
        System = -11,
    }

    /// <summary>
    /// What the library refused: a status, and its sentence about it. Every map is what it was before the call.
    /// </summary>
    public sealed class TerrainException : Exception
    {
        internal TerrainException(TerrainStatus status, string message) : base(message)
        {
            Status = status;
        }

        /// <summary>What kind of error it is; a newer library may have others.</summary>
        public TerrainStatus Status { get; }

        /// <summary>
        /// Throws unless the status is a success, with that sentence, or, where there is none, the status's name.
        /// </summary>
        internal static void Check(TerrainStatus status, Func<string> message = null)
        {
            if (status != TerrainStatus.Success)
            {
                string text = message?.Invoke();
                throw new TerrainException(
                    status, string.IsNullOrEmpty(text) ? Text.Of(Native.terrain_status_name(status)) : text);
            }
        }
    }
}
