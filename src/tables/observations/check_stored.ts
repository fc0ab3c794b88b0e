// Checks what is stored of each account against its reports. Reports may be appended and dropped while they are
// walked through. So what came since the last slice is read together with the numbers, in one snapshot, and nothing
// is compared where reports were dropped meanwhile.

import type { Root, Rows, TableCheck } from '../environment/check_walk.ts';
import { openStoredRows, readRewrites, sequenceKey } from './environment.ts';
import { ByteSums, contributorOf, StoredBytes } from './stored_bytes.ts';

/** The sums of one walk. */
export class StoredCheck {
  private readonly reports: Rows;
  private readonly rows: Rows | undefined;
  private readonly droppedBefore: number;
  private readonly sums = new ByteSums();
  private isUnsure = false;

  /**
   * Begins, in the snapshot of the first slice or an earlier one.
   * @param dropped number of the last report that was dropped
   */
  constructor(root: Root, { meta, reports }: { meta: Rows; reports: Rows }, dropped: number) {
    this.reports = reports;
    // Folders of earlier versions get the numbers when a service opens them.
    this.rows = openStoredRows(root, readRewrites(meta), false);
    this.droppedBefore = dropped;
  }

  /** Adds a report. @param contributor undefined where it is damaged, so that the sums are not known */
  add(contributor: number | undefined, valueBytes: number): void {
    if (contributor === undefined) this.giveUp();
    this.sums.add(contributor, valueBytes);
  }

  /** Compares nothing, because reports are lost, which is told already. */
  giveUp(): void {
    this.isUnsure = true;
  }

  /**
   * Compares, in the open snapshot.
   * @param next first report that was not added
   * @param dropped number of the last report that was dropped
   */
  compare(check: TableCheck, next: number, dropped: number): void {
    if (this.rows === undefined || this.isUnsure || dropped !== this.droppedBefore) return;
    for (const { value } of this.reports.getRange({ start: sequenceKey(next) }))
      this.add(contributorOf(value), value.length);
    if (this.isUnsure) return;
    const stored = new StoredBytes(this.rows);
    const accounts = new Set([...this.sums.byAccount.keys(), ...stored.accounts()]);
    for (const account of [...accounts].sort((a, b) => a - b)) {
      const [told, sum] = [stored.of(account), this.sums.byAccount.get(account) ?? 0];
      if (account !== 0 && told !== sum)
        check.find('counter', `account ${account}`, `${told} bytes of its reports are counted, and ${sum} are there`);
    }
  }
}
