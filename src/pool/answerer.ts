// One thread's answers: where the device is, and what is there if the request wants to know. The same in an HTTP thread and in a worker of its pool.

import { toSpecAddress } from '../geocoding/address/spec_address.ts';
import type { Geocoder } from '../geocoding/geocoder.ts';
import { Locator } from '../positioning/locate.ts';
import {
  LOCATE_FOUND,
  REQUEST_FLAGS,
  REQUEST_TEXT,
  RESULT_ADDRESS,
  RESULT_GEONAME,
  RESULT_LATITUDE,
  RESULT_LONGITUDE,
  RESULT_STATUS,
  TEXT_BYTES,
  WANTS_ADDRESS,
  WANTS_GEONAME,
} from '../radio/query/layout.ts';
import type { QueryMemory } from '../radio/query/memory.ts';

/** Names stand as they are on the map: a device is not asked for its language. */
const LANGUAGES: readonly string[] = [];

/** Answers the queries of one thread. */
export class Answerer {
  /** Of this thread. */
  readonly geocoder: Geocoder;
  private readonly locator: Locator;
  private readonly encoder = new TextEncoder();

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
    if (memory.u32[(offset + REQUEST_TEXT) >> 2] !== 0 && memory.i32[(offset + RESULT_STATUS) >> 2] === LOCATE_FOUND) {
      this.describe(memory, offset);
    }
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
    const { u32, f64 } = memory;
    const wants = u32[(offset + REQUEST_FLAGS) >> 2];
    const place = this.geocoder.at(f64[(offset + RESULT_LATITUDE) >> 3], f64[(offset + RESULT_LONGITUDE) >> 3]);
    const geoname = wants & WANTS_GEONAME ? place?.geoname() : undefined;
    const address = wants & WANTS_ADDRESS ? place?.address(LANGUAGES) : undefined;
    const geonameBytes = this.write(memory, offset, 0, geoname);
    u32[(offset + RESULT_GEONAME) >> 2] = geonameBytes;
    u32[(offset + RESULT_ADDRESS) >> 2] = this.write(memory, offset, geonameBytes, address && toSpecAddress(address));
  }

  /** Writes a value behind what stands there already. @returns its bytes; 0 where there is none, or no room: names that fill so much are no names */
  private write(memory: QueryMemory, offset: number, before: number, value: object | undefined): number {
    if (value === undefined) return 0;
    const bytes = this.encoder.encode(JSON.stringify(value));
    if (before + bytes.length > TEXT_BYTES) return 0;
    memory.u8.set(bytes, offset + memory.u32[(offset + REQUEST_TEXT) >> 2] + before);
    return bytes.length;
  }
}
