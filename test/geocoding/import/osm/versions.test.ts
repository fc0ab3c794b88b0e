import { describe, expect, test } from 'vitest';
import { idOf, NewestVersions, versionedId } from '../../../../src/geocoding/import/osm/versions.ts';
import { uniform } from '../../../kits/random.ts';

describe('an id with its version', () => {
  test('orders by id, then by version', () => {
    const ordered = [
      versionedId(-3, 1),
      versionedId(-3, 8_000),
      versionedId(-2, 1),
      versionedId(0, 1),
      versionedId(1, 1),
      versionedId(2 ** 39, 1),
    ];
    expect([...ordered].sort((a, b) => a - b)).toEqual(ordered);
    expect(ordered.map(idOf)).toEqual([-3, -3, -2, 0, 1, 2 ** 39]);
  });

  test('keeps its id when it was edited without end', () => {
    expect(idOf(versionedId(7, 1_000_000))).toBe(7);
  });

  test('beyond 2^39 is refused', () => {
    expect(() => versionedId(2 ** 39 + 1, 1)).toThrow(/beyond/);
    expect(() => versionedId(-(2 ** 39) - 1, 1)).toThrow(/beyond/);
  });
});

describe('newest versions', () => {
  test('an older version is of no use, a newer one takes its place', () => {
    const newest = new NewestVersions(false);
    expect(newest.meet(5, 3, true)).toBe(true);
    expect(newest.meet(5, 2, true)).toBe(false);
    expect(newest.meet(5, 3, true)).toBe(false);
    expect(newest.meet(5, 4, true)).toBe(true);
    expect([3, 4].map(version => newest.isNewest(5, version))).toEqual([false, true]);
  });

  test('a newer version that is not wanted takes the older ones out of use', () => {
    const newest = new NewestVersions(false);
    newest.meet(5, 3, true);
    expect(newest.meet(5, 4, false)).toBe(false);
    expect(newest.isNewest(5, 3)).toBe(false);
  });

  test.each([true, false])('are right for drawn objects, ordered: %s', isOrdered => {
    const random = uniform(3);
    const met = Array.from({ length: 20_000 }, () => ({
      id: Math.floor(random() * 9_000) * 1_000_003,
      version: 1 + Math.floor(random() * 5),
    }));
    if (isOrdered) met.sort((a, b) => a.id - b.id);
    const newest = new NewestVersions(isOrdered);
    const kept = met.filter(({ id, version }) => newest.meet(id, version, true));
    const last = new Map<number, number>();
    for (const { id, version } of met) last.set(id, Math.max(version, last.get(id) ?? 0));
    const read = kept.filter(({ id, version }) => newest.isNewest(id, version));
    expect(read.length).toBe(last.size);
    expect(read.every(({ id, version }) => last.get(id) === version)).toBe(true);
  });

  test('ordered files begin with ids below zero, those nearest to it first', () => {
    const newest = new NewestVersions(true);
    expect([-1, -2, -2, 1, 2].map(id => newest.meet(id, 1, true))).toEqual([true, true, false, true, true]);
    expect(() => newest.meet(-3, 1, true)).toThrow('-3 follows 2');
  });

  test('objects that are said to be ordered must be', () => {
    const newest = new NewestVersions(true);
    newest.meet(5, 1, true);
    expect(() => newest.meet(4, 1, true)).toThrow('4 follows 5');
  });
});
