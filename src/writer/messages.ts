// What HTTP threads ask of the writer thread, each over its own MessagePort. A question has a number and gets one
// answer; a signal gets none.

import type { MessagePort } from 'node:worker_threads';
import type { NodeHealth } from '../cluster/health.ts';
import { ApiError, ERRORS } from '../protocol/errors.ts';
import type { DeviceOutcome } from '../tables/accounts/rows.ts';
import type { Contributed } from './contributions.ts';

/** The questions, with their input and answer. */
export interface Questions {
  /** Debit a block of an account's credits and make it spendable. The answer is what can be spent. */
  topUp: { ask: { account: number; credits: number }; answer: number };
  /** Count a device of a per-device plan. */
  device: { ask: { account: number; month: number; device: string; limit: number }; answer: DeviceOutcome };
  /** An account has used up much of the share of its rate that this node of a cluster has. */
  loan: { ask: { account: number }; answer: undefined };
  /** Take a block of log ids. The answer is its first id. */
  logBlock: { ask: Record<never, never>; answer: number };
  /** Append reports (`packReports`) whose bytes are reserved (`ContributionGate`). The answer follows the commit. */
  contribute: { ask: { account: number; reports: Uint8Array; limitBytes?: number | undefined }; answer: Contributed };
  /** Whether the writer answers at all, and what a node of a cluster says of itself. */
  ping: { ask: Record<never, never>; answer: NodeHealth };
}

const NOTHING_STORED = 'The service cannot store anything now; try again later.';

type QuestionName = keyof Questions;

/** A question as it is sent. */
export interface Question<Q extends QuestionName = QuestionName> {
  n: number;
  name: Q;
  ask: Questions[Q]['ask'];
}
/** `isFull`: the tables could not be written, which may change. */
export type Answer = { n: number; value: unknown } | { n: number; error: string; isFull: boolean };
/** Number of a question that gets no answer. */
export const UNANSWERED = 0;
/** The log ring of the sender is half full. */
export const SIGNAL_LOG = 'log';

/** The HTTP thread's end. */
export class WriterClient {
  private readonly port: MessagePort;
  private readonly open = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  private next = 1;

  constructor(port: MessagePort) {
    this.port = port;
    port.on('message', (answer: Answer) => {
      const waiting = this.open.get(answer.n);
      this.open.delete(answer.n);
      if ('error' in answer)
        waiting?.reject(answer.isFull ? new ApiError(ERRORS.backendError, NOTHING_STORED) : new Error(answer.error));
      else waiting?.resolve(answer.value as never);
    });
  }

  /**
   * Asks the writer.
   * @param transfer buffers in the question that are transferred instead of copied
   * @throws ApiError backendError when the tables cannot be written now, of which the writer tells the operator; Error
   *   with the writer's message when it could not do it for another reason
   */
  ask<Q extends QuestionName>(
    name: Q,
    ask: Questions[Q]['ask'],
    transfer: ArrayBuffer[] = [],
  ): Promise<Questions[Q]['answer']> {
    const n = this.next++;
    return new Promise((resolve, reject) => {
      this.open.set(n, { resolve, reject });
      this.port.postMessage({ n, name, ask } satisfies Question<Q>, transfer);
    });
  }

  /** Asks for something without waiting for an answer. */
  tell<Q extends QuestionName>(name: Q, ask: Questions[Q]['ask']): void {
    this.port.postMessage({ n: UNANSWERED, name, ask } satisfies Question<Q>);
  }

  /** Asks the writer to drain the log ring. */
  signalLog(): void {
    this.port.postMessage(SIGNAL_LOG);
  }

  /** Number of questions without an answer so far. */
  get waiting(): number {
    return this.open.size;
  }

  close(): void {
    this.port.close();
  }
}
