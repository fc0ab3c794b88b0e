// Explains the answer to a request for a position, given by its body.

import type { Answerer } from '../../answer/answerer.ts';
import { withSources } from '../../answer/explain/sources.ts';
import { readRegularFile } from '../../config/regular_file.ts';
import { wantsOf } from '../../protocol/answers/description.ts';
import { explainPosition } from '../../tasks/explain_position.ts';
import { parsePosition } from '../../tasks/locate.ts';
import type { Explained } from './explained.ts';
import { describePosition } from './position_text.ts';

const STDIN = '-';
/** As much as the service takes where nothing else is set. */
const BODY_BYTES_MAX = 8 * 1_048_576;

/**
 * @param file of the body, or `-` for standard input @param folder data folder @throws Error when it cannot be read, or
 * is no body of a position
 */
export async function explainBody(answerer: Answerer, file: string, folder: string): Promise<Explained> {
  const body = parsePosition(file === STDIN ? await readStdin() : readBody(file));
  // What a body wants by default is a matter of its key.
  const wants = wantsOf(body, { byDefault: {}, isCovered: true });
  const explained = explainPosition(answerer, { body, arrivalMs: Date.now(), wants, state: undefined });
  const explanation = await withSources(folder, explained.explanation);
  return { object: explanation, text: describePosition(explanation) };
}

function readBody(file: string): Buffer {
  try {
    return readRegularFile(file, BODY_BYTES_MAX);
  } catch (error) {
    throw new Error(`The file ${file} cannot be used: ${(error as Error).message}.`, { cause: error });
  }
}

/** @throws Error when there is more than a body may have */
async function readStdin(): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of process.stdin as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > BODY_BYTES_MAX) throw new Error(`Standard input has more than ${BODY_BYTES_MAX} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
