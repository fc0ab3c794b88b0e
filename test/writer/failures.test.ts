import { expect, test } from 'vitest';
import { NotWritten } from '../../src/tables/environment/commit.ts';
import { Failures } from '../../src/writer/failures.ts';

test('failures of the disk are told once a minute, with how many there were; others always, with their stack', () => {
  const told: string[] = [];
  let nowMs = 0;
  const failures = new Failures(
    message => told.push(message),
    () => nowMs,
  );
  const full = new NotWritten('The log', 'no space is left');
  failures.add(full);
  nowMs = 59_999;
  failures.add(full);
  failures.add(new Error('The request log lost something.', { cause: full }));
  expect(told).toEqual(['The log could not be written: no space is left. Nothing was changed.']);
  failures.add(new Error('a bug'));
  expect(told[1]).toMatch(/^Error: a bug\n +at /);
  nowMs = 60_000;
  failures.add(full);
  expect(told[2]).toBe(
    'The log could not be written: no space is left. Nothing was changed. Since the last such line 2 more ' +
      'writes failed.',
  );
  nowMs = 120_000;
  failures.add(full);
  expect(told[3]).toBe(told[0]);
});
