// Requests for a position as devices send them: access points, beacons, cells and fixes of the drawn world, alone and
// together, with what they want to be told.

import { Dice } from '../dice.ts';
import type { CorpusRequest } from '../exchange.ts';
import { DEMO_TOWN, moved, near, type Spot, TOWNS } from '../world/geography.ts';
import { hearAccessPoints, hearBeacons, hearCells, type Members, stranger } from '../world/hearing.ts';
import { DEMO_NEIGHBOURHOOD, NEIGHBOURHOODS, type Neighbourhood, WALKED_NEIGHBOURHOOD } from '../world/radios.ts';
import { walkedCells } from '../world/walks.ts';
import type { KeyName } from '../world.ts';
import { NOON, post } from './ask.ts';

const HEARD: readonly Neighbourhood[] = [
  ...NEIGHBOURHOODS,
  WALKED_NEIGHBOURHOOD,
  WALKED_NEIGHBOURHOOD,
  DEMO_NEIGHBOURHOOD,
];

/** All of them. */
export function* positionRequests(): Generator<CorpusRequest> {
  yield* byWifi(new Dice(101), 650);
  yield* byBeacons(new Dice(102), 150);
  yield* byCells(new Dice(103), 650);
  yield* byFix(new Dice(104), 120);
  yield* fused(new Dice(105), 450);
  yield* described(new Dice(106), 450);
  yield* crowded(new Dice(107), 30);
}

function* byWifi(dice: Dice, count: number): Generator<CorpusRequest> {
  for (let i = 0; i < count; i++) {
    const place = dice.pick(HEARD);
    const wifiAccessPoints = hearAccessPoints(
      dice,
      place,
      near(dice, place, 160),
      dice.chance(0.1) ? 1 : dice.whole(2, 14),
    );
    for (const point of wifiAccessPoints) decorate(dice, point);
    for (let other = dice.whole(-2, 3); other > 0; other--) wifiAccessPoints.push(stranger(dice));
    if (dice.chance(0.15))
      wifiAccessPoints.push(...hearAccessPoints(dice, dice.pick(HEARD), DEMO_TOWN, dice.whole(1, 3)));
    yield post({ wifiAccessPoints });
  }
}

/** What may stand beside an address. */
function decorate(dice: Dice, point: Members): void {
  if (dice.chance(0.15)) delete point.signalStrength;
  if (dice.chance(0.2)) point.age = dice.pick([0, 1500, '2500', 30_000, 600_000]);
  if (dice.chance(0.2)) point.frequency = dice.pick([2412, 2437, 5180, 5745, 6115]);
  if (dice.chance(0.1)) point.channel = dice.whole(1, 165);
  if (dice.chance(0.1)) point.ssid = dice.pick(['Home', 'Café', 'guest_nomap', 'x_optout_x', 'WIFIonICE', '']);
  if (dice.chance(0.03)) point.ssidHex = '677565737435f6e6f6d6170';
  if (dice.chance(0.05))
    point.macAddress = String(point.macAddress)
      .toUpperCase()
      .replaceAll(':', dice.pick(['-', '', ':']));
}

function* byBeacons(dice: Dice, count: number): Generator<CorpusRequest> {
  for (let i = 0; i < count; i++) {
    const place = dice.pick([WALKED_NEIGHBOURHOOD, WALKED_NEIGHBOURHOOD, DEMO_NEIGHBOURHOOD]);
    const bluetoothBeacons = hearBeacons(dice, place, near(dice, place, 120), dice.whole(1, 5));
    for (const beacon of bluetoothBeacons) {
      if (dice.chance(0.2)) delete beacon.signalStrength;
      if (dice.chance(0.2)) beacon.age = dice.whole(0, 20_000);
      if (dice.chance(0.1)) beacon.name = 'door';
    }
    if (dice.chance(0.3)) bluetoothBeacons.push(stranger(dice));
    yield post({ bluetoothBeacons });
  }
}

function* byCells(dice: Dice, count: number): Generator<CorpusRequest> {
  for (let i = 0; i < count; i++) {
    const town = dice.whole(0, TOWNS.length - 1);
    const spot = near(dice, TOWNS[town], 6000);
    const radioType = dice.chance(0.6) ? dice.pick(['gsm', 'wcdma', 'lte', 'nbiot', 'nr', 'cdma'] as const) : undefined;
    const cellTowers = hearCells(dice, town, spot, dice.whole(1, 7), radioType === undefined ? {} : { radioType });
    for (const cell of cellTowers) decorateCell(dice, cell);
    if (radioType !== undefined && dice.chance(0.3)) for (const cell of cellTowers) delete cell.radioType;
    if (dice.chance(0.2))
      cellTowers.push({
        radioType: 'lte',
        primaryScramblingCode: dice.whole(0, 503),
        signalStrength: dice.whole(-120, -80),
      });
    if (dice.chance(0.1)) cellTowers.push(...hearCells(dice, dice.whole(0, TOWNS.length - 1), spot, 1));
    yield post({ ...(radioType !== undefined && dice.chance(0.7) && { radioType }), cellTowers });
  }
}

function decorateCell(dice: Dice, cell: Members): void {
  if (dice.chance(0.2)) delete cell.signalStrength;
  if (dice.chance(0.2)) cell.timingAdvance = dice.whole(0, 60);
  if (dice.chance(0.2)) cell.primaryScramblingCode = dice.whole(0, 503);
  if (dice.chance(0.1)) cell.psc = dice.whole(0, 503);
  if (dice.chance(0.15)) cell.serving = dice.whole(0, 1);
  if (dice.chance(0.15)) cell.age = dice.whole(0, 60_000);
  if (cell.radioType === 'nr' && dice.chance(0.5)) {
    cell.newRadioCellId = cell.cellId;
    delete cell.cellId;
  }
  if (dice.chance(0.05)) delete cell.locationAreaCode;
}

function fixAt(dice: Dice, { lat, lng }: Spot): Members {
  const gps: Members = { latitude: lat, longitude: lng, accuracy: dice.whole(0, 255) };
  if (dice.chance(0.8)) gps.age = dice.whole(1, 600);
  if (dice.chance(0.5)) gps.altitude = dice.whole(-100, 4000);
  if (dice.chance(0.5)) gps.heading = dice.whole(0, 360);
  if (dice.chance(0.5)) gps.speed = dice.whole(0, 40);
  if (dice.chance(0.3)) Object.assign(gps, { sat: dice.whole(0, 20), altitudeAccuracy: dice.whole(0, 100) });
  return gps;
}

function* byFix(dice: Dice, count: number): Generator<CorpusRequest> {
  for (let i = 0; i < count; i++) {
    const gps = fixAt(dice, {
      lat: Number(dice.between(-90, 90).toFixed(6)),
      lng: Number(dice.between(-180, 180).toFixed(6)),
    });
    yield post({ gps, ...(dice.chance(0.5) && { geoname: 1 }), ...(dice.chance(0.3) && { address: 1 }) });
  }
}

function* fused(dice: Dice, count: number): Generator<CorpusRequest> {
  for (let i = 0; i < count; i++) {
    const town = dice.whole(0, TOWNS.length - 1);
    const isWalked = town === 0 && dice.chance(0.5);
    const place = isWalked ? WALKED_NEIGHBOURHOOD : NEIGHBOURHOODS[town];
    const spot = near(dice, place, 200);
    const body: Members = {};
    if (dice.chance(0.7)) body.wifiAccessPoints = hearAccessPoints(dice, place, spot, dice.whole(0, 8));
    if (dice.chance(0.4)) body.bluetoothBeacons = hearBeacons(dice, place, spot, dice.whole(0, 3));
    if (dice.chance(0.8))
      body.cellTowers = isWalked
        ? walkedCells(295).slice(dice.whole(0, 5))
        : hearCells(dice, town, spot, dice.whole(1, 5));
    if (dice.chance(0.4)) body.gps = fixAt(dice, dice.chance(0.2) ? moved(spot, 20_000, 5000) : near(dice, spot, 60));
    if (dice.chance(0.5)) body.timestamp = NOON + i;
    if (dice.chance(0.3)) body.confidence = dice.whole(50, 99);
    if (dice.chance(0.1))
      body.sensors = [{ pressure: 1013, steps: dice.whole(0, 9), heading: dice.whole(0, 359), activity: 'WALKING' }];
    yield post(body);
  }
}

function* described(dice: Dice, count: number): Generator<CorpusRequest> {
  const keys: readonly KeyName[] = ['main', 'prepaid', 'prepaid', 'described', 'indoor', 'dated', 'demo'];
  for (let i = 0; i < count; i++) {
    const place = dice.pick(HEARD);
    const body: Members = { wifiAccessPoints: hearAccessPoints(dice, place, near(dice, place, 150), dice.whole(1, 6)) };
    for (const member of ['geoname', 'address', 'credits', 'expires', 'indoor']) {
      if (dice.chance(0.5)) body[member] = dice.pick([1, 1, 1, 0, '1', true, 2, null, 'x']);
    }
    if (dice.chance(0.2)) body.confidence = dice.pick([50, 68, 95, 99, 49, 100, '95', 'x', null, 75.5]);
    const id = dice.chance(0.5) ? `&id=device-${dice.whole(1, 9)}` : '';
    yield post(body, { key: dice.pick(keys), query: `${id}${dice.chance(0.3) ? `&nr=${i}` : ''}` });
  }
}

/**
 * Lists of hundreds, most of which nobody knows. What is known stands all over a town, so each list has many strays:
 * these keys have no other requests.
 */
function* crowded(dice: Dice, count: number): Generator<CorpusRequest> {
  for (let i = 0; i < count; i++) {
    const place = dice.pick(HEARD);
    const wifiAccessPoints = hearAccessPoints(dice, place, near(dice, place, 150), dice.whole(2, 140));
    while (wifiAccessPoints.length < 260 + i * 12) wifiAccessPoints.push(stranger(dice));
    const town = dice.whole(0, TOWNS.length - 1);
    const cellTowers = i % 3 === 0 ? hearCells(dice, town, TOWNS[town], 60) : undefined;
    const body = {
      wifiAccessPoints,
      ...(cellTowers !== undefined && { cellTowers }),
      ...(i % 4 === 0 && { geoname: 1 }),
    };
    yield post(body, { key: i % 2 === 0 ? 'crowded' : 'otherCrowded' });
  }
}
