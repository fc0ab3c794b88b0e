// Schemas of access points, beacons and cells, with the member names of positions and of submissions.

import { RADIO_TYPES, type RadioType } from '../../radio/kind.ts';
import { MEMBERS, type MemberOf } from '../../radio/query/members.ts';
import { AGE_MS, BLUETOOTH_RANGES, CELL_RANGES, type CellRanges, WIFI_RANGES } from '../../radio/ranges.ts';
import { integerIn, isPossible, openObject, type Schema } from '../json_schema.ts';

/** Twelve hexadecimal digits in any case, with or without separators; between these without leading zeros. */
const MAC = {
  type: 'string',
  pattern: '^[0-9A-Fa-f](?:[:.-]*[0-9A-Fa-f]){11}$|^(?:[0-9A-Fa-f]{1,2}[:.-]){5}[0-9A-Fa-f]{1,2}$',
};
const UUID = { type: 'string', pattern: '^[0-9A-Fa-f](?:-*[0-9A-Fa-f]){31}$' };
const AGE = {
  description: 'Milliseconds since the measurement.',
  anyOf: [integerIn(AGE_MS), { type: 'string', pattern: '^\\d{1,10}$' }],
};
/** Type code of iBeacons in the format of AltBeacon's library. */
const TYPE_IBEACON = 533;

/** An access point. @param address @param signal names of the members */
export function accessPointSchema(address: string, signal: string): Schema {
  return openObject(
    {
      [address]: { ...MAC, description: 'BSSID.' },
      ssid: {
        type: 'string',
        description: 'Network name. One that ends in `_nomap` or contains `_optout` leaves the access point out.',
      },
      ssidHex: {
        type: 'string',
        pattern: '^(?:[0-9A-Fa-f]{2}){0,32}$',
        description: 'Network name, two hexadecimal digits for each byte; read when `ssid` is absent.',
      },
      [signal]: integerIn(WIFI_RANGES.signalStrength, 'dBm.'),
      frequency: integerIn(WIFI_RANGES.frequency, 'MHz.'),
      channel: integerIn(WIFI_RANGES.channel, 'Channel number.'),
      age: AGE,
    },
    [address],
  );
}

/** A beacon that is identified by its address alone. @param address @param signal names of the members */
export function addressedBeaconSchema(address: string, signal: string): Schema {
  return openObject({ [address]: MAC, [signal]: integerIn(BLUETOOTH_RANGES.signalStrength, 'dBm.'), age: AGE }, [
    address,
  ]);
}

/** A beacon: identified by its address, or as an iBeacon by uuid, major and minor. */
export function beaconSchema(): Schema {
  const number = { major: integerIn(BLUETOOTH_RANGES.major), minor: integerIn(BLUETOOTH_RANGES.minor) };
  return {
    ...openObject({
      macAddress: MAC,
      name: { type: 'string', description: 'Not used.' },
      signalStrength: integerIn(BLUETOOTH_RANGES.signalStrength, 'dBm.'),
      age: AGE,
      uuid: { ...UUID, description: 'iBeacon UUID. Uuid, major and minor go before the address.' },
      ...number,
      beaconType: { const: TYPE_IBEACON, description: 'With `id1`, `id2` and `id3`: the beacon is an iBeacon.' },
      id1: { ...UUID, description: 'Other name of `uuid`.' },
      id2: { ...number.major, description: 'Other name of `major`.' },
      id3: { ...number.minor, description: 'Other name of `minor`.' },
    } satisfies Record<MemberOf<'beacon'> | 'name', Schema>),
    anyOf: [
      { required: ['macAddress'] },
      { required: ['uuid', 'major', 'minor'] },
      { required: ['id1', 'id2', 'id3'] },
    ],
  };
}

/** The names of a cell's members in one dialect; undefined if the dialect has no such member. */
export type CellWords = Record<Exclude<MemberOf<'cell'>, OtherName>, string> & Record<OtherName, string | undefined>;

/** Other names of the cell id of nr, and of the scrambling code. */
type OtherName = 'newRadioCellId' | 'psc';

/** The names of the specification. */
export const CELL_WORDS = Object.fromEntries(MEMBERS.cell.map(name => [name, name])) as CellWords;

/** The names of the oldest submission format. */
export const OLD_CELL_WORDS: CellWords = {
  radioType: 'radio',
  mobileCountryCode: 'mcc',
  mobileNetworkCode: 'mnc',
  locationAreaCode: 'lac',
  cellId: 'cid',
  newRadioCellId: undefined,
  signalStrength: 'signal',
  primaryScramblingCode: 'psc',
  psc: undefined,
  timingAdvance: 'ta',
  serving: 'serving',
  age: 'age',
};

const MEANING: Record<keyof CellRanges, string> = {
  mobileCountryCode: 'MCC.',
  mobileNetworkCode: 'MNC; of cdma the system id.',
  locationAreaCode: 'LAC or TAC; of cdma the network id.',
  cellId: 'Of cdma the base station id.',
  signalStrength: 'dBm.',
  primaryScramblingCode: 'Scrambling code; of lte, nbiot and nr the physical cell id.',
  timingAdvance: 'Of lte in units of 16 Ts, of nr in units of Tc.',
};

/** Schema of a cell of each radio type. */
export function cellSchemas(words: CellWords): Schema[] {
  return RADIO_TYPES.map(radio => cellSchema(radio, words));
}

/** Schema of a cell of one radio type: the members that identify it, with the ranges in which they are valid. */
export function cellSchema(radio: RadioType, words: CellWords): Schema {
  const ranges = CELL_RANGES[radio];
  const fields = (Object.keys(MEANING) as (keyof CellRanges)[]).filter(field => isPossible(ranges[field]));
  const properties: Record<string, Schema> = { [words.radioType]: { const: radio } };
  for (const field of fields) properties[words[field]] = integerIn(ranges[field], MEANING[field]);
  if (words.psc !== undefined && isPossible(ranges.primaryScramblingCode)) {
    properties[words.psc] = integerIn(ranges.primaryScramblingCode, `Earlier name of ${words.primaryScramblingCode}.`);
  }
  if (words.newRadioCellId !== undefined && radio === 'nr')
    properties[words.newRadioCellId] = integerIn(ranges.cellId, `Other name of ${words.cellId}.`);
  properties[words.serving] = {
    enum: [0, 1],
    description: 'The device is connected to this cell. By default the first cell with a cell id is.',
  };
  properties[words.age] = integerIn(AGE_MS, 'Milliseconds since the measurement.');
  return { ...openObject(properties, requiredOf(radio, words)), ...alternativesOf(radio, words) };
}

/** The system id of cdma is unique worldwide. The cell ids of gsm recur in every area. */
function requiredOf(
  radio: RadioType,
  { mobileCountryCode, mobileNetworkCode, locationAreaCode, cellId }: CellWords,
): string[] {
  if (radio === 'cdma') return [mobileNetworkCode, cellId];
  if (radio === 'gsm') return [mobileCountryCode, mobileNetworkCode, locationAreaCode, cellId];
  return [mobileCountryCode, mobileNetworkCode];
}

/** A neighbour without a cell id is identified by its scrambling code or physical cell id. */
function alternativesOf(radio: RadioType, { cellId, newRadioCellId, primaryScramblingCode, psc }: CellWords): Schema {
  if (radio === 'cdma' || radio === 'gsm') return {};
  const names = [cellId, radio === 'nr' ? newRadioCellId : undefined, primaryScramblingCode, psc];
  return { anyOf: names.filter(name => name !== undefined).map(name => ({ required: [name] })) };
}
