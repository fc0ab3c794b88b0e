// Turns what clients send into packed reports: items become drafts, drafts pass the rules of intake, reports are packed. This runs where the body is parsed,
// in the HTTP thread or in a compute worker.

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

/** Items and entries in a part: about ten milliseconds to pack, and as many to store. */
const PART_ENTRIES = 5000;
/** Items and entries in a whole batch: more than 64 MB of real ones, and a few seconds of screening for a worker. */
const BATCH_ENTRIES_MAX = 1_000_000;

/** Most objects and lists in a batch: an item is an object with a position and three lists. */
const OPENINGS_MAX = 5 * BATCH_ENTRIES_MAX;
const OPENING_BRACE = 123;
const OPENING_BRACKET = 91;

/**
 * Refuses a batch with too many objects and lists before it is parsed: sixty megabytes of empty objects keep JSON.parse busy for six seconds.
 * @throws ApiError bodyTooLarge
 */
export function refuseTooMany(bytes: Uint8Array): void {
  let openings = 0;
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === OPENING_BRACE || bytes[i] === OPENING_BRACKET) openings++;
  if (openings > OPENINGS_MAX) throw tooManyEntries();
}

function tooManyEntries(): ApiError {
  return new ApiError(ERRORS.bodyTooLarge, `A batch must have at most ${BATCH_ENTRIES_MAX} items and entries.`);
}

/**
 * The reports of a batch, part by part, so that the caller can do other work in between.
 * @param items each as the client sent it; a bad one is counted and left out
 * @throws ApiError bodyTooLarge for more than a million items and entries
 */
export function* packBatch(items: readonly unknown[], sender: Sender, tally: Tally): Generator<Packed[number]> {
  // Batches mostly come without an id, yet each comes from one device.
  const { account, deviceId } = sender;
  const track =
    deviceId === undefined ? trackOfBatch(account, hash('sha256', JSON.stringify(items[0] ?? null))) : trackOf(account, deviceId);
  const origin = originOf(sender, track);
  let reports: Report[] = [];
  let entries = 0;
  let left = BATCH_ENTRIES_MAX;
  for (const item of items) {
    const draft = readItem(item);
    const more = 1 + countEntries(draft);
    entries += more;
    left -= more;
    if (left < 0) throw tooManyEntries();
    const report = screenReport(draft, origin, tally);
    if (report !== undefined) reports.push(report);
    if (entries < PART_ENTRIES) continue;
    yield packReports(reports);
    reports = [];
    entries = 0;
  }
  yield packReports(reports);
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
