// node bench/footprint/extract.ts FILE.osm.pbf… [options]: what does it take to serve an extract? Two services start in
// turns, one with these extracts and one with the gazetteer alone. Both answer the same questions about places of the
// extracts: points, and addresses and names as words. It prints what the first holds beyond the second, before the
// questions and after them, when both have been quiet, and how much longer it takes to start. The heaps of two services
// differ by more than an extract takes, so its own memory is measured in one thread (opened.ts), and so is what answers
// cost. It ends with a row of the table in docs/benchmarks.md.
//
//   --places N,N    extracts that are drawn with so many places (bench/big_extract.ts), one after the other
//   --questions N   points, addresses and names of each sort (1000)
//   --rounds N      starts of each service, and times each question is answered; medians are printed (3)

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeFolder } from '../../src/folder/data_folder.ts';
import { importExtracts } from '../../src/geocoding/import/import_extracts.ts';
import { currentLayer, placesFolder } from '../../src/tables/places/generations.ts';
import { headerOf, readArguments } from '../command_line.ts';
import { bytesIn, createKey } from '../data_folders.ts';
import {
  freePorts,
  processorSeconds,
  type Server,
  startSextant,
  stopServers,
  waitUntilAnswering,
  waitUntilQuiet,
} from '../server.ts';
import { median } from '../statistics.ts';
import { type Asked, type Opened, questionsAbout } from './opened.ts';
import { difference, type Memory, memoryOf, printMemory } from './resident.ts';

const AT_ONCE = 8;
const MEGABYTE = 1_048_576;
const BIG_EXTRACT = fileURLToPath(new URL('../big_extract.ts', import.meta.url));
const OPENED = fileURLToPath(new URL('./opened.ts', import.meta.url));
/** Places of a thousand nodes that it draws. */
const PLACES_OF_THOUSAND = 89;
const COLUMNS = [
  'places',
  'disk, MB',
  'own memory, MB',
  'bytes a place',
  'pages of files, MB',
  'start, s of processor time',
  'address, µs',
  'mistyped, µs',
  'name, µs',
  'point, µs',
];

/** What one start of a service held and took. */
interface Held {
  atRest: Memory;
  asked: Memory;
  /** Until the first answer: the clock's time, and the processor's. */
  seconds: number;
  processor: number;
}

const { values, positionals } = readArguments(headerOf(import.meta.url), {
  allowPositionals: true,
  options: {
    places: { type: 'string' },
    questions: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '3' },
  },
});
const rounds = Number(values.rounds);
const sizes = values.places?.split(',').map(Number) ?? [];
if (positionals.length + sizes.length === 0) throw new Error('Arguments: FILE.osm.pbf… or --places N');
const rows = [COLUMNS, COLUMNS.map(() => '---:')];
for (const size of positionals.length > 0 ? [undefined] : sizes) {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-extract-'));
  try {
    rows.push(await rowOf(folder, size === undefined ? positionals : [drawExtract(folder, size)]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
for (const row of rows) console.log(`| ${row.join(' | ')} |`);

function drawExtract(folder: string, places: number): string {
  const file = join(folder, 'drawn.osm.pbf');
  const nodes = Math.ceil((places * 1_000) / PLACES_OF_THOUSAND);
  execFileSync(process.execPath, [BIG_EXTRACT, file, String(nodes)], { stdio: 'inherit' });
  return file;
}

/** Measures, prints what was found, and returns it as a row. */
async function rowOf(folder: string, files: string[]): Promise<string[]> {
  const [bare, full] = ['without', 'with'].map(name => join(folder, name));
  takeFolder(bare, true)!.release();
  const { places } = await importInto(full, files);
  const layer = currentLayer(placesFolder(full))!;
  const asked = await questionsAbout(layer, Number(values.questions));
  const [without, withExtract] = await holdInTurns([bare, full], targetsOf(asked));
  const [, later] = (['atRest', 'asked'] as const).map(when => {
    printMemory(`without extract, ${when}`, without[when]);
    const more = difference(withExtract[when], without[when]);
    printMemory('with it, more', more);
    return more;
  });
  const longer = withExtract.seconds - without.seconds;
  const processor = withExtract.processor - without.processor;
  console.log(`starts ${longer.toFixed(2)} s later, with ${processor.toFixed(2)} s more of processor time`);
  const { own, costs } = openedAlone(layer);
  return [
    String(places),
    (bytesIn(layer) / MEGABYTE).toFixed(0),
    own.toFixed(0),
    ((own * MEGABYTE) / places).toFixed(0),
    later.files.toFixed(0),
    processor.toFixed(2),
    ...costs.map(microseconds => microseconds.toFixed(0)),
  ];
}

async function importInto(data: string, files: string[]): Promise<{ places: number }> {
  const owned = takeFolder(data, true)!;
  const summary = await importExtracts({ folder: data, files, onProgress: () => {} });
  owned.release();
  return summary;
}

/** Targets of requests, without the key. */
function targetsOf({ points, words: { addresses, names } }: Asked): string[] {
  return [
    ...points.map(({ latitude, longitude }) => `/reverse?lat=${latitude}&lon=${longitude}`),
    ...[...addresses, ...names].map(({ text }) => `/search?q=${encodeURIComponent(text)}`),
  ];
}

/** Starts a service with each data folder in turns. @returns medians */
async function holdInTurns(folders: string[], paths: readonly string[]): Promise<Held[]> {
  const keys = folders.map(data => createKey(data));
  const held = folders.map((): Held[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const i of round % 2 === 0 ? [0, 1] : [1, 0]) held[i].push(await measure(folders[i], keys[i], paths));
  }
  return held.map(all => ({
    atRest: medianMemory(all.map(({ atRest }) => atRest)),
    asked: medianMemory(all.map(({ asked }) => asked)),
    seconds: median(all.map(({ seconds }) => seconds)),
    processor: median(all.map(({ processor }) => processor)),
  }));
}

async function measure(data: string, key: string, paths: readonly string[]): Promise<Held> {
  const [port] = await freePorts(1);
  const startedMs = performance.now();
  const server = startSextant('sextant', port, {
    SEXTANT_DATA: data,
    SEXTANT_HTTP_THREADS: '1',
    SEXTANT_WORKERS: '1',
    SEXTANT_LOG_LEVEL: 'error',
  });
  server.process.stderr!.on('data', text => process.stderr.write(text));
  try {
    await waitUntilAnswering(server, `/?key=${key}`, '{"wifiAccessPoints":[]}');
    const seconds = (performance.now() - startedMs) / 1000;
    const processor = processorSeconds(server);
    await waitUntilQuiet([server]);
    const atRest = memoryOf(server.process.pid!);
    await askAll(server, key, paths);
    await waitUntilQuiet([server]);
    return { atRest, asked: memoryOf(server.process.pid!), seconds, processor };
  } finally {
    await stopServers([server]);
  }
}

/** @throws Error when one is not answered; without the extract a place may be unknown */
async function askAll({ port }: Server, key: string, paths: readonly string[]): Promise<void> {
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < paths.length) {
      const path = paths[next++];
      const answer = await fetch(`http://127.0.0.1:${port}${path}&key=${key}`);
      if (answer.status !== 200 && answer.status !== 404)
        throw new Error(`${path} is answered ${answer.status}: ${await answer.text()}`);
      await answer.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
}

/** What one thread holds and takes, measured in a process of its own (opened.ts). */
function openedAlone(layer: string): Opened {
  const arguments_ = ['--expose-gc', OPENED, layer, values.questions, values.rounds];
  return JSON.parse(execFileSync(process.execPath, arguments_, { encoding: 'utf8' }));
}

function medianMemory(all: readonly Memory[]): Memory {
  return { own: median(all.map(({ own }) => own)), files: median(all.map(({ files }) => files)) };
}
