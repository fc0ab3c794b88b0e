// What tests need to know of a Markdown file: its fenced blocks, its links and its headings.
//
// A line `*Not tested: reason.*` directly before a block says, to readers too, that the block is not run.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Folder of the project. */
export const ROOT = resolve(import.meta.dirname, '../..');

const FENCE = /^```(\S*)$/;
const NOT_TESTED = /^\*Not tested: (.+)\*$/;

/** A fenced block. */
export interface Block {
  /** Of its fence, from 1. */
  line: number;
  /** Empty where none is named. */
  language: string;
  text: string;
  /** Why it is not run. */
  reason?: string;
  /** The block that follows after blank lines only. */
  next?: Block;
}

/** All tracked files that are there, by path from the root. @throws Error where git cannot list them */
export function trackedFiles(): string[] {
  const { status, stdout, stderr } = spawnSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The tracked files cannot be listed: ${stderr}`);
  return stdout.split('\0').filter(file => file !== '' && existsSync(join(ROOT, file)));
}

/** The documents for people: those of the root, of docs/ and of the laboratory. */
export function documents(): string[] {
  return trackedFiles().filter(file => /^((docs|lab)\/)?[^/]+\.md$/.test(file));
}

/** The text of a document. */
export function readDocument(document: string): string {
  return readFileSync(join(ROOT, document), 'utf8');
}

/** The fenced blocks of a Markdown text. @throws Error where a fence is not closed */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.split('\n');
  let before = '';
  let previous: Block | undefined;
  for (let i = 0; i < lines.length; i++) {
    const fence = FENCE.exec(lines[i]);
    if (fence === null) {
      if (lines[i].trim() === '') continue;
      before = lines[i];
      previous = undefined;
      continue;
    }
    const end = lines.indexOf('```', i + 1);
    if (end < 0) throw new Error(`The fence in line ${i + 1} is not closed.`);
    const reason = previous === undefined ? NOT_TESTED.exec(before)?.[1] : undefined;
    const block: Block = {
      line: i + 1,
      language: fence[1],
      text: lines.slice(i + 1, end).join('\n'),
      ...(reason && { reason }),
    };
    if (previous !== undefined) previous.next = block;
    blocks.push(block);
    previous = block;
    before = '';
    i = end;
  }
  return blocks;
}

/** Targets of all links outside of fenced blocks. */
export function linksOf(text: string): string[] {
  return [...withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target);
}

/** The anchors of all headings, as the usual viewers make them. */
export function anchorsOf(text: string): Set<string> {
  const headings = [...withoutBlocks(text).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading);
  return new Set(
    headings.map(heading =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function withoutBlocks(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, '');
}
