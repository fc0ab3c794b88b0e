// A service in a new folder for the running test.

import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ServiceProcess } from './service_process.ts';
import { temporaryFolder } from './temporary_folder.ts';

/**
 * Flags of a service where nothing depends on how many threads it has or where positions are computed: without workers
 * it starts at about half the cost. test/corpus and test/api try both.
 */
export const FEW_THREADS = ['--http-threads', '1', '--compute', 'inline'];

/** The same of a node of a cluster. test/deploy/cluster.test.ts and test/torture/cluster.ts have nodes with workers. */
export const SMALL_NODE = [...FEW_THREADS, '--cache-mb', '4', '--admin', 'off'];

/** Starts a service with one HTTP thread and no workers; it is stopped after the test. */
export async function serve(...flags: string[]): Promise<ServiceProcess> {
  const service = await ServiceProcess.start(join(temporaryFolder(), 'var'), ...FEW_THREADS, ...flags);
  onTestFinished(async () => void (await service.stop()));
  return service;
}
