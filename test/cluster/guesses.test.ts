// What accounts have guessed at two nodes, over a real server of NATS.

import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectToCluster } from '../../src/cluster/connection.ts';
import { guess, importTown, takesPart } from '../kits/guessed_town.ts';
import { NATS_PROGRAM, NatsServer } from '../kits/nats.ts';
import { SMALL_NODE } from '../kits/served_service.ts';
import { ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

describe.skipIf(NATS_PROGRAM === undefined)('a wrong guess at one node', () => {
  const base = folderOfFile();
  const nodes = new Map<string, ServiceProcess>();
  let nats: NatsServer;

  const start = async (name: string): Promise<ServiceProcess> => {
    const node = await ServiceProcess.start(join(base, name), '--cluster', nats.url, ...SMALL_NODE);
    nodes.set(name, node);
    await becomes(async () => (await node.request({ method: 'GET', path: '/ready' })).status, 200);
    return node;
  };
  const node = (name: string) => nodes.get(name)!;

  /** A key that some nodes know. */
  const newKey = async (...names: string[]): Promise<string> => {
    const { key } = await node('a').key();
    for (const name of names) await becomes(() => takesPart(node(name), key).catch(() => false), true);
    return key;
  };

  /** Uses up the guesses of a key at a node. */
  const spend = async (name: string, key: string): Promise<void> => {
    for (const place of [1, 2, 3]) expect(await guess(node(name), key, place)).toBe(200);
    expect(await takesPart(node(name), key)).toBe(false);
  };

  beforeAll(async () => {
    nats = await NatsServer.start();
    await start('a');
    await importTown(node('a'), base);
    await start('b');
  }, 120_000);

  afterAll(async () => {
    await Promise.all([...nodes.values()].map(each => each.stop('SIGKILL')));
    await nats?.remove();
  });

  test('counts at the other one within a minute', { timeout: 90_000 }, async () => {
    const key = await newKey('a', 'b');
    await spend('a', key);
    await becomes(() => takesPart(node('b'), key), false);
  });

  test('counts at one that was down, and after a kill of all', { timeout: 120_000 }, async () => {
    const before = await newKey('a', 'b');
    await spend('b', before);
    await becomes(() => takesPart(node('a'), before), false);
    await node('b').stop('SIGKILL');
    const key = await newKey('a');
    await spend('a', key);
    await start('b');
    await becomes(() => takesPart(node('b'), key), false);
    for (const name of ['a', 'b']) await node(name).stop('SIGKILL');
    for (const name of ['a', 'b']) await start(name);
    // What the last second had not stored comes from the stream.
    for (const name of ['a', 'b'])
      for (const each of [before, key]) await becomes(() => takesPart(node(name), each), false);
  });

  test('waits for servers that are away, without an error', { timeout: 120_000 }, async () => {
    const key = await newKey('a', 'b');
    await nats.kill();
    await spend('a', key);
    const isAlone = async () => (await node('a').request({ method: 'GET', path: '/ready' })).json.note !== undefined;
    await becomes(isAlone, true);
    await nats.start();
    await becomes(() => takesPart(node('b'), key), false);
    expect(node('a').printed + node('b').printed).not.toContain('cluster/guesses.ts');
  });

  test('leaves no consumer behind', async () => {
    const { nats: client, manager } = await connectToCluster({ servers: [nats.url], name: 'test' });
    const { state } = await manager.streams.info('sextant_guesses');
    expect([state.consumer_count, state.messages > 0]).toEqual([0, true]);
    await client.close();
  });
});

/** Asks again until the answer is as expected. */
async function becomes<T>(ask: () => Promise<T>, expected: T): Promise<void> {
  const end = performance.now() + 60_000;
  for (;;) {
    const answer = await ask();
    if (answer === expected) return;
    if (performance.now() > end) throw new Error(`It is still ${answer}, and not ${expected}.`);
    await delay(100);
  }
}
