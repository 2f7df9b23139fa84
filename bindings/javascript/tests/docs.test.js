// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// Guards against documentation that does not run: the blocks of README.md and of the manual's page.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

import { ROOT } from './golden.js';

for (const name of ['bindings/javascript/README.md', 'docs/javascript.md']) {
    test(name, () => {
        const text = readFileSync(path.join(ROOT, name), 'utf8');
        const blocks = [...text.matchAll(/^```js\n(.*?)^```\n(\nIt prints:\n\n```\n(.*?)```)?/gms)];
        assert.ok(blocks.length > 0);
        // Beside this file, from where the package is found.
        const folder = mkdtempSync(fileURLToPath(new URL('page-', import.meta.url)));
        try {
            const script = blocks.flatMap(([, code, , printed]) => [
                code,
                `console.log(${JSON.stringify(printed === undefined ? '----' : '====')});`,
            ]);
            writeFileSync(path.join(folder, 'page.mjs'), script.join('\n'));
            const printed = execFileSync('node', ['page.mjs'], { cwd: folder, encoding: 'utf8' });
            const parts = printed.split(/(?:----|====)\n/);
            blocks.forEach(([, , , expected], i) => {
                if (expected !== undefined) {
                    assert.equal(parts[i], expected);
                }
            });
        } finally {
            rmSync(folder, { recursive: true });
        }
    });
}
