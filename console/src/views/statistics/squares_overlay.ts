// Squares of five kilometres with many stations, darker the more there are.

import type { Overlay } from '../../map/base_map.ts';
import { boxFeature } from '../../map/shapes.ts';

/** A square as the service tells it, degrees. */
export interface PublicSquare {
  latitude: number;
  longitude: number;
  high: number;
  wide: number;
  atLeast: number;
}

/** The classes of squares: what the map draws and the legend says. */
export const STEPS: readonly { from: number; colours: readonly [light: string, dark: string] }[] = [
  { from: 50, colours: ['#93b1f5', '#34528f'] },
  { from: 500, colours: ['#5079e6', '#7091d0'] },
  { from: 5_000, colours: ['#1d4ed8', '#a9c5ff'] },
];

/** The squares on a map. */
export function squaresOverlay(squares: readonly PublicSquare[]): Overlay {
  const features = squares.map(({ latitude, longitude, high, wide, atLeast }) => {
    const northEast: [number, number] = [longitude + wide, latitude + high];
    return boxFeature([[longitude, latitude], northEast], { atLeast });
  });
  return {
    sources: { squares: { type: 'geojson', data: { type: 'FeatureCollection', features } } },
    isBelowNames: true,
    layers: isDark => {
      const [least, ...others] = STEPS.map(({ from, colours }) => ({ from, colour: colours[isDark ? 1 : 0] }));
      return [
        {
          id: 'squares',
          type: 'fill',
          source: 'squares',
          paint: {
            'fill-color': [
              'step',
              ['get', 'atLeast'],
              least.colour,
              ...others.flatMap(({ from, colour }) => [from, colour]),
            ],
            'fill-opacity': 0.75,
          },
        },
      ];
    },
  };
}
