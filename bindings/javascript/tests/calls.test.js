// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// Guards against calls that do not do what the manual says: results, places, progress, recipes, plans, worlds, meshes.

import assert from 'node:assert/strict';
import test from 'node:test';
import * as terrain from 'libterrain';

import { heights, refused, shares } from './golden.js';

const SIZE = { width: 40, height: 30 };

test('every operation is a function of its verb, and knows its table row', () => {
    for (const operation of Object.values(terrain.operations)) {
        assert.equal(terrain[operation.verb][operation.algorithm], operation.apply);
        assert.equal(operation.apply.operation, operation);
        for (const parameter of Object.values(operation.parameters)) {
            assert.ok(parameter.doc.length > 0, `${operation.name}: ${parameter.name}`);
            assert.doesNotMatch(parameter.name, /_/);
        }
    }
    assert.equal(terrain.operations.erode_thermal.halo({ iterations: 7 }), 7);
    assert.equal(terrain.operations.shape_fill.halo(), Infinity);
    const tilings = ['shape_clamp', 'shape_fill', 'analyze_basins', 'stitch_edges'].map((name) => terrain.operations[name].tiling);
    assert.deepEqual(tilings, ['windows', 'regions', 'none', 'none']);
});

test('the table as JSON', () => {
    const table = JSON.parse(JSON.stringify(terrain.operations));
    assert.deepEqual(Object.keys(table), Object.keys(terrain.operations));
    assert.deepEqual(structuredClone(table), table);
    for (const { name, verb, algorithm, signature, ports, parameters } of Object.values(terrain.operations)) {
        assert.deepEqual([table[name].verb, table[name].algorithm, table[name].signature], [verb, algorithm, signature]);
        assert.equal(table[name].ports.length, ports.length);
        for (const parameter of Object.values(parameters)) {
            const { type, minimum, maximum, when, ...others } = table[name].parameters[parameter.name];
            const number = type.endsWith('64') ? BigInt : Number;
            assert.deepEqual([number(minimum), number(maximum)], [parameter.minimum, parameter.maximum]);
            assert.equal(String(others.default), String(parameter.default));
            assert.deepEqual([others.values, others.slider], [parameter.values, parameter.slider]);
            assert.equal(when === null ? undefined : BigInt(when.bits), parameter.when?.bits);
        }
    }
    const { seed, low } = { ...table.generate_noise.parameters, ...table.shape_clamp.parameters };
    assert.deepEqual([seed.maximum, low.minimum], ['18446744073709551615', '-Infinity']);
});

test('a result is a new map, or `out`, or the map itself', () => {
    const land = heights(SIZE);
    const before = land.clone();
    const worn = terrain.erode.thermal(land, { talus: 0.4 });
    assert.deepEqual(land, before);
    const out = new terrain.Heightmap(40, 30);
    assert.equal(terrain.erode.thermal(land, { talus: 0.4, out }), out);
    assert.equal(out.hash(), worn.hash());
    assert.equal(terrain.erode.thermal(land, { talus: 0.4, out: land }), land);
    assert.equal(land.hash(), worn.hash());
    const plain = { width: 40, height: 30, data: new Float32Array(40 * 30) };
    assert.equal(terrain.generate.noise(plain, { seed: 5, out: plain }), plain);
    assert.equal(terrain.hash(plain), terrain.generate.noise(SIZE, { seed: 5 }).hash());
    assert.notEqual(plain.data[0], 0);
});

test('a view of a larger buffer is written where it lies', () => {
    const room = new Float32Array(2000).fill(7);
    const out = new terrain.Heightmap(40, 30, { data: room.subarray(100, 1300) });
    terrain.generate.noise(SIZE, { seed: 2, out });
    assert.ok(room.subarray(0, 100).every((each) => each === 7) && room.subarray(1300).every((each) => each === 7));
    assert.equal(out.hash(), terrain.generate.noise(SIZE, { seed: 2 }).hash());
    assert.equal(out.row(3)[4], out.data[3 * 40 + 4]);
});

test('places and cell sizes go in and come out', () => {
    const far = { ...SIZE, x: 2n ** 61n + 1n, y: -5, cellSize: 2.5 };
    const land = terrain.generate.noise(far, { seed: 2n ** 64n - 1n });
    assert.deepEqual([land.x, land.y, land.cellSize], [2n ** 61n + 1n, -5, 2.5]);
    const whole = terrain.generate.noise({ width: 50, height: 30, x: -3, y: 4 }, { seed: 1 });
    const tile = terrain.generate.noise({ width: 10, height: 30, x: 20, y: 4 }, { seed: 1 });
    for (let y = 0; y < 30; y++) {
        assert.deepEqual(tile.row(y), whole.row(y).subarray(23, 33));
    }
    const half = terrain.shape.resample(land, { step: 2 });
    assert.deepEqual([half.width, half.height, half.cellSize], [20, 15, 5]);
});

test('maps that an operation gives beside its result', () => {
    const land = heights({ width: 64, height: 48 });
    const depth = new terrain.Heightmap(64, 48);
    const full = terrain.shape.fill(land, { depth });
    for (let i = 0; i < depth.data.length; i++) {
        assert.equal(depth.data[i], Math.fround(full.data[i] - land.data[i]));
    }
});

test('grids', () => {
    const pair = [heights(SIZE), heights(SIZE, 2)];
    const [[west, east]] = terrain.stitch.edges([pair], { width: 4 });
    assert.notEqual(west.hash(), pair[0].hash());
    for (let y = 0; y < SIZE.height; y++) {
        assert.equal(west.row(y).at(-1), east.row(y)[0]);
    }
});

test('an array of numbers', () => {
    const land = heights(SIZE);
    const hashes = [[-10, 0, 10], new Float32Array([-10, 0, 10]), [-10, 0]].map((levels) =>
        terrain.shape.terrace(land, { levels }).hash(),
    );
    assert.equal(hashes[0], hashes[1]);
    assert.notEqual(hashes[0], hashes[2]);
});

test('progress never falls and ends at 1', () => {
    const seen = [];
    terrain.erode.thermal(heights({ width: 200, height: 200 }), { iterations: 300, progress: (each) => seen.push(each) });
    assert.ok(seen.length > 3);
    assert.equal(seen.at(-1), 1);
    assert.deepEqual(seen, [...seen].sort((a, b) => a - b));
});

test('what a progress function throws cancels the call and comes out of it', () => {
    const land = heights({ width: 200, height: 200 });
    const before = land.hash();
    for (const limit of [0.3, 1]) {
        const mistake = new Error('enough');
        const calls = [];
        const progress = (share) => {
            calls.push(share);
            if (share >= limit) {
                throw mistake;
            }
        };
        assert.throws(() => terrain.erode.thermal(land, { iterations: 300, out: land, progress }), (each) => each === mistake);
        assert.equal(land.hash(), before);
        assert.ok(calls.at(-1) >= limit && calls.filter((each) => each >= limit).length === 1);
    }
    assert.notEqual(terrain.erode.thermal(land, { iterations: 300 }).hash(), before);
});

test('a call within a progress function', () => {
    const inner = [];
    const expected = terrain.generate.noise(SIZE, { seed: 9 }).hash();
    const progress = () => inner.push(terrain.generate.noise(SIZE, { seed: 9 }).hash());
    terrain.erode.thermal(heights({ width: 100, height: 100 }), { iterations: 200, progress });
    assert.ok(inner.length > 1 && inner.every((each) => each === expected));
});

const TEXT = 'input land\nhills = generate_noise seed=25\nsum = combine_blend land hills\nworn = erode_thermal sum talus=0.6\n';

test('recipes and plans', () => {
    const recipe = new terrain.Recipe(TEXT);
    assert.deepEqual([recipe.inputs, recipe.result], [['land'], 'worn']);
    assert.deepEqual([...recipe.maps].sort(), ['hills', 'land', 'sum', 'worn']);
    const inputs = { land: heights(SIZE) };
    const hills = terrain.generate.noise(SIZE, { seed: 25 });
    const expected = terrain.erode.thermal(terrain.combine.blend(inputs.land, hills), { talus: 0.6 });
    assert.equal(recipe.run({ ...SIZE, inputs }).hash(), expected.hash());
    const [worn, noise] = recipe.run({ ...SIZE, inputs, outputs: ['worn', 'hills'] });
    assert.deepEqual([worn.hash(), noise.hash()], [expected.hash(), hills.hash()]);
    const plan = recipe.plan({ ...SIZE, inputs });
    assert.ok(plan.bytes > 4 * 40 * 30 && plan.cells >= 3 * 40 * 30);
    assert.deepEqual(plan.window(), { x: 0n, y: 0n, width: 40, height: 30 });
    const out = new terrain.Heightmap(40, 30);
    recipe.free(); // the plan holds what it needs
    const seen = [];
    assert.equal(plan.run({ inputs, out, progress: (each) => seen.push(each) }), out);
    assert.deepEqual([out.hash(), seen.at(-1)], [expected.hash(), 1]);
    plan.free();
    assert.throws(() => plan.run({ inputs }), { name: 'TypeError', message: 'the plan was freed' });
    const world = new terrain.Recipe('input a\ninput b\nc = shape_clamp a\n').plan({ ...SIZE, world: true });
    assert.deepEqual(world.window('b'), { x: 0n, y: 0n, width: 0, height: 0 });
    const clamped = terrain.shape.clamp(inputs.land);
    assert.equal(world.run({ inputs: { a: inputs.land } }).hash(), clamped.hash());
    assert.throws(() => world.run(), { name: 'TypeError', message: /input 'a' is missing/ });
});

test('seed, place, cell size and scale of a run', () => {
    const recipe = new terrain.Recipe('a = generate_noise period=80 octaves=3');
    assert.equal(recipe.run({ ...SIZE, seed: 0 }).hash(), recipe.run(SIZE).hash());
    assert.notEqual(recipe.run({ ...SIZE, seed: 4 }).hash(), recipe.run(SIZE).hash());
    const small = recipe.run({ ...SIZE, x: 7, y: -2n, scale: 0.25, cellSize: 3 });
    const expected = terrain.generate.noise({ ...SIZE, x: 7, y: -2 }, { period: 20, octaves: 3 });
    assert.equal(small.hash(), expected.hash());
    assert.deepEqual([small.x, small.y, small.cellSize], [7, -2, 12]);
});

test('a world gives the tiles of a window', () => {
    const text = 'a = generate_noise seed=3\nb = erode_thermal a iterations=4\n';
    const whole = new terrain.Recipe(text).run({ width: 96, height: 64, x: -32, y: 10, world: true, seed: 6 });
    const world = new terrain.World(text, { seed: 6 });
    const tile = world.tile(0, 10, { width: 64, height: 64 });
    for (let y = 0; y < 64; y++) {
        assert.deepEqual(tile.row(y), whole.row(y).subarray(32));
    }
    assert.deepEqual([tile.x, tile.y], [0, 10]);
    world.trim();
    assert.equal(world.cacheSize, 0);
    const steered = new terrain.Recipe('input coast\nland = generate_drainage control=coast map_spacing=2048\n');
    assert.deepEqual([steered.mapScale('coast', 0.25), steered.mapScale(undefined, 0.25)], [1, 0.25]);
    const preview = new terrain.World(text, { seed: 6, scale: 0.5 }).tile(0, 0, SIZE);
    assert.equal(preview.hash(), new terrain.Recipe(text).run({ ...SIZE, world: true, seed: 6, scale: 0.5 }).hash());
    assert.throws(() => new terrain.World('a = generate_noise\nb = analyze_basins a'), { code: 'TERRAIN_ERROR_UNSUPPORTED' });
});

test('a world gives several maps of a tile', () => {
    const text = 'land = generate_noise seed=25\nhills = erode_thermal land talus=0.6\nslope = analyze_slope hills\n';
    const outputs = ['slope', 'land', 'hills'];
    const window = { width: 50, height: 40 };
    const recipe = new terrain.Recipe(text);
    const hashes = (maps) => maps.map((map) => map.hash());
    const expected = hashes(recipe.run({ ...window, x: -30, y: -40, seed: 3, world: true, outputs }));
    const world = new terrain.World(recipe, { seed: 3, outputs });
    assert.deepEqual(world.outputs, outputs);
    const tile = world.tile(-30, -40, window);
    assert.deepEqual(hashes(tile), expected);
    assert.deepEqual(tile.map(({ x, y }) => [x, y]), [[-30, -40], [-30, -40], [-30, -40]]);
    for (const [i, name] of outputs.entries()) {
        assert.equal(world.tile(-30, -40, { ...window, outputs: name }).hash(), expected[i]);
        const single = new terrain.World(recipe, { seed: 3, outputs: name });
        assert.deepEqual([single.outputs, single.tile(-30, -40, window).hash()], [[name], expected[i]]);
    }
    const part = world.tile(-30, -40, { ...window, outputs: ['hills', 'slope'] });
    assert.deepEqual(hashes(part), [expected[2], expected[0]]);
    assert.deepEqual(hashes(new terrain.World(recipe, { seed: 3, outputs: ['land'] }).tile(-30, -40, window)), [expected[1]]);
    assert.deepEqual(new terrain.World(recipe).outputs, ['slope']);
    assert.deepEqual(new terrain.World(recipe, { name: 'land' }).outputs, ['land']);
    const out = outputs.map(() => new terrain.Heightmap(50, 40));
    assert.deepEqual(world.tile(-30, -40, { out }).map((map, i) => map === out[i]), [true, true, true]);
    assert.deepEqual(hashes(out), expected);
    // What nobody asks for is not computed: the input that it alone reads may end before the tile.
    const short = new terrain.World('input a\nnoise = generate_noise\nsum = combine_blend noise a\n', {
        inputs: { a: new terrain.Heightmap(4, 4) }, outputs: ['noise', 'sum'],
    });
    assert.throws(() => short.tile(0, 0, SIZE), { code: 'TERRAIN_ERROR_RANGE' });
    assert.equal(short.tile(0, 0, { ...SIZE, outputs: 'noise' }).hash(), terrain.generate.noise(SIZE).hash());
});

test('a thousand worlds leave no memory behind', () => {
    const recipe = new terrain.Recipe('input a\nb = shape_clamp a\n');
    const inputs = { a: new terrain.Heightmap(1024, 1024) };
    const make = () => {
        const world = new terrain.World('a = generate_noise\nb = erode_thermal a iterations=2');
        world.tile(0, 0, { width: 256, height: 256 });
        world.free();
        world.recipe.free();
        const reader = new terrain.World(recipe, { inputs });
        reader.tile(0, 0, SIZE);
        reader.free();
        assert.throws(() => new terrain.World(recipe, { inputs, name: 'c' }), { code: 'TERRAIN_ERROR_ARGUMENT' });
    };
    make();
    for (let i = 0; i < 1000; i++) {
        make(); // a MiB at least, each: together more than there is
    }
});

test('a world reads its inputs as they were', () => {
    const recipe = new terrain.Recipe(
        'input hill\ninput rough\nnoise = generate_noise seed=3\nsum = combine_blend hill noise mode=add\n' +
            'worn = erode_thermal sum iterations=40 mask=rough\n',
    );
    const size = { width: 400, height: 300 };
    const inputs = { hill: heights(size, 1, [-150, 0]), rough: shares(size, 5, [-150, 0]) };
    const window = { width: 256, height: 128 };
    const whole = recipe.run({ ...window, x: -100, y: 50, seed: 8, world: true, inputs });
    const worlds = [{}, { cacheBytes: 0 }].map((more) => new terrain.World(recipe, { seed: 8, inputs, ...more }));
    recipe.free();
    inputs.hill.data.fill(7);
    structuredClone(inputs.rough.data.buffer, { transfer: [inputs.rough.data.buffer] });
    for (const world of worlds) {
        for (const first of [0, 128]) {
            const tile = world.tile(first - 100, 50, { width: 128, height: 128 });
            for (let y = 0; y < 128; y++) {
                assert.deepEqual(tile.row(y), whole.row(y).subarray(first, first + 128));
            }
        }
    }
    const covers = { code: 'TERRAIN_ERROR_RANGE', message: /covers x -150 to 249/ };
    assert.throws(() => worlds[0].tile(300, 50, SIZE), covers);
    assert.throws(() => worlds[0].prepare(300, 50, SIZE), covers);
    worlds[0].free();
    assert.equal(worlds[1].tile(-100, 50, window).hash(), whole.hash());
    const land = heights(SIZE);
    const clamped = new terrain.World('input a\ninput b\nc = shape_clamp a\n', { inputs: { a: land } });
    assert.equal(clamped.tile(0, 0, SIZE).hash(), terrain.shape.clamp(land).hash()); // b is not needed
});

test('a world that is prepared gives the tiles of one that is not', () => {
    const text = 'land = generate_drainage seed=5\n';
    const world = new terrain.World(text, { seed: 6 });
    const seen = [];
    world.prepare(-64, 0n, { width: 128, height: 64, progress: (each) => seen.push(each) });
    const kept = world.cacheSize;
    assert.ok(kept > 0 && seen.at(-1) === 1);
    const tile = world.tile(-64, 0, { width: 64, height: 64 });
    assert.equal(world.cacheSize, kept);
    assert.equal(tile.hash(), new terrain.World(text, { seed: 6 }).tile(-64, 0, { width: 64, height: 64 }).hash());
});

test('what a tile takes is known beforehand', () => {
    const text = 'land = generate_drainage seed=5\n', size = { width: 128, height: 64 };
    const bytes = new terrain.World(text).tileBytes(-64, 0n, size);
    const world = new terrain.World(text, { cacheBytes: bytes.kept, memoryLimit: bytes.needed });
    world.prepare(-64, 0, size);
    world.tile(-64, 0, size);
    assert.ok(0 < world.cacheSize && world.cacheSize <= bytes.kept && bytes.kept < bytes.needed);
    assert.deepEqual(world.tileBytes(-64, 0, size), bytes); // whatever is kept by now
    const little = new terrain.World(text, { cacheBytes: bytes.kept - 1 });
    assert.throws(() => little.prepare(-64, 0, size), { code: 'TERRAIN_ERROR_MEMORY' });
    assert.throws(() => world.tileBytes(2n ** 62n, 0), { code: 'TERRAIN_ERROR_RANGE' });
    assert.throws(() => world.tileBytes(0, 0, { widht: 5 }), TypeError);
});

test('scores and landforms', () => {
    // Half a plane, half a slope of 1: units reach the plane alone, but for the row where the slope begins.
    const data = Float32Array.from({ length: 40 * 40 }, (_, i) => Math.max(0, Math.floor(i / 40) - 19));
    const half = { width: 40, height: 40, data };
    const score = terrain.score(half);
    assert.deepEqual([score.count, score.accessible, score.flat, score.reachable], [1600, 760, 760, 760]);
    assert.deepEqual([score.buildable, score.meanSlope], [760, 0.525]);
    assert.equal(score.playability, (760 / 1600) ** 2);
    assert.equal(terrain.score(half, { unitSlope: 1, unitSize: 2 }).reachable, 1600);
    const seen = [];
    const land = heights({ width: 200, height: 200 });
    const figures = terrain.landform(land, { progress: (each) => seen.push(each) });
    assert.equal(seen.at(-1), 1);
    const shares = Object.values(figures.forms);
    assert.ok(shares.length === 10 && Math.abs(shares.reduce((a, b) => a + b) - 1) < 1e-9);
    assert.ok(figures.undrained > 0.3 && figures.undrained < 1, 'noise has bowls');
    assert.ok(figures.formsDistance > 0 && figures.formsDistance < 1);
    assert.ok(Number.isNaN(terrain.landform({ width: 3, height: 3, data: new Float32Array(9) }).hack));
});

test('figures and meshes', () => {
    const land = heights(SIZE);
    land.data[3] = NaN;
    const figures = terrain.measure(land);
    const finite = land.data.filter((each) => !Number.isNaN(each));
    assert.deepEqual([figures.count, figures.nanCount], [finite.length, 1]);
    assert.deepEqual([figures.minimum, figures.maximum], [Math.min(...finite), Math.max(...finite)]);
    const { minimum, maximum } = figures;
    const counts = terrain.histogram(land, { low: minimum, high: maximum, bins: 7 });
    assert.deepEqual([counts.length, counts.reduce((a, b) => a + b)], [7, finite.length]);
    const four = { width: 4, height: 1, data: Float32Array.of(0, 0.1, 0.6, 1) };
    assert.deepEqual(terrain.histogram(four, { low: 0, high: 1, bins: 2 }), [2, 2]);
    const turned = { ...four, data: Float32Array.of(-10, 0, 20, 90) };
    assert.deepEqual([...terrain.packU16(four, { low: 0, high: 1 })], [0, 6554, 39321, 65535]);
    const cells = new Uint16Array(4);
    const odd = { ...four, data: Float32Array.of(NaN, -99, 25, Infinity) };
    assert.equal(terrain.packU16(odd, { low: 0, high: 100, cells }), cells);
    assert.deepEqual([...cells], [0, 0, 16384, 65535]);
    assert.deepEqual([...terrain.packChannels([four])], [0, 26, 153, 255]);
    const pixels = new Uint8ClampedArray(12).fill(7);
    assert.equal(terrain.packChannels([four, null, turned], { lows: [0, 0, 90], highs: [1, 0, -10], pixels }), pixels);
    assert.deepEqual([...pixels], [0, 7, 255, 26, 7, 230, 153, 7, 179, 255, 7, 0]);
    const { positions, normals, indices } = terrain.mesh(heights(SIZE), { diagonal: 'flatter' });
    assert.deepEqual([positions.length, normals.length], [3600, 3600]);
    assert.equal(indices.length, 6 * 39 * 29);
    assert.ok(indices.every((each) => each < 1200));
    assert.equal(terrain.mesh({ width: 1, height: 1, data: new Float32Array(1) }).indices.length, 0);
});

/** Rough land, with cells that have no height. */
function rough(x = -70, y = 1000, width = 200, height = 150) {
    const land = terrain.erode.thermal(terrain.generate.noise({ width: 240, height: 190, x: -90, y: 980 }, { seed: 3, period: 60 }));
    const part = new terrain.Heightmap(width, height, { x, y });
    for (let row = 0; row < height; row++) {
        const first = x + 90;
        part.row(row).set(land.row(y - 980 + row).subarray(first, first + width));
    }
    return part;
}

test('tallies of parts are those of the whole', () => {
    const land = rough();
    land.data[5 * 200 + 70] = NaN;
    const [north, south] = [0, 75].map((first) => ({ width: 200, height: 75, data: land.data.subarray(200 * first, 200 * (first + 75)) }));
    const range = { low: -20, high: 20, bins: 9 };
    const [tally, other, plain] = [new terrain.Tally(range), new terrain.Tally(range), new terrain.Tally()];
    const seen = [];
    tally.add(south);
    other.add(north, { progress: (each) => seen.push(each) });
    assert.equal(seen.at(-1), 1);
    const part = tally.histogram;
    tally.merge(other);
    const whole = terrain.measure(land);
    assert.deepEqual(tally.statistics, whole);
    assert.deepEqual([whole.nanCount, whole.count], [1, 200 * 150 - 1]);
    assert.deepEqual(tally.histogram, terrain.histogram(land, range));
    assert.notDeepEqual(tally.histogram, part);
    assert.equal(plain.histogram, null);
    assert.ok(Number.isNaN(plain.statistics.mean));
    refused(TypeError, 'the histograms of the two tallies differ', () => tally.merge(plain));
    refused(TypeError, "can't be merged with itself", () => tally.merge(tally));
    refused(TypeError, 'with a Tally, not with ScoreTally', () => tally.merge(new terrain.ScoreTally()));
    refused(TypeError, "no option 'progres'", () => tally.add(land, { progres: null }));
    refused(TypeError, 'map must be a map', () => tally.add(null));
    tally.reset();
    assert.deepEqual([tally.statistics.count, Math.max(...tally.histogram)], [0, 0]);
    tally.add(land);
    assert.deepEqual(tally.statistics, whole);
    tally.free();
    for (const use of [() => tally.add(land), () => tally.histogram, () => tally.statistics, () => other.merge(tally)]) {
        refused(TypeError, 'the tally was freed', use);
    }
    other.add(north);
});

test('scores of parts are those of the whole', () => {
    const ground = { unitSlope: 1.6, buildingSlope: 1, buildingSize: 5 };
    const land = rough();
    const whole = terrain.score(land, ground);
    assert.ok(whole.reachable > whole.buildable && whole.buildable > 100);
    const [north, south] = [new terrain.ScoreTally(ground), new terrain.ScoreTally(ground)];
    north.add(rough(-70, 1000, 105, 85), { window: { x: -70, y: 1000, width: 100, height: 80 } });
    south.add(rough(-70, 1075, 200, 75), { window: { x: -70, y: 1080, width: 200, height: 70 } });
    refused(RangeError, 'window', () => north.add(land, { window: { x: 0, y: 0, width: 10, height: 10 } }));
    refused(TypeError, '', () => north.add(land)); // cells that it has
    north.merge(south);
    assert.notDeepEqual(north.score, whole);
    let inside = 0;
    const busy = (use) => assert.throws(use, { code: 'TERRAIN_ERROR_BUSY', message: 'the tally is in use' });
    north.add(rough(25, 1000, 105, 85), {
        window: { x: 30, y: 1000, width: 100, height: 80 },
        progress: () => {
            [() => north.score, () => north.merge(south), () => south.merge(north), () => north.add(land)].forEach(busy);
            inside++;
        },
    });
    assert.ok(inside > 0);
    assert.deepEqual(north.score, whole);
    const stop = (share) => {
        if (share < 1) { // at the end it comes too late
            throw new Error('stop');
        }
    };
    assert.throws(() => north.add(new terrain.Heightmap(2048, 2048, { x: 5000 }), { progress: stop }), /stop/);
    assert.deepEqual(north.score, whole);
    refused(TypeError, 'windows overlap', () => north.merge(south));
    refused(TypeError, 'options of the two tallies differ', () => north.merge(new terrain.ScoreTally()));
    refused(RangeError, 'score: unitSize is 65', () => new terrain.ScoreTally({ unitSize: 65 }));
    refused(TypeError, "did you mean 'unitSize'", () => new terrain.ScoreTally({ unitsize: 1 }));
    const slopes = Float32Array.of(0, 0.125, 0.25, 0.375, 0.875, 1.375, 1.875, 2.375); // as tests/score has it
    const known = terrain.score({ width: 8, height: 1, data: slopes }, { buildingSize: 1 });
    assert.deepEqual([known.accessible, known.flat], [8, 3]);
});

test('seams', () => {
    const level = (height) => ({ width: 12, height: 10, data: new Float32Array(120).fill(height) });
    const found = terrain.seams([[level(1), level(4)]]);
    assert.deepEqual([found.cells, found.worstStep, found.seamCurvature, found.ratio], [10, 3, 3, Infinity]);
    assert.equal(terrain.seams([[level(1)], [level(4)]], { overlap: 2 }).cells, 24);
    refused(RangeError, 'overlap', () => terrain.seams([[level(1), level(4)]], { overlap: 0 }));
    refused(RangeError, 'overlap', () => terrain.seams([[level(1), level(4)]], { overlap: -1 }));
    refused(TypeError, 'equally many', () => terrain.seams([[level(1), level(4)], [level(1)]]));
    refused(TypeError, 'maps[0][1] must be a map', () => terrain.seams([[level(1), null]]));
    const tile = (x, y) => terrain.erode.flatten(terrain.generate.noise({ width: 65, height: 65, x, y }));
    const tiles = [[tile(0, 0), tile(64, 0)], [tile(0, 64), tile(64, 64)]];
    assert.ok(terrain.seams(tiles).worstStep > 0);
    assert.equal(terrain.seams(terrain.stitch.edges(tiles)).worstStep, 0);
});

test('meshes of neighbouring windows meet', () => {
    const world = new terrain.World('a = generate_noise seed=3');
    const meshOf = (x) =>
        terrain.mesh(world.tile(x - 1, 4, { width: 11, height: 11 }), { window: { x, y: 5, width: 9, height: 9 } });
    const [west, east] = [meshOf(0), meshOf(8)];
    assert.deepEqual([west.positions.length, west.indices.length], [3 * 81, 6 * 64]);
    for (let row = 0; row < 9; row++) {
        const [last, first] = [3 * (9 * row + 8), 3 * 9 * row];
        assert.equal(west.positions[last + 1], east.positions[first + 1]);
        assert.deepEqual(west.normals.subarray(last, last + 3), east.normals.subarray(first, first + 3));
    }
});
