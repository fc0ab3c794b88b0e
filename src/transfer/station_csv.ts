// Reads lists of access points with known positions. The header names the columns, in any order and in any of these
// spellings; other columns are ignored:
//
//   address     bssid, mac, macAddress, netid          required
//   latitude    lat, latitude                          required
//   longitude   lon, lng, long, longitude              required
//   radius      radius, r50, range, accuracy           metres that hold half of the positions where it is seen
//   samples     samples                                observations behind the row
//   name        ssid, name                             not kept: read only to refuse who opts out or travels
//   first seen  firstSeen, created                     Unix seconds or milliseconds, or an ISO 8601 date
//   last seen   lastSeen, updated                      the same

import { KIND_WIFI } from '../radio/kind.ts';
import { isGroupOrNullMac, parseMac } from '../radio/mac.ts';
import { CODE_ABSENT } from '../radio/query/layout.ts';
import { writeMacKey } from '../radio/station_key.ts';
import { isMovingHotspot, isOptedOut } from '../radio/wifi.ts';
import type { RecordSort } from '../tables/environment/record_sort.ts';
import { encodeStation, STATE_ACTIVE } from '../tables/stations/station.ts';
import { readDay, readDecimal, readSamples, refusePosition } from './files/csv_file.ts';
import type { Refusal } from './files/refused_lines.ts';

/** Metres: the usual error of a listed position plus half the reach of an indoor access point. */
const R50_METRES_DEFAULT = 35;
/** Above the 2.08 of two normal axes, because access points are heard far down a street. */
const R95_TO_R50 = 2.6;
/**
 * Metres within which nine of ten outdoor scans hear an access point (the shared scans of Ariel), where a list does not
 * say how far.
 */
const R95_METRES_DEFAULT = 230;

/** Index of each column; -1 when the file lacks it. */
interface StationColumns {
  /** Columns of the header. */
  count: number;
  address: number;
  latitude: number;
  longitude: number;
  radius: number;
  samples: number;
  name: number;
  firstSeen: number;
  lastSeen: number;
}

/**
 * Reads the header of a list of access points.
 * @throws Error naming the column that is missing
 */
export function recogniseStationList(name: string, headRows: readonly string[][]): StationColumns {
  const header = (headRows[0] ?? []).map(column => column.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));
  const find = (...spellings: string[]) => header.findIndex(column => spellings.includes(column));
  const required = (meaning: string, ...spellings: string[]) => {
    const at = find(...spellings);
    if (at < 0)
      throw new Error(
        `${name} is not a list of access points: its first line names no column for the ${meaning} ` +
          `(${spellings.join(', ')}).`,
      );
    return at;
  };
  return {
    count: header.length,
    address: required('address', 'bssid', 'mac', 'macaddress', 'netid'),
    latitude: required('latitude', 'latitude', 'lat'),
    longitude: required('longitude', 'longitude', 'lon', 'lng', 'long'),
    radius: find('radius', 'r50', 'range', 'accuracy'),
    samples: find('samples'),
    name: find('ssid', 'name'),
    firstSeen: find('firstseen', 'created'),
    lastSeen: find('lastseen', 'updated'),
  };
}

/** Adds the access point of one row to the records, or returns why it is refused. Records have 8 bytes of key. */
export function addStation(row: readonly string[], columns: StationColumns, records: RecordSort): Refusal | undefined {
  if (row.length !== columns.count)
    return { rule: 'columns', why: `there are ${row.length} columns instead of ${columns.count}` };
  const mac = parseMac(row[columns.address].trim());
  if (mac < 0) return { rule: 'address', why: `"${row[columns.address]}" is not a MAC address` };
  if (isGroupOrNullMac(mac))
    return { rule: 'group address', why: `no access point sends from the address ${row[columns.address]}` };
  const name = columns.name < 0 ? '' : row[columns.name];
  if (isOptedOut(name, undefined)) return { rule: 'opted out', why: 'the network name asks not to be mapped' };
  if (isMovingHotspot(name, undefined)) return { rule: 'moving hotspot', why: `"${name}" is a name that travels` };
  const latitude = readDecimal(row[columns.latitude]);
  const longitude = readDecimal(row[columns.longitude]);
  const misplaced = refusePosition(latitude, longitude);
  if (misplaced !== undefined) return misplaced;

  const radius = columns.radius < 0 ? 0 : readDecimal(row[columns.radius]);
  const r50Metres = radius > 0 ? radius : R50_METRES_DEFAULT;
  const at = records.next();
  writeMacKey(records.bytes, at, KIND_WIFI, mac);
  encodeStation(records.view, at + records.keyBytes, {
    latitude,
    longitude,
    r50Metres,
    r95Metres: radius > 0 ? radius * R95_TO_R50 : R95_METRES_DEFAULT,
    samples: readSamples(row[columns.samples]),
    firstSeenDay: readDay(row[columns.firstSeen]),
    lastSeenDay: readDay(row[columns.lastSeen]),
    state: STATE_ACTIVE,
    referenceDbm: 0,
    exponent: 0,
    code: CODE_ABSENT,
    isLearned: false,
  });
  return undefined;
}
