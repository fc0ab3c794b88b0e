// Stations for what clients send: some cells, five access points around 40 north, and a beacon. Each stands in a place
// of its own, so that an answer tells which one was found.

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

/** Network 001-07 is nobody's. */
const NETWORK = { mobileCountryCode: 1, mobileNetworkCode: 7, locationAreaCode: 100 };
const cell = (radioType: RadioType, cellId: number, lat: number): PlacedCell => ({
  radioType,
  ...NETWORK,
  cellId,
  lat,
  lng: 20,
});
export const GSM = cell('gsm', 1000, 10);
export const WCDMA = cell('wcdma', 1000, 14);
export const LTE = cell('lte', 1000, 16);
/** An id of 28 bits, which each of two radio types has in a place of its own. */
export const LARGE_WCDMA = cell('wcdma', 268_435_454, 15.6);
export const LARGE_LTE = cell('lte', 268_435_454, 17.6);
const NEIGHBOURS = [cell('lte', 1001, 16.0027), cell('lte', 1002, 16.0054)];

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
export const I_BEACON = { major: 0, minor: 65535, lat: 50.1 };

/**
 * Puts all stations into the data folder that nobody serves yet: cells and access points by the import of the command
 * line.
 */
export async function fillClientWorld(base: string, folder: string): Promise<void> {
  const names: Partial<Record<RadioType, string>> = { gsm: 'GSM', wcdma: 'UMTS', lte: 'LTE' };
  const rows = [GSM, WCDMA, LTE, LARGE_WCDMA, LARGE_LTE, ...NEIGHBOURS].map(
    ({ radioType, cellId, lat, lng }) =>
      `${names[radioType]},1,7,100,${cellId},,${lng},${lat},500,10,1,1700000000,1700000000,`,
  );
  await importFile(folder, 'cells', join(base, 'cells.csv'), rows);
  const points = ACCESS_POINTS.map(({ macAddress, lat, lng }) => `${macAddress},${lat},${lng},30`);
  await importFile(folder, 'wifi', join(base, 'access_points.csv'), ['bssid,lat,lon,range', ...points]);
  await putIBeacon(folder);
}

async function importFile(folder: string, kind: 'cells' | 'wifi', file: string, lines: string[]): Promise<void> {
  writeFileSync(file, `${lines.join('\n')}\n`);
  const { code, stdout, stderr } = await runSextant('import', kind, file, '--data', folder);
  if (code !== 0 || !stdout.includes('Refused 0 rows.'))
    throw new Error(`The import of ${file} failed: ${stdout}${stderr}`);
}

/** No list of iBeacons can be imported yet. */
async function putIBeacon(folder: string): Promise<void> {
  const owned = takeFolder(folder, false)!;
  const writer = await StationWriter.open(folder, undefined);
  const uuid = Buffer.from(BEACON_UUID.replaceAll('-', ''), 'hex');
  const { major, minor, lat } = I_BEACON;
  await writer.apply([putting(beaconKey(uuid, major, minor), stationAt(lat, 20, 5, 10))]);
  await writer.close();
  owned.release();
}
