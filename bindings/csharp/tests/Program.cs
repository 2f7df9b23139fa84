// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

using System;
using System.Linq;
using System.Reflection;

namespace Libterrain.Tests
{
    /// <summary>
    /// Runs all public methods of the classes whose names end with Tests: <c>mono tests.exe SOURCES [TIMES]</c>.
    /// </summary>
    internal static class Program
    {
        internal static string Sources { get; private set; }

        private static int Main(string[] arguments)
        {
            Sources = arguments[0];
            int times = arguments.Length > 1 ? int.Parse(arguments[1]) : 1, passed = 0, failed = 0;
            var tests = Assembly.GetExecutingAssembly().GetTypes().Where(type => type.Name.EndsWith("Tests"))
                .SelectMany(type => type.GetMethods(BindingFlags.Static | BindingFlags.Public)).ToList();
            for (int time = 0; time < times; time++)
            {
                foreach (MethodInfo test in tests)
                {
                    try
                    {
                        ((Action)Delegate.CreateDelegate(typeof(Action), test))();
                        passed++;
                    }
                    catch (Exception exception)
                    {
                        failed++;
                        Console.WriteLine($"FAILED {test.DeclaringType.Name}.{test.Name}: {exception}");
                    }
                    GC.Collect(); // what is left behind is finalised in any order, and now
                    GC.WaitForPendingFinalizers();
                }
            }
            Console.WriteLine($"{passed} passed, {failed} failed");
            return failed == 0 ? 0 : 1;
        }
    }

    internal static class Expect
    {
        internal static void Equal<T>(T expected, T found)
        {
            if (!Equals(expected, found))
            {
                throw new Exception($"expected {expected}, found {found}");
            }
        }

        internal static void True(bool holds, string what)
        {
            if (!holds)
            {
                throw new Exception($"it does not hold that {what}");
            }
        }

        internal static T Throws<T>(Action action) where T : Exception
        {
            try
            {
                action();
            }
            catch (T exception)
            {
                return exception;
            }
            throw new Exception($"no {typeof(T).Name} was thrown");
        }

        internal static void Refused(TerrainStatus status, string message, Action action)
        {
            var exception = Throws<TerrainException>(action);
            Equal(status, exception.Status);
            True(exception.Message.Contains(message), $"'{exception.Message}' has '{message}'");
        }
    }
}
