// A service in a new folder for the running test.

import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ServiceProcess } from './service_process.ts';
import { temporaryFolder } from './temporary_folder.ts';

/** Starts a service with one HTTP thread; it is stopped after the test. */
export async function serve(...flags: string[]): Promise<ServiceProcess> {
  const service = await ServiceProcess.start(join(temporaryFolder(), 'var'), '--http-threads', '1', ...flags);
  onTestFinished(async () => void (await service.stop()));
  return service;
}
