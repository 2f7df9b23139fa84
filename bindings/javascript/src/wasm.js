// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// The library as it runs: its exports, its memory, and calls with a context of their own.

import { argumentError, errorOf } from './errors.js';

/** Functions that progress reports to: the last one belongs to the innermost call. */
const listeners = [];

/** Bytes of a page of WebAssembly's memory. */
const PAGE = 2 ** 16;

const imports = {
    binding: {
        // An exception can't cross the library: it cancels the call, which then throws it.
        report(fraction) {
            const listener = listeners.at(-1);
            if (listener?.progress && !listener.failed) {
                try {
                    listener.progress(fraction);
                } catch (error) {
                    listener.failed = true;
                    listener.error = error;
                }
            }
            return listener?.failed ? 1 : 0;
        },
    },
    // What the C library asks of a system: it has no environment, no files and no clock.
    wasi_snapshot_preview1: {
        environ_sizes_get(count, size) {
            view().setUint32(count, 0, true);
            view().setUint32(size, 0, true);
            return 0;
        },
        environ_get: () => 0,
        clock_time_get(_clock, _precision, time) {
            view().setBigInt64(time, BigInt(Math.round(performance.now() * 1e6)), true);
            return 0;
        },
        fd_write: () => 8,
        fd_read: () => 8,
        fd_seek: () => 8,
        fd_close: () => 8,
        proc_exit(code) {
            throw new Error(`libterrain ended with ${code}`);
        },
    },
    env: {
        // The library asks for what is missing, 64 KB at a time if need be, and each time takes up to a millisecond: so
        // this adds an eighth of all, if there is as much.
        emscripten_notify_memory_growth() {
            try {
                c.memory.grow(c.memory.buffer.byteLength / PAGE / 8);
            } catch {
                // the library has what it asked for
            }
        },
    },
};

/** The bytes at a URL; by default those of the package's own file. */
async function read(wasm) {
    let url;
    try {
        // Bundlers look for this very expression.
        url = wasm === undefined ? new URL('../dist/terrain.wasm', import.meta.url) : new URL(wasm, globalThis.location?.href);
    } catch {
        throw argumentError(`load: wasm is '${wasm}', must be a URL`);
    }
    if (url.protocol === 'file:') {
        const node = 'node:fs/promises'; // not in the call: bundlers for browsers have no such module
        const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ node);
        return readFile(url);
    }
    const response = await fetch(url);
    if (!response.ok) {
        throw errorOf(-11, `${url}: ${response.status} ${response.statusText}`);
    }
    return response.arrayBuffer();
}

async function moduleOf(wasm) {
    if (wasm instanceof WebAssembly.Module) {
        return wasm;
    }
    if (wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm)) {
        return WebAssembly.compile(wasm);
    }
    if (wasm === undefined || typeof wasm === 'string' || wasm instanceof URL) {
        return WebAssembly.compile(await read(wasm));
    }
    throw argumentError(`load: wasm must be a URL, bytes or a WebAssembly.Module, not ${kindOf(wasm)}`);
}

/** What the library exports, from when it is loaded. */
export let c;

/** Loads the library from terrain.wasm: its URL, its bytes or a module of it. */
export async function instantiate(wasm) {
    const module = await moduleOf(wasm);
    if (!WebAssembly.Module.exports(module).some(({ name }) => name === 'terrain_version')) {
        throw argumentError('load: wasm is not libterrain');
    }
    c = (await WebAssembly.instantiate(module, imports)).exports;
    c._initialize();
}

let cached = null;

/** All of its memory; not kept across a call, which may move it. */
export function view() {
    if (cached?.buffer !== c.memory.buffer) {
        cached = new DataView(c.memory.buffer);
    }
    return cached;
}

// A pointer that the library returns is a signed number: negative from 2 GiB on.
export const floatsAt = (pointer, count) => new Float32Array(c.memory.buffer, pointer >>> 0, count);
export const bytesAt = (pointer, count) => new Uint8Array(c.memory.buffer, pointer >>> 0, count);
export const halvesAt = (pointer, count) => new Uint16Array(c.memory.buffer, pointer >>> 0, count);
export const wordsAt = (pointer, count) => new Uint32Array(c.memory.buffer, pointer >>> 0, count);

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** The text at a pointer; null for NULL. */
export function textAt(pointer) {
    if (pointer === 0) {
        return null;
    }
    const bytes = new Uint8Array(c.memory.buffer, pointer >>> 0);
    return decoder.decode(bytes.subarray(0, bytes.indexOf(0)));
}

/** Memory for one call, freed at its end together with what else was put off until then. */
export class Scratch {
    #ends = [];

    later(end) {
        this.#ends.push(end);
    }

    allocate(bytes) {
        const pointer = bytes < 2 ** 32 ? c.malloc(Math.max(bytes, 1)) >>> 0 : 0;
        if (pointer === 0) {
            throw errorOf(-4, `${bytes} bytes do not fit into WebAssembly's memory`);
        }
        this.later(() => c.free(pointer));
        return pointer;
    }

    /** An array of pointers, or of other words. */
    words(values) {
        const pointer = this.allocate(4 * values.length);
        wordsAt(pointer, values.length).set(values);
        return pointer;
    }

    /** Text with its 0; `size` gets its bytes without it. */
    text(text) {
        const bytes = encoder.encode(text);
        const pointer = this.allocate(bytes.length + 1);
        new Uint8Array(c.memory.buffer, pointer, bytes.length + 1).set([...bytes, 0]);
        return { pointer, size: bytes.length };
    }

    /** A map's name as a text of C; 0 for none. */
    name(name) {
        if (name === undefined) {
            return 0;
        }
        if (typeof name !== 'string' || name.includes('\0')) {
            throw argumentError(`${typeof name === 'string' ? JSON.stringify(name) : kindOf(name)} is no map's name`);
        }
        return this.text(name).pointer;
    }

    free() {
        for (const end of this.#ends.reverse()) {
            end();
        }
        this.#ends = [];
    }
}

/** Calls work(scratch) and frees what it allocated. */
export function withScratch(work) {
    const scratch = new Scratch();
    const stack = c.stackSave(); // for an exception that comes out of the library
    try {
        return work(scratch);
    } finally {
        c.stackRestore(stack);
        scratch.free();
    }
}

/**
 * Throws the engine's RangeError where less than 100 KB of its stack are left: the library must not run out of it midway,
 * which would leave what it works on half done. Its calls take up to 13 KB in V8.
 */
function lookForRoom() {
    c.binding_room(25, 0);
}

const contexts = [];

/** Calls within each other's progress functions. Each takes up to 13 KB of the library's own stack, which has 1 MiB. */
const MOST_CALLS = 16;

/**
 * Calls a function of a context, which returns a status. A call within a progress function gets another context. `work`
 * only calls the library, within withScratch: an exception out of it has cut the library short, and then `lost` is called.
 */
export function call(progress, work, lost) {
    if (progress != null && typeof progress !== 'function') {
        throw argumentError(`progress must be a function, not ${kindOf(progress)}`);
    }
    const depth = listeners.length;
    if (depth === MOST_CALLS) {
        throw errorOf(-5, `calls within progress functions go ${MOST_CALLS} deep, and no deeper`);
    }
    lookForRoom();
    contexts[depth] ??= c.binding_context();
    if (contexts[depth] === 0) {
        contexts[depth] = undefined;
        throw errorOf(-4, '');
    }
    const listener = { progress, failed: false, error: undefined };
    let ended = false;
    listeners.push(listener);
    try {
        const status = work(contexts[depth]);
        ended = true;
        if (listener.failed) {
            throw listener.error;
        }
        if (status !== 0) {
            throw errorOf(status, textAt(c.terrain_context_message(contexts[depth])));
        }
    } finally {
        listeners.length = depth;
        if (!ended) {
            contexts[depth] = undefined; // it is busy for ever, and what it has is lost
            lost?.();
        }
    }
}

/** Calls a function that makes an object of the library, with arguments between context and result; returns the pointer
 * to it. */
export function create(make, argumentsOf) {
    return withScratch((scratch) => {
        const values = argumentsOf(scratch);
        const out = scratch.allocate(4);
        call(null, (context) => make(context, ...values, out));
        return view().getUint32(out, true);
    });
}

/** Scratch memory of calls on large maps is not kept. */
export function trim() {
    c.terrain_context_trim(contexts[listeners.length] ?? 0);
}

/** A value's kind, for messages. */
export function kindOf(value) {
    if (value === null) {
        return 'null';
    }
    return typeof value === 'object' ? (value.constructor?.name ?? 'object') : typeof value;
}

// ---- Objects of the library -----------------------------------------------------------------------

const registry = new FinalizationRegistry((handle) => handle.release());

/** An object of the library that others may be made of: it is destroyed when nobody needs it any more. */
export class Handle {
    #count = 1;

    constructor(pointer, destroy, parent) {
        this.pointer = pointer;
        this.destroy = destroy;
        this.parent = parent?.retain();
    }

    retain() {
        this.#count++;
        return this;
    }

    release() {
        if (--this.#count === 0) {
            this.destroy(this.pointer);
            this.parent?.release();
        }
    }
}

/** Holds a handle for an object that JavaScript sees, until that is freed or collected. */
export class Owner {
    #handle;
    #name;
    #gone = 'was freed';

    constructor(owner, name, handle) {
        this.#handle = handle;
        this.#name = name;
        registry.register(owner, handle, this);
    }

    get handle() {
        if (this.#handle === null) {
            throw argumentError(`the ${this.#name} ${this.#gone}`);
        }
        return this.#handle;
    }

    get pointer() {
        return this.handle.pointer;
    }

    /**
     * Calls work(context, pointer). A progress function may free the object meanwhile: it goes when the call has ended.
     * A call that is cut short leaves it as it stands, so nobody may touch it again, not even to free it.
     */
    call(progress, work) {
        const handle = this.handle.retain();
        const lost = () => {
            handle.retain();
            this.#handle = null;
            this.#gone = 'was lost in a call that was cut short';
        };
        try {
            call(progress, (context) => work(context, handle.pointer), lost);
        } finally {
            handle.release();
        }
    }

    free() {
        if (this.#handle !== null) {
            lookForRoom();
            registry.unregister(this);
            this.#handle.release();
            this.#handle = null;
        }
    }
}
