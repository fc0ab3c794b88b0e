import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { packReports, unpackReports } from '../../src/tables/observations/report.ts';
import { type Answer, type Question, WriterClient } from '../../src/writer/messages.ts';
import { numberedReport } from '../kits/radio/reports.ts';

test('packed reports are handed over to the writer, not copied, and its answer comes back', async () => {
  const { port1, port2 } = new MessageChannel();
  const client = new WriterClient(port1);
  onTestFinished(() => client.close());
  const reports = packReports([numberedReport(1), numberedReport(2)]);
  const asked = client.ask('contribute', { account: 5, reports }, [reports.buffer]);
  expect(reports.byteLength).toBe(0);
  expect(client.waiting).toBe(1);

  const [question] = (await once(port2, 'message')) as [Question<'contribute'>];
  expect(question).toMatchObject({ name: 'contribute', ask: { account: 5 } });
  expect([...unpackReports(question.ask.reports)]).toHaveLength(2);
  port2.postMessage({ n: question.n, value: { accepted: 2, duplicates: 0, credits: 2 } } satisfies Answer);
  expect(await asked).toEqual({ accepted: 2, duplicates: 0, credits: 2 });
  expect(client.waiting).toBe(0);
});

test('a question that the writer could not answer rejects with its message', async () => {
  const { port1, port2 } = new MessageChannel();
  const client = new WriterClient(port1);
  onTestFinished(() => client.close());
  const asked = client.ask('contribute', { account: 5, reports: new Uint8Array() });
  const [question] = (await once(port2, 'message')) as [Question];
  port2.postMessage({ n: question.n, isFull: false, error: 'The disk is full.' } satisfies Answer);
  await expect(asked).rejects.toThrow('The disk is full.');
});
