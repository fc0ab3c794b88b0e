// Reads a small invented file of each form, and holds the counts against docs/importing.md.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cellListOf } from '../../../src/transfer/formats/cell_lists.ts';
import { OBSERVATION_FORMATS } from '../../../src/transfer/formats/found_draft.ts';
import { uniform } from '../../kits/random.ts';
import { databaseOf } from './database_of.ts';
import { readFile } from './read_file.ts';

const FOLDER = join(import.meta.dirname, 'samples');
const DOCUMENT = readFileSync('docs/importing.md', 'utf8');
/** Rows that a query does not ask for, so that the reader does not count them. */
const LEFT_OUT_BY_QUERY: Readonly<Record<string, number>> = { 'kismet.sql': 1 };

async function countOf(name: string): Promise<{ read: number; rows: number }> {
  const text = readFileSync(join(FOLDER, name), 'utf8');
  if (/\.(ntm|clf)$/.test(name)) {
    const lines = text.trimEnd().split('\n');
    const list = cellListOf(lines)!;
    const cells = lines.filter(line => !list.isComment(line)).map(line => list.readLine(line));
    return { read: cells.filter(cell => !('why' in cell)).length, rows: cells.length };
  }
  const { found, refused } = await readFile(name.endsWith('.sql') ? databaseOf([], text) : text, name);
  const read = found.reduce((sum, { rows = 1 }) => sum + rows, 0);
  return { read, rows: read + refused.length + (LEFT_OUT_BY_QUERY[name] ?? 0) };
}

test.each(readdirSync(FOLDER))('of %s as many rows are read as the document says', async name => {
  const { read, rows } = await countOf(name);
  expect(DOCUMENT).toContain(`| \`${name}\`: ${read} of ${rows} |`);
});

test.each(readdirSync(FOLDER).filter(name => !/\.(ntm|clf)$/.test(name)))(
  'whatever becomes of %s, it is read, or refused by name',
  async name => {
    const text = readFileSync(join(FOLDER, name), 'utf8');
    const whole = name.endsWith('.sql') ? databaseOf([], text) : Buffer.from(text);
    const random = uniform(20261126);
    for (let round = 0; round < 60; round++) {
      const damaged = Buffer.from(
        whole.subarray(0, round % 3 === 0 ? Math.floor(random() * whole.length) : whole.length),
      );
      for (let i = 0; i < round % 8; i++) damaged[Math.floor(random() * damaged.length)] = Math.floor(random() * 256);
      try {
        await readFile(damaged, 'sample');
      } catch (error) {
        expect((error as Error).message).toMatch(/\bsample\b.*\.$/s);
      }
    }
  },
);

test('the document has every format', () => {
  const named = OBSERVATION_FORMATS.filter(format => DOCUMENT.includes(`(\`${format}\`)`));
  expect(named).toEqual([...OBSERVATION_FORMATS]);
});
