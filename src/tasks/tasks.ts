// The tasks of the compute workers, by name.

import type { Answerer } from '../answer/answerer.ts';
import type { Tasks } from '../pool/messages.ts';
import type { Slices } from '../pool/slices.ts';
import { ApiError, ERRORS } from '../protocol/errors.ts';
import { answerPlaces, type PlaceAnswer, type PlaceQuestion } from './answer_places.ts';
import { explainPosition } from './explain_position.ts';
import { findLargeCountry, inflateBody, locateLarge, readLargePoints } from './large_bodies.ts';
import { listCells } from './list_cells.ts';
import { type LargeBatch, packLargeBatch } from './pack_reports.ts';

/** All tasks. A refusal comes back as a value. */
export const TASKS = {
  /** Inflates the body of a query. */
  inflate: withRefusals(inflateBody),
  /** Locates the device of a large body. */
  largePosition: withRefusals(locateLarge),
  /** Locates a device and explains how. */
  explainPosition: withRefusals(explainPosition),
  /** Finds the country of a large body. */
  largeCountry: withRefusals(findLargeCountry),
  /** Packs the reports of a large batch. */
  largeBatch: withRefusals((_, batch: LargeBatch, slices) => packLargeBatch(batch, slices)),
  /** Reads the points of a large batch of questions. */
  largePoints: withRefusals(readLargePoints),
  /**
   * Answers a question about places: a search, whose time depends on the words; with `compute` set to `pool`, any
   * question.
   */
  places: withRefusals(({ geocoder }, question: PlaceQuestion): PlaceAnswer => answerPlaces(geocoder, question)),
  /** The same for a part of a long list of points. */
  placePart: withRefusals(({ geocoder }, question: PlaceQuestion): PlaceAnswer => answerPlaces(geocoder, question)),
  /** Lists the cells of an area. */
  cells: withRefusals(listCells),
} satisfies Tasks;

/** The table's type. */
export type WorkerTasks = typeof TASKS;

/**
 * An error of the client, such as a body that does not parse. An error loses its class when it is copied between
 * threads, so a refusal travels to the HTTP thread as a plain value.
 */
export interface Refusal {
  /** Its row in the error table. */
  refused: keyof typeof ERRORS;
  /** Error message for the client. */
  message: string;
}

/** The same task, with refusals returned instead of thrown. */
function withRefusals<I, O extends object>(
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
