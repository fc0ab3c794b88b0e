// What every route works with: the parts of an HTTP thread, made once at its start.

import type { Billing } from '../accounts/billing.ts';
import type { AccountCounters } from '../accounts/counters.ts';
import type { DevicePlans } from '../accounts/devices.ts';
import type { AccountDirectory } from '../accounts/directory.ts';
import type { Compute } from '../pool/compute.ts';
import type { LogIds } from '../tables/requests/log_ids.ts';
import type { LogProducer } from '../tables/requests/ring.ts';
import type { WorkerTasks } from '../tasks/tasks.ts';
import type { StateSealer } from '../tracking/state_token.ts';
import type { Intake } from './contribution.ts';
import type { ReplyBatch } from './replies.ts';

/** The parts of an HTTP thread. */
export interface RouteContext {
  directory: AccountDirectory;
  counters: AccountCounters;
  billing: Billing;
  devices: DevicePlans;
  compute: Compute<WorkerTasks>;
  /** The way of contributions. */
  intake: Intake;
  /** What devices carry for us. */
  states: StateSealer;
  logIds: LogIds;
  log: LogProducer;
  replies: ReplyBatch;
  /** Key that requests without one act under, if the operator set it. */
  anonymousKey: string | undefined;
  /** A proxy says where requests come from, and whoever comes through it may be anybody: the demo key is not for them. */
  behindProxy: boolean;
  /** Tells the writer that the log ring is half full. */
  signalLog: () => void;
  /** Our own faults, for the operator. */
  onError: (message: string) => void;
}
