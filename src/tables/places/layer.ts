// A layer: one set of places that is written once, from front to back, and then only read. It is a folder with two
// files, each beside a lock of LMDB's:
//
//   data.mdb         LMDB environment: `places` holds the records by id (u32, big-endian), `meta` describes the layer,
//                    and the other databases serve search by words, with plain bytes as keys and values
//   index/data.mdb   the indexes searched in place (environment/section_file.ts)
//
// Ids are 1..n in the order in which places are put. Every database is written in the order of its keys, so that LMDB
// fills every page and searches none.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Database, RootDatabase } from 'lmdb';
import { closeEnvironment, commitInBulk } from '../environment/commit.ts';
import { BINARY, checkEnvironmentFile, DATA_FILE, existing } from '../environment/environment_file.ts';
import { openEnvironment, requireFormat } from '../environment/open_environment.ts';
import { type SectionFile, SectionFileWriter } from '../environment/section_file.ts';
import { INDEX_FILE, INDEX_FOLDER, openIndex, orUnusable } from './layer_index.ts';
import type { KeptExtract, LayerAbout, LayerMeta } from './layer_meta.ts';
import type { Place } from './place.ts';
import { decodePlace, encodePlace, placeBuilder } from './place_record.ts';
import { RANK_HOUSE } from './ranks.ts';

/** Version of the layout of a layer. */
export const LAYER_FORMAT = 4;
/** Files of a layer in its folder. */
export const LAYER_FILES: readonly string[] = [DATA_FILE, INDEX_FILE];
const META_KEY = 'layer';
const PLACES = 'places';
/**
 * Databases of search: postings by token, tokens by what is left of them without one letter, houses by street and
 * number, places by kind, places by word or kind and what is around them, and places by their object of OpenStreetMap.
 */
export const WORD_DATABASES = ['tokens', 'deletes', 'houses', 'kinds', 'around', 'objects'] as const;
type WordDatabase = (typeof WORD_DATABASES)[number];
const DATABASES = WORD_DATABASES.length + 2;
const ID_BYTES = 4;
/**
 * Bytes of records and entries gathered for one transaction; LMDB holds about twice that in memory until the commit.
 */
const TRANSACTION_BYTES = 4 * 1_048_576;
const BYTES_AT_START = 65_536;
/** Approximate overhead of an entry, bytes. */
const ENTRY_BYTES = 32;
/**
 * Decoded places that a reader keeps: the areas and roads of addresses recur, and houses and shops must not drive them
 * out. A place takes about a kilobyte.
 */
const KEPT_AREAS = 4_096;
const KEPT_HOUSES = 1_024;
const WHAT = 'The places';
const TABLE = 'layer of places';

type Bytes = Database<Buffer, Buffer>;

/** The databases of a layer. Closing `root` closes all. */
export interface LayerTables {
  root: RootDatabase<Buffer, Buffer>;
  /** Records by id. */
  places: Bytes;
  /** Of search by words. */
  words: Record<WordDatabase, Bytes>;
  meta: Database<unknown, string>;
}

/** A key, which begins where the entry before ends, and its value. */
interface Entry {
  database: Bytes;
  valueAt: number;
  end: number;
}

/**
 * Writes a layer. Entries are gathered and written in large synchronous transactions. After an error the layer must be
 * given up.
 */
export class LayerWriter {
  private readonly tables: LayerTables;
  private readonly sections: SectionFileWriter;
  private readonly builder = placeBuilder();
  /** Keys and values that wait for the next transaction, one after the other in memory that is used again. */
  private bytes: Buffer<ArrayBuffer> = Buffer.allocUnsafeSlow(BYTES_AT_START);
  private used = 0;
  private waiting: Entry[] = [];
  private last = 0;
  /** Called before each part of what is written; what it throws ends the work. */
  onPart: () => void = () => {};

  /** Begins a layer in a new folder, which it creates. */
  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.tables = openTables(folder, true);
    this.sections = new SectionFileWriter(join(folder, INDEX_FOLDER));
  }

  /** Places so far. */
  get count(): number {
    return this.last;
  }

  /** Puts the next place. @returns its id */
  put(place: Place, record = encodePlace(place, this.builder)): number {
    const id = ++this.last;
    this.add(this.tables.places, idKey(id), record);
    return id;
  }

  /**
   * Appends an entry to a database of search by words. @param key above every earlier one of the database, 1..1978
   * bytes
   */
  append(database: WordDatabase, key: Uint8Array, value: Uint8Array): void {
    this.add(this.tables.words[database], key, value);
  }

  private add(database: Bytes, key: Uint8Array, value: Uint8Array): void {
    const valueAt = this.used + key.length;
    const end = valueAt + value.length;
    if (end > this.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(end, 2 * this.bytes.length));
      larger.set(this.bytes.subarray(0, this.used));
      this.bytes = larger;
    }
    this.bytes.set(key, this.used);
    this.bytes.set(value, valueAt);
    this.waiting.push({ database, valueAt, end });
    this.used = end;
    if (this.used + this.waiting.length * ENTRY_BYTES >= TRANSACTION_BYTES) this.flush();
  }

  /** Adds a section of the index. */
  section(name: string, bytes: Uint8Array): void {
    this.sections.add(name, [bytes]);
  }

  /** Adds a section of which only a part is in memory at a time. */
  sectionOfParts(name: string, parts: Iterable<Uint8Array>): void {
    this.sections.add(name, parts, this.onPart);
  }

  private flush(): void {
    this.onPart();
    const { bytes, waiting } = this;
    this.waiting = [];
    this.used = 0;
    commitInBulk(this.tables.root, WHAT, () => {
      let at = 0;
      for (const { database, valueAt, end } of waiting) {
        const key = bytes.subarray(at, valueAt);
        if (!putNext(database, key, bytes.subarray(valueAt, end)))
          throw new Error(`The key ${key.toString('hex')} of a layer of places stands out of order.`);
        at = end;
      }
    });
  }

  /** Writes the rest and closes the layer. Publishing it waits for the disk. */
  async finish(meta: LayerAbout): Promise<LayerMeta> {
    const { root, meta: table } = this.tables;
    this.flush();
    this.sections.finish();
    this.sections.close();
    const builtAt = new Date().toISOString();
    const all: LayerMeta = { format: LAYER_FORMAT, builtAt, count: this.last, ...meta };
    // Written last: a layer given up half-way has no description, and is refused.
    commitInBulk(root, WHAT, () => table.putSync(META_KEY, all));
    await closeEnvironment(root);
    return all;
  }

  /** Gives the layer up; its folder can then be removed. */
  abandon(): Promise<void> {
    this.sections.close();
    return closeEnvironment(this.tables.root);
  }
}

/** The places that were read last, each in the slot of its id. */
class KeptPlaces {
  private readonly places: (Place | undefined)[];
  private readonly ids: Uint32Array;

  constructor(slots: number) {
    this.places = new Array(slots);
    this.ids = new Uint32Array(slots);
  }

  get(id: number): Place | undefined {
    const slot = id % this.ids.length;
    return this.ids[slot] === id ? this.places[slot] : undefined;
  }

  put(id: number, place: Place): void {
    const slot = id % this.ids.length;
    this.ids[slot] = id;
    this.places[slot] = place;
  }
}

/** Reads a layer, in one thread. A batch of reads ends with `release`, before the thread waits for anything. */
export class LayerReader {
  readonly meta: LayerMeta;
  private readonly folder: string;
  private readonly tables: LayerTables;
  private index: SectionFile | undefined;
  private readonly key = Buffer.alloc(ID_BYTES);
  private readonly areas = new KeptPlaces(KEPT_AREAS);
  private readonly houses = new KeptPlaces(KEPT_HOUSES);

  /**
   * Opens a layer, also when other threads have it open.
   * @throws Error when the folder holds none, or a damaged one, or one of another version
   */
  constructor(folder: string) {
    this.folder = folder;
    this.tables = openLayer(folder);
    this.meta = metaOf(this.tables);
    this.release();
  }

  /**
   * A place; `undefined` when there is none of this id. It is shared between callers and must not be changed.
   * @param id 1..2^32-1
   * @throws Error when its record is damaged
   */
  place(id: number): Place | undefined {
    const kept = this.areas.get(id) ?? this.houses.get(id);
    if (kept !== undefined) return kept;
    this.key.writeUInt32BE(id);
    const record = read(this.tables.places, this.key);
    if (record === undefined) return undefined;
    const place = decodePlace(record);
    (place.searchRank < RANK_HOUSE ? this.areas : this.houses).put(id, place);
    return place;
  }

  /** The value under a key; valid until the next call of any method. */
  get(database: WordDatabase, key: Uint8Array): Buffer | undefined {
    return read(
      this.tables.words[database],
      Buffer.isBuffer(key) ? key : Buffer.from(key.buffer, key.byteOffset, key.byteLength),
    );
  }

  /** Entries from a key on, in order of keys; values are copies. Read nothing else before the loop ends. */
  range(database: WordDatabase, start: Uint8Array, limit: number): Iterable<{ key: Buffer; value: Buffer }> {
    return this.tables.words[database].getRange({ start: Buffer.from(start), limit });
  }

  /** The entry of a key or, if there is none, of the greatest key below it; copies. */
  entryUpTo(database: WordDatabase, key: Buffer): { key: Buffer; value: Buffer } | undefined {
    for (const entry of this.tables.words[database].getRange({ start: key, reverse: true, limit: 1 })) return entry;
    return undefined;
  }

  /** Ends the read transaction; the next read begins another. */
  release(): void {
    this.tables.root.resetReadTxn();
  }

  /**
   * Sections of the index by name, which nobody may write to. After `close` they are empty.
   * @throws Error when it is missing or damaged
   */
  get sections(): ReadonlyMap<string, Uint8Array> {
    this.index ??= openIndex(this.folder);
    return this.index.sections;
  }

  async close(): Promise<void> {
    await Promise.all([this.index?.close(), this.tables.root.close()]);
  }
}

/**
 * Opens the databases of a layer, also when others have them open.
 * @throws Error when the folder holds none, or a damaged one, or one of another version
 */
export function openLayer(folder: string): LayerTables {
  return orUnusable(folder, () => {
    if (!checkEnvironmentFile(folder)) throw new Error('it has no data file');
    return openTables(folder, false);
  });
}

/** Changes what a layer that is not live yet says of its extracts. No table of importance came with them. */
export async function restateLayer(folder: string, extracts: KeptExtract[]): Promise<void> {
  const { root, meta } = openTables(folder, true);
  const { importance: _, ...own } = meta.get(META_KEY) as LayerMeta;
  commitInBulk(root, WHAT, () => meta.putSync(META_KEY, { ...own, extracts }));
  await closeEnvironment(root);
}

/** What a layer says about itself. */
export function metaOf(tables: LayerTables): LayerMeta {
  return tables.meta.get(META_KEY) as LayerMeta;
}

/** Key of a place. */
function idKey(id: number): Buffer {
  const key = Buffer.alloc(ID_BYTES);
  key.writeUInt32BE(id);
  return key;
}

/** Appends an entry. @returns false when the key is not above the last one */
function putNext(database: Bytes, key: Buffer, value: Buffer): boolean {
  // The library's types say that nothing is returned.
  return (database.putSync(key, value, { append: true }) as unknown as boolean) !== false;
}

/** The library reuses one buffer and tells the value's length separately. */
function read(database: Bytes, key: Buffer): Buffer | undefined {
  const bytes = database.getBinaryFast(key);
  return bytes?.subarray(0, (database as unknown as { lastSize: number }).lastSize);
}

function openTables(folder: string, create: boolean): LayerTables {
  // Who publishes a layer waits for the disk once, and nobody reads it before.
  const root = openEnvironment(folder, { maxDbs: DATABASES, readOnly: !create, noSync: create });
  const openBytes = (name: string): Bytes =>
    existing(root.openDB<Buffer, Buffer>(name, { ...BINARY, ...{ create } }), TABLE);
  const json = { encoding: 'json', keyEncoding: 'ordered-binary', create } as const;
  try {
    const meta = existing(root.openDB<unknown, string>('meta', json), TABLE);
    // The format comes first: another one may have other databases.
    if (!create) requireFormat((meta.get(META_KEY) as LayerMeta | undefined)?.format, [LAYER_FORMAT], TABLE);
    const words = Object.fromEntries(WORD_DATABASES.map(name => [name, openBytes(name)])) as Record<
      WordDatabase,
      Bytes
    >;
    return { root, places: openBytes(PLACES), words, meta };
  } catch (error) {
    void root.close();
    throw error;
  }
}
