// The tasks of the compute workers, by name.

import type { Tasks, WorkerFile } from '../pool/tasks.ts';
import { answerPlaces, type PlaceAnswer, type PlaceQuestion } from './answer_places.ts';
import { explainPosition } from './explain_position.ts';
import { type LargeBatch, packLargeBatch } from './large_batch.ts';
import { findLargeCountry, inflateBody, locateLarge, readLargePoints } from './large_bodies.ts';
import { withRefusals } from './refusal.ts';

/** All tasks. A refusal comes back as a value (refusal.ts). */
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
} satisfies Tasks;

/** The table's type. */
export type WorkerTasks = typeof TASKS;

/** The file that the workers of a service run. */
export const WORKER_FILE: WorkerFile<WorkerTasks> = new URL('./worker.ts', import.meta.url);
