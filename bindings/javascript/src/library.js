// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// All that the package exports beside the operations' verbs and the versions, which dist/library.js adds from
// the table.

export { verbs } from './calls.js';
export { TerrainError } from './errors.js';
export { hash, Heightmap } from './heightmap.js';
export { histogram, landform, measure, mesh, packChannels, packU16, score, seams } from './measures.js';
export { Plan, Recipe, World } from './recipes.js';
export { operations } from './table.js';
export { ScoreTally, Tally } from './tallies.js';
