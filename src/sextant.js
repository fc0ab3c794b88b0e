#!/usr/bin/env node
// The program `sextant`. It stays readable to Node 14.14, so that an old Node prints an error message and not a syntax
// error; everything else is in cli.ts.

import { spawn } from 'node:child_process';
import nodeModule from 'node:module';
import { constants } from 'node:os';
import {
  buildConsole,
  buildCore,
  buildWorld,
  bundledNode,
  compiledSources,
  nodeIsTooOld,
  oldestNode,
} from './prepare.js';

// By itself Node opens a debugger on this signal, for every user of the machine.
process.on('SIGUSR1', () => {});

const node = nodeIsTooOld() ? bundledNode() : undefined;
if (node !== undefined) runBy(node);
else if (nodeIsTooOld()) {
  process.stderr.write(
    `Sextant needs Node ${oldestNode} or newer and this is Node ${process.versions.node}; npm start and npx ` +
      `sextant bring their own.\n`,
  );
  process.exitCode = 1;
} else {
  keepCompiledSources();
  restartLarge();
  void start();
}

/** What LMDB ends a process by when it follows a damaged page. */
const DAMAGE_SIGNALS = ['SIGBUS', 'SIGSEGV', 'SIGABRT'];

/**
 * Runs the program by the Node that was installed with it, and passes signals on. Where npm starts the program, its own
 * Node comes first on the path.
 */
function runBy(program) {
  const child = spawn(program, process.argv.slice(1), { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', error => {
    process.stderr.write(`${program} could not be started: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    if (DAMAGE_SIGNALS.includes(signal))
      process.stderr.write(
        `Sextant was ended by ${signal}. A data file is probably damaged, or was cut while it was in use: ` +
          `"sextant check" finds out.\n`,
      );
    process.exit(code === null ? 128 + constants.signals[signal] : code);
  });
}

/**
 * Keeps what Node makes of the sources beside the core, so that a start costs a third less processor time. Node checks
 * each entry against its source, and does without where the folder cannot be written. Entries are found by their way
 * from that folder, so that they hold in a copy of the program as well. The environment tells threads and child
 * processes. An operator's own settings are left alone.
 */
function keepCompiledSources() {
  if (!nodeModule.enableCompileCache || process.env.NODE_COMPILE_CACHE || process.env.NODE_DISABLE_COMPILE_CACHE)
    return;
  process.env.NODE_COMPILE_CACHE = compiledSources;
  process.env.NODE_COMPILE_CACHE_PORTABLE = '1';
  nodeModule.enableCompileCache(compiledSources);
}

/**
 * Starts verbs with large buffers in several threads once more in the same process, with limits of the C library that
 * only the environment can set.
 * By itself glibc raises its limits with the first large buffer that is freed. From then on buffers of many megabytes
 * stay in its heaps, of which each thread has one, and do not go back to the system. With these, buffers over 128 KiB
 * always go back, and all threads share two heaps. An operator's own limits are left alone.
 */
function restartLarge() {
  if (
    process.platform !== 'linux' ||
    !['serve', 'import', 'update'].includes(process.argv[2]) ||
    !process.execve ||
    process.env.MALLOC_MMAP_THRESHOLD_
  )
    return;
  const limits = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], {
    ...process.env,
    ...limits,
  });
}

async function start() {
  try {
    buildCore();
    buildWorld();
    if (process.argv[2] === 'serve') buildConsole();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
    return;
  }
  const { main } = await import('./cli.ts');
  process.exitCode = await main(process.argv.slice(2));
}
