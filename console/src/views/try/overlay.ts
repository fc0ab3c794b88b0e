// How the things of an explained answer look on the map, in both themes: circles of one hue with falling opacity,
// stations by what became of them, estimates as rings. What is selected lies above all.

import type { LayerSpecification } from 'maplibre-gl';
import type { Overlay } from '../../map/base_map.ts';
import type { Feature } from './features.ts';

/** The source of everything that is drawn. */
const ALL = 'try';
/** The source of what is selected. */
export const SELECTED = 'try-selected';
/** Layers in which something can be clicked. */
export const CLICKED = ['try-points', 'try-rings'];

/** The colours of both themes, as in theme.css. */
const COLOURS = {
  light: {
    accent: '#1d4ed8',
    used: '#13693a',
    refused: '#b3261e',
    line: '#ffffff',
    dropped: '#855000',
    name: '#18202c',
  },
  dark: {
    accent: '#8ab0ff',
    used: '#7fd6a0',
    refused: '#ff9d94',
    line: '#171d26',
    dropped: '#f0c06a',
    name: '#e5eaf2',
  },
};

/** Draws features. @param features from the bottom up */
export function overlayOf(features: readonly Feature[], selected: readonly Feature[]): Overlay {
  const source = (list: readonly Feature[]) => ({ type: 'geojson' as const, data: collectionOf(list) });
  return { sources: { [ALL]: source(features), [SELECTED]: source(selected) }, layers: layersOf };
}

/** Features as GeoJSON. */
export function collectionOf(features: readonly Feature[]) {
  return { type: 'FeatureCollection' as const, features: [...features] };
}

function layersOf(isDark: boolean): LayerSpecification[] {
  const { accent, used, refused, line, dropped } = isDark ? COLOURS.dark : COLOURS.light;
  const byLook = ['match', ['get', 'look'], 'used', used, 'refused', refused, 'dropped', dropped, accent];
  const colour = byLook as unknown as string;
  const opacity = ['match', ['get', 'confidence'], 50, 0.22, 68, 0.14, 0.09] as unknown as number;
  return [
    {
      id: 'try-circles',
      type: 'fill',
      source: ALL,
      filter: ['has', 'confidence'],
      paint: { 'fill-color': accent, 'fill-opacity': opacity },
    },
    {
      id: 'try-edges',
      type: 'line',
      source: ALL,
      filter: ['has', 'confidence'],
      paint: { 'line-color': accent, 'line-width': 1, 'line-opacity': 0.7 },
    },
    {
      id: 'try-ways',
      type: 'line',
      source: ALL,
      filter: ['all', ['==', ['geometry-type'], 'LineString'], ['==', ['get', 'look'], 'used']],
      paint: { 'line-color': used, 'line-width': 1, 'line-opacity': 0.6 },
    },
    {
      id: 'try-rings',
      type: 'line',
      source: ALL,
      filter: ['all', ['==', ['geometry-type'], 'LineString'], ['!=', ['get', 'look'], 'used']],
      paint: { 'line-color': colour, 'line-width': 2, 'line-dasharray': [3, 2] },
    },
    {
      id: 'try-points',
      type: 'circle',
      source: ALL,
      filter: ['==', ['geometry-type'], 'Point'],
      paint: {
        'circle-color': colour,
        'circle-radius': ['match', ['get', 'look'], 'answer', 7, 6],
        'circle-stroke-color': line,
        'circle-stroke-width': 2,
      },
    },
    {
      id: 'try-selected-lines',
      type: 'line',
      source: SELECTED,
      filter: ['!=', ['geometry-type'], 'Point'],
      paint: { 'line-color': colour, 'line-width': 4 },
    },
    {
      id: 'try-selected-points',
      type: 'circle',
      source: SELECTED,
      filter: ['==', ['geometry-type'], 'Point'],
      paint: {
        'circle-color': colour,
        'circle-radius': 8,
        'circle-stroke-color': colour,
        'circle-stroke-width': 6,
        'circle-stroke-opacity': 0.35,
      },
    },
  ];
}
