// The image that is made without a daemon: what it says of itself, whose files are, and that it runs from where its
// layers are unpacked, as its user, with nothing of this machine.

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { makeImage } from '../../deploy/oci.ts';
import { send } from '../kits/service_process.ts';

const base = mkdtempSync(join(tmpdir(), 'image-test-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));
/** By the fastest compression; the slow one takes a minute. */
const LEVEL = 1;
const why = whatIsMissing();
if (why !== undefined) console.log(`Skipped: the image cannot be made, as ${why}.`);
const CAN_RUN = process.geteuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;
if (!CAN_RUN) console.log('Skipped: the image cannot be run, as that takes root and namespaces.');

function whatIsMissing(): string | undefined {
  if (spawnSync('apt-get', ['download', 'libgcc-s1'], { cwd: base }).status !== 0) return 'apt fetches nothing';
  return spawnSync('dpkg-deb', ['--version']).status === 0 ? undefined : 'there is no dpkg-deb';
}

type Described = { digest: string; size: number };

describe.skipIf(why !== undefined)('the image', () => {
  const file = why === undefined ? makeImage(base, LEVEL) : '';
  const folder = join(base, 'unpacked');
  mkdirSync(folder);
  if (why === undefined) execFileSync('tar', ['--extract', `--file=${file}`, `--directory=${folder}`]);
  const blob = ({ digest }: Described) => readFileSync(join(folder, 'blobs', digest.replace(':', '/')));
  const json = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const [entry] = why === undefined ? json('index.json').manifests : [];
  const manifest = why === undefined ? JSON.parse(blob(entry).toString()) : {};

  test('names what it consists of by its bytes', () => {
    const all: Described[] = [entry, manifest.config, ...manifest.layers];
    for (const described of all) {
      const bytes = blob(described);
      expect(bytes.length).toBe(described.size);
      expect(`sha256:${createHash('sha256').update(bytes).digest('hex')}`).toBe(described.digest);
    }
    const { rootfs, config } = JSON.parse(blob(manifest.config).toString());
    const unpacked = (manifest.layers as Described[]).map(layer => zstdDecompressSync(blob(layer)));
    expect(rootfs.diff_ids).toEqual(unpacked.map(tar => `sha256:${createHash('sha256').update(tar).digest('hex')}`));
    expect(config).toMatchObject({ User: '10001:10001', Cmd: ['serve'], Volumes: { '/data': {} } });
    const [{ Layers }] = json('manifest.json');
    expect(Layers).toEqual((manifest.layers as Described[]).map(({ digest }) => `blobs/${digest.replace(':', '/')}`));
  });

  test('has the same bytes a second time', () => {
    const hash = () => createHash('sha256').update(readFileSync(file)).digest('hex');
    const before = hash();
    expect(makeImage(base, LEVEL)).toBe(file);
    expect(hash()).toBe(before);
  });

  test.skipIf(!CAN_RUN)('answers from where it is unpacked, as its user, and says that it is ready', async () => {
    const root = join(base, 'root');
    mkdirSync(root);
    for (const layer of manifest.layers as Described[]) {
      const input = zstdDecompressSync(blob(layer));
      execFileSync('tar', ['--extract', '--numeric-owner', `--directory=${root}`], { input });
    }
    const { config } = JSON.parse(blob(manifest.config).toString());
    // As a runtime does it: the kernel's files, the environment and the user that the image says.
    const script =
      'mount -t proc proc "$0/proc" && user=$1 && shift && ' +
      'exec /usr/sbin/chroot --userspec="$user" "$0" /usr/bin/env -i "$@" 2>&1';
    const settings = ['SEXTANT_HOST=127.0.0.1', 'SEXTANT_PORT=0', 'SEXTANT_HTTP_THREADS=1'];
    const words = [...config.Env, ...settings, ...config.Entrypoint, ...config.Cmd];
    const child: ChildProcess = spawn('unshare', ['--mount', 'bash', '-c', script, root, config.User, ...words], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    let text = '';
    child.stdout!.setEncoding('utf8').on('data', chunk => {
      text += chunk;
    });
    try {
      while (!text.includes('Take both out with: sextant demo remove'))
        await Promise.race([once(child.stdout!, 'data'), ended.then(() => Promise.reject(new Error(text)))]);
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(text)!;
      const [, key] = /Demo key \(shown only now\): (\S+)/.exec(text)!;
      const body = { wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3' }, { macAddress: '02:00:5e:00:00:d4' }] };
      expect((await send(url, { path: `/?key=${key}`, body })).status).toBe(200);
      const [, node, flag, check] = config.Healthcheck.Test as string[];
      const port = new URL(url).port;
      const asked = spawnSync(join(root, node), [flag, check], { env: { SEXTANT_PORT: port } });
      expect(asked.status).toBe(0);
    } finally {
      child.kill('SIGKILL');
      await ended;
    }
  });
});
