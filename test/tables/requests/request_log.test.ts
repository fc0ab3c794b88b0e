import { mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type LogEntry, withoutKey } from '../../../src/tables/requests/record.ts';
import { RequestLog } from '../../../src/tables/requests/request_log.ts';
import { createLogRing, LOG_BLOCK_IDS, LogConsumer, LogProducer } from '../../../src/tables/requests/ring.ts';
import { uniform } from '../../kits/random.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.parse('2025-11-10T12:00:00Z');
const BINARY = { encoding: 'binary', keyEncoding: 'binary' } as const;

let folder: string;
let errors: string[];
let log: RequestLog;
const reopen = (limitMegabytes = 64) => {
  log = RequestLog.open(folder, limitMegabytes, error => errors.push(error.message));
};
beforeEach(() => {
  folder = temporaryFolder();
  errors = [];
  reopen();
});
afterEach(async () => {
  await log.close();
});

function entry(logId: number, timeMs: number, request: Uint8Array = Buffer.from(`{"n":${logId}}`)): LogEntry {
  const status = 200;
  return {
    logId,
    timeMs,
    latencyUs: 300,
    status,
    route: 1,
    accountId: 1,
    nr: 1,
    deviceId: 'd',
    query: '',
    request,
    response: '{}',
  };
}

/** What the ring of one HTTP thread holds after these requests. */
function drained(entries: LogEntry[]): Uint8Array {
  const ring = createLogRing(8 * 1_048_576);
  const producer = new LogProducer(ring);
  for (const one of entries) expect(producer.push(one)).toBeGreaterThan(0);
  return new LogConsumer(ring).drain()!;
}

/** A body that does not compress, the same for the same seed. */
function noise(bytes: number, seed: number): Buffer {
  const random = uniform(seed);
  return Buffer.from(Array.from({ length: bytes }, () => random() * 256));
}

const found = (ids: number[], nowMs = NOW) => ids.filter(id => log.get(id, nowMs)?.logId === id);

test('requests are forgotten by their key, device or number; the others stay, and the tables are sound', async () => {
  const all = Array.from({ length: 60 }, (_, i) => ({
    ...entry(LOG_BLOCK_IDS + i, NOW - i),
    accountId: 1 + (i % 3),
    deviceId: `d${i % 2}`,
  }));
  for (let i = 0; i < 60; i += 20) await log.append(drained(all.slice(i, i + 20)));
  expect(await log.forget(({ account }) => account === 2)).toBe(20);
  expect(await log.forget(({ device }, id) => device!.toString() === 'd1' && id >= LOG_BLOCK_IDS + 20)).toBe(14);
  // The whole first chunk, and again what is gone.
  expect(await log.forget((_, id) => id < LOG_BLOCK_IDS + 20)).toBe(13);
  expect(await log.forget(({ account }) => account === 2)).toBe(0);
  const kept = all.filter(
    ({ accountId, deviceId, logId }) => accountId !== 2 && deviceId === 'd0' && logId >= LOG_BLOCK_IDS + 20,
  );
  expect(found(all.map(({ logId }) => logId))).toEqual(kept.map(({ logId }) => logId));
  await log.prune(NOW);
  expect(found(all.map(({ logId }) => logId))).toHaveLength(kept.length);
  expect(errors).toEqual([]);
});

test('requests are stored while others are forgotten', async () => {
  for (let i = 0; i < 5; i++) await log.append(drained([entry(LOG_BLOCK_IDS + i, NOW)]));
  const done: string[] = [];
  const forget = log.forget((_, id) => id === LOG_BLOCK_IDS + 4).then(removed => done.push(`${removed} forgotten`));
  const append = log.append(drained([entry(LOG_BLOCK_IDS + 5, NOW)])).then(() => done.push('stored'));
  await Promise.all([forget, append]);
  expect(done).toEqual(['stored', '1 forgotten']);
  expect(found([4, 5].map(i => LOG_BLOCK_IDS + i))).toEqual([LOG_BLOCK_IDS + 5]);
});

test('a lower limit holds from the next requests on', async () => {
  const bodies = Array.from({ length: 40 }, (_, i) => entry(LOG_BLOCK_IDS + i, NOW, noise(60_000, i)));
  for (const body of bodies) await log.append(drained([body]));
  expect(log.storedBytes).toBeGreaterThan(2 * 1_048_576);
  log.setLimit(1);
  await log.append(drained([entry(LOG_BLOCK_IDS + 40, NOW)]));
  expect(log.storedBytes).toBeLessThanOrEqual(1_048_576);
  expect(found([LOG_BLOCK_IDS, LOG_BLOCK_IDS + 40])).toEqual([LOG_BLOCK_IDS + 40]);
});

describe('a logged request', () => {
  test('holds no key, wherever it stood, neither printed nor stored', async () => {
    const key = 'sx_0123456789abcdefghjkmnpqrs';
    const blank = '*'.repeat(key.length);
    const whole = {
      ...entry(LOG_BLOCK_IDS, NOW, Buffer.from(`{"key":"${key}"}`)),
      query: `/?q=${key}`,
      response: `"${key}"`,
    };
    const broken = { ...entry(LOG_BLOCK_IDS + 1, NOW, Buffer.from(`{"ssid":"${key}`)), deviceId: key.slice(0, 20) };
    await log.append(drained([whole, broken]));
    expect(log.get(LOG_BLOCK_IDS, NOW)).toMatchObject({
      query: `/?q=${blank}`,
      request: { key: blank },
      response: blank,
    });
    expect(log.get(LOG_BLOCK_IDS + 1, NOW)).toMatchObject({ device: '*'.repeat(20), request: `{"ssid":"${blank}` });
    await log.close();
    expect(readFileSync(join(folder, 'requests/data.mdb')).includes(key)).toBe(false);
    reopen();
  });

  test('is found by its id, also after a restart', async () => {
    const ids = Array.from({ length: 1_000 }, (_, i) => LOG_BLOCK_IDS + i);
    await log.append(drained(ids.map(id => entry(id, NOW - id, noise(1_000, id)))));
    await log.append(drained([entry(LOG_BLOCK_IDS + 1_000, NOW)]));
    await log.close();
    reopen();
    expect(found(ids)).toEqual(ids);
    expect(log.get(LOG_BLOCK_IDS + 1_000, NOW)).toMatchObject({
      request: { n: LOG_BLOCK_IDS + 1_000 },
      route: 'position',
      latencyMs: 0.3,
    });
    expect(log.get(LOG_BLOCK_IDS + 1_001, NOW)).toBeUndefined();
    expect(log.get(LOG_BLOCK_IDS - 1, NOW)).toBeUndefined();
    for (const never of [0, -1, 1.5, 2 ** 60, Number.NaN]) expect(log.get(never, NOW)).toBeUndefined();
    expect(errors).toEqual([]);
  });

  test('is found where a thread changes blocks while another uses the block between', async () => {
    const [first, between, last] = [2, 3, 4].map(block => block * LOG_BLOCK_IDS);
    const changing = [last - between + first - 2, last - between + first - 1, last, last + 1];
    const other = [between, between + 1, between + 2];
    await log.append(drained(changing.map(id => entry(id, NOW))));
    await log.append(drained(other.map(id => entry(id, NOW))));
    expect(found([...changing, ...other])).toEqual([...changing, ...other]);
  });

  test('is found when its reply was overtaken by later ones', async () => {
    const ids = [5, 7, 6, 10, 8, 9, 20, 11].map(n => LOG_BLOCK_IDS + n);
    await log.append(drained(ids.slice(0, 4).map(id => entry(id, NOW))));
    await log.append(drained(ids.slice(4).map(id => entry(id, NOW))));
    expect(found(ids)).toEqual(ids);
  });

  test('never holds the key', async () => {
    const secret = 'S3CR3T-K3Y';
    const addresses = [
      `/?key=${secret}&id=a`,
      `/?%6bey=${secret}`,
      `/k/${secret}/search?q=x&key=${secret}`,
      `/?id=a&key=${secret}&key=${secret}`,
    ];
    const ids = addresses.map((_, i) => LOG_BLOCK_IDS + i);
    const run = drained(addresses.map((address, i) => ({ ...entry(ids[i], NOW), query: withoutKey(address) })));
    expect(Buffer.from(run).includes(secret)).toBe(false);
    await log.append(run);
    expect(JSON.stringify(ids.map(id => log.get(id, NOW)))).not.toContain(secret);
    expect(log.get(ids[0], NOW)!.query).toBe('/?id=a');
  });
});

describe('privacy: seven days', () => {
  const ids = [1, 2, 3, 4].map(n => LOG_BLOCK_IDS + n);

  test('a request is answered a moment before it is seven days old and not from then on, pruned or not', async () => {
    await log.append(drained([entry(ids[0], NOW)]));
    expect(found(ids, NOW + 7 * DAY - 1)).toEqual([ids[0]]);
    expect(found(ids, NOW + 7 * DAY)).toEqual([]);
  });

  test('pruning once an hour leaves nothing of that age in the tables, whatever else its chunk holds', async () => {
    await log.append(drained([entry(ids[0], NOW), entry(ids[1], NOW + 2 * HOUR)]));
    await log.append(drained([entry(ids[2], NOW + 2 * HOUR)]));
    await log.prune(NOW + 7 * DAY - HOUR);
    expect(found(ids, NOW + 6 * DAY)).toEqual([ids[0], ids[1], ids[2]]);
    await log.prune(NOW + 7 * DAY - HOUR + 1);
    expect(found(ids, NOW + 6 * DAY)).toEqual([ids[2]]);
    await log.prune(NOW + 30 * DAY);
    expect(log.storedBytes).toBe(0);
    expect(errors).toEqual([]);
  });

  test('what was written under a clock that ran ahead goes as well', async () => {
    await log.append(drained([entry(ids[0], NOW + 100 * DAY)]));
    await log.append(drained([entry(ids[1], NOW + HOUR - 1)]));
    await log.prune(NOW);
    expect(found(ids, NOW)).toEqual([ids[1]]);
  });

  test('ten thousand chunks come of age at once', async () => {
    const eachInABlockOfItsOwn = Array.from({ length: 10_000 }, (_, i) => entry((i + 1) * LOG_BLOCK_IDS, NOW + i));
    await log.append(drained(eachInABlockOfItsOwn));
    expect(found([LOG_BLOCK_IDS, 10_000 * LOG_BLOCK_IDS])).toHaveLength(2);
    await log.prune(NOW + 8 * DAY);
    expect(log.storedBytes).toBe(0);
  });
});

describe('the size', () => {
  test('stays within the limit, the oldest requests go first, and the file does not grow with what passes through', async () => {
    await log.close();
    reopen(2);
    const perChunk = 64;
    let id = LOG_BLOCK_IDS;
    let fileBytes = 0;
    for (let chunk = 0; chunk < 700; chunk++) {
      const sizes = 1 + ((chunk * 7919) % perChunk);
      await log.append(drained(Array.from({ length: sizes }, () => entry(id++, NOW + id, noise(1_500, id)))));
      expect(log.storedBytes).toBeLessThanOrEqual(2 * 1_048_576);
      if (chunk === 100) fileBytes = statSync(join(folder, 'requests', 'data.mdb')).size;
    }
    const passed = (id - LOG_BLOCK_IDS) * 1_500;
    expect(passed).toBeGreaterThan(15 * 2 * 1_048_576);
    const kept = Array.from({ length: id - LOG_BLOCK_IDS }, (_, i) => log.get(LOG_BLOCK_IDS + i, NOW) !== undefined);
    const oldestKept = kept.indexOf(true);
    expect(kept.slice(oldestKept).every(Boolean)).toBe(true);
    expect((kept.length - oldestKept) * 1_500).toBeGreaterThan(1.7 * 1_048_576);
    expect(statSync(join(folder, 'requests', 'data.mdb')).size).toBeLessThan(1.5 * Math.max(fileBytes, 2 * 1_048_576));
    expect(errors).toEqual([]);
  });

  test('a smaller limit after a restart holds with the next requests', async () => {
    await log.append(drained(Array.from({ length: 2_000 }, (_, i) => entry(LOG_BLOCK_IDS + i, NOW, noise(1_500, i)))));
    expect(log.storedBytes).toBeGreaterThan(2_000_000);
    await log.close();
    reopen(1);
    await log.append(drained([entry(3 * LOG_BLOCK_IDS, NOW)]));
    expect(log.storedBytes).toBeLessThanOrEqual(1_048_576);
    expect(found([3 * LOG_BLOCK_IDS])).toEqual([3 * LOG_BLOCK_IDS]);
  });
});

describe('what is wrong', () => {
  const path = () => join(folder, 'requests', 'data.mdb');

  test('a damaged run is reported, not thrown, and the next one is stored', async () => {
    await log.append(new Uint8Array(100));
    expect(errors).toEqual(['The request log lost something: A run of logged requests is damaged at byte 0.']);
    await log.append(drained([entry(LOG_BLOCK_IDS, NOW)]));
    expect(found([LOG_BLOCK_IDS])).toEqual([LOG_BLOCK_IDS]);
  });

  const cutToAThird = () => truncateSync(path(), Math.floor(statSync(path()).size / 3));
  test.each([
    [
      'a file that is no LMDB file',
      1,
      () => writeFileSync(path(), Buffer.alloc(20_000, 7)),
      'its data file is no LMDB database, or is damaged',
    ],
    [
      'a file of five bytes',
      1,
      () => writeFileSync(path(), 'hello'),
      'its data file is no LMDB database, or is damaged',
    ],
    ['a file of one page', 1, () => truncateSync(path(), 4_096), 'its data file is no LMDB database, or is damaged'],
    ['a file cut to a third', 4, cutToAThird, 'its data file has lost its end'],
    ['a file cut to a third that a power cut could have left', 1, cutToAThird, 'its data file has lost its end'],
  ])('%s is refused with an error that says what to do', async (_, appends, damage, sentence) => {
    for (let block = 1; block <= appends; block++) {
      await log.append(
        drained(Array.from({ length: 500 }, (_, i) => entry(block * LOG_BLOCK_IDS + i, NOW, noise(1_500, i)))),
      );
    }
    await log.close();
    const whole = readFileSync(path());
    damage();
    expect(reopen).toThrow(sentence);
    expect(reopen).toThrow('Put back a copy of that folder, or move it away');
    writeFileSync(path(), whole);
    reopen();
    expect(found([LOG_BLOCK_IDS])).toEqual([LOG_BLOCK_IDS]);
  });

  test('a file whose last pages were never written is whole', async () => {
    await log.append(drained(Array.from({ length: 1_000 }, (_, i) => entry(LOG_BLOCK_IDS + i, NOW, noise(1_500, i)))));
    await log.prune(NOW + 30 * DAY);
    // Into the freed pages, lowest first; the first ones may still go behind them.
    for (let n = 0; n < 10; n++) await log.append(drained([entry(3 * LOG_BLOCK_IDS + n, NOW)]));
    await log.close();
    const { size } = statSync(path());
    truncateSync(path(), size - 20 * 4_096);
    reopen();
    expect(found([3 * LOG_BLOCK_IDS])).toEqual([3 * LOG_BLOCK_IDS]);
    expect(statSync(path()).size).toBe(size);
  });

  test('a foreign LMDB environment, a newer format and a damaged counter are refused', async () => {
    await log.close();
    const write = async (key: string, value: Buffer) => {
      const root = open<Buffer, Buffer>({ path: join(folder, 'requests'), ...BINARY });
      await root.put(Buffer.from(key), value);
      await root.close();
    };
    await write('next block', Buffer.alloc(8, 255));
    expect(reopen).toThrow('The counter of log ids says NaN');
    await write('next block', Buffer.alloc(3));
    expect(reopen).toThrow('The counter of log ids has 3 bytes instead of 8');
    await write('format', Buffer.from([2]));
    expect(reopen).toThrow('it has format 2, and this version reads format 1');
    rmSync(join(folder, 'requests'), { recursive: true });
    await write('something else', Buffer.from('x'));
    expect(reopen).toThrow('is no request log');
    rmSync(join(folder, 'requests'), { recursive: true });
    reopen();
  });

  test.each([
    [
      'a flipped bit',
      (value: Buffer) => value.fill(value[2_000] ^ 1, 2_000, 2_001),
      `where request ${LOG_BLOCK_IDS} should be`,
    ],
    ['an empty page', (value: Buffer) => value.fill(0), `at the requests from ${LOG_BLOCK_IDS} on`],
    ['a short value', (value: Buffer) => value.subarray(0, 3), `at the requests from ${LOG_BLOCK_IDS} on`],
  ])('%s in a chunk is an error when its request is asked for', async (_, damaged, sentence) => {
    await log.append(drained([entry(LOG_BLOCK_IDS, NOW, noise(3_000, 1))]));
    await log.close();
    const root = open<Buffer, Buffer>({ path: join(folder, 'requests'), ...BINARY });
    const chunks = root.openDB<Buffer, Buffer>({ name: 'chunks', ...BINARY });
    const [key] = [...chunks.getKeys()];
    await chunks.put(key, damaged(chunks.getBinary(key)!));
    await root.close();
    reopen();
    expect(() => log.get(LOG_BLOCK_IDS, NOW)).toThrow(`The request log is damaged ${sentence}`);
  });

  test('a start that was killed before its first commit is a new log', async () => {
    await log.close();
    rmSync(join(folder, 'requests'), { recursive: true });
    mkdirSync(join(folder, 'requests'));
    writeFileSync(path(), '');
    reopen();
    await log.append(drained([entry(LOG_BLOCK_IDS, NOW)]));
    expect(found([LOG_BLOCK_IDS])).toEqual([LOG_BLOCK_IDS]);
  });
});

test('a log of a version with other tables is refused', async () => {
  await log.close();
  const path = join(folder, 'requests');
  const root = open({ path, noSubdir: false, maxDbs: 8, ...BINARY });
  root.openDB({ name: 'guesses', ...BINARY }).dropSync();
  await root.close();
  expect(() => reopen()).toThrow(
    'cannot be used: it has no table "guesses", as another version wrote it. Run the version that wrote it, or export ' +
      'with that version and import with this one.',
  );
  rmSync(path, { recursive: true });
  reopen();
});
