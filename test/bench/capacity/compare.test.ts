import { expect, test } from 'vitest';
import { compareReports, describeComparison, parseReport } from '../../../bench/capacity/compare.ts';
import { intervalOf, ratioInterval } from '../../../bench/capacity/intervals.ts';
import { drawReport, drawScenario } from './drawn_report.ts';

const STEADY = [1, 1.02, 0.98];

function compare(before: readonly number[], after: readonly number[]) {
  return compareReports(drawReport([drawScenario('phones', before)]), drawReport([drawScenario('phones', after)]));
}

test('a run that takes a third longer in every round is slower in everything', () => {
  const { differences } = compare(STEADY, [1.33, 1.35, 1.31]);
  expect(differences.map(({ quantity, verdict }) => [quantity, verdict])).toEqual([
    ['knee', 'slower'],
    ['p50 at 2000/s', 'slower'],
    ['p99 at 2000/s', 'slower'],
    ['processor time of the HTTP thread at 2000/s', 'slower'],
    ['processor time of the process at 2000/s', 'slower'],
  ]);
  expect(differences[1].ratio!.value).toBeCloseTo(1.33, 2);
});

test('the other way round it is faster', () => {
  expect(compare([1.33, 1.35, 1.31], STEADY).differences.every(({ verdict }) => verdict === 'faster')).toBe(true);
});

test('the same difference is noise where the rounds differ as much', () => {
  const { differences } = compare([1, 1.4, 0.8], [1.33, 1.7, 1]);
  expect(differences.every(({ verdict }) => verdict === 'noise')).toBe(true);
});

test('one round says nothing about noise', () => {
  expect(
    compare([1], STEADY).differences.every(({ verdict, ratio }) => verdict === 'too few rounds' && ratio === undefined),
  ).toBe(true);
});

test('what only one report has is left out, and said', () => {
  const first = drawReport([drawScenario('phones'), drawScenario('cells')]);
  const second = drawReport([drawScenario('phones'), drawScenario('own')]);
  const comparison = compareReports(first, second);
  expect(comparison.skipped).toEqual(['cells: only the first report has it.', 'own: only the second report has it.']);
  expect(new Set(comparison.differences.map(({ scenario }) => scenario))).toEqual(new Set(['phones']));
});

test('reports of other rates are compared by their knees only', () => {
  const other = drawScenario('phones');
  const moved = { ...other, rates: other.rates.map(figures => ({ ...figures, rate: figures.rate + 1 })) };
  const comparison = compareReports(drawReport([other]), drawReport([moved]));
  expect(comparison.differences.map(({ quantity }) => quantity)).toEqual(['knee']);
  expect(comparison.skipped).toEqual(['phones: the reports have no rate in common.']);
});

test('for people the slower comes first', () => {
  const first = drawReport([drawScenario('phones'), drawScenario('cells')]);
  const second = drawReport([drawScenario('phones'), drawScenario('cells', [1.33, 1.35, 1.31])]);
  const lines = describeComparison(compareReports(first, second)).split('\n');
  expect(lines[0]).toMatch(/^slower {10}cells, knee: 0\.75 times \(0\.\d\d to 0\.\d\d\)$/);
  expect(lines.at(-1)).toMatch(/^noise {11}phones/);
});

test('intervals are Student’s on the logarithms', () => {
  // Logarithms 0, 1 and 2: mean 1, deviation 1, so half the interval is 4.303 / sqrt 3.
  const interval = intervalOf([1, Math.E, Math.E ** 2])!;
  expect(Math.log(interval.value)).toBeCloseTo(1, 9);
  expect(Math.log(interval.high)).toBeCloseTo(1 + 4.303 / Math.sqrt(3), 9);
  expect(Math.log(interval.low)).toBeCloseTo(1 - 4.303 / Math.sqrt(3), 9);
  // Two groups of equal spread: half is the quantile of 4 degrees of freedom times sqrt (1/3 + 1/3).
  const ratio = ratioInterval([Math.E, Math.E ** 2, Math.E ** 3], [1, Math.E, Math.E ** 2])!;
  expect(Math.log(ratio.value)).toBeCloseTo(1, 9);
  expect(Math.log(ratio.high)).toBeCloseTo(1 + 2.776 * Math.sqrt(2 / 3), 9);
  expect(intervalOf([1])).toBeUndefined();
});

test('only capacity reports are compared', () => {
  expect(parseReport(JSON.stringify(drawReport()), 'a.json')).toEqual(drawReport());
  expect(() => parseReport('{', 'a.json')).toThrow('a.json is not JSON.');
  expect(() => parseReport('{"version":99}', 'a.json')).toThrow('a.json is no capacity report of version 2.');
});
