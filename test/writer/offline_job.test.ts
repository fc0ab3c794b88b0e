// Imports of places without a service: in a thread of their own, unless they read standard input.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { livePlaces } from '../../src/tables/places/extract_files.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

/** Runs a command that tells each file that its main thread loads. */
function importing(words: string[], input = ''): { loaded: string; folder: string } {
  const folder = join(temporaryFolder(), 'data');
  const watch = `import { registerHooks } from 'node:module';
    import { isMainThread } from 'node:worker_threads';
    if (isMainThread) registerHooks({ load: (url, context, next) => { console.log(url); return next(url, context); } });`;
  const program = ['--import', `data:text/javascript,${encodeURIComponent(watch)}`, 'src/sextant.js', 'import'];
  const loaded = execFileSync(process.execPath, [...program, ...words, '--data', folder], {
    encoding: 'utf8',
    input,
    stdio: 'pipe',
  });
  return { loaded, folder };
}

test('an import of addresses leaves no objects in the memory of the command', () => {
  const { loaded, folder } = importing(['addresses', 'docs/examples/addresses.csv', '--source', 'own']);
  expect(loaded).toContain('offline_job.ts');
  expect(loaded).not.toContain('read_addresses.ts');
  expect(livePlaces(folder)?.extracts).toMatchObject([{ name: 'own', objects: 3 }]);
});

test('what comes from standard input is read by the command itself', () => {
  const { folder } = importing(['importance', '-', '--source', 'piped'], 'qid,importance\nQ64,0.5\n');
  expect(livePlaces(folder)?.importance).toMatchObject([{ name: 'piped', items: 1 }]);
});
