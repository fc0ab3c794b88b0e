// Rows of every table by number, for tests that write many and look for them afterwards.

import type { LogEntry } from '../../../src/tables/requests/record.ts';
import { LOG_BLOCK_IDS } from '../../../src/tables/requests/ring.ts';
import type { StationChange } from '../../../src/tables/stations/knowledge.ts';
import { uniform } from '../../kits/random.ts';
import { recordOf, stationKey } from '../stations/revised_stations.ts';

const CHANGES = 1_000;

/** A thousand new stations. */
export function numberedChanges(batch: number): StationChange[] {
  return Array.from({ length: CHANGES }, (_, i) => ({ key: stationKey(batch * CHANGES + i), record: recordOf(3, 2) }));
}

export function numberedAccount(n: number) {
  return { keyHash: n.toString(16).padStart(64, '0'), createdMs: 1 };
}

/** A request whose body does not compress. */
export function numberedRequest(n: number): LogEntry {
  const random = uniform(n);
  const request = Buffer.from(Array.from({ length: 1_500 }, () => random() * 256));
  const row = {
    timeMs: 1,
    latencyUs: 3,
    status: 200,
    route: 1,
    accountId: 1,
    nr: 1,
    deviceId: '',
    query: '',
    response: '{}',
  };
  return { ...row, logId: LOG_BLOCK_IDS + n, request };
}
