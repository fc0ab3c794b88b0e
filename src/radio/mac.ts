// Hardware addresses as 48-bit numbers, which are exact in a double, and cheap to compare, hash and write into keys,
// and the 128-bit identifiers of iBeacons.

/** Value of each hexadecimal digit by character code; -1, with all bits set, for other characters. */
const DIGITS = new Int8Array(256).fill(-1);
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16);
  DIGITS[digit.charCodeAt(0)] = value;
  DIGITS[digit.toUpperCase().charCodeAt(0)] = value;
}
/** Values of a 32-bit word. */
const WORD = 4_294_967_296;
const SHORT_OCTETS = /^(?:[0-9a-f]{1,2}[:.-]){5}[0-9a-f]{1,2}$/i;
const SEPARATOR = /[:.-]/;
const COLON = 58;
const DASH = 45;

/**
 * Reads a MAC address of twelve hexadecimal digits, in any case, with or without `:`, `-` or `.` between them. Octets
 * between separators may lack their leading zero.
 * @returns the address as a number 0..2^48-1, or -1 if the text is not an address
 */
export function parseMac(text: string): number {
  const separator = text.charCodeAt(2);
  if (text.length === 17 && (separator === COLON || separator === DASH)) {
    const mac = parsePairs(text);
    if (mac >= 0) return mac;
  }
  let high = 0;
  let low = 0;
  let digits = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = digitAt(text, i);
    if (digit < 0 && ':-.'.includes(text[i]) && digits > 0 && digits < 12) continue;
    if (digit < 0) return -1;
    if (digits < 6) high = (high << 4) | digit;
    else low = (low << 4) | digit;
    digits++;
  }
  return digits === 12 ? high * 16777216 + low : parseShortOctets(text);
}

/** Six octets with one separator between them and one digit or two each. */
function parseShortOctets(text: string): number {
  return SHORT_OCTETS.test(text)
    ? Number.parseInt(
        text
          .split(SEPARATOR)
          .map(octet => octet.padStart(2, '0'))
          .join(''),
        16,
      )
    : -1;
}

/** Reads the usual form, six pairs separated by colons or dashes, without a loop. @returns -1 for any other form */
function parsePairs(text: string): number {
  const high =
    (digitAt(text, 0) << 20) |
    (digitAt(text, 1) << 16) |
    (digitAt(text, 3) << 12) |
    (digitAt(text, 4) << 8) |
    (digitAt(text, 6) << 4) |
    digitAt(text, 7);
  const low =
    (digitAt(text, 9) << 20) |
    (digitAt(text, 10) << 16) |
    (digitAt(text, 12) << 12) |
    (digitAt(text, 13) << 8) |
    (digitAt(text, 15) << 4) |
    digitAt(text, 16);
  const between = text.charCodeAt(2);
  const same =
    text.charCodeAt(5) === between &&
    text.charCodeAt(8) === between &&
    text.charCodeAt(11) === between &&
    text.charCodeAt(14) === between;
  // An invalid digit sets the sign.
  return same && (high | low) >= 0 ? high * 16777216 + low : -1;
}

function digitAt(text: string, i: number): number {
  const code = text.charCodeAt(i);
  return code < 256 ? DIGITS[code] : -1;
}

/** Formats a 48-bit address as `aa:bb:cc:dd:ee:ff`. */
export function formatMac(mac: number): string {
  const hex = mac.toString(16).padStart(12, '0');
  return [0, 2, 4, 6, 8, 10].map(at => hex.slice(at, at + 2)).join(':');
}

/** True for group addresses (lowest bit of the first octet) and the null address: no access point sends from them. */
export function isGroupOrNullMac(mac: number): boolean {
  return mac === 0 || (Math.floor(mac / 1099511627776) & 1) === 1;
}

/** True for an address that a device made up itself, not its vendor: bit 0x02 of the first octet. */
export function isLocalMac(mac: number): boolean {
  return (Math.floor(mac / 1099511627776) & 2) !== 0;
}

/** The last five octets, which are equal for all virtual networks of one radio; the first octets differ. */
export function radioOfMac(mac: number): number {
  return mac % 1099511627776;
}

/**
 * Addresses that no vendor numbered: those from 02:00:5e:00:00:00 on stand for access points that do not exist, in the
 * demo town and the documents, and those from 02:55:4a:49:00:00 on for the access points of a survey that left out
 * their addresses.
 */
const DOCUMENTS_RADIO = 0x005e;
const SURVEY_RADIO = 0x554a49;
export const FIRST_SURVEY_MAC = 0x02554a490000;

function isStandIn(radio: number): boolean {
  return Math.floor(radio / 16_777_216) === DOCUMENTS_RADIO || Math.floor(radio / 65_536) === SURVEY_RADIO;
}

const LAST_TWO_OCTETS = 0xffff;
/** Most by which numbers one after the other differ. */
const CARRY_MAX = 255;
/** Numbers of iBeacons begin here (`beaconNumber`). */
const FIRST_BEACON = 2 ** 52;

/**
 * True if two radios may be of one device. Vendors number the bands, networks and ports of a device in one octet, often
 * with one of another octet besides, or one after the other across a carry. Addresses that differ in the last two
 * octets otherwise are of two devices, as an operator buys them by the thousand. An iBeacon is a device by itself.
 * wasm/transmitters/links.ts has the same rule.
 * @param a, b from `radioNumber`
 */
export function isSameDevice(a: number, b: number): boolean {
  if (a >= FIRST_BEACON || isStandIn(a)) return a === b;
  const low = a ^ b;
  const high = (a / WORD) ^ (b / WORD);
  const differing = octetsIn(low) + octetsIn(high);
  if (differing !== 2) return differing < 2;
  return (low & LAST_TWO_OCTETS) !== low || high !== 0 || Math.abs(a - b) <= CARRY_MAX;
}

/**
 * The number of the block of addresses that a radio is of: devices that share their first four octets were bought
 * together. A radio that no vendor numbered is a block by itself.
 * @param radio of an access point, from `radioNumber`
 */
export function blockOfRadio(radio: number): number {
  return isStandIn(radio) ? FIRST_ALONE + radio : Math.floor(radio / 65_536);
}

/** Blocks of radios that stand for themselves alone begin here. */
const FIRST_ALONE = 2 ** 50;

/** Numbers of a device, at most. */
const DEVICE_NUMBERS = 6;
/** Of a radio that stands for itself alone. */
const NUMBER_ALONE = 7;
/** Where the number of a number stands in its high word. */
const NUMBER_SHIFT = 24;
/** Binary logarithm of the last octets that addresses of a device share where another octet differs too. */
const LAST_OCTETS = 5;

/**
 * How many numbers a radio has in common with other addresses of its device: the first with those that differ in the
 * last octet, the second with those that differ in the one before, and each other with those that differ in one more,
 * and a little in the last; for the fourth octet, in which vendors number networks, on both sides of what is a little.
 * `isSameDevice` has more pairs: among the devices of a country most would be one by chance.
 * @param radio from `radioNumber`
 */
export function deviceNumbers(radio: number): number {
  return radio >= FIRST_BEACON || isStandIn(radio) ? 1 : DEVICE_NUMBERS;
}

/** The low word of one of these numbers. @param low word of the radio @param which 0..numbers - 1 */
export function deviceLow(low: number, which: number, numbers: number): number {
  if (numbers === 1) return low;
  if (which === 0) return low & ~0xff;
  if (which === 1) return low & ~0xff00;
  const last =
    which === DEVICE_NUMBERS - 1
      ? ((low & 0xff) + (1 << (LAST_OCTETS - 1))) >> LAST_OCTETS
      : (low & 0xff) >> LAST_OCTETS;
  return (low & [0, 0, ~0xff00ff, ~0xff0000ff, ~0xff, ~0xff00ff][which]) | last;
}

/** The high word, which tells the numbers apart. @param high word of the radio */
export function deviceHigh(high: number, which: number, numbers: number): number {
  if (numbers === 1) return high | (NUMBER_ALONE << NUMBER_SHIFT);
  return (which === 4 ? high & ~0xff : high) | (which << NUMBER_SHIFT);
}

/** The octet in which addresses differ that have a number in common. @param radio one of them @param which 0.. */
export function octetOf(radio: number, which: number): number {
  return Math.floor(radio / 256 ** (which === DEVICE_NUMBERS - 1 ? 2 : which)) % 256;
}

/** How many octets of a word are not 0. */
function octetsIn(word: number): number {
  return (word & 255 ? 1 : 0) + (word & 0xff00 ? 1 : 0) + (word & 0xff0000 ? 1 : 0) + (word >>> 24 ? 1 : 0);
}

/**
 * Reads a UUID of 32 hexadecimal digits, in any case, with or without dashes, into 16 bytes.
 * @returns false if the text is not a UUID, or is the null UUID, which identifies nothing; `bytes` then holds arbitrary
 *   values
 */
export function parseUuid(text: string, bytes: Uint8Array): boolean {
  let digits = 0;
  let some = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = digitAt(text, i);
    if (digit < 0 && text[i] === '-' && digits > 0 && digits < 32) continue;
    if (digit < 0 || digits >= 32) return false;
    bytes[digits >> 1] = (bytes[digits >> 1] << 4) | digit;
    some |= digit;
    digits++;
  }
  return digits === 32 && some !== 0;
}
