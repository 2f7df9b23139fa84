// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// What the page asks for, on whatever thread: the map of a recipe, its picture and its mesh. A map is made once, and drawn
// as often as its colours change.

import { fitOf, paint } from './relief.js';

export class Studio {
    #terrain;
    #made = {}; // the last map, and what it was made of
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
        const map = this.#map(wanted, progress);
        const { palette, sea, size, relief } = wanted;
        const land = JSON.stringify([wanted.text, wanted.seed, wanted.endless, wanted.scale, sea, size]);
        if (this.#fit.land !== land) {
            this.#fit = { land, fit: fitOf(this.#terrain, map, sea) };
        }
        const pixels = paint(this.#terrain, map, { palette, sea, fit: this.#fit.fit });
        const { minimum, maximum } = this.#terrain.measure(map);
        return {
            width: map.width, height: map.height, pixels, minimum, maximum, fit: this.#fit.fit,
            hash: this.#terrain.hash(map), milliseconds: this.#made.milliseconds,
            mesh: relief ? this.#mesh(map, sea) : null,
        };
    }

    /** The heights of the last picture, row by row. */
    heights() {
        return this.#made.map.data.slice();
    }

    #map(wanted, progress) {
        const { text, seed, size, endless, x, y, scale } = wanted;
        const key = JSON.stringify([text, seed, size, endless, ...(endless ? [x, y, scale] : [])]);
        if (this.#made.key !== key) {
            const begin = performance.now();
            const map = endless
                ? this.#tile(wanted, progress)
                : new this.#terrain.Recipe(text).run({ width: size, height: size, seed, progress });
            this.#made = { key, map, milliseconds: performance.now() - begin };
        }
        return this.#made.map;
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

    /** As WebGL takes it; the sea's surface is flat. */
    #mesh(map, sea) {
        const surface = { ...map, data: sea === null ? map.data : map.data.map((height) => Math.max(height, sea)) };
        const { positions, indices } = this.#terrain.mesh(surface);
        return { positions, indices };
    }
}
