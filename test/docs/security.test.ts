// The caps of docs/security.md against the code: each value is that of its constant or setting, and each test exists.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { withServiceOptions } from '../../src/config.ts';
import { CAPS, WAYS_IN } from './caps.ts';
import { ROOT, readDocument } from './markdown.ts';

const CONSTANT = /^([A-Z_]+) in (src\/[\w/]+\.ts)$/;

const caps = CAPS.map(cap => ({ ...cap, number: Number.parseInt(cap.most.replaceAll(',', ''), 10) }));

/**
 * The value of a constant, which may be a product of numbers and of a constant above it. @throws Error where it is not
 * there
 */
function numberOf(name: string, text: string): number {
  const value = new RegExp(`^(?:export )?const ${name} = ([\\w *]+);`, 'm').exec(text)?.[1];
  if (value === undefined) throw new Error(`There is no constant ${name}.`);
  return value
    .split(' * ')
    .reduce(
      (product, factor) => product * (/^\d/.test(factor) ? Number(factor.replaceAll('_', '')) : numberOf(factor, text)),
      1,
    );
}

test('every kind of cap has a line', () => {
  expect(caps.length).toBeGreaterThanOrEqual(20);
  for (const kind of [/connections/, /headers/, /^body/, /inflated/, /nesting/, /entries/, /time/, /search/])
    expect(
      caps.some(({ what }) => kind.test(what)),
      String(kind),
    ).toBe(true);
});

test.each(caps)('$what: $most', ({ number, value, test }) => {
  const [file, words] = test.split(': ', 2);
  expect(readFileSync(join(ROOT, file), 'utf8')).toContain(words);
  if (value.startsWith('--')) {
    const option = withServiceOptions(new Command()).options.find(({ long }) => long === value);
    expect(option?.description).toContain(`default ${number};`);
    return;
  }
  const [, name, source] = CONSTANT.exec(value)!;
  expect(numberOf(name, readFileSync(join(ROOT, source), 'utf8'))).toBe(number);
});

test('each way in that the console opens has a test that holds it closed', () => {
  const [, section] = /^## What the console adds\n(.*?)^## /ms.exec(readDocument('docs/security.md'))!;
  const rows = [...section.matchAll(/^\| (?!what somebody|---)([^|]+) \|/gm)].map(([, way]) => way);
  expect(rows).toEqual(WAYS_IN.map(({ way }) => way));
  for (const { test } of WAYS_IN) {
    const [file, words] = test.split(': ', 2);
    expect(readFileSync(join(ROOT, file), 'utf8'), file).toContain(words);
  }
});
