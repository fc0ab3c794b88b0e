// A disk that is soon full: a small file system in memory, which only root on Linux can mount.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** True if this process can mount one. */
export const CAN_MOUNT = process.platform === 'linux' && process.getuid!() === 0 && tryMount();
if (!CAN_MOUNT) console.log('Skipped: a full disk needs a small file system, and only root on Linux can mount one.');

function tryMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-mount-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]);
  if (status === 0) execFileSync('umount', [folder]);
  rmdirSync(folder);
  return status === 0;
}

/** A disk for the running test. @returns the folder where it is mounted */
export function smallDisk(kilobytes: number): string {
  const { disk, unmount } = mountDisk(kilobytes);
  onTestFinished(unmount);
  return disk;
}

/** A disk until it is unmounted, or this process exits. @returns the folder where it is mounted */
export function mountDisk(kilobytes: number): { disk: string; unmount(): void } {
  const disk = mkdtempSync(join(tmpdir(), 'sextant-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', disk]);
  // A service that was just killed may still have its files open: the system then waits for its end.
  const unmount = (): void => {
    process.off('exit', unmount);
    execFileSync('umount', ['--lazy', disk]);
    rmdirSync(disk);
  };
  process.once('exit', unmount);
  return { disk, unmount };
}
