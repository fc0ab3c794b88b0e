// The recorded answers on the disk, and the table of what they hold.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { CorpusRequest, KeptAnswer } from './exchange.ts';
import type { Exchange } from './replay.ts';

/** One JSON line for each answer, in the order of the requests. */
export const ANSWERS_FILE = join(import.meta.dirname, 'answers.jsonl.gz');
/** Its table of counts is generated. */
export const README_FILE = join(import.meta.dirname, 'README.md');

const BEST = 9;
const TABLE = /(<!-- counts -->\n).*?(<!-- counts end -->)/s;

/** The recorded answers; none before the first recording. */
export function readAnswers(): KeptAnswer[] {
  if (!existsSync(ANSWERS_FILE)) return [];
  return gunzipSync(readFileSync(ANSWERS_FILE))
    .toString()
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
}

/** Replaces the recording and the table of counts. */
export function writeAnswers(exchanges: readonly Exchange[]): void {
  const lines = exchanges.map(({ answer }) => JSON.stringify(answer));
  writeFileSync(ANSWERS_FILE, gzipSync(`${lines.join('\n')}\n`, { level: BEST }));
  writeFileSync(README_FILE, withTable(readFileSync(README_FILE, 'utf8'), exchanges));
}

/** The README with the table of these exchanges. */
export function withTable(readme: string, exchanges: readonly Exchange[]): string {
  return readme.replace(TABLE, (_, before: string, after: string) => `${before}\n${tableOf(exchanges)}\n${after}`);
}

/**
 * Method and path of a request without query, slashes too many and keys; bytes on a connection of their own count as
 * one, and so do unknown paths.
 */
function routeOf({ method, path, raw }: CorpusRequest, status: number): string {
  if (raw !== undefined) return 'bytes';
  const plain = path
    .split(/[?#]/, 1)[0]
    .replace(/\/+/g, '/')
    .replace(/(.)\/$/, '$1')
    .replace(/^\/k\/[^/]+(?=\/)/, '/k/KEY');
  if (status === 405) return 'a method that the path does not answer';
  const isKnown =
    /^\/(?:|v1\/geolocate|geolocation\/v1\/geolocate|v[12]\/geosubmit|v1\/submit|(?:k\/KEY\/)?(?:reverse|search|lookup|status|v1\/country)|health|ready|__(?:lb)?heartbeat__)$/.test(
      plain,
    );
  return isKnown ? `${method} ${plain}` : 'no such path';
}

function tableOf(exchanges: readonly Exchange[]): string {
  const statuses = [...new Set(exchanges.map(({ answer }) => answer.status))].sort((a, b) => a - b);
  const answered = exchanges.map(({ request, answer }) => ({
    route: routeOf(request, answer.status),
    status: answer.status,
  }));
  const routes = [...new Set(answered.map(({ route }) => route))].sort();
  const countOf = (status: number | undefined, route: string | undefined) =>
    answered.filter(one => (status ?? one.status) === one.status && (route ?? one.route) === one.route).length;
  const rowOf = (name: string, route: string | undefined) => [
    name.replaceAll('_', '\\_'),
    ...[...statuses, undefined].map(status => String(countOf(status, route) || '')),
  ];
  const rows = [
    ['route', ...statuses.map(String), 'all'],
    ...routes.map(route => rowOf(route, route)),
    rowOf('all', undefined),
  ];
  const widths = rows[0].map((_, column) => Math.max(3, ...rows.map(row => row[column].length)));
  const lines = rows.map(row =>
    row.map((text, i) => (i === 0 ? text.padEnd(widths[i]) : text.padStart(widths[i]))).join(' | '),
  );
  const rule = widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ');
  return [lines[0], rule, ...lines.slice(1)].map(line => `| ${line} |\n`).join('');
}
