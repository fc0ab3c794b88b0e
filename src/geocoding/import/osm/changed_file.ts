// An extract as it is with its changes: objects come in the order of the extract, each as the newer of both has it. So
// what is built from it is what a later extract with the same objects would give, to the last byte.

import { OSM_NODE, OSM_RELATION, OSM_WAY } from '../../../tables/places/place.ts';
import { ChangeFile, type ObjectChange } from './change_file.ts';
import type { MapChanges, Tags } from './features.ts';
import { OsmFile } from './file.ts';
import type { OnNode, OnRelation, OnWay } from './objects.ts';
import { comesBefore } from './versions.ts';

/** A file of a map that can be read in passes, with or without changes. */
export type MapFile = Pick<
  OsmFile,
  'bytes' | 'timestamp' | 'isSorted' | 'scan' | 'bytesOf' | 'readNodes' | 'readWays' | 'close'
>;

/** Opens an extract, with changes if it has some. @throws Error that names the file that cannot be used */
export async function openMap(path: string, changes: MapChanges | undefined): Promise<MapFile> {
  const file = await OsmFile.open(path);
  if (changes === undefined) return file;
  try {
    return new ChangedFile(file, new ChangeFile(changes.path), changes.timestamp);
  } catch (error) {
    await file.close();
    throw error;
  }
}

class ChangedFile implements MapFile {
  readonly bytes: number;
  readonly timestamp: number;
  readonly isSorted = true;
  private readonly file: OsmFile;
  private readonly changes: ChangeFile;

  constructor(file: OsmFile, changes: ChangeFile, timestamp: number) {
    this.file = file;
    this.changes = changes;
    this.bytes = file.bytes;
    this.timestamp = Math.max(file.timestamp, timestamp);
  }

  async scan(take: OnRelation, onBytes: (done: number) => void): Promise<void> {
    const merge = new Merge(this.changes.read(OSM_RELATION), ({ id, version, tags, members }) =>
      take(id, version, tags, [...members]),
    );
    await this.file.scan((id, version, tags, members) => {
      if (merge.isKept(id, version)) take(id, version, tags, members);
    }, onBytes);
    merge.finish();
  }

  bytesOf(holds: number): number {
    return this.file.bytesOf(holds);
  }

  async readNodes(take: OnNode, onBytes: (done: number) => void): Promise<void> {
    const merge = new Merge(this.changes.read(OSM_NODE), ({ id, version, longitude, latitude, tags }) =>
      take(id, version, longitude, latitude, tagsOrNone(tags)),
    );
    const takeOld: OnNode = (id, version, longitude, latitude, tags) => {
      if (merge.isKept(id, version)) take(id, version, longitude, latitude, tags);
    };
    await this.file.readNodes(takeOld, onBytes);
    merge.finish();
  }

  async readWays(take: OnWay, onBytes: (done: number) => void): Promise<void> {
    const merge = new Merge(this.changes.read(OSM_WAY), ({ id, version, nodeIds, tags }) =>
      take(id, version, Float64Array.from(nodeIds), nodeIds.length, tagsOrNone(tags)),
    );
    const takeOld: OnWay = (id, version, nodeIds, count, tags) => {
      if (merge.isKept(id, version)) take(id, version, nodeIds, count, tags);
    };
    await this.file.readWays(takeOld, onBytes);
    merge.finish();
  }

  async close(): Promise<void> {
    this.changes.close();
    await this.file.close();
  }
}

/** Passes changes between the objects of an extract, both in the order of their ids. */
class Merge {
  private readonly changes: Generator<ObjectChange>;
  private readonly take: (change: ObjectChange) => void;
  private next: IteratorResult<ObjectChange>;

  constructor(changes: Generator<ObjectChange>, take: (change: ObjectChange) => void) {
    this.changes = changes;
    this.take = take;
    this.next = changes.next();
  }

  /** Takes the changes before an object of the extract. @returns false if there is a newer version of it */
  isKept(id: number, version: number): boolean {
    while (!this.next.done && comesBefore(this.next.value.id, id)) this.pass();
    if (this.next.done || this.next.value.id !== id) return true;
    if (this.next.value.version >= version) return false;
    this.next = this.changes.next();
    return true;
  }

  /** Takes the changes after the last object. */
  finish(): void {
    while (!this.next.done) this.pass();
  }

  private pass(): void {
    const { value } = this.next as IteratorYieldResult<ObjectChange>;
    if (!value.isDeleted) this.take(value);
    this.next = this.changes.next();
  }
}

function tagsOrNone(tags: Tags): Tags | undefined {
  for (const _ in tags) return tags;
  return undefined;
}
