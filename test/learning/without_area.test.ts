// Cells that are reported with and without their area codes: one station, in which each report counts once.

import { describe, expect, test } from 'vitest';
import { KIND_CDMA, KIND_LTE, KIND_NR } from '../../src/radio/kind.ts';
import { FLAG_NO_AREA, OBSERVATION_BYTES, OBSERVATION_FLAGS } from '../../src/radio/query/layout.ts';
import { keyWithoutArea } from '../../src/radio/station_key.ts';
import type { Report } from '../../src/tables/observations/report.ts';
import { stationAt } from '../../src/tables/stations/station.ts';
import { metresTo, moved, type Position } from '../kits/radio/ground.ts';
import { LearnedWorld } from '../kits/radio/learned_world.ts';
import { DAY, type Heard, HOME, report, TRUSTED, type Who } from '../kits/radio/reports.ts';
import { cellKey } from '../kits/radio/stations.ts';
import { uniform } from '../kits/random.ts';

const cellOf = (area: number, id = 70_000, kind = KIND_LTE) => cellKey(kind, 206, 1, area, id);
const without = (id = 70_000, kind = KIND_LTE) => keyWithoutArea(cellOf(0, id, kind), 0);
const FAR = moved(HOME, 120_000, 0);

/** A report in which the cells under keys without area code say so. */
function hear(who: Who, at: Position, seconds: number, ...heard: readonly Heard[]): Report {
  const made = report(who, at, seconds, heard);
  const { buffer, byteOffset } = made.observations;
  const view = new DataView(buffer, byteOffset);
  for (const [i, { key }] of heard.entries()) {
    if (keyWithoutArea(key, 0).equals(key))
      view.setUint16(i * OBSERVATION_BYTES + OBSERVATION_FLAGS, FLAG_NO_AREA, true);
  }
  return made;
}

function reportsOf(world: LearnedWorld, key: Buffer): number {
  return (world.learned(key)?.candidates ?? []).reduce((sum, { reports }) => sum + reports, 0);
}

describe('a cell reported without area code', () => {
  test.each([
    ['lte', KIND_LTE],
    ['nr', KIND_NR],
    ['cdma', KIND_CDMA],
  ])('is learned: %s', (_, kind) => {
    const world = new LearnedWorld();
    world.fold([hear(TRUSTED, HOME, 0, { key: without(9, kind) })]);
    expect(metresTo(world.active(without(9, kind)), HOME)).toBeLessThan(1);
  });

  test('becomes the one with the code when a trusted contributor reports it, and each report counts once', () => {
    const world = new LearnedWorld();
    world.fold([0, 1].map(n => hear(TRUSTED, moved(HOME, n * 100, 0), n, { key: without() })));
    world.fold([hear(TRUSTED, HOME, 2, { key: cellOf(5) })]);
    expect(world.learned(without())).toBeUndefined();
    expect(world.active(without())).toBeUndefined();
    expect(world.active(cellOf(5))).toMatchObject({ samples: 3 });
    world.fold([hear(TRUSTED, HOME, 3, { key: without() })]);
    expect(world.learned(without())).toBeUndefined();
    expect(world.active(cellOf(5))).toMatchObject({ samples: 4 });
  });

  test('does so for the second of two others, so that nobody alone hides it under a wrong code', () => {
    const world = new LearnedWorld();
    world.fold([1, 2, 3].map(who => hear(who, HOME, who, { key: without() })));
    world.fold([0, 1, 2].map(n => hear(7, HOME, 10 + n, { key: cellOf(5) })));
    expect(world.active(without())).toMatchObject({ samples: 3 });
    expect(world.active(cellOf(5))).toBeUndefined();
    world.fold([hear(1, HOME, 20, { key: without() })]);
    expect(world.active(without())).toMatchObject({ samples: 4 });
    world.fold([hear(8, HOME, 21, { key: cellOf(5) })]);
    expect(world.learned(without())).toBeUndefined();
    expect(world.active(cellOf(5))).toMatchObject({ samples: 5 });
  });

  test('is the cell whose code is known, where it is heard', () => {
    const world = new LearnedWorld();
    world.import(cellOf(5), { ...stationAt(...HOME, 500, 2_000), samples: 40 });
    world.fold([
      hear(TRUSTED, HOME, 0, { key: cellOf(6, 80_000) }),
      hear(TRUSTED, HOME, 1, { key: without() }, { key: without(80_000) }),
    ]);
    expect(reportsOf(world, cellOf(5))).toBe(1);
    expect(reportsOf(world, cellOf(6, 80_000))).toBe(2);
    expect(world.learned(without())).toBeUndefined();
  });

  test('is another one far from there', () => {
    const world = new LearnedWorld();
    world.fold([hear(TRUSTED, HOME, 0, { key: cellOf(5) }), hear(TRUSTED, FAR, DAY, { key: without() })]);
    expect(metresTo(world.active(cellOf(5)), HOME)).toBeLessThan(1);
    expect(metresTo(world.active(without()), FAR)).toBeLessThan(1);
    world.fold([hear(TRUSTED, FAR, 2 * DAY, { key: without() }), hear(TRUSTED, HOME, 3 * DAY, { key: without() })]);
    expect(reportsOf(world, cellOf(5))).toBe(2);
    expect(reportsOf(world, without())).toBe(2);
  });

  test('is the nearest of several codes, and none of more than sixteen', () => {
    const world = new LearnedWorld();
    world.fold([1, 2].map(n => hear(TRUSTED, moved(HOME, n * 10_000, 0), n, { key: cellOf(n) })));
    world.fold([hear(TRUSTED, moved(HOME, 18_000, 0), 5, { key: without() })]);
    expect([1, 2].map(area => reportsOf(world, cellOf(area)))).toEqual([1, 2]);
    for (let area = 3; area <= 17; area++) world.fold([hear(TRUSTED, HOME, area, { key: cellOf(area) })]);
    world.fold([hear(TRUSTED, HOME, 50, { key: without() })]);
    expect(reportsOf(world, without())).toBe(1);
  });

  test('counts once in a report that names it twice, in either order', () => {
    for (const heard of [
      [{ key: cellOf(5) }, { key: without() }],
      [{ key: without() }, { key: cellOf(5) }],
    ]) {
      const world = new LearnedWorld();
      world.fold([hear(TRUSTED, HOME, 0, { key: without() }), hear(TRUSTED, HOME, 1, ...heard)]);
      expect(world.learned(without())).toBeUndefined();
      expect(world.active(cellOf(5))).toMatchObject({ samples: 2 });
    }
  });

  test('is joined with an import once someone reports its code', () => {
    const world = new LearnedWorld();
    world.fold([1, 2].map(who => hear(who, HOME, who, { key: without() })));
    world.import(cellOf(5), { ...stationAt(...moved(HOME, 300, 0), 500, 2_000), samples: 40 });
    world.fold([hear(3, HOME, 3, { key: cellOf(5) })]);
    expect(world.learned(without())).toBeUndefined();
    expect(world.learned(cellOf(5))).toMatchObject({ candidates: [{ reports: 3 }] });
    expect(world.active(cellOf(5))).toMatchObject({ isLearned: true, samples: 43 });
  });
});

test('what is learned does not depend on where batches begin and end', () => {
  const random = uniform(12);
  const ids = [70_000, 70_001, 70_002];
  const log = Array.from({ length: 600 }, (_, n) => {
    const at = moved(random() < 0.9 ? HOME : FAR, random() * 3_000, random() * 3_000);
    const heard = ids
      .filter(() => random() < 0.6)
      .map(id => ({ key: random() < 0.6 ? without(id) : cellOf(1 + Math.floor(random() * 2), id), dbm: -90 }));
    return hear(random() < 0.05 ? TRUSTED : 1 + Math.floor(random() * 4), at, n * 60, ...heard);
  });
  const learn = (sizeOf: () => number) => {
    const world = new LearnedWorld();
    world.import(cellOf(2, 70_002), { ...stationAt(...HOME, 500, 2_000), samples: 40 });
    for (let at = 0; at < log.length; ) {
      const size = sizeOf();
      world.fold(log.slice(at, at + size));
      at += size;
    }
    return world.dump();
  };
  const whole = learn(() => log.length);
  expect(whole.split('\n').length).toBeGreaterThan(5);
  expect(learn(() => 1)).toBe(whole);
  expect(learn(() => 1 + Math.floor(random() * 50))).toBe(whole);
});
