// What another service is asked, in Google's form, where nothing is found: cells and access points, and nothing else of
// the request. Networks whose owners have opted out are left out, as are single access points.

import { isIn, LATITUDE, LONGITUDE } from '../../radio/ranges.ts';
import { isOptedOut } from '../../radio/wifi.ts';
import type { PositionBody } from './schema.ts';

type Members = { readonly [member: string]: unknown };

/** Members of a cell that are passed on. */
const CELL = [
  'radioType',
  'mobileCountryCode',
  'mobileNetworkCode',
  'locationAreaCode',
  'cellId',
  'newRadioCellId',
  'signalStrength',
  'timingAdvance',
  'primaryScramblingCode',
];
/** Of an access point. */
const ACCESS_POINT = ['macAddress', 'signalStrength', 'channel', 'age'];
const ACCESS_POINTS_MIN = 2;
/** More of either are not passed on. */
const ENTRIES_MAX = 64;

/**
 * The body to send.
 * @param body of a request for a position
 * @returns undefined if there is nothing to ask, or the request follows a device: then the answer would have to agree
 *   with where it was
 */
export function upstreamQuestion(body: PositionBody): string | undefined {
  const { radioType, cellTowers, wifiAccessPoints, state, lastLocation } = body;
  if (state || lastLocation) return undefined;
  const cells = entriesOf(cellTowers, CELL);
  const open = (wifiAccessPoints ?? []).filter(
    entry => !isOptedOut((entry as Members)?.ssid, (entry as Members)?.ssidHex),
  );
  const accessPoints = entriesOf(open, ACCESS_POINT);
  const some = accessPoints.length < ACCESS_POINTS_MIN ? [] : accessPoints;
  if (cells.length + some.length === 0) return undefined;
  return JSON.stringify({ considerIp: false, radioType, cellTowers: cells, wifiAccessPoints: some });
}

function entriesOf(list: readonly unknown[] | null | undefined, members: readonly string[]): Members[] {
  return (list ?? []).slice(0, ENTRIES_MAX).flatMap(entry => {
    if (typeof entry !== 'object' || entry === null) return [];
    const kept = members.flatMap(name => {
      const value = (entry as Members)[name];
      return typeof value === 'string' || typeof value === 'number' ? [[name, value] as const] : [];
    });
    return kept.length === 0 ? [] : [Object.fromEntries(kept)];
  });
}

/** A position as another service found it: degrees, and the radius in metres. */
interface UpstreamPosition {
  lat: number;
  lng: number;
  accuracy: number;
}

/** Reads an answer. @returns undefined where it is none, or makes no sense */
export function readUpstream(text: string): UpstreamPosition | undefined {
  let answer: { location?: Partial<UpstreamPosition>; accuracy?: unknown } | null;
  try {
    answer = JSON.parse(text);
  } catch {
    return undefined; // it is no answer of such a service
  }
  const { lat, lng } = answer?.location ?? {};
  const accuracy = answer?.accuracy;
  if (typeof lat !== 'number' || typeof lng !== 'number' || typeof accuracy !== 'number') return undefined;
  if (!isIn(lat, LATITUDE) || !isIn(lng, LONGITUDE) || !(accuracy > 0 && accuracy < Number.POSITIVE_INFINITY))
    return undefined;
  return { lat, lng, accuracy: Math.max(1, Math.round(accuracy)) };
}
