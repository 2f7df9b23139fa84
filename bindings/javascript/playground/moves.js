// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// What fingers, the wheel and the keys do to the window of an endless land.

const SCALES = { least: 2 ** -9, most: 4 };
const PART = 1 / 8; // of the window that an arrow goes
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const ZOOMS = { '+': 1, '=': 1, '-': -1 }; // = is + without shift
const NOTCH = 50; // pixels of scrolling: wheels send about as many at once, touchpads a few at a time
const UNITS = [1, 20, 400]; // pixels of a wheel's pixel, line and page

export const between = (low, value, high) => Math.min(Math.max(value, low), high);
export const wholePlace = (value) => between(-Number.MAX_SAFE_INTEGER, Math.round(value), Number.MAX_SAFE_INTEGER);

/** The nearest scale that there is; what is none becomes 1. */
export const wholeScale = (value) => between(SCALES.least, 2 ** Math.round(Math.log2(value)) || 1, SCALES.most);

/** A window after fingers have gone from one place to another, both in pixels from its middle, and `ratio` times as far
 * apart: what was under them still is. A cell is `pixel` wide at scale 1. */
export function moved({ x, y, scale }, from, to, ratio, pixel) {
    const before = pixel * scale, after = before * ratio;
    return { x: x + from[0] / before - to[0] / after, y: y + from[1] / before - to[1] / after, scale: scale * ratio };
}

/** The nearest such window that there is. */
export function wholeWindow(window, from, to, ratio, pixel) {
    const scale = wholeScale(window.scale * ratio);
    const { x, y } = moved(window, from, to, scale / window.scale, pixel);
    return { x: wholePlace(x), y: wholePlace(y), scale };
}

/** Which way a key zooms: 1 in, -1 out, 0 not at all. */
export const zoomOf = (key) => (Object.hasOwn(ZOOMS, key) ? ZOOMS[key] : 0);

/** Which way a key goes, as x and y; null if it is no arrow. */
export const arrowOf = (key) => (Object.hasOwn(ARROWS, key) ? ARROWS[key] : null);

/** What changes of a window when a key is pressed; null if nothing does. */
export function pressed({ size, scale, x, y }, key) {
    const arrow = arrowOf(key);
    if (arrow !== null) {
        const cells = PART * size / scale;
        return { x: wholePlace(x + arrow[0] * cells), y: wholePlace(y + arrow[1] * cells) };
    }
    return zoomOf(key) === 0 ? null : { scale: wholeScale(scale * 2 ** zoomOf(key)) };
}

/** A wheel, which tells of each of its events which way it zooms, as zoomOf does. */
export function wheel() {
    let turned = 0;
    return ({ deltaY, deltaMode }) => {
        const pixels = deltaY * UNITS[deltaMode];
        turned = Math.sign(pixels) === -Math.sign(turned) ? pixels : turned + pixels;
        if (Math.abs(turned) < NOTCH) {
            return 0;
        }
        const way = -Math.sign(turned);
        turned = 0;
        return way;
    };
}
