// Another map for the ground of the console: its file by ranges, and what the policy of the page lets in.

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeTileFile } from '../../kits/places/pmtiles_file.ts';
import { serve } from '../../kits/served_service.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

const LISTENS = /^The admin interface listens on (\S+)$/m;

async function served(map: string) {
  const service = await serve('--admin', '127.0.0.1:0', '--map', map);
  const url = LISTENS.exec(service.printed)![1];
  const authorization = `Bearer ${readFileSync(join(service.folder, 'admin.token'), 'utf8').trim()}`;
  return (path: string, headers: Record<string, string> = {}) =>
    fetch(`${url}${path}`, { headers: { authorization, ...headers } });
}

test('ranges of the file are read as they are, and no other file', async () => {
  const file = writeTileFile(join(temporaryFolder(), 'world.pmtiles'), 'Nowhere');
  const bytes = readFileSync(file);
  const get = await served(file);
  expect(((await (await get('/map')).json()) as { ground: string }).ground).toBe('/map/file');
  for (const [range, start, end] of [
    ['bytes=0-126', 0, 127],
    ['bytes=7-7', 7, 8],
    [`bytes=100-${10 * bytes.length}`, 100, bytes.length],
  ] as const) {
    const answer = await get('/map/file', { range });
    expect(answer.status).toBe(206);
    expect(answer.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/${bytes.length}`);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes.subarray(start, end));
  }
  for (const [range, status] of [
    ['', 400],
    ['bytes=5-', 400],
    ['bytes=0-1,3-4', 400],
    ['bytes=9-3', 416],
    [`bytes=${bytes.length}-${bytes.length + 5}`, 416],
  ] as const)
    expect([range, (await get('/map/file', { range })).status]).toEqual([range, status]);
  expect((await get('/map/file/../../admin.token', { range: 'bytes=0-9' })).status).toBe(404);
  const policy = (await get('/console/')).headers.get('content-security-policy')!;
  expect(policy).toContain("connect-src 'self';");
  rmSync(file);
  expect((await get('/map/file', { range: 'bytes=0-9' })).status).toBe(404);
});

test('an address elsewhere widens the policy of the page by its origin, for tiles only', async () => {
  const address = 'https://maps.example:8443/tiles/{z}/{x}/{y}.png?key=abc';
  const get = await served(address);
  expect(((await (await get('/map')).json()) as { ground: string }).ground).toBe(address);
  const policy = (await get('/console/')).headers.get('content-security-policy')!;
  expect(policy.match(/https:\/\/maps\.example:8443/g)!.length).toBe(2);
  expect(policy).toContain("connect-src 'self' https://maps.example:8443;");
  expect(policy).toContain("script-src 'self';");
  expect((await get('/map/file', { range: 'bytes=0-9' })).status).toBe(404);
});
