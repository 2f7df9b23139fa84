// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// Writes dist/index.js, dist/library.js and dist/index.d.ts from the operation table of dist/terrain.wasm.
// usage: node write_types.js PACKAGE

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = path.resolve(process.argv[2]);
const source = (name) => import(pathToFileURL(path.join(folder, 'src', name)));
const [{ instantiate }, { fillTable, operations, versions }, { fillVerbs, verbs }] = await Promise.all(
    ['wasm.js', 'table.js', 'calls.js'].map(source),
);
await instantiate();
fillTable();
fillVerbs();

const capital = (word) => word[0].toUpperCase() + word.slice(1);
const optionsName = (operation) => `${capital(operation.verb)}${capital(operation.algorithm)}Options`;

/** A comment, wrapped. */
function comment(text, indent) {
    const lines = [];
    for (const paragraph of text.split('\n')) {
        let line = '';
        for (const word of paragraph.replaceAll('*/', '* /').split(' ')) {
            if (line !== '' && line.length + word.length > 100) {
                lines.push(line);
                line = '';
            }
            line += line === '' ? word : ` ${word}`;
        }
        lines.push(line);
    }
    if (lines.length === 1) {
        return `${indent}/** ${lines[0]} */`;
    }
    return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`].join('\n');
}

function typeOf(parameter) {
    switch (parameter.type) {
        case 'enum':
            return Object.keys(parameter.values)
                .map((name) => `'${name}'`)
                .join(' | ');
        case 'bool':
            return 'boolean';
        case 'int64':
        case 'uint64':
            return 'number | bigint';
        case 'float_array':
            return 'readonly number[] | Float32Array | Float64Array';
        case 'map_in':
            return 'MapLike | null';
        case 'map_out':
            return 'MapLike | null';
        default:
            return 'number';
    }
}

function whenOf(parameter, operation) {
    if (parameter.when === null) {
        return '';
    }
    const other = operation.parameters[parameter.when.name];
    const names = other.type === 'enum' ? Object.keys(other.values) : null;
    const given = other.port !== null || other.type === 'float_array';
    const counting = [];
    for (let k = 0; k < 64; k++) {
        if ((parameter.when.bits >> BigInt(k)) & 1n && (names === null || k < names.length)) {
            counting.push(names?.[k] ?? (given ? ['not given', 'given'][k] : other.type === 'bool' ? ['false', 'true'][k] : k));
        }
    }
    return `\nCounts only where ${other.name} is ${counting.filter((each) => each !== undefined).join(' or ')}.`;
}

function parameterOf(parameter, operation) {
    let text = parameter.doc;
    if (parameter.type === 'enum') {
        text += Object.entries(parameter.values)
            .map(([name, doc]) => `\n- ${name}: ${doc}`)
            .join('');
    } else if (parameter.port === null) {
        const least = parameter.type === 'bool' ? '' : ` In [${parameter.minimum}, ${parameter.maximum}]`;
        text += least + (least && parameter.unit ? ` ${parameter.unit}.` : least ? '.' : '');
    } else if (parameter.port.lattice === 'coarse') {
        text += ` Its cell (i, j) is the world point (i, j) times ${parameter.port.spacing}.`;
    }
    if (parameter.type === 'map_out') {
        text += ' A map that is overwritten with it.';
    }
    text += whenOf(parameter, operation);
    if (parameter.default !== null) {
        text += `\n@default ${parameter.default}`;
    }
    return `${comment(text, '    ')}\n    ${parameter.name}?: ${typeOf(parameter)};`;
}

/** The type of `out`, which is what the function returns: a new map where there is none. */
function outOf(operation) {
    return operation.signature === 'grid' ? 'Out extends MapLike[][] = Heightmap[][]' : 'Out extends MapLike = Heightmap';
}

function optionsOf(operation) {
    return [
        comment(`Options of ${operation.verb}.${operation.algorithm}.`, ''),
        `export interface ${optionsName(operation)}<${outOf(operation)}> extends CallOptions<Out> {`,
        ...Object.values(operation.parameters).map((each) => parameterOf(each, operation)),
        '}',
        '',
    ].join('\n');
}

function functionOf(operation) {
    const grid = operation.signature === 'grid';
    const inputs = operation.arguments.filter((port) => port.role !== 'write');
    const given =
        operation.signature === 'generate'
            ? ['size: Size']
            : inputs.map((port) => `${port.name}: ${grid ? 'readonly (readonly MapLike[])[]' : 'MapLike'}`);
    const text = operation.summary + (operation.reference ? `\n@see ${operation.reference}` : '');
    const parameters = [...given, `options?: ${optionsName(operation)}<Out>`].join(', ');
    return `${comment(text, '    ')}\n    ${operation.algorithm}<${outOf(operation)}>(${parameters}): Out;`;
}

const parts = ['// Written from the operation table when the package was built.', ''];
parts.push(await readFile(new URL('types.d.ts', import.meta.url), 'utf8'));
for (const operation of Object.values(operations)) {
    parts.push(optionsOf(operation));
}
for (const [verb, functions] of Object.entries(verbs)) {
    parts.push(`export const ${verb}: {`);
    parts.push(...Object.values(functions).map((each) => functionOf(each.operation)));
    parts.push('};', '');
}
await writeFile(path.join(folder, 'dist/index.d.ts'), parts.join('\n'));
await writeFile(
    path.join(folder, 'dist/library.js'),
    [
        '// Written from the operation table when the package was built. The functions come when it is loaded.',
        '',
        "import { verbs } from '../src/library.js';",
        '',
        "export * from '../src/library.js';",
        ...Object.entries(versions()).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`),
        ...Object.keys(verbs).map((verb) => `export const ${verb} = (verbs.${verb} = {});`),
        '',
    ].join('\n'),
);
await writeFile(
    path.join(folder, 'dist/index.js'),
    [
        '// Written when the package was built.',
        '',
        "import { load } from '../src/load.js';",
        '',
        "export * from './library.js';",
        'await load();',
        '',
    ].join('\n'),
);
