// `sextant status`: what a data folder holds, how its service does, what is wrong and what to do. It reads the tables
// itself, so it also works without a service.

import type { Command } from 'commander';
import { readCommit, versionText } from '../config/commit.ts';
import { VERSION } from '../config/version.ts';
import { readFolderConfig, withFolderOptions } from '../config.ts';
import { FEATURE_TABLES } from '../features.ts';
import type { ServiceStatus } from '../jobs/job.ts';
import { submitJob } from '../jobs/submit_job.ts';
import { asJson } from './run_job.ts';
import { escapeMarks } from './terminal/escape.ts';

type FolderStatus = Awaited<ReturnType<typeof import('../metrics/folder_status.ts').readFolderStatus>>;

/** What a source of a kind holds. */
const UNITS: Readonly<Record<string, string>> = {
  cells: 'cells',
  wifi: 'access points',
  observations: 'reports',
  ...Object.fromEntries(FEATURE_TABLES.map(({ name, sources }) => [name, sources?.unit ?? name])),
  osm: 'objects of the map',
  addresses: 'addresses',
  postcodes: 'postcodes',
  importance: 'items of Wikidata',
};
const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** Adds the verb. */
export function addStatus(program: Command): void {
  withFolderOptions(program.command('status'))
    .description('what the data folder holds, how its service does, what is wrong and what to do')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  sextant status --json')
    .action(async ({ json }: { json?: boolean }, command: Command) => {
      const config = readFolderConfig(command);
      // Nobody who runs is nobody to ask.
      const caller = { onProgress: () => {}, stdin: process.stdin };
      const service = (await submitJob(config, { verb: 'status' }, async () => null, caller)) as ServiceStatus | null;
      const { readFolderStatus } = await import('../metrics/folder_status.ts');
      const files = {
        certificateEndMs: timeOf(service?.certificateEnds),
        addressesBuiltMs: timeOf(service?.geoipBuilt),
      };
      const folder = await readFolderStatus(config.dataFolder, service !== null, files);
      const { features, ...others } = folder;
      process.stdout.write(
        json
          ? asJson({ version: VERSION, commit: readCommit(), service, ...others, ...features })
          : await describe(service, folder),
      );
    });
}

/** A line for each part, and one for each problem. */
async function describe(service: ServiceStatus | null, status: FolderStatus): Promise<string> {
  const { folder, stations, reports, places, features, keys, bytes, freeBytes, sources, imports, problems } = status;
  const kinds = Object.entries(stations.byKind).filter(([, stationsOfKind]) => stationsOfKind > 0);
  const layers = Object.entries(places).flatMap(([layer, meta]) =>
    meta === undefined
      ? []
      : [`${layer}: ${number(meta.count)} of ${day(meta.builtAt)} from ${meta.sources.join(', ')}`],
  );
  const ofFeatures: [string, string][] = [];
  for (const { name, figures } of FEATURE_TABLES) {
    const text = await figures?.describe(features[name]);
    if (text !== undefined) ofFeatures.push([name, text]);
  }
  const rows: [string, string][] = [
    ['version', versionText()],
    ['service', service === null ? 'none runs' : describeService(service)],
    [
      'data folder',
      `${folder}: ${size(Object.values(bytes).reduce((sum, part) => sum + part, 0))}, ${size(freeBytes)} left ` +
        `on its disk`,
    ],
    ['stations', `${number(stations.total)}${stations.builtAt === undefined ? '' : ` of ${day(stations.builtAt)}`}`],
    ...kinds.map(([kind, stationsOfKind]): [string, string] => [`  ${kind}`, number(stationsOfKind)]),
    ['reports', `${number(reports.kept)} kept, ${number(reports.stored - reports.learned)} of them not learned yet`],
    ...ofFeatures,
    ['places', layers.length === 0 ? 'none' : layers.join('; ')],
    ...sources.map(({ kind, rows, importedAt, name, pointsOnly }): [string, string] => [
      '  imported',
      `${number(rows)} ${UNITS[kind]} of ${day(importedAt)} from ${name}${pointsOnly ? ', for points only' : ''}`,
    ]),
    ...(imports ?? []).map(({ kind, file, state, percent }): [string, string] => [
      '  --import',
      `${kind} from ${file}: ${state}${percent === undefined ? '' : `, ${percent} %`}`,
    ]),
    ['keys', `${number(keys.valid)} valid, ${number(keys.expired)} expired, ${number(keys.revoked)} revoked`],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, text]) => `${name.padEnd(width)}  ${text}`);
  const found = problems.flatMap(({ what, remedy }) => [`! ${what}`, `  ${remedy}`]);
  return `${[...lines, '', ...(found.length === 0 ? ['Nothing is wrong.'] : found)].map(escapeMarks).join('\n')}\n`;
}

function describeService({ version, pid, uptimeSeconds, residentBytes }: ServiceStatus): string {
  const ofVersion = version === VERSION ? '' : ` of version ${version}`;
  return `process ${pid}${ofVersion}, up for ${duration(uptimeSeconds)}, ${size(residentBytes)} of memory`;
}

const number = (value: number): string => value.toLocaleString('en');
const timeOf = (time: string | undefined): number | undefined => (time === undefined ? undefined : Date.parse(time));
const day = (time: string): string => time.slice(0, 10);

/** Bytes in a unit that leaves up to four digits. */
function size(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** power).toFixed(power < 3 ? 0 : 1)} ${units[power]}`;
}

/** Seconds in the two largest units. */
function duration(seconds: number): string {
  if (seconds < MINUTE) return `${seconds} s`;
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min`;
  if (seconds < DAY) return `${Math.floor(seconds / HOUR)} h ${Math.floor((seconds % HOUR) / MINUTE)} min`;
  return `${Math.floor(seconds / DAY)} d ${Math.floor((seconds % DAY) / HOUR)} h`;
}
