/**
 * Loads the library, once, and returns what `import * as terrain from 'libterrain'` gives. `wasm` is the package's
 * dist/terrain.wasm: its URL, its bytes, or a WebAssembly.Module of it; by default it lies where the package has it.
 */
export function load(options?: {
    wasm?: string | URL | ArrayBuffer | ArrayBufferView | WebAssembly.Module;
}): Promise<typeof import('../dist/index.js')>;
