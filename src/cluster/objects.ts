// Files and bytes in the object store, each under the SHA-256 of its bytes. What is fetched is compared with its name,
// so neither a broken transfer nor another file can come into force.

import { createHash, hash as hashOf } from 'node:crypto';
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { StorageType } from '@nats-io/jetstream';
import { type ObjectInfo, type ObjectStore, Objm } from '@nats-io/obj';
import type { ClusterConnection } from './connection.ts';
import { storedMessages } from './stored_messages.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
/** A delta is held in memory. Its learner makes a base where it would be larger. */
const DELTA_BYTES_MAX = 256 * 1_048_576;
/** Objects that no manifest names are kept for so long. */
const YOUNG_MILLISECONDS = 600_000;

/** Bytes in the object store. */
export interface StoredFile {
  /** SHA-256 of the bytes, hexadecimal; also the name of the object. */
  hash: string;
  bytes: number;
}

/** An object store. Whoever reads in it leaves no consumer behind. */
export class Objects {
  readonly store: ObjectStore;
  /** Lists of files that the manifest named when it was last read or written, by their hashes (manifest.ts). */
  lists = new Map<string, Record<string, StoredFile>>();
  /** Names of objects that were gone or damaged when this node last read them. */
  readonly lost = new Set<string>();
  private readonly jetstream: ClusterConnection['jetstream'];
  private readonly bucket: string;

  private constructor(store: ObjectStore, jetstream: ClusterConnection['jetstream'], bucket: string) {
    this.store = store;
    this.jetstream = jetstream;
    this.bucket = bucket;
  }

  /** Opens a store, which is made where it is missing. @param options `ttl` in nanoseconds @throws Error of NATS */
  static async open(
    { jetstream, replicas }: Pick<ClusterConnection, 'jetstream' | 'replicas'>,
    bucket: string,
    options: { ttl?: number; storage?: StorageType },
  ): Promise<Objects> {
    const store = await new Objm(jetstream).create(bucket, { ...options, replicas });
    return new Objects(store, jetstream, bucket);
  }

  /** All objects that are there. @throws Error of NATS */
  async list(): Promise<ObjectInfo[]> {
    const listed: ObjectInfo[] = [];
    for await (const message of this.messages('M.>', 'The list of objects of the cluster', 'last'))
      listed.push(message.json<ObjectInfo>());
    return listed.filter(({ deleted }) => !deleted);
  }

  /** An object; undefined where there is none. @throws Error of NATS */
  async find(name: string): Promise<ObjectInfo | undefined> {
    const info = await this.store.info(name);
    // The store tells of an object that was removed, too.
    return info === null || info.deleted ? undefined : info;
  }

  /** @throws Error of NATS */
  async remove(name: string): Promise<void> {
    await this.store.delete(name);
  }

  /** Yields the bytes of an object, part by part. @throws ObjectGone; Error when the next part does not come in time */
  async *parts(name: string): AsyncGenerator<Uint8Array> {
    const found = await this.find(name);
    if (found === undefined) {
      this.lost.add(name);
      throw new ObjectGone(name);
    }
    this.lost.delete(name);
    for await (const { data } of this.messages(`C.${found.nuid}`, whatOf(name))) yield data;
  }

  /** Takes an object out that is damaged or gone, so that it is stored anew. @throws Error of NATS */
  async forget(name: string): Promise<void> {
    this.lists.delete(name);
    this.lost.add(name);
    await this.remove(name);
  }

  private messages(subject: string, what: string, which?: 'last'): ReturnType<typeof storedMessages> {
    return storedMessages(this.jetstream, `OBJ_${this.bucket}`, `$O.${this.bucket}.${subject}`, what, which);
  }
}

function whatOf(name: string): string {
  return `The object ${name} of the cluster`;
}

/** An object is gone. */
export class ObjectGone extends Error {
  constructor(name: string) {
    super(`${whatOf(name)} is gone.`);
  }
}

/**
 * Stores a file unless the store has it. @param nameOf name of the object by its hash @param onBytes called with the
 * bytes of each part
 */
export async function storeFile(
  objects: Objects,
  path: string,
  nameOf = (hash: string) => hash,
  onBytes: (bytes: number) => void = () => {},
): Promise<StoredFile> {
  const stored = { hash: await hashOfFile(path), bytes: statSync(path).size };
  const name = nameOf(stored.hash);
  const parts = async function* (): AsyncGenerator<Uint8Array> {
    for await (const part of createReadStream(path)) {
      onBytes(part.length);
      yield part;
    }
  };
  if ((await objects.find(name)) === undefined)
    await objects.store.put({ name }, Readable.toWeb(Readable.from(parts())) as ReadableStream<Uint8Array>);
  return stored;
}

/** SHA-256 of a file, hexadecimal. */
export async function hashOfFile(path: string): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(path), digest);
  return digest.digest('hex');
}

/**
 * Fetches a file, which is on disk when this resolves.
 * @param onBytes called with the bytes of each part
 * @param name of the object
 * @throws Error when it is gone or another one
 */
export async function fetchFile(
  objects: Objects,
  { hash, bytes }: StoredFile,
  path: string,
  onBytes: (bytes: number) => void,
  name = hash,
): Promise<void> {
  const digest = createHash('sha256');
  let length = 0;
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const part of objects.parts(name)) {
      digest.update(part);
      length += part.length;
      onBytes(part.length);
      yield part;
    }
  };
  await pipeline(counted, createWriteStream(path, { mode: 0o600, flush: true }));
  if (length !== bytes || digest.digest('hex') !== hash) throw damaged(objects, hash);
}

function damaged(objects: Objects, hash: string): Error {
  objects.lost.add(hash);
  return new Error(`${whatOf(hash)} is damaged: it has other bytes than its name says.`);
}

/** Stores bytes as they are unless the store has them. @param hash their SHA-256 */
export async function storePiece(objects: Objects, hash: string, bytes: Uint8Array): Promise<void> {
  if ((await objects.find(hash)) === undefined) await objects.store.putBlob({ name: hash }, bytes);
}

/** Stores bytes, compressed. */
export async function storeBytes(objects: Objects, bytes: Buffer): Promise<StoredFile> {
  const packed = await compress(bytes);
  const hash = hashOf('sha256', packed);
  await objects.store.putBlob({ name: hash }, packed);
  return { hash, bytes: packed.length };
}

/** Fetches them. @throws Error when they are gone or others */
export async function fetchBytes(objects: Objects, { hash }: StoredFile): Promise<Buffer> {
  return decompress(await fetchPiece(objects, hash), { maxOutputLength: DELTA_BYTES_MAX });
}

/** True if an object is there, and has the bytes that its name says. @throws Error of NATS */
export async function isWhole(objects: Objects, hash: string): Promise<boolean> {
  const digest = createHash('sha256');
  try {
    for await (const part of objects.parts(hash)) digest.update(part);
  } catch (error) {
    if (error instanceof ObjectGone) return false;
    throw error;
  }
  return digest.digest('hex') === hash;
}

/** Fetches bytes as they are. @throws Error when they are gone or others */
export async function fetchPiece(objects: Objects, hash: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of objects.parts(hash)) parts.push(part);
  const bytes = Buffer.concat(parts);
  if (hashOf('sha256', bytes) !== hash) throw damaged(objects, hash);
  return bytes;
}

/**
 * Removes objects that nobody needs any more. What is younger than ten minutes may be of a node that is about to name
 * it. @param listed from `list` @returns how many were left because they are young
 */
export async function removeOthers(
  objects: Objects,
  listed: readonly ObjectInfo[],
  needed: ReadonlySet<string>,
): Promise<number> {
  let young = 0;
  for (const { name, mtime } of listed) {
    if (needed.has(name)) continue;
    if (Date.now() - Date.parse(mtime) < YOUNG_MILLISECONDS) young++;
    else await objects.remove(name);
  }
  return young;
}
