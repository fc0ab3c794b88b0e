// What must be imported again or rebuilt after an upgrade, and what waits for it, told by the revisions by which the
// parts of a data folder were made (src/tables/revisions.ts).

import { livePlaces } from '../tables/places/extract_files.ts';
import type { REVISIONS } from '../tables/revisions.ts';
import { liveSources } from '../tables/sources/load_source.ts';
import { openLiveGeneration } from '../tables/stations/generation.ts';
import { KnowledgeTables } from '../tables/stations/knowledge.ts';
import type { Problem } from './problems.ts';

type Part = keyof typeof REVISIONS;

/** By which revisions a folder was made; a part is absent that it does not hold. */
type Made = Partial<Record<Part, number>>;

/** What came with a revision, for whoever has a part of an earlier one. */
const CAME: readonly { part: Part; revision: number; waits: string }[] = [
  {
    part: 'places',
    revision: 1,
    waits:
      'further tags of places (extratags=1), large roads on the map from afar, roads by their references (A23), ' +
      'names in scripts without blanks, and Czech and Slovak houses by either number',
  },
  { part: 'cells', revision: 1, waits: 'cells that modems only send where they know none are still found' },
  { part: 'wifi', revision: 1, waits: 'access points without a radius count as heard within 91 m instead of 230' },
  {
    part: 'learned',
    revision: 1,
    waits: 'beacons that were known before are not told apart by who vouches for them (--lone-beacons)',
  },
];
const PARTS: Readonly<Record<Part, Omit<Problem, 'what'> & { named: string }>> = {
  places: {
    id: 'extractsOfEarlierVersion',
    named: 'Extracts were imported by an earlier version. Until they are imported again, these wait',
    remedy: 'Import all of them again: "sextant import osm FILES".',
    command: 'sextant import osm FILES',
  },
  cells: {
    id: 'cellsOfEarlierVersion',
    named: 'Tables of cells were imported by an earlier version. Until they are imported again',
    remedy: 'Import them again under their names: "sextant import cells FILE --source NAME".',
    command: 'sextant import cells FILE --source NAME',
  },
  wifi: {
    id: 'accessPointsOfEarlierVersion',
    named: 'Lists of access points were imported by an earlier version. Until they are imported again',
    remedy: 'Import them again under their names: "sextant import wifi FILE --source NAME".',
    command: 'sextant import wifi FILE --source NAME',
  },
  learned: {
    id: 'learnedByEarlierVersion',
    named: 'Stations were learned by an earlier version. Until they are learned again',
    remedy: 'Learn them again, while the service runs: "sextant aggregate --rebuild".',
    command: 'sextant aggregate --rebuild',
  },
};

/** What a folder lacks that was made by earlier revisions. */
export function findOutdated(made: Made): Problem[] {
  return (Object.keys(PARTS) as Part[]).flatMap(part => {
    const waits = CAME.filter(row => row.part === part && (made[part] ?? row.revision) < row.revision);
    if (waits.length === 0) return [];
    const { named, ...problem } = PARTS[part];
    return [{ ...problem, what: `${named}: ${waits.map(row => row.waits).join('; ')}.` }];
  });
}

/** Reads by which revisions a folder was made. @throws Error when a table cannot be used */
export async function readMade(folder: string): Promise<Made> {
  const places = livePlaces(folder);
  const sources = (await liveSources(folder)) ?? [];
  const least = (kind: 'cells' | 'wifi'): Made => {
    const revisions = sources.filter(source => source.kind === kind).map(({ revision = 0 }) => revision);
    return revisions.length === 0 ? {} : { [kind]: Math.min(...revisions) };
  };
  return {
    ...(places !== undefined && { places: places.revision ?? 0 }),
    ...least('cells'),
    ...least('wifi'),
    ...(await readLearned(folder)),
  };
}

async function readLearned(folder: string): Promise<Made> {
  const generation = openLiveGeneration(folder);
  if (generation === undefined) return {};
  try {
    const { progress, revision } = new KnowledgeTables(generation);
    return progress === 0 ? {} : { learned: revision };
  } finally {
    await generation.root.close();
  }
}
