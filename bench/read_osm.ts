// node bench/read_osm.ts FILE.osm.pbf…: measures the time to read OpenStreetMap files up to features, phase by phase,
// and the peak memory. If osmium is installed, it also measures `osmium cat` on the same files. Prints one line of
// JSON.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FeatureClass, OsmPhase, Tags } from '../src/geocoding/import/osm/features.ts';
import { readOsm } from '../src/geocoding/import/osm/read.ts';
import type { OsmType } from '../src/tables/places/place.ts';

const CLASSES: readonly FeatureClass[] = ['area', 'road', 'house'];
const files = process.argv.slice(2);
if (files.length === 0) throw new Error('Arguments: FILE.osm.pbf…');

const folder = mkdtempSync(join(tmpdir(), 'sextant-read-'));
const start = performance.now();
const phaseEnds: Partial<Record<OsmPhase, number>> = {};
const onProgress = ({ phase }: { phase: OsmPhase }) => {
  phaseEnds[phase] = Math.round(performance.now() - start);
};
const features = await readOsm({ files, scratchFolder: folder, wants, onProgress });
const readMs = Math.round(performance.now() - start);
let readBack = 0;
for (const name of CLASSES) for (const _ of features.read(name)) readBack++;
const readBackMs = Math.round(performance.now() - start) - readMs;
const peakMegabytes = Math.round(process.resourceUsage().maxRSS / 1024);
features.close();
const { counts, skipped } = features;
console.log(
  JSON.stringify({
    ...counts,
    skipped: skipped.length,
    readMs,
    phaseEnds,
    readBack,
    readBackMs,
    peakMegabytes,
    osmiumCatMs: osmiumCat(),
  }),
);
rmSync(folder, { recursive: true });

/** Roughly the objects that a geocoder uses. */
function wants(type: OsmType, tags: Tags, isClosed: boolean): FeatureClass | undefined {
  if (tags.boundary !== undefined || tags.place !== undefined || (isClosed && tags.landuse !== undefined))
    return 'area';
  if (type === 2 && tags.highway !== undefined) return 'road';
  const isHouse = ['addr:housenumber', 'addr:interpolation', 'amenity', 'shop', 'tourism', 'office', 'leisure'].some(
    key => tags[key] !== undefined,
  );
  return isHouse || (tags.building !== undefined && tags.name !== undefined) ? 'house' : undefined;
}

/** Milliseconds; `undefined` if it is not installed. */
function osmiumCat(): number | undefined {
  const before = performance.now();
  const { status } = spawnSync('osmium', ['cat', ...files, '--overwrite', '-o', join(folder, 'copy.osm.pbf')]);
  return status === 0 ? Math.round(performance.now() - before) : undefined;
}
