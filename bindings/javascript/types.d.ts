/// <reference lib="esnext.disposable" />

/** Heights on a regular grid: any object of this shape will do. */
export interface MapLike {
    /** Row by row from north to south. */
    data: Float32Array;
    width: number;
    height: number;
    /** World coordinates of the first cell, in cells; default 0. Beyond 2^53 a BigInt. */
    x?: number | bigint;
    y?: number | bigint;
    /** World units between neighbouring cells; default 1. */
    cellSize?: number;
}

/**
 * Arrays that do not share their memory, as Blob, ImageData and WebGPU want them. TypeScript tells them from others from
 * 5.7 on; before, they have no name of their own.
 */
export type Floats = ReturnType<Float32ArrayConstructor['from']>;
export type Indices = ReturnType<Uint32ArrayConstructor['from']>;
export type Halves = ReturnType<Uint16ArrayConstructor['from']>;
export type Bytes = ReturnType<Uint8ClampedArrayConstructor['from']>;

/** What a generator is to make; a map has a size as well. */
export type Size = Omit<MapLike, 'data'>;

export class Heightmap implements MapLike {
    constructor(
        width: number,
        height: number,
        options?: { data?: Float32Array; x?: number | bigint; y?: number | bigint; cellSize?: number },
    );
    data: Floats;
    width: number;
    height: number;
    x: number | bigint;
    y: number | bigint;
    cellSize: number;
    /** Row y, a view: what is written to it is written to the map. A RangeError if there is none of that number. */
    row(y: number): Floats;
    /** A map of its own with the same cells in the same place. */
    clone(): Heightmap;
    /** The fingerprint of size and cells, 16 hexadecimal digits: the same on every machine. */
    hash(): string;
}

/** Is told of the share that is done, at the end 1. What it throws cancels the call, which throws it. */
export type Progress = (fraction: number) => void;

export interface CallOptions<Out> {
    /** Receives the result, instead of a new map; where the operation changes a map, that map itself works in place. */
    out?: Out;
    progress?: Progress;
}

/**
 * What the library refused or could not do. Values outside their range are a RangeError instead, what does not fit is a
 * TypeError, and a recipe's text that is wrong a SyntaxError; all have a code. Every map is what it was.
 */
export class TerrainError extends Error {
    /** 'TERRAIN_ERROR_MEMORY', for example. */
    code: string;
}

export interface Window {
    x: bigint;
    y: bigint;
    width: number;
    height: number;
}

export interface PlanOptions<Outputs extends string | readonly string[] = string> {
    /** Of the window, in cells; default 512. */
    width?: number;
    height?: number;
    /** World coordinates of its first cell; default 0. */
    x?: number | bigint;
    y?: number | bigint;
    /** Of generated maps, in units of height; default 1. */
    cellSize?: number;
    /** A cell stands for 1/scale cells of the recipe: 0.25 is a preview of a sixteenth of the cells. Default 1. */
    scale?: number;
    /** The world's: it is mixed into every seed of the recipe; 0, the default, leaves them as they are. */
    seed?: number | bigint;
    /** A window of the endless world, without an edge; default false. */
    world?: boolean;
    /** A map for each input's name; in a world's plan one may be missing, to be asked for its window. */
    inputs?: Record<string, MapLike>;
    /** The maps to compute: one name, or several in an array; default the result. */
    outputs?: Outputs;
    /** Bytes: a run that would take more is refused before it begins. Default 0: any. */
    memoryLimit?: number | bigint;
}

export interface RunOptions<
    Outputs extends string | readonly string[] = string,
    Out extends MapLike = Heightmap,
> extends PlanOptions<Outputs> {
    /** Receives the result, or an array that receives several. */
    out?: Outcome<Outputs, Out>;
    progress?: Progress;
}

/** A map, or an array where several are asked for: those that `out` gave, or new ones. */
type Outcome<Outputs, Out> = Outputs extends readonly string[] ? Out[] : Out;

/** A graph of operations over named maps, as text. It never changes. */
export class Recipe {
    constructor(text: string);
    readonly text: string;
    /** Names of the maps from outside. */
    readonly inputs: readonly string[];
    /** All names. */
    readonly maps: readonly string[];
    /** The name of the result: that of the last statement. */
    readonly result: string | null;
    /** Computes the result, or the maps that `outputs` names. */
    run<Out extends MapLike = Heightmap>(options?: RunOptions<string, Out>): Out;
    run<Out extends MapLike = Heightmap>(options: RunOptions<readonly string[], Out>): Out[];
    run(options: RunOptions<string | readonly string[]> & { out?: never }): Heightmap | Heightmap[];
    /** A run that is checked and planned, to be asked what it will take, and run, once or often. */
    plan<const Outputs extends string | readonly string[] = string>(options?: PlanOptions<Outputs>): Plan<Outputs>;
    /** Throws, and names the statement, if the map can't be had for any window of an endless world. */
    checkWorld(name?: string): void;
    /** The scale that the map (undefined: the result) has in a run of a scale, at which an input must be given: the run's,
     * but for coarse maps, whose spacing takes all that it can. */
    mapScale(name: string | undefined, scale: number): number;
    /** Frees it now, and not when JavaScript finds that nobody has it. */
    free(): void;
    /** The same, for `using`. */
    [Symbol.dispose](): void;
}

/** What recipe.plan returns. It never changes. */
export class Plan<Outputs extends string | readonly string[] = string> {
    private constructor();
    readonly recipe: Recipe;
    readonly outputs: readonly string[];
    /** The most bytes that a run holds at a time, beside the maps that it is given. */
    readonly bytes: number;
    /** The cells that all statements compute together. */
    readonly cells: number;
    /**
     * The window of an output (by default the first), or, in a world, what an input must cover: 0 cells wide and high if
     * it is not needed, and then run does without.
     */
    window(name?: string): Window;
    run<Out extends MapLike = Heightmap>(options?: {
        inputs?: Record<string, MapLike>;
        out?: Outcome<Outputs, Out>;
        progress?: Progress;
    }): Outcome<Outputs, Out>;
    free(): void;
    /** The same, for `using`. */
    [Symbol.dispose](): void;
}

interface TileOptions {
    width?: number;
    height?: number;
    progress?: Progress;
}

/** An endless terrain, given out in tiles, in any order. Tiles fit to the last bit. */
export class World<const Outputs extends string | readonly string[] = string> {
    constructor(
        recipe: Recipe | string,
        options?: {
            /** The map that tiles show; default the recipe's result. */
            name?: string;
            /** In the place of `name`: a map, or an array of those that tiles show together. */
            outputs?: Outputs;
            seed?: number | bigint;
            cellSize?: number;
            scale?: number;
            /** Bytes that are kept between tiles: they decide about time, never about results. Default 64 MiB. */
            cacheBytes?: number | bigint;
            memoryLimit?: number | bigint;
            /**
             * A map for each input's name that is needed. The world copies it: what happens to it later changes no tile. There
             * are tiles only where it covers all that they read of it; others are a RangeError.
             */
            inputs?: Record<string, MapLike>;
        },
    );
    readonly recipe: Recipe;
    readonly outputs: readonly string[];
    /**
     * The window whose first cell is (x, y), of 512 x 512 cells by default: a map, or an array of as many as the world's
     * `outputs` names.
     */
    tile<Out extends MapLike = Heightmap>(
        x: number | bigint,
        y: number | bigint,
        options?: TileOptions & { outputs?: undefined; out?: Outcome<Outputs, Out> },
    ): Outcome<Outputs, Out>;
    /** Those of the world's outputs that the tile's `outputs` names; nothing is computed that only others need. */
    tile<const Part extends string | readonly string[], Out extends MapLike = Heightmap>(
        x: number | bigint,
        y: number | bigint,
        options: TileOptions & { outputs: Part; out?: Outcome<Part, Out> },
    ): Outcome<Part, Out>;
    /**
     * Readies what lies ahead: computes and keeps all that tiles of the window, 512 x 512 cells by default, read from
     * the cache. It makes no tile.
     */
    prepare(
        x: number | bigint,
        y: number | bigint,
        options?: { width?: number; height?: number; progress?: Progress },
    ): void;
    /**
     * What a tile, of 512 x 512 cells by default, takes at most, with all outputs and nothing kept yet: `kept` bytes for
     * what stays in the cache, a cacheBytes for which `prepare` takes the window, and `needed` in all but for the tile's
     * own maps, a memoryLimit that allows it. Computes nothing.
     */
    tileBytes(
        x: number | bigint,
        y: number | bigint,
        options?: { width?: number; height?: number },
    ): { kept: number; needed: number };
    /** Bytes that are kept between tiles now. */
    readonly cacheSize: number;
    /** Frees what is kept. */
    trim(): void;
    free(): void;
    /** The same, for `using`. */
    [Symbol.dispose](): void;
}

/** The fingerprint of a map's size and cells, 16 hexadecimal digits: the same on every machine. */
export function hash(map: MapLike): string;

export interface Statistics {
    count: number;
    nanCount: number;
    infiniteCount: number;
    minimum: number;
    maximum: number;
    sum: number;
    mean: number;
    variance: number;
    standardDeviation: number;
}

/** Statistics of the finite heights: sums are exact, and rounded once. */
export function measure(map: MapLike): Statistics;

/** How many finite heights lie in each of `bins` equal parts of `low` to `high`, which itself belongs to the last part.
 * Heights outside belong to none. At most 2^20 bins. */
export function histogram(map: MapLike, options: { low: number; high: number; bins: number }): number[];

/** Statistics of several maps together, the same to the last bit in whatever order they are added or merged. */
export class Tally {
    /** With a range, it also counts the heights in equal parts of it, as `histogram` does. */
    constructor(histogram?: { low: number; high: number; bins: number });
    /** Adds all cells of a map. After an error the tally is what it was. */
    add(map: MapLike, options?: { progress?: Progress }): void;
    /** Adds what another tally has, which counts in the same parts of the same range, or in none as this one. */
    merge(other: Tally): void;
    /** Forgets all cells. */
    reset(): void;
    /** The figures of all cells so far. */
    readonly statistics: Statistics;
    /** How many heights lie in each part of the range; null where it counts none. */
    readonly histogram: number[] | null;
    free(): void;
    /** The same, for `using`. */
    [Symbol.dispose](): void;
}

/**
 * The heights as whole numbers row by row, as engines take 16-bit heightmaps: `low` becomes 0 and `high` 65535, what lies
 * beyond is clamped, NaN becomes 0. `cells` receives them, instead of a new array.
 */
export function packU16(map: MapLike, options: { low: number; high: number; cells?: undefined }): Halves;
export function packU16<Cells extends Uint16Array>(
    map: MapLike,
    options: { low: number; high: number; cells: Cells },
): Cells;

interface ChannelOptions<Pixels> {
    /** The heights that become 0, and those that become 255: one for each map. Default 0 and 1, the range of masks. */
    lows?: readonly number[];
    highs?: readonly number[];
    /** Gets the pixels; bytes of a channel that is null are left as they are. */
    pixels?: Pixels;
}

/** One to four maps of one size as the channels of a picture, row by row: with four of them, what ImageData takes. */
export function packChannels(maps: readonly (MapLike | null)[], options?: ChannelOptions<undefined>): Bytes;
export function packChannels<Pixels extends Uint8ClampedArray | Uint8Array>(
    maps: readonly (MapLike | null)[],
    options: ChannelOptions<Pixels>,
): Pixels;

/** Numbers of cells, and three figures made of them: terrain/score.h defines all. */
export interface Score {
    count: number;
    accessible: number;
    flat: number;
    reachable: number;
    buildable: number;
    /** The deviation of slopes divided by their mean: it rises as flats and cliffs part. */
    erosion: number;
    meanSlope: number;
    playability: number;
}

interface ScoreOptions {
    /** The steepest slope that units climb, rise over run; default 0.5. */
    unitSlope?: number;
    /** The steepest slope of ground to build on; default 0.125. */
    buildingSlope?: number;
    /** In cells; default 1. */
    unitSize?: number;
    /** In cells; default 9. */
    buildingSize?: number;
}

/** How much of a map units can reach and build on. */
export function score(map: MapLike, options?: ScoreOptions & { progress?: Progress }): Score;

/**
 * The score of a terrain that is added in tiles, in any order: that of the whole, to the last bit, if each tile has a
 * ring of buildingSize cells around its window wherever the terrain goes on, and all have one cell size.
 */
export class ScoreTally {
    constructor(options?: ScoreOptions);
    /**
     * Adds the cells of a window, as the world counts them, which no other window has; without one, the whole map. Cells
     * around it are read, as far as the map has them. After an error the tally is what it was.
     */
    add(map: MapLike, options?: { window?: Size; progress?: Progress }): void;
    /** Adds the cells of another tally of the same options, whose windows are none of this one's. */
    merge(other: ScoreTally): void;
    /** The score of all cells so far. */
    readonly score: Score;
    free(): void;
    /** The same, for `using`. */
    [Symbol.dispose](): void;
}

/** How well neighbours fit: terrain/stitch.h defines the figures. */
export interface Seams {
    /** Shared cells that were compared. */
    cells: number;
    /** The greatest difference between two heights of one shared cell. */
    worstStep: number;
    /** The greatest difference between the slopes on the two sides of a line where a map ends, in height per cell. */
    worstKink: number;
    /** The mean curvature across those lines, and inside the maps. */
    seamCurvature: number;
    insideCurvature: number;
    /** The first by the second: 1 where seams look as all else, more where they show. */
    ratio: number;
}

/**
 * How well the maps of a grid fit together, rows of maps of one size, from the north, which share `overlap` lines of cells:
 * 1, the default, for stitched edges.
 */
export function seams(
    maps: readonly (readonly MapLike[])[],
    options?: { overlap?: number },
): Seams;

/** What tells land from noise: terrain/landform.h defines the figures, and tells those of real land. */
export interface Landform {
    /** Share of cells whose water crosses a closed bowl; real land 0 to 0.002. */
    undrained: number;
    trunk: number;
    concavity: number;
    hack: number;
    skewness: number;
    axis: number;
    formsDistance: number;
    /** The share of each landform. */
    forms: Record<
        'flat' | 'peak' | 'ridge' | 'shoulder' | 'spur' | 'slope' | 'hollow' | 'footslope' | 'valley' | 'pit',
        number
    >;
}

/** How a map drains, and which landforms it is made of. What a map is too small for is NaN. */
export function landform(map: MapLike, options?: { progress?: Progress }): Landform;

/** A vertex for each cell, two triangles for each square of four: what three.js calls an indexed geometry. */
export function mesh(
    map: MapLike,
    options?: {
        /** The cells that become vertices; default all. A ring of one cell around it makes normals fit the neighbours'. */
        window?: Size;
        /** What a vertex's three numbers are; default y_up: east, up, south. */
        axes?: 'y_up' | 'z_up' | 'y_up_left' | 'z_up_left';
        winding?: 'anticlockwise' | 'clockwise';
        diagonal?: 'fixed' | 'flatter';
    },
): { positions: Floats; normals: Floats; indices: Indices };

export interface Port {
    readonly name: string;
    readonly role: 'read' | 'write' | 'change';
    readonly lattice: 'call' | 'own' | 'coarse';
    readonly spacing: string;
    readonly optional: boolean;
    readonly mask: boolean;
    readonly grid: boolean;
}

export interface Parameter {
    readonly name: string;
    readonly type: string;
    readonly unit: string;
    readonly doc: string;
    readonly minimum: number | bigint;
    readonly maximum: number | bigint;
    readonly default: number | bigint | boolean | string | null;
    /** Of an enum: the names, and what each does. */
    readonly values: Readonly<Record<string, string>>;
    readonly isSeed: boolean;
    /** Whether only powers of two are allowed. */
    readonly isPowerOfTwo: boolean;
    readonly port: Port | null;
    /** Where a slider may begin and end. */
    readonly slider: readonly [number, number] | null;
    /** The parameter, and the bits of those of its values, for which this one counts. */
    readonly when: { readonly name: string; readonly bits: bigint } | null;
    /** For JSON: whole numbers of 64 bits, and infinite ones, are text. */
    toJSON(): object;
}

export interface Operation {
    readonly name: string;
    readonly verb: string;
    readonly algorithm: string;
    readonly summary: string;
    readonly reference: string;
    readonly signature: 'generate' | 'in_place' | 'combine' | 'result' | 'grid' | 'other';
    /** How a world computes it: tile by tile, by regions, each whole, or not at all. */
    readonly tiling: 'none' | 'windows' | 'regions';
    readonly resultVersion: number;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly ports: readonly Port[];
    /** The operation's function. */
    apply(...given: unknown[]): unknown;
    /** How many cells beyond a cell its result depends on, at most; Infinity if it may be every cell of the map. */
    halo(options?: object): number;
    /** Which window of the input at a port is needed for a window of the result. */
    window(window: Size, options?: object, port?: number): Window;
    /** For JSON: all but the functions. */
    toJSON(): object;
}

/** All operations by their names in C and in recipes, 'erode_thermal' for example. */
export const operations: Readonly<Record<string, Operation>>;

/** The library's version. */
export const version: string;
/** Two libraries with the same number give the same bits for the same calls. */
export const resultsVersion: number;
