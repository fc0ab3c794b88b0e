// The signals of the service: SIGTERM and SIGINT stop it, SIGHUP reads configuration and files again. A signal
// that comes again during a stop is ignored: shells and npm may each pass on the same one.
//
// A service that npm or npx has started also stops when its parent ends, which is npm or a shell that npm started. On
// many systems that shell ends on SIGTERM without passing it on, and the service would keep port and folder with nobody
// to stop it.
//
// systemd is told when the service is ready and when it stops, by the protocol of sd_notify(3): it names a socket in
// the environment of a service of `Type=notify`. It is a socket for datagrams, which Node has not, so the program does
// it that systemd brings along. Elsewhere nothing is told.

import { execFile } from 'node:child_process';
import { isStartedByNpm, isWatchedBySystemd } from '../../config/started_by.ts';

const PARENT_CHECK_MILLISECONDS = 200;

/**
 * Resolves with the reason of the first order to stop, as the end of a sentence. The process no longer ends by these
 * signals from here on.
 */
export function stopOrdered(): Promise<string> {
  return new Promise(resolve => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(`on ${signal}`));
    if (isStartedByNpm()) onParentEnd(() => resolve('because npm has ended'));
  });
}

/** Calls back on each SIGHUP, which no longer ends the process from here on. */
export function onReloadOrdered(reload: () => void): void {
  process.on('SIGHUP', reload);
}

function onParentEnd(ended: () => void): void {
  const parent = process.ppid;
  const checking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(checking);
    ended();
  }, PARENT_CHECK_MILLISECONDS).unref();
}

const PROGRAM = 'systemd-notify';
/** It waits until systemd has read what it says. */
const TELL_MILLISECONDS = 10_000;

/**
 * Tells of a state, if systemd wants to know. Does not wait until that is done.
 * @param status a sentence that `systemctl status` shows
 * @param warn takes a sentence when it could not be told
 */
export function tellSystemd(state: 'ready' | 'stopping', status: string, warn: (message: string) => void): void {
  if (!isWatchedBySystemd()) return;
  // Flags for all states came later than the variables.
  execFile(PROGRAM, [`${state.toUpperCase()}=1`, `STATUS=${status}`], { timeout: TELL_MILLISECONDS }, error => {
    if (error !== null)
      warn(
        `systemd could not be told that the service is ${state} (${error.message.trim()}); a unit of Type=exec ` +
          `waits for nothing.`,
      );
  });
}
