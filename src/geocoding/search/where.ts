// What a place costs as a result for where it is: away from the point in the query, or outside of the view.

import { isInView, type SearchQuestion } from './question.ts';
import { AWAY_MAX, AWAY_PER_DEGREE, OUTSIDE } from './rank.ts';

/** The cost of being outside of the view. @param latitude degrees @param longitude degrees */
export function outsideCost(question: SearchQuestion, latitude: number, longitude: number): number {
  return isInView(question, latitude, longitude) ? 0 : OUTSIDE;
}

/**
 * The cost of being away from the point in the query. @param near degrees; undefined if it has none @param latitude
 * degrees @param longitude degrees
 */
export function awayCost(
  near: { latitude: number; longitude: number } | undefined,
  latitude: number,
  longitude: number,
): number {
  if (near === undefined) return 0;
  const degrees = Math.hypot(
    latitude - near.latitude,
    (longitude - near.longitude) * Math.cos((latitude * Math.PI) / 180),
  );
  return Math.min(AWAY_MAX, AWAY_PER_DEGREE * degrees);
}
