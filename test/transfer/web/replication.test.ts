import { expect, test } from 'vitest';
import { Publisher, pathOf } from '../../../src/transfer/web/replication.ts';
import { FileServer } from '../../kits/file_server.ts';

const HOUR = 3_600_000;
const BEGIN = Date.parse('2026-01-01T00:00:00Z');
const AT_ONCE = { attempts: 2, waitMs: () => 0 };
const iso = (ms: number) => new Date(ms).toISOString();

/** A publisher of a file an hour, numbered from one to another. */
async function hourly(first: number, last: number) {
  const server = await FileServer.start();
  for (let n = first; n <= last; n++) {
    const time = iso(BEGIN + n * HOUR)
      .replace('.000', '')
      .replaceAll(':', '\\:');
    const state = `#Thu Jan 01 2026\nsequenceNumber=${n}\ntimestamp=${time}\n`;
    server.offer(`/updates/${pathOf(n)}.state.txt`, state);
    server.offer('/updates/state.txt', state);
  }
  const publisher = new Publisher(`${server.origin}/updates//`, AT_ONCE);
  const reachedBy = async (newestMs: number, sequence?: number) =>
    publisher.reachedBy({ name: 'town', sequence, newestMs }, await publisher.last());
  return { server, publisher, reachedBy };
}

test('files are found by their numbers', async () => {
  expect([0, 4_123, 123_456_789].map(pathOf)).toEqual(['000/000/000', '000/004/123', '123/456/789']);
  const { publisher, server } = await hourly(1_000, 1_005);
  expect(await publisher.last()).toEqual({ sequence: 1_005, upToMs: BEGIN + 1_005 * HOUR });
  expect(await publisher.stateOf(1_002)).toEqual({ sequence: 1_002, upToMs: BEGIN + 1_002 * HOUR });
  expect(await publisher.stateOf(7)).toBeUndefined();
  expect(publisher.fileOf(1_002)).toBe(`${server.origin}/updates/000/001/002.osc.gz`);
});

test('the number of an extract is believed where its time is that of the file', async () => {
  const { reachedBy, server } = await hourly(1_000, 1_099);
  expect(await reachedBy(BEGIN + 1_050 * HOUR, 1_050)).toBe(1_050);
  expect(await reachedBy(BEGIN + 1_049.2 * HOUR, 1_050)).toBe(1_050);
  expect(await reachedBy(0, 1_050)).toBe(1_050);
  server.asked.length = 0;
  // A daily publisher numbers otherwise.
  expect(await reachedBy(BEGIN + 1_090.5 * HOUR, 1_020)).toBe(1_090);
  expect(await reachedBy(BEGIN + 1_020 * HOUR, 1_090)).toBe(1_020);
  expect(await reachedBy(BEGIN + 1_020 * HOUR, 4)).toBe(1_020);
});

test('without a number the time tells it, in few requests', async () => {
  const { reachedBy, server } = await hourly(0, 3_000);
  for (const hour of [1, 2, 1_234, 2_998, 2_999, 3_000]) {
    server.asked.length = 0;
    expect(await reachedBy(BEGIN + hour * HOUR)).toBe(hour);
    expect(await reachedBy(BEGIN + (hour + 0.99) * HOUR)).toBe(hour);
    expect(server.asked.length).toBeLessThanOrEqual(54);
  }
  expect(await reachedBy(BEGIN + 9_999 * HOUR)).toBe(3_000);
});

test('an extract that is older than what a publisher still has is refused', async () => {
  const { reachedBy, server } = await hourly(1_000, 1_099);
  const url = `${server.origin}/updates`;
  expect(await reachedBy(BEGIN + 1_000 * HOUR)).toBe(1_000);
  await expect(reachedBy(BEGIN + 999 * HOUR)).rejects.toThrow(
    `The extract "town" is of ${iso(BEGIN + 999 * HOUR)}, and ${url} has no changes before file 1000 of ` +
      `${iso(BEGIN + 1_000 * HOUR)}: import a later extract.`,
  );
  await expect(reachedBy(0)).rejects.toThrow('Nothing tells up to when "town" has the changes of the map');
  await expect(reachedBy(0, 999)).rejects.toThrow('Nothing tells');
  const { reachedBy: ofAll } = await hourly(0, 9);
  await expect(ofAll(BEGIN - HOUR)).rejects.toThrow('has no changes before file 1 of');
});

test('what is no publisher, or no state, is named', async () => {
  const { server, publisher } = await hourly(1_000, 1_001);
  const url = `${server.origin}/updates`;
  server.offer('/updates/000/001/000.state.txt', 'sequenceNumber=1001\ntimestamp=2026-01-01T00:00:00Z\n');
  await expect(publisher.stateOf(1_000)).rejects.toThrow(`${url}/000/001/000.state.txt is the state of file 1001.`);
  for (const text of ['', '<html>', 'sequenceNumber=12', 'sequenceNumber=12\ntimestamp=soon', 'timestamp=2026-01-01']) {
    server.offer('/updates/state.txt', text);
    await expect(publisher.last()).rejects.toThrow(
      `${url}/state.txt is no state file: it names no sequenceNumber and timestamp.`,
    );
  }
  server.files.delete('/updates/state.txt');
  await expect(publisher.last()).rejects.toThrow(`${url} has no state.txt, as publishers of changes have.`);
  server.misbehave = (_, response) => Boolean(response.writeHead(503).end());
  await expect(publisher.last()).rejects.toThrow(/state\.txt cannot be fetched: the server answers with 503/);
});
