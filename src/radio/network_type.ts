// The radio type behind a name that Android or an app shows for a network: HSPA+, LTE_CA, EDGE. The names and their
// provenance are in data/network_types.csv. Case, blanks, dashes, dots, strokes and brackets make no difference. A name
// that tells of no cell, such as IWLAN, is not in it.
//
// Files have these names. Over HTTP a cell has a radio type of the specification (cell_kind.ts).

import { readFileSync } from 'node:fs';
import { kindOfName } from './cell_kind.ts';

/** Longer texts are no names. */
const NAME_LENGTH_MAX = 32;

let kinds: ReadonlyMap<string, number> | undefined;

/** Kind byte of a network type, 8..13, or 0 for anything else. */
export function kindOfNetworkType(name: unknown): number {
  const kind = kindOfName(name);
  if (kind !== 0 || typeof name !== 'string' || name.length > NAME_LENGTH_MAX) return kind;
  kinds ??= readKinds(readFileSync(new URL('../../data/network_types.csv', import.meta.url), 'utf8'));
  return kinds.get(plain(name)) ?? 0;
}

function readKinds(csv: string): Map<string, number> {
  const rows = csv.trim().split('\n').slice(1);
  return new Map(rows.map(row => row.split(',')).map(([name, type]) => [plain(name), kindOfName(type)]));
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_./()-]/g, '');
}
