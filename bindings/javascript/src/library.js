// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// All that the package exports beside the operations' verbs, which dist/index.js adds from the table.

import { c } from './wasm.js';

export { verbs } from './calls.js';
export { TerrainError } from './errors.js';
export { hash, Heightmap } from './heightmap.js';
export { histogram, landform, measure, mesh, score } from './measures.js';
export { Plan, Recipe, World } from './recipes.js';
export { operations } from './table.js';

const number = c.terrain_version();

/** The library's version. */
export const version = [number / 1e6, (number / 1e3) % 1e3, number % 1e3].map(Math.floor).join('.');

/** Two libraries with the same number give the same bits for the same calls. */
export const resultsVersion = c.terrain_results_version();
