// The service as its public address shows it: what views ask of the admin interface elsewhere, the public routes answer
// here, with a key. The key stays in this variable: it is in no address and in no storage, and goes with the page.
//
// Positions are explained for keys whose settings say so, and then without the places of stations.

import { answerBy, ask, Refusal, type Sent } from '../api/call.ts';
import { strings } from '../strings.ts';
import { ended, isPublic, session } from './session.ts';

const text = strings.publicly;
const NOT_FOUND = 404;
const CONFIDENCE = 50;
const DEGREE_DIGITS = 7;
/** The form in which views read places. */
const ADDRESSES = { format: 'jsonv2', addressdetails: '1' };
const PLACES = { ...ADDRESSES, explain: '1' };

let key: string | undefined;

/** What `GET /console/map` answers. */
interface PublicMap {
  attribution: string;
  bounds: number[];
  version: string;
  /** No key of the service stands for requests without one. */
  needsKey: boolean;
  /** As `GET /map` has it. */
  ground?: string;
}

/** A position as clients get it, with what some keys get. */
interface Located {
  location: { lat: number; lng: number };
  accuracy: number;
  explain?: {
    stations: {
      list: string;
      entry: number;
      station?: string;
      code?: number;
      signalDbm?: number;
      taken: string;
      weight?: number;
      distanceMetres?: number;
    }[];
    fallbacks: { fallback: string; result: string }[];
  };
  logId: number;
}

/** A place as clients get it. */
interface Place {
  place_id: number;
  display_name: string;
}

/** Has all that views ask answered by the public routes. */
export function askPublicly(): void {
  isPublic.value = true;
  answerBy({
    'GET /console/session': readAccess,
    'POST /console/session': ({ body }) => useKey((body as { token: string }).token),
    'DELETE /console/session': () => useKey(undefined),
    'GET /map': ({ signal }) => ask('GET /console/map', { ...(signal && { signal }) }),
    'GET /examples': ({ signal }) => ask('GET /console/examples', { ...(signal && { signal }) }),
    'GET /search': sent => askWithKey('GET /search', { ...sent, query: { ...sent.query, ...PLACES } }),
    'GET /reverse': sent => askWithKey('GET /reverse', { ...sent, query: { ...sent.query, ...PLACES } }),
    'GET /lookup': sent => askWithKey('GET /lookup', { ...sent, query: { ...sent.query, ...ADDRESSES } }),
    'POST /explain': locate,
    'GET /explain/search': search,
    'GET /explain/reverse': reverse,
  });
}

async function readAccess(): Promise<object> {
  const { version, needsKey } = (await ask('GET /console/map', {})) as PublicMap;
  const access = needsKey && key === undefined ? 'none' : 'read';
  return { access, isLoggedIn: key !== undefined, version, publicUrl: location.origin };
}

/** @param next undefined for the key of requests without one */
function useKey(next: string | undefined): Promise<object> {
  key = next;
  return readAccess();
}

/** A key that the service does not take is forgotten, and the page asks for another. @throws Refusal */
async function askWithKey(route: string, sent: Sent): Promise<unknown> {
  try {
    return await ask(route, { ...sent, ...(key !== undefined && { headers: { 'x-api-key': key } }) });
  } catch (error) {
    if (error instanceof Refusal && reasonOf(error) === 'keyInvalid' && session.value !== undefined) {
      key = undefined;
      ended.value = 'refused';
      session.value = { ...session.value, access: 'none', isLoggedIn: false };
    }
    throw error;
  }
}

function reasonOf({ answer }: Refusal): string | undefined {
  return (answer as { error?: { errors?: { reason?: string }[] } } | undefined)?.error?.errors?.[0]?.reason;
}

async function locate({ body, signal }: Sent): Promise<object> {
  const sent = { query: { explain: '1' }, body, ...(signal && { signal }) };
  const answer = (await orNothing(askWithKey('POST /', sent))) as Located | undefined;
  if (answer === undefined) return { estimates: [], sections: [] };
  const { explain, logId: _, ...response } = answer;
  const { location: at, accuracy } = answer;
  const place = `${at.lat.toFixed(DEGREE_DIGITS)}, ${at.lng.toFixed(DEGREE_DIGITS)}`;
  const confidence = (body as { confidence?: number }).confidence ?? CONFIDENCE;
  return {
    response,
    answer: { latitude: at.lat, longitude: at.lng },
    circles: [{ confidence, metres: accuracy }],
    estimates: [],
    sections: [
      { title: text.answer(place, accuracy), about: 'answer', items: [] },
      ...sectionsOf(explain ?? { stations: [], fallbacks: [] }),
    ],
  };
}

function sectionsOf({ stations, fallbacks }: NonNullable<Located['explain']>): object[] {
  const heard = stations.map(({ list, entry, station, code, signalDbm, taken, weight, distanceMetres }) => {
    const level = signalDbm === undefined ? '' : `, ${signalDbm} dBm`;
    const part = [
      text.taken[taken as keyof typeof text.taken] ?? taken,
      ...(weight === undefined ? [] : [text.weight(Math.round(100 * weight))]),
      ...(distanceMetres === undefined ? [] : [text.away(distanceMetres)]),
    ];
    return { lines: [`${station ?? text.code(code)} (${list}[${entry}]${level})`, part.join(', ')] };
  });
  const tried = fallbacks.map(({ fallback, result }) => ({ lines: [`${fallback}: ${result}`] }));
  return [
    { title: text.stations, items: heard },
    { title: text.fallbacks, items: tried },
  ].filter(({ items }) => items.length > 0);
}

async function search(sent: Sent): Promise<object> {
  const query = { ...sent.query, ...PLACES };
  const response = (await askWithKey('GET /search', { ...sent, query })) as Place[];
  const items = response.map(({ place_id, display_name }, i) => ({
    about: `place:${place_id}`,
    lines: [`${i + 1}. ${display_name}`],
  }));
  return { response, sections: items.length === 0 ? [] : [{ title: text.places, items }] };
}

async function reverse(sent: Sent): Promise<object> {
  const query = { ...sent.query, ...PLACES };
  const response = (await orNothing(askWithKey('GET /reverse', { ...sent, query }))) as Place | undefined;
  if (response === undefined) return { sections: [] };
  return { response, sections: [{ title: text.place(response.display_name), about: 'answer', items: [] }] };
}

/** Undefined where there is nothing. @throws Refusal for anything else */
async function orNothing(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Refusal && error.status === NOT_FOUND) return undefined;
    throw error;
  }
}
