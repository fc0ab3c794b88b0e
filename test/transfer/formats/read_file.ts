// Reads a file of measurements of a test's own and keeps what it yields.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { FoundDraft, ObservationFormat } from '../../../src/transfer/formats/found_draft.ts';
import { openObservations } from '../../../src/transfer/formats/observation_file.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

interface Outcome {
  format: ObservationFormat;
  found: FoundDraft[];
  /** `line: error message`. */
  refused: string[];
}

export function fileOf(content: string | Buffer, name = 'file'): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
}

export async function readFile(content: string | Buffer, name?: string): Promise<Outcome> {
  const refused: string[] = [];
  const file = await openObservations(fileOf(content, name), Readable.from([]));
  const found: FoundDraft[] = [];
  for await (const some of file.drafts((_, line, { why }) => refused.push(`${line}: ${why}`))) found.push(...some);
  file.close();
  return { format: file.format, found, refused };
}
