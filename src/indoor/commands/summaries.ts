// Shows results of jobs to people.

import { byRule, count, describeSkipped } from '../../commands/progress.ts';
import { escapeMarks } from '../../commands/terminal/escape.ts';
import type { BuiltMaps } from '../learning/build_maps.ts';
import type { FingerprintFigures } from '../tables/fingerprints/figures.ts';
import type { BuildingSummary } from '../transfer/buildings/import_buildings.ts';
import type { FingerprintSummary } from '../transfer/fingerprints/import_fingerprints.ts';

/** The summary of an import of buildings, a few lines of text. */
export function describeBuildings({ source, imported, removed, skipped, buildings }: BuildingSummary): string {
  const parts = [
    count(imported.floors, 'floor'),
    count(imported.rooms, 'room'),
    count(imported.walls, 'wall'),
    count(imported.doors, 'door'),
  ];
  const lines = [
    `Imported ${count(imported.buildings, 'building')} with ${parts.join(', ')} as "${escapeMarks(source)}".`,
    ...(removed > 0 ? [`Removed ${count(removed, 'building')} that an earlier import of this name has brought.`] : []),
    ...describeSkipped(skipped),
    `The tables hold ${count(buildings, 'building')}.`,
  ];
  return `${lines.join('\n')}\n`;
}

/** The same for fingerprints. */
export function describeFingerprints(summary: FingerprintSummary & BuiltMaps): string {
  const { source, imported, leftOut, removed, maps, dropped, beyond } = summary;
  const outside = Object.values(leftOut).reduce((sum, number) => sum + number, 0);
  const places = `${count(imported.floors, 'floor')} of ${count(imported.buildings, 'building')}`;
  const lines = [
    `Imported ${count(imported.fingerprints, 'fingerprint')} on ${places} as "${escapeMarks(source)}".`,
    ...(outside > 0 ? [`Left ${count(outside, 'scan')} out${byRule(leftOut)}.`] : []),
    ...(removed > 0
      ? [`Removed ${count(removed, 'fingerprint')} that an earlier import of this name has brought.`]
      : []),
    ...(dropped > 0
      ? [`Dropped ${count(dropped, 'fingerprint')} where a square metre had more than it keeps, the oldest first.`]
      : []),
    ...(beyond > 0 ? [`Left ${count(beyond, 'fingerprint')} out of maps: buildings had more than fit in one.`] : []),
    `Built ${count(maps, 'map')}.`,
  ];
  return `${lines.join('\n')}\n`;
}

/** What was taken out of the fingerprints; undefined for the summary of another removal. */
export function describeRemoval(summary: object): string | undefined {
  if (!('removed' in summary && 'maps' in summary)) return undefined;
  const { removed, maps } = summary as { removed: number; maps: number };
  return `Removed ${count(removed, 'fingerprint')}.${maps > 0 ? ` Built ${count(maps, 'map')} again.` : ''}\n`;
}

/** How much there is; undefined where there is nothing. */
export function describeFigures({ kept, maps }: FingerprintFigures): string | undefined {
  return kept === 0 ? undefined : `${kept.toLocaleString('en')}, maps of ${count(maps, 'building')}`;
}
