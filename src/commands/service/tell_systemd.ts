// Tells systemd when the service is ready and when it stops, by the protocol of sd_notify(3): systemd names a socket in
// the environment of a service of
// `Type=notify`. It is a socket for datagrams, which Node has not, so the program does it that systemd brings along.
// Elsewhere nothing is told.

import { execFile } from 'node:child_process';
import { isWatchedBySystemd } from '../../config.ts';

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
