// What is answered of the inside of buildings: by request or by the key, near and far, precise and rough, and what a
// small balance covers; floors and rooms by what is heard, and devices that are followed with their sensors.

import { Dice } from '../dice.ts';
import type { CorpusRequest } from '../exchange.ts';
import { NAMED } from '../world/buildings.ts';
import { BUILT, moved, type Spot } from '../world/geography.ts';
import type { Members } from '../world/hearing.ts';
import { hearInHall } from '../world/survey.ts';
import { GARBAGE, NOON, post } from './ask.ts';

/** All of them. */
export function* indoorRequests(): Generator<CorpusRequest> {
  const at = ({ lat, lng }: Spot, accuracy = 5) => ({ gps: { latitude: lat, longitude: lng, accuracy, age: 0 } });
  for (const spot of [BUILT, NAMED]) {
    for (const accuracy of [5, 30, 60, 500]) yield post({ ...at(spot, accuracy), indoor: 1 });
    for (const east of [20, 38, 45, 70, 100]) yield post({ ...at(moved(spot, 0, east), 10), indoor: 1 });
    yield post(at(spot));
    yield post(at(spot), { key: 'indoor' });
    yield post({ ...at(spot), indoor: 0 }, { key: 'indoor' });
    yield post({ ...at(spot), indoor: 1, address: 1, geoname: 1, credits: 1 });
  }
  for (const value of GARBAGE) yield post({ ...at(BUILT), indoor: value });
  for (const path of ['/v1/geolocate', '/geolocation/v1/geolocate']) yield post({ ...at(BUILT), indoor: 1 }, { path });
  yield post([{ ...at(BUILT), indoor: 1 }, { ...at(NAMED), indoor: 1, address: 1 }, at(BUILT)], {
    path: '/v1/geolocate/batch',
  });
  yield* scans(new Dice(601));
  yield* followed(new Dice(602), 6);
  // Three with all they ask for, or two and what is left covers: the address first.
  for (let i = 0; i < 5; i++) yield post({ ...at(BUILT), credits: 1 }, { key: 'extras' });
}

/** Scans on both floors and around them. */
function* scans(dice: Dice): Generator<CorpusRequest> {
  for (let i = 0; i < 120; i++) {
    const floor = i % 2;
    const spot = moved(BUILT, dice.between(-45, 45), dice.between(-45, 45));
    const heard = hearInHall(floor, spot, () => dice.between(-5, 5));
    const wifiAccessPoints = dice.chance(0.8) ? heard : heard.slice(0, dice.whole(0, 3));
    const body: Members = { wifiAccessPoints, indoor: dice.pick([0, 1, 1, 1]) };
    if (dice.chance(0.2)) body.confidence = dice.pick([50, 68, 95]);
    if (dice.chance(0.2))
      body.gps = { latitude: spot.lat, longitude: spot.lng, accuracy: dice.pick([5, 20, 60]), age: 3 };
    yield post(body, { key: dice.pick(['main', 'indoor', 'described', 'prepaid']) });
  }
}

/** Walks through the building, with each state in the next request, on time and too soon. */
function* followed(dice: Dice, count: number): Generator<CorpusRequest> {
  for (let device = 0; device < count; device++) {
    const floor = device % 2;
    let last: string | undefined;
    for (let step = 0; step < 9; step++) {
      const spot = moved(BUILT, -5 + device, 8 * step - 32);
      const name = `h${device}s${step}`;
      const body: Members = {
        wifiAccessPoints: hearInHall(floor, spot, () => dice.between(-4, 4)),
        timestamp: NOON + step * (step === 6 ? 4.5 : 6),
        sensors: dice.pick<unknown>([
          [{ steps: 12, heading: 90 }],
          [
            { steps: 5, heading: 80 },
            { steps: 7, heading: 95 },
          ],
          [{ steps: 12 }, { pressure: 1013.2, activity: 'WALKING' }],
          [{ steps: -1, heading: 360, pressure: 'x', activity: 'FLYING' }, null, 5],
          [],
          null,
        ]),
      };
      if (last !== undefined) body.state = `{{state:${last}}}`;
      const query = `&id=indoors${device}`;
      yield post(body, { key: 'indoor', query, keepState: name });
      if (step === 4) {
        yield post({ ...body, timestamp: NOON + step * 6 - 5 }, { key: 'indoor', query });
        yield post({ ...body, sensors: [{ activity: 'IN_VEHICLE' }] }, { key: 'indoor', query });
        yield post({ ...body, wifiAccessPoints: hearInHall(1 - floor, spot) }, { key: 'indoor', query });
        yield post({ ...body, timestamp: NOON + 80_000 }, { key: 'indoor', query });
      }
      last = name;
    }
  }
}
