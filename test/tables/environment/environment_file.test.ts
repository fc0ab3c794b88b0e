import { execFileSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';
import { describe, expect, test } from 'vitest';
import { AccountTable } from '../../../src/tables/accounts/accounts.ts';
import { checkEnvironmentFile } from '../../../src/tables/environment/environment_file.ts';
import { RequestLog } from '../../../src/tables/requests/request_log.ts';
import { createLogRing, LogConsumer, LogProducer } from '../../../src/tables/requests/ring.ts';
import { StationWriter } from '../../../src/tables/stations/writer.ts';
import { uniform } from '../../kits/random.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';
import { recordOf, stationKey } from '../stations/revised_stations.ts';

const BINARY = { encoding: 'binary', keyEncoding: 'binary' } as const;

/** Where each table's environment is in the data folder. */
const PLACES = { stations: 'stations/1', accounts: 'accounts', requests: 'requests' };
type Table = keyof typeof PLACES;

/** Data folders with some hundred pages in one table. */
const FILL: Record<Table, (folder: string) => Promise<void>> = {
  stations: async folder => {
    const writer = await StationWriter.open(folder, undefined);
    const key = (i: number) => Buffer.from(`01${(0x88f7c7000000 + i * 997).toString(16)}`, 'hex');
    for (let part = 0; part < 4; part++) {
      await writer.apply(
        Array.from({ length: 10_000 }, (_, i) => ({ key: key(part * 10_000 + i), record: recordOf(3, 2)! })),
      );
    }
    await writer.close();
  },
  accounts: async folder => {
    const table = new AccountTable(folder);
    const hash = (i: number) => i.toString(16).padStart(64, '0');
    for (let part = 0; part < 4; part++) {
      await Promise.all(
        Array.from({ length: 3_000 }, (_, i) => table.create({ keyHash: hash(part * 3_000 + i), createdMs: 1 })),
      );
    }
    await table.close();
  },
  requests: async folder => {
    const log = RequestLog.open(folder, 64, error => {
      throw error;
    });
    for (let part = 1; part <= 4; part++) {
      const first = await log.allocateBlock();
      const ring = createLogRing(2 ** 22);
      const producer = new LogProducer(ring);
      for (let i = 0; i < 500; i++) producer.push(logEntry(first + i));
      await log.append(new LogConsumer(ring).drain()!);
    }
    await log.close();
  },
};

function logEntry(logId: number) {
  const random = uniform(logId);
  const request = Buffer.from(Array.from({ length: 1_500 }, () => random() * 256));
  return {
    logId,
    timeMs: 1,
    latencyUs: 3,
    status: 200,
    route: 1,
    accountId: 1,
    nr: 1,
    deviceId: '',
    query: '',
    request,
    response: '{}',
  };
}

const NO_DATABASE = 'its data file is no LMDB database, or is damaged';
const LOST_END = 'its data file has lost its end';

/** Each does something to a whole data file; the text says what. */
const DAMAGES: [string, (path: string) => unknown, string][] = [
  ['text', path => writeFileSync(path, 'radio,mcc,net\n'.repeat(2_000)), NO_DATABASE],
  ['five bytes', path => writeFileSync(path, 'hello'), NO_DATABASE],
  ['zeros', path => writeFileSync(path, Buffer.alloc(50_000)), NO_DATABASE],
  ['only its first page', path => truncateSync(path, 4_096), NO_DATABASE],
  ['only its first two pages', path => truncateSync(path, 8_192), LOST_END],
  ['a third of itself', path => truncateSync(path, Math.floor(statSync(path).size / 3)), LOST_END],
  ['without a valid second page', path => overwrite(path, 4_096 + 24, Buffer.alloc(8)), NO_DATABASE],
  [
    'of a newer LMDB',
    path => overwrite(path, 28, Buffer.of(3, 0, 0, 0)),
    'its data file has LMDB version 3 instead of 2',
  ],
  ['with an impossible page size', path => overwrite(path, 48, Buffer.of(1, 2, 3, 4)), NO_DATABASE],
  [
    'with an empty root',
    path => overwrite(path, rootOf(path) * 4_096, Buffer.alloc(4_096)),
    'its data file is damaged',
  ],
  [
    'with another page as its root',
    path => overwrite(path, rootOf(path) * 4_096, pageOf(path, 0)),
    'its data file is damaged',
  ],
];

/** Page of the root of the main tree, by the later of the two descriptions. */
function rootOf(path: string): number {
  const file = readFileSync(path);
  const later = file.readBigUInt64LE(152) > file.readBigUInt64LE(4_096 + 152) ? 0 : 4_096;
  return Number(file.readBigUInt64LE(later + 136));
}

function pageOf(path: string, page: number): Buffer {
  return readFileSync(path).subarray(page * 4_096, (page + 1) * 4_096);
}

function overwrite(path: string, at: number, bytes: Buffer): void {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}

/** What a process of its own says about each folder. */
function usedByChild(table: Table, folders: string[]): string[] {
  const child = join(import.meta.dirname, 'open_child.ts');
  return execFileSync(process.execPath, [child, table, ...folders], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');
}

describe.each(Object.keys(PLACES) as Table[])('a data file of %s', table => {
  test('that is damaged is refused with an error, and stays as it is', async () => {
    const whole = temporaryFolder();
    await FILL[table](whole);
    const damaged = DAMAGES.map(([, damage]) => {
      const folder = temporaryFolder();
      cpSync(whole, folder, { recursive: true });
      damage(join(folder, PLACES[table], 'data.mdb'));
      return folder;
    });
    const files = [whole, ...damaged].map(folder => join(folder, PLACES[table], 'data.mdb'));
    const before = files.map(path => readFileSync(path));
    const said = usedByChild(table, [...damaged, whole]);
    for (const [i, [, , sentence]] of DAMAGES.entries()) {
      expect(said[i]).toMatch(/^The (station tables|account table|request log) .* cannot be used: /);
      expect(said[i]).toContain(sentence);
      expect(readFileSync(files[i + 1]).equals(before[i + 1])).toBe(true);
    }
    expect(said[DAMAGES.length]).toBe('used');
  });

  test('that another program wrote is refused, and stays as it is', async () => {
    const foreign = temporaryFolder();
    const path = join(foreign, PLACES[table]);
    mkdirSync(path, { recursive: true });
    if (table === 'stations') writeFileSync(join(foreign, 'stations', 'CURRENT'), '1\n');
    const root = open({ path, noSubdir: false, ...BINARY });
    await root.openDB('somebody', BINARY).put(Buffer.from('key'), Buffer.from('value'));
    await root.close();
    const before = readFileSync(join(path, 'data.mdb'));
    expect(usedByChild(table, [foreign])[0]).toMatch(
      /cannot be used: it is no (station table|account table|request log)\./,
    );
    expect(readFileSync(join(path, 'data.mdb')).equals(before)).toBe(true);
  });
});

describe('a data file', () => {
  test('is not there yet in an empty folder, nor when a kill has left it empty', () => {
    const folder = temporaryFolder();
    expect(checkEnvironmentFile(folder)).toBe(false);
    writeFileSync(join(folder, 'data.mdb'), '');
    expect(checkEnvironmentFile(folder)).toBe(false);
  });

  test('of a write that failed before its tables were made is taken as new', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'accounts'));
    const root = open({ path: join(folder, 'accounts'), noSubdir: false, ...BINARY });
    await root.close();
    expect(usedByChild('accounts', [folder])).toEqual(['used']);
  });

  test('may lack up to 64 pages at its end, and gets them back empty', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'data.mdb');
    const root = open<Buffer, Buffer>({ path: folder, noSubdir: false, ...BINARY });
    const keys = Array.from({ length: 20_000 }, (_, i) => stationKey(i));
    await root.transaction(() => keys.forEach(key => void root.put(key, Buffer.alloc(24))));
    await root.transaction(() => keys.forEach(key => void root.remove(key)));
    for (const key of keys.slice(0, 4)) await root.put(key, Buffer.alloc(24)); // into the freed pages, lowest first
    await root.close();
    const { size } = statSync(path);
    truncateSync(path, size - 65 * 4_096);
    expect(() => checkEnvironmentFile(folder)).toThrow(LOST_END);
    expect(statSync(path).size).toBe(size - 65 * 4_096);
    truncateSync(path, size);
    truncateSync(path, size - 64 * 4_096);
    expect(checkEnvironmentFile(folder)).toBe(true);
    expect(statSync(path).size).toBe(size);
    const again = open<Buffer, Buffer>({ path: folder, noSubdir: false, ...BINARY });
    expect(again.getKeysCount()).toBe(4);
    await again.close();
  });
});
