// What pictures of buildings need: which there are, what they look like, and what their fingerprint maps know. It opens
// the tables for each question, as commands do.

import { boxOf } from '../../geo/box.ts';
import { distanceMetres } from '../../geo/distance.ts';
import { UNITS_PER_DEGREE } from '../../geo/units.ts';
import { formatMac, parseMac, radioOfMac } from '../../radio/mac.ts';
import { isNetworkRadio, radioNumber, radioOfAddress } from '../../radio/station_key.ts';
import { parseStation } from '../../radio/station_name.ts';
import { numberKey } from '../../tables/environment/row.ts';
import { levelsOfRadio, radiosOfFloor } from '../fingerprints/level_map.ts';
import { decodeMap, type MapColumns } from '../fingerprints/map_record.ts';
import { isSameBuilding } from '../indoor_at.ts';
import { type BuildingJson, buildingJson } from '../protocol/building.ts';
import type { Building } from '../tables/buildings/building.ts';
import { BuildingReader } from '../tables/buildings/reader.ts';
import { readFingerprintedBuildings } from '../tables/fingerprints/buildings.ts';
import { REACH_METRES } from '../tables/fingerprints/fingerprint_record.ts';
import { openFingerprints } from '../tables/fingerprints/fingerprint_tables.ts';

/** Buildings of one page. */
const PAGE = 1_000;
/** Radios that are named of a floor: those heard at the most places. */
const RADIOS_MAX = 500;
/** Radios of Bluetooth devices are numbered from here on, those of iBeacons above 2^52. */
const FIRST_IBEACON = 2 ** 52;
const BEACON_NUMBER = /^beacon (\d{16})$/;
const FIRST_OCTET_UNKNOWN = '*';

interface ListedBuilding {
  id: number;
  name: string;
  buildingModelId?: number;
  buildingId?: number;
  /** Middle of its footprint's box, degrees. */
  latitude: number;
  longitude: number;
  floors: number;
  /** There is a fingerprint map of it. */
  hasMap: boolean;
}

/** The buildings after an id, and how the next page begins; absent at the end. @throws Error when a table is damaged */
export async function listBuildingModels(
  folder: string,
  after: number,
): Promise<{ buildings: ListedBuilding[]; next?: number }> {
  const reader = new BuildingReader(folder);
  const fingerprints = openFingerprints(folder);
  try {
    const mapped = fingerprints === undefined ? [] : [...readFingerprintedBuildings(fingerprints)];
    const withMap = mapped.flatMap(([id, each]) => (fingerprints!.maps.doesExist(numberKey(id)) ? [each] : []));
    const page = reader.after(after, PAGE);
    const buildings = page.map(({ id, building }) => {
      const { latitude, longitude } = middleOf(building);
      return {
        id,
        name: building.name,
        ...(building.modelId !== undefined && { buildingModelId: building.modelId }),
        ...(building.buildingId !== undefined && { buildingId: building.buildingId }),
        latitude,
        longitude,
        floors: reader.countFloors(id),
        hasMap: withMap.some(each => isSame(building, each)),
      };
    });
    return { buildings, ...(page.length === PAGE && { next: page[PAGE - 1].id }) };
  } finally {
    await fingerprints?.root.close();
    await reader.close();
  }
}

/** A building as GeoJSON; undefined where there is none. @throws Error when a record is damaged */
export async function showBuilding(folder: string, id: number): Promise<BuildingJson | undefined> {
  const reader = new BuildingReader(folder);
  try {
    const building = reader.find(id);
    return building && buildingJson(building, reader.floors(id));
  } finally {
    await reader.close();
  }
}

/** What the map of a building knows of a floor. */
interface FloorLevels {
  floor: number;
  /** Radios that are heard on the floor, those heard at the most places first. */
  radios: { radio: string; kind: 'wifi' | 'bluetooth' | 'beacon'; places: number }[];
  /** Places of the floor; with a level where the radio was heard. */
  places: { latitude: number; longitude: number; levelDbm?: number }[];
}

/**
 * The levels of a radio on a floor of a building.
 * @param numbers of the radio, of which the map has one; none for the places alone
 * @returns undefined where there is no such building or no map of it
 * @throws Error when a table is damaged
 */
export async function showLevels(
  folder: string,
  id: number,
  floor: number,
  numbers: readonly number[],
): Promise<FloorLevels | undefined> {
  const map = await mapOf(folder, id);
  if (map === undefined) return undefined;
  const radios = radiosOfFloor(map, floor).slice(0, RADIOS_MAX);
  const number = numbers.find(each => map.radio.includes(each)) ?? -1;
  return {
    floor,
    radios: radios.map(each => ({ ...nameOfRadio(each.radio), places: each.places })),
    places: levelsOfRadio(map, number, floor).map(({ levelDbm, ...place }) => ({
      ...place,
      ...(levelDbm !== undefined && { levelDbm: Math.round(levelDbm * 10) / 10 }),
    })),
  };
}

async function mapOf(folder: string, id: number): Promise<MapColumns | undefined> {
  const reader = new BuildingReader(folder);
  const fingerprints = openFingerprints(folder);
  try {
    const building = reader.find(id);
    if (building === undefined || fingerprints === undefined) return undefined;
    const same = [...readFingerprintedBuildings(fingerprints)].find(([, each]) => isSame(building, each));
    const record = same && fingerprints.maps.getBinary(numberKey(same[0]));
    // A copy: its columns are read in place, and LMDB may move what it has given out.
    return record && decodeMap(Uint8Array.from(record));
  } finally {
    await fingerprints?.root.close();
    await reader.close();
  }
}

/** A model and a building of fingerprints are the same by their names, near each other. */
function isSame(
  building: Building,
  other: Parameters<typeof isSameBuilding>[1] & { latitude: number; longitude: number },
) {
  const { latitude, longitude } = middleOf(building);
  return (
    isSameBuilding(building, other) &&
    distanceMetres(latitude, longitude, other.latitude, other.longitude) <= REACH_METRES
  );
}

function middleOf({ outline }: Building): { latitude: number; longitude: number } {
  const { west, south, east, north } = boxOf(outline);
  return { latitude: (south + north) / 2 / UNITS_PER_DEGREE, longitude: (west + east) / 2 / UNITS_PER_DEGREE };
}

/** Of an access point the first octet is not kept, as the networks of a radio differ in it; of an iBeacon a number. */
function nameOfRadio(radio: number): { radio: string; kind: 'wifi' | 'bluetooth' | 'beacon' } {
  if (isNetworkRadio(radio)) return { radio: `${FIRST_OCTET_UNKNOWN}${formatMac(radio).slice(2)}`, kind: 'wifi' };
  if (radio >= FIRST_IBEACON) return { radio: `beacon ${radio}`, kind: 'beacon' };
  return { radio: formatMac(radio - radioOfAddress(0)), kind: 'bluetooth' };
}

/** The numbers that the radio of a name may have. @param text as `nameOfRadio`, or any address of it @throws Error */
export function radiosNamed(text: string): number[] {
  const number = BEACON_NUMBER.exec(text);
  if (number !== null) return [Number(number[1])];
  const mac = parseMac(text.startsWith(FIRST_OCTET_UNKNOWN) ? `02${text.slice(1)}` : text);
  if (mac >= 0) return [radioOfMac(mac), radioOfAddress(mac)];
  if (!text.includes('/')) throw new Error(`"${text}" names no radio: write an address, or UUID/MAJOR/MINOR.`);
  const padded = Buffer.alloc(24);
  parseStation(text)[0].copy(padded);
  return [radioNumber(padded, new Int32Array(padded.buffer, padded.byteOffset, 6), 0)];
}
