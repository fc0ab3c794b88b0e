import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { StationSet } from '../../../src/radio/query/station_set.ts';
import { forgetInSources, holdersOf } from '../../../src/tables/sources/listed_stations.ts';
import { RecordFile, writeRecordFile } from '../../../src/tables/sources/record_file.ts';
import { newSourceFile, type Source, sourcePath } from '../../../src/tables/sources/sources.ts';
import { stationAt } from '../../../src/tables/stations/station.ts';
import { sortedRecords, wifiHex } from '../../kits/radio/sorted_records.ts';
import { macKey } from '../../kits/radio/stations.ts';
import { uniform } from '../../kits/random.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

function listed(folder: string, name: string, macs: readonly number[]): Source {
  const { file, path } = newSourceFile(folder);
  writeRecordFile(path, sortedRecords(8, new Map(macs.map(mac => [wifiHex(mac), stationAt(1, 2, 3, 4)]))));
  return { name, kind: 'wifi', file, stations: macs.length, importedAt: '' };
}

function keysIn(folder: string, { file }: Source): number[] {
  const records = new RecordFile(sourcePath(folder, file), 8);
  const keys = [...records.batches()].flatMap(({ bytes, count }) =>
    Array.from({ length: count }, (_, i) => Buffer.from(bytes).readUIntBE(i * 32 + 1, 6)),
  );
  records.close();
  return keys;
}

test('stations are found in, and taken out of, the sources that list them', async () => {
  const folder = join(temporaryFolder());
  const random = uniform(9);
  for (let round = 0; round < 50; round++) {
    const draw = (most: number) =>
      [...new Set(Array.from({ length: Math.floor(random() * most) }, () => Math.floor(random() * 60)))].sort(
        (a, b) => a - b,
      );
    const lists = [draw(40), draw(40), draw(3)];
    const sources = lists.map((macs, n) => listed(folder, `${n}`, macs));
    const gone = draw(6);
    const stations = new StationSet(gone.map(mac => macKey(mac)));
    expect(holdersOf(folder, sources, stations)).toEqual(
      lists.flatMap((macs, n) => (macs.some(mac => gone.includes(mac)) ? [`${n}`] : [])),
    );
    const { sources: left, removed } = await forgetInSources(folder, sources, stations, () => {});
    const expected = lists.map(macs => macs.filter(mac => !gone.includes(mac)));
    expect(left.map(source => keysIn(folder, source))).toEqual(expected);
    expect(left.map(({ stations }) => stations)).toEqual(expected.map(macs => macs.length));
    expect(removed).toBe(lists.flat().length - expected.flat().length);
  }
});

test('other work goes on between the batches of a source, and a stop leaves no file', async () => {
  const folder = temporaryFolder();
  const source = listed(
    folder,
    'many',
    Array.from({ length: 40_000 }, (_, mac) => mac),
  );
  let turns = 0;
  setImmediate(() => turns++);
  let batches = 0;
  const forget = forgetInSources(folder, [source], new StationSet([macKey(5)]), () => {
    if (++batches === 3) throw new Error('The service is stopping');
  });
  await expect(forget).rejects.toThrow('The service is stopping');
  expect(turns).toBe(1);
  expect(readdirSync(join(folder, 'sources'))).toEqual(['1.records']);
});
