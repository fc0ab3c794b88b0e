// How much of the disk the reports of each account take, so that one account cannot fill it. The numbers are written
// in the transactions of the log (observation_log.ts) and so always those of its reports, whatever is killed when.
// They stand beside the tables of reports, of which a rewrite has a second set:
//
//   stored   account u32 BE -> bytes f64
//
// Reports that the operator imports (account 0) are not counted.

import type { Database } from 'lmdb';
import { numberKey } from '../environment/row.ts';
import { encodeNumber } from './environment.ts';
import { decodeReportValue } from './log_row.ts';

type Rows = Database<Buffer, Buffer>;

/**
 * Bytes of disk that a report takes beside its value: its keys, the row of its identity, the heads of both entries,
 * and what is empty in their pages.
 */
const ROW_BYTES = 160;

/** Bytes that count for a report. @param valueBytes of its value in the log */
export function bytesOfReport(valueBytes: number): number {
  return valueBytes + ROW_BYTES;
}

/** Bytes by account. */
export class ByteSums {
  readonly byAccount = new Map<number, number>();

  /** Adds a report. @param account that sent it, if that is known */
  add(account: number | undefined, valueBytes: number): void {
    if (account !== undefined)
      this.byAccount.set(account, (this.byAccount.get(account) ?? 0) + bytesOfReport(valueBytes));
  }
}

/** Who sent a report; undefined where its value is damaged. */
export function contributorOf(value: Buffer): number | undefined {
  try {
    return decodeReportValue(value).report.contributor;
  } catch {
    // Whoever reads the report is told of the damage. Here it only means that its sender is not known.
    return undefined;
  }
}

/** The numbers of a log. */
export class StoredBytes {
  private readonly rows: Rows;

  /** @param stored of the tables of the log */
  constructor(stored: Rows) {
    this.rows = stored;
  }

  /** What the reports of an account take. */
  of(account: number): number {
    return this.rows.getBinary(numberKey(account))?.readDoubleLE(0) ?? 0;
  }

  /** Accounts that have reports. */
  accounts(): number[] {
    return [...this.rows.getKeys()].map(key => key.readUInt32BE());
  }

  /** Counts reports that come, in the open transaction. */
  add({ byAccount }: ByteSums): void {
    for (const [account, bytes] of byAccount) this.change(account, bytes);
  }

  /** Counts reports that go, in the open transaction. */
  subtract({ byAccount }: ByteSums): void {
    for (const [account, bytes] of byAccount) this.change(account, -bytes);
  }

  private change(account: number, bytes: number): void {
    if (account === 0) return;
    const sum = this.of(account) + bytes;
    if (sum > 0) this.rows.putSync(numberKey(account), encodeNumber(sum));
    else this.rows.removeSync(numberKey(account));
  }
}
