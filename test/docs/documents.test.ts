// The documents against themselves and the code: links lead somewhere, JSON is JSON, and tables say what the code
// decides.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { withServiceOptions } from '../../src/config.ts';
import { BANDS } from '../import_rules.ts';
import { writeVillage } from './drawn_village.ts';
import { anchorsOf, blocksOf, documents, linksOf, ROOT, readDocument } from './markdown.ts';
import { RECORD_SCHEMAS } from './record_schemas.ts';
import { DOCUMENTED_TABLES, errorRows, fallbackRows, withTables } from './tables.ts';

const README_LINES_MAX = 200;
/** Of the documents for users and contributors; the laboratory may say more. */
const WORDS_MAX = 45_000;
/** Of the pages that are read as a whole. */
const PAGE_WORDS_MAX = 3_000;
const PAGES = ['docs/operating.md', 'docs/api.md', 'docs/cluster.md'];

test('the README is short', () => {
  expect(readDocument('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(README_LINES_MAX);
});

test('the documents are short', () => {
  const read = documents().filter(document => !/^(lab\/|CHANGELOG)/.test(document));
  expect(read.map(wordsOf).reduce((sum, words) => sum + words, 0)).toBeLessThanOrEqual(WORDS_MAX);
  for (const page of PAGES) expect(wordsOf(page), page).toBeLessThanOrEqual(PAGE_WORDS_MAX);
});

/** Words of a document with its examples, without the lines of its tables and other marks. */
function wordsOf(document: string): number {
  return readDocument(document)
    .split(/\s+/)
    .filter(word => /[\p{L}\p{N}]/u.test(word)).length;
}

describe.each(documents())('%s', document => {
  test('links lead to files and headings that are there', () => {
    const broken = linksOf(readDocument(document)).filter(target => {
      if (/^https?:/.test(target)) return false;
      const [path, anchor] = target.split('#');
      const file = path === '' ? document : normalize(join(dirname(document), path));
      if (!existsSync(join(ROOT, file))) return true;
      return anchor !== undefined && !anchorsOf(readDocument(file)).has(anchor);
    });
    expect(broken).toEqual([]);
  });

  test('files and folders that are named are there', () => {
    const named = readDocument(document).matchAll(/`((?:src|wasm|test|bench|data|docs|lab)\/[\w./-]*)`/g);
    expect([...named].map(([, path]) => path).filter(path => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test('JSON is JSON', () => {
    for (const { language, text } of blocksOf(readDocument(document))) if (language === 'json') JSON.parse(text);
  });
});

test.each([...DOCUMENTED_TABLES.keys()])('%s has the tables that npm run docs:write writes', document => {
  const text = readDocument(document);
  expect(text).toBe(withTables(document, text));
});

test.each([...RECORD_SCHEMAS])('%s is the schema that npm run docs:write writes', (file, schema) => {
  expect(readDocument(file)).toBe(schema);
});

test('the interface has the errors and fallbacks of the code', () => {
  const text = readDocument('docs/api.md');
  expect(
    text
      .split('\n')
      .filter(line => /^\| \d{3} \|/.test(line))
      .map(line => line.split('|').slice(0, 4).join('|').concat('|')),
  ).toEqual(errorRows());
  const fallbacks = text.split('\n').filter(line => /^\| `\w+` \| (yes|no) \|/.test(line));
  expect(fallbacks.map(line => line.split('|').slice(0, 3).join('|').concat('|'))).toEqual(fallbackRows());
});

test('the architecture names every room', () => {
  const text = readDocument('docs/architecture.md');
  const rooms = BANDS.flat().filter(room => !room.includes('/'));
  const folders = rooms.map(room => (['lab', 'console'].includes(room) ? room : `src/${room}`));
  expect(folders.filter(folder => !text.includes(`\`${folder}/\``) && !text.includes(`\`${folder}.ts\``))).toEqual([]);
});

test('each setting has the variable that its flag gives', () => {
  const { options } = withServiceOptions(new Command());
  expect(options.length).toBeGreaterThan(40);
  for (const { long, envVar } of options)
    expect(envVar).toBe(`SEXTANT_${long!.slice(2).toUpperCase().replaceAll('-', '_')}`);
});

test('the settings of a document are all that there are', () => {
  const rows = readDocument('docs/settings.md').matchAll(/^\| `(--[a-z-]+)` \|/gm);
  expect([...rows].map(([, flag]) => flag)).toEqual(
    expect.arrayContaining(withServiceOptions(new Command()).options.map(({ long }) => long)),
  );
});

test('the extract among the examples is the drawn village', () => {
  const folder = mkdtempSync(join(tmpdir(), 'village-'));
  try {
    writeVillage(join(folder, 'village.osm.pbf'));
    expect(readFileSync(join(ROOT, 'docs/examples/village.osm.pbf'))).toEqual(
      readFileSync(join(folder, 'village.osm.pbf')),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
