import { expect, test } from 'vitest';
import { CommitBoundary } from '../../src/writer/commit_boundary.ts';

test('an action waits for the work under way, also if that fails, and work that comes meanwhile waits for the action', async () => {
  const boundary = new CommitBoundary();
  const told: string[] = [];
  const [first, failing, held] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ];
  const works = [
    boundary.pass(() => first.promise.then(() => told.push('first'))),
    boundary.pass(() => failing.promise).catch(() => told.push('failed')),
  ];
  const action = boundary.hold(async () => {
    told.push('held');
    await held.promise;
    told.push('released');
  });
  works.push(boundary.pass(async () => told.push('second')));
  first.resolve();
  await works[0];
  failing.reject(new Error('no'));
  await works[1];
  held.resolve();
  await Promise.all([action, ...works]);
  expect(told).toEqual(['first', 'failed', 'held', 'released', 'second']);
});

test('work passes again after an action that failed', async () => {
  const boundary = new CommitBoundary();
  await expect(boundary.hold(() => Promise.reject(new Error('the disk is full')))).rejects.toThrow('the disk is full');
  expect(await boundary.pass(() => Promise.resolve(7))).toBe(7);
});
