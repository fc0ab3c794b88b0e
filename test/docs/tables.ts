// Tables of the documents that repeat what the code decides, built from the code.

import { INTAKE_RULES } from '../../src/intake/rules.ts';
import { TRANSITIONS } from '../../src/learning/transitions.ts';
import { ERRORS } from '../../src/protocol/errors.ts';
import { FALLBACKS } from '../../src/radio/fallbacks.ts';
import { CELL_RANGES, type CellRanges, type Range } from '../../src/radio/ranges.ts';
import { LEARNED_BLOCKED, LEARNED_KNOWN, LEARNED_NEW } from '../../src/tables/stations/learned.ts';
import { BANDS, LIBRARIES } from '../import_rules.ts';

const STATES = new Map([
  [0, 'never seen'],
  [LEARNED_NEW, 'new'],
  [LEARNED_KNOWN, 'known'],
  [LEARNED_BLOCKED, 'blocked'],
]);

/** The rules of intake, in the order in which they are tried. */
export function intakeTable(): string {
  return table(
    ['rule', 'refuses', 'what'],
    INTAKE_RULES.map(({ name, refuses, description }) => [name, refuses, description]),
  );
}

/** What each event does to a station, by its state: the action, and the state after it. */
export function lifeCycleTable(): string {
  const events = [...new Set(Object.values(TRANSITIONS).flatMap(row => Object.keys(row)))];
  const rows = events.map(event => [
    event,
    ...[...STATES.keys()].map(state => {
      const [action, next] = TRANSITIONS[state][event as keyof (typeof TRANSITIONS)[number]] ?? [];
      return action === undefined ? '' : `${action}: ${STATES.get(next!)}`;
    }),
  ]);
  return table(['event', ...STATES.values()], rows);
}

/** The ranges of a cell's members by radio type. */
export function cellTable(): string {
  const radios = Object.values(CELL_RANGES);
  const members = Object.keys(radios[0]) as (keyof CellRanges)[];
  return table(
    ['member', ...Object.keys(CELL_RANGES)],
    members.map(member => [`\`${member}\``, ...radios.map(ranges => rangeText(ranges[member]))]),
  );
}

/** A range as the documents write it: `0..63`, with one more value where there is one, and a dash for none. */
export function rangeText({ min, max, also }: Range): string {
  if (max < min) return '-';
  return also === max ? `${min}..${max}` : `${min}..${max}, ${also}`;
}

/** The first columns of the table of errors. */
export function errorRows(): string[] {
  return Object.values(ERRORS).map(
    ({ status, domain, reason, message }) => `| ${status} | ${domain} | \`${reason}\` | ${message} |`,
  );
}

/** The first columns of the table of fallbacks. */
export function fallbackRows(): string[] {
  return FALLBACKS.map(({ name, isInAll }) => `| \`${name}\` | ${isInAll ? 'yes' : 'no'} |`);
}

/** The bands of rooms, highest first, with the outside libraries that the rooms of each band import. */
export function importTable(): string {
  const rows = BANDS.map((rooms, i) => {
    const libraries = Object.keys(LIBRARIES).filter(library => LIBRARIES[library].some(room => rooms.includes(room)));
    return [String(i + 1), code(rooms).replace('`wasm/constants`', 'constants of `wasm`'), code(libraries)];
  });
  return table(['band', 'rooms', 'libraries'], rows.reverse());
}

function code(names: readonly string[]): string {
  return names.map(name => `\`${name}\``).join(', ');
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  return [columns, columns.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |`).join('\n');
}
