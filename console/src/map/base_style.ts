// The ground of the map, in both themes.

import type { StyleSpecification } from 'maplibre-gl';

/** The style below everything that views draw. */
export function baseStyle(isDark: boolean): StyleSpecification {
  return {
    version: 8,
    sources: {},
    layers: [{ id: 'ground', type: 'background', paint: { 'background-color': isDark ? '#1a212b' : '#e9edf2' } }],
  };
}
