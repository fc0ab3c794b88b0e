// Notes the stations of a scan that do not belong with the others (wasm/transmitters/links.ts decides): each at the places where the answer would have shown
// that it is there. That is wherever it would have had half of the stations around it. Of a scan whose stations are all over a town, one station more at one
// place would have shown nothing.

import type { SelectedStations } from '../../core/selected_stations.ts';
import { isSameDevice } from '../../radio/mac.ts';
import { type FoundStations, UNTRUSTED_BIT } from '../../tables/stations/packed_station.ts';
import { decodeRadius } from '../../tables/stations/station.ts';
import { placeNumber } from '../../tables/stations/strays.ts';
import type { RadioModel } from './model.ts';

/** Places nearer to each other than this are one. */
const PLACE_METRES = 400;

/** Notes which of the first `count` selected stations take no part in the fix that the core has just made, and where. */
export function noteStrays(selected: SelectedStations, count: number, model: RadioModel, stations: FoundStations): void {
  const { taken, takesPart, alone, payload, east, north } = selected;
  const around = stationsAround(selected, count, model);
  for (let stray = 0; stray < count; stray++) {
    if ((taken > 0 && takesPart[stray] === 1) || alone[stray] === 1) continue;
    // Its own place is the first; it says nothing to be where it is.
    const places = [stray];
    for (let s = 0; s < count; s++) {
      if (2 * around[s] < count - 1 || isSameDevice(selected.radioOf(s), selected.radioOf(stray))) continue;
      if (places.some(place => Math.hypot(east[place] - east[s], north[place] - north[s]) < PLACE_METRES)) continue;
      places.push(s);
      const place = placeNumber(payload[4 * s], payload[4 * s + 1]);
      stations.noteStray(selected.radioOf(stray), payload[4 * stray], payload[4 * stray + 1], place);
    }
  }
}

/** How many stations may be heard where each of them is, with itself. */
function stationsAround({ east, north, payload }: SelectedStations, count: number, model: RadioModel): Int32Array {
  const reach = Float64Array.from({ length: count }, (_, s) => {
    const most = payload[4 * s + 3] & UNTRUSTED_BIT ? model.reachMetresUntrusted : model.reachMetresMax;
    return Math.min(Math.max(decodeRadius(payload[4 * s + 2] >>> 16), model.reachMetres), most);
  });
  const around = new Int32Array(count);
  for (let s = 0; s < count; s++) {
    for (let other = 0; other < count; other++) {
      if (Math.hypot(east[s] - east[other], north[s] - north[other]) <= reach[s] + reach[other]) around[s]++;
    }
  }
  return around;
}
