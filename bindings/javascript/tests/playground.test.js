// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// Guards against a playground whose sliders write recipes that the library refuses, or whose pictures are not the
// recipe's, and against a page that says something else than it shows, or nothing where something failed.

import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import * as terrain from 'libterrain';

import { ROOT } from './golden.js';
import { openPage } from './page.js';

const FOLDER = path.join(ROOT, 'bindings/javascript/playground');
const from = (name) => import(pathToFileURL(path.join(FOLDER, name)));
const { changed, hasEffect, statementAt, tableName, valueIn } = await from('statements.js');
const { fitOf, paint, palettes } = await from('relief.js');
const { EXAMPLES, settingsOf, withoutCommands } = await from('examples.js');
const { moved, pressed, wheel, wholeWindow } = await from('moves.js');
const { Studio } = await from('studio.js');
const { endOfChange, Undo, undoOf } = await from('undo.js');

const textOf = (name) => readFileSync(path.join(ROOT, `recipes/${name}.terrain`), 'utf8');
const operations = JSON.parse(JSON.stringify(terrain.operations)); // as the page gets them
const WANTED = { seed: 5, size: 64, endless: false, x: 0, y: 0, scale: 1, palette: 'land', sea: null, relief: false };

test('the statement at a place', () => {
    const text = '# a = generate_noise\nresults 2\n a=generate_noise  seed=4 period=20 # seed=9\nb c = stitch_edges a a\n';
    const at = (word) => statementAt(text, text.indexOf(word), operations);
    assert.equal(at('# a'), null);
    assert.equal(at('results'), null);
    assert.deepEqual(at('period').values, { seed: '4', period: '20' });
    assert.equal(at(' a=').operation.name, 'generate_noise');
    assert.equal(text.slice(at('seed=9').begin, at('seed=9').end), '  seed=4 period=20');
    assert.deepEqual(at('stitch').maps, ['b', 'c']);
    assert.equal(statementAt('a = generate_nothing', 3, operations), null);
    assert.equal(statementAt('a = constructor', 3, operations), null);
    assert.equal(statementAt('', 0, operations), null);
    const { seed, octaves, fractal } = operations.generate_noise.parameters;
    assert.deepEqual([seed, octaves, fractal].map((each) => valueIn(at('seed'), each)), [4, octaves.default, fractal.default]);
});

test('changing a parameter changes that, and nothing else', () => {
    const text = 'seed = generate_noise seed=4 period=20 # seed=9\nb = erode_thermal seed\n';
    const { seed, amplitude } = operations.generate_noise.parameters;
    const change = (parameter, value) => changed(text, statementAt(text, 0, operations), parameter, value);
    assert.equal(change(seed, 7), text.replace('seed=4', 'seed=7'));
    assert.equal(change(seed, null), text.replace(' seed=4', ''));
    assert.equal(change(amplitude, 2.5), text.replace(' #', ' amplitude=2.5 #'));
    assert.equal(change(amplitude, null), text);
    // What counts for one choice only goes with it.
    const quantum = 'a = generate_noise\nb = erode_thermal a mode=quantum quantum=0.5';
    const { mode } = operations.erode_thermal.parameters;
    const there = statementAt(quantum, quantum.length, operations);
    assert.equal(changed(quantum, there, mode, 'flux'), 'a = generate_noise\nb = erode_thermal a mode=flux');
});

// Without care this takes hours, and the page whose address it came in does nothing else.
test('the statement at a place of a hostile text', () => {
    for (const line of [`${' '.repeat(50000)}x`, `a${' '.repeat(50000)}b`, `a = generate_noise ${'x'.repeat(200000)}`,
        `a =${' '.repeat(50000)}`, 'a = '.repeat(50000), '=', ' = generate_noise', 'a == generate_noise', 'a,b = generate_noise']) {
        const statement = statementAt(line, line.length, operations);
        assert.equal(statement?.operation.name, line.startsWith('a = generate_noise') ? 'generate_noise' : undefined);
    }
});

/** How many maps an operation of each signature names. */
const NAMED = { generate: 0, in_place: 1, result: 1, combine: 2 };

test('every slider, choice and box of every operation writes what the library takes', () => {
    let tried = 0;
    for (const operation of Object.values(operations).filter(({ signature }) => signature in NAMED)) {
        const names = ['m', 'n'].slice(0, NAMED[operation.signature]);
        const text = `m = generate_noise\nn = generate_noise\nout = ${[operation.name, ...names].join(' ')}`;
        const statement = statementAt(text, text.length, operations);
        for (const parameter of Object.values(operation.parameters)) {
            const { type, slider } = parameter;
            const values = { enum: Object.keys(parameter.values), bool: [true, false] }[type] ?? slider ?? [];
            for (const value of values) {
                const written = changed(text, statement, parameter, value);
                const after = statementAt(written, written.length, operations);
                try {
                    new terrain.Recipe(written);
                } catch (error) { // it may be refused for another parameter's value alone
                    assert.match(error.message, new RegExp(`^line 3, column 7: ${operation.name}: `), written);
                }
                tried += hasEffect(statement, parameter);
                assert.equal(valueIn(after, parameter), hasEffect(statement, parameter) ? value : parameter.default, written);
            }
            if (!hasEffect(statement, parameter) && slider !== null) { // the page hides it, as the library refuses it
                const refused = `${text} ${tableName(parameter.name)}=${slider[1]}`;
                assert.throws(() => new terrain.Recipe(refused), SyntaxError, refused);
            }
        }
    }
    assert.ok(tried > 500, String(tried));
});

test('all recipes that need nothing from outside are offered, and drawn', () => {
    const known = readdirSync(path.join(ROOT, 'recipes')).filter((name) => name.endsWith('.terrain'));
    const whole = known.map((name) => name.slice(0, -8)).filter((name) => new terrain.Recipe(textOf(name)).inputs.length === 0);
    assert.deepEqual([...EXAMPLES].sort(), whole.sort());
    for (const name of EXAMPLES) {
        const text = textOf(name), settings = settingsOf(text), short = withoutCommands(text);
        assert.ok(!/^# *$|terrain run|^# world/m.test(short), short);
        const picture = new Studio(terrain).draw({ ...WANTED, ...settings, text: short, sea: settings.water ? 0 : null });
        const size = { width: 64, height: 64, seed: 5 };
        const window = settings.endless ? { world: true, x: settings.x - 32, y: settings.y - 32 } : {};
        assert.equal(picture.hash, new terrain.Recipe(text).run({ ...size, ...window }).hash(), name);
        assert.equal(picture.pixels.length, 4 * 64 * 64);
    }
    assert.deepEqual(settingsOf(textOf('archipelago')).water, true);
    assert.deepEqual(settingsOf(textOf('canyonland')).palette, 'desert');
});

test('the studio makes a map once, and draws it as often as it is asked', () => {
    const studio = new Studio(terrain);
    let steps = 0;
    const draw = (wanted) => studio.draw({ ...WANTED, text: 'a = generate_noise amplitude=40', ...wanted }, () => steps++);
    const first = draw({}), made = steps;
    const again = draw({ palette: 'grey', sea: 0, relief: true });
    assert.equal(again.hash, first.hash);
    assert.equal(steps, made);
    assert.deepEqual(first.mesh, null);
    assert.deepEqual([again.mesh.positions.length, again.mesh.indices.length], [3 * 64 * 64, 6 * 63 * 63]);
    assert.ok(Math.min(...again.mesh.positions.filter((_, i) => i % 3 === 1)) === 0); // the sea's surface
    const heights = studio.heights();
    assert.deepEqual([heights.width, heights.height, heights.data.length], [64, 64, 64 * 64]);
    assert.equal(new Studio(terrain).heights(), null);
    draw({ text: 'a = generate_noise\nb = shape_resample a step=4' });
    assert.equal(studio.heights().width, 16);
    // Neighbours of an endless land are drawn alike: the cells that two pictures share are the same pixels.
    const west = draw({ endless: true }), east = draw({ endless: true, x: 32 });
    const pixel = (picture, x, y) => [...picture.pixels.slice(4 * (64 * y + x), 4 * (64 * y + x) + 4)];
    for (let y = 1; y < 63; y++) {
        assert.deepEqual(pixel(west, 40, y), pixel(east, 8, y));
    }
    assert.throws(() => draw({ text: 'a = generate_nose' }), SyntaxError);
    assert.throws(() => draw({ text: 'a = generate_noise\nb = shape_remap a mode=found', endless: true }), terrain.TerrainError);
    assert.equal(draw({}).hash, first.hash);
});

test('relief: colours by height, light from the north-west, the sea, gaps', () => {
    const map = new terrain.Heightmap(32, 32);
    const colours = (style) => {
        const fit = fitOf(terrain, map, style.sea);
        const pixels = paint(terrain, map, { palette: 'land', fit, ...style });
        return (x, y) => [...pixels.slice(4 * (32 * y + x), 4 * (32 * y + x) + 3)];
    };
    assert.deepEqual(colours({ sea: null })(5, 5), [92, 132, 88]); // level ground
    map.data.forEach((_, i) => { map.data[i] = 16 - Math.abs(i % 32 - 16) - 4; }); // a ridge from north to south
    map.data[7 * 32 + 20] = NaN;
    const grey = colours({ sea: null, palette: 'grey' });
    assert.ok(grey(10, 9)[0] > 1.2 * grey(22, 9)[0]);
    assert.deepEqual(colours({ sea: null })(20, 7), grey(20, 7)); // no height's colour
    assert.notDeepEqual(colours({ sea: null })(20, 9), grey(20, 9));
    const [red, , blue] = colours({ sea: 0 })(1, 9);
    assert.ok(blue > 1.5 * red);
    for (const palette of palettes) {
        assert.ok(colours({ sea: 0, palette })(16, 20).every((part) => part > 0));
    }
});

test('relief: the colours of terrain view', () => {
    const numbers = (text) => text.match(/\d+(\.\d+)?/g).map(Number);
    const source = readFileSync(path.join(ROOT, 'tools/draw.c'), 'utf8'), script = readFileSync(path.join(FOLDER, 'relief.js'), 'utf8');
    const tintsOf = (begin) => numbers(source.slice(source.indexOf(begin)).split('};', 1)[0].replaceAll(/(\d)f\b/g, '$1').slice(begin.length));
    const listOf = (begin) => numbers(script.slice(script.indexOf(begin)).split(/^ *\];|^ {4}\],|;$/m, 1)[0].slice(begin.length));
    const shares = (tints) => tints.filter((_, i) => i % 4 === 0), colours = (tints) => tints.filter((_, i) => i % 4 !== 0);
    const all = tintsOf('draw_tints[DRAW_PALETTES][DRAW_TINTS] = {');
    assert.deepEqual(palettes, ['land', 'desert', 'grey']);
    palettes.forEach((palette, k) => {
        const tints = all.slice(28 * k, 28 * (k + 1));
        assert.deepEqual([listOf('const AT = ['), listOf(`    ${palette}: [`)], [shares(tints), colours(tints)]);
    });
    const depths = tintsOf('draw_depths[DRAW_TINTS] = {');
    assert.deepEqual([listOf('const DEPTHS_AT = ['), listOf('const DEPTHS = [')], [shares(depths), colours(depths)]);
});

test('the worker: the library, a picture, its heights, an error', async () => {
    const installed = path.dirname(createRequire(import.meta.url).resolve('libterrain/package.json'));
    const folder = mkdtempSync(fileURLToPath(new URL('page-', import.meta.url)));
    try {
        cpSync(FOLDER, path.join(folder, 'playground'), { recursive: true });
        symlinkSync(path.join(installed, 'src'), path.join(folder, 'src'), 'junction');
        symlinkSync(path.join(installed, 'dist'), path.join(folder, 'dist'), 'junction');
        writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
        writeFileSync(path.join(folder, 'globals.js'), `
import { parentPort } from 'node:worker_threads';
globalThis.onmessage = null;
globalThis.postMessage = (data, transfer) => parentPort.postMessage(data, transfer);
parentPort.on('message', (data) => onmessage({ data }));
`);
        writeFileSync(path.join(folder, 'thread.js'), "import './globals.js';\nimport './playground/worker.js';\n");
        const worker = new Worker(pathToFileURL(path.join(folder, 'thread.js')));
        const answers = [];
        const ended = new Promise((resolve, reject) => {
            worker.on('error', reject);
            worker.on('message', (data) => {
                answers.push(data);
                if (answers.filter(({ share }) => share === undefined).length === 4) {
                    resolve();
                }
            });
        });
        const wasm = await WebAssembly.compile(readFileSync(path.join(installed, 'dist/terrain.wasm')));
        const draw = { ...WANTED, text: textOf('main'), relief: true };
        for (const message of [{ wasm }, { draw }, { draw: { ...draw, text: '?' } }, { heights: true }]) {
            worker.postMessage(message);
        }
        await ended;
        await worker.terminate();
        const [first, picture, error, heights] = answers.filter(({ share }) => share === undefined);
        assert.deepEqual(Object.keys(first.operations), Object.keys(operations));
        assert.equal(picture.picture.hash, terrain.hash(heights.heights));
        assert.match(error.error, /^line 1/);
        assert.equal(answers.filter(({ share }) => share !== undefined).at(-1).share, 1);
    } finally {
        rmSync(folder, { recursive: true });
    }
});

test('the page has all that its script looks for', () => {
    const script = readFileSync(path.join(FOLDER, 'page.js'), 'utf8'), html = readFileSync(path.join(FOLDER, 'index.html'), 'utf8');
    const ids = new Set([...html.matchAll(/\bid="([\w-]+)"/g)].map(([, id]) => id));
    const used = new Set([...script.matchAll(/\bat(?:\.(\w+)|\['([\w-]+)'\])/g)].map(([, name, other]) => name ?? other));
    assert.deepEqual([...used].filter((name) => !ids.has(name)), []);
});

test('keys and the wheel: arrows move by an eighth, touchpads scale by steps', () => {
    const window = { size: 512, scale: 0.5, x: 100, y: -7 };
    assert.deepEqual(pressed(window, 'ArrowLeft'), { x: -28, y: -7 });
    assert.deepEqual(pressed(window, 'ArrowDown'), { x: 100, y: 121 });
    assert.deepEqual([pressed(window, '+'), pressed(window, '-')], [{ scale: 1 }, { scale: 0.25 }]);
    assert.deepEqual([pressed({ ...window, scale: 4 }, '='), pressed({ ...window, scale: 2 ** -9 }, '-')], [{ scale: 4 }, { scale: 2 ** -9 }]);
    assert.deepEqual(['a', 'Tab', 'constructor'].map((key) => pressed(window, key)), [null, null, null]);
    const ways = (events) => {
        const turned = wheel();
        return events.map(([deltaY, deltaMode = 0]) => turned({ deltaY, deltaMode }));
    };
    assert.deepEqual(ways([[100], [-100], [0], [3, 1], [-1, 2]]), [-1, 1, 0, -1, 1]);
    assert.deepEqual(ways(Array(20).fill([-7])).filter((way) => way !== 0), [1, 1]);
    assert.deepEqual(ways([[40], [-40], [40]]), [0, 0, 0]);
});

test('fingers: what was under them still is', () => {
    const window = { x: 1000, y: -20, scale: 0.5 }, pixel = 2; // so a cell is a pixel
    assert.deepEqual(moved(window, [0, 0], [30, -40], 1, pixel), { x: 970, y: 20, scale: 0.5 });
    assert.deepEqual(moved(window, [100, 0], [100, 0], 2, pixel), { x: 1050, y: -20, scale: 1 });
    assert.deepEqual(moved(window, [100, 10], [20, 20], 0.5, pixel), { x: 1060, y: -50, scale: 0.25 });
    assert.deepEqual(wholeWindow(window, [100, 0], [100, 0], 1.7, pixel), { x: 1050, y: -20, scale: 1 });
    assert.deepEqual(wholeWindow(window, [0.4, 0], [0, 0], 1.3, pixel), window);
    assert.deepEqual(wholeWindow({ ...window, scale: 4 }, [100, 0], [100, 0], 2, pixel), { ...window, scale: 4 });
});

test('undo: steps, of one kind or many, back and forward', () => {
    const undo = new Undo(), state = { text: 'a', x: 0 };
    const change = (values, kind, now) => {
        undo.remember(state, Object.keys(values), kind, now);
        Object.assign(state, values);
    };
    const go = (which) => Object.assign(state, undo[which](state));
    assert.deepEqual([undo.back(state), undo.forward(state), undo.canGoBack], [null, null, false]);
    for (const [text, kind, now] of [['b', 'typing', 0], ['c', 'typing', 900], ['d', 'typing', 1800], ['e', 'typing', 2900],
        ['f', 'seed', 3000], ['g', null, 3100], ['h', null, 3200]]) {
        change({ text }, kind, now);
    }
    change({ text: 'i', x: 5 }, null, 3300);
    state.x = 7; // not a step
    const texts = [];
    while (undo.canGoBack) {
        go('back');
        texts.push(state.text + state.x);
    }
    assert.deepEqual(texts, ['h0', 'g0', 'f0', 'e0', 'd0', 'a0']);
    while (undo.canGoForward) {
        go('forward');
    }
    assert.deepEqual(state, { text: 'i', x: 7 });
    go('back');
    change({ text: 'j' }, 'typing', 3400);
    assert.equal(undo.canGoForward, false);
    for (let i = 0; i < 2000; i++) {
        change({ text: `${i}` }, null, 5000);
    }
    let steps = 0;
    for (; undo.canGoBack; steps++) {
        go('back');
    }
    assert.deepEqual([steps, state.text], [500, '1499']);
});

test('undo: where a change ends, and its keys', () => {
    assert.deepEqual([endOfChange('a b', 'a xx b'), endOfChange('a xx b', 'a b'), endOfChange('aa', 'aaa'), endOfChange('', 'a'),
        endOfChange('a', 'a')], [4, 1, 1, 1, 0]);
    const key = (name, ...held) => undoOf({ key: name, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false,
        ...Object.fromEntries(held.map((each) => [`${each}Key`, true])) });
    assert.deepEqual([key('z', 'ctrl'), key('z', 'meta'), key('Z', 'ctrl', 'shift'), key('y', 'ctrl')], ['back', 'back', 'forward', 'forward']);
    assert.deepEqual([key('z'), key('z', 'ctrl', 'alt'), key('z', 'ctrl', 'meta'), key('a', 'ctrl')], [null, null, null, null]);
});

const installed = path.dirname(createRequire(import.meta.url).resolve('libterrain/package.json'));
const wasm = readFileSync(path.join(installed, 'dist/terrain.wasm'));
const open = (given) => openPage(FOLDER, { wasm, answer: () => new Promise(() => {}), ...given });
const addressOf = (values) => `#${new URLSearchParams({ text: 'a = generate_noise', ...values })}`;
const PICTURE = {
    width: 4, height: 4, pixels: new Uint8ClampedArray(64), minimum: 0, maximum: 1, hash: 'f00d', milliseconds: 1, mesh: null,
};
const soon = () => new Promise((resolve) => { setTimeout(resolve, 20); });

test('page: what is said of a picture is what it was asked for', async () => {
    const page = await open({ hash: addressOf({ endless: true }) });
    assert.equal((await page.asked('draw')).scale, 1);
    const middle = { clientX: 250, clientY: 250 };
    page.at.flat.dispatch('wheel', { deltaY: 0, deltaX: 100, deltaMode: 0, ...middle });
    page.at.flat.dispatch('wheel', { deltaY: -100, deltaMode: 0, ...middle });
    page.at.flat.dispatch('keydown', { key: 'ArrowRight' });
    page.at.solid.checked = true;
    page.at.solid.onchange();
    page.answer({ picture: PICTURE });
    assert.match(page.at.status.textContent, /at 0, 0, scale 1$/);
    assert.equal(page.at['solid-view'].hidden, true); // this picture has no mesh to turn
    const wanted = await page.asked('draw');
    assert.deepEqual([wanted.scale, wanted.x, wanted.relief], [2, 32, true]);
});

test('page: another address in place of this one', async () => {
    const page = await open({ hash: addressOf({ seed: 7, water: true }) });
    assert.equal((await page.asked('draw')).seed, 7);
    page.answer({ picture: PICTURE });
    page.location.hash = addressOf({ text: 'b = generate_noise', scale: 0 });
    page.listeners.hashchange();
    const { text, seed, sea } = await page.asked('draw');
    assert.deepEqual([text, seed, sea, page.at.text.value], ['b = generate_noise', 0, null, 'b = generate_noise']);
});

test('page: the last recipe that was chosen, and a word where there is none', async () => {
    const waiting = {};
    const page = await open({
        answer: ({ pathname }) => new Promise((resolve, reject) => {
            waiting[path.basename(pathname, '.terrain')] = { come: (text) => resolve({ ok: true, text: async () => text }), reject };
        }),
    });
    const choose = (name) => {
        page.at.example.value = name;
        page.at.example.onchange();
    };
    choose('mesa');
    choose('hills');
    waiting.hills.come('#\r\n# of hills\r\nhills = generate_noise\r\n');
    waiting.mesa.come('mesa = generate_noise\n');
    assert.match((await page.asked('draw')).text, /^# of hills\nhills/);
    await soon();
    assert.match(page.at.text.value, /hills =/);
    choose('canyons');
    waiting.canyons.reject(new TypeError('offline'));
    await soon();
    assert.equal(page.at.status.textContent, "canyons.terrain can't be had: offline");
    choose('valleys');
    page.at.text.value = 'mine = generate_noise';
    page.at.text.dispatch('input');
    waiting.valleys.come('valleys = generate_noise\n');
    await soon();
    assert.equal(page.at.text.value, 'mine = generate_noise');
});

test('page: heights are called what they are, and asked for again where their thread was ended', async () => {
    const page = await open({ hash: addressOf({}) });
    await page.asked('draw');
    page.at.heights.onclick();
    page.at.dice.onclick();
    await new Promise((resolve) => { setTimeout(resolve, 350); }); // the page's patience
    assert.equal(page.workers.length, 2);
    assert.equal(page.workers[0].ended, true);
    await page.asked('draw');
    assert.equal(await page.asked('heights'), true);
    page.at.size.value = '1024';
    page.answer({ heights: { width: 128, height: 64, data: new Float32Array(128 * 64) } });
    assert.deepEqual(page.saved, ['terrain-128x64.r32']);
    page.answer({ heights: null });
    assert.match(page.at.status.textContent, /no map/);
});

test('page: a thread that could not begin is begun again', async () => {
    const page = await open({ hash: addressOf({}) });
    await page.asked('draw');
    page.workers[0].onerror();
    assert.match(page.at.status.textContent, /could not begin/);
    page.at.dice.onclick();
    assert.equal(page.workers.length, 2);
    await page.asked('draw');
});

test('page: controls have names, and belong to the line of the cursor whatever ends lines', async () => {
    const page = await open({ hash: addressOf({ text: `${'#\r\n'.repeat(40)}a = generate_noise\r\nb = erode_thermal a` }) });
    page.answer({ operations, version: '0' });
    const inputs = () => page.at.statement.all.filter(({ tag }) => ['input', 'select', 'button'].includes(tag));
    const named = (name) => inputs().filter(({ attributes }) => attributes['aria-label'] === name).length;
    assert.deepEqual(['period', 'basis', 'Another seed', 'iterations'].map(named), [2, 1, 1, 0]);
    assert.deepEqual(inputs().filter(({ attributes }) => !attributes['aria-label']), []);
    page.at.text.selectionStart = page.at.text.value.indexOf('b = ');
    page.at.text.dispatch('click');
    assert.deepEqual(['period', 'iterations'].map(named), [0, 2]);
});

test('page: a link without a clipboard is in the address', async () => {
    const page = await open({ hash: addressOf({}) });
    page.at.dice.onclick();
    await page.at.link.onclick();
    assert.equal(page.at.link.textContent, 'See the address');
    assert.equal(new URLSearchParams(page.location.hash.slice(1)).get('seed'), page.at.seed.value);
});

test('page: a slider of powers of two stands at no other number', async () => {
    const page = await open({ hash: addressOf({ text: 'a = generate_diamond_square spacing=64' }) });
    page.answer({ operations, version: '0' });
    const slider = page.at.statement.all.find((each) => each.attributes['aria-label'] === 'spacing' && each.type === 'range');
    assert.deepEqual([slider.min, slider.max, slider.step, slider.value].map(Number), [0, 9, 1, 6]);
    slider.value = '5';
    slider.oninput();
    assert.equal(page.at.text.value, 'a = generate_diamond_square spacing=32');
    const marked = Object.values(operations).flatMap(({ parameters }) => Object.values(parameters)).filter((each) => each.isPowerOfTwo);
    assert.ok(marked.length >= 10 && marked.every(({ slider: ends }) => ends.every((end) => Number.isInteger(Math.log2(end)))));
});

test('page: what sliders, choices and hands have written is taken back', async () => {
    const text = '# mine\na = generate_noise\nb = erode_thermal a';
    const page = await open({
        hash: addressOf({ text, endless: true, x: 7 }),
        answer: async () => ({ ok: true, text: async () => '# world: 100,100\nhills = generate_drainage\n' }),
    });
    page.answer({ operations, version: '0' });
    const { at } = page, ends = [];
    const press = (given) => page.listeners.keydown({
        key: 'z', ctrlKey: true, metaKey: false, altKey: false, shiftKey: false, target: at.text, preventDefault() {}, ...given,
    });
    const control = (name, type) => at.statement.all.find((each) => each.attributes['aria-label'] === name && each.type === type);
    assert.deepEqual([at.back.disabled, at.forward.disabled], [true, true]);
    at.text.selectionStart = text.indexOf('b = ');
    at.text.dispatch('click');
    for (const value of ['10', '20', '30']) { // one move of the slider
        const slider = control('iterations', 'range');
        slider.value = value;
        slider.oninput();
    }
    ends.push(at.text.value);
    at.text.value += '\nc = blur_gaussian b';
    at.text.dispatch('input');
    ends.push(at.text.value);
    at.example.value = 'hills';
    at.example.onchange();
    await soon();
    assert.equal(at.text.value, 'hills = generate_drainage\n');
    at.back.onclick();
    assert.deepEqual([at.text.value, at.back.disabled, at.forward.disabled], [ends[1], false, false]);
    page.answer({ picture: PICTURE });
    assert.equal((await page.asked('draw')).text, text); // that the page began with
    page.answer({ picture: PICTURE });
    const drawn = await page.asked('draw');
    assert.deepEqual([drawn.text, drawn.x], [ends[1], 7]); // the place, too, that the recipe brought
    press({});
    assert.equal(at.text.value, ends[0]);
    press({ target: control('iterations', 'number') }); // the browser's own
    assert.equal(at.text.value, ends[0]);
    press({});
    assert.deepEqual([at.text.value, at.back.disabled], [text, true]);
    press({});
    press({ key: 'y' });
    assert.deepEqual([at.text.value, at.text.selectionStart], [ends[0], ends[0].length]);
    press({ key: 'Z', shiftKey: true });
    assert.equal(at.text.value, ends[1]);
});

test('page: a finger drags, two pinch, a third does nothing', async () => {
    const page = await open({ hash: addressOf({ endless: true, size: 512 }) }), { flat } = page.at;
    const finger = (event, pointerId, clientX, clientY = 250) => flat.dispatch(event, { pointerId, clientX, clientY });
    await page.asked('draw');
    page.answer({ picture: PICTURE });
    finger('pointerdown', 1, 100);
    finger('pointermove', 1, 150);
    assert.equal(flat.style.transform, 'translate(50.0px, 0.0px) scale(1.0000)');
    finger('pointerdown', 2, 350); // the middle of both is that of the picture
    const dragged = await page.asked('draw');
    assert.deepEqual([dragged.x, dragged.scale], [-51, 1]); // 50 of 500 pixels, of 512 cells
    page.answer({ picture: PICTURE });
    finger('pointerdown', 3, 400);
    finger('pointermove', 3, 100);
    assert.equal(flat.style.transform, '');
    finger('pointermove', 2, 490);
    finger('pointermove', 1, 10);
    assert.equal(flat.style.transform, 'translate(0.0px, 0.0px) scale(2.4000)');
    finger('pointerup', 2, 490);
    assert.match(flat.style.transform, /scale\(2\.0000\)$/); // until its picture comes
    const pinched = await page.asked('draw');
    assert.deepEqual([pinched.x, pinched.y, pinched.scale], [-51, 0, 2]);
    page.answer({ picture: PICTURE });
    finger('pointermove', 1, 60); // goes on as a drag
    finger('pointercancel', 1, 0);
    assert.equal((await page.asked('draw')).x, -51 - 26); // 25.6 cells
    finger('pointermove', 1, 300);
    assert.match(flat.style.transform, /scale\(1\.0000\)$/);
});

test('page: the map in 3D is there again when WebGL has lost all', async () => {
    const page = await open({ hash: addressOf({ solid: true }) }), solid = page.at['solid-view'], calls = [];
    solid.webgl = new Proxy({ canvas: solid }, {
        get: (gl, name) => gl[name] ?? ((...given) => {
            calls.push(name);
            return given;
        }),
    });
    const times = (name) => calls.filter((each) => each === name).length;
    const picture = { ...PICTURE, fit: { exaggeration: 1 }, mesh: { positions: new Float32Array(48), indices: new Uint32Array(54) } };
    await page.asked('draw');
    page.answer({ picture });
    assert.deepEqual([solid.hidden, page.at.flat.hidden, times('linkProgram'), times('drawElements')], [false, true, 1, 1]);
    solid.dispatch('keydown', { key: 'ArrowLeft' });
    assert.equal(times('drawElements'), 2);
    let returns = false;
    solid.dispatch('webglcontextlost', { preventDefault: () => { returns = true; } });
    assert.ok(returns);
    solid.dispatch('webglcontextrestored');
    await page.asked('draw');
    page.answer({ picture });
    assert.deepEqual([times('linkProgram'), times('drawElements')], [2, 3]);
});
