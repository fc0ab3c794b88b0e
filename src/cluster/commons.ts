// What the nodes of a cluster have in common beside reports and tables: accounts, rates, guesses, secrets, and where to
// look for a logged request. They are attached when the servers answer, and looked after every second or so.

import { ClusterAccounts } from './accounts.ts';
import type { ClusterConnection } from './connection.ts';
import { ClusterForgotten } from './forgotten.ts';
import { ClusterGuesses } from './guesses.ts';
import { ClusterJobs } from './jobs.ts';
import { openLedger } from './ledger.ts';
import type { NodeParts } from './node_parts.ts';
import { ClusterRates } from './rates.ts';
import { ClusterRequestLog, hasIdentity, identityOf } from './request_log.ts';
import { ClusterSecrets } from './secrets.ts';
import type { Standing } from './standing.ts';
import { type ClusterStores, nodeKeys } from './stores.ts';

/** See above. */
export class Commons {
  readonly accounts: ClusterAccounts;
  readonly secrets: ClusterSecrets;
  readonly requests: ClusterRequestLog;
  readonly forgotten: ClusterForgotten;
  readonly rates: ClusterRates;
  private readonly guesses: ClusterGuesses;
  readonly jobs: ClusterJobs;
  private isWhole = false;
  /** The folder has been no node yet, or is a copy of one: what it has of a cluster was not lost here. */
  readonly isCopy: boolean;

  /**
   * From here on the accounts and secrets of this node are changed in the cluster.
   * @param node its name
   * @param standing why accounts may not be changed now, if so, and the time of the servers
   */
  constructor(
    parts: NodeParts,
    node: string,
    onError: (error: Error) => void,
    standing: Pick<Standing, 'refusal' | 'clock'>,
  ) {
    this.isCopy = !hasIdentity(parts.folder);
    const folder = identityOf(parts.folder);
    const { clock } = standing;
    const refusal = (): string | undefined => standing.refusal;
    this.accounts = new ClusterAccounts({ ...parts.accounts, node, folder, clock, onError, refusal });
    this.secrets = new ClusterSecrets(parts.secrets, onError);
    this.requests = new ClusterRequestLog(parts.requests, parts.folder, node, onError);
    this.forgotten = new ClusterForgotten(parts.requests, parts.folder, onError);
    this.rates = new ClusterRates(parts.rates, node);
    this.guesses = new ClusterGuesses(parts.guesses, onError);
    this.jobs = new ClusterJobs(parts.jobs, parts.folder, node, onError);
    parts.accounts.table.shared = this.accounts;
  }

  /** @throws Error when this folder has accounts that the cluster does not have; error of NATS */
  async attach(connection: ClusterConnection, { keys }: ClusterStores): Promise<void> {
    this.detach();
    await this.accounts.attach(connection);
    await openLedger(connection);
    await this.secrets.attach(keys);
    await this.requests.attach(connection, keys);
    await this.forgotten.attach(connection, keys);
    this.rates.attach(connection);
    await this.guesses.attach(connection);
    await this.jobs.attach(connection);
    this.isWhole = true;
  }

  /** Attaches what is not. */
  async refresh(connection: ClusterConnection, stores: ClusterStores): Promise<void> {
    if (!this.isWhole) await this.attach(connection, stores);
    const keys = await nodeKeys(connection);
    await this.accounts.refresh(connection, keys.length);
    await this.secrets.refresh(stores.keys);
    this.rates.notice(keys);
    await this.requests.refresh();
    this.forgotten.look();
    this.guesses.refresh(keys.length);
  }

  /** Ends all that was attached. */
  detach(): void {
    this.isWhole = false;
    this.accounts.detach();
    this.secrets.detach();
    this.requests.detach();
    this.forgotten.detach();
    this.rates.detach();
    this.guesses.detach();
    this.jobs.detach();
  }
}
