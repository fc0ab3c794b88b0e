// A fresh clone, in which the examples of the documents are run: the tracked files as they are in the working tree, and
// the installed packages and built parts as an installation would leave them. Those are large, so their files are
// linked and not copied; whoever replaces one of them replaces the link.

import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT, trackedFiles } from './markdown.ts';

const INSTALLED = ['node_modules', 'build'];

/** Makes a clone in a folder that does not exist yet. */
export function makeClone(folder: string): void {
  for (const file of trackedFiles()) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(join(ROOT, file), join(folder, file));
  }
  for (const name of INSTALLED) linkTree(realpathSync(join(ROOT, name)), join(folder, name));
}

function linkTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) linkTree(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.isFile()) linkOrCopy(source, target);
  }
}

/** Another process may have taken a draft away, or the temporary folder may be on another disk. */
function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && !existsSync(source)) return;
    if (code !== 'EXDEV' && code !== 'EMLINK' && code !== 'EPERM') throw error;
    copyFileSync(source, target);
  }
}
