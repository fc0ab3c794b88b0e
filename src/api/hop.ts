// The one hop of a request. A query is answered in this thread or in a worker (pool/compute.ts), a task always in a
// worker. A task that refuses its input, and a full queue, become errors of the request.

import type { Compute } from '../pool/compute.ts';
import type { Lane } from '../pool/lanes.ts';
import type { TaskInput, TaskOutput } from '../pool/messages.ts';
import { ApiError, ERRORS } from '../protocol/errors.ts';
import { queryBytesOf, type ScannedBody } from '../protocol/requests/position_query.ts';
import type { PositionBody } from '../protocol/requests/schema.ts';
import { type ExplainedPosition, type ExplainedQuestion, explainPosition } from '../tasks/explain_position.ts';
import { type Located, orRefuse, PositionQuery } from '../tasks/locate.ts';
import { type Refusal, type WorkerTasks, withoutRefusal } from '../tasks/tasks.ts';
import type { DeviceState } from '../tracking/state_token.ts';

/**
 * Locates a device.
 * @param arrivalMs milliseconds since 1970
 * @param wants WANTS_* bits: which texts to add to the position, and whether the device is tracked
 * @param asker who asks, from `askerOf`
 * @param state that the device sent
 * @returns the result, or a promise when a worker computes it
 * @throws ApiError backendError when the queue is full, internalError when the query cannot be answered,
 *   strayLimitExceeded when the account may guess no more
 */
export function locate(
  compute: Compute<WorkerTasks>,
  body: PositionBody | ScannedBody,
  arrivalMs: number,
  wants: number,
  asker: number,
  state?: DeviceState,
): Located | Promise<Located> {
  const located = compute.submit(new PositionQuery(body, arrivalMs, wants, asker, state));
  if (located === undefined) throw new ApiError(ERRORS.backendError);
  return located instanceof Promise ? located.then(orFail) : orFail(located);
}

function orFail(located: Located): Located {
  if (located.isFailed) throw new ApiError(ERRORS.internalError);
  return orRefuse(located);
}

/**
 * Locates a device and explains how, in a worker if there are workers.
 * @param accountId for which
 * @throws ApiError backendError when the queue is full; Error when a table is damaged
 */
export async function explain(
  compute: Compute<WorkerTasks>,
  accountId: number,
  question: ExplainedQuestion,
): Promise<ExplainedPosition> {
  if (!compute.hasWorkers) return explainPosition(compute.answererHere, question);
  return runTask(compute, accountId, 'explainPosition', question, queryBytesOf(question.body, question.wants));
}

const LANES: Readonly<Record<keyof WorkerTasks, Lane>> = {
  places: 'searches',
  explainPosition: 'searches',
  placePart: 'batches',
  cells: 'batches',
  inflate: 'bodies',
  largePosition: 'bodies',
  largeCountry: 'bodies',
  largePoints: 'bodies',
  largeBatch: 'submissions',
};

/** The output of a task that refuses nothing. */
type Done<N extends keyof WorkerTasks> = Exclude<TaskOutput<WorkerTasks, N>, Refusal>;

/**
 * Runs a task in a worker.
 * @param owner number of the account that it is for, or OWNER_UNKNOWN; the tasks of a lane take turns by owner
 * @param bytes memory that the task takes while it waits and runs
 * @throws ApiError when the task refuses its input, or backendError when the queue is full; Error when the task fails
 */
export async function runTask<N extends keyof WorkerTasks>(
  compute: Compute<WorkerTasks>,
  owner: number,
  task: N,
  input: TaskInput<WorkerTasks, N>,
  bytes: number,
): Promise<Done<N>> {
  const running = compute.run(LANES[task], owner, task, input, bytes);
  if (running === undefined) throw new ApiError(ERRORS.backendError);
  return withoutRefusal<Done<N>>((await running) as Done<N> | Refusal);
}
