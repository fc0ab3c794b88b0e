// How a floor looks on the map: its outline, rooms, walls, doors and stairs, the levels of a radio, and a walk.

import type {
  ExpressionSpecification,
  FilterSpecification,
  GeoJSONSourceSpecification,
  LayerSpecification,
} from 'maplibre-gl';
import type { AdminSchemas } from '../../../../build/console_api.ts';
import type { LongitudeLatitude, Overlay } from '../../map/base_map.ts';

/** A building as the service shows it. */
export type BuildingJson = AdminSchemas['Building'];
/** What a fingerprint map knows of a floor. */
export type Levels = AdminSchemas['Levels'];
/** A position of a walk. */
export type Step = AdminSchemas['Walks']['walks'][number]['steps'][number];

/** Members of a feature, in the words of an import. */
interface Properties {
  building?: string;
  floorIndex?: number;
  floorLabel?: string;
  room?: string;
}
type Ring = LongitudeLatitude[];

/** Levels between which colours run, dBm. */
const WEAK_DBM = -95;
const STRONG_DBM = -40;
/** Metres of a degree of latitude. */
const DEGREE_METRES = 111_195;
const CIRCLE_CORNERS = 48;

/** Colours of levels from weak to strong: light, dark. */
export const LEVEL_COLOURS = [
  ['#dbe6fe', '#1e3a8a'],
  ['#22345c', '#a9c5ff'],
] as const;

/** The floors of a building by their index, with what stands in the lift. */
export function floorsOf({ features }: BuildingJson): [index: number, label: string][] {
  const labels = new Map<number, string>();
  for (const { properties } of features) {
    const { floorIndex, floorLabel } = properties as Properties;
    if (floorIndex !== undefined) labels.set(floorIndex, floorLabel ?? labels.get(floorIndex) ?? String(floorIndex));
  }
  return [...labels].sort(([a], [b]) => b - a);
}

/** The rooms of a floor, with a point in the middle of each one's box. */
export function roomsOf({ features }: BuildingJson, floor: number): { name: string; at: LongitudeLatitude }[] {
  return features.flatMap(({ properties, geometry }) => {
    const { floorIndex, room } = properties as Properties;
    if (floorIndex !== floor || room === undefined) return [];
    const [west, south, east, north] = boxOf(geometry);
    return [{ name: String(room), at: [(west + east) / 2, (south + north) / 2] as LongitudeLatitude }];
  });
}

/** The box of a building's footprint: west, south, east, north. */
export function boxOfBuilding({ features }: BuildingJson): [number, number, number, number] {
  return boxOf(features[0].geometry);
}

function boxOf(geometry: object): [west: number, south: number, east: number, north: number] {
  const numbers = (geometry as { coordinates: unknown[] }).coordinates.flat(4) as number[];
  const longitudes = numbers.filter((_, i) => i % 2 === 0);
  const latitudes = numbers.filter((_, i) => i % 2 === 1);
  return [Math.min(...longitudes), Math.min(...latitudes), Math.max(...longitudes), Math.max(...latitudes)];
}

/** A floor of a building. */
export function floorOverlay(building: BuildingJson, floor: number): Overlay {
  const onFloor = (member: string): FilterSpecification => [
    'all',
    ['==', ['get', 'floorIndex'], floor],
    ['has', member],
  ];
  return {
    sources: { building: { type: 'geojson', data: building as unknown as GeoJSONSourceSpecification['data'] } },
    layers: isDark => {
      const [ground, room, line, wall, door] = isDark
        ? ['#171d26', '#212b38', '#516074', '#d5dce6', '#f0c06a']
        : ['#ffffff', '#f1f4f9', '#8a97a8', '#2c3644', '#b45309'];
      const isFootprint: FilterSpecification = ['!', ['has', 'floorIndex']];
      return [
        fill('building-ground', isFootprint, ground),
        fill('building-rooms', onFloor('room'), room),
        fill('building-stairs', onFloor('stairs'), line, 0.3),
        stroke('building-room-lines', onFloor('room'), line, 1),
        stroke('building-outline', isFootprint, line, 2),
        stroke('building-stair-lines', onFloor('stairs'), line, 1.5, [2, 1]),
        stroke('building-walls', onFloor('wall'), wall, 3),
        stroke('building-doors', onFloor('door'), door, 5),
      ];
    },
  };
}

function fill(id: string, filter: FilterSpecification, colour: string, opacity = 1): LayerSpecification {
  return { id, type: 'fill', source: 'building', filter, paint: { 'fill-color': colour, 'fill-opacity': opacity } };
}

function stroke(
  id: string,
  filter: FilterSpecification,
  colour: string,
  width: number,
  dashes?: number[],
): LayerSpecification {
  const paint = { 'line-color': colour, 'line-width': width, ...(dashes && { 'line-dasharray': dashes }) };
  return { id, type: 'line', source: 'building', filter, paint };
}

/** Places of a floor with the level of a radio. */
export function levelsOverlay({ places }: Levels): Overlay {
  const features = places.map(({ latitude, longitude, levelDbm }) => ({
    type: 'Feature' as const,
    properties: levelDbm === undefined ? {} : { levelDbm },
    geometry: { type: 'Point' as const, coordinates: [longitude, latitude] },
  }));
  return {
    sources: { levels: { type: 'geojson', data: { type: 'FeatureCollection', features } } },
    layers: isDark => {
      const [weak, strong] = LEVEL_COLOURS[isDark ? 1 : 0];
      const level: ExpressionSpecification = ['coalesce', ['get', 'levelDbm'], WEAK_DBM];
      return [
        {
          id: 'levels',
          type: 'circle',
          source: 'levels',
          paint: {
            'circle-radius': ['interpolate', ['exponential', 2], ['zoom'], 17, 4, 22, 24],
            'circle-color': ['interpolate', ['linear'], level, WEAK_DBM, weak, STRONG_DBM, strong],
            'circle-opacity': ['case', ['has', 'levelDbm'], 1, 0],
            'circle-stroke-width': 1,
            'circle-stroke-color': isDark ? '#738196' : '#7d8898',
          },
        },
      ];
    },
  };
}

/** A walk up to a position, which has the circle of its accuracy. */
export function walkOverlay(steps: readonly Step[], current: number): Overlay {
  const walked = steps.slice(0, current + 1).map(at);
  const { accuracy } = steps[current];
  const line = { type: 'LineString' as const, coordinates: walked.length > 1 ? walked : [walked[0], walked[0]] };
  const circle = { type: 'Polygon' as const, coordinates: [circleAround(steps[current], accuracy)] };
  const point = { type: 'Point' as const, coordinates: walked[current] };
  const features = [circle, line, point].map(geometry => ({ type: 'Feature' as const, properties: {}, geometry }));
  const ofShape = (shape: string): FilterSpecification => ['==', ['geometry-type'], shape];
  return {
    sources: { walk: { type: 'geojson', data: { type: 'FeatureCollection', features } } },
    layers: isDark => {
      const [colour, edge] = isDark ? ['#f5b55c', '#1b1204'] : ['#b45309', '#ffffff'];
      const line = { 'line-color': colour, 'line-width': 3 };
      const dot = { 'circle-radius': 8, 'circle-color': colour, 'circle-stroke-color': edge, 'circle-stroke-width': 2 };
      return [
        {
          id: 'walk-circle',
          type: 'fill',
          source: 'walk',
          filter: ofShape('Polygon'),
          paint: { 'fill-color': colour, 'fill-opacity': 0.2 },
        },
        { id: 'walk-line', type: 'line', source: 'walk', filter: ofShape('LineString'), paint: line },
        { id: 'walk-point', type: 'circle', source: 'walk', filter: ofShape('Point'), paint: dot },
      ];
    },
  };
}

function at({ longitude, latitude }: Step): LongitudeLatitude {
  return [longitude, latitude];
}

function circleAround({ latitude, longitude }: Step, metres: number): Ring {
  const north = metres / DEGREE_METRES;
  const east = north / Math.cos((latitude * Math.PI) / 180);
  return Array.from({ length: CIRCLE_CORNERS + 1 }, (_, corner) => {
    const angle = (corner * 2 * Math.PI) / CIRCLE_CORNERS;
    return [longitude + east * Math.cos(angle), latitude + north * Math.sin(angle)];
  });
}
