// Builds a layer: each place is recorded, and told to the indexes by position and by words.

import type { Geometry } from '../../geo/geometry.ts';
import { type LayerMeta, LayerWriter } from '../../tables/places/layer.ts';
import type { Place } from '../../tables/places/place.ts';
import { SpatialIndexBuilder } from '../index/spatial_index.ts';
import { SearchIndexBuilder } from '../search/word_index/builder.ts';

/** Builds one layer. */
export class LayerBuilder {
  private readonly writer: LayerWriter;
  private readonly indexes = [new SpatialIndexBuilder(), new SearchIndexBuilder()];

  /**
   * Begins a layer in a new folder.
   * @param folder absolute path; it is made
   */
  static start(folder: string): LayerBuilder {
    return new LayerBuilder(new LayerWriter(folder));
  }

  private constructor(writer: LayerWriter) {
    this.writer = writer;
  }

  /** Places so far. */
  get count(): number {
    return this.writer.count;
  }

  /**
   * Adds the next place: after the places that it names.
   * @returns its id
   * @throws Error with a sentence when it cannot be written, or names a place that does not stand before it
   */
  add(place: Place, geometry: Geometry): number {
    const named = Math.max(place.parent, ...place.rows);
    if (named > this.writer.count) throw new Error(`Place ${this.writer.count + 1} names place ${named}, which does not stand before it.`);
    const id = this.writer.put(place);
    for (const index of this.indexes) index.add(id, place, geometry);
    return id;
  }

  /**
   * Writes the indexes and closes the layer.
   * @param about whose data it is, and where it is from
   * @param onStep told before each step, of how many; what it throws ends the work
   * @throws Error with a sentence when it cannot be written
   */
  finish(about: Pick<LayerMeta, 'licence' | 'sources'>, onStep: (done: number, steps: number) => void = () => {}): Promise<LayerMeta> {
    const steps = this.indexes.length + 1;
    for (const [done, index] of this.indexes.entries()) {
      onStep(done, steps);
      index.finish(this.writer);
    }
    onStep(steps - 1, steps);
    return this.writer.finish(about);
  }

  /** Gives up; the folder can be removed then. */
  abandon(): Promise<void> {
    return this.writer.abandon();
  }
}
