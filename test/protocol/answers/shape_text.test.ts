import { expect, test } from 'vitest';
import { kmlOf, svgOf, wktOf } from '../../../src/protocol/answers/shape_text.ts';

const square = (x: number, y: number, side: number): [number, number][] => [
  [x, y],
  [x + side, y],
  [x + side, y + side],
  [x, y],
];
const POLYGON = { type: 'Polygon', coordinates: [square(9, 47, 1), square(9.25, 47.25, 0.5)] } as const;
const OUTER = '9,47 10,47 10,48 9,47';
const HOLE = '9.25,47.25 9.75,47.25 9.75,47.75 9.25,47.25';
const RING = (text: string) => `<LinearRing><coordinates>${text}</coordinates></LinearRing>`;
const KML = `<Polygon><outerBoundaryIs>${RING(OUTER)}</outerBoundaryIs><innerBoundaryIs>${RING(HOLE)}</innerBoundaryIs></Polygon>`;
const wktRings = `(${[OUTER, HOLE].map(text => `(${text.replace(/,|( )/g, (_, blank) => (blank ? ',' : ' '))})`).join(',')})`;
const SVG = 'M 9 -47 L 10 -47 10 -48 9 -47 Z M 9.25 -47.25 L 9.75 -47.25 9.75 -47.75 9.25 -47.25 Z';

test.each([
  [
    { type: 'Point', coordinates: [9.5, -47.1] },
    'POINT(9.5 -47.1)',
    'cx="9.5" cy="47.1"',
    '<Point><coordinates>9.5,-47.1</coordinates></Point>',
  ],
  [
    { type: 'LineString', coordinates: [[9, 0], [10, 1], [11, 2]] }, // biome-ignore format: a line
    'LINESTRING(9 0,10 1,11 2)',
    'M 9 0 L 10 -1 11 -2',
    '<LineString><coordinates>9,0 10,1 11,2</coordinates></LineString>',
  ],
  [POLYGON, `POLYGON${wktRings}`, SVG, KML],
  [
    { type: 'MultiPolygon', coordinates: [POLYGON.coordinates, POLYGON.coordinates] },
    `MULTIPOLYGON(${wktRings},${wktRings})`,
    `${SVG} ${SVG}`,
    `<MultiGeometry>${KML}${KML}</MultiGeometry>`,
  ],
])('a shape as text: %o', (shape, wkt, svg, kml) => {
  expect([wktOf(shape as never), svgOf(shape as never), kmlOf(shape as never)]).toEqual([wkt, svg, kml]);
});
