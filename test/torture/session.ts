// One session of torture: a service in a folder of its own, and rounds in which load of every kind meets a fault
// (faults.ts). After each round the service starts again, and balances, keys and imports must be what was acknowledged.
// After the last one everything that was sent must be in the log once, the tables must follow from the log, and `check`
// must find them sound.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { checkFolder } from '../../src/check/check_folder.ts';
import { uniform } from '../kits/random.ts';
import { ServiceProcess } from '../kits/service_process.ts';
import { mountDisk } from '../kits/small_disk.ts';
import { type Account, type Contributor, makeContributors } from '../service/contributor.ts';
import { holdAgainstLog, holdAgainstSent } from '../service/stored_reports.ts';
import { clearFaults, type FaultName, faultOf, type RoundEnd, type Scene } from './faults.ts';
import { type Answered, askPositions, Importer, KeyKeeper } from './load.ts';
import { bootAnew, cutPower, type Device, deviceEnvironment } from './power_cut.ts';

/** What a session did and found. */
export interface SessionTotals {
  rounds: Map<FaultName, number>;
  /** What was acknowledged, by kind. */
  acknowledged: { requests: number; reports: number; positions: number; imports: number; keys: number };
  /** Sentences about what must not be, each with its round. */
  findings: string[];
}

/** What a session is made of. */
export interface SessionPlan {
  seed: number;
  /** In their order. */
  faults: readonly FaultName[];
  /** The compiled faults.c. */
  library: string;
  onRound?(): void;
}

const CREDITS = 100_000_000;
const DISK_KILOBYTES = 196_608;
const ASKERS = 2;
/**
 * Contributions that are acknowledged before a fault, and before a stop behind it, at most; and how long they are
 * waited for.
 */
const REQUESTS_MAX = 60;
const LOADED_MILLISECONDS = 1_500;
const LOOK_MILLISECONDS = 3;
/** Before a kill behind a fault. */
const SOON_MILLISECONDS = 100;
/** Requests under way end within this after the load, or they never do. */
const HANG_MILLISECONDS = 20_000;
/** A service that was just killed may still hold a file for a moment. */
const RETRIES_MAX = 5;
/** Least block of credits that is debited at once. */
const BLOCK_CREDITS = 100;
const FAULT_LINE = /"level":[56]0/;
const WORKER_ENDS = new URL('end_workers.ts', import.meta.url).href;

/**
 * Runs a session. The environment of this process is changed meanwhile, because the service inherits it. A process that
 * exits meanwhile leaves nothing behind.
 */
export async function runSession(plan: SessionPlan): Promise<SessionTotals> {
  const base = mkdtempSync(join(tmpdir(), 'torture-'));
  const small = plan.faults.some(name => faultOf(name).needsDisk) ? mountDisk(DISK_KILOBYTES) : undefined;
  const session = new Session(plan, base, small?.disk ?? base);
  const removeAll = (): void => rmSync(base, { recursive: true, force: true, maxRetries: RETRIES_MAX });
  process.once('exit', removeAll);
  const preload = {
    LD_PRELOAD: plan.library,
    TORTURE_CONTROL: session.scene.control,
    TORTURE_WORKER: session.scene.workerOrder,
    NODE_OPTIONS: `--import=${WORKER_ENDS}`,
    ...(plan.faults.includes('power') && deviceEnvironment(session.device)),
  };
  const before = Object.fromEntries(Object.keys(preload).map(name => [name, process.env[name]]));
  Object.assign(process.env, preload);
  try {
    return await session.run();
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    small?.unmount();
    process.off('exit', removeAll);
    removeAll();
  }
}

class Session {
  readonly scene: Omit<Scene, 'service'>;
  readonly device: Device;
  private readonly plan: SessionPlan;
  private readonly folder: string;
  private readonly flags: string[];
  private readonly keeper = new KeyKeeper();
  private readonly importer: Importer;
  private readonly totals: SessionTotals = {
    rounds: new Map(),
    acknowledged: { requests: 0, reports: 0, positions: 0, imports: 0, keys: 0 },
    findings: [],
  };
  private service!: ServiceProcess;
  private contributors!: Contributor[];
  private payer!: Account;
  /** A key that pays nothing. */
  private reader!: string;
  private balance = CREDITS;

  constructor(plan: SessionPlan, base: string, disk: string) {
    this.plan = plan;
    const random = uniform(plan.seed);
    this.scene = { disk, control: join(base, 'control'), workerOrder: join(base, 'end_worker'), random };
    this.folder = join(disk, 'data');
    this.device = { folder: this.folder, flushed: join(base, 'device'), boot: join(base, 'boot') };
    this.importer = new Importer(base);
    // Workers take queries only in a pool.
    const compute = plan.faults.includes('worker') || random() < 0.5 ? 'pool' : 'auto';
    const sync = random() < 0.5 ? 'flush' : 'commit';
    this.flags = [
      '--http-threads',
      random() < 0.5 ? '2' : '1',
      '--workers',
      '2',
      '--compute',
      compute,
      '--sync',
      sync,
      '--log-mb',
      '16',
      '--contribution-credits',
      '1',
    ];
  }

  async run(): Promise<SessionTotals> {
    clearFaults(this.scene);
    mkdirSync(this.device.flushed);
    bootAnew(this.device, this.scene.random);
    this.service = await ServiceProcess.start(this.folder, ...this.flags);
    try {
      ({ contributors: this.contributors } = await makeContributors(this.service, CREDITS, this.plan.seed));
      this.payer = { ...(await this.service.key({ credits: CREDITS })), isTrusted: false };
      this.reader = (await this.service.key()).key;
      for (const [round, name] of this.plan.faults.entries()) {
        const found = await this.round(name).catch((error: Error) => [error.message]);
        this.totals.findings.push(
          ...found.map(
            sentence => `Seed ${this.plan.seed}, round ${round}, ${name} (${this.flags.join(' ')}): ${sentence}`,
          ),
        );
        this.totals.rounds.set(name, (this.totals.rounds.get(name) ?? 0) + 1);
        this.plan.onRound?.();
        this.countAcknowledged();
        if (found.length > 0) return this.totals;
      }
      this.totals.findings.push(
        ...(await this.conclude()).map(
          sentence => `Seed ${this.plan.seed}, at the end (${this.flags.join(' ')}): ${sentence}`,
        ),
      );
      return this.totals;
    } finally {
      await this.service.stop('SIGKILL');
    }
  }

  /** One round. @returns a sentence for each thing that must not be */
  private async round(name: FaultName): Promise<string[]> {
    const { random } = this.scene;
    const fault = faultOf(name);
    const end = fault.ends[Math.floor(random() * fault.ends.length)];
    let isOver = false;
    const load = this.startLoad(() => !isOver);
    await this.loaded(1 + Math.floor(random() * REQUESTS_MAX));
    if (random() < 0.15) this.service.job({ verb: 'aggregate', action: 'rebuild' }).catch(() => undefined);
    await fault.act({ ...this.scene, service: this.service });
    if (end === 'stop') await this.loaded(1 + Math.floor(random() * REQUESTS_MAX));
    else await delay(random() * SOON_MILLISECONDS);
    const found: string[] = [];
    if (await isEnded(this.service)) found.push('The service ended by itself.');
    if (end !== 'stop') await this.service.stop('SIGKILL');
    isOver = true;
    const answered = await withinTime(load);
    if (answered === undefined) return [...found, `Requests hang ${HANG_MILLISECONDS / 1000} s after the fault.`];
    const { code, signal, stderr } = end === 'stop' ? await this.service.stop() : await this.service.ended;
    if (end === 'stop' && code !== 0) found.push(`The service ended with ${code ?? signal}.`);
    found.push(...answered.flatMap(({ wrong }) => wrong.slice(0, 3)));
    const line = stderr.split('\n').find(each => FAULT_LINE.test(each));
    if (!fault.mayLogErrors && line !== undefined) found.push(`The service had a fault: ${line}`);
    if (found.length > 0) found.push(`It said: ${stderr.slice(-2000)}`);
    clearFaults(this.scene);
    if (end === 'cut') cutPower(this.device, random);
    this.service = await ServiceProcess.start(this.folder, ...this.flags);
    return [...found, ...(await this.checkAcknowledged(answered, end))];
  }

  private startLoad(goesOn: () => boolean): Promise<Answered[]> {
    const { random } = this.scene;
    // Each kind draws numbers of its own: how the kinds take turns is not up to the seed.
    const own = (): (() => number) => uniform(Math.floor(random() * 2 ** 32));
    const asking = Array.from({ length: ASKERS }, () => askPositions(this.service.url, this.payer.key, own(), goesOn));
    const others = [
      ...this.contributors.map(contributor => contributor.contribute(this.service.url, goesOn)),
      this.keeper.keep(this.service, own(), goesOn),
      this.importer.import(this.service, goesOn),
    ];
    return Promise.all([Promise.all(asking), ...others]).then(([answered]) => answered);
  }

  /**
   * Waits until so many more contributions are acknowledged, for a bounded time: a fault may leave nobody to
   * acknowledge them.
   */
  private async loaded(requests: number): Promise<void> {
    const count = (): number => this.contributors.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
    const before = count();
    for (let waited = 0; waited < LOADED_MILLISECONDS && count() < before + requests; waited += LOOK_MILLISECONDS)
      await delay(LOOK_MILLISECONDS);
  }

  /** Holds balances, keys and imports against what was acknowledged. */
  private async checkAcknowledged(answered: readonly Answered[], end: RoundEnd): Promise<string[]> {
    const positions = answered.reduce((sum, each) => sum + each.positions, 0);
    const unanswered = answered.reduce((sum, each) => sum + each.unanswered, 0);
    const found = [
      ...(await this.keeper.check(this.service)),
      ...(await this.importer.check(this.service, this.reader)),
    ];
    const { credits } = await this.service.job<{ credits: number }>({
      verb: 'keys',
      action: 'show',
      id: this.payer.id,
    });
    const spent = this.balance - credits;
    // A kill forfeits what was debited in blocks and not spent: at most the block in use and the next one.
    const forfeited = end !== 'stop' ? unanswered + 2 * Math.max(BLOCK_CREDITS, positions + unanswered) : 0;
    if (spent < positions) found.push(`${positions} positions were answered, and ${spent} credits were taken.`);
    if (spent > positions + forfeited)
      found.push(`${spent} credits were taken for ${positions} positions, of which ${unanswered} more were under way.`);
    this.balance = credits;
    this.totals.acknowledged.positions += positions;
    return found;
  }

  private countAcknowledged(): void {
    const { acknowledged } = this.totals;
    acknowledged.requests = this.contributors.reduce((sum, contributor) => sum + contributor.acknowledged.length, 0);
    acknowledged.reports = this.contributors
      .flatMap(contributor => contributor.acknowledged)
      .reduce((sum, { reports }) => sum + reports.length, 0);
    acknowledged.imports = this.importer.imports;
    acknowledged.keys = this.keeper.changes;
  }

  /** Settles what was not acknowledged, and holds the folder against everything that was. */
  private async conclude(): Promise<string[]> {
    const settled = await withinTime(
      Promise.all(this.contributors.map(contributor => contributor.settle(this.service.url))),
    );
    if (settled === undefined) return ['Contributions are not taken after the last round.'];
    await this.service.job({ verb: 'aggregate', action: 'all' });
    const { code, signal } = await this.service.stop();
    const found = code === 0 ? [] : [`The service ended with ${code ?? signal}.`];
    const { findings } = await checkFolder(this.folder, false, () => {});
    found.push(...findings.map(({ kind, table, key, what }) => `${kind}: ${table}, ${key}: ${what}`));
    found.push(...(await holdAgainstSent(this.folder, this.contributors)), ...(await holdAgainstLog(this.folder)));
    this.countAcknowledged();
    return found;
  }
}

/** True if the process has ended already. */
async function isEnded(service: ServiceProcess): Promise<boolean> {
  return Promise.race([service.ended.then(() => true), delay(0, false)]);
}

/** The value of a promise, or undefined when it takes too long. */
async function withinTime<T>(promise: Promise<T>): Promise<T | undefined> {
  const hanging = new AbortController();
  const value = await Promise.race([
    promise,
    delay(HANG_MILLISECONDS, undefined, { signal: hanging.signal }).catch(() => undefined),
  ]);
  hanging.abort();
  return value;
}
