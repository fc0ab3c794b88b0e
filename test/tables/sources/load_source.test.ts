// Sources that overlap: whatever is taken out, or comes again with other contents, the tables are those of a folder
// that never had it, to the last byte.

import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { KIND_LTE } from '../../../src/radio/kind.ts';
import { liveSources } from '../../../src/tables/sources/load_source.ts';
import { type ImportProgress, importStations, removeImported } from '../../../src/transfer/import_stations.ts';
import { IMPORT_PARTS } from '../../kits/radio/imports.ts';
import { report } from '../../kits/radio/reports.ts';
import { cellKey } from '../../kits/radio/stations.ts';
import { uniform } from '../../kits/random.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';
import { LearningFolder } from '../../learning/learning_folder.ts';

type Kind = 'cells' | 'wifi';
/** Rows by the number of their station. */
type List = ReadonlyMap<number, string>;

const CELLS = 60;

function parts(folder: string) {
  return { folder, onProgress: () => {}, ...IMPORT_PARTS };
}

async function bring(folder: string, kind: Kind, source: string, list: List) {
  const path = join(temporaryFolder(), `${source}.csv`);
  writeFileSync(path, `${kind === 'wifi' ? 'bssid,lat,lon\n' : ''}${[...list.values()].join('')}`);
  return importStations({ ...parts(folder), kind, source, replace: true, files: [path], stdin: Readable.from([]) });
}

/** Some of the cells or access points, at places of this list. */
function draw(random: () => number, kind: Kind, share: number, count: number): List {
  const latitude = (45 + random()).toFixed(6);
  const numbers = Array.from({ length: count }, (_, i) => i).filter(() => random() < share);
  const rowOf = (i: number) =>
    kind === 'wifi'
      ? `${(0x88f7c7000000 + i * 77).toString(16)},${latitude},${8 + i / 1e5}\n`
      : `LTE,206,${1 + (i % 3)},${1 + (i % 7)},${1000 + i},88,${(4 + i / 1e4).toFixed(6)},${latitude},900,42,1,1459814306,1741057142,0\n`;
  return new Map(numbers.map(i => [i, rowOf(i)]));
}

/** Every byte of the tables. */
async function contents(folder: string): Promise<string> {
  const opened = await LearningFolder.open(folder, false);
  await opened.catchUp();
  const dump = opened.dump();
  await opened.close();
  return dump;
}

test.each(['cells', 'wifi'] as const)(
  'one of three imports of %s that overlap is taken out as if it had never been',
  async kind => {
    for (let seed = 1; seed <= 6; seed++) {
      const random = uniform(seed);
      // A removal that changes most stations builds the tables anew, one of few stations changes them in place.
      const shares = seed % 2 === 0 ? [0.9, 0.004, 0.004] : [0.5, 0.5, 0.5];
      const lists = shares.map(share => draw(random, kind, share, 3_000));
      const gone = seed % 2 === 0 ? 1 + (seed % 3 === 0 ? 1 : 0) : seed % 3;
      const [folder, other] = [temporaryFolder(), temporaryFolder()];
      for (const [i, list] of lists.entries()) await bring(folder, kind, `list ${i}`, list);
      for (const [i, list] of lists.entries()) if (i !== gone) await bring(other, kind, `list ${i}`, list);
      const { removed, replaced } = await removeImported({ ...parts(folder), name: `list ${gone}` });
      expect(removed + replaced).toBeGreaterThan(0);
      expect(await contents(folder)).toBe(await contents(other));
      expect((await liveSources(folder)).map(({ name, stations }) => [name, stations])).toEqual(
        lists.map((list, i) => [`list ${i}`, list.size]).filter((_, i) => i !== gone),
      );
    }
  },
);

test('a source that comes again replaces itself: what vanished from it goes, and it counts before all others', async () => {
  const random = uniform(9);
  const [a, b, again] = [0.5, 0.5, 0.3].map(share => draw(random, 'cells', share, 2_000));
  const [folder, other] = [temporaryFolder(), temporaryFolder()];
  await bring(folder, 'cells', 'a', a);
  await bring(folder, 'cells', 'b', b);
  const { removed, stations } = await bring(folder, 'cells', 'a', again);
  expect(removed).toBe([...a.keys()].filter(i => !b.has(i) && !again.has(i)).length);
  expect(stations).toBe(new Set([...b.keys(), ...again.keys()]).size);
  await bring(other, 'cells', 'b', b);
  await bring(other, 'cells', 'a', again);
  expect(await contents(folder)).toBe(await contents(other));
});

test('the last source leaves empty tables', async () => {
  const folder = temporaryFolder();
  await bring(folder, 'cells', 'all', draw(uniform(3), 'cells', 1, 500));
  expect(await removeImported({ ...parts(folder), name: 'all' })).toMatchObject({ stations: 0, removed: 500 });
  expect(await contents(folder)).toBe('');
});

/** Reports of all cells, each heard where the lists have it. */
async function teach(folder: string, list: List): Promise<void> {
  const opened = await LearningFolder.open(folder, false);
  const reports = [...list].slice(0, CELLS).flatMap(([i, row], n) => {
    const [, , mnc, area, cell, , longitude, latitude] = row.split(',').map(Number);
    const key = cellKey(KIND_LTE, 206, mnc, area, cell);
    return [0, 1].map(k =>
      report(7, [latitude + k / 1e4, longitude], 2 * n + k, [{ key, dbm: -80 }], {
        isTrusted: i % 2 === 0,
        accuracyMetres: 10,
        track: 0,
      }),
    );
  });
  await opened.contribute(reports);
  await opened.catchUp();
  expect(opened.errors).toEqual([]);
  await opened.close();
}

test('what was learned of a station stays when its import goes', async () => {
  for (const isLarge of [true, false]) {
    const random = uniform(5);
    const [base, second] = [draw(random, 'cells', 0.5, 3_000), draw(random, 'cells', isLarge ? 0.9 : 0.02, 3_000)];
    const only = new Map([...second].filter(([i]) => !base.has(i)));
    const [folder, other] = [temporaryFolder(), temporaryFolder()];
    await bring(folder, 'cells', 'base', base);
    await bring(folder, 'cells', 'second', second);
    await bring(other, 'cells', 'base', base);
    for (const each of [folder, other]) await teach(each, only);
    const before = await contents(folder);
    await removeImported({ ...parts(folder), name: 'second' });
    expect(await contents(folder)).not.toBe(before);
    expect(await contents(folder)).toBe(await contents(other));
    // And the other way round: the import comes to what was learned.
    await bring(folder, 'cells', 'second', second);
    await bring(other, 'cells', 'second', second);
    expect(await contents(folder)).toBe(await contents(other));
  }
});

test('a name that is unknown or of another kind is refused, and nothing changes', async () => {
  const folder = temporaryFolder();
  await bring(folder, 'cells', 'town', draw(uniform(1), 'cells', 1, 50));
  const before = await contents(folder);
  await expect(removeImported({ ...parts(folder), name: 'city' })).rejects.toThrow(
    'There is no source "city"; "sextant sources list" names all.',
  );
  await expect(bring(folder, 'wifi', 'town', draw(uniform(1), 'wifi', 1, 50))).rejects.toThrow(
    'The source "town" holds cells; name this import of wifi otherwise with --source.',
  );
  expect(await contents(folder)).toBe(before);
});

test('an import that ends early leaves neither a file of its source nor a part of the tables', async () => {
  const folder = temporaryFolder();
  await bring(folder, 'cells', 'kept', draw(uniform(1), 'cells', 1, CELLS));
  const files = () => readdirSync(folder, { recursive: true }).map(String).sort();
  const before = files();
  const path = join(temporaryFolder(), 'more.csv');
  writeFileSync(path, [...draw(uniform(2), 'cells', 1, 20 * CELLS).values()].join(''));
  const onProgress = ({ phase }: ImportProgress) => {
    if (phase === 'writing') throw new Error('It was cancelled');
  };
  for (const source of ['new', 'kept'])
    await expect(
      importStations({
        ...parts(folder),
        onProgress,
        kind: 'cells',
        source,
        replace: true,
        files: [path],
        stdin: Readable.from([]),
      }),
    ).rejects.toThrow('It was cancelled');
  expect(files()).toEqual(before);
});
