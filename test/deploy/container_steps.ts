// Does by hand what a builder of containers would do with deploy/Containerfile: its steps one after the other, each
// stage in a root of its own that begins as the image it names. Needs root on Linux, but neither a builder nor an
// image. The image node:24-slim is stood in for by the system's own /usr, which is only read, with the Node that runs
// this and the system's npm in /usr/local, and a user `node`.

import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, posix } from 'node:path';

/** An instruction and its words. */
type Step = readonly [instruction: string, words: string];

/** How a command ended. */
interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** The last stage as it is when all steps are done. */
export interface BuiltImage {
  /** Folder that is its root. */
  root: string;
  user: string;
  folder: string;
  environment: Record<string, string>;
}

const NODE_USER = 1000;
const OUTPUT_BYTES = 67_108_864;
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const NPM = ['/usr/lib/node_modules/npm', '/usr/local/lib/node_modules/npm', '/usr/share/nodejs/npm'].find(existsSync);
/**
 * True where the steps can be done and are asked for: they install all packages twice, which takes a minute or more and
 * a registry.
 */
export const CAN_BUILD =
  process.env.TEST_IMAGE === '1' &&
  process.platform === 'linux' &&
  process.getuid!() === 0 &&
  NPM !== undefined &&
  spawnSync('unshare', ['--mount', '--net', 'chroot', '/', 'true']).status === 0;
if (!CAN_BUILD)
  console.log('Skipped: the steps of the container file need TEST_IMAGE=1, root on Linux, unshare and npm.');

/** The instructions of a container file, in order, with their continued lines. */
export function stepsOf(text: string): Step[] {
  return text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter(line => /^[A-Z]/.test(line))
    .map(line => line.split(/ (.*)/, 2) as [string, string]);
}

/**
 * Does the steps.
 * @param base an empty folder, for the roots of the stages
 * @param npm environment of npm: where packages come from
 * @param cache packages that npm has already; a folder, copied into each stage
 * @throws Error with what a step has printed when it fails, or when there is an instruction that is not known here
 */
export function buildImage(
  steps: readonly Step[],
  base: string,
  npm: Record<string, string>,
  cache: string,
): BuiltImage {
  const stages = new Map<string, BuiltImage>();
  let image!: BuiltImage;
  for (const [instruction, words] of steps) {
    if (instruction === 'FROM') {
      const [, name = String(stages.size)] = / AS (\w+)$/.exec(words) ?? [];
      image = { root: join(base, name), user: 'root', folder: '/', environment: {} };
      makeRoot(image.root);
      cpSync(cache, join(image.root, 'root/.npm'), { recursive: true });
      stages.set(name, image);
    } else if (instruction === 'WORKDIR') {
      image.folder = posix.resolve(image.folder, words);
      mkdirSync(join(image.root, image.folder), { recursive: true });
    } else if (instruction === 'COPY') copy(words, image, stages);
    else if (instruction === 'RUN') {
      const { status, stderr, stdout } = runIn({ ...image, environment: { ...image.environment, ...npm } }, words);
      if (status !== 0)
        throw new Error(`RUN ${words} ended with ${status}: ${stdout.slice(-2_000)}${stderr.slice(-2_000)}`);
    } else if (instruction === 'USER') image.user = words;
    else if (instruction === 'ENV')
      Object.assign(image.environment, Object.fromEntries(words.split(' ').map(each => each.split('='))));
    else if (!['VOLUME', 'EXPOSE', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD'].includes(instruction))
      throw new Error(`${instruction} is not known here.`);
  }
  return image;
}

/**
 * Runs a command in an image, as its user and in its folder, with nothing of this process's environment.
 * @param isClosed as a container of which only /data and /tmp are written, and which has no network but its own
 */
export function runIn({ root, user, folder, environment }: BuiltImage, command: string, isClosed = false): Ended {
  const bind = (from: string, to: string, ...more: string[]): string[] => [
    `mount --bind ${from} ${root}${to}`,
    ...more.map(option => `mount -o remount,bind,${option} ${root}${to}`),
  ];
  const last = isClosed ? ['ro'] : [];
  const script = [
    `mount --bind ${root} ${root}`,
    ...bind('/usr', '/usr', 'ro'),
    ...bind(localOf(root), '/usr/local', ...last),
    ...['proc', 'dev'].map(name => `mount --rbind /${name} ${root}/${name}`),
    ...(isClosed ? ['ip link set lo up', ...bind(`${root}/data`, '/data'), `mount -t tmpfs tmpfs ${root}/tmp`] : []),
    ...last.map(option => `mount -o remount,bind,${option} ${root}`),
    `exec chroot --userspec=${user === 'root' ? '0:0' : `${NODE_USER}:${NODE_USER}`} ${root} /usr/bin/env -i "$@"`,
  ];
  const variables = { PATH, HOME: user === 'root' ? '/root' : `/home/${user}`, ...environment };
  const words = [
    ...Object.entries(variables).map(([name, value]) => `${name}=${value}`),
    '/bin/sh',
    '-c',
    `cd ${folder} && ${command}`,
  ];
  const spaces = ['--mount', ...(isClosed ? ['--net'] : [])];
  return spawnSync('unshare', [...spaces, '/bin/sh', '-ec', script.join('\n'), 'sh', ...words], {
    encoding: 'utf8',
    maxBuffer: OUTPUT_BYTES,
  });
}

/** What stands in for the image that stages begin with. */
function makeRoot(root: string): void {
  for (const folder of ['usr', 'proc', 'dev', 'root', 'home/node', 'etc', 'var'])
    mkdirSync(join(root, folder), { recursive: true });
  mkdirSync(join(root, 'tmp'));
  chmodSync(join(root, 'tmp'), 0o1777);
  chownSync(join(root, 'home/node'), NODE_USER, NODE_USER);
  for (const name of ['bin', 'sbin', 'lib', 'lib64'])
    if (lstatSync(`/${name}`, { throwIfNoEntry: false })?.isSymbolicLink())
      symlinkSync(readlinkSync(`/${name}`), join(root, name));
  for (const name of ['resolv.conf', 'hosts', 'nsswitch.conf', 'ssl', 'ld.so.cache'])
    if (existsSync(`/etc/${name}`))
      cpSync(`/etc/${name}`, join(root, 'etc', name), { recursive: true, dereference: true });
  writeFileSync(
    join(root, 'etc/passwd'),
    `root:x:0:0:root:/root:/bin/sh\nnode:x:${NODE_USER}:${NODE_USER}:node:/home/node:/bin/sh\n`,
  );
  writeFileSync(join(root, 'etc/group'), `root:x:0:\nnode:x:${NODE_USER}:\n`);
  const local = localOf(root);
  mkdirSync(join(local, 'bin'), { recursive: true });
  cpSync(process.execPath, join(local, 'bin/node'));
  cpSync(NPM!, join(local, 'lib/node_modules/npm'), { recursive: true, dereference: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'));
}

/** Folder that is /usr/local of a root. */
function localOf(root: string): string {
  return `${root}.local`;
}

/** What is copied: the checkout as a builder gets it, or files of an earlier stage whose names may have a star. */
function copy(words: string, image: BuiltImage, stages: ReadonlyMap<string, BuiltImage>): void {
  const [, stage, from, to] = /^(?:--from=(\w+) )?(\S+) (\S+)$/.exec(words)!;
  const target = join(image.root, posix.resolve(image.folder, to));
  if (stage !== undefined) {
    execFileSync('/bin/sh', ['-ec', `mkdir -p ${target} && cp ${stages.get(stage)!.root}${from} ${target}`]);
    return;
  }
  if (from !== '.') throw new Error(`COPY ${words} is not known here.`);
  const ignored = new Set(
    readFileSync('.dockerignore', 'utf8')
      .split('\n')
      .filter(line => line !== '' && !line.startsWith('#')),
  );
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    encoding: 'utf8',
  }).split('\0');
  for (const file of files)
    if (file !== '' && existsSync(file) && !ignored.has(file.split('/', 1)[0])) cpSync(file, join(target, file));
}
