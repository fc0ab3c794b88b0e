// Reads the body of POST /reverse, a list of points. An invalid point gets an error in its place and does not affect the others.

import { LATITUDE, LONGITUDE } from '../../radio/ranges.ts';
import { ApiError, ERRORS } from '../errors.ts';
import { type AnswerForm, readCoordinate, readZoom } from './place_question.ts';

/** One point, in degrees, with a zoom of 0..18; or the error message about it. */
export type Point = { latitude: number; longitude: number; zoom: number } | { error: string };

/** Most points of one batch. */
export const POINTS_MAX = 10_000;

/**
 * Reads the points of a parsed body.
 * @throws ApiError parseError when it is not a list, or too long
 */
export function readPoints(body: unknown, form: AnswerForm): Point[] {
  if (!Array.isArray(body)) throw new ApiError(ERRORS.parseError, 'The body must be an array of points.');
  if (body.length > POINTS_MAX)
    throw new ApiError(ERRORS.parseError, `The body has ${body.length} points; it must have at most ${POINTS_MAX}.`);
  return body.map(item => readPoint(item, form));
}

function readPoint(item: unknown, form: AnswerForm): Point {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return { error: 'A point must be an object.' };
  const { lat, lon, zoom } = item as Record<string, unknown>;
  try {
    return {
      latitude: readCoordinate('lat', lat, LATITUDE),
      longitude: readCoordinate('lon', lon, LONGITUDE),
      zoom: readZoom(zoom, form),
    };
  } catch (error) {
    if (error instanceof ApiError) return { error: error.message };
    throw error;
  }
}
