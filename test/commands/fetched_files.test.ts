// `sextant import` of addresses, by the program itself.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFetchFolder } from '../../src/commands/fetched_files.ts';
import { livePlaces } from '../../src/tables/places/extract_files.ts';
import { FileServer } from '../kits/file_server.ts';
import { writeTown } from '../kits/places/extracts.ts';
import { FEW_THREADS } from '../kits/served_service.ts';
import { runSextant, ServiceProcess, startSextant } from '../kits/service_process.ts';
import { folderOfFile, temporaryFolder } from '../kits/temporary_folder.ts';

const TOWN = readFileSync(writeTown(join(folderOfFile(), 'vaduz.osm.pbf'), 3_000));
const PATH = '/europe/vaduz-latest.osm.pbf';

const importing = (folder: string, ...words: string[]) => runSextant('import', 'osm', ...words, '--data', folder);
const namesOf = (folder: string) => livePlaces(folder)?.extracts?.map(({ name }) => name);

test('an extract is imported from its address, under the name of its file, and nothing else stays', async () => {
  const server = await FileServer.start();
  const folder = join(temporaryFolder(), 'var');
  const url = server.offer(PATH, TOWN, '"1"');
  const { code, stdout, stderr } = await importing(folder, url, url);
  expect([code, stdout]).toEqual([0, expect.stringContaining('3,000 house numbers')]);
  expect(stderr).toMatch(/^fetching 0 %, 0 megabytes$/m);
  expect([namesOf(folder), existsSync(join(folder, 'downloads'))]).toEqual([['vaduz-latest'], false]);
  expect(server.asked.filter(each => each === PATH)).toHaveLength(1);
});

test('a running service takes it in, and finished places too', async () => {
  const server = await FileServer.start();
  const service = await ServiceProcess.start(join(temporaryFolder(), 'var'), ...FEW_THREADS);
  expect(await importing(service.folder, server.offer(PATH, TOWN), '--source', 'vaduz')).toMatchObject({ code: 0 });
  const file = join(temporaryFolder(), 'vaduz.places');
  await runSextant('export', 'places', '-o', file, '--data', service.folder);
  await runSextant('sources', 'remove', 'vaduz', '--data', service.folder);
  const url = server.offer('/vaduz.places', readFileSync(file));
  const { stdout } = await runSextant('import', 'places', url, '--data', service.folder);
  expect(stdout).toMatch(/^Took over 3,002 places/);
  expect([namesOf(service.folder), existsSync(join(service.folder, 'downloads'))]).toEqual([['vaduz'], false]);
  await service.stop();
});

test('after a kill the same command goes on', async () => {
  const server = await FileServer.start();
  const folder = join(temporaryFolder(), 'var');
  const url = server.offer(PATH, TOWN, '"1"');
  const half = TOWN.length >> 1;
  server.misbehave = ({ url }, response, file) => url === PATH && server.breakOff(response, file!, 0, half);
  const command = startSextant('import', 'osm', url, '--data', folder);
  const downloads = join(folder, 'downloads');
  const partial = () => {
    const [hash] = existsSync(downloads) ? readdirSync(downloads) : [];
    return hash && statSync(join(downloads, hash, 'vaduz-latest.osm.pbf.partial'), { throwIfNoEntry: false })?.size;
  };
  await expect.poll(partial, { timeout: 20_000 }).toBe(half);
  await command.kill();
  expect([namesOf(folder), partial()]).toEqual([undefined, half]);
  server.misbehave = () => false;
  server.asked.length = 0;
  expect(await importing(folder, url)).toMatchObject({ code: 0 });
  expect(server.asked[0]).toBe(`${PATH} bytes=${half}-`);
  expect(namesOf(folder)).toEqual(['vaduz-latest']);
});

test('what is no extract leaves the places as they were, and is not fetched again', async () => {
  const server = await FileServer.start();
  const folder = join(temporaryFolder(), 'var');
  const url = server.offer(PATH, TOWN.subarray(0, -1_000), '"1"');
  const { code, stderr } = await importing(folder, url);
  expect([code, stderr]).toEqual([1, expect.stringContaining('vaduz-latest.osm.pbf is truncated')]);
  expect(namesOf(folder)).toBeUndefined();
  server.asked.length = 0;
  await importing(folder, url);
  expect(server.asked[0]).toMatch(/ bytes=\d+-$/);
});

test('one command at a time fetches an address', async () => {
  const server = await FileServer.start();
  const folder = join(temporaryFolder(), 'var');
  const url = server.offer(PATH, TOWN);
  const held = openFetchFolder(folder, url, true);
  expect(await importing(folder, url)).toMatchObject({
    code: 1,
    stderr: `Another process is fetching ${url} into ${folder}.\n`,
  });
  held.release();
  expect(await importing(folder, url)).toMatchObject({ code: 0 });
});
