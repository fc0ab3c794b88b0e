// What the map marks of an answer.

import type { BaseMap } from '../../map/base_map.ts';
import { accentOf, accentPoints, boxFeature } from '../../map/shapes.ts';
import { boxOf, type Place, type Point } from './place.ts';

const FOUND = 'found';

/** Marks the point that was asked for, and the box around the place that answers. */
export function draw(map: BaseMap | undefined, point: Point | undefined, place: Place | undefined): void {
  const asked = point && {
    type: 'Feature' as const,
    properties: {},
    geometry: { type: 'Point' as const, coordinates: [point.longitude, point.latitude] },
  };
  const features = [...(place ? [boxFeature(boxOf(place), {})] : []), ...(asked ? [asked] : [])];
  map?.setOverlay(FOUND, {
    sources: { [FOUND]: { type: 'geojson', data: { type: 'FeatureCollection', features } } },
    layers: isDark => [
      {
        id: 'found-box',
        type: 'line',
        source: FOUND,
        filter: ['==', ['geometry-type'], 'Polygon'],
        paint: { 'line-color': accentOf(isDark), 'line-width': 1.5, 'line-dasharray': [3, 2] },
      },
      accentPoints('found-point', FOUND, isDark),
    ],
  });
}
