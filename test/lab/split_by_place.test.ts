import { afterEach, beforeEach, expect, test } from 'vitest';
import { heldBack, trainingScans } from '../../lab/evaluation/evaluate.ts';
import type { Scan } from '../../lab/evaluation/scan.ts';
import { openScans } from '../../lab/evaluation/scan_file.ts';
import { gapMetres, splitByPlace } from '../../lab/split_by_place.ts';
import { cellLine, ScanFolder } from './evaluation/scan_folder.ts';

let folder: ScanFolder;

beforeEach(() => {
  folder = new ScanFolder();
});

afterEach(() => folder.remove());

/** Scans from west to east, 20 m apart on the equator; one cell each, all of one track. */
const METRES_APART = 20;
const LONGITUDES = Array.from({ length: 41 }, (_, i) => (i * METRES_APART) / 111_195);

async function longitudesOf(scans: AsyncGenerator<Scan>): Promise<number[]> {
  const found: number[] = [];
  for await (const { longitude } of scans) found.push(longitude);
  return found;
}

test('what is west of the median meridian is learned, what is east of it held back, and the other way round', async () => {
  const lines = LONGITUDES.map((longitude, i) => cellLine('track', 0, longitude, i + 1));
  const set = await splitByPlace(await openScans(folder.write('street.jsonl', lines)));
  expect(set.name).toBe('street, by place');
  // A gap of 100 m around the scan in the middle holds two on either side of it.
  expect(gapMetres(set.kind)).toBe(100);
  const west = LONGITUDES.slice(0, 18);
  const east = LONGITUDES.slice(-18);
  expect(await longitudesOf(trainingScans(set, 1))).toEqual(west);
  expect(await longitudesOf(heldBack(set, 1))).toEqual(east);
  expect(await longitudesOf(trainingScans(set, 2))).toEqual(east);
  expect(await longitudesOf(heldBack(set, 2))).toEqual(west);
});
