// Load of every kind at once, and what it was promised: contributors (test/service/contributor.ts), requests for
// positions that a prepaid key pays, changes of keys, imports of cells, and learning anew. Each kind remembers what was
// acknowledged, and what may or may not have been done because its answer never came.

import { writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type ServiceProcess, send } from '../kits/service_process.ts';

/** Asked before each request. */
type GoesOn = () => boolean;
type Random = () => number;

const POINTS = { wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3' }, { macAddress: '02:00:5e:00:00:d4' }] };
const BATCH_POSITIONS = 5;
const BATCH_SHARE = 0.1;
const BUSY = 503;
const PAUSE_MILLISECONDS = 8;
const IMPORT_CELLS = 40;
const COLUMNS = 'radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averageSignal';
/** Austria: no contributor hears cells there. */
const CELL = { radioType: 'lte', mobileCountryCode: 232, mobileNetworkCode: 1, locationAreaCode: 7 };
const FIRST_CELL_ID = 1_000_000;

/** What a round asked for and was answered. */
export interface Answered {
  /** Positions with their success, each of which costs a credit. */
  positions: number;
  /** Positions whose answer never came. */
  unanswered: number;
  /** Answers other than a success and 503. */
  wrong: string[];
}

/** Asks for positions until the load is over or the connection breaks. */
export async function askPositions(url: string, key: string, random: Random, goesOn: GoesOn): Promise<Answered> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const answered: Answered = { positions: 0, unanswered: 0, wrong: [] };
  try {
    while (goesOn()) {
      const isBatch = random() < BATCH_SHARE;
      const count = isBatch ? BATCH_POSITIONS : 1;
      const path = `${isBatch ? '/v1/geolocate/batch' : '/'}?key=${key}`;
      const body = isBatch ? Array.from({ length: count }, () => POINTS) : POINTS;
      const answer = await send(url, { agent, path, body }).catch(() => undefined);
      if (answer === undefined) {
        answered.unanswered += count;
        return answered;
      }
      if (answer.status === BUSY) await delay(PAUSE_MILLISECONDS);
      else if (answer.status === 200) countPositions(isBatch ? answer.json : [answer.json], answered);
      else answered.wrong.push(`A position was answered ${answer.status}: ${answer.text}`);
    }
    return answered;
  } finally {
    agent.destroy();
  }
}

function countPositions(answers: { location?: object; error?: { code: number } }[], answered: Answered): void {
  for (const { location, error } of answers) {
    if (location !== undefined) answered.positions++;
    else if (error?.code !== BUSY) answered.wrong.push(`A position of a batch was answered ${JSON.stringify(error)}.`);
  }
}

/**
 * Makes keys and changes them. What they must be afterwards is known but for the one change that was never answered.
 */
export class KeyKeeper {
  /** Balances of keys by their id. */
  private readonly balances = new Map<number, number>();
  private unanswered: { id: number; balance: number } | undefined;
  private readonly pauseMilliseconds: number;
  /** Changes that were acknowledged. */
  changes = 0;

  constructor(pauseMilliseconds = PAUSE_MILLISECONDS) {
    this.pauseMilliseconds = pauseMilliseconds;
  }

  /** Changes keys until the load is over or the owner is gone. */
  async keep(service: ServiceProcess, random: Random, goesOn: GoesOn): Promise<void> {
    while (goesOn()) {
      const ids = [...this.balances.keys()];
      const isNew = ids.length === 0 || random() < 0.2;
      const credits = 1 + Math.floor(random() * 1000);
      if (isNew) {
        const made = await service.key({ credits }).catch(() => undefined);
        if (made === undefined) return;
        this.balances.set(made.id, credits);
      } else {
        const id = ids[Math.floor(random() * ids.length)];
        const balance = this.balances.get(id)! + credits;
        this.unanswered = { id, balance };
        const done = await service.job({ verb: 'keys', action: 'credit', id, credits }).catch(() => undefined);
        if (done === undefined) return;
        this.unanswered = undefined;
        this.balances.set(id, balance);
      }
      this.changes++;
      await delay(this.pauseMilliseconds);
    }
  }

  /** Holds the keys of a service against what was acknowledged. @returns a sentence for each difference */
  async check(service: ServiceProcess): Promise<string[]> {
    const found: string[] = [];
    const list = await service.job<{ id: number; credits?: number }[]>({ verb: 'keys', action: 'list' });
    const listed = new Map(list.map(({ id, credits }) => [id, credits]));
    for (const [id, balance] of this.balances) {
      const credits = listed.get(id);
      if (this.unanswered?.id === id && credits === this.unanswered.balance) this.balances.set(id, credits);
      else if (credits !== balance) found.push(`Key ${id} has ${credits} credits, and ${balance} were acknowledged.`);
    }
    this.unanswered = undefined;
    return found;
  }
}

/** Imports cells, each file with cells of its own. */
export class Importer {
  /** Imports that were acknowledged. */
  imports = 0;
  private readonly folder: string;
  private readonly acknowledged: number[] = [];
  private files = 0;

  /** @param folder where its files lie */
  constructor(folder: string) {
    this.folder = folder;
  }

  /** Imports until the load is over or the owner is gone. */
  async import(service: ServiceProcess, goesOn: GoesOn): Promise<void> {
    while (goesOn()) {
      const first = FIRST_CELL_ID + this.files++ * IMPORT_CELLS;
      const file = join(this.folder, `cells${first}.csv`);
      const rows = Array.from(
        { length: IMPORT_CELLS },
        (_, i) => `LTE,232,1,7,${first + i},,${(13 + i / 100).toFixed(4)},47.5,800,30,1,1735689600,1764547200,-95`,
      );
      writeFileSync(file, `${[COLUMNS, ...rows].join('\n')}\n`);
      const done = await service.job({ verb: 'import', kind: 'cells', files: [file] }).catch(() => undefined);
      if (done === undefined) return;
      this.acknowledged.push(first);
      this.imports++;
      await delay(PAUSE_MILLISECONDS * 4);
    }
  }

  /**
   * Asks for the first and the last cell of each acknowledged import since the last check. @returns a sentence for each
   * that is not found
   */
  async check(service: ServiceProcess, key: string): Promise<string[]> {
    const found: string[] = [];
    for (const first of this.acknowledged.splice(0)) {
      for (const cellId of [first, first + IMPORT_CELLS - 1]) {
        const { status, text } = await service.post(key, { cellTowers: [{ ...CELL, cellId }] });
        if (status !== 200) found.push(`Cell ${cellId} of an acknowledged import is answered ${status}: ${text}`);
      }
    }
    return found;
  }
}
