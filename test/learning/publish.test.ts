import { describe, expect, test, vi } from 'vitest';
import { quantile } from '../../lab/evaluation/quantile.ts';
import { wrapDegrees } from '../../src/geo/angle.ts';
import { publishStation, refreshAreas } from '../../src/learning/publish.ts';
import { KIND_LTE, KIND_WIFI } from '../../src/radio/kind.ts';
import { AreaCollector } from '../../src/tables/stations/areas.ts';
import type { KnowledgeTables } from '../../src/tables/stations/knowledge.ts';
import { LEARNED_BLOCKED, LEARNED_KNOWN, LEARNED_NEW, newLearned } from '../../src/tables/stations/learned_record.ts';
import { STATE_BLOCKED, stationAt } from '../../src/tables/stations/station.ts';
import { type Located, metresTo, moved, type Position } from '../kits/radio/ground.ts';
import { LearnedWorld } from '../kits/radio/learned_world.ts';
import { newKnowledge } from '../kits/radio/measured_world.ts';
import { cell, HOME, report, TRUSTED, type Who } from '../kits/radio/reports.ts';
import { macKey, recordOf, stationOf } from '../kits/radio/stations.ts';
import { normal, uniform } from '../kits/random.ts';

interface Observed {
  at: Position;
  dbm: number;
}

/**
 * A mast heard on a grid of roads around it: 10,000 readings whose level falls with distance, one side driven more than
 * the other.
 */
function drive(mast: Position, metresWide: number, seed: number, count = 10_000): Observed[] {
  const random = uniform(seed);
  const bell = normal(random);
  return Array.from({ length: count }, () => {
    const along = (random() ** 1.5 - 0.35) * metresWide;
    const across = Math.round((random() - 0.5) * 8) * (metresWide / 16);
    const [north, east] = random() < 0.5 ? [along, across] : [across, along];
    const decades = Math.log10(Math.max(Math.hypot(north, east), 10) / 10);
    return {
      at: moved(mast, east, north),
      dbm: Math.max(-130, Math.min(-30, Math.round(-50 - 30 * decades + 6 * bell()))),
    };
  });
}

/** Mean of all readings by amplitude, with nothing bounded, as metres north and east of the mast. */
function meanOfAll(mast: Position, observed: readonly Observed[]): Position {
  let sum = 0;
  let north = 0;
  let east = 0;
  for (const { at, dbm } of observed) {
    const weight = 10 ** (dbm / 20);
    const turns = at[1] - mast[1];
    sum += weight;
    north += weight * (at[0] - mast[0]);
    east += weight * (turns > 180 ? turns - 360 : turns < -180 ? turns + 360 : turns);
  }
  return [mast[0] + north / sum, wrapDegrees(mast[1] + east / sum)];
}

function medianDistance(from: Position | Located, observed: readonly Observed[], part = 0.5): number {
  return quantile(
    observed.map(({ at }) => metresTo(from, at)),
    part,
  );
}

function learn(key: Buffer, observed: readonly Observed[], whoOf: (n: number) => Who): LearnedWorld {
  const world = new LearnedWorld();
  for (let n = 0; n < observed.length; n += 500)
    world.fold(observed.slice(n, n + 500).map(({ at, dbm }, i) => report(whoOf(n + i), at, n + i, [{ key, dbm }])));
  return world;
}

describe.each([
  { what: 'a cell', key: cell(1), wide: 8_000 },
  { what: 'a small cell', key: cell(2), wide: 600 },
  { what: 'an access point', key: macKey(1), wide: 200 },
])('ten thousand readings of $what, kept as a few reference points', ({ key, wide }) => {
  test.each([
    { by: 'a trusted account', whoOf: () => TRUSTED },
    { by: 'three others', whoOf: (n: number) => 1 + (n % 3) },
    { by: 'ten others', whoOf: (n: number) => 1 + (n % 10) },
  ])('of $by: position within a quarter of the radius from that of all of them, radius within a sixth', ({ whoOf }) => {
    for (const seed of [1, 2, 3]) {
      const observed = drive(HOME, wide, seed);
      const found = learn(key, observed, whoOf).active(key)!;
      const all = meanOfAll(HOME, observed);
      const median = medianDistance(all, observed);
      expect(metresTo(found, all)).toBeLessThan(0.25 * median);
      expect(found.r50Metres / medianDistance(found, observed)).toBeGreaterThan(0.83);
      expect(found.r50Metres / medianDistance(found, observed)).toBeLessThan(1.1);
      expect(found.r95Metres / medianDistance(found, observed, 0.95)).toBeGreaterThan(0.7);
      expect(found.r95Metres / medianDistance(found, observed, 0.95)).toBeLessThan(1.15);
      expect(found.samples).toBe(10_000);
    }
  });
});

test.each([
  { where: 'on the antimeridian', mast: [-17, 179.9999] as const },
  { where: 'far north', mast: [78.2, 15.6] as const },
  { where: 'at the south pole', mast: [-89.995, 0] as const },
])('the same $where', ({ mast }) => {
  for (const key of [cell(1), macKey(1)]) {
    const observed = drive(mast, 200, 5, 2_000);
    const world = learn(key, observed, () => TRUSTED);
    expect(world.learned(key)!.candidates).toHaveLength(1);
    const found = world.active(key)!;
    const all = meanOfAll(mast, observed);
    expect(metresTo(found, all)).toBeLessThan(0.25 * medianDistance(all, observed));
    expect(Math.abs(found.longitude)).toBeLessThanOrEqual(180);
  }
});

describe('a record', () => {
  const key = macKey(9);
  const record = () =>
    recordOf({ ...stationAt(...HOME, 100, 250), samples: 10, firstSeenDay: 100, lastSeenDay: 30_000 });

  test('is there only while the station is known or blocked', () => {
    const world = learn(key, [{ at: HOME, dbm: -60 }], () => TRUSTED);
    const learned = world.learned(key)!;
    expect(stationOf(publishStation({ ...learned, state: LEARNED_KNOWN }, KIND_WIFI)!)).toMatchObject({
      state: 1,
      isLearned: true,
    });
    expect(stationOf(publishStation({ ...learned, state: LEARNED_BLOCKED }, KIND_WIFI)!)).toMatchObject({
      state: STATE_BLOCKED,
    });
    expect(publishStation({ ...learned, state: LEARNED_NEW }, KIND_WIFI)).toBeUndefined();
  });

  test('that was imported stays as it is while nobody has seen the station there', () => {
    const imported = record();
    expect(publishStation(newLearned(imported), KIND_LTE)).toBe(imported);
  });

  test('of one reading has the least radius of its kind', () => {
    const found = learn(key, [{ at: HOME, dbm: -60 }], () => TRUSTED).active(key)!;
    expect(found.r50Metres).toBe(5);
    expect(found.r95Metres).toBe(10);
    expect(metresTo(found, HOME)).toBeLessThan(0.02);
  });

  test('joins an imported one by the certainty of both', () => {
    const world = new LearnedWorld();
    world.stations.set(key.toString('hex'), record());
    const there = moved(HOME, 0, 60);
    world.fold(
      Array.from({ length: 10 }, (_, n) =>
        report(TRUSTED, moved(there, 0, (n % 5) * 50 - 100), n, [{ key, dbm: -60 }]),
      ),
    );
    const joined = world.active(key)!;
    expect(joined).toMatchObject({ samples: 20, firstSeenDay: 100, lastSeenDay: 30_000 });
    expect(metresTo(joined, there)).toBeLessThan(30);
    expect(joined.latitude).toBeLessThan(there[0]);
  });

  test('counts what one account has sent no more than all that others have', () => {
    const near = moved(HOME, 60, 0);
    const observed = [
      ...Array(900).fill({ at: near, dbm: -60 }),
      ...Array(30).fill({ at: HOME, dbm: -60 }),
      ...Array(30).fill({ at: HOME, dbm: -60 }),
    ];
    const found = learn(key, observed, n => (n < 900 ? 1 : n < 930 ? 2 : 3)).active(key)!;
    expect(metresTo(found, HOME)).toBeLessThan(metresTo(found, near) + 0.1);
  });
});

describe('points far outside of where three contributors usually hear a station', () => {
  const LIAR: Who = 666;
  const seen = (who: Who, metres: number, n: number) => ({
    who,
    at: moved(HOME, metres * Math.sin(n * 2.4), metres * Math.cos(n * 2.4)),
  });
  const ring = (who: Who) => [10, 20, 30, 40, 50, 60].map((metres, n) => seen(who, metres, n + 3 * who));
  const learned = (key: Buffer, all: { who: Who; at: Position }[]) => {
    const world = new LearnedWorld();
    for (const [n, { who, at }] of all.entries()) world.fold([report(who, at, n * 60, [{ key, dbm: -60 }])]);
    return world.active(key)!;
  };
  const AP = macKey(9);
  const two = [...ring(1), ...ring(2)];
  const far = Array.from({ length: 12 }, (_, n) => seen(LIAR, 290 + n, 0));

  test('do not count for an access point', () => {
    const [found, without] = [learned(AP, [...two, ...ring(3), ...far]), learned(AP, [...two, ...ring(3)])];
    expect(metresTo(found, without)).toBeLessThan(10);
    expect(found.r95Metres).toBeLessThanOrEqual(70);
    expect(found.r50Metres / without.r50Metres).toBeCloseTo(1, 0);
  });

  test('count up to twice that distance', () => {
    const r95 = (metres: number) =>
      learned(AP, [...two, ...ring(3), ...Array(6).fill(seen(LIAR, metres, 1))]).r95Metres;
    expect(r95(55)).toBeGreaterThan(52);
    expect(r95(150)).toBeLessThan(65);
  });

  test('count where only two have heard it: nobody knows which of them is wrong', () => {
    const away = Array.from({ length: 12 }, (_, n) => seen(LIAR, 140, n / 10));
    expect(learned(AP, [...ring(1), ...away]).r95Metres).toBeGreaterThan(120);
  });

  test('do not count against one that is trusted, but count by that one', () => {
    expect(learned(AP, [...ring(TRUSTED), ...far]).r95Metres).toBeLessThan(70);
    expect(learned(AP, [...ring(1), ...far.map(each => ({ ...each, who: TRUSTED }))]).r95Metres).toBeLessThan(30);
  });

  test('count for a cell, which is heard far away along a road', () => {
    const along = Array.from({ length: 12 }, (_, n) => seen(4, 3_000, n % 2));
    expect(learned(cell(9), [...two, ...ring(3), ...along]).r95Metres).toBeGreaterThan(2_000);
  });
});

/** Puts cells at a latitude each, or takes them out. */
function put(
  tables: KnowledgeTables,
  cells: readonly { id: number; latitude: number | undefined }[],
  progress = 1,
): void {
  const learned = cells.map(({ id, latitude }) => {
    const record =
      latitude === undefined ? undefined : recordOf({ ...stationAt(latitude, 4, 50, 100), isLearned: true });
    return { key: cell(id), learned: record && { ...newLearned(record), state: LEARNED_KNOWN }, record };
  });
  tables.generation.root.transactionSync(() => tables.write({ learned, tracks: new Map(), progress }));
}

const inRow = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => ({ id: from + i, latitude: (from + i) / 200 }));

/** The rows of the areas, and those that follow from the cells in one go. */
function areasOf({ generation }: KnowledgeTables): { written: Map<string, string>; derived: Map<string, string> } {
  const written = new Map(
    [...generation.areas.getRange()].map(({ key, value }) => [key.toString('hex'), value.toString('hex')]),
  );
  const derived = new Map<string, string>();
  const collector = new AreaCollector((key, record) => derived.set(key.toString('hex'), record.toString('hex')));
  for (const { key, value } of generation.stations.getRange()) collector.add(key, value);
  collector.end();
  return { written, derived };
}

async function refresh(tables: KnowledgeTables, nextTurn = async () => {}): Promise<void> {
  await refreshAreas(tables.generation, tables.staleNetwork()!, nextTurn);
}

test('areas follow from the cells, and other work goes first many times', async () => {
  const tables = newKnowledge();
  put(tables, inRow(0, 6_000));
  let turns = 0;
  await refresh(tables, async () => {
    turns++;
  });
  const { written, derived } = areasOf(tables);
  expect(written.size).toBeGreaterThan(2);
  expect(written).toEqual(derived);
  expect(turns).toBeGreaterThan(20);
  expect(tables.staleNetwork()).toBeUndefined();
});

test('only areas that differ are written, and those without cells are removed', async () => {
  const tables = newKnowledge();
  put(tables, inRow(0, 9_000));
  await refresh(tables);
  const before = areasOf(tables).written;
  // The cells of one of three areas.
  const gone = inRow(0, 9_000).filter(({ id }) => id % 3 === 2);
  put(
    tables,
    gone.map(({ id }) => ({ id, latitude: undefined })),
    2,
  );
  const { areas } = tables.generation;
  const puts = vi.spyOn(areas, 'putSync');
  const removals = vi.spyOn(areas, 'removeSync');
  await refresh(tables);
  const { written, derived } = areasOf(tables);
  expect(written).toEqual(derived);
  expect(written.size).toBe(before.size - 1);
  expect(removals).toHaveBeenCalledTimes(1);
  // The two others stay as they are; what ids say about distances does not.
  expect(puts).toHaveBeenCalledTimes(1);
});

test('an area whose cells change while it is derived is derived again', async () => {
  const tables = newKnowledge();
  put(tables, inRow(0, 6_000));
  let turns = 0;
  await refresh(tables, async () => {
    turns++;
    put(
      tables,
      [0, 9_000].map(id => ({ id, latitude: id / 200 + turns / 1e4 })),
      2,
    );
  });
  expect(turns).toBeGreaterThan(0);
  expect(tables.staleNetwork()).toBeDefined();
  await refresh(tables);
  expect(tables.staleNetwork()).toBeUndefined();
  const { written, derived } = areasOf(tables);
  expect(written).toEqual(derived);
});
