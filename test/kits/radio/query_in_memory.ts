// Reads a query back from the bytes that the reader wrote, by the offsets of wasm/memory.ts.

import { readQuery } from '../../../src/protocol/requests/position_query.ts';
import { checkStructure } from '../../../src/protocol/requests/schema.ts';
import { formatMac } from '../../../src/radio/mac.ts';
import { readTrack } from '../../../src/radio/query/answer.ts';
import * as layout from '../../../src/radio/query/layout.ts';
import { AGE_ABSENT, CODE_ABSENT, SIGNAL_ABSENT } from '../../../src/radio/query/layout.ts';
import { QueryMemory } from '../../../src/radio/query/memory.ts';
import { addressAt } from '../../../src/radio/query/reader.ts';
import { QueryWriter, queryBytes } from '../../../src/radio/query/writer.ts';
import {
  areaOfKey,
  cellOfKey,
  KEY_BYTES_BEACON,
  KEY_BYTES_MAC,
  macOfKey,
  mccOfKey,
  mncOfKey,
} from '../../../src/radio/station_key.ts';

export const ARRIVAL_MS = 1_700_000_000_000;
/** Behind some other query, so that a forgotten offset shows. */
const OFFSET = 64;

/** A value that the record marks as not sent reads back as undefined. */
function sent<T>(value: T, absent: T): T | undefined {
  return value === absent ? undefined : value;
}

/**
 * What a body becomes: its outcome, header and observations. @param wants WANTS_* bits @param state of a tracked device
 */
export function queryOf(body: unknown, wants = 0, state?: Uint8Array) {
  checkStructure(body);
  const lists = [body.wifiAccessPoints, body.bluetoothBeacons, body.cellTowers];
  const size = lists.reduce((sum, list) => sum + (list?.length ?? 0), 0);
  const memory = new QueryMemory(new ArrayBuffer(OFFSET + queryBytes(size, wants)));
  memory.u8.fill(0xee);
  const outcome = readQuery(body, ARRIVAL_MS, new QueryWriter(memory), OFFSET, { wants, track: state });
  const { u8, u16, i16, u32, i32, f32, f64 } = memory;
  const int = (field: number) => u32[(OFFSET + field) >> 2];
  const float = (field: number) => f32[(OFFSET + field) >> 2];
  const double = (field: number) => f64[(OFFSET + field) >> 3];
  const first = OFFSET + layout.REQUEST_BYTES;
  const observation = (index: number) => {
    const at = first + index * layout.OBSERVATION_BYTES;
    return {
      at,
      kind: u8[at],
      signal: sent(i16[(at + layout.OBSERVATION_SIGNAL) >> 1], SIGNAL_ABSENT),
      age: sent(u32[(at + layout.OBSERVATION_AGE) >> 2], AGE_ABSENT),
      frequency: u16[(at + layout.OBSERVATION_FREQUENCY) >> 1],
      timing: sent(i32[(at + layout.OBSERVATION_TIMING) >> 2], -1),
      flags: u16[(at + layout.OBSERVATION_FLAGS) >> 1],
      channel: sent(u16[(at + layout.OBSERVATION_CHANNEL) >> 1], 0),
    };
  };
  const range = (from: number, count: number) => Array.from({ length: count }, (_, i) => observation(from + i));
  const wifi = int(layout.REQUEST_WIFI);
  const bluetooth = int(layout.REQUEST_BLUETOOTH);
  const flags = int(layout.REQUEST_FLAGS);
  return {
    outcome,
    length: int(layout.REQUEST_LENGTH),
    end: outcome.end - OFFSET,
    track: readTrack(memory, OFFSET),
    flags,
    text: int(layout.REQUEST_TEXT),
    fallbacks: int(layout.REQUEST_FALLBACKS),
    radios: int(layout.REQUEST_SUBMITTED_WIFI),
    gps:
      flags & layout.HAS_GPS
        ? {
            latitude: double(layout.REQUEST_GPS_LATITUDE),
            longitude: double(layout.REQUEST_GPS_LONGITUDE),
            accuracy: sent(float(layout.REQUEST_GPS_ACCURACY), -1),
            age: float(layout.REQUEST_GPS_AGE),
          }
        : undefined,
    last:
      flags & layout.HAS_LAST_LOCATION
        ? {
            latitude: double(layout.REQUEST_LAST_LATITUDE),
            longitude: double(layout.REQUEST_LAST_LONGITUDE),
            accuracy: float(layout.REQUEST_LAST_ACCURACY),
            timestampMs: double(layout.REQUEST_LAST_TIMESTAMP),
          }
        : undefined,
    wifi: range(0, wifi).map(({ at, signal, age, frequency, channel }) => ({
      mac: formatMac(macOfKey(u8, at)),
      signal,
      age,
      frequency: sent(frequency, 0),
      channel,
    })),
    beacons: range(wifi, bluetooth).map(({ at, kind, signal, age }) => ({
      kind,
      id: Buffer.from(u8.subarray(at + 1, at + (kind === 3 ? KEY_BYTES_BEACON : KEY_BYTES_MAC))).toString('hex'),
      signal,
      age,
      address: kind === 3 ? sent(addressAt(memory, at), layout.ADDRESS_ABSENT) : undefined,
    })),
    cells: range(wifi + bluetooth, int(layout.REQUEST_CELLS)).map(
      ({ at, kind, signal, age, frequency, timing, flags: bits }) => ({
        kind,
        mcc: mccOfKey(u8, at),
        mnc: mncOfKey(u8, at),
        area: bits & layout.FLAG_NO_AREA ? undefined : areaOfKey(u8, at),
        cell: bits & layout.FLAG_NO_CELL_ID ? undefined : cellOfKey(u8, at),
        signal,
        age,
        code: sent(frequency, CODE_ABSENT),
        timing,
        serving: (bits & layout.FLAG_SERVING) !== 0,
        inferred: (bits & layout.FLAG_INFERRED) !== 0,
      }),
    ),
  };
}
