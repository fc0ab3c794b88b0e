// Reads the two files in the archive of UJIIndoorLoc as scans: those for training, and those for validation.

import { isUjiHeader, UjiRows } from '../../src/indoor/transfer/fingerprints/ujiindoorloc.ts';
import { csvOf } from '../../src/transfer/files/csv_file.ts';
import { readText } from '../../src/transfer/files/text_file.ts';
import { openArchive } from '../../src/transfer/files/zip_archive.ts';
import type { AccessPoint } from '../evaluation/scan.ts';
import type { IndoorScan } from './indoor_scan.ts';

/** @throws Error when the archive is none of UJIIndoorLoc */
export async function readUji(file: string, part: 'training' | 'validation'): Promise<IndoorScan[]> {
  const archive = await openArchive(file);
  try {
    const entry = archive.entries.find(({ name }) => name.endsWith(`${part}Data.csv`));
    if (entry === undefined) throw new Error(`${file} has no ${part}Data.csv: it is no archive of UJIIndoorLoc.`);
    const text = await readText(entry.fullName, await entry.open());
    const csv = csvOf(text);
    const [header = []] = csv.headRows;
    if (!isUjiHeader(header)) throw new Error(`${entry.fullName} has another header than UJIIndoorLoc.`);
    const rows = new UjiRows(header);
    const scans: IndoorScan[] = [];
    for await (const { firstLine, rows: block } of csv.blocks()) {
      for (const [i, row] of block.entries()) {
        const id = `${part} ${firstLine + i}`;
        const found =
          firstLine + i === 1 || row === undefined || row.length < header.length ? undefined : rows.read(row);
        if (found !== undefined) scans.push(scanOf(found, id));
      }
    }
    text.close();
    return scans;
  } finally {
    archive.close();
  }
}

function scanOf({ floor, otherwise, draft }: NonNullable<ReturnType<UjiRows['read']>>, id: string): IndoorScan {
  const { latitude, longitude, wifiAccessPoints } = draft;
  return {
    id,
    track: id,
    device: id,
    timeMs: undefined,
    latitude: latitude as number,
    longitude: longitude as number,
    accuracyMetres: undefined,
    cellTowers: [],
    wifiAccessPoints: wifiAccessPoints as readonly AccessPoint[],
    bluetoothBeacons: [],
    building: otherwise!.name,
    floor,
    room: undefined,
  };
}
