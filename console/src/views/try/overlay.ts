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
export const CLICKED = ['try-points', 'try-rings', 'try-shapes'];

/** The colours of both themes, as in theme.css. */
const COLOURS = {
  light: {
    accent: '#1d4ed8',
    used: '#13693a',
    refused: '#b3261e',
    line: '#ffffff',
    dropped: '#855000',
    inside: '#0f766e',
    before: '#545f70',
    guess: '#7c3aed',
  },
  dark: {
    accent: '#8ab0ff',
    used: '#7fd6a0',
    refused: '#ff9d94',
    line: '#171d26',
    dropped: '#f0c06a',
    inside: '#5eead4',
    before: '#9eabbd',
    guess: '#c4a5ff',
  },
};

/** What lines are that are no rings. */
const WAYS = ['used', 'before'];

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
  const { accent, line, ...others } = isDark ? COLOURS.dark : COLOURS.light;
  const { used, inside, before } = others;
  const byLook = ['match', ['get', 'look'], ...Object.entries(others).flat(), accent];
  const colour = byLook as unknown as string;
  return [
    ...insideLayers(inside),
    ...circleLayers(accent),
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
      filter: ['all', ['==', ['geometry-type'], 'LineString'], ['!', ['in', ['get', 'look'], ['literal', WAYS]]]],
      paint: { 'line-color': colour, 'line-width': 2, 'line-dasharray': [3, 2] },
    },
    {
      id: 'try-track',
      type: 'line',
      source: ALL,
      filter: ['all', ['==', ['geometry-type'], 'LineString'], ['==', ['get', 'look'], 'before']],
      paint: { 'line-color': before, 'line-width': 3, 'line-opacity': 0.8 },
    },
    {
      id: 'try-points',
      type: 'circle',
      source: ALL,
      filter: ['==', ['geometry-type'], 'Point'],
      paint: {
        'circle-color': colour,
        'circle-radius': ['match', ['get', 'look'], 'answer', 7, 'before', 4, 'guess', 4, 6],
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

/** Outlines of building, floor and room; the room is filled. */
function insideLayers(colour: string): LayerSpecification[] {
  const isInside = ['==', ['get', 'look'], 'inside'] as ['==', ...unknown[]] as never;
  const opacity = ['match', ['get', 'about'], 'room', 0.2, 0.06] as unknown as number;
  const width = ['match', ['get', 'about'], 'building', 2.5, 1.5] as unknown as number;
  return [
    {
      id: 'try-shapes',
      type: 'fill',
      source: ALL,
      filter: isInside,
      paint: { 'fill-color': colour, 'fill-opacity': opacity },
    },
    {
      id: 'try-shape-edges',
      type: 'line',
      source: ALL,
      filter: isInside,
      paint: { 'line-color': colour, 'line-width': width },
    },
  ];
}

/** Circles of one hue, the more opaque the smaller. */
function circleLayers(colour: string): LayerSpecification[] {
  const opacity = ['match', ['get', 'confidence'], 50, 0.22, 68, 0.14, 0.09] as unknown as number;
  return [
    {
      id: 'try-circles',
      type: 'fill',
      source: ALL,
      filter: ['has', 'confidence'],
      paint: { 'fill-color': colour, 'fill-opacity': opacity },
    },
    {
      id: 'try-edges',
      type: 'line',
      source: ALL,
      filter: ['has', 'confidence'],
      paint: { 'line-color': colour, 'line-width': 1, 'line-opacity': 0.7 },
    },
  ];
}
