// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

const TOGETHER = 1000; // milliseconds within which changes of one kind are one step
const MOST = 500; // steps

const valuesOf = (state, names) => Object.fromEntries(names.map((name) => [name, state[name]]));

/** What the page said before each change of the recipe. The browser's own undo forgets all that was typed when a slider
 * writes. */
export class Undo {
    #past = []; // values that a step has replaced
    #future = []; // values that taking it back has replaced
    #kind = null;
    #time = 0;

    get canGoBack() { return this.#past.length > 0; }
    get canGoForward() { return this.#future.length > 0; }

    /** What has these names in the state is about to be replaced. Changes of one kind that follow each other closely are
     * one step; those of kind null are always steps of their own. */
    remember(state, names, kind = null, now = performance.now()) {
        const goesOn = kind !== null && kind === this.#kind && now - this.#time < TOGETHER;
        this.#kind = kind;
        this.#time = now;
        this.#future = [];
        if (!goesOn) {
            this.#past.push(valuesOf(state, names));
            this.#past.splice(0, this.#past.length - MOST);
        }
    }

    /** The values to set in a state, to take the last step back; null if there is none. */
    back(state) { return this.#go(this.#past, this.#future, state); }

    /** The same for the step that was taken back last. */
    forward(state) { return this.#go(this.#future, this.#past, state); }

    #go(from, to, state) {
        this.#kind = null;
        const values = from.pop() ?? null;
        if (values !== null) {
            to.push(valuesOf(state, Object.keys(values)));
        }
        return values;
    }
}

/** Where a text that has been changed begins to be the old one again. */
export function endOfChange(before, after) {
    let same = 0;
    while (same < Math.min(before.length, after.length) && before.at(-1 - same) === after.at(-1 - same)) {
        same++;
    }
    return after.length - same;
}

/** 'back' or 'forward' for the keys that mean so; null for others. */
export function undoOf({ key, ctrlKey, metaKey, altKey, shiftKey }) {
    if (altKey || ctrlKey === metaKey) {
        return null;
    }
    return { z: shiftKey ? 'forward' : 'back', y: 'forward' }[key.toLowerCase()] ?? null;
}
