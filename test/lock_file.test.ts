// The lock file must install everywhere. npm leaves platform packages out of it that the registry in use does not
// offer, and then refuses the file it wrote itself; a `resolved` address would tie every clone to one registry. A package of our
// own has its folder there.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface LockEntry {
  resolved?: string;
  link?: boolean;
  optionalDependencies?: Record<string, string>;
}

const lock: { packages: Record<string, LockEntry> } = JSON.parse(
  readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
);

test('every optional platform package has its entry, so that npm ci takes the lock file', () => {
  const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      name =>
        lock.packages[`node_modules/${name}`] === undefined &&
        lock.packages[`${path}/node_modules/${name}`] === undefined,
    ),
  );
  expect(missing).toEqual([]);
});

test('no entry names a registry', () => {
  const named = Object.entries(lock.packages).filter(([, { resolved }]) => resolved !== undefined);
  expect(named.filter(([, { resolved, link }]) => !link || resolved!.includes(':'))).toEqual([]);
});
