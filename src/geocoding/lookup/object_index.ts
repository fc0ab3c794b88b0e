// The places of a layer by their object of OpenStreetMap, for clients that have its type and number and want the place
// again.
//
// The keys lie in a database of the layer, not in shared memory: a lookup is rare and reads one page. A key is eight
// bytes, number times four plus type, so the keys are written in their order. An object that became several places,
// such as a farm with a house number, is found as the first of them.

import { RecordSort } from '../../tables/environment/record_sort.ts';
import type { LayerReader, LayerWriter } from '../../tables/places/layer.ts';
import { OSM_NONE, type OsmType, type Place } from '../../tables/places/place.ts';

/** An object of OpenStreetMap. */
export interface OsmObject {
  type: OsmType;
  /** 1..2^51. */
  id: number;
}

const TYPES = 4;
const KEY_BYTES = 8;
const PLACE_BYTES = 4;
/** Entries in memory: 12 MB, and as much again while they are sorted. */
const SORTED_AT_ONCE = 2 ** 20;
const WORD = 2 ** 32;

/** Collects the objects of a layer while it is built. */
export class ObjectIndexBuilder {
  /** Sorted by object, then by place. */
  private readonly entries: RecordSort;

  /** @param scratchFolder existing */
  constructor(scratchFolder: string) {
    this.entries = new RecordSort(scratchFolder, KEY_BYTES + PLACE_BYTES, 0, SORTED_AT_ONCE);
  }

  add(id: number, { osmType, osmId }: Place): void {
    if (osmType === OSM_NONE) return;
    const key = osmId * TYPES + osmType;
    const at = this.entries.next();
    this.entries.view.setUint32(at, Math.floor(key / WORD));
    this.entries.view.setUint32(at + 4, key >>> 0);
    this.entries.view.setUint32(at + KEY_BYTES, id);
  }

  /** How many objects of a layer are not among those that were added, all of which were. */
  countMissing(layer: LayerReader): number {
    const added = this.firstPlaces();
    let next = added.next();
    let missing = 0;
    for (const { key } of layer.range('objects', Buffer.alloc(KEY_BYTES), Number.POSITIVE_INFINITY)) {
      while (!next.done && Buffer.compare(next.value.key, key) < 0) next = added.next();
      if (next.done || !next.value.key.equals(key)) missing++;
    }
    return missing;
  }

  /** Writes the index. Nothing can be added afterwards. */
  finish(writer: LayerWriter): void {
    for (const { key, place } of this.firstPlaces()) writer.append('objects', key, place);
  }

  close(): void {
    this.entries.close();
  }

  /** Every object with its first place, in their order; valid until the next one. */
  private *firstPlaces(): Generator<{ key: Buffer; place: Buffer }> {
    const last = Buffer.alloc(KEY_BYTES);
    for (const { bytes, count } of this.entries.batches()) {
      const entries = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      for (let i = 0; i < count; i++) {
        const at = i * (KEY_BYTES + PLACE_BYTES);
        const key = entries.subarray(at, at + KEY_BYTES);
        if (key.equals(last)) continue;
        key.copy(last);
        yield { key, place: entries.subarray(at + KEY_BYTES, at + KEY_BYTES + PLACE_BYTES) };
      }
    }
  }
}

/** The place of an object; undefined if the layer has none. */
export function placeOfObject(layer: LayerReader, { type, id }: OsmObject): number | undefined {
  return layer.get('objects', keyOf(id * TYPES + type))?.readUInt32BE();
}

function keyOf(number: number): Buffer {
  const key = Buffer.alloc(KEY_BYTES);
  key.writeBigUInt64BE(BigInt(number));
  return key;
}
