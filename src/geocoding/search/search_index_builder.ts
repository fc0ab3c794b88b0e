// signatures follow
import type { LayerWriter } from '../../tables/layer.ts';
import type { Place } from '../../tables/place.ts';
import type { Geometry } from '../geometry.ts';

/** Gathers what places are called while a layer is built. */
export class SearchIndexBuilder {
  add(_id: number, _place: Place, _geometry: Geometry): void {
    throw new Error('Signature only.');
  }
  /** Writes the index: entries of the layer's databases of words, and sections whose names begin with `search.`. */
  finish(_writer: LayerWriter): void {
    throw new Error('Signature only.');
  }
}
