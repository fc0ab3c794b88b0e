// Maps drawn for a test: objects with tags at places a few metres apart, and the places that an import makes of them.
//
// Positions are in steps of a ten-thousandth of a degree (some ten metres) east and north of a point in the middle of
// Liechtenstein.

import type { Geometry } from '../../../src/geo/rings.ts';
import { UNITS_PER_DEGREE } from '../../../src/geo/units.ts';
import type { AddressSource } from '../../../src/geocoding/import/houses/address_file.ts';
import { buildPlaces, type OsmImportSummary } from '../../../src/geocoding/import/import_osm.ts';
import { classify } from '../../../src/geocoding/import/objects/classify.ts';
import type {
  FeatureClass,
  OsmFeature,
  OsmMember,
  OsmRelation,
  Tags,
} from '../../../src/geocoding/import/osm/features.ts';
import { OSM_NODE, OSM_RELATION, OSM_WAY, type OsmType, type Place } from '../../../src/tables/places/place.ts';
import { type Step, unitsOfSteps } from './place.ts';

const CORNER = [47.15, 9.54] as const;

/** A point. */
export function node(id: number, at: Step, tags: Tags): OsmFeature {
  return { type: OSM_NODE, id, tags, geometry: { kind: 'point' }, ...degreesOf(at), nodeIds: undefined };
}

/** A line; its nodes have the ids that are given, or such as no other has. */
export function way(
  id: number,
  points: readonly Step[],
  tags: Tags,
  nodeIds = points.map((_, i) => 1_000_000 * id + i),
): OsmFeature {
  const geometry = { kind: 'line', coordinates: unitsOf(points) } as const;
  const between =
    points.length % 2 === 0
      ? points.slice(points.length / 2 - 1, points.length / 2 + 1)
      : [points[(points.length - 1) / 2]];
  return { type: OSM_WAY, id, tags, geometry, ...degreesOf(meanOf(between)), nodeIds: Float64Array.from(nodeIds) };
}

/** A square around a point. @param half half its side, in steps */
export function square(type: OsmType, id: number, middle: Step, half: number, tags: Tags): OsmFeature {
  const [east, north] = middle;
  const corners: Step[] = [
    [east - half, north - half],
    [east + half, north - half],
    [east + half, north + half],
    [east - half, north + half],
    [east - half, north - half],
  ];
  return {
    type,
    id,
    tags,
    geometry: { kind: 'area', rings: [unitsOf(corners)] },
    ...degreesOf(middle),
    nodeIds: undefined,
  };
}

/** A municipality, county or country: a square of that administrative level. */
export function boundary(
  id: number,
  level: number,
  name: string,
  middle: Step,
  half: number,
  tags: Tags = {},
): OsmFeature {
  return square(OSM_RELATION, id, middle, half, {
    type: 'boundary',
    boundary: 'administrative',
    admin_level: String(level),
    name,
    ...tags,
  });
}

/** The relation of a boundary or a street. */
export function relation(id: number, members: readonly OsmMember[], tags: Tags = {}): OsmRelation {
  return { id, tags, members };
}

/** Places by what they are called, or by their object. */
export class BuiltPlaces {
  readonly summary: OsmImportSummary;
  private readonly places: Place[] = [];
  private readonly geometries: Geometry[] = [];

  constructor(
    features: readonly OsmFeature[],
    relations: { boundaries?: readonly OsmRelation[]; streets?: readonly OsmRelation[] } = {},
    addresses: readonly AddressSource[] = [],
  ) {
    const byClass: Record<FeatureClass, OsmFeature[]> = { area: [], road: [], house: [] };
    for (const feature of features) {
      const kind = classify(feature.type, feature.tags, feature.geometry.kind === 'area');
      if (kind !== undefined) byClass[kind.featureClass].push(feature);
    }
    const { area, road, house } = byClass;
    const counts = {
      nodes: 0,
      ways: 0,
      relations: 0,
      features: { area: area.length, road: road.length, house: house.length },
      wanted: [],
    };
    const read = {
      read: (featureClass: FeatureClass) => byClass[featureClass],
      boundaries: new Map((relations.boundaries ?? []).map(boundary => [boundary.id, boundary])),
      streets: relations.streets ?? [],
      skipped: [],
      counts,
    };
    const add = (place: Place, geometry: Geometry) => {
      this.geometries.push(geometry);
      return this.places.push(place);
    };
    this.summary = buildPlaces(read, { add }, () => {}, undefined, addresses);
  }

  get all(): readonly Place[] {
    return this.places;
  }

  /** The only place of an object. */
  of(type: OsmType, id: number): Place {
    const found = this.allOf(type, id);
    if (found.length !== 1) throw new Error(`${found.length} places for the object ${id} of type ${type}`);
    return found[0];
  }

  allOf(type: OsmType, id: number): Place[] {
    return this.places.filter(place => place.osmType === type && place.osmId === id);
  }

  geometryOf(place: Place): Geometry {
    return this.geometries[this.places.indexOf(place)];
  }

  /** Name of the road or place that a house belongs to. */
  parentOf(place: Place): string | undefined {
    return this.places[place.parent - 1]?.names.name;
  }

  /** Names of the rows of its address above itself and its parent, from small to large. */
  rowsOf(place: Place): string[] {
    const rows = place.rows.length > 0 || place.parent === 0 ? place.rows : this.places[place.parent - 1].rows;
    return rows.map(id => this.places[id - 1].names.name);
  }
}

/** Coordinates of points in steps, longitude first. */
export function unitsOf(points: readonly Step[]): Int32Array {
  return unitsOfSteps(points, CORNER);
}

function meanOf(points: readonly Step[]): Step {
  const sum = points.reduce(([east, north], point) => [east + point[0], north + point[1]] as const, [0, 0] as const);
  return [sum[0] / points.length, sum[1] / points.length];
}

/** The position of a point. */
export function degreesOf(at: Step): { latitude: number; longitude: number } {
  const [x, y] = unitsOf([at]);
  return { longitude: x / UNITS_PER_DEGREE, latitude: y / UNITS_PER_DEGREE };
}
