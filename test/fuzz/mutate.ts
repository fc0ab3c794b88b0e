// Changes a body a little, so that it is nearly what clients send: at bytes, at tokens, at members and at the
// structure. The result need not be JSON.

/**
 * Texts that stand where a value stands: numbers near the limits of ranges and of rounding, and all that could be taken
 * for a number, a flag or a list.
 */
const VALUES: readonly string[] = (
  '0 -0 1 -1 00 01 -01 1. .5 +1 - 1e 1e+ 0x1 NaN Infinity -Infinity 0.5 -0.5 1.5 -19.5 -20.5 -100.5 -100.4999 ' +
  '-20.49999999999999 ' +
  '0.49999999999999994 4503599627370497.5 9007199254740991 9007199254740992 9007199254740993 ' +
  '123456789012345678 1e22 1e23 1e-22 1e-23 ' +
  '1.7976931348623157e308 1e309 -1e309 5e-324 2e-324 1E5 1.0e2 10e-1 533 533.0 5.33e2 65535 65535.4 65535.5 ' +
  '65536 268435455 268435456 ' +
  '2147483647 2147483648 4294967294 4294967294.4 4294967295 68719476735 68719476736 16777213 16777214 16777215 ' +
  '511 512 1023 1024 999 1000 ' +
  '999.0 999.5 -60.0 -60.25 -6.05e1 1.05 0.1 0.30000000000000004 123456.789e-3 600 600.1 -0.0 0e99999 0.0e-400 ' +
  'true false null [] {} [[]] [1,2] ' +
  '{"a":{"b":[1,{}]}} {"__proto__":1} {"constructor":{"prototype":1}} {"prototype":1} ' +
  '{"latitude":1,"longitude":2,"age":0} ' +
  '"" "0" "1" "-60" "+60" "-60.5" "1e1" "007" "5." ".5" "0x1F" "1e" "--1" "true" "false" "533" ' +
  '"12345678901234567890" "2026-05-04T08:00:00Z" ' +
  '"x_nomap" "_nomap" "_optout1" "a_OPTOUT" "_nomaq" "\\u005fnomap" "_nom\\u0061p" "\\\\_nomap" "\\n_optout" ' +
  '"\\ud800" "\\udc00\\ud800" "\\ud83d\\ude00" ' +
  '"\\u0000" "\\x" "\\u12" "\\" "_nomap\\" "5f6e6f6d6170" "5F6E6F6D6170" "415f6f70746f7574" "15f6f70746f7574" ' +
  '"lte" "LTE" "Nb-IoT" "nb-iot-" "umts" "-g-sm" ' +
  '"cdma" "gsm" "nr" "wcdma" "5g" "00:14:bf:aa:bb:01" "00:00:00:00:00:00" "ff:ff:ff:ff:ff:ff" ' +
  '"01:14:bf:aa:bb:01" "0014bfaabb01" "0014.bfaa.bb01" ' +
  '"00:14:bf:aa:bb" "00:14:bf:aa:bb:01:" ":0014bfaabb01" "0014bfaabb0g" "0--014bfaabb01" ' +
  '"00000000-0000-0000-0000-000000000000" ' +
  '"F7826DA6-4FA2-4E98-8024-BC5B71E0893E" "f7826da64fa24e988024bc5b71e0893e-"'
).split(' ');
/** With spaces and characters that are not ASCII. */
const TEXTS: readonly string[] = [
  '" 1"',
  '"1 "',
  '"\u00a01"',
  '"ｌte"',
  '"\u212alte"',
  '"é_nomap"',
  '"\u2028"',
  '"\ufeff"',
  '"\u007f"',
  '"\t1"',
  '"x\u0000"',
];
const NAMES: readonly string[] = (
  'wifiAccessPoints cellTowers bluetoothBeacons radioType gps fallbacks timestamp sensors geoname address ' +
  'indoor lastLocation credits expires state ' +
  'speedLimit confidence macAddress ssid ssidHex signalStrength frequency channel age signalToNoiseRatio ' +
  'mobileCountryCode mobileNetworkCode ' +
  'locationAreaCode cellId newRadioCellId primaryScramblingCode psc timingAdvance serving uuid major minor ' +
  'beaconType id1 id2 id3 name latitude longitude ' +
  'accuracy lat lng all lacf ipf id nr considerIp carrier __proto__ constructor prototype toString __proto_ ' +
  'constructo macAddres macAddressx Age a'
).split(' ');
const ESCAPED_NAMES: readonly string[] = [
  '"\\u0061ge"',
  '"ag\\u0065"',
  '"\\u005f_proto__"',
  '"a\\/b"',
  '"\u00e9"',
  '"age\ud800"',
  '""',
  "'age'",
  'age',
];
const SPACES: readonly string[] = [
  ' ',
  '\n',
  '\r\n',
  '\t',
  '  \n ',
  '\u00a0',
  '\u000b',
  '\ufeff',
  '\f',
  '/**/',
  '\u0000',
];
/** Bytes that are no UTF-8, or not whole. */
const BROKEN_BYTES: readonly number[][] = [
  [0x80],
  [0xc3],
  [0xc3, 0x28],
  [0xed, 0xa0, 0x80],
  [0xf0, 0x9f],
  [0xff],
  [0xc0, 0xaf],
  [0xe2, 0x82],
  [0xf4, 0x90, 0x80, 0x80],
];
/** Ends of network names, as text, with escapes and in hexadecimal digits. */
const OPT_OUTS: readonly string[] = [
  '_nomap',
  '_optout',
  '_optout1',
  '\\u005fnomap',
  '_nom\\u0061p',
  '\\u4f60_nomap',
  '\\\\_nomap',
  '_nomap ',
  '5f6e6f6d6170',
  '5F6f70746f757421',
];
const DEPTHS: readonly number[] = [3, 12, 13, 14, 15, 16, 17, 18, 40, 70, 500];
const COPIES: readonly number[] = [40, 260, 700];
const CHANGES_MAX = 3;

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+|\s+|"/gs;

type Random = () => number;

/** A body with one to three changes. @param random numbers from 0 to below 1 @param others bodies to take parts from */
export function mutate(body: Buffer, random: Random, others: readonly Buffer[]): Buffer {
  let changed = body;
  const changes = 1 + below(random, CHANGES_MAX);
  for (let i = 0; i < changes; i++) {
    const sort = random();
    if (sort < 0.2) changed = changeBytes(changed, random);
    else changed = changeTokens(changed, random, sort, others);
  }
  return changed;
}

/**
 * A text for a parameter: a value of the lists without its quotes, or several beside each other. @param random numbers
 * from 0 to below 1
 */
export function drawText(random: Random): string {
  const text = drawValue(random).replaceAll('"', '');
  return random() < 0.7 ? text : `${text}${pick(random, [',', ' ', ';', '|', ''])}${drawText(random)}`;
}

function changeBytes(body: Buffer, random: Random): Buffer {
  const at = below(random, body.length + 1);
  const to = Math.min(body.length, at + 1 + below(random, 4));
  switch (below(random, 7)) {
    case 0: {
      const copy = Buffer.from(body);
      if (at < copy.length) copy[at] ^= 1 << below(random, 8);
      return copy;
    }
    case 1:
      return splice(body, at, to, []);
    case 2:
      return splice(body, at, at, [below(random, 256)]);
    case 3:
      return splice(body, at, at, body.subarray(at, to));
    case 4:
      return splice(body, at, at, pick(random, BROKEN_BYTES));
    case 5:
      return splice(body, at, Math.min(body.length, at + 1), [below(random, 128)]);
    default:
      return body.subarray(0, at);
  }
}

function splice(body: Buffer, from: number, to: number, bytes: ArrayLike<number>): Buffer {
  return Buffer.concat([body.subarray(0, from), Uint8Array.from(bytes), body.subarray(to)]);
}

function changeTokens(body: Buffer, random: Random, sort: number, others: readonly Buffer[]): Buffer {
  // Latin-1 keeps all bytes as they are.
  const tokens = body.toString('latin1').match(TOKEN) ?? [];
  if (tokens.length === 0) return Buffer.from(pick(random, VALUES));
  if (sort < 0.6) changeToken(tokens, random);
  else if (sort < 0.85) changeMember(tokens, random, others);
  else changeStructure(tokens, random);
  return Buffer.from(tokens.join(''), 'latin1');
}

/** Puts another token in the place of one, or white space before it. */
function changeToken(tokens: string[], random: Random): void {
  const at = below(random, tokens.length);
  const isName = tokens[at + 1] === ':';
  if (random() < 0.15) tokens.splice(at, 0, latin1(pick(random, SPACES)));
  else if (isName) tokens[at] = random() < 0.8 ? `"${pick(random, NAMES)}"` : latin1(pick(random, ESCAPED_NAMES));
  else if (tokens[at].length > 2 && tokens[at].startsWith('"') && random() < 0.5)
    tokens[at] = changeText(tokens[at], random);
  else if (!/^[{}[\],:\s]/.test(tokens[at])) tokens[at] = drawValue(random);
  else if (random() < 0.3) tokens[at] = pick(random, ['{', '}', '[', ']', ',', ':', '']);
}

/** Writes a character as an escape, adds an opt-out or a character, or changes the case. @param text with its quotes */
function changeText(text: string, random: Random): string {
  const at = 1 + below(random, text.length - 2);
  switch (below(random, 5)) {
    case 0:
      return `${text.slice(0, at)}\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}${text.slice(at + 1)}`;
    case 1:
      return `${text.slice(0, -1)}${pick(random, OPT_OUTS)}"`;
    case 2:
      return random() < 0.5 ? text.toUpperCase() : text.toLowerCase();
    case 3:
      return `${text.slice(0, at)}${pick(random, ['-', ':', '.', ' ', '0', 'f', 'G', '\\n', '\\/', '\xe9'])}${text.slice(at)}`;
    default:
      return text.slice(0, at) + text.slice(at + 1);
  }
}

/** Adds, doubles, removes, renames or moves a member, or gives it another value. */
function changeMember(tokens: string[], random: Random, others: readonly Buffer[]): void {
  const names = tokens.flatMap((token, i) => (token.startsWith('"') && tokens[i + 1] === ':' ? [i] : []));
  if (names.length === 0) return;
  const at = pick(random, names);
  const end = endOfValue(tokens, at + 2);
  const member = tokens.slice(at, end);
  switch (below(random, 6)) {
    case 0:
      tokens.splice(at, 0, ...member, ',');
      break;
    case 1:
      tokens.splice(at, member.length + (tokens[end] === ',' ? 1 : 0));
      break;
    case 2:
      tokens.splice(at, 0, `"${pick(random, NAMES)}"`, ':', drawValue(random), ',');
      break;
    case 3:
      tokens.splice(at + 2, end - at - 2, drawValue(random));
      break;
    case 4:
      tokens.splice(pick(random, names), 0, ...member, ',');
      break;
    default: {
      const other = pick(random, others).toString('latin1').match(TOKEN) ?? [];
      const from = below(random, other.length);
      tokens.splice(at + 2, end - at - 2, ...other.slice(from, endOfValue(other, from)));
    }
  }
}

/** Nests a value deeply, repeats an entry many times, or closes and opens in the wrong place. */
function changeStructure(tokens: string[], random: Random): void {
  const at = below(random, tokens.length);
  const end = endOfValue(tokens, at);
  const value = tokens.slice(at, end);
  switch (below(random, 5)) {
    case 0: {
      const depth = pick(random, DEPTHS);
      const isList = random() < 0.5;
      tokens.splice(
        at,
        value.length,
        (isList ? '[' : '{"a":').repeat(depth),
        ...value,
        (isList ? ']' : '}').repeat(depth),
      );
      break;
    }
    case 1: {
      if (value.join('').length > 200) break;
      const copies = pick(random, COPIES);
      for (let i = 0; i < copies; i++) tokens.splice(at, 0, ...value, ',');
      break;
    }
    case 2:
      tokens.splice(at, value.length);
      break;
    case 3:
      tokens.splice(at, 0, ...value);
      break;
    default:
      tokens.splice(below(random, tokens.length + 1), 0, ...value);
  }
}

/** Behind the value that begins at a token. */
function endOfValue(tokens: readonly string[], from: number): number {
  let levels = 0;
  for (let i = from; i < tokens.length; i++) {
    if (tokens[i] === '{' || tokens[i] === '[') levels++;
    else if (tokens[i] === '}' || tokens[i] === ']') levels--;
    if (levels <= 0 && tokens[i].trim() !== '') return i + 1;
  }
  return tokens.length;
}

function drawValue(random: Random): string {
  const sort = random();
  if (sort < 0.6) return pick(random, VALUES);
  if (sort < 0.7) return latin1(pick(random, TEXTS));
  if (sort < 0.75) return `"${pick(random, VALUES).replaceAll('"', '')}"`;
  // A little beside the half of a whole number, with as many digits as a double has, or more.
  if (sort < 0.79)
    return `${random() < 0.5 ? '-' : ''}${(below(random, 130) + 0.5 + (below(random, 9) - 4) * 2 ** -48).toPrecision(16 + below(random, 6))}`;
  // Numbers with up to 20 digits and a small exponent, and whole ones around the ranges.
  if (sort < 0.85)
    return `${random() < 0.5 ? '-' : ''}${(random() * 10 ** below(random, 12)).toFixed(below(random, 12))}`;
  if (sort < 0.9) return `${Math.floor(random() * 1e17)}e${below(random, 50) - 25}`;
  return String(Math.round((random() - 0.5) * 10 ** below(random, 12)) / (random() < 0.5 ? 1 : 2));
}

/** The bytes of a text in UTF-8, one character each. */
function latin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function below(random: Random, limit: number): number {
  return Math.floor(random() * limit);
}

function pick<T>(random: Random, items: readonly T[]): T {
  return items[below(random, items.length)];
}
