// Reads a set of scans from a file with one JSON object a line, plain or gzip. The first line shows what the set holds.
// The file is read again for each pass and never kept in memory: a mall's walks are far larger than the compressed
// file.

import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { mapsFolder, readFloorPlan } from '../transfer/surveys/floor_plan.ts';
import { type Line, membersOf } from '../transfer/surveys/line_value.ts';
import { WalkLines } from '../transfer/surveys/walk_lines.ts';
import { CellLines } from './cell_lines.ts';
import type { Scan } from './scan.ts';
import { WifiLines } from './wifi_lines.ts';

/** No walk is nearly as long, so a longer line means that the file holds no scans. */
const LINE_CHARACTERS_MAX = 64 * 1024 * 1024;

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
  let number = 0;
  let carry = '';
  for await (const text of textOf(file)) {
    const lines = (carry + text).split('\n');
    carry = lines.pop() ?? '';
    if (carry.length > LINE_CHARACTERS_MAX)
      throw new Error(`${file}, line ${number + lines.length + 1}: this goes on without a line break.`);
    for (const line of lines) {
      number++;
      if (line.trim() !== '') yield { number, members: parse(file, number, line) };
    }
  }
  if (carry.trim() !== '') yield { number: number + 1, members: parse(file, number + 1, carry) };
}

async function* textOf(file: string): AsyncGenerator<string> {
  const source = createReadStream(file);
  // An error of either stream destroys the other and ends the loop below, so the callback has nothing to do.
  const stream: Readable = isGzip(file) ? pipeline(source, createGunzip(), () => {}) : source;
  const decoder = new TextDecoder();
  try {
    for await (const chunk of stream) yield decoder.decode(chunk, { stream: true });
  } catch (error) {
    throw new Error(`${file} cannot be read to its end: ${(error as Error).message}.`);
  }
}

/** Gzip starts with 1f 8b. */
function isGzip(file: string): boolean {
  const start = Buffer.alloc(2);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, start);
  } finally {
    closeSync(descriptor);
  }
  return start[0] === 0x1f && start[1] === 0x8b;
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
