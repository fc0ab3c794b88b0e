// node --expose-gc bench/footprint/opened.ts LAYER QUESTIONS ROUNDS: what does the layer of an extract take in one
// thread, beside the gazetteer? It prints JSON for extract.ts.

import { Geocoder } from '../../src/geocoding/geocoder.ts';
import { currentLayer, WORLD_FOLDER } from '../../src/tables/places/generations.ts';
import { LayerReader } from '../../src/tables/places/layer.ts';
import { createLayerShare, LayerShareSource } from '../../src/tables/places/layer_share.ts';
import { drawQuestions, type Questions } from '../search/questions.ts';
import { median } from '../statistics.ts';
import { memoryOf } from './resident.ts';

const SEED = 1;
/** Degrees between a place and a point that is asked about. */
const AWAY = 0.0005;

/** What is asked. */
export interface Asked {
  points: { latitude: number; longitude: number }[];
  words: Questions;
}

/** What the layer takes. */
export interface Opened {
  /** Memory of the process that it holds more after all questions, and after a collection of garbage; MB. */
  own: number;
  /** Mean processor time of an address, one mistyped, a name and a point, microseconds. */
  costs: number[];
}

/** Draws questions about the places of a layer. @param count of each sort */
export async function questionsAbout(layer: string, count: number): Promise<Asked> {
  const words = await drawQuestions(layer, layer, count, SEED);
  const reader = new LayerReader(layer);
  const points = Array.from({ length: count }, (_, i) => {
    const { latitude, longitude } = reader.place(1 + Math.floor((i * reader.meta.count) / count))!;
    return { latitude: latitude + AWAY, longitude };
  });
  await reader.close();
  return { words, points };
}

if (import.meta.main) {
  const [layer, questions, rounds] = process.argv.slice(2);
  process.stdout.write(JSON.stringify(await measure(layer, Number(questions), Number(rounds))));
}

async function measure(layer: string, questions: number, rounds: number): Promise<Opened> {
  const { points, words } = await questionsAbout(layer, questions);
  const share = createLayerShare();
  const source = new LayerShareSource(share);
  source.replace({ world: currentLayer(WORLD_FOLDER) });
  const geocoder = await Geocoder.open(share);
  const asks = [words.addresses, words['addresses mistyped'], words.names].map(asked => () => {
    for (const question of asked) geocoder.search(question);
  });
  asks.push(() => {
    for (const point of points) geocoder.reverse({ ...point, zoom: 18, languages: [] });
  });
  for (const ask of asks) ask();
  const before = ownMemory();
  source.replace({ extract: layer });
  for (const ask of asks) ask();
  geocoder.release();
  const own = ownMemory() - before;
  const costs = asks.map(ask => median(Array.from({ length: rounds }, () => processorOf(ask) / questions)));
  await geocoder.close();
  return { own, costs };
}

function ownMemory(): number {
  globalThis.gc!();
  return memoryOf(process.pid).own;
}

/** Microseconds. */
function processorOf(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}
