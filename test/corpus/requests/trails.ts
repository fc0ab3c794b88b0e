// Where access points were heard: of those that many have contributed, of others, and for keys that may not ask or have
// nothing left.

import type { CorpusRequest } from '../exchange.ts';
import { CONTRIBUTED_NEIGHBOURHOOD, NEIGHBOURHOODS } from '../world/radios.ts';
import type { KeyName } from '../world.ts';
import { get } from './ask.ts';

const PATH = '/trail';
const MALFORMED = [
  '',
  'x',
  '02:00:5e',
  '02:00:5e:00:00:00:00',
  '00:00:00:00:00:00',
  'ff:ff:ff:ff:ff:ff',
  '01:00:5e:00:00:01',
  '%zz',
];

/** All of them; behind the contributions. */
export function* trailRequests(): Generator<CorpusRequest> {
  const contributed = CONTRIBUTED_NEIGHBOURHOOD.accessPoints.map(({ macAddress }) => macAddress);
  const ask = (mac: string, key: KeyName = 'trails', query = '') => get(PATH, { mac }, { key, query });
  for (const mac of contributed) yield ask(mac);
  for (const separator of ['-', '.', '']) yield ask(contributed[0].replaceAll(':', separator).toUpperCase());
  for (const { accessPoints } of NEIGHBOURHOODS) yield ask(accessPoints[0].macAddress);
  for (const mac of MALFORMED) yield ask(mac);
  yield get(PATH, {}, { key: 'trails' });
  yield { method: 'GET', path: PATH };
  yield ask(contributed[0], 'trails', `&mac=${contributed[1]}`);
  for (const query of ['&id=a', '&nr=3', `&id=${'x'.repeat(21)}`, '&nr=x']) yield ask(contributed[0], 'trails', query);
  for (const key of ['main', 'trusted', 'demo', 'expired', 'revoked'] as const) yield ask(contributed[0], key);
  for (let i = 0; i < 3; i++) yield* [ask(contributed[0], 'fewTrails'), ask(contributed[0], 'limitedTrails')];
  for (const id of ['a', 'b']) yield ask(contributed[0], 'deviceTrails', `&id=${id}`);
}
