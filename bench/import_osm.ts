// node bench/import_osm.ts FILE.osm.pbf…: measures a whole import of OpenStreetMap files, phase by phase: time,
// processor time of all threads, and the peak memory up to the phase's end. If osmium is installed, it also measures
// `osmium cat` on the first file. Prints one line of JSON, with a hash of each table: what only makes the import faster
// or smaller leaves all of them as they were.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importExtracts } from '../src/geocoding/import/import_extracts.ts';
import { currentLayer, placesFolder } from '../src/tables/places/generations.ts';
import { openLayer } from '../src/tables/places/layer.ts';
import { openIndex } from '../src/tables/places/layer_index.ts';
import { bytesIn } from './data_folders.ts';

const files = process.argv.slice(2);
if (files.length === 0) throw new Error('Arguments: FILE.osm.pbf…');

const folder = mkdtempSync(join(tmpdir(), 'sextant-import-'));
const phases: { name: string; start: number; cpuBefore: number; megabytesBefore: number }[] = [];
const start = performance.now();
const { skipped, ...summary } = await importExtracts({
  folder,
  files,
  onProgress: ({ phase }) => {
    if (phases.at(-1)?.name !== phase)
      phases.push({ name: phase, start: performance.now(), cpuBefore: cpuMs(), megabytesBefore: peakMegabytes() });
  },
});
const end = performance.now();
const cpuEnd = cpuMs();
const phaseMs = Object.fromEntries(
  phases.map(({ name, start }, i) => [name, Math.round((phases[i + 1]?.start ?? end) - start)]),
);
const phaseCpuMs = Object.fromEntries(
  phases.map(({ name, cpuBefore }, i) => [name, Math.round((phases[i + 1]?.cpuBefore ?? cpuEnd) - cpuBefore)]),
);
const peakMegabytesUpTo = Object.fromEntries(
  phases.map(({ name }, i) => [name, phases[i + 1]?.megabytesBefore ?? peakMegabytes()]),
);
console.log(
  JSON.stringify({
    ...summary,
    skipped: skipped.length,
    fileBytes: files.reduce((sum, file) => sum + statSync(file).size, 0),
    layerBytes: bytesIn(currentLayer(placesFolder(folder))!),
    importMs: Math.round(end - start),
    phaseMs,
    phaseCpuMs,
    peakMegabytesUpTo,
    osmiumCat: osmiumCat(files[0]),
    hashes: await hashTables(currentLayer(placesFolder(folder))!),
  }),
);
rmSync(folder, { recursive: true });

/** Processor time of all threads so far. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function peakMegabytes(): number {
  return Math.round(process.resourceUsage().maxRSS / 1024);
}

/** Milliseconds and megabytes; `undefined` if it is not installed. */
function osmiumCat(file: string): { ms: number; peakMegabytes: number } | undefined {
  const before = performance.now();
  const { status, stderr } = spawnSync('osmium', [
    'cat',
    '--verbose',
    file,
    '--overwrite',
    '-o',
    join(folder, 'copy.osm.pbf'),
  ]);
  if (status !== 0) return undefined;
  const ms = Math.round(performance.now() - before);
  return { ms, peakMegabytes: Number(/Peak memory used: (\d+) MBytes/.exec(String(stderr))?.[1]) };
}

/** Hashes of the tables of a layer by name. The files themselves hold the time at which they were built. */
async function hashTables(layer: string): Promise<Record<string, string>> {
  const { root, places, words } = openLayer(layer);
  const hashes: Record<string, string> = {};
  for (const [name, table] of Object.entries({ places, ...words })) {
    const hash = createHash('sha256');
    for (const { key, value } of table.getRange())
      hash.update(`${key.length},${value.length};`).update(key).update(value);
    hashes[name] = hash.digest('hex').slice(0, 16);
  }
  await root.close();
  const file = openIndex(layer);
  const index = createHash('sha256');
  for (const [name, bytes] of file.sections) index.update(`${name},${bytes.length};`).update(bytes);
  hashes.index = index.digest('hex').slice(0, 16);
  await file.close();
  return hashes;
}
