// What a place costs as a result for where it is: away from the point in the query, or outside of the view.

import { isInView, type SearchQuestion } from './question.ts';
import { AWAY_MAX, AWAY_PER_DEGREE, OUTSIDE } from './rank.ts';

/** The cost of a position. @param near point in the query, degrees; undefined if it has none @param latitude degrees @param longitude degrees */
export function whereCost(
  question: SearchQuestion,
  near: { latitude: number; longitude: number } | undefined,
  latitude: number,
  longitude: number,
): number {
  const outside = isInView(question, latitude, longitude) ? 0 : OUTSIDE;
  if (near === undefined) return outside;
  const degrees = Math.hypot(latitude - near.latitude, (longitude - near.longitude) * Math.cos((latitude * Math.PI) / 180));
  return Math.min(AWAY_MAX, AWAY_PER_DEGREE * degrees) + outside;
}
