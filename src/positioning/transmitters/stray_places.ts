// Notes the stations of a scan that do not belong with the others (wasm/transmitters/links.ts decides): each at the
// places where the answer would have shown that it is there. That is at each station, the centre of a place, that has
// half of the others around it. Of a scan whose stations are all over a town, one station more at one place would have
// shown nothing. Where a fix or a cell tells which stations are around the device, half of these suffice, and what is
// elsewhere would have been shown among them: so the places are noted there too.

import { PACKED_LATITUDE, PACKED_LONGITUDE } from '../../../wasm/packed_station_constants.ts';
import { PAYLOAD_WORDS } from '../../../wasm/station_cache_constants.ts';
import type { SelectedStations } from '../../core/selected_stations.ts';
import { isSameDevice } from '../../radio/mac.ts';
import type { FoundStations } from '../../tables/stations/packed_station.ts';
import { placeNumber } from '../../tables/stations/strays.ts';

/** Places nearer to each other than this are one. */
const PLACE_METRES = 400;

/**
 * Notes which of the first `count` selected stations take no part in the fix that the core has just made, and where.
 * @param taken how many do
 * @param isAnchored those near a coarse position were asked first, by themselves
 */
export function noteStrays(
  selected: SelectedStations,
  count: number,
  taken: number,
  stations: FoundStations,
  isAnchored: boolean,
): void {
  const { takesPart, alone, payload, nearAnchor, east, north } = selected;
  const all = Array.from({ length: count }, (_, s) => s);
  const strays = all.filter(s => (taken === 0 || takesPart[s] === 0) && alone[s] === 0);
  if (strays.length === 0) return;
  const areNear = nearness(selected);
  const scans = [all, ...(isAnchored ? [all.filter(s => nearAnchor[s] === 1)] : [])].map(scan => ({
    scan,
    around: Int32Array.from(all, s => (scan.includes(s) ? scan.filter(other => areNear(s, other)).length : 0)),
  }));
  for (const stray of strays) {
    // Its own place is the first; it says nothing to be where it is.
    const places = [stray];
    for (const { scan, around } of scans) {
      for (const s of centresFor(stray, scan, around, areNear, selected)) {
        if (places.some(place => Math.hypot(east[place] - east[s], north[place] - north[s]) < PLACE_METRES)) continue;
        places.push(s);
        const place = placeNumber(
          payload[PAYLOAD_WORDS * s + PACKED_LATITUDE],
          payload[PAYLOAD_WORDS * s + PACKED_LONGITUDE],
        );
        const at = PAYLOAD_WORDS * stray;
        stations.noteStray(
          selected.radioOf(stray),
          payload[at + PACKED_LATITUDE],
          payload[at + PACKED_LONGITUDE],
          place,
        );
      }
    }
  }
}

/**
 * The stations of a scan at which at least half of it may be heard, all without the device of one.
 * wasm/transmitters/links.ts has the same rule.
 */
function centresFor(
  one: number,
  scan: readonly number[],
  around: Int32Array,
  areNear: (a: number, b: number) => boolean,
  selected: SelectedStations,
): number[] {
  const radio = selected.radioOf(one);
  const own: number[] = [];
  const others: number[] = [];
  for (const s of scan) (isSameDevice(radio, selected.radioOf(s)) ? own : others).push(s);
  const isCentre = (s: number) => 2 * (around[s] - own.filter(other => areNear(s, other)).length) >= others.length;
  return others.filter(s => 2 * around[s] >= others.length && isCentre(s));
}

/** Tells whether two stations may be heard at one place, as the core has decided. */
function nearness({ east, north, reachMetres }: SelectedStations): (a: number, b: number) => boolean {
  return (a, b) => {
    const dx = east[a] - east[b];
    const dy = north[a] - north[b];
    const both = reachMetres[a] + reachMetres[b];
    return dx * dx + dy * dy <= both * both;
  };
}
