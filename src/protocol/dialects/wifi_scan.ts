// Finds the WiFi scan in what a LoRaWAN server has decoded of an uplink. Every device has a decoder of its own, and
// each names things differently: a scan is the longest list of entries with an address and, mostly, a level.

import { parseMac } from '../../radio/mac.ts';
import { type Members, membersOf, textOf } from './json_body.ts';

const ADDRESS = ['macAddress', 'mac_address', 'mac', 'bssid', 'address', 'id'];
const LEVEL = ['signalStrength', 'signal_strength', 'rssi', 'rss', 'signal', 'level'];
/** A decoded uplink has a few dozen values. */
const VALUES_MAX = 2_000;
const ACCESS_POINTS_MIN = 2;

/** The access points of a scan, as our interface has them; undefined if there is none. */
export function wifiScanIn(decoded: unknown): Members[] | undefined {
  let best: Members[] = [];
  const open: unknown[] = [decoded];
  for (let count = 0; open.length > 0 && count < VALUES_MAX; count++) {
    const value = open.shift();
    if (typeof value !== 'object' || value === null) continue;
    const inner = Object.values(value);
    open.push(...inner.slice(0, VALUES_MAX));
    if (!Array.isArray(value)) continue;
    const points = inner.flatMap(accessPointOf);
    if (points.length > best.length) best = points;
  }
  return best.length < ACCESS_POINTS_MIN ? undefined : best;
}

function accessPointOf(entry: unknown): Members[] {
  const members = lowered(membersOf(entry));
  const macAddress = ADDRESS.map(name => textOf(members[name.toLowerCase()])).find(
    text => text !== undefined && parseMac(text) >= 0,
  );
  if (macAddress === undefined) return [];
  const signalStrength = LEVEL.map(name => members[name.toLowerCase()]).find(level => typeof level === 'number');
  return [{ macAddress, signalStrength }];
}

function lowered(members: Members): Members {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name.toLowerCase(), value]));
}
