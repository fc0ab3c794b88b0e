// Who had the machine's processor time: the service, its load, or others. Others are programs beside the soak, and the
// host of a virtual machine, which takes time from it in bursts (steal time). Requests that are due at even times wait
// when others have the processors, whatever the service does.

import { readFileSync } from 'node:fs';
import { secondsIn, TICKS_A_SECOND } from '../server.ts';

/** Processor seconds since some beginning. */
export interface ProcessorTime {
  service: number;
  /** Of programs that are neither the service nor its load, and what the host took. */
  others: number;
  /** Of all processors, also when they had nothing to do. */
  all: number;
}

/** What one stretch of time showed. */
export interface ProcessorUse {
  /** Processor seconds of the service. */
  service: number;
  /** Share of the machine's processor time that others had, 0..1. */
  others: number;
}

const MICROSECONDS = 1e6;

/** Processor time so far. @param pid the service; the load is this process. */
export function processorTime(pid: number): ProcessorTime {
  const service = secondsIn(`/proc/${pid}/stat`);
  const { user, system } = process.cpuUsage();
  const { busy, all } = readMachine(readFileSync('/proc/stat', 'latin1'));
  return { service, others: busy - service - (user + system) / MICROSECONDS, all };
}

/** What was used between two looks. */
export function usedBetween(before: ProcessorTime, after: ProcessorTime): ProcessorUse {
  return {
    service: after.service - before.service,
    others: Math.max(0, after.others - before.others) / (after.all - before.all),
  };
}

/**
 * Reads the line of all processors.
 * @param text of /proc/stat (proc(5)): user, nice, system, idle, iowait, irq, softirq, steal in ticks; guests are
 *   within user
 * @returns seconds in which processors were in use or stolen, and all seconds
 */
export function readMachine(text: string): { busy: number; all: number } {
  const [user, nice, system, idle, waiting, irq, softirq, steal] = text
    .split('\n', 1)[0]
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number);
  const busy = user + nice + system + irq + softirq + steal;
  return { busy: busy / TICKS_A_SECOND, all: (busy + idle + waiting) / TICKS_A_SECOND };
}
