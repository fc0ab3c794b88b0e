import { describe, expect, onTestFinished, test } from 'vitest';
import { KIND_GSM, KIND_LTE, KIND_NR, KIND_WCDMA } from '../../../src/radio/kind.ts';
import { FLAG_INFERRED, FLAG_NO_AREA, FLAG_NO_CELL_ID, SOURCE_CELL } from '../../../src/radio/query/layout.ts';
import { stationAt } from '../../../src/tables/stations/station.ts';
import { moved, type Position } from '../../kits/radio/ground.ts';
import { World } from '../../kits/radio/world.ts';
import { uniform } from '../../kits/random.ts';

const HERE: Position = [49.87, 8.65];

test('one cell places the device where it is observed, with at least its radius', async () => {
  const world = await World.draw({ metres: 100, map: '1', r50: { 1: 400 } });
  const answer = world.ask().cell(1, -90).answer();
  expect(world.metresTo(answer, '1')).toBeLessThan(0.1);
  // A single sample says little.
  expect(answer?.accuracyMetres).toBeGreaterThan(400);
  expect(answer?.accuracyMetres).toBeLessThan(800);
  expect(answer).toMatchObject({ sources: SOURCE_CELL, used: 1, fallback: 0 });
});

test('several cells are fused, the stronger and the smaller counting more', async () => {
  const world = await World.draw({ metres: 100, map: '1.....2.....3', r50: { 3: 100 } });
  const equal = world.ask().cell(1, -90, { serving: true }).cell(2, -90).answer();
  expect(world.metresTo(equal, '1')).toBeCloseTo(300, -1);
  expect(equal?.used).toBe(2);
  const stronger = world.ask().cell(1, -70, { serving: true }).cell(2, -90).answer();
  expect(world.metresTo(stronger, '1')).toBeLessThan(100);
  const smaller = world.ask().cell(2, -90, { serving: true }).cell(3, -90).answer();
  expect(world.metresTo(smaller, '3')).toBeLessThan(50);
  expect(smaller?.accuracyMetres).toBeLessThan((stronger?.accuracyMetres ?? 0) / 2);
});

test('a neighbour places the device when the serving cell is unknown', async () => {
  const world = await World.draw({ metres: 100, map: '1' });
  const answer = world.ask().cell(7, -60, { serving: true }).cell(1, -90).answer();
  expect(world.metresTo(answer, '1')).toBeLessThan(0.1);
});

test('a distant cell with a reused id is left out', async () => {
  const world = await World.draw({ metres: 100, map: '1..2' }, { metres: 100, map: '9', origin: [51.5, 8.65] });
  const answer = world.ask().cell(1, -90, { serving: true }).cell(9, -60).cell(2, -95).answer();
  expect(world.metresTo(answer, '1')).toBeLessThan(300);
  expect(answer).toMatchObject({ used: 2 });
});

test('of two cells that cannot be heard at once the serving one wins', async () => {
  const world = await World.draw({ metres: 100, map: '1' }, { metres: 100, map: '9', origin: [51.5, 8.65] });
  expect(world.metresTo(world.ask().cell(1, -100, { serving: true }).cell(9, -60).answer(), '1')).toBeLessThan(1);
  expect(world.metresTo(world.ask().cell(1, -60).cell(9, -100, { serving: true }).answer(), '9')).toBeLessThan(1);
});

test('without a serving flag the first cell is the serving one, known or not', async () => {
  const world = await World.draw({ metres: 100, map: '1' }, { metres: 100, map: '9', origin: [51.5, 8.65] });
  expect(world.metresTo(world.ask().cell(1, -100).cell(9, -60).answer(), '1')).toBeLessThan(1);
  expect(world.metresTo(world.ask().cell(9, -60).cell(1, -100).answer(), '9')).toBeLessThan(1);
});

test('a reused identity of the serving cell is outvoted by three neighbours', async () => {
  const world = await World.draw({ metres: 100, map: '1.2\n.3.' }, { metres: 100, map: '9', origin: [51.5, 8.65] });
  const two = world.ask().cell(9, -60, { serving: true }).cell(1, -90).cell(2, -90).answer();
  const three = world.ask().cell(9, -60, { serving: true }).cell(1, -90).cell(2, -90).cell(3, -90).answer();
  expect(world.metresTo(two, '9')).toBeLessThan(1);
  expect(world.metresTo(three, '3')).toBeLessThan(300);
});

test('a cell that is sent twice counts once', async () => {
  const world = await World.draw({ metres: 100, map: '1.....2' });
  const once = world.ask().cell(1, -90, { serving: true }).cell(2, -90).answer();
  const twice = world.ask().cell(1, -90, { serving: true }).cell(2, -90).cell(2, -90).cell(2, -95).answer();
  expect(twice).toEqual({ ...once });
});

test('cells on both sides of the date line are fused between them', async () => {
  const world = await World.draw({ metres: 100, map: '1...x...2', origin: [-17.5, 179.9965] });
  const answer = world.ask().cell(1, -90, { serving: true }).cell(2, -90).answer();
  expect(world.metresTo(answer, 'x')).toBeLessThan(5);
});

describe('one known access point and a cell', () => {
  const drawing = { metres: 50, map: 'A...1...x\n....B' };

  test('changes no field of the answer', async () => {
    const world = await World.draw(drawing, { metres: 50, map: 'F', origin: [51.5, 8.65] });
    const alone = world.ask().cell(1, -90, { serving: true }).answer();
    expect(alone).toBeDefined();
    expect(world.ask().wifi('A', -40).cell(1, -90, { serving: true }).answer()).toEqual(alone);
    expect(world.ask().wifi('A', -40).unknownWifi().cell(1, -90, { serving: true }).answer()).toEqual(alone);
    expect(world.ask().wifi('A', -40).wifi('F', -40).cell(1, -90, { serving: true }).answer()).toEqual(alone);
    expect(world.ask().wifi('A', -40).wifi('A', -40, { network: 1 }).cell(1, -90, { serving: true }).answer()).toEqual(
      alone,
    );
  });

  test('changes nothing with GPS either', async () => {
    const world = await World.draw(drawing);
    for (const age of [0, 300]) {
      const alone = world.ask().gps('x', 20, age).cell(1, -90, { serving: true }).answer();
      expect(
        world.ask().gps('x', 20, age).wifi('A', -40).unknownWifi().cell(1, -90, { serving: true }).answer(),
      ).toEqual(alone);
    }
  });
});

describe('incomplete cells', () => {
  async function worldOf(...cells: [cell: number, kind: number, area: number, place: Position][]): Promise<World> {
    const world = new World();
    onTestFinished(() => world.close());
    for (const [cell, kind, area, place] of cells) world.addCell(cell, stationAt(...place, 400, 900), kind, area);
    await world.build();
    return world;
  }

  test.for([
    ['wcdma', KIND_WCDMA],
    ['lte', KIND_LTE],
    ['nr', KIND_NR],
  ] as const)('a cell of an inferred radio type is found as %s', async ([, kind]) => {
    const world = await worldOf([100_000, kind, 7, HERE]);
    const answer = world.ask().cell(100_000, -90, { kind: KIND_WCDMA, area: 7, flags: FLAG_INFERRED }).answer();
    expect(answer?.latitude).toBeCloseTo(HERE[0], 6);
  });

  test('an inferred radio type is wcdma before lte', async () => {
    const world = await worldOf([100_000, KIND_LTE, 7, moved(HERE, 0, 9000)], [100_000, KIND_WCDMA, 7, HERE]);
    const answer = world.ask().cell(100_000, -90, { kind: KIND_LTE, area: 7, flags: FLAG_INFERRED }).answer();
    expect(answer?.latitude).toBeCloseTo(HERE[0], 6);
  });

  test('a radio type that was named is not replaced by another one', async () => {
    const world = await worldOf([100_000, KIND_LTE, 7, HERE]);
    expect(world.ask().cell(100_000, -90, { kind: KIND_WCDMA, area: 7 }).answer()).toBeUndefined();
  });

  test('a cell without area is matched when its candidates lie within ten kilometres, with a radius that holds them', async () => {
    const world = await worldOf([100_000, KIND_LTE, 7, HERE], [100_000, KIND_LTE, 8, moved(HERE, 0, 6000)]);
    const answer = world.ask().cell(100_000, -90, { area: 0, flags: FLAG_NO_AREA }).answer();
    expect(answer?.latitude).toBeCloseTo(moved(HERE, 0, 3000)[0], 4);
    expect(answer?.accuracyMetres).toBeGreaterThan(3000);
    expect(answer?.fallback).toBe(0);
  });

  test('a cell without area whose candidates lie farther apart is not matched, nor is any gsm cell', async () => {
    const world = await worldOf(
      [100_000, KIND_LTE, 7, HERE],
      [100_000, KIND_LTE, 8, moved(HERE, 0, 11_000)],
      [500, KIND_GSM, 7, HERE],
    );
    expect(world.ask().cell(100_000, -90, { area: 0, flags: FLAG_NO_AREA }).answer()).toBeUndefined();
    expect(world.ask().cell(500, -90, { kind: KIND_GSM, area: 0, flags: FLAG_NO_AREA }).answer()).toBeUndefined();
    expect(world.ask().cell(500, -90, { kind: KIND_GSM, area: 7 }).answer()).toBeDefined();
  });

  test('a neighbour without a cell id counts as unknown', async () => {
    const world = await worldOf([0, KIND_LTE, 7, HERE]);
    expect(world.ask().cell(0, -90, { area: 7, flags: FLAG_NO_CELL_ID }).answer()).toBeUndefined();
  });
});

test('ten thousand cells in one body are answered', async () => {
  const world = new World();
  onTestFinished(() => world.close());
  const random = uniform(3);
  for (let cell = 0; cell < 10_000; cell++) {
    const place = moved(HERE, random() * 5000, random() * 5000);
    world.addCell(cell, stationAt(...place, 400, 900));
  }
  await world.build();
  const question = world.ask();
  for (let cell = 0; cell < 10_000; cell++) question.cell(cell, -60 - Math.floor(random() * 60));
  const answer = question.answer();
  expect(answer?.used).toBe(512);
});
