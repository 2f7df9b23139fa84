/** TypeScript has no properties of a module, and takes anything for one: this leaves out what it is taken for. */
type Compiled = WebAssembly.Module &
    object & { then?: never; arrayBuffer?: never; exports?: never; module?: never; [Symbol.iterator]?: never };

/**
 * Loads the library, once, and returns what `import * as terrain from 'libterrain'` gives. `wasm` is the package's
 * dist/terrain.wasm: its URL, its bytes, or a WebAssembly.Module of it; by default it lies where the package has it.
 */
export function load(options?: {
    wasm?: string | URL | ArrayBuffer | ArrayBufferView | Compiled;
}): Promise<typeof import('../dist/index.js')>;
