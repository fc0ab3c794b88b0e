// The writer thread. It owns the data folder for a serving process, answers the questions of the HTTP threads, and runs
// the jobs of commands.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { ClusterNode } from '../cluster/node.ts';
import type { NodeParts, NodeSettings } from '../cluster/node_parts.ts';
import type { Durability } from '../config.ts';
import { STOP_CLOSING } from '../jobs/import_messages.ts';
import { messageOf } from '../jobs/job.ts';
import { openJobSocket } from '../jobs/socket.ts';
import type { AgingFiles } from '../metrics/ages.ts';
import { measureThreadLoad } from '../metrics/thread_load.ts';
import { Garbage } from '../pool/garbage.ts';
import { Failures, isNotWritten } from './failures.ts';
import { importInThread } from './import_in_thread.ts';
import { type Answer, type Question, SIGNAL_LOG, UNANSWERED } from './messages.ts';
import { Owner } from './owner.ts';
import type { OwnerLimits } from './owner_options.ts';
import type { SharedState } from './shared_memory.ts';

/** Sent by the main thread at the start. */
export interface WriterSetup extends OwnerLimits {
  folder: string;
  sync: Durability;
  calibrates: boolean;
  files: AgingFiles;
  shared: SharedState;
  /** The folder is new: fill it with the demo town and a demo key. */
  isNew: boolean;
  /** The machine is small. */
  isSmall: boolean;
  /** Measure how busy this thread is. */
  measuresLoad: boolean;
  /** Of the node of a cluster; undefined without one. */
  cluster: Omit<NodeSettings, 'isNew'> | undefined;
}

/** Received from the main thread: a port for a new HTTP thread, other limits, or the end. */
export type WriterOrder = MessagePort | { limits: OwnerLimits } | 'stop';

/** Sent to the main thread. */
export type WriterNews =
  | { ready: true; demoKey: string | undefined }
  | { error: string }
  | { warning: string }
  | { closed: true };

const setup: WriterSetup = workerData;
const news = (message: WriterNews): void => parentPort!.postMessage(message);

const failures = new Failures(message => news({ error: message }));

/** The words by which imports that run are stopped. */
const stops = new Set<Int32Array>();
const owner = await Owner.open(
  {
    folder: setup.folder,
    sync: setup.sync,
    logMegabytes: setup.logMegabytes,
    logRequests: setup.logRequests,
    keepObservations: setup.keepObservations,
    calibrates: setup.calibrates,
    files: setup.files,
    rewards: setup.rewards,
    onError: error => failures.add(error),
    onWarning: warning => news({ warning }),
    runTableJob: importInThread(stops),
    joinCluster: setup.cluster && joinAs(setup.cluster),
  },
  setup.shared,
);
const demoKey = setup.isNew ? await owner.createDemo() : undefined;
const ports = new Set<MessagePort>();
const jobs = await openJobSocket(setup.folder, (job, onProgress, cancelled, isPassed, leaveTurn) =>
  owner.run(job, { folder: setup.folder, sync: setup.sync, onProgress, cancelled, isPassed, leaveTurn }),
);
owner.startServing();
new Garbage(setup.isSmall).collectWhenIdle();
if (setup.measuresLoad) measureThreadLoad(setup.shared.threadLoads.at(-1)!);
parentPort!.on('message', (order: WriterOrder) => {
  if (order === 'stop') void close();
  else if ('limits' in order) owner.setLimits(order.limits);
  else connect(order);
});
news({ ready: true, demoKey });

/** The libraries of a cluster are loaded only where there is one. */
function joinAs(cluster: Omit<NodeSettings, 'isNew'>): (parts: NodeParts) => Promise<ClusterNode> {
  return async parts => {
    const { ClusterNode } = await import('../cluster/node.ts');
    return ClusterNode.start(parts, { ...cluster, isNew: setup.isNew });
  };
}

function connect(port: MessagePort): void {
  ports.add(port);
  port.on(
    'message',
    (message: Question | typeof SIGNAL_LOG) => void receive(port, message).catch(error => failures.add(error)),
  );
  port.on('close', () => ports.delete(port));
}

async function receive(port: MessagePort, message: Question | typeof SIGNAL_LOG): Promise<void> {
  if (message === SIGNAL_LOG) {
    await owner.logDrain.drain();
    return;
  }
  let answer: Answer;
  try {
    answer = { n: message.n, value: await owner.answer(message) };
  } catch (error) {
    const isFull = isNotWritten(error);
    if (isFull) failures.add(error as Error);
    answer = { n: message.n, error: messageOf(error), isFull };
  }
  // If a hint fails, the first charge that must wait asks again and reports the failure.
  if (message.n !== UNANSWERED) port.postMessage(answer);
}

/** Stops a running import, for which the owner waits. The tables stay as they were. */
async function close(): Promise<void> {
  jobs.close();
  for (const stop of stops) Atomics.store(stop, 0, STOP_CLOSING);
  await owner.close();
  for (const port of ports) port.close();
  news({ closed: true });
  parentPort!.close();
}
