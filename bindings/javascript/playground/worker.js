// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// The thread that computes: the page is never blocked, and ends the thread where a picture takes too long.

import { load } from '../src/load.js';
import { Studio } from './studio.js';

let ready = null;

/** The library, of the module that the page has compiled. */
async function begin(wasm) {
    const terrain = await load({ wasm });
    postMessage({ operations: JSON.parse(JSON.stringify(terrain.operations)), version: terrain.version });
    return new Studio(terrain);
}

const failed = (error) => postMessage({ error: error.message });

onmessage = async ({ data }) => {
    if (data.wasm !== undefined) {
        ready = begin(data.wasm);
        ready.catch(failed);
        return;
    }
    try {
        const studio = await ready;
        if (data.heights) {
            const heights = studio.heights();
            postMessage({ heights }, heights === null ? [] : [heights.data.buffer]);
            return;
        }
        const picture = studio.draw(data.draw, (share) => postMessage({ share }));
        const { pixels, mesh } = picture;
        const moved = mesh === null ? [pixels] : [pixels, mesh.positions, mesh.indices];
        postMessage({ picture }, moved.map((array) => array.buffer));
    } catch (error) {
        failed(error);
    }
};
