// Where a question about places is answered: a point in this thread unless everything goes to the pool, words and batches in a worker where there is one.

import type { Compute } from '../pool/compute.ts';
import { ApiError, ERRORS } from '../protocol/errors.ts';
import { answerPlaces, type PlaceAnswer, type PlaceQuestion } from '../tasks/answer_places.ts';

/** Runs in the compute workers. */
const ELSEWHERE_FILE = new URL('../tasks/places_task.ts', import.meta.url);
/** What a question and its answer take while they wait. */
const QUESTION_BYTES = 65_536;

/**
 * Answers one question.
 * @throws ApiError backendError when too many are waiting, Error when a table is damaged
 */
export function askPlaces(compute: Compute, question: PlaceQuestion): PlaceAnswer | Promise<PlaceAnswer> {
  if (!compute.hasWorkers || ('reverse' in question && compute.isInline)) return answerPlaces(compute.geocoder, question);
  const answer = compute.runElsewhere<PlaceAnswer>(ELSEWHERE_FILE, question, QUESTION_BYTES);
  if (answer === undefined) throw new ApiError(ERRORS.backendError);
  return answer;
}
