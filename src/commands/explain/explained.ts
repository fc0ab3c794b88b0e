// What a kind of question explains: an object for --json, and the same as text.

import type { Answerer } from '../../answer/answerer.ts';

/** An explained answer. */
export interface Explained {
  object: object;
  /** Lines for people. */
  text: string;
}

/**
 * Explains the answer to a question. @param asked value of the flag @param folder data folder @throws Error whose
 * message is for the operator
 */
export type Explain = (answerer: Answerer, asked: string, folder: string) => Promise<Explained>;
