// What is answered of the inside of buildings: by request or by the key, near and far, precise and rough, and what a small balance covers.

import type { CorpusRequest } from '../exchange.ts';
import { NAMED } from '../world/buildings.ts';
import { BUILT, moved, type Spot } from '../world/geography.ts';
import { GARBAGE, post } from './ask.ts';

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
  yield post([{ ...at(BUILT), indoor: 1 }, { ...at(NAMED), indoor: 1, address: 1 }, at(BUILT)], { path: '/v1/geolocate/batch' });
  // Three with all they ask for, or two and what is left covers: the address first.
  for (let i = 0; i < 5; i++) yield post({ ...at(BUILT), credits: 1 }, { key: 'extras' });
}
