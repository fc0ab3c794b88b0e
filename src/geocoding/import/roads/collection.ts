// Streets and paths as places, and the collection of the roads of an import as they are stored. Their shapes are cut
// into stretches of a few segments.

import { boxOf } from '../../../geo/box.ts';
import { linesOf } from '../../../geo/rings.ts';
import { unitsOf } from '../../../geo/units.ts';
import type { ScratchFiles } from '../../../tables/environment/scratch_file.ts';
import { OSM_WAY, type Place } from '../../../tables/places/place.ts';
import { RANK_ROAD } from '../../../tables/places/ranks.ts';
import { NumberList } from '../../index/section.ts';
import { numberIn } from '../../search/word_index/columns.ts';
import type { Countries } from '../areas/countries.ts';
import type { KnownAreas } from '../areas/known_areas.ts';
import { type Postcodes, readPostcode } from '../areas/postcodes.ts';
import { areasOf, namingsOf, rowsAt } from '../areas/rows.ts';
import { townFallback, type WrittenTowns } from '../areas/written_towns.ts';
import { matchKeyOf, matchKeysOf } from '../objects/match_key.ts';
import { placeOf } from '../objects/place_of.ts';
import { ranksOf } from '../objects/rank_table.ts';
import { namesOf } from '../objects/tags.ts';
import type { OsmFeature } from '../osm/features.ts';
import type { IdTable } from '../osm/id_table.ts';
import { type KnownRoad, KnownRoads, NO_ROAD, ROAD_NUMBERS, type RoadSide, STRETCH_NUMBERS } from './known_roads.ts';
import { StretchShapes } from './stretch_shapes.ts';

/** Segments of a stretch. */
const SEGMENTS = 12;
/** Of shapes, while they are looked at. */
const MEMORY_BYTES = 64 * 1_048_576;

/** Collects roads, then turns them into `KnownRoads`. */
export class RoadCollection {
  /** ROAD_NUMBERS of each road. */
  private readonly roads: NumberList<Uint32Array<ArrayBuffer>>;
  private readonly sides: RoadSide[] = [];
  private readonly sideNumbers = new Map<string, number>();
  /** Numbers of match keys; the texts, and the keys of each road one after the other. */
  private readonly keyNumbers = new Map<string, number>();
  private readonly keyTexts: string[] = [];
  private readonly keys: NumberList<Uint32Array<ArrayBuffer>>;
  /** Four numbers each. */
  private readonly boxes: NumberList<Int32Array<ArrayBuffer>>;
  private readonly shapes: StretchShapes;
  /** STRETCH_NUMBERS of each stretch, and the four numbers of its box. */
  private readonly stretches: NumberList<Uint32Array<ArrayBuffer>>;
  private readonly stretchBoxes: NumberList<Int32Array<ArrayBuffer>>;
  private readonly byWay = new Map<number, number>();
  private readonly asked: { nodes: IdTable; ways: ReadonlySet<number> };

  /**
   * @param asked nodes and ways whose roads will be looked up; a node has NO_ROAD and gets the first road with it
   * @param scratch for many roads: lists that grow in memory have room to spare, and stand there twice while they grow
   */
  constructor(asked: { nodes: IdTable; ways: ReadonlySet<number> }, scratch?: ScratchFiles) {
    this.asked = asked;
    this.roads = new NumberList(Uint32Array, scratch);
    this.keys = new NumberList(Uint32Array, scratch);
    this.boxes = new NumberList(Int32Array, scratch);
    this.shapes = new StretchShapes(scratch, MEMORY_BYTES);
    this.stretches = new NumberList(Uint32Array, scratch);
    this.stretchBoxes = new NumberList(Int32Array, scratch);
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
    const index = this.roads.length / ROAD_NUMBERS;
    if (way !== undefined) {
      const { nodes, ways } = this.asked;
      if (ways.has(way.id)) this.byWay.set(way.id, index);
      for (const nodeId of way.nodeIds) if (nodes.get(nodeId) === NO_ROAD) nodes.set(nodeId, index);
    }
    const firstStretch = this.stretches.length / STRETCH_NUMBERS;
    this.roads.push(road.id, this.keyOf(road.nameKey), this.sideOf(road), this.keys.length, firstStretch);
    const { ref: _, ...proper } = names;
    for (const key of matchKeysOf(proper)) this.keys.push(this.keyOf(key));
    const { west, south, east, north } = boxOf(lines);
    this.boxes.push(west, south, east, north);
    for (const line of lines) {
      const end = line.length - 2;
      for (let first = 0; first < end || first === 0; first += 2 * SEGMENTS)
        this.addStretch(index, line.subarray(first, Math.min(first + 2 * SEGMENTS, end) + 2));
    }
  }

  private addStretch(road: number, coordinates: Int32Array): void {
    const first = this.shapes.add(coordinates);
    this.stretches.push(road, first, first + coordinates.length / 2 - 1);
    const { west, south, east, north } = boxOf([coordinates]);
    this.stretchBoxes.push(west, south, east, north);
  }

  /** Builds the lookups. No road can be added afterwards. */
  finish(): KnownRoads {
    this.roads.push(0, 0, 0, this.keys.length, this.stretches.length / STRETCH_NUMBERS);
    this.shapes.finish();
    return new KnownRoads({
      roads: this.roads.values(),
      sides: this.sides,
      keys: this.keys.values(),
      keyTexts: this.keyTexts,
      keyNumbers: this.keyNumbers,
      boxes: this.boxes.values(),
      shapes: this.shapes,
      stretches: this.stretches.values(),
      stretchBoxes: this.stretchBoxes.parts(),
      byNode: this.asked.nodes,
      byWay: this.byWay,
    });
  }

  private keyOf(key: string): number {
    const number = numberIn(this.keyNumbers, key);
    if (number === this.keyTexts.length) this.keyTexts.push(key);
    return number;
  }

  /** The streets of a town share country, postcode and rows. */
  private sideOf({ addressRank, countryCode, postcode, rows }: KnownRoad): number {
    const number = numberIn(this.sideNumbers, `${addressRank},${countryCode},${postcode},${rows.join()}`);
    if (number === this.sides.length) this.sides.push({ addressRank, countryCode, postcode, rows });
    return number;
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
  const namings = namingsOf(areas, tags, point);
  const town = towns.of(namings, point);
  const areasAround = rowsAt(areas, point, RANK_ROAD, [
    ...(town?.area === undefined ? [] : [town.area]),
    ...areasOf(namings),
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
