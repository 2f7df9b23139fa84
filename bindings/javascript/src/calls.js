// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// A function for each operation of the table.

import { argumentError, checkOptions, errorOf, rangeError } from './errors.js';
import { cellSizeOf, checkMap, checkOverlaps, given, made, placeOf, Results, sizeOf } from './heightmap.js';
import { operations } from './table.js';
import { c, call, kindOf, trim, view, withScratch } from './wasm.js';

/** Scratch memory of calls on larger maps is not kept: 16 MiB of cells. */
const LARGE = 2 ** 22;

/** The maps of one call as they are given to the library. */
class Call {
    constructor(scratch, operation) {
        this.scratch = scratch;
        this.operation = operation;
        this.params = operation.params(scratch);
        this.pointers = []; // of the arguments, in their order
        this.results = new Results();
        this.maps = []; // for overlaps
    }

    /** Values, then maps; of a value that changes nothing it warns. */
    options(options) {
        const { parameters, name } = this.operation;
        checkOptions(name, options, [...Object.keys(parameters), 'out', 'progress']);
        const values = Object.values(parameters).filter((each) => options[each.name] !== undefined);
        for (const parameter of values.filter((each) => each.port === null)) {
            parameter.set(this.params, options[parameter.name], this.scratch);
        }
        this.waiting = values.filter((each) => each.port !== null && options[each.name] !== null);
        this.given = options;
    }

    /** The maps among the options; `place` and `cellSize` are the call's. */
    attach(size, place, cellSize) {
        for (const { name, port } of this.waiting) {
            const what = `${this.operation.name}: ${name}`;
            const map = this.given[name];
            const pointer =
                port.role === 'read'
                    ? this.read(map, what)
                    : this.write(map, what, port.lattice === 'own' ? this.own(size, place) : { size, place }, cellSize);
            view().setUint32(this.params + port.offset, pointer, true);
        }
        this.#warn();
    }

    #warn() {
        for (const parameter of Object.values(this.operation.parameters)) {
            const value = this.given[parameter.name];
            if (value == null || value === parameter.default) {
                continue;
            }
            if (c.terrain_operation_parameter_counts(this.operation.pointer, parameter.pointer, this.params) === 0) {
                console.warn(`${this.operation.name}: ${parameter.name} does not count beside this ${parameter.when.name}`);
            }
        }
    }

    read(map, what) {
        this.maps.push({ map: checkMap(map, what, false), what, written: false });
        return given(this.scratch, map, what);
    }

    /** A map that is overwritten; without one, a new one. */
    write(map, what, { size, place }, cellSize) {
        if (map !== undefined) {
            this.maps.push({ map: checkMap(map, what, true), what, written: true });
            if (map.width !== size.width || map.height !== size.height) {
                throw argumentError(`${what} is ${map.width} x ${map.height}, must be ${size.width} x ${size.height}`);
            }
        }
        const pointer = made(this.scratch, size, place, cellSize);
        this.last = this.results.add(pointer, map, what);
        return pointer;
    }

    /** A map that is changed: a copy of the source, or `out`, which may be the source. */
    change(source, out, what) {
        const pointer = given(this.scratch, checkMap(source, what, false), what);
        if (out !== undefined) {
            checkMap(out, 'out', true);
            if (out.width !== source.width || out.height !== source.height) {
                throw argumentError(
                    `out is ${out.width} x ${out.height}, must be ${source.width} x ${source.height} as the map`,
                );
            }
        }
        this.maps.push({ map: out ?? source, what: out ? 'out' : what, written: out !== undefined });
        if (out !== undefined && !sameCells(out.data, source.data)) {
            this.maps.push({ map: source, what, written: false });
        }
        this.last = this.results.add(pointer, out, 'out');
        return pointer;
    }

    /** Size and place of a result that has its own. */
    own(size, place) {
        const window = this.scratch.allocate(48);
        setWindow(window, size, place);
        const status = c.terrain_operation_result_window(this.operation.pointer, this.params, window, window + 24);
        if (status !== 0) {
            return { size, place }; // the call itself is then refused, with a sentence
        }
        const result = windowAt(window + 24);
        return { size: sizeOf(result, 'out'), place: [result.x, result.y] };
    }

    run(columns) {
        checkOverlaps(this.maps);
        const { pointer } = this.operation;
        const count = this.pointers.length;
        const ports = this.scratch.words(this.pointers);
        call(this.given.progress, (context) =>
            columns === 0
                ? c.terrain_operation_apply(context, pointer, ports, count, this.params)
                : c.terrain_operation_apply_grid(context, pointer, ports, columns, count / columns, this.params),
        );
        this.results.write();
        if (this.maps.some(({ map }) => map.data.length > LARGE)) {
            trim();
        }
    }
}

const sameCells = (a, b) => a.buffer === b.buffer && a.byteOffset === b.byteOffset;

function setWindow(address, { width, height }, [x, y]) {
    view().setBigInt64(address, x, true);
    view().setBigInt64(address + 8, y, true);
    view().setUint32(address + 16, width, true);
    view().setUint32(address + 20, height, true);
}

/** A window as the library has it: x and y are BigInts. */
export function windowAt(address) {
    return {
        x: view().getBigInt64(address, true),
        y: view().getBigInt64(address + 8, true),
        width: view().getUint32(address + 16, true),
        height: view().getUint32(address + 20, true),
    };
}

/** Which window of the input at a port is needed for a window of the result. */
export function windowOf(operation, options, wanted, port = 0) {
    const size = sizeOf(wanted, 'window');
    if ((operation.ports[port]?.role ?? 'write') === 'write') {
        throw argumentError(`${operation.name}: port ${String(port)} is no map that it reads`);
    }
    return withScratch((scratch) => {
        const work = new Call(scratch, operation);
        work.options(options);
        const window = scratch.allocate(48);
        setWindow(window, size, placeOf(wanted, 'window'));
        const status = c.terrain_operation_window(operation.pointer, work.params, port, window, window + 24);
        if (status !== 0) {
            throw errorOf(status, status === -8 ? `${operation.name} is global: any cell may depend on every other` : '');
        }
        return windowAt(window + 24);
    });
}

/** How many cells beyond a cell its result depends on, at most; Infinity if it may be every cell of the map. */
export function haloOf(operation, options) {
    return withScratch((scratch) => {
        const work = new Call(scratch, operation);
        work.options(options);
        const out = scratch.allocate(4);
        if (c.terrain_operation_halo(operation.pointer, work.params, out) !== 0) {
            throw rangeError(`${operation.name}: a value is outside its range`);
        }
        const cells = view().getUint32(out, true);
        return cells === 0xffffffff ? Infinity : cells;
    });
}

function functionOf(operation) {
    const inputs = operation.arguments.filter((port) => port.role !== 'write');
    const generates = operation.signature === 'generate';
    const takes = generates ? 1 : inputs.length;

    function checkCount(values) {
        if (values.length < takes || values.length > takes + 1) {
            const names = generates ? 'size' : inputs.map((port) => port.name).join(', ');
            throw argumentError(`${operation.name} takes (${names}, options), ${values.length} arguments given`);
        }
    }

    function single(...values) {
        checkCount(values);
        const options = values[takes] ?? {};
        const first = generates ? values[0] : checkMap(values[0], inputs[0].name, false);
        const size = sizeOf(first, generates ? 'size' : inputs[0].name);
        return withScratch((scratch) => {
            const work = new Call(scratch, operation);
            work.options(options);
            const place = placeOf(first, operation.name);
            const cellSize = cellSizeOf(first, operation.name);
            const rest = values.values();
            for (const port of operation.arguments) {
                if (port.role === 'read') {
                    work.pointers.push(work.read(rest.next().value, port.name));
                } else if (port.role === 'change') {
                    work.pointers.push(work.change(rest.next().value, options.out, port.name));
                } else {
                    const where = port.lattice === 'own' ? work.own(size, place) : { size, place };
                    work.pointers.push(work.write(options.out, 'out', where, cellSize));
                }
            }
            const result = work.last;
            work.attach(size, place, cellSize);
            work.run(0);
            return result;
        });
    }

    function grid(...values) {
        checkCount(values);
        const options = values[takes] ?? {};
        const maps = rowsOf(values[0], 'maps');
        const outs = options.out === undefined ? null : rowsOf(options.out, 'out');
        if (outs !== null && (outs.length !== maps.length || outs[0].length !== maps[0].length)) {
            throw argumentError('out must be rows of as many maps');
        }
        return withScratch((scratch) => {
            const work = new Call(scratch, operation);
            work.options(options);
            const result = maps.map((row, y) =>
                row.map((map, x) => {
                    work.pointers.push(work.change(map, outs?.[y][x], `maps[${y}][${x}]`));
                    return work.last;
                }),
            );
            work.attach(maps[0][0], placeOf(maps[0][0], 'maps'), cellSizeOf(maps[0][0], 'maps'));
            work.run(maps[0].length);
            return result;
        });
    }

    const apply = operation.signature === 'grid' ? grid : single;
    Object.defineProperty(apply, 'name', { value: operation.algorithm });
    return Object.assign(apply, { operation });
}

export function rowsOf(rows, what) {
    if (!Array.isArray(rows) || rows.length === 0 || !rows.every((row) => Array.isArray(row) && row.length > 0)) {
        throw argumentError(`${what} must be rows of maps, [[northWest, northEast], [southWest, ...]], not ${kindOf(rows)}`);
    }
    if (rows.some((row) => row.length !== rows[0].length)) {
        throw argumentError(`${what} must be rows of equally many maps`);
    }
    return rows;
}

/** The functions by verb, and by algorithm: verbs.erode.thermal. */
export const verbs = {};

/** Makes the functions, when the table is read. */
export function fillVerbs() {
    for (const operation of Object.values(operations)) {
        verbs[operation.verb] ??= {};
        verbs[operation.verb][operation.algorithm] = functionOf(operation);
        operation.apply = verbs[operation.verb][operation.algorithm];
        operation.halo = (options = {}) => haloOf(operation, options);
        operation.window = (window, options = {}, port = 0) => windowOf(operation, options, window, port);
    }
}
