// Devices on their way: states that one answer gives and the next request sends back, last locations, and the speed
// filter of keys and requests.

import { Dice } from '../dice.ts';
import type { CorpusRequest } from '../exchange.ts';
import { moved, type Spot, TOWNS } from '../world/geography.ts';
import { hearAccessPoints, type Members } from '../world/hearing.ts';
import { NEIGHBOURHOODS } from '../world/radios.ts';
import type { KeyName } from '../world.ts';
import { NOON, post } from './ask.ts';

const KEYS: readonly KeyName[] = ['filtered', 'slow', 'indoor', 'filtered', 'slow'];
const STEPS = 12;

/** All of them. */
export function* trackingRequests(): Generator<CorpusRequest> {
  yield* journeys(new Dice(501), 12);
  yield* lastLocations(new Dice(502), 220);
  yield* foreignStates(new Dice(503));
}

/** Each device walks, rides or leaps through a town, and sends each state with its next request. */
function* journeys(dice: Dice, count: number): Generator<CorpusRequest> {
  for (let device = 0; device < count; device++) {
    const key = dice.pick(KEYS);
    const town = dice.whole(0, TOWNS.length - 1);
    let last: string | undefined;
    for (let step = 0; step < STEPS; step++) {
      const spot = moved(TOWNS[town], dice.between(-150, 150), step * 25 - 150);
      const name = `d${device}s${step}`;
      const body: Members = {
        wifiAccessPoints: hearAccessPoints(dice, NEIGHBOURHOODS[town], spot, 6),
        timestamp: NOON + step * dice.whole(5, 30),
      };
      if (last !== undefined) body.state = `{{state:${last}}}`;
      const query = `&id=walker${device}&nr=${step + 1}`;
      // A fix thirty kilometres off within seconds: what the filter is for. The device keeps the state it had.
      if (last !== undefined && step % 4 === 3) {
        yield post(
          { state: body.state, timestamp: body.timestamp, gps: fixAt(moved(spot, 30_000, 0)) },
          { key, query },
        );
        yield post(
          { ...body, gps: fixAt(moved(spot, 30_000, 0)), speedLimit: dice.pick([0, 5, 50, 8000]) },
          { key, query },
        );
        yield post({ ...body, timestamp: NOON + 100_000 }, { key, query });
        yield post({ ...body, timestamp: NOON - 5000 }, { key, query });
      } else {
        // Without a limit the walk goes on whatever the drawn spots are.
        yield post({ ...body, speedLimit: 0 }, { key, query, keepState: name });
        last = name;
      }
    }
  }
}

function fixAt({ lat, lng }: Spot): Members {
  return { latitude: lat, longitude: lng, accuracy: 15, age: 2 };
}

function* lastLocations(dice: Dice, count: number): Generator<CorpusRequest> {
  for (let i = 0; i < count; i++) {
    const town = dice.whole(0, TOWNS.length - 1);
    const wifiAccessPoints = hearAccessPoints(dice, NEIGHBOURHOODS[town], TOWNS[town], dice.whole(1, 5));
    const metres = dice.pick([0, 50, 500, 5000, 50_000, 5_000_000]);
    const { lat, lng } = moved(TOWNS[town], metres, 0);
    const lastLocation = {
      lat: Math.min(90, lat),
      lng,
      accuracy: dice.whole(0, 255),
      timestamp: NOON - dice.pick([-10, 0, 1, 10, 60, 600, 7200, 86_399, 86_401]),
    };
    const body: Members = {
      wifiAccessPoints,
      lastLocation,
      timestamp: dice.pick([NOON, NOON * 1000, '2026-02-01T12:00:00Z']),
    };
    if (dice.chance(0.4)) body.speedLimit = dice.pick([0, 1, 30, 100, 1000, '20', -1]);
    yield post(body, { key: dice.pick(['main', 'filtered', 'slow', 'prepaid']) });
  }
}

/** A state goes with the key and the device it was made for. */
function* foreignStates(dice: Dice): Generator<CorpusRequest> {
  const wifiAccessPoints = hearAccessPoints(dice, NEIGHBOURHOODS[1], TOWNS[1], 4);
  const body = { wifiAccessPoints, timestamp: NOON };
  yield post(body, { key: 'filtered', query: '&id=owner', keepState: 'owner' });
  yield post(body, { key: 'indoor', query: '&id=owner', keepState: 'namesake' });
  const state = '{{state:owner}}';
  const later = { ...body, timestamp: NOON + 10 };
  yield post({ ...later, state }, { key: 'filtered', query: '&id=owner' });
  yield post({ ...later, state }, { key: 'filtered', query: '&id=thief' });
  yield post({ ...later, state }, { key: 'filtered' });
  yield post({ ...later, state }, { key: 'slow', query: '&id=owner' });
  yield post({ ...later, state }, { key: 'main', query: '&id=owner' });
  yield post({ ...later, state: '{{state:namesake}}' }, { key: 'filtered', query: '&id=owner' });
  yield post({ ...later, state: `${state}A` }, { key: 'filtered', query: '&id=owner' });
  yield post({ ...later, state: `A${state}` }, { key: 'filtered', query: '&id=owner' });
  yield post({ ...later, state, wifiAccessPoints: [] }, { key: 'filtered', query: '&id=owner' });
  yield post({ ...later, state, wifiAccessPoints: [] }, { key: 'filtered', query: '&id=thief' });
  yield post({ ...later, state, timestamp: NOON + 86_401 }, { key: 'filtered', query: '&id=thief' });
  yield post({ ...later, state }, { path: '/v1/geolocate', key: 'filtered', query: '&id=owner' });
  const lastLocation = { lat: 48.2, lng: 11.57, accuracy: 10, timestamp: NOON + 5 };
  yield post({ ...later, state, lastLocation }, { key: 'filtered', query: '&id=owner' });
  yield post(
    { ...later, state, lastLocation: { ...lastLocation, timestamp: NOON - 5 } },
    { key: 'filtered', query: '&id=owner' },
  );
}
