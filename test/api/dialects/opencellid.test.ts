// OpenCelliD: the questions of Traccar, the uploads of TowerCollector as OkHttp writes them, and what both make of the
// answers. What is uploaded is learned like any other report.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formOf, SAMPLES } from './samples.ts';
import { KEY, LISTING, type ServedDialects, SLOW, SPENT, serveDialects } from './served_dialects.ts';
import { BETWEEN, CELL } from './stations.ts';

let served: ServedDialects;
beforeAll(async () => {
  served = await serveDialects();
});
afterAll(() => served.parts.close());

const CELL_QUERY = `mcc=${CELL.mcc}&mnc=${CELL.mnc}&lac=${CELL.area}&cellid=${CELL.id}`;
const upload = (body: string, options = {}) => served.ask('/measure/uploadCsv', { body, ...options });
const [TABLE] = SAMPLES.opencellid.flatMap(({ path, body }) => (path === '/measure/uploadCsv' ? [body as string] : []));
/** Reports taken in so far. */
const stored = (): number => served.parts.tally.toJSON().accepted;

describe('a cell', () => {
  test('is JSON for Traccar', async () => {
    const { json, headers } = await served.ask(`/cell/get?format=json&${CELL_QUERY}`);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(json).toMatchObject({ mcc: 1, mnc: 1, lac: 1, cellid: CELL.id, changeable: true });
    expect(Math.abs(json.lat - BETWEEN.latitude) + Math.abs(json.lon - BETWEEN.longitude)).toBeLessThan(0.05);
    expect(json.range).toBeGreaterThan(0);
    // An area that is none is as if it were not sent.
    const { json: bare } = await served.ask(`/cell/get?format=json&${CELL_QUERY.replace('lac=1', 'lac=%7C')}`);
    expect(bare.lac).toBe(0);
    // Nor are numbers that no code can be.
    for (const [sent, odd] of [
      ['lac=1', 'lac=1e309'],
      ['mnc=1', 'mnc=0x1'],
    ])
      expect((await served.ask(`/cell/get?format=json&${CELL_QUERY.replace(sent, odd)}`)).json.cellid).toBe(CELL.id);
  });

  test('is XML for all others', async () => {
    const { text, headers } = await served.ask(`/cell/get?${CELL_QUERY}&radio=LTE`);
    expect(headers['content-type']).toBe('application/xml; charset=utf-8');
    expect(text).toMatch(
      /^<\?xml .*\?>\n<rsp stat="ok"><cell lat="1\.\d+" lon="-2\.\d+" mcc="1" .* radio="LTE"\/><\/rsp>\n$/,
    );
  });

  test('that is unknown, and other errors, have the numbers that apps know', async () => {
    const json = async (query: string, options = {}) => {
      const answer = await served.ask(`/cell/get?${query}&format=json`, options);
      return [answer.status, answer.json.error, answer.json.code];
    };
    expect(await json('mcc=1&mnc=1&lac=1&cellid=77')).toEqual([404, 'Cell not found', 1]);
    expect(await json(CELL_QUERY, { key: 'wrong' })).toEqual([401, 'Invalid API key', 2]);
    expect(await json('mcc=1&mnc=1&lac=1')).toEqual([400, 'Invalid input data', 3]);
    expect(await json(CELL_QUERY, { key: SPENT })).toEqual([403, 'Daily limit exceeded', 7]);
    await json(CELL_QUERY, { key: SLOW });
    expect(await json(CELL_QUERY, { key: SLOW })).toEqual([429, 'Too many requests', 6]);
    const { status, text } = await served.ask('/cell/get?mcc=1&mnc=1&lac=1&cellid=77');
    expect([status, text.split('\n')[1]]).toEqual([
      404,
      '<rsp stat="fail"><err info="Cell not found" code="1"/></rsp>',
    ]);
  });
});

describe('the cells of an area', () => {
  const BOX = '1.21,-2.54,1.29,-2.46';
  const list = (query: string, path = '/cell/getInArea', key = LISTING) => served.ask(`${path}?${query}`, { key });

  test('are told as JSON, some at a time and always in the same order', async () => {
    const { json } = await list(`BBOX=${BOX}&format=json`);
    expect(json.count).toBe(json.cells.length);
    expect(json.cells).toContainEqual(
      expect.objectContaining({ mcc: 1, mnc: 1, lac: 1, tac: 1, cellid: CELL.id, radio: 'LTE', rnc: 0, sid: 0 }),
    );
    for (const { lat, lon, range, samples } of json.cells) {
      expect(lat > 1.21 && lat < 1.29 && lon > -2.54 && lon < -2.46).toBe(true);
      expect(Math.min(range, samples)).toBeGreaterThan(0);
    }
    const { json: size } = await list(`BBOX=${BOX}&format=json&limit=1`, '/cell/getInAreaSize');
    expect(size).toEqual({ count: json.count });
    const pages = await Promise.all([0, 2].map(offset => list(`BBOX=${BOX}&format=json&limit=2&offset=${offset}`)));
    expect(pages.flatMap(page => page.json.cells)).toEqual(json.cells.slice(0, 4));
    expect((await list(`BBOX=${BOX}&format=json&offset=999`)).json).toEqual({ count: 0, cells: [] });
  });

  test('are XML without a form, or CSV or KML', async () => {
    const { text: xml, headers } = await list(`bbox=${BOX}&limit=1`);
    expect(headers['content-type']).toBe('application/xml; charset=utf-8');
    expect(xml).toMatch(
      /^<\?xml .*\?>\n<rsp stat="ok"><cells count="1"><cell lat="1\.2\d+" .* bid="0"\/><\/cells><\/rsp>\n$/,
    );
    const { text: csv } = await list(`BBOX=${BOX}&limit=2&format=csv`);
    const [head, first, , end] = csv.split('\n');
    expect(head).toMatch(/^lat,lon,mcc,mnc,lac,cellid,averageSignalStrength,range,samples,changeable,radio,/);
    expect([first.split(',').length, end]).toEqual([head.split(',').length, '']);
    const { text: kml } = await list(`BBOX=${BOX}&limit=1&format=kml`);
    expect(kml).toMatch(/<Placemark><name>LTE-1-1-1-\d+<\/name>.*<coordinates>-2\.\d+,1\.\d+<\/coordinates>/);
    for (const format of ['xml', 'csv', 'kml'])
      expect((await list(`BBOX=${BOX}&format=${format}`, '/cell/getInAreaSize')).text).toMatch(/\b[1-9]\d*\b/);
  });

  test.each([
    ['mcc=1&mnc=1&lac=1&radio=LTE', true],
    ['radio=GSM', false],
    ['mcc=2', false],
    ['mnc=2', false],
    ['tac=2', false],
  ])('%s', async (filter, isAny) => {
    const { json } = await list(`BBOX=${BOX}&format=json&${filter}`, '/cell/getInAreaSize');
    expect(json.count > 0).toBe(isAny);
  });

  test.each([
    '',
    'BBOX=1,2,3',
    'BBOX=1.29,-2.54,1.21,-2.46',
    'BBOX=1.21,-2.46,1.29,-2.54',
    'BBOX=91,0,92,1',
    'BBOX=a,b,c,d',
    'BBOX=1.2,-2.6,1.3,-2.5',
    `BBOX=${BOX}&limit=x`,
    `BBOX=${BOX}&offset=-1`,
    `BBOX=${BOX}&radio=5`,
    `BBOX=${BOX}&format=avi`,
  ])('%j is refused', async query => {
    const { status, text } = await list(query);
    expect([status, text]).toEqual([400, expect.stringContaining('code="3"')]);
  });

  test('cost a credit each, their number one, and none nothing', async () => {
    const { id } = served.parts.accountWriter.list(0, 10).find(({ cells }) => cells === true)!;
    const balance = () => served.parts.accountWriter.get(id)!.credits!;
    const spent = async (query: string, path?: string) => {
      const before = balance();
      await list(`BBOX=${BOX}&format=json&${query}`, path);
      return before - balance();
    };
    expect([await spent('limit=2'), await spent('', '/cell/getInAreaSize'), await spent('mcc=2')]).toEqual([2, 1, 0]);
  });

  test('are for keys that may, and no other station is told', async () => {
    for (const path of ['/cell/getInArea', '/cell/getInAreaSize']) {
      const { status, json } = await list(`BBOX=${BOX}&format=json`, path, KEY);
      expect([status, json]).toEqual([403, { error: 'Your API key must be white listed', code: 4 }]);
      expect((await list(`BBOX=${BOX}&format=json`, path, 'wrong')).json.code).toBe(2);
    }
    const { text } = await list(`BBOX=${BOX}&limit=1000`);
    expect(text).not.toMatch(/02:00:5e/i);
  });
});

describe('an upload', () => {
  test('is answered 0,OK once its measurements are stored, which are one report', async () => {
    const before = stored();
    const { status, text, headers } = await upload(TABLE);
    expect([status, text, headers['content-type']]).toEqual([200, '0,OK', 'text/plain; charset=utf-8']);
    expect(stored()).toBe(before + 1);
  });

  test('has its key in the form, in a bearer token, or in the path, which wins', async () => {
    const datafile = 'lat,lon,mcc,mnc,lac,cellid,measured_at,act\n';
    const status = async (key: string | undefined, options: object) =>
      (await upload(formOf({ ...(key !== undefined && { key }), datafile }), options)).status;
    expect(await status(KEY, { key: '' })).toBe(200);
    expect(await status(undefined, { key: '', headers: { authorization: `Bearer ${KEY}` } })).toBe(200);
    expect(await status('wrong', {})).toBe(200);
    expect(await status(KEY, { key: 'wrong' })).toBe(401);
  });

  test.each([
    ['no form', 'lat,lon\n'],
    ['an empty body', ''],
    ['a form without a table', formOf({ key: 'x' })],
    ['a table without cells', formOf({ datafile: 'lat,lon,measured_at\n1,2,3\n' })],
    ['a form that breaks off', formOf({ datafile: 'lat' }).slice(0, 120)],
    ['too many fields', formOf(Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`f${i}`, ''])))],
  ])('that is %s is a mistake of the configuration', async (_, body) => {
    const { status, text } = await upload(body);
    expect([status, text.startsWith('Err: ')]).toEqual([400, true]);
  });

  test('errors are lines that the app knows', async () => {
    expect(await upload(TABLE, { key: 'wrong' })).toMatchObject({ status: 401, text: 'Err: Invalid token' });
    expect(await upload(formOf({ datafile: 'x'.repeat(300_000) }))).toMatchObject({
      status: 413,
      text: 'Exceeded filesize limit.',
    });
  });
});

describe('one measurement', () => {
  const query = 'lat=52.6&lon=13.5&mcc=262&mnc=2&lac=6&cellid=9&act=UMTS&measured_at=2026-05-04T08:00:00Z&rating=9';

  test.each([
    ['in the query', `/measure/add?${query}`, undefined],
    ['in a form of the address', '/measure/add', query.replace('cellid=9', 'cellid=10')],
    [
      'in a form of parts',
      '/measure/add',
      formOf(Object.fromEntries(new URLSearchParams(query.replace('cellid=9', 'cellid=11')))),
    ],
  ])('%s', async (_, path, body) => {
    const before = stored();
    const { status, text } = await served.ask(path, body === undefined ? {} : { body });
    expect([status, text]).toEqual([200, 'Your measurement has been inserted']);
    expect(stored()).toBe(before + 1);
  });

  test('of no known network is refused', async () => {
    expect(await served.ask('/measure/add?lat=1&lon=2')).toMatchObject({ status: 400 });
  });
});
