// What the rules cost those who search for nobody: a large fleet under one key, which hears access points that have
// moved, or that travel, and real scans. They are answered as the operator is, who guesses nothing, and never meet a
// limit.

import { expect, onTestFinished, test } from 'vitest';
import { parseMac } from '../../src/radio/mac.ts';
import { readGuesses } from '../../src/radio/query/answer.ts';
import { stationAt } from '../../src/tables/stations/station.ts';
import { metresTo, moved, type Position } from '../kits/radio/ground.ts';
import { deviceMac } from '../kits/radio/stations.ts';
import { World } from '../kits/radio/world.ts';
import { uniform } from '../kits/random.ts';
import { learn, scansOf, whyNoSet } from '../positioning/learned_stations.ts';

const MIDDLE: Position = [49.87, 8.65];
const HALF_METRES = 3_000;
const POINTS = 4_000;
/** Of the points: have moved elsewhere in the town since they were learned; are carried around. */
const MOVED_SHARE = 0.06;
const CARRIED = 60;
const DEVICES = 10_000;
const SCANS_EACH = 3;
const HEARD_METRES = 90;
const ACCOUNT = 7;

interface Point {
  mac: number;
  /** Where it is now. */
  at: Position;
}

/** A town as it was learned, and where its access points are now. */
async function drawTown(random: () => number): Promise<{ world: World; points: Point[]; carried: number[] }> {
  const world = new World();
  onTestFinished(() => world.close());
  const anywhere = (): Position => moved(MIDDLE, HALF_METRES * (2 * random() - 1), HALF_METRES * (2 * random() - 1));
  const points = Array.from({ length: POINTS }, (_, n) => {
    const known = anywhere();
    world.addWifi(deviceMac(n), { ...stationAt(...known, 30, 110), isUntrusted: true, isLearned: true, samples: 20 });
    return { mac: deviceMac(n), at: random() < MOVED_SHARE ? anywhere() : known };
  });
  const carried = Array.from({ length: CARRIED }, (_, n) => deviceMac(POINTS + n));
  for (const mac of carried) world.addWifi(mac, { ...stationAt(...anywhere(), 30, 110), isUntrusted: true });
  await world.build();
  return { world, points, carried };
}

/** Asks for scans as the operator and as an account. @returns the answers of both, and the least it might still guess */
function compare(world: World, scans: Iterable<readonly number[]>) {
  const answered = { asAccount: 0, asOperator: 0, leastAllowance: Number.POSITIVE_INFINITY };
  for (const macs of scans) {
    const ask = (asker: number) => {
      const question = world.ask().as(asker);
      for (const [n, mac] of macs.entries()) question.wifiByMac(mac, -60 - n);
      return question.answer();
    };
    if (ask(0) !== undefined) answered.asOperator++;
    answered.leastAllowance = Math.min(answered.leastAllowance, world.guesses.allowance(ACCOUNT, Date.now()));
    if (ask(2 * ACCOUNT) === undefined) continue;
    answered.asAccount++;
    if (readGuesses(world.memory, 0) === 0) world.guesses.reward(ACCOUNT, Date.now());
  }
  return answered;
}

test('ten thousand devices under one key meet no limit, and are answered as if nobody counted', async () => {
  const random = uniform(11);
  const { world, points, carried } = await drawTown(random);
  const rows = Map.groupBy(points, ({ at }) => Math.round(at[0] * 1_000));
  const scans = Array.from({ length: DEVICES * SCANS_EACH }, () => {
    const here = moved(MIDDLE, HALF_METRES * (2 * random() - 1), HALF_METRES * (2 * random() - 1));
    const near = [-1, 0, 1].flatMap(row => rows.get(Math.round(here[0] * 1_000) + row) ?? []);
    const heard = near.filter(({ at }) => metresTo(at, here) < HEARD_METRES).map(({ mac }) => mac);
    return random() < 0.1 ? [...heard, carried[Math.floor(random() * CARRIED)]] : heard;
  });
  const { asAccount, asOperator, leastAllowance } = compare(world, scans);
  expect(asOperator).toBeGreaterThan(15_000);
  expect(asAccount / asOperator).toBeGreaterThan(0.985);
  expect(leastAllowance).toBeGreaterThan(50);
});

const ARIEL = 'wifi_ariel_scans.jsonl.gz';
const noAriel = whyNoSet(ARIEL);
if (noAriel !== undefined) console.log(noAriel);

test.skipIf(noAriel !== undefined)('real scans of a town under one key meet no limit either', async () => {
  const scans = await scansOf(ARIEL);
  const world = await learn(scans.filter((_, i) => i % 2 === 0));
  onTestFinished(() => world.close());
  const asked = scans.map(({ wifiAccessPoints }) => wifiAccessPoints.map(({ macAddress }) => parseMac(macAddress)));
  const { asAccount, asOperator, leastAllowance } = compare(world, asked);
  expect(asOperator).toBeGreaterThan(1_500);
  expect(asAccount / asOperator).toBeGreaterThan(0.985);
  expect(leastAllowance).toBeGreaterThan(50);
});
