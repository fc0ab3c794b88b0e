// Opens a file of fingerprints and recognises its form by its content: CSV of our own, UJIIndoorLoc as CSV or in its
// archive, and walks between way-points. Text may be compressed with gzip.

import type { Readable } from 'node:stream';
import { firstBytes } from '../../../config/regular_file.ts';
import { csvOf } from '../../../transfer/files/csv_file.ts';
import { openText, readText, type TextFile } from '../../../transfer/files/text_file.ts';
import { openArchive } from '../../../transfer/files/zip_archive.ts';
import { floorIndexOf, mapsFolder, readFloorPlan } from '../surveys/floor_plan.ts';
import { membersOf } from '../surveys/line_value.ts';
import { WalkLines, type WalkScan } from '../surveys/walk_lines.ts';
import type { FoundScan } from './found_scan.ts';
import { isSurveyHeader, SurveyRows } from './survey_csv.ts';
import { isUjiHeader, UjiRows } from './ujiindoorloc.ts';

/** A file being read. */
export interface FingerprintFile {
  /** All scans, in blocks. @throws Error naming the line and the member that are wrong */
  scans(): AsyncGenerator<FoundScan[]>;
  /** Bytes read from disk so far, before decompression. */
  bytesRead(): number;
  close(): void;
}

/** A walk with all of its scans is one line. */
const WALK_BYTES_MAX = 64 * 1024 * 1024;
/** Stands for what is none of UTF-8, and in no name. */
const REPLACEMENT = '\ufffd';
const ARCHIVE_MARK = 'PK\x03\x04';
const FORMS = 'CSV with a header (docs/indoor.md), UJIIndoorLoc, walks ("wp")';

/** @throws Error when the file is missing, empty, damaged or of no known form */
export async function openFingerprintFile(path: string, stdin: Readable): Promise<FingerprintFile> {
  if (isArchive(path)) return openUjiArchive(path);
  const text = await openText(path, stdin);
  if (/^\s*\{/.test(text.head.toString('utf8', 0, 64))) return { ...textPart(text), scans: () => walksOf(path, text) };
  return ofCsv(path, text);
}

function isArchive(path: string): boolean {
  return path !== '-' && firstBytes(path, ARCHIVE_MARK.length).toString('latin1') === ARCHIVE_MARK;
}

/**
 * Of the two files of the archive that which is for learning; the other is for those who measure how well a position is
 * found.
 */
async function openUjiArchive(path: string): Promise<FingerprintFile> {
  const archive = await openArchive(path);
  const training = archive.entries.find(({ name }) => /(^|\/)trainingData\.csv$/i.test(name));
  if (training === undefined) {
    archive.close();
    throw new Error(`${path} is an archive without trainingData.csv: of archives only that of UJIIndoorLoc is known.`);
  }
  const file = ofCsv(training.fullName, await readText(training.fullName, await training.open()));
  const close = (): void => {
    file.close();
    archive.close();
  };
  return { ...file, close };
}

function textPart({ bytesRead, close }: TextFile): Pick<FingerprintFile, 'bytesRead' | 'close'> {
  return { bytesRead, close };
}

function ofCsv(name: string, text: TextFile): FingerprintFile {
  const header = csvOf(text).headRows[0] ?? [];
  if (isUjiHeader(header)) return { ...textPart(text), scans: () => ujiScansOf(name, text, header) };
  if (isSurveyHeader(header)) return { ...textPart(text), scans: () => surveyScansOf(name, text, header) };
  text.close();
  throw new Error(`${name} is none of the forms that are known: ${FORMS}.`);
}

async function* surveyScansOf(name: string, text: TextFile, header: readonly string[]): AsyncGenerator<FoundScan[]> {
  const rows = inLine(name, 1, () => new SurveyRows(header));
  for await (const block of rowsOf(name, text)) {
    const found = block.flatMap(({ line, row }) => inLine(name, line, () => rows.add(row)) ?? []);
    yield found;
  }
  const last = rows.end();
  if (last !== undefined) yield [last];
}

async function* ujiScansOf(name: string, text: TextFile, header: readonly string[]): AsyncGenerator<FoundScan[]> {
  const rows = new UjiRows(header);
  for await (const block of rowsOf(name, text))
    yield block.flatMap(({ line, row }) => inLine(name, line, () => rows.read(row)) ?? []);
}

/** The rows after the header; empty lines are none. */
async function* rowsOf(name: string, text: TextFile): AsyncGenerator<{ line: number; row: string[] }[]> {
  for await (const { firstLine, rows } of csvOf(text).blocks()) {
    const found: { line: number; row: string[] }[] = [];
    for (const [i, row] of rows.entries()) {
      const line = firstLine + i;
      if (line === 1 || (row?.length === 1 && row[0] === '')) continue;
      found.push({
        line,
        row: inLine(name, line, () => {
          if (row === undefined) throw new Error('it is no CSV');
          if (row.some(cell => cell.includes(REPLACEMENT)))
            throw new Error('it has letters that are none of UTF-8; save the file as UTF-8');
          return row;
        }),
      });
    }
    yield found;
  }
}

async function* walksOf(path: string, text: TextFile): AsyncGenerator<FoundScan[]> {
  const walks = new WalkLines((building, floor) => readFloorPlan(mapsFolder(path), building, floor));
  for await (const { firstLine, lines } of text.blocks(WALK_BYTES_MAX)) {
    yield [];
    for (const [i, line] of lines.entries()) {
      if (line.trim() !== '')
        yield inLine(path, firstLine + i, () =>
          [...walks.read(membersOf(JSON.parse(line), 'the line'))].map(scanOfWalk),
        );
    }
  }
}

function scanOfWalk({
  site,
  floor,
  timeMs,
  latitude,
  longitude,
  accuracyMetres,
  wifiAccessPoints,
  bluetoothBeacons,
}: WalkScan): FoundScan {
  const index = floorIndexOf(floor);
  if (index === undefined)
    throw new Error(`floor is "${floor}", which is none of B1, G, F1, L1 and their like, and no index.`);
  return {
    floor: index,
    building: undefined,
    otherwise: { modelId: undefined, buildingId: undefined, name: site },
    draft: { timeMs, latitude, longitude, accuracyMetres, wifiAccessPoints, bluetoothBeacons },
  };
}

function inLine<T>(name: string, line: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Error(`${name}, line ${line}: ${(error as Error).message.replace(/\.?$/, '.')}`, { cause: error });
  }
}
