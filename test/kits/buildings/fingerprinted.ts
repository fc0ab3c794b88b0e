// A drawn building with access points and beacons on its floors, surveyed every two metres: what stands in the tables
// of fingerprints after that, and what a device hears anywhere in it or around it.

import { buildFingerprintMap } from '../../../src/indoor/fingerprints/build_map.ts';
import type { Fingerprint } from '../../../src/indoor/fingerprints/fingerprint.ts';
import { FingerprintMap } from '../../../src/indoor/fingerprints/fingerprint_map.ts';
import { type About, BuildingsOfFingerprints } from '../../../src/indoor/tables/fingerprints/buildings.ts';
import { openOrCreateFingerprints } from '../../../src/indoor/tables/fingerprints/fingerprint_tables.ts';
import { encodeRadios } from '../../../src/indoor/tables/fingerprints/reader.ts';
import { formatMac, radioOfMac } from '../../../src/radio/mac.ts';
import { announceChange } from '../../../src/tables/environment/revision.ts';
import { numberKey } from '../../../src/tables/environment/row.ts';
import { deviceMac } from '../radio/stations.ts';
import { normal } from '../random.ts';
import { type Metres, ORIGIN } from './drawn.ts';

/** An access point of a drawn building. */
interface DrawnRadio {
  mac: number;
  floor: number;
  at: Metres;
}

/** Radios of a building of 40 by 30 metres on floors 0 to 2, eight a floor. */
export const RADIOS: readonly DrawnRadio[] = [0, 1, 2].flatMap(floor =>
  Array.from({ length: 8 }, (_, i) => ({
    mac: deviceMac(1_000 + floor * 100 + i),
    floor,
    at: [5 + 10 * (i % 4), 8 + 14 * Math.floor(i / 4)] as const,
  })),
);
const FLOOR_METRES = 3.5;
const FLOOR_DB = 18;
const WALL_DB = 10;
const HEARD_DBM = -92;

/** Mean level of a radio at a point, dBm; below what can be heard far away. */
export function levelAt(radio: DrawnRadio, floor: number, [east, north]: Metres): number {
  const metres = Math.hypot(radio.at[0] - east, radio.at[1] - north, FLOOR_METRES * (radio.floor - floor), 1);
  const isOutside = east < 0 || east > 40 || north < 0 || north > 30;
  return -35 - 30 * Math.log10(metres) - FLOOR_DB * Math.abs(radio.floor - floor) - (isOutside ? WALL_DB : 0);
}

/**
 * The access points that a device hears, in the words of a request. @param random of the levels; without, they are the
 * means
 */
export function heardAt(floor: number, at: Metres, random?: () => number, radios: readonly DrawnRadio[] = RADIOS) {
  return radios.flatMap(radio => {
    const signalStrength = Math.round(levelAt(radio, floor, at) + (random === undefined ? 0 : 3 * normal(random)()));
    return signalStrength < HEARD_DBM ? [] : [{ macAddress: formatMac(radio.mac), signalStrength }];
  });
}

/** A survey of all floors. */
export function survey(radios: readonly DrawnRadio[] = RADIOS): Fingerprint[] {
  const fingerprints: Fingerprint[] = [];
  for (const floor of [0, 1, 2]) {
    for (let east = 1; east < 40; east += 2) {
      for (let north = 1; north < 30; north += 2) {
        const readings = radios
          .map(radio => ({ radio: radioOfMac(radio.mac), levelDbm: Math.round(levelAt(radio, floor, [east, north])) }))
          .filter(({ levelDbm }) => levelDbm >= HEARD_DBM);
        fingerprints.push({ floor, eastMetres: east, northMetres: north, readings });
      }
    }
  }
  return fingerprints;
}

/** Publishes a map as the service does. @param maps memory that tells readers of it */
export async function publish(
  folder: string,
  maps: SharedArrayBuffer,
  about: About,
  fingerprints: readonly Fingerprint[],
): Promise<void> {
  const tables = await openOrCreateFingerprints(folder);
  const record = buildFingerprintMap(fingerprints, ORIGIN);
  tables.root.transactionSync(() => {
    const id = new BuildingsOfFingerprints(tables).idOf(about, ORIGIN.latitude, ORIGIN.longitude);
    tables.maps.putSync(numberKey(id), Buffer.from(record));
    tables.radios.putSync(numberKey(id), encodeRadios(new FingerprintMap(record).radios()));
  });
  await tables.root.close();
  announceChange(maps);
}
