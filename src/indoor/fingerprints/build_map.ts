// Makes the fingerprint map of a building of all its fingerprints. Its size is bounded by the grid: a cell has at most
// six places, a place at most 255 radios of three bytes. Where there are more places than a map can number, the grid is
// made coarser.

import type { Fingerprint } from './fingerprint.ts';
import { placesOfGaps } from './gaps.ts';
import { encodeMap, type MapColumns, PLACES_MAX } from './map_record.ts';
import { isPlaced, type Place, placesOf } from './places.ts';
import { storedOf } from './strength.ts';
import { unsurveyedShare, type Visit } from './unsurveyed.ts';

const GRID_METRES = 2;
/**
 * Places in gaps, at most: so many for each surveyed place, or so many. A map and its matching become larger by that.
 */
const GAPS_EACH = 0.5;
const GAPS_FEW = 256;
/** Surveys of single points say that nothing was seen twice. */
const UNSURVEYED_MAX = 0.5;
/**
 * Of what is not surveyed, this is in gaps, by the walks held back from a survey of a mall (0.59); the rest is beyond
 * what is surveyed.
 */
const GAPS_SHARE = 0.5;
/** Places between two calls of `onStep`. */
const STEP = 1_000;
/** Radios of a place that are kept, the strongest. */
const PLACE_RADIOS_MAX = 255;

/** The lists of a map, as in `MapColumns`. */
type Levels = Pick<MapColumns, 'radio' | 'firstLevel' | 'levelPlace' | 'levelStrength'>;

/**
 * Makes the record of a building's fingerprint map.
 * @param fingerprints those that cannot be used (no reading, floor or position out of range) are left out; read again
 *   for each grid that is tried
 * @param origin of the plane in which the fingerprints stand, degrees
 * @param onStep called now and then; an error that it throws ends the work
 * @returns the record that `FingerprintMap` opens; without any place if there is no fingerprint that can be used
 */
export function buildFingerprintMap(
  fingerprints: Iterable<Fingerprint>,
  origin: { latitude: number; longitude: number },
  onStep: () => void = () => {},
): Uint8Array<ArrayBuffer> {
  let gridMetres = GRID_METRES;
  let places = placesOf(fingerprints, gridMetres);
  for (; places.length > PLACES_MAX; places = placesOf(fingerprints, gridMetres)) gridMetres *= 2;
  const [scans, visits] = visitsOf(fingerprints);
  const unsurveyed = Math.min(UNSURVEYED_MAX, unsurveyedShare(visits, onStep));
  const most = Math.min(Math.max(GAPS_FEW, Math.floor(GAPS_EACH * places.length)), PLACES_MAX - places.length);
  places.push(...placesOfGaps(places, (GAPS_SHARE * unsurveyed) / (1 - unsurveyed), most, onStep));
  return encodeMap({
    latitude: origin.latitude,
    longitude: origin.longitude,
    scans,
    ...levelsOf(places, onStep),
    east: Float32Array.from(places, ({ eastMetres }) => eastMetres),
    north: Float32Array.from(places, ({ northMetres }) => northMetres),
    floor: Int16Array.from(places, ({ floor }) => floor),
    logPrior: Float32Array.from(places, ({ prior }) => Math.log(prior)),
  });
}

/** The number of all fingerprints, and those that are placed, without their readings, which take much memory. */
function visitsOf(fingerprints: Iterable<Fingerprint>): [scans: number, visits: Visit[]] {
  const visits: Visit[] = [];
  let scans = 0;
  for (const fingerprint of fingerprints) {
    scans++;
    const { floor, eastMetres, northMetres, timeMs = Number.NaN } = fingerprint;
    if (isPlaced(fingerprint)) visits.push({ floor, eastMetres, northMetres, timeMs });
  }
  return [scans, visits];
}

/** Goes through all places twice, so that nothing grows: first to count, then to fill the columns. */
function levelsOf(places: readonly Place[], onStep: () => void): Levels {
  const counts = new Map<number, number>();
  for (const [, radio] of heardIn(places, onStep)) counts.set(radio, (counts.get(radio) ?? 0) + 1);
  const radio = Float64Array.from(counts.keys()).sort();
  const firstLevel = new Uint32Array(radio.length + 1);
  const next = new Map<number, number>();
  for (const [r, name] of radio.entries()) {
    next.set(name, firstLevel[r]);
    firstLevel[r + 1] = firstLevel[r] + counts.get(name)!;
  }
  const levelPlace = new Uint16Array(firstLevel[radio.length]);
  const levelStrength = new Uint8Array(firstLevel[radio.length]);
  for (const [place, name, stored] of heardIn(places, onStep)) {
    const at = next.get(name)!;
    levelPlace[at] = place;
    levelStrength[at] = stored;
    next.set(name, at + 1);
  }
  return { radio, firstLevel, levelPlace, levelStrength };
}

/** What a map keeps of each place: radios with their stored strength. */
function* heardIn(
  places: readonly Place[],
  onStep: () => void,
): Generator<[place: number, radio: number, stored: number]> {
  for (const [p, place] of places.entries()) {
    if (p % STEP === STEP - 1) onStep();
    for (const [radio, strength] of strongest(place)) {
      const stored = storedOf(strength);
      if (stored > 0) yield [p, radio, stored];
    }
  }
}

function strongest({ strengths }: Place): Iterable<[radio: number, strength: number]> {
  if (strengths.size <= PLACE_RADIOS_MAX) return strengths;
  return [...strengths].sort(([, a], [, b]) => b - a).slice(0, PLACE_RADIOS_MAX);
}
