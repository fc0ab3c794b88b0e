// The file that the background worker starts with.

import { openAnswerer, workerOf } from '../pool/worker.ts';
import { BACKGROUND_TASKS } from './background.ts';

export default workerOf(await openAnswerer(), BACKGROUND_TASKS);
