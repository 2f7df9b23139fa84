// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

using System;

namespace Libterrain
{
    /// <summary>The shared library that the assembly calls.</summary>
    public static class Library
    {
        /// <summary>The library's version that the assembly was written for.</summary>
        private static readonly Version Wanted = new Version("0.1.0");

        /// <summary>The library's version.</summary>
        public static Version Version
        {
            get
            {
                int number = (int)Native.terrain_version();
                return new Version(number / 1000000, number / 1000 % 1000, number % 1000);
            }
        }

        /// <summary>
        /// The version of the results: libraries of one number give the same bits for the same calls.
        /// </summary>
        public static int ResultsVersion => (int)Native.terrain_results_version();

        /// <summary>
        /// Throws if the binary interface may be another one: until 1.0 each minor version has its own, from then on
        /// each major one.
        /// </summary>
        internal static void Check()
        {
            Version found = Version;
            if (found.Major != Wanted.Major || found.Major == 0 && found.Minor != Wanted.Minor)
            {
                throw new NotSupportedException($"the library is {found}, the assembly is for {Wanted}");
            }
        }
    }
}
