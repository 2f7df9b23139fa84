// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// The calls of tests/golden/hashes.txt, made from JavaScript: the maps that tests/support makes, and the words of a line;
// and how a call is refused.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as terrain from 'libterrain';

export const ROOT = process.env.TERRAIN_SOURCE ?? fileURLToPath(new URL('../../..', import.meta.url));

const u64 = (value) => BigInt.asUintN(64, value);

/** SplitMix64. */
function bits(state) {
    let z = u64(state + 0x9e3779b97f4a7c15n);
    z = u64((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = u64((z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return z ^ (z >> 31n);
}

function hashCell(seed, x, y) {
    const state = bits(u64(seed) ^ u64(x * 0xd6e8feb86659fd93n));
    return bits(state ^ u64(y * 0xa0761d6478bd642fn));
}

/** A map whose cells are a function of their places; made once. */
const known = new Map();
function filled(kind, { width, height }, seed, [x0, y0], cell) {
    const key = [kind, width, height, seed, x0, y0].join();
    if (!known.has(key)) {
        const data = new Float32Array(width * height);
        for (let y = 0; y < height; y++) {
            for (let x = 0; x < width; x++) {
                data[y * width + x] = cell(BigInt(x0) + BigInt(x), BigInt(y0) + BigInt(y));
            }
        }
        known.set(key, data);
    }
    return new terrain.Heightmap(width, height, { data: known.get(key).slice(), x: x0, y: y0 });
}

function height(seed, x, y) {
    const seeds = BigInt(seed);
    const parts =
        (hashCell(seeds + 1n, x >> 4n, y >> 4n) >> 48n) +
        (hashCell(seeds + 2n, x >> 2n, y >> 2n) >> 50n) +
        (hashCell(seeds, x, y) >> 52n);
    return Math.fround(Math.fround(Number(parts)) * 2 ** -11) - 21;
}

export const heights = (size, seed = 1, origin = [0, 0]) =>
    filled('heights', size, seed, origin, (x, y) => height(seed, x, y));

export function shares(size, seed, origin) {
    return filled('shares', size, seed, origin, (x, y) => {
        const word = Number(hashCell(BigInt(seed), x, y) >> 48n);
        return [0, 1, (word & 0x3fff) * 2 ** -14][Math.min(word >> 14, 2)];
    });
}

/** Heights of one cell in 16. */
function points(size, seed, origin) {
    return filled('points', size, seed, origin, (x, y) =>
        hashCell(BigInt(seed) + 3n, x, y) % 16n === 0n ? height(seed, x, y) : NaN,
    );
}

const SPECIAL = [NaN, Infinity, -Infinity, 3.0e38, -3.0e38, 1.0e-42, -0, 16777217];

function sprinkle(map, seed, rarity, [x0, y0]) {
    for (let i = 0; i < map.data.length; i++) {
        const [x, y] = [BigInt(x0) + BigInt(i % map.width), BigInt(y0) + BigInt(Math.floor(i / map.width))];
        const word = hashCell(BigInt(seed ^ 0x5eed), x, y);
        if ((word >> 8n) % BigInt(rarity) === 0n) {
            map.data[i] = SPECIAL[Number(word % 8n)];
        }
    }
}

export function lines() {
    const text = readFileSync(path.join(ROOT, 'tests/golden/hashes.txt'), 'utf8');
    return text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
}

function valueOf(parameter, text) {
    switch (parameter.type) {
        case 'float_array':
            return text.split(',').map(Number);
        case 'enum':
            return text;
        case 'bool':
            return text === '1';
        case 'int64':
        case 'uint64':
            return BigInt(text);
        default:
            return Number(text.replace('inf', 'Infinity'));
    }
}

const whole = (text) => (Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text));

/** Makes the call of a line; returns its hash. */
export function run(line) {
    const [name, ...words] = line.split(/\s+/).slice(0, -1);
    const operation = terrain.operations[name];
    const byTable = Object.fromEntries(Object.values(operation.parameters).map((each) => [each.tableName, each]));
    let [width, tall] = words.pop().split('x').map(Number);
    let origin = [0, 0];
    let special = false;
    let cellSize = 1;
    const values = {};
    const attached = [];
    for (const word of words) {
        const [key, value] = word.split('=');
        if (key === '@special') {
            special = true;
        } else if (key === '@origin') {
            origin = value.split(',').map(whole);
        } else if (key === '@cell_size') {
            cellSize = Number(value);
        } else if (byTable[key].port !== null) {
            attached.push(byTable[key]);
        } else {
            values[byTable[key].name] = valueOf(byTable[key], value);
        }
    }
    const grid = operation.signature === 'grid';
    if (grid) {
        const overlap = values.overlap ?? operation.parameters.overlap?.default ?? 4;
        const least = overlap >= 4 && overlap <= 256 ? overlap : 4;
        const larger = [Math.max(width, least), Math.max(tall, least)];
        origin = origin.map((place, i) => (place > 0 ? whole(BigInt(place) - BigInt(larger[i] - [width, tall][i])) : place));
        [width, tall] = larger;
    }
    const size = { width, height: tall };
    const first = (seed) => {
        const land = heights(size, seed, origin);
        if (special && seed === 1) {
            sprinkle(land, 1, 40, origin);
        }
        land.cellSize = cellSize;
        return land;
    };
    const options = { ...values };
    const written = [];
    for (const parameter of attached) {
        const fill = parameter.name === 'constraints' ? points : shares;
        if (parameter.port.role === 'write') {
            options[parameter.name] = new terrain.Heightmap(width, tall);
            written.push(options[parameter.name]);
        } else if (parameter.port.lattice === 'coarse') {
            const port = operation.ports.findIndex((each) => each.name === parameter.port.name);
            const window = operation.window({ x: origin[0], y: origin[1], ...size }, values, port);
            options[parameter.name] = fill(window, 201 + parameter.offset, [whole(window.x), whole(window.y)]);
        } else {
            options[parameter.name] = fill(size, 201 + parameter.offset, origin);
        }
    }
    let results;
    if (grid) {
        results = operation.apply([[first(1), first(101)], [first(102), first(103)]], options).flat();
    } else {
        const place = { ...size, x: origin[0], y: origin[1], cellSize };
        const given = operation.signature === 'generate' ? [place] : [first(1)];
        if (operation.signature === 'combine') {
            given.push(first(101));
        }
        results = [operation.apply(...given, options), ...written];
    }
    const hashes = results.map((map) => BigInt(`0x${map.hash()}`));
    return hashes
        .reduce((combined, each) => u64(combined * 0x9e3779b97f4a7c15n) ^ each)
        .toString(16)
        .padStart(16, '0');
}

/** A call throws such an error, whose message has the text, and leaves the maps as they are. */
export function refused(kind, text, call, ...maps) {
    const before = maps.map((map) => terrain.hash(map));
    assert.throws(call, (error) => {
        assert.ok(error instanceof kind, `${error}`);
        assert.match(error.code, /^TERRAIN_ERROR_/);
        assert.ok(error.message.includes(text), `"${error.message}" should have "${text}"`);
        return true;
    });
    assert.deepEqual(maps.map((map) => terrain.hash(map)), before);
}
