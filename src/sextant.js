#!/usr/bin/env node
// The program `sextant`. It stays readable to Node 14.14, so that an old Node prints an error message and not a syntax error; everything else is in cli.ts.

import { buildCore, buildWorld, nodeIsTooOld, oldestNode } from './prepare.js';

if (nodeIsTooOld()) {
  process.stderr.write(
    `Sextant needs Node ${oldestNode} or newer and this is Node ${process.versions.node}; npm start and npx sextant bring their own.\n`,
  );
  process.exitCode = 1;
} else {
  start();
}

async function start() {
  try {
    buildCore();
    buildWorld();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
    return;
  }
  const { main } = await import('./cli.ts');
  process.exitCode = await main(process.argv.slice(2));
}
