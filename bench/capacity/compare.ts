// Compares two capacity reports: what got slower, and is the difference more than noise? Each round of a run is one
// repeat. A difference is real if the 95 % interval of the ratio of both runs, from the spread of their rounds, does
// not hold 1. Of dozens of comparisons a few will say so by accident.

import { type Interval, ratioInterval } from './intervals.ts';
import { type CapacityReport, REPORT_VERSION, type ScenarioReport } from './report.ts';
import type { SliceFigures } from './service.ts';

/** Quantities at the rate of a scenario's target. More is worse. */
const AT_TARGET: readonly { field: 'p50' | 'p99' | 'http' | 'process'; label: string }[] = [
  { field: 'p50', label: 'p50' },
  { field: 'p99', label: 'p99' },
  { field: 'http', label: 'processor time of the HTTP thread' },
  { field: 'process', label: 'processor time of the process' },
];

/** One quantity of both reports. */
export interface Difference {
  scenario: string;
  quantity: string;
  /** Second report to first; undefined with fewer than two rounds. */
  ratio: Interval | undefined;
  verdict: 'slower' | 'faster' | 'noise' | 'too few rounds';
}

/** Both reports' common scenarios, and those that cannot be compared with the reason. */
export interface Comparison {
  differences: Difference[];
  skipped: string[];
}

/** Reads a report. @throws Error with a full sentence when the text is none, or one of another version */
export function parseReport(text: string, name: string): CapacityReport {
  let report: CapacityReport;
  try {
    report = JSON.parse(text) as CapacityReport;
  } catch (error) {
    throw new Error(`${name} is not JSON.`, { cause: error });
  }
  if (report?.version !== REPORT_VERSION)
    throw new Error(`${name} is no capacity report of version ${REPORT_VERSION}.`);
  return report;
}

/** Compares the second report with the first. */
export function compareReports(first: CapacityReport, second: CapacityReport): Comparison {
  const differences: Difference[] = [];
  const skipped: string[] = [];
  for (const before of first.scenarios) {
    const after = second.scenarios.find(({ name }) => name === before.name);
    if (after === undefined) {
      skipped.push(`${before.name}: only the first report has it.`);
      continue;
    }
    differences.push(difference(before.name, 'knee', after.knee.rounds, before.knee.rounds, 'more is faster'));
    const rounds = commonRounds(before, after);
    if (rounds === undefined) {
      skipped.push(`${before.name}: the reports have no rate in common.`);
      continue;
    }
    for (const { field, label } of AT_TARGET) {
      const of = (slices: readonly SliceFigures[]) => slices.map(slice => slice[field]);
      differences.push(
        difference(before.name, `${label} at ${rounds.rate}/s`, of(rounds.after), of(rounds.before), 'more is slower'),
      );
    }
  }
  for (const { name } of second.scenarios) {
    if (!first.scenarios.some(scenario => scenario.name === name))
      skipped.push(`${name}: only the second report has it.`);
  }
  return { differences, skipped };
}

/** The comparison for people: what got slower first. */
export function describeComparison({ differences, skipped }: Comparison): string {
  const order = ['slower', 'faster', 'noise', 'too few rounds'];
  const sorted = [...differences].sort((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict));
  const lines = sorted.map(({ scenario, quantity, ratio, verdict }) => {
    const figures =
      ratio === undefined
        ? ''
        : `: ${ratio.value.toFixed(2)} times (${ratio.low.toFixed(2)} to ${ratio.high.toFixed(2)})`;
    return `${verdict.padEnd(14)}  ${scenario}, ${quantity}${figures}`;
  });
  return [...lines, ...skipped.map(line => `left out        ${line}`)].join('\n');
}

function difference(
  scenario: string,
  quantity: string,
  after: readonly number[],
  before: readonly number[],
  meaning: 'more is faster' | 'more is slower',
): Difference {
  const ratio = ratioInterval(after, before);
  if (ratio === undefined) return { scenario, quantity, ratio, verdict: 'too few rounds' };
  const isMore = ratio.low > 1;
  const isLess = ratio.high < 1;
  const verdict = !isMore && !isLess ? 'noise' : isMore === (meaning === 'more is slower') ? 'slower' : 'faster';
  return { scenario, quantity, ratio, verdict };
}

/** The rounds at a rate that both reports have: that of the target, since other rates follow from the speed itself. */
function commonRounds(
  before: ScenarioReport,
  after: ScenarioReport,
): { rate: number; before: SliceFigures[]; after: SliceFigures[] } | undefined {
  const wanted = before.target?.rate;
  const find = ({ rates }: ScenarioReport, rate: number | undefined) =>
    rates.find(figures => figures.rate === rate)?.rounds;
  const rate =
    find(after, wanted) === undefined
      ? before.rates.find(figures => find(after, figures.rate) !== undefined)?.rate
      : wanted;
  const [earlier, later] = [find(before, rate), find(after, rate)];
  return rate === undefined || earlier === undefined || later === undefined
    ? undefined
    : { rate, before: earlier, after: later };
}
