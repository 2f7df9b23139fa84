#!/usr/bin/env python3
# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Guards against an npm package that can't be got: from a clean repository what npm packs, installed into a project of
somebody else's, in which all of the package's tests pass and TypeScript knows what is wrong. Needs emscripten and node.
Where there is no npm (Debian's node comes without), the same files are copied; TypeScript and esbuild need the network. It
says what was not tested.

usage: javascript.py [FOLDER]     FOLDER: where to work, new or empty; otherwise a temporary one"""

import json
import os
import shutil
import subprocess
import sys

from common import ROOT, run, work_in_folder
from consumer import repository

MOST_BYTES = 500_000

TYPES = """
import * as terrain from 'libterrain';
import { load } from 'libterrain/load';
const land: terrain.Heightmap = terrain.generate.noise({ width: 4, height: 4 }, { seed: 3n, fractal: 'ridged' });
const rows: terrain.Heightmap[][] = terrain.stitch.edges([[land, land]], { width: 2 });
const recipe = new terrain.Recipe('a = generate_noise');
const one: terrain.Heightmap = recipe.run({ outputs: 'a', scale: 0.5 });
const two: terrain.Heightmap[] = recipe.run({ outputs: ['a', 'a'] });
declare const either: string | string[];
const several = new terrain.World(recipe, { outputs: ['a', 'a'] });
const maps: terrain.Heightmap[] = several.tile(0, 0, { out: [one, one] });
const part: terrain.Heightmap = several.tile(0, 0, { outputs: 'a', out: one });
const parts: terrain.Heightmap[] = new terrain.World(recipe, { outputs: 'a' }).tile(0, 0, { outputs: ['a'] });
const shown: terrain.World = new terrain.World(recipe, { name: 'a' });
const single: terrain.Heightmap = shown.tile(0, 0);
const some: terrain.Heightmap | terrain.Heightmap[] = recipe.run({ outputs: either });
const same: terrain.Heightmap | terrain.Heightmap[] = recipe.plan({ outputs: either }).run();
const plain = { width: 4, height: 4, data: new Float32Array(16), mine: 'yes' };
const world = new terrain.World(recipe, { inputs: { a: plain } });
const mine: string[] = [
    world.tile(0, 0, { out: plain }), terrain.erode.thermal(land, { out: plain }), recipe.run({ out: plain }),
    ...recipe.run({ outputs: ['a'], out: [plain] }), recipe.plan().run({ out: plain }),
    ...recipe.plan({ outputs: ['a'] }).run({ out: [plain] }), terrain.stitch.edges([[land]], { out: [[plain]] })[0][0],
].map((map) => map.mine);
const hashes: string[] = [world.tile(0, 0), recipe.run(), recipe.run({ out: land }), recipe.plan().run()].map((map) => map.hash());
// @ts-expect-error
world.tile(0, 0, { out: plain }).hash();
// @ts-expect-error
recipe.run({ out: plain }).hash();
// @ts-expect-error
recipe.plan().run({ out: plain }).hash();
// @ts-expect-error
terrain.erode.thermal(land, { out: plain }).hash();
// @ts-expect-error
recipe.run({ outputs: ['a'], out: plain });
// @ts-expect-error
recipe.run({ outputs: ['a'], out: land });
// @ts-expect-error
recipe.run({ outputs: 'a', out: [land] });
{
    using freed = recipe.plan(), both = new terrain.World(new terrain.Recipe('a = generate_noise'));
    freed[Symbol.dispose]();
}
// @ts-expect-error
terrain.erode.thermal(land, { tallus: 1 });
// @ts-expect-error
terrain.generate.noise({ width: 4, height: 4 }, { fractal: 'riged' });
// @ts-expect-error
terrain.erode.thermal({ width: 1, height: 1, data: [0] });
await load({ wasm: 'terrain.wasm' });
await load({ wasm: new URL('https://libterrain.example/terrain.wasm') });
await load({ wasm: new Uint8Array(8) });
await load({ wasm: await (await fetch('terrain.wasm')).arrayBuffer() });
const loaded: typeof terrain = await load({ wasm: await WebAssembly.compileStreaming(fetch('terrain.wasm')) });
const opaque = new Uint8ClampedArray(64).fill(255);
const picture = new ImageData(terrain.packChannels([land, land, land, null], { pixels: opaque }), 4);
new ImageData(terrain.packChannels([land, land, land, land]), 4);
const mesh = terrain.mesh(land);
new Blob([land.data, land.row(0), mesh.positions, mesh.normals, mesh.indices]);
new Worker('worker.js').postMessage(mesh, [mesh.positions.buffer, mesh.indices.buffer, land.data.buffer]);
const shared = { width: 4, height: 4, data: new Float32Array(new SharedArrayBuffer(64)) };
terrain.erode.thermal(new terrain.Heightmap(4, 4, shared), { out: shared });
const bytes: Uint8Array = terrain.packChannels([land], { pixels: new Uint8Array(16), lows: [0], highs: [9] });
// @ts-expect-error
terrain.packChannels([land], { pixels: new Float32Array(16) });
new Blob([terrain.packU16(land, { low: 0, high: 1 })]);
const halves: Uint16Array = terrain.packU16(plain, { low: 0, high: 1, cells: new Uint16Array(16) });
{
    using tally = new terrain.Tally({ low: 0, high: 1, bins: 3 }), ground = new terrain.ScoreTally({ unitSize: 3 });
    tally.add(plain, { progress: (share: number) => console.log(share) });
    tally.merge(new terrain.Tally());
    ground.add(plain, { window: { x: 1n, y: 1, width: 2, height: 2 } });
    const counted: number[] | null = tally.histogram, mean: number = tally.statistics.mean;
    const share: number = ground.score.playability, ratio: number = terrain.seams([[land, plain]], { overlap: 2 }).ratio;
}
export { loaded, one, two, some, same, rows, mine, hashes, picture, bytes };
"""

# Each alone is a mistake.
WRONG = """
load({ wasm: 5 });
terrain.packU16(land);
terrain.packU16(land, { low: 0 });
terrain.packU16(land, { low: 0, high: 1, cells: new Uint8Array(16) });
new terrain.Tally({ low: 0, high: 1 });
new terrain.Tally().merge(new terrain.ScoreTally());
new terrain.ScoreTally().add(land, { window: { x: 0, y: 0 } });
terrain.seams([land, land]);
load({ wasm: null });
load({ wsam: '' });
load('terrain.wasm');
load({ wasm: [1, 2] });
load({ wasm: fetch('x') });
new terrain.Heightmap(4);
new terrain.Heightmap('4', 4);
new terrain.Heightmap(4, 4, { data: [1] });
new terrain.Heightmap(4, 4, { data: new Float64Array(16) });
new terrain.Heightmap(4, 4, { data: new Int32Array(16) });
new terrain.Heightmap(4, 4, { cellsize: 1 });
terrain.generate.noise(512);
terrain.generate.noise({ width: 4 });
terrain.generate.noise({ width: 4n, height: 4n });
terrain.generate.noise(land, { seed: '3' });
terrain.generate.noise(land, { seed: null });
terrain.generate.noise(land, { period: 3n });
terrain.generate.noise(land, 5);
terrain.generate.noise(land, { out: 5 });
terrain.generate.noise(land, { out: { width: 4, height: 4 } });
terrain.generate.noise(land, { progress: 5 });
terrain.generate.noise(land, { progress: (a: string) => a });
terrain.erode.thermal();
terrain.erode.thermal(null);
terrain.erode.thermal(land, { mask: 5 });
terrain.erode.thermal(land, {}, 5);
terrain.combine.blend(land);
terrain.combine.blend(land, { factor: 1 });
terrain.stitch.edges(land);
terrain.stitch.edges([land]);
terrain.stitch.edges([[land]], { out: land });
terrain.stitch.edges([[land]], { out: [land] });
terrain.shape.terrace(land, { levels: ['1'] });
terrain.shape.terrace(land, { levels: 5 });
terrain.shape.terrace(land, { levels: new Int32Array(3) });
terrain.erode.nothing(land);
new terrain.Recipe(5);
new terrain.Recipe(['a = generate_noise']);
new terrain.Plan();
recipe.run({ widht: 5 });
recipe.run({ inputs: { land: 5 } });
recipe.run({ outputs: 5 });
recipe.run({ world: 'yes' });
recipe.run({ seed: '5' });
recipe.run(5);
recipe.plan({ out: land });
recipe.plan().run({ width: 5 });
recipe.plan().window(5);
recipe.checkWorld(5);
recipe.text = 'b';
new terrain.World(5);
new terrain.World(recipe, { cachebytes: 5 });
new terrain.World(recipe, { name: 5 });
new terrain.World(recipe, { outputs: 5 });
several.tile(0, 0, { out: land });
several.tile(0, 0, { outputs: ['a'], out: land });
world.tile(0);
world.tile('0', 0);
world.tile(0, 0, { widht: 5 });
world.prepare(0, 0, { out: land });
world.cacheSize = 5;
terrain.hash(5);
terrain.measure();
terrain.histogram(land);
terrain.histogram(land, { low: 0, high: 1 });
terrain.score(land, { unitSlope: '1' });
terrain.landform(land, { progess: () => {} });
terrain.mesh(land, { axes: 'x_up' });
terrain.mesh(land, { window: { x: 0, y: 0 } });
land.row('1');
land.row();
terrain.operations.erode_thermal.window(5);
terrain.operations.erode_thermal.halo(5);
terrain.operations = {};
terrain.version = '';
"""


def fetched(home, package):
    return shutil.which("npm") and subprocess.run(["npm", "install", "--silent", package], cwd=home, capture_output=True,
                                                  check=False).returncode == 0


def check_bundle(home):
    """What a bundler makes for browsers: node's modules are not there."""
    if not fetched(home, "esbuild"):
        print("!!! BUNDLES were not tested: esbuild can't be fetched")
        return
    (home / "bundled.js").write_text("export * from 'libterrain';\n")
    run(["npx", "esbuild", "bundled.js", "--bundle", "--format=esm", "--target=es2022", "--outfile=bundle.js"], cwd=home)
    print("ok esbuild")


def check_types(home):
    """Every function that the package has, and the mistakes above."""
    if not fetched(home, "typescript@5"):
        print("!!! TYPES were not tested: TypeScript can't be fetched")
        return
    run(["node", "-e", "import('libterrain').then((t) => require('fs').writeFileSync('all.ts', "
         "\"import * as terrain from 'libterrain';\\n\" + Object.values(t.operations).map((each) => "
         "`terrain.${each.verb}.${each.algorithm};`).join('\\n')))"], cwd=home)
    wrong = "".join(f"// @ts-expect-error\n{line}\n" for line in WRONG.strip().split("\n"))
    (home / "types.ts").write_text(TYPES + wrong)
    run(["npx", "tsc", "--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "types.ts", "all.ts"], cwd=home)
    print("ok TypeScript")


def check_contents(names, size):
    print(f"the package: {size} bytes")
    if size > MOST_BYTES:
        sys.exit(f"FAILED the package has {size} bytes, at most {MOST_BYTES} are fine")
    for wanted in ("dist/terrain.wasm", "dist/index.js", "dist/index.d.ts", "src/library.js", "README.md", "LICENSE"):
        if wanted not in names:
            sys.exit(f"FAILED the package has no {wanted}: {names}")
    extra = [name for name in names if not name.startswith(("dist/", "src/")) and name not in ("LICENSE", "README.md", "package.json")]
    if extra:
        sys.exit(f"FAILED the package has {extra}")


def install(package, work, home):
    """By npm, or as npm would."""
    if shutil.which("npm"):
        packed = json.loads(run(["npm", "pack", "--silent", "--json", "--pack-destination", work], cwd=package))[0]
        check_contents({each["path"] for each in packed["files"]}, packed["size"])
        run(["npm", "install", "--silent", "--offline", work / packed["filename"]], cwd=home)
        return
    print("!!! npm is not here: the package was not packed by it")
    run([sys.executable, package / "build.py"])
    for name in [*json.loads((package / "package.json").read_text())["files"], "package.json"]:
        copy = shutil.copytree if (package / name).is_dir() else shutil.copy
        (home / "node_modules/libterrain").mkdir(parents=True, exist_ok=True)
        copy(package / name, home / "node_modules/libterrain" / name)


def main(work):
    package = repository(work) / "bindings/javascript"
    home = work / "home"
    home.mkdir()
    (home / "package.json").write_text('{ "type": "module", "private": true }\n')
    install(package, work, home)
    shutil.copytree(ROOT / "bindings/javascript/tests", home / "tests")
    tests = sorted((home / "tests").glob("*.test.js"))
    print(run(["node", "--test", *tests], cwd=home, env=dict(os.environ, TERRAIN_SOURCE=str(ROOT))), end="")
    check_types(home)
    check_bundle(home)


if __name__ == "__main__":
    work_in_folder(main, __doc__)
