// Requests for a position to begin with. The service says them: they are about stations and places that it knows, and
// each is answered. Only the fix in a building is made here.

import { call, Refusal } from '../../api/call.ts';
import { type Loaded, useLoaded } from '../../state/load.ts';
import { session } from '../../state/session.ts';
import { strings } from '../../strings.ts';

const text = strings.try;

/** A request to begin with. */
export interface Example {
  id: string;
  title: string;
  body: object;
}

/** What there is to try. */
export interface Examples {
  /** The commonest first. */
  requests: readonly Example[];
  /** Words of a search that finds something. */
  words: string;
  /** Degrees, as text. */
  point: { latitude: string; longitude: string };
  /** The service knows a station. */
  hasStations: boolean;
}

/** Those of a service that does not tell any. */
export const NO_EXAMPLES: Examples = {
  requests: [],
  words: '',
  point: { latitude: '', longitude: '' },
  hasStations: true,
};

/** Those that need no station. */
const WITHOUT_STATIONS = ['gps', 'building'];

/** The examples of this service. */
export function useExamples(): Loaded<Examples> {
  return useLoaded(readExamples, [session.value?.access]);
}

async function readExamples(signal: AbortSignal): Promise<Examples> {
  const [{ requests, words, point }, inside] = await Promise.all([
    call('GET /examples', { signal }),
    inBuilding(signal),
  ]);
  const all = [...requests, ...inside];
  return {
    requests: all.map(({ id, body }) => ({ id, title: text.examples[id as keyof typeof text.examples] ?? id, body })),
    words,
    point: { latitude: String(point.latitude), longitude: String(point.longitude) },
    hasStations: all.some(({ id }) => !WITHOUT_STATIONS.includes(id)),
  };
}

/** A fix in a building that was imported. */
async function inBuilding(signal: AbortSignal): Promise<{ id: string; body: object }[]> {
  try {
    const { buildings } = await call('GET /buildings/models', { signal });
    return buildings.slice(0, 1).map(({ latitude, longitude }) => ({
      id: 'building',
      body: { gps: { latitude, longitude, accuracy: 5, age: 2 }, indoor: 1 },
    }));
  } catch (error) {
    if (error instanceof Refusal) return []; // a service without buildings has no such route
    throw error;
  }
}

/** A body as it stands in the editor. */
export function textOf(body: object): string {
  return JSON.stringify(body, null, 2);
}
