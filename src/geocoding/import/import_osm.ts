// Builds the places of OpenStreetMap extracts.
//
// Each place is stored after those that its address refers to: areas from large to small, postcodes, roads, houses with
// a number, features that stand in or near those, and house numbers along lines. Areas and roads stay in memory, roads
// in typed arrays; everything of rank 30 is read one object at a time.

import { UNITS_PER_DEGREE } from '../../geo/units.ts';
import { ScratchFiles } from '../../tables/environment/scratch_file.ts';
import { OSM_NONE, OSM_WAY, type Place } from '../../tables/places/place.ts';
import { RANK_POSTCODE } from '../../tables/places/ranks.ts';
import { type GatheredAreas, gatherAreas, placeOfArea } from './areas/gather.ts';
import type { Area, KnownAreas } from './areas/known_areas.ts';
import { type PostcodeCentroid, Postcodes, postcodeBoxDegreesOf, postcodeRankOf } from './areas/postcodes.ts';
import { namedRows, rowsAt } from './areas/rows.ts';
import type { AddressSource } from './houses/address_file.ts';
import { GivenAddresses, type GivenFeature, type GivenPostcode } from './houses/given_addresses.ts';
import { StreetMembers } from './houses/parents.ts';
import { HouseStore, nameSource, surveyHouses } from './houses/store.ts';
import { classify, INTERPOLATION_KEY } from './objects/classify.ts';
import { type PlaceSink, placeOf } from './objects/place_of.ts';
import { houseNumberOf } from './objects/tags.ts';
import type { OsmFeature, OsmFeatures, OsmProgress, ReadOsmOptions, SkippedObject } from './osm/features.ts';
import { readOsm } from './osm/read.ts';
import { keepRoad, placeOfRoad, RoadCollection } from './roads/collection.ts';

/** A step of an import after reading. */
type BuildPhase = 'areas' | 'survey' | 'roads' | 'addresses' | 'places';

/** Progress of an import. `done` and `total` count bytes or relations while reading, objects afterwards. */
export type ImportProgress = OsmProgress | { phase: BuildPhase; done: number; total: number };

/** What is imported, and where to. */
export interface ImportOsmOptions {
  /** `.osm.pbf` files. */
  files: readonly string[];
  /** Their changes, by the path of the file. */
  changes?: ReadOsmOptions['changes'];
  /** Addresses that others have. */
  addresses?: readonly AddressSource[];
  sink: PlaceSink;
  /** An existing folder for scratch files. */
  scratchFolder: string;
  /** An exception from it ends the import. */
  onProgress: (progress: ImportProgress) => void;
}

/** Numbers of stored places. */
export interface OsmImportSummary {
  /** Boundaries, settlements and quarters. */
  areas: number;
  /** Settlements merged with their boundary. */
  linked: number;
  postcodes: number;
  roads: number;
  /** Objects with a house number. */
  houses: number;
  /** Everything else of rank 30, and lakes, peaks and the like. */
  pois: number;
  /** Sections of house numbers along lines. */
  interpolations: number;
  /** Sections that belong to no street and were left out. */
  interpolationsWithoutStreet: number;
  /** Places that a table of importance knows; absent without one. */
  rated?: number;
  /** Houses of sources of addresses that another source or the map has too. */
  joined: number;
  /** Streets that only sources of addresses have. */
  ownStreets: number;
  skipped: readonly SkippedObject[];
  /** Objects of each file that are asked to be places, in the order of the files. */
  objects: readonly number[];
}

/** Shape of an area that was stored. */
const STORED = { kind: 'point' } as const;
/** Objects between two progress updates. */
const OBJECTS_PER_UPDATE = 5_000;

/**
 * Reads extracts and stores their places.
 * @throws Error with a full sentence if a file cannot be read; the sink's content must then be discarded
 */
export async function importOsm({
  files,
  changes,
  addresses,
  sink,
  scratchFolder,
  onProgress,
}: ImportOsmOptions): Promise<OsmImportSummary> {
  const features = await readOsm({
    files,
    changes,
    scratchFolder,
    wants: (type, tags, isClosed) => classify(type, tags, isClosed)?.featureClass,
    onProgress,
  });
  const scratch = new ScratchFiles(scratchFolder);
  try {
    return buildPlaces(features, sink, onProgress, scratch, addresses);
  } finally {
    scratch.close();
    features.close();
  }
}

/**
 * Stores the places of features that have been read. @param scratch by default what is collected stays in memory @param
 * addresses beside those of the map
 */
export function buildPlaces(
  features: Omit<OsmFeatures, 'close'>,
  sink: PlaceSink,
  onProgress: (progress: ImportProgress) => void,
  scratch?: ScratchFiles,
  addresses: readonly AddressSource[] = [],
): OsmImportSummary {
  const given = new GivenAddresses(addresses);
  const { area: areaCount, road: roadCount, house: houseCount } = features.counts.features;
  const follow = <T>(phase: BuildPhase, total: number, objects: Iterable<T>, before = 0) =>
    withProgress(phase, { before, total }, objects, onProgress);

  const areaFeatures: OsmFeature[] = [];
  const lines: OsmFeature[] = [];
  for (const feature of follow('areas', areaCount, features.read('area'))) {
    (feature.tags[INTERPOLATION_KEY] !== undefined && feature.type === OSM_WAY ? lines : areaFeatures).push(feature);
  }
  const gathered = gatherAreas(areaFeatures, features.boundaries);
  const { known, countries } = gathered;

  const allHouses = houseCount + given.count;
  const houses = inTurn(features.read('house', true), given.surveyed());
  const survey = surveyHouses(follow('survey', allHouses, houses), lines, countries, known);
  const centroids = survey.postcodes.centroids();
  const surroundings = { areas: known, postcodes: new Postcodes(centroids, known), countries, towns: survey.towns };

  const areasById = storeAreas(gathered, surroundings.postcodes, sink);
  // A farm is a settlement, and also a house if it has a number.
  const numberedAreas = areaFeatures.filter(({ tags }) => houseNumberOf(tags) !== '');
  areaFeatures.length = 0;
  const otherPostcodes = given.postcodesLeft(centroids, (x, y) => countries.at(x, y));
  const postcodes = storePostcodes(inTurn(centroids, otherPostcodes), known, sink);

  const streets = new StreetMembers(features.streets);
  const collection = new RoadCollection({ nodes: survey.nodesWithoutStreet, ways: streets.ways }, scratch);
  for (const feature of follow('roads', roadCount, features.read('road'))) {
    const place = placeOfRoad(feature, surroundings);
    keepRoad(collection, feature, place, sink.add(place, feature.geometry));
    given.meetRoad(feature);
  }
  for (const street of given.streetsLeft()) storeStreet(street, surroundings, collection, sink);

  const roads = collection.finish();
  const sources = { ...surroundings, streets, roads, areaOf: (id: number) => areasById.get(id) };
  given.enter(sources);
  const store = new HouseStore(sources, survey.occupants, given, sink);
  for (const feature of follow('addresses', allHouses, features.read('house', true))) {
    if (houseNumberOf(feature.tags) !== '') store.addNumbered(feature);
  }
  for (const feature of numberedAreas) store.addHouseOf(feature);
  for (const house of follow('addresses', allHouses, given.housesLeft(), houseCount)) store.addGiven(house);
  store.finishBuildings();
  for (const feature of follow('places', houseCount, features.read('house', true)))
    if (houseNumberOf(feature.tags) === '') store.addOther(feature);
  for (const line of lines) store.addLine(line, survey);
  roads.close();

  return {
    areas: gathered.areas.length,
    linked: gathered.linked,
    postcodes,
    roads: roadCount,
    ...store.counts,
    joined: given.joined,
    ownStreets: given.ownStreets,
    skipped: features.skipped,
    objects: features.counts.wanted,
  };
}

/** Stores a street without a shape; houses look for it along a line through those that name it. */
function storeStreet(
  { feature, source }: GivenFeature,
  surroundings: Parameters<typeof placeOfRoad>[1],
  roads: RoadCollection,
  sink: PlaceSink,
): void {
  const place = nameSource(placeOfRoad(feature, surroundings), source);
  keepRoad(roads, feature, place, sink.add(place, { kind: 'point' }));
}

function* inTurn<T>(first: Iterable<T>, second: Iterable<T>): Generator<T> {
  yield* first;
  yield* second;
}

function storeAreas({ areas, known }: GatheredAreas, postcodes: Postcodes, sink: PlaceSink): ReadonlyMap<number, Area> {
  const byId = new Map<number, Area>();
  for (const area of areas) {
    area.id = sink.add(placeOfArea(area, known, postcodes), area.geometry);
    // Its polygon is all that is asked for from now on.
    area.geometry = STORED;
    byId.set(area.id, area);
  }
  return byId;
}

/** @returns how many there are */
function storePostcodes(
  postcodes: Iterable<PostcodeCentroid | GivenPostcode>,
  known: KnownAreas,
  sink: PlaceSink,
): number {
  let count = 0;
  for (const postcode of postcodes) {
    sink.add(placeOfPostcode(postcode, known), { kind: 'point' });
    count++;
  }
  return count;
}

function placeOfPostcode(centroid: PostcodeCentroid | GivenPostcode, areas: KnownAreas): Place {
  const { countryCode, postcode, x, y } = centroid;
  const searchRank = postcodeRankOf(countryCode);
  const subject = {
    osmType: OSM_NONE,
    osmId: 0,
    category: 'place',
    type: 'postcode',
    names: { name: postcode },
    tags: {},
    countryCode,
  } as const;
  const position = {
    latitude: y / UNITS_PER_DEGREE,
    longitude: x / UNITS_PER_DEGREE,
    geometry: { kind: 'point' },
  } as const;
  const ranks = { searchRank, addressRank: RANK_POSTCODE };
  const point = { x, y, countryCode };
  const isGiven = 'city' in centroid;
  const named = isGiven && centroid.city !== '' ? namedRows(areas, { 'addr:city': centroid.city }, point) : [];
  const rows = rowsAt(areas, point, searchRank, named).map(({ id }) => id);
  const town = isGiven && named.length === 0 ? centroid.city : '';
  const place = placeOf(
    { ...subject, ...position, ...ranks },
    { postcode, rows, town, boxDegrees: postcodeBoxDegreesOf(searchRank) },
  );
  return nameSource(place, isGiven ? centroid.source : '');
}

/** Passes objects through and tells their number as progress. @param before objects of the phase that are done */
function* withProgress<T>(
  phase: BuildPhase,
  { before, total }: { before: number; total: number },
  objects: Iterable<T>,
  onProgress: (progress: ImportProgress) => void,
): Iterable<T> {
  let done = before;
  onProgress({ phase, done, total });
  for (const object of objects) {
    yield object;
    done++;
    if (done % OBJECTS_PER_UPDATE === 0) onProgress({ phase, done, total });
  }
  onProgress({ phase, done, total });
}
