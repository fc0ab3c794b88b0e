// One block of an OpenStreetMap PBF file: up to 8,000 objects of one type, with a table of their texts. Layout: wiki.openstreetmap.org/wiki/PBF_Format.
//
// Read field by field, without objects in between: a node costs its five numbers and nothing else, so that 50 million of them go by in seconds.

import { Block } from './block_table.ts';
import { readDenseNodes, readNode, readRelation, readWay, type TakeNode, type TakeRelation, type TakeWay } from './objects.ts';
import { messageIn, readField, skipField, WIRE_BYTES } from './protobuf.ts';

export const HOLDS_NODES = 1;
export const HOLDS_WAYS = 2;
const HOLDS_RELATIONS = 4;

/** Takes the objects of a block; types that have no taker are stepped over. A version of 0 says that there is none. */
export interface Takers {
  node?: TakeNode;
  way?: TakeWay;
  relation?: TakeRelation;
}

/**
 * Reads a block, unpacked.
 * @returns what it holds: `HOLDS_…` added up
 * @throws BadDataError when the bytes are no such block
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
