// How stations and misses look on the map: squares that are darker the more stations they hold, and points in the
// colour of their kind. A station that lookups leave out is hollow.

import type { ExpressionSpecification, FilterSpecification, LayerSpecification } from 'maplibre-gl';
import type { AdminSchemas } from '../../../../build/console_api.ts';
import { addressOf } from '../../api/call.ts';
import type { Overlay } from '../../map/base_map.ts';
import { attributionOf } from '../../map/base_style.ts';
import { ownTiles } from '../../map/own_tiles.ts';
import { boxFeature } from '../../map/shapes.ts';
import { strings } from '../../strings.ts';

/** What is shown of the stations. */
export interface StationChoice {
  kind: string;
  /** A source; `learned` is none, so it begins with a colon where it is one. */
  source: string;
  /** Days since the last sighting; 0 for any. */
  days: number;
}

/** Names of layers that can be pressed. */
export const POINTS = 'station-points';
export const SQUARES = 'station-squares';

const DAY_MS = 86_400_000;
/** Kinds with a colour of their own: light, dark. */
export const KIND_COLOURS: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  wifi: ['#1d4ed8', '#8ab0ff'],
  bluetooth: ['#7c3aed', '#c4a5ff'],
  beacon: ['#0f766e', '#5eead4'],
  cell: ['#b45309', '#f5b55c'],
};
/** Requests that were not found. */
export const MISS_COLOURS = ['#b3261e', '#ff9d94'] as const;
/** Squares by the least number of stations in them: what the map draws and the legend says. */
export const DENSITY_STEPS: readonly { from: number; colours: readonly [light: string, dark: string] }[] = [
  { from: 1, colours: ['#93b1f5', '#34528f'] },
  { from: 10, colours: ['#6288ea', '#5474b5'] },
  { from: 100, colours: ['#3f68dd', '#7f9edb'] },
  { from: 1_000, colours: ['#1d4ed8', '#a9c5ff'] },
];
export const DENSITY_OPACITY = 0.75;

/**
 * The stations that are chosen.
 * @param sources names of the imports that they come from, which the map names as it names its licences
 * @param madeAt when their index was made: behind a #, so only the map sees that there are others
 */
export function stationsOverlay(
  { kind, source, days }: StationChoice,
  sources: readonly string[],
  madeAt = '',
): Overlay {
  const query = {
    ...(kind !== '' && { kind }),
    ...(source === 'learned' && { learned: 'true' }),
    ...(source.startsWith(':') && { source: source.slice(1) }),
    ...(days > 0 && { seenAfter: new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10) }),
  };
  const path = addressOf('/tiles/stations/{z}/{x}/{y}', { path: { z: 'Z', x: 'X', y: 'Y' }, query });
  const tiles = `${ownTiles(path.replace('/Z/X/Y', '/{z}/{x}/{y}'))}#${madeAt}`;
  const attribution = sources.length === 0 ? '' : attributionOf(strings.coverage.map.stationsFrom(sources.join(', ')));
  return {
    sources: { stations: { type: 'vector', tiles: [tiles], minzoom: 0, maxzoom: 18, attribution } },
    isBelowNames: true,
    layers: isDark => [squares(isDark), points(isDark)],
  };
}

function squares(isDark: boolean): LayerSpecification {
  const at = isDark ? 1 : 0;
  const [least, ...others] = DENSITY_STEPS;
  return {
    id: SQUARES,
    type: 'fill',
    source: 'stations',
    'source-layer': 'density',
    paint: {
      'fill-color': [
        'step',
        ['get', 'stations'],
        least.colours[at],
        ...others.flatMap(({ from, colours }) => [from, colours[at]]),
      ],
      'fill-opacity': DENSITY_OPACITY,
      'fill-antialias': false,
    },
  };
}

function points(isDark: boolean): LayerSpecification {
  const at = isDark ? 1 : 0;
  const colour: ExpressionSpecification = [
    'match',
    ['get', 'kind'],
    'wifi',
    KIND_COLOURS.wifi[at],
    'bluetooth',
    KIND_COLOURS.bluetooth[at],
    'beacon',
    KIND_COLOURS.beacon[at],
    KIND_COLOURS.cell[at],
  ];
  return {
    id: POINTS,
    type: 'circle',
    source: 'stations',
    'source-layer': 'stations',
    paint: {
      'circle-radius': ['interpolate', ['linear'], ['zoom'], 12, 3, 18, 7],
      'circle-color': colour,
      'circle-opacity': ['case', ['==', ['get', 'used'], 1], 0.85, 0],
      'circle-stroke-color': colour,
      'circle-stroke-width': 1.5,
    },
  };
}

/** The station that a card is about. */
export function chosenOverlay(name: string): Overlay {
  const filter: FilterSpecification = ['==', ['get', 'name'], name];
  return {
    sources: {},
    layers: isDark => [
      {
        id: 'station-chosen',
        type: 'circle',
        source: 'stations',
        'source-layer': 'stations',
        filter,
        paint: {
          'circle-radius': 12,
          'circle-opacity': 0,
          'circle-stroke-width': 3,
          'circle-stroke-color': isDark ? '#ffffff' : '#18202c',
        },
      },
    ],
  };
}

/** Squares in which requests were not found. */
export function missesOverlay({ squares: counted, degrees }: AdminSchemas['Misses']): Overlay {
  const features = counted.map(({ latitude, longitude, misses }) => {
    const northEast: [number, number] = [longitude + degrees, latitude + degrees];
    return boxFeature([[longitude, latitude], northEast], { misses });
  });
  return {
    sources: { misses: { type: 'geojson', data: { type: 'FeatureCollection', features } } },
    isBelowNames: true,
    layers: isDark => {
      const colour = MISS_COLOURS[isDark ? 1 : 0];
      const opacity: ExpressionSpecification = [
        'interpolate',
        ['linear'],
        ['log10', ['get', 'misses']],
        0,
        0.15,
        3,
        0.5,
      ];
      return [
        { id: 'misses', type: 'fill', source: 'misses', paint: { 'fill-color': colour, 'fill-opacity': opacity } },
        { id: 'misses-edge', type: 'line', source: 'misses', paint: { 'line-color': colour, 'line-width': 1.5 } },
      ];
    },
  };
}
