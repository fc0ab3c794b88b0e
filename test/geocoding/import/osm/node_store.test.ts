import { describe, expect, test } from 'vitest';
import { NodeStore } from '../../../../src/geocoding/import/osm/node_store.ts';
import { uniform } from '../../../kits/random.ts';
import { temporaryFolder } from '../../../kits/temporary_folder.ts';

/** Room for three blocks of nodes. */
const MEMORY_BYTES = 3 * 8_192;

/** Files of nodes: id, version, and a longitude; the latitude is the longitude's opposite. */
function store(...files: [id: number, version: number, longitude: number][][]): NodeStore {
  const nodes = new NodeStore(temporaryFolder(), MEMORY_BYTES);
  for (const [id, version, longitude] of files.flat()) nodes.add(id, version, longitude, -longitude);
  nodes.finish();
  return nodes;
}

function longitudeOf(nodes: NodeStore, id: number): number | undefined {
  if (!nodes.find(id)) return undefined;
  expect(nodes.latitude).toBe(-nodes.longitude);
  return nodes.longitude;
}

describe('nodes', () => {
  test('are found by their ids, also those of today and below zero', () => {
    const nodes = store([
      [-5, 1, 10],
      [7, 1, 20],
      [13_000_000_001, 3, 30],
    ]);
    expect([-6, -5, 6, 7, 8, 13_000_000_000, 13_000_000_001].map(id => longitudeOf(nodes, id))).toEqual([
      undefined,
      10,
      undefined,
      20,
      undefined,
      undefined,
      30,
    ]);
    expect(nodes.size).toBe(3);
  });

  test('out of order are found too', () => {
    const nodes = store([
      [9, 1, 90],
      [2, 1, 20],
      [5, 1, 50],
    ]);
    expect([2, 5, 9].map(id => longitudeOf(nodes, id))).toEqual([20, 50, 90]);
  });

  test('in several files count once, in the newest version wherever it stands', () => {
    const older: [number, number, number][] = [
      [1, 1, 11],
      [2, 2, 12],
      [3, 5, 13],
    ];
    const newer: [number, number, number][] = [
      [2, 3, 22],
      [3, 4, 23],
      [4, 1, 24],
    ];
    for (const nodes of [store(older, newer), store(newer, older)]) {
      expect([1, 2, 3, 4].map(id => longitudeOf(nodes, id))).toEqual([11, 22, 13, 24]);
      expect(nodes.size).toBe(4);
    }
  });

  test('twice in one file count once', () => {
    const nodes = store([
      [1, 1, 11],
      [1, 2, 12],
      [2, 1, 21],
    ]);
    expect(longitudeOf(nodes, 1)).toBe(12);
    expect(nodes.size).toBe(2);
  });

  test('of a later file win where versions are equal', () => {
    expect(longitudeOf(store([[1, 1, 11]], [[1, 1, 12]]), 1)).toBe(12);
  });

  test('beyond the largest id are refused', () => {
    expect(() => store([[2 ** 39 + 1, 1, 0]])).toThrow(/549755813889/);
  });

  test('none at all are no failure', () => {
    expect(store([], []).find(1)).toBe(false);
  });

  test('of many blocks are found in any order, and none between them', () => {
    const count = 5_000;
    const nodes = store(Array.from({ length: count }, (_, i) => [2 * i, 1, i + 1]));
    const order = Array.from({ length: count }, (_, i) => (i * 1_733) % count);
    expect(order.map(i => longitudeOf(nodes, 2 * i))).toEqual(order.map(i => i + 1));
    expect(order.filter(i => nodes.find(2 * i + 1) || nodes.find(-1))).toEqual([]);
  });

  test('of more than a million, shuffled in two files, are all there', () => {
    const random = uniform(5);
    const count = 1_200_000;
    const ids = Float64Array.from({ length: count }, (_, i) => i * 3 + Math.floor(random() * 3));
    const nodes = new NodeStore(temporaryFolder(), MEMORY_BYTES);
    // An order that jumps all over the ids: the step is coprime to the count.
    for (let i = 0, at = 0; i < count; i++, at = (at + 700_001) % count) nodes.add(ids[at], 1, at, -at);
    for (let at = 0; at < count; at += 1_000) nodes.add(ids[at], 2, at + 7, -at - 7);
    nodes.finish();
    expect(nodes.size).toBe(count);
    let wrong = 0;
    for (let at = 0; at < count; at++) {
      if (!nodes.find(ids[at]) || nodes.longitude !== (at % 1_000 === 0 ? at + 7 : at)) wrong++;
    }
    expect(wrong).toBe(0);
  });
});
