// The files that workers start with, apart from what they load: a thread that starts workers need not load it too.

import type { WorkerFile } from '../pool/messages.ts';
import type { BackgroundTasks } from './background.ts';
import type { WorkerTasks } from './tasks.ts';

/** The file of the workers for the tasks of an HTTP thread. */
export const WORKER_FILE: WorkerFile<WorkerTasks> = new URL('./worker.ts', import.meta.url);

/** The file of the query workers, which know no tasks. */
export const QUERY_FILE = new URL('./query_worker.ts', import.meta.url);

/** The file of the background worker. */
export const BACKGROUND_FILE: WorkerFile<BackgroundTasks> = new URL('./background_worker.ts', import.meta.url);
