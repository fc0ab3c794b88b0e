// One thread's answers: where the device is, and what is there if the request wants to know. The same in an HTTP thread and in a worker of its pool.

import { toSpecAddress } from '../geocoding/address/spec_address.ts';
import type { Geocoder } from '../geocoding/geocoder.ts';
import { Locator } from '../positioning/locate.ts';
import { isFound, readFound, wantsTexts, writeTexts } from '../radio/query/answer.ts';
import { WANTS_ADDRESS, WANTS_GEONAME } from '../radio/query/layout.ts';
import type { QueryMemory } from '../radio/query/memory.ts';
import { QueryReader } from '../radio/query/reader.ts';

/** Names stand as they are on the map: a device is not asked for its language. */
const LANGUAGES: readonly string[] = [];

/** Answers the queries of one thread. */
export class Answerer {
  /** Of this thread. */
  readonly geocoder: Geocoder;
  private readonly locator: Locator;

  /**
   * @param folder data folder
   * @param cache memory of the station cache
   * @param geocoder this thread's own; closed with the answerer
   */
  constructor(folder: string, cache: SharedArrayBuffer, geocoder: Geocoder) {
    this.locator = new Locator(folder, cache);
    this.geocoder = geocoder;
  }

  /**
   * Answers the query at `offset` of `memory` into its own struct, and into its room for text.
   * @throws Error when a table is damaged
   */
  answer(memory: QueryMemory, offset: number): void {
    this.locator.locate(memory, offset);
    if (wantsTexts(memory, offset) && isFound(memory, offset)) this.describe(memory, offset);
  }

  /** To be called before the thread waits: lets go of the read transactions. */
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
