// Real scans with GPS truth, as folds: stations are built from the training folds, and the scans of the test fold are
// located. Where the folder of the shared data is absent there is nothing to test.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { quantile } from '../../lab/evaluation/quantile.ts';
import { KIND_GSM, RADIO_TYPES, type RadioType } from '../../src/radio/kind.ts';
import { parseMac } from '../../src/radio/mac.ts';
import { type Station, stationAt } from '../../src/tables/stations/station.ts';
import type { Outcome } from '../kits/radio/drawn_town.ts';
import { metresTo, type Position } from '../kits/radio/ground.ts';
import { cellKey } from '../kits/radio/stations.ts';
import { World } from '../kits/radio/world.ts';

const FOLDER = new URL('../../../shared/data/positioning/', import.meta.url);

/** Why a file cannot be used; undefined when it can. */
export function whyNoScans(file: string): string | undefined {
  return existsSync(new URL(file, FOLDER)) ? undefined : `skipped: ${file} is not next to the checkout`;
}

interface CellSighting {
  radio: RadioType;
  mcc: number;
  mnc: number;
  lac: number | null;
  cid: number | null;
  rss: number | null;
  s: number;
}

interface CellScan {
  g: string;
  lat: number;
  lon: number;
  acc: number | null;
  cells: CellSighting[];
}

interface WifiScan {
  dev: string;
  t: number;
  lat: number;
  lon: number;
  acc: number;
  aps: [mac: string, signalDbm: number, channel: number][];
}

/** What was measured on one set. */
export interface Comparison extends Outcome {
  /** Errors of the mean weighted by 10^(s/20) / r50^2 of the same scans (cells), or of the plain centroid (WiFi). */
  baseline: number[];
  tested: number;
}

/** An observation of a station in the training folds. */
type Observed = readonly [place: Position, signalDbm: number];

/** Locates each of the folds 1..4 of a set of cell scans by the cells of the other three. */
export async function compareCells(file: string): Promise<Comparison> {
  const result: Comparison = { errors: [], radii: [], baseline: [], tested: 0 };
  const scans = firstAtEachFix(readLines<CellScan>(file).filter(({ acc }) => acc === null || acc <= 30));
  for (let fold = 1; fold < 5; fold++) {
    const observed = new Map<string, Observed[]>();
    for (const { g, lat, lon, cells } of scans) {
      if (foldOf(g) === fold) continue;
      for (const cell of cells) if (isWhole(cell)) observe(observed, keyOf(cell), [[lat, lon], cell.rss ?? -95]);
    }
    const stations = new Map([...observed].map(([key, seen]) => [key, stationOf(seen, 10)]));
    const world = new World();
    for (const [key, station] of stations) world.add(Buffer.from(key, 'hex'), station);
    await world.build();
    for (const { g, lat, lon, cells } of scans) {
      const whole = cells.filter(isWhole);
      if (foldOf(g) !== fold || whole.length === 0) continue;
      result.tested++;
      const question = world.ask();
      for (const cell of whole)
        question.cellByKey(Buffer.from(keyOf(cell), 'hex'), cell.rss ?? undefined, cell.s === 1);
      const answer = question.answer();
      if (answer === undefined) continue;
      result.errors.push(metresTo(answer, [lat, lon]));
      result.radii.push(answer.accuracyMetres);
      const known = whole.filter(cell => stations.has(keyOf(cell)));
      const centre = weightedMean(
        known.map(cell => {
          const { latitude, longitude, r50Metres } = stations.get(keyOf(cell)) as Station;
          return [[latitude, longitude], 10 ** ((cell.rss ?? -95) / 20) / r50Metres ** 2];
        }),
      );
      result.baseline.push(metresTo(centre, [lat, lon]));
    }
    await world.close();
  }
  return result;
}

/** Locates the outdoor WiFi scans, split by blocks of two minutes. */
export async function compareWifi(file: string): Promise<Comparison> {
  const result: Comparison = { errors: [], radii: [], baseline: [], tested: 0 };
  const scans = merged(readLines<WifiScan>(file).filter(({ acc }) => acc <= 25)).filter(({ aps }) => aps.length >= 2);
  const blockOf = ({ dev, t }: WifiScan) => `${dev}:${Math.floor(t / 120)}`;
  for (let fold = 0; fold < 5; fold++) {
    const observed = new Map<string, Observed[]>();
    for (const scan of scans) {
      if (foldOf(blockOf(scan)) === fold) continue;
      for (const [mac, signalDbm] of scan.aps) observe(observed, mac, [[scan.lat, scan.lon], signalDbm]);
    }
    const stations = new Map([...observed].map(([mac, seen]) => [mac, stationOf(seen, 20)]));
    const world = new World();
    for (const [mac, station] of stations) world.addWifi(parseMac(mac), station);
    await world.build();
    for (const scan of scans) {
      if (foldOf(blockOf(scan)) !== fold) continue;
      result.tested++;
      const question = world.ask();
      for (const [mac, signalDbm, channel] of scan.aps)
        question.wifiByMac(parseMac(mac), signalDbm, { frequency: channel > 14 ? 5180 : 2437 });
      const answer = question.answer();
      if (answer === undefined) continue;
      result.errors.push(metresTo(answer, [scan.lat, scan.lon]));
      result.radii.push(answer.accuracyMetres);
      const known = scan.aps.flatMap(([mac]) => stations.get(mac) ?? []);
      result.baseline.push(
        metresTo(weightedMean(known.map(({ latitude, longitude }) => [[latitude, longitude], 1])), [
          scan.lat,
          scan.lon,
        ]),
      );
    }
    await world.close();
  }
  return result;
}

/** A station out of its observations: their mean by amplitude, and the distances from it that hold 50 and 95 %. */
function stationOf(seen: readonly Observed[], r50Floor: number): Station {
  const centre = weightedMean(seen.map(([place, signalDbm]) => [place, 10 ** (signalDbm / 20)]));
  const distances = seen.map(([place]) => metresTo(place, centre));
  const station = stationAt(
    ...centre,
    Math.max(r50Floor, quantile(distances, 0.5)),
    Math.max(2 * r50Floor, quantile(distances, 0.95)),
  );
  return { ...station, samples: seen.length };
}

function weightedMean(weighed: readonly (readonly [Position, number])[]): Position {
  let weights = 0;
  let latitude = 0;
  let longitude = 0;
  for (const [place, weight] of weighed) {
    weights += weight;
    latitude += weight * place[0];
    longitude += weight * place[1];
  }
  return [latitude / weights, longitude / weights];
}

function observe(observed: Map<string, Observed[]>, key: string, observation: Observed): void {
  const seen = observed.get(key);
  if (seen === undefined) observed.set(key, [observation]);
  else seen.push(observation);
}

function isWhole({ lac, cid }: CellSighting): boolean {
  return lac !== null && cid !== null;
}

/** The station key in hexadecimal. */
function keyOf({ radio, mcc, mnc, lac, cid }: CellSighting): string {
  return cellKey(KIND_GSM + RADIO_TYPES.indexOf(radio), mcc, mnc, lac ?? 0, cid ?? 0).toString('hex');
}

/** Only the first scan at each new fix of a group: a parked phone is one observation. */
function firstAtEachFix(scans: readonly CellScan[]): CellScan[] {
  const last = new Map<string, string>();
  return scans.filter(({ g, lat, lon }) => {
    const fix = `${lat},${lon}`;
    const isNew = last.get(g) !== fix;
    last.set(g, fix);
    return isNew;
  });
}

/** Scans of one device within 4 s and 15 m are one. */
function merged(scans: readonly WifiScan[]): WifiScan[] {
  const result: WifiScan[] = [];
  for (const scan of [...scans].sort((a, b) => (a.dev === b.dev ? a.t - b.t : a.dev < b.dev ? -1 : 1))) {
    const before = result.at(-1);
    if (
      before?.dev === scan.dev &&
      scan.t - before.t <= 4 &&
      metresTo([before.lat, before.lon], [scan.lat, scan.lon]) <= 15
    ) {
      for (const sighting of scan.aps) if (!before.aps.some(([mac]) => mac === sighting[0])) before.aps.push(sighting);
    } else {
      result.push({ ...scan, aps: [...scan.aps] });
    }
  }
  return result;
}

function foldOf(key: string): number {
  return Number.parseInt(createHash('sha1').update(key).digest('hex').slice(0, 8), 16) % 5;
}

function readLines<T>(file: string): T[] {
  return gunzipSync(readFileSync(new URL(file, FOLDER)))
    .toString()
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as T);
}
