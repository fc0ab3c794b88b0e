// A task may refuse its input, such as a body that does not parse. An error loses its class when it is copied between
// threads, so a refusal travels to the HTTP thread as a plain value.

import type { Answerer } from '../answer/answerer.ts';
import type { Slices } from '../pool/slices.ts';
import { ApiError, ERRORS } from '../protocol/errors.ts';

/** An error of the client. */
export interface Refusal {
  /** Its row in the error table. */
  refused: keyof typeof ERRORS;
  /** Error message for the client. */
  message: string;
}

/** The same task, with refusals returned instead of thrown. */
export function withRefusals<I, O extends object>(
  task: (answerer: Answerer, input: I, slices: Slices) => O | Promise<O>,
): (answerer: Answerer, input: I, slices: Slices) => Promise<O | Refusal> {
  return async (answerer, input, slices) => {
    try {
      return await task(answerer, input, slices);
    } catch (error) {
      if (error instanceof ApiError) return { refused: nameOf(error), message: error.message };
      throw error;
    }
  };
}

/** The output of a task. @throws ApiError when the task refused its input */
export function withoutRefusal<O extends object>(output: O | Refusal): O {
  if ('refused' in output) throw new ApiError(ERRORS[output.refused], output.message);
  return output;
}

function nameOf({ row }: ApiError): Refusal['refused'] {
  const name = Object.entries(ERRORS).find(entry => entry[1] === row)?.[0];
  return (name as Refusal['refused'] | undefined) ?? 'internalError';
}
