/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* pthread_cond_timedwait's clock is not in C11's headers by default. */
#define _DEFAULT_SOURCE

#include "base/thread.h"

#if defined(_WIN32)

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>

_Static_assert(sizeof(terrain__mutex) == sizeof(SRWLOCK), "an SRWLOCK is a pointer");
_Static_assert(sizeof(terrain__condition) == sizeof(CONDITION_VARIABLE), "so is a condition");
_Static_assert(sizeof(terrain__thread_id) == sizeof(DWORD), "a thread's number has 32 bits");

bool terrain__mutex_init(terrain__mutex *mutex)
{
    InitializeSRWLock((SRWLOCK *)mutex);
    return true;
}

void terrain__mutex_destroy(terrain__mutex *mutex)
{
    (void)mutex; /* holds nothing */
}

void terrain__mutex_lock(terrain__mutex *mutex)
{
    AcquireSRWLockExclusive((SRWLOCK *)mutex);
}

bool terrain__mutex_try(terrain__mutex *mutex)
{
    return TryAcquireSRWLockExclusive((SRWLOCK *)mutex) != 0;
}

void terrain__mutex_unlock(terrain__mutex *mutex)
{
    ReleaseSRWLockExclusive((SRWLOCK *)mutex);
}

bool terrain__condition_init(terrain__condition *condition)
{
    InitializeConditionVariable((CONDITION_VARIABLE *)condition);
    return true;
}

void terrain__condition_destroy(terrain__condition *condition)
{
    (void)condition; /* holds nothing */
}

void terrain__condition_wait(terrain__condition *condition, terrain__mutex *mutex)
{
    SleepConditionVariableSRW((CONDITION_VARIABLE *)condition, (SRWLOCK *)mutex, INFINITE, 0);
}

void terrain__condition_wait_for(terrain__condition *condition, terrain__mutex *mutex,
                                 uint32_t milliseconds)
{
    SleepConditionVariableSRW((CONDITION_VARIABLE *)condition, (SRWLOCK *)mutex, milliseconds, 0);
}

void terrain__condition_wake_one(terrain__condition *condition)
{
    WakeConditionVariable((CONDITION_VARIABLE *)condition);
}

void terrain__condition_wake_all(terrain__condition *condition)
{
    WakeAllConditionVariable((CONDITION_VARIABLE *)condition);
}

static DWORD WINAPI thread_begin(void *argument)
{
    const terrain__thread *thread = argument;
    thread->work(thread->user);
    return 0;
}

bool terrain__thread_start(terrain__thread *thread, void (*work)(void *user), void *user)
{
    thread->work = work;
    thread->user = user;
    thread->handle = CreateThread(NULL, 0, thread_begin, thread, 0, NULL);
    return thread->handle != NULL;
}

void terrain__thread_join(terrain__thread *thread)
{
    WaitForSingleObject(thread->handle, INFINITE);
    CloseHandle(thread->handle);
}

terrain__thread_id terrain__thread_self(void)
{
    return GetCurrentThreadId();
}

bool terrain__thread_equal(terrain__thread_id a, terrain__thread_id b)
{
    return a == b;
}

#else

#include <time.h>

bool terrain__mutex_init(terrain__mutex *mutex)
{
    return pthread_mutex_init(mutex, NULL) == 0;
}

void terrain__mutex_destroy(terrain__mutex *mutex)
{
    pthread_mutex_destroy(mutex);
}

void terrain__mutex_lock(terrain__mutex *mutex)
{
    pthread_mutex_lock(mutex);
}

bool terrain__mutex_try(terrain__mutex *mutex)
{
    return pthread_mutex_trylock(mutex) == 0;
}

void terrain__mutex_unlock(terrain__mutex *mutex)
{
    pthread_mutex_unlock(mutex);
}

/* Waits by the monotonic clock. Apple's threads can't, and wait for a length of time instead. */
bool terrain__condition_init(terrain__condition *condition)
{
#if defined(__APPLE__)
    return pthread_cond_init(condition, NULL) == 0;
#else
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0) {
        return false;
    }
    bool made = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
                pthread_cond_init(condition, &attributes) == 0;
    pthread_condattr_destroy(&attributes);
    return made;
#endif
}

void terrain__condition_destroy(terrain__condition *condition)
{
    pthread_cond_destroy(condition);
}

void terrain__condition_wait(terrain__condition *condition, terrain__mutex *mutex)
{
    pthread_cond_wait(condition, mutex);
}

void terrain__condition_wait_for(terrain__condition *condition, terrain__mutex *mutex,
                                 uint32_t milliseconds)
{
    struct timespec time = {0, 0};
#if !defined(__APPLE__)
    clock_gettime(CLOCK_MONOTONIC, &time);
#endif
    time.tv_sec += milliseconds / 1000;
    time.tv_nsec += milliseconds % 1000 * 1000000L;
    if (time.tv_nsec >= 1000000000) {
        time.tv_nsec -= 1000000000;
        time.tv_sec++;
    }
#if defined(__APPLE__)
    pthread_cond_timedwait_relative_np(condition, mutex, &time);
#else
    pthread_cond_timedwait(condition, mutex, &time);
#endif
}

void terrain__condition_wake_one(terrain__condition *condition)
{
    pthread_cond_signal(condition);
}

void terrain__condition_wake_all(terrain__condition *condition)
{
    pthread_cond_broadcast(condition);
}

static void *thread_begin(void *argument)
{
    const terrain__thread *thread = argument;
    thread->work(thread->user);
    return NULL;
}

bool terrain__thread_start(terrain__thread *thread, void (*work)(void *user), void *user)
{
    thread->work = work;
    thread->user = user;
    return pthread_create(&thread->handle, NULL, thread_begin, thread) == 0;
}

void terrain__thread_join(terrain__thread *thread)
{
    pthread_join(thread->handle, NULL);
}

terrain__thread_id terrain__thread_self(void)
{
    return pthread_self();
}

bool terrain__thread_equal(terrain__thread_id a, terrain__thread_id b)
{
    return pthread_equal(a, b) != 0;
}

#endif
