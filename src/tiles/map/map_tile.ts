// A tile of the map: what the service knows of places, as layers with the attributes that docs/admin.md lists. Large
// things come before small ones in each layer, so that a tile that is full lacks what matters least.

import type { GeocoderLayers } from '../../geocoding/geocoder_layer.ts';
import { licencesOf } from '../../tables/places/licences.ts';
import { type TileNumbers, TilePlane } from '../tile_plane.ts';
import { tileOf } from '../vector_tile.ts';
import { boundaryLayer } from './boundaries.ts';
import { groundLayer } from './grounds.ts';
import { buildingLayer, houseLayers } from './houses.ts';
import { landLayers } from './land.ts';
import { boundsOf, type MapPart, partsOf } from './map_parts.ts';
import { placeLayer } from './place_names.ts';
import { roadLayer } from './roads.ts';

/** Draws a tile. @throws Error when a record of a place is damaged */
export function drawMapTile(layers: GeocoderLayers, numbers: TileNumbers): Buffer {
  const plane = new TilePlane(numbers);
  const { extract } = layers;
  const near =
    extract === undefined
      ? []
      : [
          groundLayer(plane, extract),
          buildingLayer(plane, extract),
          roadLayer(plane, extract),
          ...houseLayers(plane, extract),
        ];
  return tileOf([...landLayers(plane), boundaryLayer(plane, extract), ...near, placeLayer(plane, layers)]);
}

/** What a map shows, and where. */
interface MapDescription {
  /** Licences of its data. */
  attribution: string;
  /** West, south, east, north, degrees: of roads and houses of the extract, or of the world. */
  bounds: readonly [number, number, number, number];
  /** Extracts far from each other, the largest first; none without an extract. */
  parts: readonly MapPart[];
}

/** Beyond these the projection cuts the world off. */
const WORLD = [-180, -85, 180, 85] as const;

/** Describes the map. */
export function describeMap({ extract, world }: GeocoderLayers): MapDescription {
  const licences = [extract, world].flatMap(layer => (layer === undefined ? [] : licencesOf(layer.places.meta)));
  const box = extract?.spatial.groundLines.extent;
  return {
    attribution: licences.join(' | '),
    bounds: box === undefined ? WORLD : boundsOf(box),
    parts: extract === undefined ? [] : partsOf(extract),
  };
}

/** Names the places that tiles are drawn of: another import has another name. */
export function mapRevision({ extract, world }: GeocoderLayers): string {
  return [extract, world].map(layer => `${layer?.places.meta.builtAt}/${layer?.places.meta.count}`).join(' ');
}
