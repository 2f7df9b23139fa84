// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// The operation table as objects: what each operation is called, takes and gives, and how a value gets into its params.
// Nothing here knows an operation by name.

import { argumentError, nearest, rangeError } from './errors.js';
import { bigOf, isDetached, numberOf } from './heightmap.js';
import { c, floatsAt, kindOf, textAt, view, wordsAt } from './wasm.js';

const SIGNATURES = ['generate', 'in_place', 'combine', 'result', 'grid', 'other'];
const TILINGS = ['none', 'windows', 'regions'];
const ROLES = ['read', 'write', 'change'];
const LATTICES = ['call', 'own', 'coarse'];
const TYPES = [
    'float', 'int32', 'uint32', 'int64', 'uint64', 'bool', 'enum', 'map_in', 'map_out', 'float_array',
];

/** stream_power as JavaScript writes it. */
const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

/** A struct's words by their names, in the order of its layout in binding.c. */
function fieldsOf(pointer, layout, names) {
    const offsets = wordsAt(layout(), names.length);
    return Object.fromEntries(names.map((name, i) => [name, pointer + offsets[i]]));
}

/** What JSON has no number for, whole numbers of 64 bits and infinity, as text. */
const plain = (value) => (typeof value === 'bigint' || Math.abs(value) === Infinity ? String(value) : value);

const word = (address) => view().getUint32(address, true);

/** A map that an operation takes or gives. */
class Port {
    constructor(pointer) {
        const at = fieldsOf(pointer, c.binding_port_layout, [
            'name', 'spacing', 'role', 'lattice', 'offset', 'optional', 'mask', 'grid',
        ]);
        this.name = camel(textAt(word(at.name)));
        this.spacing = camel(textAt(word(at.spacing)));
        this.role = ROLES[word(at.role)];
        this.lattice = LATTICES[word(at.lattice)];
        this.offset = word(at.offset);
        this.optional = word(at.optional) !== 0;
        this.mask = word(at.mask) !== 0;
        this.grid = word(at.grid) !== 0;
    }
}

/** One parameter. `values` are the names of an enum's, with what each does; `slider` is where a slider may begin and
 * end; `when` is null, or the name of another parameter and the bits of those of its values for which this counts. */
class Parameter {
    constructor(operation, pointer, scratch) {
        const at = fieldsOf(pointer, c.binding_parameter_layout, [
            'name', 'unit', 'doc', 'type', 'offset', 'countOffset', 'countMaximum', 'minimum', 'maximum', 'default',
            'valueNames', 'valueDocs', 'port', 'role', 'when', 'whenValues', 'powerOfTwo',
        ]);
        this.operation = operation;
        this.pointer = pointer;
        this.tableName = textAt(word(at.name));
        this.name = camel(this.tableName);
        this.unit = textAt(word(at.unit));
        this.doc = textAt(word(at.doc));
        this.type = TYPES[word(at.type)];
        this.offset = word(at.offset);
        this.countOffset = word(at.countOffset);
        this.countMaximum = word(at.countMaximum);
        this.isSeed = word(at.role) === 1;
        this.isPowerOfTwo = word(at.powerOfTwo) !== 0;
        this.port = word(at.port) === 0 ? null : new Port(word(at.port));
        this.minimum = this.#value(at.minimum);
        this.maximum = this.#value(at.maximum);
        this.default = this.#value(at.default);
        this.values = {};
        if (this.type === 'enum') {
            for (let i = 0; i <= Number(this.maximum); i++) {
                this.values[textAt(word(word(at.valueNames) + 4 * i))] = textAt(word(word(at.valueDocs) + 4 * i));
            }
            this.default = Object.keys(this.values)[Number(this.default)];
        } else if (this.type === 'bool') {
            this.default = this.default !== 0;
        } else if (this.port !== null || this.type === 'float_array') {
            this.default = null;
        }
        this.slider = null;
        if (c.terrain_parameter_slider(pointer, scratch, scratch + 8) === 0) {
            this.slider = [view().getFloat64(scratch, true), view().getFloat64(scratch + 8, true)];
        }
        const when = textAt(word(at.when));
        this.when = when === null ? null : { name: camel(when), bits: view().getBigUint64(at.whenValues, true) };
    }

    /** A number of the table: a BigInt where the parameter has 64 bits. */
    #value(address) {
        if (this.type === 'float' || this.type === 'float_array') {
            return view().getFloat64(address, true);
        }
        const signed = this.type === 'int32' || this.type === 'int64';
        const whole = signed ? view().getBigInt64(address, true) : view().getBigUint64(address, true);
        return this.type.endsWith('64') ? whole : Number(whole);
    }

    /** What the types promise, as JSON has it. */
    toJSON() {
        const { name, type, unit, doc, values, isSeed, isPowerOfTwo, port, slider, when } = this;
        return {
            name, type, unit, doc, minimum: plain(this.minimum), maximum: plain(this.maximum),
            default: plain(this.default), values, isSeed, isPowerOfTwo, port, slider,
            when: when && { ...when, bits: plain(when.bits) },
        };
    }

    get #what() {
        return `${this.operation}: ${this.name}`;
    }

    /** Writes a value that is no map into a params struct. */
    set(params, value, scratch) {
        const field = params + this.offset;
        switch (this.type) {
            case 'float':
                view().setFloat32(field, this.#float(value), true);
                break;
            case 'bool':
                if (typeof value !== 'boolean') {
                    throw argumentError(`${this.#what} must be true or false, not ${kindOf(value)}`);
                }
                view().setUint32(field, Number(value), true);
                break;
            case 'enum':
                view().setUint32(field, this.#index(value), true);
                break;
            case 'int64':
            case 'uint64':
                view().setBigUint64(field, BigInt.asUintN(64, bigOf(value, this.#what, this.minimum, this.maximum)), true);
                break;
            case 'float_array':
                this.#array(params, value, scratch);
                break;
            default:
                this.#small(field, value);
        }
    }

    #small(field, value) {
        const whole = bigOf(value, this.#what, BigInt(this.minimum), BigInt(this.maximum));
        view().setUint32(field, Number(BigInt.asUintN(32, whole)), true);
    }

    #float(value) {
        numberOf(value, this.#what);
        if (Number.isFinite(value) && !Number.isFinite(Math.fround(value))) {
            throw rangeError(`${this.#what} is ${value}, must be in [${this.minimum}, ${this.maximum}]`);
        }
        return value;
    }

    #index(value) {
        const names = Object.keys(this.values);
        if (typeof value !== 'string') {
            throw argumentError(`${this.#what} must be one of ${names.join(', ')}, not ${kindOf(value)}`);
        }
        if (!names.includes(value)) {
            throw argumentError(`${this.#what} is '${value}', must be one of ${names.join(', ')}${nearest(value, names)}`);
        }
        return names.indexOf(value);
    }

    #array(params, value, scratch) {
        if (!Array.isArray(value) && !(value instanceof Float32Array) && !(value instanceof Float64Array)) {
            throw argumentError(`${this.#what} must be an array of numbers, not ${kindOf(value)}`);
        }
        if (!Array.isArray(value) && isDetached(value.buffer)) {
            throw argumentError(`${this.#what} is detached: it was given to somebody else`);
        }
        const { length } = value; // read once: a getter may say something else the next time
        if (length > this.countMaximum) {
            throw rangeError(`${this.#what} has ${length} numbers, at most ${this.countMaximum} are taken`);
        }
        const numbers = Float32Array.from({ length }, (_, i) => this.#float(value[i]));
        const pointer = scratch.allocate(4 * numbers.length);
        floatsAt(pointer, numbers.length).set(numbers);
        view().setUint32(params + this.offset, pointer, true);
        view().setUint32(params + this.countOffset, numbers.length, true);
    }
}

/** One algorithm. */
class Operation {
    constructor(pointer, scratch) {
        this.pointer = pointer;
        this.name = textAt(c.terrain_operation_name(pointer));
        this.verb = textAt(c.terrain_operation_verb(pointer));
        this.algorithm = camel(this.name.slice(this.verb.length + 1));
        this.summary = textAt(c.terrain_operation_summary(pointer));
        this.reference = textAt(c.terrain_operation_reference(pointer));
        this.signature = SIGNATURES[c.terrain_operation_signature(pointer)];
        this.tiling = TILINGS[c.terrain_operation_tiling(pointer)];
        this.resultVersion = c.terrain_operation_result_version(pointer);
        this.parameters = {};
        for (let i = 0; i < c.terrain_operation_parameter_count(pointer); i++) {
            const parameter = new Parameter(this.name, c.terrain_operation_parameter(pointer, i), scratch);
            this.parameters[parameter.name] = parameter;
        }
        this.ports = [];
        for (let i = 0; i < c.terrain_operation_port_count(pointer); i++) {
            this.ports.push(new Port(c.terrain_operation_port_at(pointer, i)));
        }
        this.arguments = this.ports.filter((port) => port.offset === 0);
        this.paramsSize = c.terrain_operation_params_size(pointer);
    }

    /** What the types promise, as JSON has it. */
    toJSON() {
        const { name, verb, algorithm, summary, reference, signature, tiling, resultVersion, parameters, ports } = this;
        return { name, verb, algorithm, summary, reference, signature, tiling, resultVersion, parameters, ports };
    }

    /** A params struct with the defaults. */
    params(scratch) {
        const params = scratch.allocate(this.paramsSize);
        c.terrain_operation_params_init(this.pointer, params, this.paramsSize);
        return params;
    }
}

/** All operations by the table's names, 'erode_thermal' for example. */
export const operations = {};

/** Reads the table, when the library is loaded. */
export function fillTable() {
    const scratch = c.malloc(16);
    for (let i = 0; i < c.terrain_operation_count(); i++) {
        const operation = new Operation(c.terrain_operation_at(i), scratch);
        operations[operation.name] = operation;
    }
    c.free(scratch);
}

/** The library's version, and that of its results. */
export function versions() {
    const number = c.terrain_version();
    const version = [number / 1e6, (number / 1e3) % 1e3, number % 1e3].map(Math.floor).join('.');
    return { version, resultsVersion: c.terrain_results_version() };
}
