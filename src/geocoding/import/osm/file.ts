// One OpenStreetMap PBF file: a row of packed blocks, each behind a small header that says its length. The first one describes the file.
//
// The first reading steps through the whole file, notes where the blocks are and what they hold, and so finds a truncated or damaged file before anything
// is built from it. Later readings take only the blocks that hold what they want, in whatever order the file has them. Blocks are read and unpacked ahead,
// beside the reading of the one before.

import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inflate, zstdDecompress } from 'node:zlib';
import { BadDataError } from '../../index/bad_data.ts';
import { ByteReader } from '../../index/varint.ts';
import { HOLDS_NODES, HOLDS_WAYS, readBlock, type Takers } from './block.ts';
import type { TakeNode, TakeRelation, TakeWay } from './objects.ts';
import { readField, skipField, WIRE_BYTES, WIRE_VARINT } from './protobuf.ts';

/** Limits of the format; what exceeds them is no block. */
const HEADER_BYTES_MAX = 64 * 1024;
const BLOCK_BYTES_MAX = 32 * 1024 * 1024;
const BLOCKS_AHEAD = 4;
/** Features that a reader must know, or the data mean something else. */
const KNOWN_FEATURES = ['OsmSchema-V0.6', 'DenseNodes'];

const unzip = promisify(inflate);
const unzstd = promisify(zstdDecompress);

/** A block that holds objects. */
interface BlockPlace {
  start: number;
  length: number;
  /** `HOLDS_…` added up. */
  holds: number;
}

/** An open file. */
export class OsmFile {
  readonly path: string;
  readonly bytes: number;
  /** Seconds since 1970 up to which the file has the map's changes; 0 where it does not say. */
  timestamp = 0;
  /** The file says that its objects come by type and id. */
  isSorted = false;
  private readonly handle: FileHandle;
  private readonly blocks: BlockPlace[] = [];
  /** Where the description ends. */
  private firstEnd = 0;

  private constructor(path: string, handle: FileHandle, bytes: number) {
    this.path = path;
    this.handle = handle;
    this.bytes = bytes;
  }

  /**
   * Opens a file and reads its description.
   * @throws Error that names the file, when it is missing, no OpenStreetMap PBF file, or one that cannot be used here
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
   * The first reading: steps through all blocks and takes their relations.
   * @param onBytes is told the bytes of the file that are done
   * @throws Error that names the file, when it is truncated or damaged or holds nothing
   */
  async scan(takeRelation: TakeRelation, onBytes: (done: number) => void): Promise<void> {
    const places = this.placesOfBlocks();
    for await (const { place, bytes } of this.unpacked(places)) {
      place.holds = this.read(place, bytes, { relation: takeRelation });
      this.blocks.push(place);
      onBytes(place.start + place.length);
    }
    if (this.blocks.length === 0) throw new Error(`${this.path} holds no objects.`);
  }

  /** Bytes of the blocks that hold one type, after `scan`. @param holds `HOLDS_…` */
  bytesOf(holds: number): number {
    return this.blocks.reduce((sum, place) => sum + ((place.holds & holds) !== 0 ? place.length : 0), 0);
  }

  /** Takes all nodes, after `scan`. */
  readNodes(take: TakeNode, onBytes: (done: number) => void): Promise<void> {
    return this.readBlocks(HOLDS_NODES, { node: take }, onBytes);
  }

  /** Takes all ways, after `scan`. */
  readWays(take: TakeWay, onBytes: (done: number) => void): Promise<void> {
    return this.readBlocks(HOLDS_WAYS, { way: take }, onBytes);
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  private async readBlocks(holds: number, takers: Takers, onBytes: (done: number) => void): Promise<void> {
    let done = 0;
    const wanted = this.blocks.filter(place => (place.holds & holds) !== 0);
    for await (const { place, bytes } of this.unpacked(wanted)) {
      this.read(place, bytes, takers);
      done += place.length;
      onBytes(done);
    }
  }

  private read(place: BlockPlace, bytes: Buffer, takers: Takers): number {
    try {
      return readBlock(bytes, takers);
    } catch (error) {
      throw error instanceof BadDataError ? this.damaged(place.start, error) : error;
    }
  }

  private async *unpacked(places: Iterable<BlockPlace> | AsyncIterable<BlockPlace>): AsyncGenerator<{ place: BlockPlace; bytes: Buffer }> {
    const ahead: { place: BlockPlace; unpacking: Promise<Buffer> }[] = [];
    for await (const place of places) {
      const unpacking = this.unpack(place);
      // A failure is met when the block's turn comes, or not at all when an earlier one has failed.
      unpacking.catch(() => undefined);
      ahead.push({ place, unpacking });
      if (ahead.length <= BLOCKS_AHEAD) continue;
      const first = ahead.shift()!;
      yield { place: first.place, bytes: await first.unpacking };
    }
    for (const { place, unpacking } of ahead) yield { place, bytes: await unpacking };
  }

  /** Steps from block to block behind the description. */
  private async *placesOfBlocks(): AsyncGenerator<BlockPlace> {
    for (let at = 0; at < this.bytes; ) {
      const { type, start, length } = await this.readBlockHeader(at);
      at = start + length;
      if (at > this.bytes) throw this.truncated();
      if (type === 'OSMData') yield { start, length, holds: 0 };
      // Files that were put one behind the other have a description in their middle.
      else if (type === 'OSMHeader' && start > this.firstEnd) this.describe(await this.unpack({ start, length, holds: 0 }));
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
        if (field === 4 && wire === WIRE_BYTES) required.push(reader.text());
        else if (field === 5 && wire === WIRE_BYTES) optional.push(reader.text());
        else if (field === 32 && wire === WIRE_VARINT) this.timestamp = reader.int64();
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
    if (headerBytes === 0 || headerBytes > HEADER_BYTES_MAX) throw isFirst ? this.foreign() : this.damaged(at, 'no block begins there');
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
    if (length < 0 || length > BLOCK_BYTES_MAX) throw isFirst ? this.foreign() : this.damaged(at, `a block of ${length} bytes`);
    return { type, start: at + 4 + headerBytes, length };
  }

  private async unpack(place: BlockPlace): Promise<Buffer> {
    const packed = await this.bytesAt(place.start, place.length);
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
      throw this.damaged(place.start, error);
    }
    if (packing === 0) throw this.damaged(place.start, 'a block is empty');
    if (packing !== 3 && packing !== 7)
      throw new Error(`${this.path} is packed with ${PACKINGS[packing]}; zlib or zstd is needed: osmium cat ${this.path} -o other.osm.pbf`);
    if (content.length !== unpackedBytes)
      throw this.damaged(place.start, `a block of ${content.length} bytes says that it has ${unpackedBytes}`);
    return content;
  }

  /** @throws Error when the file ends before */
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
    return new Error(`${this.path} is damaged at byte ${at}: ${cause instanceof Error ? cause.message.replace(/\.$/, '') : cause}.`);
  }
}

/** By field of a block. */
const PACKINGS: Record<number, string> = { 4: 'LZMA', 5: 'bzip2', 6: 'LZ4' };
