// Builds a layer: each place is recorded, and told to every index that questions are answered from.

import { type LayerMeta, LayerWriter } from '../../tables/layer.ts';
import type { Place } from '../../tables/place.ts';
import type { Geometry } from '../geometry.ts';

/** What is built beside the records. */
export interface LayerIndexBuilder {
  /** Takes a place with the id that it was given; ids ascend from 1. */
  add(id: number, place: Place, geometry: Geometry): void;
  /** Writes the index, as entries and sections of the layer. */
  finish(writer: LayerWriter): void;
}

/** Builds one layer. */
export class LayerBuilder {
  private readonly writer: LayerWriter;
  private readonly indexes: readonly LayerIndexBuilder[];

  /**
   * Begins a layer in a new folder.
   * @param folder absolute path; it is made
   */
  static start(folder: string): LayerBuilder {
    return new LayerBuilder(new LayerWriter(folder), []);
  }

  private constructor(writer: LayerWriter, indexes: readonly LayerIndexBuilder[]) {
    this.writer = writer;
    this.indexes = indexes;
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
   * Writes the indexes and closes the layer, which is on the disk then.
   * @param about whose data it is, and where it is from
   * @throws Error with a sentence when it cannot be written
   */
  finish(about: Pick<LayerMeta, 'licence' | 'sources'>): Promise<LayerMeta> {
    for (const index of this.indexes) index.finish(this.writer);
    return this.writer.finish(about);
  }

  /** Gives up; the folder can be removed then. */
  abandon(): Promise<void> {
    return this.writer.abandon();
  }
}
