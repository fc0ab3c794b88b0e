// Surveys the houses before any is stored (which postcodes exist and where, which towns they write, and which nodes
// will be looked up later), and then stores features one by one: first those with a house number, then those that may
// be inside a building that has one.

import { linesOf } from '../../../geo/rings.ts';
import { unitsOf } from '../../../geo/units.ts';
import { SOURCE_TAG } from '../../../tables/places/licences.ts';
import { OSM_NODE, type Place } from '../../../tables/places/place.ts';
import { NumberList } from '../../index/section.ts';
import type { Countries } from '../areas/countries.ts';
import type { KnownAreas } from '../areas/known_areas.ts';
import { PostcodeSurvey, readPostcode } from '../areas/postcodes.ts';
import { WrittenTowns } from '../areas/written_towns.ts';
import { classify, INTERPOLATION_KEY, type Kind } from '../objects/classify.ts';
import type { PlaceSink } from '../objects/place_of.ts';
import { houseNumberOf } from '../objects/tags.ts';
import type { OsmFeature, Tags } from '../osm/features.ts';
import { IdTable } from '../osm/id_table.ts';
import { NO_ROAD } from '../roads/known_roads.ts';
import { Buildings } from './buildings.ts';
import type { GivenAddresses, GivenFeature } from './given_addresses.ts';
import { type NumberedNode, plainNumberOf, sectionsOf } from './interpolation.ts';
import { inherits, placeOfHouse, placeOfSection, type Surroundings, streetKeyOf } from './place_of_house.ts';

/** Stores features, and remembers the buildings that have an address. */
export class HouseStore {
  readonly counts = { houses: 0, pois: 0, interpolations: 0, interpolationsWithoutStreet: 0 };
  private readonly buildings: Buildings;
  private readonly surroundings: Surroundings;
  private readonly given: GivenAddresses;
  private readonly sink: PlaceSink;

  /** @param occupants as surveyed @param given addresses beside those of the map */
  constructor(surroundings: Surroundings, occupants: Int32Array, given: GivenAddresses, sink: PlaceSink) {
    this.buildings = new Buildings(occupants);
    this.surroundings = surroundings;
    this.given = given;
    this.sink = sink;
  }

  /** Adds an object with a house number of its own. */
  addNumbered(feature: OsmFeature): void {
    const place = this.store(feature, kindOf(feature));
    if (feature.geometry.kind !== 'area') return;
    this.buildings.add(feature.geometry.rings, () => {
      const { houseNumber, houseName, street, streetAsWritten, postcode, town, parent, rows } = place;
      const { quarter, neighbourhood, cityBlock } = place;
      const address = { houseNumber, houseName, street, streetAsWritten, postcode, town, parent, rows };
      return { streetKey: streetKeyOf(feature.tags), ...address, quarter, neighbourhood, cityBlock };
    });
  }

  /** Adds a settlement with a house number as a house. */
  addHouseOf(feature: OsmFeature): void {
    this.store(feature, { category: 'place', type: 'house', featureClass: 'house' });
  }

  /** Adds a house that the map does not have. */
  addGiven({ feature, source }: GivenFeature): void {
    this.store(feature, kindOf(feature), source);
  }

  /** Call once all buildings have been added. */
  finishBuildings(): void {
    this.buildings.finish();
  }

  /** Adds an object without a house number of its own. */
  addOther(feature: OsmFeature): void {
    this.store(feature, kindOf(feature));
  }

  /** Adds house numbers along a line. */
  addLine(way: OsmFeature, { numberedNodes }: Survey): void {
    const nodes: NumberedNode[] = [];
    way.nodeIds?.forEach((id, index) => {
      const number = plainNumberOf(houseNumberOf(numberedNodes.get(id) ?? {}));
      if (number !== undefined) nodes.push({ index, number });
    });
    for (const section of sectionsOf(way.tags[INTERPOLATION_KEY], linesOf(way.geometry)[0], nodes)) {
      const tagsAt = ({ index }: NumberedNode) => numberedNodes.get(way.nodeIds![index])!;
      const neighbours = { way, firstTags: tagsAt(section.first), lastTags: tagsAt(section.last) };
      const place = placeOfSection(section, neighbours, this.surroundings);
      if (place === undefined) {
        this.counts.interpolationsWithoutStreet++;
        continue;
      }
      const { coordinates } = section;
      this.sink.add(place, coordinates.length > 2 ? { kind: 'line', coordinates } : { kind: 'point' });
      this.counts.interpolations++;
    }
  }

  /** @param source of a house that was given */
  private store(feature: OsmFeature, kind: Kind, source?: string): Place {
    const { tags, longitude, latitude, geometry } = feature;
    const building = inherits(tags)
      ? this.buildings.around(unitsOf(longitude), unitsOf(latitude), geometry)
      : undefined;
    const place = placeOfHouse(feature, kind, building, this.surroundings);
    nameSource(place, source ?? this.given.meet(place, this.surroundings));
    this.sink.add(place, feature.geometry);
    if (place.houseNumber !== '' && !place.isAddressInherited) this.counts.houses++;
    else this.counts.pois++;
    return place;
  }
}

/** Has a place name those who have it. @param source empty for the map alone */
export function nameSource(place: Place, source: string): Place {
  if (source !== '') place.tags = { ...place.tags, [SOURCE_TAG]: source };
  return place;
}

function kindOf({ type, id, tags, geometry }: OsmFeature): Kind {
  const kind = classify(type, tags, type !== OSM_NODE && geometry.kind === 'area');
  if (kind === undefined)
    throw new Error(`Object ${id} of type ${type} was wanted as a house and is none: ${JSON.stringify(tags)}`);
  return kind;
}

/** Result of the first pass. */
interface Survey {
  postcodes: PostcodeSurvey;
  towns: WrittenTowns;
  /** Tags of the numbered nodes on lines of house numbers. */
  numberedNodes: ReadonlyMap<number, Tags>;
  /** Nodes that do not name their street and so may be part of it. */
  nodesWithoutStreet: IdTable;
  /** Positions of what may stand in a building and have its address; pairs, longitude first, units. */
  occupants: Int32Array;
}

/**
 * Surveys the houses of an extract.
 * @param houses features of class house
 * @param lines of house numbers
 */
export function surveyHouses(
  houses: Iterable<OsmFeature>,
  lines: readonly OsmFeature[],
  countries: Countries,
  areas: KnownAreas,
): Survey {
  const onLines = new Set<number>();
  for (const { nodeIds } of lines) for (const id of nodeIds ?? []) onLines.add(id);
  const postcodes = new PostcodeSurvey();
  const towns = new WrittenTowns(areas);
  const numberedNodes = new Map<number, Tags>();
  const nodesWithoutStreet = new IdTable();
  const occupants = new NumberList(Int32Array);
  for (const { type, id, tags, latitude, longitude } of houses) {
    if (tags['addr:postcode'] !== undefined || tags['addr:city'] !== undefined) {
      const x = unitsOf(longitude);
      const y = unitsOf(latitude);
      const countryCode = countries.at(x, y);
      towns.note(tags, { x, y, countryCode });
      postcodes.note(countryCode, readPostcode(tags['addr:postcode'], countryCode), x, y);
    }
    if (inherits(tags)) occupants.push(unitsOf(longitude), unitsOf(latitude));
    if (type !== OSM_NODE) continue;
    if (onLines.has(id) && houseNumberOf(tags) !== '') numberedNodes.set(id, tags);
    if (tags['addr:street'] === undefined && tags['addr:place'] === undefined) nodesWithoutStreet.set(id, NO_ROAD);
  }
  return { postcodes, towns, numberedNodes, nodesWithoutStreet, occupants: occupants.values() };
}
