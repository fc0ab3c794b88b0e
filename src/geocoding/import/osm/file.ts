// One OpenStreetMap PBF file: a sequence of compressed blocks, each preceded by a small header that gives its length.
// The first block describes the file.
//
// The first pass goes through the whole file and notes where each block is and what it holds. It finds a truncated or
// damaged file before anything is built from it. Later passes read only the blocks they need, in file order. The next
// blocks are read and decompressed while the current one is parsed.

import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inflate, zstdDecompress } from 'node:zlib';
import type { Box } from '../../../geo/box.ts';
import { BadDataError, ByteReader } from '../../index/varint.ts';
import {
  HOLDS_NODES,
  HOLDS_WAYS,
  type ObjectVisitor,
  type OnNode,
  type OnRelation,
  type OnWay,
  readBlock,
} from './objects.ts';
import { messageIn, readField, skipField, WIRE_BYTES, WIRE_VARINT } from './protobuf.ts';

/** Limits of the format; anything larger is not a block. */
const HEADER_BYTES_MAX = 64 * 1024;
const BLOCK_BYTES_MAX = 32 * 1024 * 1024;
const BLOCKS_AHEAD = 4;
/** Sides of a region in the order of their fields, in nanodegrees. */
const BOX_FIELDS: readonly (keyof Box)[] = ['west', 'east', 'north', 'south'];
const NANODEGREES = 1e9;
/** Format features that this reader supports; a file may require others. */
const KNOWN_FEATURES = ['OsmSchema-V0.6', 'DenseNodes'];

const unzip = promisify(inflate);
const unzstd = promisify(zstdDecompress);

/** Where a block with objects is. */
interface BlockSpan {
  start: number;
  length: number;
  /** `HOLDS_…` added up. */
  holds: number;
}

/** What a file says of itself. */
interface MapDescription {
  isSorted: boolean;
  /** Number of the last file of changes in it, and when these end, ISO 8601, UTC; absent if it does not say. */
  sequence?: number;
  upTo?: string;
  /** The region that it was cut out for, degrees; absent if it does not say. */
  box?: Box;
  /** Where its publisher has the changes of the map; absent if it does not say. */
  updates?: string;
}

/** Reads the description of a file. @throws Error that names the file if it is none */
export async function describeMap(path: string): Promise<MapDescription> {
  const file = await OsmFile.open(path);
  await file.close();
  const { isSorted, sequence, timestamp, box, updates } = file;
  const upTo = new Date(timestamp * 1_000);
  const isTime = timestamp > 0 && !Number.isNaN(upTo.getTime());
  return {
    isSorted,
    ...(sequence > 0 && { sequence }),
    ...(isTime && { upTo: upTo.toISOString() }),
    ...(box && { box }),
    ...(updates !== '' && { updates }),
  };
}

/** An open file. */
export class OsmFile {
  readonly path: string;
  readonly bytes: number;
  /** Seconds since 1970 up to which the file contains the map's changes; 0 if it does not say. */
  timestamp = 0;
  /** Number of the last file of changes that it contains; 0 if it does not say. */
  sequence = 0;
  /** The region that it was cut out for, degrees; undefined if it does not say. */
  box: Box | undefined;
  /** Address at which its publisher has the changes of the map; empty if it does not say. */
  updates = '';
  /** The file declares that its objects are ordered by type and id. */
  isSorted = false;
  private readonly handle: FileHandle;
  private readonly blocks: BlockSpan[] = [];
  /** End of the first description. */
  private firstEnd = 0;

  private constructor(path: string, handle: FileHandle, bytes: number) {
    this.path = path;
    this.handle = handle;
    this.bytes = bytes;
  }

  /**
   * Opens a file and reads its description.
   * @throws Error that names the file if it is missing, is not an OpenStreetMap PBF file, or is one that cannot be used
   *   here
   */
  static async open(path: string): Promise<OsmFile> {
    let handle: FileHandle;
    try {
      handle = await open(path);
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ENOENT'
        ? new Error(`${path} does not exist.`)
        : new Error(`${path} cannot be opened: ${(error as Error).message}.`);
    }
    try {
      const stat = await handle.stat();
      if (!stat.isFile()) throw new Error(`${path} is not a file.`);
      if (stat.size === 0) throw new Error(`${path} is empty.`);
      const file = new OsmFile(path, handle, stat.size);
      await file.readDescription();
      return file;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /**
   * The first pass: goes through all blocks and reads their relations.
   * @param onBytes receives the number of bytes done
   * @throws Error that names the file if it is truncated, damaged or empty
   */
  async scan(takeRelation: OnRelation, onBytes: (done: number) => void): Promise<void> {
    const spans = this.spansOfBlocks();
    for await (const { span, bytes } of this.unpacked(spans)) {
      span.holds = this.read(span, bytes, { relation: takeRelation });
      this.blocks.push(span);
      onBytes(span.start + span.length);
    }
    if (this.blocks.length === 0) throw new Error(`${this.path} holds no objects.`);
  }

  /** Bytes of the blocks that hold one type; call after `scan`. @param holds `HOLDS_…` */
  bytesOf(holds: number): number {
    return this.blocks.reduce((sum, span) => sum + ((span.holds & holds) !== 0 ? span.length : 0), 0);
  }

  /** Reads all nodes; call after `scan`. */
  readNodes(take: OnNode, onBytes: (done: number) => void): Promise<void> {
    return this.readBlocks(HOLDS_NODES, { node: take }, onBytes);
  }

  /** Reads all ways; call after `scan`. */
  readWays(take: OnWay, onBytes: (done: number) => void): Promise<void> {
    return this.readBlocks(HOLDS_WAYS, { way: take }, onBytes);
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  private async readBlocks(holds: number, visitor: ObjectVisitor, onBytes: (done: number) => void): Promise<void> {
    let done = 0;
    const wanted = this.blocks.filter(span => (span.holds & holds) !== 0);
    for await (const { span, bytes } of this.unpacked(wanted)) {
      this.read(span, bytes, visitor);
      done += span.length;
      onBytes(done);
    }
  }

  private read(span: BlockSpan, bytes: Buffer, visitor: ObjectVisitor): number {
    try {
      return readBlock(bytes, visitor);
    } catch (error) {
      throw error instanceof BadDataError ? this.damaged(span.start, error) : error;
    }
  }

  private async *unpacked(
    spans: Iterable<BlockSpan> | AsyncIterable<BlockSpan>,
  ): AsyncGenerator<{ span: BlockSpan; bytes: Buffer }> {
    const ahead: { span: BlockSpan; unpacking: Promise<Buffer> }[] = [];
    for await (const span of spans) {
      const unpacking = this.unpack(span);
      // A failure surfaces when the block's turn comes, or not at all if an earlier block failed.
      unpacking.catch(() => undefined);
      ahead.push({ span, unpacking });
      if (ahead.length <= BLOCKS_AHEAD) continue;
      const first = ahead.shift()!;
      yield { span: first.span, bytes: await first.unpacking };
    }
    for (const { span, unpacking } of ahead) yield { span, bytes: await unpacking };
  }

  /** Goes from block to block after the description. */
  private async *spansOfBlocks(): AsyncGenerator<BlockSpan> {
    for (let at = 0; at < this.bytes; ) {
      const { type, start, length } = await this.readBlockHeader(at);
      at = start + length;
      if (at > this.bytes) throw this.truncated();
      if (type === 'OSMData') yield { start, length, holds: 0 };
      // Concatenated files have a description in the middle.
      else if (type === 'OSMHeader' && start > this.firstEnd)
        this.describe(await this.unpack({ start, length, holds: 0 }));
    }
  }

  private async readDescription(): Promise<void> {
    const { type, start, length } = await this.readBlockHeader(0);
    if (type !== 'OSMHeader') throw this.foreign();
    if (start + length > this.bytes) throw this.truncated();
    this.firstEnd = start + length;
    this.describe(await this.unpack({ start, length, holds: 0 }));
  }

  private describe(bytes: Buffer): void {
    const required: string[] = [];
    const optional: string[] = [];
    const reader = new ByteReader(bytes);
    try {
      while (reader.at < reader.end) {
        const { field, wire } = readField(reader);
        if (field === 1 && wire === WIRE_BYTES) this.box = readBox(messageIn(reader));
        else if (field === 4 && wire === WIRE_BYTES) required.push(reader.text());
        else if (field === 5 && wire === WIRE_BYTES) optional.push(reader.text());
        else if (field === 32 && wire === WIRE_VARINT) this.timestamp = reader.int64();
        else if (field === 33 && wire === WIRE_VARINT) this.sequence = reader.int64();
        else if (field === 34 && wire === WIRE_BYTES) this.updates = reader.text();
        else skipField(reader, wire);
      }
    } catch (error) {
      throw this.damaged(0, error);
    }
    const unknown = required.find(feature => !KNOWN_FEATURES.includes(feature));
    if (unknown === 'HistoricalInformation')
      throw new Error(`${this.path} holds the history of the map; an extract of its present state is needed.`);
    if (unknown !== undefined) throw new Error(`${this.path} needs a reader that knows "${unknown}".`);
    this.isSorted = optional.includes('Sort.Type_then_ID');
  }

  private async readBlockHeader(at: number): Promise<{ type: string; start: number; length: number }> {
    const isFirst = at === 0;
    if (isFirst && this.bytes < 4) throw this.foreign();
    const headerBytes = (await this.bytesAt(at, 4)).readUInt32BE();
    if (headerBytes === 0 || headerBytes > HEADER_BYTES_MAX)
      throw isFirst ? this.foreign() : this.damaged(at, 'no block begins there');
    let type = '';
    let length = -1;
    try {
      const reader = new ByteReader(await this.bytesAt(at + 4, headerBytes));
      while (reader.at < reader.end) {
        const { field, wire } = readField(reader);
        if (field === 1 && wire === WIRE_BYTES) type = reader.text();
        else if (field === 3 && wire === WIRE_VARINT) length = reader.unsigned();
        else skipField(reader, wire);
      }
    } catch (error) {
      if (!(error instanceof BadDataError)) throw error;
      throw isFirst ? this.foreign() : this.damaged(at, error);
    }
    if (length < 0 || length > BLOCK_BYTES_MAX)
      throw isFirst ? this.foreign() : this.damaged(at, `a block of ${length} bytes`);
    return { type, start: at + 4 + headerBytes, length };
  }

  private async unpack(span: BlockSpan): Promise<Buffer> {
    const packed = await this.bytesAt(span.start, span.length);
    let packing = 0;
    let unpackedBytes = 0;
    let content: Buffer = packed;
    try {
      const reader = new ByteReader(packed);
      while (reader.at < reader.end) {
        const { field, wire } = readField(reader);
        if (field === 2 && wire === WIRE_VARINT) unpackedBytes = reader.unsigned();
        else if (wire === WIRE_BYTES && (field === 1 || (field >= 3 && field <= 7))) {
          const length = reader.unsigned();
          const start = reader.skip(length);
          packing = field;
          content = packed.subarray(start, start + length);
        } else skipField(reader, wire);
      }
      if (packing === 1) return content;
      const limit = { maxOutputLength: BLOCK_BYTES_MAX };
      if (packing === 3) content = await unzip(content, limit);
      else if (packing === 7) content = await unzstd(content, limit);
    } catch (error) {
      throw this.damaged(span.start, error);
    }
    if (packing === 0) throw this.damaged(span.start, 'a block is empty');
    if (packing !== 3 && packing !== 7)
      throw new Error(
        `${this.path} is packed with ${PACKINGS[packing]}; zlib or zstd is needed: osmium cat ${this.path} -o ` +
          `other.osm.pbf`,
      );
    if (content.length !== unpackedBytes)
      throw this.damaged(span.start, `a block of ${content.length} bytes says that it has ${unpackedBytes}`);
    return content;
  }

  /** @throws Error if the file ends before */
  private async bytesAt(position: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(length);
    for (let done = 0; done < length; ) {
      const { bytesRead } = await this.handle.read(bytes, done, length - done, position + done);
      if (bytesRead === 0) throw this.truncated();
      done += bytesRead;
    }
    return bytes;
  }

  private foreign(): Error {
    return new Error(`${this.path} is not an OpenStreetMap PBF file (.osm.pbf).`);
  }

  private truncated(): Error {
    return new Error(`${this.path} is truncated: it ends inside of a block, after ${this.bytes} bytes.`);
  }

  private damaged(at: number, cause: unknown): Error {
    return new Error(
      `${this.path} is damaged at byte ${at}: ${cause instanceof Error ? cause.message.replace(/\.$/, '') : cause}.`,
    );
  }
}

/** Compression by the field that holds the data. */
const PACKINGS: Record<number, string> = { 4: 'LZMA', 5: 'bzip2', 6: 'LZ4' };

/** Undefined if a side is missing. */
function readBox(reader: ByteReader): Box | undefined {
  const sides: Partial<Box> = {};
  while (reader.at < reader.end) {
    const { field, wire } = readField(reader);
    const side = wire === WIRE_VARINT ? BOX_FIELDS[field - 1] : undefined;
    if (side === undefined) skipField(reader, wire);
    else sides[side] = reader.signed() / NANODEGREES;
  }
  return BOX_FIELDS.every(side => sides[side] !== undefined) ? (sides as Box) : undefined;
}
