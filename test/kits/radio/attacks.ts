// What one hostile account may send to move a single station: many reports that name it alone, at false positions.

import type { Report } from '../../../src/tables/observations/report.ts';
import { moved, type Position } from './ground.ts';
import { HOME, report, type Who } from './reports.ts';

export const HOSTILE: Who = 666;
export const ATTACK_REPORTS = 10_000;

/**
 * What a hostile account may try: where it claims to be at report n of ATTACK_REPORTS, in metres east, and how strong.
 */
export const ATTACKS: { [name: string]: (n: number) => { east: number; north: number; dbm: number } } = {
  'all at one position just within reach': () => ({ east: 490, north: 0, dbm: -20 }),
  'all at one position near by': () => ({ east: 150, north: 0, dbm: -20 }),
  'growing offsets': n => ({ east: (n / ATTACK_REPORTS) * 20_000, north: 0, dbm: -20 }),
  'slowly growing offsets': n => ({ east: (n / ATTACK_REPORTS) * 1_500, north: 0, dbm: -20 }),
  'spread over one side': n => ({ east: 50 + ((n * 7.3) % 440), north: ((n * 13.7) % 500) - 250, dbm: -20 - (n % 60) }),
  'weak and far': n => ({ east: 480, north: (n % 20) - 10, dbm: -95 }),
};

/** Reports of an attack on a station. @param scale of its offsets @param from the middle of the station */
export function attack(
  key: Buffer,
  name: keyof typeof ATTACKS,
  startSeconds: number,
  stepSeconds: number,
  scale = 1,
  from: Position = HOME,
): Report[] {
  return Array.from({ length: ATTACK_REPORTS }, (_, n) => {
    const { east, north, dbm } = ATTACKS[name](n);
    return report(HOSTILE, moved(from, east * scale, north * scale), startSeconds + n * stepSeconds, [{ key, dbm }], {
      accuracyMetres: 1,
    });
  });
}

/** The log, with the attack before, between or after the honest reports. */
export function inOrder(order: string, honest: Report[], hostile: Report[]): Report[] {
  if (order === 'before') return [...hostile, ...honest];
  if (order === 'after') return [...honest, ...hostile];
  const per = Math.ceil(hostile.length / honest.length);
  return honest.flatMap((each, i) => [each, ...hostile.slice(i * per, (i + 1) * per)]);
}
