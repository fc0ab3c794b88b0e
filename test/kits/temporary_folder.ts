// Folders of a test's own under the system's temporary folder.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** A folder for the running test, removed after it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder for all tests of a file, or of a group: called where it is declared, removed after the last one. */
export function folderOfFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
