// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// Figures of a terrain, and meshes of it.

import { argumentError, checkOptions, errorOf, nearest, rangeError } from './errors.js';
import { bigOf, checkMap, given, placeOf, sizeOf } from './heightmap.js';
import { bytesAt, c, call, floatsAt, kindOf, view, withScratch, wordsAt } from './wasm.js';

/** Statistics without heights, until the scratch memory is freed. */
function makeStatistics(scratch) {
    const out = scratch.allocate(4);
    const status = c.terrain_statistics_create(0, out);
    if (status !== 0) {
        throw errorOf(status, '');
    }
    const statistics = view().getUint32(out, true);
    scratch.later(() => c.terrain_statistics_destroy(statistics));
    return statistics;
}

/** Statistics of the finite heights: sums are exact, and rounded once. */
export function measure(map) {
    return withScratch((scratch) => {
        const pointer = given(scratch, checkMap(map, 'map', false), 'map');
        const statistics = makeStatistics(scratch);
        call(null, (context) => c.terrain_statistics_add(context, statistics, pointer));
        return {
            count: Number(c.terrain_statistics_count(statistics)),
            nanCount: Number(c.terrain_statistics_nan_count(statistics)),
            infiniteCount: Number(c.terrain_statistics_infinite_count(statistics)),
            minimum: c.terrain_statistics_minimum(statistics),
            maximum: c.terrain_statistics_maximum(statistics),
            sum: c.terrain_statistics_sum(statistics),
            mean: c.terrain_statistics_mean(statistics),
            variance: c.terrain_statistics_variance(statistics),
            standardDeviation: c.terrain_statistics_standard_deviation(statistics),
        };
    });
}

/** How many finite heights lie in each of `bins` equal parts of `low` to `high`. */
export function histogram(map, options) {
    checkOptions('histogram', options, ['low', 'high', 'bins']);
    const { low, high } = options;
    for (const [name, value] of [['low', low], ['high', high]]) {
        if (typeof value !== 'number') {
            throw argumentError(`histogram: ${name} must be a number, not ${kindOf(value)}`);
        }
    }
    const bins = Number(bigOf(options.bins, 'histogram: bins', 1n, 1n << 20n));
    return withScratch((scratch) => {
        const pointer = given(scratch, checkMap(map, 'map', false), 'map');
        const counts = scratch.allocate(8 * bins);
        const statistics = makeStatistics(scratch);
        if (c.terrain_statistics_set_histogram(statistics, low, high, counts, bins) !== 0) {
            throw rangeError(`histogram: low is ${low}, high is ${high}, must be low < high as 32-bit floats, both within 1e30 of 0`);
        }
        call(null, (context) => c.terrain_statistics_add(context, statistics, pointer));
        return Array.from({ length: bins }, (_, i) => Number(view().getBigUint64(counts + 8 * i, true)));
    });
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

const SCORE = { unitSlope: 0.5, buildingSlope: 0.125, unitSize: 1, buildingSize: 9 };

/** How much of a map units can reach and build on. */
export function score(map, options = {}) {
    checkOptions('score', options, [...Object.keys(SCORE), 'progress']);
    const slope = (name) => {
        const value = options[name] ?? SCORE[name];
        if (typeof value !== 'number') {
            throw argumentError(`score: ${name} must be a number, not ${kindOf(value)}`);
        }
        return value;
    };
    const size = (name) => Number(bigOf(options[name] ?? SCORE[name], `score: ${name}`, 1n, 64n));
    const desc = [slope('unitSlope'), slope('buildingSlope'), size('unitSize'), size('buildingSize')];
    return withScratch((scratch) => {
        const pointer = given(scratch, checkMap(map, 'map', false), 'map');
        const out = scratch.allocate(4);
        call(null, (context) => c.binding_score_create(context, ...desc, out));
        const made = view().getUint32(out, true);
        scratch.later(() => c.terrain_score_destroy(made));
        call(options.progress, (context) => c.terrain_score_add(context, made, pointer, 0));
        return {
            count: Number(c.terrain_score_count(made)),
            accessible: Number(c.terrain_score_accessible(made)),
            flat: Number(c.terrain_score_flat(made)),
            reachable: Number(c.terrain_score_reachable(made)),
            buildable: Number(c.terrain_score_buildable(made)),
            erosion: c.terrain_score_erosion(made),
            meanSlope: c.terrain_score_mean_slope(made),
            playability: c.terrain_score_playability(made),
        };
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
