import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BodyScanner } from '../../src/core/body_scanner.ts';
import { memberWords } from '../../src/core/member_words.ts';
import { MEMBERS } from '../../src/radio/query/members.ts';

test('the words of the core are those of the table of names', () => {
  const written = readFileSync(new URL('../../wasm/body/member_words.ts', import.meta.url), 'utf8');
  expect(written, 'run npx node src/core/member_words.ts').toBe(memberWords());
});

test.each(MEMBERS.rest)('the core hands %s to its caller, and no name that is similar', name => {
  const scanner = new BodyScanner();
  const restOf = (member: string) => scanner.scan(Buffer.from(`{"${member}":1}`)) && scanner.rest;
  expect(restOf(name)).toBe(`{"${name}":1}`);
  for (const other of [name.slice(0, -1), `${name}x`, `x${name.slice(1)}`, name.toUpperCase()])
    expect(restOf(other)).toBe('{}');
});

test.each(['body', 'accessPoint', 'beacon', 'cell'] as const)('the core knows each member of %s', object => {
  const scanner = new BodyScanner();
  const accepts = (text: string) =>
    scanner.scan(Buffer.from(object === 'body' ? `{${text}}` : `{"${LISTS[object]}":[{${text}}]}`));
  for (const name of MEMBERS[object]) {
    // A member that the core knows may stand once. What it does not know, it steps over.
    expect(accepts(`"${name}":null`), name).toBe(true);
    expect(accepts(`"${name}":null,"${name}":null`), name).toBe(false);
    expect(accepts(`"${name}x":null,"${name}x":null`), name).toBe(true);
  }
});

const LISTS = { accessPoint: 'wifiAccessPoints', beacon: 'bluetoothBeacons', cell: 'cellTowers' } as const;
