// `serve --import`: data by one setting, by the program itself and servers on the loopback interface.

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { removeOldDownloads } from '../../../src/commands/fetched_files.ts';
import { SettingImports } from '../../../src/commands/service/setting_imports.ts';
import { importEntries } from '../../../src/config/import_setting.ts';
import { readImportList } from '../../../src/folder/import_list.ts';
import { listSources } from '../../../src/jobs/sources.ts';
import { livePlaces } from '../../../src/tables/places/extract_files.ts';
import { FileServer } from '../../kits/file_server.ts';
import { writeTown } from '../../kits/places/extracts.ts';
import { FEW_THREADS } from '../../kits/served_service.ts';
import { runSextant, ServiceProcess } from '../../kits/service_process.ts';
import { folderOfFile, temporaryFolder } from '../../kits/temporary_folder.ts';

const TOWN = readFileSync(writeTown(join(folderOfFile(), 'vaduz.osm.pbf'), 3_000));
const PATH = '/europe/vaduz-latest.osm.pbf';
const CELLS = resolve('docs/examples/cells.csv');
const ENDED = { timeout: 30_000 };

const newFolder = () => join(temporaryFolder(), 'var');
const serve = (folder: string, list: string, ...flags: string[]) =>
  ServiceProcess.start(folder, ...FEW_THREADS, '--import', list, ...flags);
const statesOf = (folder: string) => readImportList(folder).map(({ state }) => state);
const extractsOf = (folder: string) => livePlaces(folder)?.extracts?.map(({ name }) => name);
const downloadsOf = (folder: string) => join(folder, 'downloads');
function partialBytes(folder: string): number | undefined {
  const downloads = downloadsOf(folder);
  const [hash] = existsSync(downloads) ? readdirSync(downloads) : [];
  return hash === undefined
    ? undefined
    : statSync(join(downloads, hash, 'vaduz-latest.osm.pbf.partial'), { throwIfNoEntry: false })?.size;
}

test('a first start imports files and addresses; a second does nothing; a longer list imports what is new', async () => {
  const server = await FileServer.start();
  const folder = newFolder();
  const osm = `osm=${server.offer(PATH, TOWN, '"1"')}?token=secret`;
  server.files.set(`${PATH}?token=secret`, server.files.get(PATH)!);
  const first = await serve(folder, `${osm} cells:mine=${CELLS}`);
  await expect.poll(() => statesOf(folder), ENDED).toEqual(['done', 'done']);
  const found = await first.request({ method: 'GET', path: `/search?q=Vaduz&key=${first.demoKey}` });
  expect(found.status).toBe(200);
  const status = await runSextant('status', '--data', folder);
  expect(status.stdout).toContain(`osm from ${server.origin}${PATH}: done\n`);
  expect(first.printed).toMatch(/Imported cells from \S+cells\.csv\. Accepted 5 rows/);
  expect(first.printed + readFileSync(join(folder, 'imports'))).not.toContain('secret');
  await first.stop();
  expect([extractsOf(folder), existsSync(downloadsOf(folder))]).toEqual([['vaduz-latest'], false]);

  server.asked.length = 0;
  const wifi = `wifi=${resolve('docs/examples/access_points.csv')}`;
  const second = await serve(folder, `${osm} cells:mine=${CELLS} ${wifi}`);
  await expect.poll(() => statesOf(folder), ENDED).toEqual(['done', 'done', 'done']);
  await second.stop();
  expect(second.printed.match(/"Importing [^"]+/g)).toEqual([expect.stringContaining('Importing wifi from')]);
  expect(server.asked).toEqual([]);
  const names = (await listSources(folder)).map(({ name }) => name);
  expect(names.sort()).toEqual(['access_points', 'mine', 'vaduz-latest']);

  await (await ServiceProcess.start(folder, ...FEW_THREADS)).stop();
  expect(existsSync(join(folder, 'imports'))).toBe(false);
});

test('a server that is busy and breaks off is asked for the rest', async () => {
  const server = await FileServer.start();
  const folder = newFolder();
  const url = server.offer(PATH, TOWN, '"1"');
  const half = TOWN.length >> 1;
  let asked = 0;
  server.misbehave = ({ url }, response, file) => {
    if (url !== PATH) return false;
    asked++;
    if (asked === 1) response.writeHead(503).end();
    else if (asked === 2) server.breakOff(response, file!, 0, half);
    return asked < 3;
  };
  const service = await serve(folder, `osm=${url}`);
  await expect.poll(() => partialBytes(folder), ENDED).toBe(half);
  expect(extractsOf(folder)).toBeUndefined();
  server.received(half);
  await expect.poll(() => statesOf(folder), ENDED).toEqual(['done']);
  expect(server.asked).toContain(`${PATH} bytes=${half}-`);
  expect(extractsOf(folder)).toEqual(['vaduz-latest']);
  await service.stop();
});

test('after a kill in a download, and a stop, the next start goes on', async () => {
  const server = await FileServer.start();
  const folder = newFolder();
  const url = server.offer(PATH, TOWN, '"1"');
  const half = TOWN.length >> 1;
  server.misbehave = ({ url, headers }, response, file) =>
    url === PATH && server.breakOff(response, file!, headers.range === undefined ? 0 : half, half + 1);
  const killed = await serve(folder, `osm=${url}`);
  await expect.poll(() => partialBytes(folder), ENDED).toBe(half + 1);
  await killed.stop('SIGKILL');
  expect([extractsOf(folder), statesOf(folder)]).toEqual([undefined, ['fetching']]);

  server.asked.length = 0;
  server.misbehave = ({ url, headers }, response, file) =>
    url === PATH && headers.range !== undefined && server.breakOff(response, file!, half + 1, half + 2);
  const stopped = await serve(folder, `osm=${url}`);
  await expect.poll(() => partialBytes(folder), ENDED).toBe(half + 2);
  expect(await stopped.stop()).toMatchObject({ code: 0 });
  expect([extractsOf(folder), statesOf(folder)]).toEqual([undefined, ['waiting']]);

  server.misbehave = () => false;
  const last = await serve(folder, `osm=${url}`);
  await expect.poll(() => statesOf(folder), ENDED).toEqual(['done']);
  await last.stop();
  expect(server.asked.filter(each => each.startsWith(`${PATH} `))).toEqual([
    `${PATH} bytes=${half + 1}-`,
    `${PATH} bytes=${half + 2}-`,
  ]);
  expect(extractsOf(folder)).toEqual(['vaduz-latest']);
});

test('a kill while it imports leaves nothing half', async () => {
  const server = await FileServer.start();
  const folder = newFolder();
  const list = `osm=${server.offer(PATH, TOWN, '"1"')}`;
  const service = await serve(folder, list);
  await expect.poll(() => statesOf(folder), { ...ENDED, interval: 5 }).toEqual(['importing']);
  await service.stop('SIGKILL');
  expect(extractsOf(folder)).toBeUndefined();
  const next = await serve(folder, list);
  await expect.poll(() => statesOf(folder), ENDED).toEqual(['done']);
  await next.stop();
  expect(extractsOf(folder)).toEqual(['vaduz-latest']);
  expect((await runSextant('check', '--data', folder)).code).toBe(0);
});

test('a failure is told in log and status, and leaves nothing; what works is imported', async () => {
  const server = await FileServer.start();
  const folder = newFolder();
  const url = server.offer(PATH, TOWN.subarray(0, -1_000), '"1"');
  const service = await serve(folder, `osm=${url} cells=${CELLS} wifi=${join(folder, 'none.csv')}`);
  await expect.poll(() => statesOf(folder), ENDED).toEqual(['failed', 'done', 'failed']);
  expect(service.printed).toMatch(/The import of osm from \S+ failed and is tried again at \S+ .*is truncated/);
  const { stdout } = await runSextant('status', '--data', folder, '--json');
  const { imports, problems } = JSON.parse(stdout);
  expect(imports[0]).toMatchObject({ kind: 'osm', state: 'failed', failures: 1, nextAt: expect.any(String) });
  expect(problems.filter(({ id }: { id: string }) => id === 'importFailed')).toHaveLength(2);
  expect([extractsOf(folder), existsSync(downloadsOf(folder))]).toEqual([undefined, false]);
  await service.stop();
});

test('what has failed is tried again, and tables are replaced after their time', async () => {
  const server = await FileServer.start();
  const service = await ServiceProcess.start(newFolder(), ...FEW_THREADS);
  const { folder } = service;
  const said: string[] = [];
  const log = { error: said.push.bind(said), warn: said.push.bind(said), info: () => 0 } as never;
  const file = join(temporaryFolder(), 'own.csv');
  const run = (everyMs?: number) => {
    const imports = new SettingImports(
      folder,
      importEntries(`cells=${file} wifi=${server.origin}/w.csv`),
      everyMs,
      log,
      () => 20,
    );
    return { imports, ended: imports.run() };
  };
  const { ended } = run();
  await expect.poll(() => readImportList(folder).map(({ failures = 0 }) => failures > 1), ENDED).toEqual([true, true]);
  writeFileSync(file, readFileSync(CELLS));
  server.offer('/w.csv', readFileSync(resolve('docs/examples/access_points.csv')));
  await ended;
  expect(statesOf(folder)).toEqual(['done', 'done']);
  expect(said.some(line => /w\.csv cannot be fetched: .* 404/.test(line))).toBe(true);

  const [{ importedAt }] = readImportList(folder);
  const { imports, ended: again } = run(1);
  await expect.poll(() => readImportList(folder).every(each => each.importedAt! > importedAt!), ENDED).toBe(true);
  imports.stop();
  await again;
  await service.stop();
});

test('a wrong list ends the start with a sentence', async () => {
  const start = (list: string) => runSextant('serve', '--data', newFolder(), '--port', '0', '--import', list);
  expect((await start('/data/cells.csv')).stderr).toBe(
    '--import must be entries KIND=FILE or KIND:NAME=FILE with spaces between.\n',
  );
  expect((await start('towers=/data/cells.csv')).stderr).toMatch(
    /^--import names the kind "towers"; the kinds are cells, wifi/,
  );
});

test('downloads that nobody goes on with are removed after a week', () => {
  const folder = newFolder();
  const now = Date.now();
  for (const [name, days] of [
    ['old', 8],
    ['new', 6],
  ] as const) {
    mkdirSync(join(downloadsOf(folder), name), { recursive: true });
    const seconds = now / 1_000 - days * 86_400;
    utimesSync(join(downloadsOf(folder), name), seconds, seconds);
  }
  removeOldDownloads(folder, now);
  expect(readdirSync(downloadsOf(folder))).toEqual(['new']);
});
