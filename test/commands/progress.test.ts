import { expect, test } from 'vitest';
import {
  describeObservationSummary,
  describePlacesSummary,
  describeSummary,
  ProgressBar,
} from '../../src/commands/progress.ts';
import { OSM_RELATION, type OsmType } from '../../src/tables/places/place.ts';
import type { ObservationSummary } from '../../src/transfer/import_observations.ts';
import type { ImportSummary } from '../../src/transfer/import_stations.ts';

/** An output that keeps what is written, and a clock set by hand. */
function output(isTTY: boolean) {
  const written: string[] = [];
  const clock = { ms: 0 };
  const bar = new ProgressBar({ isTTY, write: text => written.push(text) }, () => clock.ms);
  return { written, clock, bar };
}

const HALF = { phase: 'reading', rows: 1_234_567, bytesDone: 505, bytesTotal: 1000 } as const;

test('on a terminal a bar is drawn in place and taken away at the end', () => {
  const { bar, written } = output(true);
  bar.show(HALF);
  bar.show({ phase: 'writing', rows: 2, bytesDone: 20, bytesTotal: 20 });
  bar.end();
  expect(written).toEqual([
    '\r\u001b[2K[###############---------------] reading 50 %, 1,234,567 rows',
    '\r\u001b[2K[##############################] writing 100 %, 2 stations',
    '\r\u001b[2K',
  ]);
});

test('elsewhere there is at most one line a second', () => {
  const { bar, written, clock } = output(false);
  for (clock.ms = 0; clock.ms <= 2500; clock.ms += 250) bar.show(HALF);
  bar.end();
  expect(written).toEqual(Array(3).fill('reading 50 %, 1,234,567 rows\n'));
});

test('without a known length only the rows are shown', () => {
  const { bar, written } = output(true);
  bar.show({ phase: 'reading', rows: 1, bytesDone: 20, bytesTotal: 0 });
  expect(written).toEqual(['\r\u001b[2Kreading 1 row']);
});

test('more bytes than were expected are no more than all', () => {
  const { bar, written } = output(true);
  bar.show({ phase: 'reading', rows: 5, bytesDone: 30, bytesTotal: 20 });
  expect(written).toEqual(['\r\u001b[2K[##############################] reading 100 %, 5 rows']);
});

test.each([
  [0.2, '1 second'],
  [45.4, '45 seconds'],
  [89, '89 seconds'],
  [90, '2 minutes'],
  [4_000, '67 minutes'],
])('%d seconds that are left are told as %s', (secondsLeft, told) => {
  const { bar, written } = output(false);
  bar.show({ phase: 'addresses', rows: 15_000, bytesDone: 690, bytesTotal: 1000, secondsLeft });
  expect(written).toEqual([`placing houses 69 %, 15,000 objects, about ${told} left\n`]);
});

test('a summary of places tells what was imported and what was skipped', () => {
  const skipped = Array.from({ length: 22 }, (_, i) => ({
    type: OSM_RELATION as OsmType,
    id: 100 + i,
    reason: 'Its border is open.',
  }));
  const counts = { areas: 109, linked: 12, postcodes: 17, roads: 3_218, houses: 12_549, pois: 1, places: 18_868 };
  const none = { interpolations: 0, interpolationsWithoutStreet: 0, skipped: [] };
  const first =
    'Imported 109 areas, 3,218 roads, 12,549 house numbers, 1 other place and 17 postcodes.\nJoined 12 ' +
    'settlements with their boundaries.\n';
  expect(describePlacesSummary({ ...counts, ...none })).toBe(`${first}The tables hold 18,868 places.\n`);
  const lines = describePlacesSummary({ ...counts, interpolations: 65, interpolationsWithoutStreet: 1, skipped }).split(
    '\n',
  );
  expect(lines.slice(2, 6)).toEqual([
    'Took 65 ranges of house numbers from lines.',
    'Left out 1 range of house numbers without a street.',
    'Skipped 22 objects:',
    '  relation 100: Its border is open.',
  ]);
  expect(lines.slice(-4)).toEqual([
    '  relation 119: Its border is open.',
    '  and 2 more',
    'The tables hold 18,868 places.',
    '',
  ]);
  const border = skipped.slice(0, 3).map(object => ({ ...object, isCutOff: true as const }));
  const cut = describePlacesSummary({ ...counts, ...none, skipped: [...border, skipped[3]] });
  expect(cut.split('\n').slice(2, 5)).toEqual([
    'Left out 3 objects across the border of the extract.',
    'Skipped 1 object:',
    '  relation 103: Its border is open.',
  ]);
  expect(describePlacesSummary({ places: 175_031 })).toBe('The gazetteer holds 175,031 places.\n');
});

const SUMMARY: ImportSummary = {
  generation: 3,
  stations: 1_281_279,
  added: 900,
  replaced: 1,
  removed: 0,
  source: 'cell_towers',
  rows: 1007,
  accepted: 1000,
  refused: 7,
  refusedByRule: { area: 6, position: 1 },
  refusedLines: [{ file: 'a.csv', line: 12, why: 'area "x" is not a whole number' }],
};

test('a summary tells what was accepted, replaced and refused, and why', () => {
  expect(describeSummary(SUMMARY)).toBe(
    [
      'Accepted 1,000 rows: 900 new stations, 1 station replaced, 99 rows repeated.',
      'Refused 7 rows: 6 by area, 1 by position.',
      '  a.csv, line 12: area "x" is not a whole number',
      '  and 6 more',
      'The tables hold 1,281,279 stations.',
      '',
    ].join('\n'),
  );
});

test('a summary without refused rows names none', () => {
  expect(describeSummary({ ...SUMMARY, refused: 0, refusedByRule: {}, refusedLines: [] })).toContain(
    'repeated.\nRefused 0 rows.\nThe tables',
  );
});

const OBSERVATIONS: ObservationSummary = {
  reports: 1_503,
  accepted: 1_000,
  duplicates: 500,
  refused: 3,
  refusedByRule: { time: 2, speed: 1 },
  observations: 9_000,
  observationsByRule: { 'opted out': 12, 'fake identity': 1 },
  unreadable: 4,
  unreadableByRule: { json: 4 },
  refusedLines: [{ file: 'a.jsonl', line: 12, why: 'the line is not a JSON object' }],
};

test('a summary of measurements tells what is new, what was left out, and why', () => {
  expect(describeObservationSummary(OBSERVATIONS)).toBe(
    [
      'Accepted 1,000 new reports; 500 reports stood in the log already. Together they hold 9,000 observations.',
      'Refused 3 reports: 2 by time, 1 by speed.',
      'Left 13 observations out of the reports: 12 by opted out, 1 by fake identity.',
      'Could not read 4 lines: 4 by json.',
      '  a.jsonl, line 12: the line is not a JSON object',
      '  and 6 more',
      '',
    ].join('\n'),
  );
});

test('a summary of measurements that were all taken is short', () => {
  const clean = {
    ...OBSERVATIONS,
    refused: 0,
    refusedByRule: {},
    observationsByRule: {},
    unreadable: 0,
    unreadableByRule: {},
    refusedLines: [],
  };
  expect(describeObservationSummary(clean).split('\n')).toEqual([
    expect.stringContaining('9,000 observations.'),
    'Refused 0 reports.',
    '',
  ]);
});
