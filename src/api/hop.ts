// The one hop of a request: a query is answered in this thread or in a worker (pool/compute.ts), a task in a worker. What a task refuses is an error of the
// request, and so is that too many wait.

import type { Compute } from '../pool/compute.ts';
import type { TaskInput, TaskOutput } from '../pool/tasks.ts';
import { ApiError, ERRORS } from '../protocol/errors.ts';
import type { PositionBody } from '../protocol/requests/schema.ts';
import { type Located, PositionQuery } from '../tasks/locate.ts';
import { type Refusal, withoutRefusal } from '../tasks/refusal.ts';
import type { WorkerTasks } from '../tasks/tasks.ts';

/**
 * Finds where a device is.
 * @param arrivalMs milliseconds since 1970
 * @param wants WANTS_* bits: what is to be told about the place
 * @returns what was found, or a promise of it when a worker is asked
 * @throws ApiError backendError when too many are waiting, internalError when the query cannot be answered
 */
export function locate(compute: Compute<WorkerTasks>, body: PositionBody, arrivalMs: number, wants: number): Located | Promise<Located> {
  const located = compute.submit(new PositionQuery(body, arrivalMs, wants));
  if (located === undefined) throw new ApiError(ERRORS.backendError);
  return located instanceof Promise ? located.then(orFail) : orFail(located);
}

function orFail(located: Located): Located {
  if (located.isFailed) throw new ApiError(ERRORS.internalError);
  return located;
}

/** What a task comes to where it refuses nothing. */
type Done<N extends keyof WorkerTasks> = Exclude<TaskOutput<WorkerTasks, N>, Refusal>;

/**
 * Has a worker do a task.
 * @param bytes memory that the task takes while it waits and runs
 * @throws ApiError what the task refuses, or backendError when too many wait; Error when it fails
 */
export async function runTask<N extends keyof WorkerTasks>(
  compute: Compute<WorkerTasks>,
  task: N,
  input: TaskInput<WorkerTasks, N>,
  bytes: number,
): Promise<Done<N>> {
  const running = compute.run(task, input, bytes);
  if (running === undefined) throw new ApiError(ERRORS.backendError);
  return withoutRefusal<Done<N>>((await running) as Done<N> | Refusal);
}
