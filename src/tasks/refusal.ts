// What a task refuses, such as a body that does not parse, on its way back to the HTTP thread. An error would lose its class when it is copied from thread
// to thread, so it travels as a plain value.

import type { Answerer } from '../pool/answerer.ts';
import { ApiError, ERRORS } from '../protocol/errors.ts';

/** An error of the client. */
export interface Refusal {
  /** Its row in the error table. */
  refused: keyof typeof ERRORS;
  /** Error message for the client. */
  message: string;
}

/** The same task, which returns what it refuses. */
export function withRefusals<I, O extends object>(
  task: (answerer: Answerer, input: I) => O | Promise<O>,
): (answerer: Answerer, input: I) => Promise<O | Refusal> {
  return async (answerer, input) => {
    try {
      return await task(answerer, input);
    } catch (error) {
      if (error instanceof ApiError) return { refused: nameOf(error), message: error.message };
      throw error;
    }
  };
}

/** The output of a task. @throws ApiError what it refused */
export function withoutRefusal<O extends object>(output: O | Refusal): O {
  if ('refused' in output) throw new ApiError(ERRORS[output.refused], output.message);
  return output;
}

function nameOf({ row }: ApiError): Refusal['refused'] {
  const name = Object.entries(ERRORS).find(entry => entry[1] === row)?.[0];
  return (name as Refusal['refused'] | undefined) ?? 'internalError';
}
