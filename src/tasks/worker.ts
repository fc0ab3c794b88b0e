// What the compute workers start with: a worker that knows the tasks of this room.

import { openAnswerer, workerOf } from '../pool/worker.ts';
import { TASKS } from './tasks.ts';

export default workerOf(await openAnswerer(), TASKS);
