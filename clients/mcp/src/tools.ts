// The tools. A model sees their names, descriptions and parameters, so these say what a person would have to know. An
// answer is JSON; what is not found, refused or busy is an answer of its own that the model can read.

import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Place, Scan, Sextant } from '../../typescript/src/index.ts';
import { SextantError } from '../../typescript/src/index.ts';

/** Rows of a table that one call answers. */
const ROWS_MAX = 100;
/** Rows that are asked for at the same time. */
const ROWS_AT_ONCE = 4;
const RESULTS_MAX = 40;

const latitude = z.number().min(-90).max(90).describe('Degrees north, WGS-84.');
const longitude = z.number().min(-180).max(180).describe('Degrees east, WGS-84.');
const limit = z.number().int().min(1).max(RESULTS_MAX).default(10).describe('Most results.');
const language = z.string().max(100).optional().describe('Language of names, as "de" or "en-GB".');
const countries = z.array(z.string().length(2)).max(50).optional().describe('Two-letter codes of countries.');
const words = z.string().min(1).max(1_000);
const level = z.number().int().optional().describe('Level in dBm, as -67.');
const scan = {
  wifi: z
    .array(z.object({ macAddress: z.string(), signalStrength: level }))
    .optional()
    .describe('Access points that the device hears. At least two; one alone gives no position.'),
  cells: z
    .array(
      z.object({
        radioType: z.enum(['gsm', 'cdma', 'wcdma', 'lte', 'nbiot', 'nr']).optional(),
        mobileCountryCode: z.number().int(),
        mobileNetworkCode: z.number().int(),
        locationAreaCode: z.number().int().optional().describe('Also the tracking area.'),
        cellId: z.number().int(),
        signalStrength: level,
      }),
    )
    .optional()
    .describe('Cells that the device hears.'),
  beacons: z
    .array(z.object({ macAddress: z.string(), signalStrength: level }))
    .optional()
    .describe('Bluetooth beacons that the device hears.'),
};

/** Nothing is changed by any of them. */
const READ_ONLY = { readOnlyHint: true, openWorldHint: false };

/** A server with all tools. @param sextant the service that answers them @param version of this package */
export function toolsOf(sextant: Sextant, version: string): McpServer {
  const server = new McpServer({ name: 'sextant', version });
  addPlaces(server, sextant);
  addPositions(server, sextant);
  addExplain(server, sextant);
  addTable(server, sextant);
  return server;
}

function addPlaces(server: McpServer, sextant: Sextant): void {
  server.registerTool(
    'search',
    {
      title: 'Find places by words',
      description:
        'Finds addresses, towns, streets, postcodes, named places and kinds of places ("pharmacy in Vaduz"), with ' +
        'their coordinates. Typing errors and any order of words are understood. An empty list means that there is ' +
        'none.',
      inputSchema: z.object({ query: words, limit, countries, language }),
      annotations: READ_ONLY,
    },
    ({ query, limit, countries, language }) => answer(async () => placesOf(sextant, query, limit, countries, language)),
  );
  server.registerTool(
    'nearby',
    {
      title: 'Find places near a point',
      description: 'Finds places of a kind ("pharmacy", "bus stop") or with a name near a point, the nearest first.',
      inputSchema: z.object({ what: words, latitude, longitude, limit, language }),
      annotations: READ_ONLY,
    },
    ({ what, latitude, longitude, limit, language }) =>
      answer(async () => placesOf(sextant, `${what} near ${latitude}, ${longitude}`, limit, undefined, language)),
  );
  server.registerTool(
    'reverse',
    {
      title: 'Find the address of a point',
      description:
        'Says what is at a point: its address, or with a lower zoom its street (16), town (10) or country (3).',
      inputSchema: z.object({
        latitude,
        longitude,
        zoom: z.number().int().min(0).max(18).default(18).describe('From 0, the country, to 18, the house.'),
        language,
      }),
      annotations: READ_ONLY,
    },
    ({ latitude, longitude, zoom, language }) =>
      answer(async () => shortOf(await sextant.reverse({ lat: latitude, lon: longitude, zoom }, inLanguage(language)))),
  );
}

function addPositions(server: McpServer, sextant: Sextant): void {
  server.registerTool(
    'locate',
    {
      title: 'Locate a device',
      description:
        'Says where a device is by the WiFi access points, cells and Bluetooth beacons that it hears. `accuracy` is ' +
        'the radius in metres that holds the true position in half of all cases.',
      inputSchema: z.object(scan),
      annotations: READ_ONLY,
    },
    sent => answer(() => sextant.locate({ ...heard(sent), address: 1 })),
  );
}

function addExplain(server: McpServer, sextant: Sextant): void {
  server.registerTool(
    'explain',
    {
      title: 'Explain an answer',
      description:
        'Says why a search, a point or a scan is answered as it is: how the words were read and what decided between ' +
        'places, or which stations were known and how the position was made. Give one of the three.',
      inputSchema: z.object({
        query: words.optional().describe('A search.'),
        point: z.object({ latitude, longitude }).optional(),
        scan: z.object(scan).optional(),
      }),
      annotations: READ_ONLY,
    },
    ({ query, point, scan }) =>
      answer<unknown>(async () => {
        if (query !== undefined) return sextant.get('/search', { q: query, explain: 1, limit: 5 });
        if (point !== undefined)
          return sextant.get('/reverse', { lat: point.latitude, lon: point.longitude, explain: 1 });
        if (scan !== undefined) return sextant.locate({ ...heard(scan), explain: 1 });
        throw new SextantError('Give a query, a point or a scan.', 400, 'parseError');
      }),
  );
}

function addTable(server: McpServer, sextant: Sextant): void {
  server.registerTool(
    'table',
    {
      title: 'Answer a table',
      description:
        `Finds the best place for each of at most ${ROWS_MAX} rows: a text is searched for, a point gets its ` +
        'address. Answers a list of the same length; a row that has none says why.',
      inputSchema: z.object({
        rows: z
          .array(z.union([words, z.object({ latitude, longitude })]))
          .min(1)
          .max(ROWS_MAX),
        countries,
        language,
      }),
      annotations: READ_ONLY,
    },
    ({ rows, countries, language }) => answer(() => rowsOf(sextant, rows, countries, language)),
  );
}

type Row = string | { latitude: number; longitude: number };

async function rowsOf(
  sextant: Sextant,
  rows: readonly Row[],
  countries: string[] | undefined,
  language: string | undefined,
): Promise<object[]> {
  const answers: object[] = [];
  const points = rows.flatMap(row => (typeof row === 'string' ? [] : [{ lat: row.latitude, lon: row.longitude }]));
  const places = points.length === 0 ? [] : await sextant.reverseMany(points, inLanguage(language));
  const texts = rows.map((row, i) => [row, i] as const).filter(([row]) => typeof row === 'string');
  rows.forEach((row, i) => {
    if (typeof row === 'string') return;
    const place = places.shift()!;
    answers[i] = place instanceof SextantError ? { error: place.message } : shortOf(place);
  });
  const search = async (): Promise<void> => {
    for (let next = texts.shift(); next !== undefined; next = texts.shift()) {
      const [best] = await placesOf(sextant, next[0] as string, 1, countries, language);
      answers[next[1]] = best ?? { error: 'Not found' };
    }
  };
  await Promise.all(Array.from({ length: ROWS_AT_ONCE }, search));
  return answers;
}

async function placesOf(
  sextant: Sextant,
  query: string,
  limit: number,
  countries: string[] | undefined,
  language: string | undefined,
): Promise<object[]> {
  const only = countries === undefined ? {} : { countrycodes: countries };
  const found = await sextant.search({ q: query, limit, ...only, ...inLanguage(language) });
  return found.map(shortOf);
}

function inLanguage(language: string | undefined): { 'accept-language'?: string } {
  return language === undefined ? {} : { 'accept-language': language };
}

/** What a model needs of a place. */
function shortOf({ lat, lon, name, display_name, category, type, address, licence, importance }: Place): object {
  const at = { latitude: Number(lat), longitude: Number(lon) };
  return { name, displayName: display_name, kind: `${category}=${type}`, ...at, address, importance, licence };
}

/** What a device hears. Which members a cell has follows from its radio type, which the parameters do not tell. */
function heard(sent: z.infer<z.ZodObject<typeof scan>>): Scan {
  return { ...sent, considerIp: 0 } as Scan;
}

interface ToolAnswer {
  [member: string]: unknown;
  content: { type: 'text'; text: string }[];
  isError?: boolean;
}

/** The answer of a tool, or why there is none. @throws Error our own mistakes */
async function answer<T>(ask: () => Promise<T>): Promise<ToolAnswer> {
  try {
    return { content: [{ type: 'text', text: JSON.stringify(await ask()) }] };
  } catch (error) {
    if (!(error instanceof SextantError)) throw error;
    return { isError: true, content: [{ type: 'text', text: `${error.message} (${error.reason})` }] };
  }
}
