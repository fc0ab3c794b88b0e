// The stations of an explanation: what was sent, what of it was left out, and what is known of each.

import { distanceMetres } from '../../geo/distance.ts';
import type { KnownRecord, PositionRecorder, Strategy, Use } from '../../positioning/estimates/recorder.ts';
import { isCell } from '../../radio/kind.ts';
import { AGE_ABSENT, CODE_ABSENT, FLAG_NO_AREA, FLAG_NO_CELL_ID, SIGNAL_ABSENT } from '../../radio/query/layout.ts';
import type { LeftOut, StationList } from '../../radio/query/left_out.ts';
import type { QueryReader } from '../../radio/query/reader.ts';
import { keyBytesOfKind } from '../../radio/station_key.ts';
import { formatStation } from '../../radio/station_name.ts';
import type { ExplainedStation, IgnoredMember, KnownStation, Sent } from './explanation.ts';

const DAY_MS = 86_400_000;

/** What of a body tells where the device is. */
export type SentBody = Readonly<Partial<Record<StationList, readonly unknown[] | null>> & { gps?: unknown }>;

/** An entry of a list that became an observation. */
interface Entry {
  list: StationList;
  entry: number;
  members: Readonly<Record<string, unknown>>;
}

/** In the order of a query's observations. */
const LISTS: readonly StationList[] = ['wifiAccessPoints', 'bluetoothBeacons', 'cellTowers'];

/** Entries, members and stations that are named, of each: more would make an answer of megabytes. */
const NAMED_MAX = 1_000;

/**
 * What a body holds, and its stations. @param query of the body, answered @param leftOut entries of its lists that are
 * no observations
 */
export function stationsOf(
  body: SentBody,
  query: QueryReader,
  leftOut: readonly LeftOut[],
  recorder: PositionRecorder,
): { sent: Sent; stations: ExplainedStation[] } {
  const entries = LISTS.flatMap(list => entriesOf(list, body[list] ?? [], leftOut));
  const ignored = entries.flatMap((entry, i) => ignoredOf(entry, query, i));
  const weights = sumsOf(recorder.uses);
  const beyond = (count: number) => Math.max(0, count - NAMED_MAX);
  const more = { leftOut: beyond(leftOut.length), ignored: beyond(ignored.length), stations: beyond(entries.length) };
  const isCut = more.leftOut + more.ignored + more.stations > 0;
  return {
    sent: {
      ...countsOf(body),
      ...gpsOf(body, query),
      leftOut: leftOut.slice(0, NAMED_MAX),
      ignored: ignored.slice(0, NAMED_MAX),
      ...(isCut && { more }),
    },
    stations: entries.slice(0, NAMED_MAX).map((entry, i) => stationOf(entry, query, i, recorder, weights)),
  };
}

function gpsOf({ gps }: SentBody, query: QueryReader): Pick<Sent, 'gps'> {
  return gps === undefined || gps === null ? {} : { gps: query.fix === undefined ? 'leftOut' : 'read' };
}

function countsOf(body: SentBody): Pick<Sent, StationList> {
  const [wifiAccessPoints, bluetoothBeacons, cellTowers] = LISTS.map(list => body[list]?.length ?? 0);
  return { wifiAccessPoints, bluetoothBeacons, cellTowers };
}

/** The entries of a list that are observations, in their order. */
function entriesOf(list: StationList, all: readonly unknown[], leftOut: readonly LeftOut[]): Entry[] {
  const out = new Set(leftOut.filter(each => each.list === list).map(({ entry }) => entry));
  return all.flatMap((members, entry) =>
    out.has(entry) ? [] : [{ list, entry, members: members as Entry['members'] }],
  );
}

/** Members that were sent and that the query does not have. */
function ignoredOf({ list, entry, members }: Entry, query: QueryReader, i: number): IgnoredMember[] {
  const flags = query.observationFlags(i);
  const absent: Record<string, boolean> = {
    signalStrength: query.signalDbm(i) === SIGNAL_ABSENT,
    age: query.ageMs(i) === AGE_ABSENT,
    ...(list === 'wifiAccessPoints' && { frequency: query.frequencyMhz(i) === 0 }),
    ...(list === 'cellTowers' && {
      timingAdvance: query.timing(i) < 0,
      primaryScramblingCode: query.code(i) === CODE_ABSENT,
      cellId: (flags & FLAG_NO_CELL_ID) !== 0,
      locationAreaCode: (flags & FLAG_NO_AREA) !== 0,
    }),
  };
  return Object.keys(absent)
    .filter(member => absent[member] && members[member] !== undefined && members[member] !== null)
    .map(member => ({ list, entry, member }));
}

function stationOf(
  { list, entry }: Entry,
  query: QueryReader,
  i: number,
  { known, uses, estimates }: PositionRecorder,
  weights: ReadonlyMap<Strategy, number>,
): ExplainedStation {
  const signalDbm = query.signalDbm(i);
  const ageMs = query.ageMs(i);
  const record = known[i];
  const { taken, strategy, weight, expectedMetres } = uses[i];
  const estimate = estimates.find(each => each.strategy === strategy)?.estimate;
  return {
    list,
    entry,
    ...nameOf(query, i),
    ...(signalDbm !== SIGNAL_ABSENT && { signalDbm }),
    ...(ageMs !== AGE_ABSENT && { ageSeconds: ageMs / 1000 }),
    taken,
    ...(strategy && { strategy }),
    ...(weight !== undefined && { weight: weight / weights.get(strategy!)! }),
    ...(record &&
      estimate && {
        distanceMetres: distanceMetres(estimate.latitude, estimate.longitude, record.latitude, record.longitude),
      }),
    ...(expectedMetres !== undefined && { expectedMetres }),
    ...(record && { known: knownOf(record) }),
  };
}

/** The sum of the weights in each estimate. */
function sumsOf(uses: readonly Use[]): Map<Strategy, number> {
  const sums = new Map<Strategy, number>();
  for (const { strategy, weight = 0 } of uses)
    if (strategy !== undefined) sums.set(strategy, (sums.get(strategy) ?? 0) + weight);
  return sums;
}

/** The name of the station of an observation. */
export function nameOf(query: QueryReader, i: number): Pick<ExplainedStation, 'station' | 'code'> {
  const at = query.at(i);
  const kind = query.kind(i);
  const flags = query.observationFlags(i);
  if (isCell(kind) && (flags & FLAG_NO_CELL_ID) !== 0) return { code: query.code(i) };
  const name = formatStation(query.memory.u8.subarray(at, at + keyBytesOfKind(kind)));
  // A cell that was sent without its area has area 0 in its key.
  if (!isCell(kind) || (flags & FLAG_NO_AREA) === 0) return { station: name };
  const parts = name.split('-');
  return { station: [...parts.slice(0, -2), '', parts.at(-1)].join('-') };
}

function knownOf({ isLearned, isUntrusted, lastSeenDay, ...record }: KnownRecord): KnownStation {
  return {
    source: isLearned ? 'learned' : 'imported',
    ...(isUntrusted && { isUntrusted }),
    ...record,
    ...(lastSeenDay > 0 && { lastSeen: new Date(lastSeenDay * DAY_MS).toISOString().slice(0, 10) }),
  };
}
