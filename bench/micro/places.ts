// What does reverse geocoding cost? This measures the nearest of a million points, and the whole way from a point to an
// address: search, records from LMDB, rows, and the specification's members.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { around } from 'geokdbush';
import KDBush from 'kdbush';
import { quantile } from '../../lab/evaluation/quantile.ts';
import { UNITS_PER_DEGREE } from '../../src/geo/units.ts';
import { addressRows } from '../../src/geocoding/address/address.ts';
import { toSpecAddress } from '../../src/geocoding/address/spec_address.ts';
import { PointIndex, PointIndexBuilder } from '../../src/geocoding/index/points.ts';
import { SpatialIndex } from '../../src/geocoding/index/spatial_index.ts';
import { reverse } from '../../src/geocoding/reverse/reverse.ts';
import { LayerReader } from '../../src/tables/places/layer.ts';
import { uniform } from '../../test/kits/random.ts';
import { housesIn, importLand, LIECHTENSTEIN } from '../house_folder.ts';
import { probeStealTime } from '../machine.ts';
import type { Table } from '../result.ts';
import { drawLand } from './drawn_land.ts';
import type { MicroCase, MicroGroup } from './harness.ts';

const POINTS = 1_000_000;
const QUESTIONS = 20_000;
const NEAREST_A_CALL = 100;
const REVERSE_A_CALL = 100;
const NEAREST_LIMIT_NANOSECONDS = 3000;
const REVERSE_LIMIT_NANOSECONDS = 60_000;
/** Degrees: largest distance of a question from a house, in each direction. */
const AWAY = 0.002;
/** Degrees: the area of the points, ten in each direction. */
const SOUTH = 40;
const WEST = 5;
const WIDTH = 10;

/** The nearest of many points spread evenly over a piece of Europe. */
export function nearestGroup(seed: number): MicroGroup {
  const random = uniform(seed);
  const builder = new PointIndexBuilder();
  const sphere = new KDBush(POINTS);
  for (let i = 0; i < POINTS; i++) {
    const longitude = WEST + random() * WIDTH;
    const latitude = SOUTH + random() * WIDTH;
    sphere.add(longitude, latitude);
    builder.add(Math.round(longitude * UNITS_PER_DEGREE), Math.round(latitude * UNITS_PER_DEGREE), i + 1, 0, 1, 0);
  }
  sphere.finish();
  const sections = new Map<string, Uint8Array>();
  builder.finish('points', { section: (name, bytes) => sections.set(name, bytes) });
  const index = new PointIndex('points', sections);
  const questions = Float64Array.from(
    { length: 2 * QUESTIONS },
    (_, i) => (i % 2 === 0 ? SOUTH : WEST) + random() * WIDTH,
  );
  const own = (latitude: number, longitude: number) =>
    index.nearest(longitude * UNITS_PER_DEGREE, latitude * UNITS_PER_DEGREE, 1, UNITS_PER_DEGREE, 0);
  return {
    title: `Nearest of ${POINTS} points`,
    cases: [
      { name: 'nearest', ...ask(questions, NEAREST_A_CALL, own), limitNanoseconds: NEAREST_LIMIT_NANOSECONDS },
      {
        name: 'geokdbush',
        ...ask(questions, NEAREST_A_CALL, (latitude, longitude) => around(sphere, longitude, latitude, 1)[0]),
      },
    ],
  };
}

/** Reverse geocoding in a drawn country, and in a real one if its extract is there. `close` removes both. */
export async function reverseGroup(
  seed: number,
): Promise<{ group: MicroGroup; tails: Table; close: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-bench-'));
  const random = uniform(seed);
  const drawn = join(folder, 'drawn');
  const lands = [openLand('drawn land', drawn, await drawLand(drawn, seed), random)];
  if (existsSync(LIECHTENSTEIN)) {
    const real = await importLand(folder);
    const houses = (await housesIn(real)).flatMap(({ latitude, longitude }) => [latitude, longitude]);
    lands.push(openLand('Liechtenstein', real, houses, random));
  } else console.log(`Reverse geocoding in Liechtenstein is left out: there is no ${LIECHTENSTEIN}.`);
  const cases = lands.flatMap(({ name, questions, find, describe }): MicroCase[] => [
    {
      name: `${name}, with address`,
      ...ask(questions, REVERSE_A_CALL, describe),
      limitNanoseconds: REVERSE_LIMIT_NANOSECONDS,
    },
    { name: `${name}, place only`, ...ask(questions, REVERSE_A_CALL, find) },
  ]);
  return {
    group: { title: `Reverse geocoding up to ${AWAY} degrees from a house`, cases },
    tails: {
      title: `Reverse geocoding with address, each of ${QUESTIONS} questions once`,
      columns: ['case', 'p50 us', 'p99 us', 'largest us'],
      rows: lands.map(({ name, questions, describe }) => [name, ...tailOf(questions, describe)]),
      loss: await probeStealTime(),
    },
    close: async () => {
      for (const { reader } of lands) await reader.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Opens a layer as a thread of the service does. */
function openLand(name: string, folder: string, houses: readonly number[], random: () => number) {
  const reader = new LayerReader(folder);
  const index = new SpatialIndex(reader.sections);
  const questions = Float64Array.from({ length: 2 * QUESTIONS }, (_, i) => {
    // Steps of a large prime visit houses in all parts of the country in turn.
    const house = ((i >> 1) * 7919) % (houses.length / 2);
    return houses[2 * house + (i % 2)] + (random() - 0.5) * 2 * AWAY;
  });
  const ask = (latitude: number, longitude: number) =>
    reverse(index, reader, { latitude, longitude, zoom: 18, countryCode: 'li' });
  return {
    name,
    reader,
    questions,
    find: (latitude: number, longitude: number) => ask(latitude, longitude)?.id ?? 0,
    describe: (latitude: number, longitude: number) => {
      const hit = ask(latitude, longitude);
      if (hit === undefined) return 0;
      const context = { languages: [], houseNumber: hit.houseNumber, country: undefined };
      return Object.keys(toSpecAddress(addressRows(reader.place(hit.id)!, reader, context))).length;
    },
  };
}

function tailOf(questions: Float64Array, answer: (latitude: number, longitude: number) => number): string[] {
  const microseconds: number[] = [];
  for (let at = 0; at < questions.length; at += 2) {
    const start = performance.now();
    answer(questions[at], questions[at + 1]);
    microseconds.push((performance.now() - start) * 1000);
  }
  return [0.5, 0.99, 1].map(share => quantile(microseconds, share).toFixed(1));
}

/** Asks the questions in turn, some in each call. */
function ask(
  questions: Float64Array,
  operations: number,
  answer: (latitude: number, longitude: number) => number,
): Pick<MicroCase, 'operations' | 'run'> {
  let next = 0;
  const run = () => {
    let sum = 0;
    for (let i = 0; i < operations; i++) {
      sum += answer(questions[next], questions[next + 1]);
      next = (next + 2) % questions.length;
    }
    return sum;
  };
  return { operations, run };
}
