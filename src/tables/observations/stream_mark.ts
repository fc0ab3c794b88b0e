// What a log notes of the stream of a cluster with each batch: enough to tell later whether the stream still has it,
// and whether two logs are the same.

import { createHash, hash } from 'node:crypto';
import {
  encodeNumber,
  type ObservationTables,
  POSITION_KEY,
  STREAM_KEY,
  type StreamMark,
  writeMark,
} from './environment.ts';

type Meta = ObservationTables['meta'];

/** Where a batch stands in the stream of a cluster. */
export interface StreamedBatch {
  /** 1 for the first one. */
  position: number;
  /** When the stream was made, as its servers say. */
  created: string;
  /** Hash of the batch as it is in the stream. */
  hash: string;
}

/** What tells a batch from any other at its position. @param storedMs when the stream took it, since 1970 */
export function hashOfBatch(reports: Uint8Array, position: number, storedMs: number): string {
  return createHash('sha256').update(reports).update(`${position} ${storedMs}`).digest('base64url');
}

/** The mark of a log after one more batch. @param before undefined where the chain begins */
export function markAfter(
  before: StreamMark | undefined,
  { position, created, hash: last }: StreamedBatch,
  made: { accepted: number; lastSequence: number },
): StreamMark {
  const chain = hash('sha256', `${before?.chain} ${last} ${made.accepted} ${made.lastSequence}`, 'base64url');
  return { created, position, last, chain, since: before?.since ?? position };
}

/** Notes that a log holds all before a position, in the open transaction. @param created when the stream was made */
export function beginStream(meta: Meta, position: number, created: string): void {
  meta.putSync(POSITION_KEY, encodeNumber(position));
  writeMark(meta, { created, position, last: '', chain: '', since: position });
}

/** Notes that a log follows no stream any more, in the open transaction. */
export function endStream(meta: Meta): void {
  meta.removeSync(POSITION_KEY);
  meta.removeSync(STREAM_KEY);
}

/** Marks kept to compare logs: more than nodes are apart unless one of them is behind. */
const RECENT_MARKS = 4_096;

/** The marks of the last batches, as this process has stored them. */
export class RecentMarks {
  private readonly marks: (StreamMark | undefined)[] = new Array(RECENT_MARKS);

  add(mark: StreamMark): void {
    this.marks[mark.position % RECENT_MARKS] = mark;
  }

  at(position: number): StreamMark | undefined {
    const mark = this.marks[position % RECENT_MARKS];
    return mark?.position === position ? mark : undefined;
  }

  clear(): void {
    this.marks.fill(undefined);
  }
}
