// `sextant import` where much of an earlier import would go, and where little of a file is taken, by the program
// itself: alone, and with a service in the folder.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FEW_THREADS } from '../kits/served_service.ts';
import { runSextant, ServiceProcess } from '../kits/service_process.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const REFUSED =
  'What is imported now lacks 2 of the 2 stations of the source "cells", more than half: it may be another ' +
  'file of the same name. Nothing was changed. Name another source with --source, or say --replace.\n';

/** A file of cells in a folder of its own. */
function cells(name: string, ...numbers: number[]): string {
  const folder = join(temporaryFolder(), name);
  mkdirSync(folder);
  const rows = numbers.map(cell => `LTE,206,1,1,${cell},88,4.35,50.85,900,42,1,1459814306,1741057142,0\n`);
  writeFileSync(join(folder, 'cells.csv'), rows.join(''));
  return join(folder, 'cells.csv');
}

async function expectToAsk(folder: string): Promise<void> {
  const [first, second] = [cells('a', 1, 2), cells('b', 3, 4)];
  const run = (...words: string[]) => runSextant('import', 'cells', ...words, '--data', folder);
  expect(await run(first)).toMatchObject({ code: 0 });
  const { code, stdout, stderr } = await run(second);
  expect([code, stdout, stderr.endsWith(REFUSED)]).toEqual([1, '', true]);
  expect((await run(second, '--source', 'second')).stdout).toContain('2 new stations');
  expect((await run(second, '--replace')).stdout).toContain('Removed 2 stations');
}

test('an import that would remove most of another is refused with what to do, and done if it is said', async () => {
  await expectToAsk(join(temporaryFolder(), 'var'));
});

test('so it is by a service that runs', async () => {
  const service = await ServiceProcess.start(join(temporaryFolder(), 'var'), ...FEW_THREADS);
  await expectToAsk(service.folder);
  await service.stop();
});

test.each(['observations', 'cells'])(
  'a file of %s of which little is taken ends with 1 and what was wrong, after the rest is told',
  async kind => {
    const folder = temporaryFolder();
    const file = join(folder, 'poor.csv');
    const rows =
      kind === 'cells'
        ? ['LTE', 'IWLAN', 'IWLAN'].map(
            (type, i) => `${type},206,1,1,${i + 1},88,4.35,50.85,900,42,1,1459814306,1741057142,0`,
          )
        : [
            'lat,lon,mcc,mnc,lac,cellid,measured_at,act',
            ...['LTE', 'IWLAN', 'IWLAN'].map((type, i) => `50.85,4.35,206,1,1,1${i},2025-06-01 10:00:0${i},${type}`),
          ];
    writeFileSync(file, rows.join('\n'));
    const { code, stdout, stderr } = await runSextant('import', kind, file, '--data', join(folder, 'var'));
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^Accepted 1 /)]);
    expect(stderr).toContain(
      `Less than half of ${file} was taken: 1 of 3 rows. Most often, in 2 rows: the radio type "IWLAN" is unknown.\n`,
    );
  },
);
