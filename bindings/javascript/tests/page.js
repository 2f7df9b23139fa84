// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// As much of a browser as the playground's page needs to be tried under node: it has the page's elements, and shows
// nothing. Workers are asked, and answered by the test.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

class Element {
    constructor(tag, attributes = {}) {
        Object.assign(this, { tag, attributes, children: [], listeners: {}, style: {}, names: new Set(), hidden: false });
        this.text = '';
        this.classList = {
            add: (name) => this.names.add(name),
            remove: (name) => this.names.delete(name),
            toggle: (name, is) => (is ? this.names.add(name) : this.names.delete(name)),
        };
        this.selectionStart = 0;
        this.clientWidth = this.clientHeight = 500;
    }

    get id() { return this.attributes.id; }
    get value() { return this.text; }
    set value(value) { this.text = this.tag === 'textarea' ? String(value).replaceAll('\r\n', '\n') : String(value); }
    get options() { return this.children; }
    append(...children) { this.children.push(...children); }
    replaceChildren(...children) { this.children = children; }
    setAttribute(name, value) { this.attributes[name] = value; }
    addEventListener(name, listener) { (this.listeners[name] ??= []).push(listener); }
    dispatch(name, event = {}) { this.listeners[name].forEach((listener) => listener({ preventDefault() {}, ...event })); }
    setSelectionRange(place) { this.selectionStart = place; }
    setPointerCapture() {}
    getBoundingClientRect() { return { left: 0, top: 0, width: this.clientWidth, height: this.clientHeight }; }
    click() {}
    getContext(kind) { return kind === '2d' ? { putImageData() {} } : this.webgl ?? null; }

    /** All elements within. */
    get all() { return this.children.flatMap((each) => (each instanceof Element ? [each, ...each.all] : [])); }
}

let pages = 0;
const { setTimeout } = globalThis;

/** Opens the page at an address. `answer(url)` is what fetch returns for a recipe; `clipboard` what the navigator has. */
export async function openPage(folder, { hash = '', wasm, answer, clipboard }) {
    const html = readFileSync(path.join(folder, 'index.html'), 'utf8');
    const elements = [...html.matchAll(/<(\w+)([^>]*\bid="[^>]*)>/g)].map(([, tag, rest]) =>
        new Element(tag, Object.fromEntries([...rest.matchAll(/([\w-]+)="([^"]*)"/g)].map((found) => found.slice(1)))));
    const at = Object.fromEntries(elements.map((each) => [each.id, each]));
    at.size.append(...['256', '512', '1024'].map((value) => Object.assign(new Element('option'), { value })));
    const page = { at, workers: [], listeners: {}, saved: [], location: new URL(`http://here/${hash}`) };
    /** What the last worker was asked for and has not answered, when it was. */
    page.asked = async (kind) => {
        for (let i = 0; i < 400; i++) {
            const worker = page.workers.at(-1), found = worker.asked.find((message) => message[kind] !== undefined);
            if (found !== undefined) {
                worker.asked = worker.asked.filter((message) => message !== found);
                return found[kind];
            }
            await new Promise((resolve) => { setTimeout(resolve, 5); });
        }
        throw new Error(`nobody asked for ${kind}`);
    };
    page.answer = (data) => page.workers.at(-1).onmessage({ data });
    const number = ++pages;
    const globals = {
        // Pages that were opened before are closed.
        setTimeout: (work, wait, ...given) => setTimeout(() => number === pages && work(...given), wait),
        document: {
            querySelectorAll: () => elements,
            createElement: (tag) => {
                const made = new Element(tag);
                made.click = () => page.saved.push(made.download);
                return made;
            },
        },
        location: page.location,
        history: { replaceState: (_state, _title, url) => { page.location.hash = new URL(url).hash; } },
        navigator: { clipboard },
        devicePixelRatio: 1,
        addEventListener: (name, listener) => { page.listeners[name] = listener; },
        ImageData: class {},
        fetch: async (url) => (url.pathname.endsWith('.wasm')
            ? { ok: true, arrayBuffer: async () => wasm } : answer(url)),
        Worker: class {
            constructor() {
                this.asked = [];
                page.workers.push(this);
            }

            postMessage(message) { this.asked.push(message); }
            terminate() { this.ended = true; }
        },
    };
    for (const [name, value] of Object.entries(globals)) {
        Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    }
    await import(`${pathToFileURL(path.join(folder, 'page.js'))}?${number}`);
    return page;
}
