// Reads the maps of buildings, in one thread. A word of shared memory counts the changes, so a look at it is all that a
// request costs while there is no map, and while none has changed. What a job publishes is seen with the next request.

import { readNumber } from '../../../tables/environment/named_tables.ts';
import { numberKey } from '../../../tables/environment/row.ts';
import { readFingerprintedBuildings } from './buildings.ts';
import type { FingerprintedBuilding } from './fingerprint_record.ts';
import { type FingerprintTables, openFingerprints } from './fingerprint_tables.ts';

/** A map begins with its length and checksum (src/indoor/fingerprints/map_record.ts). */
const MAP_HEADER_BYTES = 64;

/** Reads maps. A batch of reads ends with `release`, before the thread waits for anything. */
export class FingerprintReader {
  private readonly folder: string;
  private readonly word: Int32Array;
  private tables: FingerprintTables | undefined;
  private isReading = false;
  /** The change that was read last. */
  private seen = -1;
  private index: RadioIndex | undefined;
  /** The rows of which the index was made, by building. */
  private listed: ReadonlyMap<number, Buffer> = new Map();
  private known: ReadonlyMap<number, FingerprintedBuilding> = new Map();

  /**
   * @param folder data folder
   * @param memory from `createRevision`, the same in all threads
   */
  constructor(folder: string, memory: SharedArrayBuffer) {
    this.folder = folder;
    this.word = new Int32Array(memory);
  }

  /**
   * Where radios are known, as of now; undefined while there is no map.
   * @throws Error when the tables cannot be used
   */
  radios(): RadioIndex | undefined {
    if (Atomics.load(this.word, 0) !== this.seen) this.refresh();
    return this.index;
  }

  /** Changes whenever a map may have changed. Maps and what was made of them may be kept as long as it is the same. */
  get revision(): number {
    return this.seen;
  }

  /** A building that `radios` names. */
  building(id: number): FingerprintedBuilding | undefined {
    return this.known.get(id);
  }

  /**
   * The map of a building, as its builder has made it; a copy.
   * @param kept what this has returned before: if the map is still the same, that is returned again
   * @throws Error when the tables cannot be used
   */
  map(id: number, kept?: Uint8Array): Uint8Array | undefined {
    if (this.tables === undefined) return undefined;
    this.isReading = true;
    const record = this.tables.maps.getBinary(numberKey(id));
    return kept !== undefined && isSameMap(kept, record) ? kept : record;
  }

  /** Ends the read transaction; the next read begins another. */
  release(): void {
    if (this.isReading) this.tables!.root.resetReadTxn();
    this.isReading = false;
  }

  async close(): Promise<void> {
    await this.tables?.root.close();
  }

  private refresh(): void {
    // Read first: what changes meanwhile is looked at once more.
    const seen = Atomics.load(this.word, 0);
    this.tables ??= openFingerprints(this.folder);
    if (this.tables !== undefined) this.load(this.tables);
    this.seen = seen;
  }

  private load(tables: FingerprintTables): void {
    tables.root.resetReadTxn();
    this.isReading = true;
    this.known = readFingerprintedBuildings(tables);
    const listed = new Map(
      [...tables.radios.getRange({})].map(({ key, value }) => [readNumber(key)!, Buffer.from(value)]),
    );
    // Most maps that are learned anew know the radios that they knew.
    if (listed.size === this.listed.size && [...listed].every(([id, value]) => this.listed.get(id)?.equals(value)))
      return;
    const radios = new Map([...listed].map(([id, value]) => [id, decodeRadios(value)]));
    this.index = radios.size === 0 ? undefined : new RadioIndex(radios);
    this.listed = listed;
  }
}

/** True for two records of the same map, by their headers. */
function isSameMap(kept: Uint8Array, record: Uint8Array | undefined): boolean {
  if (record?.length !== kept.length) return false;
  return Buffer.compare(kept.subarray(0, MAP_HEADER_BYTES), record.subarray(0, MAP_HEADER_BYTES)) === 0;
}

/** Decodes the radios of a map. @throws Error when the row is damaged */
export function decodeRadios(value: Buffer): Float64Array {
  const radios = new Float64Array(Math.floor(value.length / Float64Array.BYTES_PER_ELEMENT));
  for (let i = 0; i < radios.length; i++) radios[i] = value.readDoubleLE(i * Float64Array.BYTES_PER_ELEMENT);
  const isSound =
    radios.length > 0 &&
    radios.every((radio, i) => Number.isSafeInteger(radio) && radio > (i === 0 ? -1 : radios[i - 1]));
  if (!isSound || value.length % Float64Array.BYTES_PER_ELEMENT !== 0)
    throw new Error('The radios of a map of fingerprints are damaged.');
  return radios;
}

/** Encodes the radios of a map. @param radios ascending */
export function encodeRadios(radios: Float64Array): Buffer {
  const value = Buffer.allocUnsafe(radios.length * Float64Array.BYTES_PER_ELEMENT);
  for (const [i, radio] of radios.entries()) value.writeDoubleLE(radio, i * Float64Array.BYTES_PER_ELEMENT);
  return value;
}

// Tells in which buildings a radio is known: a hash table in typed arrays, twelve bytes a slot, at most half full. Most
// radios that devices hear are in no building, and that is told by one look.

const SLOT_EMPTY = -1;

/** Where radios are known. */
export class RadioIndex {
  private readonly radios: Float64Array;
  private readonly buildings: Uint32Array;
  private readonly mask: number;

  /** @param radiosOf the radios of each building, by its id */
  constructor(radiosOf: ReadonlyMap<number, Float64Array>) {
    let count = 0;
    for (const radios of radiosOf.values()) count += radios.length;
    const slots = 1 << (33 - Math.clz32(Math.max(1, count)));
    this.radios = new Float64Array(slots).fill(SLOT_EMPTY);
    this.buildings = new Uint32Array(slots);
    this.mask = slots - 1;
    for (const [building, radios] of radiosOf) for (const radio of radios) this.add(radio, building);
  }

  /** True if a building knows the radio. */
  has(radio: number): boolean {
    return this.radios[this.slotOf(radio)] === radio;
  }

  /** Calls `visit` with the id of each building that knows the radio. */
  forEachBuilding(radio: number, visit: (building: number) => void): void {
    for (let slot = hashOf(radio) & this.mask; this.radios[slot] !== SLOT_EMPTY; slot = (slot + 1) & this.mask)
      if (this.radios[slot] === radio) visit(this.buildings[slot]);
  }

  private slotOf(radio: number): number {
    let slot = hashOf(radio) & this.mask;
    while (this.radios[slot] !== SLOT_EMPTY && this.radios[slot] !== radio) slot = (slot + 1) & this.mask;
    return slot;
  }

  private add(radio: number, building: number): void {
    let slot = hashOf(radio) & this.mask;
    while (this.radios[slot] !== SLOT_EMPTY) slot = (slot + 1) & this.mask;
    this.radios[slot] = radio;
    this.buildings[slot] = building;
  }
}

function hashOf(radio: number): number {
  const mixed = Math.imul((radio % 4_294_967_296) ^ Math.imul(radio / 4_294_967_296, 0x85ebca6b), 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}
