// `sextant cluster`: how the nodes of a cluster are, and its tables before these. It asks the servers of NATS, so it
// works on any machine that reaches them.

import { hostname } from 'node:os';
import type { Command } from 'commander';
import { ConfigError } from '../config/setting.ts';
import { readClusterConfig, withClusterOptions } from '../config.ts';
import { asJson } from './run_job.ts';

/** Loaded on demand, with the libraries of NATS. */
type ReadStatus = typeof import('../cluster/status.ts').readClusterStatus;

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

function addressOf(command: Command): Parameters<ReadStatus>[0] {
  const { cluster, clusterCredentialsFile, clusterCaFile } = readClusterConfig(command);
  if (cluster === undefined)
    throw new ConfigError('Name the servers of the cluster with --cluster or SEXTANT_CLUSTER.');
  return { servers: cluster, credentialsFile: clusterCredentialsFile, caFile: clusterCaFile, name: hostname() };
}

function describe({ learner, term, tables, hasPrevious, position, nodes }: Awaited<ReturnType<ReadStatus>>): string {
  const bytes = `${(tables.bytes / 1_048_576).toFixed(1)} MB`;
  const lines = [
    `learner   ${learner ?? 'none now'}, term ${term}`,
    `tables    number ${tables.number}, ${bytes}, written ${tables.writtenAt}`,
    `rollback  ${hasPrevious ? 'possible' : 'not possible'}`,
    `reports   ${position} batches`,
    ...nodes.map(({ node, version, role, isLearner, problem, batchesBehind, deltasBehind, ageSeconds }) => {
      const behind = `${batchesBehind ?? 'all'} batches and ${deltasBehind ?? 'all'} deltas behind`;
      const does = isLearner ? 'learns' : role;
      return `node      ${node} ${version} (${does}): ${problem ?? 'ready'}, ${behind}, ${ageSeconds} s ago`;
    }),
  ];
  return `${lines.join('\n')}\n`;
}
