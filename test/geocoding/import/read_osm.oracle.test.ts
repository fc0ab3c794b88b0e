import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { OsmFeatures } from '../../../src/geocoding/import/osm_features.ts';
import { readOsm } from '../../../src/geocoding/import/read_osm.ts';
import { isInside, signedArea } from '../../../src/geocoding/import/ring_areas.ts';
import { OSM_RELATION } from '../../../src/tables/place.ts';

const EXTRACTS = ['liechtenstein-2025-09-19', 'monaco-2026-03-10', 'malta-2018-08-27'].map(name => `../shared/data/osm/${name}.osm.pbf`);
const missing = EXTRACTS.find(path => !existsSync(path));
const hasOracle = spawnSync('python3', ['-c', 'import osmium, shapely']).status === 0;
if (missing !== undefined) console.log(`Areas are not compared: ${missing} is not there.`);
else if (!hasOracle) console.log('Areas are not compared: python3 has no osmium and shapely (pip install osmium shapely).');

interface OracleArea {
  id: number;
  isAdministrative: boolean;
  area: number;
  points: [longitude: number, latitude: number, isInside: boolean][];
}

const scratch = mkdtempSync(join(tmpdir(), 'sextant-oracle-'));
afterAll(() => rmSync(scratch, { recursive: true }));

describe.skipIf(missing !== undefined || !hasOracle)('areas are those of an independent program', () => {
  test.each(EXTRACTS)('%s', { timeout: 120_000 }, async path => {
    const features = await readOsm({
      files: [path],
      scratchFolder: scratch,
      wants: type => (type === OSM_RELATION ? 'area' : undefined),
      onProgress: () => {},
    });
    const ours = ringsOf(features);
    const theirs = oracleAreas(path);
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

function oracleAreas(path: string): OracleArea[] {
  const lines = execFileSync('python3', ['test/geocoding/import/oracle_areas.py', path], { encoding: 'utf8', maxBuffer: 2 ** 28 });
  return lines
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as OracleArea);
}
