// The evaluation in buildings against a service that answers by rote, on walks through a drawn mall of two shops.

import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { foldOf } from '../../../lab/evaluation/folds.ts';
import { evaluateIndoors, type IndoorKnowledge } from '../../../lab/indoors/evaluate_indoors.ts';
import { describeIndoors } from '../../../lab/indoors/indoor_results.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

const SIDE = 0.001;
const square = (west: number, south: number, side: number) => [
  [
    [west, south],
    [west + side, south],
    [west + side, south + side],
    [west, south + side],
    [west, south],
  ],
];
const feature = (name: string, coordinates: number[][][]) => ({
  properties: { name },
  geometry: { type: 'Polygon', coordinates },
});

/** Walks of 12 seconds through a floor of 100 by 100 metres, a scan each two seconds. */
function writeWalks(): { file: string; tracks: string[] } {
  const folder = temporaryFolder();
  const maps = join(folder, 'mall_maps');
  mkdirSync(maps);
  for (const floor of ['B1', 'F1']) {
    const features = [
      feature(floor, square(0, 0, SIDE)),
      feature('Books', square(0.0001, 0.0001, 0.0002)),
      feature('', square(0.0005, 0, 0.0001)),
    ];
    writeFileSync(join(maps, `hall_${floor}_geojson_map.json`), JSON.stringify({ features }));
    writeFileSync(
      join(maps, `hall_${floor}_floor_info.json`),
      JSON.stringify({ map_info: { width: 100, height: 100 } }),
    );
  }
  const tracks = Array.from({ length: 12 }, (_, i) => `walk ${i}`);
  const lines = tracks.map((id, i) => {
    const start = 1_600_000_000_000 + i * 60_000;
    const times = [0, 2, 4, 6, 8, 10, 12].map(seconds => start + 1000 * seconds);
    return JSON.stringify({
      id,
      site: 'hall',
      floor: i % 2 === 0 ? 'B1' : 'F1',
      wp: [
        [start, 20, 20],
        [start + 12_000, 20, 80],
      ],
      wifi: times.map((time, at) => [time, [['02:00:00:00:00:01', -40 - 3 * at - (i % 2), 2412, 100]]]),
      steps: times.map(time => [time + 1, 0]),
    });
  });
  const file = join(folder, 'mall.jsonl');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return { file, tracks };
}

test('a service is given plans and training walks, then asked for each scan, and for each walk every five seconds', async () => {
  const { file, tracks } = writeWalks();
  const asked: { id: string | null; body: { state?: string; sensors?: object[]; indoor: number } }[] = [];
  const given: IndoorKnowledge[] = [];
  const service = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const id = new URL(request.url!, 'http://host').searchParams.get('id');
    asked.push({ id, body: JSON.parse(text) });
    const indoor = { building: 'hall', floorIndex: -1, room: 'Books' };
    response.end(
      JSON.stringify({
        location: { lat: 0.0002, lng: 0.0002 },
        accuracy: 5,
        indoor,
        ...(id !== null && { state: `s${asked.length}` }),
      }),
    );
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const fold = foldOf(tracks[0]);
  const held = tracks.filter(track => foldOf(track) === fold);
  const [comparison] = await evaluateIndoors({
    files: [file],
    folds: [fold],
    withService: (knowledge, part) => {
      given.push(knowledge);
      return part({ url, key: 'key' });
    },
    onProgress: () => {},
  });
  service.close();
  service.closeAllConnections();

  const { lines, name } = given[0].fingerprints as Exclude<IndoorKnowledge['fingerprints'], string>;
  expect([given.length, name, lines.length]).toEqual([1, 'mall.jsonl', tracks.length - held.length]);
  const { features } = JSON.parse(given[0].buildings!) as { features: { properties: object }[] };
  expect(features.map(({ properties }) => properties)).toEqual([
    { building: 'hall' },
    ...[
      [-1, 'B1'],
      [0, 'F1'],
    ].flatMap(([floorIndex, floorLabel]) => [
      { floorIndex, floorLabel },
      { floorIndex, room: 'Books' },
      { floorIndex, room: 'Concourse' },
    ]),
  ]);
  expect(comparison.methods.map(({ method, accuracy: { tested } }) => [method, tested])).toEqual([
    ['sextant', 7 * held.length],
    ['fingerprints, kNN 7', 7 * held.length],
    ['10^(s/10)', 7 * held.length],
    ['sextant, tracked', 3 * held.length],
    ['fingerprints, kNN 7, particles', 3 * held.length],
  ]);
  expect(asked.every(({ body }) => body.indoor === 1)).toBe(true);
  const tracked = asked.filter(({ id }) => id === held[0]);
  expect(tracked.map(({ body: { sensors } }) => sensors)).toEqual([
    undefined,
    [{ steps: 3, heading: 0 }],
    [{ steps: 3, heading: 0 }],
  ]);
  expect(tracked[0].body.state).toBeUndefined();
  expect(tracked[2].body.state).toMatch(/^s\d+$/);
  const { floorShare, rooms, roomShare, shopShare } = comparison.methods[0].accuracy;
  expect(floorShare).toBe(held.filter(track => tracks.indexOf(track) % 2 === 0).length / held.length);
  // Of the seven scans of a walk the first is in the shop, whatever the floor.
  expect([rooms, roomShare, shopShare]).toEqual([7 * held.length, 1 / 7, 1 / 7]);
  expect(describeIndoors([comparison])).toMatch(/^set +method +tested .*\nmall +sextant /);
});

test('a file that is not there, and a line that is none, are named', async () => {
  const { file } = writeWalks();
  const evaluate = (path: string) =>
    evaluateIndoors({
      files: [path],
      folds: [1],
      withService: () => Promise.reject(new Error('not asked')),
      onProgress: () => {},
    });
  writeFileSync(file, '{"id":"a","site":"hall","floor":"F1","wp":[],"wifi":3}\n');
  await expect(evaluate(file)).rejects.toThrow('line 1');
  await expect(evaluate(`${file}.none`)).rejects.toThrow('does not exist');
});
