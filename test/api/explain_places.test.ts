// Explained searches and points through a real socket: who gets an explanation, and where it stands in each form of an
// answer.

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeDrawnExtract } from '../kits/places/extracts.ts';
import { ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';
import { committedDocument, operationsOf } from '../protocol/openapi/committed_document.ts';
import { Conformity } from '../protocol/openapi/conformity.ts';

const FORMATS = ['', 'json', 'jsonv2', 'geojson', 'geocodejson'] as const;
/** Forms of which the answer is an object of its own. */
const COLLECTIONS: readonly string[] = ['geojson', 'geocodejson'];
const SEARCH = 'q=aulestrase+3+vaduz&limit=2';
const POINT = 'lat=47.1402&lon=9.515';

const base = folderOfFile();
const document = committedDocument();
const conformity = new Conformity(document);
let service: ServiceProcess;
let key: string;
let plainKey: string;

beforeAll(async () => {
  service = await ServiceProcess.start(join(base, 'var'), '--http-threads', '1');
  await service.job({ verb: 'import', kind: 'osm', files: [writeDrawnExtract(join(base, 'drawn.osm.pbf'))] });
  ({ key } = await service.key({ explain: true }));
  ({ key: plainKey } = await service.key());
});
afterAll(async () => void (await service.stop()));

const get = (path: string, query: string, by = key) =>
  service.request({ method: 'GET', path: `${path}?key=${by}&${query}` });
const formOf = (format: string) => (format === '' ? '' : `&format=${format}`);

/** What the explanation stands in: the answer, or the first place of a list. */
function explainIn(body: { explain?: unknown } | { explain?: unknown }[]): unknown {
  return (Array.isArray(body) ? body[0] : body)?.explain;
}

function without(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body, (name, value) => (name === 'explain' ? undefined : value)));
}

describe.each(FORMATS)('in the form %j', format => {
  test('a search has its explanation, and is answered as without', async () => {
    const { json } = await get('/search', `${SEARCH}${formOf(format)}&explain=1`);
    expect(Array.isArray(json)).toBe(!COLLECTIONS.includes(format));
    expect(explainIn(json)).toMatchObject({
      candidates: [{ outcome: 'answered', terms: { readings: expect.any(Number) } }, {}, {}],
    });
    expect(without(json)).toEqual((await get('/search', SEARCH + formOf(format))).json);
  });

  test('a point has its explanation, and is answered as without', async () => {
    const { json } = await get('/reverse', `${POINT}${formOf(format)}&explain=1`);
    expect(explainIn(json)).toMatchObject({
      answer: { rule: 'nearest' },
      levels: [{ level: 'house' }, { level: 'street' }, {}],
    });
    expect(without(json)).toEqual((await get('/reverse', POINT + formOf(format))).json);
  });

  test('each point of a list has its own', async () => {
    const points = [
      { lat: 47.1402, lon: 9.515 },
      { lat: 91, lon: 0 },
      { lat: 48.8, lon: 2.3 },
    ];
    const { json } = await service.request({ path: `/reverse?key=${key}&explain=1${formOf(format)}`, body: points });
    expect(json.map((each: { explain?: { latitude: number } }) => each.explain?.latitude)).toEqual([
      47.1402,
      undefined,
      48.8,
    ]);
  });

  test('for a key without the setting it has no effect', async () => {
    for (const [path, query] of [
      ['/search', SEARCH],
      ['/reverse', POINT],
    ]) {
      const asked = await get(path, `${query}${formOf(format)}&explain=1`, plainKey);
      expect(asked.text).toBe((await get(path, query + formOf(format), plainKey)).text);
    }
    const list = { body: [{ lat: 47.1402, lon: 9.515 }] };
    const asked = await service.request({ path: `/reverse?key=${plainKey}&explain=1${formOf(format)}`, ...list });
    expect(asked.text).toBe(
      (await service.request({ path: `/reverse?key=${plainKey}${formOf(format)}`, ...list })).text,
    );
  });
});

test('where nothing is found, only answers that are objects have room for an explanation', async () => {
  expect((await get('/search', 'q=qwertyuiop&explain=1')).text).toBe('[]');
  expect((await get('/search', 'q=qwertyuiop&format=geojson&explain=1')).json.explain.candidates).toEqual([]);
  expect((await get('/reverse', 'lat=30&lon=-40&format=json&explain=1')).json.explain.levels).toEqual([]);
  expect(await get('/reverse', 'lat=30&lon=-40&explain=1')).toMatchObject({ status: 404 });
});

test('an explanation costs no credit, and other values do not ask for one', async () => {
  const { id, key: counted } = await service.key({ explain: true, credits: 2 });
  expect((await get('/search', `${SEARCH}&explain=1`, counted)).status).toBe(200);
  expect((await get('/reverse', `${POINT}&explain=0`, counted)).json.explain).toBeUndefined();
  expect((await get('/reverse', `${POINT}&explain=1`, counted)).status).toBe(403);
  await service.job({ verb: 'keys', action: 'revoke', id });
});

test('explanations have the form that the document describes', async () => {
  const paths = [
    `/search?${SEARCH}`,
    '/search?q=aulest&autocomplete=1',
    '/search?q=[amenity=restaurant]+vaduz',
    '/search?q=47.14,9.515',
    '/search?q=restaurant+47.14,9.515',
    '/search?q=vaduz+schaan',
    '/search?q=qwertyuiop&format=geojson',
    ...FORMATS.map(format => `/reverse?${POINT}${formOf(format)}`),
    '/reverse?lat=48.8&lon=2.3',
    '/reverse?lat=48.8&lon=2.3&zoom=6',
    '/reverse?lat=30&lon=-40&format=json',
  ];
  for (const path of paths) {
    const answer = await service.request({ method: 'GET', path: `${path}&key=${key}&explain=1` });
    const { operation } = operationsOf(document).find(
      each => each.method === 'GET' && path.startsWith(`${each.path}?`),
    )!;
    expect([
      path,
      conformity.checkAnswer(operation, {
        status: answer.status,
        headers: answer.headers as Record<string, string>,
        body: answer.text,
      }),
    ]).toEqual([path, []]);
  }
});
