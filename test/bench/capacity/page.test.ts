import { expect, test } from 'vitest';
import { renderPage } from '../../../bench/capacity/page.ts';
import { plotLatency } from '../../../bench/capacity/plots.ts';
import { drawReport, drawScenario, NAMES } from './drawn_report.ts';

/** Texts of an SVG. */
function textsOf(svg: string): string[] {
  return [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);
}

test('the page has each scenario in its plots and in its tables', () => {
  const page = renderPage(drawReport());
  const plots = [...page.matchAll(/<svg[\s\S]*?<\/svg>/g)].map(([svg]) => textsOf(svg));
  expect(plots).toHaveLength(3);
  for (const name of NAMES) {
    for (const texts of plots) expect(texts).toContain(name);
    expect(page).toContain(`<td>${name}: what ${name} ask</td>`);
  }
});

test('the page stands alone', () => {
  const page = renderPage(drawReport());
  // Clipping paths are named by url(#…), in the page itself.
  expect(page.match(/<script|<link|<img|@import|url\((?!#)/g)).toBeNull();
  const addresses = [...page.matchAll(/https?:\/\/[^"' )]+/g)].map(([address]) => address);
  // Names of the SVG language, which nobody fetches.
  expect(addresses.filter(address => !address.startsWith('http://www.w3.org/'))).toEqual([]);
});

test('the page says which targets are missed, and escapes what it is given', () => {
  const page = renderPage(drawReport());
  expect(page).toContain('1 of 2 are missed.');
  expect(page).toContain(
    '<td>search: p99 at 200/s at most 10 ms</td><td>12.00 ms</td><td><span class="missed">missed</span></td>',
  );
  expect(page).toContain('A &lt;processor&gt;');
});

test('the page shows knees with their intervals, and how far the prediction was off', () => {
  const page = renderPage(drawReport());
  expect(page).toMatch(/8,000 \(7,\d{3} to 8,\d{3}\)/);
  expect(page).toContain('<td>+4 %</td>');
  expect(page).toContain('2,000/s: 0.950, 0.900 (+6 %)');
});

test('a scenario without a knee, a model or a target has a page all the same', () => {
  const { model: _, second: _second, target: _target, ...bare } = drawScenario('own');
  const {
    threads: _threads,
    perMillionStations: _memory,
    ...report
  } = drawReport([{ ...bare, knee: { rounds: [] }, curve: [] }]);
  expect(renderPage({ ...report, cores: [] })).toContain('own: what own ask');
});

test('each plot has a title for readers who do not see it', () => {
  const page = renderPage(drawReport([drawScenario('own & mine')]));
  const titles = [...page.matchAll(/<svg [^>]*>\n<title>([^<]*)<\/title>/g)].map(([, title]) => title);
  expect(titles).toEqual([
    'Latency against requests a second, measured and by the model: own &amp; mine',
    'Processor time of a request by stage: own &amp; mine',
    'Predicted knee against cores: own &amp; mine',
  ]);
});

test('the picture is an image of its own', () => {
  const svg = plotLatency(drawReport());
  expect(svg).toMatch(/^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  expect(textsOf(svg)).toEqual(expect.arrayContaining(['p50 measured', 'p99 model', 'p99 target', 'knee 8,000/s']));
});
