// Devices and where they were last, as the service tells them page by page.

import type { AdminSchemas } from '../../../../build/console_api.ts';
import { call } from '../../api/call.ts';
import { strings } from '../../strings.ts';

const text = strings.devices;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A device under one key. */
export type Device = AdminSchemas['Devices']['devices'][number];

/** What is searched by: a member that is empty says nothing. */
export interface Wanted {
  key: string;
  device: string;
}

/** What was found so far. */
export interface Found {
  devices: readonly Device[];
  /** There is more in the log: from where, and back to when it was read. */
  next?: string | undefined;
  reached?: string | undefined;
}

/**
 * Reads a page and adds it to those before. A device that is asked for by its id is looked for until it has a position.
 * @throws Refusal; AbortError of the signal
 */
export async function readDevices(wanted: Wanted, before: Found | undefined, signal?: AbortSignal): Promise<Found> {
  let found = before;
  do {
    const query = {
      ...(wanted.key !== '' && { key: wanted.key }),
      ...(wanted.device !== '' && { device: wanted.device }),
      ...(found?.next !== undefined && { before: found.next }),
    };
    const page = await call('GET /devices', { query, ...(signal && { signal }) });
    found = { ...page, devices: joined(found?.devices ?? [], page.devices) };
  } while (wanted.device !== '' && found.next !== undefined && !found.devices.some(each => each.position));
  return found;
}

/** What tells a device from all others. */
export function nameOf({ account, device }: Device): string {
  return `${account ?? 0} ${device}`;
}

/** A later page may have a device again, with what it did before. */
function joined(first: readonly Device[], more: readonly Device[]): Device[] {
  const known = new Map(first.map(each => [nameOf(each), each]));
  for (const each of more) {
    const other = known.get(nameOf(each));
    known.set(nameOf(each), other === undefined ? each : laterOf(other, each));
  }
  return [...known.values()].sort((a, b) => (a.last.time < b.last.time ? 1 : -1));
}

function laterOf(one: Device, other: Device): Device {
  const position = [one.position, other.position].reduce((a, b) => (b && (a === undefined || b.time > a.time) ? b : a));
  const last = other.last.time > one.last.time ? other.last : one.last;
  return { ...one, last, ...(position && { position }) };
}

/** How long ago a time was, in words. */
export function ageOf(time: string, nowMs = Date.now()): string {
  const age = nowMs - Date.parse(time);
  if (age < MINUTE) return text.ages.now;
  if (age < HOUR) return text.ages.minutes(Math.floor(age / MINUTE));
  return age < DAY ? text.ages.hours(Math.floor(age / HOUR)) : text.ages.days(Math.floor(age / DAY));
}
