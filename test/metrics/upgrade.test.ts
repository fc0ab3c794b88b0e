// What must be done again after an upgrade, on real folders.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { importExtracts } from '../../src/geocoding/import/import_extracts.ts';
import { findOutdated, readMade } from '../../src/metrics/upgrade.ts';
import { readSources, writeSources } from '../../src/tables/sources/sources.ts';
import { currentGeneration, generationPath, openGeneration } from '../../src/tables/stations/generation.ts';
import { KnowledgeTables } from '../../src/tables/stations/knowledge.ts';
import { importStations } from '../../src/transfer/import_stations.ts';
import { writeTown } from '../kits/places/extracts.ts';
import { IMPORT_PARTS } from '../kits/radio/imports.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const CELLS =
  'radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averageSignal\n' +
  'LTE,206,1,251,51764,88,4.35,50.1,1500,42,1,1459814306,1741057142,0\n';
const STATIONS = { stdin: Readable.from([]), onProgress: () => {}, ...IMPORT_PARTS };

function fileOf(name: string, text: string): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, text);
  return path;
}

/** Changes the live generation of a folder. */
async function change(folder: string, work: (tables: ReturnType<typeof openGeneration>) => void): Promise<void> {
  const generation = openGeneration(generationPath(folder, currentGeneration(folder)!));
  generation.root.transactionSync(() => work(generation));
  await generation.root.close();
}

test('what this version has made need not be made again', async () => {
  const folder = temporaryFolder();
  expect(await readMade(folder)).toEqual({});
  await importStations({ ...STATIONS, folder, kind: 'cells', files: [fileOf('cells.csv', CELLS)] });
  await importStations({
    ...STATIONS,
    folder,
    kind: 'wifi',
    files: [fileOf('w.csv', 'bssid,lat,lon\n88f7c7000001,50,4\n')],
  });
  expect(await readMade(folder)).toEqual({ cells: 1, wifi: 1 });
  await importExtracts({ folder, files: [writeTown(join(temporaryFolder(), 'a.osm.pbf'), 3)], onProgress: () => {} });
  await change(folder, generation =>
    new KnowledgeTables(generation).write({ learned: [], tracks: new Map(), progress: 9 }),
  );
  expect(await readMade(folder)).toEqual({ places: 1, cells: 1, wifi: 1, learned: 1 });
  // Learning carries it on, and so does an import, which makes other tables.
  await importStations({ ...STATIONS, folder, kind: 'cells', source: 'b', files: [fileOf('b.csv', CELLS)] });
  const made = await readMade(folder);
  expect([made.learned, findOutdated(made)]).toEqual([1, []]);
});

test('what an earlier version has made is named, with what waits for it and what to type', async () => {
  const folder = temporaryFolder();
  await importStations({ ...STATIONS, folder, kind: 'cells', files: [fileOf('cells.csv', CELLS)] });
  await change(folder, generation => {
    writeSources(
      generation,
      readSources(generation)!.map(({ revision: _, ...source }) => source),
    );
    generation.meta.putSync('progress', 9);
  });
  const made = await readMade(folder);
  expect(made).toEqual({ cells: 0, learned: 0 });
  expect(findOutdated(made)).toEqual([
    {
      id: 'cellsOfEarlierVersion',
      what:
        'Tables of cells were imported by an earlier version. Until they are imported again: cells that modems only send ' +
        'where they know none are still found.',
      remedy: 'Import them again under their names: "sextant import cells FILE --source NAME".',
      command: 'sextant import cells FILE --source NAME',
    },
    expect.objectContaining({
      id: 'learnedByEarlierVersion',
      what: expect.stringContaining('(--lone-beacons)'),
      command: 'sextant aggregate --rebuild',
    }),
  ]);
  // What is learned on top does not make the rest new.
  await change(folder, generation =>
    new KnowledgeTables(generation).write({ learned: [], tracks: new Map(), progress: 10 }),
  );
  expect(await readMade(folder)).toMatchObject({ learned: 0 });
  expect(findOutdated({ places: 0 })).toMatchObject([
    { id: 'extractsOfEarlierVersion', what: expect.stringContaining('further tags of places (extratags=1)') },
  ]);
});
