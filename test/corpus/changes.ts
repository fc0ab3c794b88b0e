// What changed between the recorded answers and a replay, grouped by kind. A kind is what happened to which parts of an
// answer: its status, a header, a member of its body. Most of the time the changes of one kind have one cause.

import type { CorpusRequest, KeptAnswer } from './exchange.ts';
import type { Exchange } from './replay.ts';

/** Samples of each kind in a report. */
const SAMPLES = 2;
/** Characters of a request or a value in a report. */
const SHOWN = 600;
/** Changed parts that a sample lists. */
const PARTS = 12;

/** A request with both answers; an answer that one side lacks is undefined. */
export interface Change {
  request: CorpusRequest | undefined;
  recorded: KeptAnswer | undefined;
  now: KeptAnswer | undefined;
}

/** The answers that differ. Each request is compared with the recorded one of the same name. */
export function compare(recorded: readonly KeptAnswer[], exchanges: readonly Exchange[]): Change[] {
  const waiting = new Map<string, KeptAnswer[]>();
  for (const answer of recorded) waiting.set(answer.request, [...(waiting.get(answer.request) ?? []), answer]);
  const changes: Change[] = [];
  for (const { request, answer } of exchanges) {
    const before = waiting.get(answer.request)?.shift();
    if (JSON.stringify(before) !== JSON.stringify(answer)) changes.push({ request, recorded: before, now: answer });
  }
  for (const left of waiting.values())
    for (const answer of left) changes.push({ request: undefined, recorded: answer, now: undefined });
  return changes;
}

/**
 * The changes by kind, the most frequent kind first, each with its count and two samples; empty when there are none.
 * @param kindsMax further kinds are only counted
 */
export function describe(changes: readonly Change[], kindsMax = Number.POSITIVE_INFINITY): string {
  if (changes.length === 0) return '';
  const kinds = [...Map.groupBy(changes, kindOf)].sort(([, a], [, b]) => b.length - a.length);
  const shown = kinds
    .slice(0, kindsMax)
    .map(([kind, members]) => [`${members.length} × ${kind}`, ...members.slice(0, SAMPLES).map(sampleOf)].join('\n'));
  const hidden = kinds.length - shown.length;
  const total = `${changes.length} answers differ, in ${kinds.length} kinds${hidden > 0 ? `, ${hidden} not shown` : ''}.`;
  return [...shown, total].join('\n\n');
}

/** A part of an answer that differs; a value that one side lacks is undefined. */
interface ChangedPart {
  part: string;
  before: string | undefined;
  after: string | undefined;
}

function kindOf({ recorded, now }: Change): string {
  if (recorded === undefined) return 'new request';
  if (now === undefined) return 'request that is no longer made';
  const texts = changedParts(recorded, now).map(({ part, before, after }) => {
    if (part === 'status') return `status ${before} → ${after}`;
    const what = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
    return `${part.replace(/\[\d+\]/g, '[]')} ${what}`;
  });
  return [...new Set(texts)].join(', ') || 'order of members';
}

function sampleOf({ request, recorded, now }: Change): string {
  const lines = [request === undefined ? recorded!.request : describeRequest(request)];
  if (recorded === undefined || now === undefined) lines.push(cut(JSON.stringify(recorded ?? now)));
  else {
    const parts = changedParts(recorded, now);
    for (const { part, before = 'nothing', after = 'nothing' } of parts.slice(0, PARTS))
      lines.push(`  ${part}: ${cut(before)} → ${cut(after)}`);
    if (parts.length > PARTS) lines.push(`  and ${parts.length - PARTS} more`);
    if (parts.length === 0) lines.push(`  ${cut(recorded.body)} → ${cut(now.body)}`);
  }
  return lines.map(line => `  ${line}`).join('\n');
}

function changedParts(recorded: KeptAnswer, now: KeptAnswer): ChangedPart[] {
  const before = partsOf(recorded);
  const after = partsOf(now);
  return [...new Set([...before.keys(), ...after.keys()])]
    .map(part => ({ part, before: before.get(part), after: after.get(part) }))
    .filter(part => part.before !== part.after);
}

/** Status, headers, and the leaves of a JSON body by their path; any other body is one part. */
function partsOf({ status, headers, body }: KeptAnswer): Map<string, string> {
  const parts = new Map([['status', String(status)]]);
  for (const [name, value] of Object.entries(headers)) parts.set(`header ${name}`, value);
  if (/^[[{]/.test(body)) addLeaves(parts, '', JSON.parse(body));
  else parts.set('text', body);
  return parts;
}

function addLeaves(parts: Map<string, string>, path: string, value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
    parts.set(path || 'body', JSON.stringify(value));
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${name}]` : path === '' ? name : `.${name}`;
    addLeaves(parts, path + step, member);
  }
}

function describeRequest({ method, path, headers, body, raw }: CorpusRequest): string {
  return cut(`${method} ${path} ${JSON.stringify(headers ?? {})} ${raw ?? body ?? ''}`);
}

function cut(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
