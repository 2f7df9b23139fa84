// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// Recipes, plans and worlds.

import { windowAt } from './calls.js';
import { argumentError, checkOptions, nearest, rangeError } from './errors.js';
import {
    bigOf, cellSizeOf, checkMap, checkOverlaps, given, made, numberOf, placeOf, Results, sizeOf,
} from './heightmap.js';
import { c, create, Handle, kindOf, Owner, Scratch, textAt, trim, view, withScratch } from './wasm.js';

const MOST = 2n ** 64n - 1n;
const MIB = 2 ** 20;
const DEFAULT_SIDE = 512;

const sizeOrDefault = ({ width = DEFAULT_SIDE, height = DEFAULT_SIDE }) => sizeOf({ width, height });

function scaleOf(value = 1) {
    numberOf(value, 'scale');
    if (!(value >= 2 ** -16 && value <= 2 ** 16)) {
        throw rangeError(`scale is ${value}, must be in [2^-16, 2^16]`);
    }
    return value;
}

/** Gives an object properties that nobody can change: the library reads as many maps as they name. */
function fix(object, values) {
    for (const [name, value] of Object.entries(values)) {
        Object.defineProperty(object, name, { value, enumerable: true });
    }
}

/** The maps of a recipe that `outputs` names: one, or an array of them. */
function outputsOf(recipe, outputs) {
    const names = Object.freeze(Array.isArray(outputs) ? [...outputs] : [outputs]);
    if (names.length === 0) {
        throw argumentError('outputs names no map');
    }
    for (const name of names) {
        if (typeof name !== 'string') {
            throw argumentError(`${kindOf(name)} is no map's name`);
        }
        if (!recipe.maps.includes(name)) {
            throw argumentError(`no map '${name}'${nearest(name, recipe.maps)}`);
        }
    }
    return names;
}

const RUN_OPTIONS = [
    'width', 'height', 'x', 'y', 'cellSize', 'scale', 'seed', 'world', 'inputs', 'outputs', 'memoryLimit',
];

/** A graph of operations over named maps, as text. It never changes. */
export class Recipe {
    #owner;

    constructor(text) {
        if (typeof text !== 'string') {
            throw argumentError(`a recipe is a text, not ${kindOf(text)}`);
        }
        const pointer = create(c.terrain_recipe_parse, (scratch) => {
            const bytes = scratch.text(text);
            return [bytes.pointer, bytes.size];
        });
        this.#owner = new Owner(this, 'recipe', new Handle(pointer, c.terrain_recipe_destroy));
        const names = (count, at) => Array.from({ length: count(pointer) }, (_, i) => textAt(at(pointer, i)));
        fix(this, {
            text,
            inputs: Object.freeze(names(c.terrain_recipe_input_count, c.terrain_recipe_input_at)),
            maps: Object.freeze(names(c.terrain_recipe_map_count, c.terrain_recipe_map_at)),
            result: textAt(c.terrain_recipe_result(pointer)),
        });
    }

    /** Throws, and names the statement, if the map can't be had for any window of an endless world. */
    checkWorld(name) {
        withScratch((scratch) => {
            const given = scratch.name(name);
            this.#owner.call(null, (context, recipe) => c.terrain_recipe_check_world(context, recipe, given));
        });
    }

    /** The scale that the map has in a run of a scale, at which an input must be given. */
    mapScale(name, scale) {
        return withScratch((scratch) => {
            const [out, known, asked] = [scratch.allocate(8), scratch.name(name), scaleOf(scale)];
            this.#owner.call(null, (context, recipe) => c.terrain_recipe_map_scale(context, recipe, known, asked, out));
            return view().getFloat64(out, true);
        });
    }

    /** A run that is checked and planned, to be asked what it will take, and run, once or often. */
    plan(options = {}) {
        return new Plan(this, this.#owner.handle, options);
    }

    /** Computes the result, or the maps that `outputs` names. */
    run(options = {}) {
        checkOptions('run', options, [...RUN_OPTIONS, 'out', 'progress']);
        const { out, progress, ...planned } = options;
        const plan = this.plan(planned);
        try {
            return plan.run({ inputs: options.inputs, out, progress });
        } finally {
            plan.free();
        }
    }

    /** Frees it now, and not when JavaScript finds that nobody has it. */
    free() {
        this.#owner.free();
    }

    /** For World. */
    static handleOf(recipe) {
        return recipe.#owner.handle;
    }
}

/** What recipe.plan returns. It never changes. */
export class Plan {
    #owner;
    #single;
    #run;

    constructor(recipe, handle, options) {
        checkOptions('plan', options, RUN_OPTIONS);
        const outputs = options.outputs ?? recipe.result;
        if (outputs === null) {
            throw argumentError('the recipe makes no map');
        }
        this.#single = !Array.isArray(outputs);
        fix(this, { recipe, outputs: outputsOf(recipe, outputs) });
        const size = sizeOrDefault(options);
        if (typeof (options.world ?? false) !== 'boolean') {
            throw argumentError(`world must be true or false, not ${kindOf(options.world)}`);
        }
        this.#run = { place: placeOf(options, 'run'), cellSize: cellSizeOf(options, 'run'), world: options.world === true };
        const pointer = create(c.binding_plan_create, (scratch) => {
            const texts = (names) => scratch.words(names.map((name) => scratch.text(name).pointer));
            return [
                handle.pointer, size.width, size.height, ...this.#run.place,
                bigOf(options.seed ?? 0, 'seed', 0n, MOST), bigOf(options.memoryLimit ?? 0, 'memoryLimit', 0n, MOST),
                this.#run.cellSize, scaleOf(options.scale), this.#run.world ? 1 : 0, texts(recipe.inputs),
                scratch.words(this.#inputs(scratch, options.inputs, this.#run.world)), recipe.inputs.length,
                texts(this.outputs), this.outputs.length,
            ];
        });
        this.#owner = new Owner(this, 'plan', new Handle(pointer, c.terrain_recipe_plan_destroy, handle));
    }

    /** The inputs' maps in the recipe's order. */
    #inputs(scratch, inputs = {}, mayMiss = false) {
        checkOptions('inputs', inputs, this.recipe.inputs);
        return this.recipe.inputs.map((name) => {
            if (inputs[name] === undefined) {
                if (!mayMiss) {
                    throw argumentError(`the input '${name}' is missing`);
                }
                return 0;
            }
            return given(scratch, checkMap(inputs[name], name, false), name);
        });
    }

    /** The most bytes that a run holds at a time, beside the maps that it is given. */
    get bytes() {
        return Number(BigInt.asUintN(64, c.terrain_recipe_plan_bytes(this.#owner.pointer)));
    }

    /** The cells that all statements compute together. */
    get cells() {
        return Number(BigInt.asUintN(64, c.terrain_recipe_plan_cells(this.#owner.pointer, 0xffffffff)));
    }

    /**
     * The window of an output (by default the first), or, in a world, what an input must cover: 0 cells wide and high if
     * it is not needed, and then run does without.
     */
    window(name) {
        return withScratch((scratch) => {
            const window = scratch.allocate(24);
            if (c.terrain_recipe_plan_window(this.#owner.pointer, scratch.name(name), window) !== 0) {
                const known = [...this.outputs, ...this.recipe.inputs];
                throw argumentError(`'${name}' is no output or input of the plan${nearest(name, known)}`);
            }
            return windowAt(window);
        });
    }

    /** Computes the outputs: a map, or an array of as many as were planned in an array. */
    run(options = {}) {
        checkOptions('run', options, ['inputs', 'out', 'progress']);
        const { inputs = {}, out, progress } = options;
        const targets = out === undefined ? this.outputs.map(() => undefined) : this.#single ? [out] : out;
        if (!Array.isArray(targets) || targets.length !== this.outputs.length) {
            throw argumentError(`out must be an array of ${this.outputs.length} maps`);
        }
        return withScratch((scratch) => {
            const pointers = this.#inputs(scratch, inputs, true);
            const present = this.recipe.inputs.filter((name) => inputs[name] !== undefined);
            const reads = present.map((name) => ({ map: inputs[name], what: name, written: false }));
            const writes = targets.flatMap((map, i) =>
                map === undefined ? [] : [{ map: checkMap(map, 'out', true), what: `out of ${this.outputs[i]}`, written: true }],
            );
            checkOverlaps([...reads, ...writes]);
            const results = new Results();
            const windows = this.outputs.map((name) => this.window(name));
            const written = windows.map((window, i) =>
                made(scratch, sizeOf(targets[i] ?? window), [window.x, window.y], this.#run.cellSize),
            );
            const maps = written.map((pointer, i) => results.add(pointer, targets[i], 'out'));
            const [read, filled] = [scratch.words(pointers), scratch.words(written)];
            this.#owner.call(progress, (context, plan) => c.terrain_recipe_plan_run(context, plan, read, filled));
            trim();
            results.write();
            return this.#single ? maps[0] : maps;
        });
    }

    /** Frees it now, and not when JavaScript finds that nobody has it. */
    free() {
        this.#owner.free();
    }
}

/** Not within the constructor, whose options it would keep. */
const freeScratch = (scratch) => scratch.free();

/** An endless terrain, given out in tiles, in any order. Tiles fit to the last bit. */
export class World {
    #owner;
    #single;

    constructor(recipe, options = {}) {
        checkOptions('World', options, [
            'name', 'outputs', 'seed', 'cellSize', 'scale', 'cacheBytes', 'memoryLimit', 'inputs',
        ]);
        if (typeof recipe !== 'string' && !(recipe instanceof Recipe)) {
            throw argumentError(`a world is made of a recipe or its text, not of ${kindOf(recipe)}`);
        }
        this.recipe = recipe instanceof Recipe ? recipe : new Recipe(recipe);
        const handle = Recipe.handleOf(this.recipe);
        const { name, outputs, inputs = {} } = options;
        if (name !== undefined && outputs !== undefined) {
            throw argumentError('name and outputs are both given');
        }
        const asked = outputs === undefined ? [] : outputsOf(this.recipe, outputs);
        this.#single = !Array.isArray(outputs);
        checkOptions('inputs', inputs, this.recipe.inputs);
        const names = this.recipe.inputs.filter((name) => inputs[name] !== undefined);
        const kept = new Handle(new Scratch(), freeScratch, handle); // has copies of the inputs, and outlives the world
        try {
            const pointer = create(c.binding_world_create, (scratch) => [
                handle.pointer, scratch.name(name),
                bigOf(options.seed ?? 0, 'seed', 0n, MOST), bigOf(options.cacheBytes ?? 64 * MIB, 'cacheBytes', 0n, MOST),
                bigOf(options.memoryLimit ?? 0, 'memoryLimit', 0n, MOST), cellSizeOf(options, 'World'), scaleOf(options.scale),
                scratch.words(names.map((name) => scratch.text(name).pointer)),
                scratch.words(names.map((name) => given(kept.pointer, checkMap(inputs[name], name, false), name))), names.length,
                scratch.words(asked.map((name) => scratch.text(name).pointer)), asked.length,
            ]);
            fix(this, { outputs: outputs === undefined ? Object.freeze([name ?? this.recipe.result]) : asked });
            this.#owner = new Owner(this, 'world', new Handle(pointer, c.terrain_world_destroy, kept));
        } finally {
            kept.release();
        }
    }

    /** The places among the world's outputs of those that a tile names. */
    #placesOf(names) {
        if (names.length === 0) {
            throw argumentError('outputs names no map');
        }
        return names.map((name, i) => {
            if (typeof name !== 'string') {
                throw argumentError(`${kindOf(name)} is no map's name`);
            }
            if (!this.outputs.includes(name)) {
                throw argumentError(`the world shows no map '${name}'${nearest(name, this.outputs)}`);
            }
            if (names.indexOf(name) !== i) {
                throw argumentError(`outputs names '${name}' twice`);
            }
            return this.outputs.indexOf(name);
        });
    }

    /**
     * The window whose first cell is (x, y), of 512 x 512 cells by default: a map, or an array of as many as the world's
     * `outputs`, or the tile's, name.
     */
    tile(x, y, options = {}) {
        checkOptions('tile', options, ['width', 'height', 'outputs', 'out', 'progress']);
        const { outputs, out, progress } = options;
        const place = placeOf({ x, y }, 'tile');
        const single = outputs === undefined ? this.#single : !Array.isArray(outputs);
        const places = outputs === undefined ? [...this.outputs.keys()] : this.#placesOf(single ? [outputs] : outputs);
        const targets = out === undefined ? places.map(() => undefined) : single ? [out] : out;
        if (!Array.isArray(targets) || targets.length !== places.length) {
            throw argumentError(`out must be an array of ${places.length} maps`);
        }
        const writes = targets.flatMap((map, i) =>
            map === undefined ? [] : [{ map: checkMap(map, 'out', true), what: `out of ${this.outputs[places[i]]}`, written: true }],
        );
        checkOverlaps(writes);
        const first = writes[0]?.map;
        const { width = first?.width, height = first?.height } = options;
        const size = sizeOrDefault({ width, height });
        for (const { map } of writes) {
            if (map.width !== width || map.height !== height) {
                throw argumentError(`out is ${map.width} x ${map.height}, must be ${width} x ${height}`);
            }
        }
        return withScratch((scratch) => {
            const pointers = this.outputs.map((_, i) => (places.includes(i) ? made(scratch, size) : 0));
            const filled = scratch.words(pointers);
            const results = new Results();
            const maps = places.map((i, k) => results.add(pointers[i], targets[k], 'out'));
            this.#owner.call(progress, (context, world) =>
                c.terrain_world_tile_maps(context, world, ...place, filled, pointers.length),
            );
            results.write();
            return single ? maps[0] : maps;
        });
    }

    /** Computes and keeps what tiles inside the window will read from the cache; makes no tile. */
    prepare(x, y, options = {}) {
        checkOptions('prepare', options, ['width', 'height', 'progress']);
        const place = placeOf({ x, y }, 'prepare');
        const { width, height } = sizeOrDefault(options);
        withScratch(() =>
            this.#owner.call(options.progress, (context, world) =>
                c.binding_world_prepare(context, world, ...place, width, height),
            ),
        );
    }

    /** What a tile takes at most, with all outputs and nothing kept yet; computes nothing. */
    tileBytes(x, y, options = {}) {
        checkOptions('tileBytes', options, ['width', 'height']);
        const place = placeOf({ x, y }, 'tileBytes');
        const { width, height } = sizeOrDefault(options);
        return withScratch((scratch) => {
            const bytes = scratch.allocate(16);
            this.#owner.call(undefined, (context, world) =>
                c.binding_world_tile_bytes(context, world, ...place, width, height, bytes),
            );
            const [kept, needed] = [0, 8].map((at) => Number(view().getBigUint64(bytes + at, true)));
            return { kept, needed };
        });
    }

    /** Bytes that are kept between tiles now. */
    get cacheSize() {
        return Number(c.terrain_world_cache_size(this.#owner.pointer));
    }

    /** Frees what is kept. */
    trim() {
        c.terrain_world_trim(this.#owner.pointer);
    }

    /** Frees it now, and not when JavaScript finds that nobody has it. */
    free() {
        this.#owner.free();
    }
}

for (const each of [Recipe, Plan, World]) {
    if (Symbol.dispose !== undefined) {
        each.prototype[Symbol.dispose] = each.prototype.free;
    }
}
