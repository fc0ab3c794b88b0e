// One block of an OpenStreetMap PBF file: up to 8,000 objects of one type and a string table. The layout is documented
// at wiki.openstreetmap.org/wiki/PBF_Format.
//
// Fields are read one by one, without intermediate objects. A node costs its five numbers and nothing else, so 50
// million of them take seconds. Repeated numbers are differences from the one before.

import { OSM_NODE, OSM_RELATION, OSM_WAY, type OsmType } from '../../../tables/places/place.ts';
import { BadDataError, ByteReader } from '../../index/varint.ts';
import { Block } from './block_table.ts';
import type { OsmMember, Tags } from './features.ts';
import { messageIn, readField, skipField, WIRE_BYTES, WIRE_VARINT } from './protobuf.ts';

/**
 * Takes a node. @param longitude, latitude ten-millionths of a degree; off the globe in broken data @param tags
 * `undefined` for none
 */
export type OnNode = (id: number, version: number, longitude: number, latitude: number, tags: Tags | undefined) => void;
/** Takes a way. @param nodeIds the first `count` numbers; the array is reused for the next way */
export type OnWay = (id: number, version: number, nodeIds: Float64Array, count: number, tags: Tags | undefined) => void;
export type OnRelation = (id: number, version: number, tags: Tags, members: OsmMember[]) => void;

export const HOLDS_NODES = 1;
export const HOLDS_WAYS = 2;
const HOLDS_RELATIONS = 4;

/** Callbacks for the objects of a block. Types without one are skipped. Version 0 means that the file gives none. */
export interface ObjectVisitor {
  node?: OnNode;
  way?: OnWay;
  relation?: OnRelation;
}

/**
 * Reads an uncompressed block.
 * @returns what it holds, as a sum of `HOLDS_…`
 * @throws BadDataError if the bytes are not such a block
 */
export function readBlock(bytes: Buffer, { node, way, relation }: ObjectVisitor): number {
  const block = new Block(bytes);
  let holds = 0;
  for (const group of block.groups) {
    while (group.at < group.end) {
      const { field, wire } = readField(group);
      if (wire !== WIRE_BYTES || field < 1 || field > 4) {
        skipField(group, wire);
        continue;
      }
      const object = messageIn(group);
      if (field === 3) {
        holds |= HOLDS_WAYS;
        if (way !== undefined) readWay(block, object, way);
      } else if (field === 4) {
        holds |= HOLDS_RELATIONS;
        if (relation !== undefined) readRelation(block, object, relation);
      } else {
        holds |= HOLDS_NODES;
        if (node === undefined) continue;
        if (field === 1) readNode(block, object, node);
        else readDenseNodes(block, object, node);
      }
    }
  }
  return holds;
}

const MEMBER_TYPES: readonly OsmType[] = [OSM_NODE, OSM_WAY, OSM_RELATION];

/** Reads the nodes of a group, stored column by column. @throws BadDataError if the bytes are malformed */
function readDenseNodes(block: Block, dense: ByteReader, take: OnNode): void {
  const ids = emptyReader(block);
  const latitudes = emptyReader(block);
  const longitudes = emptyReader(block);
  const texts = emptyReader(block);
  const versions = emptyReader(block);
  while (dense.at < dense.end) {
    const { field, wire } = readField(dense);
    if (wire !== WIRE_BYTES) skipField(dense, wire);
    else if (field === 1) point(ids, dense);
    else if (field === 5) pointAtVersions(versions, messageIn(dense));
    else if (field === 8) point(latitudes, dense);
    else if (field === 9) point(longitudes, dense);
    else if (field === 10) point(texts, dense);
    else skipField(dense, wire);
  }
  // A block without tags lacks even the zeroes between them, and one without metadata lacks versions.
  const hasTexts = texts.at < texts.end;
  const hasVersions = versions.at < versions.end;
  let id = 0;
  let latitude = 0;
  let longitude = 0;
  while (ids.at < ids.end) {
    id += ids.signed();
    latitude += latitudes.signed();
    longitude += longitudes.signed();
    const version = hasVersions ? versionIn(versions) : 0;
    const tags = hasTexts ? denseTags(block, texts) : undefined;
    take(id, version, block.longitude(longitude), block.latitude(latitude), tags);
  }
}

/** Reads key and value numbers up to a zero. */
function denseTags(block: Block, texts: ByteReader): Tags | undefined {
  let key = texts.unsigned();
  if (key === 0) return undefined;
  const tags: Record<string, string> = {};
  for (; key !== 0; key = texts.unsigned()) setTag(tags, block.text(key), block.text(texts.unsigned()));
  return tags;
}

function pointAtVersions(versions: ByteReader, info: ByteReader): void {
  while (info.at < info.end) {
    const { field, wire } = readField(info);
    if (field === 1 && wire === WIRE_BYTES) point(versions, info);
    else skipField(info, wire);
  }
}

/** Reads a node stored by itself, as few programs write them. @throws BadDataError if the bytes are malformed */
function readNode(block: Block, message: ByteReader, take: OnNode): void {
  const object = new ObjectFields(block);
  let latitude = 0;
  let longitude = 0;
  while (message.at < message.end) {
    const { field, wire } = readField(message);
    if (field === 1 && wire === WIRE_VARINT) object.id = message.signed();
    else if (field === 8 && wire === WIRE_VARINT) latitude = message.signed();
    else if (field === 9 && wire === WIRE_VARINT) longitude = message.signed();
    else object.read(message, field, wire);
  }
  take(object.id, object.version, block.longitude(longitude), block.latitude(latitude), object.tags());
}

/** Reads a way. @throws BadDataError if the bytes are malformed */
function readWay(block: Block, message: ByteReader, take: OnWay): void {
  const object = new ObjectFields(block);
  const refs = emptyReader(block);
  while (message.at < message.end) {
    const { field, wire } = readField(message);
    if (field === 1 && wire === WIRE_VARINT) object.id = message.int64();
    else if (field === 8 && wire === WIRE_BYTES) point(refs, message);
    else object.read(message, field, wire);
  }
  const wayNodes = block.nodesOfWay(refs.end - refs.at);
  let count = 0;
  for (let id = 0; refs.at < refs.end; ) {
    id += refs.signed();
    wayNodes[count++] = id;
  }
  take(object.id, object.version, wayNodes, count, object.tags());
}

/** Reads a relation. @throws BadDataError if the bytes are malformed */
function readRelation(block: Block, message: ByteReader, take: OnRelation): void {
  const object = new ObjectFields(block);
  const roles = emptyReader(block);
  const ids = emptyReader(block);
  const types = emptyReader(block);
  while (message.at < message.end) {
    const { field, wire } = readField(message);
    if (field === 1 && wire === WIRE_VARINT) object.id = message.int64();
    else if (field === 8 && wire === WIRE_BYTES) point(roles, message);
    else if (field === 9 && wire === WIRE_BYTES) point(ids, message);
    else if (field === 10 && wire === WIRE_BYTES) point(types, message);
    else object.read(message, field, wire);
  }
  const members: OsmMember[] = [];
  for (let id = 0; ids.at < ids.end; ) {
    id += ids.signed();
    const type = MEMBER_TYPES[types.unsigned()];
    if (type === undefined) throw new BadDataError(`Relation ${object.id} has a member of an unknown type.`);
    members.push({ type, id, role: block.text(roles.unsigned()) });
  }
  take(object.id, object.version, object.tags() ?? {}, members);
}

/** The fields that nodes, ways and relations share. */
class ObjectFields {
  id = 0;
  version = 0;
  private readonly block: Block;
  private readonly keys: ByteReader;
  private readonly values: ByteReader;

  constructor(block: Block) {
    this.block = block;
    this.keys = emptyReader(block);
    this.values = emptyReader(block);
  }

  /** Reads a field that is not specific to the type. */
  read(message: ByteReader, field: number, wire: number): void {
    if (field === 2 && wire === WIRE_BYTES) point(this.keys, message);
    else if (field === 3 && wire === WIRE_BYTES) point(this.values, message);
    else if (field === 4 && wire === WIRE_BYTES) this.readInfo(messageIn(message));
    else skipField(message, wire);
  }

  private readInfo(info: ByteReader): void {
    while (info.at < info.end) {
      const { field, wire } = readField(info);
      if (field === 1 && wire === WIRE_VARINT) this.version = versionIn(info);
      else skipField(info, wire);
    }
  }

  tags(): Tags | undefined {
    if (this.keys.at === this.keys.end) return undefined;
    const tags: Record<string, string> = {};
    while (this.keys.at < this.keys.end)
      setTag(tags, this.block.text(this.keys.unsigned()), this.block.text(this.values.unsigned()));
    return tags;
  }
}

/** Some programs write -1, in ten bytes, for an unknown version. */
function versionIn(reader: ByteReader): number {
  return Math.max(0, reader.int64());
}

function setTag(tags: Record<string, string>, key: string, value: string): void {
  // Assigning this key would set the prototype instead of a member.
  if (key !== '__proto__') tags[key] = value;
}

function emptyReader(block: Block): ByteReader {
  return new ByteReader(block.bytes, 0, 0);
}

/** Points `target` at the bytes of the next field. */
function point(target: ByteReader, message: ByteReader): void {
  const length = message.unsigned();
  target.at = message.skip(length);
  target.end = message.at;
}
