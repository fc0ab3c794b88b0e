// Stations as the sorted records that a load takes.

import type { SortedRecords } from '../../../src/tables/stations/merge.ts';
import { STATION_BYTES } from '../../../src/tables/stations/record_layout.ts';
import { encodeStation, type Station } from '../../../src/tables/stations/station.ts';

/** @param stations by key in hexadecimal, padded to `keyBytes` */
export function sortedRecords(
  keyBytes: number,
  stations: ReadonlyMap<string, Station>,
  batchRecords = 100,
): SortedRecords {
  const sorted = [...stations].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    keyBytes,
    added: sorted.length,
    *batches() {
      for (let start = 0; start < sorted.length; start += batchRecords) {
        const part = sorted.slice(start, start + batchRecords);
        const bytes = new Uint8Array(part.length * (keyBytes + STATION_BYTES));
        const view = new DataView(bytes.buffer);
        part.forEach(([key, station], i) => {
          bytes.set(Buffer.from(key, 'hex'), i * (keyBytes + STATION_BYTES));
          encodeStation(view, i * (keyBytes + STATION_BYTES) + keyBytes, station);
        });
        yield { bytes, count: part.length };
      }
    },
  };
}

/** Key of an access point in hexadecimal, padded to eight bytes. */
export function wifiHex(mac: number): string {
  return `01${mac.toString(16).padStart(12, '0')}00`;
}

/** Key of a cell in hexadecimal. */
export function cellHex(kind: number, network: number, cell: number, area: number): string {
  const hex = (value: number, bytes: number) => value.toString(16).padStart(bytes * 2, '0');
  return hex(kind, 1) + hex(network, 3) + hex(cell, 5) + hex(area, 3);
}
