// Turns what clients send into packed reports: items become drafts, drafts pass the rules of intake, reports are
// packed. This runs where the body is parsed, in the HTTP thread or in a compute worker.

import { hash } from 'node:crypto';
import type { Origin } from '../intake/draft.ts';
import { readItem } from '../intake/geosubmit.ts';
import { countEntries, screenReport } from '../intake/screen.ts';
import { TALLY_BYTES, Tally } from '../intake/tally.ts';
import type { Slices } from '../pool/slices.ts';
import { ApiError, ERRORS } from '../protocol/errors.ts';
import { parseBody, parseElement } from '../protocol/requests/body.ts';
import { ListScan } from '../protocol/requests/list_scan.ts';
import { checkBatch, type PositionBody } from '../protocol/requests/schema.ts';
import { packReports, type Report, trackOf, trackOfBatch, unpackReports } from '../tables/observations/report.ts';
import type { LoggedRequest } from '../tables/requests/record.ts';

/** The contributor. */
export interface Sender {
  /** Account, 1..1,048,575. */
  account: number;
  /** The reports need no second witness. */
  isTrusted: boolean;
  deviceId: string | undefined;
  /** Arrival, milliseconds since 1970. */
  arrivalMs: number;
}

/** Reports that passed the rules (`packReports`), in parts that are stored one after another. */
export type Packed = Uint8Array<ArrayBuffer>[];

/** Items and entries in a part: about ten milliseconds to store. */
const PART_ENTRIES = 5000;
/** Items and entries in a whole batch: more than 64 MB of real ones. */
const BATCH_ENTRIES_MAX = 1_000_000;

/** Packs the reports of a batch, item by item, so that the caller can do other work in between. */
class BatchPacker {
  private readonly sender: Sender;
  private readonly tally: Tally;
  /** Items so far. */
  items = 0;
  private readonly packed: Packed = [];
  private origin: Origin | undefined;
  private reports: Report[] = [];
  /** Items and entries of `reports`. */
  private entries = 0;
  private left = BATCH_ENTRIES_MAX;

  /** @param tally counts the items and what the rules refuse */
  constructor(sender: Sender, tally: Tally) {
    this.sender = sender;
    this.tally = tally;
  }

  /**
   * Adds the next item.
   * @param item as the client sent it; a bad one is counted and left out
   * @throws ApiError bodyTooLarge for more than a million items and entries
   */
  add(item: unknown): void {
    this.items++;
    this.origin ??= originOf(this.sender, trackOfFirst(this.sender, item));
    const draft = readItem(item);
    const more = 1 + countEntries(draft);
    this.entries += more;
    this.left -= more;
    if (this.left < 0)
      throw new ApiError(ERRORS.bodyTooLarge, `A batch must have at most ${BATCH_ENTRIES_MAX} items and entries.`);
    const report = screenReport(draft, this.origin, this.tally);
    if (report !== undefined) this.reports.push(report);
    if (this.entries >= PART_ENTRIES) this.endPart();
  }

  /** The packed reports of all items. */
  finish(): Packed {
    this.endPart();
    return this.packed;
  }

  private endPart(): void {
    if (this.reports.length > 0) this.packed.push(packReports(this.reports));
    this.reports = [];
    this.entries = 0;
  }
}

/**
 * The pseudonym of a batch's device. Batches mostly come without an id, yet each comes from one device, which its first
 * item stands for.
 */
function trackOfFirst({ account, deviceId }: Sender, item: unknown): number {
  if (deviceId !== undefined) return trackOf(account, deviceId);
  return trackOfBatch(account, hash('sha256', JSON.stringify(item)));
}

/** Packs the reports of a parsed batch. @throws ApiError as `BatchPacker.add` */
export function packBatch(items: readonly unknown[], sender: Sender, tally: Tally): Packed {
  const packer = new BatchPacker(sender, tally);
  for (const item of items) packer.add(item);
  return packer.finish();
}

/**
 * Packs the report of a request for a position.
 * @param body has a fix of age 0
 */
export function packPosition(body: PositionBody, sender: Sender, tally: Tally): Packed {
  const track = sender.deviceId === undefined ? 0 : trackOf(sender.account, sender.deviceId);
  // The members have the same names as an item's; the age, whose unit differs, is 0.
  const report = screenReport(readItem({ ...body, position: body.gps }), originOf(sender, track), tally);
  return report === undefined ? [] : [packReports([report])];
}

function originOf({ account, isTrusted, arrivalMs }: Sender, track: number): Origin {
  return { contributor: account, isTrusted, track, receivedMs: arrivalMs };
}

/**
 * The identities of the reports of a request.
 * @param logged what the job `log` answered; null where the log has no such request
 * @returns 32 hexadecimal digits each; none where it contributed nothing
 * @throws Error when the log does not have it, or not whole
 */
export function identitiesOf(logId: number, logged: unknown): string[] {
  if (logged === null) throw new Error(`There is no logged request ${logId}; requests are kept at most 7 days.`);
  const { account, device, request, requestBytes, route, time } = logged as LoggedRequest;
  if (requestBytes !== undefined)
    throw new Error(
      `Request ${logId} had ${requestBytes} bytes, of which the log kept the first only; forget its device or ` +
        `its key instead.`,
    );
  if (account === undefined || typeof request !== 'object' || request === null) return [];
  const sender: Sender = { account, isTrusted: false, deviceId: device, arrivalMs: Date.parse(time) };
  const { items, gps } = request as { items?: unknown; gps?: unknown };
  const tally = new Tally();
  const packed =
    route === 'submit' && Array.isArray(items)
      ? packBatch(items, sender, tally)
      : route === 'position' && typeof gps === 'object' && gps !== null
        ? packPosition(request as PositionBody, sender, tally)
        : [];
  return packed.flatMap(reports =>
    Array.from(unpackReports(reports), ({ identity }) => Buffer.from(identity).toString('hex')),
  );
}

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
