// From what clients send to packed reports: the drafts of a request, through the rules of intake. It runs where the body is parsed, in the HTTP thread or
// in a compute worker.

import { hash } from 'node:crypto';
import type { Origin } from '../contributions/draft.ts';
import { readItem } from '../contributions/geosubmit.ts';
import { screenReport } from '../contributions/screen.ts';
import type { Tally } from '../contributions/tally.ts';
import { packReports, type Report, trackOf } from '../tables/report.ts';
import type { PositionBody } from './schema.ts';

/** Who contributes. */
export interface Sender {
  /** Account, 1..1,048,575. */
  account: number;
  /** Reports need no second witness. */
  isTrusted: boolean;
  deviceId: string | undefined;
  /** Arrival, milliseconds since 1970. */
  arrivalMs: number;
}

/** Reports that passed the rules (`packReports`), in parts that are stored one after the other. */
export type Packed = Uint8Array<ArrayBuffer>[];

/** Reports of one part: the writer stores them in a few milliseconds, and others get their turn in between. */
const PART_REPORTS = 500;

/**
 * The reports of a batch.
 * @param items each as the client sent it; a bad one is counted and left out
 */
export function packBatch(items: readonly unknown[], sender: Sender, tally: Tally): Packed {
  // Batches mostly come without an id. One device has made them all the same, and a batch that is sent again is the same batch.
  const device = sender.deviceId ?? `batch ${hash('sha256', JSON.stringify(items[0] ?? null))}`;
  const origin = originOf(sender, trackOf(sender.account, device));
  const parts: Packed = [];
  let reports: Report[] = [];
  for (const item of items) {
    const report = screenReport(readItem(item), origin, tally);
    if (report === undefined || reports.push(report) < PART_REPORTS) continue;
    parts.push(packReports(reports));
    reports = [];
  }
  if (reports.length > 0) parts.push(packReports(reports));
  return parts;
}

/**
 * The report that a request for a position makes beside.
 * @param body holds a fix whose age is 0
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
