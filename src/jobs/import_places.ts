// Imports places, in any thread or process. The owner then adopts the layer that is live on disk.

import { type ChangesSummary, changeExtract } from '../geocoding/import/change_extract.ts';
import { areFinished, type FinishedSummary, importFinishedPlaces } from '../geocoding/import/finished_places.ts';
import { importAddresses } from '../geocoding/import/import_addresses.ts';
import {
  type ExtractSummary,
  type ImportExtracts,
  importExtracts,
  removeExtract,
} from '../geocoding/import/import_extracts.ts';
import { nameOfFiles } from '../tables/sources/source_name.ts';
import { type AddressReading, readAddresses } from '../transfer/addresses/read_addresses.ts';
import { sizeOfFiles } from '../transfer/files/text_file.ts';
import { type ImportanceSummary, importImportance } from '../transfer/import_importance.ts';
import { readOsmChanges, sequenceOf } from '../transfer/osm_changes.ts';
import type { AddressesJob, ExtractRemovalJob, OsmChangesJob, PlacesImportJob, PlacesPhase, Progress } from './job.ts';
import { requireKind } from './sources.ts';
import { rebuildWorld } from './world_layer.ts';

/** What an import of addresses read, and what the places are then. */
type AddressesSummary = ExtractSummary & AddressReading;

/** The summary of an import of places; for the embedded gazetteer, and after a removal, only the number. */
export type PlacesSummary =
  | ExtractSummary
  | ChangesSummary
  | AddressesSummary
  | ImportanceSummary
  | FinishedSummary
  | { places: number };

/**
 * Runs the job.
 * @param folder data folder
 * @param onProgress called often; an error that it throws ends the import
 * @throws Error when the import fails; the live places stay as they were
 */
export async function importPlaces(
  job: PlacesImportJob | ExtractRemovalJob,
  folder: string,
  onProgress: (progress: Progress) => void,
): Promise<PlacesSummary> {
  const parts = { folder, onProgress: followPlaces(onProgress) };
  const copied = (bytesDone: number, bytesTotal: number) =>
    onProgress({ phase: 'copying', rows: Math.floor(bytesDone / 1_000_000), bytesDone, bytesTotal });
  if (job.verb === 'sources') return removeExtract({ ...parts, name: job.name });
  if (job.kind === 'osm') {
    const names = job.source === undefined ? job.files.map(file => nameOfFiles([file])) : [job.source];
    for (const name of names) await requireKind(folder, name, 'osm');
    const { files, source, replace } = job;
    if (files.some(areFinished)) return importFinishedPlaces({ folder, files, source, replace, onProgress: copied });
    return importExtracts({ ...parts, files, source, replace });
  }
  if (job.kind === 'importance') {
    await requireKind(folder, job.source ?? nameOfFiles(job.files), 'importance');
    return importImportance({ ...job, ...parts, stdin: process.stdin, onReading: onProgress });
  }
  if (job.kind === 'osm-changes') return applyChanges(job, folder, onProgress);
  if (job.kind === 'addresses' || job.kind === 'postcodes') return bringAddresses(job, folder, onProgress);
  onProgress({ phase: 'places', rows: 0, bytesDone: 0, bytesTotal: 0 });
  return (await rebuildWorld())!;
}

async function bringAddresses(
  job: AddressesJob,
  folder: string,
  onProgress: (progress: Progress) => void,
): Promise<AddressesSummary> {
  const { kind, files: paths, source, licence, replace, country, encoding, columns } = job;
  await requireKind(folder, source, kind);
  return importAddresses({
    ...{ folder, kind, source, licence, replace },
    read: take =>
      readAddresses({
        ...{ paths, country, encoding, columns, take, isPostcodes: kind === 'postcodes', scratchFolder: folder },
        onProgress: read => onProgress({ phase: 'reading', ...read }),
      }),
    onProgress: followPlaces(onProgress),
  });
}

function applyChanges(
  { files, ...how }: OsmChangesJob,
  folder: string,
  onProgress: (progress: Progress) => void,
): Promise<ChangesSummary> {
  const bytesTotal = sizeOfFiles(files);
  let [rows, bytesBefore] = [0, 0];
  return changeExtract({
    folder,
    files: files.map(path => ({ path, sequence: sequenceOf(path) })),
    ...how,
    read: async (path, take) => {
      const count: typeof take = change => {
        rows++;
        take(change);
      };
      const read = await readOsmChanges(path, count, bytes =>
        onProgress({ phase: 'changes', rows, bytesDone: bytesBefore + bytes, bytesTotal }),
      );
      bytesBefore += sizeOfFiles([path]);
      return read;
    },
    onProgress: followPlaces(onProgress),
  });
}

// Progress of an import of places. Its phases have different units and take different parts of the time, by what the
// extract holds. So each phase has an amount of work, and progress is the share of the whole, with an estimate of the
// remaining time. What a phase will find is told when it begins; until then it is expected from what is known.

/** Units of phases that have begun. */
type Known = Partial<Record<PlacesPhase, number>>;

/**
 * Nanoseconds of the phases in their order, measured on a drawn extract of 100 million nodes
 * (`bench/import_osm.ts`). Only their proportions count.
 */
const WORK: readonly [PlacesPhase, (known: Known) => number][] = [
  ['relations', known => 10 * bytesOf(known)],
  ['nodes', known => 31 * (known.nodes ?? 0.75 * bytesOf(known))],
  ['ways', known => 220 * wayBytesOf(known)],
  ['rings', known => 200_000 * ringsOf(known)],
  ['areas', known => 55_000 * (known.areas ?? 2 * ringsOf(known))],
  ['survey', known => 2_000 * housesOf(known)],
  ['roads', known => 18_000 * roadsOf(known)],
  ['addresses', known => 11_500 * housesOf(known)],
  ['places', known => 500 * housesOf(known)],
  ['index', known => 1_200 * (housesOf(known) + roadsOf(known))],
];
const bytesOf = ({ relations = 1 }: Known): number => relations;
const wayBytesOf = (known: Known): number => known.ways ?? 0.25 * bytesOf(known);
const ringsOf = (known: Known): number => known.rings ?? wayBytesOf(known) / 10_000;
const housesOf = (known: Known): number => known.survey ?? wayBytesOf(known) / 14;
const roadsOf = (known: Known): number => known.roads ?? wayBytesOf(known) / 90;
const WHOLE = 1_000;
/** Before this much is done, there is no estimate of the remaining time. */
const LEAST_DONE = 20;

/**
 * Turns the progress of phases into that of the whole.
 * @param now milliseconds of a clock that never goes back
 */
export function followPlaces(
  onProgress: (progress: Progress) => void,
  now: () => number = () => performance.now(),
): ImportExtracts['onProgress'] {
  const started = now();
  const known: Known = {};
  let told = 0;
  return ({ phase, done, total }) => {
    known[phase] = total;
    const share = shareDone(known, phase, total === 0 ? 1 : Math.min(1, done / total));
    // A phase that finds more than was expected makes the whole larger; what was told stays.
    told = Math.max(told, Math.round(WHOLE * share));
    const progress: Progress = { phase, rows: done, bytesDone: told, bytesTotal: WHOLE };
    if (told >= LEAST_DONE) progress.secondsLeft = ((now() - started) / 1_000) * (1 / share - 1);
    onProgress(progress);
  };
}

/** How much of all work is done, 0..1. @param doneOfPhase 0..1 */
function shareDone(known: Known, phase: PlacesPhase, doneOfPhase: number): number {
  const at = WORK.findIndex(([name]) => name === phase);
  let done = 0;
  let all = 0;
  for (const [i, [, workOf]] of WORK.entries()) {
    const work = workOf(known);
    all += work;
    if (i < at) done += work;
    else if (i === at) done += doneOfPhase * work;
  }
  return done / all;
}
