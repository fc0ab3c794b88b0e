// Makes the explanation of an answer: of the body, of its query, and of what was recorded while the query was answered.

import { distanceMetres } from '../../geo/distance.ts';
import { radiusFactor } from '../../positioning/estimates/estimate.ts';
import type { EstimateRecord, PositionRecorder } from '../../positioning/estimates/recorder.ts';
import { fallbackName } from '../../radio/fallbacks.ts';
import type { FoundPosition } from '../../radio/query/answer.ts';
import type { LeftOut } from '../../radio/query/left_out.ts';
import type { QueryReader } from '../../radio/query/reader.ts';
import type { ExplainedAnswer, ExplainedEstimate, Explanation } from './explanation.ts';
import { divide, partsOfJoined, shareOf } from './radius.ts';
import { nameOf, type SentBody, stationsOf } from './stations.ts';

/** Guesses of a fallback that are shown: as many as it looks at. */
const GUESSES_MAX = 64;

/** An answered question. */
interface Answered {
  body: SentBody;
  /** Entries of its lists that are no observations of the query. */
  leftOut: readonly LeftOut[];
  query: QueryReader;
  /** Undefined where nothing was found. */
  found: FoundPosition | undefined;
  /** Percent of the truths that the radius shall hold. */
  confidence: number;
}

/** Explains an answer. @param recorder of the query */
export function explanationOf(
  { body, leftOut, query, found, confidence }: Answered,
  recorder: PositionRecorder,
): Explanation {
  const { building, map, absent, fallbacks, track, stages, joined } = recorder;
  const shares = recorder.estimates.map(record => {
    const isJoined = joined !== undefined && (record.estimate.source & joined.sources) !== 0;
    return { record, share: isJoined ? shareOf(record.estimate, joined.estimate) : undefined };
  });
  return {
    ...stationsOf(body, query, leftOut, recorder),
    ...(building && { building: buildingOf(building) }),
    ...(map && { map: mapOf(map, query) }),
    estimates: shares.map(({ record, share }) => estimateOf(record, share?.weight, found)),
    absent,
    fallbacks: fallbacks.map(({ bit, result, guesses }) => ({
      fallback: fallbackName(bit)!,
      result,
      ...(guesses.length > 0 && { guesses: likeliest(guesses) }),
    })),
    ...(track && { track }),
    ...(found && joined && { answer: answerOf(found, joined.radiusMetres, shares, confidence) }),
    stages,
  };
}

/** Guesses by their typical error. */
function likeliest(guesses: PositionRecorder['fallbacks'][number]['guesses']) {
  return guesses.toSorted((a, b) => a.typicalMetres - b.typicalMetres).slice(0, GUESSES_MAX);
}

function buildingOf({
  isAlike: _,
  floor,
  ...rest
}: NonNullable<PositionRecorder['building']>): NonNullable<Explanation['building']> {
  return { ...rest, floorIndex: floor };
}

function mapOf(
  { observation, ...rest }: NonNullable<PositionRecorder['map']>,
  query: QueryReader,
): NonNullable<Explanation['map']> {
  return { station: nameOf(query, observation).station!, ...rest };
}

/** @param weight undefined for one that is not joined */
function estimateOf(
  { strategy, estimate, parts, calibration, radiusMetres }: EstimateRecord,
  weight: number | undefined,
  found: FoundPosition | undefined,
): ExplainedEstimate {
  const { latitude, longitude, cxx, cxy, cyy, used, evidence } = estimate;
  const uncalibratedMetres = radiusMetres / calibration;
  return {
    strategy,
    latitude,
    longitude,
    radiusMetres,
    uncalibratedMetres,
    parts: divide(uncalibratedMetres, parts),
    calibration,
    covariance: { eastEast: cxx, eastNorth: cxy, northNorth: cyy },
    stations: used,
    evidence,
    joined: weight !== undefined,
    ...(weight !== undefined && { weight }),
    distanceMetres: found === undefined ? 0 : distanceMetres(latitude, longitude, found.latitude, found.longitude),
  };
}

function answerOf(
  found: FoundPosition,
  joinedMetres: number,
  shares: readonly { record: EstimateRecord; share: { variance: number } | undefined }[],
  confidence: number,
): ExplainedAnswer {
  const { latitude, longitude, accuracyMetres } = found;
  const fallback = fallbackName(found.fallback);
  const confidenceFactor = radiusFactor(confidence, found);
  const joined = shares.flatMap(({ record, share }) =>
    share === undefined ? [] : [{ record, variance: share.variance }],
  );
  const radius = {
    metres: Math.max(1, Math.round(accuracyMetres * confidenceFactor)),
    r50Metres: accuracyMetres,
    ...partsOfJoined(joinedMetres, joined),
    trackMetres: accuracyMetres - joinedMetres,
    confidence,
    confidenceFactor,
  };
  return { latitude, longitude, radius, ...(fallback !== undefined && { fallback }) };
}
