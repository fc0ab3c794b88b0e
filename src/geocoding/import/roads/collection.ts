// Streets and paths as places, and the collection of the roads of an import as they are stored. All shapes are in one
// array, cut into stretches of a few segments.

import { boxOf } from '../../../geo/box.ts';
import { linesOf } from '../../../geo/rings.ts';
import { unitsOf } from '../../../geo/units.ts';
import { OSM_WAY, type Place } from '../../../tables/places/place.ts';
import { RANK_ROAD } from '../../../tables/places/ranks.ts';
import { NumberList } from '../../index/section.ts';
import type { Countries } from '../areas/countries.ts';
import type { KnownAreas } from '../areas/known_areas.ts';
import { type Postcodes, readPostcode } from '../areas/postcodes.ts';
import { namedRows, rowsAt } from '../areas/rows.ts';
import { townFallback, type WrittenTowns } from '../areas/written_towns.ts';
import { matchKeyOf, matchKeysOf } from '../objects/match_key.ts';
import { placeOf } from '../objects/place_of.ts';
import { ranksOf } from '../objects/rank_table.ts';
import { namesOf } from '../objects/tags.ts';
import type { OsmFeature } from '../osm/features.ts';
import { type KnownRoad, KnownRoads, STRETCH_NUMBERS } from './known_roads.ts';

/** Segments of a stretch. */
const SEGMENTS = 12;

/** Collects roads, then turns them into `KnownRoads`. */
export class RoadCollection {
  private readonly roads: KnownRoad[] = [];
  /** Match keys of each road. */
  private readonly keys: string[][] = [];
  /** Four numbers each. */
  private readonly boxes = new NumberList(Int32Array);
  private readonly coordinates = new NumberList(Int32Array);
  /** STRETCH_NUMBERS of each stretch. */
  private readonly stretches = new NumberList(Uint32Array);
  private readonly starts: number[] = [];
  private readonly byName = new Map<string, number[]>();
  private readonly byNode = new Map<number, number>();
  private readonly byWay = new Map<number, number>();
  private readonly asked: { nodes: ReadonlySet<number>; ways: ReadonlySet<number> };

  /** @param asked nodes and ways whose roads will be looked up */
  constructor(asked: { nodes: ReadonlySet<number>; ways: ReadonlySet<number> }) {
    this.asked = asked;
  }

  /**
   * Adds a road.
   * @param lines its shape
   * @param names of the road
   * @param way the road's way and nodes; undefined for a relation
   */
  add(
    road: KnownRoad,
    lines: readonly Int32Array[],
    names: Readonly<Record<string, string>>,
    way: { id: number; nodeIds: Float64Array } | undefined,
  ): void {
    const index = this.roads.length;
    this.roads.push(road);
    if (way !== undefined) {
      if (this.asked.ways.has(way.id)) this.byWay.set(way.id, index);
      for (const nodeId of way.nodeIds)
        if (this.asked.nodes.has(nodeId) && !this.byNode.has(nodeId)) this.byNode.set(nodeId, index);
    }
    const { ref: _, ...proper } = names;
    const keys = matchKeysOf(proper);
    this.keys.push(keys);
    for (const key of keys) {
      const named = this.byName.get(key);
      if (named === undefined) this.byName.set(key, [index]);
      else named.push(index);
    }
    const { west, south, east, north } = boxOf(lines);
    this.boxes.push(west, south, east, north);
    this.starts.push(this.stretches.length / STRETCH_NUMBERS);
    for (const line of lines) {
      const start = this.coordinates.length;
      const end = start + line.length - 2;
      this.coordinates.append(line);
      for (let first = start; first < end || first === start; first += 2 * SEGMENTS) {
        this.stretches.push(index, first, Math.min(first + 2 * SEGMENTS, end));
      }
    }
  }

  /** Builds the lookups. No road can be added afterwards. */
  finish(): KnownRoads {
    this.starts.push(this.stretches.length / STRETCH_NUMBERS);
    return new KnownRoads({
      roads: this.roads,
      keys: this.keys,
      boxes: this.boxes.values(),
      coordinates: this.coordinates.values(),
      stretches: this.stretches.values(),
      starts: Uint32Array.from(this.starts),
      byName: this.byName,
      byNode: this.byNode,
      byWay: this.byWay,
    });
  }
}

/** What surrounds a road. */
interface RoadSurroundings {
  areas: KnownAreas;
  postcodes: Postcodes;
  countries: Countries;
  towns: WrittenTowns;
}

/** The place of a road, at the middle of its line. */
export function placeOfRoad(feature: OsmFeature, { areas, postcodes, countries, towns }: RoadSurroundings): Place {
  const { type: osmType, id: osmId, tags, geometry, latitude, longitude } = feature;
  const x = unitsOf(longitude);
  const y = unitsOf(latitude);
  const countryCode = countries.at(x, y);
  const point = { x, y, countryCode };
  const type = tags.highway;
  const ranks = ranksOf({ category: 'highway', type, tags, shape: geometry.kind, countryCode });
  const town = towns.of(tags, point);
  const areasAround = rowsAt(areas, point, RANK_ROAD, [
    ...(town?.area === undefined ? [] : [town.area]),
    ...namedRows(areas, tags, point),
  ]);
  const rows = areasAround.map(({ id }) => id);
  const postcode =
    readPostcode(tags['addr:postcode'] ?? tags.postal_code, countryCode) || postcodes.at(x, y, countryCode);
  const subject = {
    osmType,
    osmId,
    category: 'highway',
    type,
    names: namesOf(tags, false),
    geometry,
    latitude,
    longitude,
    countryCode,
  };
  return placeOf({ ...subject, tags, ...ranks }, { postcode, rows, town: townFallback(town, areasAround) });
}

/** Adds a stored road to the collection in which houses look for theirs. */
export function keepRoad(
  roads: RoadCollection,
  { type, id: osmId, geometry, nodeIds }: OsmFeature,
  place: Place,
  id: number,
): void {
  const { addressRank, countryCode, postcode, rows } = place;
  const road: KnownRoad = { id, addressRank, nameKey: matchKeyOf(place.names.name ?? ''), countryCode, postcode, rows };
  const way = type === OSM_WAY && nodeIds !== undefined ? { id: osmId, nodeIds } : undefined;
  roads.add(road, linesOf(geometry), place.names, way);
}
