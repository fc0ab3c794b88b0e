// Builds a layer: stores each place and passes it to the indexes by position, by words and by object.

import type { Geometry } from '../../geo/rings.ts';
import { ScratchFiles } from '../../tables/environment/scratch_file.ts';
import { type LayerReader, LayerWriter } from '../../tables/places/layer.ts';
import type { LayerAbout, LayerMeta } from '../../tables/places/layer_meta.ts';
import type { Place } from '../../tables/places/place.ts';
import { SpatialIndexBuilder } from '../index/spatial_index.ts';
import { ObjectIndexBuilder } from '../lookup/object_index.ts';
import { SearchIndexBuilder } from '../search/word_index/builder.ts';

/** Builds one layer. */
export class LayerBuilder {
  private readonly writer: LayerWriter;
  private readonly scratch: ScratchFiles;
  private readonly objects: ObjectIndexBuilder;
  private readonly words: SearchIndexBuilder;
  private readonly indexes: readonly (SpatialIndexBuilder | SearchIndexBuilder | ObjectIndexBuilder)[];
  /** Those that places are added to; the others stay empty. */
  private readonly filled: LayerBuilder['indexes'];

  /**
   * Starts a layer in a new folder.
   * @param folder absolute path; it is created
   * @param pointsOnly it answers points, and no words or objects
   */
  static start(folder: string, pointsOnly = false): LayerBuilder {
    return new LayerBuilder(folder, pointsOnly);
  }

  private constructor(folder: string, pointsOnly: boolean) {
    this.writer = new LayerWriter(folder);
    this.scratch = new ScratchFiles(folder);
    this.objects = new ObjectIndexBuilder(folder);
    this.words = new SearchIndexBuilder(folder);
    this.indexes = [new SpatialIndexBuilder(this.scratch), this.words, this.objects];
    this.filled = pointsOnly ? this.indexes.slice(0, 1) : this.indexes;
  }

  /** Places so far. */
  get count(): number {
    return this.writer.count;
  }

  /** How many objects of OpenStreetMap that another layer has are not in this one. */
  countMissing(layer: LayerReader): number {
    return this.objects.countMissing(layer);
  }

  /**
   * Adds the next place, after the places that it refers to.
   * @param record of the place, if it is encoded already (tables/places/place_record.ts)
   * @returns its id
   * @throws Error with a full sentence if it cannot be written or refers to a place that was not added before
   */
  add(place: Place, geometry: Geometry, record?: Uint8Array): number {
    const named = Math.max(place.parent, ...place.rows);
    if (named > this.writer.count)
      throw new Error(`Place ${this.writer.count + 1} names place ${named}, which does not stand before it.`);
    const id = this.writer.put(place, record);
    for (const index of this.filled) index.add(id, place, geometry);
    return id;
  }

  /** Adds a section to the index in memory, of bytes that no longer change. */
  section(name: string, bytes: Uint8Array): void {
    this.writer.section(name, bytes);
  }

  /**
   * Writes the indexes and closes the layer.
   * @param about licence and sources of the data
   * @param onStep called before each step and often in it; an exception from it ends the work
   * @throws Error with a full sentence if it cannot be written
   */
  finish(about: LayerAbout, onStep: (done: number, steps: number) => void = () => {}): Promise<LayerMeta> {
    const steps = this.indexes.length + 1;
    for (const [done, index] of this.indexes.entries()) {
      this.writer.onPart = () => onStep(done, steps);
      this.writer.onPart();
      index.finish(this.writer);
    }
    this.writer.onPart = () => onStep(steps - 1, steps);
    this.closeScratch();
    return this.writer.finish(about);
  }

  /** Abandons the layer; the folder can then be removed. */
  abandon(): Promise<void> {
    this.closeScratch();
    return this.writer.abandon();
  }

  private closeScratch(): void {
    this.scratch.close();
    this.objects.close();
    this.words.close();
  }
}
