// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// Guards against crashes, silence and half-written maps: whatever is wrong is a clear exception, and every map is what
// it was.

import assert from 'node:assert/strict';
import { freemem } from 'node:os';
import test from 'node:test';
import * as terrain from 'libterrain';

import { heights, refused } from './golden.js';

const SIZE = { width: 40, height: 30 };
const ALL = Object.values(terrain.operations);

function argumentsOf(operation) {
    switch (operation.signature) {
        case 'generate':
            return [SIZE];
        case 'combine':
            return [heights(SIZE), heights(SIZE, 2)];
        case 'grid':
            return [[[heights(SIZE), heights(SIZE, 2)]]];
        default:
            return [heights(SIZE)];
    }
}

test('what is no map', () => {
    const land = heights(SIZE);
    refused(TypeError, 'size must have a width and a height, not be number', () => terrain.generate.noise(512, 512));
    for (const wrong of [undefined, null, 3, 'land', [[1, 2]], new Float32Array(4), {}]) {
        refused(TypeError, 'must be a map', () => terrain.erode.thermal(wrong));
        refused(TypeError, 'must be a map', () => terrain.combine.blend(land, wrong));
        refused(TypeError, 'must be a map', () => terrain.hash(wrong));
    }
    for (const Kind of [Float64Array, Int32Array, Uint8Array, Array]) {
        const data = Kind.from({ length: 1200 }, () => 0);
        refused(TypeError, 'Float32Array', () => terrain.erode.thermal({ ...SIZE, data }));
        refused(TypeError, 'Float32Array', () => terrain.erode.thermal(land, { out: { ...SIZE, data } }), land);
        refused(TypeError, 'Float32Array', () => new terrain.Heightmap(40, 30, { data }));
    }
});

test('sizes', () => {
    const land = heights(SIZE);
    for (const wrong of [0, -1, 1.5, 2 ** 32, NaN, Infinity]) {
        refused(RangeError, 'width is', () => terrain.generate.noise({ width: wrong, height: 5 }));
        refused(RangeError, 'height is', () => new terrain.Heightmap(5, wrong));
        refused(RangeError, 'width is', () => terrain.erode.thermal({ ...land, width: wrong }));
    }
    for (const wrong of ['5', null, undefined, 5n]) {
        refused(TypeError, 'width must be', () => terrain.generate.noise({ width: wrong, height: 5 }));
    }
    refused(TypeError, 'must have a width', () => terrain.generate.noise(512));
    refused(TypeError, 'must have 41 x 30', () => terrain.erode.thermal({ ...land, width: 41 }), land);
    refused(TypeError, '', () => terrain.combine.blend(land, heights({ width: 40, height: 31 })), land);
    refused(TypeError, 'must be 40 x 30', () => terrain.erode.thermal(land, { out: heights({ width: 30, height: 40 }) }), land);
    refused(TypeError, 'must be 40 x 30', () => terrain.analyze.slope(land, { out: heights({ width: 30, height: 40 }) }), land);
    refused(TypeError, 'mask', () => terrain.blur.gaussian(land, { mask: heights({ width: 39, height: 30 }) }), land);
    refused(terrain.TerrainError, "do not fit into WebAssembly's memory", () =>
        terrain.generate.noise({ width: 2 ** 20, height: 2 ** 20 }),
    );
});

test('more than there is memory', () => {
    const all = { width: 2 ** 15, height: 2 ** 15 }; // 4 GiB
    const land = heights(SIZE);
    const expected = terrain.erode.thermal(land).hash();
    const message = "32768 x 32768 cells do not fit into WebAssembly's memory";
    assert.throws(() => terrain.generate.noise(all), { code: 'TERRAIN_ERROR_MEMORY', message });
    assert.throws(() => new terrain.Recipe('a = generate_noise').run(all), { code: 'TERRAIN_ERROR_MEMORY' });
    assert.equal(terrain.erode.thermal(land).hash(), expected);
});

test('memory grows in large steps', () => {
    const { grow } = WebAssembly.Memory.prototype;
    const steps = [];
    WebAssembly.Memory.prototype.grow = function (pages) {
        steps.push(pages);
        return grow.call(this, pages);
    };
    try {
        const kept = Array.from({ length: 1000 }, () => new terrain.Recipe('a = generate_noise')); // 14 MB
        kept.forEach((each) => each.free());
        const large = { width: 2 ** 12, height: 2 ** 12 };
        terrain.generate.noise(large, { octaves: 1 });
    } finally {
        WebAssembly.Memory.prototype.grow = grow;
    }
    assert.ok(steps.length > 0 && steps.length < 20 && steps.every((each) => each > 16), `${steps}`);
});

// Where the library's pointers are negative numbers.
test('memory beyond 2 GiB', { skip: freemem() < 6 * 2 ** 30 && 'takes 4 GiB' }, () => {
    const large = new terrain.Heightmap(2 ** 14, 2 ** 14);
    const recipe = new terrain.Recipe('input a\ninput b\ninput c\nd = combine_blend a b\ne = combine_blend c d mode=maximum\n');
    const land = heights({ width: 2 ** 11, height: 2 ** 11 });
    const inputs = { a: large, b: large, c: land };
    assert.equal(recipe.run({ ...SIZE, world: true, inputs }).data[7], Math.max(land.data[7], 0));
});

test('detached arrays', () => {
    const gone = heights(SIZE);
    structuredClone(gone.data.buffer, { transfer: [gone.data.buffer] });
    refused(TypeError, 'is detached', () => terrain.erode.thermal(gone));
    refused(TypeError, 'is detached', () => terrain.erode.thermal(heights(SIZE), { out: gone }));
    refused(TypeError, 'is detached', () => terrain.hash(gone));
    refused(TypeError, 'is detached', () => gone.row(0));
    refused(TypeError, 'is detached', () => gone.clone());
    for (const Kind of [Float32Array, Float64Array]) {
        const levels = new Kind(3);
        structuredClone(levels.buffer, { transfer: [levels.buffer] });
        refused(TypeError, 'levels is detached', () => terrain.shape.terrace(heights(SIZE), { levels }));
    }
    const target = heights({ width: 100, height: 100 });
    const kept = heights({ width: 100, height: 100 });
    const progress = () => {
        if (target.data.length > 0) {
            structuredClone(target.data.buffer, { transfer: [target.data.buffer] });
        }
    };
    refused(TypeError, 'is detached', () => terrain.erode.thermal(kept, { iterations: 200, out: target, progress }), kept);
    refused(TypeError, 'frozen', () => terrain.erode.thermal(kept, { out: Object.freeze(heights({ width: 100, height: 100 })) }), kept);
});

test('an empty array is not detached', () => {
    refused(TypeError, 'data has 0 heights, must have 40 x 30', () => terrain.hash({ ...SIZE, data: new Float32Array(0) }));
    refused(TypeError, 'data has 0 heights, must have 40 x 30', () => new terrain.Heightmap(40, 30, { data: new Float32Array(0) }));
});

test('getters that say something else each time', () => {
    const { data } = heights(SIZE);
    const turns = (...values) => {
        let turn = 0;
        return { get: () => values[Math.min(turn++, values.length - 1)], enumerable: true };
    };
    for (const call of [terrain.hash, terrain.measure, terrain.mesh, terrain.shape.clamp, terrain.analyze.slope]) {
        for (const reads of [1, 2, 3, 4, 5]) {
            const shrinking = turns(...Array(reads).fill(data), new Float32Array(5));
            const widening = turns(...Array(reads).fill(40), 41);
            for (const map of [
                Object.defineProperty({ ...SIZE }, 'data', shrinking),
                Object.defineProperty({ ...SIZE, data }, 'width', widening),
            ]) {
                try {
                    call(map);
                } catch (error) {
                    assert.match(`${error.code}: ${error.message}`, /^TERRAIN_ERROR_(ARGUMENT|RANGE): .*must/);
                }
            }
        }
    }
    const once = Object.defineProperty({ ...SIZE, data }, 'width', turns(40, 41));
    refused(TypeError, 'must have 41 x 30', () => terrain.hash(once));
    const lying = Object.defineProperty(new Float32Array(5), 'length', { value: 1200 });
    refused(TypeError, 'data has 5 heights', () => terrain.hash({ ...SIZE, data: lying }));

    const levels = Float32Array.from({ length: 100 }, (_, i) => i);
    Object.defineProperty(levels, 'length', turns(3, 100));
    const stepped = terrain.shape.terrace(heights(SIZE), { levels });
    assert.equal(stepped.hash(), terrain.shape.terrace(heights(SIZE), { levels: [0, 1, 2] }).hash());
    const short = new Proxy([0, 1], { get: (array, name) => (name === 'length' ? 5 : array[name]) });
    refused(TypeError, 'levels must be a number, not undefined', () => terrain.shape.terrace(heights(SIZE), { levels: short }));
});

test('maps that take no result', () => {
    class Getter extends terrain.Heightmap {}
    Object.defineProperty(Getter.prototype, 'x', { get: () => 7 });
    const getter = heights({ width: 40, height: 30 });
    delete getter.x;
    Object.setPrototypeOf(getter, Getter.prototype);
    const own = Object.defineProperty(heights(SIZE), 'cellSize', { get: () => 3 });
    const bare = () => ({ ...SIZE, data: heights(SIZE).data });
    const land = heights(SIZE);
    const recipe = new terrain.Recipe('a = generate_noise\nb = erode_fir a');
    for (const closed of [getter, own, Object.freeze(heights(SIZE)), Object.seal(bare()), Object.preventExtensions(bare())]) {
        const before = { ...closed };
        const other = heights(SIZE);
        refused(TypeError, "can't be set", () => terrain.erode.thermal(land, { out: closed }), land, closed);
        refused(TypeError, "can't be set", () => terrain.shape.fill(land, { depth: closed, out: other }), closed, other);
        refused(TypeError, "can't be set", () => recipe.run({ ...SIZE, x: 9, outputs: ['a', 'b'], out: [other, closed] }), closed, other);
        refused(TypeError, "can't be set", () =>
            new terrain.World(recipe).tile(9, 0, { out: closed }), closed);
        assert.deepEqual([{ ...closed }, other.x], [before, 0]);
    }
    const later = heights(SIZE);
    refused(TypeError, "can't be set", () => terrain.erode.thermal(land, { out: later, progress: () => Object.freeze(later) }), later);
    const setter = Object.defineProperty(heights(SIZE), 'y', { set() { throw new Error('no') } });
    const before = terrain.hash(setter);
    assert.throws(() => terrain.erode.thermal(land, { out: setter }), /^Error: no$/);
    assert.equal(terrain.hash(setter), before);
    terrain.erode.thermal(land, { out: Object.seal(heights(SIZE)) });
    assert.deepEqual(terrain.erode.thermal(land, { out: Object.create(heights(SIZE)) }).data, terrain.erode.thermal(land).data);
});

test('maps that overlap', () => {
    const room = heights({ width: 40, height: 60 }).data;
    const map = (from) => new terrain.Heightmap(40, 30, { data: room.subarray(from, from + 1200) });
    const overlaps = (call) => assert.throws(call, { code: 'TERRAIN_ERROR_ALIAS', message: /overlaps/ });
    overlaps(() => terrain.erode.thermal(map(0), { out: map(40) }));
    overlaps(() => terrain.analyze.slope(map(0), { out: map(0) }));
    overlaps(() => terrain.erode.thermal(map(0), { out: map(0), mask: map(400) }));
    overlaps(() => terrain.shape.fill(map(0), { depth: map(1199) }));
    overlaps(() => terrain.stitch.edges([[map(0), map(800)]], { out: [[map(0), map(800)]] }));
    const recipe = new terrain.Recipe('a = generate_noise\nb = erode_fir a');
    overlaps(() => recipe.run({ ...SIZE, outputs: ['a', 'b'], out: [map(0), map(40)] }));
    terrain.combine.blend(map(0), map(40)); // what is only read may
});

test('unknown options name the nearest', () => {
    for (const operation of ALL) {
        const given = argumentsOf(operation);
        refused(TypeError, `${operation.name}: no option 'quiteUnlike'`, () => operation.apply(...given, { quiteUnlike: 1 }));
        for (const name of Object.keys(operation.parameters)) {
            const wrong = name.slice(0, 2) + name.slice(3);
            if (name.length > 4 && !(wrong in operation.parameters)) {
                refused(TypeError, 'did you mean', () => operation.apply(...given, { [wrong]: 1 }));
            }
        }
    }
    refused(TypeError, "did you mean 'upliftRate'?", () => terrain.erode.streamPower(heights(SIZE), { uplift_rate: 1 }));
    refused(TypeError, 'options must be an object', () => terrain.erode.thermal(heights(SIZE), 50));
});

test('values out of range, and of another type', () => {
    for (const operation of ALL) {
        const given = argumentsOf(operation);
        const refuses = (kind, text, name, value) =>
            refused(kind, text, () => operation.apply(...given, { [name]: value }));
        for (const { name, type, minimum, maximum, values, countMaximum } of Object.values(operation.parameters)) {
            if (type.includes('int')) {
                for (const wrong of [BigInt(minimum) - 1n, BigInt(maximum) + 1n, 2n ** 80n, -(2n ** 80n), 2 ** 80]) {
                    refuses(RangeError, `${operation.name}: ${name} is`, name, wrong);
                }
                for (const wrong of [1.5, '3', null, [1], NaN]) {
                    refuses(TypeError, `${name} must be a whole number`, name, wrong);
                }
            } else if (type === 'float') {
                for (const wrong of [NaN, minimum - Math.abs(minimum) - 1, maximum + Math.abs(maximum) + 1, 1e300]) {
                    if (Math.abs(wrong) !== Infinity && (wrong !== 1e300 || maximum < Infinity)) {
                        refuses(RangeError, operation.name, name, wrong);
                    }
                }
                for (const wrong of ['3', null, [1], 1n]) {
                    refuses(TypeError, `${name} must be a number`, name, wrong);
                }
            } else if (type === 'enum') {
                refuses(TypeError, 'did you mean', name, `${Object.keys(values).at(-1)}x`);
                for (const wrong of [0, null, true]) {
                    refuses(TypeError, 'must be one of', name, wrong);
                }
            } else if (type === 'bool') {
                for (const wrong of [1, 'yes', null]) {
                    refuses(TypeError, 'must be true or false', name, wrong);
                }
            } else if (type === 'float_array') {
                refuses(RangeError, 'at most', name, new Float32Array(countMaximum + 1));
                refuses(TypeError, 'array of numbers', name, 'abc');
                refuses(TypeError, 'must be a number', name, ['1']);
            } else {
                refuses(TypeError, name, name, 0.5);
            }
        }
    }
});

test('rows that a map does not have', () => {
    const land = heights(SIZE);
    for (const wrong of [-1, 0.5, 30, NaN, Infinity, '1', 1n, undefined]) {
        refused(RangeError, 'must be a whole number in [0, 29]', () => land.row(wrong), land);
    }
    assert.deepEqual([land.row(0).length, land.row(29).at(-1)], [40, land.data.at(-1)]);
});

test('places', () => {
    const noise = (place) => () => terrain.generate.noise({ ...SIZE, ...place });
    for (const wrong of [0.5, '1', NaN, {}]) {
        refused(TypeError, 'whole number', noise({ x: wrong }));
    }
    for (const wrong of [2n ** 62n + 1n, -(2n ** 63n), 2 ** 60]) {
        refused(RangeError, '', noise({ y: wrong }));
    }
    refused(RangeError, 'leaves the world', noise({ x: 2n ** 62n }));
    for (const wrong of [0, -1, 1e-7, 1e10, NaN, Infinity]) {
        refused(RangeError, 'cellSize is', noise({ cellSize: wrong }));
    }
    refused(TypeError, 'cellSize must be', noise({ cellSize: 'wide' }));
});

test('arguments', () => {
    const land = heights(SIZE);
    refused(TypeError, 'takes (map, options), 0 arguments', () => terrain.erode.thermal());
    refused(TypeError, 'takes (map, other, options)', () => terrain.combine.blend(land, land, {}, 3));
    refused(TypeError, 'progress must be a function', () => terrain.erode.thermal(land, { progress: true }), land);
    refused(TypeError, 'rows of maps', () => terrain.stitch.edges(land));
    refused(TypeError, 'takes (maps, options), 0 arguments', () => terrain.stitch.edges());
    refused(TypeError, 'takes (maps, options), 3 arguments', () => terrain.stitch.edges([[land, land]], {}, 3), land);
    assert.deepEqual(terrain.stitch.edges([[land, land]], null), terrain.stitch.edges([[land, land]]));
    refused(TypeError, "axes must be one of y_up, z_up, y_up_left, z_up_left, not symbol", () => terrain.mesh(land, { axes: Symbol('y_up') }));
    refused(TypeError, "axes is 'yup', must be one of", () => terrain.mesh(land, { axes: 'yup' }));
    refused(TypeError, 'equally many', () => terrain.stitch.edges([[land, land], [land]]));
    refused(RangeError, 'levels', () => terrain.shape.terrace(land, { levels: [3, 1] }), land);
});

test('a value that changes nothing is told of', () => {
    const told = [];
    const { warn } = console;
    console.warn = (text) => told.push(text);
    try {
        terrain.analyze.flow(heights(SIZE), { method: 'd8', exponent: 3 });
        terrain.analyze.flow(heights(SIZE), { method: 'mfd', exponent: 3 });
    } finally {
        console.warn = warn;
    }
    assert.deepEqual(told, ['analyze_flow: exponent does not count beside this method']);
});

test('recipes, plans and worlds', () => {
    for (const [text, told] of [
        ['a = generate_nois', "did you mean 'generate_noise'"],
        ['a = erode_fir b', 'line 1'],
        ['a = generate_noise seed=x', 'line 1, column'],
        ['\0', 'line 1'],
        ['x'.repeat(2e6), ''],
    ]) {
        refused(SyntaxError, told, () => new terrain.Recipe(text));
    }
    refused(TypeError, 'a recipe is a text', () => new terrain.Recipe(5));
    const land = heights(SIZE);
    const recipe = new terrain.Recipe('input land\nworn = erode_thermal land\n');
    refused(TypeError, "the input 'land' is missing", () => recipe.run(SIZE));
    refused(TypeError, "did you mean 'land'", () => recipe.run({ ...SIZE, inputs: { lamd: land } }));
    refused(TypeError, "did you mean 'worn'", () => recipe.run({ ...SIZE, inputs: { land }, outputs: 'wron' }));
    for (const wrong of [Symbol('worn'), 5, [undefined]]) {
        refused(TypeError, "is no map's name", () => recipe.run({ ...SIZE, inputs: { land }, outputs: wrong }));
    }
    refused(TypeError, 'outputs names no map', () => recipe.run({ ...SIZE, inputs: { land }, outputs: [] }));
    refused(TypeError, 'out must be an array of 2', () =>
        recipe.run({ ...SIZE, inputs: { land }, outputs: ['land', 'worn'], out: [land] }),
    );
    refused(TypeError, '', () => recipe.run({ ...SIZE, inputs: { land }, out: new terrain.Heightmap(3, 3) }), land);
    refused(TypeError, "did you mean 'seed'", () => recipe.run({ ...SIZE, inputs: { land }, sead: 5 }));
    for (const wrong of [-1, 2n ** 64n]) {
        refused(RangeError, 'seed is', () => recipe.run({ ...SIZE, inputs: { land }, seed: wrong }));
        refused(RangeError, 'cacheBytes', () => new terrain.World('a = generate_noise', { cacheBytes: wrong }));
    }
    for (const wrong of [0, -1, NaN, 1e9]) {
        refused(RangeError, 'scale is', () => recipe.run({ ...SIZE, inputs: { land }, scale: wrong }));
        refused(RangeError, 'scale is', () => new terrain.World('a = generate_noise', { scale: wrong }));
    }
    refused(terrain.TerrainError, '', () => recipe.run({ ...SIZE, inputs: { land }, memoryLimit: 1000 }), land);
    refused(TypeError, 'a world is made of', () => new terrain.World(5));
    for (const wrong of ['a\0b', null, 5, Symbol('a')]) {
        refused(TypeError, "is no map's name", () => new terrain.World('a = generate_noise', { name: wrong }));
        refused(TypeError, "is no map's name", () => recipe.checkWorld(wrong));
        refused(TypeError, "is no map's name", () => recipe.mapScale(wrong, 1));
    }
    refused(RangeError, 'within the map', () =>
        terrain.mesh({ width: 4, height: 4, data: new Float32Array(16) }, { window: { x: 1, y: 0, width: 4, height: 4 } }));
    refused(TypeError, "input 'land' is missing", () => new terrain.World(recipe));
    refused(TypeError, "did you mean 'land'", () => new terrain.World(recipe, { inputs: { lamd: land } }));
    refused(TypeError, 'inputs: options must be an object', () => new terrain.World(recipe, { inputs: null }));
    for (const wrong of [null, 5, [land], land.data]) {
        refused(TypeError, 'land must be a map', () => new terrain.World(recipe, { inputs: { land: wrong } }));
    }
    refused(RangeError, 'leaves the world', () => new terrain.World(recipe, { inputs: { land: { ...land, x: 2n ** 62n } } }));
    const little = new terrain.World('land = generate_drainage', { cacheBytes: 1000 });
    refused(terrain.TerrainError, 'cache_bytes is 1000', () => little.prepare(0, 0));
    refused(TypeError, 'widht', () => little.prepare(0, 0, { widht: 5 }));
    const cell = { width: 1, height: 1, data: new Float32Array(1) };
    refused(RangeError, 'low is 1, high is 1', () => terrain.histogram(cell, { low: 1, high: 1, bins: 2 }));
    refused(RangeError, 'bins is 0', () => terrain.histogram(cell, { low: 0, high: 1, bins: 0 }));
    refused(TypeError, 'high must be a number', () => terrain.histogram(cell, { low: 0, bins: 2 }));
    refused(TypeError, 'high must be a number', () => new terrain.Tally({ low: 0, bins: 2 }));
    refused(TypeError, 'packU16: high must be a number', () => terrain.packU16(cell, { low: 0 }));
    refused(TypeError, 'packU16: low must be a number', () => terrain.packU16(cell));
    refused(TypeError, 'low must be a number', () => terrain.histogram(cell));
    refused(RangeError, 'low and high', () => terrain.packU16(cell, { low: 1, high: 1 }));
    refused(TypeError, 'cells has 2 numbers, must have 1', () => terrain.packU16(cell, { low: 0, high: 1, cells: new Uint16Array(2) }));
    refused(TypeError, 'cells must be a Uint16Array, not Int16Array', () => terrain.packU16(cell, { low: 0, high: 1, cells: new Int16Array(1) }));
    const channels = (maps, options) => () => terrain.packChannels(maps, options);
    for (const wrong of [cell, null, undefined, [], [null, null]]) {
        refused(TypeError, 'maps must be an array of maps', channels(wrong));
    }
    refused(TypeError, 'maps[1] must be a map', channels([cell, 5]));
    refused(TypeError, 'sizes must be equal', channels([cell, { width: 2, height: 1, data: new Float32Array(2) }]));
    refused(RangeError, 'count is 5', channels([cell, cell, cell, cell, cell]));
    refused(TypeError, 'lows must be an array of 2 numbers', channels([cell, cell], { lows: [0] }));
    refused(TypeError, 'highs must be an array of 1 numbers', channels([cell], { highs: ['1'] }));
    refused(RangeError, 'low and high are both 1', channels([cell], { lows: [1] }));
    refused(TypeError, 'pixels has 3 bytes, must have 2', channels([cell, cell], { pixels: new Uint8Array(3) }));
    refused(TypeError, 'pixels must be a Uint8ClampedArray or a Uint8Array', channels([cell], { pixels: [0] }));
    refused(RangeError, 'building_slope', () => terrain.score({ ...SIZE, data: new Float32Array(SIZE.width * SIZE.height) }, { unitSlope: 0.1 }));
    refused(TypeError, 'unitSlope must be a number', () => terrain.score(cell, { unitSlope: '1' }));
    refused(RangeError, 'unitSize is 65', () => terrain.score(cell, { unitSize: 65 }));
    const world = new terrain.World('a = generate_noise\nb = erode_thermal a iterations=1000');
    refused(TypeError, 'whole number', () => world.tile(0.5, 0));
    refused(RangeError, '', () => world.tile(2n ** 62n, 0));
    assert.throws(
        () => world.tile(0, 0, { width: 200, height: 200, progress: () => world.tile(0, 0, SIZE) }),
        { code: 'TERRAIN_ERROR_BUSY' },
    );
    for (const wrong of ['yes', 1, 0]) {
        refused(TypeError, 'world must be true or false', () => recipe.plan({ ...SIZE, world: wrong, inputs: { land } }));
    }
    refused(TypeError, 'out is 40 x 30, must be 41 x 30', () => world.tile(0, 0, { width: 41, out: land }), land);
    refused(TypeError, "did you mean 'worn'", () => new terrain.World(recipe, { inputs: { land }, outputs: ['land', 'wron'] }));
    refused(TypeError, 'outputs names no map', () => new terrain.World(recipe, { inputs: { land }, outputs: [] }));
    refused(TypeError, 'name and outputs', () => new terrain.World(recipe, { inputs: { land }, name: 'worn', outputs: 'worn' }));
    const both = new terrain.World('a = generate_noise\nbasin = shape_clamp a', { outputs: ['a', 'basin'] });
    for (const wrong of [Symbol('a'), 5, null, [undefined]]) {
        refused(TypeError, "is no map's name", () => new terrain.World(recipe, { inputs: { land }, outputs: wrong }));
        refused(TypeError, "is no map's name", () => both.tile(0, 0, { ...SIZE, outputs: wrong }));
    }
    refused(TypeError, "the world shows no map 'basim' (did you mean 'basin'", () => both.tile(0, 0, { outputs: 'basim' }));
    refused(TypeError, 'the world shows no map', () => new terrain.World(both.recipe).tile(0, 0, { outputs: ['a'] }));
    refused(TypeError, 'outputs names no map', () => both.tile(0, 0, { outputs: [] }));
    refused(TypeError, "outputs names 'a' twice", () => both.tile(0, 0, { outputs: ['a', 'a'] }));
    refused(TypeError, 'out must be an array of 2', () => both.tile(0, 0, { out: land }), land);
    refused(TypeError, 'out must be an array of 2', () => both.tile(0, 0, { out: [land] }), land);
    refused(TypeError, 'out is 3 x 3, must be 40 x 30', () => both.tile(0, 0, { out: [land, new terrain.Heightmap(3, 3)] }), land);
    refused(TypeError, 'overlaps', () => both.tile(0, 0, { out: [land, land] }), land);
    assert.equal(world.tile(0, 0, { ...SIZE, out: heights(SIZE) }).hash(), world.tile(0, 0, SIZE).hash());
    for (const wrong of [null, 5, undefined]) {
        refused(TypeError, 'window must have', () => terrain.operations.analyze_slope.window(wrong));
    }
    const freed = new terrain.Recipe('a = generate_noise');
    freed.free();
    freed.free();
    refused(TypeError, 'the recipe was freed', () => freed.run(SIZE));
    refused(TypeError, 'progress must be a function', () => terrain.erode.thermal(land, { progress: 5 }));
    for (const wrong of [1, 7, -1, 0.5, 'a', null, Symbol('a')]) {
        refused(TypeError, 'is no map that it reads', () => terrain.operations.analyze_slope.window(SIZE, {}, wrong));
    }
});

test('what a recipe and a plan are stays as it is', () => {
    const land = heights(SIZE);
    const recipe = new terrain.Recipe('input land\nworn = erode_thermal land\n');
    const plan = recipe.plan({ ...SIZE, inputs: { land }, outputs: ['worn', 'land'] });
    const expected = plan.run({ inputs: { land } });
    for (const change of [
        () => plan.outputs.pop(), () => (plan.outputs = ['worn']), () => (plan.recipe = null), () => recipe.maps.push('other'),
        () => (recipe.inputs.length = 0), () => (recipe.inputs = []), () => (recipe.result = 'land'), () => (recipe.text = ''),
    ]) {
        assert.throws(change, TypeError);
    }
    assert.deepEqual(plan.run({ inputs: { land } }), expected);
});

test('what a progress function frees is there until the call has ended', () => {
    const text = 'a = generate_noise\nb = erode_thermal a iterations=200\n';
    const expected = new terrain.Recipe(text).run({ width: 200, height: 200 }).hash();
    const plan = new terrain.Recipe(text).plan({ width: 200, height: 200 });
    const progress = () => {
        plan.free();
        for (let i = 0; i < 50; i++) {
            new terrain.Recipe(`other = generate_noise seed=${i}\nthird = blur_box other\n`).free();
        }
    };
    assert.equal(plan.run({ progress }).hash(), expected);
    refused(TypeError, 'the plan was freed', () => plan.run());
    const world = new terrain.World(text);
    const tile = world.tile(5, 7, { width: 200, height: 200 }).hash();
    world.trim();
    assert.equal(world.tile(5, 7, { width: 200, height: 200, progress: () => world.free() }).hash(), tile);
    refused(TypeError, 'the world was freed', () => world.tile(0, 0));
});

test('recursion that ends in a call', () => {
    const land = heights(SIZE);
    const world = new terrain.World('a = generate_noise\nb = erode_thermal a iterations=5');
    const calls = [() => terrain.erode.thermal(land), () => world.tile(0, 0, { width: 4, height: 4 }), () => new terrain.Recipe('a = generate_noise')];
    for (const each of calls) {
        const expected = each().data;
        const deeper = (depth) => [depth % 20 === 0 && each(), deeper(depth + 1)];
        for (let i = 0; i < 3; i++) {
            assert.throws(() => deeper(i), { name: 'RangeError', message: /call stack/ });
            assert.deepEqual(each().data, expected);
        }
    }
});

test('calls at every depth of the stack', () => {
    const land = heights(SIZE);
    const world = new terrain.World('a = generate_drainage');
    const recipe = new terrain.Recipe('a = generate_noise\nb = erode_thermal a iterations=5');
    const tile = () => {
        world.trim();
        return world.tile(0, 0, { width: 4, height: 4 }); // takes more of the stack than other calls
    };
    for (const each of [tile, () => terrain.erode.thermal(land), () => recipe.run(SIZE)]) {
        const expected = each().data;
        const results = [];
        const refusals = [];
        const fall = () => {
            try {
                fall();
            } catch {
                // as deep as it goes: with each return there is a frame more of room
            }
            if (results.length < 9) {
                try {
                    results.push(each().data);
                } catch (error) {
                    refusals.push(`${error}`);
                }
            }
        };
        fall();
        assert.ok(refusals.length > 0 && refusals.every((refusal) => refusal.includes('call stack')), refusals.at(-1));
        assert.deepEqual(results, Array(9).fill(expected));
    }
});

test('an exception that crosses the library', () => {
    const size = { width: 200, height: 200 };
    const world = new terrain.World('a = generate_noise\nb = erode_thermal a iterations=200');
    const land = heights(size);
    const expected = [terrain.erode.thermal(land, { iterations: 200 }), world.tile(0, 0, size)].map((map) => map.hash());
    const { at } = Array.prototype;
    // What the binding calls before it calls the progress function.
    const progress = () => {
        Array.prototype.at = () => {
            Array.prototype.at = at;
            throw new Error('crossing');
        };
    };
    for (let i = 0; i < 100; i++) {
        assert.throws(() => terrain.erode.thermal(land, { iterations: 200, out: land, progress }), /crossing/);
    }
    assert.throws(() => world.tile(0, 0, { ...size, progress }), /crossing/);
    refused(TypeError, 'the world was lost', () => world.tile(0, 0, size));
    world.free();
    const other = new terrain.World(world.recipe);
    assert.deepEqual([terrain.erode.thermal(land, { iterations: 200 }), other.tile(0, 0, size)].map((map) => map.hash()), expected);
});

test('calls within calls within calls', () => {
    const land = heights(SIZE);
    const expected = terrain.erode.thermal(land).hash();
    const hashes = [];
    let most = 0;
    let refusal = null;
    const nested = (depth) => {
        let inside = false;
        const progress = () => {
            if (!inside && refusal === null) {
                inside = true;
                most = depth;
                try {
                    nested(depth + 1);
                } catch (error) {
                    refusal = error;
                }
            }
        };
        hashes.push(terrain.erode.thermal(land, { progress }).hash());
    };
    nested(1);
    assert.equal(refusal.code, 'TERRAIN_ERROR_BUSY');
    assert.match(refusal.message, /16 deep/);
    assert.deepEqual([most, hashes], [16, Array(16).fill(expected)]);
});
