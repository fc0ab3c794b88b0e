// How the program of an image is run without a daemon: its layers are unpacked into a folder, which becomes the root of
// a process with the environment and the user that the image says.

import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import type { Run } from './answers.ts';

type Described = { digest: string };

/**
 * Unpacks an image.
 * @param root folder, which is made
 * @param emulator of its processor, a static program on the path; undefined where it is ours
 * @returns how it is run; undefined where that takes more rights, or the emulator is missing
 */
export function imageRun(file: string, root: string, emulator: string | undefined): Run | undefined {
  const layout = `${root}.layout`;
  for (const folder of [root, layout]) mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['--extract', `--file=${file}`, `--directory=${layout}`]);
  const blob = ({ digest }: Described) => readFileSync(join(layout, 'blobs', digest.replace(':', '/')));
  const [entry] = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')).manifests;
  const manifest = JSON.parse(blob(entry).toString());
  for (const layer of manifest.layers)
    execFileSync('tar', ['--extract', '--numeric-owner', `--directory=${root}`], {
      input: zstdDecompressSync(blob(layer)),
    });
  const { config } = JSON.parse(blob(manifest.config).toString());
  rmSync(layout, { recursive: true });
  if (process.geteuid?.() !== 0 || spawnSync('unshare', ['--mount', 'true']).status !== 0) return undefined;
  const settings = [...config.Env, 'SEXTANT_HOST=127.0.0.1'];
  if (emulator === undefined) return inRoot(root, config.User, settings, config.Entrypoint);
  const found = spawnSync('sh', ['-c', `command -v ${emulator}`], { encoding: 'utf8' }).stdout.trim();
  if (found === '') return undefined;
  copyFileSync(found, join(root, 'emulator'));
  const program = '/usr/lib/sextant';
  const words = ['/emulator', `${program}/node_modules/.bin/node`, `${program}/src/sextant.js`];
  return inRoot(root, config.User, [...settings, 'MALLOC_MMAP_THRESHOLD_=131072'], words);
}

/** By programs of this machine up to the change of the root: an emulated shell could start nothing. */
function inRoot(root: string, user: string, settings: readonly string[], words: readonly string[]): Run {
  const script =
    'root=$1 user=$2 && shift 2 && mount -t proc proc "$root/proc" && ' +
    'exec /usr/sbin/chroot --userspec="$user" "$root" "$@"';
  const asRoot = ['unshare', '--mount', 'sh', '-c', script, 'sh', root, user];
  return { command: ['env', '-i', ...settings, ...asRoot, ...words], data: '/data' };
}
