// The container file, step by step, and what comes of it: a service whose root is only read.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../kits/temporary_folder.ts';
import { buildImage, CAN_BUILD, runIn, stepsOf } from './container_steps.ts';

const UNREACHABLE = /ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENOTCACHED|network/;
const POINTS = '{"wifiAccessPoints":[{"macAddress":"02:00:5e:00:00:d3"},{"macAddress":"02:00:5e:00:00:d4"}]}';
const steps = stepsOf(readFileSync('deploy/Containerfile', 'utf8'));
const wordsOf = (name: string): string => steps.findLast(([instruction]) => instruction === name)![1];
/** A command in the form of a list, as a shell reads it. */
const shellWords = (list: string): string =>
  (JSON.parse(list) as string[]).map(word => `'${word.replaceAll("'", "'\\''")}'`).join(' ');

describe.skipIf(!CAN_BUILD)('the container file', () => {
  test('makes an image that serves, with nothing written but its data folder', { timeout: 900_000 }, ({ skip }) => {
    const base = temporaryFolder();
    const cache = join(base, 'cache');
    const asked = (name: string): string => execFileSync('npm', ['config', 'get', name], { encoding: 'utf8' }).trim();
    const authorities = asked('cafile');
    const npm = {
      npm_config_registry: asked('registry'),
      npm_config_prefer_offline: 'true',
      ...(existsSync(authorities) && { npm_config_cafile: authorities }),
    };
    mkdirSync(cache);
    const packages = join(asked('cache'), '_cacache');
    if (existsSync(packages)) cpSync(packages, join(cache, '_cacache'), { recursive: true });
    const image = (() => {
      try {
        return buildImage(steps, base, npm, cache);
      } catch (error) {
        if (UNREACHABLE.test((error as Error).message))
          return skip('The packages come from a registry, which cannot be reached.');
        throw error;
      }
    })();
    expect([image.user, image.folder]).toEqual(['node', '/data']);
    expect(statSync(join(image.root, 'data')).mode & 0o777).toBe(0o700);
    expect(existsSync(join(image.root, 'root/.npm'))).toBe(false);
    expect(existsSync(join(image.root, 'checkout'))).toBe(false);

    const serve = shellWords(wordsOf('ENTRYPOINT')).concat(' ', shellWords(wordsOf('CMD')));
    const check = shellWords(wordsOf('HEALTHCHECK').replace(/^.*CMD /, ''));
    const closed = { ...image, environment: { ...image.environment, SEXTANT_TRUST_PROXY: 'uniquelocal' } };
    const { status, stdout, stderr } = runIn(
      closed,
      `
      ${serve} > /tmp/printed 2>&1 &
      until ${check}; do kill -0 $! || { cat /tmp/printed; exit 9; }; done
      touch /usr/local/written 2> /tmp/refused && exit 8
      touch /written 2> /tmp/refused && exit 7
      KEY=$(sextant keys create --name fleet | node -p 'JSON.parse(require("fs").readFileSync(0)).key')
      node -e "fetch('http://127.0.0.1:8080/?key=$KEY', { method: 'POST', body: '$POINTS' }).then(r => r.text()).then(console.log)"
      id -u
      kill -TERM $!
      wait $!
      `.replace('$POINTS', POINTS.replaceAll('"', '\\"')),
      true,
    );
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^\{"location":\{"lat":.*\n1000\n$/);
    expect(existsSync(join(image.root, 'data/FORMAT'))).toBe(true);
  });
});
