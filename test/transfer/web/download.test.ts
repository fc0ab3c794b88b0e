import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Download, download } from '../../../src/transfer/web/download.ts';
import { FileServer } from '../../kits/file_server.ts';
import { uniform } from '../../kits/random.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

const random = uniform(7);
const BYTES = Buffer.from(Array.from({ length: 300_000 }, () => Math.floor(random() * 256)));
const OTHER = Buffer.from(BYTES).reverse();
const PATH = '/europe/vaduz.osm.pbf';
const NAME = 'vaduz.osm.pbf';
const AT_ONCE = { attempts: 3, waitMs: () => 0 };

interface Fetching {
  server: FileServer;
  folder: string;
  told: [number, number][];
  fetch(more?: Partial<Download>): Promise<string>;
  /** Bytes of the whole file, and of the partial one. */
  left(): [Buffer | undefined, Buffer | undefined];
}

async function fetching(etag?: string, bytes = BYTES): Promise<Fetching> {
  const server = await FileServer.start();
  const url = server.offer(PATH, bytes, etag);
  const folder = temporaryFolder();
  const told: [number, number][] = [];
  const read = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name)) : undefined);
  return {
    server,
    folder,
    told,
    fetch: more =>
      download({
        url,
        folder,
        patience: AT_ONCE,
        onProgress: (...progress) => {
          told.push(progress);
          server.received(progress[0]);
        },
        ...more,
      }),
    left: () => [read(NAME), read(`${NAME}.partial`)],
  };
}

const ranges = ({ asked }: FileServer) => asked.filter(each => each.startsWith(`${PATH} `) || each === PATH);

test('a file comes whole, under its name, and tells how far it is', async () => {
  const { fetch, told, folder, server } = await fetching('"1"');
  const path = await fetch();
  expect(path).toBe(join(folder, NAME));
  expect(readFileSync(path).equals(BYTES)).toBe(true);
  expect([told[0], told.at(-1)]).toEqual([
    [0, BYTES.length],
    [BYTES.length, BYTES.length],
  ]);
  expect(ranges(server)).toEqual([PATH]);
});

test('a connection that breaks off is taken up again where it ended', async () => {
  const { fetch, server } = await fetching('"1"');
  const ends = [100_000, 200_000];
  server.misbehave = ({ url, headers }, response, file) => {
    const end = url === PATH ? ends.shift() : undefined;
    return end !== undefined && server.breakOff(response, file!, Number(headers.range?.slice(6, -1) ?? 0), end);
  };
  expect(readFileSync(await fetch()).equals(BYTES)).toBe(true);
  expect(ranges(server)).toEqual([PATH, `${PATH} bytes=100000-`, `${PATH} bytes=200000-`]);
});

test('each piece is new patience, but none that brings nothing is', async () => {
  const { fetch, server, left } = await fetching('"1"');
  server.misbehave = ({ url, headers }, response, file) => {
    const from = Number(headers.range?.slice(6, -1) ?? 0);
    return url === PATH && server.breakOff(response, file!, from, Math.min(from + 25_000, 200_000));
  };
  await expect(fetch()).rejects.toThrow(/vaduz\.osm\.pbf cannot be fetched: .*\w\.$/);
  expect(ranges(server).length).toBe(8 + AT_ONCE.attempts - 1);
  expect(left()).toEqual([undefined, BYTES.subarray(0, 200_000)]);
  server.misbehave = () => false;
  expect(readFileSync(await fetch()).equals(BYTES)).toBe(true);
  expect(ranges(server).at(-1)).toBe(`${PATH} bytes=200000-`);
});

test('a file that has changed meanwhile is begun anew', async () => {
  const { fetch, server } = await fetching('"1"');
  let broken = false;
  server.misbehave = ({ url }, response, file) => {
    if (broken || url !== PATH) return false;
    broken = true;
    server.breakOff(response, file!, 0, 100_000);
    server.offer(PATH, OTHER, '"2"');
    return true;
  };
  expect(readFileSync(await fetch()).equals(OTHER)).toBe(true);
  expect(ranges(server)).toEqual([PATH, `${PATH} bytes=100000-`]);
});

test('parts of two versions are never joined, even by a server that ignores the condition', async () => {
  const { fetch, server, folder } = await fetching('"2"', OTHER);
  writeFileSync(join(folder, `${NAME}.partial`), BYTES.subarray(0, 100_000));
  writeFileSync(join(folder, `${NAME}.from`), JSON.stringify({ validator: '"1"', total: BYTES.length }));
  server.misbehave = ({ headers, url }, response, file) => {
    if (headers.range === undefined || url !== PATH) return false;
    response.writeHead(206, { etag: '"2"', 'content-range': `bytes 100000-299999/300000` });
    response.end(file!.bytes.subarray(100_000));
    return true;
  };
  expect(readFileSync(await fetch()).equals(OTHER)).toBe(true);
  expect(ranges(server)).toEqual([`${PATH} bytes=100000-`, PATH]);
});

test('a part that begins elsewhere, or ends too early, is no rest', async () => {
  const { fetch, server, folder } = await fetching('"1"');
  writeFileSync(join(folder, `${NAME}.partial`), BYTES.subarray(0, 100_000));
  writeFileSync(join(folder, `${NAME}.from`), JSON.stringify({ validator: '"1"', total: BYTES.length }));
  let answers = 0;
  server.misbehave = ({ url, headers }, response) => {
    if (url !== PATH || headers.range === undefined || ++answers > 2) return false;
    // Without a length the end of an answer looks like that of the file.
    const from = answers === 1 ? 100_000 : 150_001;
    response.writeHead(206, { etag: '"1"', 'content-range': `bytes ${from}-299999/300000` });
    response.end(BYTES.subarray(from, from + 50_000));
    return true;
  };
  expect(readFileSync(await fetch()).equals(BYTES)).toBe(true);
  expect(ranges(server)).toEqual([`${PATH} bytes=100000-`, `${PATH} bytes=150000-`, PATH]);
});

test('a server that ignores ranges, or tells no version, sends all again', async () => {
  for (const etag of ['"1"', 'W/"1"', undefined]) {
    const { fetch, server } = await fetching(etag);
    let broken = false;
    server.misbehave = ({ url }, response, file) => {
      if (url !== PATH) return false;
      if (broken) response.writeHead(200, { 'content-length': BYTES.length }).end(BYTES);
      else server.breakOff(response, file!, 0, 100_000);
      broken = true;
      return true;
    };
    expect(readFileSync(await fetch()).equals(BYTES)).toBe(true);
    expect(ranges(server)).toEqual([PATH, etag === '"1"' ? `${PATH} bytes=100000-` : PATH]);
  }
});

test('a date tells versions apart too', async () => {
  const { fetch, server, folder } = await fetching();
  const lastModified = 'Sun, 29 Nov 2026 20:21:02 GMT';
  server.files.set(PATH, { bytes: BYTES, lastModified });
  writeFileSync(join(folder, `${NAME}.partial`), BYTES.subarray(0, 100_000));
  writeFileSync(join(folder, `${NAME}.from`), JSON.stringify({ validator: lastModified, total: BYTES.length }));
  expect(readFileSync(await fetch()).equals(BYTES)).toBe(true);
  expect(ranges(server)).toEqual([`${PATH} bytes=100000-`]);
});

test('a file that is there already is asked for, and not fetched again', async () => {
  const { fetch, server } = await fetching('"1"');
  await fetch();
  expect(readFileSync(await fetch()).equals(BYTES)).toBe(true);
  expect(ranges(server)).toEqual([PATH, `${PATH} bytes=300000-`]);
  server.offer(PATH, OTHER, '"2"');
  expect(readFileSync(await fetch()).equals(OTHER)).toBe(true);
});

test('what is said about a part that makes no sense is nothing', async () => {
  for (const about of ['', '[]', '{"validator":1}', '{"validator":"\\"1\\"","total":"x"}']) {
    const { fetch, folder } = await fetching('"1"');
    writeFileSync(join(folder, `${NAME}.partial`), BYTES.subarray(0, 100_000));
    writeFileSync(join(folder, `${NAME}.from`), about);
    expect(readFileSync(await fetch()).equals(BYTES)).toBe(true);
  }
});

test('a part of another length is begun anew', async () => {
  const { fetch, server, folder } = await fetching('"1"');
  writeFileSync(join(folder, `${NAME}.partial`), Buffer.alloc(400_000));
  writeFileSync(join(folder, `${NAME}.from`), JSON.stringify({ validator: '"1"', total: BYTES.length }));
  expect(readFileSync(await fetch()).equals(BYTES)).toBe(true);
  expect(ranges(server)).toEqual([`${PATH} bytes=400000-`, PATH]);
});

test.each([
  [404, 'Not Found'],
  [403, 'Forbidden'],
  [400, 'Bad Request'],
])('an answer of %i ends at once, and what has come stays', async (status, words) => {
  const { fetch, server, folder, left } = await fetching('"1"');
  writeFileSync(join(folder, `${NAME}.partial`), BYTES.subarray(0, 100_000));
  writeFileSync(join(folder, `${NAME}.from`), JSON.stringify({ validator: '"1"', total: BYTES.length }));
  server.misbehave = (_, response) => Boolean(response.writeHead(status).end('no such thing'));
  await expect(fetch()).rejects.toThrow(
    `${server.origin}${PATH} cannot be fetched: the server answers with ${status} ${words}.`,
  );
  expect([ranges(server).length, left()[1]?.length]).toEqual([1, 100_000]);
});

test('a page of a server under a status of success takes nothing away', async () => {
  const { fetch, server, folder, left } = await fetching('"1"');
  writeFileSync(join(folder, `${NAME}.partial`), BYTES.subarray(0, 100_000));
  writeFileSync(join(folder, `${NAME}.from`), JSON.stringify({ validator: '"1"', total: BYTES.length }));
  server.misbehave = (_, response) =>
    Boolean(response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<h1>Sorry</h1>'));
  await expect(fetch()).rejects.toThrow(/answers with a page \(text\/html; charset=utf-8\) and not with a file\.$/);
  expect(left()[1]?.length).toBe(100_000);
});

test.each([408, 429, 500, 503])('after an answer of %i it is asked again', async status => {
  const { fetch, server } = await fetching('"1"');
  let answers = 0;
  server.misbehave = (_, response) => answers++ < 2 && Boolean(response.writeHead(status).end());
  expect(readFileSync(await fetch()).equals(BYTES)).toBe(true);
  expect(ranges(server).length).toBe(3);
  answers = -10;
  await expect(fetch()).rejects.toThrow(/cannot be fetched: the server answers with \d+ .*\.$/);
});

test('a server that lies about the length is not believed', async () => {
  const { fetch, server, left } = await fetching('"1"');
  // It says more than it has, each time.
  server.misbehave = ({ url, headers }, response) => {
    if (url !== PATH) return false;
    if (headers.range !== undefined) response.writeHead(416, { 'content-range': 'bytes */300000' }).end();
    else {
      response.writeHead(200, { etag: '"1"', 'content-length': 400_000 });
      response.write(BYTES, () => response.destroy());
    }
    return true;
  };
  expect(readFileSync(await fetch()).equals(BYTES)).toBe(true);
  // It sends more than it said.
  server.misbehave = ({ url }, response) => {
    if (url !== PATH) return false;
    response.writeHead(206, { etag: '"1"', 'content-range': 'bytes 300000-300001/300002' });
    response.end(BYTES);
    return true;
  };
  await expect(fetch()).rejects.toThrow(/cannot be fetched/);
  expect(left()[0]).toBeUndefined();
});

test('a file without a stated length is bounded, too', async () => {
  const { fetch, server, left } = await fetching('"1"');
  server.misbehave = ({ url }, response) => url === PATH && Boolean(response.writeHead(200).end(BYTES));
  expect(readFileSync(await fetch()).equals(BYTES)).toBe(true);
  await expect(fetch({ bytesMax: 250_000 })).rejects.toThrow(/has more than 250,000 bytes\.$/);
  expect(left()).toEqual([undefined, undefined]);
  server.misbehave = () => false;
  await expect(fetch({ bytesMax: 250_000 })).rejects.toThrow(/has more than 250,000 bytes\.$/);
  server.offer(PATH, '', '"1"');
  await expect(fetch()).rejects.toThrow(/is empty\.$/);
});

test('a disk without room is found before', async () => {
  const { fetch, server } = await fetching('"1"');
  server.misbehave = ({ url }, response) => {
    if (url !== PATH) return false;
    response.writeHead(200, { 'content-length': 2 ** 37 }).flushHeaders();
    response.destroy();
    return true;
  };
  await expect(fetch()).rejects.toThrow(/^The download of .* needs \d+ MB of free disk, and \d+ MB are left\.$/);
});

test.each([
  ['.md5', 'md5'],
  ['.sha256', 'sha256'],
])('the hash that a server has beside a file (%s) must be its own', async (suffix, algorithm) => {
  const { fetch, server, folder } = await fetching('"1"');
  const hash = createHash(algorithm).update(BYTES).digest('hex');
  server.offer(PATH + suffix, `${hash.toUpperCase()}  ${NAME}\n`);
  expect(readFileSync(await fetch()).equals(BYTES)).toBe(true);
  server.offer(PATH + suffix, `${createHash(algorithm).update(OTHER).digest('hex')}  ${NAME}\n`);
  await expect(fetch()).rejects.toThrow(`is not what ${server.origin}${PATH}${suffix} says, and was removed.`);
  expect(readdirSync(folder)).toEqual([]);
});

test('what is no hash is none, and a server that fails at it is asked again', async () => {
  const { fetch, server } = await fetching('"1"');
  server.offer(`${PATH}.md5`, `<html>\n${'0'.repeat(32)}`);
  let answers = 0;
  server.misbehave = ({ url }, response) =>
    url === `${PATH}.sha256` && answers++ < 2 && Boolean(response.writeHead(500).end());
  expect(readFileSync(await fetch()).equals(BYTES)).toBe(true);
  expect(answers).toBe(3);
});

test('addresses that cannot be asked are named', async () => {
  const { folder, server } = await fetching();
  const at = (url: string) => download({ url, folder, patience: AT_ONCE, onProgress: () => {} });
  await expect(at('http://')).rejects.toThrow('http:// is no address of the web.');
  await expect(at('ftp://example.org/a')).rejects.toThrow('ftp://example.org/a is no address of the web.');
  await expect(at('https://me:secret@example.org/a')).rejects.toThrow(
    'https://example.org/a: an address must not hold a user or a password.',
  );
  const { origin } = server;
  server.misbehave = (request, response) =>
    Boolean(response.writeHead(302, { location: `${origin}${request.url}` }).end());
  await expect(at(`${origin}/turn`)).rejects.toThrow(/cannot be fetched: redirect/);
  await expect(at('http://127.0.0.1:1/a')).rejects.toThrow(/cannot be fetched: .*(port|ECONNREFUSED)/);
});

test('a name of an address is one that a disk takes', async () => {
  const { server, folder } = await fetching();
  const nameOf = async (path: string) => {
    const url = server.offer(path, BYTES);
    return (await download({ url, folder, patience: AT_ONCE, onProgress: () => {} })).slice(folder.length + 1);
  };
  expect(await nameOf('/a/b%2F..%2F..c.pbf?x=/y')).toBe('b_2F.._2F..c.pbf');
  expect(await nameOf('/')).toBe('file');
  expect(await nameOf(`/${'x'.repeat(300)}.pbf`)).toHaveLength(100);
});
