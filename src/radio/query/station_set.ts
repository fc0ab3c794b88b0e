// A set of stations, such as those whose owners object to being mapped.

import { isCell } from '../kind.ts';
import { keyBytesOfKind, keyWithoutArea } from '../station_key.ts';
import { FLAG_NO_AREA } from './layout.ts';
import type { StoredObservations } from './stored.ts';

/** Stations by their keys. */
export class StationSet {
  /** Keys cut to their length, as latin1. */
  private readonly names: ReadonlySet<string>;

  /** @param keys cut to their length */
  constructor(keys: Iterable<Buffer> = []) {
    this.names = new Set(Array.from(keys, key => key.toString('latin1')));
  }

  /** Keys in it. */
  get size(): number {
    return this.names.size;
  }

  get keys(): Buffer[] {
    return [...this.names].map(name => Buffer.from(name, 'latin1'));
  }

  /** True for the station whose key begins at a byte, padded or not. */
  has(bytes: Uint8Array, at = 0): boolean {
    if (this.names.size === 0) return false;
    return this.names.has(
      Buffer.from(bytes.buffer, bytes.byteOffset + at, keyBytesOfKind(bytes[at])).toString('latin1'),
    );
  }

  /** True if observation `i` is of a station in the set. */
  hasObserved(observations: StoredObservations, i: number): boolean {
    const { bytes } = observations;
    const isWithoutArea = isCell(observations.kind(i)) && (observations.flags(i) & FLAG_NO_AREA) !== 0;
    return isWithoutArea ? this.has(keyWithoutArea(bytes, observations.at(i))) : this.has(bytes, observations.at(i));
  }
}
