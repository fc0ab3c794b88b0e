// What the map marks of an answer.

import type { BaseMap } from '../../map/base_map.ts';
import { boxOf, type Place, type Point } from './place.ts';

const FOUND = 'found';

/** A mark, as GeoJSON. */
interface Feature {
  type: 'Feature';
  properties: Record<string, never>;
  geometry: { type: 'Polygon'; coordinates: [number, number][][] } | { type: 'Point'; coordinates: [number, number] };
}

/** Marks the point that was asked for, and the box around the place that answers. */
export function draw(map: BaseMap | undefined, point: Point | undefined, place: Place | undefined): void {
  const features: Feature[] = [];
  if (place !== undefined) {
    const [[west, south], [east, north]] = boxOf(place);
    const ring: [number, number][] = [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ];
    features.push({ type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [ring] } });
  }
  if (point !== undefined) {
    const { latitude, longitude } = point;
    features.push({
      type: 'Feature',
      properties: {},
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
    });
  }
  map?.setOverlay(FOUND, {
    sources: { [FOUND]: { type: 'geojson', data: { type: 'FeatureCollection', features } } },
    layers: isDark => {
      const accent = isDark ? '#8ab0ff' : '#1d4ed8';
      return [
        {
          id: 'found-box',
          type: 'line',
          source: FOUND,
          filter: ['==', ['geometry-type'], 'Polygon'],
          paint: { 'line-color': accent, 'line-width': 1.5, 'line-dasharray': [3, 2] },
        },
        {
          id: 'found-point',
          type: 'circle',
          source: FOUND,
          filter: ['==', ['geometry-type'], 'Point'],
          paint: {
            'circle-radius': 7,
            'circle-color': accent,
            'circle-stroke-color': isDark ? '#0b1730' : '#ffffff',
            'circle-stroke-width': 2.5,
          },
        },
      ];
    },
  });
}
