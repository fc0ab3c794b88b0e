// Examples of requests for people who look at a service for the first time. They are made of what its tables hold, and
// each is asked here first, so what is shown is answered: stations near each other, and a house or a street of the
// imported extract. Where no imported station can be used, they are about the demo town, if it is there.

import type { Answerer } from '../answer/answerer.ts';
import { isOfDemo } from '../folder/demo_town.ts';
import { longitudeScale, wrapDegrees } from '../geo/angle.ts';
import type { FoundPlace } from '../geocoding/found_place.ts';
import type { Geocoder } from '../geocoding/geocoder.ts';
import { freeTextQuestion } from '../geocoding/search/question.ts';
import { wantsOf } from '../protocol/answers/position.ts';
import type { PositionBody } from '../protocol/requests/schema.ts';
import { isCell, KIND_BLUETOOTH, KIND_GSM, KIND_NR, KIND_WIFI, radioOfKind } from '../radio/kind.ts';
import { formatMac } from '../radio/mac.ts';
import type { FoundPosition } from '../radio/query/answer.ts';
import { areaOfKey, cellOfKey, macOfKey, mccOfKey, mncOfKey, radioOfKey } from '../radio/station_key.ts';
import { type Generation, openLiveGeneration } from '../tables/stations/generation.ts';
import { decodeStation, stationView } from '../tables/stations/station.ts';
import { describeMap } from '../tiles/map/map_tile.ts';
import { locateAlone, PositionQuery } from './locate.ts';

/** What there is to try. */
interface ExampleRequests {
  /** Bodies of `POST /`, the commonest first. */
  requests: { id: string; body: object }[];
  /** Words that are found. */
  words: string;
  /** A point with a place. */
  point: { latitude: number; longitude: number };
}

/** What examples are made of; undefined where there is nothing of the kind. */
interface Parts {
  near: readonly object[] | undefined;
  cells: readonly CellEntry[] | undefined;
  beacons: readonly object[] | undefined;
  /** Resembles a known cell, and is answered by a fallback. */
  unknownCell: CellEntry | undefined;
}

type CellEntry = { cellId: number } & Record<string, unknown>;

/** Stations of a kind that are near each other. */
interface Kind {
  /** First and last byte of their keys. */
  kinds: readonly [number, number];
  /** Side of the squares, degrees of latitude. */
  near: number;
  /** An example has as many of them at the least and at the most: one device never shows where it is. */
  count: readonly [number, number];
  entryOf(key: Buffer, at: number): object;
}

const DEMO_CELL = { radioType: 'lte', mobileCountryCode: 1, mobileNetworkCode: 1, locationAreaCode: 1 };
/** Of the demo town, as the documents have it. */
const DEMO = {
  near: [
    { macAddress: '02:00:5e:00:00:d3', signalStrength: -50 },
    { macAddress: '02:00:5e:00:00:d4', signalStrength: -60 },
    { macAddress: '02:00:5e:00:00:e7', signalStrength: -58 },
  ],
  cells: [
    { ...DEMO_CELL, cellId: 256_001, signalStrength: -88 },
    { ...DEMO_CELL, cellId: 256_002, signalStrength: -97 },
  ],
  beacons: [
    { macAddress: '00:00:5e:00:53:01', signalStrength: -62 },
    { macAddress: '00:00:5e:00:53:02', signalStrength: -70 },
  ],
};
/** Of these one is far away in the demo town, one unknown, one a group, and the owner of one has opted out. */
const LEFT_OUT = [
  { macAddress: '02:00:5e:00:00:01', signalStrength: -60 },
  { macAddress: '02:00:5e:ff:ff:ff', signalStrength: -70 },
  { macAddress: '01:00:5e:00:00:d5', signalStrength: -65 },
  { macAddress: '02:00:5e:00:00:d5', signalStrength: -55, ssid: 'home_nomap' },
];

/** Stations that are looked at, of each kind, in the order of their keys: a page waits for them. */
const SCANNED_MAX = 20_000;
/** Groups of stations that are tried before there is no example of their kind. */
const TRIED_MAX = 20;
/** Each station is heard so much weaker than the one before. */
const WEAKER_DB = 8;
const WIFI: Kind = {
  kinds: [KIND_WIFI, KIND_WIFI],
  near: 0.001,
  count: [2, 3],
  entryOf: (key, at) => ({ macAddress: formatMac(macOfKey(key, 0)), signalStrength: -50 - at * WEAKER_DB }),
};
const BEACONS: Kind = {
  kinds: [KIND_BLUETOOTH, KIND_BLUETOOTH],
  near: 0.0003,
  count: [2, 2],
  entryOf: (key, at) => ({ macAddress: formatMac(macOfKey(key, 0)), signalStrength: -62 - at * WEAKER_DB }),
};
const CELLS: Kind = {
  kinds: [KIND_GSM, KIND_NR],
  near: 0.02,
  count: [1, 2],
  entryOf: (key, at) => ({
    radioType: radioOfKind(key[0]),
    mobileCountryCode: mccOfKey(key, 0),
    mobileNetworkCode: mncOfKey(key, 0),
    locationAreaCode: areaOfKey(key, 0),
    cellId: cellOfKey(key, 0),
    signalStrength: -88 - at * WEAKER_DB,
  }),
};
/** Cell ids after a known one that are tried for one that is not known. */
const NEXT_IDS = 40;
/** The extract is asked at as many points in a row, and in as many rows. */
const GRID = 5;
/** Vaduz, which the gazetteer of the world has. */
const TOWN = { latitude: 47.141, longitude: 9.521 };
const ZOOM_HOUSE = 18;
const ZOOM_TOWN = 10;
/** About a metre. */
const DEGREE_DIGITS = 5;

/**
 * The examples.
 * @param folder data folder; undefined for people who may not see which stations there are: of these, only those of
 *   the demo town are shown
 * @throws Error when a table cannot be used
 */
export async function exampleRequests(
  answerer: Answerer,
  { folder }: { folder: string | undefined },
): Promise<ExampleRequests> {
  const generation = folder === undefined ? undefined : openLiveGeneration(folder);
  try {
    const { point, words } = placeIn(answerer.geocoder);
    const requests = bodiesOf(partsIn(answerer, generation), point);
    return { requests: requests.filter(({ body }) => locate(answerer, body) !== undefined), point, words };
  } finally {
    await generation?.root.close();
  }
}

/** The bodies that the parts allow. */
function bodiesOf(
  { near, cells, beacons, unknownCell }: Parts,
  point: ExampleRequests['point'],
): ExampleRequests['requests'] {
  const named = (id: string, isThere: boolean, body: () => object) => (isThere ? [{ id, body: body() }] : []);
  return [
    ...named('wifi', near !== undefined, () => ({ wifiAccessPoints: near })),
    ...named('cells', cells !== undefined, () => ({ cellTowers: cells })),
    ...named('beacons', beacons !== undefined, () => ({ bluetoothBeacons: beacons })),
    ...named('gps', true, () => ({ gps: { ...point, accuracy: 12, age: 3 }, geoname: 1, address: 1 })),
    ...named('mixed', near !== undefined && cells !== undefined, () => ({
      wifiAccessPoints: near,
      cellTowers: cells!.slice(0, 1).map(cell => ({ ...cell, timingAdvance: 2 })),
      confidence: 95,
    })),
    ...named('refused', near !== undefined, () => ({ wifiAccessPoints: [...near!, ...LEFT_OUT] })),
    ...named('fallback', unknownCell !== undefined, () => ({ cellTowers: [unknownCell], fallbacks: { all: 1 } })),
  ];
}

function partsIn(answerer: Answerer, generation: Generation | undefined): Parts {
  const first = <E extends object>(list: string, kind: Kind, demo: readonly E[]): readonly E[] | undefined => {
    const groups = generation === undefined ? [] : groupsOf(generation, kind);
    for (const group of [...groups, demo])
      if (locate(answerer, { [list]: group }) !== undefined) return group as readonly E[];
    return undefined;
  };
  const near = first('wifiAccessPoints', WIFI, DEMO.near);
  const cells = first<CellEntry>('cellTowers', CELLS, DEMO.cells);
  const beacons = first('bluetoothBeacons', BEACONS, DEMO.beacons);
  return { near, cells, beacons, unknownCell: cells && unknownBeside(answerer, cells[0]) };
}

/** Groups of stations near each other, the largest first, apart from those of the demo town. */
function groupsOf({ stations }: Generation, { kinds, near, count: [least, most], entryOf }: Kind): object[][] {
  const isDemo = isOfDemo();
  const squares = new Map<string, Map<number, Buffer>>();
  const range = { start: Buffer.of(kinds[0]), end: Buffer.of(kinds[1] + 1), limit: SCANNED_MAX };
  for (const { key, value } of stations.getRange(range)) {
    if (isDemo(key)) continue;
    const { latitude, longitude } = decodeStation(stationView(value), 0);
    const scale = longitudeScale((latitude * Math.PI) / 180);
    const network = isCell(key[0]) ? `${key[0]}-${mccOfKey(key, 0)}-${mncOfKey(key, 0)}` : '';
    // All networks of one access point are one.
    const radio = isCell(key[0]) ? cellOfKey(key, 0) : radioOfKey(key, 0);
    // Two grids: what is near each other on both sides of a line of one is in a square of the other.
    for (const shift of [0, 0.5]) {
      const [row, column] = [latitude, longitude * scale].map(degrees => Math.floor(degrees / near + shift));
      const square = `${shift} ${row} ${column} ${network}`;
      const found = squares.get(square) ?? new Map<number, Buffer>();
      squares.set(square, found);
      if (found.size < most) found.set(radio, Buffer.from(key));
    }
  }
  return [...squares.values()]
    .filter(({ size }) => size >= least)
    .sort((a, b) => b.size - a.size)
    .slice(0, TRIED_MAX)
    .map(found => [...found.values()].map(entryOf));
}

/** A cell with an id after that of a known one, which no table has. */
function unknownBeside(answerer: Answerer, cell: CellEntry): CellEntry | undefined {
  for (let i = 1; i <= NEXT_IDS; i++) {
    const next = { ...cell, cellId: cell.cellId + i };
    const found = locate(answerer, { cellTowers: [next], fallbacks: { all: 1 } });
    if (found !== undefined && found.fallback !== 0) return next;
  }
  return undefined;
}

/** Where the service has a device that sends this; undefined if it does not know. */
function locate(answerer: Answerer, body: PositionBody): FoundPosition | undefined {
  const wants = wantsOf(body, { byDefault: {}, isCovered: true });
  return locateAlone(answerer, new PositionQuery(body, Date.now(), wants, 0)).position;
}

/** A house, a street or a town, the smallest of what is at some points of the extract. */
function placeIn(geocoder: Geocoder): Pick<ExampleRequests, 'point' | 'words'> {
  const found = pointsIn(geocoder)
    .map(point => geocoder.reverse({ ...point, zoom: ZOOM_HOUSE, languages: [] }))
    .filter(place => place !== undefined);
  const place = found.reduce<FoundPlace | undefined>(
    (best, each) => (best !== undefined && best.placeRank >= each.placeRank ? best : each),
    undefined,
  );
  if (place === undefined) return { point: TOWN, words: '' };
  const { latitude, longitude, displayName } = place;
  const town = geocoder.reverse({ latitude, longitude, zoom: ZOOM_TOWN, languages: [] })?.displayName ?? '';
  const words = [displayName, town].find(text => geocoder.search(freeTextQuestion(text)).length > 0) ?? '';
  return { point: { latitude: rounded(latitude), longitude: rounded(longitude) }, words };
}

function pointsIn({ layers }: Geocoder): ExampleRequests['point'][] {
  if (layers.extract === undefined) return [TOWN];
  const [west, south, east, north] = describeMap(layers).bounds;
  const width = east < west ? east - west + 360 : east - west;
  const at = (i: number) => (i + 0.5) / GRID;
  return Array.from({ length: GRID * GRID }, (_, i) => ({
    latitude: south + (north - south) * at(Math.floor(i / GRID)),
    longitude: wrapDegrees(west + width * at(i % GRID)),
  }));
}

function rounded(degrees: number): number {
  return Number(degrees.toFixed(DEGREE_DIGITS));
}
