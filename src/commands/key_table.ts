// Keys as a table for a terminal.

import { escapeMarks } from './terminal/escape.ts';

/** What the table shows of a key. */
export interface KeyRow {
  id: number;
  name?: string;
  credits?: number;
  rate?: number;
  expires?: string;
  revoked: boolean;
}

const HEADS = ['id', 'name', 'credits', 'rate', 'expires', 'state'];
/** Columns of numbers, which are aligned to the right. */
const NUMBERS = new Set(['id', 'credits', 'rate']);

/** A line for each key, under one of heads. */
export function keyTable(keys: readonly KeyRow[]): string {
  const today = new Date().toISOString().slice(0, 10);
  const rows = [HEADS, ...keys.map(key => cellsOf(key, today))];
  const widths = HEADS.map((_, column) => Math.max(...rows.map(row => row[column].length)));
  const align = (text: string, column: number) =>
    NUMBERS.has(HEADS[column]) ? text.padStart(widths[column]) : text.padEnd(widths[column]);
  return `${rows.map(row => row.map(align).join('  ').trimEnd()).join('\n')}\n`;
}

function cellsOf({ id, name = '', credits, rate, expires, revoked }: KeyRow, today: string): string[] {
  const state = revoked ? 'revoked' : expires !== undefined && expires < today ? 'expired' : 'valid';
  return [
    `${id}`,
    escapeMarks(name),
    credits?.toLocaleString('en') ?? 'unlimited',
    rate?.toString() ?? '-',
    expires ?? '-',
    state,
  ];
}
