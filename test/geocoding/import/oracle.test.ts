import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isInside, signedArea } from '../../../src/geo/rings.ts';
import type { OsmFeatures, Tags } from '../../../src/geocoding/import/osm/features.ts';
import { OsmFile } from '../../../src/geocoding/import/osm/file.ts';
import { readOsm } from '../../../src/geocoding/import/osm/read.ts';
import { OSM_RELATION } from '../../../src/tables/places/place.ts';
import { folderOfFile } from '../../kits/temporary_folder.ts';

const EXTRACTS = ['liechtenstein-2025-09-19', 'monaco-2026-03-10', 'malta-2018-08-27'].map(
  name => `../shared/data/osm/${name}.osm.pbf`,
);
const missing = EXTRACTS.find(path => !existsSync(path));
const hasOracle = spawnSync('python3', ['-c', 'import osmium, shapely']).status === 0;
if (missing !== undefined)
  console.log(`Extracts are not compared with an independent program: ${missing} is not there.`);
else if (!hasOracle)
  console.log(
    'Extracts are not compared with an independent program: python3 has no osmium and shapely (pip install ' +
      'osmium shapely).',
  );

interface OracleArea {
  id: number;
  isAdministrative: boolean;
  area: number;
  points: [longitude: number, latitude: number, isInside: boolean][];
}

const scratch = folderOfFile();

describe.skipIf(missing !== undefined || !hasOracle)('an extract holds what an independent program sees', () => {
  test.each(EXTRACTS)('%s', { timeout: 240_000 }, async path => {
    const features = await readOsm({
      files: [path],
      scratchFolder: scratch,
      wants: type => (type === OSM_RELATION ? 'area' : undefined),
      onProgress: () => {},
    });
    const ours = ringsOf(features);
    const { sums, areas: theirs } = oracleOf(path);
    expect(await sumsOf(path)).toEqual(sums);
    expect(theirs.filter(area => area.isAdministrative).length).toBeGreaterThan(5);
    for (const { id, area, points } of theirs) {
      const rings = ours.get(id);
      expect(rings, `relation ${id}`).toBeDefined();
      const ourArea = rings!.reduce((sum, ring) => sum + signedArea(ring), 0) / 1e14;
      expect(Math.abs(ourArea - area) / area, `area of relation ${id}`).toBeLessThan(0.001);
      const wrong = points.filter(([x, y, inside]) => isInside(rings!, x * 1e7, y * 1e7) !== inside);
      expect(wrong.length, `points of relation ${id}`).toBe(0);
    }
    features.close();
  });
});

function ringsOf(features: OsmFeatures): Map<number, readonly Int32Array[]> {
  const rings = new Map<number, readonly Int32Array[]>();
  for (const { id, geometry } of features.read('area')) if (geometry.kind === 'area') rings.set(id, geometry.rings);
  return rings;
}

interface Sums {
  /** Count, ids, versions, bytes of tags, longitudes, latitudes. */
  nodes: number[];
  /** Count, ids, versions, bytes of tags, remainders of node ids times their places on the way. */
  ways: number[];
  /** The same with members: id, type and length of the role. */
  relations: number[];
}

function oracleOf(path: string): { sums: Sums; areas: OracleArea[] } {
  const text = execFileSync('python3', ['test/geocoding/import/oracle.py', path], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const [sums, ...areas] = text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  return { sums, areas };
}

async function sumsOf(path: string): Promise<Sums> {
  const sums: Sums = { nodes: new Array(6).fill(0), ways: new Array(5).fill(0), relations: new Array(5).fill(0) };
  const add = (to: number[], id: number, version: number, tags: Tags | undefined, ...more: number[]) => {
    for (const [i, value] of [1, id, version, textBytes(tags), ...more].entries()) to[i] += value;
  };
  const file = await OsmFile.open(path);
  const ignore = () => {};
  await file.scan((id, version, tags, members) => {
    const sum = members.reduce(
      (sum, member, i) => sum + (i + 1) * ((member.id % 1_000_003) + member.type - 1 + Buffer.byteLength(member.role)),
      0,
    );
    add(sums.relations, id, version, tags, sum);
  }, ignore);
  await file.readNodes(
    (id, version, longitude, latitude, tags) => add(sums.nodes, id, version, tags, longitude, latitude),
    ignore,
  );
  await file.readWays((id, version, nodeIds, count, tags) => {
    add(
      sums.ways,
      id,
      version,
      tags,
      nodeIds.subarray(0, count).reduce((sum, node, i) => sum + (i + 1) * (node % 1_000_003), 0),
    );
  }, ignore);
  await file.close();
  return sums;
}

function textBytes(tags: Tags | undefined): number {
  return Object.entries(tags ?? {}).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + 3 * Buffer.byteLength(value),
    0,
  );
}
