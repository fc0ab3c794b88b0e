// Parses, screens and packs a large batch item by item, so that the thread can do other work in between and never holds
// more than one parsed item. Nothing is handed on before the whole body has turned out to be valid, and what the rules
// refuse is counted only where the batch is then taken.

import { TALLY_BYTES, Tally } from '../intake/tally.ts';
import type { Slices } from '../pool/slices.ts';
import { ApiError } from '../protocol/errors.ts';
import { parseBody, parseElement } from '../protocol/requests/body.ts';
import { ListScan } from '../protocol/requests/list_scan.ts';
import { checkBatch } from '../protocol/requests/schema.ts';
import { BatchPacker, type Packed, type Sender } from './pack_reports.ts';

/** Input from the HTTP thread. */
export interface LargeBatch {
  bytes: Uint8Array;
  sender: Sender;
}

/** What became of a batch. */
interface PackedBatch {
  packed: Packed;
  /** Items in it, also bad ones. */
  items: number;
  /** Memory of a tally of them. */
  tally: ArrayBuffer;
}

/** The level of the list of items: it is a member of the body. */
const ITEMS_LEVEL = 2;

/**
 * Packs the reports of one batch. @throws ApiError parseError, or bodyTooLarge for more than a million items and
 * entries
 */
export async function packLargeBatch({ bytes, sender }: LargeBatch, slices: Slices): Promise<PackedBatch> {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const scan = new ListScan(body, ITEMS_LEVEL);
  let tally = new ArrayBuffer(TALLY_BYTES);
  let packer = new BatchPacker(sender, new Tally(tally));
  let isItems = false;
  for (let found = scan.next(); found !== 'end'; found = scan.next()) {
    if (found === 'list') {
      isItems = isNamedItems(body.subarray(scan.nameStart, scan.nameEnd));
      // Of members of the same name the last counts.
      if (isItems) {
        tally = new ArrayBuffer(TALLY_BYTES);
        packer = new BatchPacker(sender, new Tally(tally));
      }
    } else if (found === 'element') {
      const item = parseElement(body.subarray(scan.start, scan.end));
      if (isItems) packer.add(item);
    }
    if (slices.isOver) await slices.giveWay();
  }
  const rest = parseBody(scan.rest());
  checkBatch(rest);
  return { packed: packer.finish(), items: packer.items, tally };
}

/** @param name a JSON text, if the body is valid */
function isNamedItems(name: Buffer): boolean {
  try {
    return parseBody(name) === 'items';
  } catch (error) {
    // The body is not valid, and fails when its rest is parsed.
    if (error instanceof ApiError) return false;
    throw error;
  }
}
