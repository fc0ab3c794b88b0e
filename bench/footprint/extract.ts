// node bench/footprint/extract.ts FILE.osm.pbf… [options]: what does an extract hold in memory? Two services start in
// turns, one with these extracts and one with the gazetteer alone. Both answer the same questions about places of the
// extracts: points, and addresses and names as words. It prints what the first holds beyond the second, before the
// questions and after them, when both have been quiet. It ends with the bytes of the extracts on disk.
//
//   --questions N   points, addresses and names of each sort (1000)
//   --rounds N      starts of each service; medians are printed (3)

import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeFolder } from '../../src/folder/data_folder.ts';
import { importExtracts } from '../../src/geocoding/import/import_extracts.ts';
import { currentLayer, placesFolder } from '../../src/tables/places/generations.ts';
import { LayerReader } from '../../src/tables/places/layer.ts';
import { headerOf, readArguments } from '../command_line.ts';
import { createKey } from '../data_folders.ts';
import { drawQuestions } from '../search/questions.ts';
import { freePorts, type Server, startSextant, stopServers, waitUntilAnswering, waitUntilQuiet } from '../server.ts';
import { median } from '../statistics.ts';
import { difference, type Memory, memoryOf, printMemory } from './resident.ts';

const SEED = 1;
const AT_ONCE = 8;
const MEGABYTE = 1_048_576;

/** What one start of a service held. */
interface Held {
  atRest: Memory;
  asked: Memory;
}

const { values, positionals: files } = readArguments(headerOf(import.meta.url), {
  allowPositionals: true,
  options: { questions: { type: 'string', default: '1000' }, rounds: { type: 'string', default: '3' } },
});
if (files.length === 0) throw new Error('Arguments: FILE.osm.pbf…');
const folder = mkdtempSync(join(tmpdir(), 'sextant-extract-'));
try {
  const [bare, full] = ['without', 'with'].map(name => join(folder, name));
  takeFolder(bare, true)!.release();
  const { places } = await importInto(full);
  const layer = currentLayer(placesFolder(full))!;
  const paths = await questionsAbout(layer, Number(values.questions));
  const held = new Map<string, Held[]>([bare, full].map(data => [data, []]));
  const keys = new Map([bare, full].map(data => [data, createKey(data)]));
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const data of round % 2 === 0 ? [bare, full] : [full, bare])
      held.get(data)!.push(await measure(data, keys.get(data)!, paths));
  }
  for (const when of ['atRest', 'asked'] as const) {
    const [without, withExtract] = [bare, full].map(data => medianMemory(held.get(data)!.map(each => each[when])));
    const title = when === 'atRest' ? 'at rest' : `after ${paths.length} questions`;
    printMemory(`without extract, ${title}`, without);
    printMemory(`with it, more`, difference(withExtract, without));
  }
  console.log(`${places} places, ${(bytesIn(layer) / MEGABYTE).toFixed(0)} MB on disk`);
} finally {
  rmSync(folder, { recursive: true });
}

async function importInto(data: string): Promise<{ places: number }> {
  const owned = takeFolder(data, true)!;
  const summary = await importExtracts({ folder: data, files, onProgress: () => {} });
  owned.release();
  return summary;
}

/** Targets of requests, without the key. */
async function questionsAbout(layer: string, count: number): Promise<string[]> {
  const { addresses, names } = await drawQuestions(layer, layer, count, SEED);
  const words = [...addresses, ...names].map(({ text }) => `/search?q=${encodeURIComponent(text)}`);
  const reader = new LayerReader(layer);
  const points = Array.from(
    { length: count },
    (_, i) => reader.place(1 + Math.floor((i * reader.meta.count) / count))!,
  );
  const targets = [...points.map(({ latitude, longitude }) => `/reverse?lat=${latitude}&lon=${longitude}`), ...words];
  await reader.close();
  return targets;
}

async function measure(data: string, key: string, paths: readonly string[]): Promise<Held> {
  const [port] = await freePorts(1);
  const server = startSextant('sextant', port, {
    SEXTANT_DATA: data,
    SEXTANT_HTTP_THREADS: '1',
    SEXTANT_WORKERS: '1',
    SEXTANT_LOG_LEVEL: 'error',
  });
  server.process.stderr!.on('data', text => process.stderr.write(text));
  try {
    await waitUntilAnswering(server, `/?key=${key}`, '{"wifiAccessPoints":[]}');
    await waitUntilQuiet([server]);
    const atRest = memoryOf(server.process.pid!);
    await askAll(server, key, paths);
    await waitUntilQuiet([server]);
    return { atRest, asked: memoryOf(server.process.pid!) };
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

function medianMemory(all: readonly Memory[]): Memory {
  return { own: median(all.map(({ own }) => own)), files: median(all.map(({ files }) => files)) };
}

function bytesIn(path: string): number {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries
    .filter(entry => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
