// Stations for the contract tests: for each radio type a cell at every edge of the specification's field table, a
// neighbour, some access points and beacons. Each stands in a place of its own, so that an answer tells which one was
// found.
//
//   edges 2 degrees of latitude per radio type from 10 north on, 0.02 degrees apart, all at 20 east: base, then each
//   field's least and greatest value
//   neighbour  300 m north of each base
//   WiFi five access points around 40.0 north, 20.0 east, and two of them again, 200 km away, for ages and opt-outs
//   iBeacons   four at 50 north, at the corners of major and minor

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { takeFolder } from '../../src/folder/data_folder.ts';
import type { RadioType } from '../../src/radio/kind.ts';
import { stationAt } from '../../src/tables/stations/station.ts';
import { StationWriter } from '../../src/tables/stations/writer.ts';
import { beaconKey, putting } from '../kits/radio/stations.ts';
import { runSextant } from '../kits/service_process.ts';

/** A cell as a request names it; the members of its identity. */
export interface CellIdentity {
  radioType: RadioType;
  mobileCountryCode: number;
  mobileNetworkCode: number;
  locationAreaCode: number;
  cellId: number;
}

export interface PlacedCell extends CellIdentity {
  lat: number;
  lng: number;
}

/** A row of the specification's table of cells: one field of one radio type. `null` where the field does not apply. */
type Limits = readonly [min: number, max: number] | null;

interface CellRow {
  mobileCountryCode: Limits;
  mobileNetworkCode: Limits;
  locationAreaCode: Limits;
  cellId: Limits;
  signalStrength: Limits;
  primaryScramblingCode: Limits;
  timingAdvance: Limits;
}

/** The specification's table, copied by hand: the source's own table is what is under test. */
export const CELL_TABLE: Record<RadioType, CellRow> = {
  gsm: {
    mobileCountryCode: [0, 999],
    mobileNetworkCode: [0, 999],
    locationAreaCode: [0, 65535],
    cellId: [0, 65535],
    signalStrength: [-120, -25],
    primaryScramblingCode: null,
    timingAdvance: [0, 63],
  },
  cdma: {
    mobileCountryCode: [0, 999],
    mobileNetworkCode: [0, 32767],
    locationAreaCode: [0, 65535],
    cellId: [0, 65535],
    signalStrength: [-120, -25],
    primaryScramblingCode: null,
    timingAdvance: null,
  },
  wcdma: {
    mobileCountryCode: [0, 999],
    mobileNetworkCode: [0, 999],
    locationAreaCode: [0, 65535],
    cellId: [0, 268435455],
    signalStrength: [-130, -25],
    primaryScramblingCode: [0, 511],
    timingAdvance: null,
  },
  lte: {
    mobileCountryCode: [0, 999],
    mobileNetworkCode: [0, 999],
    locationAreaCode: [0, 65535],
    cellId: [0, 268435455],
    signalStrength: [-140, -25],
    primaryScramblingCode: [0, 511],
    timingAdvance: [0, 1282],
  },
  nbiot: {
    mobileCountryCode: [0, 999],
    mobileNetworkCode: [0, 999],
    locationAreaCode: [0, 65535],
    cellId: [0, 268435455],
    signalStrength: [-140, -25],
    primaryScramblingCode: [0, 511],
    timingAdvance: null,
  },
  nr: {
    mobileCountryCode: [0, 999],
    mobileNetworkCode: [0, 999],
    locationAreaCode: [1, 16777213],
    cellId: [0, 68719476735],
    signalStrength: [-140, -25],
    primaryScramblingCode: [0, 1023],
    timingAdvance: [0, 3938304],
  },
};

export const RADIO_TYPES = Object.keys(CELL_TABLE) as RadioType[];
export const IDENTITY_FIELDS = ['mobileCountryCode', 'mobileNetworkCode', 'locationAreaCode', 'cellId'] as const;
const NAME_IN_FILE: Record<RadioType, string> = {
  gsm: 'GSM',
  cdma: 'CDMA',
  wcdma: 'UMTS',
  lte: 'LTE',
  nbiot: 'NBIOT',
  nr: 'NR',
};

/** The cell that all others of its radio type differ from in one field. Network 001-07 is nobody's. */
export function baseCell(radioType: RadioType): PlacedCell {
  const lat = 10 + 2 * RADIO_TYPES.indexOf(radioType);
  return { radioType, mobileCountryCode: 1, mobileNetworkCode: 7, locationAreaCode: 100, cellId: 1000, lat, lng: 20 };
}

/** A cell near the base of its radio type. */
export function neighbourCell(radioType: RadioType): PlacedCell {
  const base = baseCell(radioType);
  return { ...base, cellId: 1001, lat: base.lat + 0.0027 };
}

/** The cells at the edges of the identity fields. The key of a cdma cell has no country. */
export function edgeCells(
  radioType: RadioType,
): (PlacedCell & { field: (typeof IDENTITY_FIELDS)[number]; value: number })[] {
  const base = baseCell(radioType);
  const cells = [];
  let place = 0;
  for (const field of IDENTITY_FIELDS) {
    const values = [
      ...CELL_TABLE[radioType][field]!,
      ...(radioType === 'nr' && field === 'locationAreaCode' ? [16777215] : []),
    ];
    for (const value of values) {
      place++;
      if (radioType === 'cdma' && field === 'mobileCountryCode') continue;
      cells.push({ ...base, [field]: value, lat: Number((base.lat + 0.2 * place).toFixed(1)), field, value });
    }
  }
  return cells;
}

/** The members that identify a cell in a request. */
export function identityOf({
  radioType,
  mobileCountryCode,
  mobileNetworkCode,
  locationAreaCode,
  cellId,
}: CellIdentity): CellIdentity {
  return { radioType, mobileCountryCode, mobileNetworkCode, locationAreaCode, cellId };
}

/** Access points that agree, 100 m apart from one another. */
export const ACCESS_POINTS = [
  { macAddress: '06:10:00:00:10:01', lat: 40, lng: 20 },
  { macAddress: '06:20:00:00:20:02', lat: 40.0009, lng: 20 },
  { macAddress: '06:30:00:00:30:03', lat: 40, lng: 20.0012 },
  { macAddress: '06:40:00:00:40:04', lat: 40.0009, lng: 20.0012 },
  { macAddress: '06:50:00:00:50:05', lat: 40.0018, lng: 20 },
];

export const BEACON_UUID = 'f7826da6-4fa2-4e98-8024-bc5b71e0893e';
export const I_BEACONS = [
  { major: 0, minor: 0, lat: 50 },
  { major: 0, minor: 65535, lat: 50.1 },
  { major: 65535, minor: 0, lat: 50.2 },
  { major: 65535, minor: 65535, lat: 50.3 },
];

/**
 * Puts all stations into the data folder that nobody serves yet: cells and access points by the import of the command
 * line.
 */
export async function fillContractWorld(base: string, folder: string): Promise<void> {
  const rows = RADIO_TYPES.flatMap(type => [baseCell(type), neighbourCell(type), ...edgeCells(type)]).map(
    cell =>
      `${NAME_IN_FILE[cell.radioType]},${cell.mobileCountryCode},${cell.mobileNetworkCode},${cell.locationAreaCode},${cell.cellId},,${cell.lng},${cell.lat},500,10,1,1700000000,1700000000,`,
  );
  await importFile(folder, 'cells', join(base, 'cells.csv'), rows);
  const points = ACCESS_POINTS.map(({ macAddress, lat, lng }) => `${macAddress},${lat},${lng},30`);
  await importFile(folder, 'wifi', join(base, 'access_points.csv'), ['bssid,lat,lon,range', ...points]);
  await putIBeacons(folder);
}

async function importFile(folder: string, kind: 'cells' | 'wifi', file: string, lines: string[]): Promise<void> {
  writeFileSync(file, `${lines.join('\n')}\n`);
  const { code, stdout, stderr } = await runSextant('import', kind, file, '--data', folder);
  if (code !== 0 || !stdout.includes('Refused 0 rows.'))
    throw new Error(`The import of ${file} failed: ${stdout}${stderr}`);
}

/** No list of iBeacons can be imported yet. */
async function putIBeacons(folder: string): Promise<void> {
  const owned = takeFolder(folder, false)!;
  const writer = await StationWriter.open(folder, undefined);
  const uuid = Buffer.from(BEACON_UUID.replaceAll('-', ''), 'hex');
  await writer.apply(
    I_BEACONS.map(({ major, minor, lat }) => putting(beaconKey(uuid, major, minor), stationAt(lat, 20, 5, 10))),
  );
  await writer.close();
  owned.release();
}
