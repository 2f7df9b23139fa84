// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// Figures of a terrain, and meshes of it.

import { argumentError, checkOptions, errorOf, nearest } from './errors.js';
import { checkMap, given } from './heightmap.js';
import { c, call, floatsAt, view, withScratch, wordsAt } from './wasm.js';

/** Statistics of the finite heights: sums are exact, and rounded once. */
export function measure(map) {
    return withScratch((scratch) => {
        const pointer = given(scratch, checkMap(map, 'map', false), 'map');
        const out = scratch.allocate(4);
        const status = c.terrain_statistics_create(0, out);
        if (status !== 0) {
            throw errorOf(status, '');
        }
        const statistics = view().getUint32(out, true);
        scratch.later(() => c.terrain_statistics_destroy(statistics));
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

const MESH = {
    axes: ['y_up', 'z_up', 'y_up_left', 'z_up_left'],
    winding: ['anticlockwise', 'clockwise'],
    diagonal: ['fixed', 'flatter'],
};

/** A vertex for each cell, two triangles for each square of four. */
export function mesh(map, options = {}) {
    checkOptions('mesh', options, Object.keys(MESH));
    const choices = Object.entries(MESH).map(([name, values]) => {
        const value = options[name] ?? values[0];
        if (!values.includes(value)) {
            throw argumentError(`mesh: ${name} is '${value}', must be one of ${values.join(', ')}${nearest(value, values)}`);
        }
        return values.indexOf(value);
    });
    return withScratch((scratch) => {
        const pointer = given(scratch, checkMap(map, 'map', false), 'map');
        const floats = 3 * map.width * map.height;
        const count = 6 * (map.width - 1) * (map.height - 1);
        const [positions, normals] = [scratch.allocate(4 * floats), scratch.allocate(4 * floats)];
        const indices = scratch.allocate(4 * count);
        call(null, (context) => c.binding_mesh(context, pointer, ...choices, positions, normals, indices));
        return {
            positions: floatsAt(positions, floats).slice(),
            normals: floatsAt(normals, floats).slice(),
            indices: wordsAt(indices, count).slice(),
        };
    });
}
