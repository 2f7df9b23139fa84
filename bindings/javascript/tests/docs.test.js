// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// Guards against documentation that does not run: the blocks of README.md and of the manual's page.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

import { ROOT } from './golden.js';

for (const name of ['bindings/javascript/README.md', 'docs/javascript.md']) {
    test(name, () => {
        const text = readFileSync(path.join(ROOT, name), 'utf8');
        const blocks = [...text.matchAll(/^```js\n(?!\/\/ \w+\.js\n)(.*?)^```\n(\nIt prints:\n\n```\n(.*?)```)?/gms)];
        assert.ok(blocks.length > 0);
        // Beside this file, from where the package is found.
        const folder = mkdtempSync(fileURLToPath(new URL('page-', import.meta.url)));
        try {
            const script = blocks.flatMap(([, code, , printed]) => [
                code,
                `console.log(${JSON.stringify(printed === undefined ? '----' : '====')});`,
            ]);
            writeFileSync(path.join(folder, 'page.mjs'), script.join('\n'));
            const printed = execFileSync('node', ['page.mjs'], { cwd: folder, encoding: 'utf8' });
            const parts = printed.split(/(?:----|====)\n/);
            blocks.forEach(([, , , expected], i) => {
                if (expected !== undefined) {
                    assert.equal(parts[i], expected);
                }
            });
        } finally {
            rmSync(folder, { recursive: true });
        }
    });
}

// Three.js and a browser's worker, as far as the page uses them. As a browser does, the worker delivers messages from when
// its script has run, without what it awaits at its top, and drops those that nobody listens to.
const BROWSER = `
import { Worker as Thread } from 'node:worker_threads';
globalThis.scene = [];
scene.add = (mesh) => {
    const { geometry, position } = mesh;
    scene.push(mesh);
    console.log(scene.length, geometry.position.length, geometry.normal.length, geometry.index.length, position.join());
};
globalThis.Worker = class {
    constructor(url) {
        this.thread = new Thread(new URL('thread.js', url));
        this.thread.on('message', (data) => {
            data === 'dropped' ? console.log(data) : this.onmessage({ data });
            this.thread.terminate();
        });
    }
    postMessage(data) { this.thread.postMessage(data); }
};
await import('./page.js');
`;
const THREAD = {
    'thread.js': "import './globals.js';\nimport './worker.js';\nimport './deliver.js';\n",
    'globals.js': `
import { parentPort } from 'node:worker_threads';
globalThis.onmessage = null;
globalThis.postMessage = (data, transfer) => parentPort.postMessage(data, transfer);
`,
    // A module that does not await worker.js: it runs after the part of that before an await.
    'deliver.js': `
import { parentPort } from 'node:worker_threads';
parentPort.on('message', (data) => (globalThis.onmessage === null ? postMessage('dropped') : onmessage({ data })));
`,
};
const THREE = `
export class BufferGeometry {
    setAttribute(name, array) { this[name] = array; }
    setIndex(array) { this.index = array; }
}
export class BufferAttribute { constructor(array) { return array; } }
export class MeshStandardMaterial {}
export class Mesh {
    constructor(geometry) {
        this.geometry = geometry;
        this.position = [];
        this.position.set = (...each) => this.position.push(...each);
    }
}
`;

test('docs/javascript.md: page and worker', () => {
    const text = readFileSync(path.join(ROOT, 'docs/javascript.md'), 'utf8');
    const files = [...text.matchAll(/^```js\n\/\/ (\w+\.js)\n(.*?)^```/gms)];
    assert.deepEqual(files.map(([, name]) => name), ['worker.js', 'page.js']);
    const folder = mkdtempSync(fileURLToPath(new URL('page-', import.meta.url)));
    try {
        mkdirSync(path.join(folder, 'node_modules/three'), { recursive: true });
        const installed = path.dirname(createRequire(import.meta.url).resolve('libterrain/package.json'));
        symlinkSync(installed, path.join(folder, 'node_modules/libterrain'), 'junction');
        writeFileSync(path.join(folder, 'node_modules/three/index.mjs'), THREE);
        writeFileSync(path.join(folder, 'node_modules/three/package.json'), '{ "exports": "./index.mjs" }');
        writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
        files.forEach(([, name, code]) => writeFileSync(path.join(folder, name), code));
        const others = Object.entries({ ...THREAD, 'browser.js': BROWSER });
        others.forEach(([name, code]) => writeFileSync(path.join(folder, name), code));
        const printed = execFileSync('node', ['browser.js'], { cwd: folder, encoding: 'utf8' });
        assert.equal(printed, `1 ${3 * 257 ** 2} ${3 * 257 ** 2} ${6 * 256 ** 2} 0,0,0\n`);
    } finally {
        rmSync(folder, { recursive: true });
    }
});
