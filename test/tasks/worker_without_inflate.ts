// A worker that fails to inflate.

import { openAnswerer, workerOf } from '../../src/pool/worker.ts';
import { TASKS } from '../../src/tasks/tasks.ts';

const inflate = (): never => {
  throw new Error('This worker inflates nothing.');
};

export default workerOf(await openAnswerer(), { ...TASKS, inflate });
