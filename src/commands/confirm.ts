// Questions to whoever sits at the terminal.

import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { ReadStream, WriteStream } from 'node:tty';
import { escapeMarks } from './terminal/escape.ts';

/**
 * Asks a question that is answered with yes or no. @returns false also where nobody can answer, because input or output
 * is no terminal
 */
export async function confirm(
  question: string,
  input: Pick<ReadStream, 'isTTY'> & NodeJS.ReadableStream,
  output: Pick<WriteStream, 'isTTY'> & NodeJS.WritableStream,
): Promise<boolean> {
  if (!input.isTTY || !output.isTTY) return false;
  const lines = createInterface({ input, output });
  try {
    const ended = once(lines, 'close').then(() => '');
    return /^y(es)?$/i.test((await Promise.race([lines.question(`${escapeMarks(question)} [y/N] `), ended])).trim());
  } finally {
    lines.close();
  }
}
