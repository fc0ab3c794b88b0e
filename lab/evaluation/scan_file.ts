// Reads a set of scans from a file with one JSON object a line, plain or gzip. The first line shows what the set holds.
// The file is read again for each pass and never kept in memory: a mall's walks are far larger than the compressed
// file.

import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { mapsFolder, readFloorPlan } from '../../src/indoor/transfer/surveys/floor_plan.ts';
import { type Line, membersOf } from '../../src/indoor/transfer/surveys/line_value.ts';
import { WalkLines } from '../../src/indoor/transfer/surveys/walk_lines.ts';
import { openText } from '../../src/transfer/files/text_file.ts';
import { CellLines } from './cell_lines.ts';
import type { Scan } from './scan.ts';
import { WifiLines } from './wifi_lines.ts';

/** No walk is nearly as long, so a longer line means that the file holds no scans. */
const LINE_BYTES_MAX = 64 * 1024 * 1024;

/** The content of a set: cells outdoors, access points outdoors, or indoor walks. */
export type SetKind = 'cells' | 'wifi' | 'walks';

/** A set of scans. */
export interface ScanSet {
  /** The file's name without its endings. */
  name: string;
  file: string;
  kind: SetKind;
  /** The fold of a scan, 0..4, undefined = it has no part; without it, that of its track. */
  foldOf?(scan: Scan): number | undefined;
  /** All scans that count, in the file's order. @throws Error naming the first line that is invalid */
  scans(): AsyncGenerator<Scan>;
}

/** Opens a set. @throws Error if the file is missing, damaged, or holds no scans */
export async function openScans(file: string): Promise<ScanSet> {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) throw new Error(`${file} does not exist.`);
  if (!stat.isFile()) throw new Error(`${file} is not a file.`);
  for await (const { members } of linesOf(file)) {
    const kind = kindOf(members);
    if (kind === undefined)
      throw new Error(`${file}, line 1: this is no scan: it has none of "cells", "aps" and "wp".`);
    return { name: basename(file).replace(/\.jsonl(\.gz)?$/, ''), file, kind, scans: () => scansOf(file, kind) };
  }
  throw new Error(`${file} is empty.`);
}

function kindOf(first: Line): SetKind | undefined {
  if ('cells' in first) return 'cells';
  if ('aps' in first) return 'wifi';
  return 'wp' in first ? 'walks' : undefined;
}

async function* scansOf(file: string, kind: SetKind): AsyncGenerator<Scan> {
  const cells = new CellLines();
  const wifi = new WifiLines();
  const walks = new WalkLines((building, floor) => readFloorPlan(mapsFolder(file), building, floor));
  for await (const { number, members } of linesOf(file)) {
    try {
      if (kind === 'cells') yield* cells.read(members, `line ${number}`);
      else if (kind === 'wifi') yield* wifi.read(members, `line ${number}`);
      else yield* walks.read(members);
    } catch (error) {
      throw new Error(`${file}, line ${number}: ${(error as Error).message}`);
    }
  }
  yield* wifi.end();
}

export async function* linesOf(file: string): AsyncGenerator<{ number: number; members: Line }> {
  const text = await openText(file, process.stdin);
  try {
    for await (const { firstLine, lines } of text.blocks(LINE_BYTES_MAX))
      for (const [i, line] of lines.entries())
        if (line.trim() !== '') yield { number: firstLine + i, members: parse(file, firstLine + i, line) };
  } finally {
    text.close();
  }
}

function parse(file: string, number: number, line: string): Line {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new Error(`${file}, line ${number}: this is not JSON: ${(error as Error).message}`);
  }
  try {
    return membersOf(value, 'the line');
  } catch (error) {
    throw new Error(`${file}, line ${number}: ${(error as Error).message}`);
  }
}
