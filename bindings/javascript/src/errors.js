// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// Status codes as exceptions.

/**
 * What the library refused or could not do. Values outside their range are a RangeError instead, and maps and options
 * that don't fit a TypeError, as JavaScript has them; all of these have a `code`. Every map is what it was.
 */
export class TerrainError extends Error {
    get name() {
        return 'TerrainError';
    }
}

const KINDS = {
    '-1': [TypeError, 'TERRAIN_ERROR_ARGUMENT'],
    '-2': [RangeError, 'TERRAIN_ERROR_RANGE'],
    '-3': [TypeError, 'TERRAIN_ERROR_ALIAS'],
    '-4': [TerrainError, 'TERRAIN_ERROR_MEMORY'],
    '-5': [TerrainError, 'TERRAIN_ERROR_BUSY'],
    '-6': [TerrainError, 'TERRAIN_ERROR_CANCELLED'],
    '-8': [TerrainError, 'TERRAIN_ERROR_UNSUPPORTED'],
    '-9': [TerrainError, 'TERRAIN_ERROR_BUILD'],
    '-10': [SyntaxError, 'TERRAIN_ERROR_SYNTAX'],
    '-11': [TerrainError, 'TERRAIN_ERROR_SYSTEM'],
};

/** The exception for a status, with the library's sentence about it. */
export function errorOf(status, message) {
    const [Kind, code] = KINDS[status] ?? [TerrainError, `TERRAIN_ERROR ${status}`];
    const error = new Kind(message || code);
    error.code = code;
    return error;
}

export const argumentError = (message) => errorOf(-1, message);
export const rangeError = (message) => errorOf(-2, message);

/** How many letters must be put in, left out or exchanged to make b of a. */
function distance(a, b) {
    let last = Array.from({ length: b.length + 1 }, (_, j) => j);
    for (let i = 1; i <= a.length; i++) {
        const row = [i];
        for (let j = 1; j <= b.length; j++) {
            row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] !== b[j - 1]));
        }
        last = row;
    }
    return last[b.length];
}

/** " (did you mean '...'?)", or nothing. */
export function nearest(word, words) {
    const text = String(word).slice(0, 100);
    let best = null;
    let least = Math.max(1, Math.floor(text.length / 2));
    for (const each of words) {
        const far = distance(text.toLowerCase(), each.toLowerCase());
        if (far <= least && (best === null || far < least)) {
            best = each;
            least = far;
        }
    }
    return best === null ? '' : ` (did you mean '${best}'?)`;
}

/** Refuses options that there aren't. */
export function checkOptions(what, options, known) {
    if (options === null || typeof options !== 'object') {
        throw argumentError(`${what}: options must be an object, not ${options === null ? 'null' : typeof options}`);
    }
    for (const key of Object.keys(options)) {
        if (!known.includes(key)) {
            throw argumentError(`${what}: no option '${key}'${nearest(key, known)}`);
        }
    }
}
