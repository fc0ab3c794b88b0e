// Planted damage: each kind is written into a copy of a sound folder with lmdb itself, and the check must find that and
// nothing else.

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, open, type RootDatabase } from 'lmdb';
import { beforeAll, describe, expect, test } from 'vitest';
import { type CheckResult, checkFolder, PARTS } from '../../src/check/check_folder.ts';
import { checkPart } from '../../src/check/check_part.ts';
import { FIGURES_FILE } from '../../src/folder/data_folder.ts';
import type { Finding } from '../../src/tables/environment/check_walk.ts';
import { sequenceKey } from '../../src/tables/environment/row.ts';
import { codeKey } from '../../src/tables/stations/codes.ts';
import { stationAt } from '../../src/tables/stations/station.ts';
import { macKey, recordOf } from '../kits/radio/stations.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';
import { DROPPED, IMPORTED, LEARNED_MAC, makeSoundFolder, REPORTS, UNBACKED_MAC } from './sound_folder.ts';

const PAGE_BYTES = 4096;
const BINARY = { encoding: 'binary', keyEncoding: 'binary' } as const;

const base = folderOfFile();
let sound: string;

beforeAll(async () => {
  sound = join(base, 'sound');
  await makeSoundFolder(sound);
}, 60_000);

function check(folder: string, isQuick = false): Promise<CheckResult> {
  return checkFolder(folder, isQuick, () => {});
}

/** The one generation of a folder. */
function stationsPath(folder: string): string {
  return join(folder, 'stations', readFileSync(join(folder, 'stations', 'CURRENT'), 'utf8').trim());
}

/** Tables by environment. */
const TABLES: Record<string, string[]> = {
  accounts: ['meta', 'byId', 'byHash', 'devices'],
  requests: ['chunks', 'by time', 'usage', 'guesses'],
  observations: ['meta', 'reports', 'identities', 'retired', 'stored', 'sources', 'sourced'],
  stations: ['stations', 'areas', 'learned', 'codes', 'tracks', 'stale'],
};

type Tables = (name: string) => Database<Buffer, Buffer>;

/** Copies the sound folder and writes into one of its environments. */
async function plant(
  environment: string,
  write: (tables: Tables, root: RootDatabase<Buffer, Buffer>) => void,
): Promise<string> {
  const folder = mkdtempSync(join(base, 'damaged-'));
  cpSync(sound, folder, { recursive: true });
  const path = environment === 'stations' ? stationsPath(folder) : join(folder, environment);
  const root = open<Buffer, Buffer>({ path, ...BINARY, noSubdir: false, maxDbs: 8, eventTurnBatching: false });
  const opened = new Map<string, Database<Buffer, Buffer>>();
  const tables: Tables = name => opened.get(name)!;
  for (const name of TABLES[environment] ?? TABLES.stations)
    opened.set(name, root.openDB<Buffer, Buffer>(name, BINARY));
  root.transactionSync(() => write(tables, root));
  await root.close();
  return folder;
}

/** Findings as the command prints them, without what to do. */
async function findingsIn(folder: string): Promise<string[]> {
  return (await check(folder)).findings.map(printed);
}

/** The same of damage that ends no process, so that none is started to read it. */
async function findingsHere(folder: string): Promise<string[]> {
  const findings: Finding[] = [];
  for (const part of PARTS)
    await checkPart(folder, part, false, news => {
      if ('finding' in news) findings.push(news.finding);
    });
  return findings.map(printed);
}

function printed({ kind, table, key, what }: Finding): string {
  return `${kind}: ${table}, ${key}: ${what}`;
}

/** Changes one record in place, or to the one that is returned. */
function change(table: Database<Buffer, Buffer>, key: Buffer, edit: (record: Buffer) => unknown): void {
  const record = Buffer.from(table.getBinary(key)!);
  const edited = edit(record);
  table.putSync(key, Buffer.isBuffer(edited) ? edited : record);
}

test('a sound folder has no findings, every table is walked through, and nothing is written', async () => {
  const before = bytesOf(sound);
  const { tables, findings } = await check(sound);
  expect(findings).toEqual([]);
  expect(bytesOf(sound).equals(before)).toBe(true);
  // Imported access points, learned ones, cells of three areas, and the two that have names.
  const learned = REPORTS + REPORTS / 8 + 240 + 2;
  expect(tables).toMatchObject({
    accounts: { records: 3 },
    'account keys': { records: 3 },
    devices: { records: 4 },
    'logged requests': { records: 1 },
    'request times': { records: 1 },
    'usage of keys': { records: 1 },
    observations: { records: REPORTS - DROPPED },
    identities: { records: REPORTS },
    'retired observations': { records: DROPPED },
    'sources of observations': { records: 2 },
    'learned stations': { records: learned },
    // With what the cell ids of two networks say about distances.
    areas: { records: 6 },
    tracks: { records: 2 },
    'checkpoint learned stations': { records: learned },
    sources: { records: 60 + IMPORTED },
  });
  expect(tables.stations.records).toBeGreaterThan(IMPORTED + 60 + 51);
});

test('a quick check reads the same tables', async () => {
  const full = await check(sound);
  expect(await check(sound, true)).toEqual(full);
});

function bytesOf(folder: string): Buffer {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    name => name.endsWith('data.mdb') || name.endsWith('CURRENT'),
  );
  return Buffer.concat(files.sort().map(name => readFileSync(join(folder, name))));
}

const IMPORTED_KEY = macKey(0x020000010000 + 3_000);
const IMPORTED_NAME = 'wifi 02:00:00:01:0b:b8';
const LEARNED_KEY = macKey(LEARNED_MAC);
const LEARNED_NAME = 'wifi 02:00:00:02:00:00';
const UNBACKED_KEY = macKey(UNBACKED_MAC);

type Planted = [
  name: string,
  environment: string,
  write: (tables: Tables, root: RootDatabase<Buffer, Buffer>) => void,
  ...found: string[],
];

const STATIONS: Planted[] = [
  [
    'a station record that is cut',
    'stations',
    t => change(t('stations'), IMPORTED_KEY, record => record.subarray(0, 23)),
    `record: stations, ${IMPORTED_NAME}: its record has 23 bytes instead of 24`,
  ],
  [
    'a station record of another format',
    'stations',
    t => change(t('stations'), IMPORTED_KEY, record => record.writeUInt8(0x71, 18)),
    `record: stations, ${IMPORTED_NAME}: its record has format 7 instead of 1`,
  ],
  [
    'a station in no state',
    'stations',
    t => change(t('stations'), IMPORTED_KEY, record => record.writeUInt8(0x10, 18)),
    `record: stations, ${IMPORTED_NAME}: its state 0 is none`,
  ],
  [
    'a station off the globe',
    'stations',
    t => change(t('stations'), IMPORTED_KEY, record => record.writeInt32LE(950_000_000, 0)),
    `record: stations, ${IMPORTED_NAME}: its position 95, 4 is not on the globe`,
  ],
  [
    'radii in the wrong order',
    'stations',
    t => change(t('stations'), IMPORTED_KEY, record => record.writeUInt16LE(10, 10)),
    `record: stations, ${IMPORTED_NAME}: its radius for half of the places (35 m) is above the one for 95 % (1 m)`,
  ],
  [
    'keys that no station can have',
    'stations',
    t => {
      const record = Buffer.from(t('stations').getBinary(IMPORTED_KEY)!);
      t('stations').putSync(Buffer.from('05aabb', 'hex'), record);
      t('stations').putSync(macKey(0x030000000000), record);
      t('stations').putSync(Buffer.concat([IMPORTED_KEY, Buffer.alloc(1)]), record);
    },
    'key: stations, key 01020000010bb800: its key has 8 bytes instead of 7',
    'key: stations, wifi 03:00:00:00:00:00: no access point sends from this address',
    'key: stations, key 05aabb: its first byte names no kind of station',
  ],
  [
    'a station that is marked as learned and was not',
    'stations',
    t => change(t('stations'), macKey(0x020000010000 + 5_000), record => record.writeUInt8(1, 19)),
    'index: stations, wifi 02:00:00:01:13:88: it is marked as learned, but nothing is learned of it',
  ],
  [
    'a learned record that is lost',
    'stations',
    t => t('learned').removeSync(LEARNED_KEY),
    `index: stations, ${LEARNED_NAME}: it is marked as learned, but nothing is learned of it`,
  ],
  [
    'a learned record that is cut',
    'stations',
    t => change(t('learned'), LEARNED_KEY, record => record.subarray(0, record.length - 1)),
    `record: learned stations, ${LEARNED_NAME}: A learned record of`,
  ],
  [
    'a reference point without weight',
    'stations',
    t => change(t('learned'), LEARNED_KEY, record => record.writeFloatLE(0, 20 + 20 + 8)),
    `record: learned stations, ${LEARNED_NAME}: A learned record of`,
  ],
  [
    'a reference point of no contributor',
    'stations',
    t => change(t('learned'), LEARNED_KEY, record => record.writeUInt32LE(3, 20 + 20 + 20)),
    `record: learned stations, ${LEARNED_NAME}: A learned record of`,
  ],
  [
    'a published station that is another than was learned',
    'stations',
    t => change(t('stations'), LEARNED_KEY, record => record.writeInt32LE(record.readInt32LE(0) + 1, 0)),
    `derived: stations, ${LEARNED_NAME}: its record does not follow from what is learned of it`,
  ],
  [
    'a learned station that is not published',
    'stations',
    t => t('stations').removeSync(LEARNED_KEY),
    `derived: stations, ${LEARNED_NAME}: it is missing, but what is learned of it counts`,
  ],
  [
    'a station that one account alone has seen, published',
    'stations',
    t => t('stations').putSync(UNBACKED_KEY, Buffer.from(t('stations').getBinary(LEARNED_KEY)!)),
    'derived: stations, wifi 02:00:00:03:00:00: it is published, but what is learned of it does not count yet',
  ],
  [
    'an area that is another than its cells say',
    'stations',
    t => change(t('areas'), Buffer.from('0b033801000002', 'hex'), record => record.writeUInt16LE(999, 12)),
    'derived: areas, area lte 206-1-2: it does not follow from its cells',
  ],
  [
    'distances between cell ids that are cut, and others',
    'stations',
    t => {
      change(t('areas'), Buffer.from('0b000401', 'hex'), record => record.subarray(1));
      change(t('areas'), Buffer.from('0b033801', 'hex'), record => record.writeUInt16LE(999, 12));
    },
    'derived: areas, id distances lte 206-1: it does not follow from its cells',
    'record: areas, id distances lte 1-1: its record has',
  ],
  [
    'an area that is lost',
    'stations',
    t => t('areas').removeSync(Buffer.from('0b033801000003', 'hex')),
    'derived: areas, area lte 206-1-3: it is missing, and its cells are there',
  ],
  [
    'areas without cells, in a network that has some and in one that has none',
    'stations',
    t => {
      const record = Buffer.from(t('areas').getBinary(Buffer.from('0b033801000003', 'hex'))!);
      t('areas').putSync(Buffer.from('0b033801000009', 'hex'), record);
      t('areas').putSync(Buffer.from('0900000f000009', 'hex'), record);
    },
    'derived: areas, area lte 206-1-9: none of its cells is in the tables',
    'derived: areas, area cdma 15-9: none of its cells is in the tables',
  ],
  [
    'codes of cells that are cut, elsewhere, or not there',
    'stations',
    t => {
      const at = (latitude: number) => Buffer.from(recordOf({ ...stationAt(latitude, 8, 100, 200), code: 7 }));
      const key = codeKey(Buffer.from('0b0338010000bc614e000001', 'hex'), at(50))!;
      t('codes').putSync(key.subarray(0, 17), at(50));
      t('codes').putSync(key, at(50));
      key[17] = 2;
      t('codes').putSync(key, at(51));
    },
    'key: codes, code 0b0338010007',
    'index: codes, code 0b0338010007',
    'record: codes, code 0b0338010007',
  ],
  [
    'a track that is ahead of the progress',
    'stations',
    t => change(t('tracks'), sequenceKey(77), record => record.writeDoubleLE(REPORTS + 1, 28)),
    `record: tracks, device 77: its report ${REPORTS + 1} has not taken effect: the last that has is ${REPORTS}`,
  ],
  [
    'a mark of no network',
    'stations',
    t => t('stale').putSync(Buffer.from('01020304', 'hex'), Buffer.alloc(8)),
    'key: stale areas, network 01020304: it is no network of cells',
  ],
];

const OTHERS: Planted[] = [
  [
    'a gap in the log',
    'observations',
    t => {
      t('identities').removeSync(Buffer.from(t('reports').getBinary(sequenceKey(100))!.subarray(8, 24)));
      t('reports').removeSync(sequenceKey(100));
    },
    'index: observations, report 100: the log has a gap there',
  ],
  [
    'a log that lacks its end',
    'observations',
    t => {
      for (const sequence of [REPORTS - 1, REPORTS]) {
        t('identities').removeSync(Buffer.from(t('reports').getBinary(sequenceKey(sequence))!.subarray(8, 24)));
        t('reports').removeSync(sequenceKey(sequence));
      }
    },
    `index: observations, reports ${REPORTS - 1} to ${REPORTS}: the log lacks what was counted last`,
  ],
  [
    'an identity that is lost',
    'observations',
    t => t('identities').removeSync(Buffer.from(t('reports').getBinary(sequenceKey(100))!.subarray(8, 24))),
    'index: observations, report 100: its identity is missing in the index',
  ],
  [
    'an identity of a report that never was',
    'observations',
    t => t('identities').putSync(Buffer.alloc(16, 7), Buffer.concat([sequenceNumber(REPORTS + 5), Buffer.alloc(8)])),
    `index: identities, identity ${'07'.repeat(16)}: its report ${REPORTS + 5} is not in the log`,
  ],
  [
    'an identity of another report',
    'observations',
    t => t('identities').putSync(Buffer.alloc(16, 7), Buffer.concat([sequenceNumber(100), Buffer.alloc(8)])),
    `index: identities, identity ${'07'.repeat(16)}: its report 100 has another identity`,
  ],
  [
    'a report that is cut',
    'observations',
    t => change(t('reports'), sequenceKey(100), record => record.subarray(0, 60)),
    'record: observations, report 100: ',
  ],
  [
    'a report that says something else than was sent',
    'observations',
    t =>
      change(t('reports'), sequenceKey(100), record =>
        record.writeUInt8(record[record.length - 1] ^ 1, record.length - 1),
      ),
    'derived: observations, report 100: its identity is not that of what it says',
  ],
  [
    'a dropped report that is no longer remembered',
    'observations',
    t => t('identities').removeSync(Buffer.from(t('retired').getBinary(sequenceKey(3))!.subarray(8, 24))),
    'index: retired observations, report 3: its identity is missing in the index',
  ],
  [
    'a report of a source that is not listed',
    'observations',
    t => t('sourced').putSync(Buffer.concat([Buffer.alloc(16, 7), Buffer.from([0, 0, 0, 9])]), Buffer.of(1)),
    `index: sources of observations, identity ${'07'.repeat(16)} of source 9: there is no such source`,
  ],
  [
    'storage of an account that is not that of its reports',
    'observations',
    t => change(t('stored'), Buffer.from([0, 0, 0, 2]), record => record.writeDoubleLE(record.readDoubleLE(0) - 1)),
    'counter: storage of accounts, account 2: ',
  ],
  [
    'storage of an account without reports',
    'observations',
    t => t('stored').putSync(Buffer.from([0, 0, 0, 9]), sequenceNumber(700)),
    'counter: storage of accounts, account 9: 700 bytes of its reports are counted, and 0 are there',
  ],
  [
    'counters of the log that contradict its reports',
    'observations',
    t => t('meta').putSync(Buffer.from('next'), sequenceNumber(50)),
    `file: observations, the whole table: its counters (next 50, dropped through ${DROPPED}) contradict its ` +
      `reports (${DROPPED + 1} to ${REPORTS})`,
  ],
  [
    'an account without its key in the index',
    'accounts',
    t => {
      for (const { key, value } of [...t('byHash').getRange()])
        if (value.readUInt32BE(0) === 2) t('byHash').removeSync(Buffer.from(key));
    },
    'index: accounts, account 2: its key is missing in the index, so the key is refused',
  ],
  [
    'a key of no account',
    'accounts',
    t => t('byHash').putSync(Buffer.alloc(32, 7), Buffer.from('00000009', 'hex')),
    `index: account keys, key hash ${'07'.repeat(32)}: it leads to account 9, which does not exist`,
  ],
  [
    'a key that opens the account of another',
    'accounts',
    t => t('byHash').putSync(Buffer.alloc(32, 7), Buffer.from('00000002', 'hex')),
    `index: account keys, key hash ${'07'.repeat(32)}: it leads to account 2, which has another key`,
  ],
  [
    'an account record that is cut',
    'accounts',
    t => change(t('byId'), Buffer.from('00000002', 'hex'), record => record.subarray(0, 20)),
    'record: accounts, account 2: its record is damaged: The record of an account is damaged: it ends after 20 bytes',
  ],
  [
    'a number of accounts that would be given again',
    'accounts',
    t => t('meta').putSync(Buffer.from('next'), Buffer.from('00000003', 'hex')),
    'counter: accounts, account 3: its number will be given again: the next one is 3',
  ],
  [
    'a row of usage that is cut',
    'requests',
    t => t('usage').putSync(Buffer.from('000000010000000101', 'hex'), Buffer.alloc(8)),
    'record: usage of keys, key 000000010000000101: A row of the usage of keys is damaged: it holds 0000000000000000',
  ],
  [
    'a row of guesses that is cut',
    'requests',
    t => t('guesses').putSync(Buffer.from('00000b98000000070000000300000001', 'hex'), Buffer.alloc(8)),
    'record: guesses, key 00000b98000000070000000300000001: it is damaged: it has 24 bytes instead of 52',
  ],
  [
    'a wrong number of devices',
    'accounts',
    t => t('devices').putSync(Buffer.from('000000020299', 'hex'), Buffer.from('00000007', 'hex')),
    'counter: devices, account 2, month 665: 7 devices are counted, and 3 are there',
  ],
  [
    'logged requests that are cut',
    'requests',
    t => change(t('chunks'), sequenceKey(1_048_576), record => record.subarray(0, record.length - 5)),
    'record: logged requests, requests from 1048576 on: it cannot be read:',
    'index: request times, requests from 1048576 on: the index says that they take',
  ],
  [
    'logged requests that would be kept too long',
    'requests',
    t => {
      for (const key of [...t('by time').getKeys()]) t('by time').removeSync(Buffer.from(key));
    },
    'index: logged requests, requests from 1048576 on: its row in the index by time is missing, so it would be ' +
      'kept too long',
  ],
  [
    'a counter of log ids that goes back',
    'requests',
    (_, root) => root.putSync(Buffer.from('next block'), sequenceNumber(1)),
    'counter: logged requests, request 1048576: ids are handed out only up to 1048575',
  ],
  [
    'damage in the checkpoint',
    'checkpoint',
    t => change(t('stations'), IMPORTED_KEY, record => record.subarray(0, 23)),
    `record: checkpoint stations, ${IMPORTED_NAME}: its record has 23 bytes instead of 24`,
  ],
];

/** A number as the counters of the log are stored. */
function sequenceNumber(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}

describe('planted damage is found', () => {
  test.each([...STATIONS, ...OTHERS])('%s', async (_, environment, write, ...found) => {
    const findings = await findingsHere(await plant(environment, write));
    expect(findings.map((finding, i) => finding.slice(0, found[i]?.length))).toEqual(found);
  });

  const META: [string, Record<string, unknown>, string][] = [
    [
      'a number of stations that are not there',
      { generation: { format: 3, builtAt: new Date(0).toISOString(), count: 9_000 } },
      'counter: meta, count: 9000 stations were there when it was written, and only',
    ],
    [
      'a number of stations that is none',
      { generation: { format: 3, builtAt: new Date(0).toISOString(), count: -1 } },
      'counter: meta, count: it is no number of stations: -1',
    ],
    [
      'progress beyond the log',
      { progress: REPORTS + 7 },
      `counter: meta, progress: report ${REPORTS + 7} is said to have taken effect, and the log ends at ${REPORTS}`,
    ],
    [
      'progress behind what was dropped',
      { progress: DROPPED - 1 },
      `counter: meta, progress: reports ${DROPPED} to ${DROPPED} were dropped from the log before they took effect`,
    ],
    [
      'tables of another rewrite of the log',
      { log: 2 },
      'counter: meta, log: the tables were learned from rewrite 2 of the log, and the log is rewrite 0',
    ],
    [
      'another format',
      { generation: { format: 99, builtAt: new Date(0).toISOString(), count: 0 } },
      'file: stations, the whole table: it has format 99, and this version reads format 3',
    ],
  ];
  test.each(META)('%s', async (_, values, found) => {
    const folder = await plant('stations', () => {});
    const root = open({ path: stationsPath(folder), ...BINARY, noSubdir: false, maxDbs: 8 });
    const meta = root.openDB<unknown, string>('meta', { encoding: 'json', keyEncoding: 'ordered-binary' });
    for (const [key, value] of Object.entries(values)) meta.putSync(key, value);
    await root.close();
    expect((await findingsHere(folder))[0].slice(0, found.length)).toBe(found);
  });
});

describe('damage of files is found, and the other tables are still checked', () => {
  const copy = (): Promise<string> => plant('stations', () => {});

  test('a file that has lost its end', async () => {
    const folder = await copy();
    const file = join(stationsPath(folder), 'data.mdb');
    truncateSync(file, 200_000);
    const { tables, findings } = await check(folder);
    expect(findings).toMatchObject([
      {
        kind: 'file',
        table: 'stations',
        what: expect.stringContaining('its data file has lost its end (200000 bytes of about'),
      },
    ]);
    expect(tables.observations.records).toBe(REPORTS - DROPPED);
    expect(tables['checkpoint stations'].records).toBeGreaterThan(IMPORTED);
  });

  test('figures that cannot be read: nothing needs to be done', async () => {
    const folder = await copy();
    const file = join(folder, FIGURES_FILE);
    writeFileSync(file, 'no figures');
    const { findings, tables } = await check(folder);
    expect(findings).toEqual([
      {
        kind: 'file',
        table: 'figures',
        key: 'the whole table',
        what: 'incorrect header check',
        remedy: 'do nothing: the service begins them anew when it starts',
      },
    ]);
    expect(tables.stations.records).toBeGreaterThan(IMPORTED);
    expect(readFileSync(file, 'utf8')).toBe('no figures');
  });

  test('sources that are damaged, gone, or not in the tables', async () => {
    const folder = await copy();
    const [cells, wifi] = ['1', '2'].map(n => join(folder, 'sources', `${n}.records`));
    const bytes = readFileSync(wifi);
    bytes.copyWithin(32, 0, 32);
    bytes[64 + 26] = 0x71;
    bytes.writeInt32LE(7, 96 + 8);
    writeFileSync(wifi, bytes);
    expect(await findingsHere(folder)).toEqual([
      'record: sources, wifi, wifi 02:00:00:01:00:00: it stands out of order',
      'record: sources, wifi, wifi 02:00:00:01:00:02: its record has format 7 instead of 1',
      'record: sources, wifi, wifi 02:00:00:01:00:03: the tables do not have it as imported',
    ]);
    truncateSync(wifi, 96);
    rmSync(cells);
    expect(await findingsHere(folder)).toEqual([
      expect.stringMatching(/^file: sources, cells, the whole table: The source "cells" cannot be read: ENOENT/),
      `counter: sources, wifi: it has 3 stations instead of ${IMPORTED}`,
      'record: sources, wifi, wifi 02:00:00:01:00:00: it stands out of order',
      'record: sources, wifi, wifi 02:00:00:01:00:02: its record has format 7 instead of 1',
    ]);
  });

  test('files that are missing', async () => {
    const folder = await copy();
    rmSync(join(folder, 'accounts', 'data.mdb'));
    rmSync(join(folder, 'requests'), { recursive: true });
    expect((await findingsIn(folder)).slice(0, 2)).toEqual([
      'file: accounts, the whole table: it is missing',
      'file: requests, the whole table: it is missing',
    ]);
  });

  test('CURRENT that names nothing, is damaged or lost', async () => {
    const folder = await copy();
    const current = join(folder, 'stations', 'CURRENT');
    const n = readFileSync(current, 'utf8').trim();
    writeFileSync(current, '7777\n');
    expect(await findingsHere(folder)).toEqual([
      `file: stations, the whole table: ${current} names generation 7777, which is missing`,
    ]);
    writeFileSync(current, 'x');
    expect(await findingsHere(folder)).toEqual([
      `file: stations, the whole table: ${current} is damaged: it should hold the number of a generation`,
    ]);
    rmSync(current);
    expect(await findingsHere(folder)).toEqual([
      `file: stations, the whole table: no generation is named as the live one, and there is ${n}`,
    ]);
  });

  test('FORMAT that is damaged', async () => {
    const folder = await copy();
    writeFileSync(join(folder, 'FORMAT'), '{');
    await expect(check(folder)).rejects.toThrow("FORMAT is damaged or not Sextant's");
  });

  test('pages that are overwritten: the process that reads them may end, and the check goes on', async () => {
    const folder = await copy();
    const path = join(stationsPath(folder), 'data.mdb');
    const original = readFileSync(path);
    const pages = original.length / PAGE_BYTES;
    const found: string[] = [];
    for (const fill of [0x00, 0x5a]) {
      for (let page = 2; page < pages; page += Math.ceil(pages / 6)) {
        const damaged = Buffer.from(original);
        damaged.fill(fill, page * PAGE_BYTES, (page + 1) * PAGE_BYTES);
        writeFileSync(path, damaged);
        const { tables, findings } = await check(folder);
        expect(tables.observations.records).toBe(REPORTS - DROPPED);
        expect(tables['checkpoint stations'].records).toBeGreaterThan(IMPORTED);
        found.push(...findings.map(({ table, what }) => `${table}: ${what}`));
      }
    }
    const ended =
      /^(learned )?stations: reading it ended the process that read it \(SIG[A-Z]+\), because a page of the data file is damaged$/;
    expect(found).toContainEqual(expect.stringMatching(ended));
  });
});
