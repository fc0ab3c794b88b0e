// The sentence behind every status number of the numeric core (wasm/memory.ts).

import {
  STATUS_DEGENERATE,
  STATUS_NOT_CONVERGED,
  STATUS_NOT_FINITE,
  STATUS_OK,
  STATUS_TOO_FEW,
  STATUS_TOO_MANY,
} from '../../wasm/memory.ts';

const SENTENCES: Record<number, string> = {
  [STATUS_OK]: 'The computation succeeded.',
  [STATUS_TOO_FEW]: 'There are fewer usable stations than the computation needs.',
  [STATUS_TOO_MANY]: 'There are more stations than the numeric core holds.',
  [STATUS_NOT_FINITE]: 'An input of the numeric core is not a finite number or is out of range.',
  [STATUS_DEGENERATE]: 'The inputs carry no weight or do not determine a position.',
  [STATUS_NOT_CONVERGED]: 'The position was still moving when the computation ended.',
};

/**
 * Sentence of a status number.
 * @throws Error when the core returned a number that is not in the table.
 */
export function describeStatus(status: number): string {
  const sentence = SENTENCES[status];
  if (sentence === undefined) throw new Error(`The numeric core returned the status ${status}, which has no meaning.`);
  return sentence;
}
