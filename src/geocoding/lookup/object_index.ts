// The places of a layer by their object of OpenStreetMap, for clients that have its type and number and want the place
// again.
//
// The objects lie in a database of the layer, not in shared memory: a lookup is rare and reads one page. An object is a
// number, that of the map times four plus its type. They stand in their order, OBJECTS in an entry: its key is the
// first of them, in eight bytes, and its value has for each the difference to the one before and the signed difference
// of their places, as varints. An object that became several places, such as a farm with a house number, is found as
// the first of them.

import { RecordSort } from '../../tables/environment/record_sort.ts';
import type { LayerReader, LayerWriter } from '../../tables/places/layer.ts';
import { OSM_NONE, type OsmType, type Place } from '../../tables/places/place.ts';
import { ByteReader, ByteWriter } from '../index/varint.ts';

/** An object of OpenStreetMap. */
export interface OsmObject {
  type: OsmType;
  /** 1..2^51. */
  id: number;
}

const TYPES = 4;
/** Objects in an entry: more take hardly less room, and a lookup reads half of them. */
const OBJECTS = 32;
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
    if (osmType === OSM_NONE || osmId < 0) return;
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
    for (const { object } of objectsOf(layer)) {
      while (!next.done && next.value.object < object) next = added.next();
      if (next.done || next.value.object !== object) missing++;
    }
    return missing;
  }

  /** Writes the index. Nothing can be added afterwards. */
  finish(writer: LayerWriter): void {
    const entry = new ByteWriter();
    let count = 0;
    let first = 0;
    let last = 0;
    let lastPlace = 0;
    for (const { object, place } of this.firstPlaces()) {
      if (count === OBJECTS) {
        writer.append('objects', keyOf(first), entry.view());
        entry.clear();
        count = 0;
      }
      if (count++ === 0) {
        first = last = object;
        lastPlace = 0;
      }
      entry.unsigned(object - last);
      entry.signed(place - lastPlace);
      last = object;
      lastPlace = place;
    }
    if (count > 0) writer.append('objects', keyOf(first), entry.view());
  }

  close(): void {
    this.entries.close();
  }

  /** Every object with its first place, in their order. */
  private *firstPlaces(): Generator<ObjectPlace> {
    let last = 0;
    for (const { bytes, count } of this.entries.batches()) {
      const entries = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      for (let at = 0; at < count * (KEY_BYTES + PLACE_BYTES); at += KEY_BYTES + PLACE_BYTES) {
        const object = entries.getUint32(at) * WORD + entries.getUint32(at + 4);
        if (object === last) continue;
        last = object;
        yield { object, place: entries.getUint32(at + KEY_BYTES) };
      }
    }
  }
}

/** An object as a number, and its place. */
interface ObjectPlace {
  object: number;
  place: number;
}

/** The place of an object; undefined if the layer has none. */
export function placeOfObject(layer: LayerReader, { type, id }: OsmObject): number | undefined {
  const object = id * TYPES + type;
  const entry = layer.entryUpTo('objects', keyOf(object));
  if (entry === undefined) return undefined;
  for (const found of objectsIn(entry)) if (found.object === object) return found.place;
  return undefined;
}

/** All objects of a layer, in their order. */
function* objectsOf(layer: LayerReader): Generator<ObjectPlace> {
  for (const entry of layer.range('objects', Buffer.alloc(KEY_BYTES), Number.POSITIVE_INFINITY))
    yield* objectsIn(entry);
}

function* objectsIn({ key, value }: { key: Buffer; value: Buffer }): Generator<ObjectPlace> {
  const reader = new ByteReader(value);
  let object = objectOf(key);
  let place = 0;
  while (reader.at < reader.end) {
    object += reader.unsigned();
    place += reader.signed();
    yield { object, place };
  }
}

function objectOf(key: Buffer): number {
  return key.readUInt32BE() * WORD + key.readUInt32BE(4);
}

function keyOf(object: number): Buffer {
  const key = Buffer.alloc(KEY_BYTES);
  key.writeBigUInt64BE(BigInt(object));
  return key;
}
