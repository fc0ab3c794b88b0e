// node bench/search/cost.ts [options]: what does a search by words cost, in microseconds? The service has an extract of
// a real country, the gazetteer of the world, or both, and answers questions of five classes (questions.ts), each
// twice. The mean is of the processor's time, whose clock has ticks longer than an answer; the quantiles are of the
// shorter of two times, and mean something only on a quiet machine.
//
//   --against CHECKOUT    another checkout answers the same questions in turns; answers that differ are counted
//   --worst N             looks for the costliest question with N mutations (worst.ts)
//   --places N,N          drawn countries of these sizes instead of the real one (drawn_places.ts)
//   --loaded both         only this; otherwise the extract, the gazetteer and both
//   --questions N, --seed N, --differences N (how many differing answers to print)

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quantile } from '../../lab/evaluation/quantile.ts';
import type { SearchQuestion } from '../../src/geocoding/search/question.ts';
import { headerOf, readArguments } from '../command_line.ts';
import { Checkout, type LayerFolders, LOADED, type Loaded, type Subject } from './checkouts.ts';
import { drawPlaces } from './drawn_places.ts';
import { CLASSES, drawQuestions, type Questions, wordsOfPlaces } from './questions.ts';
import { searchWorst } from './worst.ts';

const LIECHTENSTEIN = fileURLToPath(
  new URL('../../../shared/data/osm/liechtenstein-2025-09-19.osm.pbf', import.meta.url),
);
/** Questions are asked in turns in blocks of this many, so that each checkout finds its own code and data warm. */
const BLOCK = 25;
const RUNS = 2;
const WARM_QUESTIONS = 300;
const WORDS = 2_000;

const { values } = readArguments(headerOf(import.meta.url), {
  options: {
    against: { type: 'string' },
    worst: { type: 'string' },
    places: { type: 'string' },
    questions: { type: 'string', default: '600' },
    seed: { type: 'string', default: '1' },
    differences: { type: 'string', default: '0' },
    loaded: { type: 'string' },
  },
});
const seed = Number(values.seed);
const checkouts = [new Checkout(), ...(values.against === undefined ? [] : [new Checkout(values.against)])];
const NAMES = ['this', 'other'];

if (values.places === undefined && !existsSync(LIECHTENSTEIN))
  throw new Error(`There is no ${LIECHTENSTEIN}. Use --places.`);
for (const count of values.places?.split(',').map(Number) ?? [undefined]) {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-search-'));
  try {
    await measure(count, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Measures one extract. @param places of a drawn country; undefined = the real one */
async function measure(places: number | undefined, folder: string): Promise<void> {
  console.log(places === undefined ? 'Liechtenstein' : `${places} drawn places`);
  const layers: LayerFolders[] = [];
  for (const [i, checkout] of checkouts.entries()) {
    const before = process.cpuUsage();
    const path = join(folder, NAMES[i]);
    const extract = await (places === undefined
      ? checkout.importExtract(LIECHTENSTEIN, path)
      : checkout.draw(drawPlaces(places, seed), path));
    const { user, system } = process.cpuUsage(before);
    console.log(`built by ${NAMES[i]} in ${((user + system) / 1e6).toFixed(1)} s of processor time`);
    layers.push({ extract, world: await checkout.world() });
  }
  const questions = await drawQuestions(layers[0].extract, layers[0].world, Number(values.questions), seed);
  for (const loaded of LOADED.filter(each => each === (values.loaded ?? (places === undefined ? each : 'both')))) {
    const subjects = await Promise.all(checkouts.map((checkout, i) => checkout.open(layers[i], loaded)));
    try {
      if (values.worst === undefined) tabulate(subjects, questions, loaded);
      else await printWorst(subjects, layers[0], loaded);
    } finally {
      for (const subject of subjects) await subject.close();
    }
  }
}

function tabulate(subjects: readonly Subject[], questions: Questions, loaded: Loaded): void {
  for (const name of CLASSES) {
    const asked = questions[name];
    for (const subject of subjects) for (const question of asked.slice(0, WARM_QUESTIONS)) subject.ask(question);
    const measured = subjects.map(() => ({ times: [] as number[], processor: 0 }));
    for (let from = 0; from < asked.length; from += BLOCK) {
      for (const [i, subject] of subjects.entries()) {
        const before = process.threadCpuUsage();
        measured[i].times.push(...timesOf(subject, asked.slice(from, from + BLOCK)));
        const { user, system } = process.threadCpuUsage(before);
        measured[i].processor += user + system;
      }
    }
    const figures = measured
      .map(({ times, processor }, i) => `${NAMES[i]} ${figuresOf(times, processor / RUNS)}`)
      .join('   ');
    console.log(
      `${loaded.padEnd(8)}${name.padEnd(20)}${figures}${subjects.length < 2 ? '' : differences(subjects, asked)}`,
    );
  }
}

/** The time of each question, the shortest of all runs. */
function timesOf(subject: Subject, questions: readonly SearchQuestion[]): number[] {
  const runs = Array.from({ length: RUNS }, () => questions.map(question => subject.time(question)));
  return questions.map((_, i) => Math.min(...runs.map(times => times[i])));
}

/** @param processor time of all questions, microseconds */
function figuresOf(times: readonly number[], processor: number): string {
  const [p50, p99, worst] = [0.5, 0.99, 1].map(share => quantile([...times], share));
  const columns = Object.entries({ mean: processor / times.length, p50, p99, worst });
  return columns.map(([name, value]) => `${name} ${value.toFixed(0).padStart(5)}`).join(' ');
}

/** How many answers differ, in their first place and at all. */
function differences([one, other]: readonly Subject[], asked: Questions[keyof Questions]): string {
  let [first, all, left] = [0, 0, Number(values.differences)];
  for (const question of asked) {
    const [a, b] = [one.ask(question), other.ask(question)];
    if (a[0] !== b[0]) first++;
    if (a.join('\n') === b.join('\n')) continue;
    all++;
    if (left-- > 0) console.log(question.text, '\n  this', a.slice(0, 4), '\n  other', b.slice(0, 4));
  }
  return `   differ: first ${first}, any ${all} of ${asked.length}`;
}

async function printWorst(subjects: readonly Subject[], layers: LayerFolders, loaded: Loaded): Promise<void> {
  const words = [
    ...(await wordsOfPlaces(layers.world, WORDS, seed)),
    ...(await wordsOfPlaces(layers.extract, WORDS, seed)),
  ];
  for (const [i, subject] of subjects.entries()) {
    const { question, microseconds } = searchWorst(subject, words, seed, Number(values.worst));
    const { text, isAutocomplete, limit, isBounded } = question;
    console.log(
      `${loaded.padEnd(8)}${NAMES[i]} worst ${microseconds.toFixed(0)} us: ` +
        `${JSON.stringify({ text, isAutocomplete, limit, isBounded })}`,
    );
  }
}
