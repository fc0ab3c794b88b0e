// The shape of a place as text: well-known text, a path of SVG, and KML, as OpenStreetMap's geocoder writes them.

import type { Position, ShapeJson } from './geocodejson.ts';

/** Numbers of a shape: a position, or lists of such down to positions. */
type Coordinates = ShapeJson['coordinates'];

/** Well-known text. */
export function wktOf({ type, coordinates }: ShapeJson): string {
  const text = nested(coordinates);
  return type.toUpperCase() + (type === 'Point' ? `(${text})` : text);
}

function nested(coordinates: Coordinates): string {
  return isPosition(coordinates) ? coordinates.join(' ') : `(${coordinates.map(nested).join(',')})`;
}

/** The attribute `d` of a path, in degrees with south below; of a point the attributes of a circle. */
export function svgOf({ type, coordinates }: ShapeJson): string {
  if (type === 'Point') return `cx="${coordinates[0]}" cy="${downwards(coordinates)[1]}"`;
  if (type === 'LineString') return pathOf(coordinates);
  const rings = type === 'Polygon' ? coordinates : coordinates.flat();
  return rings.map(ring => `${pathOf(ring)} Z`).join(' ');
}

function pathOf(positions: readonly Position[]): string {
  const [first, ...rest] = positions.map(position => downwards(position).join(' '));
  return `M ${first} L ${rest.join(' ')}`;
}

/** Subtracted, as a minus would make 0 a -0. */
function downwards([x, y]: Position): Position {
  return [x, 0 - y];
}

/** KML. */
export function kmlOf({ type, coordinates }: ShapeJson): string {
  if (type === 'Point') return `<Point>${kmlList([coordinates])}</Point>`;
  if (type === 'LineString') return `<LineString>${kmlList(coordinates)}</LineString>`;
  if (type === 'Polygon') return kmlPolygon(coordinates);
  return `<MultiGeometry>${coordinates.map(kmlPolygon).join('')}</MultiGeometry>`;
}

function kmlPolygon(rings: readonly Position[][]): string {
  const boundaries = rings.map((ring, i) => {
    const name = i === 0 ? 'outerBoundaryIs' : 'innerBoundaryIs';
    return `<${name}><LinearRing>${kmlList(ring)}</LinearRing></${name}>`;
  });
  return `<Polygon>${boundaries.join('')}</Polygon>`;
}

function kmlList(positions: readonly Position[]): string {
  return `<coordinates>${positions.map(position => position.join(',')).join(' ')}</coordinates>`;
}

function isPosition(coordinates: Coordinates): coordinates is Position {
  return typeof coordinates[0] === 'number';
}
