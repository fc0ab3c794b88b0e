// Buildings of the drawn world: a large one with two floors and rooms, and beside it one of which only the name is
// known.

import { BUILT, moved } from './geography.ts';

/** Half a side, and the way from the middle of one building to that of the other. */
const HALF_METRES = 40;
const APART_METRES = 200;

/** Middle of the building of which only the name is known. */
export const NAMED = moved(BUILT, 0, APART_METRES);

/** The file of buildings. */
export function buildingsGeoJson(): string {
  const square = (east: number) => {
    const corners = [
      [-1, -1],
      [-1, 1],
      [1, 1],
      [1, -1],
      [-1, -1],
    ].map(([north, right]) => moved(BUILT, north * HALF_METRES, east + right * HALF_METRES));
    return { type: 'Polygon', coordinates: [corners.map(({ lat, lng }) => [lng, lat])] };
  };
  const half = (side: -1 | 1) => {
    const corners = [
      [-1, 0],
      [-1, 1],
      [1, 1],
      [1, 0],
      [-1, 0],
    ].map(([north, away]) => moved(BUILT, north * HALF_METRES, side * away * HALF_METRES));
    return { type: 'Polygon', coordinates: [corners.map(({ lat, lng }) => [lng, lat])] };
  };
  const features = [
    { properties: { buildingModelId: 12, buildingId: 3, building: 'Drawn Hall' }, geometry: square(0) },
    { properties: { buildingId: 3, floorIndex: 0, floorLabel: 'G', room: 'Hall' }, geometry: square(0) },
    { properties: { buildingId: 3, floorIndex: 1, floorLabel: 'First', room: 'West' }, geometry: half(-1) },
    { properties: { buildingId: 3, floorIndex: 1, room: 'East' }, geometry: half(1) },
    { properties: { building: 'Annexe' }, geometry: square(APART_METRES) },
  ];
  return JSON.stringify({
    type: 'FeatureCollection',
    features: features.map(feature => ({ type: 'Feature', ...feature })),
  });
}
