// Locates what a device heard, as a row of a table says it: where the device is and what that rests on, or why nobody
// can say. A row that is not found is located once more with an explanation, of which the words come.

import type { Answerer } from '../answer/answerer.ts';
import type { Explanation } from '../answer/explain/explanation.ts';
import { ABSENT, LEFT_OUT } from '../answer/explain/words.ts';
import { radiusFactor } from '../positioning/estimates/estimate.ts';
import { ApiError, ERRORS } from '../protocol/errors.ts';
import { readCompact } from '../protocol/requests/compact.ts';
import { type BodyDefaults, withDefaults } from '../protocol/requests/position_query.ts';
import { checkStructure, type PositionBody } from '../protocol/requests/schema.ts';
import { fallbackName } from '../radio/fallbacks.ts';
import type { FoundPosition } from '../radio/query/answer.ts';
import { SOURCE_BLUETOOTH, SOURCE_CELL, SOURCE_GPS, SOURCE_WIFI } from '../radio/query/layout.ts';
import { explainPosition } from './explain_position.ts';
import { locateAlone, PositionQuery } from './locate.ts';
import type { Role } from './table_columns.ts';

/** Where a row was heard, or why that is not known. */
type LocatedRow =
  | { why: string }
  | {
      why: undefined;
      /** Degrees. */
      latitude: number;
      longitude: number;
      /** Holds as many truths as were asked for. */
      radiusMetres: number;
      /** What it rests on. */
      quality: string;
    };

/** How rows are located. */
interface RowSettings {
  /** For rows that do not say it. */
  defaults: BodyDefaults;
  /** LONE_BEACONS_* bit. */
  loneBeacons: number;
}

const SOURCES: readonly (readonly [bit: number, name: string])[] = [
  [SOURCE_GPS, 'gps'],
  [SOURCE_WIFI, 'wifi'],
  [SOURCE_BLUETOOTH, 'bluetooth'],
  [SOURCE_CELL, 'cell'],
];
/** Entries that are named. */
const NAMED_MAX = 3;

/**
 * Locates a row. @param at where the columns are @throws ApiError when it is no question; Error when a table is damaged
 */
export function locateRow(
  answerer: Answerer,
  row: readonly string[],
  at: Readonly<Record<Role, readonly number[]>>,
  { defaults, loneBeacons }: RowSettings,
): LocatedRow {
  const sent = bodyOf(row, at);
  checkStructure(sent);
  const body = withDefaults(sent, defaults);
  const arrivalMs = Date.now();
  const { position, outcome } = locateAlone(answerer, new PositionQuery(body, arrivalMs, loneBeacons, 0));
  if (position === undefined) {
    const asked = { body, arrivalMs, wants: loneBeacons, asker: 0, state: undefined };
    return { why: whyNot(explainPosition(answerer, asked).explanation) };
  }
  const { latitude, longitude, accuracyMetres } = position;
  const radiusMetres = accuracyMetres * radiusFactor(outcome.confidence, position);
  return { why: undefined, latitude, longitude, radiusMetres, quality: qualityOf(position) };
}

/** The request for a position that a row stands for. @throws ApiError when it is not JSON */
function bodyOf(row: readonly string[], at: Readonly<Record<Role, readonly number[]>>): PositionBody {
  const value = (role: Role) => (at[role].length === 0 ? undefined : row[at[role][0]] || undefined);
  const [text, wifi, cellId] = [value('body'), value('wifi'), value('cell')];
  if (text !== undefined) return parsedBody(text);
  const cell = {
    radioType: value('radio')?.toLowerCase(),
    mobileCountryCode: value('mcc'),
    mobileNetworkCode: value('mnc'),
    locationAreaCode: value('lac'),
    cellId,
    signalStrength: value('signal'),
  };
  return { ...(wifi !== undefined && readCompact(wifi)), ...(cellId !== undefined && { cellTowers: [cell] }) };
}

function parsedBody(text: string): PositionBody {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError(ERRORS.parseError, 'The row is not JSON.');
  }
}

/** Why nothing was found, in words. */
function whyNot({ sent, stations, absent }: Explanation): string {
  // What is alone is too little, known or not; that nobody knows it says more.
  const isUnknown = stations.length > 0 && stations.every(({ taken }) => taken === 'unknown');
  const reasons = isUnknown ? (['noneKnown'] as const) : absent.map(({ why }) => why).filter(why => why !== 'notSent');
  const words = new Set(reasons.map(why => ABSENT[why].replace(/^as /, '')));
  if (words.size === 0) words.add('nothing was sent that tells a position');
  const notTaken = [
    ...sent.leftOut.map(({ list, entry, why }) => `${list}[${entry}] is left out: ${LEFT_OUT[why]}`),
    ...sent.ignored.map(({ list, entry, member }) => `${member} of ${list}[${entry}] is out of range`),
    ...(sent.gps === 'leftOut' ? ['gps is left out: it is no position, or too old'] : []),
  ];
  const beyond = notTaken.length - NAMED_MAX;
  const more = beyond > 0 ? [`and ${beyond} more`] : [];
  return [[...words].join(', '), ...notTaken.slice(0, NAMED_MAX), ...more].join('; ');
}

/** What a position rests on: `wifi`, `wifi+cell`, `fallback lacf`. */
function qualityOf({ sources, fallback }: FoundPosition): string {
  const name = fallbackName(fallback);
  if (name !== undefined) return `fallback ${name}`;
  return SOURCES.flatMap(([bit, source]) => ((sources & bit) === 0 ? [] : [source])).join('+');
}
