// A layer of places as the geocoder asks it: its records, and its indexes of places and of words.

import type { LayerReader } from '../tables/places/layer.ts';
import type { OpenLayer } from '../tables/places/layer_share.ts';
import { SpatialIndex } from './index/spatial_index.ts';
import { SearchIndex } from './search/word_index/search_index.ts';

/** A layer that questions are answered from. */
export interface GeocoderLayer {
  /** That of the open layer. */
  n: number;
  /** The embedded gazetteer, whose places are points. */
  isWorld: boolean;
  places: LayerReader;
  spatial: SpatialIndex;
  words: SearchIndex;
}

/**
 * The layer behind what is open.
 * @param known what was made of it before, if anything
 */
export function geocoderLayer(open: OpenLayer | undefined, isWorld: boolean, known: GeocoderLayer | undefined): GeocoderLayer | undefined {
  if (open === undefined || open.n === known?.n) return open && known;
  const { n, reader, sections } = open;
  return { n, isWorld, places: reader, spatial: new SpatialIndex(sections), words: new SearchIndex(reader, sections) };
}
