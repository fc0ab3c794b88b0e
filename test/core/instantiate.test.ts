import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { compileCore, instantiate, instantiateCore } from '../../src/core/instantiate.ts';
import * as layout from '../../wasm/layout.ts';

const offsets = layout as unknown as Record<string, number>;
const folder = mkdtempSync(join(tmpdir(), 'sextant-core-'));
afterAll(() => rmSync(folder, { recursive: true }));

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
    'MAX_PLACES',
    'MAX_LINKED',
    'MAX_SOLVE',
    'MAX_ESTIMATES',
    'MAX_PARTICLES',
    'MAX_SCAN',
  ] as const;
  for (const name of names) expect(exports[name].value).toBe(offsets[name]);
});

test('static data ends below the buffers and the buffers end inside the memory', () => {
  const exports = instantiateCore();
  expect(exports.staticEnd()).toBeLessThanOrEqual(layout.CORE_BASE);
  expect(exports.memory.buffer.byteLength).toBeGreaterThanOrEqual(layout.CORE_END);
});

test('the buffers lie behind one another without overlap', () => {
  const doubles = (names: string[], size: number) => names.map(name => [name, 8 * size] as const);
  const places = doubles(['PLACE_EAST', 'PLACE_NORTH', 'PLACE_WEIGHT'], layout.MAX_PLACES);
  const stations = doubles(
    ['EAST', 'NORTH', 'LEVEL', 'REFERENCE', 'EXPONENT', 'SIGMA_DB', 'SIGMA_METRES', 'WEIGHT', 'ROBUST'].map(name => `SOLVE_${name}`),
    layout.MAX_SOLVE,
  );
  const estimates = doubles(['FUSE_EAST', 'FUSE_NORTH', 'FUSE_XX', 'FUSE_XY', 'FUSE_YY'], layout.MAX_ESTIMATES);
  const particles = ['EAST', 'NORTH', 'BIAS', 'WEIGHT'].map(name => [`PARTICLE_${name}`, 4 * layout.MAX_PARTICLES] as const);
  const scan = ['EAST', 'NORTH', 'LEVEL', 'REFERENCE', 'EXPONENT', 'SIGMA_DB', 'SIGMA_METRES'].map(
    name => [`SCAN_${name}`, 4 * layout.MAX_SCAN] as const,
  );
  const buffers: (readonly [string, number])[] = [
    ...places,
    ['PLACE_CLUSTER', 4 * layout.MAX_PLACES],
    ['CLUSTER_HEADS', 4 * 2 * layout.MAX_PLACES],
    ['CLUSTER_NEXT', 4 * layout.MAX_PLACES],
    ['CLUSTER_ORDER', 4 * layout.MAX_PLACES],
    ['CLUSTER_MATRIX', 8 * layout.MAX_LINKED * layout.MAX_LINKED],
    ['CLUSTER_CHAIN', 4 * layout.MAX_LINKED],
    ['CLUSTER_ACTIVE', 4 * layout.MAX_LINKED],
    ...stations,
    ['SOLVE_SCRATCH', 8 * 8 * layout.MAX_SOLVE],
    ...estimates,
    ['OUT_EAST', layout.OUT_RESAMPLED + 4 - layout.OUT_EAST],
    ...particles,
    ['PARTICLE_SCRATCH', 4 * 4 * layout.MAX_PARTICLES],
    ...scan,
    ['SCAN_SCRATCH', 4 * 4 * layout.MAX_SCAN],
    ['CLUSTER_CELLS', layout.CLUSTER_CELL_BYTES * layout.MAX_PLACES],
    ['CLUSTER_TALLY', 4 * (layout.MAX_PLACES + 2)],
  ];
  let end: number = layout.CORE_BASE;
  for (const [name, bytes] of buffers) {
    expect(offsets[name], name).toBeGreaterThanOrEqual(end);
    expect(offsets[name] % 16, name).toBe(0);
    end = offsets[name] + bytes;
  }
  expect(layout.CORE_END).toBe(end);
});

test('two instances share nothing', () => {
  expect(instantiateCore().memory.buffer).not.toBe(instantiateCore().memory.buffer);
});

test('a missing core is a sentence that says what to do', () => {
  expect(() => compileCore(join(folder, 'none.wasm'))).toThrow(
    /^The numeric core .*none\.wasm is missing; build it with "npm run prepare"\.$/,
  );
});

test('a damaged core is a sentence that says what to do', () => {
  expect(() => compileCore(fileOf([0, 1, 2]))).toThrow(/cannot be compiled; build it again with "npm run prepare"\.$/);
});

test('a core from another layout is refused by the first difference', () => {
  const nothing = compileCore(fileOf([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]));
  expect(() => instantiate(nothing)).toThrow(
    `The numeric core was built with LAYOUT_VERSION = undefined, this version needs ${layout.LAYOUT_VERSION}; build it again`,
  );
});
