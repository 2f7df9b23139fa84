/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Threads, locks and conditions of POSIX or of Windows: what the pool and the world need. */

#ifndef TERRAIN_BASE_THREAD_H
#define TERRAIN_BASE_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#if defined(_WIN32)
/* An SRWLOCK, a CONDITION_VARIABLE (a pointer each), a HANDLE and a thread's number: <windows.h>
 * itself, with all its macros, stays in thread.c. */
typedef void *terrain__mutex;
typedef void *terrain__condition;
typedef void *terrain__thread_handle;
typedef uint32_t terrain__thread_id;
#else
#include <pthread.h>
typedef pthread_mutex_t terrain__mutex;
typedef pthread_cond_t terrain__condition;
typedef pthread_t terrain__thread_handle;
typedef pthread_t terrain__thread_id;
#endif

/* False if the system refuses; then there is nothing to destroy. */
bool terrain__mutex_init(terrain__mutex *mutex);
void terrain__mutex_destroy(terrain__mutex *mutex);
void terrain__mutex_lock(terrain__mutex *mutex);
/* False if another thread has it. */
bool terrain__mutex_try(terrain__mutex *mutex);
void terrain__mutex_unlock(terrain__mutex *mutex);

bool terrain__condition_init(terrain__condition *condition);
void terrain__condition_destroy(terrain__condition *condition);
/* Both release the mutex, sleep, and take it again. They may return early: look again at what was
 * waited for. */
void terrain__condition_wait(terrain__condition *condition, terrain__mutex *mutex);
void terrain__condition_wait_for(terrain__condition *condition, terrain__mutex *mutex,
                                 uint32_t milliseconds);
void terrain__condition_wake_one(terrain__condition *condition);
void terrain__condition_wake_all(terrain__condition *condition);

/* A thread that runs work(user). Stays where it is until it is joined. */
typedef struct terrain__thread {
    terrain__thread_handle handle;
    void (*work)(void *user);
    void *user;
} terrain__thread;

bool terrain__thread_start(terrain__thread *thread, void (*work)(void *user), void *user);
void terrain__thread_join(terrain__thread *thread);

terrain__thread_id terrain__thread_self(void);
bool terrain__thread_equal(terrain__thread_id a, terrain__thread_id b);

#endif
