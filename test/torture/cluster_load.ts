// The load on a cluster under torture, and what must hold after a round: contributors (test/service/contributor.ts) who
// go to the next node where one does not answer, lookups that do the same, positions that a prepaid key pays at all
// nodes, changes of keys and imports (load.ts).

import { createHash } from 'node:crypto';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { filesOfTables } from '../../src/cluster/table_files.ts';
import { featureTables } from '../../src/features.ts';
import { listBuildings } from '../../src/indoor/jobs/change_buildings.ts';
import type { Job } from '../../src/jobs/job.ts';
import { AccountTable } from '../../src/tables/accounts/accounts.ts';
import { openLiveGeneration } from '../../src/tables/stations/generation.ts';
import { KnowledgeTables } from '../../src/tables/stations/knowledge.ts';
import { shuffled } from '../kits/random.ts';
import { send } from '../kits/service_process.ts';
import { type Account, type Contributor, makeContributors } from '../service/contributor.ts';
import { holdAgainstSent, readLog } from '../service/stored_reports.ts';
import { type ClusterScene, NAMES, type Name } from './cluster_scene.ts';
import { Importer, KeyKeeper } from './load.ts';

/** What was answered. */
export interface ClusterTotals {
  /** Reports that were acknowledged. */
  reports: number;
  /** Positions that were asked for at one node after the other. */
  lookups: number;
  /** Positions that the prepaid key paid. */
  positions: number;
  keys: number;
  imports: number;
}

const CREDITS = 100_000_000;
const BLOCK_CREDITS = 100;
/** A client leaves a node that does not answer for so long. */
const PATIENCE_MILLISECONDS = 4_000;
const REPORT_PAUSE_MILLISECONDS = 400;
const LOOKUP_PAUSE_MILLISECONDS = 80;
const KEY_PAUSE_MILLISECONDS = 300;
const IMPORTS_MAX = 2;
/** Access points of the demo. */
const POINTS = {
  considerIp: false,
  wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3' }, { macAddress: '02:00:5e:00:00:d4' }],
};
const TABLES = ['stations', 'areas', 'learned', 'codes', 'tracks', 'stale', 'calibration'] as const;
/** What all nodes have alike. */
const STATES = ['reports', 'log', 'tables', 'accounts', 'buildings', 'fingerprints', 'answers'] as const;
const EXAMPLES = join(import.meta.dirname, '../../docs/examples');
/** What is heard in the lobby of the office of the examples. */
const OFFICE = {
  considerIp: false,
  indoor: 1,
  wifiAccessPoints: [-54, -86, -79].map((signalStrength, i) => ({
    macAddress: `02:00:5e:1c:e0:0${i + 1}`,
    signalStrength,
  })),
};
/** Rows of `meta` that belong to one copy of the tables. */
const OWN_META = ['cluster', 'generation'];

/** See above. */
export class ClusterLoad {
  /** Sentences about what must not be, since they were last taken. */
  readonly findings: string[] = [];
  readonly totals: ClusterTotals = { reports: 0, lookups: 0, positions: 0, keys: 0, imports: 0 };
  private readonly scene: ClusterScene;
  private readonly contributors: readonly Contributor[];
  private readonly keepers = new Map(NAMES.map(name => [name, new KeyKeeper(KEY_PAUSE_MILLISECONDS)]));
  private readonly importer: Importer;
  private readonly payer: Account;
  /** A key that pays nothing. */
  private readonly reader: string;
  /** Id of a key that is changed after each round. */
  private readonly witness: number;
  private unanswered = 0;
  /** Parts of the load that have not ended. */
  readonly underWay = new Set<string>();
  private readonly sharedImporter: SharedImporter;
  /** Keys that were revoked for certain. */
  private readonly revoked: string[] = [];

  /** @param folder for files of imports */
  static async make(scene: ClusterScene, folder: string, seed: number): Promise<ClusterLoad> {
    const founder = scene.node('a');
    const { contributors } = await makeContributors(founder, CREDITS, seed);
    const payer = { ...(await founder.key({ credits: CREDITS })), isTrusted: false };
    const { key: reader } = await founder.key();
    const { id: witness } = await founder.key({ credits: 1 });
    return new ClusterLoad(scene, contributors, { payer, reader, witness }, new Importer(folder));
  }

  private constructor(
    scene: ClusterScene,
    contributors: readonly Contributor[],
    { payer, reader, witness }: { payer: Account; reader: string; witness: number },
    importer: Importer,
  ) {
    this.scene = scene;
    this.contributors = contributors;
    this.payer = payer;
    this.reader = reader;
    this.witness = witness;
    this.importer = importer;
    this.sharedImporter = new SharedImporter(scene);
  }

  /** Goes on until it is told to stop. @param looks whether a lookup must be answered by some node */
  async run(goesOn: () => boolean, looks: boolean, imports: boolean): Promise<void> {
    const keeperAt = this.scene.draw(NAMES);
    const keeper = this.keepers.get(keeperAt)!;
    const load = {
      reports: Promise.all(this.contributors.map(contributor => this.contribute(contributor, goesOn))),
      lookups: looks && this.look(goesOn),
      positions: this.pay(goesOn),
      keys: keeper.keep(this.scene.node(keeperAt), this.scene.random, goesOn),
      stations: imports && this.import(goesOn),
      buildings: imports && this.sharedImporter.import(goesOn),
      revoked: this.revoke(),
    };
    const parts = Object.entries(load).map(async ([name, part]) => {
      this.underWay.add(name);
      await part;
      this.underWay.delete(name);
    });
    await Promise.all(parts);
    this.totals.keys = [...this.keepers.values()].reduce((sum, { changes }) => sum + changes, 0);
    this.totals.imports = this.importer.imports + this.sharedImporter.imports;
    const reports = this.contributors.flatMap(({ acknowledged }) => acknowledged.map(each => each.reports.length));
    this.totals.reports = reports.reduce((sum, count) => sum + count, 0);
  }

  private async contribute(contributor: Contributor, goesOn: () => boolean): Promise<void> {
    while (goesOn()) {
      const { url } = this.scene.node(this.scene.draw(NAMES));
      await contributor
        .contribute(url, () => false, PATIENCE_MILLISECONDS)
        .catch((error: Error) => this.findings.push(error.message));
      await delay(REPORT_PAUSE_MILLISECONDS);
    }
  }

  private async import(goesOn: () => boolean): Promise<void> {
    let left = IMPORTS_MAX;
    await this.importer.import(this.scene.node(this.scene.draw(NAMES)), () => goesOn() && left-- > 0);
  }

  /** Makes a key at a node and revokes it at another one. */
  private async revoke(): Promise<void> {
    const [first, second] = shuffled(NAMES, this.scene.random).map(name => this.scene.node(name));
    const made = await first.key({ credits: 1 }).catch(() => undefined);
    if (made === undefined) return;
    const done = await second.job({ verb: 'keys', action: 'revoke', id: made.id }).catch(() => undefined);
    if (done !== undefined) this.revoked.push(made.key);
  }

  /** Asks one node after the other until one answers. */
  private async look(goesOn: () => boolean): Promise<void> {
    while (goesOn()) {
      this.totals.lookups++;
      const first = NAMES.indexOf(this.scene.draw(NAMES));
      const said: string[] = [];
      for (const more of NAMES.keys()) {
        const name = NAMES[(first + more) % NAMES.length];
        const status = await this.ask(name, this.reader);
        if (status === 200) break;
        said.push(`${name} ${status}`);
      }
      if (said.length === NAMES.length) this.findings.push(`A lookup failed on all nodes: ${said.join(', ')}.`);
      await delay(LOOKUP_PAUSE_MILLISECONDS);
    }
  }

  private async pay(goesOn: () => boolean): Promise<void> {
    while (goesOn()) {
      const name = this.scene.draw(NAMES);
      const status = await this.ask(name, this.payer.key);
      if (status === 200) this.totals.positions++;
      else if (status === 0) this.unanswered++;
      // One that takes over its first tables is not ready, and knows no stations.
      else if (status !== 503 && status !== 404)
        this.findings.push(`${name} answered a prepaid position with ${status}.`);
      await delay(LOOKUP_PAUSE_MILLISECONDS);
    }
  }

  /** @returns the status; 0 for none */
  private async ask(name: Name, key: string): Promise<number> {
    const agent = new Agent();
    const signal = AbortSignal.timeout(PATIENCE_MILLISECONDS);
    const answer = send(this.scene.node(name).url, { agent, path: `/?key=${key}`, body: POINTS, signal });
    return answer.then(
      ({ status }) => status,
      () => 0,
    );
  }

  /**
   * Sends again what was not acknowledged, until it is. What servers had begun to write to the accounts comes true or
   * not: after another change it has.
   */
  async settle(): Promise<void> {
    const node = this.scene.node('a');
    await Promise.all(this.contributors.map(contributor => contributor.settle(node.url)));
    const change = { verb: 'keys', action: 'credit', id: this.witness, credits: 1 } as const;
    while ((await node.job(change).catch(() => undefined)) === undefined) await delay(KEY_PAUSE_MILLISECONDS);
  }

  /** Why the nodes do not agree yet, with each other and with what was acknowledged, read while they serve. */
  async difference(): Promise<string | undefined> {
    const states: Record<(typeof STATES)[number], string>[] = [];
    for (const name of NAMES) {
      const { status, text } = await this.scene.node(name).request({ method: 'GET', path: '/ready' });
      if (status !== 200) return `${name} is not ready: ${text}`;
      const { rows, lastSequence } = await readLog(this.scene.folderOf(name));
      const tables = await readTables(this.scene.folderOf(name));
      if (tables.progress !== lastSequence) return `${name} has learned ${tables.progress} of ${lastSequence} reports`;
      const accounts = JSON.stringify(this.accountsOf(name));
      const buildings = (await listBuildings(this.scene.folderOf(name))).map(building => building.name).join();
      const fingerprints = JSON.stringify(
        await filesOfTables(this.scene.folderOf(name), featureTables('fingerprints')!),
      );
      const answers = await this.answersOf(name);
      const reports = `${lastSequence}`;
      states.push({ reports, log: hashOfLog(rows), tables: tables.hash, accounts, buildings, fingerprints, answers });
    }
    for (const what of STATES) {
      const [a, b, c] = states.map(state => state[what]);
      if (a !== b || b !== c) return `the ${what} of the nodes differ: ${a}, ${b}, ${c}`;
    }
    return (await holdAgainstSent(this.scene.folderOf('a'), this.contributors))[0];
  }

  /** What a node answers to questions of each kind. */
  private async answersOf(name: Name): Promise<string> {
    const node = this.scene.node(name);
    const { location, accuracy } = (await node.post(this.reader, POINTS)).json;
    const room = (await node.post(this.reader, OFFICE)).json.indoor;
    const { text } = await node.request({ method: 'GET', path: `/search?key=${this.reader}&q=Harbour+Street+5` });
    return JSON.stringify([location, accuracy, room, text]);
  }

  /** True if a node says that something is not as it should be. */
  async isSaid(): Promise<boolean> {
    for (const name of NAMES) {
      const { status, json } = await this.scene.node(name).request({ method: 'GET', path: '/ready' });
      if (status !== 200 || json.note !== undefined) return true;
    }
    return false;
  }

  /** Holds keys, imports and credits against what was acknowledged. @returns a sentence for each difference */
  async checkAcknowledged(): Promise<string[]> {
    const found: string[] = [];
    for (const keeper of this.keepers.values()) found.push(...(await keeper.check(this.scene.node('b'))));
    found.push(...(await this.importer.check(this.scene.node(this.scene.draw(NAMES)), this.reader)));
    found.push(...(await this.sharedImporter.check()));
    for (const key of this.revoked.splice(0))
      for (const name of NAMES) {
        const status = await this.ask(name, key);
        if (status === 200) found.push(`${name} answers a key that was revoked.`);
      }
    // What the nodes have in their hands is not spent yet.
    return [...found, ...this.checkCredits(2 * BLOCK_CREDITS * NAMES.length)];
  }

  /** @param heldCredits what the nodes may have in their hands */
  checkCredits(heldCredits: number): string[] {
    const spent = CREDITS - this.accountsOf('a').find(({ id }) => id === this.payer.id)!.credits!;
    const { positions } = this.totals;
    if (spent < positions) return [`${positions} positions were answered, and ${spent} credits were taken.`];
    const most = positions + this.unanswered + heldCredits + 2 * BLOCK_CREDITS * this.scene.forfeits;
    if (spent <= most) return [];
    return [`${spent} credits were taken for ${positions} positions, which is more than ${most}.`];
  }

  /** Holds a folder that nobody has open against what was acknowledged. */
  holdAgainstSent(name: Name): Promise<string[]> {
    return holdAgainstSent(this.scene.folderOf(name), this.contributors);
  }

  private accountsOf(name: Name): ReturnType<AccountTable['list']> {
    const table = new AccountTable(this.scene.folderOf(name), { readOnly: true });
    try {
      return table.list();
    } finally {
      void table.close();
    }
  }
}

/** Imports buildings, what was measured in them, and places: each acknowledged one is in force on all nodes. */
class SharedImporter {
  /** Imports that were acknowledged. */
  imports = 0;
  private readonly scene: ClusterScene;
  private readonly buildings = new Set<string>();

  constructor(scene: ClusterScene) {
    this.scene = scene;
  }

  /** Imports one of each at nodes that are drawn; what fails may be in force on all or on none. */
  async import(goesOn: () => boolean): Promise<void> {
    const source = `office${this.buildings.size + 1}`;
    if (await this.do({ kind: 'buildings', files: [join(EXAMPLES, 'office.geojson')], source }))
      this.buildings.add(source);
    if (goesOn()) await this.do({ kind: 'fingerprints', files: [join(EXAMPLES, 'office_survey.csv')] });
    if (goesOn()) await this.do({ kind: 'osm', files: [join(EXAMPLES, 'village.osm.pbf')] });
  }

  private async do(what: object): Promise<boolean> {
    const node = this.scene.node(this.scene.draw(NAMES));
    const done = await node.job({ verb: 'import', ...what } as Job).catch(() => undefined);
    if (done !== undefined) this.imports++;
    return done !== undefined;
  }

  /** @returns a sentence for each acknowledged building that a node does not have */
  async check(): Promise<string[]> {
    const found: string[] = [];
    for (const name of NAMES) {
      const listed = (await listBuildings(this.scene.folderOf(name))).map(building => building.name);
      for (const source of this.buildings)
        if (!listed.includes(source)) found.push(`${name} lacks the buildings of ${source}, which was acknowledged.`);
    }
    return found;
  }
}

/** The last report that took effect in the live tables, and the hash of all rows. */
async function readTables(folder: string): Promise<{ progress: number; hash: string }> {
  const generation = openLiveGeneration(folder)!;
  try {
    const digest = createHash('sha256');
    for (const name of TABLES)
      for (const { key, value } of generation[name].getRange()) digest.update(name).update(key).update(value);
    for (const { key, value } of generation.meta.getRange())
      if (!OWN_META.includes(key)) digest.update(`${key} ${JSON.stringify(value)}`);
    const { progress } = new KnowledgeTables(generation);
    return { progress, hash: digest.digest('hex').slice(0, 12) };
  } finally {
    await generation.root.close();
  }
}

function hashOfLog(rows: Awaited<ReturnType<typeof readLog>>['rows']): string {
  const digest = createHash('sha256');
  for (const { sequence, receivedMs, report } of rows) {
    const { observations, ...rest } = report;
    digest.update(`${sequence} ${receivedMs}`).update(observations).update(JSON.stringify(rest));
  }
  return digest.digest('hex').slice(0, 12);
}
