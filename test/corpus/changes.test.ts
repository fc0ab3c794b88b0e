import { expect, test } from 'vitest';
import { compare, describe } from './changes.ts';
import type { KeptAnswer } from './exchange.ts';
import type { Exchange } from './replay.ts';

const answer = (request: string, body: string, status = 200): KeptAnswer => ({ request, status, headers: {}, body });
const exchange = (kept: KeptAnswer): Exchange => ({
  request: { method: 'GET', path: `/${kept.request}` },
  answer: kept,
});
const changed = (recorded: KeptAnswer[], now: KeptAnswer[]) => describe(compare(recorded, now.map(exchange)));

test('changes are counted by kind, with two samples each, the most frequent kind first', () => {
  const names = ['a', 'b', 'c', 'd'];
  const recorded = [...names.map(name => answer(name, '{"accuracy":1,"lat":5}')), answer('e', '{"list":[1,{"x":2}]}')];
  const now = [
    ...['a', 'b', 'c'].map(name => answer(name, '{"accuracy":2,"lat":5}')),
    answer('d', 'Not found', 404),
    answer('e', '{"list":[1,{"x":3,"y":4}]}'),
  ];
  expect(changed(recorded, now)).toBe(`3 × accuracy changed
  GET /a {} 
    accuracy: 1 → 2
  GET /b {} 
    accuracy: 1 → 2

1 × status 200 → 404, accuracy removed, lat removed, text added
  GET /d {} 
    status: 200 → 404
    accuracy: 1 → nothing
    lat: 5 → nothing
    text: nothing → Not found

1 × list[].x changed, list[].y added
  GET /e {} 
    list[1].x: 2 → 3
    list[1].y: nothing → 4

5 answers differ, in 3 kinds.`);
});

test('a request that is new or no longer made, and another order of members, are kinds as well', () => {
  const text = changed(
    [answer('a', '{"x":1,"y":2}'), answer('gone', '')],
    [answer('a', '{"y":2,"x":1}'), answer('new', '')],
  );
  for (const kind of ['order of members', 'new request', 'request that is no longer made'])
    expect(text).toContain(`1 × ${kind}\n`);
});

test('only so many kinds are shown, and the rest is counted', () => {
  const changes = compare(
    [],
    ['a', 'b'].map(name => exchange(answer(name, ''))),
  );
  const other = compare([answer('c', '')], [exchange(answer('c', 'x'))]);
  expect(describe([...changes, ...other], 1)).toMatch(
    /^2 × new request\n[^×]*\n\n3 answers differ, in 2 kinds, 1 not shown\.$/,
  );
  expect(describe([])).toBe('');
});
