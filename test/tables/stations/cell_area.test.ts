import { expect, onTestFinished, test } from 'vitest';
import { KIND_LTE, KIND_WIFI } from '../../../src/radio/kind.ts';
import { answeredPosition, answeredStation, squareMiddle } from '../../../src/tables/stations/cell_area.ts';
import { type Station, stationAt, stationView } from '../../../src/tables/stations/station.ts';
import { metresTo, moved, type Position } from '../../kits/radio/ground.ts';
import { recordOf } from '../../kits/radio/stations.ts';
import { World } from '../../kits/radio/world.ts';
import { uniform } from '../../kits/random.ts';

const HOME: Position = [49.87, 8.65];
/** A femtocell as the reports of an account make it known. */
const femtocell = (at: Position, own: Partial<Station> = {}): Station => ({
  ...stationAt(...at, 12, 30),
  isLearned: true,
  isUntrusted: true,
  samples: 40,
  ...own,
});

/** What is answered to a phone that hears a femtocell, alone or with others. */
async function answerTo(station: Station, others: readonly number[] = []) {
  const world = new World();
  onTestFinished(() => world.close());
  world.addCell(7, station);
  for (const cell of others) world.addCell(cell, stationAt(...moved(HOME, 300 * (cell - 50), 200), 400, 900));
  await world.build();
  const question = world.ask().cell(7, -70, { serving: true });
  for (const cell of others) question.cell(cell, -90);
  return question.answer();
}

test('a lone cell that untrusted accounts alone have reported is answered as an area of at least 500 m', async () => {
  const answer = await answerTo(femtocell(HOME));
  expect(answer?.accuracyMetres).toBeGreaterThanOrEqual(500);
  const [latitude, longitude] = squareMiddle(HOME[0] * 1e7, HOME[1] * 1e7);
  expect([answer?.latitude, answer?.longitude]).toEqual([latitude / 1e7, longitude / 1e7]);
});

test('wherever in its area it stands, the answer is the same, alone and beside others', async () => {
  const [latitude, longitude] = squareMiddle(HOME[0] * 1e7, HOME[1] * 1e7);
  const middle = [latitude / 1e7, longitude / 1e7] as const;
  for (const others of [[], [51, 52], [51, 52, 53]]) {
    const answers = await Promise.all(
      [
        [0, 0],
        [480, -480],
        [-480, 480],
        [13, 77],
      ].map(([east, north]) => answerTo(femtocell(moved(middle, east, north)), others)),
    );
    expect(answers[0]).toBeDefined();
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  }
  // Fallbacks, areas, cell sites and lists of cells read it by this.
  const read = (east: number, north: number) =>
    answeredStation(KIND_LTE, stationView(recordOf(femtocell(moved(middle, east, north)))));
  expect(read(480, -480)).toEqual(read(13, 77));
});

test('a cell that the operator vouches for, or that was heard 500 m away, is answered where it is', async () => {
  for (const own of [{ isUntrusted: false }, { r50Metres: 220, r95Metres: 500 }]) {
    const answer = await answerTo(femtocell(HOME, { ...own, isLearned: false }));
    expect(metresTo(answer, HOME)).toBeLessThan(1);
  }
  expect((await answerTo(femtocell(HOME, { r95Metres: 499, isLearned: false })))?.accuracyMetres).toBeGreaterThan(499);
});

test('a square holds its stations, and no other kind of station has one', () => {
  const random = uniform(1);
  for (let i = 0; i < 2_000; i++) {
    const at: Position = [178 * random() - 89, 360 * random() - 180];
    const [latitude, longitude] = squareMiddle(at[0] * 1e7, at[1] * 1e7);
    expect(metresTo([latitude / 1e7, longitude / 1e7], at)).toBeLessThan(720);
  }
  for (const at of [90, -90]) expect(Math.abs(squareMiddle(at * 1e7, 1.8e9)[0])).toBeLessThanOrEqual(9e8);
  const view = stationView(recordOf(femtocell(HOME)));
  expect(answeredPosition(KIND_WIFI, view)).toEqual([HOME[0] * 1e7, HOME[1] * 1e7]);
  expect(answeredStation(KIND_LTE, view)).toMatchObject({ r50Metres: 500, r95Metres: 1000, isLearned: false });
});
