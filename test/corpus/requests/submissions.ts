// Contributions: batches in all dialects and by all kinds of keys, requests for a position that contribute by the way,
// and what is answered from that once it has taken effect. The place is one that no other request asks about.

import { Dice } from '../dice.ts';
import type { Step } from '../exchange.ts';
import { CONTRIBUTED, near } from '../world/geography.ts';
import { hearAccessPoints, hearBeacons, type Members } from '../world/hearing.ts';
import { CONTRIBUTED_NEIGHBOURHOOD as PLACE } from '../world/radios.ts';
import { measure, walkedCells } from '../world/walks.ts';
import type { KeyName } from '../world.ts';
import { GARBAGE, NOON, post } from './ask.ts';

const PATHS = ['/v2/geosubmit', '/v1/geosubmit', '/v1/submit'];
const AUSTRIA = 232;
const METRES = 150;

/** All of them. */
export function* submissionRequests(): Generator<Step> {
  const dice = new Dice(1101);
  yield* lookups(dice, 10);
  yield* batches(dice);
  yield* strangeItems(dice);
  yield 'aggregate';
  yield* lookups(dice, 60);
  yield* byTheWay(dice);
  yield 'aggregate';
  yield* lookups(dice, 60);
  yield* fallbacksOfLearned();
  yield post({ gps: fix(12), credits: 1 }, { key: 'earner' });
  yield* floors(dice);
}

/** Two keys that are not trusted agree, and a trusted one needs no other. */
function* batches(dice: Dice): Generator<Step> {
  const keys: readonly KeyName[] = ['witness', 'otherWitness', 'trusted', 'earner', 'main', 'empty'];
  for (let i = 0; i < 90; i++) {
    const items = Array.from({ length: dice.whole(1, 6) }, (_, n) => {
      const item = measure(dice, PLACE, near(dice, CONTRIBUTED, METRES), (NOON + i * 600 + n * 20) * 1000, AUSTRIA);
      return dice.pick([item, item, item, flat(item), old(item)]);
    });
    const headers = i % 7 === 3 ? { 'content-encoding': 'gzip' } : undefined;
    yield post(
      { items },
      {
        path: PATHS[i % 3],
        key: keys[i % keys.length],
        ...(dice.chance(0.3) && { query: `&id=phone${i % 4}` }),
        ...(headers !== undefined && { headers, packing: 'gzip' as const }),
      },
    );
  }
  const items = Array.from({ length: 40 }, (_, n) =>
    measure(dice, PLACE, near(dice, CONTRIBUTED, METRES), (NOON + 80_000 + n * 20) * 1000, AUSTRIA),
  );
  yield post({ items }, { path: PATHS[0], key: 'trusted' });
  yield post({ items }, { path: PATHS[0], key: 'trusted' });
  yield post({ items, padding: 'x'.repeat(300_000) }, { path: PATHS[0], key: 'trusted' });
  yield post({ items: [5], padding: 'x'.repeat(300_000) }, { path: PATHS[2] });
  yield post({ items: 5, padding: 'x'.repeat(300_000) }, { path: PATHS[1] });
  yield post(`{"items": [], "padding": "${'x'.repeat(300_000)}"`, { path: PATHS[1] });
}

/** Version 1 has the members of the position in the item. */
function flat({ position, ...item }: Members): Members {
  return { ...item, ...(position as Members) };
}

/** The oldest dialect has names of its own. */
function old({ timestamp, position, wifiAccessPoints, cellTowers }: Members): Members {
  const { latitude, longitude, accuracy } = position as Members;
  return {
    time: new Date(timestamp as number).toISOString(),
    lat: latitude,
    lon: longitude,
    accuracy,
    radio: 'lte',
    wifi: (wifiAccessPoints as Members[]).map(({ macAddress, signalStrength }) => ({
      key: macAddress,
      signal: signalStrength,
    })),
    cell: (cellTowers as Members[]).map(cell => ({
      radio: cell.radioType,
      mcc: cell.mobileCountryCode,
      mnc: cell.mobileNetworkCode,
      lac: cell.locationAreaCode,
      cid: cell.cellId,
      signal: cell.signalStrength,
    })),
  };
}

/** An item may name its floor, in all dialects. One that is out of range refuses nothing. */
function* floors(dice: Dice): Generator<Step> {
  const values = [0, -50, 200, '3', -51, 201, -99, 1.5, 'x', null, {}];
  for (const [i, floor] of values.entries()) {
    const item = measure(dice, PLACE, near(dice, CONTRIBUTED, METRES), (NOON + 200_000 + i * 20) * 1000, AUSTRIA);
    const onFloor = { ...item, position: { ...(item.position as Members), floor } };
    yield post(
      { items: [onFloor, flat(onFloor), { ...old(item), floor }] },
      { path: PATHS[i % PATHS.length], key: 'trusted' },
    );
  }
}

/** A bad item refuses no other; a bad batch is refused. */
function* strangeItems(dice: Dice): Generator<Step> {
  const good = measure(dice, PLACE, CONTRIBUTED, NOON * 1000, AUSTRIA);
  for (const path of PATHS) {
    for (const items of [[], [null], [{}], [[]], ['x', 5, good], {}, 'x', 5, null, undefined])
      yield post({ items }, { path });
    yield post([good], { path });
  }
  for (const [member, values] of Object.entries({
    timestamp: [0, -1, 'x', '2019-01-01', 946_684_799_000, 4_102_444_800_000],
    position: [
      null,
      5,
      {},
      { latitude: 91, longitude: 0 },
      { latitude: 0.5, longitude: 0.5 },
      { latitude: 47.2, longitude: 11.3, accuracy: -1 },
    ],
    wifiAccessPoints: [
      null,
      5,
      {},
      [],
      [null, 5],
      [{ macAddress: 'x' }],
      [{ macAddress: '0c:00:00:00:00:01', ssid: 'a_nomap' }],
    ],
    cellTowers: [null, [null], [{ radioType: 'lte' }], [{ ...walkedCells(1)[0] }], [{ ...walkedCells(999)[0] }]],
    bluetoothBeacons: [null, 'x', [{}], [{ uuid: 'x', major: 1, minor: 1 }]],
  })) {
    for (const value of values) yield post({ items: [{ ...good, [member]: value }, good] }, { path: PATHS[0] });
  }
  for (const value of GARBAGE) yield post({ items: [value] }, { path: PATHS[1] });
}

function fix(age: number): Members {
  return {
    latitude: CONTRIBUTED.lat,
    longitude: CONTRIBUTED.lng,
    accuracy: 10,
    age,
    altitude: 574,
    heading: 90,
    speed: 1,
  };
}

/** Requests for a position that contribute: a fix of age 0 and something heard. They cost nothing. */
function* byTheWay(dice: Dice): Generator<Step> {
  const keys: readonly KeyName[] = ['witness', 'otherWitness', 'trusted', 'earner', 'main', 'prepaid', 'empty'];
  for (let i = 0; i < 80; i++) {
    const spot = near(dice, CONTRIBUTED, METRES);
    const body: Members = {
      wifiAccessPoints: hearAccessPoints(dice, PLACE, spot, dice.whole(0, 8)),
      gps: {
        latitude: spot.lat,
        longitude: spot.lng,
        accuracy: dice.whole(3, 20),
        age: dice.pick([0, 0, 0, '0', 1]),
        speed: dice.whole(0, 3),
      },
      timestamp: NOON + 90_000 + i * 700,
    };
    if (dice.chance(0.5)) body.cellTowers = walkedCells(AUSTRIA).slice(dice.whole(0, 5));
    if (dice.chance(0.4)) body.bluetoothBeacons = hearBeacons(dice, PLACE, spot, 3);
    for (const member of ['credits', 'geoname', 'address']) if (dice.chance(0.3)) body[member] = 1;
    const query = dice.chance(0.4) ? `&id=car${i % 5}` : '';
    yield post(body, { key: dice.pick(keys), query, path: dice.pick(['/', '/', '/v1/geolocate']) });
    // The next one is answered by what this one taught, and learning takes its time.
    yield 'aggregate';
  }
  yield post({ gps: fix(0) });
  yield post({ gps: fix(0), wifiAccessPoints: [{ macAddress: 'x' }] });
  yield post({ gps: { ...fix(0), latitude: 0.5, longitude: 0.5 }, cellTowers: walkedCells(AUSTRIA) });
  yield post({ gps: { ...fix(0), speed: 90 }, cellTowers: walkedCells(AUSTRIA) }, { key: 'empty' });
  yield post({ gps: fix(0), cellTowers: walkedCells(AUSTRIA), padding: 'x'.repeat(280_000) }, { key: 'trusted' });
}

function* lookups(dice: Dice, count: number): Generator<Step> {
  for (let i = 0; i < count; i++) {
    const spot = near(dice, CONTRIBUTED, METRES);
    const body: Members = {};
    if (i % 3 !== 2) body.wifiAccessPoints = hearAccessPoints(dice, PLACE, spot, dice.whole(1, 8));
    if (i % 3 !== 1) body.bluetoothBeacons = hearBeacons(dice, PLACE, spot, dice.whole(1, 4));
    if (i % 4 === 0) body.cellTowers = walkedCells(AUSTRIA).slice(dice.whole(0, 5));
    yield post(body);
  }
}

function* fallbacksOfLearned(): Generator<Step> {
  for (const cell of walkedCells(AUSTRIA)) {
    yield post({ cellTowers: [cell] });
    yield post({ cellTowers: [{ ...cell, cellId: Number(cell.cellId) + 10 }], fallbacks: { all: 1 } });
    yield post({ cellTowers: [{ ...cell, locationAreaCode: 7 }], fallbacks: { all: 1 } });
  }
}
