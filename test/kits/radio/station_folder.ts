// Stations in a data folder of their own with a locator in front, as a service has them.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CellPast } from '../../../src/positioning/cells/followed/past.ts';
import type { Tail } from '../../../src/positioning/estimates/estimate.ts';
import { Locator } from '../../../src/positioning/locate.ts';
import { queryBytesOf, readQuery } from '../../../src/protocol/requests/position_query.ts';
import { checkStructure } from '../../../src/protocol/requests/schema.ts';
import { isFound, readFound } from '../../../src/radio/query/answer.ts';
import { QueryMemory } from '../../../src/radio/query/memory.ts';
import { QueryWriter } from '../../../src/radio/query/writer.ts';
import { createCacheMemory, StationCache } from '../../../src/tables/stations/cache.ts';
import { StationWriter } from '../../../src/tables/stations/writer.ts';

const CACHE_MB = 4;

/** What was found. */
export interface Answer {
  latitude: number;
  longitude: number;
  accuracyMetres: number;
  tail: Tail;
  /** SOURCE_* bits. */
  sources: number;
  used: number;
  fallback: number;
}

/** The answer to the query at an offset; undefined when nothing was found. */
export function answerAt(memory: QueryMemory, offset = 0): Answer | undefined {
  if (!isFound(memory, offset)) return undefined;
  const { at68, at95, ...found } = readFound(memory, offset);
  return { ...found, tail: { at68, at95 } };
}

/** A folder under the temporary folder; `close` removes it. */
export class StationFolder {
  readonly writer: StationWriter;
  private readonly path: string;
  readonly cache: StationCache;
  readonly locator: Locator;

  /** @param fill puts stations into the empty folder */
  static async open(fill: (path: string) => Promise<unknown> = () => Promise.resolve()): Promise<StationFolder> {
    const path = mkdtempSync(join(tmpdir(), 'sextant-stations-'));
    await fill(path);
    const cache = createCacheMemory(CACHE_MB);
    const writer = await StationWriter.open(path, new StationCache(cache));
    return new StationFolder(path, writer, new StationCache(cache), new Locator(path, cache));
  }

  private constructor(path: string, writer: StationWriter, cache: StationCache, locator: Locator) {
    this.path = path;
    this.writer = writer;
    this.cache = cache;
    this.locator = locator;
  }

  /** Answers the query at byte 0. @param past where the device was */
  locate(memory: QueryMemory, past?: CellPast): Answer | undefined {
    if (this.locator.lookUp(memory, 0)) this.locator.locate(undefined, past);
    this.locator.release();
    return answerAt(memory);
  }

  /** Answers the body of a request. */
  answer(body: object, arrivalMs = Date.now(), past?: CellPast): Answer | undefined {
    checkStructure(body);
    const memory = new QueryMemory(new ArrayBuffer(queryBytesOf(body)));
    readQuery(body, arrivalMs, new QueryWriter(memory), 0);
    return this.locate(memory, past);
  }

  async close(): Promise<void> {
    await this.locator.close();
    await this.writer.close();
    rmSync(this.path, { recursive: true, force: true });
  }
}
