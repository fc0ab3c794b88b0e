// Turns what clients send into packed reports: items become drafts, drafts pass the rules of intake, reports are
// packed. This runs where the body is parsed, in the HTTP thread or in a compute worker.

import { hash } from 'node:crypto';
import type { Origin } from '../intake/draft.ts';
import { readItem } from '../intake/geosubmit.ts';
import { countEntries, screenReport } from '../intake/screen.ts';
import type { Tally } from '../intake/tally.ts';
import { ApiError, ERRORS } from '../protocol/errors.ts';
import type { PositionBody } from '../protocol/requests/schema.ts';
import { packReports, type Report, trackOf, trackOfBatch } from '../tables/observations/report.ts';

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
export class BatchPacker {
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
