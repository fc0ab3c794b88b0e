// The last line of a test run, for people and for scripts: `12 passed, 0 failed`; before it `3 skipped`, where tests
// were skipped.

import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/**
 * Counts tests; a file or suite that could not run at all and an error outside of any test count as one failure each.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    let passed = 0;
    let failed = unhandledErrors.length;
    let skipped = 0;
    for (const module of modules) {
      if (module.errors().length > 0) failed++;
      for (const suite of module.children.allSuites()) if (suite.errors().length > 0) failed++;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') passed++;
        else if (state === 'failed') failed++;
        else skipped++;
      }
    }
    if (skipped > 0) process.stdout.write(`${skipped} skipped\n`);
    process.stdout.write(`${passed} passed, ${failed} failed\n`);
  }
}
