// Changes of the map since an extract was made: each object in its newest version, or that it is gone. They stand in
// the order of a sorted extract, so that both can be read side by side (changed_file.ts):
//
//   the mark of the format
//   nodes, ways, relations    records, each behind its length
//   footer                    where ways and relations begin, objects, a checksum of all before
//
// Numbers are those of geocoding/index/varint.ts, the footer's are 64-bit. A file is written once and replaced as a
// whole.

import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { ScratchFile } from '../../../tables/environment/scratch_file.ts';
import { OSM_NODE, OSM_RELATION, OSM_WAY, type OsmType } from '../../../tables/places/place.ts';
import { ByteReader, ByteWriter } from '../../index/varint.ts';
import type { OsmMember, Tags } from './features.ts';
import { readRecords } from './records.ts';
import { comesBefore } from './versions.ts';

/** An object as it is after a change. */
export interface ObjectChange {
  type: OsmType;
  id: number;
  /** 1 or more. */
  version: number;
  /** It is gone; then it has nothing of what follows. */
  isDeleted: boolean;
  tags: Tags;
  /** Of a node, ten-millionths of a degree. */
  longitude: number;
  latitude: number;
  /** Of a way. */
  nodeIds: readonly number[];
  /** Of a relation. */
  members: readonly OsmMember[];
}

const MARK = Buffer.from('sextant changes 1\n');
const TYPES = [OSM_NODE, OSM_WAY, OSM_RELATION] as const;
const FOOTER_NUMBERS = 4;
const FOOTER_BYTES = FOOTER_NUMBERS * 8;
const BUFFER_BYTES = 256 * 1024;

/** A file of changes, open for reading. */
export class ChangeFile {
  /** Objects in it. */
  readonly count: number;
  private readonly path: string;
  private readonly file: number;
  /** Where the objects of each type begin, and the end of the last. */
  private readonly starts: readonly number[];

  /** @throws Error that names the file if it is missing or damaged */
  constructor(path: string) {
    this.path = path;
    this.file = openSync(path, 'r');
    try {
      const { footer, end } = this.readChecked();
      const [ways, relations, count] = Array.from(footer);
      this.count = count;
      this.starts = [MARK.length, ways, relations, end];
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Objects of a type in the order of their ids. */
  *read(type: OsmType): Generator<ObjectChange> {
    for (const record of this.records(type)) yield decodeChange(type, record);
  }

  /** The same as they are written: valid until the next one. */
  records(type: OsmType): Generator<ByteReader> {
    const number = TYPES.indexOf(type as (typeof TYPES)[number]);
    const end = this.starts[number + 1];
    const read = (into: Uint8Array, position: number) =>
      readSync(this.file, into, 0, Math.min(into.length, end - position), position);
    return readRecords(read, this.starts[number]);
  }

  close(): void {
    closeSync(this.file);
  }

  /** Reads all once. @throws Error where the checksum differs */
  private readChecked(): { footer: Float64Array; end: number } {
    const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
    let bytes = 0;
    let sum = 0;
    /** The last bytes so far, which may be the footer. */
    let tail: Buffer = Buffer.alloc(0);
    for (let got = -1; got !== 0; bytes += got) {
      got = readSync(this.file, buffer, 0, buffer.length, bytes);
      if (bytes === 0 && !buffer.subarray(0, Math.min(got, MARK.length)).equals(MARK)) throw this.damaged();
      const both = Buffer.concat([tail, buffer.subarray(0, got)]);
      const before = Math.max(0, both.length - FOOTER_BYTES);
      sum = crc32(both.subarray(0, before), sum);
      tail = both.subarray(before);
    }
    const footer = new Float64Array(FOOTER_NUMBERS);
    Buffer.from(footer.buffer).set(tail);
    if (bytes < MARK.length + FOOTER_BYTES || footer[FOOTER_NUMBERS - 1] !== sum) throw this.damaged();
    return { footer, end: bytes - FOOTER_BYTES };
  }

  private damaged(): Error {
    return new Error(`The changes of an extract in ${this.path} are damaged; import the extract again.`);
  }
}

/** New changes while they are read: their records on disk, in memory what they are sorted by. */
export class NewChanges {
  private readonly scratch: ScratchFile;
  private readonly out = new ByteWriter();
  private readonly record = new ByteWriter();
  private readonly entries: Record<OsmType, Entry[]> = { 0: [], 1: [], 2: [], 3: [] };

  /** @param scratch empty */
  constructor(scratch: ScratchFile) {
    this.scratch = scratch;
  }

  /** Notes a change; of equal versions the one that is added last counts. */
  add(change: ObjectChange): void {
    this.record.clear();
    encodeChange(change, this.record);
    const { type, id, version } = change;
    this.entries[type].push({ id, version, at: this.scratch.bytes + this.out.length, length: this.record.length });
    this.out.put(this.record.view());
    if (this.out.length >= BUFFER_BYTES) this.flush();
  }

  /**
   * Writes them and those before into a new file.
   * @returns objects in it
   */
  mergeInto(path: string, before: ChangeFile | undefined): number {
    this.flush();
    const writer = new ChangeWriter(path);
    try {
      for (const type of TYPES) {
        writer.begin();
        for (const record of this.merged(type, before)) writer.write(record);
      }
      return writer.finish();
    } finally {
      writer.close();
    }
  }

  private *merged(type: OsmType, before: ChangeFile | undefined): Generator<Uint8Array> {
    const older = before?.records(type) ?? [][Symbol.iterator]();
    let old = older.next();
    for (const entry of newestOf(this.entries[type])) {
      for (; !old.done && comesBefore(idIn(old.value), entry.id); old = older.next()) yield bytesIn(old.value);
      if (!old.done && idIn(old.value) === entry.id) {
        const isOlder = versionIn(old.value) <= entry.version;
        if (!isOlder) yield bytesIn(old.value);
        old = older.next();
        if (!isOlder) continue;
      }
      const bytes = new Uint8Array(entry.length);
      this.scratch.read(bytes, entry.at);
      yield bytes;
    }
    for (; !old.done; old = older.next()) yield bytesIn(old.value);
  }

  private flush(): void {
    this.scratch.append(this.out.view());
    this.out.clear();
  }
}

/** Where a change stands in the scratch file. */
interface Entry {
  id: number;
  version: number;
  at: number;
  length: number;
}

/** The newest entry of each object, in the order of ids. */
function* newestOf(entries: Entry[]): Generator<Entry> {
  entries.sort((a, b) => (a.id === b.id ? a.version - b.version || a.at - b.at : comesBefore(a.id, b.id) ? -1 : 1));
  for (let i = 0; i < entries.length; i++) if (entries[i].id !== entries[i + 1]?.id) yield entries[i];
}

/** Writes a file from front to back. */
class ChangeWriter {
  private readonly file: number;
  private readonly out = new ByteWriter();
  private readonly starts: number[] = [];
  private bytes = 0;
  private sum = 0;
  private count = 0;

  constructor(path: string) {
    this.file = openSync(path, 'wx', 0o600);
    this.out.put(MARK);
  }

  /** Begins the next type. */
  begin(): void {
    this.starts.push(this.bytes + this.out.length);
  }

  write(record: Uint8Array): void {
    this.out.unsigned(record.length);
    this.out.put(record);
    this.count++;
    if (this.out.length >= BUFFER_BYTES) this.flush();
  }

  finish(): number {
    this.flush();
    const [, ways, relations] = this.starts;
    this.out.put(new Uint8Array(Float64Array.of(ways, relations, this.count, this.sum).buffer));
    this.flush();
    return this.count;
  }

  close(): void {
    closeSync(this.file);
  }

  private flush(): void {
    const bytes = this.out.view();
    for (let done = 0; done < bytes.length; ) done += writeSync(this.file, bytes, done, bytes.length - done);
    this.sum = crc32(bytes, this.sum);
    this.bytes += bytes.length;
    this.out.clear();
  }
}

function bytesIn({ bytes, at, end }: ByteReader): Uint8Array {
  return bytes.subarray(at, end);
}

function idIn({ bytes, at, end }: ByteReader): number {
  return new ByteReader(bytes, at, end).signed();
}

function versionIn({ bytes, at, end }: ByteReader): number {
  const reader = new ByteReader(bytes, at, end);
  reader.signed();
  return Math.floor(reader.unsigned() / 2);
}

function encodeChange(change: ObjectChange, out: ByteWriter): void {
  const { type, id, version, isDeleted, tags, longitude, latitude, nodeIds, members } = change;
  out.signed(id);
  out.unsigned(version * 2 + (isDeleted ? 1 : 0));
  if (isDeleted) return;
  const entries = Object.entries(tags);
  out.unsigned(entries.length);
  for (const texts of entries) for (const text of texts) out.text(text);
  if (type === OSM_NODE) {
    out.signed(longitude);
    out.signed(latitude);
  } else if (type === OSM_WAY) {
    out.unsigned(nodeIds.length);
    for (let i = 0; i < nodeIds.length; i++) out.signed(nodeIds[i] - (i === 0 ? 0 : nodeIds[i - 1]));
  } else {
    out.unsigned(members.length);
    for (const { type, id, role } of members) {
      out.unsigned(type);
      out.signed(id);
      out.text(role);
    }
  }
}

function decodeChange(type: OsmType, reader: ByteReader): ObjectChange {
  const id = reader.signed();
  const stated = reader.unsigned();
  const change: ObjectChange = {
    type,
    id,
    version: Math.floor(stated / 2),
    isDeleted: stated % 2 === 1,
    tags: {},
    longitude: 0,
    latitude: 0,
    nodeIds: [],
    members: [],
  };
  if (change.isDeleted) return change;
  const tags: Record<string, string> = {};
  for (let left = reader.unsigned(); left > 0; left--) {
    const key = reader.text();
    tags[key] = reader.text();
  }
  change.tags = tags;
  if (type === OSM_NODE) {
    change.longitude = reader.signed();
    change.latitude = reader.signed();
  } else if (type === OSM_WAY) {
    let nodeId = 0;
    change.nodeIds = Array.from({ length: reader.unsigned() }, () => (nodeId += reader.signed()));
  } else {
    change.members = Array.from({ length: reader.unsigned() }, () => ({
      type: reader.unsigned() as OsmType,
      id: reader.signed(),
      role: reader.text(),
    }));
  }
  return change;
}
