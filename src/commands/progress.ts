// Shows the progress and the result of a job to people. On a terminal a bar is redrawn in place; in logs and pipes a
// plain line appears at most once a second. Progress is drawn only when it is reported: the timers that common
// libraries use stand still while a table is written.

import type { PhaseWords } from '../feature.ts';
import { FEATURES } from '../features.ts';
import type { ChangesSummary } from '../geocoding/import/change_extract.ts';
import type { SkippedObject } from '../geocoding/import/osm/features.ts';
import type { PlacesSummary } from '../jobs/import_places.ts';
import type { Phase, Progress } from '../jobs/job.ts';
import type { AddressReading } from '../transfer/addresses/read_addresses.ts';
import { describeEmpty, type MostlyRefused, type RefusedLine } from '../transfer/files/refused_lines.ts';
import type { ImportanceSummary } from '../transfer/import_importance.ts';
import type { ObservationSummary } from '../transfer/import_observations.ts';
import type { ImportSummary } from '../transfer/import_stations.ts';
import { escapeMarks } from './terminal/escape.ts';

const BAR_CHARACTERS = 30;
const LINE_MS = 1000;
const PHASES: Readonly<Record<Phase, PhaseWords>> = {
  reading: { label: 'reading', thing: 'row' },
  writing: { label: 'writing', thing: 'station' },
  importing: { label: 'importing', thing: 'report' },
  exporting: { label: 'exporting', thing: 'row' },
  aggregating: { label: 'aggregating', thing: 'report' },
  checking: { label: 'checking', thing: 'record' },
  copying: { label: 'copying', thing: 'megabyte' },
  downloading: { label: 'fetching', thing: 'megabyte' },
  searching: { label: 'searching', thing: 'chunk' },
  rewriting: { label: 'rewriting the log', thing: 'report' },
  changes: { label: 'reading changes', thing: 'object' },
  relations: { label: 'reading relations', thing: 'byte' },
  nodes: { label: 'reading nodes', thing: 'byte' },
  ways: { label: 'reading ways', thing: 'byte' },
  rings: { label: 'assembling areas', thing: 'relation' },
  areas: { label: 'placing areas', thing: 'object' },
  survey: { label: 'surveying house numbers', thing: 'object' },
  roads: { label: 'placing roads', thing: 'object' },
  addresses: { label: 'placing houses', thing: 'object' },
  places: { label: 'placing other places', thing: 'object' },
  index: { label: 'building the index', thing: 'step' },
  answering: { label: 'answering', thing: 'row' },
};
/** Those of all jobs. */
const WORDS: Readonly<Record<string, PhaseWords>> = Object.assign({}, PHASES, ...FEATURES.map(each => each.phases));
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
      this.output.write(`${CLEAR_LINE}${barOf(progress)}${describeProgress(progress)}`);
      return;
    }
    if (progress.rows === 0 && WORDS[progress.phase].isSilentAtStart) return;
    if (this.now() - this.shownAt < LINE_MS) return;
    this.shownAt = this.now();
    this.output.write(`${describeProgress(progress)}\n`);
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

/** How far a job is, as a part of a sentence. */
export function describeProgress({ phase, rows, bytesDone, bytesTotal, secondsLeft }: Progress): string {
  const share = bytesTotal === 0 ? '' : ` ${Math.min(100, Math.floor((bytesDone / bytesTotal) * 100))} %,`;
  const { label, thing } = WORDS[phase];
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
    joined,
    ownStreets,
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
    ...('leftOut' in summary ? describeReading(summary) : []),
    `Imported ${count(areas, 'area')}, ${count(roads, 'road')}, ${count(houses, 'house number')}, ` +
      `${count(pois, 'other place')} and ${count(postcodes, 'postcode')}.`,
    `Joined ${count(linked, 'settlement')} with their boundaries.`,
    ...(interpolations > 0 ? [`Took ${count(interpolations, 'range')} of house numbers from lines.`] : []),
    ...(interpolationsWithoutStreet > 0
      ? [`Left out ${count(interpolationsWithoutStreet, 'range')} of house numbers without a street.`]
      : []),
    ...(joined > 0 ? [`Joined ${count(joined, 'row')} of addresses with the same house of another source.`] : []),
    ...(ownStreets > 0 ? [`Added ${count(ownStreets, 'street')} that only addresses name.`] : []),
    ...describeSkipped(skipped),
    ...('changed' in summary ? [describeChanges(summary)] : []),
    `The tables hold ${count(places, 'place')}.`,
  ];
  return `${lines.join('\n')}\n`;
}

function describeReading(reading: AddressReading): string[] {
  const { accepted, refused, refusedByRule, refusedLines, leftOut } = reading;
  return [
    `Accepted ${count(accepted, 'row')}. Refused ${count(refused, 'row')}${byRule(refusedByRule)}.`,
    ...describeLines(refusedLines, refused),
    ...(leftOut.length > 0
      ? [`Left out ${count(leftOut.length, 'file')} without such columns: ${escapeMarks(leftOut.join(', '))}.`]
      : []),
  ];
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

/** What of a map was left out. What lies across the border of an extract is a number: nobody can mend it. */
export function describeSkipped(skipped: readonly SkippedObject[]): string[] {
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

/** How many each rule has refused, as the end of a sentence. */
export function byRule(countByName: Record<string, number>): string {
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
  return `${grouped(number)} ${thing}${number === 1 ? '' : 's'}`;
}

/** `2,000`. The first number that needs a comma costs 15 ms. */
export function grouped(number: number): string {
  return number < 1_000 ? String(number) : number.toLocaleString('en');
}
