// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// Figures of a terrain, heights as whole numbers, and meshes.

import { rowsOf } from './calls.js';
import { argumentError, checkOptions, nearest, rangeError } from './errors.js';
import { bigOf, checkMap, given, numberOf, placeOf, sizeOf } from './heightmap.js';
import { SCORE_OPTIONS, ScoreTally, Tally } from './tallies.js';
import { bytesAt, c, call, floatsAt, halvesAt, kindOf, view, withScratch, wordsAt } from './wasm.js';

/** Statistics of the finite heights: sums are exact, and rounded once. */
export function measure(map) {
    return tallied(new Tally(), map, null, (tally) => tally.statistics);
}

/** How many finite heights lie in each of `bins` equal parts of `low` to `high`. */
export function histogram(map, options = {}) {
    checkOptions('histogram', options, ['low', 'high', 'bins']);
    const { low = null, high = null, bins = null } = options; // all three must be numbers
    return tallied(new Tally({ low, high, bins }), map, null, (tally) => tally.histogram);
}

/** What a tally of one map tells. */
function tallied(tally, map, progress, told) {
    try {
        tally.add(map, { progress });
        return told(tally);
    } finally {
        tally.free();
    }
}

/** Numbers for each of so many channels. */
function checkEnds(numbers, count, usual, name) {
    const ends = numbers ?? Array(count).fill(usual);
    if (!Array.isArray(ends) || ends.length !== count || ends.some((each) => typeof each !== 'number')) {
        throw argumentError(`packChannels: ${name} must be an array of ${count} numbers`);
    }
    return ends;
}

/** The array that gets the pixels; a clamped one, as ImageData takes it, if there is none. */
function pixelsFor(pixels, count) {
    if (pixels === undefined) {
        return new Uint8ClampedArray(count);
    }
    if (!(pixels instanceof Uint8ClampedArray || pixels instanceof Uint8Array)) {
        throw argumentError(`packChannels: pixels must be a Uint8ClampedArray or a Uint8Array, not ${kindOf(pixels)}`);
    }
    if (pixels.length !== count) {
        throw argumentError(`packChannels: pixels has ${pixels.length} bytes, must have ${count}`);
    }
    return pixels;
}

/** The heights as whole numbers row by row: `low` becomes 0 and `high` 65535. */
export function packU16(map, options = {}) {
    checkOptions('packU16', options, ['low', 'high', 'cells']);
    const [low, high] = ['low', 'high'].map((name) => numberOf(options[name], `packU16: ${name}`));
    return withScratch((scratch) => {
        const pointer = given(scratch, map, 'map');
        const count = map.width * map.height;
        const { cells = new Uint16Array(count) } = options;
        if (!(cells instanceof Uint16Array)) {
            throw argumentError(`packU16: cells must be a Uint16Array, not ${kindOf(cells)}`);
        }
        if (cells.length !== count) {
            throw argumentError(`packU16: cells has ${cells.length} numbers, must have ${count}`);
        }
        const packed = scratch.allocate(2 * count);
        call(null, (context) => c.terrain_heightmap_pack_u16(context, pointer, low, high, packed, map.width));
        cells.set(halvesAt(packed, count));
        return cells;
    });
}

/** One to four maps as the channels of a picture: `lows` become 0, `highs` 255. Bytes of a null channel stay. */
export function packChannels(maps, options = {}) {
    checkOptions('packChannels', options, ['lows', 'highs', 'pixels']);
    if (!Array.isArray(maps) || maps.every((map) => map === null)) {
        throw argumentError('packChannels: maps must be an array of maps, or of null but for one');
    }
    const count = maps.length;
    const lows = checkEnds(options.lows, count, 0, 'lows');
    const highs = checkEnds(options.highs, count, 1, 'highs');
    return withScratch((scratch) => {
        const pointers = maps.map((map, i) => (map === null ? 0 : given(scratch, map, `maps[${i}]`)));
        const first = pointers.find((pointer) => pointer !== 0);
        const stride = count * (c.terrain_heightmap_width(first) >>> 0);
        const size = stride * (c.terrain_heightmap_height(first) >>> 0);
        const pixels = pixelsFor(options.pixels, size);
        const bytes = scratch.allocate(size);
        const [lowest, highest] = [scratch.allocate(4 * count), scratch.allocate(4 * count)];
        floatsAt(lowest, count).set(lows);
        floatsAt(highest, count).set(highs);
        const array = scratch.words(pointers);
        bytesAt(bytes, size).set(pixels);
        call(null, (context) =>
            c.terrain_heightmap_pack_channels_u8(context, array, lowest, highest, count, bytes, stride),
        );
        pixels.set(bytesAt(bytes, size));
        return pixels;
    });
}

/** How much of a map units can reach and build on. */
export function score(map, options = {}) {
    checkOptions('score', options, [...SCORE_OPTIONS, 'progress']);
    const { progress, ...desc } = options;
    return tallied(new ScoreTally(desc), map, progress, (tally) => tally.score);
}

const SEAMS = ['cells', 'worstStep', 'worstKink', 'seamCurvature', 'insideCurvature', 'ratio'];

/** How well the maps of a grid fit, rows of maps of one size, which share `overlap` lines of cells. */
export function seams(maps, options = {}) {
    checkOptions('seams', options, ['overlap']);
    const rows = rowsOf(maps, 'maps');
    const overlap = Number(bigOf(options.overlap ?? 1, 'seams: overlap', 0n, 2n ** 32n - 1n));
    return withScratch((scratch) => {
        const pointers = rows.flatMap((row, y) => row.map((map, x) => given(scratch, map, `maps[${y}][${x}]`)));
        const [array, figures] = [scratch.words(pointers), scratch.allocate(8 * SEAMS.length)];
        call(null, (context) => c.binding_seams(context, array, rows[0].length, rows.length, overlap, figures));
        return Object.fromEntries(SEAMS.map((name, i) => [name, view().getFloat64(figures + 8 * i, true)]));
    });
}

const FIGURES = ['undrained', 'trunk', 'concavity', 'hack', 'skewness', 'axis', 'formsDistance'];
const FORMS = ['flat', 'peak', 'ridge', 'shoulder', 'spur', 'slope', 'hollow', 'footslope', 'valley', 'pit'];

/** How a map drains, and which landforms it is made of: what tells land from noise. */
export function landform(map, options = {}) {
    checkOptions('landform', options, ['progress']);
    return withScratch((scratch) => {
        const pointer = given(scratch, checkMap(map, 'map', false), 'map');
        const figures = scratch.allocate(8 * (FIGURES.length + FORMS.length));
        call(options.progress, (context) => c.binding_landform(context, pointer, figures));
        const named = (names, first) =>
            Object.fromEntries(names.map((name, i) => [name, view().getFloat64(figures + 8 * (first + i), true)]));
        return { ...named(FIGURES, 0), forms: named(FORMS, FIGURES.length) };
    });
}

const MESH = {
    axes: ['y_up', 'z_up', 'y_up_left', 'z_up_left'],
    winding: ['anticlockwise', 'clockwise'],
    diagonal: ['fixed', 'flatter'],
};

/** A vertex for each cell, two triangles for each square of four. */
export function mesh(map, options = {}) {
    checkOptions('mesh', options, ['window', ...Object.keys(MESH)]);
    const choices = Object.entries(MESH).map(([name, values]) => {
        const value = options[name] ?? values[0];
        if (typeof value !== 'string') {
            throw argumentError(`mesh: ${name} must be one of ${values.join(', ')}, not ${kindOf(value)}`);
        }
        if (!values.includes(value)) {
            throw argumentError(`mesh: ${name} is '${value}', must be one of ${values.join(', ')}${nearest(value, values)}`);
        }
        return values.indexOf(value);
    });
    checkMap(map, 'map', false);
    const window = options.window ?? map;
    const place = placeOf(window, 'window');
    const { width, height } = sizeOf(window);
    const [left, top] = placeOf(map, 'map').map((each, i) => place[i] - each);
    if (left < 0n || top < 0n || left + BigInt(width) > map.width || top + BigInt(height) > map.height) {
        throw rangeError(`mesh: the window of ${width}x${height} cells at (${place}) must lie within the map`);
    }
    return withScratch((scratch) => {
        const pointer = given(scratch, map, 'map');
        const floats = 3 * width * height;
        const count = 6 * (width - 1) * (height - 1);
        const [positions, normals] = [scratch.allocate(4 * floats), scratch.allocate(4 * floats)];
        const indices = scratch.allocate(4 * count);
        call(null, (context) => 
            c.binding_mesh(context, pointer, ...place, width, height, ...choices, positions, normals, indices),
        );
        return {
            positions: floatsAt(positions, floats).slice(),
            normals: floatsAt(normals, floats).slice(),
            indices: wordsAt(indices, count).slice(),
        };
    });
}
