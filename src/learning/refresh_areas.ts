// Derives the areas of a network again after its cells have changed: where each area is, and what ids say about
// distances. A large network takes a second of processor time, and contributions wait for the same thread, so it is
// done in steps of a few milliseconds. Only areas that differ are written.

import { KEY_BYTES_CELL } from '../radio/station_key.ts';
import { commit } from '../tables/environment/commit.ts';
import { AreaCollector } from '../tables/stations/areas.ts';
import type { Generation } from '../tables/stations/generation.ts';
import type { StaleNetwork } from '../tables/stations/knowledge.ts';
import { stationView } from '../tables/stations/station.ts';

/** Rows read in one step. */
const READ = 1_000;
/** Areas written in one transaction. */
const WRITTEN = 1_000;
const TABLES = 'The station tables';

/**
 * Refreshes the areas of one network. A kill leaves some of them written and the network marked, so they are derived
 * again.
 * @param nextTurn lets other work go first
 * @throws NotWritten
 */
export async function refreshAreas(
  generation: Generation,
  { network, mark }: StaleNetwork,
  nextTurn: () => Promise<void>,
): Promise<void> {
  const { root, stations, areas, stale } = generation;
  /** By key (latin1); undefined for those that are gone. */
  const changed = new Map<string, Buffer | undefined>();
  const collector = new AreaCollector((key, record) => changed.set(key.toString('latin1'), Buffer.from(record)));
  for (const rows of stepsOf(generation, stations, network)) {
    for (const { key, value } of rows) {
      stationView(value);
      collector.add(key, value);
    }
    await nextTurn();
  }
  for (const _ of collector.endInSteps()) await nextTurn();
  for (const rows of stepsOf(generation, areas, network)) {
    for (const { key, value } of rows) {
      const area = key.toString('latin1');
      if (changed.get(area)?.equals(value)) changed.delete(area);
      else if (!changed.has(area)) changed.set(area, undefined);
    }
    await nextTurn();
  }
  const rows = [...changed];
  for (let from = 0; from < rows.length; from += WRITTEN) {
    await commit(root, TABLES, () => {
      for (const [area, record] of rows.slice(from, from + WRITTEN)) {
        const key = Buffer.from(area, 'latin1');
        if (record === undefined) areas.removeSync(key);
        else areas.putSync(key, record);
      }
    });
  }
  await commit(root, TABLES, () => {
    // Cells that changed meanwhile have left another mark.
    if (stale.getBinary(network)?.equals(mark)) stale.removeSync(network);
  });
}

/** The rows of a network in key order, some at a time, each time from a fresh read transaction. */
function* stepsOf(
  { root }: Generation,
  table: Generation['stations'],
  network: Buffer,
): Generator<{ key: Buffer; value: Buffer }[]> {
  const end = Buffer.concat([network, Buffer.alloc(KEY_BYTES_CELL, 0xff)]);
  for (let start = network, isFirst = true, isLast = false; !isLast; isFirst = false) {
    root.resetReadTxn();
    const range = table.getRange({ start, end, limit: READ, exclusiveStart: !isFirst });
    const rows = [...range].map(({ key, value }) => ({ key: Buffer.from(key), value: Buffer.from(value) }));
    root.resetReadTxn();
    isLast = rows.length < READ;
    start = rows.at(-1)?.key ?? start;
    yield rows;
  }
}
