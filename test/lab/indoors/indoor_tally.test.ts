import { expect, test } from 'vitest';
import type { IndoorAnswer } from '../../../lab/client.ts';
import { CONCOURSE } from '../../../lab/indoors/indoor_scan.ts';
import { IndoorTally } from '../../../lab/indoors/indoor_tally.ts';
import { drawnScan } from './drawn_scan.ts';

const METRE = 1 / 111_195;
const answerAt = (metres: number, more: Partial<IndoorAnswer> = {}): IndoorAnswer => ({
  latitude: metres * METRE,
  longitude: 0,
  accuracyMetres: 5,
  building: 'Hall',
  floor: 1,
  room: undefined,
  ...more,
});
const truth = drawnScan({ building: 'Hall', floor: 1, room: 'Shop' });

test('a method without answers has no figures', () => {
  const tally = new IndoorTally();
  expect(tally.accuracy()).toMatchObject({ tested: 0, answered: 0, mean: null, floorShare: null, roomShare: null });
  tally.add(truth, undefined, 1);
  expect(tally.accuracy()).toMatchObject({ tested: 1, answered: 0, median: null, insideShare: null });
});

test('errors are scaled, radii are not', () => {
  const tally = new IndoorTally();
  tally.add(truth, answerAt(4), 1.5);
  tally.add(truth, answerAt(6), 1.5);
  const { mean, median, insideShare } = tally.accuracy();
  expect([mean, median]).toEqual([expect.closeTo(7.5, 2), expect.closeTo(7.5, 2)]);
  expect(insideShare).toBe(0.5);
});

test('an answer without a floor or a building has the wrong one', () => {
  const tally = new IndoorTally();
  for (const more of [{}, { floor: 2 }, { floor: undefined, building: undefined }, { building: 'Other' }])
    tally.add(truth, answerAt(1, more), 1);
  expect(tally.accuracy()).toMatchObject({ floorShare: 0.5, buildingShare: 0.5 });
});

test('only answers with a room count for rooms, and shops are told apart', () => {
  const tally = new IndoorTally();
  for (const room of [undefined, 'Shop', 'Other', CONCOURSE]) tally.add(truth, answerAt(1, { room }), 1);
  tally.add({ ...truth, room: CONCOURSE }, answerAt(1, { room: CONCOURSE }), 1);
  tally.add({ ...truth, room: undefined }, answerAt(1, { room: 'Shop' }), 1);
  expect(tally.accuracy()).toMatchObject({ rooms: 4, roomShare: 0.5, shops: 2, shopShare: 0.5 });
});
