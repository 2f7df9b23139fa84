// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// Guards against a library that can't be loaded from where a program has it, and against mistakes there that nobody is
// told of. Each load has a thread of its own, since a program loads once.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import * as terrain from 'libterrain';
import { load } from 'libterrain/load';

const { resolve: resolvePackage } = createRequire(import.meta.url);
const FILE = resolvePackage('libterrain/terrain.wasm');
const BYTES = readFileSync(FILE);
const HASH = terrain.generate.noise({ width: 8, height: 8 }).hash();

/** What a thread's script sends; `given` is its workerData. It has load and hashOf. */
function inThread(script, given) {
    const url = (name) => JSON.stringify(pathToFileURL(resolvePackage(name)).href);
    const code = `
        import { parentPort, workerData as given } from 'node:worker_threads';
        import { load } from ${url('libterrain/load')};
        const hashOf = (terrain) => terrain.generate.noise({ width: 8, height: 8 }).hash();
        const failed = async (promise) => promise.then(() => 'loaded', (error) => error.name + ': ' + error.message);
        const fromPackage = () => import(${url('libterrain')});
        const answer = await (async () => { ${script} })();
        parentPort.postMessage(answer);
    `;
    return new Promise((resolve, reject) => {
        const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), { workerData: given });
        worker.once('message', resolve).once('error', reject);
    });
}

test('from a URL, bytes and a module', async () => {
    const shared = new Uint8Array(new ArrayBuffer(BYTES.length + 7), 7);
    shared.set(BYTES);
    const wasms = [undefined, pathToFileURL(FILE).href, BYTES, shared, shared.buffer.slice(7), new WebAssembly.Module(BYTES)];
    for (const wasm of wasms) {
        assert.equal(await inThread('return hashOf(await load(given === undefined ? {} : { wasm: given }));', wasm), HASH);
    }
    const script = 'return hashOf(await load({ wasm: new URL(given) }));';
    assert.equal(await inThread(script, pathToFileURL(FILE).href), HASH);
    const server = createServer(({ url }, response) => {
        response.statusCode = url === '/terrain' ? 200 : 404;
        response.end(BYTES);
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
        const at = `http://127.0.0.1:${server.address().port}`;
        assert.equal(await inThread(script, `${at}/terrain`), HASH);
        const refusal = await inThread('return failed(load({ wasm: given }));', `${at}/gone`);
        assert.equal(refusal, `TerrainError: ${at}/gone: 404 Not Found`);
    } finally {
        server.close();
        server.closeAllConnections?.();
    }
});

test('one library, however it is loaded', async () => {
    const loaded = await load();
    assert.equal(loaded.erode.thermal, terrain.erode.thermal);
    assert.deepEqual(Object.keys(loaded).sort(), Object.keys(terrain).sort());
    await assert.rejects(load({ wasm: BYTES }), { code: 'TERRAIN_ERROR_BUSY', message: /loaded already/ });
    const same = 'const [a, b] = await Promise.all([load({ wasm: given }), load()]); const c = await fromPackage();'
        + ' return a === b && a.erode.thermal === c.erode.thermal ? hashOf(c) : "two";';
    assert.equal(await inThread(same, BYTES), HASH);
});

test('what is no library', async () => {
    const empty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
    for (const [wasm, told] of [
        [empty, 'TypeError: load: wasm is not libterrain'],
        [BYTES.subarray(0, 1000), 'CompileError'],
        [new TextEncoder().encode('<!doctype html>'), 'CompileError'],
        ['not a URL', "TypeError: load: wasm is 'not a URL', must be a URL"],
        [5, 'TypeError: load: wasm must be a URL, bytes or a WebAssembly.Module, not number'],
        [[1, 2], 'TypeError: load: wasm must be a URL, bytes or a WebAssembly.Module, not Array'],
        [{}, 'TypeError: load: wasm must be a URL, bytes or a WebAssembly.Module, not Object'],
        [null, 'TypeError: load: wasm must be a URL, bytes or a WebAssembly.Module, not null'],
        [pathToFileURL(`${FILE}.gone`).href, 'Error: ENOENT'],
    ]) {
        // Another call may try again.
        const [refusal, hash] = await inThread('return [await failed(load({ wasm: given })), hashOf(await load())];', wasm);
        assert.ok(refusal.startsWith(told), refusal);
        assert.equal(hash, HASH);
    }
    for (const wrong of [5, 'terrain.wasm', null]) {
        await assert.rejects(load(wrong), { name: 'TypeError', message: /^load: options must be an object/ });
    }
    await assert.rejects(load({ wsam: BYTES }), { message: "load: no option 'wsam' (did you mean 'wasm'?)" });
});
