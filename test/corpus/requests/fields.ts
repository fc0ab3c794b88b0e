// Every field of a request for a position at the edges of its range, outside of it, and with values of other types.

import { Dice } from '../dice.ts';
import type { CorpusRequest } from '../exchange.ts';
import { CELLS, type RadioType } from '../world/cells.ts';
import { moved, TOWNS, WALKED } from '../world/geography.ts';
import { cellMembers, hearAccessPoints, hearBeacons, type Members } from '../world/hearing.ts';
import { NEIGHBOURHOODS, WALKED_NEIGHBOURHOOD } from '../world/radios.ts';
import { GARBAGE, NOON, post } from './ask.ts';

type Edges = readonly [min: number, max: number];

const SIGNALS: Record<RadioType, Edges> = {
  gsm: [-120, -25],
  cdma: [-120, -25],
  wcdma: [-130, -25],
  lte: [-140, -25],
  nbiot: [-140, -25],
  nr: [-140, -25],
};
const CELL_IDS: Record<RadioType, Edges> = {
  gsm: [0, 65_535],
  cdma: [0, 65_535],
  wcdma: [0, 268_435_455],
  lte: [0, 268_435_455],
  nbiot: [0, 268_435_455],
  nr: [0, 68_719_476_735],
};
const WIFI_EDGES: Record<string, Edges> = {
  signalStrength: [-100, -20],
  frequency: [1, 65_535],
  channel: [1, 65_535],
  age: [0, 4_294_967_294],
};
const BEACON_EDGES: Record<string, Edges> = {
  signalStrength: [-100, -20],
  major: [0, 65_535],
  minor: [0, 65_535],
  age: [0, 600_000],
};
const GPS_EDGES: Record<string, Edges> = {
  latitude: [-90, 90],
  longitude: [-180, 180],
  accuracy: [0, 255],
  sat: [0, 20],
  age: [0, 600],
  altitude: [-1000, 10_000],
  altitudeAccuracy: [0, 100],
  heading: [0, 360],
  speed: [0, 100],
};

/** Texts of addresses, well and badly written. */
const ADDRESSES = [
  '',
  'x',
  '00:00:00:00:00:00',
  'ff:ff:ff:ff:ff:ff',
  '01:00:5e:00:00:01',
  '0c:00:01',
  '0c00.0100.0001',
  '0c-00-01-00-00-01',
  '0c:00:01:00:00:0g',
];
const UUIDS = [
  'f7826da64fa24e988024bc5b71e0893e',
  'F7826DA6-4FA2-4E98-8024-BC5B71E0893E',
  'f7826da6',
  '',
  '{f7826da6-4fa2-4e98-8024-bc5b71e0893e}',
];

/** Everything about edges of ranges. */
export function* fieldRequests(): Generator<CorpusRequest> {
  yield* cellFields();
  yield* wifiFields(new Dice(202));
  yield* beaconFields(new Dice(203));
  yield* gpsFields();
  yield* otherMembers(new Dice(205));
  yield* parameters(new Dice(206));
}

/** Both ends, one step beyond each, the middle as a number and as text, and the garbage. */
function valuesOf([min, max]: Edges): unknown[] {
  const middle = Math.round((min + max) / 2);
  return [min, max, min - 1, max + 1, middle, `${middle}`, middle + 0.5, ...GARBAGE];
}

function* cellFields(): Generator<CorpusRequest> {
  for (const radioType of Object.keys(SIGNALS) as RadioType[]) {
    const [first, second] = CELLS.filter(
      cell => cell.radioType === radioType && cell.isKnown && cell.mobileNetworkCode === 1,
    ).map(cellMembers);
    const fields: [string, Edges][] = [
      ['mobileCountryCode', [0, 999]],
      ['mobileNetworkCode', [0, radioType === 'cdma' ? 32_767 : 999]],
      ['locationAreaCode', radioType === 'nr' ? [1, 16_777_215] : [0, 65_535]],
      ['cellId', CELL_IDS[radioType]],
      ['signalStrength', SIGNALS[radioType]],
      ['primaryScramblingCode', [0, radioType === 'nr' ? 1023 : 511]],
      ['timingAdvance', radioType === 'nr' ? [0, 3_938_304] : [0, radioType === 'gsm' ? 63 : 1282]],
    ];
    for (const [field, edges] of fields) {
      for (const value of valuesOf(edges)) yield post({ cellTowers: [{ ...first, [field]: value }, second] });
      yield post({ cellTowers: [{ ...first, [field]: undefined }, second] });
    }
    for (const other of ['GSM', 'umts', 'radio', '', 5, null])
      yield post({ radioType: other, cellTowers: [{ ...first, radioType: other }] });
    for (const serving of [0, 1, 2, '1', true, null]) yield post({ cellTowers: [first, { ...second, serving }] });
    yield post({ cellTowers: [first, null, 5, 'x', [], {}, second] });
    yield post({ cellTowers: [{ ...first, newRadioCellId: first.cellId, cellId: undefined }] });
  }
}

function* wifiFields(dice: Dice): Generator<CorpusRequest> {
  const [first, ...others] = hearAccessPoints(dice, NEIGHBOURHOODS[1], TOWNS[1], 4);
  for (const [field, edges] of Object.entries(WIFI_EDGES)) {
    for (const value of valuesOf(edges)) yield post({ wifiAccessPoints: [{ ...first, [field]: value }, ...others] });
  }
  for (const macAddress of [...ADDRESSES, 5, null, {}])
    yield post({ wifiAccessPoints: [{ macAddress, signalStrength: -50 }, others[0]] });
  for (const ssid of ['a_nomap', 'a_nomap ', '_nomap', 'x_optout', '_NOMAP', 'é'.repeat(40), '\u0000', 7]) {
    yield post({ wifiAccessPoints: [{ ...first, ssid }, others[0]] });
  }
  for (const ssidHex of ['5f6e6f6d6170', '5F6E6F6D6170', 'zz', '5', '', 9])
    yield post({ wifiAccessPoints: [{ ...first, ssidHex }, others[0]] });
  yield post({ wifiAccessPoints: [first, first] });
  yield post({ wifiAccessPoints: [null, 3, 'x', first, [], others[0]] });
  const sibling = { ...first, macAddress: `0e${String(first.macAddress).slice(2)}` };
  yield post({ wifiAccessPoints: [first, sibling] });
}

function* beaconFields(dice: Dice): Generator<CorpusRequest> {
  const heard = hearBeacons(dice, WALKED_NEIGHBOURHOOD, WALKED, 16);
  const numbered = heard.find(({ uuid }) => uuid !== undefined)!;
  const named = heard.find(({ macAddress }) => macAddress !== undefined)!;
  for (const [field, edges] of Object.entries(BEACON_EDGES)) {
    for (const value of valuesOf(edges)) yield post({ bluetoothBeacons: [{ ...numbered, [field]: value }] });
  }
  for (const uuid of [...UUIDS, 5, null]) yield post({ bluetoothBeacons: [{ ...numbered, uuid }] });
  for (const macAddress of [...ADDRESSES, 5, null]) yield post({ bluetoothBeacons: [{ macAddress }, named] });
  for (const beaconType of [undefined, 533, '533', 534, 'x']) {
    yield post({ bluetoothBeacons: [{ id1: numbered.uuid, id2: numbered.major, id3: numbered.minor, beaconType }] });
  }
  yield post({ bluetoothBeacons: [{ ...numbered, macAddress: named.macAddress }] });
}

function* gpsFields(): Generator<CorpusRequest> {
  const gps: Members = {
    latitude: 47.14,
    longitude: 9.52,
    accuracy: 20,
    age: 30,
    altitude: 460,
    heading: 90,
    speed: 3,
  };
  for (const [field, edges] of Object.entries(GPS_EDGES)) {
    for (const value of valuesOf(edges)) yield post({ gps: { ...gps, [field]: value } });
    yield post({ gps: { ...gps, [field]: undefined } });
  }
  yield post({ gps: { ...gps, accuracy: 20_037_508 } });
  yield post({ gps: { ...gps, accuracy: 20_037_509 } });
}

function* otherMembers(dice: Dice): Generator<CorpusRequest> {
  const wifiAccessPoints = hearAccessPoints(dice, NEIGHBOURHOODS[0], TOWNS[0], 5);
  const now = { lat: 47.14, lng: 9.5, accuracy: 10, timestamp: NOON - 60 };
  for (const member of [
    'geoname',
    'address',
    'indoor',
    'credits',
    'expires',
    'confidence',
    'speedLimit',
    'timestamp',
    'sensors',
    'fallbacks',
  ]) {
    for (const value of [0, 1, -1, 2, '0', '1', 1.5, 99, 100, 8000, 8001, ...GARBAGE]) {
      yield post({ wifiAccessPoints, timestamp: NOON, lastLocation: now, [member]: value }, { key: 'prepaid' });
    }
  }
  const edges: Record<string, Edges> = { lat: [-90, 90], lng: [-180, 180], accuracy: [0, 20_037_508] };
  for (const [field, range] of Object.entries(edges)) {
    for (const value of valuesOf(range))
      yield post({ wifiAccessPoints, timestamp: NOON, lastLocation: { ...now, [field]: value } });
  }
  const times = [
    '2026-02-01T11:59:00Z',
    '2026-02-01 11:59:00',
    '2026-02-01T12:59:00+01:00',
    '2026-02-30',
    '2026-02-01',
    NOON * 1000,
    NOON + 500,
    NOON - 90_000,
    'now',
    '',
  ];
  for (const timestamp of times) {
    yield post({ wifiAccessPoints, timestamp: NOON, lastLocation: { ...now, timestamp } });
    yield post({ wifiAccessPoints, timestamp, lastLocation: now });
  }
  for (const activity of ['IN_VEHICLE', 'STILL', 'x', 5])
    yield post({ wifiAccessPoints, sensors: [{ activity, steps: 70_000, heading: 360 }] });
  for (const state of ['x', 'A'.repeat(100), 'A'.repeat(5000), '', null])
    yield post({ wifiAccessPoints, state }, { key: 'filtered', query: '&id=odd' });
  yield post({ wifiAccessPoints, unknownMember: { deep: [1, 2, 3] } });
}

function* parameters(dice: Dice): Generator<CorpusRequest> {
  const { lat, lng } = moved(TOWNS[0], 20, 20);
  const body = { wifiAccessPoints: hearAccessPoints(dice, NEIGHBOURHOODS[0], { lat, lng }, 3) };
  const ids = [
    'a',
    'x'.repeat(20),
    'x'.repeat(21),
    '',
    '%F0%9F%9A%8B'.repeat(20),
    '%F0%9F%9A%8B'.repeat(21),
    'a%20b',
    '%zz',
    '%00',
    'a&id=b',
  ];
  for (const id of ids) yield post(body, { query: `&id=${id}`, key: 'filtered' });
  for (const nr of [0, 1, -1, 1.5, 'x', '', '1&nr=2', 9_007_199_254_740_992]) yield post(body, { query: `&nr=${nr}` });
  for (const query of ['&', '&&', '&x', '&x=1&x=2', '#part', '&key=other', '&KEY=x', `&x=${'y'.repeat(3000)}`])
    yield post(body, { query });
}
