import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openOrCreateNamedTables } from '../../../src/tables/environment/named_tables.ts';
import { piecesOf, takePieces } from '../../../src/tables/environment/table_pieces.ts';
import { uniform } from '../../kits/random.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

const KIND = { folder: 'tables', names: ['one', 'other', 'meta'], format: 1, what: 'table', remedy: 'none' } as const;

type Tables = Awaited<ReturnType<typeof openOrCreateNamedTables<'one' | 'other'>>>;

/** Tables with rows of a seed, two megabytes each. */
async function tablesWith(seed: number): Promise<Tables> {
  const random = uniform(seed);
  const tables = await openOrCreateNamedTables(temporaryFolder(), KIND);
  tables.root.transactionSync(() => {
    for (const table of [tables.one, tables.other])
      for (let i = 0; i < 4_000; i++) table.putSync(keyOf(random), Buffer.alloc(1 + 1_000 * random(), i));
  });
  return tables;
}

function keyOf(random: () => number): Buffer {
  const key = Buffer.alloc(8);
  key.writeDoubleBE(random());
  return key;
}

function hashes(tables: Tables): string[] {
  return Array.from(piecesOf(tables), ({ hash }) => hash);
}

/** Takes the pieces of other tables over. @returns bytes that had to be sent, and all */
function takeFrom(from: Tables, to: Tables, spoil = (bytes: Buffer): Buffer => bytes): { sent: number; all: number } {
  const folder = temporaryFolder();
  const known = new Set(hashes(to));
  const pieces = [...piecesOf(from)];
  const lacking = pieces.filter(({ hash }) => !known.has(hash));
  for (const { hash, bytes } of lacking) writeFileSync(join(folder, hash), spoil(bytes));
  takePieces(
    to,
    'The tables',
    pieces.map(({ hash }) => hash),
    folder,
  );
  const sum = (some: typeof pieces): number => some.reduce((total, { bytes }) => total + bytes.length, 0);
  return { sent: sum(lacking), all: sum(pieces) };
}

test('tables become those of another folder, and of a small change only the pieces around it are sent', async () => {
  const learner = await tablesWith(1);
  const follower = await tablesWith(2);
  expect(takeFrom(learner, follower)).toMatchObject({ sent: expect.any(Number) });
  expect(hashes(follower)).toEqual(hashes(learner));
  const rows = (tables: Tables) => [...tables.other.getRange({})].map(({ key, value }) => [key, value].join(' '));
  expect(rows(follower)).toEqual(rows(learner));
  const [first] = learner.one.getKeys({ limit: 1 });
  learner.root.transactionSync(() => {
    learner.one.removeSync(Buffer.from(first));
    learner.other.putSync(Buffer.from('a key'), Buffer.from('a value'));
  });
  const { sent, all } = takeFrom(learner, follower);
  expect(hashes(follower)).toEqual(hashes(learner));
  expect(all / sent).toBeGreaterThan(1.2);
  expect(takeFrom(learner, follower).sent).toBe(0);
});

test('pieces with other bytes than their hashes say change nothing', async () => {
  const learner = await tablesWith(3);
  const follower = await tablesWith(4);
  const before = hashes(follower);
  const damaged = (bytes: Buffer): Buffer => {
    const copy = Buffer.from(bytes);
    copy[copy.length - 1] ^= 1;
    return copy;
  };
  expect(() => takeFrom(learner, follower, damaged)).toThrow(/do not have the hashes/);
  expect(hashes(follower)).toEqual(before);
});
