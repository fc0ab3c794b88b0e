// npm run docs:write [-- DOCUMENT…]: writes what documents repeat. First docs/openapi*.json, then the schemas of records
// and the tables that the code decides, then the answers of the examples in the documents that are named, or in all. It
// runs every example of such a document, which takes about half a minute each.

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentedAnswer, runExamples, runnableBlocks } from './examples.ts';
import { documents, ROOT, readDocument } from './markdown.ts';
import { RECORD_SCHEMAS } from './record_schemas.ts';
import { DOCUMENTED_TABLES, withTables } from './tables.ts';

const named = process.argv.slice(2);
const known = documents();
const unknown = named.find(document => !known.includes(document));

if (unknown !== undefined) {
  process.stderr.write(`There is no document ${unknown}; the documents are ${known.join(', ')}.\n`);
  process.exitCode = 2;
} else {
  for (const [file, schema] of RECORD_SCHEMAS) write(file, schema);
  for (const document of DOCUMENTED_TABLES.keys()) write(document, withTables(document, readDocument(document)));
  for (const document of named.length > 0 ? named : known) await writeAnswers(document);
}

async function writeAnswers(document: string): Promise<void> {
  if (runnableBlocks(document).length === 0) return;
  const base = mkdtempSync(join(tmpdir(), 'docs-'));
  try {
    const lines = readDocument(document).split('\n');
    // A block that becomes longer or shorter moves those after it.
    let moved = 0;
    for await (const answer of runExamples(document, join(base, 'clone'))) {
      const { line, text } = answer.block;
      const before = text.split('\n').length;
      const after = documentedAnswer(answer).split('\n');
      lines.splice(line + moved, before, ...after);
      moved += after.length - before;
    }
    write(document, lines.join('\n'));
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function write(document: string, text: string): void {
  const isChanged = !existsSync(join(ROOT, document)) || text !== readDocument(document);
  if (isChanged) writeFileSync(join(ROOT, document), text);
  process.stdout.write(`${document}: ${isChanged ? 'written' : 'unchanged'}\n`);
}
