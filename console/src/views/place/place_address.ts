// The address of the page of a place: its object in OpenStreetMap, which stays the same when data are imported anew. A
// place without one has the search or the point that finds it.

import type { AdminSchemas } from '../../../../build/console_api.ts';
import { call, Refusal } from '../../api/call.ts';
import { hashOf } from '../../state/route.ts';

/** A place with all that is known of it. */
export type Place = AdminSchemas['Place'];

/** What the address asks for. */
export interface PlaceQuestion {
  /** As R1155956. */
  object?: string;
  /** Words of the search that found it. */
  words?: string;
  /** Our number of it among the results, where it has no object. */
  id?: number;
  point?: { lat: string; lon: string; zoom: string };
}

/** What results hold of a place. */
interface Found {
  osm_type?: string;
  osm_id?: number;
  place_id?: number;
}

const DETAILS = { namedetails: '1', extratags: '1', polygon_geojson: '1', polygon_threshold: '0.00005' } as const;
const NOT_FOUND = 404;

/** The address of the page of a place. @param asked how it was found */
export function hrefOfPlace(
  { osm_type: type, osm_id: osmId, place_id: id }: Found,
  { words, point }: Pick<PlaceQuestion, 'words' | 'point'>,
): string {
  const q = words === undefined ? {} : { q: words };
  if (type !== undefined && osmId !== undefined)
    return hashOf('place', { osm: `${type.charAt(0).toUpperCase()}${osmId}`, ...q });
  return hashOf('place', { ...q, ...(words !== undefined && id !== undefined && { id }), ...point });
}

/** What an address asks for; undefined if nothing. */
export function questionOf(parameters: URLSearchParams): PlaceQuestion | undefined {
  const [object, words, id, lat, lon] = ['osm', 'q', 'id', 'lat', 'lon'].map(name => parameters.get(name) ?? undefined);
  const q = words === undefined ? {} : { words };
  if (object !== undefined) return { object, ...q };
  if (words !== undefined && id !== undefined) return { id: Number(id), ...q };
  if (lat === undefined || lon === undefined) return undefined;
  return { point: { lat, lon, zoom: parameters.get('zoom') ?? '18' } };
}

/** The place of an address; undefined if there is none. @throws Refusal */
export async function readPlace(
  { object, words, id, point }: PlaceQuestion,
  signal: AbortSignal,
): Promise<Place | undefined> {
  if (object !== undefined) return (await call('GET /lookup', { query: { osm_ids: object, ...DETAILS }, signal }))[0];
  if (words !== undefined) {
    const places = await call('GET /search', { query: { q: words, ...DETAILS }, signal });
    return places.find(each => each.place_id === id);
  }
  try {
    return await call('GET /reverse', { query: { ...point!, ...DETAILS }, signal });
  } catch (error) {
    if (error instanceof Refusal && error.status === NOT_FOUND) return undefined;
    throw error;
  }
}
