// Jobs that a card begins and waits for.

import type { AdminSchemas } from '../../../../build/console_api.ts';
import { call, Refusal } from '../../api/call.ts';

const JOB_MILLISECONDS = 500;
type Job = AdminSchemas['Job'];

/**
 * Waits until a job has ended. @param onProgress gets how far it is, percent @returns its result @throws Refusal when
 * it fails; AbortError of the signal
 */
export async function ended(begun: Job, onProgress: (percent: number) => void, signal?: AbortSignal): Promise<unknown> {
  let job = begun;
  while (job.state === 'running') {
    onProgress(job.percent ?? 0);
    await new Promise(done => setTimeout(done, JOB_MILLISECONDS));
    job = await call('GET /jobs/{id}', { path: { id: job.id }, ...(signal && { signal }) });
  }
  if (job.state === 'failed') throw new Refusal(409, job.error ?? '');
  return job.result;
}
