// The commit that this program is of, which status, metrics and `--version` tell beside the version. Git is asked only
// once somebody wants to know, so that no start waits for it.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { VERSION } from './version.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Digits that are told. */
const DIGITS = 10;

let found: { commit: string | undefined } | undefined;

/** Of a package, what its package.json says; of a checkout, what Git says; undefined where neither does. */
export function readCommit(): string | undefined {
  found ??= { commit: commitOf(ROOT)?.slice(0, DIGITS) };
  return found.commit;
}

/** Version and commit, as people read them. */
export function versionText(): string {
  const commit = readCommit();
  return commit === undefined ? VERSION : `${VERSION} (commit ${commit})`;
}

function commitOf(root: string): string | undefined {
  const { gitHead } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { gitHead?: string };
  // Without a repository of its own, Git would tell of one around it.
  if (gitHead !== undefined || !existsSync(`${root}.git`)) return gitHead;
  const { status, stdout } = spawnSync('git', ['-C', root, 'rev-parse', 'HEAD'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
