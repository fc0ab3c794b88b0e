import { expect, test } from 'vitest';
import { compareStreams } from '../../fuzz/compare_streams.ts';

test('drawn byte streams are answered alike with the lane and without', async () => {
  const { streams, requests, taken, statuses, differences } = await compareStreams(3_500, 20_261_122);
  expect(differences.join('\n')).toBe('');
  expect(streams).toBe(3_500);
  // A good part of the requests takes the lane, and every kind of answer occurs.
  expect(taken / requests).toBeGreaterThan(0.4);
  expect([...statuses.keys()]).toEqual(
    expect.arrayContaining(['100', '200', '400', '403', '404', '405', '415', '429', '431', '500']),
  );
});
