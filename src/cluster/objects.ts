// Files and bytes in the object store, each under the SHA-256 of its bytes. What is fetched is compared with its name,
// so neither a broken transfer nor another file can come into force.

import { createHash, hash as hashOf } from 'node:crypto';
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { ObjectInfo, ObjectStore } from '@nats-io/obj';
import type { StoredFile } from './manifest.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
/** A delta is held in memory. Its learner makes a base where it would be larger. */
const DELTA_BYTES_MAX = 256 * 1_048_576;
/** Objects that no manifest names are kept for so long. */
const YOUNG_MILLISECONDS = 600_000;
/** How long the next part of an object may take. */
const PART_MILLISECONDS = 5_000;

/**
 * Stores a file unless the store has it. @param nameOf name of the object by its hash @param onBytes called with the
 * bytes of each part
 */
export async function storeFile(
  objects: ObjectStore,
  path: string,
  nameOf = (hash: string) => hash,
  onBytes: (bytes: number) => void = () => {},
): Promise<StoredFile> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(path), digest);
  const stored = { hash: digest.digest('hex'), bytes: statSync(path).size };
  const name = nameOf(stored.hash);
  const parts = async function* (): AsyncGenerator<Uint8Array> {
    for await (const part of createReadStream(path)) {
      onBytes(part.length);
      yield part;
    }
  };
  if (!(await isStored(objects, name)))
    await objects.put({ name }, Readable.toWeb(Readable.from(parts())) as ReadableStream<Uint8Array>);
  return stored;
}

/**
 * Fetches a file, which is on disk when this resolves.
 * @param onBytes called with the bytes of each part
 * @param name of the object
 * @throws Error when it is gone or another one
 */
export async function fetchFile(
  objects: ObjectStore,
  { hash, bytes }: StoredFile,
  path: string,
  onBytes: (bytes: number) => void,
  name = hash,
): Promise<void> {
  const digest = createHash('sha256');
  let length = 0;
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const part of partsOf(objects, name)) {
      digest.update(part);
      length += part.length;
      onBytes(part.length);
      yield part;
    }
  };
  await pipeline(counted, createWriteStream(path, { mode: 0o600, flush: true }));
  if (length !== bytes || digest.digest('hex') !== hash) throw damaged(hash);
}

/** An object, part by part. @throws Error when it is gone, or the next part does not come in time */
async function* partsOf(objects: ObjectStore, hash: string): AsyncGenerator<Uint8Array> {
  const found = await objects.get(hash);
  if (found === null) throw new Error(`The object ${hash} of the cluster is gone.`);
  // A failure is that of the parts too.
  found.error.catch(() => undefined);
  const parts = found.data.getReader();
  try {
    for (;;) {
      const { done, value } = await soon(parts.read(), hash);
      if (done) return;
      yield value;
    }
  } finally {
    // Where the parts have failed, that has been thrown.
    parts.cancel().catch(() => undefined);
  }
}

/** The client itself waits for a minute, and meanwhile nothing is learned, where the server that sends is lost. */
function soon<T>(part: Promise<T>, hash: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = new Error(`The object ${hash} of the cluster does not come on.`);
    const timer = setTimeout(() => reject(late), PART_MILLISECONDS);
    part.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function damaged(hash: string): Error {
  return new Error(`The object ${hash} of the cluster is damaged: it has other bytes than its name says.`);
}

/** The store tells of an object that was removed, too. */
async function isStored(objects: ObjectStore, name: string): Promise<boolean> {
  const info = await objects.info(name);
  return info !== null && !info.deleted;
}

/** Stores bytes as they are unless the store has them. @param hash their SHA-256 */
export async function storePiece(objects: ObjectStore, hash: string, bytes: Uint8Array): Promise<void> {
  if (!(await isStored(objects, hash))) await objects.putBlob({ name: hash }, bytes);
}

/** Stores bytes, compressed. */
export async function storeBytes(objects: ObjectStore, bytes: Buffer): Promise<StoredFile> {
  const packed = await compress(bytes);
  const hash = hashOf('sha256', packed);
  await objects.putBlob({ name: hash }, packed);
  return { hash, bytes: packed.length };
}

/** Fetches them. @throws Error when they are gone or others */
export async function fetchBytes(objects: ObjectStore, { hash }: StoredFile): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of partsOf(objects, hash)) parts.push(part);
  const packed = Buffer.concat(parts);
  if (hashOf('sha256', packed) !== hash) throw damaged(hash);
  return decompress(packed, { maxOutputLength: DELTA_BYTES_MAX });
}

/**
 * Removes objects that nobody needs any more. What is younger than ten minutes may be of a node that is about to name
 * it. @param listed from `list` @returns how many were left because they are young
 */
export async function removeOthers(
  objects: ObjectStore,
  listed: readonly ObjectInfo[],
  needed: ReadonlySet<string>,
): Promise<number> {
  let young = 0;
  for (const { name, mtime } of listed) {
    if (needed.has(name)) continue;
    if (Date.now() - Date.parse(mtime) < YOUNG_MILLISECONDS) young++;
    else await objects.delete(name);
  }
  return young;
}
