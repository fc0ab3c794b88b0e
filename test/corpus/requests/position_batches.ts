// Batches of positions: what is wrong with one of them, and with the whole.

import { Dice } from '../dice.ts';
import type { CorpusRequest } from '../exchange.ts';
import { TOWNS } from '../world/geography.ts';
import { hearAccessPoints } from '../world/hearing.ts';
import { NEIGHBOURHOODS } from '../world/radios.ts';
import { NOON, post } from './ask.ts';

const PATH = '/v1/geolocate/batch';

/** All of them. */
export function* positionBatchRequests(): Generator<CorpusRequest> {
  const dice = new Dice(951);
  const heard = (i: number) => ({
    wifiAccessPoints: hearAccessPoints(dice, NEIGHBOURHOODS[i % NEIGHBOURHOODS.length], TOWNS[i % TOWNS.length], 4),
  });
  const many = Array.from({ length: 100 }, (_, i) => ({
    ...heard(i),
    id: `tracker-${i % 7}`,
    nr: i,
    timestamp: NOON + i,
  }));
  yield post(many, { path: PATH });
  yield post(many, { path: PATH, packing: 'gzip', headers: { 'content-encoding': 'gzip' } });
  yield post(
    [
      { ...heard(0), address: 1, geoname: 1, confidence: 95 },
      { ...heard(1), id: 'x'.repeat(21) },
      { ...heard(2), id: 7, nr: '8' },
      { gps: { latitude: 100, longitude: 0 } },
      { wifiAccessPoints: 5 },
      {},
      null,
      5,
      [],
      { __proto__: 1, a: 'x'.repeat(65_536) },
    ],
    { path: PATH, query: '&id=fleet' },
  );
  yield post('[{"a":[]},{"__proto__":1},{"gps":{"latitude":47.14,"longitude":9.52,"accuracy":10,"age":5}}]', {
    path: PATH,
  });
  for (const body of [
    '',
    'null',
    '{}',
    '[]',
    ' [ ] ',
    '[1',
    '[1]]',
    '[1] [2]',
    '{"a":[1]}',
    `[${'{},'.repeat(10_000)}{}]`,
  ])
    yield post(body, { path: PATH });
  yield post(many.slice(0, 3), { path: PATH, key: 'devices' });
  yield post([{ ...heard(3), credits: 1 }], { path: PATH, key: 'few' });
  yield post('[]', { path: PATH, headers: { 'content-encoding': 'zstd' } });
  yield post(' '.repeat(65 * 1_048_576), { path: PATH, packing: 'gzip', headers: { 'content-encoding': 'gzip' } });
}
