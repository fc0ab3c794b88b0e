// Finds the WiFi scan in what a LoRaWAN server has decoded of an uplink. Every device has a decoder of its own, and
// each names and arranges things differently. A scan is the longest of: entries of a list with an address and, mostly,
// a level; the same as numbered members of one object; addresses that are names of levels; texts of an address and a
// level. Any of it may stand in a text of JSON.

import { parseMac } from '../../radio/mac.ts';
import { type Members, membersOf } from './json_body.ts';

const ADDRESS = ['macAddress', 'mac_address', 'mac', 'bssid', 'address', 'id'];
const LEVEL = ['signalStrength', 'signal_strength', 'rssi', 'rss', 'signal', 'level'];
/** Numbered names: what is left without the number, and the number. */
const NUMBERED = /^(\D*)(\d{1,2})(\D*)$/;
/** An address, and a level behind it. */
const TEXT_OF_BOTH = /^\s*([0-9a-f:.-]{12,17})\s*[,;|/= ]\s*(-?\d{1,3})\b/i;
/** A decoded uplink has a few dozen values. */
const VALUES_MAX = 2_000;
const ACCESS_POINTS_MIN = 2;

/** The access points of a scan, as our interface has them; undefined if there is none. */
export function wifiScanIn(decoded: unknown): Members[] | undefined {
  let best: Members[] = [];
  const open: unknown[] = [decoded];
  for (let count = 0; open.length > 0 && count < VALUES_MAX; count++) {
    const value = readText(open.shift());
    if (typeof value !== 'object' || value === null) continue;
    const inner = Object.values(value);
    open.push(...inner.slice(0, VALUES_MAX));
    const points = Array.isArray(value) ? inner.flatMap(accessPointOf) : accessPointsOf(value as Members);
    if (points.length > best.length) best = points;
  }
  return best.length < ACCESS_POINTS_MIN ? undefined : best;
}

/** What a text of JSON says; any other value as it is. */
function readText(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    // A text that only begins like JSON.
    return value;
  }
}

/** Of an entry of a list. */
function accessPointOf(entry: unknown): Members[] {
  if (typeof entry === 'string') {
    const [, address, level] = TEXT_OF_BOTH.exec(entry) ?? [];
    return pointsOf([[address, level === undefined ? undefined : Number(level)]]);
  }
  const members = lowered(membersOf(entry));
  const addresses = ADDRESS.map(name => members[name.toLowerCase()]);
  const level = LEVEL.map(name => members[name.toLowerCase()]).find(level => typeof level === 'number');
  return pointsOf(addresses.map(address => [address, level])).slice(0, 1);
}

/** Of an object whose members are numbered, or are levels by their addresses. */
function accessPointsOf(value: Members): Members[] {
  const byNumber = new Map<number, { address?: unknown; level?: unknown }>();
  for (const [name, member] of Object.entries(lowered(value))) {
    const [, before, number, after] = NUMBERED.exec(name) ?? [];
    if (number === undefined) continue;
    const isNamed = (names: readonly string[]) => names.some(each => (before + after).includes(each.toLowerCase()));
    const isAddress = typeof member === 'string' && parseMac(member) >= 0 && isNamed(ADDRESS);
    if (!isAddress && !(typeof member === 'number' && isNamed(LEVEL))) continue;
    const part = isAddress ? 'address' : 'level';
    byNumber.set(Number(number), { ...byNumber.get(Number(number)), [part]: member });
  }
  const numbered = pointsOf([...byNumber.values()].map(({ address, level }) => [address, level]));
  const named = pointsOf(Object.entries(value).filter(([, level]) => typeof level === 'number' && level < 0));
  return named.length > numbered.length ? named : numbered;
}

/** Those whose address is one. */
function pointsOf(pairs: readonly (readonly [address: unknown, level: unknown])[]): Members[] {
  return pairs
    .filter(([address]) => typeof address === 'string' && parseMac(address) >= 0)
    .map(([macAddress, level]) => ({ macAddress, signalStrength: typeof level === 'number' ? level : undefined }));
}

function lowered(members: Members): Members {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name.toLowerCase(), value]));
}
