// node bench/osm_changes.ts FILE.osm.pbf [SHARE]: measures what a file of changes costs against the import of the
// extract: of every 1 / SHARE objects (0.001 unless said) one is changed, moved, renamed or, one in ten, deleted.
// Prints one line of JSON: wall time and processor time of both, and of the part before places are built.

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importExtracts } from '../src/geocoding/import/import_extracts.ts';
import { OsmFile } from '../src/geocoding/import/osm/file.ts';
import { importPlaces } from '../src/jobs/import_places.ts';
import { changesPath, livePlaces } from '../src/tables/places/extract_files.ts';
import { type DrawnChange, writeOsmChanges } from '../test/kits/places/osm_changes.ts';
import type { DrawnObject } from '../test/kits/places/osm_pbf.ts';

const [path, share = '0.001'] = process.argv.slice(2);
if (path === undefined) throw new Error('Arguments: FILE.osm.pbf [SHARE].');
const every = Math.round(1 / Number(share));
/** One change in so many is a deletion. */
const DELETED = 10;
const MOVED_UNITS = 500;

const folder = mkdtempSync(join(tmpdir(), 'sextant-changes-'));
const changes = writeOsmChanges(join(folder, 'day.osc.gz'), await drawChanges(), '2026-11-26T00:00:00Z');
const imported = await measure(() => importExtracts({ folder, files: [path], onProgress: () => {} }));
let [builtFromMs, builtFromCpuMs] = [0, 0];
const start = performance.now();
const cpuStart = cpuMs();
const applied = await measure(() =>
  importPlaces({ verb: 'import', kind: 'osm-changes', files: [changes] }, folder, ({ phase }) => {
    if (phase === 'changes' || builtFromMs > 0) return;
    builtFromMs = Math.round(performance.now() - start);
    builtFromCpuMs = Math.round(cpuMs() - cpuStart);
  }),
);
const kept = livePlaces(folder)!.extracts![0].changes!;
console.log(
  JSON.stringify({
    objects: kept.objects,
    changesBytes: statSync(changes).size,
    keptBytes: statSync(changesPath(folder, kept.file)).size,
    imported,
    applied,
    beforeBuilding: { ms: builtFromMs, cpuMs: builtFromCpuMs },
  }),
);
rmSync(folder, { recursive: true });

async function drawChanges(): Promise<DrawnChange[]> {
  const drawn: DrawnChange[] = [];
  let at = 0;
  const isDrawn = () => ++at % every === 0;
  const note = (object: DrawnObject) =>
    drawn.push({ action: drawn.length % DELETED === 0 ? 'delete' : 'modify', object });
  const file = await OsmFile.open(path);
  const none = () => {};
  await file.scan(none, none);
  await file.readNodes((id, version, longitude, latitude, tags) => {
    const [lat, lon] = [latitude + MOVED_UNITS, longitude].map(units => units / 1e7);
    if (isDrawn()) note({ type: 'node', id, version: version + 1, lat, lon, ...(tags && { tags }) });
  }, none);
  await file.readWays((id, version, nodeIds, count, tags) => {
    if (!isDrawn()) return;
    const renamed = tags?.name === undefined ? tags : { ...tags, name: `${tags.name} New` };
    note({ type: 'way', id, version: version + 1, nodes: [...nodeIds.subarray(0, count)], tags: { ...renamed } });
  }, none);
  await file.close();
  return drawn;
}

async function measure(work: () => Promise<unknown>): Promise<{ ms: number; cpuMs: number }> {
  const [start, cpuStart] = [performance.now(), cpuMs()];
  await work();
  return { ms: Math.round(performance.now() - start), cpuMs: Math.round(cpuMs() - cpuStart) };
}

/** Processor time of all threads so far. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
