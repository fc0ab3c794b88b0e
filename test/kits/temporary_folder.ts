// A folder of a test's own under the system's temporary folder, removed after the test.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
