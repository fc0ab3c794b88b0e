// The file that compute workers start with: a worker that knows the tasks of this folder.

import { openAnswerer, workerOf } from '../pool/worker.ts';
import { TASKS } from './tasks.ts';

export default workerOf(await openAnswerer(), TASKS);
