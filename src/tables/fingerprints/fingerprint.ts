// What is kept of fingerprints: scans at known points of known floors of buildings. An import brings them, and so do
// reports that name their floor.

/** A building of which fingerprints are known. It need not have been imported as a model. */
export interface FingerprintedBuilding {
  /** Number of its model, 0..2^53-1. */
  modelId: number | undefined;
  /** Its own number, 0..2^53-1. */
  buildingId: number | undefined;
  /** Empty = none. */
  name: string;
  /** Origin of its map, degrees. */
  latitude: number;
  longitude: number;
}

/** One radio as a device heard it. */
export interface StoredReading {
  /** `radioNumber`. */
  radio: number;
  /** Whole dBm, -128..127. */
  levelDbm: number;
  /**
   * Age at the time of the fingerprint, milliseconds, in whole tenths of a second up to 25.4 s; NaN if it is not known.
   */
  ageMs: number;
}

/** One fingerprint. */
export interface StoredFingerprint {
  /** Milliseconds since 1970; NaN if it is not known. */
  timeMs: number;
  /** FLOOR_INDEX_MIN..FLOOR_INDEX_MAX. */
  floor: number;
  /** Degrees, to seven places. */
  latitude: number;
  longitude: number;
  /** Account that sent it; 0 = a file that the operator imported. */
  contributor: number;
  /** Needs no second contributor to agree. */
  isTrusted: boolean;
  /** Pseudonym of the device or batch, as in a report; 0 = unknown. */
  track: number;
  /** Identity of the report that it was; empty where it came by an import of fingerprints. */
  identity: Uint8Array;
  /** No radio twice; at least one. */
  readings: readonly StoredReading[];
}

/** Metres: a position that is worse is no known point. */
export const FINGERPRINT_ACCURACY_MAX = 10;
/**
 * Fingerprints of a building lie this close to its origin, metres: half of what a model may measure from side to side.
 */
export const REACH_METRES = 5_000;
