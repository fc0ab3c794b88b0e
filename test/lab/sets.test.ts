import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findSets } from '../../lab/sets.ts';
import { cellLine, ScanFolder } from './evaluation/scan_folder.ts';

const HEADER = 'radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averageSignal';
const ROW = 'LTE,206,1,5,100,0,4,50,500,10,1,0,1700000000,0';

let folder: ScanFolder;

beforeEach(() => {
  folder = new ScanFolder();
});

afterEach(() => folder.remove());

test('a folder stands for its scans and its cell tables by name, whatever else it holds', async () => {
  const named = folder.write('named.jsonl', [cellLine('a', 50, 4, 1)]);
  folder.write('sets/b.jsonl.gz', [cellLine('a', 50, 4, 1)]);
  folder.write('sets/a.jsonl', [cellLine('a', 50, 4, 1)]);
  folder.write('sets/d.csv.gz', [ROW]);
  folder.write('sets/c.csv', [HEADER, ROW]);
  folder.write('sets/access_points.csv.gz', ['bssid,lat,lon', '02:00:00:00:00:01,50,4']);
  folder.write('sets/NOTICE.md', ['text']);
  mkdirSync(join(folder.path, 'sets/maps'));
  const { scans, cellTables } = await findSets([named, join(folder.path, 'sets')]);
  expect(scans.map(({ name }) => name)).toEqual(['named', 'a', 'b']);
  expect(cellTables).toEqual([join(folder.path, 'sets/c.csv'), join(folder.path, 'sets/d.csv.gz')]);
});

test('a folder with nothing to evaluate on is refused', async () => {
  folder.write('sets/access_points.csv', ['bssid,lat,lon', '02:00:00:00:00:01,50,4']);
  await expect(findSets([join(folder.path, 'sets')])).rejects.toThrow(
    /^The folder .*sets holds neither files of scans nor cell tables\.$/,
  );
});
