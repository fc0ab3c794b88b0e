// POST /reverse over the drawn extract, through a real socket.

import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashKey } from '../../src/accounts/key.ts';
import { RING_BYTES } from '../../src/pool/ring.ts';
import { HOUSE, importDrawnExtract, SEA } from '../kits/places/extracts.ts';
import { KEY, type ServedParts, serveParts } from '../kits/served_parts.ts';
import { expectError } from '../kits/service_process.ts';

const NOT_FOUND = {
  error: {
    errors: [{ domain: 'geolocation', reason: 'notFound', message: 'Not found' }],
    code: 404,
    message: 'Not found',
  },
};
const OUT_OF_CREDITS = {
  error: {
    errors: [{ domain: 'usageLimits', reason: 'creditsExceeded', message: 'Out of credits.' }],
    code: 403,
    message: 'Out of credits.',
  },
};

/** House `number` of Vaduz. */
const house = (number: number) => ({ lat: HOUSE.lat, lon: Number((9.512 + number / 1000).toFixed(3)) });

describe('computed in a worker', () => {
  let served: ServedParts;
  beforeAll(async () => {
    served = await serveParts({ mode: 'pool', workers: 2, ringBytes: RING_BYTES }, importDrawnExtract);
  });
  afterAll(() => served.close());

  const balance = () => served.accountWriter.get(1)!.credits!;

  test('each point is answered in its place, and only what is answered is paid', async () => {
    const before = balance();
    const answer = await served.post(
      [house(3), SEA, { lat: 'x', lon: 1 }, null, { ...house(5), zoom: 10 }, house(7)],
      '/reverse',
    );
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': '*',
    });
    expect(answer.json).toEqual([
      { address: expect.objectContaining({ house_number: '3', road: 'Äulestrasse' }) },
      NOT_FOUND,
      { error: expect.objectContaining({ code: 400, message: 'lat must be a number from -90 to 90.' }) },
      { error: expect.objectContaining({ code: 400, message: 'A point must be an object.' }) },
      { address: expect.not.objectContaining({ house_number: expect.anything() }) },
      { address: expect.objectContaining({ house_number: '7' }) },
    ]);
    expect(before - balance()).toBe(3);
  });

  test('the format and the language hold for all points', async () => {
    const { json } = await served.post([house(3), SEA], '/reverse', {
      path: `/k/${encodeURIComponent(KEY)}/reverse?format=jsonv2&accept-language=ru`,
    });
    expect(json).toEqual([
      expect.objectContaining({ lat: '47.1402000', address: expect.objectContaining({ town: 'Вадуц' }) }),
      { error: 'Unable to geocode' },
    ]);
  });

  test('ten thousand points come back in order, in parts, while others are answered', async () => {
    const points = Array.from({ length: 9_990 }, (_, i) => (i % 10 === 9 ? SEA : house(1 + (i % 9))));
    await served.accountWriter.update(1, { credits: 10_000 });
    let parts = 0;
    const batch = readParts(
      served.port,
      `/reverse?key=${encodeURIComponent(KEY)}`,
      JSON.stringify(points),
      () => parts++,
    );
    const single = await served.get(`/reverse?key=${encodeURIComponent(KEY)}&lat=${HOUSE.lat}&lon=${HOUSE.lon}`);
    expect(single.json.address.house_number).toBe('3');
    const items = await batch;
    expect(items).toHaveLength(points.length);
    expect(items.map(item => item.address?.house_number)).toEqual(
      points.map((point, i) => (point === SEA ? undefined : String(1 + (i % 9)))),
    );
    expect(parts).toBeGreaterThan(20);
    expect(balance()).toBe(10_000 - 8_991 - 1);
  });

  test('an empty list is answered with one', async () => {
    const before = balance();
    expect(await served.post([], '/reverse')).toMatchObject({ status: 200, text: '[]' });
    expect(balance()).toBe(before);
  });

  test('a body of more than 256 KiB is read as well', async () => {
    const points = Array.from({ length: 300 }, () => ({ ...house(4), note: 'x'.repeat(1000) }));
    const { json } = await served.post(points, '/reverse');
    expect(json).toHaveLength(300);
    expect(json[299].address.house_number).toBe('4');
    expectError(
      await served.post({ points }, '/reverse'),
      400,
      'parseError',
      'global',
      'The body must be an array of points.',
    );
    expectError(
      await served.post(`[${'x'.repeat(300_000)}`, '/reverse'),
      400,
      'parseError',
      'global',
      /^The body is not JSON/,
    );
  });

  test('what is wrong with the whole is an error of the whole', async () => {
    const post = (body: unknown, more = '') =>
      served.post(body, '/reverse', { path: `/reverse?key=${encodeURIComponent(KEY)}${more}` });
    expectError(await post(undefined), 400, 'parseError', 'global', 'The body must be an array of points.');
    expectError(await post({ lat: 1, lon: 2 }), 400, 'parseError', 'global', 'The body must be an array of points.');
    expectError(await post('[{"lat":1'), 400, 'parseError', 'global', /^The body is not JSON/);
    expectError(
      await post(Array(10_001).fill({})),
      400,
      'parseError',
      'global',
      'The body has 10001 points; it must have at most 10000.',
    );
    expectError(await post([house(1)], '&format=xml'), 400, 'parseError', 'global', /^format must be one of/);
    expectError(
      await served.post([house(1)], '/reverse', { path: '/reverse?key=wrong' }),
      400,
      'keyInvalid',
      'usageLimits',
    );
    expect(served.errors).toEqual([]);
  });

  test('what the balance does not cover is refused before the first byte, and costs nothing', async () => {
    const key = 'three';
    const { id } = await served.accountWriter.create({ keyHash: hashKey(key), createdMs: 0, credits: 3 });
    const path = `/reverse?key=${encodeURIComponent(key)}`;
    expectError(await served.post([1, 2, 3, 4].map(house), '', { path }), 403, 'creditsExceeded', 'usageLimits');
    expect(served.accountWriter.get(id)!.credits).toBe(3);
    // Points that are none cost nothing.
    expect((await served.post([house(1), null, house(2), {}, house(3)], '', { path })).json).toHaveLength(5);
    expect(served.accountWriter.get(id)!.credits).toBe(0);
  });

  test('batches that race for one balance never get more than is paid', async () => {
    const key = 'race';
    const { id } = await served.accountWriter.create({ keyHash: hashKey(key), createdMs: 0, credits: 1000 });
    const path = `/reverse?key=${encodeURIComponent(key)}`;
    const points = Array.from({ length: 1000 }, (_, i) => house(1 + (i % 9)));
    const answers = await Promise.all([1, 2, 3].map(() => served.post(points, '', { path })));
    const items = answers.filter(({ status }) => status === 200).flatMap(({ json }) => json);
    const answered = items.filter(item => item.address !== undefined).length;
    expect(answered).toBe(1000 - served.accountWriter.get(id)!.credits!);
    // However they race, all is spent but what does not cover a part of 64.
    expect(answered).toBeGreaterThan(1000 - 64);
    for (const item of items) if (item.address === undefined) expect(item).toEqual(OUT_OF_CREDITS);
  });

  test('a client that goes away ends its batch', async () => {
    const before = balance();
    const body = JSON.stringify(Array.from({ length: before }, (_, i) => house(1 + (i % 9))));
    const socket = connect(served.port, '127.0.0.1');
    socket.write(
      `POST /reverse?key=${encodeURIComponent(KEY)} HTTP/1.1\r\ncontent-length: ` +
        `${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    await once(socket, 'data');
    socket.destroy();
    // Whatever of it is under way does not keep the server from stopping, nor from answering others.
    expect((await served.get(`/k/${encodeURIComponent(KEY)}/reverse?lat=${HOUSE.lat}&lon=${HOUSE.lon}`)).status).toBe(
      200,
    );
    expect(served.errors).toEqual([]);
  });

  test('a client that goes away before its answer begins is no fault of ours', async () => {
    // Where there are workers, the batch waits its turn behind these.
    const others = Array.from({ length: 200 }, () => served.get(`/search?key=${encodeURIComponent(KEY)}&q=Vaduz`));
    // A worker reads the second, before there is anything to stream.
    for (const note of ['', 'x'.repeat(300_000)]) {
      const socket = connect(served.port, '127.0.0.1');
      const body = JSON.stringify([{ ...house(3), note }]);
      const request =
        `POST /reverse?key=${encodeURIComponent(KEY)} HTTP/1.1\r\ncontent-length: ` +
        `${Buffer.byteLength(body)}\r\n\r\n${body}`;
      await new Promise(resolve => socket.write(request, resolve));
      // By then all of it has come in.
      for (let i = 0; i < 10; i++) expect((await served.get('/nothing')).status).toBe(404);
      socket.resetAndDestroy();
    }
    for (const { status } of await Promise.all(others)) expect(status).toBe(200);
    expect((await served.post([house(3)], '/reverse')).status).toBe(200);
    expect(served.errors).toEqual([]);
  });
});

/** Posts, and reads the answer as it comes; `onPart` is told of every chunk of the answer. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers by path
async function readParts(port: number, path: string, body: string, onPart: () => void): Promise<any[]> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body });
  expect(response.headers.get('transfer-encoding')).toBe('chunked');
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body!) {
    text += decoder.decode(chunk, { stream: true });
    onPart();
  }
  return JSON.parse(text);
}
