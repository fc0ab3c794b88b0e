// The page of a capacity report: one HTML file with its plots in it, which needs no network and no script.

import { describeRate } from './intervals.ts';
import { plotCores, plotLatency, plotStages } from './plots.ts';
import type { CapacityReport, ScenarioReport, SecondRun } from './report.ts';
import { kneeError, p99Errors } from './targets.ts';

const STYLE = `
  body { font: 15px/1.5 system-ui, sans-serif; color: #222; max-width: 1280px; margin: 2rem auto; padding: 0 1rem; }
  h1 { font-size: 1.7rem; } h2 { font-size: 1.25rem; margin-top: 2.2rem; }
  table { border-collapse: collapse; margin: 0.8rem 0; }
  th, td { padding: 0.25rem 0.8rem; border-bottom: 1px solid #ddd; text-align: right; }
  th:first-child, td:first-child { text-align: left; }
  .met { color: #00704f; } .missed { color: #b03a00; font-weight: 600; }
  svg { max-width: 100%; height: auto; }
  p { max-width: 75ch; }`;

/** The whole page. */
export function renderPage(report: CapacityReport): string {
  const { machine, settings, pauses } = report;
  const missed = report.verdicts.filter(({ met }) => !met).length;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Capacity of Sextant</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Capacity</h1>
<p>${escapeHtml(`${report.date.slice(0, 10)}, ${machine.processor}, ${machine.cores} cores, ${machine.memoryGigabytes} GiB, ${machine.system}, Node ${machine.node}. `)}
${settings.stations > 0 ? `${count(settings.stations)} drawn access points, one HTTP thread, one worker.` : 'An operator’s own data.'}
${settings.rounds} rounds, slices of ${settings.sliceSeconds.toFixed(1)} s. With all cores busy the machine paused each core ${pauses.perSecond.toFixed(0)}
times a second, ${(100 * pauses.lostShare).toFixed(1)} % of the time, for ${pauses.longestMilliseconds.toFixed(1)} ms at most.</p>

<h2>Latency against arrival rate</h2>
<p>Requests arrive at random, whatever the service does, and latency counts from the time at which a request was due. Points are measured, lines are the model.
The knee is what the service answers when more is asked than it can answer. Beyond it the queue grows for as long as the load lasts. The load generator runs on
the same machine.</p>
${plotLatency(report)}
${scenarioTable(report.scenarios)}

<h2>Targets</h2>
<p>${missed === 0 ? 'All are met.' : `${missed} of ${report.verdicts.length} are missed.`}</p>
${table(
  ['target', 'measured', ''],
  report.verdicts.map(({ promise, figure, met }) => [
    escapeHtml(promise),
    escapeHtml(figure),
    met ? '<span class="met">met</span>' : '<span class="missed">missed</span>',
  ]),
)}

<h2>Processor time by stage</h2>
<p>Time of all threads for a request, at about half of the knee. The scheduler says what each kind of thread takes. Its division into stages is a sampling profile of a
second service: a sample counts for the source file that called it. The writer learns and logs beside the requests.</p>
${plotStages(report)}
${stageTable(report.scenarios)}

<h2>How far the model is off</h2>
<p>The model is a simulated queue. What its busiest thread takes for a request comes from the flooded service, its pauses from a thread that only reads the clock. How far
the queue is off at the fitted rates is smoothed, and the predictions are corrected by it. It was fitted to the first run. A second process had to be predicted, at
rates that the fit had not seen. Both runs took turns, so that both met the same machine. The mix takes equal parts of some scenarios and is not part of the fit.</p>
${secondTable(report)}

<h2>More cores</h2>
<p>Predicted knees with the threads that <code>serve</code> starts by default, one fewer than cores and eight at most, and the load from another machine. Beyond the measured
number of threads this is arithmetic: it knows no limit of memory bandwidth or network.</p>
${plotCores(report)}
${coresTable(report)}

<h2>Memory and threads</h2>
${memoryTable(report)}
${threadTable(report)}
</body>
</html>
`;
}

function scenarioTable(scenarios: readonly ScenarioReport[]): string {
  const rows = scenarios.map(({ name, about, rates, knee, target, model }) => {
    const at = rates.find(({ rate }) => rate === target?.rate) ?? rates[0];
    return [
      `${escapeHtml(name)}: ${escapeHtml(about)}`,
      describeRate(knee),
      `${count(at.rate)}/s`,
      milliseconds(at.p50),
      milliseconds(at.p99),
      milliseconds(at.p999),
      at.http.toFixed(0),
      at.process.toFixed(0),
      model === undefined ? '-' : model.process.toFixed(0),
      model === undefined ? '-' : `${(100 * (Math.exp(model.residual) - 1)).toFixed(0)} %`,
    ];
  });
  return table(
    [
      'scenario',
      'knee, requests/s',
      'at',
      'p50 ms',
      'p99 ms',
      'p99.9 ms',
      'HTTP thread µs',
      'process µs',
      'process µs at the knee',
      'queue off',
    ],
    rows,
  );
}

function stageTable(scenarios: readonly ScenarioReport[]): string {
  const stages = [...new Set(scenarios.flatMap(scenario => scenario.stages.map(({ stage }) => stage)))];
  const cell = (scenario: ScenarioReport, stage: string) => {
    const found = scenario.stages.find(each => each.stage === stage);
    return found === undefined ? '' : found.microseconds.toFixed(1);
  };
  return table(
    ['µs a request', ...scenarios.map(({ name }) => escapeHtml(name))],
    stages.map(stage => [stage, ...scenarios.map(scenario => cell(scenario, stage))]),
  );
}

function secondTable({ scenarios, mix }: CapacityReport): string {
  const runs: [string, SecondRun][] = scenarios.flatMap(({ name, second }) =>
    second === undefined ? [] : [[name, second] as [string, SecondRun]],
  );
  if (mix !== undefined) runs.push([`mix: ${mix.about}`, mix.second]);
  const rows = runs.map(([name, second]) => {
    const error = kneeError(second);
    const errors = p99Errors(second);
    return [
      escapeHtml(name),
      count(second.predictedKnee.rate),
      second.predictedKnee.limit,
      describeRate(second.knee),
      error === undefined ? '-' : percent(error),
      ...second.rates.map(
        ({ rate, p99, predicted }, i) =>
          `${count(rate)}/s: ${milliseconds(predicted.p99)}, ${milliseconds(p99)} (${percent(errors[i])})`,
      ),
    ];
  });
  const p99 = 'p99 ms predicted, measured';
  return table(['scenario', 'knee predicted', 'limit', 'knee measured', 'off', p99, p99, p99], rows);
}

function coresTable({ cores }: CapacityReport): string {
  if (cores.length === 0) return '';
  const columns = cores[0].knees.map(
    ({ cores: number, httpThreads }) => `${number} cores, ${httpThreads} HTTP thread${httpThreads === 1 ? '' : 's'}`,
  );
  return table(
    ['knee, requests/s', ...columns],
    cores.map(({ name, knees }) => [escapeHtml(name), ...knees.map(({ rate, limit }) => `${count(rate)} (${limit})`)]),
  );
}

function memoryTable({ perMillionStations }: CapacityReport): string {
  if (perMillionStations === undefined) return '';
  const { memory, diskMegabytes } = perMillionStations;
  return table(
    ['a million stations take', 'MB'],
    [
      ['memory of the process, with a cache that holds all', memory.own.toFixed(0)],
      ['pages of files in memory, which the system can drop', memory.files.toFixed(0)],
      ['disk', diskMegabytes.toFixed(0)],
    ],
  );
}

function threadTable({ threads }: CapacityReport): string {
  if (threads === undefined) return '';
  const { scenario, httpThreads, memory, rate, http, process, knees, predictedKnee, doublingCost } = threads;
  const rows = httpThreads.map((number, i) => [
    String(number),
    memory[i].own.toFixed(0),
    memory[i].files.toFixed(0),
    http[i].toFixed(0),
    process[i].toFixed(0),
    describeRate(knees[i]),
    i === 0 || predictedKnee === undefined ? '' : count(predictedKnee.rate),
  ]);
  const head = [
    'HTTP threads, as many workers',
    'memory MB',
    'pages of files MB',
    'HTTP µs',
    'process µs',
    'knee',
    'knee predicted',
  ];
  return `<p>Scenario ${escapeHtml(scenario)}; processor time of a request at ${count(rate)}/s, memory before the first request. A busy thread of two takes
${doublingCost.toFixed(2)} times as long as one alone.</p>${table(head, rows)}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map(cell => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  return `<table><thead>${line(head, 'th')}</thead><tbody>\n${rows.map(row => line(row, 'td')).join('\n')}\n</tbody></table>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function count(number: number): string {
  return Math.round(number).toLocaleString('en');
}

function milliseconds(microseconds: number): string {
  return (microseconds / 1000).toPrecision(3);
}

function percent(share: number): string {
  return `${share > 0 ? '+' : ''}${(100 * share).toFixed(0)} %`;
}
