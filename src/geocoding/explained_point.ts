// Why a point was answered with its place: the rule by which the place won, and the places of each level around the
// point with their distances. The answer says its rule itself (reverse/hit.ts).
//
// An extract compares distances in degrees with longitude not scaled, as OpenStreetMap's geocoder does. So the nearest
// place in degrees may be farther in metres.

import { distanceMetres } from '../geo/distance.ts';
import { degreesOf } from '../geo/plane.ts';
import { UNITS_PER_DEGREE } from '../geo/units.ts';
import type { FoundPlace } from './found_place.ts';
import type { GeocoderLayer } from './geocoder_layer.ts';
import type { PointQuestion, PointRule, ReverseHit } from './reverse/hit.ts';
import { type PlaceAround, type PointLevel, placesAround } from './reverse/places_around.ts';
import type { PointNote, PointRecord } from './reverse/point_record.ts';
import { type SettlementAround, settlementsAround } from './reverse/world.ts';

/** The imported extract and the gazetteer of the world, in the order in which they are searched. */
export const LAYER_NAMES = ['extract', 'world'] as const;
/** One of them. */
export type LayerName = (typeof LAYER_NAMES)[number];

/** The layers, and how their places are described. */
export interface ShownLayers {
  extract: GeocoderLayer | undefined;
  world: GeocoderLayer | undefined;
  /** A place as the geocoder answers with it. */
  describe(layer: GeocoderLayer, hit: ReverseHit): FoundPlace;
}

/** An explained point. */
export interface ExplainedPoint {
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** 0 country .. 18 house. */
  zoom: number;
  /** Country of the point, lower case; absent if unknown. */
  countryCode?: string;
  /** The place that answers; absent if there is none. */
  answer?: ShownPlace & { rule: PointRule };
  /** What decided besides the rule. */
  notes: readonly PointNote[];
  /** Places around the point, level by level; those of the gazetteer only if it was asked. */
  levels: { level: PointLevel; layer: LayerName; candidates: Candidate[] }[];
  stages: PointRecord['stages'];
}

/** A place by its name. */
interface ShownPlace {
  layer: LayerName;
  /** As in answers. */
  placeId?: number;
  displayName: string;
  /**
   * Metres on the ground from the point to the place: to the nearest point of a line or outline, to the middle of an
   * area that is far; 0 if the point is in it.
   */
  distanceMetres: number;
}

/** A place that might have been the answer. */
interface Candidate extends Omit<ShownPlace, 'layer'> {
  /** Distance by which an extract compares, degrees; longitude is not scaled. */
  distanceDegrees?: number;
  /** Distance by which the gazetteer compares towns: larger ones reach farther. */
  weightedMetres?: number;
  /** The point is in it. */
  contains?: true;
  /** It is the answer. */
  isAnswer?: true;
}

/** A decimal more than coordinates have. */
const DEGREE_DECIMALS = 8;

/** Explains a point that has been recorded. */
export function explainedPoint(record: PointRecord, shown: ShownLayers): ExplainedPoint {
  const { question, answer, notes, stages } = record;
  const { latitude, longitude, zoom, countryCode } = question;
  const isWorldAsked = notes.includes('townOfWorld') || stages.some(({ stage }) => stage === 'world');
  const levels = [...levelsOfExtract(record, shown), ...(isWorldAsked ? levelsOfWorld(record, shown) : [])];
  return {
    latitude,
    longitude,
    zoom,
    ...(countryCode !== '' && { countryCode }),
    ...(answer && { answer: { rule: answer.hit.rule, ...shownAnswer(question, shown, answer, levels) } }),
    notes,
    levels,
    stages,
  };
}

/**
 * The answer stands at its middle, also if a wall of it is nearer: what is listed among the places around says how far
 * it is.
 */
function shownAnswer(
  question: PointQuestion,
  shown: ShownLayers,
  { isWorld, hit }: NonNullable<PointRecord['answer']>,
  levels: ExplainedPoint['levels'],
): ShownPlace {
  const place = shownPlace(question, shown, isWorld ? 'world' : 'extract', hit);
  const listed = levels.flatMap(({ candidates }) => candidates).find(({ isAnswer }) => isAnswer);
  return listed === undefined ? place : { ...place, distanceMetres: listed.distanceMetres };
}

function levelsOfExtract({ question, answer }: PointRecord, shown: ShownLayers): ExplainedPoint['levels'] {
  const { extract } = shown;
  if (extract === undefined) return [];
  const answerId = answer?.isWorld === false ? answer.hit.id : undefined;
  return levelsOf('extract', placesAround(extract.spatial, question), place => ({
    ...shownCandidate(question, shown, 'extract', place),
    distanceDegrees: Number((place.distance / UNITS_PER_DEGREE).toFixed(DEGREE_DECIMALS)),
    ...(place.isAround && { contains: true, distanceMetres: 0 }),
    ...(place.id === answerId && { isAnswer: true }),
  }));
}

function levelsOfWorld({ question, answer }: PointRecord, shown: ShownLayers): ExplainedPoint['levels'] {
  const { world } = shown;
  if (world === undefined) return [];
  const answerId = answer?.isWorld === true ? answer.hit.id : undefined;
  return levelsOf('world', settlementsAround(world.spatial, question), place => ({
    ...shownCandidate(question, shown, 'world', place),
    distanceMetres: metresOf(place.distanceMetres),
    weightedMetres: metresOf(place.weightedMetres),
    ...(place.id === answerId && { isAnswer: true }),
  }));
}

function levelsOf<P extends { level: PointLevel }>(
  layer: LayerName,
  places: readonly P[],
  describe: (place: P) => Candidate,
): ExplainedPoint['levels'] {
  const levels = new Map<PointLevel, Candidate[]>();
  for (const place of places) levels.set(place.level, [...(levels.get(place.level) ?? []), describe(place)]);
  return [...levels].map(([level, candidates]) => ({ level, layer, candidates }));
}

function shownCandidate(
  question: PointQuestion,
  shown: ShownLayers,
  layer: LayerName,
  { id, x, y }: PlaceAround | SettlementAround,
): Omit<ShownPlace, 'layer'> {
  const hit = { id, latitude: y / UNITS_PER_DEGREE, longitude: degreesOf(x), houseNumber: '' };
  const { layer: _, ...place } = shownPlace(question, shown, layer, hit);
  return place;
}

function shownPlace(
  { latitude, longitude }: PointQuestion,
  shown: ShownLayers,
  name: LayerName,
  hit: ReverseHit,
): ShownPlace {
  const layer = shown[name]!;
  const { placeId, displayName } = shown.describe(layer, hit);
  const metres = distanceMetres(latitude, longitude, hit.latitude, hit.longitude);
  return { layer: name, ...(placeId !== undefined && { placeId }), displayName, distanceMetres: metresOf(metres) };
}

/** To the decimetre. */
function metresOf(metres: number): number {
  return Math.round(metres * 10) / 10;
}
