// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// What the page asks for, on whatever thread: the map of a recipe, its picture and its mesh. A map is made once, and drawn
// as often as its colours change.

import { fitOf, paint, surfaceOf } from './relief.js';

export class Studio {
    #terrain;
    #made = {}; // the last map, its figures, and what it was made of
    #world = {}; // the last world
    #fit = {}; // what its pictures fit

    constructor(terrain) {
        this.#terrain = terrain;
    }

    /**
     * The picture of a recipe: `text`, `seed`, `size`, and, where it is `endless`, the world's point `x`, `y` in its
     * middle, a cell of it standing for 1/`scale` cells; `palette` and `sea` are the picture's, and a mesh goes with it
     * where `relief` is true. Throws what the library does.
     */
    draw(wanted, progress) {
        const { map, minimum, maximum, hash, milliseconds } = this.#make(wanted, progress);
        const { palette, sea, size, relief } = wanted;
        const land = JSON.stringify([wanted.text, wanted.seed, wanted.endless, wanted.scale, sea, size]);
        if (this.#fit.land !== land) {
            this.#fit = { land, fit: fitOf(this.#terrain, map, sea) };
        }
        const pixels = paint(this.#terrain, map, { palette, sea, fit: this.#fit.fit });
        return {
            width: map.width, height: map.height, pixels, minimum, maximum, fit: this.#fit.fit, hash, milliseconds,
            mesh: relief ? this.#mesh(map, sea) : null,
        };
    }

    /** The heights of the last picture, row by row, and their size; null if there is none. */
    heights() {
        const { map = null } = this.#made;
        return map === null ? null : { width: map.width, height: map.height, data: map.data.slice() };
    }

    /** The map, and its figures. */
    #make(wanted, progress) {
        const { text, seed, size, endless, x, y, scale } = wanted;
        const key = JSON.stringify([text, seed, size, endless, ...(endless ? [x, y, scale] : [])]);
        if (this.#made.key !== key) {
            const begin = performance.now();
            const map = endless
                ? this.#tile(wanted, progress)
                : new this.#terrain.Recipe(text).run({ width: size, height: size, seed, progress });
            const milliseconds = performance.now() - begin;
            const { minimum, maximum } = this.#terrain.measure(map);
            this.#made = { key, map, milliseconds, minimum, maximum, hash: this.#terrain.hash(map) };
        }
        return this.#made;
    }

    #tile({ text, seed, size, x, y, scale }, progress) {
        const key = JSON.stringify([text, seed, scale]);
        if (this.#world.key !== key) {
            this.#world.world?.free();
            this.#world = {};
            this.#world = { key, world: new this.#terrain.World(text, { seed, scale }) };
        }
        const first = (middle) => Math.round(middle * scale - size / 2);
        return this.#world.world.tile(first(x), first(y), { width: size, height: size, progress });
    }

    /** As WebGL takes it. */
    #mesh(map, sea) {
        const { positions, indices } = this.#terrain.mesh(surfaceOf(map, sea));
        return { positions, indices };
    }
}
