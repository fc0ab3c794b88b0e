// Fingerprints of a building as they are counted: where they stand, and their record as bytes. A reading as an object
// takes ten times what it takes in a record, so readings are made when somebody asks for them. Readings that are equal
// are mostly one object, so that what is kept of them takes a word for each.

import type { StoredFingerprint, StoredReading } from '../../tables/fingerprints/fingerprint.ts';
import { decodeFingerprint } from '../../tables/fingerprints/fingerprint_record.ts';
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
