// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// Figures of several maps together.

import { argumentError, checkOptions, errorOf, rangeError } from './errors.js';
import { bigOf, checkMap, given, numberOf, placeOf, sizeOf } from './heightmap.js';
import { c, create, Handle, kindOf, Owner, view, withScratch } from './wasm.js';

/** The library's object of a tally, for one caller at a time: a progress function that its call reports to has none. */
class Alone {
    #owner;
    #busy = false;

    constructor(tally, pointer, destroy) {
        this.#owner = new Owner(tally, 'tally', new Handle(pointer, destroy));
    }

    /** Calls work(owner). */
    use(work) {
        if (this.#busy) {
            throw errorOf(-5, 'the tally is in use');
        }
        this.#busy = true;
        try {
            return work(this.#owner);
        } finally {
            this.#busy = false;
        }
    }

    /** Adds what another one has by a function of the library. */
    merge(other, merge, why) {
        if (other === this) {
            throw argumentError("the tally can't be merged with itself");
        }
        const status = this.use((into) => other.use((from) => merge(into.pointer, from.pointer)));
        if (status !== 0) {
            throw errorOf(status, status === -1 ? why : '');
        }
    }

    free() {
        this.#owner.free();
    }
}

function checkKind(other, Kind) {
    if (!(other instanceof Kind)) {
        throw argumentError(`a tally is merged with a ${Kind.name}, not with ${kindOf(other)}`);
    }
    return other;
}

/** What must be given of a histogram; null where nothing is. */
function histogramOf(options) {
    checkOptions('Tally', options, ['low', 'high', 'bins']);
    if (Object.values(options).every((value) => value === undefined)) {
        return null;
    }
    const [low, high] = ['low', 'high'].map((name) => numberOf(options[name], name));
    return { low, high, bins: Number(bigOf(options.bins, 'bins', 1n, 1n << 20n)) };
}

/** Statistics of several maps together, the same to the last bit in whatever order they are added or merged. */
export class Tally {
    #alone;
    #counts = 0;
    #bins = 0;

    constructor(options = {}) {
        const histogram = histogramOf(options);
        const statistics = create(c.terrain_statistics_create, () => []);
        let counts = 0;
        if (histogram !== null) {
            const { low, high, bins } = histogram;
            counts = c.malloc(8 * bins);
            const status = counts === 0 ? -4 : c.terrain_statistics_set_histogram(statistics, low, high, counts, bins);
            if (status !== 0) {
                c.free(counts);
                c.terrain_statistics_destroy(statistics);
                const why = `low is ${low}, high is ${high}, must be low < high as 32-bit floats, both within 1e30 of 0`;
                throw status === -4 ? errorOf(status, '') : rangeError(why);
            }
            [this.#counts, this.#bins] = [counts >>> 0, bins];
        }
        this.#alone = new Alone(this, statistics, (pointer) => {
            c.terrain_statistics_destroy(pointer);
            c.free(counts);
        });
    }

    /** Adds all cells of a map. After an error the tally is what it was. */
    add(map, options = {}) {
        checkOptions('add', options, ['progress']);
        this.#alone.use((owner) =>
            withScratch((scratch) => {
                const pointer = given(scratch, checkMap(map, 'map', false), 'map');
                owner.call(options.progress, (context, tally) => c.terrain_statistics_add(context, tally, pointer));
            }),
        );
    }

    /** Adds what another tally has, which counts in the same parts of the same range, or in none as this one. */
    merge(other) {
        const from = checkKind(other, Tally).#alone;
        this.#alone.merge(from, c.terrain_statistics_merge, 'the histograms of the two tallies differ');
    }

    /** Forgets all cells. */
    reset() {
        this.#alone.use((owner) => c.terrain_statistics_reset(owner.pointer));
    }

    /** The figures of all cells so far. */
    get statistics() {
        return this.#alone.use(({ pointer }) => ({
            count: Number(c.terrain_statistics_count(pointer)),
            nanCount: Number(c.terrain_statistics_nan_count(pointer)),
            infiniteCount: Number(c.terrain_statistics_infinite_count(pointer)),
            minimum: c.terrain_statistics_minimum(pointer),
            maximum: c.terrain_statistics_maximum(pointer),
            sum: c.terrain_statistics_sum(pointer),
            mean: c.terrain_statistics_mean(pointer),
            variance: c.terrain_statistics_variance(pointer),
            standardDeviation: c.terrain_statistics_standard_deviation(pointer),
        }));
    }

    /** How many heights lie in each part of the range; null where it counts none. */
    get histogram() {
        return this.#alone.use((owner) => {
            void owner.pointer; // throws where it was freed, and its counts with it
            const counts = (_, i) => Number(view().getBigUint64(this.#counts + 8 * i, true));
            return this.#bins === 0 ? null : Array.from({ length: this.#bins }, counts);
        });
    }

    /** Frees it now, and not when JavaScript finds that nobody has it. */
    free() {
        this.#alone.free();
    }
}

const SCORE = { unitSlope: 0.5, buildingSlope: 0.125, unitSize: 1, buildingSize: 9 };
export const SCORE_OPTIONS = Object.keys(SCORE);

/**
 * The score of a terrain that is added in tiles, in any order: that of the whole, to the last bit, if each tile has a
 * ring of buildingSize cells around its window wherever the terrain goes on, and all have one cell size.
 */
export class ScoreTally {
    #alone;

    constructor(options = {}) {
        checkOptions('score', options, SCORE_OPTIONS);
        const slope = (name) => numberOf(options[name] ?? SCORE[name], `score: ${name}`);
        const size = (name) => Number(bigOf(options[name] ?? SCORE[name], `score: ${name}`, 1n, 64n));
        const desc = [slope('unitSlope'), slope('buildingSlope'), size('unitSize'), size('buildingSize')];
        this.#alone = new Alone(this, create(c.binding_score_create, () => desc), c.terrain_score_destroy);
    }

    /**
     * Adds the cells of a window, as the world counts them, which no other window has; without one, the whole map. Cells
     * around it are read, as far as the map has them. After an error the tally is what it was.
     */
    add(map, options = {}) {
        checkOptions('add', options, ['window', 'progress']);
        this.#alone.use((owner) =>
            withScratch((scratch) => {
                const pointer = given(scratch, checkMap(map, 'map', false), 'map');
                const window = options.window ?? map;
                const { width, height } = sizeOf(window, 'window');
                const place = placeOf(window, 'window');
                owner.call(options.progress, (context, tally) =>
                    c.binding_score_add(context, tally, pointer, ...place, width, height),
                );
            }),
        );
    }

    /** Adds the cells of another tally of the same options, whose windows are none of this one's. */
    merge(other) {
        const from = checkKind(other, ScoreTally).#alone;
        const why = 'the options of the two tallies differ, or their windows overlap';
        this.#alone.merge(from, c.terrain_score_merge, why);
    }

    /** The score of all cells so far. */
    get score() {
        return this.#alone.use(({ pointer }) => ({
            count: Number(c.terrain_score_count(pointer)),
            accessible: Number(c.terrain_score_accessible(pointer)),
            flat: Number(c.terrain_score_flat(pointer)),
            reachable: Number(c.terrain_score_reachable(pointer)),
            buildable: Number(c.terrain_score_buildable(pointer)),
            erosion: c.terrain_score_erosion(pointer),
            meanSlope: c.terrain_score_mean_slope(pointer),
            playability: c.terrain_score_playability(pointer),
        }));
    }

    /** Frees it now, and not when JavaScript finds that nobody has it. */
    free() {
        this.#alone.free();
    }
}

for (const each of [Tally, ScoreTally]) {
    if (Symbol.dispose !== undefined) {
        each.prototype[Symbol.dispose] = each.prototype.free;
    }
}
