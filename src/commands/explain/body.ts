// Explains the answer to a request for a position, given by its body.

import { readFileSync } from 'node:fs';
import type { Answerer } from '../../answer/answerer.ts';
import { withSources } from '../../answer/explain/sources.ts';
import { wantsOf } from '../../protocol/answers/description.ts';
import { explainPosition } from '../../tasks/explain_position.ts';
import { parsePosition } from '../../tasks/locate.ts';
import type { Explained } from './explained.ts';
import { describePosition } from './position_text.ts';

const STDIN = '-';

/** @param file of the body, or `-` for standard input @param folder data folder @throws Error when it cannot be read, or is no body of a position */
export async function explainBody(answerer: Answerer, file: string, folder: string): Promise<Explained> {
  const body = parsePosition(readFileSync(file === STDIN ? process.stdin.fd : file));
  // What a body wants by default is a matter of its key.
  const wants = wantsOf(body, { byDefault: {}, isCovered: true });
  const explained = explainPosition(answerer, { body, arrivalMs: Date.now(), wants, state: undefined });
  const explanation = await withSources(folder, explained.explanation);
  return { object: explanation, text: describePosition(explanation) };
}
