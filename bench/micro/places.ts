// What does it cost to know where one is? The nearest of a million points, and the whole way from a point to an address: search, records out of LMDB, rows,
// the specification's members.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { around } from 'geokdbush';
import KDBush from 'kdbush';
import { addressRows } from '../../src/geocoding/address.ts';
import { UNITS_PER_DEGREE } from '../../src/geocoding/geometry.ts';
import { PointIndex, PointIndexBuilder } from '../../src/geocoding/points.ts';
import { reverse } from '../../src/geocoding/reverse.ts';
import { SpatialIndex } from '../../src/geocoding/spatial_index.ts';
import { toSpecAddress } from '../../src/geocoding/spec_address.ts';
import { LayerReader, loadIndex } from '../../src/tables/layer.ts';
import { sectionsOf } from '../../src/tables/section_file.ts';
import { randomStream } from '../random.ts';
import { drawLand } from './drawn_land.ts';
import type { MicroCase, MicroGroup } from './harness.ts';

const POINTS = 1_000_000;
const QUESTIONS = 20_000;
const NEAREST_A_CALL = 1000;
const REVERSE_A_CALL = 200;
const NEAREST_LIMIT_NANOSECONDS = 3000;
const REVERSE_LIMIT_NANOSECONDS = 60_000;
/** Degrees: where the points lie, ten each way. */
const SOUTH = 40;
const WEST = 5;
const WIDTH = 10;

/** The nearest of many points spread evenly over a piece of Europe. */
export function nearestGroup(seed: number): MicroGroup {
  const random = randomStream(seed);
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
  const questions = Float64Array.from({ length: 2 * QUESTIONS }, (_, i) => (i % 2 === 0 ? SOUTH : WEST) + random() * WIDTH);
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

/** A layer to ask, as a thread of the service has it; `close` removes it. */
export async function reverseGroup(seed: number): Promise<{ group: MicroGroup; close: () => Promise<void> }> {
  const { folder, questions } = await drawLand(seed, QUESTIONS);
  const index = new SpatialIndex(sectionsOf(loadIndex(folder)));
  const reader = new LayerReader(folder);
  const find = (latitude: number, longitude: number) => reverse(index, reader, { latitude, longitude, zoom: 18, countryCode: 'li' });
  const describe = (latitude: number, longitude: number) => {
    const hit = find(latitude, longitude);
    if (hit === undefined) return 0;
    const context = { languages: [], houseNumber: hit.houseNumber, country: undefined };
    return Object.keys(toSpecAddress(addressRows(reader.place(hit.id)!, reader, context))).length;
  };
  return {
    group: {
      title: `Reverse geocoding among ${reader.meta.count} places`,
      cases: [
        { name: 'reverse with address', ...ask(questions, REVERSE_A_CALL, describe), limitNanoseconds: REVERSE_LIMIT_NANOSECONDS },
        { name: 'reverse', ...ask(questions, REVERSE_A_CALL, (latitude, longitude) => find(latitude, longitude)?.id ?? 0) },
      ],
    },
    close: async () => {
      await reader.close();
      rmSync(join(folder, '..'), { recursive: true });
    },
  };
}

/** Walks through the questions, some in each call. */
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
