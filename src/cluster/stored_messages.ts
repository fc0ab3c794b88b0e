// Reads what a stream has stored. A server keeps a thousand consumers or so for a stream, and one that nobody deletes
// for minutes. So subjects are listed without one, and messages are read by one that is deleted afterwards.

import { DeliverPolicy, type JetStreamClient, type JetStreamManager, type JsMsg } from '@nats-io/jetstream';
import { Unreachable } from './connection.ts';

/** A consumer whose node was killed is gone after this time. */
const UNUSED_MILLISECONDS = 30_000;
/** How long the next message may take. */
const MESSAGE_MILLISECONDS = 5_000;

/**
 * Yields the messages of a stream that are there at this moment, in order.
 * @param subject of them; may have wildcards
 * @param what it is, for the operator
 * @param which only the last one of each subject, or all
 * @throws Error of NATS; Unreachable when the next one does not come in time
 */
export async function* storedMessages(
  jetstream: JetStreamClient,
  stream: string,
  subject: string,
  what: string,
  which: 'all' | 'last' = 'all',
): AsyncGenerator<JsMsg> {
  const consumer = await jetstream.consumers.get(stream, {
    filter_subjects: subject,
    deliver_policy: which === 'all' ? DeliverPolicy.All : DeliverPolicy.LastPerSubject,
    inactive_threshold: UNUSED_MILLISECONDS,
  });
  try {
    if ((await consumer.info(true)).num_pending === 0) return;
    const messages = await consumer.consume();
    try {
      for (const next = messages[Symbol.asyncIterator](); ; ) {
        const { value, done } = await soon(next.next(), what);
        if (done) throw new Unreachable(`${what}: the connection ended.`);
        yield value;
        if (value.info.pending === 0) return;
      }
    } finally {
      messages.stop();
    }
  } finally {
    // One that is left is gone soon.
    consumer.delete().catch(() => undefined);
  }
}

/** The client itself waits for longer where the server that sends is lost. */
function soon<T>(message: Promise<T>, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = new Unreachable(`${what} does not come on.`);
    const timer = setTimeout(() => reject(late), MESSAGE_MILLISECONDS);
    message.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** The subjects of which a stream has messages, in no order. @param filter with wildcards @throws Error of NATS */
export async function subjectsOf(manager: JetStreamManager, stream: string, filter: string): Promise<string[]> {
  const { state } = await manager.streams.info(stream, { subjects_filter: filter });
  return Object.keys(state.subjects ?? {});
}
