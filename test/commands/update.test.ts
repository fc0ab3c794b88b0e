// `sextant update` by the program itself, against a publisher on the loopback interface.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importExtracts } from '../../src/geocoding/import/import_extracts.ts';
import { livePlaces } from '../../src/tables/places/extract_files.ts';
import { pathOf } from '../../src/transfer/web/replication.ts';
import { FileServer } from '../kits/file_server.ts';
import { ChangingMap } from '../kits/places/changing_map.ts';
import { contentsOfLayer } from '../kits/places/layer_contents.ts';
import { writeOsmChanges } from '../kits/places/osm_changes.ts';
import { type PbfSettings, writeOsmPbf } from '../kits/places/osm_pbf.ts';
import { FEW_THREADS } from '../kits/served_service.ts';
import { runSextant, ServiceProcess, startSextant } from '../kits/service_process.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const DAY = 86_400;
const BEGIN = Date.parse('2026-01-01T00:00:00Z') / 1_000;
const FIRST = 4_123;
const iso = (seconds: number) => new Date(seconds * 1_000).toISOString();

interface Published {
  server: FileServer;
  folder: string;
  map: ChangingMap;
  /** Publishes the changes of another day. */
  publish(): void;
  update(...words: string[]): ReturnType<typeof runSextant>;
  reached(): object[] | undefined;
}

/** A town in a folder, and its publisher, who has the extract's own file of changes already. */
async function published(settings: PbfSettings, folder = join(temporaryFolder(), 'var')): Promise<Published> {
  const server = await FileServer.start();
  const map = new ChangingMap(9, 1);
  let last = FIRST - 1;
  const publish = () => {
    const time = iso(BEGIN + (++last - FIRST) * DAY);
    const state = `sequenceNumber=${last}\ntimestamp=${time.replaceAll(':', '\\:')}\n`;
    const file = writeOsmChanges(join(temporaryFolder(), 'a.osc.gz'), map.change('street renamed'), time);
    server.offer(`/updates/${pathOf(last)}.osc.gz`, readFileSync(file), `"${last}"`);
    server.offer(`/updates/${pathOf(last)}.state.txt`, state);
    server.offer('/updates/state.txt', state);
  };
  publish();
  const path = join(temporaryFolder(), 'town.osm.pbf');
  writeOsmPbf(path, map.sorted(), {
    ...{ isSorted: true, timestamp: BEGIN, sequence: FIRST, updates: `${server.origin}/updates` },
    ...settings,
  });
  await runSextant('import', 'osm', path, '--data', folder);
  return {
    ...{ server, folder, map, publish },
    update: (...words) => runSextant('update', ...words, '--data', folder),
    reached: () => livePlaces(folder)?.extracts?.map(({ sequence, upTo }) => ({ sequence, upTo })),
  };
}

/** What an import of the map as it is now gives. */
async function contentsOf(map: ChangingMap): Promise<unknown[]> {
  const folder = temporaryFolder();
  const path = join(folder, 'town.osm.pbf');
  writeOsmPbf(path, map.sorted(), { isSorted: true });
  await importExtracts({ folder, files: [path], onProgress: () => {} });
  return contentsOfLayer(folder);
}

test('an extract gets all changes that its publisher has, in one change, and is then up to date', async () => {
  const { server, folder, map, publish, update, reached } = await published({});
  for (let day = 0; day < 3; day++) publish();
  const url = `${server.origin}/updates`;
  const { code, stdout, stderr } = await update();
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining(`Fetching the changes 4124 to 4126 of "town" from ${url}.\n`),
  ]);
  expect(stdout.match(/^Applied /gm)).toHaveLength(1);
  expect(reached()).toEqual([{ sequence: FIRST + 3, upTo: iso(BEGIN + 3 * DAY) }]);
  expect(existsSync(join(folder, 'downloads'))).toBe(false);
  expect(await contentsOfLayer(folder)).toEqual(await contentsOf(map));
  expect(await update('--source', 'town')).toMatchObject({
    code: 0,
    stdout: `"town" has all changes of ${url}, up to ${iso(BEGIN + 3 * DAY)}.\n`,
  });
});

test('a running service applies them, by the time where the extract tells no number', async () => {
  const service = await ServiceProcess.start(join(temporaryFolder(), 'var'), ...FEW_THREADS);
  const { publish, update, reached, map, folder } = await published(
    { sequence: 0, timestamp: BEGIN - 1 + DAY },
    service.folder,
  );
  for (let day = 0; day < 2; day++) publish();
  expect((await update()).stderr).toMatch(/^Fetching the changes 4124 to 4125 /m);
  expect(reached()).toEqual([{ sequence: FIRST + 2, upTo: iso(BEGIN + 2 * DAY) }]);
  expect(await contentsOfLayer(folder)).toEqual(await contentsOf(map));
  await service.stop();
});

test('another publisher numbers otherwise, and the time tells what comes next', async () => {
  const { server, publish, update, reached } = await published({ updates: '', sequence: 77, timestamp: BEGIN });
  publish();
  expect(await update()).toMatchObject({
    code: 1,
    stderr: 'The extract "town" does not say where changes of it are; name their address with --url.\n',
  });
  expect((await update('--url', `${server.origin}/updates/`)).code).toBe(0);
  expect(reached()).toEqual([{ sequence: FIRST + 1, upTo: iso(BEGIN + DAY) }]);
});

test('a gap of the publisher changes nothing, and what was fetched is not fetched again', async () => {
  const { server, publish, update, reached, folder } = await published({});
  for (let day = 0; day < 3; day++) publish();
  const path = `/updates/${pathOf(FIRST + 2)}.osc.gz`;
  const missing = server.files.get(path)!;
  server.files.delete(path);
  const before = await contentsOfLayer(folder);
  expect(await update()).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      `${server.origin}${path} cannot be fetched: the server answers with 404 Not Found.\n`,
    ),
  });
  expect([reached(), await contentsOfLayer(folder)]).toEqual([[{ sequence: FIRST, upTo: iso(BEGIN) }], before]);
  server.files.set(path, missing);
  server.asked.length = 0;
  expect(await update()).toMatchObject({ code: 0 });
  expect(server.asked).not.toContain(`/updates/${pathOf(FIRST + 1)}.osc.gz`);
  expect(reached()).toMatchObject([{ sequence: FIRST + 3 }]);
});

test('a damaged file changes nothing, and is fetched again', async () => {
  const { server, publish, update, reached } = await published({});
  publish();
  const path = `/updates/${pathOf(FIRST + 1)}.osc.gz`;
  const whole = server.files.get(path)!;
  server.offer(path, whole.bytes.subarray(0, -9), '"cut"');
  const { code, stderr } = await update();
  expect([code, stderr]).toEqual([1, expect.stringContaining('124.osc.gz')]);
  expect(reached()).toMatchObject([{ sequence: FIRST }]);
  server.files.set(path, whole);
  expect(await update()).toMatchObject({ code: 0 });
  expect(reached()).toMatchObject([{ sequence: FIRST + 1 }]);
});

test('after a kill the next command goes on', async () => {
  const { server, publish, update, reached, folder } = await published({});
  for (let day = 0; day < 2; day++) publish();
  const stuck = `/updates/${pathOf(FIRST + 2)}.osc.gz`;
  let isStuck = () => {};
  const reachedStuck = new Promise<void>(resolve => {
    isStuck = resolve;
  });
  server.misbehave = ({ url }) => {
    if (url === stuck) isStuck();
    return url === stuck;
  };
  const command = startSextant('update', '--data', folder);
  await reachedStuck;
  await command.kill();
  expect(reached()).toMatchObject([{ sequence: FIRST }]);
  server.misbehave = () => false;
  server.asked.length = 0;
  expect(await update()).toMatchObject({ code: 0 });
  expect(server.asked).not.toContain(`/updates/${pathOf(FIRST + 1)}.osc.gz`);
  expect(reached()).toMatchObject([{ sequence: FIRST + 2 }]);
});

test('without an extract there is nothing to update', async () => {
  const { folder, update } = await published({});
  expect(await update('--source', 'other')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no extract "other"'),
  });
  rmSync(folder, { recursive: true });
  expect(await update()).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no data folder') });
});
