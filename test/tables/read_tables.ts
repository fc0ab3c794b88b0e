// The live station tables as plain maps, for comparison with a model.

import { currentGeneration, type GenerationMeta, generationPath, openGeneration } from '../../src/tables/generation.ts';
import { decodeStation, type Station } from '../../src/tables/station.ts';

export interface Tables {
  /** By key in hexadecimal, in the order of the table. */
  stations: Map<string, Station>;
  areas: Map<string, Station>;
  meta: GenerationMeta;
}

export async function readTables(folder: string): Promise<Tables> {
  const { root, stations, areas, meta } = openGeneration(generationPath(folder, currentGeneration(folder)!));
  const read = (database: typeof stations) =>
    new Map(
      database
        .getRange()
        .map(({ key, value }) => [key.toString('hex'), decodeStation(new DataView(value.buffer, value.byteOffset), 0)] as const),
    );
  const tables = { stations: read(stations), areas: read(areas), meta: meta.get('generation') as GenerationMeta };
  await root.close();
  return tables;
}
