// A power cut, once the service is killed: each file of the data folder becomes what the device holds of it (device.c).
// What was written and not flushed is dropped, or each page of it at random: a disk may have written any of them.

import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE_BYTES = 4_096;

/** The folders and files of a device, and the environment by which a service writes on it. */
export interface Device {
  /** Data folder. */
  folder: string;
  /** Holds what was flushed. */
  flushed: string;
  /** Holds the identity of the boot. */
  boot: string;
}

/** The environment of a service that writes on a device. */
export function deviceEnvironment({ folder, flushed, boot }: Device): Record<string, string> {
  return { TORTURE_FOLDER: folder, TORTURE_DEVICE: flushed, TORTURE_BOOT: boot };
}

/** Boots a machine: from now on it has another identity. */
export function bootAnew({ boot }: Device, random: () => number): void {
  const digits = (count: number): string =>
    Array.from({ length: count }, () => Math.floor(random() * 16).toString(16)).join('');
  writeFileSync(boot, `${[8, 4, 4, 4, 12].map(digits).join('-')}\n`);
}

/** Cuts the power. @returns bytes that were written and are gone */
export function cutPower(device: Device, random: () => number): number {
  const keepsSome = random() < 0.5;
  let lost = 0;
  for (const name of readdirSync(device.folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(device.folder, name);
    if (!statSync(path).isFile()) continue;
    const { ino, birthtimeNs } = statSync(path, { bigint: true });
    const kept = join(device.flushed, `${ino}-${birthtimeNs}`);
    const copy = existsSync(kept) ? readFileSync(kept) : Buffer.alloc(0);
    lost += dropUnflushed(path, copy, () => keepsSome && random() < 0.5);
  }
  bootAnew(device, random);
  return lost;
}

/** @param keeps whether the next page that was not flushed is on the device all the same @returns bytes that are gone */
function dropUnflushed(path: string, flushed: Buffer, keeps: () => boolean): number {
  const written = readFileSync(path);
  if (written.equals(flushed)) return 0;
  const left = Buffer.alloc(Math.max(written.length, flushed.length));
  flushed.copy(left);
  let bytes = flushed.length;
  let lost = 0;
  for (let at = 0; at < written.length; at += PAGE_BYTES) {
    const page = written.subarray(at, at + PAGE_BYTES);
    if (page.equals(flushed.subarray(at, at + page.length))) continue;
    if (keeps()) {
      page.copy(left, at);
      bytes = Math.max(bytes, at + page.length);
    } else lost += page.length;
  }
  writeFileSync(path, left.subarray(0, bytes));
  return lost;
}
