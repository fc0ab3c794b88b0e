// What another service is asked, in Google's form, where nothing is found: cells and access points, and nothing else of
// the request. What the readers of our own queries leave out is left out, such as networks whose owners have opted out.
// So are the access points of a single device, however many addresses it has: their place is that of its owner.

import { isSameDevice } from '../../radio/mac.ts';
import type { LeftOut, StationList } from '../../radio/query/left_out.ts';
import { QueryMemory } from '../../radio/query/memory.ts';
import { readCells } from '../../radio/query/read_cells.ts';
import { readAccessPoints } from '../../radio/query/read_stations.ts';
import { QueryWriter, queryBytes } from '../../radio/query/writer.ts';
import { isIn, LATITUDE, LONGITUDE } from '../../radio/ranges.ts';
import { radioNumber } from '../../radio/station_key.ts';
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
/** More of either are not passed on. */
const ENTRIES_MAX = 64;

/**
 * The body to send.
 * @param body of a request for a position
 * @returns undefined if there is nothing to ask, or the request follows a device: then the answer would have to agree
 *   with where it was
 */
export function upstreamQuestion(body: PositionBody): string | undefined {
  const { radioType, state, lastLocation } = body;
  if (state || lastLocation) return undefined;
  const sent = {
    wifiAccessPoints: (body.wifiAccessPoints ?? []).slice(0, ENTRIES_MAX),
    cellTowers: (body.cellTowers ?? []).slice(0, ENTRIES_MAX),
  };
  const writer = new QueryWriter(new QueryMemory(new ArrayBuffer(queryBytes(2 * ENTRIES_MAX))));
  const leftOut: LeftOut[] = [];
  writer.begin(0);
  const accessPoints = readAccessPoints(sent.wifiAccessPoints, writer, leftOut);
  readCells(sent.cellTowers, radioType, writer, leftOut);
  const usable = (list: 'wifiAccessPoints' | 'cellTowers', members: readonly string[]): Members[] =>
    membersOf(withoutLeftOut(sent[list], list, leftOut), members);
  const cellTowers = usable('cellTowers', CELL);
  const wifiAccessPoints = areOfDevices(writer, accessPoints) ? usable('wifiAccessPoints', ACCESS_POINT) : [];
  if (cellTowers.length + wifiAccessPoints.length === 0) return undefined;
  return JSON.stringify({ considerIp: false, radioType, cellTowers, wifiAccessPoints });
}

/** True if not all access points, the first of a query, may be of one device, each beside another of its addresses. */
function areOfDevices(writer: QueryWriter, accessPoints: number): boolean {
  const { u8, i32 } = writer.memory;
  const radios = Array.from({ length: accessPoints }, (_, i) => radioNumber(u8, i32, writer.at(i)));
  const device = new Set(radios.slice(0, 1));
  for (const radio of device) for (const other of radios) if (isSameDevice(radio, other)) device.add(other);
  return radios.some(radio => !device.has(radio));
}

function withoutLeftOut(entries: readonly unknown[], list: StationList, leftOut: readonly LeftOut[]): Members[] {
  const dropped = new Set(leftOut.filter(each => each.list === list).map(({ entry }) => entry));
  return entries.filter((_, i) => !dropped.has(i)) as Members[];
}

function membersOf(entries: readonly Members[], members: readonly string[]): Members[] {
  return entries.map(entry =>
    Object.fromEntries(
      members
        .map(name => [name, entry[name]] as const)
        .filter(([, value]) => typeof value === 'string' || typeof value === 'number'),
    ),
  );
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
