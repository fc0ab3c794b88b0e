import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compileGenerator, runSlice, type SliceResult } from '../../../bench/load/generator.ts';
import { renderRequest, writeRequests } from '../../../bench/requests.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

const SLICE = {
  connections: 64,
  warmMilliseconds: 0,
  measureMilliseconds: 300,
  ratePerSecond: 200,
  seed: 1,
  mayFallBehind: true,
};
/** Longer than the slice, shorter than the generator waits for late answers. */
const LATE_MILLISECONDS = 600;

/** One slice against a server that answers like this. */
async function loadOn(answer: (response: ServerResponse) => void): Promise<SliceResult> {
  const requestFile = join(temporaryFolder(), 'requests.bin');
  writeRequests(requestFile, [renderRequest('/', undefined)]);
  const server = createServer((_, response) => answer(response));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  try {
    return await runSlice(compileGenerator(), { ...SLICE, requestFile, port: (server.address() as AddressInfo).port });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const respond = (response: ServerResponse) => response.end('{}');

test('arrivals and the answers that come while the load lasts are counted', async () => {
  const { arrived, completed, measured } = await loadOn(respond);
  expect(arrived).toBeGreaterThan(20);
  expect(completed).toBeGreaterThan(0);
  expect(completed).toBeLessThanOrEqual(measured);
  expect(measured).toBe(arrived);
});

test('answers that come after the load have a latency, but were not kept pace with', async () => {
  const { arrived, completed, measured } = await loadOn(response => setTimeout(respond, LATE_MILLISECONDS, response));
  expect(completed).toBe(0);
  expect(measured).toBeGreaterThan(0);
  expect(measured).toBeLessThanOrEqual(arrived);
});
