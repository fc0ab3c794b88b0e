// Access points that are left out for their names: of owners who opted out of location services, and those that travel.
// Import, learning and look-up ask here; the core asks its own copies of both rules (wasm/body/opt_out.ts).

import { readFileSync } from 'node:fs';

// Each letter in any case, and blanks behind the name, which some programs add.
const NOMAP = /_nomap *$/i;
const OPTOUT = /_optout/i;
// The same in hexadecimal digits, of which the first of a letter tells its case. Names begin at whole bytes.
const NOMAP_HEX = /5f[46]e[46]f[46]d[46]1[57]0(?:20)*$/i;
const OPTOUT_HEX = /^(?:..)*?5f[46]f[57]0[57]4[46]f[57]5[57]4/i;
/** A network name has at most 32 bytes; longer texts name no network. */
const NAME_LENGTH_MAX = 32;

/**
 * True if the network's name opts out of location services: it ends in `_nomap` or contains `_optout`.
 * @param ssid name as text; an empty string or another type counts as not sent
 * @param ssidHex name with two hexadecimal digits a byte; used only if `ssid` was not sent
 */
export function isOptedOut(ssid: unknown, ssidHex: unknown): boolean {
  if (typeof ssid === 'string' && ssid !== '') return ssid.includes('_') && (NOMAP.test(ssid) || OPTOUT.test(ssid));
  if (typeof ssidHex !== 'string' || ssidHex.length > 2 * NAME_LENGTH_MAX) return false;
  return NOMAP_HEX.test(ssidHex) || OPTOUT_HEX.test(ssidHex);
}

// Phones, cars, buses, trains and aircraft announce the name that the factory or the operator gave them. A device that
// hears one would be located where it was seen last. The list (data/moving_hotspots.csv) need not be exact: a station
// refused in error is one of many, and one that is missed shows itself later, when it is seen in different positions.

interface MovingName {
  match: string;
  name: string;
}

let names: readonly MovingName[] | undefined;
let pattern: RegExp | undefined;

/**
 * True for a name on the list of those that travel.
 * @param ssid name as text; anything but a non-empty string counts as not sent
 * @param ssidHex name as two hexadecimal digits a byte; consulted only when `ssid` is not sent
 */
export function isMovingHotspot(ssid: unknown, ssidHex: unknown): boolean {
  const name = typeof ssid === 'string' && ssid !== '' ? ssid : decode(ssidHex);
  if (name === '' || name.length > NAME_LENGTH_MAX) return false;
  pattern ??= new RegExp(movingNames().map(expressionOf).join('|'), 'i');
  return pattern.test(name);
}

function decode(hex: unknown): string {
  return typeof hex === 'string' && hex.length <= 2 * NAME_LENGTH_MAX ? Buffer.from(hex, 'hex').toString() : '';
}

function movingNames(): readonly MovingName[] {
  names ??= readFileSync(new URL('../../data/moving_hotspots.csv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map(line => line.split(','))
    .map(([match, name]) => ({ match, name }));
  return names;
}

/** One expression is made of all, since it is tried on every access point. */
function expressionOf({ match, name }: MovingName): string {
  const text = name
    .replaceAll(/[\\^$.*+()[\]{}|/]/g, '\\$&')
    .replaceAll('#', '\\d')
    .replaceAll('?', '.');
  if (match === 'is') return `^${text}$`;
  return match === 'starts' ? `^${text}` : text;
}

const GRAM_BYTES = 4;

/**
 * What a name on the list begins with, or contains: four of its bytes, each with bit 0x20, which makes letters small
 * and fills names of fewer bytes.
 * @param isStart of the names that are told by their beginning; the others contain theirs
 */
export function movingGrams(isStart: boolean): Buffer[] {
  const grams = movingNames()
    .filter(({ match }) => (match === 'contains') !== isStart)
    .flatMap(({ name }) => variantsOf(isStart ? name : /[^#?\u0080-\uffff]{4}/.exec(name)![0]));
  return grams.map(bytes => Buffer.from(Array.from({ length: GRAM_BYTES }, (_, i) => (bytes[i] ?? 0) | 0x20)));
}

/** The first four bytes of a name: `#` is any digit, `?` any byte. */
function variantsOf(name: string): number[][] {
  let variants: number[][] = [[]];
  for (const byte of Buffer.from(name).subarray(0, GRAM_BYTES)) {
    const bytes =
      byte === 0x23
        ? Array.from({ length: 10 }, (_, digit) => 0x30 + digit)
        : byte === 0x3f
          ? Array.from({ length: 256 }, (_, each) => each)
          : [byte];
    variants = variants.flatMap(before => bytes.map(each => [...before, each]));
  }
  return variants;
}
