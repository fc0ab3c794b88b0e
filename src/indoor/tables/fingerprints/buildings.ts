// The buildings of fingerprints, as rows of JSON. A building is known again by its name or its numbers, near where it
// stood: there is a "Main building" in many towns.

import { distanceMetres } from '../../../geo/distance.ts';
import { readNumber } from '../../../tables/environment/named_tables.ts';
import { numberKey } from '../../../tables/environment/row.ts';
import { type FingerprintedBuilding, REACH_METRES } from './fingerprint_record.ts';
import { type FingerprintTables, takeNumber } from './fingerprint_tables.ts';

/** What is said of a building. */
export type About = Pick<FingerprintedBuilding, 'modelId' | 'buildingId' | 'name'>;

/** Decodes the row of a building. @throws Error when it is none */
export function decodeBuildingRow(id: number, value: Buffer): FingerprintedBuilding {
  try {
    const { modelId, buildingId, name, latitude, longitude } = JSON.parse(value.toString()) as FingerprintedBuilding;
    if (typeof name === 'string' && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)
      return { modelId, buildingId, name, latitude, longitude };
  } catch {
    // Told below, as any row that is none.
  }
  throw new Error(`The row of building ${id} of fingerprints is damaged.`);
}

/** All buildings by id. @throws Error when a row is damaged */
export function readFingerprintedBuildings({ buildings }: FingerprintTables): Map<number, FingerprintedBuilding> {
  return new Map(
    [...buildings.getRange({})].map(({ key, value }) => {
      const id = readNumber(key)!;
      return [id, decodeBuildingRow(id, value)];
    }),
  );
}

/** Finds the buildings of fingerprints, or makes them, in one open transaction. */
export class BuildingsOfFingerprints {
  private readonly tables: FingerprintTables;
  private readonly known: Map<number, FingerprintedBuilding>;

  constructor(tables: FingerprintTables) {
    this.tables = tables;
    this.known = readFingerprintedBuildings(tables);
  }

  /**
   * The id of a building, which is made if there is none.
   * @param about at least one member is stated
   * @param latitude, longitude degrees: a point in it, which becomes the origin of a new one
   */
  idOf(about: About, latitude: number, longitude: number): number {
    for (const [id, building] of this.known) {
      if (!isSame(building, about)) continue;
      if (distanceMetres(latitude, longitude, building.latitude, building.longitude) > REACH_METRES) continue;
      const more = {
        ...building,
        modelId: building.modelId ?? about.modelId,
        buildingId: building.buildingId ?? about.buildingId,
      };
      if (more.name === '') more.name = about.name;
      if (JSON.stringify(more) !== JSON.stringify(building)) this.put(id, more);
      return id;
    }
    const id = takeNumber(this.tables, 'building');
    this.put(id, { modelId: about.modelId, buildingId: about.buildingId, name: about.name, latitude, longitude });
    return id;
  }

  private put(id: number, building: FingerprintedBuilding): void {
    this.known.set(id, building);
    this.tables.buildings.putSync(numberKey(id), Buffer.from(JSON.stringify(building)));
  }
}

/** Something that both state is equal, and nothing that both state differs. */
function isSame(one: About, other: About): boolean {
  let isShared = false;
  for (const member of ['modelId', 'buildingId', 'name'] as const) {
    const [a, b] = [one[member] ?? '', other[member] ?? ''];
    if (a === '' || b === '') continue;
    if (a !== b) return false;
    // A model may have several buildings.
    if (member !== 'modelId') isShared = true;
  }
  return isShared || (one.modelId !== undefined && one.modelId === other.modelId && isUnnamed(one) && isUnnamed(other));
}

function isUnnamed({ buildingId, name }: About): boolean {
  return buildingId === undefined && name === '';
}
