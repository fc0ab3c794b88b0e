// The body of a request, from a file or from standard input.

import { readRegularFile } from '../../config/regular_file.ts';
import type { PositionBody } from '../../protocol/requests/schema.ts';
import { parsePosition } from '../../tasks/locate.ts';

const STDIN = '-';
/** As much as the service takes where nothing else is set. */
const BODY_BYTES_MAX = 8 * 1_048_576;

/**
 * @param file of the body, or `-` for standard input @throws Error when it cannot be read, ApiError when it is no body
 * of a position
 */
export async function readBody(file: string): Promise<PositionBody> {
  return parsePosition(file === STDIN ? await readStdin() : readFileBody(file));
}

function readFileBody(file: string): Buffer {
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
