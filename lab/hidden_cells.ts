// Evaluates the fallbacks. A fifth of a table of cells is hidden, chosen by hash among the cells with at least five
// samples. A service imports the rest and is asked for each hidden cell over HTTP, with each fallback alone and with
// all of them. Its answers are compared with the positions of the cells. `w4f` is for devices that shorten the id, so
// it is asked for known WCDMA cells by the 16 low bits of their ids.

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { countriesOfMcc, countryAt } from '../src/geo/country.ts';
import { kindOfNetworkType } from '../src/radio/cell_kind.ts';
import { FALLBACKS } from '../src/radio/fallbacks.ts';
import { KIND_CDMA, RADIO_TYPES, type RadioType, radioOfKind } from '../src/radio/kind.ts';
import { recogniseCellTable } from '../src/transfer/cell_csv.ts';
import { openCsv } from '../src/transfer/files/csv_file.ts';
import { LabClient } from './client.ts';
import { type Accuracy, Tally } from './evaluation/accuracy.ts';
import { CONNECTIONS, type Guess } from './evaluation/client.ts';
import { mappedInOrder } from './evaluation/in_order.ts';
import { shareBeyond } from './tallies.ts';

const SAMPLES_MIN = 5;
const PARTS = 5;
const HIDDEN_PART = 0;
const SHORTENED_PART = 1;
const SHORT_IDS = 65_536;
const FAR_METRES = 50_000;
const SAMPLES_COLUMN = 9;
const ANY_RADIO = 'any';

/** What to evaluate, and how. */
interface HiddenEvaluation {
  /** Cell tables, plain or gzip. */
  files: readonly string[];
  /**
   * Runs a part of the evaluation against a service that knows these cells and nothing else. @param cells a cell table
   */
  withService<T>(cells: Readable, part: (address: { url: string; key: string }) => Promise<T>): Promise<T>;
  /** Called often, with the current state. */
  onProgress(text: string): void;
}

/** The figures of one fallback on the hidden cells of one country and radio type. */
export interface FallbackAccuracy extends Accuracy {
  mcc: number;
  radio: RadioType | typeof ANY_RADIO;
  /** The flag that was set; may be `all`. */
  fallback: string;
  /** Share of answers with an error above 50 km, 0..1; null if nothing was answered. */
  farShare: number | null;
  /** Number of answers outside the network's country. */
  abroad: number;
  /** Number of answers by the fallback that they name. */
  named: Record<string, number>;
}

/** A cell of the table, and the request for it. */
interface AskedCell {
  mcc: number;
  radio: RadioType;
  latitude: number;
  longitude: number;
  entry: Record<string, number | string>;
  isShortened: boolean;
}

/** Evaluates the tables one after the other. @throws Error for the user */
export async function evaluateHidden({
  files,
  withService,
  onProgress,
}: HiddenEvaluation): Promise<FallbackAccuracy[]> {
  const results: FallbackAccuracy[] = [];
  for (const file of files) {
    const { asked, shown } = await readTable(file);
    if (asked.length === 0) throw new Error(`${file} holds no cell of ${SAMPLES_MIN} samples or more to hide.`);
    results.push(
      ...(await withService(Readable.from(shown), address =>
        ask(asked, address, text => onProgress(`${file}: ${text}`)),
      )),
    );
  }
  return results;
}

async function readTable(file: string): Promise<{ asked: AskedCell[]; shown: string[] }> {
  const csv = await openCsv(file, Readable.from([]));
  let isHeader = recogniseCellTable(csv.name, csv.headRows);
  const asked: AskedCell[] = [];
  const shown: string[] = [];
  for await (const { rows } of csv.blocks()) {
    for (const row of rows) {
      const cell = isHeader || row === undefined || row.length <= SAMPLES_COLUMN ? undefined : askedCell(row);
      if (cell !== undefined) asked.push(cell);
      if (row !== undefined && cell?.isShortened !== false) shown.push(`${row.join(',')}\n`);
      isHeader = false;
    }
  }
  return { asked, shown };
}

/** The request for a row, if its cell is hidden or asked for by a short id. */
function askedCell(row: readonly string[]): AskedCell | undefined {
  const [name, mcc, net, area, id] = row;
  const kind = kindOfNetworkType(name);
  const radio = radioOfKind(kind);
  if (radio === undefined || kind === KIND_CDMA || Number(row[SAMPLES_COLUMN]) < SAMPLES_MIN) return undefined;
  const hash = createHash('sha1').update(row.slice(0, 5).join(',')).digest();
  const part = hash.readUInt32BE(0) % PARTS;
  const isShortened = part === SHORTENED_PART && radio === 'wcdma' && Number(id) >= SHORT_IDS;
  if (part !== HIDDEN_PART && !isShortened) return undefined;
  const entry = {
    radioType: radio,
    mobileCountryCode: Number(mcc),
    mobileNetworkCode: Number(net),
    locationAreaCode: Number(area),
    cellId: isShortened ? Number(id) % SHORT_IDS : Number(id),
  };
  return { mcc: Number(mcc), radio, longitude: Number(row[6]), latitude: Number(row[7]), entry, isShortened };
}

/** A cell that was asked for, and the answer. */
interface Asked {
  cell: AskedCell;
  guess: (Guess & { fallback: string }) | undefined;
  isAbroad: boolean;
}

async function ask(
  asked: readonly AskedCell[],
  { url, key }: { url: string; key: string },
  onProgress: (text: string) => void,
): Promise<FallbackAccuracy[]> {
  const client = new LabClient(url, key);
  const results: FallbackAccuracy[] = [];
  try {
    for (const country of groupsBy(asked, ({ mcc }) => mcc)) {
      for (const fallback of ['all', ...FALLBACKS.map(({ name }) => name)]) {
        const cells = country.filter(({ isShortened }) => isShortened === (fallback === 'w4f'));
        const pooled: Asked[] = [];
        for (const group of groupsBy(cells, ({ radio }) => radio)) {
          const [{ mcc, radio }] = group;
          onProgress(`${radio} by ${fallback}`);
          const answers = await answersTo(group, fallback, client);
          pooled.push(...answers);
          results.push(accuracyOf(mcc, radio, fallback, answers));
        }
        if (cells.length > 0) results.push(accuracyOf(cells[0].mcc, ANY_RADIO, fallback, pooled));
      }
    }
  } finally {
    client.close();
  }
  return results.sort((a, b) => a.mcc - b.mcc || order(a.radio) - order(b.radio));
}

async function answersTo(cells: readonly AskedCell[], fallback: string, client: LabClient): Promise<Asked[]> {
  const homes = countriesOfMcc(cells[0].mcc);
  const answers: Asked[] = [];
  const guesses = mappedInOrder(Readable.from(cells), CONNECTIONS, async (cell: AskedCell) => ({
    cell,
    guess: await client.guess(cell.entry, fallback),
  }));
  for await (const { cell, guess } of guesses) {
    // A shortened id may happen to be the whole id of another cell, which is a direct match.
    if (guess?.fallback === undefined) answers.push({ cell, guess: undefined, isAbroad: false });
    else answers.push({ cell, guess: { ...guess, fallback: guess.fallback }, isAbroad: isOutside(homes, guess) });
  }
  return answers;
}

/** False if the network has no country. */
function isOutside(homes: readonly string[], { latitude, longitude }: Guess): boolean {
  const country = countryAt(latitude, longitude);
  return homes.length > 0 && (country === undefined || !homes.includes(country));
}

function accuracyOf(
  mcc: number,
  radio: FallbackAccuracy['radio'],
  fallback: string,
  answers: readonly Asked[],
): FallbackAccuracy {
  const tally = new Tally();
  for (const { cell, guess } of answers) tally.add(cell, guess);
  const names = answers.flatMap(({ guess }) => guess?.fallback ?? []);
  return {
    mcc,
    radio,
    fallback,
    ...tally.accuracy(),
    farShare: shareBeyond(tally, FAR_METRES),
    abroad: answers.filter(({ isAbroad }) => isAbroad).length,
    named: Object.fromEntries([...Map.groupBy(names, name => name)].map(([name, each]) => [name, each.length])),
  };
}

function groupsBy<T, K>(items: readonly T[], keyOf: (item: T) => K): T[][] {
  return [...Map.groupBy(items, keyOf).values()];
}

/** The order of radio types; all types together come last. */
function order(radio: FallbackAccuracy['radio']): number {
  return radio === ANY_RADIO ? RADIO_TYPES.length : RADIO_TYPES.indexOf(radio);
}
