// Reads fingerprints as CSV, our own plain form: one row for each reading, under a header that names the columns.
//
//   scan,time,building,floor,latitude,longitude,accuracy,mac,level
//   lobby-1,2026-05-04T09:00:00Z,Harbour Office,0,1.25055,-2.5001,1,02:00:00:00:10:01,-48
//   lobby-1,2026-05-04T09:00:00Z,Harbour Office,0,1.25055,-2.5001,1,02:00:00:00:10:02,-71
//
// The rows of a scan follow one another and agree in everything but the reading. They have the same `scan`; in a file
// without that column, all rows that agree are one scan. What a row cannot mean ends the import: half a survey would be
// a map with holes.

import { FLOOR_INDEX_MAX, FLOOR_INDEX_MIN } from '../../../geo/floor.ts';
import { AGE_MS, BLUETOOTH_RANGES, LATITUDE, LONGITUDE, WIFI_RANGES } from '../../../radio/ranges.ts';
import { readTime } from '../../../radio/read_value.ts';
import { readDecimal, readInteger } from '../../../transfer/files/csv_file.ts';
import type { FoundScan } from './found_scan.ts';

/** Spellings of each column: lower case, letters and digits only. The first is that of the documents. */
const COLUMNS = {
  scan: ['scan', 'scanid'],
  time: ['time', 'timestamp'],
  building: ['building'],
  buildingId: ['buildingid'],
  buildingModelId: ['buildingmodelid'],
  floor: ['floor', 'floorindex'],
  latitude: ['latitude', 'lat'],
  longitude: ['longitude', 'lon', 'lng'],
  accuracy: ['accuracy'],
  mac: ['mac', 'macaddress', 'bssid'],
  uuid: ['uuid'],
  major: ['major'],
  minor: ['minor'],
  level: ['level', 'signalstrength', 'rssi', 'dbm'],
  frequency: ['frequency'],
  age: ['age'],
} as const;
type Column = keyof typeof COLUMNS;
/** What the rows of a scan agree in. */
const OF_SCAN: readonly Column[] = [
  'scan',
  'time',
  'building',
  'buildingId',
  'buildingModelId',
  'floor',
  'latitude',
  'longitude',
  'accuracy',
];
const BUILDING_CHARACTERS_MAX = 200;
/** Beyond these a number is no level at all. Those that requests do not take are left out by the rules of intake. */
const LEVEL_DBM_MIN = -200;
const LEVEL_DBM_MAX = 50;

/** True for a header of this form. */
export function isSurveyHeader(header: readonly string[]): boolean {
  const columns = header.map(plain);
  return ['floor', 'level'].every(column => COLUMNS[column as Column].some(spelling => columns.includes(spelling)));
}

/**
 * Gathers the rows of a file into scans. Its methods throw Errors whose messages are the end of a sentence, without a
 * full stop.
 */
export class SurveyRows {
  private readonly at: Readonly<Partial<Record<Column, number>>>;
  private readonly columns: number;
  private last = '';
  private scan: { found: FoundScan; wifi: object[]; bluetooth: object[] } | undefined;

  /** @throws Error when a column is missing */
  constructor(header: readonly string[]) {
    const columns = header.map(plain);
    const find = (spellings: readonly string[]): number => columns.findIndex(column => spellings.includes(column));
    this.columns = columns.length;
    this.at = Object.fromEntries(
      Object.entries(COLUMNS).flatMap(([column, spellings]) =>
        find(spellings) < 0 ? [] : [[column, find(spellings)]],
      ),
    );
    for (const column of ['floor', 'latitude', 'longitude', 'level'] as const)
      if (this.at[column] === undefined) throw new Error(`the header has no column "${column}"`);
    if (this.at.mac === undefined && this.at.uuid === undefined)
      throw new Error('the header has neither a column "mac" nor "uuid"');
  }

  /** Adds a row. @returns the scan before, where the row begins another */
  add(row: readonly string[]): FoundScan | undefined {
    if (row.length !== this.columns) throw new Error(`it has ${row.length} fields, and the header has ${this.columns}`);
    const text = (column: Column): string => row[this.at[column] ?? -1]?.trim() ?? '';
    const key = JSON.stringify(OF_SCAN.map(text));
    let before: FoundScan | undefined;
    if (this.scan === undefined || key !== this.last) {
      before = this.end();
      this.scan = { found: scanOf(text), wifi: [], bluetooth: [] };
      this.last = key;
    }
    const { wifi, bluetooth } = this.scan;
    if (text('uuid') !== '') bluetooth.push(beaconOf(text));
    else wifi.push(accessPointOf(text));
    return before;
  }

  /** The last scan; undefined where there is none. */
  end(): FoundScan | undefined {
    if (this.scan === undefined) return undefined;
    const { found, wifi, bluetooth } = this.scan;
    this.scan = undefined;
    found.draft.wifiAccessPoints = wifi;
    found.draft.bluetoothBeacons = bluetooth;
    return found;
  }
}

type TextOf = (column: Column) => string;

function scanOf(text: TextOf): FoundScan {
  const latitude = numberIn(text, 'latitude', LATITUDE.min, LATITUDE.max);
  const longitude = numberIn(text, 'longitude', LONGITUDE.min, LONGITUDE.max);
  const draft: FoundScan['draft'] = { latitude, longitude };
  if (text('accuracy') !== '') draft.accuracyMetres = numberIn(text, 'accuracy', 0, Number.MAX_VALUE);
  if (text('time') !== '') {
    draft.timeMs = readTime(text('time'));
    if (Number.isNaN(draft.timeMs)) throw wrong(text, 'time', 'no time');
  }
  return {
    floor: wholeIn(text, 'floor', FLOOR_INDEX_MIN, FLOOR_INDEX_MAX),
    building: buildingOf(text),
    otherwise: undefined,
    draft,
  };
}

function buildingOf(text: TextOf): FoundScan['building'] {
  const name = text('building');
  if (name.length > BUILDING_CHARACTERS_MAX)
    throw new Error(`building has ${name.length} characters, and at most ${BUILDING_CHARACTERS_MAX}`);
  const numberOf = (column: Column): number | undefined =>
    text(column) === '' ? undefined : wholeIn(text, column, 0, Number.MAX_SAFE_INTEGER);
  const [buildingId, modelId] = [numberOf('buildingId'), numberOf('buildingModelId')];
  return name === '' && buildingId === undefined && modelId === undefined ? undefined : { modelId, buildingId, name };
}

function accessPointOf(text: TextOf): object {
  if (text('mac') === '') throw new Error('it has neither a mac nor a uuid');
  return { macAddress: text('mac'), ...levelOf(text), ...ageOf(text), ...frequencyOf(text) };
}

function beaconOf(text: TextOf): object {
  const { major, minor } = BLUETOOTH_RANGES;
  return {
    uuid: text('uuid'),
    major: wholeIn(text, 'major', major.min, major.max),
    minor: wholeIn(text, 'minor', minor.min, minor.max),
    ...levelOf(text),
    ...ageOf(text),
  };
}

function levelOf(text: TextOf): object {
  return { signalStrength: numberIn(text, 'level', LEVEL_DBM_MIN, LEVEL_DBM_MAX) };
}

function ageOf(text: TextOf): object {
  return text('age') === '' ? {} : { age: numberIn(text, 'age', AGE_MS.min, AGE_MS.max) };
}

function frequencyOf(text: TextOf): object {
  return text('frequency') === ''
    ? {}
    : { frequency: numberIn(text, 'frequency', WIFI_RANGES.frequency.min, WIFI_RANGES.frequency.max) };
}

function numberIn(text: TextOf, column: Column, least: number, most: number): number {
  const number = readDecimal(text(column));
  if (!(number >= least && number <= most))
    throw wrong(
      text,
      column,
      most === Number.MAX_VALUE ? `no number from ${least}` : `no number from ${least} to ${most}`,
    );
  return number;
}

function wholeIn(text: TextOf, column: Column, least: number, most: number): number {
  const number = readInteger(text(column));
  if (!(number >= least && number <= most)) throw wrong(text, column, `no whole number from ${least} to ${most}`);
  return number;
}

function wrong(text: TextOf, column: Column, what: string): Error {
  return new Error(`${column} is "${text(column).slice(0, 60)}", which is ${what}`);
}

function plain(column: string): string {
  return column.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
