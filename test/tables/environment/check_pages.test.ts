// Damage to pages of LMDB files, found before LMDB meets it: every page of a small table, and a file that was cut
// anywhere.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { AccountTable } from '../../../src/tables/accounts/accounts.ts';
import { checkPages } from '../../../src/tables/environment/check_pages.ts';
import { makeSoundFolder } from '../../check/sound_folder.ts';
import { uniform } from '../../kits/random.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

const PAGE = 4_096;

/** A table of keys and devices with a hundred pages. */
let table: Buffer;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pages-'));
  const accounts = new AccountTable(folder);
  const hash = (i: number, digits: number) => i.toString(16).padStart(digits, '0');
  await Promise.all(
    Array.from({ length: 2_000 }, (_, i) => accounts.create({ keyHash: hash(i, 64), name: `key ${i}`, createdMs: i })),
  );
  await Promise.all(Array.from({ length: 200 }, (_, i) => accounts.registerDevice(1, 650, hash(i, 16), 1_000)));
  await accounts.close();
  table = readFileSync(join(folder, 'accounts/data.mdb'));
  rmSync(folder, { recursive: true });
});

/** A data folder with this file as its table of accounts. */
function folderOf(bytes: Buffer): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'accounts'));
  writeFileSync(join(folder, 'accounts/data.mdb'), bytes);
  return folder;
}

/** What the check says of each folder; undefined where it finds nothing. */
function findingsOf(folders: string[]): (string | undefined)[] {
  return folders.map(folder => {
    try {
      checkPages(join(folder, 'accounts'));
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  });
}

/** Has a process of its own read and write each table, and expects that it lives. */
function expectUsable(folders: string[]): void {
  const child = join(import.meta.dirname, 'open_child.ts');
  const lines = execFileSync(process.execPath, [child, 'accounts', ...folders], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');
  expect(lines).toHaveLength(folders.length);
}

/** Copies of the table, each with one page changed. */
function eachPage(change: (page: Buffer, number: number) => unknown): string[] {
  return Array.from({ length: table.length / PAGE }, (_, number) => {
    const copy = Buffer.from(table);
    change(copy.subarray(number * PAGE, (number + 1) * PAGE), number);
    return folderOf(copy);
  });
}

test('all pages of a sound folder are sound, those of large values too', async () => {
  const folder = temporaryFolder();
  await makeSoundFolder(folder);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('data.mdb'));
  expect(files.length).toBeGreaterThanOrEqual(5);
  for (const name of files) checkPages(dirname(join(folder, name)), Number.POSITIVE_INFINITY);
  checkPages(join(folder, 'nothing'));
});

const random = uniform(7);
const anyByte = (page: Buffer) => {
  const at = Math.floor(random() * (random() < 0.5 ? 200 : PAGE));
  page[at] ^= 1 << Math.floor(random() * 8);
};
test.each<[string, (page: Buffer) => unknown, number]>([
  ['zeros', page => page.fill(0), 0.8],
  ['a head of zeros', page => page.fill(0, 0, 24), 0.8],
  ['a head of ones', page => page.fill(255, 0, 24), 0.8],
  ['anything', page => page.fill(0xa5), 0.8],
  ['the page after it', (page: Buffer) => page.writeBigUInt64LE(page.readBigUInt64LE(0) + 1n), 0.8],
  ['a node that points beyond the page', page => page.writeUInt16LE(PAGE - 24, 24), 0.5],
  ['one bit that flips', anyByte, 0],
])('a page with %s is found, or does not end the process', (_, change, foundAtLeast) => {
  const folders = eachPage(change);
  const findings = findingsOf(folders);
  expect(findings.filter(finding => finding !== undefined).length).toBeGreaterThanOrEqual(
    foundAtLeast * folders.length,
  );
  for (const finding of findings)
    if (finding !== undefined) expect(finding).toMatch(/^its data file is (damaged at page \d+|no LMDB database)/);
  expectUsable(folders.filter((_, i) => findings[i] === undefined));
});

test('a file that was cut is found, or does not end the process, and it stays as it is', () => {
  const folders = Array.from({ length: table.length / PAGE }, (_, pages) => folderOf(table.subarray(0, pages * PAGE)));
  const findings = findingsOf(folders);
  expect(findings.filter(finding => finding === undefined).length).toBeLessThan(5);
  for (const [pages, folder] of folders.entries())
    if (findings[pages] !== undefined)
      expect(readFileSync(join(folder, 'accounts/data.mdb'))).toHaveLength(pages * PAGE);
  expectUsable(folders.filter((_, i) => findings[i] === undefined));
});

test('of a large file the pages nearest to the roots are read, and that those below are there', () => {
  const folder = folderOf(table);
  const path = join(folder, 'accounts/data.mdb');
  // The upper levels have few of the hundred pages, and name all of the others.
  truncateSync(path, table.length - 10 * PAGE);
  expect(() => checkPages(join(folder, 'accounts'), 12)).toThrow('its data file is damaged at page');
});
