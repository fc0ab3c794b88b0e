// What a running service says of itself.

import { VERSION } from '../config/version.ts';
import type { ServiceStatus } from '../jobs/job.ts';

/** Version, process, age and memory. */
export function statusNow(): ServiceStatus {
  return { version: VERSION, pid: process.pid, uptimeSeconds: Math.round(process.uptime()), residentBytes: process.memoryUsage.rss() };
}
