import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listSources } from '../../../src/jobs/sources.ts';
import { readFolderFigures } from '../../../src/metrics/folder_figures.ts';
import { runSextant } from '../../kits/service_process.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

const HEADER = 'floor,latitude,longitude,building,mac,level';
const SURVEY = `${HEADER}\n0,47.1,9.5,House,02:00:00:00:00:01,-50\n1,47.1,9.5,House,02:00:00:00:00:02,-50\n`;

test('fingerprints are imported, listed, counted and removed like any source, under a name of their own', async () => {
  const [folder, files] = [join(temporaryFolder(), 'var'), temporaryFolder()];
  const run = (...words: string[]) => runSextant(...words, '--data', folder);
  const [survey, cells] = [join(files, 'survey.csv'), join(files, 'cells.csv')];
  writeFileSync(survey, SURVEY);
  writeFileSync(cells, 'LTE,206,1,1,1000,88,4.35,50.85,900,42,1,1459814306,1741057142,0\n');
  expect((await run('import', 'cells', cells)).code).toBe(0);
  expect((await run('import', 'fingerprints', survey, '--source', 'cells')).stderr).toContain(
    'The source "cells" holds cells; name this import of fingerprints otherwise with --source.',
  );
  expect((await run('import', 'fingerprints', survey)).stdout).toBe(
    'Imported 2 fingerprints on 2 floors of 1 building as "survey".\nBuilt 1 map.\n',
  );
  expect((await listSources(folder)).find(({ name }) => name === 'survey')).toMatchObject({
    kind: 'fingerprints',
    rows: 2,
  });
  expect((await readFolderFigures(folder)).features.fingerprints).toEqual({ kept: 2, maps: 1 });
  expect((await run('status')).stdout).toContain('2, maps of 1 building\n');
  expect((await run('import', 'cells', cells, '--source', 'survey')).stderr).toContain(
    'The source "survey" holds fingerprints',
  );
  expect((await run('sources', 'remove', 'survey')).stdout).toBe('Removed 2 fingerprints.\n');
  expect((await readFolderFigures(folder)).features.fingerprints).toEqual({ kept: 0, maps: 0 });
  expect((await run('sources', 'remove', 'survey')).code).not.toBe(0);
});
