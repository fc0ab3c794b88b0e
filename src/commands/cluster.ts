// `sextant cluster`: how the nodes of a cluster are, what has changed balances, and its tables before these, on any
// machine that reaches the servers of NATS; and a data folder that joins a cluster or leaves it.

import type { Command } from 'commander';
import { ConfigError } from '../config/setting.ts';
import { readFolderConfig, withClusterOptions, withFolderOptions, withJobOptions } from '../config.ts';
import { folderInUse, takeFolder } from '../folder/data_folder.ts';
import type { Adopted, Left, Progress } from '../jobs/job.ts';
import { ACCOUNT_ID_MAX } from '../tables/accounts/account_record.ts';
import { momentOrAge, wholeNumber } from './arguments.ts';
import { ProgressBar } from './progress.ts';
import { asJson, askForJob, clusterAddress } from './run_job.ts';

/** Loaded on demand, with the libraries of NATS. */
type ReadStatus = typeof import('../cluster/status.ts').readClusterStatus;
type BalanceChange = import('../cluster/ledger.ts').BalanceChange;

const REASONS: Readonly<Record<BalanceChange['reason'], string>> = {
  oldest: 'oldest that is kept',
  set: 'set',
  filledUp: 'filled up for the month',
  earned: 'earned by contributing',
  taken: 'taken',
  returned: 'given back',
  added: 'added',
};
/** What nodes do on their own. */
const BY_NODES: readonly BalanceChange['reason'][] = ['taken', 'returned'];
/** Digits of the largest balance, and a sign. */
const CREDITS_WIDTH = 11;

/** Adds the verb and its actions. */
export function addCluster(program: Command): void {
  const verb = program.command('cluster').description('the cluster of several nodes');
  withClusterOptions(verb.command('status'))
    .description('how its nodes are')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  sextant cluster status --cluster nats://127.0.0.1:4222')
    .action(async ({ json }: { json?: boolean }, command: Command) => {
      const { readClusterStatus } = await import('../cluster/status.ts');
      const status = await readClusterStatus(addressOf(command));
      process.stdout.write(json ? asJson(status) : describe(status));
    });
  withClusterOptions(verb.command('ledger'))
    .description('what has changed the balance of a key, for a month')
    .argument('<id>', 'number of the key', wholeNumber(1, ACCOUNT_ID_MAX))
    .option(
      '--since <time>',
      'only from here on: a date, a date with a time (UTC), or how long ago: 2h, 1d',
      momentOrAge,
    )
    .option('--json', 'each change as a JSON object on a line')
    .addHelpText('after', '\nExample:\n  sextant cluster ledger 7 --since 1d --cluster nats://127.0.0.1:4222')
    .action(async (id: number, { since, json }: { since?: number; json?: boolean }, command: Command) => {
      const [{ inCluster }, { openLedger, readLedger }] = await Promise.all([
        import('../cluster/status.ts'),
        import('../cluster/ledger.ts'),
      ]);
      const changes = await inCluster(addressOf(command), async connection => {
        await openLedger(connection);
        return readLedger(connection, id, since);
      });
      process.stdout.write(changes.map(change => (json ? `${JSON.stringify(change)}\n` : lineOf(change))).join(''));
    });
  withJobOptions(verb.command('join'), true)
    .description('make a new data folder one of the cluster, with its tables, before the service starts in it')
    .addHelpText('after', '\nExample:\n  sextant cluster join --cluster nats://127.0.0.1:4222 --data /var/lib/sextant')
    .action((_options: object, command: Command) => join(addressOf(command), readFolderConfig(command)));
  withFolderOptions(verb.command('leave'))
    .description('take the running node out of its cluster: its data folder is then that of a machine alone')
    .addHelpText('after', '\nExample:\n  sextant cluster leave --data /var/lib/sextant')
    .action(async (_options: object, command: Command) => {
      const { others } = (await askForJob(command, { verb: 'cluster', action: 'leave' })) as Left;
      const go = others === 1 ? 'One node goes' : `${others} nodes go`;
      process.stdout.write(
        'This node has left its cluster. Start the service without --cluster; until then it answers lookups only.\n' +
          (others === 0 ? '' : `${go} on. The keys of this folder are copies: both would sell the same credits.\n`),
      );
    });
  withFolderOptions(verb.command('adopt'))
    .description('let the cluster go on from the running node, where its servers have lost what the nodes have')
    .addHelpText('after', '\nExample:\n  sextant cluster adopt --data /var/lib/sextant')
    .action(async (_options: object, command: Command) => {
      const { position, batches } = (await askForJob(command, { verb: 'cluster', action: 'adopt' })) as Adopted;
      process.stdout.write(
        `The cluster goes on from this node, which had batches of reports up to ${position}. It has taken what is ` +
          `new of ${batches} batches that the servers had. The other nodes take its tables over.\n`,
      );
    });
  withClusterOptions(verb.command('rollback'))
    .description('put the station tables before the last import, removal or rebuild in force again, on all nodes')
    .addHelpText('after', '\nExample:\n  sextant cluster rollback --cluster nats://127.0.0.1:4222')
    .action(async (_options: object, command: Command) => {
      const { rollBack } = await import('../cluster/status.ts');
      const { position } = await rollBack(addressOf(command));
      process.stdout.write(
        `The tables before these are in force; reports after number ${position} of the stream are learned again.\n`,
      );
    });
}

/** A folder that is new is removed again when it fails. */
async function join(
  { name, ...address }: ReturnType<typeof addressOf>,
  { dataFolder, sync }: ReturnType<typeof readFolderConfig>,
): Promise<void> {
  const folder = takeFolder(dataFolder, true);
  if (folder === undefined) throw folderInUse(dataFolder);
  const bar = new ProgressBar(process.stderr);
  const { joinOffline } = await import('../writer/offline_job.ts');
  const context = { folder: folder.path, sync, onProgress: (progress: Progress) => bar.show(progress) };
  const settings = { ...address, node: `${name}:join`, role: 'serve', aloneSeconds: undefined, isNew: false } as const;
  try {
    await joinOffline(context, settings).finally(() => bar.end());
  } catch (error) {
    if (folder.isNew) folder.discard();
    throw error;
  } finally {
    folder.release();
  }
  process.stdout.write(`${dataFolder} has the tables of the cluster. Start the service in it with --cluster.\n`);
}

function addressOf(command: Command): Parameters<ReadStatus>[0] {
  const address = clusterAddress(command);
  if (address === undefined)
    throw new ConfigError('Name the servers of the cluster with --cluster or SEXTANT_CLUSTER.');
  return address;
}

function describe({ learner, term, tables, hasPrevious, position, nodes }: Awaited<ReturnType<ReadStatus>>): string {
  const bytes = `${(tables.bytes / 1_048_576).toFixed(1)} MB`;
  const lines = [
    `learner   ${learner ?? 'none now'}, term ${term}`,
    `tables    number ${tables.number}, ${bytes}, written ${tables.writtenAt}`,
    `rollback  ${hasPrevious ? 'possible' : 'not possible'}`,
    `reports   ${position} batches`,
    ...nodes.map(({ node, version, role, isLearner, problem, note, batchesBehind, deltasBehind, ageSeconds }) => {
      const behind = behindOf(isLearner, batchesBehind, deltasBehind);
      const does = isLearner ? 'learns' : role;
      const more = note === undefined ? '' : `. ${note}`;
      return `node      ${node} ${version} (${does}): ${problem ?? 'ready'}, ${behind}, ${ageSeconds} s ago${more}`;
    }),
  ];
  return `${lines.join('\n')}\n`;
}

/** How far a node is behind, and where its tables lead on from others than those in force, what it does. */
function behindOf(isLearner: boolean, batches: number | undefined, deltas: number | undefined): string {
  const reports = batches === undefined ? 'no reports yet' : `${batches} batches`;
  if (deltas !== undefined) return `${reports} and ${deltas} deltas behind`;
  const does = isLearner ? 'it publishes its tables whole' : 'it fetches the tables in force whole';
  return `${reports}${batches === undefined ? '' : ' behind'}, and ${does}`;
}

function lineOf({ time, before, after, reason, node }: BalanceChange): string {
  const change = (after ?? 0) - (before ?? 0);
  const at = node === undefined ? '' : ` ${BY_NODES.includes(reason) ? 'by' : 'at'} ${node}`;
  const columns = [
    before === undefined ? '' : (before ?? 'no limit'),
    before === undefined ? '' : `${change < 0 ? '' : '+'}${change}`,
    after ?? 'no limit',
  ];
  const padded = columns.map(column => String(column).padStart(CREDITS_WIDTH));
  return `${time} ${padded.join(' ')}  ${REASONS[reason]}${at}\n`;
}
