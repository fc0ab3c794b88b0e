import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { OsmFile } from '../../../../src/geocoding/import/osm/file.ts';
import { type DrawnObject, type PbfSettings, writeOsmPbf } from '../../../kits/places/osm_pbf.ts';
import { folderOfFile } from '../../../kits/temporary_folder.ts';

const folder = folderOfFile();
let files = 0;
const newPath = () => join(folder, `${files++}.osm.pbf`);

const VILLAGE: DrawnObject[] = [
  ...Array.from(
    { length: 9_000 },
    (_, i): DrawnObject => ({
      type: 'node',
      id: i * 2 + 1,
      lat: 47 + i / 1e5,
      lon: 9.5 - i / 1e6,
      version: 1 + (i % 3),
    }),
  ),
  {
    type: 'node',
    id: 20_000,
    lat: -89.9999999,
    lon: -179.9999999,
    tags: { name: 'Südpol ❄', place: 'locality' },
    version: 4,
  },
  { type: 'way', id: 5, nodes: [1, 20_000, 3], tags: { highway: 'path' }, version: 2 },
  { type: 'way', id: 6, nodes: [], version: 2 },
  {
    type: 'relation',
    id: 7,
    members: [
      { type: 'way', ref: 5, role: 'outer' },
      { type: 'node', ref: 20_000, role: 'label' },
      { type: 'relation', ref: 3 },
    ],
    tags: { type: 'boundary' },
    version: 9,
  },
];

function drawn(settings: PbfSettings = {}, objects = VILLAGE): string {
  const path = newPath();
  writeOsmPbf(path, objects, settings);
  return path;
}

/** Everything in the file, in the order in which it is taken; bytes that are done, last. */
async function contentOf(path: string): Promise<{ objects: unknown[]; done: number[] }> {
  const objects: unknown[] = [];
  const done = [0, 0, 0];
  const file = await OsmFile.open(path);
  try {
    await file.scan(
      (id, version, tags, members) => objects.push({ id, version, tags, members }),
      bytes => (done[0] = bytes),
    );
    await file.readNodes(
      (id, version, lon, lat, tags) => objects.push({ id, version, lon, lat, tags }),
      bytes => (done[1] = bytes),
    );
    await file.readWays(
      (id, version, nodes, count, tags) => objects.push({ id, version, nodes: [...nodes.subarray(0, count)], tags }),
      bytes => (done[2] = bytes),
    );
  } finally {
    await file.close();
  }
  return { objects, done };
}

const EXPECTED = [
  {
    id: 7,
    version: 9,
    tags: { type: 'boundary' },
    members: [
      { type: 2, id: 5, role: 'outer' },
      { type: 1, id: 20_000, role: 'label' },
      { type: 3, id: 3, role: '' },
    ],
  },
  ...Array.from({ length: 9_000 }, (_, i) => ({
    id: i * 2 + 1,
    version: 1 + (i % 3),
    lon: Math.round((9.5 - i / 1e6) * 1e7),
    lat: Math.round((47 + i / 1e5) * 1e7),
    tags: undefined,
  })),
  { id: 20_000, version: 4, lon: -1_799_999_999, lat: -899_999_999, tags: { name: 'Südpol ❄', place: 'locality' } },
  { id: 5, version: 2, nodes: [1, 20_000, 3], tags: { highway: 'path' } },
  { id: 6, version: 2, nodes: [], tags: undefined },
];

describe('a file is read whole', () => {
  test.each<[string, PbfSettings]>([
    ['packed with zlib', {}],
    ['packed with zstd', { packing: 'zstd' }],
    ['not packed', { packing: 'raw' }],
    ['with nodes one by one', { hasSingleNodes: true }],
  ])('%s', async (_, settings) => {
    expect((await contentOf(drawn(settings))).objects).toEqual(EXPECTED);
  });

  test('with coarser units and an offset below zero', async () => {
    const path = drawn({ granularity: 1_000, offset: { lat: -3_000, lon: 500 } }, [
      { type: 'node', id: 1, lat: -0.000001, lon: 9.0000015 },
    ]);
    expect((await contentOf(path)).objects).toEqual([
      { id: 1, version: 0, lon: 90_000_015, lat: -10, tags: undefined },
    ]);
  });

  test('with relations before ways before nodes', async () => {
    expect((await contentOf(drawn({}, [...VILLAGE].reverse()))).objects.length).toBe(EXPECTED.length);
  });

  test('of two files, one behind the other', async () => {
    const path = newPath();
    writeFileSync(path, Buffer.concat([readFileSync(drawn()), readFileSync(drawn())]));
    expect((await contentOf(path)).objects.length).toBe(EXPECTED.length * 2);
  });

  test('and says how far it is', async () => {
    const path = drawn();
    const { done } = await contentOf(path);
    expect(done[0]).toBe(readFileSync(path).length);
    expect(done[1]).toBeGreaterThan(done[2]);
  });

  test('a key that objects have of their own is left out', async () => {
    const tags = JSON.parse('{"__proto__": "x", "name": "y"}');
    const { objects } = await contentOf(drawn({}, [{ type: 'node', id: 1, lat: 1, lon: 1, tags }]));
    expect(objects).toEqual([{ id: 1, version: 0, lon: 10_000_000, lat: 10_000_000, tags: { name: 'y' } }]);
  });

  test('its age and order are known', async () => {
    const file = await OsmFile.open(drawn({ timestamp: 1_773_177_681, isSorted: true }));
    expect([file.timestamp, file.isSorted]).toEqual([1_773_177_681, true]);
    await file.close();
  });
});

describe('a file that cannot be used ends in a sentence that names it', () => {
  const bytes = readFileSync(drawn());
  const saved = (content: string | Buffer) => {
    const path = newPath();
    writeFileSync(path, content);
    return path;
  };
  const refused = async (path: string, sentence: string | RegExp) => {
    const error = await contentOf(path).then(
      () => new Error('It was read.'),
      (error: Error) => error,
    );
    expect(error.message).toMatch(sentence);
    expect(error.message).toContain(path);
  };

  test('missing', () => refused(join(folder, 'missing.osm.pbf'), /does not exist\.$/));
  test('a folder', () => {
    mkdirSync(join(folder, 'folder'));
    return refused(join(folder, 'folder'), /is not a file\.$/);
  });
  test('empty', () => refused(saved(''), /is empty\.$/));
  test.each([
    ['two bytes', 'ab'],
    ['XML', '<?xml version="1.0"?><osm version="0.6"></osm>'],
    ['gzip', gzipSync('<osm/>')],
    ['zeroes', Buffer.alloc(1_000)],
    ['another Protocol Buffers file', Buffer.from('0000000b0a095368617065446174611804', 'hex')],
  ])('%s', (_, content) => refused(saved(content), /is not an OpenStreetMap PBF file \(\.osm\.pbf\)\.$/));

  test('truncated, wherever it ends', async () => {
    // The first block ends at the file's description; behind it, every cut must be found.
    const description = 4 + bytes.readUInt32BE() + readFileSync(drawn({}, [])).length - 4 - bytes.readUInt32BE();
    for (let end = description + 1; end < bytes.length; end += 997)
      await refused(saved(bytes.subarray(0, end)), /is truncated|is damaged/);
    await refused(
      saved(bytes.subarray(0, bytes.length - 1)),
      /is truncated: it ends inside of a block, after \d+ bytes\.$/,
    );
    await refused(saved(bytes.subarray(0, 10)), /is truncated/);
  });

  test('with nothing behind its description', () => refused(drawn({}, []), /holds no objects\.$/));

  test('damaged, wherever the damage is', async () => {
    let found = 0;
    let tried = 0;
    for (let at = 0; at < bytes.length; at += 499) {
      const damaged = Buffer.from(bytes);
      damaged[at] ^= 0x55;
      tried++;
      const path = saved(damaged);
      await contentOf(path).then(
        () => undefined,
        (error: Error) => {
          expect(error.message).toContain(path);
          found++;
        },
      );
    }
    // What is packed has a check sum.
    expect(found).toBe(tried);
  });

  test("of the map's history", () =>
    refused(drawn({ requiredFeatures: ['OsmSchema-V0.6', 'HistoricalInformation'] }), /holds the history of the map/));
  test('of a format to come', () =>
    refused(drawn({ requiredFeatures: ['OsmSchema-V0.7'] }), /needs a reader that knows "OsmSchema-V0\.7"\.$/));
  test('packed in a way that is not known here', () =>
    refused(drawn({ packing: 'lz4' }), /is packed with LZ4; zlib or zstd is needed/));
});
