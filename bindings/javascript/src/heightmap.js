// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// Heights as JavaScript has them, and their way into the library's memory and back.

import { argumentError, checkOptions, errorOf, rangeError } from './errors.js';
import { c, floatsAt, kindOf, view, withScratch } from './wasm.js';

const WORLD_END = 2n ** 62n;

/** Heights on a regular grid: `data`, row by row from north to south, with `width` cells a row. */
export class Heightmap {
    constructor(width, height, options = {}) {
        checkOptions('Heightmap', options, ['data', 'x', 'y', 'cellSize']);
        ({ width: this.width, height: this.height } = sizeOf({ width, height }));
        this.data = options.data ?? new Float32Array(this.width * this.height);
        this.x = options.x ?? 0;
        this.y = options.y ?? 0;
        this.cellSize = options.cellSize ?? 1;
        checkMap(this, 'data', false);
    }

    /** Row y, a view: what is written to it is written to the map. */
    row(y) {
        if (!Number.isInteger(y) || y < 0 || y >= this.height) {
            throw rangeError(`row is ${String(y)}, must be a whole number in [0, ${this.height - 1}]`);
        }
        if (this.data.length === 0) {
            checkMap(this, 'map', false); // given to somebody else
        }
        return this.data.subarray(y * this.width, (y + 1) * this.width);
    }

    /** A map of its own with the same cells in the same place. */
    clone() {
        const { data, x, y, cellSize } = checkMap(this, 'map', false);
        return new Heightmap(this.width, this.height, { data: data.slice(), x, y, cellSize });
    }

    /** The fingerprint of size and cells, 16 hexadecimal digits: the same on every machine. */
    hash() {
        return hash(this);
    }
}

/** The fingerprint of a map's size and cells, 16 hexadecimal digits: the same on every machine. */
export function hash(map) {
    return withScratch((scratch) => {
        const value = c.terrain_heightmap_hash(given(scratch, checkMap(map, 'map', false), 'map'));
        return BigInt.asUintN(64, value).toString(16).padStart(16, '0');
    });
}

/** Width and height of what has them. */
export function sizeOf(value, what = 'size') {
    if (value === null || typeof value !== 'object') {
        throw argumentError(`${what} must have a width and a height, not be ${kindOf(value)}`);
    }
    const { width, height } = value;
    for (const [side, name] of [[width, 'width'], [height, 'height']]) {
        if (typeof side !== 'number') {
            throw argumentError(`${name} must be a whole number, not ${kindOf(side)}`);
        }
        if (!Number.isInteger(side) || side < 1 || side >= 2 ** 32) {
            throw rangeError(`${name} is ${side}, must be a whole number in [1, ${2 ** 32 - 1}]`);
        }
    }
    if (width * height > 2 ** 30) {
        throw memoryError(width, height);
    }
    return { width, height };
}

function memoryError(width, height) {
    return errorOf(-4, `${width} x ${height} cells do not fit into WebAssembly's memory`);
}

export function numberOf(value, what) {
    if (typeof value !== 'number') {
        throw argumentError(`${what} must be a number, not ${kindOf(value)}`);
    }
    return value;
}

/** A whole number of 64 bits, which may be a BigInt. */
export function bigOf(value, what, least, most) {
    if (typeof value === 'number' ? !Number.isInteger(value) : typeof value !== 'bigint') {
        const shown = typeof value === 'number' ? value : kindOf(value);
        throw argumentError(`${what} must be a whole number, not ${shown}`);
    }
    if (typeof value === 'number' && !Number.isSafeInteger(value)) {
        throw rangeError(`${what} is ${value}: beyond 2^53 whole numbers are written with an n at their end`);
    }
    const whole = BigInt(value);
    if (whole < least || whole > most) {
        throw rangeError(`${what} is ${whole}, must be in [${least}, ${most}]`);
    }
    return whole;
}

/** Where the first cell of something lies: (0, 0) if it does not say. */
export function placeOf(value, what) {
    return ['x', 'y'].map((name) => bigOf(value[name] ?? 0, `${what}: ${name}`, -WORLD_END, WORLD_END));
}

/** The cell size of something: 1 if it does not say. */
export function cellSizeOf(value, what) {
    const size = numberOf(value.cellSize ?? 1, `${what}: cellSize`);
    if (!(size >= 1e-6 && size <= 1e9)) {
        throw rangeError(`${what}: cellSize is ${size}, must be in [1e-06, 1e+09]`);
    }
    return size;
}

/** Whether an array's memory was given to somebody else. */
export function isDetached(buffer) {
    try {
        new Uint8Array(buffer);
        return false;
    } catch {
        return true; // older engines have no buffer.detached
    }
}

/** Whether an object takes a value: it does not where it is frozen or sealed, or has a getter alone. */
function takes(object, name) {
    for (let holder = object; holder !== null; holder = Object.getPrototypeOf(holder)) {
        const found = Object.getOwnPropertyDescriptor(holder, name);
        if (found?.writable === false || (found !== undefined && !('value' in found) && found.set === undefined)) {
            return false;
        }
        if (found !== undefined && (holder === object || found.set !== undefined)) {
            return true;
        }
    }
    return Object.isExtensible(object);
}

/** How many numbers an array holds, also where it has a property `length` of its own. */
const { get: lengthGetter } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Float32Array.prototype), 'length');

/**
 * A map's data, width and height, each read once, since a getter may say something else the next time. Nothing is
 * converted in silence: other arrays lose digits, or hold no heights.
 */
function heightsOf(map, what) {
    if (map === null || typeof map !== 'object' || !('data' in map)) {
        throw argumentError(`${what} must be a map, an object of data, width and height, not ${kindOf(map)}`);
    }
    const { data } = map;
    if (!(data instanceof Float32Array)) {
        throw argumentError(`${what} must have heights in a Float32Array, not ${kindOf(data)}`);
    }
    if (isDetached(data.buffer)) {
        throw argumentError(`${what}: its data is detached: it was given to somebody else`);
    }
    const { width, height } = sizeOf(map, what);
    const count = lengthGetter.call(data);
    if (count !== width * height) {
        throw argumentError(`${what}: data has ${count} heights, must have ${width} x ${height}`);
    }
    return { data, width, height };
}

/** Refuses what is no map; returns it. */
export function checkMap(map, what, written) {
    heightsOf(map, what);
    const closed = written ? ['x', 'y', 'cellSize'].find((name) => !takes(map, name)) : undefined;
    if (closed !== undefined) {
        throw argumentError(`${what}: its ${closed} can't be set: it is frozen or sealed, or has a getter alone`);
    }
    return map;
}

/** An empty map in the library's memory, at a place. */
export function made(scratch, { width, height }, [x, y] = [0n, 0n], cellSize = 1) {
    const out = scratch.allocate(4);
    if (c.terrain_heightmap_create(0, width, height, out) !== 0) {
        throw memoryError(width, height); // its size was checked
    }
    const pointer = view().getUint32(out, true);
    scratch.later(() => c.terrain_heightmap_destroy(pointer));
    c.terrain_heightmap_set_cell_size(pointer, cellSize);
    if (c.terrain_heightmap_set_origin(pointer, x, y) !== 0) {
        throw rangeError('the map leaves the world, which ends at plus and minus 2^62 cells');
    }
    return pointer;
}

/** A map in the library's memory with the cells of JavaScript's. */
export function given(scratch, map, what) {
    const { data, ...size } = heightsOf(map, what);
    const pointer = made(scratch, size, placeOf(map, what), cellSizeOf(map, what));
    floatsAt(c.terrain_heightmap_data(pointer), size.width * size.height).set(data);
    return pointer;
}

/** JavaScript's number where it holds it exactly. */
const shortest = (whole) => (Number.isSafeInteger(Number(whole)) ? Number(whole) : whole);

/** What a call will write: first all are checked, then all are written, so that either all change or none. */
export class Results {
    #waiting = [];

    /** The map at `pointer` becomes that of `target`, or a new one; returns it. */
    add(pointer, target, what) {
        const width = c.terrain_heightmap_width(pointer) >>> 0;
        const height = c.terrain_heightmap_height(pointer) >>> 0;
        const map = target ?? new Heightmap(width, height);
        this.#waiting.push({ pointer, map, what, width, height });
        return map;
    }

    write() {
        for (const waiting of this.#waiting) {
            const { map, what, width, height } = waiting;
            checkMap(map, what, true); // a progress function may have done anything to it
            const now = heightsOf(map, what);
            if (now.width !== width || now.height !== height) {
                throw argumentError(`${what} is ${now.width} x ${now.height}, must be ${width} x ${height}`);
            }
            waiting.data = now.data;
        }
        withScratch((scratch) => {
            const place = scratch.allocate(16);
            for (const { pointer, map } of this.#waiting) {
                c.terrain_heightmap_origin(pointer, place, place + 8);
                map.x = shortest(view().getBigInt64(place, true));
                map.y = shortest(view().getBigInt64(place + 8, true));
                map.cellSize = c.terrain_heightmap_cell_size(pointer);
            }
            for (const { pointer, data, width, height } of this.#waiting) {
                data.set(floatsAt(c.terrain_heightmap_const_data(pointer), width * height));
            }
        });
    }
}

/** Refuses maps that are written and share memory with another one of the call. */
export function checkOverlaps(maps) {
    for (const [i, a] of maps.entries()) {
        for (const b of maps.slice(0, i)) {
            const [first, second] = [a.map.data, b.map.data];
            if (
                (a.written || b.written) &&
                first.buffer === second.buffer &&
                first.byteOffset < second.byteOffset + second.byteLength &&
                second.byteOffset < first.byteOffset + first.byteLength
            ) {
                throw errorOf(-3, `${a.what} overlaps ${b.what}`);
            }
        }
    }
}
