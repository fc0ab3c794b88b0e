// node bench/learning/cost.ts [options]: how much processor time does learning an observation take, compared with
// another checkout, such as the one before a change? Both learn the same log in turns, a few hundred reports each, in a
// process of their own. So it tells something on a busy machine too. At the end all tables must be equal to the last
// bit.
//
//   town    stations are imported; two contributors stand anywhere in the town, so no two reports share a station
//   drives nothing is known before; drives of five minutes by many contributors, each in a region of its own with few
//   others, so all reports are tested
//
//   --against CHECKOUT   another checkout; without it, this one is measured with calibration against without
//   --calibrate          tests reports before they are learned (as serve does by default), in both
//   --drawn town|drives  (town)
//   --rounds N           rounds that count (9)
//   --reports N          reports of a round (600)
//   --seed N             (1)

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Tally } from '../../src/intake/tally.ts';
import { ObservationLog } from '../../src/tables/observations/observation_log.ts';
import { packBatch } from '../../src/tasks/pack_reports.ts';
import { headerOf, readArguments } from '../command_line.ts';
import { prepareWorld } from '../data_folders.ts';
import { reportAt } from '../reports.ts';
import { median } from '../statistics.ts';
import { createWorld } from '../world.ts';
import type { Turn } from './cost_child.ts';
import { driveReportAt, REPORTS_A_DRIVE } from './drives.ts';

const HERE = fileURLToPath(new URL('../..', import.meta.url));
const STATIONS = 50_000;
const CONTRIBUTORS = 2;
/** Rounds that do not count: the hot functions are compiled, and stations get their first reference points. */
const WARM_ROUNDS = 6;

const { values } = readArguments(headerOf(import.meta.url), {
  options: {
    against: { type: 'string' },
    calibrate: { type: 'boolean', default: false },
    drawn: { type: 'string', default: 'town' },
    rounds: { type: 'string', default: '9' },
    reports: { type: 'string', default: '600' },
    seed: { type: 'string', default: '1' },
  },
});
const rounds = Number(values.rounds);
const reportsARound = Number(values.reports);
const calibrates = values.calibrate ? 'calibrate' : 'plain';
const sides =
  values.against === undefined
    ? [
        { name: 'calibrated', checkout: HERE, calibrates: 'calibrate' },
        { name: 'plain', checkout: HERE, calibrates: 'plain' },
      ]
    : [
        { name: 'this', checkout: HERE, calibrates },
        { name: 'other', checkout: resolve(values.against), calibrates },
      ];

const scratch = mkdtempSync(join(tmpdir(), 'sextant-learning-cost-'));
try {
  const drawn = join(scratch, 'drawn');
  await draw(drawn, (WARM_ROUNDS + rounds) * reportsARound);
  const learners = await Promise.all(sides.map((side, i) => start(side, drawn, join(scratch, String(i)))));
  await measure(learners);
  for (const { child } of learners) child.disconnect();
} finally {
  rmSync(scratch, { recursive: true });
}

/** Makes a folder with the stations and the log. */
async function draw(folder: string, reports: number): Promise<void> {
  const world = createWorld(STATIONS, Number(values.seed));
  if (values.drawn === 'town') cpSync((await prepareWorld(world)).folder, folder, { recursive: true });
  const log = new ObservationLog(folder, 'commit');
  const drawReport = values.drawn === 'town' ? reportAt : driveReportAt;
  for (let batch = 0; batch * REPORTS_A_DRIVE < reports; batch++) {
    const items = Array.from({ length: REPORTS_A_DRIVE }, (_, i) => drawReport(world, batch * REPORTS_A_DRIVE + i));
    const sender = {
      account: 1 + (batch % CONTRIBUTORS),
      isTrusted: false,
      deviceId: undefined,
      arrivalMs: Date.now(),
    };
    for (const part of packBatch(items, sender, new Tally())) await log.append(part, Date.now());
  }
  await log.close();
}

interface Learner {
  name: string;
  child: ChildProcess;
}

async function start(
  { name, checkout, calibrates }: (typeof sides)[number],
  drawn: string,
  folder: string,
): Promise<Learner> {
  cpSync(drawn, folder, { recursive: true });
  const child = fork(fileURLToPath(new URL('cost_child.ts', import.meta.url)), [checkout, folder, calibrates]);
  await once(child, 'message');
  return { name, child };
}

async function measure(learners: readonly Learner[]): Promise<void> {
  const turns: Turn[][] = learners.map(() => []);
  for (let round = -WARM_ROUNDS; round < rounds; round++) {
    const order = [...learners.entries()];
    for (const [l, { child }] of round % 2 === 0 ? order : order.reverse()) {
      const turn = await ask<Turn>(child, reportsARound);
      if (round >= 0) turns[l].push(turn);
    }
  }
  for (const quantity of Object.keys(turns[0][0]) as (keyof Turn)[]) {
    const [ours, others] = turns.map(each => each.map(turn => turn[quantity]));
    const ratios = ours.map((value, round) => value / others[round]).sort((a, b) => a - b);
    const quartile = (part: number) => ratios[Math.floor(part * (ratios.length - 1))].toFixed(3);
    console.log(
      `${quantity} an observation: ${learners[0].name} ${median(ours).toFixed(2)}, ${learners[1].name} ` +
        `${median(others).toFixed(2)}; ratio, median of ${rounds} rounds: ${median(ratios).toFixed(3)} ` +
        `(quartiles ${quartile(0.25)}..${quartile(0.75)})`,
    );
  }
  if (values.against === undefined) return;
  const digests = await Promise.all(learners.map(({ child }) => ask<string>(child, 0)));
  console.log(digests[0] === digests[1] ? 'All tables are equal to the last bit.' : 'THE TABLES DIFFER.');
  if (digests[0] !== digests[1]) process.exitCode = 1;
}

async function ask<T>(child: ChildProcess, reports: number): Promise<T> {
  child.send(reports);
  const [answer] = (await once(child, 'message')) as [T];
  return answer;
}
