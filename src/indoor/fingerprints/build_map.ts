// Makes the fingerprint map of a building of all its fingerprints. The size of the map is bounded by its grid: where there are more places than a map can
// number, the grid is made coarser.

import type { Fingerprint } from './fingerprint.ts';
import { encodeMap, PLACES_MAX } from './map_record.ts';
import { type Place, placesOf } from './places.ts';

const GRID_METRES = 1.5;
/** Radios of a place that are kept, the strongest. */
const PLACE_RADIOS_MAX = 255;
const SHARE_MAX = 255;

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
  const byRadio = new Map<number, { place: number; mean: number; share: number }[]>();
  for (const [p, place] of places.entries()) {
    for (const [radio, level] of strongest(place)) {
      const mean = Math.round((-2 * level.sum) / level.weight);
      const share = Math.max(1, Math.round((SHARE_MAX * level.weight) / place.weight));
      const list = byRadio.get(radio);
      if (list === undefined) byRadio.set(radio, [{ place: p, mean, share }]);
      else list.push({ place: p, mean, share });
    }
  }
  const radios = [...byRadio.keys()].sort((a, b) => a - b);
  const levels = radios.flatMap(radio => byRadio.get(radio)!);
  const firstLevel = new Uint32Array(radios.length + 1);
  for (const [r, radio] of radios.entries()) firstLevel[r + 1] = firstLevel[r] + byRadio.get(radio)!.length;
  return encodeMap({
    ...origin,
    scans: all.length,
    radio: Float64Array.from(radios),
    firstLevel,
    levelPlace: Uint16Array.from(levels, ({ place }) => place),
    levelMean: Uint8Array.from(levels, ({ mean }) => mean),
    levelShare: Uint8Array.from(levels, ({ share }) => share),
    east: Float32Array.from(places, ({ eastMetres }) => eastMetres),
    north: Float32Array.from(places, ({ northMetres }) => northMetres),
    floor: Int16Array.from(places, ({ floor }) => floor),
    weight: Float32Array.from(places, ({ weight }) => weight),
  });
}

function strongest({ levels }: Place): Place['levels'] {
  if (levels.size <= PLACE_RADIOS_MAX) return levels;
  const order = [...levels].sort(([, a], [, b]) => b.sum / b.weight - a.sum / a.weight);
  return new Map(order.slice(0, PLACE_RADIOS_MAX));
}
