// Does harm to a cluster, round after round: three nodes and one or three servers of NATS (cluster_scene.ts) under load
// (cluster_load.ts). HELP below says what it does and what must hold afterwards.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { exitOnSignals, readArguments, readNumber } from '../../bench/command_line.ts';
import { RunProgress } from '../../bench/run_progress.ts';
import { checkFolder } from '../../src/check/check_folder.ts';
import { Unreachable } from '../../src/cluster/connection.ts';
import { NATS_PROGRAM } from '../kits/nats.ts';
import { shuffled, uniform } from '../kits/random.ts';
import { ServiceProcess } from '../kits/service_process.ts';
import { CAN_MOUNT } from '../kits/small_disk.ts';
import { holdAgainstLog } from '../service/stored_reports.ts';
import { HARMS, type HarmName, harmOf } from './cluster_harms.ts';
import { ClusterLoad, type ClusterTotals } from './cluster_load.ts';
import { ClusterScene, NAMES, NobodyLearns } from './cluster_scene.ts';
import { compileFaults } from './faults.ts';

const HARM_NAMES = Object.keys(HARMS) as HarmName[];
const HELP = `npm run torture -- cluster [options]

Three nodes of a cluster on one or three servers of NATS, with cables between all of them that are cut, slow, or listened to. In each round clients send reports, ask
for positions, pay for some, change and revoke keys and import stations, buildings and places at nodes that are drawn, and go to the next one where a node does
not answer, while harm is done. Then the harm ends, and within two minutes every acknowledged report must be in the log of each node once, the rows of all tables,
the buildings, the answers and the accounts of all nodes must be the same, no lookup may have failed on all nodes, no revoked key may be answered, and keys,
credits and imports must be what was acknowledged; where something is not so for 45 s, a node must say so. After each session of rounds the tables must follow
from the log, and check must find all nodes sound. Exits with 1 when something is not so. Needs Linux, a C compiler and nats-server.

  --rounds N       rounds, 1..10000 (10)
  --session N      rounds of one session, 1..1000 (12)
  --clusters N     clusters at once, each with sessions of its own, 1..10 (1)
  --seed N         seed of the first session; the next has the next one, 0..1000000 (1)
  --at-once N      harms in a round, each done to other things, 1..3 (1)
  --servers N      servers of NATS, 1 or 3 (3)
  --harms A,B      harms to take turns with, of the list below (all)
  --older FOLDER   a checkout of an earlier version, whose program takes turns with this one on a node (harm older)

${HARM_NAMES.map(name => `  ${name.padEnd(11)} ${harmOf(name).does}`).join('\n')}`;

/** Within this time after the harm everything must be as it should. */
const SETTLE_MILLISECONDS = 120_000;
/** And what is not so for this time, a node must say. */
const SILENCE_MILLISECONDS = 45_000;
const LOOK_MILLISECONDS = 250;
/** Share of rounds in which stations are imported, besides those whose harm needs it. */
const IMPORT_SHARE = 0.2;
/** Of what nodes printed that is shown with a finding. */
const SHOWN_CHARACTERS = 3_000;

/** What rounds of one harm came to. */
type HarmTotals = ClusterTotals & { rounds: number; missed: number; findings: number };

/** Runs the program. @param words after its name */
export async function tortureCluster(words: readonly string[]): Promise<void> {
  const numbers = { rounds: text('10'), session: text('12'), clusters: text('1'), seed: text('1') };
  const kinds = { 'at-once': text('1'), servers: text('3') };
  const options = { ...numbers, ...kinds, harms: text(HARM_NAMES.join(',')), older: { type: 'string' } } as const;
  const { values } = readArguments(HELP, { args: [...words], options });
  const rounds = readNumber('rounds', values.rounds, 1, 10_000);
  const roundsOfSession = readNumber('session', values.session, 1, 1_000);
  const firstSeed = readNumber('seed', values.seed, 0, 1_000_000);
  const clusters = readNumber('clusters', values.clusters, 1, 10);
  const atOnce = readNumber('at-once', values['at-once'], 1, 3);
  const servers = readNumber('servers', values.servers, 1, 3);
  const harms = readHarms(values.harms, values.older, servers);
  if (NATS_PROGRAM === undefined) return;
  exitOnSignals();
  const base = mkdtempSync(join(tmpdir(), 'torture-cluster-'));
  process.once('exit', () => rmSync(base, { recursive: true, force: true, maxRetries: 5 }));
  const library = compileFaults(base);
  const progress = new RunProgress(process.stderr, rounds);
  const totals = new Map<HarmName | 'all', HarmTotals>();
  const findings: string[] = [];
  // A run that a signal ends says how far it came.
  process.once('exit', () => showTotals(totals, findings, firstSeed));
  const order = shuffled(harms, uniform(firstSeed));
  let begun = 0;
  let seed = firstSeed;
  const runSessions = async (): Promise<void> => {
    while (begun < rounds) {
      const drawn = Array.from(
        { length: Math.min(roundsOfSession, rounds - begun) },
        () => order[begun++ % order.length],
      );
      const scene = new ClusterScene(library, uniform(seed), values.older, servers);
      const session = new Session(seed++, base, scene, totals, progress);
      const random = uniform(seed);
      findings.push(...(await session.run(drawn.map(first => harmsOf(first, atOnce, harms, random)))));
    }
  };
  await Promise.all(Array.from({ length: clusters }, runSessions));
  progress.end();
  if (findings.length > 0) process.exitCode = 1;
}

/** True if a harm did not come about because of another one. */
function hasFailedByAnother(error: unknown): boolean {
  return error instanceof NobodyLearns || error instanceof Unreachable;
}

/** Harms of one round: the first one, and others that are done to other things. */
function harmsOf(first: HarmName, count: number, harms: readonly HarmName[], random: () => number): HarmName[] {
  const drawn = [first];
  for (const name of shuffled(harms, random)) {
    const kinds = [...drawn, name].map(each => harmOf(each).to);
    if (drawn.length < count && !kinds.includes('all') && new Set(kinds).size === kinds.length) drawn.push(name);
  }
  return drawn;
}

function readHarms(names: string, older: string | undefined, servers: number): HarmName[] {
  const harms = names.split(',').map(name => {
    if (HARM_NAMES.includes(name as HarmName)) return name as HarmName;
    console.error(`--harms names ${JSON.stringify(name)}. --help lists the options.`);
    return process.exit(2);
  });
  return harms.filter(
    name =>
      (CAN_MOUNT || !harmOf(name).needsDisk) &&
      (older !== undefined || !harmOf(name).needsOlder) &&
      (servers > 1 || !harmOf(name).needsServers),
  );
}

/** One cluster, and its rounds. */
class Session {
  private readonly seed: number;
  private readonly base: string;
  private readonly totals: Map<HarmName | 'all', HarmTotals>;
  private readonly progress: RunProgress;
  private readonly scene: ClusterScene;
  private load!: ClusterLoad;
  private readonly findings: string[] = [];

  constructor(
    seed: number,
    base: string,
    scene: ClusterScene,
    totals: Map<HarmName | 'all', HarmTotals>,
    progress: RunProgress,
  ) {
    this.seed = seed;
    this.base = base;
    this.totals = totals;
    this.progress = progress;
    this.scene = scene;
  }

  /** @returns the findings, with which it ends */
  async run(rounds: readonly (readonly HarmName[])[]): Promise<string[]> {
    try {
      await this.scene.start();
      this.load = await ClusterLoad.make(this.scene, this.base, this.seed);
      await this.settle();
      for (const [round, harms] of rounds.entries()) {
        this.progress.begin(harms.join(' and '));
        await this.round(harms).catch((error: Error) => this.load.findings.push(error.stack!));
        this.take(`round ${round}, ${harms.join(' and ')}`);
        this.progress.step();
        if (this.findings.length > 0) return this.findings;
      }
      this.progress.begin('the end');
      this.load.findings.push(...(await this.conclude()));
      this.take('at the end');
    } catch (error) {
      this.findings.push(`Seed ${this.seed}: ${(error as Error).stack}`);
    } finally {
      await this.scene.end();
    }
    return this.findings;
  }

  /** Notes what was found. */
  private take(when: string): void {
    const found = [...new Set(this.load.findings.splice(0))].map(what => `Seed ${this.seed}, ${when}: ${what}`);
    this.findings.push(...found);
    if (found.length === 0) return;
    for (const name of NAMES) found.push(`${name} said: ${this.scene.node(name).printed.slice(-SHOWN_CHARACTERS)}`);
    console.error(found.join('\n'));
  }

  private async round(names: readonly HarmName[]): Promise<void> {
    const { scene, load } = this;
    const harms = names.map(harmOf);
    const before = { ...load.totals };
    let isOver = false;
    const imports = harms.some(harm => harm.imports) || scene.random() < IMPORT_SHARE;
    const isTotal = harms.some(harm => harm.isTotal);
    const loaded = load.run(() => !isOver, !isTotal, imports);
    let cameAbout: boolean[] = [];
    try {
      await scene.pause(0.3, 1.5);
      const done = await Promise.allSettled(harms.map(harm => harm.act(scene)));
      cameAbout = done.map(harm => harm.status === 'fulfilled' && harm.value);
      const failed = done.find(harm => harm.status === 'rejected' && !hasFailedByAnother(harm.reason));
      if (failed !== undefined) throw (failed as PromiseRejectedResult).reason;
      await scene.pause(0.3, 1);
    } finally {
      isOver = true;
    }
    if (!(await isWithinTime(loaded))) load.findings.push(`The load does not end: ${[...load.underWay].join(', ')}.`);
    await this.settle();
    load.findings.push(...(await load.checkAcknowledged()));
    for (const [i, name] of [...names, 'all' as const].entries()) this.count(name, before, cameAbout[i] ?? true);
  }

  private count(name: HarmName | 'all', before: ClusterTotals, cameAbout: boolean): void {
    const none = { rounds: 0, missed: 0, findings: 0, reports: 0, lookups: 0, positions: 0, keys: 0, imports: 0 };
    const sum = this.totals.get(name) ?? none;
    for (const kind of Object.keys(before) as (keyof ClusterTotals)[])
      sum[kind] += this.load.totals[kind] - before[kind];
    sum.rounds++;
    sum.missed += Number(!cameAbout);
    sum.findings += this.load.findings.length;
    this.totals.set(name, sum);
  }

  /** Waits until all nodes agree with each other and with what was acknowledged; where they do not is a finding. */
  private async settle(): Promise<void> {
    if (!(await isWithinTime(this.load.settle()))) this.load.findings.push('Reports are not taken.');
    let difference: string | undefined = '';
    const startMs = performance.now();
    for (let isTold = false; performance.now() < startMs + SETTLE_MILLISECONDS; ) {
      difference = await this.load.difference().catch((error: Error) => error.message);
      if (difference === undefined) return;
      if (!isTold && performance.now() > startMs + SILENCE_MILLISECONDS) {
        isTold = true;
        if (!(await this.load.isSaid())) this.load.findings.push(`Nobody says for 45 s that ${difference}.`);
      }
      await delay(LOOK_MILLISECONDS);
    }
    this.load.findings.push(`Two minutes later ${difference}.`);
  }

  /** Has everything learned, stops all nodes, and holds their folders against everything. */
  private async conclude(): Promise<string[]> {
    const { scene, load } = this;
    await scene.node(await scene.learner()).job({ verb: 'aggregate', action: 'all' });
    await this.settle();
    const found: string[] = [];
    // What the others give back comes to a.
    for (const name of NAMES.toReversed()) {
      const { code, signal } = await scene.node(name).stop();
      if (code !== 0) found.push(`${name} ended with ${code ?? signal}.`);
    }
    found.push(...load.checkCredits(0));
    for (const name of NAMES) {
      found.push(...(await load.holdAgainstSent(name)));
      const { findings } = await checkFolder(scene.folderOf(name), false, () => {});
      found.push(...findings.map(({ kind, table, key, what }) => `${name}: ${kind}: ${table}, ${key}: ${what}`));
    }
    const folder = scene.folderOf(scene.draw(NAMES));
    // A folder of a cluster is not written to until a service has run in it alone.
    const alone = await ServiceProcess.start(folder, '--admin', 'off');
    await alone.stop();
    return [...found, ...(await holdAgainstLog(folder))];
  }
}

async function isWithinTime(work: Promise<unknown>): Promise<boolean> {
  const ending = new AbortController();
  const late = delay(SETTLE_MILLISECONDS, false, { signal: ending.signal }).catch(() => false);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    ending.abort();
  }
}

/** Shows the rounds by harm, as a table of lab/endurance.md, and the findings. */
function showTotals(
  totals: ReadonlyMap<HarmName | 'all', HarmTotals>,
  findings: readonly string[],
  firstSeed: number,
): void {
  const kinds = ['rounds', 'missed', 'reports', 'lookups', 'findings'] as const;
  console.log(`| harm | ${kinds.join(' | ')} |\n| --- |${' --- |'.repeat(kinds.length)}`);
  for (const name of [...HARM_NAMES, 'all' as const]) {
    const counts = totals.get(name);
    const does = name === 'all' ? name : harmOf(name).does;
    if (counts !== undefined) console.log(`| ${does} | ${kinds.map(kind => counts[kind]).join(' | ')} |`);
  }
  const all = totals.get('all');
  if (all !== undefined)
    console.log(`Positions paid: ${all.positions}. Changes of keys: ${all.keys}. Imports: ${all.imports}.`);
  console.log(`${findings.length} findings from seed ${firstSeed}.`);
  for (const finding of findings) console.log(finding);
}

function text(byDefault: string): { type: 'string'; default: string } {
  return { type: 'string', default: byDefault };
}
