/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* system.h for Windows. */

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include "system.h"

double system_seconds(void)
{
    LARGE_INTEGER ticks, a_second;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&a_second);
    return (double)ticks.QuadPart / (double)a_second.QuadPart;
}

uint32_t system_processors(void)
{
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwNumberOfProcessors;
}

uint64_t system_memory(void)
{
    MEMORYSTATUSEX status;
    status.dwLength = sizeof status;
    return GlobalMemoryStatusEx(&status) != 0 ? status.ullTotalPhys : 0;
}

bool system_has_terminal(void)
{
    return _isatty(_fileno(stderr)) != 0;
}

void system_prepare_output(void)
{
    _setmode(_fileno(stdout), _O_BINARY);
    _setmode(_fileno(stderr), _O_BINARY);
}

bool system_is_unread(int error)
{
    return error == EPIPE || error == EINVAL; /* EINVAL is what its C library makes of it */
}

/* ---- Interrupts ------------------------------------------------------------------------------ */

static bool (*interrupt_ask)(void);

/* The system's thread for it. FALSE: the system does what it would have done without us, which is
 * to end the program. A console that is closed does not wait for us: asked twice, we end at
 * once. */
static BOOL WINAPI system_on_event(DWORD event)
{
    if (event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT) {
        return interrupt_ask() ? TRUE : FALSE;
    }
    if (interrupt_ask()) {
        interrupt_ask();
    }
    return FALSE;
}

void system_catch_interrupts(bool (*ask)(void))
{
    const bool first = interrupt_ask == NULL;
    interrupt_ask = ask;
    if (first) {
        SetConsoleCtrlHandler(system_on_event, TRUE);
    }
}

/* ---- Files ----------------------------------------------------------------------------------- */

static void system_set_errno(void)
{
    switch (GetLastError()) {
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
        errno = EACCES;
        break;
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
        errno = ENOENT;
        break;
    case ERROR_DISK_FULL:
        errno = ENOSPC;
        break;
    default:
        errno = EIO;
    }
}

bool system_is_separator(char letter)
{
    return letter == '/' || letter == '\\';
}

/* Links are replaced, not followed. */
char *system_link(const char *path)
{
    (void)path;
    errno = 0;
    return NULL;
}

bool system_identity(const char *path, uint64_t identity[2])
{
    BY_HANDLE_FILE_INFORMATION info;
    const DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    HANDLE file =
        CreateFileA(path, 0, share, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (file == INVALID_HANDLE_VALUE) {
        return false;
    }
    const bool known = GetFileInformationByHandle(file, &info) != 0;
    CloseHandle(file);
    identity[0] = info.dwVolumeSerialNumber;
    identity[1] = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow;
    return known;
}

/* A file has its folder's rights. */
FILE *system_create(char *name, const char *replaced)
{
    (void)replaced;
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    char *end = name + strlen(name) - 6;
    for (int tries = 0; tries < 100; tries++) {
        LARGE_INTEGER ticks;
        QueryPerformanceCounter(&ticks);
        uint64_t bits = (uint64_t)ticks.QuadPart * UINT64_C(0x9E3779B97F4A7C15) ^
                        (uint64_t)GetCurrentThreadId() * UINT64_C(0xD6E8FEB86659FD93);
        for (int i = 0; i < 6; i++, bits >>= 8) {
            end[i] = letters[(bits & 0xFF) % (sizeof letters - 1)];
        }
        const int descriptor =
            _open(name, _O_RDWR | _O_CREAT | _O_EXCL | _O_BINARY, _S_IREAD | _S_IWRITE);
        if (descriptor >= 0) {
            FILE *file = _fdopen(descriptor, "w+b");
            if (file == NULL) {
                _close(descriptor);
                remove(name);
            }
            return file;
        }
        if (errno != EEXIST) {
            return NULL;
        }
    }
    return NULL;
}

bool system_rename(const char *from, const char *to)
{
    if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING) != 0) {
        return true;
    }
    system_set_errno();
    return false;
}
