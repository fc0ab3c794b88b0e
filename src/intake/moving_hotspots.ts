// Recognises access points that travel by their names: phones, cars, buses, trains and aircraft announce the name that
// the factory or the operator gave them. A device that hears one would be located where it was seen last. The list
// (data/moving_hotspots.csv) need not be exact: a station refused in error is one of many, and one that is missed shows
// itself later, when it is seen in different positions.

import { readFileSync } from 'node:fs';

/** A network name has at most 32 bytes; longer texts name no network. */
const NAME_LENGTH_MAX = 32;

let pattern: RegExp | undefined;

/**
 * True for a name on the list.
 * @param ssid name as text; anything but a non-empty string counts as not sent
 * @param ssidHex name as two hexadecimal digits a byte; consulted only when `ssid` is not sent
 */
export function isMovingHotspot(ssid: unknown, ssidHex: unknown): boolean {
  const name = typeof ssid === 'string' && ssid !== '' ? ssid : decode(ssidHex);
  if (name === '' || name.length > NAME_LENGTH_MAX) return false;
  pattern ??= compile(readFileSync(new URL('../../data/moving_hotspots.csv', import.meta.url), 'utf8'));
  return pattern.test(name);
}

function decode(hex: unknown): string {
  return typeof hex === 'string' && hex.length <= 2 * NAME_LENGTH_MAX ? Buffer.from(hex, 'hex').toString() : '';
}

/** Compiles the list into one expression, since it is tried on every access point. */
function compile(csv: string): RegExp {
  const parts = csv
    .trim()
    .split('\n')
    .slice(1)
    .map(line => {
      const [match, name] = line.split(',');
      const text = name
        .replaceAll(/[\\^$.*+()[\]{}|/]/g, '\\$&')
        .replaceAll('#', '\\d')
        .replaceAll('?', '.');
      if (match === 'is') return `^${text}$`;
      return match === 'starts' ? `^${text}` : text;
    });
  return new RegExp(parts.join('|'), 'iu');
}
