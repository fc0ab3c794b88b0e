// The places of a layer by position: what reverse geocoding looks at before it reads a record.
//
//   houses     points   house nodes and POIs, and the centroids of outlines that have an address
//   ground     lines    roads of rank 26 and 27, outlines of houses and POIs; areas among them also by containment,
//                       and by containment alone parks, lakes and other grounds
//   ranges     lines    interpolated house numbers
//   nodes      points   named places without a shape: towns, hamlets, localities
//   regions    areas    named places with a shape: municipalities, counties, quarters, countries
//   countries           by country code
//
// The sections are views of memory that all threads share. A search keeps its stack and its result in the index, so
// each thread has its own index and runs one search at a time.

import { planeUnitsOf } from '../../geo/plane.ts';
import type { Geometry } from '../../geo/rings.ts';
import { unitsOf } from '../../geo/units.ts';
import type { ScratchFiles } from '../../tables/environment/scratch_file.ts';
import type { Place } from '../../tables/places/place.ts';
import { RANK_AREA_MAX, RANK_COUNTRY, RANK_POSTAL_AREA, RANK_POSTCODE } from '../../tables/places/ranks.ts';
import { AreaIndex, AreaIndexBuilder } from './areas.ts';
import { nameIn } from './names.ts';
import { PointIndex, PointIndexBuilder } from './points.ts';
import { roadClassNumber } from './road_class.ts';
import { bytesOf, NumberList, type SectionWriter, wordsOf } from './section.ts';
import { SegmentIndex, SegmentIndexBuilder } from './segments.ts';
import { Shapes, ShapesBuilder } from './shapes.ts';
import {
  ADDRESS_NODE,
  ADDRESS_OUTLINE,
  AREA,
  countryBitsOf,
  GROUNDS,
  isGrounds,
  numberWord,
  PATH,
  POI_NODE,
  ROAD,
  rankOf,
  rolesOf,
  traitsOf,
} from './traits.ts';

/** Words of a country: place, traits, centroid. */
const COUNTRY_WORDS = 4;
/** Address ranks that are not regions: those of postcodes. */
const RANKS_LEFT_OUT = [RANK_POSTCODE, RANK_POSTAL_AREA];

/** Collects the places of a layer while it is built. */
export class SpatialIndexBuilder {
  private readonly houses: PointIndexBuilder;
  private readonly nodes = new PointIndexBuilder();
  private readonly ground: ShapesBuilder;
  private readonly groundLines: SegmentIndexBuilder;
  private readonly groundAreas: AreaIndexBuilder;
  private readonly ranges: ShapesBuilder;
  private readonly rangeLines: SegmentIndexBuilder;
  private readonly regions: ShapesBuilder;
  private readonly regionAreas: AreaIndexBuilder;
  private readonly countries = new NumberList(Int32Array);

  /** @param scratch for a large layer; by default all stays in memory */
  constructor(scratch?: ScratchFiles) {
    this.houses = new PointIndexBuilder(scratch);
    this.ground = new ShapesBuilder(scratch);
    this.groundLines = new SegmentIndexBuilder(this.ground, scratch);
    this.groundAreas = new AreaIndexBuilder(this.ground, scratch);
    this.ranges = new ShapesBuilder(scratch);
    this.rangeLines = new SegmentIndexBuilder(this.ranges, scratch);
    this.regions = new ShapesBuilder(scratch);
    this.regionAreas = new AreaIndexBuilder(this.regions, scratch);
  }

  /** Adds a place to the indexes that it belongs to; many belong to none. */
  add(id: number, place: Place, geometry: Geometry): void {
    const x = unitsOf(place.longitude);
    const y = unitsOf(place.latitude);
    const roles = place.houseRange === undefined ? rolesOf(place, geometry.kind) : ADDRESS_OUTLINE;
    const traits = traitsOf(place, roles);
    if (place.houseRange !== undefined) {
      this.rangeLines.addLast(this.ranges.add(id, place, geometry, traits, 0));
    } else if ((roles & (ADDRESS_NODE | POI_NODE)) !== 0) {
      this.houses.add(x, y, id, place.parent, traits, numberWord(place.houseNumber));
    } else if (roles !== 0) {
      const shape = this.ground.add(id, place, geometry, traits, linkOf(place, roles));
      this.groundLines.addLast(shape);
      if ((roles & AREA) !== 0) this.groundAreas.addLast(shape);
      if ((roles & ADDRESS_OUTLINE) !== 0) this.houses.add(x, y, id, place.parent, traits, shape);
    } else {
      if (isGrounds(place, geometry.kind))
        this.groundAreas.addLast(this.ground.add(id, place, geometry, traits | AREA | GROUNDS, 0));
      if (isRegion(place)) this.addRegion(id, place, geometry, traits);
    }
  }

  private addRegion(id: number, place: Place, geometry: Geometry, traits: number): void {
    const x = unitsOf(place.longitude);
    const y = unitsOf(place.latitude);
    if (geometry.kind === 'area') this.regionAreas.addLast(this.regions.add(id, place, geometry, traits, 0));
    if (place.searchRank === RANK_COUNTRY)
      this.countries.push(id, geometry.kind === 'area' ? traits | AREA : traits, x, y);
    else if (geometry.kind === 'point') this.nodes.add(x, y, id, place.parent, traits, 0);
  }

  /** Writes the index as sections, which must be aligned to 8 bytes when read. Nothing can be added afterwards. */
  finish(writer: SectionWriter): void {
    this.houses.finish('houses', writer);
    this.nodes.finish('nodes', writer);
    this.ground.finish('ground', writer);
    this.groundLines.finish('ground', writer);
    this.groundAreas.finish('ground', writer);
    this.ranges.finish('ranges', writer);
    this.rangeLines.finish('ranges', writer);
    this.regions.finish('regions', writer);
    this.regionAreas.finish('regions', writer);
    writer.section('countries', bytesOf(this.countries.values()));
  }
}

/** The class of a road that is a line; otherwise the word of the house number. */
function linkOf({ houseNumber, type, tags }: Place, roles: number): number {
  const isLine = (roles & (ROAD | PATH)) !== 0 && (roles & AREA) === 0;
  return isLine ? roadClassNumber(type, tags.tunnel === 'yes') : numberWord(houseNumber);
}

function isRegion({ names, searchRank, addressRank }: Place): boolean {
  return (
    nameIn(names, []) !== '' &&
    searchRank >= RANK_COUNTRY &&
    searchRank <= RANK_AREA_MAX &&
    addressRank >= RANK_COUNTRY &&
    addressRank <= RANK_AREA_MAX &&
    !RANKS_LEFT_OUT.includes(addressRank)
  );
}

/** The indexes of one layer, for one thread. */
export class SpatialIndex {
  readonly houses: PointIndex;
  readonly ground: Shapes;
  readonly groundLines: SegmentIndex;
  readonly groundAreas: AreaIndex;
  readonly ranges: Shapes;
  readonly rangeLines: SegmentIndex;
  readonly nodes: PointIndex;
  readonly regions: Shapes;
  readonly regionAreas: AreaIndex;
  private readonly countries: Int32Array;

  /** @param sections of a builder, each aligned to 8 bytes in its buffer */
  constructor(sections: ReadonlyMap<string, Uint8Array>) {
    this.houses = new PointIndex('houses', sections);
    this.ground = new Shapes('ground', sections);
    this.groundLines = new SegmentIndex('ground', sections, this.ground);
    this.groundAreas = new AreaIndex('ground', sections, this.ground);
    this.ranges = new Shapes('ranges', sections);
    this.rangeLines = new SegmentIndex('ranges', sections, this.ranges);
    this.nodes = new PointIndex('nodes', sections);
    this.regions = new Shapes('regions', sections);
    this.regionAreas = new AreaIndex('regions', sections, this.regions);
    this.countries = wordsOf(sections, 'countries');
  }

  /** The shape of a place; a point if none is kept. */
  geometryOf(place: number): Geometry {
    for (const shapes of [this.regions, this.ground, this.ranges]) {
      const shape = shapes.of(place);
      if (shape < 0) continue;
      const rings = shapes.ringsOf(shape);
      if (shapes === this.regions || (shapes.traits(shape) & AREA) !== 0) return { kind: 'area', rings };
      return rings[0].length > 2 ? { kind: 'line', coordinates: rings[0] } : { kind: 'point' };
    }
    return { kind: 'point' };
  }

  /**
   * The country whose polygon in the layer contains a point.
   * @param latitude degrees
   * @param longitude degrees
   * @returns its place; undefined if there is none
   */
  countryAround(latitude: number, longitude: number): number | undefined {
    const shape = this.regionAreas.bestAround(
      planeUnitsOf(longitude),
      planeUnitsOf(latitude),
      (each, best) => best < 0 && rankOf(this.regions.traits(each)) === RANK_COUNTRY,
    );
    return shape < 0 ? undefined : this.regions.id(shape);
  }

  /**
   * True if the layer has a country's border.
   * @param country bits of the code (traits.ts)
   */
  hasBordersOf(country: number): boolean {
    const { countries } = this;
    for (let at = 1; at < countries.length; at += COUNTRY_WORDS) {
      if (countryBitsOf(countries[at]) === country && (countries[at] & AREA) !== 0) return true;
    }
    return false;
  }

  /** Visits the countries of the layer. */
  forEachCountry(visit: (id: number, x: number, y: number) => void): void {
    const { countries } = this;
    for (let at = 0; at < countries.length; at += COUNTRY_WORDS)
      visit(countries[at], countries[at + 2], countries[at + 3]);
  }

  /**
   * The layer's place for a country.
   * @param country bits of the code (traits.ts)
   */
  country(country: number): { id: number; x: number; y: number } | undefined {
    const { countries } = this;
    for (let at = 0; at < countries.length; at += COUNTRY_WORDS) {
      if (countryBitsOf(countries[at + 1]) === country)
        return { id: countries[at], x: countries[at + 2], y: countries[at + 3] };
    }
    return undefined;
  }
}
