// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// Recipes as text: which statement a place belongs to, and how one of its parameters is changed there. Comments, blanks
// and all other lines stay as they are.

/** What JavaScript calls upliftRate is uplift_rate in recipes. */
export const tableName = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The statement in whose line the place is: its `operation` of the table, `maps`, the names that it gives, and `values`,
 * the text of each parameter given; `begin` to `end` is where what follows the operation stands. null if there is none. */
export function statementAt(text, place, operations) {
    const begin = text.lastIndexOf('\n', place - 1) + 1;
    const line = text.slice(begin).split('\n', 1)[0];
    const code = line.split('#', 1)[0].trimEnd();
    // Anybody may have written the text: nothing here takes more than a multiple of its length.
    const equals = code.indexOf('='), maps = code.slice(0, Math.max(equals, 0)).trim();
    const [name] = /^\w*/.exec(code.slice(equals + 1).trimStart());
    if (!/^[\w\s]+$/.test(maps) || !Object.hasOwn(operations, name)) {
        return null;
    }
    const given = code.slice(code.indexOf(name, equals + 1) + name.length);
    const words = given.split(/\s+/).map((word) => [word.slice(0, Math.max(word.indexOf('='), 0)), word]);
    const values = Object.fromEntries(words.filter(([parameter]) => /^\w+$/.test(parameter))
        .map(([parameter, word]) => [parameter, word.slice(parameter.length + 1)]).filter(([, value]) => value !== ''));
    const end = begin + code.length;
    return { begin: end - given.length, end, operation: operations[name], maps: maps.split(/\s+/), values };
}

/** What a parameter is in a statement: a number or a truth value, the name of a choice or of a map, or null. */
export function valueIn(statement, parameter) {
    const text = statement.values[tableName(parameter.name)];
    if (text === undefined) {
        return parameter.default;
    }
    if (parameter.type === 'bool') {
        return text === 'true' || text === '1';
    }
    const isName = parameter.type === 'enum' || parameter.type === 'float_array' || parameter.port !== null;
    return isName ? text : Number(text);
}

/** Whether a parameter has an effect, given the others: the library refuses one that has none. */
export function hasEffect(statement, parameter) {
    if (parameter.when === null) {
        return true;
    }
    const other = statement.operation.parameters[parameter.when.name];
    const value = valueIn(statement, other);
    let index = Number(value);
    if (other.type === 'enum') {
        index = Object.keys(other.values).indexOf(value);
    } else if (other.type === 'float_array' || other.port !== null) {
        index = value === null ? 0 : 1;
    }
    return hasEffect(statement, other) && (BigInt(parameter.when.bits) >> BigInt(index) & 1n) === 1n;
}

/** Where a parameter's value is given, with the blanks before. */
const wordOf = (name) => new RegExp(`\\s+${name}=\\S+`);

/** The text with a parameter of a statement changed; a value of null takes it out, so that it is the default. What has no
 * effect beside the new value goes, too. */
export function changed(text, statement, parameter, value) {
    const { begin, end, operation } = statement;
    const values = { ...statement.values };
    let given = text.slice(begin, end);
    const put = (name, word) => {
        given = Object.hasOwn(values, name) ? given.replace(wordOf(name), () => word) : given + word;
    };
    const name = tableName(parameter.name);
    put(name, value === null ? '' : ` ${name}=${value}`);
    delete values[name];
    if (value !== null) {
        values[name] = String(value);
    }
    for (const each of Object.values(operation.parameters)) {
        const other = tableName(each.name);
        if (Object.hasOwn(values, other) && !hasEffect({ operation, values }, each)) {
            put(other, '');
            delete values[other];
        }
    }
    return text.slice(0, begin) + given + text.slice(end);
}
