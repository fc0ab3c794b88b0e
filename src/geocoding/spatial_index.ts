// signatures follow
import type { Place } from '../tables/place.ts';
import type { Geometry } from './geometry.ts';

/** Gathers the shapes of a layer's places while it is built. */
export class SpatialIndexBuilder {
  add(_id: number, _place: Place, _geometry: Geometry): void {
    throw new Error('Signature only.');
  }
  /** The index, as sections by name; each wants to begin at a multiple of 8 bytes. */
  finish(): Map<string, Uint8Array> {
    throw new Error('Signature only.');
  }
}

/** Views of the sections, nothing is copied. */
export class SpatialIndex {
  readonly sections: ReadonlyMap<string, Uint8Array>;
  /** @param sections views of (shared) memory, each at a multiple of 8 bytes from its buffer's start */
  constructor(sections: ReadonlyMap<string, Uint8Array>) {
    this.sections = sections;
  }
}
