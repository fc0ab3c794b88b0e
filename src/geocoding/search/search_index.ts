// signatures follow
import type { LayerReader } from '../../tables/layer.ts';

/** A layer's index of words; it copies nothing, so one for each thread costs nothing. */
export class SearchIndex {
  readonly layer: LayerReader;
  readonly sections: ReadonlyMap<string, Uint8Array>;
  /** @param sections views of shared memory, each at a multiple of 8 bytes from its buffer's start */
  constructor(layer: LayerReader, sections: ReadonlyMap<string, Uint8Array>) {
    this.layer = layer;
    this.sections = sections;
  }
}
