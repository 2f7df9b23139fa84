// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// The page: a recipe, the sliders of the statement at the cursor, and the picture. worker.js computes.

import { EXAMPLES, settingsOf, withoutCommands } from './examples.js';
import { arrowOf, between, moved, pressed, wheel, wholePlace, wholeScale, wholeWindow, zoomOf } from './moves.js';
import { palettes } from './relief.js';
import { changed, hasEffect, statementAt, tableName, valueIn } from './statements.js';
import { endOfChange, Undo, undoOf } from './undo.js';
import { View3d } from './view3d.js';

const RECIPES = new URL('../../../recipes/', import.meta.url);
const PATIENCE = 300; // milliseconds that a picture nobody wants any more may still take

const at = Object.fromEntries([...document.querySelectorAll('[id]')].map((each) => [each.id, each]));
const BEGINNING = {
    text: '', seed: 0, size: 512, endless: false, x: 0, y: 0, scale: 1, palette: 'land', water: false, level: 0, solid: false,
};
const state = { ...BEGINNING };

// ---- The worker -----------------------------------------------------------------------------------

/** What is at a URL. */
async function read(url) {
    const answer = await fetch(url);
    if (!answer.ok) {
        throw new Error(`${answer.status} ${answer.statusText}`);
    }
    return answer;
}

/** Not compileStreaming, which wants a server that knows what .wasm is. */
const compiled = read(new URL('../dist/terrain.wasm', import.meta.url))
    .then((answer) => answer.arrayBuffer()).then((bytes) => WebAssembly.compile(bytes));
let operations = null;
let worker = null;
let asked = null; // what the picture that is being made is of
let waits = false; // another one is wanted after it
let heightsWanted = false;
let drawn = BEGINNING; // what the picture that is shown is of
let view3d = null;

function startWorker() {
    worker?.terminate();
    const mine = worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }) => mine === worker && receive(data);
    worker.onerror = () => {
        if (mine === worker) {
            worker = null;
            receive({ error: 'The thread that computes could not begin.' });
        }
    };
    compiled.then((wasm) => mine.postMessage({ wasm }), () => {});
}

/** Messages arrive in their order, after the library. */
function send(message) {
    if (worker === null) {
        startWorker();
    }
    const mine = worker;
    compiled.then(() => mine.postMessage(message), () => {});
}

function receive(data) {
    if (data.operations !== undefined) {
        operations ??= data.operations;
        at.version.textContent = data.version;
        showStatement();
    } else if (data.share !== undefined) {
        at.progress.hidden = false;
        at.progress.value = data.share;
    } else if (data.heights !== undefined) {
        saveHeights(data.heights);
    } else {
        const ended = asked;
        asked = null;
        at.progress.hidden = true;
        if (data.error === undefined) {
            drawn = ended;
            showPicture(data.picture);
        } else {
            showError(data.error);
        }
        if (waits) {
            ask();
        }
    }
}

/** Asks for the picture of what the page says now. One that is being made, and nobody wants any more, has a little time
 * left: most end within it. */
function ask() {
    if (asked !== null) {
        if (!waits) {
            setTimeout(leave, PATIENCE, asked);
        }
        waits = true;
        return;
    }
    const { text, seed, size, endless, x, y, scale, palette, water, level, solid } = state;
    waits = false;
    asked = { text, seed, size, endless, x, y, scale, palette, sea: water ? level : null, relief: solid };
    send({ draw: asked });
}

/** Leaves the picture that is of this, if it is still being made. */
function leave(unwanted) {
    if (asked === unwanted && waits) {
        asked = null;
        startWorker();
        ask();
        if (heightsWanted) {
            send({ heights: true });
        }
    }
}

// ---- Pictures -------------------------------------------------------------------------------------

const rounded = (height) => Number(height.toPrecision(5));

/** The page may say something else by now than what the picture is of. */
function showPicture(picture) {
    const { endless, x, y, scale, relief } = drawn;
    const { width, height, pixels, minimum, maximum, hash, milliseconds } = picture;
    showStage(relief);
    at.flat.classList.remove('old');
    at.flat.style.transform = '';
    at.flat.width = width;
    at.flat.height = height;
    at.flat.getContext('2d').putImageData(new ImageData(pixels, width, height), 0, 0);
    at.status.classList.remove('error');
    at.status.textContent = `${width} × ${height} cells in ${Math.round(milliseconds)} ms · heights ${rounded(minimum)} to ` +
        `${rounded(maximum)} · hash ${hash}` + (endless ? ` · at ${x}, ${y}, scale ${scale}` : '');
    if (relief) {
        showSolid(picture);
    }
}

function showSolid(picture) {
    try {
        view3d ??= new View3d(at['solid-view']);
        fillStage();
        view3d.show(picture);
    } catch (error) {
        state.solid = false;
        showOptions();
        showStage(false);
        showError(error.message);
    }
}

function showStage(relief) {
    at.flat.hidden = relief;
    at['solid-view'].hidden = !relief;
}

function fillStage() {
    const canvas = at['solid-view'];
    canvas.width = canvas.clientWidth * devicePixelRatio;
    canvas.height = canvas.clientHeight * devicePixelRatio;
}

function showError(message) {
    at.flat.classList.add('old');
    at.status.classList.add('error');
    at.status.textContent = message;
}

// ---- The statement at the cursor ------------------------------------------------------------------

function element(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
}

/** What sets a parameter: `inputs` to show, and `set` to tell them a value. */
function controlOf(parameter, take) {
    if (parameter.type === 'enum') {
        const names = Object.entries(parameter.values);
        const select = element('select', { onchange: () => take(select.value) },
            ...names.map(([name, doc]) => element('option', { value: name, title: doc }, name)));
        return { inputs: [select], set: (value) => { select.value = value; } };
    }
    if (parameter.type === 'bool') {
        const box = element('input', { type: 'checkbox', onchange: () => take(box.checked) });
        return { inputs: [box], set: (value) => { box.checked = value; } };
    }
    const step = parameter.type === 'float' ? 'any' : 1;
    const number = element('input', {
        type: 'number', step, min: parameter.minimum, max: parameter.maximum,
        onchange: () => take(number.value === '' ? null : number.value),
    });
    const set = (value) => { number.value = value; };
    if (parameter.isSeed || parameter.slider === null) {
        const other = element('button', {
            type: 'button', hidden: !parameter.isSeed, onclick: () => take(Math.floor(Math.random() * 1e6)),
        }, 'Other');
        return { inputs: [other, number], set };
    }
    const [low, high] = parameter.slider;
    if (parameter.isPowerOfTwo) { // the slider goes by exponents
        const range = element('input', {
            type: 'range', min: Math.log2(low), max: Math.log2(high), step: 1, oninput: () => take(2 ** range.value),
        });
        return { inputs: [range, number], set: (value) => { set(value); range.value = Math.log2(value); } };
    }
    const range = element('input', {
        type: 'range', min: low, max: high, step: step === 1 ? 1 : (high - low) / 500,
        oninput: () => take(Number(Number(range.value).toPrecision(4))),
    });
    return { inputs: [range, number], set: (value) => { set(value); range.value = value; } };
}

let shown = null; // the operation whose controls there are, and which statement they change

function showStatement() {
    const place = at.text.selectionStart;
    const statement = operations === null ? null : statementAt(state.text, place, operations) ?? firstStatement();
    if (statement === null) {
        at.statement.replaceChildren();
        shown = null;
        return;
    }
    if (shown?.operation !== statement.operation) {
        shown = buildControls(statement.operation);
    }
    shown.statement = statement;
    shown.title.textContent = statement.maps.join(', ');
    for (const { parameter, row, set } of shown.rows) {
        row.hidden = !hasEffect(statement, parameter);
        row.classList.toggle('given', valueIn(statement, parameter) !== parameter.default);
        set(valueIn(statement, parameter));
    }
}

/** Where the cursor is at none: the first. */
function firstStatement() {
    for (let place = 0; place >= 0; place = state.text.indexOf('\n', place) + 1 || -1) {
        const statement = statementAt(state.text, place, operations);
        if (statement !== null) {
            return statement;
        }
    }
    return null;
}

function buildControls(operation) {
    const made = { operation, title: element('span'), rows: [] };
    for (const parameter of Object.values(operation.parameters)) {
        if (parameter.port === null && parameter.type !== 'float_array') {
            const { inputs, set } = controlOf(parameter, (value) => {
                const isDefault = value === null || String(value) === String(parameter.default);
                const kind = `${parameter.name} of ${made.statement.begin}`;
                const text = changed(state.text, made.statement, parameter, isDefault ? null : value);
                replace({ text }, kind, at.text.selectionStart); // the cursor stays in its line
            });
            const unit = parameter.unit ? ` (${parameter.unit})` : '', name = tableName(parameter.name);
            for (const input of inputs) {
                input.setAttribute('aria-label', input.type === 'button' ? `Another ${name}` : name);
                input.title = parameter.doc + unit;
            }
            const label = element('label', { title: parameter.doc + unit }, name);
            made.rows.push({ parameter, set, row: element('div', { className: 'parameter' }, label, ...inputs) });
        }
    }
    at.statement.replaceChildren(
        element('h2', {}, made.title, ` = ${operation.name}`),
        element('p', { className: 'doc' }, operation.summary), ...made.rows.map(({ row }) => row));
    return made;
}

// ---- Undo -----------------------------------------------------------------------------------------

const undo = new Undo();

/** Changes what can be taken back. */
function replace(values, kind, cursor) {
    undo.remember(state, Object.keys(values), kind);
    change(values, cursor);
}

function takeBack(which) {
    const values = undo[which](state);
    if (values !== null) {
        exampleWanted = null;
        change(values, endOfChange(state.text, values.text));
    }
}

at.back.onclick = () => takeBack('back');
at.forward.onclick = () => takeBack('forward');
addEventListener('keydown', (event) => {
    const which = event.target.type === 'number' ? null : undoOf(event); // what is being typed there is the browser's
    if (which !== null) {
        event.preventDefault();
        takeBack(which);
    }
});

// ---- Options, and the address that holds them -----------------------------------------------------

const STATE_TYPES = Object.fromEntries(Object.entries(BEGINNING).map(([name, value]) => [name, typeof value]));

const wholeSeed = (value) => between(0, Math.floor(Number(value)) || 0, Number.MAX_SAFE_INTEGER);

/** Anybody may have written it. */
function readAddress() {
    Object.assign(state, BEGINNING);
    for (const [name, text] of new URLSearchParams(location.hash.slice(1))) {
        const value = { number: Number(text), boolean: text === 'true', string: text }[STATE_TYPES[name]];
        if (value !== undefined && !Number.isNaN(value)) {
            state[name] = value;
        }
    }
    const { seed, size, x, y, scale, palette, level } = state;
    Object.assign(state, {
        seed: wholeSeed(seed), x: wholePlace(x), y: wholePlace(y), level: Number.isFinite(level) ? level : 0,
        size: [...at.size.options].some((option) => Number(option.value) === size) ? size : 512,
        scale: wholeScale(scale),
        palette: palettes.includes(palette) ? palette : palettes[0],
    });
}

function showOptions() {
    at.text.value = state.text;
    state.text = at.text.value; // whose lines end otherwise: places in both are the same
    at.seed.value = state.seed;
    at.size.value = state.size;
    at.endless.checked = state.endless;
    at.water.checked = state.water;
    at.level.value = state.level;
    at.palette.value = state.palette;
    at.solid.checked = state.solid;
    at.flat.classList.toggle('endless', state.endless);
    at.flat.tabIndex = state.endless ? 0 : -1; // keys do nothing to a bounded map
    at.back.disabled = !undo.canGoBack;
    at.forward.disabled = !undo.canGoForward;
}

const address = () => new URL(`#${new URLSearchParams(state)}`, location).href;
let addressTimer = 0; // browsers refuse to have it written at every step of a slider

/** After any change: the controls, the picture and the address follow. A text that the page has written has its cursor
 * where that is said. */
function update(cursor = null) {
    showOptions();
    if (cursor !== null) {
        at.text.setSelectionRange(cursor, cursor);
    }
    showStatement();
    ask();
    clearTimeout(addressTimer);
    addressTimer = setTimeout(() => history.replaceState(null, '', address()), 300);
}

function change(values, cursor) {
    Object.assign(state, values);
    update(cursor);
}

let exampleWanted = null; // until there is another text

async function takeExample(name) {
    exampleWanted = name;
    let text = null, failure = null;
    try {
        text = (await (await read(new URL(`${name}.terrain`, RECIPES))).text()).replaceAll('\r\n', '\n');
    } catch (error) {
        failure = error;
    }
    if (exampleWanted !== name) {
        return;
    }
    if (failure === null) {
        const values = { ...settingsOf(text), text: withoutCommands(text) };
        if (state.text === '') {
            change(values);
        } else {
            replace(values);
        }
    } else {
        showError(`${name}.terrain can't be had: ${failure.message}`);
    }
}

// ---- The mouse, and the keys ----------------------------------------------------------------------

/** A finger, or the mouse, drags, and two pinch; others do nothing. `move` and `drop` learn where their centre was, where
 * it is, in pixels from the middle, and how many times as far apart they are. */
function touch(canvas, move, drop) {
    const fingers = new Map();
    const tell = (take) => {
        const all = [...fingers.values()];
        const centre = (when) => [0, 1].map((i) => all.reduce((sum, finger) => sum + finger[when][i], 0) / all.length);
        const apart = (when) => Math.max(1, Math.hypot(...[0, 1].map((i) => all[0][when][i] - all.at(-1)[when][i])));
        take(centre('began'), centre('now'), apart('now') / apart('began'));
    };
    /** What there is goes on from here when another finger comes, or one goes. */
    const end = () => {
        tell(drop);
        for (const finger of fingers.values()) {
            finger.began = finger.now;
        }
    };
    canvas.addEventListener('pointerdown', (event) => {
        if (fingers.size === 2) {
            return;
        }
        if (fingers.size === 1) {
            end();
        }
        const place = placeOf(event);
        fingers.set(event.pointerId, { began: place, now: place });
        canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', (event) => {
        if (fingers.has(event.pointerId)) {
            fingers.get(event.pointerId).now = placeOf(event);
            tell(move);
        }
    });
    for (const ending of ['pointerup', 'pointercancel']) {
        canvas.addEventListener(ending, (event) => {
            if (fingers.has(event.pointerId)) {
                end();
                fingers.delete(event.pointerId);
            }
        });
    }
}

/** Where an event is, in pixels from the middle of the picture. */
function placeOf({ clientX, clientY }) {
    const { left, top, width, height } = at.stage.getBoundingClientRect();
    return [clientX - left - width / 2, clientY - top - height / 2];
}

/** Keys that `take` knows what to do with are not the page's. */
function listen(canvas, take) {
    canvas.addEventListener('keydown', (event) => {
        if (!event.ctrlKey && !event.metaKey && !event.altKey && take(event.key)) {
            event.preventDefault();
        }
    });
}

/** Pixels of the screen that a cell is wide at scale 1. */
const pixel = () => Math.min(at.flat.clientWidth, at.flat.clientHeight) / state.size;

/** Lays the picture that there is where another window has it. */
function showMoved({ x, y, scale }) {
    if (!drawn.endless) {
        return;
    }
    const wide = pixel() * scale;
    const [right, down] = [drawn.x - x, drawn.y - y].map((cells) => (cells * wide).toFixed(1));
    at.flat.style.transform = `translate(${right}px, ${down}px) scale(${(scale / drawn.scale).toFixed(4)})`;
}

/** Until the picture of what changes comes, the one that there is stands for it. */
function moveTo(values) {
    showMoved({ ...state, ...values });
    change(values);
}

touch(at.flat, (from, to, ratio) => {
    if (state.endless) {
        showMoved(moved(state, from, to, ratio, pixel()));
    }
}, (from, to, ratio) => {
    const window = wholeWindow(state, from, to, ratio, pixel());
    if (state.endless && Object.keys(window).some((name) => window[name] !== state[name])) {
        moveTo(window);
    } else {
        showMoved(state);
    }
});
const turned = wheel();
at.flat.addEventListener('wheel', (event) => {
    if (state.endless) {
        event.preventDefault();
        const way = turned(event), place = placeOf(event);
        if (way !== 0) {
            moveTo(wholeWindow(state, place, place, 2 ** way, pixel()));
        }
    }
}, { passive: false });
listen(at.flat, (key) => {
    const values = state.endless ? pressed(state, key) : null;
    if (values !== null) {
        moveTo(values);
    }
    return values !== null;
});

/** By pixels, and steps nearer, from a view that there was. */
function look({ turn, tilt, distance }, dx, dy, steps) {
    view3d.turn = turn + dx * 0.008;
    view3d.tilt = between(0.1, tilt + dy * 0.008, 1.5);
    view3d.distance = between(0.3, distance * 1.1 ** -steps, 4);
    view3d.draw();
}

let held = null; // the view when fingers came
touch(at['solid-view'], (from, to, ratio) => {
    held ??= { ...view3d };
    look(held, to[0] - from[0], to[1] - from[1], Math.log(ratio) / Math.log(1.1));
}, () => { held = null; });
at['solid-view'].addEventListener('wheel', (event) => {
    event.preventDefault();
    look(view3d, 0, 0, -Math.sign(event.deltaY));
}, { passive: false });
listen(at['solid-view'], (key) => {
    const arrow = arrowOf(key), zoom = zoomOf(key);
    if (arrow !== null) {
        look(view3d, arrow[0] * 12, arrow[1] * 12, 0);
    } else if (zoom !== 0) {
        look(view3d, 0, 0, zoom);
    }
    return arrow !== null || zoom !== 0;
});
at['solid-view'].addEventListener('webglcontextlost', (event) => event.preventDefault()); // it is to come back
at['solid-view'].addEventListener('webglcontextrestored', () => {
    view3d.begin();
    ask();
});

// ---- Saving ---------------------------------------------------------------------------------------

function save(blob, name) {
    const link = element('a', { href: URL.createObjectURL(blob), download: name });
    link.click();
    URL.revokeObjectURL(link.href);
}

at.picture.onclick = () => (state.solid ? at['solid-view'] : at.flat).toBlob((blob) => save(blob, 'terrain.png'));
at.heights.onclick = () => {
    heightsWanted = true;
    send({ heights: true });
};

function saveHeights(map) {
    heightsWanted = false;
    if (map === null) {
        showError('There is no map to save.');
    } else {
        save(new Blob([map.data]), `terrain-${map.width}x${map.height}.r32`);
    }
}

at.link.onclick = async () => {
    try {
        await navigator.clipboard.writeText(address());
        at.link.textContent = 'Copied';
    } catch { // pages that came without https have no clipboard
        history.replaceState(null, '', address());
        at.link.textContent = 'See the address';
    }
    setTimeout(() => { at.link.textContent = 'Copy link'; }, 1500);
};

// ---- Beginning ------------------------------------------------------------------------------------

at.example.append(element('option', { value: '' }, 'Recipes'), ...EXAMPLES.map((name) => element('option', {}, name)));
at.palette.append(...palettes.map((name) => element('option', {}, name)));
at.example.onchange = () => at.example.value !== '' && takeExample(at.example.value);
at.text.addEventListener('input', () => {
    exampleWanted = null;
    replace({ text: at.text.value }, 'typing');
});
for (const event of ['click', 'keyup', 'focus']) {
    at.text.addEventListener(event, showStatement);
}
at.options.onsubmit = (event) => event.preventDefault();
at.seed.onchange = () => change({ seed: wholeSeed(at.seed.value) });
at.dice.onclick = () => change({ seed: Math.floor(Math.random() * 1e6) });
at.size.onchange = () => change({ size: Number(at.size.value) });
at.endless.onchange = () => change({ endless: at.endless.checked });
at.water.onchange = () => change({ water: at.water.checked });
at.level.onchange = () => change({ level: Number(at.level.value) || 0 });
at.palette.onchange = () => change({ palette: at.palette.value });
at.solid.onchange = () => change({ solid: at.solid.checked });
addEventListener('resize', () => {
    if (state.solid && view3d !== null) {
        fillStage();
        view3d.draw();
    }
});

compiled.catch((error) => showError(`terrain.wasm can't be had: ${error.message}`));
startWorker();

function begin() {
    readAddress();
    exampleWanted = null;
    if (state.text === '') {
        takeExample(EXAMPLES[0]);
    } else {
        update();
    }
}

addEventListener('hashchange', () => { // somebody's link in place of this one
    undo.remember(state, Object.keys(state));
    begin();
});
begin();
