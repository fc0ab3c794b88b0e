// Queries over the demo town, for tests of the pool: seeded random surroundings, and one query on its way with its answer as a promise.

import { demoChanges } from '../../../src/folder/demo_town.ts';
import type { Computation } from '../../../src/pool/compute.ts';
import { queryBytesOf, readQuery } from '../../../src/protocol/requests/position_query.ts';
import type { PositionBody } from '../../../src/protocol/requests/schema.ts';
import { RESULT_STATUS } from '../../../src/radio/query/layout.ts';
import type { QueryMemory } from '../../../src/radio/query/memory.ts';
import { type QueryWriter, queryBytes } from '../../../src/radio/query/writer.ts';
import { createCacheMemory, StationCache } from '../../../src/tables/stations/cache.ts';
import { StationWriter } from '../../../src/tables/stations/writer.ts';
import { uniform } from '../random.ts';
import { type Answer, answerAt } from './station_folder.ts';

/** Puts the demo town into an empty folder. @returns the memory of a station cache for it, as the writer thread hands it out */
export async function makeDemoFolder(folder: string): Promise<SharedArrayBuffer> {
  const cache = createCacheMemory(1);
  const writer = await StationWriter.open(folder, new StationCache(cache));
  await writer.apply(demoChanges('put'));
  await writer.close();
  return cache;
}

/** What was answered; no more than the status where nothing was found. */
export type Outcome = { status: number } & Partial<Answer>;

/** A query and its answer. */
export class Asked implements Computation {
  readonly observations: number;
  readonly wants = 0;
  readonly outcome: Promise<Outcome>;
  private readonly body: PositionBody;
  private resolve: (outcome: Outcome) => void = () => {};

  /** @param observations what is promised at most, by default what the body holds */
  constructor(body: PositionBody, observations = (queryBytesOf(body) - queryBytes(0)) / (queryBytes(1) - queryBytes(0))) {
    this.body = body;
    this.observations = observations;
    this.outcome = new Promise(resolve => {
      this.resolve = resolve;
    });
  }

  write(writer: QueryWriter, offset: number): void {
    readQuery(this.body, 0, writer, offset);
  }

  answered(memory: QueryMemory, offset: number): void {
    this.resolve({ status: memory.i32[(offset + RESULT_STATUS) >> 2], ...answerAt(memory, offset) });
  }
}

/** Random surroundings in the demo town: up to `most` access points, of which some are unknown, cells, beacons, and now and then a fix. */
export function randomBodies(count: number, most: number, seed: number): PositionBody[] {
  const random = uniform(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const mac = (first: number, range: number): string => (first + below(range)).toString(16).padStart(12, '0');
  return Array.from({ length: count }, () => ({
    wifiAccessPoints: Array.from({ length: below(most) }, () => ({
      macAddress: mac(0x02005e000001, 420),
      signalStrength: -40 - below(60),
    })),
    bluetoothBeacons: Array.from({ length: below(3) }, () => ({ macAddress: mac(0x02005e001001, 60), signalStrength: -40 - below(60) })),
    cellTowers: Array.from({ length: below(4) }, () => ({
      radioType: 'lte',
      mobileCountryCode: 1,
      mobileNetworkCode: 1,
      locationAreaCode: 1,
      cellId: 256_001 + below(12),
      signalStrength: -60 - below(60),
    })),
    ...(below(5) === 0 && { gps: { latitude: 1.25, longitude: -2.5, accuracy: 20 + below(200), age: below(100) } }),
  }));
}
