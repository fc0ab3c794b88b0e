// Records have the bytes that they had when the samples were recorded: what a version writes, the others have as well.
// The samples were written by the code of version 0.6, which wrote each record by hand.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accounts, buildings, fingerprints, floors, type Kind, places, reports, rooms } from './schema_records.ts';

/** Records as `Kind` names them, in hexadecimal digits. */
type Samples = Readonly<Record<string, string>>;

const SAMPLES: Readonly<Record<string, Samples>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'samples/record_bytes.json'), 'utf8'),
);
const KINDS: Readonly<Record<string, Kind<object>>> = {
  accounts,
  buildings,
  fingerprints,
  floors,
  places,
  reports,
  rooms,
};

test.each(Object.keys(SAMPLES))('%s have the bytes that were recorded', name => {
  const { encode, bare, full, zeros } = KINDS[name];
  const encoded = Object.entries({ bare, full, zeros }).map(([which, record]) => [
    which,
    Buffer.from(encode(record)).toString('hex'),
  ]);
  expect(Object.fromEntries(encoded)).toEqual(SAMPLES[name]);
});
