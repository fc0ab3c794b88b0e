// A lane of the station cache: looks up several keys at once by the lookup module (wasm/lookup/index.ts). Keys and
// answers are in the shared memory too, in a part that belongs to one thread. A killed thread does not release its
// lane. Without a free lane, lookups run in JavaScript.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LANE_KEYS, LANES, RECORD_WORDS, WORD_LANES } from '../../wasm/station_cache_constants.ts';
import { type CacheMemory, isWasmMemory } from './cache_memory.ts';

const MODULE_FILE = fileURLToPath(new URL('../../build/lookup.wasm', import.meta.url));

// What the compiled module exports.
interface LookupExports {
  open(): void;
  find(lane: number, count: number): number;
}

// The part of WebAssembly that is needed here; neither TypeScript's libraries in use nor Node's types declare it.
interface WebAssemblyApi {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { readonly exports: LookupExports };
}
const { Module, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly;

let compiled: object | undefined;

/** One thread's lane. */
export class CacheLane {
  /** Records of RECORD_WORDS words, one for each key (wasm/station_cache_constants.ts). */
  readonly records: Int32Array;
  private readonly header: Int32Array;
  private readonly number: number;
  private readonly byte: number;
  private readonly module: LookupExports;

  /**
   * Takes a free lane.
   * @param lanes byte of the memory where the lanes begin
   * @returns undefined where the memory is not WebAssembly's, or all lanes are taken
   * @throws Error when build/lookup.wasm is missing
   */
  static open(memory: CacheMemory, lanes: number): CacheLane | undefined {
    if (!isWasmMemory(memory)) return undefined;
    const header = new Int32Array(memory.buffer);
    for (let lane = 0; lane < LANES; lane++) {
      const bit = 1 << (lane & 31);
      if ((Atomics.or(header, WORD_LANES + (lane >> 5), bit) & bit) === 0)
        return new CacheLane(memory, header, lanes, lane);
    }
    return undefined;
  }

  private constructor(memory: CacheMemory, header: Int32Array, lanes: number, number: number) {
    this.header = header;
    this.number = number;
    this.byte = lanes + number * LANE_KEYS * RECORD_WORDS * 4;
    this.records = new Int32Array(memory.buffer, this.byte, LANE_KEYS * RECORD_WORDS);
    compiled ??= compile();
    this.module = new Instance(compiled, { env: { memory } }).exports;
    this.module.open();
  }

  /**
   * Looks up the keys in the first `count` records, at most LANE_KEYS. @returns how many of them the cache does not
   * have
   */
  find(count: number): number {
    return this.module.find(this.byte, count);
  }

  /** Gives the lane back. It must not be used any more. */
  close(): void {
    Atomics.and(this.header, WORD_LANES + (this.number >> 5), ~(1 << (this.number & 31)));
  }
}

function compile(): object {
  if (!existsSync(MODULE_FILE))
    throw new Error(`The lookup module ${MODULE_FILE} is missing; build it with "npm run prepare".`);
  return new Module(readFileSync(MODULE_FILE));
}
