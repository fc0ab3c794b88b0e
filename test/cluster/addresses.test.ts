// A source of addresses in a cluster: every node has what one of them imports, replaces or takes out.

import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { listSources } from '../../src/jobs/sources.ts';
import { NATS_PROGRAM, NatsServer } from '../kits/nats.ts';
import { ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const LICENCE = 'CC BY 4.0';
const NAMED = `register: ${LICENCE}`;
const SMALL = ['--http-threads', '1', '--workers', '1', '--cache-mb', '4', '--admin', 'off'];
const POLL = { timeout: 60_000, interval: 50 };

describe.skipIf(NATS_PROGRAM === undefined)('addresses in a cluster', () => {
  const base = folderOfFile();
  const nodes: ServiceProcess[] = [];
  let nats: NatsServer;
  let key = '';

  afterAll(async () => {
    await Promise.all(nodes.map(node => node.stop('SIGKILL')));
    await nats?.remove();
  });

  const start = async (name: string): Promise<ServiceProcess> => {
    const node = await ServiceProcess.start(join(base, name), '--cluster', nats.url, ...SMALL);
    nodes.push(node);
    await expect.poll(async () => (await node.request({ method: 'GET', path: '/ready' })).status, POLL).toBe(200);
    if (key === '') key = (await node.key({ name: 'test' })).key;
    return node;
  };

  /** Imports houses of a street, at a node. */
  const give = (node: ServiceProcess, source: object, ...numbers: number[]): Promise<unknown> => {
    const file = join(base, 'houses.csv');
    const rows = numbers.map(number => `${number},Lindenweg,Aheim,47.1,${9.5 + number / 1_000}`);
    writeFileSync(file, ['number,street,city,lat,lon', ...rows].join('\n'));
    return node.job({ verb: 'import', kind: 'addresses', files: [file], source: '', replace: true, ...source });
  };
  const register = { source: 'register', licence: LICENCE };

  /** The licences of houses as a node answers them; null for one that it does not know. */
  const licences = async (node: ServiceProcess, ...numbers: number[]): Promise<(string | null)[]> => {
    const asked = numbers.map(async number => {
      const { json } = await node.request({ method: 'GET', path: `/search?key=${key}&q=Lindenweg+${number},+Aheim` });
      const places = json as unknown as { display_name: string; licence: string }[];
      return places.find(place => place.display_name.startsWith(`Lindenweg ${number},`))?.licence ?? null;
    });
    return Promise.all(asked);
  };

  test('answer on all nodes with their licence, are replaced and removed anywhere, and come to a node that is empty', {
    timeout: 120_000,
  }, async () => {
    nats = await NatsServer.start();
    const [a, b] = [await start('a'), await start('b')];
    await give(b, register, 1, 2, 3);
    for (const node of [a, b]) await expect.poll(() => licences(node, 1, 3), POLL).toEqual([NAMED, NAMED]);
    await give(a, register, 3, 4);
    for (const node of [a, b]) await expect.poll(() => licences(node, 1, 4), POLL).toEqual([null, NAMED]);
    const c = await start('c');
    await expect.poll(() => licences(c, 3, 4), POLL).toEqual([NAMED, NAMED]);
    expect(await listSources(c.folder)).toMatchObject([{ name: 'register', kind: 'addresses', licence: LICENCE }]);
    // The copy of the rows came with the places: another source joins them there.
    await give(c, { source: 'other' }, 9);
    for (const node of [a, b, c]) await expect.poll(() => licences(node, 4, 9), POLL).toEqual([NAMED, 'other']);
    await c.job({ verb: 'sources', action: 'remove', name: 'register' });
    for (const node of [a, b, c]) {
      await expect.poll(() => licences(node, 4, 9), POLL).toEqual([null, 'other']);
      expect(await listSources(node.folder)).toMatchObject([{ name: 'other' }]);
      await expect.poll(() => readdirSync(join(node.folder, 'extracts')), POLL).toHaveLength(1);
    }
  });
});
