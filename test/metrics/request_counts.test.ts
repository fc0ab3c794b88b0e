// What one thread counts, another one reads.

import { expect, test } from 'vitest';
import { createRequestCounts, LATENCY_SECONDS, RequestCounts } from '../../src/metrics/request_counts.ts';
import { ERRORS } from '../../src/protocol/errors.ts';
import { LOG_ROUTES } from '../../src/tables/requests/record.ts';
import { uniform } from '../kits/random.ts';

test('answers, latencies, refusals, credits and tasks are read as they were counted', () => {
  const memory = createRequestCounts();
  const counting = new RequestCounts(memory);
  const random = uniform(7);
  const statuses = [200, 204, 400, 404, 418, 431, 503, 999];
  const answers = new Map<string, number>();
  const latencies = LOG_ROUTES.map((): number[] => []);
  for (let i = 0; i < 5_000; i++) {
    const route = Math.floor(random() * LOG_ROUTES.length);
    const status = statuses[Math.floor(random() * statuses.length)];
    const latencyUs = 10 ** (random() * 9);
    counting.countAnswer(route, status, latencyUs);
    const name = `${LOG_ROUTES[route]} ${[418, 999].includes(status) ? 'other' : status}`;
    answers.set(name, (answers.get(name) ?? 0) + 1);
    latencies[route].push(latencyUs / 1e6);
  }
  for (const row of Object.values(ERRORS)) counting.countRefusal(row);
  counting.countCredits(3);
  counting.countCredits(2);
  counting.noteTasks(lane => lane.length);

  const read = new RequestCounts(memory);
  expect(new Map([...read.answers()].map(({ route, status, count }) => [`${route} ${status}`, count]))).toEqual(
    answers,
  );
  for (const { route, figures } of read.latencyByRoute()) {
    const values = latencies[LOG_ROUTES.indexOf(route as (typeof LOG_ROUTES)[number])];
    expect(figures.atMost).toEqual(
      [...LATENCY_SECONDS, Number.POSITIVE_INFINITY].map(bound => values.filter(value => value <= bound).length),
    );
    expect(figures.sum).toBeCloseTo(
      values.reduce((sum, value) => sum + value, 0),
      6,
    );
  }
  // A path that is not there and a place that is not there have one reason.
  expect(Object.fromEntries([...read.refusals()].map(({ reason, count }) => [reason, count]))).toMatchObject({
    notFound: 2,
    parseError: 1,
  });
  expect(read.credits).toBe(5);
  expect([...read.tasks()]).toContainEqual({ lane: 'searches', count: 'searches'.length });
});
