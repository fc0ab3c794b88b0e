// Writes what the core compares the names of members with (wasm/body/member_words.ts), of the table of names
// (src/radio/query/members.ts): `npx node src/core/member_words.ts`. The compiler of the core cannot compute numbers
// from text, and the scan is fast because it compares eight bytes at once with a constant.
//
// A name is compared with its closing quote. The first letter is the lowest byte of a word.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MEMBERS } from '../radio/query/members.ts';

const FILE = join(import.meta.dirname, '../../wasm/body/member_words.ts');
const COLUMNS_MAX = 120;
const WORD_BYTES = 8;

/** The text of wasm/body/member_words.ts. */
export function memberWords(): string {
  return [
    '// Numbers of the members of each object, and their names in words of eight bytes. The names stand in',
    '// src/radio/query/members.ts, and src/core/member_words.ts writes this file.',
    '',
    "import { isWord, LENGTH } from './members';",
    '',
    ...namespace('Body', MEMBERS.body, MEMBERS.rest),
    '',
    ...namespace('AccessPoint', MEMBERS.accessPoint),
    '',
    ...namespace('Beacon', MEMBERS.beacon),
    '',
    ...namespace('Cell', MEMBERS.cell),
    '',
  ].join('\n');
}

/** @param rest names that have one number together, FOR_CALLER */
function namespace(object: string, names: readonly string[], rest: readonly string[] = []): string[] {
  return [
    `export namespace ${object} {`,
    ...names.map((name, n) => `  export const ${numberOf(name)}: i32 = ${2 ** n} | (${name.length + 1} << LENGTH);`),
    ...(rest.length > 0
      ? ['  /** Any other member that means something. */', '  export const FOR_CALLER: i32 = 0x800000;']
      : []),
    '',
    '  /** @param p behind the opening quote of a name @returns 0 for a name that is not known */',
    '  export function memberAt(p: i32): i32 {',
    '    const word = load<u64>(p);',
    ...names.flatMap(name => comparison(name, numberOf(name))),
    ...rest.flatMap(name => comparison(name, 'FOR_CALLER')),
    '    return 0;',
    '  }',
    '}',
  ];
}

/** `macAddress` has the number `MAC_ADDRESS`. */
function numberOf(name: string): string {
  return name.replace(/[A-Z]/g, '_$&').toUpperCase();
}

function comparison(name: string, member: string): string[] {
  const bytes = Buffer.from(`${name}"`, 'latin1');
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += WORD_BYTES) {
    const part = bytes.subarray(at, at + WORD_BYTES);
    const word = `0x${Buffer.from(part).reverse().toString('hex')}`;
    const isWhole = part.length === WORD_BYTES;
    if (isWhole) parts.push(`${at === 0 ? 'word' : `load<u64>(p, ${at})`} === ${word}`);
    else parts.push(`isWord(p${at === 0 ? '' : ` + ${at}`}, ${word}, ${part.length})`);
  }
  const condition = `    if (${parts.join(' && ')})`;
  const line = `${condition} return ${member};`;
  return line.length <= COLUMNS_MAX ? [line] : [condition, `      return ${member};`];
}

if (process.argv[1] === import.meta.filename) writeFileSync(FILE, memberWords());
