// Groups training scans into batches as phones upload them: one device a batch, in order of time, so that the rules on
// jumps of a device work as in operation. Files mix their tracks, so several batches are open at once. Their total size
// is limited.

import type { Scan } from './scan.ts';

const SCANS_A_BATCH = 1_000;
/** About 2 MB of JSON, well under the service's limit. */
const READINGS_A_BATCH = 20_000;
const READINGS_OPEN_MAX = 100_000;

interface Batch {
  scans: Scan[];
  readings: number;
}

/**
 * Collects scans and sends them. Only one batch is in flight at a time, so that the service always learns in the same
 * order.
 */
export class Batches {
  private readonly open = new Map<string, Batch>();
  private readonly send: (scans: readonly Scan[]) => Promise<void>;
  private readings = 0;

  constructor(send: (scans: readonly Scan[]) => Promise<void>) {
    this.send = send;
  }

  async add(scan: Scan): Promise<void> {
    const readings = scan.cellTowers.length + scan.wifiAccessPoints.length + scan.bluetoothBeacons.length;
    const batch = this.open.get(scan.device) ?? { scans: [], readings: 0 };
    this.open.set(scan.device, batch);
    batch.scans.push(scan);
    batch.readings += readings;
    this.readings += readings;
    if (batch.scans.length === SCANS_A_BATCH || batch.readings >= READINGS_A_BATCH)
      await this.close(scan.device, batch);
    // The batch that has been open longest goes first.
    for (const [device, oldest] of this.open) {
      if (this.readings <= READINGS_OPEN_MAX) break;
      await this.close(device, oldest);
    }
  }

  /** Sends the batches that are still open. */
  async end(): Promise<void> {
    for (const [device, batch] of this.open) await this.close(device, batch);
  }

  private async close(device: string, { scans, readings }: Batch): Promise<void> {
    this.open.delete(device);
    this.readings -= readings;
    // Scans without a time keep their order: the sort is stable.
    await this.send(scans.sort((a, b) => (a.timeMs ?? 0) - (b.timeMs ?? 0)));
  }
}
