// Processor time of a request by stage. The scheduler says what each kind of thread takes for a request (service.ts). A
// second service under V8's sampling profiler says into which files that time goes: a sample counts for the innermost
// frame of a file that STAGES knows; native code, WebAssembly and libraries count for the file that called them. So the
// module that looks stations up counts for the lookup, and the core for what called it: scanning a body or the
// position. Only the shares come from the profile, because the profiler itself takes time.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from './report.ts';
import type { MeasuredSlice } from './service.ts';

/** Also samples without a frame of a known file. */
const HTTP = 'HTTP and sockets';

/**
 * Parts of paths under src/ with their stage. The longest that fits decides; files that none fits count for their
 * caller.
 */
const STAGES: Readonly<Record<string, string>> = {
  'protocol/requests/': 'parse',
  'radio/query/': 'parse',
  'core/body_scanner.ts': 'parse',
  'api/gather_body.ts': 'parse',
  'api/fast_lane/': HTTP,
  'api/transport/': HTTP,
  'api/routes.ts': HTTP,
  'accounts/': 'admission',
  'tables/accounts/': 'admission',
  'api/admission.ts': 'admission',
  'tables/stations/': 'lookup',
  'core/cache_lane.ts': 'lookup',
  'positioning/': 'position',
  'tracking/': 'position',
  'geocoding/': 'places',
  'tables/places/': 'places',
  'tables/environment/': 'places',
  'api/places.ts': 'places',
  'tasks/answer_places.ts': 'places',
  'intake/': 'intake',
  'api/submission.ts': 'intake',
  'tasks/pack_reports.ts': 'intake',
  'tables/requests/': 'log',
  'protocol/answers/': 'reply',
  'api/exchange.ts': 'reply',
  'pool/': 'hand-over',
  'api/hop.ts': 'hand-over',
};
const COLLECTION = 'garbage collection';
const IDLE = '(idle)';
/** The function in which query workers wait for work. The profiler takes a sleeping thread for a busy one. */
const SLEEP = { file: 'src/pool/doorbell.ts', functionName: 'sleep' };
/** The file with which a thread begins. */
const HTTP_THREAD = 'src/api/http_thread.ts';
const WORKER_THREAD = 'src/tasks/worker.ts';
/** The order of stages in reports. */
export const STAGE_NAMES = [
  HTTP,
  'parse',
  'admission',
  'lookup',
  'position',
  'places',
  'intake',
  'hand-over',
  'log',
  'reply',
  COLLECTION,
  'writer',
  'other threads',
];

/** A profile of one thread, as V8 writes it. */
export interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string }; children?: number[] }[];
  /** Microseconds of the system's monotonic clock. */
  startTime: number;
  samples: number[];
  timeDeltas: number[];
}

/** The profiles of the HTTP threads and workers in a folder. @throws Error when there is none of an HTTP thread */
export function readProfiles(folder: string): { http: Profile[]; workers: Profile[] } {
  const profiles = readdirSync(folder)
    .filter(name => name.endsWith('.cpuprofile'))
    .map(name => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Profile);
  const of = (file: string) =>
    profiles.filter(({ nodes }) => nodes.some(({ callFrame }) => callFrame.url.endsWith(file)));
  const http = of(HTTP_THREAD);
  if (http.length === 0) throw new Error(`The service wrote no profile of an HTTP thread into ${folder}.`);
  return { http, workers: of(WORKER_THREAD).filter(profile => !http.includes(profile)) };
}

/**
 * Processor time of a slice by stage: what `plain` took without a profiler, in the shares of `profiled`, a slice under
 * the profiler.
 */
export function stagesOf(
  profiles: { http: readonly Profile[]; workers: readonly Profile[] },
  profiled: Pick<MeasuredSlice, 'from' | 'to'>,
  plain: Pick<MeasuredSlice, 'http' | 'workers' | 'writer' | 'process'>,
): Stage[] {
  const microseconds = new Map<string, number>();
  const add = (stage: string, more: number) => microseconds.set(stage, (microseconds.get(stage) ?? 0) + more);
  for (const [threads, taken] of [
    [profiles.http, plain.http],
    [profiles.workers, plain.workers],
  ] as const) {
    const shares = sharesOf(threads, profiled.from, profiled.to);
    if (shares.size === 0) add('other threads', taken);
    for (const [stage, share] of shares) add(stage, share * taken);
  }
  add('writer', plain.writer);
  add('other threads', Math.max(0, plain.process - plain.http - plain.workers - plain.writer));
  return STAGE_NAMES.flatMap(stage => {
    const taken = microseconds.get(stage) ?? 0;
    return taken > 0 ? [{ stage, microseconds: taken }] : [];
  });
}

/** Shares of the stages in the busy time of some threads; empty if they were idle. */
function sharesOf(profiles: readonly Profile[], from: number, to: number): Map<string, number> {
  const sums = new Map<string, number>();
  let total = 0;
  for (const profile of profiles) {
    const stageOf = stageFinder(profile);
    let at = profile.startTime;
    for (const [i, sample] of profile.samples.entries()) {
      at += profile.timeDeltas[i];
      if (at < from || at >= to) continue;
      const stage = stageOf(sample);
      if (stage === IDLE) continue;
      const lasted = profile.timeDeltas[i + 1] ?? 0;
      total += lasted;
      sums.set(stage, (sums.get(stage) ?? 0) + lasted);
    }
  }
  return new Map([...sums].map(([stage, sum]) => [stage, sum / total]));
}

/** The stage of each node of the call tree, found once. */
function stageFinder({ nodes }: Profile): (id: number) => string {
  const callers = new Map(nodes.flatMap(({ id, children = [] }) => children.map(child => [child, id] as const)));
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const known = new Map<number, string>();
  const find = (id: number): string => {
    const { functionName: leaf, url } = frames.get(id)!;
    if (leaf === IDLE || (leaf === SLEEP.functionName && url.endsWith(SLEEP.file))) return IDLE;
    if (leaf === '(garbage collector)') return COLLECTION;
    for (let at: number | undefined = id; at !== undefined; at = callers.get(at)) {
      const stage = stageOfFile(frames.get(at)!.url);
      if (stage !== undefined) return stage;
    }
    return HTTP;
  };
  return id => {
    let stage = known.get(id);
    if (stage === undefined) {
      stage = find(id);
      known.set(id, stage);
    }
    return stage;
  };
}

function stageOfFile(url: string): string | undefined {
  const at = url.lastIndexOf('/src/');
  if (at < 0 || url.includes('/node_modules/')) return undefined;
  const path = url.slice(at + '/src/'.length);
  let longest = '';
  for (const part of Object.keys(STAGES)) if (part.length > longest.length && path.startsWith(part)) longest = part;
  return STAGES[longest];
}
