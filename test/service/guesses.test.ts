// What an account has guessed wrongly, over the ends of a real service.

import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openLogEnvironment } from '../../src/tables/requests/environment.ts';
import { COUNT_BITS, COUNT_MASK, ENTRY_COUNT, isOfPair, weekAt } from '../../src/tables/requests/guess_entry.ts';
import { GuessTable, unpackGuess } from '../../src/tables/requests/guess_table.ts';
import { ENTRIES_USED_MAX } from '../../src/tables/stations/guess_entries.ts';
import { guess, importTown, takesPart } from '../kits/guessed_town.ts';
import { FEW_THREADS, serve } from '../kits/served_service.ts';
import { runSextant, ServiceProcess } from '../kits/service_process.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

async function startAgain(folder: string): Promise<ServiceProcess> {
  const service = await ServiceProcess.start(folder, ...FEW_THREADS);
  onTestFinished(async () => void (await service.stop()));
  return service;
}

async function withLog<T>(folder: string, use: (log: ReturnType<typeof openLogEnvironment>) => T): Promise<Awaited<T>> {
  const root = openLogEnvironment(join(folder, 'requests'));
  try {
    return await use(root);
  } finally {
    await root.close();
  }
}

/** Places that are stored of the only pair. */
function storedPlaces(folder: string): Promise<number> {
  return withLog(folder, root => {
    const pairs = Array.from(new GuessTable(root).all(), ({ row }) => unpackGuess(row)).filter(isOfPair);
    return pairs.length === 0 ? 0 : pairs[0][ENTRY_COUNT] & COUNT_MASK;
  });
}

/** A service on which an account has used up its guesses about a device, and another account. */
async function guessed(): Promise<{ service: ServiceProcess; key: string; other: string }> {
  const service = await serve();
  await importTown(service, temporaryFolder());
  const [{ key }, { key: other }] = [await service.key(), await service.key()];
  for (const place of [1, 2, 3]) {
    expect(await guess(service, key, place)).toBe(200);
  }
  expect(await takesPart(service, key)).toBe(false);
  return { service, key, other };
}

test('an account that has used up its guesses has none after a kill', { timeout: 60_000 }, async () => {
  const { service, key, other } = await guessed();
  for (let tries = 0; (await storedPlaces(service.folder)) < 3; tries++) {
    expect(tries).toBeLessThan(500);
    await delay(20);
  }
  await service.stop('SIGKILL');
  const again = await startAgain(service.folder);
  expect([await takesPart(again, key), await takesPart(again, other)]).toEqual([false, true]);
});

test('a stop and a backup keep the guesses of the last moment', { timeout: 60_000 }, async () => {
  const { service, key } = await guessed();
  const [path, restored] = [join(temporaryFolder(), 'backup'), join(temporaryFolder(), 'restored')];
  await service.job({ verb: 'backup', path });
  await service.stop();
  expect(await storedPlaces(service.folder)).toBe(3);
  expect((await runSextant('restore', path, '--data', restored)).code).toBe(0);
  for (const folder of [service.folder, restored]) expect(await takesPart(await startAgain(folder), key)).toBe(false);
});

test('damaged rows are found by check, and a start says so and removes them', { timeout: 60_000 }, async () => {
  const { service, key } = await guessed();
  await service.stop();
  await withLog(service.folder, async root => {
    const rows = root.openDB<Buffer, Buffer>('guesses', { encoding: 'binary', keyEncoding: 'binary' });
    for (const { key: row, value } of [...rows.getRange({})].map(each => structuredClone(each))) {
      const bytes = Buffer.from(value);
      bytes[9] ^= 1;
      await rows.put(Buffer.from(row), bytes);
    }
    await rows.put(Buffer.from('odd'), Buffer.alloc(3));
  });
  const check = () => runSextant('check', '--quick', '--data', service.folder);
  const found = await check();
  expect([found.code, found.stderr + found.stdout]).toEqual([1, expect.stringContaining('its checksum is another')]);
  const again = await startAgain(service.folder);
  expect(again.printed).toContain('The memory of guesses has damaged rows, which are removed: 9.');
  expect(await takesPart(again, key)).toBe(true);
  await again.stop();
  const after = await check();
  expect([after.code, after.stdout]).toEqual([0, expect.not.stringContaining('checksum')]);
});

test('a memory of guesses that is nearly full is a problem with a remedy', { timeout: 120_000 }, async () => {
  const service = await serve();
  await service.stop();
  await withLog(service.folder, async root => {
    const table = new GuessTable(root);
    const entries = Array.from({ length: Math.ceil(0.95 * ENTRIES_USED_MAX) }, (_, n) =>
      Int32Array.of(1 + (n % 1_000), n, 0, (weekAt(Date.now()) << COUNT_BITS) + 1, n, n, 0, 0, 0, 0),
    );
    await table.store(entries, [], '', Date.now());
  });
  const again = await startAgain(service.folder);
  const sentence = 'The memory of wrong guesses is 9';
  await again.hasPrinted(sentence);
  const status = await runSextant('status', '--data', service.folder);
  expect(status.stdout).toContain(`! ${sentence}`);
  expect(status.stdout).toContain('those that search');
});
