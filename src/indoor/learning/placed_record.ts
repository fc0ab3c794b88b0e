// Fingerprints of a building as they are counted: where they stand, and their record as bytes. A reading as an object
// takes ten times what it takes in a record, so readings are made when somebody asks for them. Readings that are equal
// are mostly one object, so that what is kept of them takes a word for each.

import {
  decodeFingerprint,
  type StoredFingerprint,
  type StoredReading,
} from '../tables/fingerprints/fingerprint_record.ts';
import type { PlacedFingerprint } from './counted_fingerprints.ts';

/** Equal readings are found by so many bits of a hash. */
const SHARED_BITS = 17;
/** Records that are read between two calls of `onStep`. */
const STEP = 1_000;
const GOLDEN = 0x9e3779b1;

/** Makes readings of records. */
export class ReadingSource {
  private readonly shared: StoredReading[] = [];
  private readonly onStep: () => void;
  private read = 0;

  /** @param onStep called now and then, however long the work takes; an error that it throws ends the work */
  constructor(onStep: () => void) {
    this.onStep = onStep;
  }

  /** Decodes a record. @throws Error when it is damaged, or of `onStep` */
  decode(record: Uint8Array): StoredFingerprint {
    if (++this.read % STEP === 0) this.onStep();
    return decodeFingerprint(record);
  }

  /** The readings of a record. @throws Error as `decode` does */
  readingsOf(record: Uint8Array): StoredReading[] {
    return this.decode(record).readings.map(reading => this.share(reading));
  }

  private share(reading: StoredReading): StoredReading {
    const { radio, levelDbm, ageMs } = reading;
    const slot =
      Math.imul(Math.imul(Math.imul(radio % 2 ** 32, 31) + levelDbm, 31) + (ageMs || 0), GOLDEN) >>> (32 - SHARED_BITS);
    const known = this.shared[slot];
    if (known?.radio === radio && known.levelDbm === levelDbm && Object.is(known.ageMs, ageMs)) return known;
    this.shared[slot] = reading;
    return reading;
  }
}

/** A fingerprint in its building. */
export class PlacedRecord implements PlacedFingerprint {
  readonly floor: number;
  readonly contributor: number;
  readonly isTrusted: boolean;
  readonly timeMs: number;
  readonly eastMetres: number;
  readonly northMetres: number;
  readonly bytes: number;
  private readonly record: Uint8Array;
  private readonly source: ReadingSource;

  /**
   * @param record as in the tables; kept
   * @param fingerprint what it says
   * @param place metres from the origin of the building's map
   */
  constructor(
    record: Uint8Array,
    { floor, contributor, isTrusted, timeMs }: StoredFingerprint,
    { eastMetres, northMetres }: { eastMetres: number; northMetres: number },
    source: ReadingSource,
  ) {
    this.floor = floor;
    this.contributor = contributor;
    this.isTrusted = isTrusted;
    this.timeMs = timeMs;
    this.eastMetres = eastMetres;
    this.northMetres = northMetres;
    this.bytes = record.length;
    this.record = record;
    this.source = source;
  }

  /** Made anew by each look at it. */
  get readings(): StoredReading[] {
    return this.source.readingsOf(this.record);
  }
}

// The records of which the map of a building is made, where it has more than fit. Imports and trusted keys come before
// others, so that nobody can crowd them out, and the newest before older ones.

/** A row of the table. */
interface Row {
  key: Buffer;
  /** Valid until the next row is read. */
  record: Uint8Array;
}

/** What is kept of a row until all are known. */
interface Ranked {
  isTrusted: boolean;
  timeMs: number;
  bytes: number;
}

/**
 * Picks records.
 * @param rowsOf walks through all rows, the same each time
 * @param bytesMax bytes of the records that are picked at most
 * @returns copies of those that were picked, in their order, and the number of the others
 * @throws Error when a record is damaged
 */
export function recordsWithin(
  rowsOf: () => Iterable<Row>,
  bytesMax: number,
  source: ReadingSource,
): { rows: Row[]; beyond: number } {
  let bytes = 0;
  for (const { record } of rowsOf()) bytes += record.length;
  const picked = bytes <= bytesMax ? undefined : pick(rowsOf(), bytesMax, source);
  const rows: Row[] = [];
  let number = 0;
  for (const { key, record } of rowsOf()) {
    if (picked === undefined || picked.has(number)) rows.push({ key, record: Uint8Array.from(record) });
    number++;
  }
  return { rows, beyond: number - rows.length };
}

function pick(rows: Iterable<Row>, bytesMax: number, source: ReadingSource): Set<number> {
  const ranked = Array.from(rows, ({ record }): Ranked => {
    const { isTrusted, timeMs } = source.decode(record);
    // Without a time it counts as old.
    return { isTrusted, timeMs: Number.isNaN(timeMs) ? 0 : timeMs, bytes: record.length };
  });
  // Among equals what came last stays.
  const order = Uint32Array.from(ranked.keys()).sort(
    (a, b) => Number(ranked[b].isTrusted) - Number(ranked[a].isTrusted) || ranked[b].timeMs - ranked[a].timeMs || b - a,
  );
  const picked = new Set<number>();
  let bytes = 0;
  for (const number of order) {
    bytes += ranked[number].bytes;
    if (bytes > bytesMax) break;
    picked.add(number);
  }
  return picked;
}
