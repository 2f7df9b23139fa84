// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

/** The recipes that the page offers: all that need no map from outside. */
export const EXAMPLES = [
    'alps', 'appalachia', 'archipelago', 'canyonland', 'carved', 'continent', 'hills', 'main', 'sierra', 'streamed',
    'belhadj', 'canyons', 'faults', 'gullies', 'mesa', 'mountains', 'olsen', 'plateau', 'ranges', 'ridges', 'sheared',
    'valleys',
];

/** What the page should show of a recipe, by its comments: `# world: X,Y | | --sea 0` says where an endless land is worth
 * a look, and how it is drawn. */
export function settingsOf(text) {
    const world = /^# world: (-?\d+),(-?\d+)/m.exec(text);
    return {
        endless: world !== null,
        x: Number(world?.[1] ?? 0) + 256,
        y: Number(world?.[2] ?? 0) + 256,
        scale: 1,
        water: /^#.*(?:--sea |sea=)0/m.test(text),
        level: 0,
        palette: /^#.*--palette desert/m.test(text) ? 'desert' : 'land',
    };
}

/** The text without the lines of its comments that are for the program `terrain` and for the manual. */
export const withoutCommands = (text) => text.replace(/^#(?: {2,}.*| (?:world|picture|gallery):.*)?\n/gm, '').trimStart();
