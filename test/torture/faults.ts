// The faults of a round, by name: what is done to a service under load, what it may answer meanwhile, and how the round
// ends.

import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, rmSync, statfsSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceProcess } from '../kits/service_process.ts';

/** How the service ends after a round: by SIGTERM with everything given back, by SIGKILL, or with the power. */
export type RoundEnd = 'stop' | 'kill' | 'cut';

/** What faults act on. */
export interface Scene {
  service: ServiceProcess;
  /** The disk of the data folder. */
  disk: string;
  /** The two words that faults.c reads. */
  control: string;
  /** The order for a worker to end. */
  workerOrder: string;
  random: () => number;
}

/** One kind of fault. */
interface Fault {
  /** For the table of totals. */
  does: string;
  /** Brings the fault about and takes it away again. */
  act(scene: Scene): Promise<void>;
  /** How rounds of it end; drawn where there are two. */
  ends: readonly RoundEnd[];
  /** Lines about errors that the service may log. */
  mayLogErrors?: true;
  /** Needs a small disk of its own. */
  needsDisk?: true;
}

const FLUSHES_WORD = 0;
/** Of the seconds by which the clock is wrong, in the control file. */
export const CLOCK_WORD = 4;
/**
 * Two clocks of a session are less than a day apart: a report without a time of its own counts again a day later, as it
 * should.
 */
const CLOCK_SECONDS_MAX = 11 * 3_600;
/** Space that a full disk has left at most. */
const LEFT_BYTES_MAX = 1_500_000;
const FILL_BYTES = 8_388_608;
/** Workers look at their doorbell whenever there is load. */
const WORKER_MILLISECONDS = 5_000;
const LOOK_MILLISECONDS = 5;
const FILLER = 'filler';

/** All faults by name. */
export const FAULTS = {
  kill: { does: 'kill -9 of the service', act: async ({ random }) => delay(random() * 400), ends: ['kill'] },
  power: {
    does: 'a power cut: what was not flushed is gone',
    act: async ({ random }) => delay(random() * 400),
    ends: ['cut'],
  },
  pause: {
    does: 'SIGSTOP, and SIGCONT up to half a second later',
    act: async ({ service, random }) => {
      process.kill(service.pid, 'SIGSTOP');
      await delay(50 + random() * 450);
      process.kill(service.pid, 'SIGCONT');
    },
    ends: ['stop', 'kill'],
  },
  disk: {
    does: 'a disk without space, which is freed again or not before the end',
    act: async ({ disk, random }) => {
      const filler = join(disk, FILLER);
      fillDisk(disk, filler, Math.floor(random() * LEFT_BYTES_MAX));
      await delay(50 + random() * 250);
      if (random() < 0.7) rmSync(filler);
    },
    ends: ['stop', 'kill'],
    mayLogErrors: true,
    needsDisk: true,
  },
  flush: {
    does: 'fsync, fdatasync and msync fail with EIO',
    act: async ({ control, random }) => {
      writeWord(control, FLUSHES_WORD, 1);
      await delay(50 + random() * 250);
      if (random() < 0.5) writeWord(control, FLUSHES_WORD, 0);
    },
    ends: ['kill'],
    mayLogErrors: true,
  },
  worker: {
    does: 'a query worker ends',
    act: async ({ workerOrder, random }) => {
      writeFileSync(workerOrder, '');
      for (let waited = 0; existsSync(workerOrder); waited += LOOK_MILLISECONDS) {
        if (waited > WORKER_MILLISECONDS) throw new Error('No worker took the order to end.');
        await delay(LOOK_MILLISECONDS);
      }
      await delay(random() * 300);
    },
    ends: ['stop', 'kill'],
    mayLogErrors: true,
  },
  clock: {
    does: 'the clock jumps by up to 11 hours, ahead or behind',
    act: async ({ control, random }) => {
      writeWord(control, CLOCK_WORD, Math.round((random() * 2 - 1) * CLOCK_SECONDS_MAX));
      await delay(50 + random() * 300);
      if (random() < 0.5) writeWord(control, CLOCK_WORD, 0);
    },
    ends: ['stop', 'kill'],
  },
} as const satisfies Record<string, Fault>;

/** Name of a fault. */
export type FaultName = keyof typeof FAULTS;

/** A fault by its name. */
export function faultOf(name: FaultName): Fault {
  return FAULTS[name];
}

/** Takes away what a fault has left. */
export function clearFaults({ disk, control, workerOrder }: Pick<Scene, 'disk' | 'control' | 'workerOrder'>): void {
  rmSync(join(disk, FILLER), { force: true });
  rmSync(workerOrder, { force: true });
  writeFileSync(control, Buffer.alloc(8));
}

/** True where faults.c can be compiled and loaded. */
export const CAN_HARM = process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0;
if (!CAN_HARM) console.log('Skipped: harm to a service needs Linux and a C compiler.');

/** Compiles faults.c and device.c into a folder. @returns the library @throws Error where there is no C compiler */
export function compileFaults(folder: string): string {
  const library = join(folder, 'faults.so');
  const sources = ['faults.c', 'device.c'].map(name => join(import.meta.dirname, name));
  execFileSync('cc', ['-O2', '-shared', '-fPIC', '-o', library, ...sources, '-ldl', '-lpthread']);
  return library;
}

/** Fills a disk on which the service writes meanwhile. @param filler file that does it */
export function fillDisk(disk: string, filler: string, leftBytes: number): void {
  const handle = openSync(filler, 'w');
  try {
    for (;;) {
      const { bavail, bsize } = statfsSync(disk);
      const bytes = Math.min(FILL_BYTES, bavail * bsize - leftBytes);
      if (bytes <= 0) return;
      writeSync(handle, Buffer.alloc(bytes));
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(handle);
  }
}

/** Writes a word of the control file. */
export function writeWord(file: string, at: number, value: number): void {
  const word = Buffer.alloc(4);
  word.writeInt32LE(value);
  const handle = openSync(file, 'r+');
  writeSync(handle, word, 0, word.length, at);
  closeSync(handle);
}
