/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What the library uses of Windows, as its documentation declares it: with these headers clang
 * compiles for MSVC's target where Microsoft's are not. Nothing can be linked with them. */

#pragma once

#include <stddef.h>

#define WINAPI __stdcall
#define INFINITE 0xFFFFFFFFu

typedef unsigned long DWORD;
typedef int BOOL;
typedef unsigned char BOOLEAN;
typedef void *HANDLE;
typedef DWORD(WINAPI *LPTHREAD_START_ROUTINE)(void *);
typedef struct {
    void *Ptr;
} SRWLOCK, CONDITION_VARIABLE;

void WINAPI InitializeSRWLock(SRWLOCK *);
void WINAPI AcquireSRWLockExclusive(SRWLOCK *);
BOOLEAN WINAPI TryAcquireSRWLockExclusive(SRWLOCK *);
void WINAPI ReleaseSRWLockExclusive(SRWLOCK *);
void WINAPI InitializeConditionVariable(CONDITION_VARIABLE *);
BOOL WINAPI SleepConditionVariableSRW(CONDITION_VARIABLE *, SRWLOCK *, DWORD, unsigned long);
void WINAPI WakeConditionVariable(CONDITION_VARIABLE *);
void WINAPI WakeAllConditionVariable(CONDITION_VARIABLE *);
HANDLE WINAPI CreateThread(void *, size_t, LPTHREAD_START_ROUTINE, void *, DWORD, DWORD *);
DWORD WINAPI WaitForSingleObject(HANDLE, DWORD);
BOOL WINAPI CloseHandle(HANDLE);
DWORD WINAPI GetCurrentThreadId(void);
