// What a node answers when it is asked whether it is ready.

import type { NodeSettings } from './node_parts.ts';

/** Without an answer of the servers for this long, a node is cut off. */
const ALONE_MILLISECONDS = 6_000;
const MEGABYTE = 1_048_576;

/** What `/ready` says of a node. */
export interface NodeHealth {
  /** Why it is not ready. */
  problem: string | undefined;
  /** What else an operator should know. */
  note: string | undefined;
}

/** Of a node that leaves its cluster, or has done so. */
export const LEAVING: NodeHealth = {
  problem: 'This node has left its cluster. Start the service without --cluster.',
  note: undefined,
};

/** How far whole tables have come. */
export interface FetchProgress {
  doneBytes: number;
  totalBytes: number;
}

/** How a node is. */
interface NodeState extends Pick<NodeSettings, 'role' | 'aloneSeconds'> {
  /** Since a server last answered. */
  aloneMs: number;
  /** It has tables that it can answer from. */
  hasTables: boolean;
  /** What it could not do last. */
  failure: string | undefined;
  /** Of the tables that it takes over. */
  progress: FetchProgress | undefined;
}

/** True for a node that does not reach the servers. @param aloneMs since one last answered */
export function isCutOff(aloneMs: number): boolean {
  return aloneMs > ALONE_MILLISECONDS;
}

/** What to say of it. */
export function healthOf({ role, aloneSeconds, aloneMs, hasTables, failure, progress }: NodeState): NodeHealth {
  const alone = `This node has been cut off from its cluster for ${Math.round(aloneMs / 1000)} s`;
  const isTooLong = isCutOff(aloneMs) && aloneSeconds !== undefined && aloneMs > aloneSeconds * 1000;
  const problem =
    (hasTables ? undefined : joining(progress)) ??
    (isTooLong ? `${alone}.` : undefined) ??
    (role === 'learn' ? 'This node learns for its cluster and takes no requests.' : undefined);
  return { problem, note: isCutOff(aloneMs) ? `${alone}, and answers from its own tables.` : failure };
}

function joining(progress: FetchProgress | undefined): string {
  const megabytes = (bytes: number) => (bytes / MEGABYTE).toFixed(1);
  const how =
    progress === undefined ? '' : `: ${megabytes(progress.doneBytes)} of ${megabytes(progress.totalBytes)} MB`;
  return `This node takes over the tables of its cluster${how}.`;
}
