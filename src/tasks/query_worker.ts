// The file that query workers start with. They answer queries alone, so they load no task and no table of a search.

import { openAnswerer, workerOf } from '../pool/worker.ts';

export default workerOf(await openAnswerer('points'), {});
