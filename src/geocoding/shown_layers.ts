// The layers as explanations show them.

import type { FoundPlace } from './found_place.ts';
import type { GeocoderLayer } from './geocoder_layer.ts';
import type { ReverseHit } from './reverse/hit.ts';

/** The imported extract and the gazetteer of the world, in the order in which they are searched. */
export const LAYER_NAMES = ['extract', 'world'] as const;
/** One of them. */
export type LayerName = (typeof LAYER_NAMES)[number];

/** The layers, and how their places are described. */
export interface ShownLayers {
  extract: GeocoderLayer | undefined;
  world: GeocoderLayer | undefined;
  /** A place as the geocoder answers with it. */
  describe(layer: GeocoderLayer, hit: ReverseHit): FoundPlace;
}
