// Reads the body of POST /reverse, a list of points. An invalid point gets an error in its place and does not affect
// the others.

import { LATITUDE, LONGITUDE } from '../../radio/ranges.ts';
import { ApiError, ERRORS } from '../errors.ts';
import { type AnswerForm, readZoom } from './place_question.ts';
import { readCoordinate } from './query.ts';

/** One point, in degrees, with a zoom of 0..18; or the error message about it. */
export type Point = { latitude: number; longitude: number; zoom: number } | { error: string };

/**
 * The points of a batch, in a form that passes from thread to thread at once. As objects 10,000 of them would take
 * eight milliseconds.
 */
export interface PointList {
  /** Latitude, longitude and zoom of each point; NaN where it is not valid. */
  numbers: Float64Array;
  /** The error messages about those that are not valid, by their place. */
  errors: ReadonlyMap<number, string>;
}

/** Most points of one batch. */
export const POINTS_MAX = 10_000;
/** Numbers of a point. */
const COLUMNS = 3;

/**
 * Reads the points of a parsed body.
 * @throws ApiError parseError when it is not a list, or too long
 */
export function readPoints(body: unknown, form: AnswerForm): PointList {
  if (!Array.isArray(body)) throw new ApiError(ERRORS.parseError, 'The body must be an array of points.');
  if (body.length > POINTS_MAX)
    throw new ApiError(ERRORS.parseError, `The body has ${body.length} points; it must have at most ${POINTS_MAX}.`);
  const numbers = new Float64Array(body.length * COLUMNS).fill(Number.NaN);
  const errors = new Map<number, string>();
  for (let i = 0; i < body.length; i++) {
    const point = readPoint(body[i], form);
    if ('error' in point) errors.set(i, point.error);
    else numbers.set([point.latitude, point.longitude, point.zoom], i * COLUMNS);
  }
  return { numbers, errors };
}

/** Number of points in a list. */
export function countPoints({ numbers }: PointList): number {
  return numbers.length / COLUMNS;
}

/** The points of a list from `start` up to but without `end`, or as far as it goes. */
export function pointsBetween(list: PointList, start: number, end: number): Point[] {
  const { numbers, errors } = list;
  return Array.from({ length: Math.min(end, countPoints(list)) - start }, (_, i) => {
    const error = errors.get(start + i);
    const at = (start + i) * COLUMNS;
    return error === undefined
      ? { latitude: numbers[at], longitude: numbers[at + 1], zoom: numbers[at + 2] }
      : { error };
  });
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
