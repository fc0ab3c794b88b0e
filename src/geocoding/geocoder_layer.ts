// A layer of places as the geocoder uses it: records, spatial index and index of words.

import type { CoastLines } from '../geo/coast.ts';
import type { LayerReader } from '../tables/places/layer.ts';
import type { OpenLayer } from '../tables/places/layer_share.ts';
import { coastsOf } from './index/coast_sections.ts';
import { SpatialIndex } from './index/spatial_index.ts';
import { SearchIndex } from './search/word_index/search_index.ts';

/** A layer that the geocoder searches. */
export interface GeocoderLayer {
  /** Number of the open layer. */
  n: number;
  /** True for the embedded gazetteer, whose places are points. */
  isWorld: boolean;
  places: LayerReader;
  spatial: SpatialIndex;
  words: SearchIndex;
  /** Those of the gazetteer; extracts have none. */
  coasts: CoastLines | undefined;
}

/** The layers of one moment. */
export interface GeocoderLayers {
  extract: GeocoderLayer | undefined;
  world: GeocoderLayer | undefined;
}

/**
 * Wraps an open layer.
 * @param known the previous result, which is reused if the layer is the same
 */
export function geocoderLayer(
  open: OpenLayer | undefined,
  isWorld: boolean,
  known: GeocoderLayer | undefined,
): GeocoderLayer | undefined {
  if (open === undefined || open.n === known?.n) return open && known;
  const { n, reader, sections } = open;
  return {
    n,
    isWorld,
    places: reader,
    spatial: new SpatialIndex(sections),
    words: new SearchIndex(reader, sections),
    coasts: coastsOf(sections),
  };
}

/**
 * The layer if searches know it. One that only answers points has nothing of words, not even which places of the
 * gazetteer it has too, and must not hide those.
 */
export function searchable(layer: GeocoderLayer | undefined): GeocoderLayer | undefined {
  return layer?.places.meta.pointsOnly ? undefined : layer;
}
