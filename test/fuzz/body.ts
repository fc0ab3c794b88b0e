// Compares the scan of bodies with JSON.parse and the readers, over mutated bodies of real shapes (shapes.ts,
// mutate.ts). What the scan accepts must give the same query, byte for byte, the same outcome, and the same error where
// the structure is wrong. The test runs some ten thousand cases; the whole run is
//
//   node test/fuzz/body.ts 2000000 [SEED]

import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '../../src/protocol/errors.ts';
import { parseChecked } from '../../src/protocol/requests/body.ts';
import {
  PositionParser,
  queryBytesOf,
  type ReadOutcome,
  readQuery,
  readScanned,
} from '../../src/protocol/requests/position_query.ts';
import { checkStructure, type PositionBody } from '../../src/protocol/requests/schema.ts';
import { QueryMemory } from '../../src/radio/query/memory.ts';
import { QueryWriter } from '../../src/radio/query/writer.ts';
import { uniform } from '../kits/random.ts';
import { mutate } from './mutate.ts';
import { drawShapes } from './shapes.ts';

const ARRIVAL_MS = 1_700_000_000_000;
const QUERY_BYTES = 8_388_608;

/** What a body becomes: an error, of its JSON or of its structure, or a query with what is asked for beside it. */
type Reading =
  | { error: string; isJson: boolean }
  | { query: Uint8Array; outcome: ReadOutcome; geoname: unknown; address: unknown };

/** Counts of a run, or of one shape in it. */
interface Tally {
  cases: number;
  /** Bodies that JSON.parse reads. */
  json: number;
  /** Bodies that the scan accepts. */
  accepted: number;
}

/** The result of a run. */
interface FuzzResult extends Tally {
  shapes: Map<string, Tally>;
  /** The first bodies that were read differently, and how. */
  differences: string[];
}

const parser = new PositionParser();
const written = {
  old: new QueryWriter(new QueryMemory(new ArrayBuffer(QUERY_BYTES))),
  new: new QueryWriter(new QueryMemory(new ArrayBuffer(QUERY_BYTES))),
};

/** Two readings of one body. */
interface Comparison {
  isJson: boolean;
  isAccepted: boolean;
  /** How they differ. */
  difference: string | undefined;
}

/** Compares the readings of one body. */
export function compareReadings(body: Buffer): Comparison {
  const scanned = readByScan(body);
  const parsed = readByParse(body);
  const isJson = 'query' in parsed || parsed.isJson;
  const isAccepted = scanned !== undefined;
  if (!isAccepted || isDeepStrictEqual(scanned, parsed)) return { isJson, isAccepted, difference: undefined };
  const shown = body.toString('latin1').slice(0, 2000);
  return {
    isJson,
    isAccepted,
    difference: `${shown}\n  scanned: ${describe(scanned)}\n  parsed:  ${describe(parsed)}`,
  };
}

/** Runs the cases, the shapes in turns. */
export function fuzzBodies(cases: number, seed: number): FuzzResult {
  const random = uniform(seed);
  const shapes = drawShapes();
  const all = shapes.flatMap(({ bodies }) => bodies);
  const result: FuzzResult = { cases: 0, json: 0, accepted: 0, shapes: new Map(), differences: [] };
  for (; result.cases < cases; result.cases++) {
    const { name, bodies } = shapes[result.cases % shapes.length];
    const body = mutate(bodies[Math.floor(random() * bodies.length)], random, all);
    count(result, name, compareReadings(body));
  }
  return result;
}

/** Reads the bodies of all shapes as they are. */
export function readShapes(): FuzzResult {
  const result: FuzzResult = { cases: 0, json: 0, accepted: 0, shapes: new Map(), differences: [] };
  for (const { name, bodies } of drawShapes()) {
    for (const body of bodies) {
      result.cases++;
      count(result, name, compareReadings(body));
    }
  }
  return result;
}

function count(result: FuzzResult, name: string, { isJson, isAccepted, difference }: Comparison): void {
  const tally = result.shapes.get(name) ?? { cases: 0, json: 0, accepted: 0 };
  result.shapes.set(name, tally);
  tally.cases++;
  for (const one of [tally, result]) {
    if (isJson) one.json++;
    if (isAccepted) one.accepted++;
  }
  if (difference !== undefined) result.differences.push(difference);
}

function readByScan(bytes: Buffer): Reading | undefined {
  const body = parser.scan(bytes);
  if (body === undefined) return undefined;
  return read(body.rest, written.new, writer => readScanned(body, ARRIVAL_MS, writer, 0));
}

function readByParse(bytes: Buffer): Reading {
  try {
    const body = parseChecked(bytes);
    return read(body as PositionBody, written.old, writer => {
      if (queryBytesOf(body as PositionBody) > QUERY_BYTES)
        throw new Error(`A query of ${bytes.length} bytes of body does not fit.`);
      return readQuery(body as PositionBody, ARRIVAL_MS, writer, 0);
    });
  } catch (error) {
    if (error instanceof ApiError) return { error: error.message, isJson: false };
    throw error;
  }
}

/** @param write reads the body, whose structure is right, and writes its query at 0 */
function read(body: PositionBody, writer: QueryWriter, write: (writer: QueryWriter) => ReadOutcome): Reading {
  try {
    checkStructure(body);
  } catch (error) {
    return { error: (error as Error).message, isJson: true };
  }
  const outcome = write(writer);
  // Keys do not fill their space. What is written next must not lie in what was left there.
  const query = writer.memory.u8.slice(0, outcome.end);
  writer.memory.u8.fill(0, 0, outcome.end);
  return { query, outcome, geoname: body.geoname, address: body.address };
}

function describe(reading: Reading): string {
  return JSON.stringify(
    'query' in reading ? { ...reading, query: Buffer.from(reading.query).toString('hex') } : reading,
  );
}

function print(title: string, result: FuzzResult): void {
  console.log(`${title}: ${describeTally(result)}, ${result.differences.length} differences`);
  for (const [name, tally] of result.shapes) console.log(`  ${name}: ${describeTally(tally)}`);
  for (const difference of result.differences.slice(0, 3)) console.log(difference);
}

function describeTally({ cases, json, accepted }: Tally): string {
  return (
    `${cases} cases, ${json} of them JSON, ${accepted} accepted (${((100 * accepted) / json).toFixed(1)} % of ` +
    `the JSON)`
  );
}

if (import.meta.main) {
  const [cases = '30000', seed = '1'] = process.argv.slice(2);
  const runs = [readShapes(), fuzzBodies(Number(cases), Number(seed))];
  print('As sent', runs[0]);
  print('Mutated', runs[1]);
  process.exitCode = runs.some(({ differences }) => differences.length > 0) ? 1 : 0;
}
