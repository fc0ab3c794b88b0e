// Makes an image of the Open Container Initiative without a daemon: npm run package:image [-- FOLDER]. docker, podman
// and containerd load it. Its root file system is what the program needs and no more: the C and C++ libraries and
// BusyBox of Debian, Node and the packages of the lock file, and the same tree as in the other packages (package.ts).
//
// What changes together is a layer: libraries, dependencies, the program. Owners, times and order are the same each
// time, so the same commit on the same packages of Debian makes the same bytes.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import { requireFolder, runAsProgram, stage } from './package.ts';
import { makeTar } from './release/archive.ts';
import { ROOT, secondOfCheckout } from './release/checkout.ts';
import { type Architecture, copyDependencies, ownArchitecture } from './release/dependencies.ts';

const MEGABYTE = 1_048_576;
const PROGRAM = 'usr/lib/sextant';
const NODE = `/${PROGRAM}/node_modules/.bin/node`;
/** The user that the program runs as, who owns the data. */
const USER = 10_001;
/** What the program is linked against, and a shell for who looks inside. */
const DEBIAN_PACKAGES = ['libc6', 'libgcc-s1', 'libstdc++6', 'busybox-static'];
/** Of these packages, what nobody reads in a container. */
const LEFT_OUT = [
  'usr/share',
  'usr/lib/x86_64-linux-gnu/gconv',
  'usr/lib/aarch64-linux-gnu/gconv',
  'etc',
  'lib/systemd',
];
const TOOLS = ['sh', 'env', 'ls', 'cat', 'id', 'ps', 'wget'];
const LAUNCHER = `#!/bin/sh\nexec ${NODE} /${PROGRAM}/src/sextant.js "$@"\n`;
const IS_READY =
  "fetch('http://127.0.0.1:' + (process.env.SEXTANT_PORT || 8080) + '/ready')" +
  '.then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))';
const SECOND = 1_000_000_000;
/** Of Zstandard: a third smaller than with gzip. */
const LEVEL = 16;

const INDEX = 'application/vnd.oci.image.index.v1+json';
const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const CONFIG = 'application/vnd.oci.image.config.v1+json';
const LAYER = 'application/vnd.oci.image.layer.v1.tar+zstd';

/** A layer, and what made it. */
interface Layer {
  digest: string;
  size: number;
  /** Of the archive before it was packed. */
  diffId: string;
  madeBy: string;
}

/**
 * Makes the image.
 * @param folder where it is put
 * @param level of compression, 1..22
 * @param say told what is done
 * @param architecture for which; by itself that of this machine
 * @returns the file
 * @throws Error when there is no such folder, or apt, dpkg-deb or tar fails
 */
export function makeImage(
  folder: string,
  level = LEVEL,
  say = (_step: string): void => {},
  architecture: Architecture = ownArchitecture(),
): string {
  requireFolder(folder);
  const staging = mkdtempSync(join(tmpdir(), 'image-'));
  try {
    const { version, description } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const image = new Image(join(staging, 'image'), secondOfCheckout(), level);
    say('The libraries are fetched from Debian.');
    image.add(libraries(join(staging, 'libraries'), architecture), 'the C and C++ libraries and BusyBox of Debian');
    const { program, dependencies } = programOf(staging, architecture);
    say('The dependencies are packed, which takes a minute or two.');
    image.add(dependencies, 'Node and the packages of the lock file');
    image.add(program, 'the program');
    image.add(dataFolder(join(staging, 'data')), 'the data folder', USER);
    const file = join(resolve(folder), `sextant_${version}_${architecture}.oci.tar`);
    image.write({ architecture, version, description });
    image.pack(file);
    say(`The image has ${Math.ceil(statSync(file).size / MEGABYTE)} MB.`);
    return file;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** A folder in the layout of images, from which an archive is made. */
class Image {
  private readonly folder: string;
  private readonly seconds: number;
  private readonly level: number;
  private readonly layers: Layer[] = [];

  constructor(folder: string, seconds: number, level: number) {
    this.folder = folder;
    this.seconds = seconds;
    this.level = level;
    mkdirSync(join(folder, 'blobs/sha256'), { recursive: true });
  }

  /** Adds a layer. @param root folder with its files @param owner of all of them */
  add(root: string, madeBy: string, owner = 0): void {
    const tar = `${root}.tar`;
    makeTar(root, readdirSync(root), tar, owner);
    const bytes = readFileSync(tar);
    rmSync(tar);
    const diffId = digestOf(bytes);
    const packed = zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: this.level } });
    this.layers.push({ digest: this.blob(packed), size: packed.length, diffId, madeBy });
  }

  /** Writes what an image says of itself. */
  write({ architecture, version, description }: { architecture: string; version: string; description: string }): void {
    const created = new Date(this.seconds * 1_000).toISOString();
    const labels = {
      'org.opencontainers.image.title': 'sextant',
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.description': description,
      'org.opencontainers.image.licenses': 'MIT',
      'org.opencontainers.image.created': created,
    };
    const config = this.json({
      ...{ created, architecture, os: 'linux' },
      config: {
        User: `${USER}:${USER}`,
        Env: ['PATH=/usr/bin:/bin', 'SEXTANT_DATA=/data', 'SEXTANT_HOST=0.0.0.0'],
        Entrypoint: ['/usr/bin/sextant'],
        Cmd: ['serve'],
        WorkingDir: '/data',
        Volumes: { '/data': {} },
        ExposedPorts: { '8080/tcp': {} },
        Labels: labels,
        Healthcheck: {
          Test: ['CMD', NODE, '-e', IS_READY],
          Interval: 10 * SECOND,
          Timeout: 3 * SECOND,
          StartPeriod: 30 * SECOND,
        },
      },
      rootfs: { type: 'layers', diff_ids: this.layers.map(({ diffId }) => diffId) },
      history: this.layers.map(({ madeBy }) => ({ created, created_by: madeBy })),
    });
    const layers = this.layers.map(({ digest, size }) => ({ mediaType: LAYER, digest, size }));
    const manifest = { schemaVersion: 2, mediaType: MANIFEST, config: { mediaType: CONFIG, ...config }, layers };
    const named = { 'org.opencontainers.image.ref.name': version, 'io.containerd.image.name': `sextant:${version}` };
    const entry = {
      mediaType: MANIFEST,
      ...this.json(manifest),
      annotations: named,
      platform: { architecture, os: 'linux' },
    };
    this.file('oci-layout', { imageLayoutVersion: '1.0.0' });
    this.file('index.json', { schemaVersion: 2, mediaType: INDEX, manifests: [entry] });
    // What `docker load` read before it knew the layout of the initiative.
    const Layers = layers.map(({ digest }) => pathOf(digest));
    this.file('manifest.json', [{ Config: pathOf(config.digest), RepoTags: [`sextant:${version}`], Layers }]);
  }

  /** Makes the archive. */
  pack(file: string): void {
    makeTar(this.folder, readdirSync(this.folder), `${file}.partial`, 0);
    renameSync(`${file}.partial`, file);
  }

  private blob(bytes: Buffer): string {
    const digest = digestOf(bytes);
    writeFileSync(join(this.folder, pathOf(digest)), bytes);
    return digest;
  }

  private json(value: object): { digest: string; size: number } {
    const bytes = Buffer.from(JSON.stringify(value));
    return { digest: this.blob(bytes), size: bytes.length };
  }

  private file(name: string, value: object): void {
    writeFileSync(join(this.folder, name), JSON.stringify(value));
  }
}

/** Extracts packages of Debian as apt fetches them, and makes the users. */
export function libraries(root: string, architecture: Architecture): string {
  const fetched = `${root}.debs`;
  for (const folder of [root, fetched]) mkdirSync(folder, { recursive: true });
  // As root it would hand over to a user who may not write here.
  const settings = ['APT::Sandbox::User=root'];
  const apt = (...words: string[]) =>
    execFileSync('apt-get', [...settings.flatMap(each => ['-o', each]), ...words], {
      cwd: fetched,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  if (architecture !== ownArchitecture()) {
    // With lists of its own: this machine's stay those of its architecture.
    for (const path of ['lists/partial', 'cache/archives/partial'])
      mkdirSync(join(`${root}.apt`, path), { recursive: true });
    writeFileSync(join(`${root}.apt`, 'status'), '');
    settings.push(`APT::Architecture=${architecture}`, `APT::Architectures=${architecture}`);
    settings.push(`Dir::State=${root}.apt`, `Dir::State::status=${root}.apt/status`, `Dir::Cache=${root}.apt/cache`);
    apt('update');
  }
  apt('download', ...DEBIAN_PACKAGES);
  for (const name of readdirSync(fetched)) {
    // With merged folders, as every Debian has them now: what a package has in /lib goes to /usr/lib.
    for (const folder of ['bin', 'lib', 'lib64', 'sbin']) {
      mkdirSync(join(root, 'usr', folder), { recursive: true });
      if (!existsSync(join(root, folder))) symlinkSync(`usr/${folder}`, join(root, folder));
    }
    const unpack = `dpkg-deb --fsys-tarfile "$0" | tar --extract --keep-directory-symlink --directory="$1"`;
    execFileSync('sh', ['-c', unpack, join(fetched, name), root], { stdio: ['ignore', 'ignore', 'inherit'] });
  }
  for (const path of LEFT_OUT) rmSync(join(root, path), { recursive: true, force: true });
  for (const tool of TOOLS) symlinkSync('busybox', join(root, 'usr/bin', tool));
  mkdirSync(join(root, 'etc'));
  const users = [
    ['root', 0, '/root'],
    ['sextant', USER, '/data'],
  ] as const;
  const lines = users.map(([name, id, home]) => `${name}:x:${id}:${id}:${name}:${home}:/bin/sh\n`);
  writeFileSync(join(root, 'etc/passwd'), lines.join(''));
  writeFileSync(join(root, 'etc/group'), users.map(([name, id]) => `${name}:x:${id}:\n`).join(''));
  writeFileSync(join(root, 'usr/bin/sextant'), LAUNCHER);
  chmodSync(join(root, 'usr/bin/sextant'), 0o755);
  // Where those who run it mount what the kernel has.
  for (const folder of ['dev', 'proc', 'sys', 'tmp']) mkdirSync(join(root, folder));
  chmodSync(join(root, 'tmp'), 0o1777);
  return root;
}

/** The program, and apart from it what it depends on. */
function programOf(staging: string, architecture: Architecture): { program: string; dependencies: string } {
  const [program, dependencies] = ['program', 'dependencies'].map(name => join(staging, name));
  stage(join(program, PROGRAM), true);
  mkdirSync(join(dependencies, PROGRAM), { recursive: true });
  copyDependencies(join(dependencies, PROGRAM), architecture);
  return { program, dependencies };
}

function dataFolder(root: string): string {
  mkdirSync(join(root, 'data'), { recursive: true, mode: 0o700 });
  return root;
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

function pathOf(digest: string): string {
  return `blobs/${digest.replace(':', '/')}`;
}

const tell = (step: string): void => console.error(step);
if (import.meta.main)
  runAsProgram('package:image', 'docker load -i /tmp/sextant_*.oci.tar', folder => makeImage(folder, LEVEL, tell));
