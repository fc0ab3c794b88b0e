// What the map was asked: a place of the service, by a search or by a point.

import type { AdminRoutes } from '../../../../build/console_api.ts';
import type { Corners } from '../../map/shapes.ts';

/** A place as the service answers it. */
export type Place = AdminRoutes['GET /reverse']['answer'];

/** A point that is asked about. */
export interface Point {
  latitude: number;
  longitude: number;
}

/** The finest zoom of an answer: a house. */
export const ZOOM_FINEST = 18;

/** The box around a place: south-west and north-east, longitude first. */
export function boxOf({ boundingbox }: Place): Corners {
  const [south, north, west, east] = boundingbox.map(Number);
  // Across the antimeridian the east is smaller.
  return [
    [west, south],
    [east < west ? east + 360 : east, north],
  ];
}

/** Where a place is. */
export function pointOf({ lat, lon }: Place): Point {
  return { latitude: Number(lat), longitude: Number(lon) };
}

/** What a place is called; a house by number and street. */
export function titleOf({ name, display_name: whole }: Place): string {
  return name || whole.split(', ').slice(0, 2).join(', ');
}

/** The names of a place after its own: what tells it from others of its name. */
export function surroundingsOf(place: Place): string {
  const { display_name: whole } = place;
  const title = titleOf(place);
  return whole.startsWith(title) ? whole.slice(title.length + 2) : whole;
}
