// The parts of an HTTP thread that routes work with. The thread makes them once, at its start.

import type { Billing } from '../accounts/billing.ts';
import type { AccountCounters, DevicePlans } from '../accounts/counters.ts';
import type { AccountDirectory } from '../accounts/directory.ts';
import type { RequestCounts } from '../metrics/request_counts.ts';
import type { Compute } from '../pool/compute.ts';
import type { PositionParser } from '../protocol/requests/scanned_body.ts';
import type { LogIds, LogProducer } from '../tables/requests/ring.ts';
import type { WorkerTasks } from '../tasks/tasks.ts';
import type { StateSealer } from '../tracking/state_token.ts';
import type { BodyMemory } from './body_memory.ts';
import type { Intake } from './contribution.ts';
import type { Readiness } from './health.ts';
import type { ReplyBatch } from './replies.ts';
import type { AccessLog } from './transport/access_log.ts';

/** The parts of an HTTP thread. */
export interface RouteContext {
  directory: AccountDirectory;
  counters: AccountCounters;
  billing: Billing;
  devices: DevicePlans;
  /** Parses the bodies of positions. */
  positions: PositionParser;
  compute: Compute<WorkerTasks>;
  /** Counts the memory of bodies. */
  bodies: BodyMemory;
  /** What contributions need. */
  intake: Intake;
  /** Seals and opens the state tokens that devices carry. */
  states: StateSealer;
  logIds: LogIds;
  log: LogProducer;
  replies: ReplyBatch;
  /** Counts requests, for metrics. */
  counts: RequestCounts;
  /** Undefined without an access log. */
  access: AccessLog | undefined;
  /** What balancers and supervisors ask for. */
  readiness: Readiness;
  /** Most bytes of a body as sent and inflated; batches have their own limit. */
  bodyLimitBytes: number;
  /** LONE_BEACONS_* bit: which beacons may place a device alone. */
  loneBeacons: number;
  /** The key of requests that send none, if the operator has set one. */
  anonymousKey: string | undefined;
  /** Requests come through a proxy. They may come from anywhere, so the demo key does not work. */
  behindProxy: boolean;
  /** Tells the writer that the log ring is half full. */
  signalLog: () => void;
  /** Reports a fault of ours to the operator. */
  onError: (message: string) => void;
}
