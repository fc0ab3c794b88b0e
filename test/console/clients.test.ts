// What Start tells clients is what the document of clients says.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CLIENTS } from '../../console/src/views/start/clients.ts';

const SECTIONS = new Map(
  readFileSync('docs/clients.md', 'utf8')
    .split(/^#{2,3} /m)
    .map(section => [section.slice(0, section.indexOf('\n')), section]),
);
/** curl is no program with settings. */
const OWN = ['curl'];

describe.each(CLIENTS.filter(({ name }) => !OWN.includes(name)))('$name', ({ name, text }) => {
  test('each line stands in the section of the document, with the same host and key', () => {
    const section = [...SECTIONS].find(([title]) => title.split(' and ').includes(name))?.[1];
    expect(section, `a section of docs/clients.md about ${name}`).toBeDefined();
    for (const line of text('https://HOST', 'KEY', {}).split('\n')) expect(section).toContain(line);
  });
});

test('microG gets an address without a path, as it appends its own', () => {
  const { text } = CLIENTS.find(({ name }) => name === 'microG')!;
  expect(text('http://127.0.0.1:8080', 'abc', {})).toBe('http://127.0.0.1:8080/k/abc');
});
