// The ground of the map, in both themes: the layers of the service's own tiles (docs/admin.md lists them). The browser
// draws all letters with the fonts of the system, so that no font is loaded and names of every script can be read, also
// from right to left.
//
// The ground stays behind what views draw on it: pale areas, thin lines, and names that get out of each other's way.

import type {
  DataDrivenPropertyValueSpecification,
  ExpressionSpecification,
  GeoJSONSourceSpecification,
  LayerSpecification,
  StyleSpecification,
} from 'maplibre-gl';
import { ownTiles } from './own_tiles.ts';

/** Name of the source of the ground. */
export const GROUND = 'ground';
/** Tiles end here; the map shows the last ones larger. */
const ZOOM_LAST = 16;
export const FONTS = ['system-ui', 'Segoe UI', 'Roboto', 'Noto Sans', 'DejaVu Sans'];
/** The weight is read from the first name. */
const REGULAR = ['Regular', ...FONTS];
const SEMIBOLD = ['Semibold', ...FONTS];

/** Colours by what they are for. */
export interface Palette {
  water: string;
  land: string;
  wood: string;
  park: string;
  building: string;
  buildingEdge: string;
  border: string;
  boundary: string;
  motorway: string;
  mainRoad: string;
  street: string;
  casing: string;
  path: string;
  name: string;
  minorName: string;
  halo: string;
}

const LIGHT: Palette = {
  water: '#cfdfec',
  land: '#f6f5f1',
  wood: '#dde8d3',
  park: '#d3e8cd',
  building: '#e6e2da',
  buildingEdge: '#d6d0c5',
  border: '#8a7f94',
  boundary: '#b9b0c2',
  motorway: '#f0b878',
  mainRoad: '#f8dfa5',
  street: '#ffffff',
  casing: '#d3cec4',
  path: '#c9bfae',
  name: '#28303c',
  minorName: '#566072',
  halo: '#fbfaf7',
};

const DARK: Palette = {
  water: '#0d1722',
  land: '#1b222c',
  wood: '#1c2a26',
  park: '#1e3029',
  building: '#262f3b',
  buildingEdge: '#323d4b',
  border: '#7d7590',
  boundary: '#4a4758',
  motorway: '#8a6538',
  mainRoad: '#6a5a3c',
  street: '#35404e',
  casing: '#141a22',
  path: '#3d4654',
  name: '#dfe5ee',
  minorName: '#9fabbc',
  halo: '#161c25',
};

/** What the ground consists of beside its look. */
interface Ground {
  /** Whose data it shows. */
  attribution: string;
  /** The path of its tiles, before their numbers. */
  tiles: string;
  /** What is shown where they are not there yet. */
  land: GeoJSONSourceSpecification['data'];
}

/** The colours of a theme. */
export function paletteOf(isDark: boolean): Palette {
  return isDark ? DARK : LIGHT;
}

/** The style below everything that views draw. */
export function baseStyle(isDark: boolean, { attribution, tiles, land }: Ground): StyleSpecification {
  const palette = paletteOf(isDark);
  return {
    version: 8,
    // The theme changes at once, as that of the page does.
    transition: { duration: 0, delay: 0 },
    sources: {
      'coarse-land': { type: 'geojson', data: land },
      [GROUND]: {
        type: 'vector',
        tiles: [ownTiles(`${tiles}/{z}/{x}/{y}`)],
        maxzoom: ZOOM_LAST,
        attribution: attribution.split(' | ').map(attributionOf).join(' | '),
      },
    },
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': palette.water } },
      { id: 'coarse-land', source: 'coarse-land', type: 'fill', paint: { 'fill-color': palette.land } },
      {
        ...of('sea', 'sea'),
        type: 'fill',
        paint: { 'fill-color': palette.water, 'fill-antialias': false },
      },
      { ...of('land', 'land'), type: 'fill', paint: { 'fill-color': palette.land } },
      {
        ...of('ground', 'ground'),
        type: 'fill',
        paint: {
          'fill-color': ['match', ['get', 'class'], 'water', palette.water, 'wood', palette.wood, palette.park],
        },
      },
      {
        ...of('building', 'building'),
        type: 'fill',
        minzoom: 15,
        paint: { 'fill-color': palette.building, 'fill-outline-color': palette.buildingEdge },
      },
      ...roads(palette),
      ...boundaries(palette),
      ...names(palette),
    ],
  };
}

function of(id: string, layer: string): { id: string; source: string; 'source-layer': string } {
  return { id, source: GROUND, 'source-layer': layer };
}

/** From the least important to the motorways: classes, colour, and widths in pixels by zoom. */
function roads({ motorway, mainRoad, street, casing, path }: Palette): LayerSpecification[] {
  const paths = ['path', 'footway', 'cycleway', 'steps', 'track', 'bridleway'];
  const motorways = ['motorway', 'motorway_link', 'trunk', 'trunk_link'];
  const main = ['primary', 'primary_link', 'secondary', 'secondary_link', 'tertiary', 'tertiary_link'];
  const isOne = (classes: string[]): ExpressionSpecification => ['in', ['get', 'class'], ['literal', classes]];
  const isStreet: ExpressionSpecification = ['!', isOne([...paths, ...motorways, ...main])];
  const round = { 'line-cap': 'round', 'line-join': 'round' } as const;
  const wide = (id: string, filter: ExpressionSpecification, color: string, widths: number[], isCasing: boolean) =>
    ({
      ...of(isCasing ? `${id}-casing` : id, 'road'),
      type: 'line',
      filter,
      layout: round,
      paint: { 'line-color': isCasing ? casing : color, 'line-width': widthsBy(widths, isCasing ? 1.6 : 0) },
    }) satisfies LayerSpecification;
  const kinds: [string, ExpressionSpecification, string, number[]][] = [
    ['street', isStreet, street, [0.3, 0.8, 3, 8, 20]],
    ['main', isOne(main), mainRoad, [0.6, 1.6, 5, 11, 26]],
    ['motorway', isOne(motorways), motorway, [1, 2.4, 6, 13, 30]],
  ];
  return [
    {
      ...of('path', 'road'),
      type: 'line',
      filter: isOne(paths),
      paint: { 'line-color': path, 'line-width': 1.2, 'line-dasharray': [3, 2] },
    },
    ...kinds.map(([id, filter, color, widths]) => wide(id, filter, color, widths, true)),
    ...kinds.map(([id, filter, color, widths]) => wide(id, filter, color, widths, false)),
  ];
}

/** Widths at the zooms 7, 11, 14, 16 and 19. */
function widthsBy(widths: readonly number[], more: number): DataDrivenPropertyValueSpecification<number> {
  const [z7, z11, z14, z16, z19] = widths.map(width => width + more);
  return ['interpolate', ['exponential', 1.5], ['zoom'], 7, z7, 11, z11, 14, z14, 16, z16, 19, z19];
}

function boundaries({ border, boundary }: Palette): LayerSpecification[] {
  return [
    {
      ...of('boundary', 'boundary'),
      type: 'line',
      filter: ['>', ['get', 'rank'], 4],
      paint: { 'line-color': boundary, 'line-width': 1, 'line-dasharray': [4, 3] },
    },
    {
      ...of('border', 'boundary'),
      type: 'line',
      filter: ['<=', ['get', 'rank'], 4],
      layout: { 'line-join': 'round' },
      paint: { 'line-color': border, 'line-width': ['interpolate', ['linear'], ['zoom'], 1, 0.6, 8, 1.6] },
    },
  ];
}

const LABEL = { 'text-field': ['get', 'name'] as ExpressionSpecification, 'text-max-width': 9 };

function names(palette: Palette): LayerSpecification[] {
  const { minorName, halo } = palette;
  const pale = { 'text-color': minorName, 'text-halo-color': halo, 'text-halo-width': 1.4 };
  return [
    {
      ...of('road-name', 'road'),
      type: 'symbol',
      minzoom: 13,
      filter: ['has', 'name'],
      layout: {
        ...LABEL,
        'symbol-placement': 'line',
        'text-font': REGULAR,
        'text-size': ['interpolate', ['linear'], ['zoom'], 13, 10.5, 18, 13],
      },
      paint: pale,
    },
    {
      ...of('house', 'house'),
      type: 'symbol',
      minzoom: 17,
      layout: { 'text-field': ['get', 'number'], 'text-font': REGULAR, 'text-size': 10.5 },
      paint: pale,
    },
    {
      ...of('poi', 'poi'),
      type: 'symbol',
      minzoom: 16.5,
      layout: {
        ...LABEL,
        'text-font': REGULAR,
        'text-size': 11,
        'symbol-sort-key': ['-', 0, ['get', 'importance']],
      },
      paint: pale,
    },
    placeNames(palette),
  ];
}

/** Names of countries, states, towns and their parts. */
function placeNames({ name, minorName, halo }: Palette): LayerSpecification {
  return {
    ...of('place', 'place'),
    type: 'symbol',
    layout: {
      ...LABEL,
      'text-font': [
        'step',
        ['get', 'rank'],
        ['literal', SEMIBOLD],
        5,
        ['literal', REGULAR],
        16,
        ['literal', SEMIBOLD],
        19,
        ['literal', REGULAR],
      ],
      // Countries, states and counties are written wide, so that nobody takes them for towns.
      'text-transform': ['step', ['get', 'rank'], 'uppercase', 16, 'none'],
      'text-letter-spacing': ['step', ['get', 'rank'], 0.12, 16, 0],
      // A name that has no room in its place has it beside.
      'text-variable-anchor': ['center', 'bottom', 'top', 'left', 'right'],
      'text-radial-offset': ['step', ['get', 'rank'], 1.3, 5, 0.6],
      'text-justify': 'auto',
      'text-size': [
        'interpolate',
        ['linear'],
        ['zoom'],
        2,
        ['match', ['get', 'rank'], 4, 11, 10.5],
        10,
        ['step', ['get', 'rank'], 15, 5, 11, 16, 15, 18, 13, 19, 12],
        16,
        ['step', ['get', 'rank'], 18, 18, 16, 19, 14],
      ],
      'text-padding': 6,
      'symbol-sort-key': ['-', 0, ['get', 'importance']],
    },
    paint: {
      'text-color': ['step', ['get', 'rank'], name, 5, minorName, 16, name, 19, minorName],
      'text-halo-color': halo,
      'text-halo-width': 1.6,
    },
  };
}

/** A licence that ends with an address leads there. The control of MapLibre takes attributions as HTML. */
export function attributionOf(licence: string): string {
  const [, text, address] = /^(.*?)\.? (https?:\/\/\S+)$/.exec(licence) ?? [];
  if (text === undefined) return escaped(licence);
  return `<a href="${escaped(address)}" target="_blank" rel="noopener noreferrer">${escaped(text)}</a>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
