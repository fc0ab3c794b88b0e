// A fresh clone, in which the examples of the documents are run: the tracked files as they are in the working tree, and
// the installed packages and built parts as an installation would leave them. Those are large: files of built parts are
// linked and not copied, so that whoever replaces one of them replaces the link, and packages are links to folders.

import {
  copyFileSync,
  type Dirent,
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

/** Makes a clone in a folder that does not exist yet. */
export function makeClone(folder: string): void {
  for (const file of trackedFiles()) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(join(ROOT, file), join(folder, file));
  }
  linkTree(realpathSync(join(ROOT, 'build')), join(folder, 'build'));
  linkPackages(realpathSync(join(ROOT, 'node_modules')), join(folder, 'node_modules'));
}

/** What is written beside the packages, as `.bin` is, is the clone's own. */
function linkPackages(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const { name } = entry;
    if (name.startsWith('.') || !entry.isDirectory()) linkEntry(entry, from, to);
    else if (name.startsWith('@')) linkPackages(join(from, name), join(to, name));
    else symlinkSync(join(from, name), join(to, name));
  }
}

function linkTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) linkEntry(entry, from, to);
}

function linkEntry(entry: Dirent, from: string, to: string): void {
  const source = join(from, entry.name);
  const target = join(to, entry.name);
  if (entry.isDirectory()) linkTree(source, target);
  else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
  else if (entry.isFile()) linkOrCopy(source, target);
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
