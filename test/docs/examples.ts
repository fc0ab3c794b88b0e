// Runs the shell examples of a document in a fresh clone, and compares what they print with the answer that the document
// shows: a `json` or `text` block that follows a shell block. What differs from run to run is masked, and the folder of
// the clone is /opt/sextant in the documents.

import { isDeepStrictEqual } from 'node:util';
import { freePorts } from '../../bench/server.ts';
import { ExampleShell } from './example_shell.ts';
import { makeClone } from './fresh_clone.ts';
import { type Block, blocksOf, readDocument } from './markdown.ts';

/** Where the documents have the checkout. */
const DOCUMENTED_FOLDER = '/opt/sextant';
/** Members whose values differ from run to run. */
const MASKED = new Set(['logId', 'state', 'key', 'created', 'time', 'latencyMs', 'microseconds']);
/** Of a line of written JSON. */
const COLUMNS_MAX = 120;

/** The answer in a document, and what the example printed. */
export interface ExampleAnswer {
  block: Block;
  printed: string;
}

/** The shell blocks of a document that are run. */
export function runnableBlocks(document: string): Block[] {
  return blocksOf(readDocument(document)).filter(({ language, reason }) => language === 'sh' && reason === undefined);
}

/**
 * Runs the examples of a document in a clone of its own.
 * @param folder of the clone; does not exist yet
 * @throws Error naming the document and line of an example that fails
 */
export async function* runExamples(document: string, folder: string): AsyncGenerator<ExampleAnswer> {
  makeClone(folder);
  const blocks = runnableBlocks(document);
  const named = new Set(blocks.flatMap(({ text }) => [...text.matchAll(/--port (\d+)/g)].map(([, port]) => port)));
  const ports = await portsFor([...named].map(Number));
  const shell = new ExampleShell(folder, `${folder}.state`, document === 'README.md', ports);
  try {
    for (const block of blocks) {
      const { stdout } = await shell.run(block.text).catch(error => {
        throw new Error(`${document}, line ${block.line}: ${error.message}`, { cause: error });
      });
      if (block.next !== undefined) yield { block: block.next, printed: stdout.replaceAll(folder, DOCUMENTED_FOLDER) };
    }
  } finally {
    await shell.close();
  }
}

/** Ports that are this near stand as far from each other while the examples run: one may be in the way of the next. */
const NEAR = 20;

/** Free ports by those that a document names. */
async function portsFor(named: readonly number[]): Promise<Map<string, string>> {
  const ports = new Map<string, string>();
  const groups: number[][] = [];
  for (const port of named.toSorted((a, b) => a - b)) {
    const last = groups.at(-1);
    if (last !== undefined && port - last.at(-1)! <= NEAR) last.push(port);
    else groups.push([port]);
  }
  for (const group of groups) {
    // Behind the last one may be its console.
    const [base] = await freePorts(group.at(-1)! - group[0] + 2);
    for (const port of group) ports.set(String(port), String(base + port - group[0]));
  }
  return ports;
}

/** What a test compares of a printed answer and of a block: both without that which differs from run to run. */
export function comparable(text: string, language: string): unknown {
  if (language === 'json') return masked(JSON.parse(text));
  return language === 'text' ? withoutTimes(text.trimEnd()) : undefined;
}

function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, MASKED.has(name) ? typeof member : masked(member)]),
  );
}

/** How long a step took differs from run to run. */
function withoutTimes(text: string): string {
  return text.replace(/\d+ µs/g, '# µs');
}

/**
 * The text that the document should show: its own where it says the same, otherwise what was printed, with the
 * documented values of masked members.
 */
export function documentedAnswer({ block: { language, text }, printed }: ExampleAnswer): string {
  if (isDeepStrictEqual(comparable(printed, language), comparable(text, language))) return text;
  if (language !== 'json') return printed.trimEnd();
  const value = withDocumented(JSON.parse(printed), JSON.parse(text));
  return text.includes('\n') ? layout(value, '') : JSON.stringify(value);
}

function withDocumented(value: unknown, documented: unknown): unknown {
  if (typeof value !== 'object' || value === null || typeof documented !== 'object' || documented === null)
    return value;
  const entries = Object.entries(value).map(([name, member]) => {
    const before = (documented as Record<string, unknown>)[name];
    return [name, MASKED.has(name) && typeof before === typeof member ? before : withDocumented(member, before)];
  });
  return Array.isArray(value) ? entries.map(([, member]) => member) : Object.fromEntries(entries);
}

/** JSON on one line where it fits, otherwise with a line for each member. */
function layout(value: unknown, indent: string): string {
  const line = JSON.stringify(value, null, 1)
    .replace(/\n\s*/g, ' ')
    .replace(/([[{]) | ([\]}])/g, '$1$2');
  if (typeof value !== 'object' || value === null || indent.length + line.length <= COLUMNS_MAX) return line;
  const deeper = `${indent}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const members = Object.entries(value).map(
    ([name, member]) => `${deeper}${Array.isArray(value) ? '' : `${JSON.stringify(name)}: `}${layout(member, deeper)}`,
  );
  return `${open}\n${members.join(',\n')}\n${indent}${close}`;
}
