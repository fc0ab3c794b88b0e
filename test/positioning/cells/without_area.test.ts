// The same drives through the same cells, once with area codes and once without: what is learned is the same, and so
// are the answers.

import { expect, test } from 'vitest';
import { metresTo, moved, type Position } from '../../kits/radio/ground.ts';
import { type Heard, HeardWorld } from '../../kits/radio/heard_world.ts';
import { uniform } from '../../kits/random.ts';

const HERE: Position = [49.87, 8.65];
const CELLS = 5;

/** What is heard at a position of a square kilometre with five cells. */
function heardAt(east: number, north: number, area: number | null): Heard[] {
  return Array.from({ length: CELLS }, (_, c) => {
    const away = Math.hypot(east - 250 * c, north - 300 * ((c * 3) % CELLS)) + 50;
    return { cell: 70_000 + c, level: Math.round(-40 - 25 * Math.log10(away)), area };
  });
}

/** Answers at some positions of a world that was learned and is asked with these area codes. */
async function answers(learned: number | null, asked: number | null) {
  const world = await HeardWorld.open();
  const random = uniform(5);
  for (let n = 0; n < 60; n++) {
    const [east, north] = [random() * 1_000, random() * 1_000];
    await world.hear(moved(HERE, east, north), heardAt(east, north, learned));
  }
  return [1, 2, 3, 4, 5].map(n => {
    const truth = [n * 180, 1_000 - n * 150] as const;
    const answer = world.locate(heardAt(...truth, asked));
    expect(metresTo(answer, moved(HERE, ...truth))).toBeLessThan(500);
    return answer;
  });
}

test('a set without area codes answers as the set itself', async () => {
  const whole = await answers(1, 1);
  expect(await answers(null, null)).toEqual(whole);
  expect(await answers(0, 0)).toEqual(whole);
  expect(await answers(1, null)).toEqual(whole);
  expect(await answers(null, 1)).toEqual(whole);
});

test('a map learned partly with codes and partly without is one map', async () => {
  const world = await HeardWorld.open();
  const random = uniform(5);
  for (let n = 0; n < 60; n++) {
    const [east, north] = [random() * 1_000, random() * 1_000];
    await world.hear(moved(HERE, east, north), heardAt(east, north, n % 3 === 1 ? 1 : null));
  }
  const [whole] = await answers(1, 1);
  expect(world.locate(heardAt(180, 850, null))).toEqual(whole);
  expect(world.locate(heardAt(180, 850, 1))).toEqual(whole);
});
