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
import { rowsAt } from './areas/rows.ts';
import { StreetMembers } from './houses/parents.ts';
import { HouseStore, surveyHouses } from './houses/store.ts';
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
    return buildPlaces(features, sink, onProgress, scratch);
  } finally {
    scratch.close();
    features.close();
  }
}

/** Stores the places of features that have been read. @param scratch by default what is collected stays in memory */
export function buildPlaces(
  features: Omit<OsmFeatures, 'close'>,
  sink: PlaceSink,
  onProgress: (progress: ImportProgress) => void,
  scratch?: ScratchFiles,
): OsmImportSummary {
  const { area: areaCount, road: roadCount, house: houseCount } = features.counts.features;
  const follow = (phase: BuildPhase, total: number, objects: Iterable<OsmFeature>) =>
    withProgress(phase, total, objects, onProgress);

  const areaFeatures: OsmFeature[] = [];
  const lines: OsmFeature[] = [];
  for (const feature of follow('areas', areaCount, features.read('area'))) {
    (feature.tags[INTERPOLATION_KEY] !== undefined && feature.type === OSM_WAY ? lines : areaFeatures).push(feature);
  }
  const gathered = gatherAreas(areaFeatures, features.boundaries);
  const { known, countries } = gathered;

  const survey = surveyHouses(follow('survey', houseCount, features.read('house', true)), lines, countries, known);
  const centroids = survey.postcodes.centroids();
  const postcodes = new Postcodes(centroids, known);

  const areasById = storeAreas(gathered, postcodes, sink);
  // A farm is a settlement, and also a house if it has a number.
  const numberedAreas = areaFeatures.filter(({ tags }) => houseNumberOf(tags) !== '');
  areaFeatures.length = 0;
  for (const centroid of centroids) sink.add(placeOfPostcode(centroid, known), { kind: 'point' });

  const streets = new StreetMembers(features.streets);
  const collection = new RoadCollection({ nodes: survey.nodesWithoutStreet, ways: streets.ways }, scratch);
  for (const feature of follow('roads', roadCount, features.read('road'))) {
    const place = placeOfRoad(feature, { areas: known, postcodes, countries, towns: survey.towns });
    keepRoad(collection, feature, place, sink.add(place, feature.geometry));
  }

  const roads = collection.finish();
  const surroundings = {
    streets,
    roads,
    areas: known,
    postcodes,
    countries,
    towns: survey.towns,
    areaOf: (id: number) => areasById.get(id),
  };
  const store = new HouseStore(surroundings, survey.tenants, sink);
  for (const feature of follow('addresses', houseCount, features.read('house', true))) {
    if (houseNumberOf(feature.tags) !== '') store.addNumbered(feature);
  }
  for (const feature of numberedAreas) store.addHouseOf(feature);
  store.finishBuildings();
  for (const feature of follow('places', houseCount, features.read('house', true)))
    if (houseNumberOf(feature.tags) === '') store.addOther(feature);
  for (const line of lines) store.addLine(line, survey);
  roads.close();

  return {
    areas: gathered.areas.length,
    linked: gathered.linked,
    postcodes: centroids.length,
    roads: roadCount,
    ...store.counts,
    skipped: features.skipped,
    objects: features.counts.wanted,
  };
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

function placeOfPostcode({ countryCode, postcode, x, y }: PostcodeCentroid, areas: KnownAreas): Place {
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
  const rows = rowsAt(areas, { x, y, countryCode }, searchRank, []).map(({ id }) => id);
  return placeOf(
    { ...subject, ...position, ...ranks },
    { postcode, rows, boxDegrees: postcodeBoxDegreesOf(searchRank) },
  );
}

/** Passes objects through and tells their number as progress. */
function* withProgress(
  phase: BuildPhase,
  total: number,
  objects: Iterable<OsmFeature>,
  onProgress: (progress: ImportProgress) => void,
): Iterable<OsmFeature> {
  let done = 0;
  onProgress({ phase, done, total });
  for (const object of objects) {
    yield object;
    done++;
    if (done % OBJECTS_PER_UPDATE === 0) onProgress({ phase, done, total });
  }
  onProgress({ phase, done, total });
}
