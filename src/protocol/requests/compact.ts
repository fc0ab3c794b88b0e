// The compact GET interface: `GET /?key=K&wifi=BSSID,SSID,RSSI;BSSID,SSID,RSSI` answered in one line of text. It has no
// public documentation. The parameter and the success line are known from programs that use it; they look for
// `status=0` and take any other number as a failure. Cells are written in the same way,
// `cells=RADIO,MCC,MNC,AREA,ID,DBM;…`, for modems that can get an address and cannot post.

import { ERRORS, type ErrorRow } from '../errors.ts';
import type { PositionBody } from './schema.ts';

const LEVEL = /^\s*-?\d+(?:\.\d+)?\s*$/;

/**
 * The body that the parameters stand for. An SSID may contain commas. SSID and level may be missing, and of a cell what
 * stands behind its id. A repeated parameter adds to its list.
 * @param wifi decoded value of the parameter; anything but text means no access points
 * @param cells the same of cells; the first is the serving one
 */
export function readCompact(wifi: unknown, cells?: unknown): PositionBody {
  const wifiAccessPoints = entriesOf(wifi).map(readAccessPoint);
  const cellTowers = entriesOf(cells)
    .filter(text => text !== '')
    .map(readCell);
  return cellTowers.length === 0 ? { wifiAccessPoints } : { wifiAccessPoints, cellTowers };
}

function entriesOf(parameter: unknown): string[] {
  const lists = [parameter].flat().filter(list => typeof list === 'string');
  return lists.flatMap(list => list.split(';'));
}

/** Values that are empty are as if they were not sent. */
function readCell(text: string): object {
  const values = text.split(',').map(value => value.trim() || undefined);
  const [radioType, mobileCountryCode, mobileNetworkCode, locationAreaCode, cellId, signalStrength] = values;
  return { radioType, mobileCountryCode, mobileNetworkCode, locationAreaCode, cellId, signalStrength };
}

function readAccessPoint(text: string): { macAddress: string; ssid?: string; signalStrength?: number } {
  const first = text.indexOf(',');
  if (first < 0) return { macAddress: text.trim() };
  const last = text.lastIndexOf(',');
  const macAddress = text.slice(0, first).trim();
  const level = text.slice(last + 1);
  // Without a level after it, the last comma belongs to the name.
  if (!LEVEL.test(level)) return { macAddress, ssid: text.slice(first + 1) };
  return { macAddress, ssid: text.slice(first + 1, Math.max(first + 1, last)), signalStrength: Number(level) };
}

/** The success line: degrees with seven decimals, and whole metres. */
export function formatCompact(latitude: number, longitude: number, accuracyMetres: number): string {
  return `status=0;lat=${latitude.toFixed(7)};lon=${longitude.toFixed(7)};acc=${Math.round(accuracyMetres)}`;
}

const STATUS_NOT_FOUND = 1;
const STATUS_KEY_INVALID = 2;
const STATUS_EXCEEDED = 3;
const STATUS_FAILED = 4;

/**
 * The line of an error: 1 nothing found, 2 missing or invalid key, or one that may not do this, 3 credits, devices or
 * rate exceeded, 4 anything else.
 */
export function formatCompactError(row: ErrorRow): string {
  return `status=${compactStatus(row)}`;
}

function compactStatus(row: ErrorRow): number {
  if (row.status === 404) return STATUS_NOT_FOUND;
  if (row === ERRORS.accessNotConfigured || row === ERRORS.ipRefererBlocked) return STATUS_KEY_INVALID;
  if (row.status === 403 || row.status === 429) return STATUS_EXCEEDED;
  return row.status === 400 && row.domain === 'usageLimits' ? STATUS_KEY_INVALID : STATUS_FAILED;
}
