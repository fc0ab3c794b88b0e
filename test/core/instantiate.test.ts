import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compileCore, instantiate, instantiateCore } from '../../src/core/instantiate.ts';
import * as layout from '../../wasm/memory.ts';
import { OBSERVATION_BYTES } from '../../wasm/observation_constants.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const offsets = layout as unknown as Record<string, number>;
const folder = folderOfFile();

function fileOf(bytes: number[]): string {
  const file = join(folder, `${bytes.length}.wasm`);
  writeFileSync(file, new Uint8Array(bytes));
  return file;
}

test('the compiled core was built with the sizes of the layout and needs no imports', () => {
  const exports = instantiateCore() as unknown as Record<string, { value: number }>;
  const names = [
    'LAYOUT_VERSION',
    'CORE_END',
    'MAX_SOLVE',
    'MAX_ESTIMATES',
    'MAX_PARTICLES',
    'MAX_COMPONENTS',
    'MAX_PLACES',
    'MAX_POINTS',
    'MAX_MAP_PLACES',
    'MAX_NEAR_WALLS',
    'MAX_BODY',
    'MAX_OBSERVATIONS',
  ] as const;
  for (const name of names) expect(exports[name].value).toBe(offsets[name]);
});

test('static data ends below the buffers and the buffers end in the last page of the memory', () => {
  const exports = instantiateCore();
  expect(exports.staticEnd()).toBeLessThanOrEqual(layout.CORE_BASE);
  expect(exports.memory.buffer.byteLength).toBe(layout.CORE_PAGE * Math.ceil(layout.CORE_END / layout.CORE_PAGE));
});

/** Every region of the core's memory in its order: name, bytes, alignment that its loads and stores want. */
function regions(): [name: string, bytes: number, alignment: number][] {
  const group = (prefix: string, names: string, bytes: number) =>
    names.split(' ').map((name): [string, number, number] => [`${prefix}_${name}`, bytes, 16]);
  const { MAX_SOLVE, MAX_ESTIMATES, MAX_PARTICLES } = layout;
  return [
    ...group('SOLVE', 'EAST NORTH LEVEL REFERENCE EXPONENT SIGMA_DB SIGMA_METRES WEIGHT ROBUST', 8 * MAX_SOLVE),
    ...group(
      'SOLVE',
      'OFFSET HALF_SLOPE SOFT LEVEL_PRECISION NEAR_PRECISION FILLED_EAST FILLED_NORTH FILLED_WEIGHT',
      8 * MAX_SOLVE,
    ),
    ...group('FUSE', 'EAST NORTH XX XY YY', 8 * MAX_ESTIMATES),
    ...'EAST NORTH XX XY YY COST SCALE'.split(' ').map((name): [string, number, number] => [`OUT_${name}`, 8, 8]),
    ...'USED ITERATIONS'.split(' ').map((name): [string, number, number] => [`OUT_${name}`, 4, 4]),
    ...group('PARTICLE', 'EAST NORTH BIAS WEIGHT STRIDE FLOOR', 4 * MAX_PARTICLES),
    ['SELECTED_PAYLOAD', 16 * MAX_SOLVE, 16],
    ...group('SELECTED', 'EAST NORTH LEVEL DRIFT FRESHNESS', 8 * MAX_SOLVE),
    ...group('SELECTED', 'FREQUENCY SENT', 4 * MAX_SOLVE),
    ['SELECTED_RADIO', 8 * MAX_SOLVE, 8],
    ...group('SELECTED', 'ALONE LINKED ROLE DEVICE VOTES WINS VOTER', 4 * MAX_SOLVE),
    ...group('SELECTED', 'COSINE REACH', 8 * MAX_SOLVE),
    ...group('FIX', 'LEVEL COMMON REFERENCE EXPONENT OWN', 8 * MAX_SOLVE),
    ...group('FIT', 'WEIGHT RESIDUAL SLOPE', 8 * MAX_SOLVE),
    ...'LATITUDE LONGITUDE'.split(' ').map((name): [string, number, number] => [`OUT_${name}`, 8, 8]),
    ['OUT_TAKEN', 4, 8],
    ['OUT_NEEDED', 4, 4],
    ['OUT_PARTS', 24, 8],
    ...group('TABLE', 'GUESS WEIGHT', 8 * layout.MAX_TABLE_DB),
    ['MODELS', layout.MODEL_BYTES * layout.MAX_MODELS, 16],
    ...group('COMPONENT', 'EAST NORTH FLOOR SIGMA BIAS STRIDE WEIGHT', 4 * layout.MAX_COMPONENTS),
    ...group('PLACE', 'EAST NORTH FLOOR WEIGHT', 4 * layout.MAX_PLACES),
    ...group('COMPONENT', 'EAST_SPEED NORTH_SPEED SLOPE SPEED_SIGMA', 4 * layout.MAX_COMPONENTS),
    ...group('PARTICLE', 'EAST_SPEED NORTH_SPEED', 4 * MAX_PARTICLES),
    ...group('POINT', 'EAST NORTH WEIGHT', 4 * layout.MAX_POINTS),
    ['POINT_DENSITY', 16 * layout.MAX_POINTS, 16],
    ['NEAR_WALLS', 16 * layout.MAX_NEAR_WALLS, 16],
    ['OUT_BOX', 16, 16],
    ['BODY_TEXT', layout.MAX_BODY + layout.BODY_SLACK, 16],
    ['BODY_NOWHERE', layout.BODY_SLACK, 16],
    ['BODY_REST', layout.MAX_BODY + layout.BODY_SLACK, 16],
    ...group('BODY', 'WIFI BLUETOOTH CELLS', OBSERVATION_BYTES * layout.MAX_OBSERVATIONS),
    ['BODY_COUNTS', 16, 4],
    ['BODY_MOVING', 4 * layout.MAX_MOVING, 16],
    ['MAP_COMMON', 16 * layout.MAX_MAP_PLACES, layout.CORE_PAGE],
    ['MAP_SHARES', 16 * layout.MAX_MAP_PLACES, 16],
    ['MAP_LEVELS', 16 * layout.MAX_MAP_PLACES, 16],
    ['MAP_TOTAL', 8 * layout.MAX_MAP_PLACES, 16],
    ...group('MAP', 'PRIOR LIKELIHOOD', 4 * layout.MAX_MAP_PLACES),
    ['MAP_LIST_PLACE', 2 * layout.MAX_MAP_PLACES, 16],
    ['MAP_LIST_STRENGTH', layout.MAX_MAP_PLACES, 16],
    ['MAP_STRENGTH', 8 * layout.STORED_BYTES, 16],
    ['MAP_STRENGTH_SINGLES', 4 * layout.STORED_BYTES, 16],
    ['MAP_STRENGTH_LEVEL', 4 * layout.STORED_BYTES, 4],
    ['MAP_DIFFERENCE', 32 * layout.LEVEL_STEPS, 16],
    ['OUT_SIMILARITY', 4, 16],
    ['OUT_BEST', 4, 4],
    ['OUT_EXPLAINED', 4, 4],
  ];
}

test('the regions of the memory lie behind one another without overlap, aligned, from the base to the end', () => {
  let end: number = layout.CORE_BASE;
  for (const [name, bytes, alignment] of regions()) {
    expect(offsets[name], name).toBeGreaterThanOrEqual(end);
    expect(offsets[name] - end, `bytes before ${name}`).toBeLessThan(layout.CORE_PAGE);
    expect(offsets[name] % alignment, name).toBe(0);
    end = offsets[name] + bytes;
  }
  expect(layout.CORE_END).toBe(end);
});

test('every region of the layout is among those that are checked', () => {
  const isRegion = (name: string) =>
    /^(SOLVE|FUSE|OUT|PARTICLE|SELECTED|FIX|FIT|TABLE|COMPONENT|PLACE|POINT|BODY|MAP)_|^(MODELS|NEAR_WALLS)$/.test(
      name,
    ) && !/_(BYTES|WORDS|DOUBLES|FLOATS|SLACK)$/.test(name);
  const names = regions().map(([name]) => name);
  expect(Object.keys(layout).filter(isRegion).sort()).toEqual(names.sort());
});

test('capacities are whole fours, which keeps what follows on 16 bytes', () => {
  for (const name of [
    'MAX_SOLVE',
    'MAX_ESTIMATES',
    'MAX_PARTICLES',
    'MAX_COMPONENTS',
    'MAX_PLACES',
    'MAX_POINTS',
    'MAX_MAP_PLACES',
    'MAX_NEAR_WALLS',
    'MAX_BODY',
    'MAX_OBSERVATIONS',
  ])
    expect(offsets[name] % 4, name).toBe(0);
});

test('two instances share nothing', () => {
  expect(instantiateCore().memory.buffer).not.toBe(instantiateCore().memory.buffer);
});

test('a missing core is an error message that says what to do', () => {
  expect(() => compileCore(join(folder, 'none.wasm'))).toThrow(
    /^The numeric core .*none\.wasm is missing; build it with "npm run prepare"\.$/,
  );
});

test('a damaged core is an error message that says what to do', () => {
  expect(() => compileCore(fileOf([0, 1, 2]))).toThrow(/cannot be compiled; build it again with "npm run prepare"\.$/);
});

test('a core from another layout is refused by the first difference', () => {
  const nothing = compileCore(fileOf([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]));
  expect(() => instantiate(nothing)).toThrow(
    `The numeric core was built with LAYOUT_VERSION = undefined, this version needs ${layout.LAYOUT_VERSION}; ` +
      `build it again`,
  );
});
