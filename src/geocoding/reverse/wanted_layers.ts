// Which places may answer for a point that is asked for some layers only. An address is a house with a number or a
// name, a road, or an area; whatever else is found at a point is in the layer of its tag.

import { layerOf } from '../index/place_layers.ts';
import type { PlaceReader } from '../index/place_reader.ts';
import { readPlace } from '../index/place_reader.ts';
import { ADDRESS_NODE, ADDRESS_OUTLINE, PATH, ROAD } from '../index/traits.ts';

/** Whether a house, POI or road may answer. @param traits of it @param id of its place */
export type Accept = (traits: number, id: number) => boolean;

const ADDRESS = 'address';
const ADDRESS_ROLES = ADDRESS_NODE | ADDRESS_OUTLINE | ROAD | PATH;

/** True if areas and towns may answer. @param layers undefined for all */
export function wantsAddresses(layers: readonly string[] | undefined): boolean {
  return layers === undefined || layers.includes(ADDRESS);
}

/** @returns undefined if all may answer */
export function acceptorOf(layers: readonly string[] | undefined, places: PlaceReader): Accept | undefined {
  if (layers === undefined) return undefined;
  const hasAddresses = wantsAddresses(layers);
  return (traits, id) =>
    (traits & ADDRESS_ROLES) !== 0 && hasAddresses ? true : layers.includes(layerOf(readPlace(places, id).category));
}
