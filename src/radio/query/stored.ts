// Reads the observations of a stored report: 40 bytes each as in a query, but without a header and with any alignment.

import {
  OBSERVATION_AGE,
  OBSERVATION_BYTES,
  OBSERVATION_CHANNEL,
  OBSERVATION_FLAGS,
  OBSERVATION_FREQUENCY,
  OBSERVATION_SIGNAL,
  OBSERVATION_TIMING,
} from './layout.ts';

/** Number of observations in this many bytes; a fraction if it is not a whole number. */
export function observationsIn(bytes: number): number {
  return bytes / OBSERVATION_BYTES;
}

/** Reads stored observations by their index. */
export class StoredObservations {
  readonly bytes: Uint8Array;
  readonly count: number;
  private readonly view: DataView;

  /** @param bytes a whole number of observations */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.count = observationsIn(bytes.length);
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Byte of `bytes` where observation `i` and the key of its station begin. */
  at(i: number): number {
    return i * OBSERVATION_BYTES;
  }

  /** KIND_* of the station. */
  kind(i: number): number {
    return this.bytes[i * OBSERVATION_BYTES];
  }

  /** dBm; SIGNAL_ABSENT if it was not sent. */
  signalDbm(i: number): number {
    return this.view.getInt16(i * OBSERVATION_BYTES + OBSERVATION_SIGNAL, true);
  }

  /** Frequency in MHz of an access point; 0 if it was not sent. */
  frequencyMhz(i: number): number {
    return this.view.getUint16(i * OBSERVATION_BYTES + OBSERVATION_FREQUENCY, true);
  }

  /** Scrambling code or physical cell id of a cell; CODE_ABSENT if it was not sent. */
  code(i: number): number {
    return this.view.getUint16(i * OBSERVATION_BYTES + OBSERVATION_FREQUENCY, true);
  }

  /** Milliseconds; AGE_ABSENT if it was not sent. */
  ageMs(i: number): number {
    return this.view.getUint32(i * OBSERVATION_BYTES + OBSERVATION_AGE, true);
  }

  /** Timing advance in the unit of the radio type; -1 if it was not sent. */
  timing(i: number): number {
    return this.view.getInt32(i * OBSERVATION_BYTES + OBSERVATION_TIMING, true);
  }

  /** FLAG_* bits. */
  flags(i: number): number {
    return this.view.getUint16(i * OBSERVATION_BYTES + OBSERVATION_FLAGS, true);
  }

  /** Channel of an access point; 0 if it was not sent. */
  channel(i: number): number {
    return this.view.getUint16(i * OBSERVATION_BYTES + OBSERVATION_CHANNEL, true);
  }

  /** Clears FLAG_* bits. */
  clearFlags(i: number, flags: number): void {
    this.view.setUint16(i * OBSERVATION_BYTES + OBSERVATION_FLAGS, this.flags(i) & ~flags, true);
  }
}
