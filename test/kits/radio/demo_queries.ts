// Queries over the demo town, for tests of the pool: seeded random surroundings, and one query with its answer.

import type { CacheMemory } from '../../../src/core/cache_memory.ts';
import { demoAccessPoints, demoChanges } from '../../../src/folder/demo_town.ts';
import type { Query } from '../../../src/pool/messages.ts';
import { observationsOf, readQuery } from '../../../src/protocol/requests/position_query.ts';
import type { PositionBody } from '../../../src/protocol/requests/schema.ts';
import { formatMac } from '../../../src/radio/mac.ts';
import { isFailed, isFound, readFound } from '../../../src/radio/query/answer.ts';
import { LOCATE_FAILED, LOCATE_FOUND, LOCATE_NOT_FOUND } from '../../../src/radio/query/layout.ts';
import type { QueryMemory } from '../../../src/radio/query/memory.ts';
import type { QueryWriter } from '../../../src/radio/query/writer.ts';
import { createCacheMemory, StationCache } from '../../../src/tables/stations/cache.ts';
import { StationWriter } from '../../../src/tables/stations/writer.ts';
import { uniform } from '../random.ts';
import type { Answer } from './station_folder.ts';

/**
 * Puts the demo town into an empty folder. @returns the memory of a station cache for it, as the writer thread hands it
 * out
 */
export async function makeDemoFolder(folder: string): Promise<CacheMemory> {
  const cache = createCacheMemory(1);
  const writer = await StationWriter.open(folder, new StationCache(cache));
  await writer.apply(demoChanges('put'));
  await writer.close();
  return cache;
}

/** What was answered; no more than the status where nothing was found. */
export type Outcome = { status: number } & Partial<Answer>;

/** A query over the demo town. */
export class Asked implements Query<Outcome> {
  readonly observations: number;
  readonly wants = 0;
  private readonly body: PositionBody;

  /** @param observations what is promised at most, by default what the body holds */
  constructor(body: PositionBody, observations = observationsOf(body)) {
    this.body = body;
    this.observations = observations;
  }

  write(writer: QueryWriter, offset: number): void {
    readQuery(this.body, 0, writer, offset);
  }

  read(memory: QueryMemory, offset: number): Outcome {
    if (isFailed(memory, offset)) return { status: LOCATE_FAILED };
    if (!isFound(memory, offset)) return { status: LOCATE_NOT_FOUND };
    const { latitude, longitude, accuracyMetres } = readFound(memory, offset);
    return { status: LOCATE_FOUND, latitude, longitude, accuracyMetres };
  }
}

/**
 * Random surroundings in the demo town: up to `most` access points, of which some are unknown, cells, beacons, and now
 * and then a fix.
 */
export function randomBodies(count: number, most: number, seed: number): PositionBody[] {
  const random = uniform(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const town = demoAccessPoints();
  // Around a corner of the town, away from its edge.
  const corner = (n: number): number => 21 + 20 * (n % 18) + ((n * 7) % 18);
  const near = (n: number): number => corner(n) + below(3) - 1 + 20 * (below(3) - 1);
  return Array.from({ length: count }, (_, n) => ({
    wifiAccessPoints: Array.from({ length: below(most) }, () => ({
      macAddress: formatMac(below(20) === 0 ? 0x02ff00000000 + below(1_000) : town[near(n)].mac),
      signalStrength: -40 - below(60),
    })),
    bluetoothBeacons: Array.from({ length: below(3) }, () => ({
      macAddress: formatMac(0x00005e005301 + below(60)),
      signalStrength: -40 - below(60),
    })),
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
