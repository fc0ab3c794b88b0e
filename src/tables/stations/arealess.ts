// Finds a cell that was sent without its area code: among all cells of its network with its id. GSM is left out, because its cell ids recur from area to area.

import type { Database } from 'lmdb';
import { PAYLOAD_WORDS } from '../../../wasm/station_cache_constants.ts';
import { KIND_GSM } from '../../radio/kind.ts';
import { KEY_BYTES_CELL } from '../../radio/station_key.ts';
import { packMean, packStation, STATE_BITS } from './packed_station.ts';
import { STATE_ACTIVE, stationView } from './station.ts';

/** A cell id without area code that recurs more often than this identifies no cell. */
const CANDIDATES = 16;
const AREA_AT = 9;

/**
 * Looks up all cells of one network with the id of `key`, in the open transaction. If they lie within 10 km of each other, packs their mean, with a radius that
 * holds them; otherwise packs nothing.
 * @throws Error when a record is damaged
 */
export function packWithoutArea(stations: Database<Buffer, Buffer>, key: Uint8Array, out: Int32Array, outAt: number): void {
  if (key[0] === KIND_GSM) return;
  const start = Buffer.from(key.subarray(0, KEY_BYTES_CELL)).fill(0, AREA_AT);
  const end = Buffer.from(key.subarray(0, KEY_BYTES_CELL)).fill(255, AREA_AT);
  const words = new Int32Array(PAYLOAD_WORDS * CANDIDATES);
  const range = { start, end: Buffer.concat([end, Buffer.of(0)]), limit: CANDIDATES + 1 };
  let rows = 0;
  let found = 0;
  for (const { key: row, value } of stations.getRange(range)) {
    if (++rows > CANDIDATES) return;
    packStation(row, 0, stationView(value), words, found * PAYLOAD_WORDS);
    if ((words[found * PAYLOAD_WORDS + 3] & STATE_BITS) === STATE_ACTIVE) found++;
  }
  packMean(words, found, out, outAt);
}
