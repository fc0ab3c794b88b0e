// Writes plans as GeoJSON, in metres of the kit of drawn buildings.

import { corners, degreesAt, type Metres } from '../../../kits/buildings/drawn.ts';

type Properties = Record<string, unknown>;

/** A rectangle. */
export function polygon(
  properties: Properties,
  southWest: Metres,
  northEast: Metres,
  holes: readonly (readonly Metres[])[] = [],
): object {
  const rings = [corners(southWest, northEast), ...holes];
  return feature(properties, { type: 'Polygon', coordinates: rings.map(ring => ring.map(degreesAt)) });
}

export function line(properties: Properties, ...points: readonly Metres[]): object {
  return feature(properties, { type: 'LineString', coordinates: points.map(degreesAt) });
}

export function point(properties: Properties, at: Metres): object {
  return feature(properties, { type: 'Point', coordinates: degreesAt(at) });
}

export function feature(properties: Properties | null, geometry: object | null, more: object = {}): object {
  return { type: 'Feature', ...more, properties, geometry };
}

/** A collection as text. */
export function collection(...features: readonly object[]): string {
  return JSON.stringify({ type: 'FeatureCollection', features });
}
