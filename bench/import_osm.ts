// node bench/import_osm.ts FILE.osm.pbf…: measures the time of a whole import of OpenStreetMap files, phase by phase,
// and the peak memory up to each phase. If osmium is installed, it also measures `osmium cat` on the first file. Prints
// one line of JSON.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importExtracts } from '../src/geocoding/import/import_extracts.ts';

const files = process.argv.slice(2);
if (files.length === 0) throw new Error('Arguments: FILE.osm.pbf…');

const folder = mkdtempSync(join(tmpdir(), 'sextant-import-'));
const phases: { name: string; start: number; megabytesBefore: number }[] = [];
const start = performance.now();
const { skipped, ...summary } = await importExtracts({
  folder,
  files,
  onProgress: ({ phase }) => {
    if (phases.at(-1)?.name !== phase)
      phases.push({ name: phase, start: performance.now(), megabytesBefore: peakMegabytes() });
  },
});
const end = performance.now();
const phaseMs = Object.fromEntries(
  phases.map(({ name, start }, i) => [name, Math.round((phases[i + 1]?.start ?? end) - start)]),
);
const peakMegabytesUpTo = Object.fromEntries(
  phases.map(({ name }, i) => [name, phases[i + 1]?.megabytesBefore ?? peakMegabytes()]),
);
console.log(
  JSON.stringify({
    ...summary,
    skipped: skipped.length,
    fileBytes: files.reduce((sum, file) => sum + statSync(file).size, 0),
    layerBytes: bytesIn(folder),
    importMs: Math.round(end - start),
    phaseMs,
    peakMegabytesUpTo,
    osmiumCat: osmiumCat(files[0]),
  }),
);
rmSync(folder, { recursive: true });

function peakMegabytes(): number {
  return Math.round(process.resourceUsage().maxRSS / 1024);
}

function bytesIn(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter(entry => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
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
