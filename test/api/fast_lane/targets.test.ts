import { expect, test } from 'vitest';
import { Targets } from '../../../src/api/fast_lane/targets.ts';

const read = (targets: Targets, url: string) => {
  const bytes = Buffer.from(`POST ${url} HTTP/1.1`);
  return targets.read(bytes, 5, 5 + url.length, undefined);
};

test('a plain query is read, and what the log holds of it', () => {
  expect(read(new Targets(), '/v1/geolocate?key=a%20b+c&id=%C3%BC&x=1')).toMatchObject({
    url: '/v1/geolocate?key=a%20b+c&id=%C3%BC&x=1',
    query: { key: 'a b c', id: 'ü', x: '1' },
    loggedUrl: '/v1/geolocate?id=%C3%BC&x=1',
  });
  expect(read(new Targets(), '/?key=secret&nr=5')).toMatchObject({ query: { key: 'secret', nr: '5' }, loggedUrl: '/' });
  for (const url of ['/', '/?']) expect(read(new Targets(), url)).toMatchObject({ query: {}, loggedUrl: '/' });
});

test.each([
  '/?key',
  '/?=1',
  '/?key=1&key=2',
  '/?key=1&',
  '/?key=%zz',
  '/?key=%ff',
  '/?k%65y=1',
  '/?key=1=2',
  '/?key=1;nr=2',
  '/?key="',
])('what is not plain is left to Fastify: %s', url => {
  expect(read(new Targets(), url)).toBeUndefined();
});

test('the same bytes are the same target, until eight others have come', () => {
  const targets = new Targets();
  const first = read(targets, '/?key=a');
  expect(read(targets, '/?key=b')).not.toBe(first);
  expect(read(targets, '/?key=a')).toBe(first);
  for (let other = 0; other < 8; other++) read(targets, `/?key=${other}`);
  const again = read(targets, '/?key=a');
  expect(again).not.toBe(first);
  expect(again).toEqual(first);
});
