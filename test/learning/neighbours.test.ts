import { expect, test } from 'vitest';
import { addToCandidate, newCandidate, type Sighting } from '../../src/learning/candidate.ts';
import { heardWith, strongestCells } from '../../src/learning/neighbours.ts';
import { HEARD_LIMIT } from '../../src/learning/reference_points.ts';
import { KIND_LTE, KIND_WIFI } from '../../src/radio/kind.ts';
import { AREA_NONE } from '../../src/radio/no_area.ts';
import {
  FLAG_NO_CELL_ID,
  OBSERVATION_BYTES,
  OBSERVATION_FLAGS,
  OBSERVATION_SIGNAL,
  SIGNAL_ABSENT,
} from '../../src/radio/query/layout.ts';
import { StoredObservations } from '../../src/radio/query/stored.ts';
import { writeCellKey } from '../../src/radio/station_key.ts';
import { type Heard, newLearned } from '../../src/tables/stations/learned.ts';
import { cellKey } from '../kits/radio/stations.ts';

test('the strongest cells of a report are taken, each once and only those known exactly', () => {
  const cells = strongest([
    { cell: 1, level: -90 },
    { cell: 2, level: -70 },
    { cell: 1, level: -80 },
    { cell: 3, level: -60, flags: FLAG_NO_CELL_ID },
  ]);
  expect(cells.map(({ levelDbm }) => levelDbm)).toEqual([-70, -80]);
  expect(strongest(Array.from({ length: 40 }, (_, cell) => ({ cell, level: -60 - cell })))).toHaveLength(
    HEARD_LIMIT + 1,
  );
  expect(strongest([{ cell: 1, level: SIGNAL_ABSENT }])[0].levelDbm).toBe(-100);
});

test('access points are no cells', () => {
  const observations = new Uint8Array(OBSERVATION_BYTES);
  observations[0] = KIND_WIFI;
  expect(strongestCells(new StoredObservations(observations), ['an access point'])).toEqual([]);
});

test('a cell whose area code becomes known keeps its place among the neighbours', () => {
  const unplaced = cellKey(KIND_LTE, 262, 1, AREA_NONE, 2).toString('latin1');
  const learned = { ...newLearned(undefined), neighbours: [nameOf(7), unplaced] };
  expect(heardWith(learned, nameOf(1), [{ name: nameOf(2), levelDbm: -70 }])).toMatchObject([{ neighbour: 1 }]);
  expect(learned.neighbours).toEqual([nameOf(7), nameOf(2)]);
});

test('a cell names those beside it, not itself', () => {
  const learned = newLearned(undefined);
  const cells = strongest([
    { cell: 1, level: -80 },
    { cell: 2, level: -70 },
    { cell: 3, level: -90 },
  ]);
  const heard = heardWith(learned, nameOf(1), cells);
  expect(learned.neighbours).toEqual([nameOf(2), nameOf(3)]);
  expect(heard).toEqual([
    { neighbour: 0, count: 1, levelE2: -7_000 },
    { neighbour: 1, count: 1, levelE2: -9_000 },
  ]);
  expect(heardWith(learned, nameOf(1), cells)).toEqual(heard);
  expect(learned.neighbours).toHaveLength(2);
});

test('in a full record the neighbour heard least gives way, everywhere', () => {
  const learned = newLearned(undefined);
  for (let cell = 1; cell <= 48; cell++) hear(cell === 20 ? 1 : 2, cell);
  expect(learned.neighbours).toHaveLength(48);
  hear(1, 100);
  expect(learned.neighbours).toHaveLength(48);
  expect(learned.neighbours.indexOf(nameOf(100))).toBe(19);
  expect(learned.neighbours).not.toContain(nameOf(20));
  const counts = learned.candidates
    .flatMap(({ points }) => points.flatMap(({ heard }) => heard))
    .filter(({ neighbour }) => neighbour === 19);
  expect(counts).toEqual([{ neighbour: 19, count: 1, levelE2: -7_000 }]);

  function hear(times: number, cell: number): void {
    for (let i = 0; i < times; i++) {
      const heard = heardWith(learned, nameOf(500), strongest([{ cell, level: -70 }]));
      const at = sighting(heard, cell * 10_000);
      if (learned.candidates.length === 0) learned.candidates.push(newCandidate(at));
      else addToCandidate(learned.candidates[0], at, KIND_LTE, 64);
    }
  }
});

test('a point remembers mean levels, and of many others the most frequent', () => {
  const candidate = newCandidate(sighting([{ neighbour: 0, count: 1, levelE2: -7_000 }], 0));
  addToCandidate(
    candidate,
    sighting(
      [
        { neighbour: 0, count: 1, levelE2: -8_000 },
        { neighbour: 1, count: 1, levelE2: -9_000 },
      ],
      0,
    ),
    KIND_LTE,
    64,
  );
  expect(candidate.points[0].heard).toEqual([
    { neighbour: 0, count: 2, levelE2: -7_500 },
    { neighbour: 1, count: 1, levelE2: -9_000 },
  ]);
  const others = Array.from({ length: HEARD_LIMIT }, (_, i) => ({ neighbour: i + 2, count: 1, levelE2: -6_000 }));
  addToCandidate(candidate, sighting(others, 0), KIND_LTE, 64);
  expect(candidate.points[0].heard).toHaveLength(HEARD_LIMIT);
  expect(candidate.points[0].heard[0]).toEqual({ neighbour: 0, count: 2, levelE2: -7_500 });
  expect(candidate.points[0].heard).not.toContainEqual({ neighbour: 1, count: 1, levelE2: -9_000 });
});

function sighting(heard: readonly Heard[], east: number): Sighting {
  return {
    latitudeE7: 498_700_000,
    longitudeE7: 86_500_000 + east,
    accuracyMetres: 5,
    weight: 1,
    levelDbm: -80,
    seconds: 1_700_000_000,
    contributor: 0,
    isTrusted: true,
    claimDay: 0,
    heard,
  };
}

function strongest(cells: readonly { cell: number; level: number; flags?: number }[]) {
  const observations = new Uint8Array(cells.length * OBSERVATION_BYTES);
  const view = new DataView(observations.buffer);
  cells.forEach(({ cell, level, flags = 0 }, i) => {
    const at = i * OBSERVATION_BYTES;
    writeCellKey(observations, at, KIND_LTE, 262, 1, 1, cell);
    view.setInt16(at + OBSERVATION_SIGNAL, level, true);
    view.setUint16(at + OBSERVATION_FLAGS, flags, true);
  });
  return strongestCells(
    new StoredObservations(observations),
    cells.map(({ cell, flags }) => (flags === undefined ? nameOf(cell) : undefined)),
  );
}

function nameOf(cell: number): string {
  return cellKey(KIND_LTE, 262, 1, 1, cell).toString('latin1');
}
