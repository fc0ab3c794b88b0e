// An object can occur twice: in two overlapping files, or in one merged from several. It counts once, in its newest
// version.
//
// An id and its version are kept as one number, so that sorting by it sorts by id, then by version.

import { BadDataError } from '../../index/varint.ts';

/** 13 bits; objects edited more often count as equally new. */
const VERSIONS = 8192;
/** What remains of a number's exact range, with a sign. OpenStreetMap's ids are below 2^34. */
const ID_MAX = 2 ** 39;

/** @throws BadDataError for an id beyond 2^39 */
export function versionedId(id: number, version: number): number {
  if (id > ID_MAX || id < -ID_MAX) throw new BadDataError(`The id ${id} is beyond ${ID_MAX}.`);
  return id * VERSIONS + Math.min(version, VERSIONS - 1);
}

export function idOf(versioned: number): number {
  return Math.floor(versioned / VERSIONS);
}

/**
 * The newest versions of objects of one type: a hash table with 16 to 32 bytes an object. If objects come in the order
 * of their ids, only those that occur twice are kept.
 */
export class NewestVersions {
  private readonly isOrdered: boolean;
  /** Versioned id of the last object. */
  private last: number | undefined;
  /** Versioned ids by the hash of their id; 0 = free, as versions begin at 1. */
  private slots = new Float64Array(1024);
  private count = 0;

  /** @param isOrdered the file declares that objects come in the order of their ids */
  constructor(isOrdered: boolean) {
    this.isOrdered = isOrdered;
  }

  /**
   * Notes an object.
   * @param version 1 or more
   * @param isWanted if false, older versions of the object are no longer wanted either
   * @returns true if it is wanted and newer than any version noted before
   * @throws BadDataError for objects that are out of the declared order
   */
  meet(id: number, version: number, isWanted: boolean): boolean {
    const versioned = versionedId(id, version);
    if (this.isOrdered) return this.meetNext(id, versioned, isWanted);
    const known = this.slots[this.slotOf(id)];
    if (known === 0 ? !isWanted : known >= versioned) return false;
    this.put(versioned);
    return isWanted;
  }

  /** False for an object of which a newer version was noted since. */
  isNewest(id: number, version: number): boolean {
    const known = this.slots[this.slotOf(id)];
    return known === 0 || known === versionedId(id, version);
  }

  private meetNext(id: number, versioned: number, isWanted: boolean): boolean {
    const last = this.last;
    if (last === undefined || comesBefore(idOf(last), id)) {
      this.last = versioned;
      return isWanted;
    }
    if (id !== idOf(last))
      throw new BadDataError(`The file says that its objects come by their ids, but ${id} follows ${idOf(last)}.`);
    this.last = Math.max(last, versioned);
    this.put(this.last);
    return isWanted && versioned > last;
  }

  private put(versioned: number): void {
    const slot = this.slotOf(idOf(versioned));
    if (this.slots[slot] === 0) this.count++;
    this.slots[slot] = versioned;
    if (this.count * 2 > this.slots.length) this.grow();
  }

  private slotOf(id: number): number {
    const mask = this.slots.length - 1;
    const high = Math.floor(id / 2 ** 32);
    let hash = Math.imul((id ^ high) | 0, 0x9e3779b1);
    hash ^= hash >>> 15;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const known = this.slots[slot];
      if (known === 0 || idOf(known) === id) return slot;
    }
  }

  private grow(): void {
    const old = this.slots;
    this.slots = new Float64Array(old.length * 2);
    for (const versioned of old) if (versioned !== 0) this.slots[this.slotOf(idOf(versioned))] = versioned;
  }
}

/** The order of sorted files: negative ids first, and those by absolute value too. */
export function comesBefore(a: number, b: number): boolean {
  return a < 0 === b < 0 ? Math.abs(a) < Math.abs(b) : a < 0;
}
