// Shows the progress and the result of a job to people. On a terminal a bar is redrawn in place; in logs and pipes a
// plain line appears at most once a second. Progress is drawn only when it is reported: the timers that common
// libraries use stand still while a table is written.

import type { ChangesSummary } from '../geocoding/import/change_extract.ts';
import type { SkippedObject } from '../geocoding/import/osm/features.ts';
import type { PlacesSummary } from '../jobs/import_places.ts';
import type { Progress } from '../jobs/job.ts';
import type { BuiltMaps } from '../learning/fingerprints/build_maps.ts';
import type { BuildingSummary } from '../transfer/buildings/import_buildings.ts';
import { describeEmpty, type MostlyRefused, type RefusedLine } from '../transfer/files/refused_lines.ts';
import type { FingerprintSummary } from '../transfer/fingerprints/import_fingerprints.ts';
import type { ImportanceSummary } from '../transfer/import_importance.ts';
import type { ObservationSummary } from '../transfer/import_observations.ts';
import type { ImportSummary } from '../transfer/import_stations.ts';
import { escapeMarks } from './terminal/escape.ts';

const BAR_CHARACTERS = 30;
const LINE_MS = 1000;
/** The activity of each phase, and its unit. */
const PHASES: Record<Progress['phase'], [label: string, thing: string]> = {
  reading: ['reading', 'row'],
  writing: ['writing', 'station'],
  importing: ['importing', 'report'],
  exporting: ['exporting', 'row'],
  aggregating: ['aggregating', 'report'],
  checking: ['checking', 'record'],
  copying: ['copying', 'megabyte'],
  searching: ['searching', 'chunk'],
  rewriting: ['rewriting the log', 'report'],
  changes: ['reading changes', 'object'],
  relations: ['reading relations', 'byte'],
  nodes: ['reading nodes', 'byte'],
  ways: ['reading ways', 'byte'],
  rings: ['assembling areas', 'relation'],
  areas: ['placing areas', 'object'],
  survey: ['surveying house numbers', 'object'],
  roads: ['placing roads', 'object'],
  addresses: ['placing houses', 'object'],
  places: ['placing other places', 'object'],
  index: ['building the index', 'step'],
  features: ['reading plans', 'feature'],
  buildings: ['writing buildings', 'building'],
  scans: ['reading scans', 'scan'],
  fingerprints: ['writing fingerprints', 'fingerprint'],
  floors: ['looking for floors', 'report'],
  maps: ['building maps', 'map'],
  answering: ['answering', 'row'],
};
/** Texts for objects that could not be used. */
const SKIPPED_SHOWN = 20;
const OSM_TYPES = ['object', 'node', 'way', 'relation'];
const CLEAR_LINE = '\r\u001b[2K';

/** Output for progress: standard error, or anything like it. */
interface ProgressOutput {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** Shows the progress of one job. Call `end` before printing anything else. */
export class ProgressBar {
  private readonly output: ProgressOutput;
  private readonly now: () => number;
  private shownAt = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds of a clock that never goes back */
  constructor(output: ProgressOutput, now: () => number = () => performance.now()) {
    this.output = output;
    this.now = now;
  }

  show(progress: Progress): void {
    if (this.output.isTTY) {
      this.output.write(`${CLEAR_LINE}${barOf(progress)}${describe(progress)}`);
      return;
    }
    // Plans tell that they begin, so that the job can be ended there: that is no news in a log.
    if (progress.phase === 'features' && progress.rows === 0) return;
    if (this.now() - this.shownAt < LINE_MS) return;
    this.shownAt = this.now();
    this.output.write(`${describe(progress)}\n`);
  }

  end(): void {
    if (this.output.isTTY) this.output.write(CLEAR_LINE);
  }
}

function barOf({ bytesDone, bytesTotal }: Progress): string {
  if (bytesTotal === 0) return '';
  const filled = Math.min(BAR_CHARACTERS, Math.floor((bytesDone / bytesTotal) * BAR_CHARACTERS));
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR_CHARACTERS - filled)}] `;
}

function describe({ phase, rows, bytesDone, bytesTotal, secondsLeft }: Progress): string {
  const share = bytesTotal === 0 ? '' : ` ${Math.min(100, Math.floor((bytesDone / bytesTotal) * 100))} %,`;
  const [label, thing] = PHASES[phase];
  return (
    `${label}${share} ` +
    `${count(rows, thing)}${secondsLeft === undefined ? '' : `, about ${describeSeconds(secondsLeft)} left`}`
  );
}

function describeSeconds(seconds: number): string {
  return seconds < 90 ? count(Math.max(1, Math.round(seconds)), 'second') : count(Math.round(seconds / 60), 'minute');
}

/** The summary of an import, a few lines of text. */
export function describeSummary(summary: ImportSummary): string {
  const { accepted, added, replaced, removed, refused, refusedByRule, refusedLines, source } = summary;
  const repeated = accepted - added - replaced;
  const lines = [
    `Accepted ${count(accepted, 'row')}: ${count(added, 'new station')}, ${count(replaced, 'station')} ` +
      `replaced, ${count(repeated, 'row')} repeated.`,
    `Refused ${count(refused, 'row')}${byRule(refusedByRule)}.`,
    ...describeLines(refusedLines, refused),
    ...(removed > 0 ? [`Removed ${count(removed, 'station')} that "${escapeMarks(source)}" no longer has.`] : []),
  ];
  lines.push(`The tables hold ${count(summary.stations, 'station')}.`);
  return `${lines.join('\n')}\n`;
}

/** The same for measurements. */
export function describeObservationSummary(summary: ObservationSummary): string {
  const {
    accepted,
    duplicates,
    observations,
    observationsByRule,
    refused,
    refusedByRule,
    unreadable,
    unreadableByRule,
  } = summary;
  const leftOut = Object.values(observationsByRule).reduce((sum, number) => sum + number, 0);
  const lines = [
    `Accepted ${count(accepted, 'new report')}; ${count(duplicates, 'report')} stood in the log already. ` +
      `Together they hold ${count(observations, 'observation')}.`,
    `Refused ${count(refused, 'report')}${byRule(refusedByRule)}.`,
    ...(leftOut > 0 ? [`Left ${count(leftOut, 'observation')} out of the reports${byRule(observationsByRule)}.`] : []),
    ...(unreadable > 0 ? [`Could not read ${count(unreadable, 'line')}${byRule(unreadableByRule)}.`] : []),
    ...describeLines(summary.refusedLines, refused + unreadable),
  ];
  return `${lines.join('\n')}\n`;
}

/** What to say of a file of which less than half was taken. */
export function describeMostlyRefused(refused: MostlyRefused): string {
  const { file, rows, taken, reason, reasonRows } = refused;
  if (rows === 0) return describeEmpty(refused);
  return (
    `Less than half of ${file} was taken: ${taken.toLocaleString('en')} of ${count(rows, 'row')}. Most often, in ` +
    `${count(reasonRows, 'row')}: ${reason.replace(/\.?$/, '.')}`
  );
}

/** The same for places. */
export function describePlacesSummary(summary: PlacesSummary): string {
  if ('builtAt' in summary) return `Took over ${count(summary.places, 'place')}, built at ${summary.builtAt}.\n`;
  if (!('roads' in summary)) return `The gazetteer holds ${count(summary.places, 'place')}.\n`;
  const {
    areas,
    linked,
    postcodes,
    roads,
    houses,
    pois,
    interpolations,
    interpolationsWithoutStreet,
    skipped,
    places,
  } = summary;
  const lines = [
    `Imported ${count(areas, 'area')}, ${count(roads, 'road')}, ${count(houses, 'house number')}, ` +
      `${count(pois, 'other place')} and ${count(postcodes, 'postcode')}.`,
    `Joined ${count(linked, 'settlement')} with their boundaries.`,
    ...(interpolations > 0 ? [`Took ${count(interpolations, 'range')} of house numbers from lines.`] : []),
    ...(interpolationsWithoutStreet > 0
      ? [`Left out ${count(interpolationsWithoutStreet, 'range')} of house numbers without a street.`]
      : []),
    ...describeSkipped(skipped),
    ...('changed' in summary ? [describeChanges(summary)] : []),
    `The tables hold ${count(places, 'place')}.`,
  ];
  return `${lines.join('\n')}\n`;
}

function describeChanges({ objectsRead, changed: { name, changes, sequence, upTo } }: ChangesSummary): string {
  const reached = [
    ...(sequence === undefined ? [] : [`file ${sequence}`]),
    ...(upTo === undefined ? [] : [upTo.replace(/\.\d+Z$/, 'Z')]),
  ];
  return (
    `Applied ${count(objectsRead, 'change')} to "${escapeMarks(name)}", which has ` +
    `${count(changes!.objects, 'object')} changed since it was made` +
    `${reached.length === 0 ? '' : `, up to ${reached.join(' of ')}`}.`
  );
}

/** The same for importance. */
export function describeImportanceSummary(summary: ImportanceSummary): string {
  const { accepted, refused, refusedByRule, refusedLines, kept, rated = 0, places } = summary;
  const lines = [
    `Accepted ${count(accepted, 'row')} about ${count(kept.items, 'item')} of Wikidata.`,
    `Refused ${count(refused, 'row')}${byRule(refusedByRule)}.`,
    ...describeLines(refusedLines, refused),
    `Tables of importance rate ${rated.toLocaleString('en')} of ${count(places, 'place')} of extracts.`,
  ];
  return `${lines.join('\n')}\n`;
}

/** The same for buildings. */
export function describeBuildingSummary({ source, imported, removed, skipped, buildings }: BuildingSummary): string {
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
export function describeFingerprintSummary(summary: FingerprintSummary & BuiltMaps): string {
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

/** What lies across the border of an extract is a number: nobody can mend it. */
function describeSkipped(skipped: readonly SkippedObject[]): string[] {
  const broken = skipped.filter(({ isCutOff }) => !isCutOff);
  const cutOff = skipped.length - broken.length;
  const lines = broken
    .slice(0, SKIPPED_SHOWN)
    .map(({ type, id, reason }) => escapeMarks(`  ${OSM_TYPES[type]} ${id}: ${reason}`));
  if (broken.length > SKIPPED_SHOWN) lines.push(`  and ${(broken.length - SKIPPED_SHOWN).toLocaleString('en')} more`);
  return [
    ...(cutOff > 0 ? [`Left out ${count(cutOff, 'object')} across the border of the extract.`] : []),
    ...(broken.length > 0 ? [`Skipped ${count(broken.length, 'object')}:`, ...lines] : []),
  ];
}

function describeLines(kept: readonly RefusedLine[], total: number): string[] {
  const lines = kept.map(({ file, line, why }) => escapeMarks(`  ${file}, line ${line}: ${why}`));
  if (total > kept.length) lines.push(`  and ${(total - kept.length).toLocaleString('en')} more`);
  return lines;
}

function byRule(countByName: Record<string, number>): string {
  const list = listOf(countByName);
  return list === '' ? '' : `: ${list}`;
}

function listOf(countByName: Record<string, number>): string {
  return Object.entries(countByName)
    .map(([name, number]) => `${number.toLocaleString('en')} by ${name}`)
    .join(', ');
}

/** A number and what it counts: `1 row`, `2,000 rows`. */
export function count(number: number, thing: string): string {
  return `${number.toLocaleString('en')} ${thing}${number === 1 ? '' : 's'}`;
}
