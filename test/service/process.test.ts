// The life of the process: what it refuses to start on, how it stops, what commands do to it while it serves, and what
// a kill leaves behind.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatMac } from '../../src/radio/mac.ts';
import { HAS_OPENSSL, makeCertificate } from '../kits/certificate.ts';
import { Racer, totalBut, totalOf } from '../kits/racer.ts';
import { deviceMac } from '../kits/radio/stations.ts';
import { FEW_THREADS } from '../kits/served_service.ts';
import { expectError, runSextant, ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const DEMO_POINTS = { wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3' }, { macAddress: '02:00:5e:00:00:d4' }] };

const base = folderOfFile();
let service: ServiceProcess;
const services: ServiceProcess[] = [];

async function serve(folder: string, ...flags: string[]): Promise<ServiceProcess> {
  const started = await ServiceProcess.start(folder, ...FEW_THREADS, ...flags);
  services.push(started);
  return started;
}

beforeAll(async () => {
  service = await serve(join(base, 'var'));
});
afterAll(async () => {
  for (const started of services) await started.stop();
});

/** A hash of all that a folder holds. */
function contentsOf(folder: string): string {
  const hash = createHash('sha256');
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    hash.update(`${entry}\n`);
    if (statSync(join(folder, entry)).isFile()) hash.update(readFileSync(join(folder, entry)));
  }
  return hash.digest('hex');
}

describe('serve refuses', () => {
  test('a port in use, and makes no folder', async () => {
    const folder = join(base, 'second');
    const { code, stdout, stderr } = await runSextant('serve', '--port', String(service.port), '--data', folder);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      `Port ${service.port} on 127.0.0.1 is in use; stop what uses it, or choose another with --port.\n`,
    );
    expect(existsSync(folder)).toBe(false);
  });

  test('a folder in use, whose owner goes on', async () => {
    const { code, stderr } = await runSextant('serve', '--port', '0', '--data', service.folder);
    expect([code, stderr]).toEqual([1, `The data folder ${service.folder} is in use by process ${service.pid}.\n`]);
    expect((await service.post(service.demoKey, DEMO_POINTS)).status).toBe(200);
  });

  test('to listen beyond loopback without HTTPS, and makes no folder', async () => {
    const folder = join(base, 'bare');
    for (const host of ['0.0.0.0', '::']) {
      const { code, stderr } = await runSextant('serve', '--host', host, '--port', '0', '--data', folder);
      expect(code).toBe(1);
      expect(stderr).toBe(
        `Listening on ${host} without HTTPS would send keys in the clear: give --tls-cert and --tls-key, or ` +
          `--trust-proxy when a proxy ends HTTPS, or listen on 127.0.0.1.\n`,
      );
    }
    expect(existsSync(folder)).toBe(false);
  });

  describe('and leaves as it was', () => {
    let made: string;
    let count = 0;

    beforeAll(async () => {
      made = join(base, 'made');
      const first = await ServiceProcess.start(made, ...FEW_THREADS);
      await first.stop();
    });

    /** A copy of a good folder, damaged. */
    function damaged(file: string, contents: string | Buffer): string {
      const folder = join(base, `damaged-${count++}`);
      spawnSync('cp', ['-r', made, folder]);
      writeFileSync(join(folder, file), contents);
      return folder;
    }

    const page = Buffer.alloc(64 * 1024, 'x');
    test.each([
      [
        'a folder of another format',
        'FORMAT',
        '{"application":"sextant","format":2}\n',
        /^The data folder \S+ has format 2, and this version reads format 1; run the version that wrote it, /,
      ],
      ['a damaged FORMAT', 'FORMAT', '{"appli', /^The file \S+FORMAT is damaged or not Sextant's; /],
      ['the FORMAT of something else', 'FORMAT', '{"application":"other","format":1}', /is damaged or not Sextant's; /],
      ['a damaged account table', 'accounts/data.mdb', page, /accounts.*(damaged|cannot be used|Restore|restore)/],
      [
        'an account table that was cut off',
        'accounts/data.mdb',
        page.subarray(0, 100),
        /accounts.*(damaged|cannot be used|Restore|restore)/,
      ],
      [
        'a damaged station table',
        'stations/1/data.mdb',
        page,
        /^The station tables in \S+ cannot be used: .* Restore them from a backup, /,
      ],
      [
        'a station table that was cut off',
        'stations/1/data.mdb',
        page.subarray(0, 5000),
        /^The station tables in \S+ cannot be used: .* Restore them from a backup, /,
      ],
      [
        'a CURRENT that names nothing',
        'stations/CURRENT',
        '77\n',
        /^\S+CURRENT names generation 77, which is missing\. Restore the folder from a backup\.$/,
      ],
      ['a damaged CURRENT', 'stations/CURRENT', 'x', /^\S+CURRENT is damaged: .* Restore the folder from a backup\.$/],
    ])('%s', async (_, file, contents, sentence) => {
      const folder = damaged(file, contents);
      const before = readFileSync(join(folder, file));
      const { code, stdout, stderr } = await runSextant('serve', '--port', '0', '--data', folder);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr.trim()).toMatch(sentence);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(readFileSync(join(folder, file)).equals(before)).toBe(true);
    });

    test('a folder of something else', async () => {
      const folder = join(base, 'photos');
      mkdirSync(folder);
      writeFileSync(join(folder, 'cat.jpg'), 'x');
      const before = contentsOf(folder);
      const { code, stderr } = await runSextant('serve', '--port', '0', '--data', folder);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^\S+photos is not a data folder of Sextant: it holds "cat\.jpg" but no FORMAT file; /);
      expect(contentsOf(folder)).toBe(before);
    });
  });
});

describe('a stop', () => {
  test('answers what is in flight, also a body that is still coming, and exits with 0', async () => {
    const stopped = await ServiceProcess.start(join(base, 'stopped'), ...FEW_THREADS);
    const body = JSON.stringify(DEMO_POINTS);
    const socket = connect(stopped.port, '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', chunk => {
      text += chunk;
    });
    // One whole request and its answer, so that the connection is surely accepted; then the half of another.
    const head = `POST /?key=${stopped.demoKey} HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n`;
    socket.write(head + body);
    while (!text.includes('logId')) await once(socket, 'data');
    socket.write(head + body.slice(0, 20));
    // The first half has arrived when a request sent after it is answered.
    expect((await stopped.post(stopped.demoKey, DEMO_POINTS)).status).toBe(200);
    process.kill(stopped.pid, 'SIGTERM');
    await stopped.hasPrinted('Stopping on SIGTERM.');
    await refused(stopped.port);
    text = '';
    socket.write(body.slice(20));
    await once(socket, 'close');
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(text.toLowerCase()).toContain('connection: close');
    expect(await stopped.ended).toMatchObject({ code: 0, signal: null });
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('by %s in a crowd of requests answers each that it took', async signal => {
    const crowded = await ServiceProcess.start(join(base, 'crowded'), '--http-threads', '2');
    const { id, key } = await crowded.key({ credits: 50_000 });
    let left = 400;
    const racers: Racer[] = [];
    await new Promise<void>(reached => {
      for (let i = 0; i < 8; i++)
        racers.push(
          new Racer(crowded.port, `/?key=${key}`, JSON.stringify(DEMO_POINTS), () => {
            left--;
            if (left === 0) reached();
            return true;
          }),
        );
    });
    expect(await crowded.stop(signal)).toMatchObject({ code: 0, signal: null });
    await Promise.all(racers.map(({ closed }) => closed));
    expect(totalBut(racers, 200)).toBe(0);
    const { stdout } = await runSextant('keys', 'show', String(id), '--data', crowded.folder);
    expect(JSON.parse(stdout).credits).toBe(50_000 - totalOf(racers, 200));
  });
});

/** Resolves once connections to the port are refused. */
async function refused(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const outcome = await Promise.race([
      once(socket, 'connect').then(() => 'accepted'),
      new Promise<string>(done => socket.once('error', () => done('refused'))),
    ]);
    socket.destroy();
    if (outcome === 'refused') return;
  }
}

describe('commands of another process', () => {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results by path
  const sextant = async (...words: string[]): Promise<any> => {
    const { code, stdout, stderr } = await runSextant(...words, '--data', service.folder);
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout);
  };

  test('make, change, credit and revoke keys that the service knows at once', async () => {
    const made = await sextant('keys', 'create', '--name', 'fleet', '--credits', '1');
    const ask = async (body = {}) => service.post(made.key, { ...DEMO_POINTS, credits: 1, expires: 1, ...body });
    expect((await ask()).json).toMatchObject({ credits: 0 });
    expectError(await ask(), 403, 'creditsExceeded', 'usageLimits');
    await sextant('keys', 'credit', String(made.id), '5');
    expect((await ask()).json).toMatchObject({ credits: 4 });
    await sextant('keys', 'update', String(made.id), '--expires', '2099-01-01', '--rate', '0.01');
    expect((await ask()).json).toMatchObject({ credits: 3, expires: '2099-01-01' });
    expectError(await ask(), 429, 'userRateLimitExceeded', 'usageLimits');
    await sextant('keys', 'update', String(made.id), '--no-rate', '--no-credits');
    expect((await ask()).json).not.toHaveProperty('credits');
    await service.job({ verb: 'keys', action: 'update', id: made.id, settings: { expires: '2020-01-01' } });
    expectError(await ask(), 400, 'keyInvalid', 'usageLimits');
    await sextant('keys', 'update', String(made.id), '--no-expires');
    expect((await ask()).status).toBe(200);
    expect(await sextant('keys', 'revoke', String(made.id))).toMatchObject({ revoked: true });
    expectError(await ask(), 400, 'keyInvalid', 'usageLimits');
    const listed = JSON.stringify(await sextant('keys', 'list'));
    expect(listed).toContain('"fleet"');
    expect(listed).not.toContain(made.key);
  });

  test('import while requests are answered and charged, and the stations are found at once', async () => {
    const file = join(base, 'imported.csv');
    writeFileSync(file, accessPoints(200_000, 40));
    const { id, key } = await service.key({ credits: 1_000_000 });
    let going = true;
    const racers = Array.from(
      { length: 2 },
      () => new Racer(service.port, `/?key=${key}`, JSON.stringify(DEMO_POINTS), () => going),
    );
    const { code, stdout } = await runSextant('import', 'wifi', file, '--data', service.folder);
    expect(code).toBe(0);
    expect(stdout).toContain('Accepted 200,000 rows: 200,000 new stations');
    expect((await service.post(service.demoKey, sample(0))).json.location.lat).toBeCloseTo(40, 2);
    going = false;
    await Promise.all(racers.map(({ closed }) => closed));
    expect(totalOf(racers, 200)).toBeGreaterThan(10);
    expect(totalBut(racers, 200)).toBe(0);
    expect(await sextant('keys', 'show', String(id))).toMatchObject({ credits: 1_000_000 - totalOf(racers, 200) });
    expect((await service.post(service.demoKey, DEMO_POINTS)).status).toBe(200);
  });

  test('that fail say why', async () => {
    const missing = await runSextant('import', 'wifi', join(base, 'nowhere.csv'), '--data', service.folder);
    expect([missing.code, missing.stderr]).toEqual([1, `${join(base, 'nowhere.csv')} does not exist.\n`]);
    const unknown = await runSextant('keys', 'show', '99999', '--data', service.folder);
    expect([unknown.code, unknown.stderr]).toEqual([1, 'There is no key with id 99999.\n']);
  });

  test('take the demo town and its key out', async () => {
    const folder = join(base, 'demo');
    const demo = await serve(folder);
    const { key } = await demo.key();
    expect((await demo.post(key, DEMO_POINTS)).status).toBe(200);
    const { code, stdout } = await runSextant('demo', 'remove', '--data', folder);
    expect([code, JSON.parse(stdout)]).toEqual([0, { stations: 449, keys: 1 }]);
    expectError(await demo.post(demo.demoKey, DEMO_POINTS), 400, 'keyInvalid', 'usageLimits');
    expectError(await demo.post(key, DEMO_POINTS), 404, 'notFound', 'geolocation');
    const cell = { radioType: 'lte', mobileCountryCode: 1, mobileNetworkCode: 1, locationAreaCode: 1, cellId: 256_001 };
    expectError(await demo.post(key, { cellTowers: [cell] }), 404, 'notFound', 'geolocation');
    await demo.stop();
    const again = await serve(folder);
    expect(again.printed).not.toContain('Demo key');
    expectError(await again.post(key, DEMO_POINTS), 404, 'notFound', 'geolocation');
  });
});

/** A list of access points, every one 11 m north of the one before. */
function accessPoints(count: number, latitude: number): string {
  const rows = ['bssid,lat,lon'];
  for (let i = 0; i < count; i++) rows.push(`${macOf(i)},${(latitude + i * 0.0001).toFixed(4)},20`);
  return `${rows.join('\n')}\n`;
}

function macOf(i: number): string {
  return formatMac(deviceMac(1_000_000 + i));
}

/** Three neighbours of that list. */
function sample(i: number): object {
  return { wifiAccessPoints: [i, i + 1, i + 2].map(n => ({ macAddress: macOf(n) })) };
}

describe('the end in the middle of an import', () => {
  const COUNT = 120_000;
  let folder: string;
  let file: string;

  beforeAll(async () => {
    folder = join(base, 'interrupted');
    file = join(base, 'new.csv');
    writeFileSync(join(base, 'old.csv'), accessPoints(COUNT, 10));
    writeFileSync(file, accessPoints(COUNT, 50));
    expect((await runSextant('import', 'wifi', join(base, 'old.csv'), '--data', folder)).code).toBe(0);
  });

  /**
   * Serves the folder, ends the service in that phase of an import, serves again and tells where a sample of the
   * stations is now.
   */
  async function interrupt(signal: NodeJS.Signals, phase: string): Promise<number[]> {
    const first = await serve(folder);
    const { key } = await first.key();
    let ended: ReturnType<ServiceProcess['stop']> | undefined;
    const imported = first.job({ verb: 'import', kind: 'wifi', files: [file] }, progress => {
      if (progress.phase === phase) ended ??= first.stop(signal);
    });
    await expect(imported).rejects.toThrow(
      signal === 'SIGKILL' ? /start the job again|broke/ : 'The service is stopping; the job was not finished.',
    );
    expect(await ended).toMatchObject(signal === 'SIGKILL' ? { signal } : { code: 0, signal: null });
    const second = await serve(folder);
    expect(readdirSync(folder).filter(name => name.startsWith('import-'))).toEqual([]);
    expect(readdirSync(join(folder, 'stations')).filter(name => name.endsWith('.partial'))).toEqual([]);
    const bases = new Set<number>();
    for (let i = 0; i < COUNT; i += 9_999) {
      const { location } = (await second.post(key, sample(i))).json;
      bases.add(Math.round(location.lat - i * 0.0001));
    }
    await second.stop();
    return [...bases];
  }

  test.each(['SIGKILL', 'SIGTERM'] as const)(
    'by %s while the files are read leaves the tables as they were',
    async signal => {
      expect(await interrupt(signal, 'reading')).toEqual([10]);
    },
  );

  test.each(['SIGKILL', 'SIGTERM'] as const)(
    'by %s while the tables are written leaves the old ones or the new ones',
    async signal => {
      expect([[10], [50]]).toContainEqual(await interrupt(signal, 'writing'));
    },
  );

  test('does not stand in the way of the next import', async () => {
    expect((await runSextant('import', 'wifi', file, '--data', folder)).code).toBe(0);
    const last = await serve(folder);
    const { key } = await last.key();
    expect((await last.post(key, sample(COUNT - 3))).json.location.lat).toBeCloseTo(50 + COUNT * 0.0001, 2);
  });
});

test.skipIf(!HAS_OPENSSL)('HTTPS is served with a certificate of the operator, on any address', async () => {
  const { certFile, keyFile, cert } = makeCertificate(base);
  const secure = await serve(join(base, 'secure'), '--host', '127.0.0.1', '--tls-cert', certFile, '--tls-key', keyFile);
  expect(secure.url).toMatch(/^https:/);
  const ask = (path: string, body: string) =>
    new Promise<{ status: number; json: unknown }>((resolve, reject) => {
      const request = httpsRequest(secure.url, { ca: cert, method: 'POST', path, agent: false }, response => {
        const chunks: Buffer[] = [];
        response.on('data', chunk => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode!, json: JSON.parse(Buffer.concat(chunks).toString()) }),
        );
      });
      request.on('error', reject);
      request.end(body);
    });
  expect((await ask(`/?key=${secure.demoKey}`, JSON.stringify(DEMO_POINTS))).json).toHaveProperty('location');
  expect((await ask('/', '{}')).status).toBe(400);
  // HTTP without TLS gets no answer and no open connection.
  expect(
    await secure.raw(`POST /?key=${secure.demoKey} HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}`),
  ).not.toContain('location');
  const wrong = await runSextant(
    'serve',
    '--port',
    '0',
    '--data',
    join(base, 'never'),
    '--tls-cert',
    certFile,
    '--tls-key',
    certFile,
  );
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toMatch(/^The certificate \S+ and the key \S+ cannot be used together: /);
  expect(existsSync(join(base, 'never'))).toBe(false);
});
