// What a log of reports leads to. Only memory is used, but every record is encoded after each batch and decoded before
// the next.

import type { EarningReport } from '../../../src/accounts/account_writer.ts';
import { Aggregation, type Known } from '../../../src/learning/aggregate.ts';
import { rebase } from '../../../src/learning/life_cycle.ts';
import { publishStation } from '../../../src/learning/publish.ts';
import { KEY_BYTES_CELL_ID } from '../../../src/radio/station_key.ts';
import type { Report } from '../../../src/tables/observations/report.ts';
import type { TrackPosition } from '../../../src/tables/stations/knowledge.ts';
import type { Learned } from '../../../src/tables/stations/learned_record.ts';
import { decodeLearned, encodeLearned } from '../../../src/tables/stations/learned_record.ts';
import { isLearned, STATE_ACTIVE, type Station } from '../../../src/tables/stations/station.ts';
import { recordOf, stationOf } from './stations.ts';

/** What a log leads to, as the tables keep it. */
export class LearnedWorld implements Known {
  readonly learnedBytes = new Map<string, Buffer>();
  readonly stations = new Map<string, Uint8Array>();
  readonly tracks = new Map<number, TrackPosition>();
  /** How often each action was taken. */
  readonly actions: { [action: string]: number } = {};
  jumps = 0;
  /** Reports by which accounts have earned. */
  readonly earning: EarningReport[] = [];
  private sequence = 0;

  learned(key: Uint8Array): Learned | undefined {
    const bytes = this.learnedBytes.get(nameOf(key));
    return bytes && decodeLearned(bytes);
  }

  importedRecord(key: Uint8Array): Uint8Array | undefined {
    const record = this.stations.get(nameOf(key));
    return record === undefined || isLearned(record) ? undefined : record;
  }

  areasOfCell(key: Uint8Array): Buffer[] {
    const id = nameOf(key).slice(0, 2 * KEY_BYTES_CELL_ID);
    return [...this.learnedBytes.keys(), ...this.stations.keys()]
      .filter(name => name.startsWith(id))
      .map(name => Buffer.from(name, 'hex'));
  }

  track(pseudonym: number): TrackPosition | undefined {
    return this.tracks.get(pseudonym);
  }

  /** Folds reports as one batch. @param receivedMs when they arrived; without it, when they were made */
  fold(reports: readonly Report[], receivedMs?: number): void {
    const aggregation = new Aggregation(this);
    for (const each of reports) aggregation.add(++this.sequence, each, receivedMs ?? each.timeMs);
    const { learned, tracks } = aggregation.changes();
    for (const { key, learned: value, record } of learned) this.put(key, value, record);
    for (const [pseudonym, position] of tracks) this.tracks.set(pseudonym, position);
    for (const [action, count] of Object.entries(aggregation.counts.actions))
      this.actions[action] = (this.actions[action] ?? 0) + count;
    this.jumps += aggregation.counts.jumps;
    this.earning.push(...aggregation.earning);
  }

  /** Imports a station over what is known. */
  import(key: Uint8Array, imported: Station): void {
    const record = recordOf(imported);
    this.stations.set(nameOf(key), record);
    const learned = this.learned(key);
    if (learned === undefined) return;
    rebase(learned, key[0], record);
    this.put(key, learned, publishStation(learned, key[0]));
  }

  /** The station as lookups see it; undefined when it does not count. */
  active(key: Uint8Array): Station | undefined {
    const record = this.stations.get(nameOf(key));
    const found = record && stationOf(record);
    return found?.state === STATE_ACTIVE ? found : undefined;
  }

  /** All records in key order, as text that can be compared. */
  dump(): string {
    const lines = [...this.learnedBytes].map(([name, bytes]) => `learned ${name} ${bytes.toString('hex')}`);
    for (const [name, record] of this.stations) lines.push(`station ${name} ${Buffer.from(record).toString('hex')}`);
    for (const [pseudonym, position] of this.tracks) lines.push(`track ${pseudonym} ${JSON.stringify(position)}`);
    return lines.sort().join('\n');
  }

  private put(key: Uint8Array, learned: Learned | undefined, record: Uint8Array | undefined): void {
    const name = nameOf(key);
    if (learned === undefined) this.learnedBytes.delete(name);
    else this.learnedBytes.set(name, encodeLearned(learned));
    if (record === undefined) this.stations.delete(name);
    else this.stations.set(name, record);
  }
}

function nameOf(key: Uint8Array): string {
  return Buffer.from(key).toString('hex');
}
