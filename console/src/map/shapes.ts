// Shapes that several views draw.

import type { CircleLayerSpecification } from 'maplibre-gl';

/** South-west and north-east, longitude first, degrees. */
export type Corners = [southWest: [number, number], northEast: [number, number]];

/** A box as a feature of GeoJSON. */
export function boxFeature<P>([[west, south], [east, north]]: Corners, properties: P) {
  const ring: [number, number][] = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return { type: 'Feature' as const, properties, geometry: { type: 'Polygon' as const, coordinates: [ring] } };
}

/** The colour of what a map is about. */
export function accentOf(isDark: boolean): string {
  return isDark ? '#8ab0ff' : '#1d4ed8';
}

/** The points of a source, in that colour. */
export function accentPoints(id: string, source: string, isDark: boolean): CircleLayerSpecification {
  return {
    id,
    type: 'circle',
    source,
    filter: ['==', ['geometry-type'], 'Point'],
    paint: {
      'circle-radius': 7,
      'circle-color': accentOf(isDark),
      'circle-stroke-color': isDark ? '#0b1730' : '#ffffff',
      'circle-stroke-width': 2.5,
    },
  };
}
