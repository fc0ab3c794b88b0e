// `sextant buildings`: which building models were imported, taking one import out again, and what stands at a point.

import type { Command } from 'commander';
import { position } from '../../commands/arguments.ts';
import { count } from '../../commands/progress.ts';
import { asJson, runCommandJob } from '../../commands/run_job.ts';
import { escapeMarks } from '../../commands/terminal/escape.ts';
import { readFolderConfig, withFolderOptions } from '../../config.ts';
import { requireFolder } from '../../folder/data_folder.ts';
import type { ListedBuildings } from '../jobs/change_buildings.ts';
import type { SourceChange } from '../tables/buildings/change_source.ts';

type Plans = ReturnType<typeof import('../plans_at.ts').plansAt>;

/** Adds the verb and its subcommands. */
export function addBuildings(program: Command): void {
  const verb = program.command('buildings').description('building models: what was imported');
  withFolderOptions(verb.command('list'))
    .description('all imports of buildings by their names')
    .option('--json', 'print one JSON list')
    .addHelpText('after', '\nExample:\n  sextant buildings list')
    .action(async ({ json }: { json?: boolean }, command: Command) => {
      const { dataFolder } = readFolderConfig(command);
      requireFolder(dataFolder);
      const { listBuildings } = await import('../jobs/change_buildings.ts');
      const sources = await listBuildings(dataFolder);
      process.stdout.write(json ? asJson(sources) : describeSources(sources));
    });
  withFolderOptions(verb.command('find'))
    .description('what the models say of a point, floor by floor: whether a plan lies where it should')
    .requiredOption('--at <latitude,longitude>', 'the point, degrees', position)
    .option('--json', 'print one JSON list')
    .addHelpText('after', '\nExample:\n  sextant buildings find --at 47.14,9.52')
    .action(async ({ at, json }: { at: ReturnType<typeof position>; json?: boolean }, command: Command) => {
      const { dataFolder } = readFolderConfig(command);
      requireFolder(dataFolder);
      const plans = await findPlans(dataFolder, at);
      process.stdout.write(json ? asJson(plans) : describePlans(plans));
    });
  withFolderOptions(verb.command('remove'))
    .description('take an import of buildings out')
    .argument('<name>', 'its name, as "buildings list" shows it')
    .addHelpText('after', '\nExample:\n  sextant buildings remove campus')
    .action((name: string, _flags, command: Command) =>
      runCommandJob(command, { verb: 'buildings', action: 'remove', name }, showRemoval),
    );
}

function describeSources(sources: readonly ListedBuildings[]): string {
  if (sources.length === 0) return 'No buildings were imported.\n';
  const lines = sources.map(({ name, buildings, floors, rooms, importedAt }) => {
    const parts = [count(buildings, 'building'), count(floors, 'floor'), count(rooms, 'room')];
    return `${importedAt.slice(0, 16)}  ${parts.join(', ')}  ${escapeMarks(name)}\n`;
  });
  return lines.join('');
}

async function findPlans(folder: string, { latitude, longitude }: ReturnType<typeof position>): Promise<Plans> {
  const { BuildingReader } = await import('../tables/buildings/reader.ts');
  const { plansAt } = await import('../plans_at.ts');
  const reader = new BuildingReader(folder);
  const plans = plansAt(reader, latitude, longitude);
  await reader.close();
  return plans;
}

function describePlans(plans: Plans): string {
  if (plans.length === 0) return 'There is no building.\n';
  const lines = plans.flatMap(({ building, floors }) => [describeBuilding(building), ...floors.map(describeFloor)]);
  return `${lines.map(escapeMarks).join('\n')}\n`;
}

function describeBuilding({ name, modelId, buildingId }: Plans[number]['building']): string {
  const numbers = [
    ...(modelId === undefined ? [] : [`buildingModelId ${modelId}`]),
    ...(buildingId === undefined ? [] : [`buildingId ${buildingId}`]),
  ];
  return [name === '' ? 'a building without a name' : `"${name}"`, ...numbers].join(', ');
}

function describeFloor({ index, label, room }: Plans[number]['floors'][number]): string {
  return `  floor ${index}${label === '' ? '' : ` "${label}"`}: ${room === undefined ? 'no room' : `"${room}"`}`;
}

function showRemoval(result: unknown): string {
  const { removed, buildings } = result as SourceChange;
  return `Removed ${count(removed, 'building')}. The tables hold ${count(buildings, 'building')}.\n`;
}
