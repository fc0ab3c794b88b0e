// Files of scans for tests: written into a folder under the temporary folder, and read back.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Scan } from '../../../lab/evaluation/scan.ts';
import { openScans } from '../../../lab/evaluation/scan_file.ts';

/** A folder of scan files; the caller removes it. */
export class ScanFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'scans-'));

  /** Writes values, or texts, as lines; returns the path. */
  write(name: string, lines: readonly unknown[]): string {
    const file = join(this.path, name);
    mkdirSync(dirname(file), { recursive: true });
    const text = lines.map(line => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
    writeFileSync(file, name.endsWith('.gz') ? gzipSync(text) : text);
    return file;
  }

  remove(): void {
    rmSync(this.path, { recursive: true });
  }
}

/** The earliest time with a date. */
export const YEAR_2000_MS = 946_684_800_000;

/** All scans of a file. */
export async function scansIn(file: string): Promise<Scan[]> {
  const scans: Scan[] = [];
  for await (const scan of (await openScans(file)).scans()) scans.push(scan);
  return scans;
}

/** A line of a cell scan with one serving cell. */
export function cellLine(
  track: string,
  latitude: number,
  longitude: number,
  cellId: number,
  timeMs: number | null = null,
): object {
  const cell = { radio: 'lte', mcc: 206, mnc: 1, lac: 5, cid: cellId, psc: 7, arfcn: 1300, rss: -80, ta: null, s: 1 };
  return { g: track, t: timeMs, lat: latitude, lon: longitude, acc: null, cells: [cell] };
}
