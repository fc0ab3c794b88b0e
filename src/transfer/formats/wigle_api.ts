// Reads results of WiGLE's interface: of a search the place at which WiGLE puts a station, of a detail the
// measurements behind it as well, which then count instead.
//
//   {"success": true, "results": [{"trilat": 47.1, "trilong": 9.5, "netid": "0A:00:00:00:00:01", "ssid": "x",
//   "channel": 6, "firsttime": …, "lasttime": "2024-05-06T07:00:00.000Z", "lastupdt": …, "type": "infra",
//   "locationData": [{"latitude": …, "longitude": …, "alt": …, "accuracy": …, "signal": -60, "time": …}]}]}
//
// A cell has its key in `id` (`310260_7033_17811`) and its type in `gentype`.
//
// Source: api.wigle.net/swagger, version 2 of the interface.

import type { ReportDraft } from '../../intake/draft.ts';
import { numberOf } from '../../radio/read_value.ts';
import { readFileTime } from '../files/file_time.ts';
import { stated } from './row_table.ts';
import { stationOf } from './wigle.ts';

type Members = { readonly [member: string]: unknown };

/** A draft, and the time as it is stated. */
interface Found {
  draft: ReportDraft;
  time: string;
}

/** Whether an object is a result, right or wrong. */
export function isWigleResult(value: Members): boolean {
  return 'trilat' in value && 'trilong' in value;
}

/** The reports of a result. A time that cannot be read is missing in its draft. */
export function readWigleResult(result: Members): Found[] {
  const locations = Array.isArray(result.locationData) ? (result.locationData as Members[]) : [];
  if (locations.length > 0) return locations.map(location => readLocation(result, location ?? {}));
  const { trilat, trilong, lasttime, lastupdt } = result;
  const position = { latitude: numberOf(trilat), longitude: numberOf(trilong) };
  return [found(position, result, {}, lasttime ?? lastupdt)];
}

function readLocation(result: Members, { latitude, longitude, accuracy, alt, signal, time, lastupdt }: Members): Found {
  const metres = numberOf(accuracy);
  const position = {
    latitude: numberOf(latitude),
    longitude: numberOf(longitude),
    ...stated({ accuracyMetres: metres > 0 ? metres : Number.NaN, altitude: numberOf(alt) }),
  };
  return found(position, result, { signalStrength: signal }, time ?? lastupdt);
}

function found(position: ReportDraft, result: Members, measured: Members, time: unknown): Found {
  const { netid, id, type, gentype, ssid, name, channel } = result;
  const key = String(netid ?? id);
  const station = stationOf(key, String(gentype ?? type)) ?? stationOf(key, 'WIFI')!;
  const named = station.list === 'wifiAccessPoints' ? { ssid: ssid ?? name, channel } : {};
  const timeMs = readFileTime(String(time ?? ''), 'month');
  const draft = { ...position, ...stated({ timeMs }), [station.list]: [{ ...station.entry, ...named, ...measured }] };
  return { draft, time: String(time ?? '') };
}
