// The signals of the service: SIGTERM and SIGINT stop it, SIGHUP reads configuration and certificate again. A signal
// that comes again during a stop is ignored: shells and npm may each pass on the same one.
//
// A service that npm or npx has started also stops when its parent ends, which is npm or a shell that npm started. On
// many systems that shell ends on SIGTERM without passing it on, and the service would keep port and folder with nobody
// to stop it.

import { isStartedByNpm } from '../../config.ts';

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
