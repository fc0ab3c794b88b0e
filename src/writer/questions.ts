// What HTTP threads ask the writer, and its answers.

import type { AccountWriter } from '../accounts/account_writer.ts';
import { monthOf } from '../accounts/devices.ts';
import type { Commons } from '../cluster/commons.ts';
import type { NodeHealth } from '../cluster/health.ts';
import type { RequestLog } from '../tables/requests/request_log.ts';
import type { CommitBoundary } from './commit_boundary.ts';
import type { ContributionGate, ContributionWriter } from './contributions.ts';
import type { Question, Questions } from './messages.ts';
import type { Retention } from './retention.ts';

/** What answers them. */
interface Answering {
  readonly accountWriter: AccountWriter;
  readonly boundary: CommitBoundary;
  readonly contributions: ContributionWriter;
  readonly gate: ContributionGate;
  readonly log: RequestLog;
  readonly retention: Pick<Retention, 'earliestMs'>;
  /** Of a cluster, if this is one. */
  readonly node: { readonly health: NodeHealth; readonly commons: Pick<Commons, 'rates'> } | undefined;
}

/** What a machine says of a cluster that belongs to none. */
const ALONE: NodeHealth = { problem: undefined, note: undefined };

/** Answers one question. @throws Error when it cannot be answered */
export function answerQuestion(
  { accountWriter, boundary, contributions, gate, log, node, retention }: Answering,
  { name, ask }: Question,
): Promise<unknown> {
  switch (name) {
    case 'topUp': {
      const { account, credits } = ask as Questions['topUp']['ask'];
      return boundary.pass(() => accountWriter.topUp(account, credits));
    }
    case 'device': {
      const { account, month, device, limit } = ask as Questions['device']['ask'];
      return boundary.pass(() =>
        accountWriter.table.registerDevice(account, month, device, limit, monthOf(retention.earliestMs)),
      );
    }
    case 'loan':
      return node?.commons.rates.borrow((ask as Questions['loan']['ask']).account) ?? Promise.resolve();
    case 'logBlock':
      return log.allocateBlock();
    case 'ping':
      return Promise.resolve(node?.health ?? ALONE);
    case 'contribute': {
      const { account, reports, limitBytes } = ask as Questions['contribute']['ask'];
      return boundary
        .pass(() => contributions.contribute(account, reports, undefined, limitBytes))
        .finally(() => gate.release(reports.byteLength));
    }
  }
}
