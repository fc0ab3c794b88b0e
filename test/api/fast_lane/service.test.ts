// The whole service: a request has the same answer and the same line in the log, whichever way it takes.

import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServiceProcess } from '../../kits/service_process.ts';
import { folderOfFile } from '../../kits/temporary_folder.ts';

const POINTS = { wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3' }, { macAddress: '02:00:5e:00:00:d4' }] };
/** A field that the lane does not know. */
const ASIDE = { 'x-aside': '1' };

const base = folderOfFile();
let service: ServiceProcess;
let key: string;
beforeAll(async () => {
  service = await ServiceProcess.start(join(base, 'var'), '--http-threads', '1', '--workers', '1');
  ({ key } = await service.key());
});
afterAll(() => service?.stop());

test.each([
  ['a position', '', POINTS],
  ['a device and its request number', '&id=bus%2012&nr=7', POINTS],
  ['a parameter of no meaning', '&x=a%26b', POINTS],
  ['no position', '', {}],
  ['a number that is none', '&nr=x', POINTS],
  ['a device name that is too long', `&id=${'x'.repeat(21)}`, POINTS],
  ['a wrong structure', '', { wifiAccessPoints: 5 }],
  ['a wrong key', 'wrong', POINTS],
  [
    'a contribution',
    '',
    {
      wifiAccessPoints: [{ macAddress: '06:00:00:00:00:01' }, { macAddress: '06:00:00:00:00:02' }],
      gps: { latitude: 1.25, longitude: -2.5, accuracy: 5, age: 0 },
    },
  ],
])('%s', async (_, query, body) => {
  const kept = [];
  for (const headers of [{}, ASIDE]) {
    const answer = await service.request({
      path: `/?key=${key}${query}`,
      headers: headers as Record<string, string>,
      body,
    });
    const { logId } = answer.json;
    const { time, latencyMs, ...record } = await service.logged(logId);
    expect(latencyMs).toBeGreaterThan(0);
    expect(time).toMatch(/^\d{4}-.*Z$/);
    const { date, ...answered } = answer.headers;
    expect(date).toMatch(/ GMT$/);
    const text = JSON.stringify([answer.status, answered, answer.text, record]);
    kept.push(text.replaceAll(String(logId), 'ID'));
  }
  expect(kept[0]).toBe(kept[1]);
});

test.each([
  ['an address', '/reverse?lat=47.14&lon=9.52'],
  ['a place in a language', '/reverse?lat=47.14&lon=9.52&zoom=3', { 'accept-language': 'ja' }],
  ['a form for pages', '/reverse?lat=47.14&lon=9.52&format=jsonv2&extratags=1'],
  ['a device and its request number', '/reverse?lat=47.14&lon=9.52&id=bus%2012&nr=7'],
  ['nothing at the place', '/reverse?lat=0&lon=-30'],
  ['a parameter that is missing', '/reverse?lat=47'],
  ['a parameter that is no UTF-8', '/search?q=%ff'],
  ['a search', '/search?q=Vaduz%2C+Liechtenstein'],
  ['a search for letters of another script', '/search?q=%E6%9D%B1%E4%BA%AC'],
  ['a search without an answer', '/search?q=qqqqqqq'],
  ['a search without words', '/search'],
  ['a wrong key', '/search?q=Vaduz&key=wrong'],
])('%s by GET', async (_, target, languages: Record<string, string> = {}) => {
  const kept = [];
  for (const headers of [languages, { ...languages, ...ASIDE }]) {
    const withKey = target.includes('key=') ? target : `${target}${target.includes('?') ? '&' : '?'}key=${key}`;
    const answer = await service.request({ method: 'GET', path: withKey, headers });
    const { 'x-log-id': inHeader, date, ...answered } = answer.headers;
    const logId = inHeader ?? answer.json.logId;
    const { time, latencyMs, ...record } = await service.logged(Number(logId));
    expect([time, latencyMs]).toEqual([expect.any(String), expect.any(Number)]);
    expect(date).toMatch(/ GMT$/);
    kept.push(JSON.stringify([answer.status, answered, answer.text, record]).replaceAll(String(logId), 'ID'));
  }
  expect(kept[0]).toBe(kept[1]);
});
