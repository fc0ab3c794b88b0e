// The resident memory of a service. Memory of its own, which nothing else can use, stands apart from pages of files,
// which the system takes back when it needs them.

import { readFileSync } from 'node:fs';

/** Resident memory in MB. */
export interface Memory {
  own: number;
  files: number;
}

/** What a process holds now. */
export function memoryOf(pid: number): Memory {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
  const megabytes = (field: string): number => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)![1]) / 1024;
  const own = megabytes('Anonymous');
  return { own, files: megabytes('Rss') - own };
}

/** What `a` holds beyond `b`. */
export function difference(a: Memory, b: Memory): Memory {
  return { own: a.own - b.own, files: a.files - b.files };
}

/** Prints a line. @param before for the ratio to it */
export function printMemory(what: string, memory: Memory, before?: Memory): void {
  const total = memory.own + memory.files;
  const ratio = before === undefined ? '' : `   ${(total / (before.own + before.files)).toFixed(2)} of before`;
  const columns = [total, memory.own, memory.files].map(value => value.toFixed(0).padStart(6));
  console.log(`${what.padEnd(40)}${columns[0]} MB = ${columns[1]} own +${columns[2]} of files${ratio}`);
}
