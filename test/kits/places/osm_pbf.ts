// Writes OpenStreetMap PBF files, for drawn worlds and for extracts of any size: objects go out in blocks of 8,000 as
// they come.

import { closeSync, openSync, writeSync } from 'node:fs';
import { deflateSync, zstdCompressSync } from 'node:zlib';
import type { Box } from '../../../src/geo/box.ts';
import { ByteWriter } from '../../../src/geocoding/index/varint.ts';

/** An object of the map; `version` 0 or none = without metadata. */
export interface DrawnNode {
  type: 'node';
  id: number;
  /** Degrees. */
  lat: number;
  lon: number;
  tags?: Record<string, string>;
  version?: number;
}

export interface DrawnWay {
  type: 'way';
  id: number;
  nodes: readonly number[];
  tags?: Record<string, string>;
  version?: number;
}

export interface DrawnRelation {
  type: 'relation';
  id: number;
  members: readonly { type: 'node' | 'way' | 'relation'; ref: number; role?: string }[];
  tags?: Record<string, string>;
  version?: number;
}

export type DrawnObject = DrawnNode | DrawnWay | DrawnRelation;

export interface PbfSettings {
  /** How blocks are packed; zlib unless said. */
  packing?: 'zlib' | 'zstd' | 'raw' | 'lz4';
  /** The file says that objects come by type and id. */
  isSorted?: boolean;
  /** Seconds since 1970. */
  timestamp?: number;
  /** Number of the last file of changes in it. */
  sequence?: number;
  /** Where the changes of it are. */
  updates?: string;
  /** Degrees. */
  box?: Box;
  requiredFeatures?: readonly string[];
  /** One message a node, as few programs write them. */
  hasSingleNodes?: boolean;
  /** Nanodegrees; 100 unless said. */
  granularity?: number;
  /** Nanodegrees that are added to all latitudes and longitudes. */
  offset?: { lat: number; lon: number };
}

const BLOCK_OBJECTS = 8000;
const MEMBER_TYPES = ['node', 'way', 'relation'];

/** Writes all objects to a file, in the order given. */
export function writeOsmPbf(path: string, objects: Iterable<DrawnObject>, settings: PbfSettings = {}): void {
  const writer = new OsmPbfWriter(path, settings);
  for (const object of objects) writer.write(object);
  writer.close();
}

/** A file to which objects are written one by one. */
export class OsmPbfWriter {
  private readonly file: number;
  private readonly settings: PbfSettings;
  private batch: DrawnObject[] = [];

  constructor(path: string, settings: PbfSettings = {}) {
    this.file = openSync(path, 'w');
    this.settings = settings;
    const header = new Message();
    if (settings.box !== undefined) {
      const { west, east, north, south } = settings.box;
      const box = new Message();
      for (const [i, side] of [west, east, north, south].entries()) box.signed(i + 1, Math.round(side * 1e9));
      header.message(1, box);
    }
    for (const feature of settings.requiredFeatures ?? ['OsmSchema-V0.6', 'DenseNodes']) header.text(4, feature);
    if (settings.isSorted) header.text(5, 'Sort.Type_then_ID');
    if (settings.timestamp !== undefined) header.number(32, settings.timestamp);
    if (settings.sequence !== undefined) header.number(33, settings.sequence);
    if (settings.updates) header.text(34, settings.updates);
    this.block('OSMHeader', header);
  }

  write(object: DrawnObject): void {
    if (this.batch.length === BLOCK_OBJECTS || (this.batch.length > 0 && this.batch[0].type !== object.type))
      this.flush();
    this.batch.push(object);
  }

  close(): void {
    this.flush();
    closeSync(this.file);
  }

  private flush(): void {
    if (this.batch.length === 0) return;
    const texts = new Texts();
    const group = new Message();
    const type = this.batch[0].type;
    if (type === 'node' && !this.settings.hasSingleNodes)
      group.message(2, this.denseNodes(this.batch as DrawnNode[], texts));
    else
      for (const object of this.batch)
        group.message({ node: 1, way: 3, relation: 4 }[type], this.object(object, texts));
    const { granularity, offset } = this.settings;
    const block = new Message();
    block.message(1, texts.table());
    block.message(2, group);
    if (granularity !== undefined) block.number(17, granularity);
    if (offset !== undefined) {
      block.number(19, offset.lat);
      block.number(20, offset.lon);
    }
    this.block('OSMData', block);
    this.batch = [];
  }

  private denseNodes(nodes: readonly DrawnNode[], texts: Texts): Message {
    const dense = new Message();
    dense.packedDeltas(
      1,
      nodes.map(node => node.id),
    );
    if (nodes.some(node => node.version)) {
      const info = new Message();
      info.packed(
        1,
        nodes.map(node => node.version ?? 0),
      );
      dense.message(5, info);
    }
    dense.packedDeltas(
      8,
      nodes.map(node => this.units(node.lat, 'lat')),
    );
    dense.packedDeltas(
      9,
      nodes.map(node => this.units(node.lon, 'lon')),
    );
    if (nodes.some(node => node.tags)) {
      const numbers = (node: DrawnNode) =>
        Object.entries(node.tags ?? {}).flatMap(([key, value]) => [texts.number(key), texts.number(value)]);
      dense.packed(
        10,
        nodes.flatMap(node => [...numbers(node), 0]),
      );
    }
    return dense;
  }

  private object(object: DrawnObject, texts: Texts): Message {
    const message = new Message();
    if (object.type === 'node') message.signed(1, object.id);
    else message.number(1, object.id);
    message.packed(
      2,
      Object.keys(object.tags ?? {}).map(key => texts.number(key)),
    );
    message.packed(
      3,
      Object.values(object.tags ?? {}).map(value => texts.number(value)),
    );
    if (object.version) {
      const info = new Message();
      info.number(1, object.version);
      message.message(4, info);
    }
    if (object.type === 'node') {
      message.signed(8, this.units(object.lat, 'lat'));
      message.signed(9, this.units(object.lon, 'lon'));
    } else if (object.type === 'way') message.packedDeltas(8, object.nodes);
    else {
      message.packed(
        8,
        object.members.map(member => texts.number(member.role ?? '')),
      );
      message.packedDeltas(
        9,
        object.members.map(member => member.ref),
      );
      message.packed(
        10,
        object.members.map(member => MEMBER_TYPES.indexOf(member.type)),
      );
    }
    return message;
  }

  private units(degrees: number, axis: 'lat' | 'lon'): number {
    const { granularity = 100, offset } = this.settings;
    return Math.round((degrees * 1e9 - (offset?.[axis] ?? 0)) / granularity);
  }

  private block(type: string, content: Message): void {
    const bytes = content.out.view();
    const { packing = 'zlib' } = this.settings;
    const blob = new Message();
    if (packing === 'raw') blob.bytes(1, bytes);
    else {
      blob.number(2, bytes.length);
      if (packing === 'zlib') blob.bytes(3, deflateSync(bytes, { level: 1 }));
      else if (packing === 'zstd') blob.bytes(7, zstdCompressSync(bytes));
      // Nothing unpacks it: readers are to refuse the packing.
      else blob.bytes(6, bytes);
    }
    const header = new Message();
    header.text(1, type);
    header.number(3, blob.out.length);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(header.out.length);
    writeSync(this.file, Buffer.concat([length, header.out.view(), blob.out.view()]));
  }
}

/** The texts of a block; number 0 is none of them. */
class Texts {
  private readonly numbers = new Map<string, number>();

  number(text: string): number {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    this.numbers.set(text, this.numbers.size + 1);
    return this.numbers.size;
  }

  table(): Message {
    const table = new Message();
    table.text(1, '');
    for (const text of this.numbers.keys()) table.text(1, text);
    return table;
  }
}

/** Fields of a Protocol Buffers message, written one behind the other. */
class Message {
  readonly out = new ByteWriter();

  number(field: number, value: number): void {
    this.out.unsigned(field * 8);
    if (value >= 0) this.out.unsigned(value);
    else {
      // Ten bytes of the number in two's complement.
      let left = BigInt.asUintN(64, BigInt(value));
      const bytes: number[] = [];
      for (; left > 127n; left >>= 7n) bytes.push(Number(left & 127n) | 128);
      this.out.put(Uint8Array.from([...bytes, Number(left)]));
    }
  }

  signed(field: number, value: number): void {
    this.out.unsigned(field * 8);
    this.out.signed(value);
  }

  bytes(field: number, bytes: Uint8Array): void {
    this.out.unsigned(field * 8 + 2);
    this.out.unsigned(bytes.length);
    this.out.put(bytes);
  }

  text(field: number, text: string): void {
    this.bytes(field, Buffer.from(text));
  }

  message(field: number, message: Message): void {
    this.bytes(field, message.out.view());
  }

  packed(field: number, values: readonly number[]): void {
    if (values.length === 0) return;
    const out = new ByteWriter();
    for (const value of values) out.unsigned(value);
    this.bytes(field, out.view());
  }

  packedDeltas(field: number, values: readonly number[]): void {
    const out = new ByteWriter();
    for (let i = 0, last = 0; i < values.length; last = values[i++]) out.signed(values[i] - last);
    this.bytes(field, out.view());
  }
}
