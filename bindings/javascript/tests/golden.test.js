// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// Guards against a binding that calls something else than C does, and against a compiler of WebAssembly that changes
// results: all golden hashes, from JavaScript.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import * as terrain from 'libterrain';

import { lines, ROOT, run } from './golden.js';

test('every golden line', () => {
    console.warn = () => {}; // lines that give values which do not count
    const all = lines();
    assert.deepEqual(new Set(all.map((line) => line.split(' ')[0])), new Set(Object.keys(terrain.operations)));
    assert.deepEqual(
        all.filter((line) => run(line) !== line.split(' ').at(-1)),
        [],
    );
});

test("README's terrain has README's hash", () => {
    const text = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
    const expected = text.match(/last the hash of the result, which is `([0-9a-f]{16})`/)[1];
    const recipe = new terrain.Recipe(readFileSync(path.join(ROOT, 'recipes/main.terrain'), 'utf8'));
    assert.equal(recipe.run().hash(), expected);
});

test('the hash of one cell of 0', () => {
    assert.equal(new terrain.Heightmap(1, 1).hash(), 'd412325f5a0a99ac');
});
