// Positions as other clients ask for them: by the paths and with the members of Mozilla's and Google's interfaces, and
// in the compact form of GET.

import { Dice } from '../dice.ts';
import type { CorpusRequest } from '../exchange.ts';
import { near, TOWNS } from '../world/geography.ts';
import { hearAccessPoints, hearBeacons, hearCells, type Members, stranger } from '../world/hearing.ts';
import { DEMO_NEIGHBOURHOOD, NEIGHBOURHOODS, WALKED_NEIGHBOURHOOD } from '../world/radios.ts';
import { get, post } from './ask.ts';

const PATHS = ['/v1/geolocate', '/geolocation/v1/geolocate', '/v1/geolocate/', '//v1//geolocate'];

/** All of them. */
export function* clientRequests(): Generator<CorpusRequest> {
  yield* byAliases(new Dice(401), 280);
  yield* compact(new Dice(402), 220);
}

function* byAliases(dice: Dice, count: number): Generator<CorpusRequest> {
  for (let i = 0; i < count; i++) {
    const town = dice.whole(0, TOWNS.length - 1);
    const spot = near(dice, TOWNS[town], 200);
    const body: Members = {};
    if (dice.chance(0.3))
      Object.assign(body, { carrier: 'Carrier', homeMobileCountryCode: TOWNS[town].mcc, homeMobileNetworkCode: 1 });
    if (dice.chance(0.4)) body.considerIp = dice.chance(0.5);
    if (dice.chance(0.6)) body.wifiAccessPoints = hearAccessPoints(dice, NEIGHBOURHOODS[town], spot, dice.whole(0, 6));
    if (dice.chance(0.5))
      body.cellTowers = hearCells(dice, town, spot, dice.whole(1, 4)).map(cell => mozillaCell(dice, cell));
    if (dice.chance(0.2)) body.bluetoothBeacons = hearBeacons(dice, WALKED_NEIGHBOURHOOD, WALKED_NEIGHBOURHOOD, 2);
    if (dice.chance(0.4)) body.fallbacks = { lacf: dice.pick([true, false, 1]), ipf: dice.chance(0.5) };
    if (dice.chance(0.2)) body.radioType = dice.pick(['lte', 'gsm', 'wcdma', 'nr', 'cdma', 'LTE']);
    yield post(body, { path: dice.pick(PATHS), key: dice.pick(['main', 'main', 'prepaid', 'demo']) });
  }
}

function mozillaCell(dice: Dice, cell: Members): Members {
  const members: Members = { ...cell, age: dice.whole(0, 5000) };
  if (dice.chance(0.3)) delete members.radioType;
  if (members.radioType === 'wcdma' && dice.chance(0.3)) members.radioType = 'umts';
  if (dice.chance(0.3)) members.psc = dice.whole(0, 511);
  return members;
}

function* compact(dice: Dice, count: number): Generator<CorpusRequest> {
  for (let i = 0; i < count; i++) {
    const place = dice.pick([...NEIGHBOURHOODS, WALKED_NEIGHBOURHOOD, DEMO_NEIGHBOURHOOD]);
    const points = hearAccessPoints(dice, place, near(dice, place, 150), dice.chance(0.15) ? 1 : dice.whole(2, 8));
    if (dice.chance(0.3)) points.push(stranger(dice));
    const wifi = points.map(({ macAddress, signalStrength }) =>
      [macAddress, ...dice.pick([['Home', signalStrength], ['a,b', signalStrength], [''], ['net'], []])].join(','),
    );
    yield get('/', {
      wifi: wifi.join(';'),
      ...(dice.chance(0.2) && { id: `phone ${i % 7}` }),
      ...(dice.chance(0.2) && { nr: i }),
    });
  }
  for (const wifi of ['', ';', ',', ';;;,,', 'x', '\u0000', ','.repeat(2000), undefined]) yield get('/', { wifi });
  const [first, second] = hearAccessPoints(dice, NEIGHBOURHOODS[0], TOWNS[0], 2).map(({ macAddress }) =>
    String(macAddress),
  );
  yield get('/', { wifi: first }, { query: `&wifi=${second}` });
  yield get('/', { wifi: `${first},,-50;${second},,-60` }, { key: 'described' });
  yield get('/', { wifi: `${first},,-50.5; ${second} , x , -60 ` });
  yield get('/', { wifi: `${first},x_nomap,-50;${second},,-60` });
  yield get('/', { id: 'x'.repeat(21) });
  yield get('/', { wifi: `${first};${second}` }, { key: 'expired' });
}
