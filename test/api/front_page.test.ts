// The address of the service in a browser, and in everything else.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { RING_BYTES } from '../../src/pool/ring.ts';
import { type ServedParts, serveParts } from '../kits/served_parts.ts';

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

let served: ServedParts;
beforeAll(async () => {
  served = await serveParts({ mode: 'inline', workers: 1, ringBytes: RING_BYTES });
});
afterAll(() => served.close());

test('a browser gets a page that names the documents', async () => {
  const { status, headers, text } = await served.get('/', { headers: BROWSER });
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(text).toContain('docs/api.md');
  expect(text).toContain('docs/tour.md');
});

test('who sends a key, a scan or no wish for HTML gets the compact form', async () => {
  const answers = [
    await served.get('/?key=nobody', { headers: BROWSER }),
    await served.get('/?wifi=02:00:5e:00:00:d3', { headers: BROWSER }),
    await served.get('/', { headers: { accept: '*/*' } }),
    await served.get('/'),
  ];
  for (const { headers, text } of answers)
    expect([headers['content-type'], text]).toEqual(['text/plain; charset=utf-8', 'status=2']);
});
