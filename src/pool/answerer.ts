// Answers the queries of one thread: where the device is, and on request the town or address there. HTTP threads and workers use the same code.

import type { CacheMemory } from '../core/cache_memory.ts';
import { toSpecAddress } from '../geocoding/address/spec_address.ts';
import type { Geocoder } from '../geocoding/geocoder.ts';
import { Locator } from '../positioning/locate.ts';
import { isFound, readFound, wantsTexts, writeTexts } from '../radio/query/answer.ts';
import { WANTS_ADDRESS, WANTS_GEONAME } from '../radio/query/layout.ts';
import type { QueryMemory } from '../radio/query/memory.ts';
import { QueryReader } from '../radio/query/reader.ts';

/** Names are in the local language: a positioning request names no other. */
const LANGUAGES: readonly string[] = [];

/** Answers the queries of one thread. */
export class Answerer {
  /** The geocoder of this thread. */
  readonly geocoder: Geocoder;
  private readonly locator: Locator;

  /**
   * @param folder data folder
   * @param cache memory of the station cache
   * @param geocoder this thread's own; closed with the answerer
   */
  constructor(folder: string, cache: CacheMemory, geocoder: Geocoder) {
    this.locator = new Locator(folder, cache);
    this.geocoder = geocoder;
  }

  /**
   * Answers the query at `offset` of `memory`. The answer goes into the query's own struct and its room for text.
   * @throws Error when a table is damaged
   */
  answer(memory: QueryMemory, offset: number): void {
    this.locator.locate(memory, offset);
    if (wantsTexts(memory, offset) && isFound(memory, offset)) this.describe(memory, offset);
  }

  /** Ends the read transactions. Must be called before the thread waits. */
  release(): void {
    this.locator.release();
    this.geocoder.release();
  }

  async close(): Promise<void> {
    await this.locator.close();
    await this.geocoder.close();
  }

  private describe(memory: QueryMemory, offset: number): void {
    const wants = new QueryReader(memory, offset).flags;
    const { latitude, longitude } = readFound(memory, offset);
    const place = this.geocoder.at(latitude, longitude);
    const geoname = wants & WANTS_GEONAME ? place?.geoname() : undefined;
    const address = wants & WANTS_ADDRESS ? place?.address(LANGUAGES) : undefined;
    writeTexts(memory, offset, geoname, address && toSpecAddress(address));
  }
}
