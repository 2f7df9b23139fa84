// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// The package without an await at its top: for those who say when it is loaded, and from where.

import * as library from '../dist/library.js';
import { fillVerbs } from './calls.js';
import { argumentError, checkOptions, errorOf } from './errors.js';
import { fillTable, versions } from './table.js';
import { instantiate } from './wasm.js';

let loading = null;

async function start(wasm) {
    await instantiate(wasm);
    const { version } = versions();
    if (version !== library.version) {
        throw argumentError(`load: wasm is libterrain ${version}, the package is ${library.version}`);
    }
    fillTable();
    fillVerbs();
}

/**
 * Loads the library, once, and returns what `import * as terrain from 'libterrain'` gives. `wasm` is dist/terrain.wasm: its
 * URL, its bytes, or a WebAssembly.Module of it.
 */
export async function load(options = {}) {
    checkOptions('load', options, ['wasm']);
    if (loading !== null && options.wasm !== undefined) {
        throw errorOf(-5, 'load: the library is loaded already: wasm goes into the first call');
    }
    loading ??= start(options.wasm);
    const mine = loading;
    try {
        await mine;
    } catch (error) {
        if (loading === mine) {
            loading = null; // another call may try again
        }
        throw error;
    }
    return library;
}
