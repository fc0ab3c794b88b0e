// Makes the fingerprint map of a building of all its fingerprints. Its size is bounded by the grid: a cell has at most six places, a place at most 255 radios of
// three bytes. Where there are more places than a map can number, the grid is made coarser.

import type { Fingerprint } from './fingerprint.ts';
import { encodeMap, PLACES_MAX } from './map_record.ts';
import { type Place, placesOf } from './places.ts';
import { storedOf } from './strength.ts';

const GRID_METRES = 2;
/** Radios of a place that are kept, the strongest. */
const PLACE_RADIOS_MAX = 255;

/** The levels of a radio, by place. */
interface RadioLevels {
  places: number[];
  strengths: number[];
}

/**
 * Makes the record of a building's fingerprint map.
 * @param fingerprints those that cannot be used (no reading, floor or position out of range) are left out; read once
 * @param origin of the plane in which the fingerprints stand, degrees
 * @returns the record that `FingerprintMap` opens; without any place if there is no fingerprint that can be used
 */
export function buildFingerprintMap(
  fingerprints: Iterable<Fingerprint>,
  origin: { latitude: number; longitude: number },
): Uint8Array<ArrayBuffer> {
  const all = [...fingerprints];
  let gridMetres = GRID_METRES;
  let places = placesOf(all, gridMetres);
  for (; places.length > PLACES_MAX; places = placesOf(all, gridMetres)) gridMetres *= 2;
  const byRadio = levelsByRadio(places);
  const radios = [...byRadio.keys()].sort((a, b) => a - b);
  const firstLevel = new Uint32Array(radios.length + 1);
  for (const [r, radio] of radios.entries()) firstLevel[r + 1] = firstLevel[r] + byRadio.get(radio)!.places.length;
  const levelPlace = new Uint16Array(firstLevel[radios.length]);
  const levelStrength = new Uint8Array(firstLevel[radios.length]);
  for (const [r, radio] of radios.entries()) {
    levelPlace.set(byRadio.get(radio)!.places, firstLevel[r]);
    levelStrength.set(byRadio.get(radio)!.strengths, firstLevel[r]);
  }
  return encodeMap({
    latitude: origin.latitude,
    longitude: origin.longitude,
    scans: all.length,
    radio: Float64Array.from(radios),
    firstLevel,
    levelPlace,
    levelStrength,
    east: Float32Array.from(places, ({ eastMetres }) => eastMetres),
    north: Float32Array.from(places, ({ northMetres }) => northMetres),
    floor: Int16Array.from(places, ({ floor }) => floor),
    logPrior: Float32Array.from(places, ({ inCell }) => -Math.log(inCell)),
  });
}

function levelsByRadio(places: readonly Place[]): Map<number, RadioLevels> {
  const byRadio = new Map<number, RadioLevels>();
  for (const [p, place] of places.entries()) {
    for (const [radio, strength] of strongest(place)) {
      const stored = storedOf(strength);
      if (stored === 0) continue;
      const levels = byRadio.get(radio) ?? { places: [], strengths: [] };
      byRadio.set(radio, levels);
      levels.places.push(p);
      levels.strengths.push(stored);
    }
  }
  return byRadio;
}

function strongest({ strengths }: Place): Iterable<[radio: number, strength: number]> {
  if (strengths.size <= PLACE_RADIOS_MAX) return strengths;
  return [...strengths].sort(([, a], [, b]) => b - a).slice(0, PLACE_RADIOS_MAX);
}
