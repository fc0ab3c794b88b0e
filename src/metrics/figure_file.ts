// The file of a data folder that keeps the steps of the last hour, day and week over a restart: the rings as JSON,
// compressed, with the checksum of the compression. It is written whole and seldom, beside the old one and then in its
// place, so a kill at any moment leaves one or the other. It has at most as many steps as the ranges, so it stays
// small: one of a service that is asked for everything, of which each thread says something, has less than a megabyte
// (test/metrics/figure_file.test.ts).
//
// No backup holds it, as it is no data but what this service did; one that cannot be read is begun anew.

import { existsSync, readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';
import { FIGURES_FILE } from '../folder/data_folder.ts';
import { FIGURE_RANGES, type FigureRange, type Step, StepRing } from './figure_steps.ts';
import { LATENCY_SECONDS } from './request_counts.ts';

const FORMAT = 1;
/** More than any file of this format unpacks to. */
const BYTES_MAX = 64 * 1_048_576;

/** The steps of each range. */
export type FigureRings = Readonly<Record<FigureRange, StepRing>>;

/** Reads the file of a data folder; empty rings where there is none. @throws Error when it cannot be read */
export function readFigureFile(folder: string): FigureRings {
  const path = join(folder, FIGURES_FILE);
  if (!existsSync(path)) return figureRings();
  const text = gunzipSync(readFileSync(path), { maxOutputLength: BYTES_MAX }).toString();
  const { format, bounds, rings } = JSON.parse(text);
  if (format !== FORMAT) throw new Error(`it has format ${format}, and this version reads format ${FORMAT}`);
  if (String(bounds) !== String(LATENCY_SECONDS)) throw new Error('it counts latencies by other bounds');
  return figureRings(rings);
}

/** @param steps of each range; none without */
export function figureRings(steps: Partial<Record<FigureRange, Step[]>> = {}): FigureRings {
  const ringOf = (range: FigureRange): StepRing => new StepRing(FIGURE_RANGES[range], steps[range]);
  return { hour: ringOf('hour'), day: ringOf('day'), week: ringOf('week') };
}

/** Replaces the file, and waits until it is on disk. @throws Error; then the file is as it was */
export async function writeFigureFile(folder: string, rings: FigureRings): Promise<void> {
  const path = join(folder, FIGURES_FILE);
  const content = await promisify(gzip)(JSON.stringify({ format: FORMAT, bounds: LATENCY_SECONDS, rings }));
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
}
