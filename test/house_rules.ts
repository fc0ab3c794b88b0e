// How large files, functions and lines may grow, which rooms may need each other, what may be exported, and where
// comments may send the reader. A room is a folder of `src/`, `lab/` or `console/`; a folder and the folders in it are
// different rooms, and a file that lies in `src/`, `lab/` or `console/src/` itself is a room of its own.
//
// Who uses an export is found by the shape of imports, as in import_rules.ts. A module that is loaded late, or started
// as a thread, is used by name: each word in the loading file counts.

import { posix } from 'node:path';
import { importsOf, standingImports, targetOf, withoutCommentLines } from './import_rules.ts';

const LINES_MAX = 400;
const COLUMNS_MAX = 120;
/** A longer word (an address, a body, a regular expression) may pass the edge: it cannot be broken. */
const WORD_MAX = 60;

const FUNCTION_LINES_MAX = 70;
const PARAMETERS_MAX = 6;

/** Source text by path from the root. */
type Files = ReadonlyMap<string, string>;

/** @returns one sentence for each file that is too long */
export function checkSizes(files: Files): string[] {
  const broken: string[] = [];
  for (const [path, source] of files) {
    const lines = source.split('\n').length - 1;
    if (lines > LINES_MAX) broken.push(`${path} has ${lines} lines, more than ${LINES_MAX}.`);
  }
  return broken;
}

/** @returns one sentence for each line that is too long and could be broken */
export function checkLines(files: Files): string[] {
  const broken: string[] = [];
  for (const [path, source] of files) {
    for (const [i, line] of source.split('\n').entries()) {
      if (line.length <= COLUMNS_MAX || line.split(' ').some(word => word.length > WORD_MAX)) continue;
      broken.push(`${path}:${i + 1} has ${line.length} columns, more than ${COLUMNS_MAX}.`);
    }
  }
  return broken;
}

/** What begins a function, with its name where it has one: a declaration, a method, or an arrow function in a constant. */
const FUNCTION_STARTS = [
  /\bfunction\b\*? *(?<name>\w*)(?:<[^(]*>)?(?=\()/g,
  /^ +(?:(?:async|static|private|protected|public|override|get|set) |\*)*(?<name>#?\w+)(?:<[^(\n]*>)?(?=\()/gm,
  /\b(?:const|let) (?<name>\w+)(?:: [^=\n]+)? = (?:async )?(?:<[^(\n]*>)?(?=\()/g,
];
const NO_METHODS = new Set(['if', 'for', 'while', 'switch', 'catch', 'return', 'function', 'super', 'await', 'new']);
const OPENING = '([{<';
const CLOSING = ')]}>';

/**
 * Finds functions that are too long or take too much. Ends of functions are found by the indentation that the formatter
 * gives them, parameters by their brackets.
 * @param exceptions what functions may have by `path name`, where that is more
 * @returns one sentence for each function
 */
export function checkFunctions(
  files: Files,
  exceptions: Readonly<Record<string, { lines?: number; parameters?: number }>> = {},
): string[] {
  const broken = new Set<string>();
  const largest = new Map<string, { lines: number; parameters: number }>();
  for (const [path, source] of files) {
    for (const { name, lines, parameters } of functionsOf(withoutCommentLines(source))) {
      const key = `${path} ${name}`;
      const allowed = { lines: FUNCTION_LINES_MAX, parameters: PARAMETERS_MAX, ...exceptions[key] };
      if (lines > allowed.lines) broken.add(`${key} has ${lines} lines, more than ${allowed.lines}.`);
      if (parameters > allowed.parameters)
        broken.add(`${key} takes ${parameters} parameters, more than ${allowed.parameters}.`);
      const before = largest.get(key) ?? { lines: 0, parameters: 0 };
      largest.set(key, {
        lines: Math.max(lines, before.lines),
        parameters: Math.max(parameters, before.parameters),
      });
    }
  }
  for (const [key, { lines, parameters }] of Object.entries(exceptions)) {
    const found = largest.get(key) ?? { lines: 0, parameters: 0 };
    if (lines !== undefined && found.lines < lines) broken.add(`${key} is listed with ${lines} lines and has fewer.`);
    if (parameters !== undefined && found.parameters < parameters)
      broken.add(`${key} is listed with ${parameters} parameters and takes fewer.`);
  }
  return [...broken];
}

function functionsOf(source: string): { name: string; lines: number; parameters: number }[] {
  const found: { name: string; lines: number; parameters: number }[] = [];
  for (const start of FUNCTION_STARTS) {
    for (const match of source.matchAll(start)) {
      const name = match.groups!.name;
      const open = match.index + match[0].length;
      const { end, parts } = bracketAt(source, open);
      if (NO_METHODS.has(name) || !/^(?:: [^;\n]*)? ?(?:=>|\{)/.test(source.slice(end))) continue;
      found.push({ name: name || 'function', parameters: parts, lines: linesOf(source, match.index, end) });
    }
  }
  return found;
}

/** From the line of a header to the line that closes its body, which is indented like the header. */
function linesOf(source: string, start: number, endOfParameters: number): number {
  const lineStart = source.lastIndexOf('\n', start - (source[start] === '\n' ? 0 : 1)) + 1;
  const indent = /^ */.exec(source.slice(lineStart))![0];
  const endOfLine = source.indexOf('\n', endOfParameters);
  if (!source.slice(endOfParameters, endOfLine).endsWith('{')) return 1;
  const close = source.indexOf(`\n${indent}}`, endOfLine - 1);
  return source.slice(lineStart, close < 0 ? source.length : close + 1).split('\n').length;
}

/** The end of a bracket, and how many parts commas make of it. */
function bracketAt(source: string, open: number): { end: number; parts: number } {
  let depth = 0;
  let commas = 0;
  let last = '(';
  for (let i = open; i < source.length; i++) {
    const character = source[i];
    if (OPENING.includes(character)) depth++;
    else if (CLOSING.includes(character) && source.slice(i - 1, i + 1) !== '=>') depth--;
    if (depth === 0) return { end: i + 1, parts: last === '(' && commas === 0 ? 0 : commas + (last === ',' ? 0 : 1) };
    if (depth === 1 && character === ',') commas++;
    if (/\S/.test(character)) last = i === open ? '(' : depth === 1 && character === ',' ? ',' : 'x';
  }
  return { end: source.length, parts: 0 };
}

/** @returns one sentence for each circle of rooms that the search meets, with the imports that close it */
export function checkCircles(files: Files): string[] {
  const needs = new Map<string, Map<string, string>>();
  for (const [path, source] of files) {
    for (const { target, thread } of standingImports(path, withoutCommentLines(source))) {
      if (thread || target === undefined || !files.has(target) || roomOf(path) === roomOf(target)) continue;
      const rooms = needs.get(roomOf(path)) ?? new Map<string, string>();
      needs.set(roomOf(path), rooms);
      rooms.set(roomOf(target), `${path} imports ${target}`);
    }
  }
  const circles: string[] = [];
  const done = new Set<string>();
  const open: string[] = [];
  const visit = (room: string): void => {
    if (done.has(room)) return;
    open.push(room);
    for (const other of needs.get(room)?.keys() ?? []) {
      if (!open.includes(other)) {
        visit(other);
        continue;
      }
      const circle = [...open.slice(open.indexOf(other)), other];
      circles.push(
        `The rooms go in a circle: ${circle
          .slice(1)
          .map((to, i) => needs.get(circle[i])!.get(to)!)
          .join(', ')}.`,
      );
    }
    open.pop();
    done.add(room);
  };
  for (const room of needs.keys()) visit(room);
  return circles;
}

function roomOf(path: string): string {
  const folder = posix.dirname(path);
  return ['src', 'lab', 'console/src'].includes(folder) ? path : folder;
}

/**
 * Finds exports that no other file uses.
 * @param files those that export
 * @param users those that may use an export beside these
 * @returns one sentence for each export
 */
export function checkExports(files: Files, users: Files): string[] {
  const used = new Set<string>();
  const wordsOfLoaders = new Map<string, Set<string>>();
  for (const [path, source] of [...files, ...users]) {
    const text = withoutCommentLines(source);
    const named = new Set<string>();
    for (const [, names, name] of text.matchAll(
      /^\s*(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*['"](\.[^'"]+)['"]/gm,
    )) {
      const target = targetOf(path, name);
      named.add(target);
      for (const entry of names.split(','))
        used.add(
          `${target} ${
            entry
              .trim()
              .replace(/^type\s+/, '')
              .split(/\s/)[0]
          }`,
        );
    }
    for (const { target } of importsOf(path, text)) {
      if (target === undefined || named.has(target) || !files.has(target)) continue;
      const words = wordsOfLoaders.get(target) ?? new Set<string>();
      wordsOfLoaders.set(target, words);
      for (const [word] of text.matchAll(/\w+/g)) words.add(word);
    }
  }
  const broken: string[] = [];
  for (const [path, source] of files) {
    const declarations = source.matchAll(
      /^export\s+(?:async\s+|abstract\s+)?(?:const|let|function\*?|class|interface|type|enum)\s+(\w+)/gm,
    );
    for (const [, name] of declarations) {
      if (!used.has(`${path} ${name}`) && !wordsOfLoaders.get(path)?.has(name))
        broken.push(`${path} exports ${name}, which no other file uses.`);
    }
  }
  return broken;
}

/**
 * Finds comments that send the reader to a file that is not there.
 * @param exists whether there is a file at a path from the root
 * @returns one sentence for each file that a comment names and that is not there, seen from the root or from a folder
 *   on the way to the comment
 */
export function checkPointers(files: Files, exists: (path: string) => boolean): string[] {
  const broken: string[] = [];
  for (const [path, source] of files) {
    for (const [, comment] of source.matchAll(/(?:^|\s)(?:\/\/|\/?\*{1,2})\s(.*)$/gm)) {
      for (const [name] of comment.matchAll(/(?<![\w./@-])(?:[\w-]+\/)*[\w-]+\.(?:ts|fbs)\b/g)) {
        if (!foldersOf(path).some(folder => exists(posix.join(folder, name))))
          broken.push(`${path} names ${name}, which is not there.`);
      }
    }
  }
  return broken;
}

/** The folder of a file and all above it, up to the root. */
function foldersOf(path: string): string[] {
  const above = posix.dirname(path);
  return above === path ? [] : [above, ...foldersOf(above)];
}

/** Names of byte offsets, and whose they are. Sizes (`…_BYTES`) may be known elsewhere. */
const OFFSETS: readonly (readonly [name: RegExp, owner: RegExp])[] = [
  [/\b(?:OBSERVATION|REQUEST|RESULT)_(?!BYTES\b)[A-Z0-9_]+\b/g, /\/radio\/query\/layout\.ts$/],
  [/\bOBSERVATION_(?!BYTES\b)[A-Z0-9_]+\b/g, /^wasm\/observation_constants\.ts$/],
  [/\bSTATION_(?!BYTES\b|FORMAT\b)[A-Z0-9_]+\b/g, /\/stations\/record_layout\.ts$/],
];

/** @returns one sentence for each file that names byte offsets of a layout that lies in another room */
export function checkOffsets(files: Files): string[] {
  const broken: string[] = [];
  for (const [path, source] of files) {
    for (const [, names, target] of source.matchAll(/\bimport\s*(?:type\s*)?\{([^}]*)\}\s*from\s*'([^']+)'/g)) {
      const layout = targetOf(path, target);
      for (const [name, owner] of OFFSETS) {
        const isAtHome = posix.dirname(path).startsWith(posix.dirname(layout));
        const found = names.match(name);
        if (owner.test(layout) && !isAtHome && found !== null)
          broken.push(`${path} names the offsets ${found.join(', ')} of ${layout}.`);
      }
    }
  }
  return broken;
}
