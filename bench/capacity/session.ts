// What the parts of a capacity run share: its folder and scenarios, the length of a slice, the pauses of the machine so
// far, and the progress.

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { PROBE_MILLISECONDS, probePauses } from '../machine.ts';
import type { MeasuredThreads } from './fit.ts';
import type { Target } from './model.ts';
import type { Prepared, ServedFolder } from './prepare.ts';
import type { RunProgress } from './progress.ts';
import type { Pauses } from './queue.ts';
import type { CapacityReport } from './report.ts';
import type { Scenario } from './scenarios.ts';
import { type MeasuredSlice, Service } from './service.ts';
import { estimateCapacity, measureRate, type Sweep } from './sweep.ts';
import type { Targets } from './targets.ts';

/** One run. */
export class Session {
  readonly prepared: Prepared;
  readonly targets: Targets;
  readonly sliceSeconds: number;
  readonly progress: RunProgress;
  private readonly gaps: number[] = [];
  private probes = 0;

  constructor(prepared: Prepared, targets: Targets, sliceSeconds: number, progress: RunProgress) {
    this.prepared = prepared;
    this.targets = targets;
    this.sliceSeconds = sliceSeconds;
    this.progress = progress;
  }

  /** Starts a service with as many HTTP threads as workers, and stops it after use. */
  async withService<T>(
    { threads, world, profileFolder }: { threads: number; world?: ServedFolder; profileFolder?: string },
    use: (service: Service) => Promise<T>,
  ): Promise<T> {
    this.progress.begin('starting a service');
    const { folder, cacheMegabytes, probe } = world ?? this.prepared;
    const settings = { folder, cacheMegabytes, probe, httpThreads: threads, workers: threads };
    const service = await Service.start({ ...settings, ...(profileFolder === undefined ? {} : { profileFolder }) });
    try {
      return await use(service);
    } finally {
      await service.close();
    }
  }

  /** Lets the service compile its hot functions. @returns requests a second of a closed loop, roughly */
  async warm(service: Service, scenario: Scenario): Promise<number> {
    this.progress.begin(`warming up: ${scenario.name}`);
    const capacity = await estimateCapacity(this.sweepOf(service, scenario));
    this.progress.step();
    return capacity;
  }

  /** One round of a scenario, in rising order. */
  async sweep(service: Service, scenario: Scenario, rates: readonly number[]): Promise<MeasuredSlice[]> {
    const slices: MeasuredSlice[] = [];
    for (const rate of [...new Set(rates)].sort((a, b) => a - b))
      slices.push(await this.measureSlice(service, scenario, rate));
    return slices;
  }

  async measureSlice(service: Service, scenario: Scenario, rate: number): Promise<MeasuredSlice> {
    const slice = await measureRate(this.sweepOf(service, scenario), rate);
    this.progress.step();
    return slice;
  }

  /** Where the requests of a scenario are stored. */
  fileOf({ name }: Scenario): string {
    return join(this.prepared.scratch, `${name}.bin`);
  }

  /** Watches for pauses of the machine for a second, with all cores busy. */
  async watchPauses(): Promise<void> {
    const threads = availableParallelism();
    this.gaps.push(...(await probePauses(threads)));
    this.probes += threads;
  }

  /** The pauses seen so far. */
  pauses(): Pauses {
    return {
      perSecond: this.gaps.length / ((this.probes * PROBE_MILLISECONDS) / 1000),
      lengths: this.gaps.map(gap => gap * 1000),
    };
  }

  /** The same for the report. */
  describePauses(): CapacityReport['pauses'] {
    const lost = this.gaps.reduce((sum, gap) => sum + gap, 0);
    const longestMilliseconds = this.gaps.reduce((longest, gap) => Math.max(longest, gap), 0);
    return {
      perSecond: this.pauses().perSecond,
      lostShare: lost / (this.probes * PROBE_MILLISECONDS),
      longestMilliseconds,
    };
  }

  /** How the services of the run are started. */
  threadsOf(threads: number): MeasuredThreads {
    return { httpThreads: threads, workers: threads, sliceSeconds: this.sliceSeconds };
  }

  /** This machine as it is measured, with the generator on it. */
  targetOf(threads: number, doublingCost = 1): Target {
    return {
      ...this.threadsOf(threads),
      cores: availableParallelism(),
      doublingCost,
      hasGenerator: true,
      pauses: this.pauses(),
    };
  }

  private sweepOf(service: Service, scenario: Scenario): Sweep {
    return { service, scenario, requestFile: this.fileOf(scenario), sliceSeconds: this.sliceSeconds };
  }
}
