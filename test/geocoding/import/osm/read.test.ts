import { mkdtempSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { signedArea } from '../../../../src/geo/rings.ts';
import type {
  FeatureClass,
  OsmFeature,
  OsmFeatures,
  OsmPhase,
  OsmProgress,
  Tags,
} from '../../../../src/geocoding/import/osm/features.ts';
import { readOsm } from '../../../../src/geocoding/import/osm/read.ts';
import { OSM_NODE, OSM_RELATION, OSM_WAY, type OsmType } from '../../../../src/tables/places/place.ts';
import {
  type DrawnNode,
  type DrawnObject,
  type DrawnRelation,
  type DrawnWay,
  type PbfSettings,
  writeOsmPbf,
} from '../../../kits/places/osm_pbf.ts';
import { folderOfFile } from '../../../kits/temporary_folder.ts';

const folder = folderOfFile();
let files = 0;

function wants(_type: OsmType, tags: Tags): FeatureClass | undefined {
  if (tags.boundary !== undefined || tags.place !== undefined || tags.landuse !== undefined) return 'area';
  if (tags.highway !== undefined) return 'road';
  return tags['addr:housenumber'] !== undefined || tags.building !== undefined ? 'house' : undefined;
}

function drawn(objects: DrawnObject[], settings: PbfSettings = {}): string {
  const path = join(folder, `${files++}.osm.pbf`);
  writeOsmPbf(path, objects, settings);
  return path;
}

async function read(paths: string[], onProgress: (progress: OsmProgress) => void = () => {}): Promise<OsmFeatures> {
  const scratchFolder = mkdtempSync(join(folder, 'scratch-'));
  const features = await readOsm({ files: paths, scratchFolder, wants, onProgress });
  onTestFinished(() => features.close());
  // Nothing is left behind, even by a kill.
  expect(readdirSync(scratchFolder)).toEqual([]);
  return features;
}

/** Features of a drawn world in one file. */
const readDrawn = (...objects: DrawnObject[]) => read([drawn(objects)]);
const all = (features: OsmFeatures): OsmFeature[] =>
  (['area', 'road', 'house'] as const).flatMap(name => [...features.read(name)]);
const node = (id: number, x: number, y: number, tags?: Tags, version?: number): DrawnNode => ({
  type: 'node',
  id,
  lon: x / 1e7,
  lat: y / 1e7,
  ...(tags && { tags }),
  ...(version && { version }),
});
const way = (id: number, nodes: number[], tags?: Tags, version?: number): DrawnWay => ({
  type: 'way',
  id,
  nodes,
  ...(tags && { tags }),
  ...(version && { version }),
});
const relation = (id: number, members: DrawnRelation['members'], tags: Tags, version?: number): DrawnRelation => ({
  type: 'relation',
  id,
  members,
  tags,
  ...(version && { version }),
});
const outer = (...ids: number[]) => ids.map(ref => ({ type: 'way' as const, ref, role: 'outer' }));

/** Corners of a square of 1,000 units: nodes 1 to 4. */
const CORNERS = [node(1, 0, 0), node(2, 1_000, 0), node(3, 1_000, 1_000), node(4, 0, 1_000)];
const HOUSE = { building: 'yes' };
const ROAD = { highway: 'residential' };
const TOWN = { type: 'boundary', boundary: 'administrative', name: 'Town' };

describe('objects become features', () => {
  test('a node is a point', async () => {
    const [feature] = all(
      await readDrawn(node(5, 95_000_001, -471_234_567, { 'addr:housenumber': '7', name: 'Café' })),
    );
    expect(feature).toEqual({
      type: OSM_NODE,
      id: 5,
      tags: { 'addr:housenumber': '7', name: 'Café' },
      geometry: { kind: 'point' },
      longitude: 9.5000001,
      latitude: -47.1234567,
      nodeIds: undefined,
    });
  });

  test('a road is a line with its nodes, and stands where its middle is', async () => {
    const [feature] = all(await readDrawn(...CORNERS, way(9, [1, 2, 3], ROAD)));
    expect(feature.geometry).toEqual({ kind: 'line', coordinates: Int32Array.of(0, 0, 1_000, 0, 1_000, 1_000) });
    expect(feature.nodeIds).toEqual(Float64Array.of(1, 2, 3));
    expect([feature.longitude, feature.latitude]).toEqual([0.0001, 0]);
  });

  test('a closed way is an area, and stands where its centroid is', async () => {
    const [feature] = all(await readDrawn(...CORNERS, way(9, [1, 2, 3, 4, 1], HOUSE)));
    expect(feature.geometry).toEqual({
      kind: 'area',
      rings: [Int32Array.of(0, 0, 1_000, 0, 1_000, 1_000, 0, 1_000, 0, 0)],
    });
    expect([feature.longitude, feature.latitude]).toEqual([0.00005, 0.00005]);
  });

  test('a closed road is a line', async () => {
    const [feature] = all(await readDrawn(...CORNERS, way(9, [1, 2, 3, 4, 1], ROAD)));
    expect(feature.geometry.kind).toBe('line');
  });

  test('a way forth and back encloses nothing: a line', async () => {
    const [feature] = all(await readDrawn(...CORNERS, way(9, [1, 2, 1], HOUSE)));
    expect(feature.geometry.kind).toBe('line');
  });

  test('a boundary is put together from its ways', async () => {
    const features = await readDrawn(
      ...CORNERS,
      way(9, [3, 2, 1]),
      way(8, [3, 4, 1]),
      relation(
        7,
        [
          ...outer(9, 8),
          { type: 'node', ref: 2, role: 'label' },
          { type: 'node', ref: 3, role: 'admin_centre' },
          { type: 'relation', ref: 3, role: 'subarea' },
        ],
        TOWN,
      ),
    );
    const [feature] = all(features);
    expect([feature.type, feature.id, feature.geometry.kind]).toEqual([OSM_RELATION, 7, 'area']);
    expect(feature.geometry.kind === 'area' && feature.geometry.rings.map(signedArea)).toEqual([1_000_000]);
    expect([...features.boundaries.values()]).toEqual([
      {
        id: 7,
        tags: TOWN,
        members: [
          { type: OSM_NODE, id: 2, role: 'label' },
          { type: OSM_NODE, id: 3, role: 'admin_centre' },
        ],
      },
    ]);
  });

  test('relations of streets keep all their members', async () => {
    const members = [
      { type: 'way' as const, ref: 9, role: 'street' },
      { type: 'node' as const, ref: 1, role: 'house' },
    ];
    const features = await readDrawn(
      ...CORNERS,
      way(9, [1, 2], ROAD),
      relation(7, members, { type: 'associatedStreet', name: 'Way' }),
    );
    expect(features.streets).toEqual([
      {
        id: 7,
        tags: { type: 'associatedStreet', name: 'Way' },
        members: [
          { type: OSM_WAY, id: 9, role: 'street' },
          { type: OSM_NODE, id: 1, role: 'house' },
        ],
      },
    ]);
  });

  test('nothing is made of what is not wanted, and other relations are not asked for', async () => {
    const features = await readDrawn(
      ...CORNERS,
      way(9, [1, 2], { barrier: 'fence' }),
      relation(7, outer(9), { type: 'route', highway: 'x' }),
    );
    expect(all(features)).toEqual([]);
    expect(features.skipped).toEqual([]);
    expect(features.counts).toEqual({
      nodes: 4,
      ways: 1,
      relations: 1,
      features: { area: 0, road: 0, house: 0 },
      wanted: [0],
    });
  });

  test('classes can be read again, and beside each other', async () => {
    const features = await readDrawn(
      ...Array.from({ length: 20_000 }, (_, i) =>
        node(i + 1, i, i, i % 2 === 0 ? HOUSE : { place: 'locality', name: 'x'.repeat(200) }),
      ),
    );
    const [one, other] = [features.read('house')[Symbol.iterator](), features.read('house')[Symbol.iterator]()];
    for (let i = 0; i < 10_000; i++) {
      expect(one.next().value?.id).toBe(i * 2 + 1);
      if (i > 0) expect(other.next().value?.id).toBe(i * 2 - 1);
    }
    expect(one.next().done).toBe(true);
    expect([...features.read('area')].length).toBe(10_000);
  });
});

describe('broken and cut objects', () => {
  test('a line goes on for the longest stretch of which the nodes are there', async () => {
    const features = await readDrawn(...CORNERS, way(9, [1, 99, 2, 3, 4, 98, 1], ROAD));
    const [feature] = all(features);
    expect(feature.nodeIds).toEqual(Float64Array.of(2, 3, 4));
    expect(feature.geometry).toEqual({ kind: 'line', coordinates: Int32Array.of(1_000, 0, 1_000, 1_000, 0, 1_000) });
  });

  test('an area of which a node is missing is skipped', async () => {
    const features = await readDrawn(...CORNERS, way(9, [1, 2, 99, 4, 1], HOUSE));
    expect(all(features)).toEqual([]);
    expect(features.skipped).toEqual([
      { type: OSM_WAY, id: 9, reason: '1 of its 5 nodes are missing.', isCutOff: true, file: 0 },
    ]);
  });

  test('a way of one point, or none, is skipped', async () => {
    const features = await readDrawn(
      ...CORNERS,
      node(5, 0, 0),
      way(8, [1, 5], ROAD),
      way(9, [99], ROAD),
      way(10, [], ROAD),
    );
    expect(features.skipped.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([
      '8: It has fewer than two points; 0 are missing.',
      '9: It has fewer than two points; 1 are missing.',
      '10: It has fewer than two points; 0 are missing.',
    ]);
  });

  test('a node beyond the pole is skipped, and missing on its ways', async () => {
    const features = await readDrawn(
      node(1, 0, 0),
      node(2, 10, 900_000_001, HOUSE),
      node(3, 20, 0),
      node(4, 30, 0),
      way(9, [1, 2, 3, 4], ROAD),
    );
    expect(features.skipped).toEqual([{ type: OSM_NODE, id: 2, reason: 'Its position is not on the globe.', file: 0 }]);
    expect(all(features).map(feature => feature.nodeIds)).toEqual([Float64Array.of(3, 4)]);
  });

  test('a boundary of which a way is missing is skipped, but its places are known', async () => {
    const members = [...outer(9, 99), { type: 'node' as const, ref: 1, role: 'label' }];
    const features = await readDrawn(...CORNERS, way(9, [1, 2, 3]), relation(7, members, TOWN));
    expect(all(features)).toEqual([]);
    expect(features.skipped).toEqual([
      {
        type: OSM_RELATION,
        id: 7,
        reason: 'Its border is open at 0.00000, 0.00000. 1 of its 2 ways are missing.',
        isCutOff: true,
        file: 0,
      },
    ]);
    expect([...features.boundaries.keys()]).toEqual([7]);
  });

  test('rings that are there are used where others are missing', async () => {
    const features = await readDrawn(...CORNERS, way(9, [1, 2, 3, 4, 1]), relation(7, outer(9, 99), TOWN));
    expect(all(features).map(feature => feature.id)).toEqual([7]);
  });

  test('a way of which nodes are missing is no border', async () => {
    const features = await readDrawn(...CORNERS, way(9, [1, 2, 99, 3, 4, 1]), relation(7, outer(9), TOWN));
    expect(features.skipped.map(skipped => skipped.reason)).toEqual([
      'Its ways enclose nothing. 1 of its 1 ways are missing.',
    ]);
  });

  test('a way that is twice in a boundary counts once', async () => {
    const features = await readDrawn(...CORNERS, way(9, [1, 2, 3, 4, 1]), relation(7, outer(9, 9), TOWN));
    expect(all(features).length).toBe(1);
  });

  test('a way of a strange role is left out where it keeps the border open, and used where it closes it', async () => {
    const path = { type: 'way' as const, ref: 8, role: 'footpath' };
    const open = await readDrawn(
      ...CORNERS,
      way(8, [1, 3]),
      way(9, [1, 2, 3, 4, 1]),
      relation(7, [...outer(9), path], TOWN),
    );
    expect(all(open).length).toBe(1);
    const closing = await readDrawn(
      ...CORNERS,
      way(8, [1, 4, 3]),
      way(9, [1, 2, 3]),
      relation(7, [...outer(9), path], TOWN),
    );
    expect(all(closing).length).toBe(1);
  });

  test('a relation without ways is skipped', async () => {
    const features = await readDrawn(...CORNERS, relation(7, [{ type: 'node', ref: 1, role: 'label' }], TOWN));
    expect(features.skipped.map(skipped => skipped.reason)).toEqual(['Its ways enclose nothing.']);
  });
});

describe('an object in several files counts once', () => {
  const older = [
    ...CORNERS,
    node(5, 7, 7, { ...HOUSE, name: 'old' }, 1),
    node(6, 8, 8, HOUSE, 1),
    way(9, [1, 2], { ...ROAD, name: 'old' }, 1),
    relation(7, outer(9), TOWN, 1),
  ];
  const newer = [
    ...CORNERS,
    node(5, 70, 70, { ...HOUSE, name: 'new' }, 2),
    node(6, 8, 8, { note: 'torn down' }, 2),
    way(9, [1, 2, 3, 4, 1], { ...ROAD, name: 'new' }, 2),
    relation(7, outer(9), { ...TOWN, name: 'New Town' }, 2),
  ];

  test('in its newest version, in whatever order the files are named', async () => {
    const paths = [
      drawn(older, { timestamp: 1_000, isSorted: true }),
      drawn(newer, { timestamp: 2_000, isSorted: true }),
    ];
    for (const order of [paths, [...paths].reverse()]) {
      const features = await read(order);
      expect(all(features).map(({ id, tags }) => `${id} ${tags.name}`)).toEqual(['7 New Town', '9 new', '5 new']);
      expect([...features.read('house')][0].longitude).toBe(0.000007);
    }
  });

  test('also when the same file is named twice, or is itself two files', async () => {
    const path = drawn(newer, { isSorted: true });
    expect(all(await read([path, path])).map(feature => feature.id)).toEqual([7, 9, 5]);
    expect(all(await read([drawn([...older, ...newer])])).map(({ tags }) => tags.name)).toEqual([
      'New Town',
      'new',
      'new',
    ]);
  });

  test('by the age of the files where there are no versions', async () => {
    const paths = [
      drawn([node(1, 1, 1, { ...HOUSE, name: 'new' })], { timestamp: 2_000 }),
      drawn([node(1, 2, 2, { ...HOUSE, name: 'old' })], { timestamp: 1_000 }),
    ];
    expect(all(await read(paths)).map(feature => feature.tags.name)).toEqual(['new']);
  });

  test('in one ordered file that holds two versions of it', async () => {
    const path = drawn(
      [node(1, 1, 1, { ...HOUSE, name: 'a' }, 1), node(1, 2, 2, { ...HOUSE, name: 'b' }, 2), node(2, 2, 2, HOUSE, 1)],
      { isSorted: true },
    );
    expect(all(await read([path])).map(feature => feature.tags.name)).toEqual(['b', undefined]);
  });

  test('objects of different types with one id are not the same', async () => {
    const features = await readDrawn(
      ...CORNERS,
      node(9, 5, 5, HOUSE),
      way(9, [1, 2, 3, 4, 1], HOUSE),
      relation(9, outer(9), TOWN),
    );
    expect(all(features).map(feature => feature.type)).toEqual([OSM_RELATION, OSM_NODE, OSM_WAY]);
  });

  test('a boundary may have its ways in different files', async () => {
    const west = drawn([...CORNERS, way(8, [1, 4, 3]), relation(7, outer(8, 9), TOWN)]);
    const east = drawn([...CORNERS, way(9, [1, 2, 3]), relation(7, outer(8, 9), TOWN)]);
    expect(all(await read([west, east])).length).toBe(1);
  });
});

describe('reading', () => {
  test('tells each phase from its first bytes to all of them', async () => {
    const told = new Map<OsmPhase, OsmProgress>();
    const paths = [
      drawn([...CORNERS, way(9, [1, 2, 3, 4, 1]), relation(7, outer(9), TOWN)]),
      drawn([...CORNERS, way(9, [1, 2, 3, 4, 1])]),
    ];
    await read(paths, progress => {
      expect(progress.done).toBeGreaterThan(told.get(progress.phase)?.done ?? 0);
      told.set(progress.phase, progress);
    });
    expect([...told.keys()]).toEqual(['relations', 'nodes', 'ways', 'rings']);
    for (const { done, total } of told.values()) expect(done).toBe(total);
  });

  test('does not depend on the order of objects in a file', async () => {
    const objects = [
      ...CORNERS,
      node(5, 5, 5, HOUSE),
      way(8, [1, 2, 3], ROAD),
      way(9, [1, 2, 3, 4, 1]),
      relation(7, outer(9), TOWN),
    ];
    const ordered = all(await read([drawn(objects, { isSorted: true })]));
    expect(all(await read([drawn([...objects].reverse())]))).toEqual(ordered);
  });

  test('ends with the file that is damaged, and leaves nothing', async () => {
    const [good, bad] = [drawn(CORNERS), drawn(CORNERS)];
    truncateSync(bad, 100);
    const scratchFolder = mkdtempSync(join(folder, 'scratch-'));
    await expect(readOsm({ files: [good, bad], scratchFolder, wants, onProgress: () => {} })).rejects.toThrow(
      `${bad} is truncated`,
    );
    expect(readdirSync(scratchFolder)).toEqual([]);
  });

  test('ends with a file that is not in the order that it promises', async () => {
    const path = drawn([node(5, 1, 1), node(4, 1, 1)], { isSorted: true });
    await expect(read([path])).rejects.toThrow(
      /is damaged at byte \d+: The file says that its objects come by their ids, but 4 follows 5\.$/,
    );
  });

  test('ends with a file that shrinks meanwhile', async () => {
    const path = drawn(CORNERS);
    await expect(
      read([path], ({ phase }) => {
        if (phase === 'relations') writeFileSync(path, '');
      }),
    ).rejects.toThrow(`${path} is truncated`);
  });

  test('ends with what the listener to its progress throws', async () => {
    await expect(
      read([drawn(CORNERS)], ({ phase }) => {
        if (phase === 'nodes') throw new Error('The service stops.');
      }),
    ).rejects.toThrow('The service stops.');
  });
});
