// One block of an OpenStreetMap PBF file: up to 8,000 objects of one type and a string table. The layout is documented
// at wiki.openstreetmap.org/wiki/PBF_Format.
//
// Fields are read one by one, without intermediate objects. A node costs its five numbers and nothing else, so 50
// million of them take seconds.

import { Block } from './block_table.ts';
import {
  readDenseNodes,
  readNode,
  readRelation,
  readWay,
  type TakeNode,
  type TakeRelation,
  type TakeWay,
} from './objects.ts';
import { messageIn, readField, skipField, WIRE_BYTES } from './protobuf.ts';

export const HOLDS_NODES = 1;
export const HOLDS_WAYS = 2;
const HOLDS_RELATIONS = 4;

/** Callbacks for the objects of a block. Types without one are skipped. Version 0 means that the file gives none. */
export interface Takers {
  node?: TakeNode;
  way?: TakeWay;
  relation?: TakeRelation;
}

/**
 * Reads an uncompressed block.
 * @returns what it holds, as a sum of `HOLDS_…`
 * @throws BadDataError if the bytes are not such a block
 */
export function readBlock(bytes: Buffer, { node, way, relation }: Takers): number {
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
