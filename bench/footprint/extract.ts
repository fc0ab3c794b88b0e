// node bench/footprint/extract.ts FILE.osm.pbf… [options]: what does it take to serve an extract? Two services start in
// turns, one with these extracts and one with the gazetteer alone. Both answer the same questions about places of the
// extracts: points, and addresses and names as words. It prints what the first holds beyond the second, before the
// questions and after them, when both have been quiet, and how much longer it takes to start. Then one thread answers
// questions. It ends with a row of the table in docs/benchmarks.md.
//
//   --places N,N    extracts that are drawn with so many places (bench/big_extract.ts), one after the other
//   --questions N   points, addresses and names of each sort (1000)
//   --rounds N      starts of each service, and times each question is answered; medians are printed (3)

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeFolder } from '../../src/folder/data_folder.ts';
import { Geocoder } from '../../src/geocoding/geocoder.ts';
import { importExtracts } from '../../src/geocoding/import/import_extracts.ts';
import { currentLayer, placesFolder, WORLD_FOLDER } from '../../src/tables/places/generations.ts';
import { LayerReader } from '../../src/tables/places/layer.ts';
import { createLayerShare, LayerShareSource } from '../../src/tables/places/layer_share.ts';
import { headerOf, readArguments } from '../command_line.ts';
import { createKey } from '../data_folders.ts';
import { drawQuestions, type Questions } from '../search/questions.ts';
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
import { difference, type Memory, memoryOf, printMemory } from './resident.ts';

const SEED = 1;
const AT_ONCE = 8;
const MEGABYTE = 1_048_576;
const BIG_EXTRACT = fileURLToPath(new URL('../big_extract.ts', import.meta.url));
/** Places of a thousand nodes that it draws. */
const PLACES_OF_THOUSAND = 89;
/** Degrees between a place and a point that is asked about. */
const AWAY = 0.0005;
const COLUMNS = [
  'places',
  'disk, MB',
  'own memory, MB',
  'bytes a place',
  'pages of files, MB',
  'longer start, s',
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

/** What is asked. */
interface Asked {
  points: { latitude: number; longitude: number }[];
  words: Questions;
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
  const [rest, later] = (['atRest', 'asked'] as const).map(when => {
    printMemory(`without extract, ${when}`, without[when]);
    const more = difference(withExtract[when], without[when]);
    printMemory('with it, more', more);
    return more;
  });
  const longer = withExtract.seconds - without.seconds;
  const processor = withExtract.processor - without.processor;
  console.log(`starts ${longer.toFixed(2)} s later, with ${processor.toFixed(2)} s more of processor time`);
  const own = Math.max(rest.own, later.own);
  return [
    String(places),
    (bytesIn(layer) / MEGABYTE).toFixed(0),
    own.toFixed(0),
    ((own * MEGABYTE) / places).toFixed(0),
    later.files.toFixed(0),
    longer.toFixed(2),
    ...(await costs(layer, asked)).map(microseconds => microseconds.toFixed(0)),
  ];
}

async function importInto(data: string, files: string[]): Promise<{ places: number }> {
  const owned = takeFolder(data, true)!;
  const summary = await importExtracts({ folder: data, files, onProgress: () => {} });
  owned.release();
  return summary;
}

async function questionsAbout(layer: string, count: number): Promise<Asked> {
  const words = await drawQuestions(layer, layer, count, SEED);
  const reader = new LayerReader(layer);
  const points = Array.from({ length: count }, (_, i) => {
    const { latitude, longitude } = reader.place(1 + Math.floor((i * reader.meta.count) / count))!;
    return { latitude: latitude + AWAY, longitude };
  });
  await reader.close();
  return { words, points };
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

/** Mean processor time of an address, one mistyped, a name and a point, microseconds, beside the gazetteer. */
async function costs(extract: string, { points, words }: Asked): Promise<number[]> {
  const share = createLayerShare();
  const source = new LayerShareSource(share);
  source.replace({ extract, world: currentLayer(WORLD_FOLDER) });
  const geocoder = await Geocoder.open(share);
  const asks = [words.addresses, words['addresses mistyped'], words.names].map(questions => () => {
    for (const question of questions) geocoder.search(question);
  });
  asks.push(() => {
    for (const point of points) geocoder.reverse({ ...point, zoom: 18, languages: [] });
  });
  const means = asks.map(ask => {
    ask();
    const times = Array.from({ length: rounds }, () => {
      const before = process.threadCpuUsage();
      ask();
      geocoder.release();
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / points.length;
    });
    return median(times);
  });
  await geocoder.close();
  source.close();
  return means;
}

function medianMemory(all: readonly Memory[]): Memory {
  return { own: median(all.map(({ own }) => own)), files: median(all.map(({ files }) => files)) };
}

function bytesIn(path: string): number {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries
    .filter(entry => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
