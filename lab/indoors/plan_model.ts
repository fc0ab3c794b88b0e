// Turns the floor plans of walks into the GeoJSON that `import buildings` reads: a footprint around all floors, the
// outline of each floor, and its named shops as rooms. What is left of a floor is where people walk from shop to shop.
// It is a room as well, as in models of shopping centres: the outline with the shops as holes. So a walker is in a room
// at every moment, and an answer with the wrong one counts against the service.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { boxOf } from '../../src/geo/box.ts';
import { isInside } from '../../src/geo/rings.ts';
import { unitsOf } from '../../src/geo/units.ts';
import { floorIndexOf } from '../../src/indoor/transfer/surveys/floor_plan.ts';
import { CONCOURSE } from './indoor_scan.ts';

type Point = [longitude: number, latitude: number];
type Polygon = Point[][];

interface PlanFeature {
  properties: { name?: string };
  geometry: { type: string; coordinates: unknown };
}

/** A room of a floor. */
interface PlanRoom {
  name: string;
  polygon: Polygon;
  /** The same in units. */
  outline: readonly Int32Array[];
}

interface PlanFloor {
  index: number;
  label: string;
  /** Outer rings of its parts. */
  parts: Point[][];
  rooms: readonly PlanRoom[];
}

/** The plans of a building. */
export class PlanModel {
  private readonly site: string;
  private readonly floors: readonly PlanFloor[];

  /**
   * Reads the plans.
   * @param folder with the plans
   * @param labels of the floors that there are
   * @throws Error when a plan is missing or damaged
   */
  constructor(folder: string, site: string, labels: readonly string[]) {
    this.site = site;
    this.floors = labels.map(label => readFloor(join(folder, `${site}_${label}_geojson_map.json`), label));
  }

  /** The name of the room at a position, degrees. */
  roomAt(floorIndex: number, latitude: number, longitude: number): string {
    const [x, y] = [unitsOf(longitude), unitsOf(latitude)];
    const floor = this.floors.find(({ index }) => index === floorIndex);
    return floor?.rooms.find(({ outline }) => isInside(outline, x, y))?.name ?? CONCOURSE;
  }

  /** The text of a file for `import buildings`. */
  geoJson(): string {
    const { west, south, east, north } = boxOf(this.floors.flatMap(({ parts }) => parts.map(ring => ring.flat())));
    const around: Polygon = [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ];
    const features = [
      feature({ building: this.site }, [around]),
      ...this.floors.flatMap(({ index, label, parts, rooms }) => [
        feature(
          { floorIndex: index, floorLabel: label },
          parts.map(ring => [ring]),
        ),
        ...rooms.map(({ name, polygon }) => feature({ floorIndex: index, room: name }, [polygon])),
        feature(
          { floorIndex: index, room: CONCOURSE },
          parts.map(ring => [ring, ...rooms.flatMap(({ polygon: [shop] }) => (isIn(ring, shop) ? [shop] : []))]),
        ),
      ]),
    ];
    return JSON.stringify({ type: 'FeatureCollection', features });
  }
}

function readFloor(file: string, label: string): PlanFloor {
  const index = floorIndexOf(label);
  if (index === undefined) throw new Error(`the floor ${label} of ${file} has no index.`);
  const [outline, ...others] = (JSON.parse(readFileSync(file, 'utf8')) as { features: readonly PlanFeature[] })
    .features;
  const rooms = others.flatMap(({ properties: { name }, geometry: { type, coordinates } }) => {
    if (type !== 'Polygon' || name === undefined || name === '') return [];
    const polygon = coordinates as Polygon;
    return [{ name, polygon, outline: polygon.map(ringOf) }];
  });
  return { index, label, parts: partsOf(outline), rooms };
}

function partsOf({ geometry: { type, coordinates } }: PlanFeature): Point[][] {
  return type === 'Polygon' ? [(coordinates as Polygon)[0]] : (coordinates as Polygon[]).map(([ring]) => ring);
}

/** True if the first point of a ring lies in another one. */
function isIn(around: readonly Point[], [[longitude, latitude]]: readonly Point[]): boolean {
  return isInside([ringOf(around)], unitsOf(longitude), unitsOf(latitude));
}

function feature(properties: object, coordinates: readonly Polygon[]): object {
  return { type: 'Feature', properties, geometry: { type: 'MultiPolygon', coordinates } };
}

function ringOf(points: readonly Point[]): Int32Array {
  return Int32Array.from(points.flatMap(([longitude, latitude]) => [unitsOf(longitude), unitsOf(latitude)]));
}
