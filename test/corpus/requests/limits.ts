// Balances, plans of devices, and rates, each by keys that no other request uses, in an order that tells the balance of
// every moment.

import { Dice } from '../dice.ts';
import type { CorpusRequest } from '../exchange.ts';
import { TOWNS } from '../world/geography.ts';
import { hearAccessPoints, hearCells } from '../world/hearing.ts';
import { NEIGHBOURHOODS } from '../world/radios.ts';
import { get, post } from './ask.ts';

const BODY = {
  wifiAccessPoints: hearAccessPoints(new Dice(801), NEIGHBOURHOODS[0], TOWNS[0], 4),
  credits: 1,
  expires: 1,
};
const HOUSE = { lat: 47.14, lon: 9.5152 };

/** An access point of one town beside one of another: each may be where the other is. */
function strays(i: number): object {
  const pair = [0, 1].map(n => NEIGHBOURHOODS[(2 * i + n) % NEIGHBOURHOODS.length].accessPoints[Math.floor(i / 3)]);
  return { wifiAccessPoints: pair.map(({ macAddress }) => ({ macAddress, signalStrength: -60 })) };
}

/** All of them. */
export function* limitRequests(): Generator<CorpusRequest> {
  for (const key of ['empty', 'few'] as const) {
    yield post({}, { key });
    for (let i = 0; i < 5; i++) yield post(BODY, { key });
    yield post({ ...BODY, wifiAccessPoints: [] }, { key });
    yield get('/search', { q: 'Vaduz' }, { key });
    yield get('/reverse', HOUSE, { key });
    yield get('/v1/country', {}, { key });
    yield get('/', { wifi: '' }, { key });
    yield post([HOUSE], { key, path: '/reverse' });
    yield post([], { key, path: '/reverse' });
    yield post([{ lat: 91, lon: 0 }], { key, path: '/reverse' });
    yield post(BODY, { key, path: '/v1/country' });
    yield post({ items: [] }, { key, path: '/v2/geosubmit' });
  }
  // The first is paid with its address; for the second nothing is left.
  for (let i = 0; i < 3; i++) yield post(BODY, { key: 'pair' });
  yield get('/reverse', HOUSE, { key: 'batch' });
  yield post(
    Array.from({ length: 12 }, () => HOUSE),
    { key: 'batch', path: '/reverse' },
  );
  yield post([HOUSE, HOUSE, { lat: 0, lon: -30 }, { lat: 'x' }], { key: 'batch', path: '/reverse' });
  yield post(BODY, { key: 'batch' });
  yield get('/search', { q: 'nothing of that name', format: 'json' }, { key: 'batch' });
  yield get('/search', { q: 'Schaan', format: 'json' }, { key: 'batch' });
  yield post(BODY, { key: 'batch' });
  for (const id of ['a', 'b', 'a', '', 'c', 'b', 'd']) {
    yield post(BODY, { key: 'devices', query: id === '' ? '' : `&id=${id}` });
    yield get('/search', { q: 'Vaduz', id: id || undefined }, { key: 'devices' });
    yield post(BODY, { key: 'devices', path: '/v1/country', query: `&id=${id}` });
    yield get('/', { wifi: '', id }, { key: 'devices' });
  }
  for (let i = 0; i < 3; i++) {
    yield post(BODY, { key: 'limited' });
    yield get('/search', { q: 'Vaduz' }, { key: 'limitedPlaces' });
    yield get('/reverse', HOUSE, { key: 'limitedPlaces' });
    yield post([HOUSE], { key: 'limitedPlaces', path: '/reverse' });
    yield get('/v1/country', {}, { key: 'limitedPlaces' });
    yield get('/', { wifi: '' }, { key: 'limitedCompact' });
    yield post({ items: [] }, { key: 'limitedSubmissions', path: '/v2/geosubmit' });
    yield post({ items: [] }, { key: 'limitedSubmissions', path: '/v1/submit' });
  }
  // Soon enough that nothing may be sent again.
  yield post([BODY, BODY, BODY], { key: 'limited', path: '/v1/geolocate/batch' });
  // After too many wrong guesses nothing that names access points is answered, and all else is.
  for (let i = 0; i < 120; i++) yield post(strays(i), { key: 'straying' });
  yield post(BODY, { key: 'straying', path: '/v1/country' });
  yield get('/', { wifi: BODY.wifiAccessPoints[0].macAddress as string }, { key: 'straying' });
  yield post({ cellTowers: hearCells(new Dice(803), 0, TOWNS[0], 3) }, { key: 'straying' });
  yield get('/v1/country', {}, { key: 'straying' });
}
