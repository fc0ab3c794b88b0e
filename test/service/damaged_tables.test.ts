// A service, and a command, that find a table damaged at their start: they say so, and do not end by a signal.

import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serve } from '../kits/served_service.ts';
import { runSextant } from '../kits/service_process.ts';

const PAGE = 4_096;

/** Gives the first record of each leaf a length of two gigabytes. */
function lengthenRecords(path: string): void {
  const bytes = readFileSync(path);
  for (let page = 2 * PAGE; page < bytes.length; page += PAGE) {
    const isLeaf = bytes.readUInt16LE(page + 18) === 2;
    if (isLeaf) bytes.writeUInt32LE(0x7fffffff, page + 24 + bytes.readUInt16LE(page + 24));
  }
  writeFileSync(path, bytes);
}

test.each<[string, (path: string) => unknown]>([
  ['that has lost its last pages', path => truncateSync(path, statSync(path).size - 6 * PAGE)],
  ['whose records are longer than the file', lengthenRecords],
])('an account table %s is named', async (_, damage) => {
  const service = await serve();
  for (let n = 0; n < 20; n++) await service.key({ name: `key ${n} ${'x'.repeat(40)}` });
  await service.stop();
  const path = join(service.folder, 'accounts/data.mdb');
  damage(path);
  const damaged = readFileSync(path);
  const sentence = `The account table ${join(service.folder, 'accounts')} cannot be used: its data file is damaged`;
  for (const words of [
    ['serve', '--port', '0', '--http-threads', '1'],
    ['keys', 'list'],
  ]) {
    const ended = await runSextant(...words, '--data', service.folder);
    expect(ended).toMatchObject({ code: 1, signal: null });
    expect(ended.stderr).toContain(sentence);
  }
  expect(readFileSync(path).equals(damaged)).toBe(true);
});
