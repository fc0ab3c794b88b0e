// The places of a layer by their object of OpenStreetMap, for clients that have its type and number and want the place
// again.
//
// The keys lie in a database of the layer, not in shared memory: a lookup is rare and reads one page. A key is eight
// bytes, number times four plus type, so the keys are written in their order. An object that became several places,
// such as a farm with a house number, is found as the first of them.

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

/** Collects the objects of a layer while it is built. */
export class ObjectIndexBuilder {
  private readonly keys: number[] = [];
  private readonly places: number[] = [];

  add(id: number, { osmType, osmId }: Place): void {
    if (osmType === OSM_NONE) return;
    this.keys.push(osmId * TYPES + osmType);
    this.places.push(id);
  }

  /** How many objects of a layer are not among those that were added. */
  countMissing(layer: LayerReader): number {
    const keys = Float64Array.from(this.keys).sort();
    let missing = 0;
    let at = 0;
    for (const { key } of layer.range('objects', Buffer.alloc(KEY_BYTES), Number.POSITIVE_INFINITY)) {
      const number = Number(key.readBigUInt64BE());
      while (keys[at] < number) at++;
      if (keys[at] !== number) missing++;
    }
    return missing;
  }

  /** Writes the index. Nothing can be added afterwards. */
  finish(writer: LayerWriter): void {
    const { keys, places } = this;
    const order = Uint32Array.from(keys.keys()).sort((a, b) => keys[a] - keys[b] || a - b);
    let last = -1;
    for (const i of order) {
      if (keys[i] === last) continue;
      last = keys[i];
      const place = Buffer.alloc(PLACE_BYTES);
      place.writeUInt32BE(places[i]);
      writer.append('objects', keyOf(last), place);
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
