// Scans the bodies of positioning requests in a core of its own (wasm/body/body.ts). The body is copied into the core's
// memory, and what the scan finds lies there until the next scan.
//
// It is not the core of the thread, since the bytes are a stranger's: a fault of the scan cannot reach what answers are
// made of, and what it has found outlives the call. That costs 8 MB of addresses in each HTTP thread, of which 0.3 MB
// are ever touched.

import {
  BODY_COUNTS,
  BODY_MOVING,
  BODY_REST,
  BODY_TEXT,
  BODY_WIFI,
  MAX_BODY,
  MAX_MOVING,
  MOVING_SHIFT,
} from '../../wasm/memory.ts';
import { QueryMemory } from '../radio/query/memory.ts';
import { movingGrams } from '../radio/wifi.ts';
import { type CoreExports, instantiateCore } from './instantiate.ts';

const COUNTS = 3;
/** As in wasm/body/moving_names.ts. */
const ANYWHERE = 0xffffffdf;
const MULTIPLIER = 0x9e3779b1;

/** Scans one body after the other. Belongs to one thread. */
export class BodyScanner {
  /** Memory of the observations. */
  readonly memory: QueryMemory;
  /** Byte of the memory where the observations begin: access points, then beacons, then cells. */
  readonly observationsAt = BODY_WIFI;
  /** Number of scans so far: what the last one found has been overwritten when it has changed. */
  scans = 0;
  private readonly kernels: CoreExports;
  private readonly bytes: Buffer;
  private readonly counts: Int32Array;
  private restBytes = 0;

  constructor() {
    this.kernels = instantiateCore();
    const { buffer } = this.kernels.memory;
    this.memory = new QueryMemory(buffer);
    this.bytes = Buffer.from(buffer);
    this.counts = new Int32Array(buffer, BODY_COUNTS, COUNTS);
    const slots = new Uint32Array(buffer, BODY_MOVING, MAX_MOVING);
    for (const gram of movingGrams(true)) list(slots, gram.readUInt32LE());
    for (const gram of movingGrams(false)) list(slots, (gram.readUInt32LE() & ANYWHERE) >>> 0);
  }

  /** Scans a body. @returns false if the scan declines, and JSON.parse must read the body */
  scan(body: Uint8Array): boolean {
    if (body.length > MAX_BODY) return false;
    this.scans++;
    this.bytes.set(body, BODY_TEXT);
    this.restBytes = this.kernels.scanBody(body.length);
    return this.restBytes > 0;
  }

  /** Number of access points found. */
  get wifi(): number {
    return this.counts[0];
  }

  /** Number of beacons found. */
  get bluetooth(): number {
    return this.counts[1];
  }

  /** Number of cells found. */
  get cells(): number {
    return this.counts[2];
  }

  /** The members that are no lists of stations, as the text of an object. */
  get rest(): string {
    return this.bytes.toString('utf8', BODY_REST, BODY_REST + this.restBytes);
  }

  /** True if there are none. */
  get isRestEmpty(): boolean {
    return this.restBytes === 2;
  }
}

/** Enters four bytes of a name into the table. @throws Error when it is more than half full */
function list(slots: Uint32Array, bytes: number): void {
  let slot = Math.imul(bytes, MULTIPLIER) >>> MOVING_SHIFT;
  for (let probes = 0; slots[slot] !== 0 && slots[slot] !== bytes; probes++) {
    if (probes > MAX_MOVING / 2)
      throw new Error(`There is no space for ${bytes.toString(16)} in the names that travel.`);
    slot = (slot + 1) & (MAX_MOVING - 1);
  }
  slots[slot] = bytes;
}
