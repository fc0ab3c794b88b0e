import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { judge, parseTargets } from '../../../bench/capacity/targets.ts';
import { drawReport, drawScenario, NAMES } from './drawn_report.ts';

const COMMITTED = readFileSync(new URL('../../../bench/capacity/targets.json', import.meta.url), 'utf8');
const LIMITS = { scenarios: {}, prediction: { knee: 0.1, p99: 0.25 } };

test('the committed file has a target for each drawn scenario', () => {
  expect(Object.keys(parseTargets(COMMITTED).scenarios)).toEqual(NAMES);
});

test.each([
  ['{}', 'the member scenarios'],
  ['{"scenarios":{"phones":{"rate":0,"p99Milliseconds":1}},"prediction":{"knee":1,"p99":1}}', 'scenarios.phones.rate'],
  ['{"scenarios":{"phones":{"rate":5}},"prediction":{"knee":1,"p99":1}}', 'scenarios.phones.p99Milliseconds'],
  ['{"scenarios":{},"prediction":{"p99":1}}', 'prediction.knee'],
  ['{"scenarios":{},"prediction":{"knee":1,"p99":"1"}}', 'prediction.p99'],
])('%s is refused', (text, where) => {
  expect(() => parseTargets(text)).toThrow(where);
});

function verdictsOf(scenario: ReturnType<typeof drawScenario>) {
  return judge(drawReport([scenario]), LIMITS).map(({ promise, figure, met }) => [promise, figure, met]);
}

test('a scenario is judged by its p99 at the rate of its target, its knee and its predictions', () => {
  expect(verdictsOf(drawScenario('phones'))).toEqual([
    ['phones: p99 at 2000/s at most 2 ms', '0.90 ms', true],
    ['phones: predicted knee within 10 %', '+4 %', true],
    ['phones: predicted p99 within 25 % at 3 unseen rates', '+6 %, +6 %, +6 %', true],
  ]);
});

test('a p99 above the target, a knee and predictions too far off are missed', () => {
  const slow = drawScenario('phones', [3, 3, 3]);
  slow.second!.predictedKnee.rate = 9000;
  expect(verdictsOf(slow).map(([, figure, met]) => [figure, met])).toEqual([
    ['2.70 ms', false],
    ['+12 %', false],
    ['-65 %, -65 %, -65 %', false],
  ]);
});

test('a service that falls behind before the target, or shows no knee, has missed', () => {
  const scenario = drawScenario('phones');
  scenario.rates = scenario.rates.slice(0, 1);
  scenario.second!.knee = { rounds: [] };
  expect(verdictsOf(scenario).slice(0, 2)).toEqual([
    ['phones: p99 at 2000/s at most 2 ms', 'the service falls behind before', false],
    ['phones: predicted knee within 10 %', 'no knee was measured', false],
  ]);
});

test('without a target no p99 is judged, but a model that is missing is missed', () => {
  const { target: _, second: _second, ...bare } = drawScenario('own');
  expect(verdictsOf(bare)).toEqual([
    ['own: the model predicts a second run', 'no knee, or too few rates below it, to fit it to', false],
  ]);
});
