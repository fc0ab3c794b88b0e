// Promises whose failure nobody would hear of in time, which ends a process or a thread of the service. Biome finds
// those that nobody holds. Two kinds are left to it, and are found here by the shape of the source:
//
//   - a promise that is made, and waited for only after something else was waited for. If it fails meanwhile, nobody
//     has heard of it yet,
//   - an async function that is begun with `void` and lets failures out.
//
// Ends of functions are found by the indentation that the formatter gives them.

import { withoutCommentLines } from './import_rules.ts';

/** Source text by path from the root. */
type Files = ReadonlyMap<string, string>;

const AWAITED = /\bawait (?<name>(?:this\.)?\w+)(?![\w.?([!`])/g;
const VOIDED = /\bvoid (?:this\.)?(?<name>\w+)\(/g;

/** @returns one sentence for each promise that may fail before it is waited for */
export function checkLateAwaits(files: Files): string[] {
  const broken: string[] = [];
  for (const [path, source] of files) {
    const lines = withoutCommentLines(source).split('\n');
    for (const [i, line] of lines.entries()) {
      for (const { groups } of line.matchAll(AWAITED)) {
        const name = groups!.name;
        const made = madeBefore(lines, i, name);
        if (made < 0) continue;
        const between = lines.slice(made, i + 1).map(each => each.replaceAll(`await ${name}`, ''));
        const isHeard = between.some(each => each.includes(`${name}.catch(`) || each.includes('.catch('));
        if (!isHeard && between.some(each => /\bawait\b/.test(each)))
          broken.push(`${path} makes the promise ${name} before it waits for something else: "${lines[made].trim()}".`);
      }
    }
  }
  return broken;
}

/** The line of the same function in which a name was last given something without waiting; -1 if there is none. */
function madeBefore(lines: readonly string[], i: number, name: string): number {
  const given = new RegExp(`(?:^|[^.\\w])${name.replace('.', '\\.')}(?:: [^=]+)? (?:\\?\\?)?= (?<value>.+)`);
  for (let at = i; at >= 0; at--) {
    const value = given.exec(lines[at])?.groups?.value;
    if (value !== undefined) return /\bawait\b|^undefined|\bnew Promise\b|^Promise\.resolve/.test(value) ? -1 : at;
    if (/^ {0,2}\}/.test(lines[at])) return -1;
  }
  return -1;
}

/**
 * @param exceptions functions whose failure is to end the thread, by `path name`
 * @returns one sentence for each function that is begun with `void` and may fail
 */
export function checkVoided(files: Files, exceptions: readonly string[] = []): string[] {
  const broken = new Set<string>();
  for (const [path, source] of files) {
    const lines = withoutCommentLines(source).split('\n');
    for (const [i, line] of lines.entries()) {
      for (const { groups, index } of line.matchAll(VOIDED)) {
        const statement = lines
          .slice(i, i + 3)
          .join('\n')
          .slice(index)
          .split(';')[0];
        const key = `${path} ${groups!.name}`;
        if (/\.catch\(/.test(statement) || exceptions.includes(key)) continue;
        if (letsFailuresOut(lines, groups!.name)) broken.add(`${key} is begun with void and may fail.`);
      }
    }
  }
  return [...broken];
}

/** Whether an async function of a file waits for something outside of any `try`. */
function letsFailuresOut(lines: readonly string[], name: string): boolean {
  const header = new RegExp(`\\basync (?:function )?\\*?${name}[<(]|\\bconst ${name} = async\\b`);
  const start = lines.findIndex(line => header.test(line));
  if (start < 0) return false;
  const indent = /^ */.exec(lines[start])![0];
  const close = lines.findIndex((line, i) => i > start && line.startsWith(`${indent}}`));
  let end = '';
  for (const line of lines.slice(start + 1, close)) {
    if (end !== '') {
      // What a `catch` or `finally` lets out counts as well, but for `try` in it.
      if (line.startsWith(`${end}} catch`)) end = '';
      else if (line === `${end}}`) end = '';
    } else if (/^ *try \{$/.test(line)) end = /^ */.exec(line)![0];
    else if (/\bawait\b/.test(line) && !line.includes('.catch(')) return true;
  }
  return false;
}
