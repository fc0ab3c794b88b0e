// The live station tables as plain maps, for comparison with a model.

import { NETWORK_BYTES } from '../../../src/tables/stations/areas.ts';
import {
  currentGeneration,
  type GenerationMeta,
  generationPath,
  openGeneration,
} from '../../../src/tables/stations/generation.ts';
import type { Station } from '../../../src/tables/stations/station.ts';
import { stationOf } from './stations.ts';

export interface Tables {
  /** By key in hexadecimal, in the order of the table. */
  stations: Map<string, Station>;
  areas: Map<string, Station>;
  /** What ids say about distances, by network, in hexadecimal. */
  idDistances: Map<string, string>;
  meta: GenerationMeta;
}

export async function readTables(folder: string): Promise<Tables> {
  const { root, stations, areas, meta } = openGeneration(generationPath(folder, currentGeneration(folder)!));
  const read = (database: typeof stations, isRead: (key: Buffer) => boolean) =>
    new Map(
      [...database.getRange()]
        .filter(({ key }) => isRead(key))
        .map(({ key, value }) => [key.toString('hex'), stationOf(value)] as const),
    );
  const isNetwork = (key: Buffer) => key.length === NETWORK_BYTES;
  const idDistances = new Map(
    [...areas.getRange()]
      .filter(({ key }) => isNetwork(key))
      .map(({ key, value }) => [key.toString('hex'), value.toString('hex')] as const),
  );
  const tables = {
    stations: read(stations, () => true),
    areas: read(areas, key => !isNetwork(key)),
    idDistances,
    meta: meta.get('generation') as GenerationMeta,
  };
  await root.close();
  return tables;
}
