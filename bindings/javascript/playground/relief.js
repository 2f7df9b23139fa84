// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// Shaded relief, as `terrain view` draws it.

const AT = [0, 0.15, 0.35, 0.55, 0.72, 0.86, 1];
const PALETTES = {
    land: [
        [92, 132, 88], [132, 164, 104], [188, 196, 132], [208, 184, 132], [178, 142, 106], [176, 164, 156],
        [248, 248, 250],
    ],
    desert: [
        [196, 164, 116], [216, 184, 132], [222, 178, 120], [204, 144, 92], [180, 114, 76], [164, 104, 78],
        [196, 148, 116],
    ],
    grey: [
        [178, 178, 178], [183, 183, 183], [189, 189, 189], [195, 195, 195], [201, 201, 201], [206, 206, 206],
        [211, 211, 211],
    ],
};
const DEPTHS_AT = [0, 0.04, 0.12, 0.3, 0.55, 0.8, 1];
const DEPTHS = [
    [150, 202, 210], [126, 186, 202], [98, 162, 192], [70, 132, 174], [50, 104, 152], [36, 82, 130], [26, 64, 110],
];
// Most of the light comes from the north-west, the rest from both sides of it (after Mark, 1992).
const LIGHTS = [[315, 0.6], [255, 0.2], [15, 0.2]];
const LEVEL = Math.SQRT1_2;
const MEAN_SLOPE = 0.45;
const TINTS = 1024;

export const palettes = Object.keys(PALETTES);

/** Colours at even shares from 0 to 1. */
function ramp(at, colours) {
    const tints = new Float32Array(3 * TINTS);
    for (let i = 0, k = 0; i < TINTS; i++) {
        const share = i / (TINTS - 1);
        while (k + 2 < at.length && at[k + 1] <= share) {
            k++;
        }
        const t = (share - at[k]) / (at[k + 1] - at[k]);
        for (let c = 0; c < 3; c++) {
            tints[3 * i + c] = colours[k][c] + t * (colours[k + 1][c] - colours[k][c]);
        }
    }
    return tints;
}

const tintAt = (share) => 3 * Math.round(Math.min(Math.max(share, 0), 1) * (TINTS - 1));

/** The map with the sea's surface over what lies below it. */
export function surfaceOf(map, sea) {
    return sea === null ? map : { ...map, data: map.data.map((height) => Math.max(height, sea)) };
}

/** What a picture is made to fit: the heights of the first and the last colour, and how much steeper slopes are drawn. A
 * picture of a part of the same land looks right beside others only if it is drawn with theirs. */
export function fitOf(terrain, map, sea) {
    const { minimum, maximum, count } = terrain.measure(map);
    const slopes = terrain.analyze.slope(surfaceOf(map, sea));
    if (sea !== null) {
        slopes.data.forEach((_, i) => {
            slopes.data[i] = map.data[i] < sea ? NaN : slopes.data[i];
        });
    }
    const { mean, count: known } = terrain.measure(slopes);
    return {
        low: count > 0 ? minimum : 0,
        high: count > 0 ? maximum : 0,
        exaggeration: known > 0 && mean > 0 ? Math.min(MEAN_SLOPE / mean, 1000) : 1,
    };
}

/** The pixels of a map, RGBA. sea: the height of the water's surface; null: none. */
export function paint(terrain, map, { palette, sea, fit }) {
    const { low, high, exaggeration } = fit;
    const shades = LIGHTS.map(([azimuth]) => terrain.analyze.hillshade(map, { azimuth, exaggeration }).data);
    const land = ramp(AT, PALETTES[palette]), depths = ramp(DEPTHS_AT, DEPTHS);
    const base = sea ?? low, span = high > base ? high - base : 1, deep = base > low ? base - low : span;
    const pixels = new Uint8ClampedArray(4 * map.data.length);
    map.data.forEach((height, i) => {
        const water = sea !== null && height < sea;
        const tints = water ? depths : land;
        const tint = tintAt(water ? (base - height) / deep : (height - base) / span);
        let shade = 0;
        LIGHTS.forEach(([, weight], k) => {
            shade += weight * shades[k][i] / LEVEL;
        });
        let factor = shade < 1 ? 0.25 + 0.75 * shade : 1 + 0.45 * (shade - 1);
        factor = Number.isFinite(factor) ? factor : 1;
        factor = water ? 1 + 0.25 * (factor - 1) : factor; // the floor shines through
        const cool = factor < 1 ? 10 * (1 - factor) : 0; // shadows are a little bluer than the light
        for (let c = 0; c < 3; c++) {
            pixels[4 * i + c] = (Number.isFinite(height) ? tints[tint + c] : 128) * factor + (c - 1) * cool;
        }
        pixels[4 * i + 3] = 255;
    });
    return pixels;
}
