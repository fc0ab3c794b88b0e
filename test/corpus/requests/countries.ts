// In which country is the device? By its position, else by the networks that it hears.

import { Dice } from '../dice.ts';
import type { CorpusRequest } from '../exchange.ts';
import { near, TOWNS } from '../world/geography.ts';
import { hearAccessPoints, hearCells, type Members } from '../world/hearing.ts';
import { DEMO_NEIGHBOURHOOD, NEIGHBOURHOODS } from '../world/radios.ts';
import { GARBAGE, get, post } from './ask.ts';

const PATH = '/v1/country';

/** All of them. */
export function* countryRequests(): Generator<CorpusRequest> {
  const dice = new Dice(1001);
  for (let i = 0; i < 200; i++) {
    const town = dice.whole(0, TOWNS.length - 1);
    const spot = near(dice, TOWNS[town], 200);
    const body: Members = {};
    if (dice.chance(0.5)) body.wifiAccessPoints = hearAccessPoints(dice, NEIGHBOURHOODS[town], spot, dice.whole(0, 5));
    if (dice.chance(0.5)) body.cellTowers = hearCells(dice, town, spot, dice.whole(1, 3));
    if (dice.chance(0.3)) body.cellTowers = [{ mobileCountryCode: dice.pick([TOWNS[town].mcc, 228, 1, 901, 999, 0]) }];
    if (dice.chance(0.2)) body.gps = { latitude: spot.lat, longitude: spot.lng, accuracy: 10, age: dice.pick([0, 10]) };
    if (dice.chance(0.2)) body.fallbacks = { all: 1 };
    if (i % 5 === 4) yield { method: 'POST', path: `/k/{{key:main}}${PATH}`, body: JSON.stringify(body) };
    else yield post(body, { path: PATH, key: dice.pick(['main', 'prepaid', 'demo']) });
  }
  for (const value of [0, 999, 1000, -1, '262', '262 ', ...GARBAGE])
    yield post({ cellTowers: [{ mobileCountryCode: value }] }, { path: PATH });
  yield post({ cellTowers: [{ mobileCountryCode: 262 }, { mobileCountryCode: 208 }] }, { path: PATH });
  yield post({ cellTowers: [{ mobileCountryCode: 262 }, null, 5, { mobileCountryCode: 262 }] }, { path: PATH });
  yield post({ wifiAccessPoints: hearAccessPoints(dice, DEMO_NEIGHBOURHOOD, DEMO_NEIGHBOURHOOD, 4) }, { path: PATH });
  for (const query of ['', '&id=a', '&nr=3', `&id=${'x'.repeat(21)}`]) {
    yield get(PATH, {}, { query });
    yield post({ cellTowers: [{ mobileCountryCode: 440 }] }, { path: PATH, query });
  }
  yield { method: 'GET', path: `/k/{{key:main}}${PATH}` };
}
