// An explained answer, as the service gives it, and what of it is on the map.

import type { AdminSchemas } from '../../../../build/console_api.ts';

/** A position, a search or a point, explained. */
export type Result = Omit<Partial<AdminSchemas['Explanation']>, 'response'> & AdminSchemas['ExplainedPlaces'];

/**
 * What an item speaks of: `answer`, `station:N`, `estimate:N`, `fallback:N`, `building`, `floor`, `room`, `track` or
 * `place:ID`.
 */
export type About = string;

/** How a thing is drawn, on the map and beside its line. */
export type Look =
  | 'answer'
  | 'used'
  | 'refused'
  | 'unknown'
  | 'estimate'
  | 'dropped'
  | 'place'
  | 'inside'
  | 'before'
  | 'guess';
/** How what has no number looks. */
const LOOKS: Readonly<Record<string, Look>> = {
  answer: 'answer',
  place: 'place',
  building: 'inside',
  floor: 'inside',
  room: 'inside',
  track: 'before',
  fallback: 'guess',
};

/** A place as the geocoder answers with it. */
interface Place {
  place_id: number;
  osm_type?: string;
  osm_id?: number;
  lat: string;
  lon: string;
  display_name: string;
}

/** How the thing that an item speaks of is drawn; undefined where the item speaks of none. */
export function lookOf(result: Result, about: About | undefined): Look | undefined {
  const [kind, index] = about?.split(':') ?? [];
  if (kind === 'station') return lookOfStation(result.stations![Number(index)]);
  if (kind === 'estimate') return result.estimates![Number(index)].joined ? 'estimate' : 'dropped';
  return kind === undefined ? undefined : LOOKS[kind];
}

function lookOfStation({ taken, known }: NonNullable<Result['stations']>[number]): Look {
  if (known === undefined) return 'unknown';
  return taken === 'used' || taken === 'compared' ? 'used' : 'refused';
}

/** The looks of all that is drawn. */
export function looksOn(result: Result): Look[] {
  const { stations = [], estimates = [], shapes = [], before = [], fallbacks = [], answer } = result;
  const looks = [
    ...(answer === undefined ? [] : ['answer' as const]),
    ...stations.map((_, i) => lookOf(result, `station:${i}`)),
    ...estimates.map((_, i) => lookOf(result, `estimate:${i}`)),
    ...(placesOf(result).length === 0 ? [] : ['place' as const]),
    ...(shapes.length === 0 ? [] : ['inside' as const]),
    ...(before.length === 0 ? [] : ['before' as const]),
    ...(fallbacks.some(({ guesses }) => guesses !== undefined) ? ['guess' as const] : []),
  ];
  return looks.filter(look => look !== undefined);
}

/** The places of an answer to a search, or the one of a point. */
export function placesOf({ response, estimates }: Result): Place[] {
  if (estimates !== undefined || typeof response !== 'object' || response === null) return [];
  return (Array.isArray(response) ? response : [response]).filter(({ lat }) => lat !== undefined) as Place[];
}
